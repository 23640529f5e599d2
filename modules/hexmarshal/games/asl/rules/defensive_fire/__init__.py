"""Defensive fire: at who moves, and what it leaves behind."""
