"""Fire Actions of every kind."""
