"""Pages for browsers: the table of a match, and what is in a file."""
