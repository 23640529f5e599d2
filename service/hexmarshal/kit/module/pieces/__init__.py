"""Units, markers, terrain tiles, decks and cups as a game declares them, and as pieces."""
