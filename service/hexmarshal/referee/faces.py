"""What the counters of a module look like: each face drawn once, to be shown in many pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.render.figure import figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.ground import Gallery
    from hexmarshal.referee.placing import Placer
    from hexmarshal.rules.pieces import Unit
    from hexmarshal.rules.position import Position
    from hexmarshal.vassal.pieces import Piece
    from hexmarshal.vassal.render.pictures import Pictures

__all__ = ["Face", "Faces"]

# More colours than a printed counter has.
_COLOURS: Final = 128
# A counter without a picture has none that is larger than this.
_NOTHING: Final = 4


@dataclass(frozen=True, slots=True)
class Face:
    """A drawn counter; (x, y) is the point of it that lies on its place."""

    id: str
    width: int
    height: int
    x: int
    y: int


class Faces:
    """Draws the pieces that show units and markers."""

    def __init__(self, placer: Placer, pictures: Pictures | None, gallery: Gallery) -> None:
        self._gallery = gallery
        self._placer = placer
        self._pictures = pictures
        self._units: dict[Unit, Face | None] = {}
        self._slots: dict[str, Face | None] = {}

    def of_unit(self, unit: Unit) -> Face | None:
        """The counter that shows the unit as it is now; None if the module has no picture of it."""
        bare = replace(unit, cell="", box="", rank=0, carrier="", footprint=())
        if bare not in self._units:
            self._units[bare] = self._draw_unit(bare)
        return self._units[bare]

    def markers(self, position: Position) -> Iterator[tuple[Face, str, tuple[int, int]]]:
        """The markers that everybody sees: a face, the map that it lies on, and the point."""
        beside = self._placer.beside
        seen = {key: m for key, m in position.markers.items() if m.seen_by is None}
        shown = replace(position, markers=type(position.markers)(seen))
        try:
            laid = list(beside.pieces(shown))
        except HexMarshalError:
            return
        for one in laid:
            if one.gpid not in self._slots:
                piece = beside.piece(self._placer.fresh, one).piece
                self._slots[one.gpid] = self._draw(piece)
            face = self._slots[one.gpid]
            if face is not None:
                yield face, one.map, one.point

    def _draw_unit(self, unit: Unit) -> Face | None:
        placer = self._placer
        try:
            made = placer.fresh_piece(placer.fresh, unit, (placer.binding.map.name, (0, 0)))
        except HexMarshalError:
            return None
        return None if made is None else self._draw(made.piece)

    def _draw(self, piece: Piece) -> Face | None:
        if self._pictures is None:
            return None
        try:
            shown = figure(piece, self._pictures, reveal=True)
        except HexMarshalError:
            return None
        if shown is None or max(shown.image.size) <= _NOTHING:
            return None
        image = shown.image
        name = self._gallery.add(image.quantize(_COLOURS), "PNG")
        return Face(name, image.width, image.height, shown.x, shown.y)
