"""What is wrong with a set-up: too many in a hex, counters that are not in the box, wrong lines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.command import breakdown
from hexmarshal.games.kharkov.rules.movement import stacking
from hexmarshal.games.kharkov.rules.turn import setup
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.kharkov.state.roster import Roster
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["violations"]


def violations(now: Situation, roster: Roster, *, by_the_book: bool) -> Iterator[Violation]:
    """Stacks and counters; with `by_the_book` also who starts where (KHA-5.2, KHA-5.3)."""
    if any(unit.type not in now.tables.kinds for unit in now.position.units.values()):
        return
    for cell, side in sorted(stacking.crowded(now).items()):
        ids = tuple(unit.id for unit in now.fighters(cell, side))
        text = f"more than {now.tables.schedule['stacking']} combat units in {cell}"
        yield Violation("KHA-8.1", text, cells=(cell,), units=ids)
    yield from _counters(now, roster)
    yield from _weak(now, roster)
    if by_the_book:
        for side, rule in ((AXIS, "KHA-5.2"), (SOVIET, "KHA-5.3")):
            yield from _lines(now, side, rule)
            if any(unit.side == side for unit in now.position.in_box("deploy")):
                continue  # The player has not finished yet.
            yield from (v for v in setup.unfinished(now, side) if v.rule == "KHA-5.15")


def _counters(now: Situation, roster: Roster) -> Iterator[Violation]:
    """No more units of a type than there are counters (KHA-3.23)."""
    printed = Counter(row["type"] for row in roster.counters.values())
    printed["regiment"] += roster.regiments
    # KHA-12.0: a unit of the tank pool may turn out to be motorised.
    printed["motorised"] += printed["tank"]
    used = Counter(unit.type for unit in now.position.units.values())
    for kind, count in sorted(used.items()):
        if count > printed[kind]:
            text = f"{count} units are {kind}, and the game has {printed[kind]}"
            ids = tuple(u.id for u in now.position.units.values() if u.type == kind)
            yield Violation("KHA-3.23", text, units=ids[printed[kind] :])


def _weak(now: Situation, roster: Roster) -> Iterator[Violation]:
    """KHA-5.11: units start at full strength, or at what the scenario itself gives them."""
    given = roster.reduced()
    for unit in now.position.units.values():
        full = given.get(unit.id, len(now.ladder(unit)))
        if unit.steps < full and unit.box != "eliminated":
            text = f"{unit.id} starts with {full} steps, not with {unit.steps}"
            yield Violation("KHA-5.11", text, units=(unit.id,), field=f"units.{unit.id}.steps")


def _lines(now: Situation, side: str, rule: str) -> Iterator[Violation]:
    """Units on the map that no free place of the set-up admits where they stand."""
    seats = {unit.id: tuple(_seats(now, unit)) for unit in now.on_map(side)}
    taken = _seated(seats)
    for unit in now.on_map(side):
        if unit.id not in taken:
            text = f"no line of the set-up has {unit.id} in {unit.cell}"
            yield Violation(rule, text, cells=(unit.cell,), units=(unit.id,))


def _seats(now: Situation, unit: Unit) -> Iterator[str]:
    """Every place of the set-up that the unit may take where it stands."""
    for key, group in setup.groups(now, unit.side).items():
        if unit.type == "regiment":
            yield from _regiments(now, unit, group)
            continue
        if not group.places(unit):
            continue
        city = now.board.cities.get(str(group.row.get("city")))
        if city is not None and unit.cell in city.garrisons:
            yield f"{key} city"
        elif setup.area(now, group, unit.side) & now.board.bit[unit.cell]:
            if unit.type in group.row.get("types", {}) and unit.id not in group.row.get(
                "units", ()
            ):
                yield from (f"{key} {unit.type} {n}" for n in range(group.row["types"][unit.type]))
            else:
                yield f"{key} {unit.id}"


def _regiments(now: Situation, unit: Unit, group: setup.Group) -> Iterator[str]:
    """KHA-5.13: the places of the divisions of a line that start broken down."""
    city = now.board.cities.get(str(group.row.get("city")))
    for division in now.position.in_box("broken-down"):
        if not group.places(division):
            continue
        parts = breakdown.regiments_for(now, division)
        seats = [n for n, strength in enumerate(parts) if strength == now.strength(unit)]
        if setup.area(now, group, unit.side) & now.board.bit[unit.cell]:
            yield from (f"{group.key} {division.id} {n}" for n in seats)
        elif city is not None and unit.cell in city.garrisons and seats:
            yield f"{group.key} city"


def _seated(seats: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """As many units as possible, each in a place of its own: augmenting paths."""
    holder: dict[str, str] = {}

    def sit(unit: str, tried: set[str]) -> bool:
        for seat in seats[unit]:
            if seat not in tried:
                tried.add(seat)
                if seat not in holder or sit(holder[seat], tried):
                    holder[seat] = unit
                    return True
        return False

    for unit in seats:
        sit(unit, set())
    return {unit: seat for seat, unit in holder.items()}
