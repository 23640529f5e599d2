"""Units that are out of the game by a marker that lies on them: it stands for their removal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.rules.game import Game
    from hexmarshal.table.reading.sightings import UnitSighting

__all__ = ["Fallen"]

_GONE: Final = "gone"
_SIDE: Final = "{side}"


class Fallen:
    """Who lies on the map under such a marker, and the box where he is to the rules.

    Whoever takes the marker off before the unit has only begun to clear up: until the piece is put
    elsewhere, or another marker is laid on it, it stays where it was.
    """

    def __init__(self, game: Game) -> None:
        self._boxes = {m.key: str(m.values[_GONE]) for m in game.markers if _GONE in m.values}
        self._lain: frozenset[str] = frozenset()
        self._now: dict[str, UnitSighting] = {}

    def begin(self, ridden: Iterable[str]) -> None:
        """The table as it is when the log begins: what lay on units then is told by that."""
        self._lain = frozenset(ridden)

    def tells(self, piece: str, kind: str) -> bool:
        """Whether a marker tells that its unit is gone, and is no marker that it has."""
        return kind in self._boxes and piece not in self._lain

    @property
    def may_be(self) -> bool:
        """Whether the game has such markers at all."""
        return bool(self._boxes)

    def units(self) -> frozenset[str]:
        """All who lie there now."""
        return frozenset(self._now)

    def look(
        self,
        kinds: Mapping[str, str],
        ridden: Mapping[str, str],
        units: Mapping[str, UnitSighting],
        *,
        anew: bool,
    ) -> frozenset[str]:
        """See who has fallen; `ridden` are markers on units, each of one of the `kinds`.

        Returns those of whom it is otherwise than before; when looked at `anew`, nothing of what
        was seen before counts.
        """
        if not self._boxes or not (
            self._now or any(kind in self._boxes for kind in kinds.values())
        ):
            return frozenset()
        marked = {
            unit: replace(seen, where=replace(seen.where, cell="", box=self._box(kind, seen)))
            for piece, unit in ridden.items()
            if self.tells(piece, kind := kinds[piece])
            and (seen := units.get(unit)) is not None
            and seen.where.cell
        }
        bearers = frozenset(ridden.values())
        for unit, old in () if anew else self._now.items():
            seen = units.get(unit)
            if unit not in bearers and seen is not None and self._lies_still(old, seen):
                marked.setdefault(unit, old)
        odd = frozenset(marked.keys() ^ self._now.keys())
        self._now = marked
        return odd

    def shown(self, seen: UnitSighting | None) -> UnitSighting | None:
        """A unit as its piece shows it, with that."""
        fallen = None if seen is None else self._now.get(seen.id)
        if seen is None or fallen is None:
            return seen
        return replace(seen, where=replace(seen.where, cell="", box=fallen.where.box))

    def _box(self, kind: str, seen: UnitSighting) -> str:
        return self._boxes[kind].replace(_SIDE, seen.side)

    @staticmethod
    def _lies_still(old: UnitSighting, seen: UnitSighting) -> bool:
        where = seen.where
        return (
            bool(where.cell) and where.location == old.where.location and where.map == old.where.map
        )
