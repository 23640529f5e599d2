"""The position with the game's eyes: its map, its counters, its tables, what must hold."""
