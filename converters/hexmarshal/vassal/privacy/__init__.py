"""Players' ids, which are their passwords: where they stand, and how they are taken out."""
