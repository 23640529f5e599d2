"""Moves: steps, vehicles, zones of control, forced movement, transport."""
