"""Traces: what the table shows since rules and table last agreed, and the actions that leave it."""
