"""A picture of an archive as pixels, if it is not too big to be one."""

from __future__ import annotations

import io
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import BadInputError, MissingExtraError, VassalFormatError
from hexmarshal.vassal.images.image_size import image_size

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["decoded_picture", "refuse_damaged", "size_of_whole"]

_SVG: Final = re.compile(rb"<(?:\w+:)?svg\b")
_SVG_HEAD: Final = 1 << 16


def decoded_picture(data: bytes, mode: str, *, most_pixels: int) -> Image:
    """The picture in a mode of Pillow's; a VassalFormatError if it is none, or has more pixels."""
    try:
        import PIL.Image
    except ImportError:
        raise MissingExtraError(
            "pictures need Pillow", hint="pip install 'hexmarshal[render]'"
        ) from None
    size = image_size(data)
    if size is None or size[0] * size[1] > most_pixels:
        raise VassalFormatError("the picture cannot be read")
    # Pillow's own limit is for those who have not looked at the size before.
    PIL.Image.MAX_IMAGE_PIXELS = max(PIL.Image.MAX_IMAGE_PIXELS or 0, most_pixels)
    try:
        with PIL.Image.open(io.BytesIO(data)) as picture:
            return picture.convert(mode)
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as why:
        raise VassalFormatError(f"the picture cannot be read: {why}") from why


def size_of_whole(data: bytes) -> tuple[int, int]:
    """The size of a picture that is whole; a BadInputError if it is none, or has no size."""
    refuse_damaged(data)
    size = image_size(data)
    if size is None:
        raise BadInputError("the size of the drawing is not said in it")
    return size


def refuse_damaged(data: bytes) -> None:
    """A BadInputError if this is no whole picture: VASSAL would show nothing of it.

    Whether it is whole, Pillow tells; without it the head of the file is believed.
    """
    if _SVG.search(data[:_SVG_HEAD]):
        return
    size = image_size(data)
    if size is None:
        raise BadInputError("is no PNG, GIF, JPEG or SVG")
    with suppress(MissingExtraError):
        decoded_picture(data, "L", most_pixels=size[0] * size[1])
