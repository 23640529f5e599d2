"""The look of a module: the ground of its maps and the faces of its pieces."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, MissingExtraError
from hexmarshal.vassal.components import StackMetrics
from hexmarshal.vassal.render.figure import figure
from hexmarshal.vassal.render.pictures import Pictures
from hexmarshal.web.drawing.gallery import PNG, Stored, kind_of, png_of
from hexmarshal.web.drawing.sheets import Face, GroundPart, Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from PIL.Image import Image

    from hexmarshal.geometry.terrain.boards import PlacedBoard
    from hexmarshal.vassal.components import Board, Map
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.render.figure import Figure
    from hexmarshal.vassal.state.locator import ModuleLocator
    from hexmarshal.vassal.state.placed import PlacedPiece
    from hexmarshal.web.drawing.gallery import Gallery

__all__ = ["ModuleArt"]

_NUMBERS: Final = count(1)
# A counter without a picture has none that is larger than this.
_NOTHING: Final = 4
_MOST_PIXELS: Final = 400_000_000
_STACKED: Final = (2, 4)
_HEAD: Final = 4096


class _Seen:
    """What a look depended on besides the piece itself: properties of the game, as they were."""

    __slots__ = ("_around", "asked")

    def __init__(self, around: Mapping[str, str]) -> None:
        self._around = around
        self.asked: dict[str, str | None] = {}

    def __call__(self, name: str) -> str | None:
        value = self.asked[name] = self._around.get(name)
        return value


class ModuleArt:
    """Pictures of one module; the same face is drawn once."""

    def __init__(self, module: Module, gallery: Gallery, *, other_forms: bool = False) -> None:
        self.module, self._gallery = module, gallery
        self._number = next(_NUMBERS)
        self._faces: dict[tuple[object, ...], list[tuple[dict[str, str | None], Face | None]]] = {}
        try:
            self._pictures: Pictures | None = Pictures(module, other_forms=other_forms)
        except MissingExtraError:
            self._pictures = None

    # Maps

    def sheets(
        self, locator: ModuleLocator, cells: Callable[[str], str] = lambda _name: ""
    ) -> list[Sheet]:
        """The maps of the module that have something to show, as their boards lie."""
        return list(self._sheets(locator, cells))

    def _sheets(self, locator: ModuleLocator, cells: Callable[[str], str]) -> Iterator[Sheet]:
        for number, of_map in enumerate(self.module.maps()):
            name = of_map.name or f"Map{number}"
            laid = locator.on(name)
            width, height = laid.size
            if not laid.boards or width * height > _MOST_PIXELS:
                continue
            own = {board.name: board for board in of_map.boards}
            ground = [self._ground(placed, own[placed.board.name]) for placed in laid.boards]
            yield Sheet(name, width, height, tuple(ground), cells(name), _apart(of_map))

    def _ground(self, placed: PlacedBoard, board: Board) -> GroundPart:
        width, height = placed.board.size
        src = self._board_picture(str(board.image)) if board.image else ""
        red, green, blue, _ = board.color.rgba or (255, 255, 255, 255)
        colour = f"#{red:02x}{green:02x}{blue:02x}"
        return GroundPart(src, placed.x, placed.y, width, height, placed.board.reversed, colour)

    def _board_picture(self, name: str) -> str:
        """The module's own file where a browser can read it: nothing is faster."""
        head = self.module.image_head(name, _HEAD)
        kind = None if head is None else kind_of(head)
        if kind is None:
            return ""
        look = f"{self._number} board {name}"
        return self._gallery.add(look, lambda: Stored(self.module.image(name) or b"", kind))

    def image(self, name: str) -> str:
        """The address of one of the module's files of pictures; empty if there is none."""
        return self._board_picture(name)

    # Pieces

    def face(
        self,
        piece: PlacedPiece,
        around: Mapping[str, str],
        *,
        reveal: bool = False,
        face_down: bool = False,
    ) -> Face | None:
        """What a piece looks like in a game; None if nothing of it is seen."""
        # The place of a piece is the last part of its state, and no part of its look.
        key = (piece.type, piece.state.rpartition("\t")[0], reveal, face_down)
        known = self._faces.setdefault(key, [])
        for asked, face in known:
            if all(around.get(name) == value for name, value in asked.items()):
                return face
        seen = _Seen(around)
        drawn = self._drawn(piece.piece, seen, reveal, face_down)
        look = f"{self._number} face {len(known)} {key}"
        face = self._hung(drawn, look)
        known.append((seen.asked, face))
        return face

    def face_of(self, piece: Piece, look: str) -> Face | None:
        """What a piece looks like by itself, as its owner sees it."""
        return self._hung(self._drawn(piece, _Seen({}), True, False), f"{self._number} {look}")

    def _drawn(self, piece: Piece, seen: _Seen, reveal: bool, face_down: bool) -> Figure | None:
        if self._pictures is None:
            return None
        try:
            return figure(piece, self._pictures, reveal=reveal, face_down=face_down, around=seen)
        except HexMarshalError:
            return None

    def _hung(self, drawn: Figure | None, look: str) -> Face | None:
        if drawn is None or max(drawn.image.size) <= _NOTHING:
            return None
        # What a layer leaves blank around the counter is no part of it.
        box = drawn.image.getchannel("A").getbbox()
        if box is None:
            return None
        image = drawn.image.crop(box) if box != (0, 0, *drawn.image.size) else drawn.image
        src = self._gallery.add(look, lambda: self._own_file(image) or png_of(image))
        return Face(src, image.width, image.height, drawn.x - box[0], drawn.y - box[1])

    def _own_file(self, image: Image) -> Stored | None:
        """The module's own file of a counter that is nothing but one picture."""
        data = None if self._pictures is None else self._pictures.file_of(image)
        if data is None or kind_of(data) != PNG:  # others may be turned or move in a browser
            return None
        return Stored(data, PNG)


def _apart(of_map: Map) -> tuple[int, int]:
    metrics = of_map.child(StackMetrics)
    return _STACKED if metrics is None else (metrics.unexpanded_x, metrics.unexpanded_y)
