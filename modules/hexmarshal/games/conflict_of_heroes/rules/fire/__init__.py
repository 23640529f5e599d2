"""Fire and close combat: who may shoot, with what, and what comes of it."""
