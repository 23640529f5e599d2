"""What the rules work on: the map, the tables, the counters, and a position with them around it."""
