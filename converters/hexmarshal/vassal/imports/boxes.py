"""Opens a game box of another program, told by its content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.vassal.container.source import read_file

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.vassal.imports.model import GameBox

__all__ = ["open_box"]


def open_box(path: Path) -> GameBox:
    """The box of ZunTzu (.ztb) or CyberBoard (.gbx) in a file."""
    data = read_file(path)
    place = Place(file=str(path))
    if data.startswith(b"GBOX"):
        from hexmarshal.vassal.imports.cyberboard import read_cyberboard

        return read_cyberboard(data, place)
    if data.startswith(b"PK"):
        from hexmarshal.vassal.imports.zuntzu import read_zuntzu

        return read_zuntzu(data, place)
    raise VassalFormatError(
        "neither a game box of CyberBoard nor one of ZunTzu",
        place=place,
        hint="a .gbx of CyberBoard begins with GBOX, a .ztb of ZunTzu is a zip archive",
    )
