"""What holds of hexes: stacking, supply lines, control, rail routes."""
