"""Pieces that are dragged: the way, what it can be, and what is judged as one move."""
