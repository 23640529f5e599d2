"""The turn tracker: moved in time, too early, or not at all; the rules follow it."""
