"""Every game, given what a hostile client would send: refused by its field, or worked with."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from copy import deepcopy
from itertools import islice

import pytest
from tutorial import Crossroads

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules import engine
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.playing.record import replay
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import EMPTY, FrozenMap
from hexmarshal.testkit import Fuzzer
from hexmarshal.testkit.inventing import Inventor

GAMES = [*registry.default().plugins(), Crossroads()]
ASKING = [plugin for plugin in GAMES if plugin.game.frames]
BROKEN = (10**12, None, [], {}, "nobody", -1, [["x"]], {"kind": 5}, True)


def _key(plugin: GamePlugin) -> str:
    return plugin.game.key


def _starts(plugin: GamePlugin) -> list[Position]:
    return [engine.start(plugin, s.key, None, "hostile") for s in islice(plugin.scenarios(), 2)]


@pytest.mark.parametrize("plugin", [p for p in GAMES if p.game.actions], ids=_key)
def test_positions_and_actions_may_say_anything(plugin: GamePlugin) -> None:
    fuzzer = Fuzzer(plugin, seed=15)
    assert list(fuzzer.run(tries=150)) == []
    assert fuzzer.admitted


@pytest.mark.parametrize("plugin", ASKING, ids=_key)
def test_any_frame_is_refused_by_its_field_or_can_be_worked_with(plugin: GamePlugin) -> None:
    """Of each kind, as declared and then broken somewhere."""
    chance = random.Random(15)
    inventor = Inventor(plugin, chance)
    fates: Counter[str] = Counter()
    for start in _starts(plugin):
        for kind in plugin.game.frames:
            for _ in range(6):
                frame = inventor.frame(start, kind)
                _try(plugin, start, frame, fates)
                place = chance.choice([frame, frame["about"], *frame["agenda"]])
                if place:
                    place[chance.choice(list(place))] = deepcopy(chance.choice(BROKEN))
                    _try(plugin, start, frame, fates)
    assert fates["refused"]
    assert fates["no frame at all"]
    assert not fates["no field"]


def _try(plugin: GamePlugin, start: Position, frame: object, fates: Counter[str]) -> None:
    try:
        position = Position.from_json(start.to_json() | {"frames": [frame]})
    except HexMarshalError as error:
        field = error.place.field
        fates["no frame at all" if field and field.startswith("frames") else "no field"] += 1
        return
    if problems := validate.problems(plugin, position):
        assert all(problem.field for problem in problems), frame
        fates["refused"] += 1
        return
    fates["worked with"] += 1
    for side in position.sides:
        engine.view(plugin, position, side)
        said = engine.silence(plugin, position, side)
        if said is not None:
            engine.check(plugin, position, said)
        for offer in islice(engine.offers(plugin, position, side), 3):
            with suppress(HexMarshalError):
                engine.perform(plugin, position, offer.action)


@pytest.mark.parametrize("plugin", GAMES, ids=_key)
def test_no_game_has_a_turn_before_the_first(plugin: GamePlugin) -> None:
    start = engine.start(plugin, seed="hostile").to_json()
    problems = validate.problems(plugin, Position.from_json(start | {"turn": -1}))
    assert [problem.field for problem in problems] == ["turn"]


@pytest.mark.parametrize("plugin", ASKING, ids=_key)
def test_what_silence_stands_for_is_an_action_of_the_game(plugin: GamePlugin) -> None:
    for kind in plugin.game.frames.values():
        if kind.silence is not None:
            action = plugin.game.actions[kind.silence.kind]
            action.decode(dict(kind.silence.params))
            assert not action.states or kind.name in action.states


@pytest.mark.parametrize("plugin", [p for p in GAMES if p.game.actions], ids=_key)
def test_any_slot_may_be_asked_for_first(plugin: GamePlugin) -> None:
    """Before those that it depends on, or after lists that are empty."""
    game = play_game(plugin, "first", max_actions=60, check_replay=False)
    for position in islice(replay(plugin, game.record), 0, None, 6):
        for side in position.active:
            for kind in plugin.game.actions.placed(position.phase, position.state):
                for at, param in enumerate(kind.params):
                    lists = {p.name: () for p in kind.params[:at] if p.many}
                    for given in (EMPTY, FrozenMap(lists)):
                        asked = Begun(kind.name, given, param.name)
                        found = engine.next_choices(plugin, position, side, asked)
                        assert found.slot == param.name


@pytest.mark.parametrize("plugin", [p for p in GAMES if p.game.actions], ids=_key)
def test_a_unit_that_nobody_knows_needs_a_face(plugin: GamePlugin) -> None:
    for start in _starts(plugin):
        assert start.units
        name, unit = next(iter(start.units.items()))
        document = start.to_json()
        units = document["units"]
        assert isinstance(units, dict)
        hidden = {**units[name], "known_to": []}
        hidden.pop("face", None)
        faceless = Position.from_json({**document, "units": {**units, name: hidden}})
        assert [v.field for v in validate.problems(plugin, faceless)] == [f"units.{name}.face"]
        faced = {**hidden, "face": unit.type}
        shown = Position.from_json({**document, "units": {**units, name: faced}})
        assert not [v for v in validate.problems(plugin, shown) if v.field.endswith(".face")]
        for side in start.sides:  # in a view it is what it shows
            known = engine.view(plugin, faceless, side)
            assert not [v for v in validate.problems(plugin, known) if v.field.endswith(".face")]
