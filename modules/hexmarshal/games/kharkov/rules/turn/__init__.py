"""Sections 4, 5, 16 and 17: the turn, set-up, reinforcements, victory."""
