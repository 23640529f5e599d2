"""Commands about maps: lines of sight, reach, pictures and checks."""
