"""Logs as parts of one game: joined into one, and split where turns begin."""
