"""Whatever a client sends: a verdict, or an error that names the field, and nothing else."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine, validate
from hexmarshal.rules.dice import Dice, Generator
from hexmarshal.rules.position import Position

COH = ConflictOfHeroes()
WORDS: tuple[Any, ...] = (
    None, True, -1, 0, 3, 99, "", "g1", "s2", "nobody", "9-E04", "9-Z99", "02", "german", "martian",
    [], ["g1"], ["9-E04"], {}, {"g1": 2}, {"kind": "mines"}, [{"unit": "g1", "path": ["9-E04"]}],
    "hidden", "ap", "card", "smoke", "indirect", [{"kind": "obstacle", "side": "german"}],
)  # fmt: skip


def mangled(document: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """The same with something replaced somewhere."""
    changed = copy.deepcopy(document)
    here: Any = changed
    for _ in range(chance.randint(1, 4)):
        key = chance.choice(list(here)) if isinstance(here, dict) and here else None
        if key is None or not isinstance(here[key], dict) or chance.random() < 0.3:
            break
        here = here[key]
    if isinstance(here, dict):
        name = chance.choice([*here, "facing", "values", "cell", "queue", "state"])
        here[name] = chance.choice(WORDS)
    return changed


@pytest.mark.parametrize("seed", range(6))
def test_mangled_positions_and_actions_raise_nothing_else(seed: int) -> None:
    chance = random.Random(seed)
    start = engine.start(COH, "drill", None, seed)
    document = start.to_json() | {"phase": "play", "state": "", "active": ["german"]}
    kinds = list(COH.game.actions)
    for _ in range(250):
        try:
            position = Position.from_json(mangled(document, chance))
            validate.admit(COH, position)
        except HexMarshalError:
            position = Position.from_json(document)
        kind = COH.game.actions[chance.choice(kinds)]
        action: dict[str, Any] = {"kind": kind.name, "side": chance.choice(("german", "soviet"))}
        for param in kind.params:
            if param.required or chance.random() < 0.4:
                action[param.name] = chance.choice(WORDS)
        try:
            decoded = COH.game.actions.decode(action)
            verdict = engine.check(COH, position, decoded)
            if verdict.legal:
                engine.perform(COH, position, decoded, Dice(Generator("x")))
        except HexMarshalError:
            pass


@pytest.mark.parametrize("state", ["mines", "face", "obstacle", "plot", "barrage", "bid"])
def test_a_decision_that_nobody_asked_for_is_refused(state: str) -> None:
    start = engine.start(COH, "drill", None, 1)
    phase = "prep" if state in ("plot", "barrage", "bid") else "play"
    position = Position.from_json(start.to_json() | {"phase": phase, "state": state})
    needed: dict[str, dict[str, object]] = {
        "face": {"facing": 0},
        "obstacle": {"pay": True},
        "bid": {"cap": 0},
    }
    action = COH.game.actions.make(state, "german", **needed.get(state, {}))
    assert engine.check(COH, position, action).rules == ("COH-2.2a",)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"board": "77"}, "board"),
        ({"piles": {"deck": {"cards": ["00"]}}}, "piles.deck"),
        (
            {"units": {"g": {"type": "german_truck", "side": "german", "facing": 7}}},
            "units.g.facing",
        ),
        ({"units": {"g1": {"type": "tiger", "side": "german"}}}, "units.g1.type"),
        ({"tracks": {"cap-german": -1}}, "tracks.cap-german"),
        ({"sides": ["german"]}, "sides"),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_is_named(change: dict[str, object], field: str) -> None:
    document = COH.blank().to_json() | change
    found = validate.problems(COH, Position.from_json(document))
    assert field in {violation.field for violation in found}
