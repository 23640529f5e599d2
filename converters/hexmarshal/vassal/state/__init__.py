"""What is where in a game: stacks, boards, places in words."""
