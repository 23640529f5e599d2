"""What may be asked: reach, odds, supply, retreats, control, score."""
