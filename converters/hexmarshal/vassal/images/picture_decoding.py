"""A picture of an archive as pixels, if it is not too big to be one."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from hexmarshal.errors import MissingExtraError, VassalFormatError
from hexmarshal.vassal.images.image_size import image_size

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["decoded_picture"]


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
