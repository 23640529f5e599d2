"""The sequence of play, set-up and victory."""
