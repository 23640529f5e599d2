"""Pictures of maps with the pieces of a game on them (needs the extra `render`)."""

from hexmarshal.vassal.render.scene import render_map

__all__ = ["render_map"]
