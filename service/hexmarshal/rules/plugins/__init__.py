"""Where plugins come from, and whose fault an exception is."""
