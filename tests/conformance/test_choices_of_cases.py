"""What cases show to be legal can be chosen: of every optional slot some value that a case gives.

A check that admits what no choice leads to is found by nobody who plays by clicks.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import pytest

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action, ActionType, Param
from hexmarshal.rules.cases.conformance import load_cases, situation
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

HERE = Path(__file__).parent
GAMES = ("asl", "conflict_of_heroes", "heroes_of_stalingrad", "kharkov", "traces_of_war")
# So many cases are tried for a slot before it counts as one that cannot be chosen.
MOST = 12
# Said in other words than those that are offered: all who are there defend, named or not; the name
# of a fort stands for entering it.
OTHER_WORDS = {("traces_of_war", "attack.defenders"), ("conflict_of_heroes", "move.fort")}


def _legal(plugin: GamePlugin, game: str) -> dict[tuple[str, str], list[tuple[Position, Action]]]:
    """By kind and optional slot, legal actions of cases that say something about it."""
    found: dict[tuple[str, str], list[tuple[Position, Action]]] = defaultdict(list)
    for file in sorted((HERE / game).rglob("*.yaml")):
        for case in load_cases(file).cases:
            said = case.body.get("action")
            if not isinstance(said, dict) or case.body.get("expect", {}).get("legal") is False:
                continue
            kind = plugin.game.actions[said["kind"]]
            slots = [p.name for p in kind.params if not p.required and said.get(p.name)]
            wanted = [slot for slot in slots if len(found[kind.name, slot]) < MOST]
            if not wanted:
                continue
            with suppress(HexMarshalError):  # cases of what is not even illegal
                position, action = situation(plugin, case), plugin.game.actions.decode(said)
                if engine.check(plugin, position, action).legal:
                    for slot in wanted:
                        found[kind.name, slot].append((position, action))
    return found


def _can_be_chosen(
    plugin: GamePlugin, position: Position, action: Action, kind: ActionType, param: Param
) -> bool:
    earlier = kind.before[kind.places[param.name]]
    given = {name: value for name, value in action.params.items() if name in earlier}
    value = action.params[param.name]
    entries = value if isinstance(value, tuple) and param.many else (value,)
    for i, entry in enumerate(entries):
        held = {**given, param.name: entries[:i]} if i else given
        begun = Begun(kind.name, FrozenMap(held), param.name)
        found = engine.next_choices(plugin, position, action.side, begun)
        if not found.free and entry not in [choice.value for choice in found.choices]:
            return False
    return True


@pytest.mark.parametrize("game", GAMES)
def test_what_cases_say_can_be_chosen(game: str) -> None:
    plugin = registry.default().get(game)
    never = []
    for (name, slot), cases in _legal(plugin, game).items():
        kind = plugin.game.actions[name]
        param = kind.by_name[slot]
        if cases and not any(_can_be_chosen(plugin, *case, kind, param) for case in cases):
            never.append(f"{name}.{slot}")
    assert set(never) == {slot for known, slot in OTHER_WORDS if known == game}
