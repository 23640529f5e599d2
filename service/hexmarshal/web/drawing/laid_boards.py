"""The ground of a map whose boards lie in files outside of the module: each board a picture."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hexmarshal.web.drawing.gallery import png_of
from hexmarshal.web.drawing.sheets import GroundPart, Sheet

if TYPE_CHECKING:
    from hexmarshal.vassal.render.board_picture import BoardPart, BoardPicture
    from hexmarshal.web.drawing.gallery import Gallery

__all__ = ["board_sheet"]


def board_sheet(boards: BoardPicture, gallery: Gallery) -> Sheet:
    """The map that the boards lie on."""
    ground = tuple(_part(part, number, gallery) for number, part in enumerate(boards.parts))
    return Sheet(boards.map, boards.width, boards.height, ground)


def _part(part: BoardPart, number: int, gallery: Gallery) -> GroundPart:
    width, height = part.size
    look = f"laid board {number} {part.name} {part.x} {part.y}"
    src = gallery.add(look, partial(png_of, part.image.convert("RGB")))
    return GroundPart(src, part.x, part.y, width, height)
