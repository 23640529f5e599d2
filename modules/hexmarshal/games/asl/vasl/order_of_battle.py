"""The counters of a VASL set-up held against the order of battle and set-up areas of a scenario."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.games.asl.state.scenarios import Scenario
    from hexmarshal.games.asl.vasl.position_builder import ReadPosition
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["order_faults"]

AREA_RULE: Final = "ASL-DEF-5"
BATTLE_RULE: Final = "ASL-DEF-5"
_ANYWHERE: Final = None


@dataclass(frozen=True, slots=True)
class _Place:
    """One counter that the card gives to a side, and where it may be set up."""

    counter: str
    side: str
    area: frozenset[str] | None
    """None where the card gives it a hex of its own, or lets it enter later."""
    title: str


def order_faults(read: ReadPosition, scenario: Scenario) -> Iterator[Violation]:
    """What is missing, what is too much, and what stands outside of its set-up area.

    Which squad of the card a counter is, nobody can see: all is well if there is any way to tell
    them off one to one.
    """
    given = list(_places(scenario))
    here = [(u.type, u.side, u.cell, name) for name, u in _standing(read)]
    waiting = Counter(
        (counter.face.counter, side)
        for counter, why in read.left_out
        if why == "beside the boards"
        for side in [_side_of(read, counter.face.nation)]
    )
    for key in sorted({(p.counter, p.side) for p in given} | {(t, s) for t, s, _, _ in here}):
        places = [p for p in given if (p.counter, p.side) == key]
        units = [(cell, name) for t, s, cell, name in here if (t, s) == key]
        yield from _matched(key, places, units, waiting[key])


def _places(scenario: Scenario) -> Iterator[_Place]:
    for side, card in scenario.data["sides"].items():
        for group in card["groups"]:
            area = frozenset(group["area"]) if group.get("area") else _ANYWHERE
            for row in group["units"].values():
                own = area if "of" not in row else _ANYWHERE
                yield _Place(row["counter"], side, own, str(group.get("title", "")))


def _standing(read: ReadPosition) -> Iterator[tuple[str, Unit]]:
    for name, unit in read.position.units.items():
        if unit.type not in ("personnel", "vehicle"):
            yield name, unit


def _side_of(read: ReadPosition, nation: str) -> str:
    return next((side for side, nations in read.nations.items() if nation in nations), "")


def _matched(
    key: tuple[str, str], places: Sequence[_Place], units: Sequence[tuple[str, str]], waiting: int
) -> Iterator[Violation]:
    counter, side = key
    if not places:
        for cell, name in units:
            text = f"the {side} has no {counter} in this scenario"
            yield Violation(BATTLE_RULE, text, cells=(cell,) if cell else (), units=(name,))
        return
    pairs = _pairs(places, units)
    alone = [units[i] for i in range(len(units)) if i not in pairs]
    spare = len(places) - len(pairs)
    for cell, name in alone:
        if spare > 0:
            titles = ", ".join(dict.fromkeys(p.title for p in places if p.area))
            text = f"{counter} of the {side} is set up in {cell}, outside of its area ({titles})"
            yield Violation(AREA_RULE, text, cells=(cell,), units=(name,))
            spare -= 1
        else:
            text = f"the {side} has one {counter} more than this scenario gives"
            yield Violation(BATTLE_RULE, text, cells=(cell,) if cell else (), units=(name,))
    missing = spare - waiting
    if missing > 0:
        text = f"the {side} has {missing} {counter} less than this scenario gives"
        yield Violation(BATTLE_RULE, text)


def _pairs(places: Sequence[_Place], units: Sequence[tuple[str, str]]) -> Mapping[int, int]:
    """As many units as can be told off to places of the card, each to one that lets it be there."""
    taken: dict[int, int] = {}

    def fits(unit: int, place: int) -> bool:
        area, cell = places[place].area, units[unit][0]
        return area is None or not cell or bool(set(cell.split("/")) & area)

    def tell_off(unit: int, tried: set[int]) -> bool:
        for place in range(len(places)):
            if place in tried or not fits(unit, place):
                continue
            tried.add(place)
            if place not in taken or tell_off(taken[place], tried):
                taken[place] = unit
                return True
        return False

    for unit in range(len(units)):
        tell_off(unit, set())
    return {unit: place for place, unit in taken.items()}
