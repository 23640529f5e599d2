"""Lines of sight: what a line meets, and what of it stands in the way."""
