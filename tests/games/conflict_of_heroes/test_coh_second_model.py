"""The rules agree with a second, naive model that shares no code with them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from coh_second_model import Ground, Mover, distance, ground_of, shot, table

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.state.position import Position

COH = ConflictOfHeroes()
OPTIONS = dict(engine.complete_options(COH, {}))
HITS = {key: row for pool in table("hits")["pools"].values() for key, row in pool.items()}


def position(key: str, **more: Any) -> Position:
    """A board with nothing on it but this."""
    document = COH.blank().to_json() | {"board": key, "options": OPTIONS, **more}
    return Position.from_json(document)


def smoked(cells: dict[str, int]) -> dict[str, Any]:
    """Markers of smoke, thick and thin."""
    return {
        f"smoke {cell}": {"kind": "smoke", "cell": cell, "values": {"points": points}}
        for cell, points in cells.items()
    }


@pytest.mark.parametrize("key", ["1", "9"])
@pytest.mark.parametrize("seed", range(4))
def test_sight(key: str, seed: int) -> None:
    chance = random.Random(f"sight {key} {seed}")
    ground = ground_of(key)
    cells = list(ground.spots)
    smoke = {chance.choice(cells): chance.choice((1, 1, 2)) for _ in range(5 * seed)}
    here = position(key, markers=smoked(smoke))
    seen = 0
    for _ in range(120):
        start, end = chance.sample(cells, 2)
        answer = engine.ask(
            COH, here, *COH.game.queries.decode({"name": "sight", "cell": start, "target": end})
        )
        expected, haze = ground.sees(smoke, start, end)
        assert answer.values["visible"] is expected, (start, end, smoke)
        if expected:
            assert answer.values["smoke"] == haze, (start, end, smoke)
            seen += 1
    assert seen > 10


def setting(chance: random.Random, ground: Ground) -> tuple[Mover, dict[str, Any], str]:
    """A unit somewhere, hit or not, with works, smoke and trucks around it."""
    kind = chance.choice(list(table("counters")["units"]))
    unit = table("counters")["units"][kind]
    cell = chance.choice(list(ground.spots))
    pool = table("hits")["pools"]["foot" if unit["move_class"] == "foot" else "vehicle"]
    hits = [name for name, row in pool.items() if not row.get("eliminated")]
    hit = chance.choice(hits) if chance.random() < 0.4 else ""
    near = [c for c in ground.spots if 0 < _apart(ground, cell, c) <= 3]
    works = {
        c: {chance.choice(("trench", "wire", "roadblock"))}
        for c in chance.sample(near, min(4, len(near)))
    }
    smoke = {c: chance.choice((1, 2)) for c in chance.sample(near, min(3, len(near)))}
    trucks = set(chance.sample(near, min(3, len(near))))
    mover = Mover(unit, cell, chance.randrange(6), HITS.get(hit, {}), works, smoke, trucks)
    side = unit["side"]
    units = {
        "u": {"type": kind, "side": side, "cell": cell, "facing": mover.facing, "flags": ["active"]}
    }
    for i, place in enumerate(sorted(trucks)):
        units[f"t{i}"] = {"type": "german_truck", "side": "german", "cell": place, "facing": 0}
    markers = smoked(smoke)
    for place, found in works.items():
        markers |= {f"{w} {place}": {"kind": w, "cell": place} for w in found}
    if hit:
        own = {"kind": hit, "unit": "u", "side": side, "known_to": [side], "face": "hit"}
        markers["hit"] = own
    document = {
        "units": units,
        "markers": markers,
        "active": [side],
        "tracks": {f"cap-{side}": 99, f"ap-{side}": 7},
    }
    return mover, document, side


def _apart(ground: Ground, one: str, other: str) -> int:
    return distance(ground.spots[one], ground.spots[other])


def walk(chance: random.Random, ground: Ground, mover: Mover) -> list[str]:
    """One to three hexes, now and then not beside each other."""
    here, path = mover.cell, []
    for _ in range(chance.choice((1, 1, 2, 3))):
        beside = [c for c in ground.spots if ground.side(here, c) is not None]
        roads = [c for c in beside if frozenset((here, c)) in ground.roads]
        pool = roads if roads and chance.random() < 0.4 else beside
        here = chance.choice(list(ground.spots)) if chance.random() < 0.03 else chance.choice(pool)
        path.append(here)
    return path


@pytest.mark.parametrize("key", ["1", "9"])
@pytest.mark.parametrize("seed", range(3))
def test_moves_and_what_they_cost(key: str, seed: int) -> None:
    chance = random.Random(f"moves {key} {seed}")
    ground = ground_of(key)
    legal = 0
    for _ in range(250):
        mover, document, side = setting(chance, ground)
        path = walk(chance, ground, mover)
        params = {"kind": "move", "side": side, "unit": "u", "path": path, "by": "command"}
        verdict = engine.check(
            COH, position(key, **document), COH.game.actions.decode({**params, "facing": 0})
        )
        expected = ground.price(mover, path)
        shown = (mover, path, verdict.rules)
        assert verdict.legal is (expected is not None), shown
        if expected is not None:
            assert verdict.cost.total == expected, shown
            legal += 1
    assert legal > 60


@pytest.mark.parametrize("key", ["1", "9"])
@pytest.mark.parametrize("seed", range(3))
def test_shots_and_what_they_cost(key: str, seed: int) -> None:
    chance = random.Random(f"shots {key} {seed}")
    ground = ground_of(key)
    legal = 0
    for _ in range(140):
        mover, document, side = setting(chance, ground)
        near = [c for c in ground.spots if 0 < _apart(ground, mover.cell, c) <= 9]
        target = chance.choice(near)
        enemy = "soviet" if side == "german" else "german"
        document["units"] = {"u": document["units"]["u"]} | {
            "e": {"type": f"{enemy}_rifles_41", "side": enemy, "cell": target, "facing": 0}
        }
        params = {"kind": "fire", "side": side, "unit": "u", "cell": target, "by": "command"}
        verdict = engine.check(COH, position(key, **document), COH.game.actions.decode(params))
        expected = shot(ground, mover, target)
        if "red" in mover.hit.get("no_fire", ()):
            expected = None  # Its gun does nothing to men.
        shown = (mover, target, verdict.rules)
        assert verdict.legal is (expected is not None), shown
        if expected is not None:
            assert verdict.cost.total == expected, shown
            legal += 1
    assert legal > 15


@pytest.mark.parametrize("key", ["1", "9"])
def test_arcs(key: str) -> None:
    """A squad without a turret may fire or not, hex by hex, as the fan has it."""
    ground = ground_of(key)
    middle = {"1": "1-G09", "9": "9-E06"}[key]
    for facing in range(6):
        unit = {"type": "german_hmg_34", "side": "german", "cell": middle, "facing": facing}
        here = position(key, units={"u": unit}, tracks={"cap-german": 9})
        for cell in ground.spots:
            if cell == middle:
                continue
            params = {"kind": "fire", "side": "german", "unit": "u", "cell": cell, "by": "command"}
            rules = engine.check(COH, here, COH.game.actions.decode(params)).rules
            assert ("COH-6.1a" not in rules) is ground.in_front(middle, facing, cell), cell
