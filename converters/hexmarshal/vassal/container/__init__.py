"""The container: zip archives, their bytes, their veil, and what kind of file it is."""
