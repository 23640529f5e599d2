"""Game boxes of other programs made into modules."""

from hexmarshal.vassal.imports.boxes import open_box
from hexmarshal.vassal.imports.building import Built, build_box

__all__ = ["Built", "build_box", "open_box"]
