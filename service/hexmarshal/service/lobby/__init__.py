"""Around the table: terms of a match, seats, invitations, clocks, proposals."""
