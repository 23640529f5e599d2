"""The game's pictures, drawn from its data: the map, the counters, the charts and the sheet."""
