"""Maps of hexes, squares and areas, drawn from their terrain: plainly, or as painted land."""
