"""Saved games and logs: read, written, stepped through, salvaged."""
