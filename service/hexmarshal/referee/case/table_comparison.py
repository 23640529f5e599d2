"""The table beside the position of the rules: where they differ, and going on from the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.referee.interpret.open_question import names_in
from hexmarshal.rules.showing.sentences import worded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from hexmarshal.rules.game import Game, Named
    from hexmarshal.rules.params import Param
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding.facts import Fact, Shown
    from hexmarshal.table.reading.sightings import UnitSighting

__all__ = ["apart", "asked_about", "believing", "changed", "differences", "last_asked"]


def differences(
    position: Position, shown: Mapping[str, UnitSighting], unit: str, game: Game | None = None
) -> tuple[str, ...]:
    """In words: how the table shows a unit other than the rules have it.

    A unit that is out of the game may lie anywhere beside the map, or be gone, and what it has
    left is told only where it lies on the map. The `game` says what its values and boxes are
    called.
    """
    known, seen = position.units.get(unit), shown.get(unit)
    if known is None:
        on_map = seen is not None and seen.where.cell
        return (f"{unit} is out of the game by the rules, and lies on {on_map}",) if on_map else ()
    if seen is None:
        return (f"{unit} is on {known.cell} by the rules, and is gone",) if known.cell else ()
    found = []
    boxes = {} if game is None else {box.key: box for box in game.boxes}
    out, lost = _state(boxes, known.box), _state(boxes, seen.where.box)
    against = seen.against(known)
    if not seen.at_place_of(known):
        right = f"is {out}" if out else _lies(boxes, known.cell, known.box, "is")
        there = f"is {lost} on the table" if lost else _lies(boxes, *_where(seen), "lies")
        steps = [other.describe() for fact, other in against if fact.of == "steps"]
        there += f" with {steps[0]}" if steps and out and seen.where.cell else ""
        found.append(f"{unit} {right} by the rules, and {there}")
    for fact, other in against if not (out or lost) else ():
        found.append(f"{unit}{_fact(fact, other, game)}")
    return tuple(found)


def _fact(right: Fact, shown: Fact, game: Game | None) -> str:
    """How the table shows a fact about a unit other than it is, in the words of the game."""
    both = f"{right.describe()} by the rules, and shows {shown.describe()}"
    if game is not None and right.of == "value":
        param = next((one for one in game.attributes if one.name == right.name), None)
        if param is not None and param.said:
            values = (_told(param, fact.value) for fact in (right, shown))
            return " has {} by the rules, and shows {}".format(*values)
        if param is not None and param.doc:
            return f", {param.doc}: {right.shown} by the rules, and {shown.shown}"
    if game is not None and right.of == "facing":
        ways = [_heading(game, fact.value) for fact in (right, shown)]
        if all(ways):
            return " faces {} by the rules, and {} on the table".format(*ways)
    return f" {right.verb} {both}"


def _told(param: Param, value: Shown) -> str:
    return "" if isinstance(value, frozenset) else worded(param, () if value is None else value)


def _heading(game: Game, facing: Shown) -> str:
    known = isinstance(facing, int) and 0 <= facing < len(game.headings)
    return game.headings[facing] if known and isinstance(facing, int) else ""


def _state(boxes: Mapping[str, Named], box: str) -> str:
    """What a unit in a box is, if the game says so: eliminated."""
    return boxes[box].doc if box in boxes else ""


def _where(seen: UnitSighting) -> tuple[str, str]:
    return seen.where.cell, seen.where.box


def _lies(boxes: Mapping[str, Named], cell: str, box: str, verb: str) -> str:
    """On a cell of the map, or in a box beside it."""
    if cell:
        return f"{verb} on {cell}"
    if not box:
        return f"{verb} beside the map"
    title = boxes[box].title if box in boxes else box.replace("-", " ").replace("_", " ")
    return f"{verb} in the box {title}"


def apart(position: Position, shown: Mapping[str, UnitSighting], unit: str) -> bool:
    """Whether there are any such differences; quicker than to put them into words."""
    known, seen = position.units.get(unit), shown.get(unit)
    if known is None:
        return seen is not None and bool(seen.where.cell)
    if seen is None:
        return bool(known.cell)
    return not seen.at_place_of(known) or seen.contradicts(known)


def believing(
    position: Position,
    shown: Mapping[str, UnitSighting],
    units: Iterable[str],
    dragged: Collection[str] = (),
) -> Position:
    """The position with these units as the table shows them; who was `dragged` is where he was."""
    for unit in units:
        seen, known = shown.get(unit), position.units.get(unit)
        if not apart(position, shown, unit):
            continue
        if seen is None:
            position = position.without_unit(unit)
            continue
        # A sign that helps players remember tells nothing that the rules do not know.
        found = seen.on(known, aids=known is None)
        if known is not None and unit in dragged:
            found = _at_place_of(known, found)
        there = [u for u in position.at(found.cell) if u.id != unit] if found.cell else []
        top = max((u.rank + 1 for u in there), default=0)
        position = position.with_unit(replace(found, rank=top))
    return position


def _at_place_of(known: Unit, found: Unit) -> Unit:
    return replace(
        found,
        cell=known.cell,
        level=known.level,
        box=known.box,
        carrier=known.carrier,
        footprint=known.footprint,
        place=known.place,
    )


def changed(before: Position, after: Position) -> Iterator[str]:
    """The units that are not the same any more."""
    old, new = before.units, after.units
    for unit_id, unit in new.items():
        if old.get(unit_id) is not unit:
            yield unit_id
    yield from (unit_id for unit_id in old if unit_id not in new)


def asked_about(position: Position) -> frozenset[str]:
    """The units that what is asked, or what it is asked for, is about."""
    told = (value for frame in position.frames for value in (frame.about, *frame.agenda))
    return frozenset(name for name in names_in(told) if name in position.units)


def last_asked(position: Position) -> frozenset[str]:
    """All units and cells that the last question names."""
    return frozenset(names_in(value for frame in position.frames[-1:] for value in (frame.about,)))
