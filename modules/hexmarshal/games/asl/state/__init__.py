"""Tables, ground, and a position seen through them."""
