"""Movement: what a step costs, moves, relocation of headquarters."""
