"""What players did and meant: drags, announcements, dice and the table between two steps."""
