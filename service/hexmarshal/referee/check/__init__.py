"""Checks of whole files: what is given, where it starts, what was found."""
