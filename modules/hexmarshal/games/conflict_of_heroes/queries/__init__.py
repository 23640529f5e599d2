"""What may be asked: sight, reach, ways, odds, values."""
