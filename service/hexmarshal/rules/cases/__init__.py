"""What conformance cases are made of: their schema, what a step does, scripts of several steps."""
