"""Movement: costs, barriers, ways, transport."""
