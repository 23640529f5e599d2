"""Assaults and what comes of them."""
