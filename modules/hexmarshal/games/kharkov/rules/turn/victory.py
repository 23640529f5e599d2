"""Section 17: points and the end of the game."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.command import supply
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.state.effects import SetTrack
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Outcome, Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.kharkov.state.board import City
    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["Entry", "controller", "final", "front_holds", "isolated", "outcome", "tally"]


@dataclass(frozen=True, slots=True)
class Entry:
    """Points for one side, for one thing, by one rule."""

    side: str
    points: int
    text: str
    rule: str


# Cities


def holder(now: Situation, cell: str) -> str:
    """Who last had a unit in the hex; the Axis where nobody ever had and the garrison stands."""
    record = now.position.cells.get(cell)
    return str(record.get("holder", AXIS)) if record else AXIS


def controller(now: Situation, city: City) -> str:
    """Who controls a city; '' if nobody does (KHA-17.13)."""
    cells = tuple(city.garrisons)
    if _axis_controls(now, cells):
        return AXIS
    soviet = all(holder(now, c) == SOVIET and not supply.cut_off(now, c, SOVIET) for c in cells)
    return SOVIET if soviet else ""  # KHA-17.12


def _axis_controls(now: Situation, cells: tuple[str, ...]) -> bool:
    """KHA-17.11: every garrison stands, or the Axis was last in every hex and each is supplied."""

    def stands(cell: str) -> bool:
        return bool(now.garrisons() & now.board.bit[cell])

    def retaken(cell: str) -> bool:
        record = now.position.cells.get(cell)
        last = record is not None and record.get("holder") == AXIS
        return (last or bool(now.at(cell, AXIS))) and not supply.cut_off(now, cell, AXIS)

    if all(stands(c) for c in cells) or all(retaken(c) for c in cells):
        return True
    mixed = bool(now.option("mixed_control"))
    return mixed and all(stands(c) or retaken(c) for c in cells)


def isolated(now: Situation) -> bool:
    """KHA-17.23: a hex of Kharkov is not Soviet, and Soviet units stand on its western roads."""
    cells = now.board.cities[now.board.kharkov].garrisons
    return any(holder(now, c) != SOVIET for c in cells) and bool(
        now.occupied(SOVIET) & now.board.isolation
    )


def front_holds(now: Situation) -> bool:
    """KHA-17.24: Axis units and zones join the north edge to the south edge.

    A zone under a Soviet unit does not count. Where the line of 12 May ran out to the east, the
    part of that edge behind it is as good as the south.
    """
    board = now.board
    line = now.held(AXIS) | (now.zoc(AXIS) & ~now.occupied(SOVIET))
    start = line & board.region("north_edge")
    found = edge = start
    while edge:
        edge = board.around(edge) & line & ~found
        found |= edge
    rear = board.region("east_edge") & ~board.soviet
    return bool(found & (board.region("south_edge") | rear))


# Counting


def tally(play: Play) -> None:
    """KHA-4.2.C: the Soviet player's points of this turn."""
    now = play.now
    table = now.tables.victory
    kharkov = now.board.cities[now.board.kharkov]
    if isolated(now) or controller(now, kharkov) == SOVIET:
        _note(play, "vp-kharkov", table["kharkov_turn"], "Kharkov", "KHA-17.23")
    if not front_holds(now):
        _note(play, "vp-front", table["broken_front"], "the broken front", "KHA-17.24")


def _note(play: Play, track: str, points: int, text: str, rule: str) -> None:
    """Points of this turn: in the total, and on the track of their own."""
    for name in ("vp-soviet", track):
        play.do(SetTrack(name, play.now.position.track(name) + points))
    play.note("victory points", f"{points} for {text}", rule)


def final(now: Situation) -> Iterator[Entry]:
    """Everything that counts at the end, if the game ended now."""
    yield from _noted(now)
    for city in now.board.cities.values():
        if side := controller(now, city):
            yield Entry(side, city.points, f"control of {city.name}", "KHA-17.1")
    yield from _axis_losses(now)
    yield from _soviet_losses(now)


