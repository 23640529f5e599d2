"""Tokens, cards and counters that are laid, turned up or exchanged."""
