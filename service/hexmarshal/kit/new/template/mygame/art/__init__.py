"""How the map and the counters look."""