def _noted(now: Situation) -> Iterator[Entry]:
    """What was noted during play, by its rules; the total is what counts."""
    track = now.position.track
    left = track("vp-soviet")
    entered = sum(bool(record.get("soviet")) for record in now.position.cells.values())
    kinds = (
        (track("vp-kharkov"), "turns with Kharkov isolated or held", "KHA-17.23"),
        (track("vp-front"), "turns with a broken front", "KHA-17.24"),
        (entered * now.tables.victory["city_hex"], _city_hexes(entered), "KHA-17.21"),
    )
    for points, text, rule in kinds:
        if counted := min(points, left):
            yield Entry(SOVIET, counted, text, rule)
            left -= counted
    for side, points in ((SOVIET, left), (AXIS, track("vp-axis"))):
        if points:
            yield Entry(side, points, "noted during play", "KHA-17.0")


def _city_hexes(count: int) -> str:
    return f"{count} city hex{'es' if count != 1 else ''} entered"


def _axis_losses(now: Situation) -> Iterator[Entry]:
    """KHA-17.25: a whole panzer division counts as one, not as its three regiments."""
    lost = [u for u in now.position.in_box("eliminated") if u.side == AXIS]
    divisions = Counter(str(u.value("division")) for u in lost if u.value("division"))
    whole = {name for name, count in divisions.items() if count >= 3 and _counts(now, lost, name)}
    for name in sorted(whole):
        points = now.tables.victory["panzer_division"]
        yield Entry(SOVIET, points, f"panzer division {name}", "KHA-17.25")
    for unit in lost:
        if str(unit.value("division")) not in whole and (points := now.tables.losses(unit.type)):
            yield Entry(SOVIET, points, unit.id, "KHA-17.25")
    if regiments := now.position.track("regiments-lost"):
        points = regiments * now.tables.losses("regiment")
        yield Entry(SOVIET, points, f"{regiments} infantry regiments", "KHA-17.25")


def _counts(now: Situation, lost: list[Unit], name: str) -> bool:
    """The list names panzer divisions; the panzergrenadier division only by the switch."""
    types = {u.type for u in lost if str(u.value("division")) == name}
    return "panzer" in types or bool(now.option("panzergrenadier_division"))


def _soviet_losses(now: Situation) -> Iterator[Entry]:
    """KHA-17.3: destroyed units, and those without supply at the end as if they were."""
    for unit in now.position.of_side(SOVIET):
        points = now.tables.losses(unit.type)
        if not points:
            continue
        if unit.box == "eliminated":
            yield Entry(AXIS, points, unit.id, "KHA-17.3")
        elif unit.cell and not supply.supplied(now, unit):
            yield Entry(AXIS, points, f"{unit.id}, out of supply", "KHA-17.3")


def totals(now: Situation) -> dict[str, int]:
    """Both sides' points, if the game ended now."""
    scores = {SOVIET: 0, AXIS: 0}
    for entry in final(now):
        scores[entry.side] += entry.points
    return scores


def account(now: Situation) -> tuple[Step, ...]:
    """The points, line by line."""
    return tuple(Step(f"{e.side} {e.points}: {e.text}", e.rule) for e in final(now))


def level(now: Situation, difference: int) -> str:
    """KHA-17.0: what the difference amounts to."""
    rows = now.tables.victory["levels"]
    return str(next(row["title"] for row in rows if difference >= row["from"]))


def outcome(now: Situation) -> Outcome:
    """The end: the higher total wins, unless the difference is a draw."""
    scores = totals(now)
    difference = abs(scores[SOVIET] - scores[AXIS])
    title = level(now, difference)
    winner = max(scores, key=lambda side: scores[side])
    winners = () if title == "draw" else (winner,)
    text = f"{title}, {scores[SOVIET]} Soviet against {scores[AXIS]} Axis points"
    return Outcome(winners, text, "KHA-17.0", FrozenMap(dict(scores)))
