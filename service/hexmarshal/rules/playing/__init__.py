"""Games as they are played: recorded, replayed, played by chance."""
