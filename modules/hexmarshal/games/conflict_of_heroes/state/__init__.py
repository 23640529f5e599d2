"""The position with the game's eyes: boards, counters, notes, what must hold."""
