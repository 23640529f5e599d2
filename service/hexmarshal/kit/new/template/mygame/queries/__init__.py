"""What can be asked about a position."""
