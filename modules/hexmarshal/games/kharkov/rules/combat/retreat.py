"""Section 9.6: retreats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.combat import losses
from hexmarshal.games.kharkov.rules.combat.engagement import current, update
from hexmarshal.games.kharkov.rules.movement import stacking
from hexmarshal.games.kharkov.state.situation import other
from hexmarshal.rules.copying import copied
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "group_violations",
    "leaves_map",
    "onward",
    "paths",
    "possible",
    "way_violations",
    "withdraw",
]


def paths(
    now: Situation, unit: Unit, hexes: int, company: frozenset[str] = frozenset()
) -> tuple[tuple[str, ...], ...]:
    """Every legal way back, the full number of hexes from the combat (KHA-9.63).

    KHA-9.64: through vacant hexes if there is such a way; a friendly city hex counts as vacant,
    and so does one that holds only units of the same retreat (`company`).
    """
    known: dict[object, tuple[tuple[str, ...], ...]] = now.position.remember("ways back", dict)
    key = (hexes, unit.id, company)
    found = known.get(key)
    if found is None:
        every = tuple(_ways(now, unit, hexes))
        vacant = tuple(p for p in every if all(_vacant(now, c, unit, company) for c in p))
        found = known[key] = vacant or every
    return found


def _vacant(now: Situation, cell: str, unit: Unit, company: frozenset[str]) -> bool:
    if now.board.terrain.get(cell) == "city":
        return True
    return all(u.id in company or u.type == "reserve" for u in now.at(cell, unit.side))


def _ways(now: Situation, unit: Unit, hexes: int) -> Iterator[tuple[str, ...]]:
    """Steps that neither meet the enemy nor his zones, unless a friend is there (KHA-9.61)."""
    board, side = now.board, unit.side
    friendly = now.friendly(side)
    through = board.all & ~now.closed(side) & (~now.zoc(other(side)) | friendly)
    return _walk(now, unit, hexes, through, ())


def _walk(
    now: Situation, unit: Unit, hexes: int, through: int, path: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """All ways that go on from this one."""
    board, here = now.board, path[-1] if path else unit.cell
    if len(path) == hexes:
        if board.distance(unit.cell, here) == hexes:
            yield path
        return
    for to in board.near[here]:
        if to == unit.cell or to in path or not through & board.bit[to]:
            continue
        if board.side(here, to).barred or not stacking.fits(now, (unit,), to, unit.side):
            continue  # KHA-9.64: never over the limit, neither on a hex nor through it
        yield from _walk(now, unit, hexes, through, (*path, to))


def leaves_map(now: Situation, unit: Unit, hexes: int) -> bool:
    """Whether the way back would lead off the map: then the unit is eliminated (KHA-9.61)."""
    if paths(now, unit, hexes):
        return False
    edge = now.board.region("edge")
    if edge & now.board.bit[unit.cell]:
        return True
    return any(
        edge & now.board.bit[way[-1]]
        for length in range(1, hexes)
        for way in _ways(now, unit, length)
    )


def possible(now: Situation, units: Sequence[Unit], hexes: int) -> bool:
    """Whether all of them can retreat: no mixing with step losses (KHA-9.56)."""
    return bool(units) and all(
        any(_ways(now, u, hexes)) or leaves_map(now, u, hexes) or u.type == "hq" for u in units
    )


def group_violations(now: Situation, units: Sequence[Unit]) -> Iterator[Violation]:
    """What is wrong with these falling back together."""
    ids = tuple(u.id for u in units)
    if not units:
        yield Violation("KHA-9.62", "who retreats?", field="units")
    if len({u.cell for u in units}) > 1:
        yield Violation("KHA-9.63", "each retreats from its own hex", units=ids)
    for unit in units:
        if not _falls_back(now, unit, units):
            cure = ("units",) if unit.type == "hq" and _falling(now, unit.cell) else ()
            text = f"{unit.id} does not retreat"
            yield Violation("KHA-9.56", text, units=(unit.id,), cured_by=cure)


def _falls_back(now: Situation, unit: Unit, units: Sequence[Unit]) -> bool:
    """KHA-10.13: a headquarters may go along with the units of its hex."""
    pending = current(now).pending
    if unit.id in pending:
        return True
    return unit.type == "hq" and any(u.id in pending and u.cell == unit.cell for u in units)


def _falling(now: Situation, cell: str) -> bool:
    """Whether somebody falls back from this hex."""
    return any(now.position.units[unit].cell == cell for unit in current(now).pending)


def way_violations(
    now: Situation, units: Sequence[Unit], path: Sequence[str]
) -> Iterator[Violation]:
    """What is wrong with their way back."""
    hexes = current(now).hexes
    company = retreating(now)
    for unit in units:
        if not _falls_back(now, unit, units):
            continue
        ways = paths(now, unit, hexes, company)
        if not path:
            if not leaves_map(now, unit, hexes):
                text = f"{unit.id} can retreat on the map"
                yield Violation("KHA-9.61", text, units=(unit.id,))
        elif tuple(path) not in ways:
            begun = any(way[: len(path)] == tuple(path) for way in ways)
            cure = ("path",) if begun else ()
            for broken in _why(now, unit, path, hexes, others=bool(ways)):
                yield copied(broken, cured_by=cure)
    if path and len(units) > 1:
        side = units[0].side
        yield from stacking.violations(now, units, path[-1], side, "KHA-9.64", cured_by=("path",))


def onward(now: Situation, units: Sequence[Unit], path: Sequence[str]) -> set[str]:
    """The hexes by which a way back that was begun may go on, for all of them."""
    hexes, company, done = current(now).hexes, retreating(now), len(path)
    found: set[str] | None = None
    for unit in units:
        if _falls_back(now, unit, units):
            ways = paths(now, unit, hexes, company)
            steps = {way[done] for way in ways if way[:done] == path and len(way) > done}
            found = steps if found is None else found & steps
    return found or set()


def _why(
    now: Situation, unit: Unit, path: Sequence[str], hexes: int, *, others: bool
) -> Iterator[Violation]:
    """Which rule forbids this way."""
    board, side, mine = now.board, unit.side, (unit.id,)
    here = unit.cell
    broken = False
    for to in path:
        problem = ""
        rule = "KHA-9.61"
        if not board.adjacent(here, to):
            rule, problem = "KHA-9.63", f"{to} is not adjacent to {here}"
        elif board.side(here, to).barred:
            rule, problem = "KHA-6.3", "the Dnieper has no bridge here"
        elif now.closed(side) & board.bit[to]:
            problem = f"the enemy is in {to}"
        elif now.zoc(other(side)) & board.bit[to] & ~now.friendly(side):
            problem = f"{to} is in an enemy zone of control"
        elif not stacking.fits(now, (unit,), to, side):
            rule, problem = "KHA-9.64", f"{to} is full"
        if problem:
            broken = True
            yield Violation(rule, problem, cells=(to,), units=mine)
        here = to
    far = board.distance(unit.cell, here) if here in board.hexes else 0
    if len(path) != hexes or far != hexes:
        broken = True
        text = f"it must end {hexes} hexes from the combat"
        yield Violation("KHA-9.63", text, cells=(here,), units=mine)
    if not broken and others:
        text = "there is a way through vacant hexes"
        yield Violation("KHA-9.64", text, cells=tuple(path), units=mine)


def retreating(now: Situation) -> frozenset[str]:
    """The units of the retreat in progress: among them no hex counts as taken."""
    engagement = current(now)
    return frozenset((*engagement.pending, *engagement.attackers, *engagement.defenders))


def withdraw(play: Play, units: Sequence[Unit], path: Sequence[str]) -> None:
    """The owner moves them (KHA-9.62); the way stays open for the victor (KHA-9.71)."""
    engagement = current(play.now)
    ids = tuple(u.id for u in units)
    origin, side = units[0].cell, units[0].side
    company = retreating(play.now)
    if not path:
        for unit_id in ids:
            losses.eliminate(play, unit_id)
        play.note("retreat", f"{', '.join(ids)} would leave the map", "KHA-9.61")
    else:
        joined = any(u.id not in company for u in play.now.fighters(path[-1], side))
        for cell in path:
            play.enter(ids, cell)
        if joined and not engagement.overrun:
            play.flag((u for u in ids if play.now.fights(play.unit(u))), "fled")  # KHA-9.65
        play.settle(path[-1])
        play.note("retreat", f"{', '.join(ids)} by {' '.join(path)}", "KHA-9.62")
    gone = not path and not play.now.fighters(origin, side)
    update(
        play,
        wiped=(*engagement.wiped, origin) if gone else engagement.wiped,
        pending=tuple(p for p in engagement.pending if p not in ids),
        trails=(*engagement.trails, (origin, *path)),
        shaken=(*engagement.shaken, *ids),
    )
