"""The tables and the map, and a position seen through them."""
