"""Markers that show what a unit is, laid on it and taken off it while a log is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import MarkerRule
    from hexmarshal.table.placing import MapPoint, Placer
    from hexmarshal.vassal.saves.logwriter import StepWriter

__all__ = ["SignPieces"]


class SignPieces:
    """Knows which pieces lie on which units."""

    def __init__(self, placer: Placer) -> None:
        self._placer = placer
        self._pieces = dict(placer.sign_pieces)

    def on(self, unit: str) -> Iterator[str]:
        """The pieces that lie on a unit."""
        return (piece for (own, _), piece in self._pieces.items() if own == unit)

    def show(
        self, step: StepWriter, units: Mapping[str, str], before: Position, after: Position
    ) -> None:
        """Lay what units have become, and take off what they are no more; `units` has pieces."""
        for unit_id, unit in {**before.units, **after.units}.items():
            known = after.units.get(unit_id)
            if known is before.units.get(unit_id):
                continue
            where = None if known is None else self._placer.point(known, after)
            wanted = [] if known is None or where is None else self._placer.counters.signs_of(unit)
            for key in [key for key in self._pieces if key[0] == unit_id and key[1] not in wanted]:
                step.remove(self._pieces.pop(key))
            for rule in wanted:
                assert where is not None
                self._lay(step, (unit_id, rule), units[unit_id], where)

    def _lay(
        self, step: StepWriter, key: tuple[str, MarkerRule], under: str, where: MapPoint
    ) -> None:
        on, point = where
        if key not in self._pieces:
            made = self._placer.counters.sign(key[1], step.state, where)
            if made is None:
                return
            step.add(made.id, made.type, made.state)
            self._pieces[key] = made.id
        step.move(self._pieces[key], on, *point, under=under)
