"""Losses, damage to heavy vehicles, destroyed structures."""
