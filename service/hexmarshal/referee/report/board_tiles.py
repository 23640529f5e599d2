"""The pictures of a map's boards in tiles, each held once however many drawings show it."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import MissingExtraError
from hexmarshal.kit.pages.markup import Html, element, joined
from hexmarshal.vassal.render.pictures import Pictures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PIL.Image import Image

    from hexmarshal.geometry.terrain.boards import PlacedBoard
    from hexmarshal.vassal.module import Module

__all__ = ["Box", "Gallery", "Ground", "pictures_of"]

Box = tuple[float, float, float, float]

_TILE: Final = 320
# A tile reaches a pixel into the next one: no seam shows, however the drawing is scaled.
_OVERLAP: Final = 1
_QUALITY: Final = 72


def pictures_of(module: Module) -> Pictures | None:
    """The module's pictures; None where the parts of the program that read them are missing."""
    try:
        return Pictures(module)
    except MissingExtraError:
        return None


class Gallery:
    """Pictures that drawings refer to, each once, however many look the same."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._held: list[Html] = []

    def add(self, image: Image, kind: str, **options: object) -> str:
        """Hold a picture; the name to refer to it by."""
        out = io.BytesIO()
        image.save(out, kind, optimize=True, **options)
        data = f"data:image/{kind.lower()};base64,{base64.b64encode(out.getvalue()).decode()}"
        if data not in self._names:
            name = self._names[data] = f"p{len(self._names)}"
            size = {"width": image.width, "height": image.height}
            self._held.append(element("image", id=name, **size, href=data))
        return self._names[data]

    def definitions(self) -> Html:
        """All of them."""
        return joined(self._held)


class Ground:
    """Cuts what a drawing shows out of the boards."""

    def __init__(
        self,
        module: Module,
        map: str,
        boards: Sequence[PlacedBoard],
        pictures: Pictures | None,
        gallery: Gallery,
    ) -> None:
        self._gallery = gallery
        self._tiles: dict[tuple[int, int, int], str] = {}
        self._boards = boards
        self._pictures = pictures
        self._names = {
            board.name: str(board.image)
            for of_map in module.maps()
            if of_map.name == map
            for board in of_map.boards
            if board.image
        }
        self._laid: dict[int, Image | None] = {}

    def under(self, box: Box) -> Iterator[Html]:
        """The tiles below a part of the map."""
        for number, placed in enumerate(self._boards):
            image = self._image(number, placed)
            if image is None:
                continue
            left, top = max(box[0] - placed.x, 0), max(box[1] - placed.y, 0)
            right, bottom = (
                min(box[2] - placed.x, image.width),
                min(box[3] - placed.y, image.height),
            )
            for row in range(int(top) // _TILE, -(-int(bottom) // _TILE)):
                for column in range(int(left) // _TILE, -(-int(right) // _TILE)):
                    tile = self._tile(image, number, column, row)
                    x, y = placed.x + column * _TILE, placed.y + row * _TILE
                    yield element("use", href=f"#{tile}", x=x, y=y)

    def _tile(self, image: Image, board: int, column: int, row: int) -> str:
        key = (board, column, row)
        if key not in self._tiles:
            x, y = column * _TILE, row * _TILE
            right = min(x + _TILE + _OVERLAP, image.width)
            bottom = min(y + _TILE + _OVERLAP, image.height)
            part = image.crop((x, y, right, bottom))
            self._tiles[key] = self._gallery.add(part, "JPEG", quality=_QUALITY)
        return self._tiles[key]

    def _image(self, number: int, placed: PlacedBoard) -> Image | None:
        if number not in self._laid:
            self._laid[number] = self._lay(placed)
        return self._laid[number]

    def _lay(self, placed: PlacedBoard) -> Image | None:
        """The picture of a board as it lies on the map: magnified, cropped and turned."""
        import PIL.Image

        board = placed.board
        try:
            found = self._pictures.get(self._names.get(board.name, "")) if self._pictures else None
        except MissingExtraError:
            return None
        if found is None:
            return None
        if board.magnification != 1:
            scale = board.magnification
            found = found.resize((round(found.width * scale), round(found.height * scale)))
        x, y = board.crop
        found = found.crop((x, y, x + board.size[0], y + board.size[1]))
        if board.reversed:
            found = found.transpose(PIL.Image.Transpose.ROTATE_180)
        paper = PIL.Image.new("RGBA", found.size, (255, 255, 255, 255))
        paper.alpha_composite(found)
        return paper.convert("RGB")
