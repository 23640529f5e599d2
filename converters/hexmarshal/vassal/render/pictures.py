"""Loads a module's pictures, bitmaps and drawings alike, each once."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, MissingExtraError
from hexmarshal.geometry.svg.png import png
from hexmarshal.vassal.images.image_size import image_size

if TYPE_CHECKING:
    from PIL.Image import Image

    from hexmarshal.vassal.module import Module

__all__ = ["Pictures"]

# A picture larger than this is a mistake or an attack; real maps stay well below.
_MOST_PIXELS = 400_000_000
_FORMS = (".svg", ".png", ".gif", ".jpg")


class Pictures:
    """The images of a module by name; `missing` collects the names that lead nowhere.

    With `other_forms`, a picture of the same name in another form will do: games of one version
    of a module are drawn with another one, which has drawings in place of bitmaps.
    """

    def __init__(self, module: Module, *, other_forms: bool = False) -> None:
        try:
            import PIL.Image
        except ImportError:
            raise MissingExtraError(
                "pictures need Pillow", hint="pip install 'hexmarshal[render]'"
            ) from None
        self._module, self._forms = module, _FORMS if other_forms else ()
        self._loaded: dict[str, Image | None] = {}
        self._names: dict[int, str] = {}
        self.missing: dict[str, None] = {}
        PIL.Image.MAX_IMAGE_PIXELS = _MOST_PIXELS

    def get(self, name: str) -> Image | None:
        """The picture of this name with an alpha channel; None if there is none."""
        if not name:
            return None
        if name not in self._loaded:
            found = self._loaded[name] = self._load(name)
            if found is not None:
                self._names[id(found)] = name
        return self._loaded[name]

    def file_of(self, picture: Image) -> bytes | None:
        """The module's own file of a picture that was got here and is still as it was."""
        name = self._names.get(id(picture))
        return None if name is None else self._module.image(name)

    def _load(self, name: str) -> Image | None:
        stem = name.rpartition(".")[0]
        names = (name, *(f"{stem}{form}" for form in self._forms if stem))
        data = next((d for n in names if (d := self._module.image(n)) is not None), None)
        found = None if data is None else self._decode(data)
        if found is None and name.strip() and not name.startswith("/"):
            self.missing[name] = None
        return found

    def _decode(self, data: bytes) -> Image | None:
        import PIL.Image

        head = data[:512].lstrip()
        if head.startswith((b"<", b"\xef\xbb\xbf<")):
            drawn = _drawn(data)
            if drawn is None:
                return None
            data = drawn
        size = image_size(data)
        if size is not None and size[0] * size[1] > _MOST_PIXELS:
            return None
        try:
            with PIL.Image.open(io.BytesIO(data)) as picture:
                return picture.convert("RGBA")
        except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError):
            return None


def _drawn(svg: bytes) -> bytes | None:
    try:
        return png(svg.decode("utf-8", "replace"), paper=None)
    except GeometryError:
        return None
