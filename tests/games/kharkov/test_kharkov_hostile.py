"""Any action in any position gets a verdict, and what the verdict allows can be done."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from kharkov_ground import game

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action, ParamType
from hexmarshal.rules.dice import Dice, Generator
from hexmarshal.rules.playing.record import GameRecord, replay
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.position import Position

SAMPLE = Path(__file__).parent / "sample-game.jsonl"
HEXES = tuple(game().boards["ground"].hexes)


@cache
def positions() -> tuple[Position, ...]:
    """Every position of the sample game: all phases, all decisions."""
    record = GameRecord.from_lines(SAMPLE.read_text("utf-8").splitlines())
    return tuple(replay(game(), record))


def _anything(at: Position, kind: ParamType, chance: Random) -> object:
    units, cells = list(at.units), list(HEXES)
    match kind:
        case ParamType.UNIT:
            return chance.choice(units)
        case ParamType.UNITS:
            beside = [u.id for u in at.at(at.unit(chance.choice(units)).cell)]
            return chance.sample(units, chance.randint(0, 3)) if chance.random() < 0.3 else beside
        case ParamType.CELL:
            return chance.choice(cells)
        case ParamType.CELLS | ParamType.PATH:
            near = game().boards["ground"].near
            path = [chance.choice(cells)]
            while chance.random() < 0.5:
                path.append(chance.choice(near[path[-1]]))
            return path
        case ParamType.BOOL:
            return chance.random() < 0.5
        case _:
            return "A-B"


def _action(at: Position, chance: Random) -> Action:
    kind = chance.choice(list(game().game.actions.values()))
    params = {
        p.name: _anything(at, p.type, chance)
        for p in kind.params
        if p.required or chance.random() < 0.5
    }
    return game().game.actions.make(kind.name, chance.choice(at.sides), **params)


@given(st.integers(0, 10_000))
def test_any_action_gets_a_verdict(seed: int) -> None:
    chance = Random(seed)
    at = chance.choice(positions())
    for _ in range(20):
        action = _action(at, chance)
        verdict = engine.check(game(), at, action)
        assert all(
            v.rule in game().rulebook or v.rule.startswith("HM-") for v in verdict.violations
        )
        if verdict.legal:
            after = engine.perform(game(), at, action, Dice(Generator(str(seed)))).position
            assert validate.problems(game(), after) == ()


def _spoil(document: dict[str, Any], chance: Random) -> None:
    """Put nonsense somewhere into what is in progress, or into a unit."""
    nonsense = [None, 7, -1, "x", [], ["x"], {}, {"x": 1}, [["x"]], "0101", True]
    target: dict[str, Any] = document.setdefault("extras", {})
    frames = document.setdefault("frames", [])
    if chance.random() < 0.5:
        kind = chance.choice(list(game().game.frames))
        frames.append({"kind": kind, "deciders": [{"side": chance.choice(document["sides"])}]})
    if frames and chance.random() < 0.7:
        frame = chance.choice(frames)
        entries = [frame, frame.setdefault("about", {}), *frame.get("agenda", ())]
        target = chance.choice(entries)
    if chance.random() < 0.3:
        target = chance.choice(list(document["units"].values())).setdefault("values", {})
    names = [*target, "agenda", "about", "resume", "marker", "cell", "south", "ladder", "pending"]
    target[chance.choice(names)] = chance.choice(nonsense)
    if chance.random() < 0.5:
        document["state"] = chance.choice(list(game().game.frames))


@given(st.integers(0, 10_000))
def test_a_spoilt_position_is_refused_or_can_be_worked_with(seed: int) -> None:
    chance = Random(seed)
    document = chance.choice(positions()).to_json()
    for _ in range(5):
        spoilt = Position.from_json(document).to_json()
        _spoil(spoilt, chance)
        try:
            at = validate.admit(game(), Position.from_json(spoilt))
        except HexMarshalError:
            continue
        for _ in range(5):
            engine.check(game(), at, _action(at, chance))
        for side in at.active:
            for offer in engine.offers(game(), at, side):
                engine.check(game(), at, offer.action)
                break


def test_a_map_that_there_is_not_is_the_first_thing_wrong_with_a_position() -> None:
    found = validate.problems(game(), replace(positions()[0], board="x"))
    assert [violation.field for violation in found] == ["board"]
