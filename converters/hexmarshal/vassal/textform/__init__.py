"""A text form of modules, extensions, saves and logs that git can follow, and back, identical."""

from hexmarshal.vassal.textform.packing import Packed, pack, packed_bytes
from hexmarshal.vassal.textform.unpacking import Unpacked, unpack

__all__ = ["Packed", "Unpacked", "pack", "packed_bytes", "unpack"]
