"""Infantry overrun: into the hex of a single man, and close combat with him at once."""
