"""Sections 9 and 12 to 14: combat from declaration to advance."""
