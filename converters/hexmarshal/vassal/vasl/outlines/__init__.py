"""The patches of a board as polygons: edges of pixels, chains, rings, made straight."""
