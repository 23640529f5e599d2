"""Conversion calls: files in, positions, saves and findings out."""
