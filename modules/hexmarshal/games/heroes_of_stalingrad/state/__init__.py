"""What positions and data mean: counters, ground, armies, and the play so far."""
