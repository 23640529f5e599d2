"""What pages show of a table: ground, cells, counters, as plain data and pictures."""
