"""The books that players keep: markers and tracks, and what they pay."""
