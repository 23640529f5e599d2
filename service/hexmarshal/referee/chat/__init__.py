"""What players say: announcements, sealed ones, and names in plain words."""
