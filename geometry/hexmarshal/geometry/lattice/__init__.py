"""Cells and where they lie: hexes, squares, and what a straight line does among them."""
