"""Boards and the maps made of them: found, laid out, made ready, cached."""
