"""Pieces: chains of traits, prototypes, names and references."""
