"""VASL: the games of its players as positions, and positions as saves that it opens."""
