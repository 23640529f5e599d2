"""Action cards and rerolls."""
