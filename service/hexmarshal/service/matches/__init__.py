"""Matches: what is stored, held, shown to a seat and played."""
