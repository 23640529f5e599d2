"""What is offered is legal, and on small positions nothing legal is missing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice

import pytest
from kharkov_ground import game, position

from hexmarshal.rules import engine
from hexmarshal.rules.state.position import Position

ACTIONS = game().game.actions
HEXES = tuple(game().boards["ground"].hexes)


def _offered(at: Position, side: str, kind: str) -> set[tuple[tuple[str, ...], str]]:
    """Who may go where: the units and the last hex of each offer of this kind."""
    found = set()
    for offer in engine.offers(game(), at, side):
        action = offer.action
        if action.kind == kind:
            units = action.texts("units") or (action.text("unit"),)
            goal = (*action.texts("path"), action.text("cell"), action.text("target"))
            found.add((tuple(sorted(units)), next(c for c in reversed(goal) if c)))
    return found


def _legal(at: Position, kind: str, side: str, **params: object) -> bool:
    return engine.check(game(), at, ACTIONS.make(kind, side, **params)).legal


def _groups(at: Position, side: str) -> Iterator[tuple[str, ...]]:
    """Every set of units of one hex."""
    for stack in at.occupied.values():
        ids = [u.id for u in stack if u.side == side]
        for size in range(1, len(ids) + 1):
            yield from combinations(sorted(ids), size)


def _walks(at: Position, start: str, most: int) -> Iterator[tuple[str, ...]]:
    near = game().boards["ground"].near

    def go(path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if path:
            yield path
        if len(path) < most:
            for to in near[path[-1] if path else start]:
                yield from go((*path, to))

    del at
    return go(())


MOVES = {
    "a stack before an enemy zone": position(
        "axis_movement",
        "axis",
        i="infantry 0307 9-3 4-3",
        p="panzer 0307 6-3 3-3",
        r="rifle 0305 4-4-6",
        s="rifle 0506 4-4-6",
    ),
    "infiltration": position(
        "soviet_movement",
        "soviet",
        turn=1,
        r="rifle 0305 4-4-3",
        hq="hq 0503",
        i="infantry 0306",
        j="infantry 0208",
    ),
    "the river": position(
        "soviet_movement",
        "soviet",
        r="rifle 0203 2-2-4",
        f="cavalry 0303 2-2-3",
        i="infantry 0304",
        j="regiment 0103 2-8",
    ),
    "a mixed stack in the woods": position(
        "axis_movement", "axis", i="infantry 0207 9-2", p="panzer 0207 6-3", r="rifle 0504 1-1-6"
    ),
    "stopped, moved and disrupted": position(
        "axis_movement",
        "axis",
        a="infantry 0107 9-3 +stopped",
        b="infantry 0109 9-3 +moved",
        c="infantry 0111 9-3 +disrupted",
        d="infantry 0211 9-4 +unsupplied",
    ),
    "the mechanised phase": position(
        "mechanised_movement", "axis", i="infantry 0107 9-3", p="panzer 0107 6-2"
    ),
}


@pytest.mark.parametrize("at", MOVES.values(), ids=MOVES)
def test_moves_are_complete(at: Position) -> None:
    """KHA-6.11, KHA-6.23, KHA-6.24, KHA-6.25, KHA-6.8, KHA-8.1: every path of four hexes tried."""
    (side,) = at.active
    legal = set()
    for units in _groups(at, side):
        start = at.unit(units[0]).cell
        for path in _walks(at, start, 4):
            if (units, path[-1]) in legal or path[-1] == start:
                continue
            if _legal(at, "move", side, units=list(units), path=list(path)):
                legal.add((units, path[-1]))
    offered = _offered(at, side, "move")
    assert legal <= offered
    near = {(units, cell) for units, cell in offered if _near(at, units, cell)}
    assert near <= legal


def _near(at: Position, units: tuple[str, ...], cell: str) -> bool:
    """Whether the offered path was short enough for the brute force above."""
    paths = (
        o.action.texts("path")
        for o in engine.offers(game(), at, at.active[0])
        if o.action.kind == "move" and tuple(sorted(o.action.texts("units"))) == units
    )
    return any(path[-1] == cell and len(path) <= 4 for path in paths)


ATTACKS = {
    "three around two hexes": position(
        "axis_combat",
        "axis",
        a="infantry 0306",
        b="panzer 0306 6-12 3-12",
        c="infantry 0406",
        r="rifle 0305 4-4-6",
        s="rifle 0206 4-4-6",
        t="rifle 0405 4-4-6 +attacked",
    ),
    "soviets and a garrison": position(
        "soviet_combat",
        "soviet",
        r="rifle 0307 4-4-6",
        s="rifle 0305 4-4-6 +fought",
        t="tank 0307 5-5-11",
        hq="hq 0502",
        i="infantry 0306",
    ),
    "the Dnieper": position(
        "axis_combat",
        "axis",
        i="infantry 0910",
        j="infantry 1010",
        r="rifle 0909 4-4-6",
        s="rifle 1009 4-4-6",
    ),
}


@pytest.mark.parametrize("at", ATTACKS.values(), ids=ATTACKS)
def test_attacks_are_complete(at: Position) -> None:
    """KHA-9.11, KHA-9.13, KHA-9.14, KHA-9.22, KHA-9.23: every group against every set of hexes."""
    (side,) = at.active
    units = sorted(u.id for u in at.of_side(side))
    groups = list(chain(*(combinations(units, n) for n in range(1, len(units) + 1))))
    board = game().boards["ground"]
    hexes = sorted({c for u in at.of_side(side) for c in board.near[u.cell]})
    targets = list(chain(*(combinations(hexes, n) for n in (1, 2, 3))))
    legal = {
        (group, cells)
        for group in groups
        for cells in targets
        if _legal(at, "attack", side, attackers=list(group), targets=list(cells))
    }
    offered = {
        (tuple(sorted(o.action.texts("attackers"))), tuple(sorted(o.action.texts("targets"))))
        for o in engine.offers(game(), at, side)
        if o.action.kind == "attack"
    }
    assert offered == legal
    assert legal


OTHERS = {
    "overrun": position(
        "axis_movement",
        "axis",
        p="panzer 0306 6-12 3-12",
        q="panzer 0306 6-12 3-12",
        i="infantry 0107 +unsupplied",
        r="rifle 0305 4-4-6",
        s="rifle 0206 4-4-6",
        t="rifle 0106 4-4-6",
    ),
    "disengagement": position(
        "axis_movement",
        "axis",
        i="infantry 0306",
        j="infantry 0204",
        o="romanian 0306",
        r="rifle 0305 4-4-6",
        s="rifle 0304 4-4-6",
    ),
}


@pytest.mark.parametrize("at", OTHERS.values(), ids=OTHERS)
def test_overruns_and_disengagements_are_complete(at: Position) -> None:
    """KHA-6.61, KHA-6.64, KHA-7.0-P, KHA-7.12: every group towards every hex."""
    for kind, name in (("overrun", "target"), ("disengage", "cell")):
        legal = {
            (units, cell)
            for units in _groups(at, "axis")
            for cell in HEXES
            if _legal(at, kind, "axis", units=list(units), **{name: cell})
        }
        assert _offered(at, "axis", kind) == legal


def test_rides_are_complete() -> None:
    """KHA-6.41 to KHA-6.44: every stretch of the railway, forth and back."""
    at = position(
        "axis_movement", "axis", i="infantry 0510", j="infantry 0108", r="rifle 0607 4-4-6"
    )
    line = [f"05{column:02}" for column in range(11, 0, -1)]
    legal = set()
    for start in ("0510", "0108"):
        for goal in line:
            if start in line and goal != start:
                one, two = line.index(start), line.index(goal)
                step = 1 if two > one else -1
                path = [line[k] for k in range(one + step, two + step, step)]
                if _legal(at, "rail", "axis", unit="i", path=path):
                    legal.add((("i",), goal))
    assert (
        _offered(at, "axis", "rail")
        == legal
        == {(("i",), "0511"), (("i",), "0509"), (("i",), "0508")}
    )


@pytest.mark.parametrize("scenario", ["exercise", "training", "campaign"])
def test_what_is_offered_is_legal(scenario: str) -> None:
    at = engine.start(game(), scenario, seed="offers")
    kinds = set()
    for offer in islice(engine.offers(game(), at, "soviet"), 400):
        verdict = engine.check(game(), at, offer.action)
        assert verdict.legal, (offer.action, verdict.violations)
        assert verdict.cost.total == offer.verdict.cost.total, offer.action
        kinds.add(offer.action.kind)
    assert {"end_phase", "move"} <= kinds


def test_every_retreat_is_offered() -> None:
    """KHA-9.61, KHA-9.63, KHA-9.64: every walk of one and of two hexes tried."""
    for steps in (1, 2):
        plain = position(
            "axis_combat",
            "soviet",
            i="infantry 0306",
            r="rifle 0305 4-4-6",
            f="rifle 0304 4-4-6",
            j="infantry 0506",
        )
        document = plain.to_json()
        about = {
            "kind": "attack",
            "side": "axis",
            "attackers": ["i"],
            "targets": ["0305"],
            "defenders": ["r"],
            "result": f"D{steps}",
        }
        agenda = [{"kind": "defender", "result": f"D{steps}"}, {"kind": "advance"}]
        document["frames"] = [
            {"kind": "engagement", "about": about, "agenda": agenda},
            {"kind": "result", "deciders": [{"side": "soviet"}]},
        ]
        at = Position.from_json(document)
        walks = [w for w in _walks(at, "0305", 2) if len(w) == steps]
        legal = {w for w in walks if _legal(at, "retreat", "soviet", units=["r"], path=list(w))}
        offered = {
            o.action.texts("path")
            for o in engine.offers(game(), at, "soviet")
            if o.action.kind == "retreat"
        }
        assert offered == legal
        assert legal
