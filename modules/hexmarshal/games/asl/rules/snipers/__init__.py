"""Snipers: what calls them, whom they hit, and what is done about them."""
