"""Infantry and vehicles in one location: courage, attacks on and by vehicles, capture."""
