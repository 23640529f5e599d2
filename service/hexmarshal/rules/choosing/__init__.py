"""Choosing an action step by step: partial actions, the choices for the next slot, the walk."""
