"""The counters of VASL: what they show, what they are called, and where to take them from."""
