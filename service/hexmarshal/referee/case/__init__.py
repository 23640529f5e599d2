"""The case before the referee: what the rules have, what the table shows, what was said."""
