"""What the counters of a module look like: each face drawn once, to be shown in many pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.render.figure import figure

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.report.board_tiles import Gallery
    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.placing import Placer
    from hexmarshal.vassal.pieces.piece import Piece
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
        self._markers: dict[Marker, Face | None] = {}
        self._laid: dict[tuple[object, ...], Face | None] = {}
        self._nowhere = (placer.binding.map.name, (0, 0))

    def of_unit(self, unit: Unit) -> Face | None:
        """The counter that shows the unit as it is now; None if the module has no picture of it."""
        bare = replace(unit, cell="", box="", rank=0, carrier="", footprint=())
        if bare not in self._units:
            self._units[bare] = self._draw_unit(bare)
        return self._units[bare]

    def markers(self, position: Position) -> Iterator[tuple[Face, str, tuple[int, int]]]:
        """What lies beside the units for all to see: a face, the map and the point of it."""
        placer = self._placer
        position = placer.plugin.on_table(position)
        for marker in position.markers.values():
            if marker.seen_by is not None:
                continue
            try:
                where = placer.marker_point(marker, position)
            except HexMarshalError:
                continue
            face = self._of_marker(marker) if where is not None else None
            if where is not None and face is not None:
                yield face, *where
        try:
            laid = list(placer.offmap.pieces(position))
        except HexMarshalError:
            return
        for one in laid:
            key = (one.gpid, one.shown)
            if key not in self._laid:
                self._laid[key] = self._draw(placer.offmap.piece(placer.fresh, one).piece)
            face = self._laid[key]
            if face is not None:
                yield face, one.map, one.point

    def _of_marker(self, marker: Marker) -> Face | None:
        bare = replace(marker, id="", cell="", box="", unit="")
        if bare not in self._markers:
            made = self._placer.counters.marker(marker, self._placer.fresh, self._nowhere)
            self._markers[bare] = None if made is None else self._draw(made.piece)
        return self._markers[bare]

    def _draw_unit(self, unit: Unit) -> Face | None:
        made = self._placer.counters.unit(unit, self._placer.fresh, self._nowhere)
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
        # What a layer leaves blank around the counter is no part of it.
        box = shown.image.getchannel("A").getbbox()
        if box is None:
            return None
        image = shown.image.crop(box)
        name = self._gallery.add(image.quantize(_COLOURS), "PNG")
        return Face(name, image.width, image.height, shown.x - box[0], shown.y - box[1])
