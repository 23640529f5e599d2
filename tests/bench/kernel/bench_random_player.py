"""What the random player takes for an action, against a fixed piece of bare work.

Recorded before it sampled choices, when it drew from lists of offers: an action took 99 times the
bare work in Kharkov's training, 95 in its campaign, 105 and 292 in Conflict of Heroes'
first_steps and the_crossing. The goal is a fifth of that; where it is missed, see recorded.md. The
other games came later: of them it is recorded what they took then, and that is the goal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ratio import Ratio, spent

from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
from hexmarshal.games.heroes_of_stalingrad.plugin import HeroesOfStalingrad
from hexmarshal.games.kharkov.plugin import Kharkov
from hexmarshal.games.traces_of_war.plugin import TracesOfWar
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.plugin import GamePlugin

# A document as large as one action's event: read and written again it is the bare work.
DOCUMENT = json.dumps([{"unit": f"u{i}", "path": [i, i + 1], "facing": i % 6} for i in range(20)])
BEFORE = {
    ("kharkov", "training"): 99.0,
    ("kharkov", "campaign"): 95.0,
    ("conflict_of_heroes", "first_steps"): 105.0,
    ("conflict_of_heroes", "the_crossing"): 292.0,
}
LATER = {
    ("traces_of_war", "race"): 58.0,
    ("heroes_of_stalingrad", "drill"): 193.0,
    ("asl", "hill"): 150.0,
}
FASTER = 5
GAMES = 3
LONGEST = 150


def bare() -> None:
    for _ in range(2000):
        json.dumps(json.loads(DOCUMENT))


def an_action(plugin: GamePlugin, scenario: str) -> float:
    """Seconds of processor for one action of the random player."""
    actions = 0

    def play() -> None:
        nonlocal actions
        for seed in range(GAMES):
            game = play_game(
                plugin, f"b{seed}", scenario=scenario, max_actions=LONGEST, check_replay=False
            )
            actions += game.actions

    return spent(play) / actions


def measure() -> Iterable[Ratio]:
    games = (
        Kharkov(),
        ConflictOfHeroes(),
        TracesOfWar(),
        HeroesOfStalingrad(),
        AdvancedSquadLeader(),
    )
    plugins: dict[str, GamePlugin] = {p.game.key: p for p in games}
    goals = {place: before / FASTER for place, before in BEFORE.items()} | LATER
    for (game, scenario), before in (BEFORE | LATER).items():
        plugin = plugins[game]
        an_action(plugin, scenario)  # maps and tables are read once
        base = min(spent(bare) for _ in range(5)) / 2000
        took = min(an_action(plugin, scenario) for _ in range(6))
        name = f"random player, {game} {scenario}: an action, was {before:g}"
        yield Ratio(name, took, base, goals[game, scenario])
