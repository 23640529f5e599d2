"""Victory: points, and the end of the game."""
