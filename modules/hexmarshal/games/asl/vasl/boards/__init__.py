"""The boards of VASL on its map: which they are, where their hexes are, how they look."""
