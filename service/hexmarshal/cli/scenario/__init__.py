"""Commands for scenarios: convert, check, show."""
