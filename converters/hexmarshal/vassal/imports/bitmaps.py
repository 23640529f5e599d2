"""Pictures cut, masked and written, for boxes that keep them in sheets."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import MissingExtraError, VassalFormatError

if TYPE_CHECKING:
    from types import ModuleType

    from PIL.Image import Image

    from hexmarshal.errors import Place

__all__ = ["opened", "pillow", "png"]

_MOST_PIXELS: Final = 400_000_000


def pillow() -> ModuleType:
    """The library, or an error that says what to install."""
    try:
        import PIL.Image
    except ImportError:
        raise MissingExtraError(
            "pictures need Pillow", hint="pip install 'hexmarshal[render]'"
        ) from None
    PIL.Image.MAX_IMAGE_PIXELS = _MOST_PIXELS
    return PIL.Image


def opened(data: bytes, place: Place) -> Image:
    """A picture with an alpha channel."""
    library = pillow()
    try:
        with library.open(io.BytesIO(data)) as picture:
            found: Image = picture.convert("RGBA")
            return found
    except (OSError, ValueError, SyntaxError, library.DecompressionBombError) as why:
        raise VassalFormatError(f"cannot be read as a picture: {why}", place=place) from why


def png(picture: Image) -> bytes:
    """The picture as a file."""
    into = io.BytesIO()
    picture.save(into, "PNG")
    return into.getvalue()
