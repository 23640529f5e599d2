"""The books of the players: tracks, tokens and markers, what is paid with them and what is due."""
