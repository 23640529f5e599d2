"""The rules, a file a chapter of the book."""
