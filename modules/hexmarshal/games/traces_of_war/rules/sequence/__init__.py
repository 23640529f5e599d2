"""The sequence of play: set-up, turns, and what goes on after each decision."""
