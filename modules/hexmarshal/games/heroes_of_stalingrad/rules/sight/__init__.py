"""Lines of sight, ranges, arcs."""
