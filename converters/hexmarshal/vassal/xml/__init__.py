"""Build files: VASSAL's XML read, found through and written back."""
