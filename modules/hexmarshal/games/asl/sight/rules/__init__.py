"""The rules of sight, one file for each part of the book."""
