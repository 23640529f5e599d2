"""Rout: where broken units go, interdiction."""
