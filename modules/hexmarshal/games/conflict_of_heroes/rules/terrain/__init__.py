"""What the ground does: sight, works, mines, hiding."""
