"""Sections 6 to 8: movement, reserves, rail, overruns, stacking."""
