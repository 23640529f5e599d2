"""The ground of a position: its board, the tiles that lie on it, and what terrain there is."""
