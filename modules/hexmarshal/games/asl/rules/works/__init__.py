"""Fortifications: what is done to them."""
