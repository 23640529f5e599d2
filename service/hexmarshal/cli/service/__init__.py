"""Commands around the rules service: serve, token, call."""
