"""Movement: what a step costs, what is in reach, zones of control."""
