"""What a quick look rules out leads to no legal action, in positions of real games."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from hexmarshal.rules import ActionTable, engine
from hexmarshal.rules.choosing.chooser import Chooser
from hexmarshal.rules.playing.record import replay
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.values import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

GAMES = [
    plugin
    for plugin in registry.default().plugins()
    if any(kind.likely for kind in plugin.game.actions.values())
]
SCENARIOS = [(plugin, scenario.key) for plugin in GAMES for scenario in plugin.scenarios()[:3]]


def _unhurried(plugin: GamePlugin, monkeypatch: pytest.MonkeyPatch) -> GamePlugin:
    """The game without its quick looks: all candidates are put to the check."""
    slow = type(plugin)()
    kinds = (replace(kind, likely=None) for kind in slow.game.actions.values())
    monkeypatch.setattr(slow, "game", replace(slow.game, actions=ActionTable(kinds)))
    return slow


def _overlooked(plugin: GamePlugin, position: Position, action: Action) -> Iterator[str]:
    """The slots of a legal action for which a quick look leaves out what was chosen."""
    chooser = Chooser(plugin, engine.view(plugin, position, action.side), action.side)
    kind, given = plugin.game.actions[action.kind], EMPTY
    for param, later in zip(kind.params, kind.after, strict=True):
        value = action.params.get(param.name)
        entries = (value,) if not param.many else value if isinstance(value, tuple) else ()
        for number, entry in enumerate(entries):
            shown = chooser.values(kind, param, given, later)
            if entry not in (() if shown is None else shown):
                yield f"{action}: {param.name} {entry}"
            if param.many:
                given = given.set(param.name, entries[: number + 1])
        if value is not None:
            given = given.set(param.name, value)


@pytest.mark.parametrize(
    ("plugin", "scenario"), SCENARIOS, ids=[f"{p.game.key}-{s}" for p, s in SCENARIOS]
)
def test_a_quick_look_rules_out_nothing_legal(
    plugin: GamePlugin, scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = _unhurried(plugin, monkeypatch)
    game = play_game(slow, "quick", scenario=scenario, max_actions=150, check_replay=False)
    positions = replay(slow, game.record)
    for number, (position, event) in enumerate(zip(positions, game.record.events, strict=False)):
        done = plugin.game.actions.decode(dict(event.action))
        assert list(_overlooked(plugin, position, done)) == []
        if number % 30 == 5:
            for offer in islice(engine.offers(slow, position, position.active[0]), 0, 600, 7):
                assert list(_overlooked(plugin, position, offer.action)) == []
