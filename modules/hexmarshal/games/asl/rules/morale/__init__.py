"""Morale: checks, pins, casualties, loss of leaders."""
