"""What holds in every position that play can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.state import pending
from hexmarshal.games.heroes_of_stalingrad.state.army import read_entry
from hexmarshal.games.heroes_of_stalingrad.state.kinds import ORDER, SIDES
from hexmarshal.rules.state.pieces import UNKNOWN
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation

__all__ = ["problems", "setup_problems"]

POSITION = "HM-position"


def problems(now: Situation) -> Iterator[Violation]:
    """Tiles, counters, tokens, cards and armies that cannot be."""
    for where, text in now.ground.faults:
        field = f"markers.{where}" if where in now.position.markers else f"cells.{where}"
        yield Violation(POSITION, text, field=field)
    yield from _units(now)
    yield from _tokens(now)
    yield from _cards(now)
    yield from _army(now)
    yield from pending.problems(now)


def _units(now: Situation) -> Iterator[Violation]:
    for unit in now.position.units.values():
        at, mine = f"units.{unit.id}", (unit.id,)
        own = unit.values.get("counter")
        if unit.type == "counter" and not isinstance(own, FrozenMap):
            text = "such a counter brings its own row"
            yield Violation(POSITION, text, units=mine, field=f"{at}.values")
            continue
        if own is not None and not _readable(now, own):
            text = "a counter is a row as in counters.yaml"
            yield Violation(POSITION, text, units=mine, field=f"{at}.values.counter")
            continue
        counter = now.counter(unit)
        if not 1 <= unit.steps <= max(2, len(counter.faces)):
            yield Violation(POSITION, f"{unit.steps} steps", units=mine, field=f"{at}.steps")
        for cell in unit.cells:
            if not now.ground.has(cell):
                text = f"the board has no cell {cell}"
                yield Violation(POSITION, text, units=mine, field=f"{at}.cell")
        if unit.cell and counter.cells > 1 and not _behind(now, unit.cells):
            text = f"{unit.id} covers two adjacent cells: its rear stands in footprint"
            yield Violation(POSITION, text, units=mine, field=f"{at}.footprint")
        if unit.facing is not None and not 0 <= unit.facing <= 7:
            text = "a facing counts eighths, 0 to 7"
            yield Violation(POSITION, text, units=mine, field=f"{at}.facing")


def _readable(now: Situation, own: object) -> bool:
    from hexmarshal.games.heroes_of_stalingrad.state.counters import Counter
    from hexmarshal.rules.values import thaw

    if not isinstance(own, FrozenMap):
        return False
    row = thaw(own)
    try:
        counter = Counter.read("own", row)  # type: ignore[arg-type]
    except (KeyError, TypeError, ValueError, AttributeError):
        return False
    del now
    return bool(counter.faces) and counter.family in ("infantry", "light", "heavy")


def _behind(now: Situation, cells: tuple[str, ...]) -> bool:
    if len(cells) != 2 or not all(now.ground.has(c) for c in cells):
        return False
    return max(now.ground.square(cells[0]).apart(now.ground.square(cells[1]))) == 1


def _tokens(now: Situation) -> Iterator[Violation]:
    """HOS-2.10, HOS-2.14: one token a unit, each number once, not more than there are."""
    caps = now.tables.caps
    seen: dict[tuple[str, str], int] = {}
    bearers: set[str] = set()
    for marker in now.position.markers.values():
        if marker.kind != ORDER:
            continue
        field = f"markers.{marker.id}"
        if marker.unit:
            if marker.unit in bearers:
                text = f"{marker.unit} bears two tokens"
                yield Violation("HOS-2.10", text, units=(marker.unit,), field=field)
            bearers.add(marker.unit)
        token = str(marker.values.get("token", ""))
        if not token:
            continue
        limit = caps.get(token, 1)
        known = token in ("special", "bluff") or (
            token.isascii()
            and token.isdecimal()
            and len(token) <= 2
            and 1 <= int(token) <= caps["numbered"]
        )
        key = marker.side, token
        seen[key] = seen.get(key, 0) + 1
        if not known:
            yield Violation("HOS-2.5", f"there is no token {token!r}", field=field)
        elif seen[key] > limit:
            text = f"{marker.side} has {seen[key]} tokens {token}"
            yield Violation("HOS-2.14", text, field=field)


def _cards(now: Situation) -> Iterator[Violation]:
    seen: set[tuple[str, str]] = set()
    for pile in now.position.piles.values():
        for card in pile.cards:
            if card == UNKNOWN:
                continue
            field = f"piles.{pile.name}.cards"
            if now.tables.card(card) is None:
                yield Violation(POSITION, f"there is no card {card!r}", field=field)
            elif (pile.side, card) in seen:
                yield Violation(POSITION, f"{card} is in two piles", field=field)
            seen.add((pile.side, card))


def _army(now: Situation) -> Iterator[Violation]:
    army = now.kept("army")
    for side in SIDES:
        mine = army.get(side)
        if mine is None:
            continue
        if not isinstance(mine, FrozenMap):
            yield Violation(POSITION, "an army is an object", field=f"extras.army.{side}")
            continue
        for name, record in mine.items():
            at = f"extras.army.{side}.{name}"
            if not isinstance(record, FrozenMap) or not read_entry(now.tables, side, name, record):
                yield Violation(POSITION, "no tile and no option of the data", field=at)
                continue
            if not isinstance(record.get("slot", 0), int):
                yield Violation(POSITION, "a slot is a number from 0 on", field=f"{at}.slot")
            left = record.get("left", FrozenMap())
            if not isinstance(left, FrozenMap) or not all(map(_is_count, left.values())):
                text = "what is left of markers is a number of each"
                yield Violation(POSITION, text, field=f"{at}.left")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def setup_problems(now: Situation) -> Iterator[Violation]:
    """What is wrong with a position as a set-up: cells shared, ground that does not admit units."""
    from hexmarshal.games.heroes_of_stalingrad.rules.movement.steps import barred, end_faults
    from hexmarshal.games.heroes_of_stalingrad.rules.movement.transport import room_faults

    for unit in now.live():
        for cell in unit.cells:
            if now.ground.has(cell):
                yield from barred(now, unit, cell)
                yield from end_faults(now, unit, cell)
        if unit.carrier and not now.is_crew(unit):
            yield from room_faults(now, unit, now.unit(unit.carrier))
