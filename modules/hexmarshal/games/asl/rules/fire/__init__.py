"""Fire: who fires at what with which firepower, and what comes of it."""
