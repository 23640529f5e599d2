"""The picture of a module's board, as it lies under its grid."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from hexmarshal.errors import NotFoundError, Place
from hexmarshal.vassal.render.pictures import Pictures
from hexmarshal.vassal.terrain.sidecar import board_of

if TYPE_CHECKING:
    from PIL.Image import Image

    from hexmarshal.vassal.module import Module

__all__ = ["board_image", "board_picture", "file_image"]


def board_image(module: Module, map_name: str = "", board_name: str = "") -> Image:
    """The picture of a board."""
    found = board_of(module, map_name, board_name)
    picture = Pictures(module).get(str(found.board.image))
    if picture is None:
        raise NotFoundError(
            f"the board {found.board.name!r} has no picture that can be read",
            place=Place(field=found.board.name).within(module.place),
        )
    return picture


def board_picture(
    module: Module, map_name: str = "", board_name: str = ""
) -> tuple[bytes, tuple[int, int]]:
    """The picture of a board as PNG, and its size."""
    picture = board_image(module, map_name, board_name)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue(), picture.size


def file_image(data: bytes, file: str) -> Image:
    """The picture in a file of its own."""
    import PIL.Image

    try:
        with PIL.Image.open(io.BytesIO(data)) as picture:
            return picture.convert("RGBA")
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as error:
        raise NotFoundError(
            f"this is no picture that can be read: {error}", place=Place(file=file)
        ) from None
