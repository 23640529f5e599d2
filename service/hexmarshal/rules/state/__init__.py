"""What is true on the table: the position, its pieces, what changes it, who knows of it."""
