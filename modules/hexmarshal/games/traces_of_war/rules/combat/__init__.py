"""Combat: strengths, the table, air support, losses, retreats, advances."""
