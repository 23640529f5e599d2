"""The list of moves is the set of all legal ones: every path near the unit is tried by brute force.

The list spells a move with its facing, with no more command points than it needs, and leaves out
what is the same as not saying it. The brute force knows that spelling and nothing else: it tries
paths that do not hang together, hexes that nobody may enter, and ways to pay that nobody has.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap, Value

COH = ConflictOfHeroes()
GROUND = COH.boards["9"]
SIDE = "german"
Params = dict[str, Value]


def situation(options: dict[str, object] | None = None, **changes: Any) -> Position:
    document: dict[str, object] = COH.blank().to_json()
    document["options"] = dict(engine.complete_options(COH, options or {}))
    hand = {"cards": ["02", "05", "12"], "side": SIDE, "known_to": [SIDE]}
    document |= {
        "turn": 2,
        "tracks": {"ap-german": 3, "cap-german": 2},
        "piles": {"hand-german": hand},
        **changes,
    }
    units: dict[str, object] = changes["units"]
    enemy = {"type": "soviet_rifles_41", "side": "soviet", "cell": "9-I01", "facing": 0}
    document["units"] = {"enemy": enemy, **units}
    return Position.from_json(document)


def own(type: str, cell: str, facing: int | None = 0, **more: object) -> dict[str, object]:
    found: dict[str, object] = {"type": type, "side": SIDE, "cell": cell, **more}
    return found if facing is None else {**found, "facing": facing}


def works(**cells: str) -> dict[str, object]:
    """Markers by kind; smoke is thick."""
    return {
        kind: {"kind": kind, "cell": cell, "values": {"points": 2} if kind == "smoke" else {}}
        for kind, cell in cells.items()
    }


WAITING = {"arrives": 2, "entry": ["9-E01"]}
SITUATIONS: dict[str, Position] = {
    "a squad, active": situation(
        units={"u": own("german_rifles_41", "9-E04", 1, flags=["active"])}
    ),
    "a spent squad": situation(units={"u": own("german_rifles_41", "9-E04", 1, flags=["spent"])}),
    "a squad without a point": situation(
        tracks={}, piles={}, units={"u": own("german_rifles_41", "9-E04", 1, flags=["spent"])}
    ),
    "a squad with caution, by a wall": situation(
        {"cautious_movement": True}, units={"u": own("german_rifles_41", "9-C03", 0)}
    ),
    "a squad before wire and a trench": situation(
        markers=works(wire="9-E05", trench="9-D04"),
        units={"u": own("german_rifles_41", "9-E04", 1)},
    ),
    "a squad in a trench": situation(
        markers=works(trench="9-E04"),
        units={"u": own("german_rifles_41", "9-E04", 1, values={"fort": "trench"})},
    ),
    "a squad in a bunker": situation(
        markers={"b": {"kind": "bunker", "cell": "9-E04", "facing": 0}},
        units={"u": own("german_rifles_41", "9-E04", 1, values={"fort": "b"})},
    ),
    "a pinned squad": situation(
        markers={"h": {"kind": "foot-pinned", "unit": "u", "side": SIDE, "known_to": [SIDE]}},
        units={"u": own("german_rifles_41", "9-E04", 1)},
    ),
    "a squad upon which the enemy has come": situation(
        extras={"last": {"by": "soviet", "rushed": {"9-E04": ["9-E05"]}}},
        units={
            "u": own("german_rifles_41", "9-E04", 1),
            "enemy": {"type": "soviet_smg", "side": "soviet", "cell": "9-E04", "facing": 0},
        },
    ),
    "a hidden squad": situation(
        units={"u": own("german_rifles_41", "9-D05", None, seen_by=[SIDE], flags=["active"])}
    ),
    "a hidden gun": situation(units={"u": own("german_pak36", "9-D05", None, seen_by=[SIDE])}),
    "a gun by the water": situation(units={"u": own("german_pak36", "9-B10", 1)}),
    "a squad by the cliff": situation(units={"u": own("german_rifles_41", "9-H10", 5)}),
    "a tank in the open, with smoke": situation(
        markers=works(smoke="9-D04"),
        units={
            "u": own("soviet_t34a", "9-E04", 0, flags=["active"]),
            "t": own("german_truck", "9-E05"),
        },
    ),
    "a tank before stone": situation(units={"u": own("german_panzer_3e", "9-B09", 2)}),
    "a tank before a roadblock": situation(
        markers=works(roadblock="9-E05"), units={"u": own("german_panzer_3e", "9-E04", 1)}
    ),
    "a truck on the road": situation(
        units={"u": own("german_truck", "9-E04", 2), "t": own("german_panzer_3e", "9-E06")}
    ),
    "a truck with a tank in tow": situation(
        units={
            "u": own("german_panzer_3e", "9-E04", 2),
            "t": own("german_panzer_3e", "", carrier="u"),
        }
    ),
    "a stuck tank": situation(units={"u": own("german_panzer_3e", "9-E04", 2, flags=["stuck"])}),
    "a reinforcement": situation(
        units={"u": own("german_panzer_3e", "", None, box="reinforcements", values=WAITING)}
    ),
    "a reinforcement whose hex is taken": situation(
        units={
            "u": own("german_rifles_41", "", None, box="reinforcements", values=WAITING),
            "enemy": {"type": "soviet_smg", "side": "soviet", "cell": "9-E01", "facing": 0},
        }
    ),
    "a reinforcement too early": situation(
        turn=1, units={"u": own("german_rifles_41", "", None, box="reinforcements", values=WAITING)}
    ),
    "a squad that may leave": situation(
        extras={"exits": {"german": ["9-E01"]}}, units={"u": own("german_rifles_41", "9-E01", 5)}
    ),
}
WAYS: tuple[Params, ...] = (
    {"by": "ap"},
    {"by": "opportunity"},
    {"by": "command"},
    {"by": "card", "card": "02"},
    {"by": "card", "card": "05"},
    {"by": "card", "card": "04"},
)
MODES: tuple[Params, ...] = ({}, {"mode": "hidden"}, {"mode": "cautious"})
CAPS: tuple[Params, ...] = ({}, {"cap": 1}, {"cap": 2})
LUCK: tuple[Params, ...] = ({}, {"luck": True})
ROLLS: tuple[Params, ...] = tuple({**cap, **luck} for cap, luck in product(CAPS, LUCK))


def moves(position: Position) -> Iterator[tuple[Params, bool]]:
    """Moves to try, and whether they are spelled with a facing."""
    here = position.unit("u").cell or "9-E01"
    close = GROUND.within(here, 1)
    for cell, mode, way in product(GROUND.within(here, 2), MODES, WAYS):
        base: Params = {"unit": "u", "path": (cell,), **mode, **way}
        secret = mode == {"mode": "hidden"}
        yield base, not secret
        if cell in close and not secret:
            for inside, roll in product(({}, {"occupy": True}), ROLLS):
                if inside or roll:
                    yield {**base, **inside, **roll}, True
    # Pairs of hexes near, whether they hang together or not; and longer ways that do.
    pairs = [*product(close, close), *((a, b) for a in close for b in GROUND.neighbours[a])]
    for path, mode, way in product(dict.fromkeys(pairs), MODES[:2], (*WAYS[:2], WAYS[4])):
        yield {"unit": "u", "path": path, **mode, **way}, not mode
    ways: list[tuple[str, ...]] = [(a, b) for a in close for b in GROUND.neighbours[a]]
    for _ in range(2):
        ways = [(*way, c) for way in ways for c in GROUND.neighbours[way[-1]]]
        for path, way in product(ways[:: max(1, len(ways) // 60)], (*WAYS[:2], WAYS[4])):
            yield {"unit": "u", "path": path, **way}, True


def rolls_in(position: Position, action: Action) -> bool:
    """Whether anything is rolled for a move: points for nothing are not offered."""
    from hexmarshal.games.conflict_of_heroes.rules.movement.moves import legs_of, rolls_of

    return bool(rolls_of(legs_of(COH.situation(position), action)))


@pytest.mark.parametrize("name", SITUATIONS)
def test_every_legal_move_is_offered_and_no_other(name: str) -> None:
    position = engine.view(COH, SITUATIONS[name], SIDE)
    kinds = ["move", "pivot", "leave"]
    listed = [o.action for o in engine.offers(COH, SITUATIONS[name], SIDE, kinds)]
    mine = [a for a in listed if a.text("unit") == "u"]
    assert len(set(mine)) == len(mine), "an action is offered twice"
    offered, tried = set(mine), set()
    for params, faced in moves(position):
        action = Action("move", SIDE, FrozenMap({**params, "facing": 3} if faced else params))
        legal = COH.check(position, action).legal
        if legal and {"cap", "luck"} & set(params) and not rolls_in(position, action):
            legal = False
        spellings = [{**params, "facing": f} for f in range(6)] if faced else [params]
        for spelled in spellings:
            same = Action("move", SIDE, FrozenMap(spelled))
            tried.add(same)
            assert (same in offered) is legal, f"{same} is {'' if legal else 'not '}legal"
    for way, facing in product(WAYS, range(6)):
        pivot = Action("pivot", SIDE, FrozenMap({"unit": "u", "facing": facing, **way}))
        tried.add(pivot)
        assert (pivot in offered) is COH.check(position, pivot).legal, pivot
    for way in WAYS:
        leave = Action("leave", SIDE, FrozenMap({"unit": "u", **way}))
        tried.add(leave)
        assert (leave in offered) is COH.check(position, leave).legal, leave
    assert not {a for a in offered - tried if len(a.texts("path")) == 1 and position.unit("u").cell}
    for action in offered - tried:
        if action.params.get("facing") in (None, 3):
            assert COH.check(position, action).legal


TURNS = {
    "active, with points": ({"ap-german": 2, "cap-german": 1}, ["active"]),
    "active, no command": ({"ap-german": 1}, ["active"]),
    "nobody active": ({"cap-german": 1}, []),
    "spent, nothing left": ({}, ["spent"]),
}


@pytest.mark.parametrize("name", TURNS)
@pytest.mark.parametrize("variable", [False, True])
def test_turn_actions_are_all_there(name: str, variable: bool) -> None:
    tracks, flags = TURNS[name]
    position = situation(
        {"variable_ap": variable},
        tracks=tracks,
        piles={"hand-german": {"cards": ["10"], "side": SIDE, "known_to": [SIDE]}},
        units={
            "u": own("german_rifles_41", "9-E04", flags=flags),
            "w": own("german_rifles_41", "9-E03"),
            "r": own("german_rifles_41", "", None, box="reinforcements", values=WAITING),
            "later": own("german_rifles_41", "", None, box="reinforcements", values={"arrives": 3}),
            "gone": own("german_rifles_41", "", None, box="destroyed-german"),
        },
    )
    kinds = ["pass", "finish", "stall", "activate", "quick_action"]
    offered = {o.action for o in engine.offers(COH, position, SIDE, kinds)}
    tries: list[tuple[str, Params]] = [("pass", {}), ("finish", {}), ("quick_action", {})]
    tries += [("stall", {"by": by}) for by in ("ap", "command")]
    for unit in position.units:
        tries.append(("activate", {"unit": unit}))
        tries += [("activate", {"unit": unit, "cap": n}) for n in (1, 2, 3)]
    actions = {Action(kind, SIDE, FrozenMap(params)) for kind, params in tries}
    assert offered == {a for a in actions if COH.check(position, a).legal}


@pytest.mark.parametrize(
    ("state", "entry", "tries"),
    [
        ("bid", {}, [{"cap": n, **luck} for n in range(5) for luck in ({}, {"luck": True})]),
        ("face", {"unit": "u"}, [{"facing": n} for n in range(6)]),
        (
            "mines",
            {"unit": "u", "marker": "m"},
            [
                {**cap, **luck}
                for cap in ({}, {"cap": 1}, {"cap": 2})
                for luck in ({}, {"luck": True})
            ],
        ),
        (
            "obstacle",
            {"action": {"kind": "move", "side": SIDE, "unit": "u", "path": ["9-E05"]}, "cost": 4},
            [{"pay": True}, {"pay": False}],
        ),
        (
            "obstacle",
            {"action": {"kind": "move", "side": SIDE, "unit": "u", "path": ["9-E05"]}, "cost": 9},
            [{"pay": True}, {"pay": False}],
        ),
    ],
)
def test_decisions_are_all_there(state: str, entry: dict[str, object], tries: list[Params]) -> None:
    position = situation(
        phase="prep" if state == "bid" else "play",
        active=[SIDE],
        frames=[{"kind": state, "deciders": [{"side": SIDE}], "about": entry}],
        markers={"m": {"kind": "mines", "cell": "9-E04", "side": SIDE}, **works(wire="9-E05")},
        units={"u": own("german_rifles_41", "9-E04", 1, flags=["active"])},
    )
    offered = {o.action for o in engine.offers(COH, position, SIDE)}
    actions = {Action(state, SIDE, FrozenMap(params)) for params in tries}
    legal = {a for a in actions if COH.check(position, a).legal}
    assert legal
    assert offered == legal


def entries(unit: str, cells: tuple[str, ...]) -> list[Params]:
    """What one unit of a group may be told to do, legal or not."""
    found: list[Params] = [{"unit": unit, "path": ()}]
    for cell in cells:
        for mode in ({}, {"mode": "hidden"}, {"mode": "cautious"}):
            found.append({"unit": unit, "path": (cell,), **mode})
            if mode != {"mode": "hidden"}:
                found.append({"unit": unit, "path": (cell,), "occupy": True, **mode})
    return found


GROUPS: dict[str, Position] = {
    "two squads": situation(
        piles={},
        units={
            "u": own("german_rifles_41", "9-E04", 2, flags=["active"]),
            "w": own("german_hmg_34", "9-E03", 2),
        },
    ),
    "a squad and a hidden one": situation(
        piles={},
        tracks={"ap-german": 7},
        units={
            "u": own("german_rifles_41", "9-E04", 2, flags=["active"]),
            "w": own("german_rifles_41", "9-D05", None, seen_by=[SIDE]),
        },
    ),
    "before a trench": situation(
        piles={},
        markers=works(trench="9-E05"),
        units={
            "u": own("german_rifles_41", "9-E04", 2, flags=["active"]),
            "w": own("german_pak36", "9-E04", 2),
        },
    ),
    "too far apart": situation(
        piles={},
        units={
            "u": own("german_rifles_41", "9-E04", 2, flags=["active"]),
            "w": own("german_hmg_34", "9-E01", 2),
        },
    ),
    "one pinned": situation(
        piles={},
        markers={"h": {"kind": "foot-pinned", "unit": "u", "side": SIDE, "known_to": [SIDE]}},
        units={
            "u": own("german_rifles_41", "9-E04", 2, flags=["active"]),
            "w": own("german_hmg_34", "9-E03", 2),
        },
    ),
    "one in a bunker": situation(
        piles={},
        markers={"b": {"kind": "bunker", "cell": "9-E04", "facing": 0}},
        units={
            "u": own("german_rifles_41", "9-E04", 1, values={"fort": "b"}, flags=["active"]),
            "w": own("german_hmg_34", "9-E03", 2),
        },
    ),
}


@pytest.mark.parametrize("name", GROUPS)
def test_every_legal_group_move_is_offered_and_no_other(name: str) -> None:
    position = engine.view(COH, GROUPS[name], SIDE)
    offers = engine.offers(COH, GROUPS[name], SIDE, ["group_move"])
    listed = [o.action for o in offers if o.action.text("by") in ("ap", "opportunity")]
    assert len(set(listed)) == len(listed), "an action is offered twice"
    offered, tried = set(listed), 0
    cells = ("9-D04", "9-E05", "9-A01")
    for by, one, two in product(("ap", "opportunity"), entries("u", cells), entries("w", cells)):
        for turns in ((2, 2), (None, 3), (None, None)):
            spelled = [
                FrozenMap({**entry, **({} if turn is None else {"facing": turn})})
                for entry, turn in zip((one, two), turns, strict=True)
            ]
            if not _spelled_as_listed(position, spelled):
                continue
            params = FrozenMap[Value]({"moves": tuple(spelled), "by": by})
            action = Action("group_move", SIDE, params)
            legal = COH.check(position, action).legal
            assert (action in offered) is legal, f"{action} is {'' if legal else 'not '}legal"
            tried += 1
    assert tried > 200


def _spelled_as_listed(position: Position, moves: list[FrozenMap[Value]]) -> bool:
    """A facing for all but those who move or stay in hiding."""
    for entry in moves:
        unit = position.unit(str(entry["unit"]))
        secret = unit.seen_by is not None and not entry["path"]
        if (entry.get("mode") == "hidden" or secret) is ("facing" in entry):
            return False
    return True
