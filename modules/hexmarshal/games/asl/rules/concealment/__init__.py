"""Concealment: gained and lost, dummies, hidden units, detection, searching, mopping up."""
