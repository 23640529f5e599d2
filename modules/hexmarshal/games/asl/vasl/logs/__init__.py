"""Logs of VASL followed step by step: what is said, moved, fired and rolled."""
