"""What nobody said: decisions made in silence, actions that only their traces tell."""
