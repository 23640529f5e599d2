"""What goes between a module and its extensions, and which extension a saved game wants."""

from hexmarshal.vassal.extensions.moving import Moved, move_in, move_out, new_extension
from hexmarshal.vassal.extensions.supply import Wanted, wanted_extensions

__all__ = ["Moved", "Wanted", "move_in", "move_out", "new_extension", "wanted_extensions"]
