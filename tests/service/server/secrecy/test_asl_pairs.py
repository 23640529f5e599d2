"""Pairs of matches of Advanced Squad Leader: who lies under a "?", or hides, shows in no stream."""

from __future__ import annotations

from collections import Counter

import pytest

from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.rules.state.position import Position
from server.conftest import serving

from .test_game_pairs import Arranged, Seen, same


class ArrangedSquads(Arranged, AdvancedSquadLeader):
    """Advanced Squad Leader."""


@pytest.fixture(scope="module")
def club():
    games = Registry()
    plugin = ArrangedSquads()
    plugin.starts, plugin.counted = {}, Counter()
    games.add(plugin)
    with serving(games, auth="tokens") as live:
        live.at = {side: live.client(live.token(side)) for side in ("attacker", "defender")}
        live.plugins = {"asl": plugin}
        yield live


def squads(plugin, phase, phasing, more):
    units = {
        "g1": {"type": "german_4-6-7", "side": "attacker", "cell": "F4"},
        "g2": {"type": "german_4-6-7", "side": "attacker", "cell": "G2", "flags": ["broken", "dm"]},
        "g3": {"type": "leader_8-1", "side": "attacker", "cell": "F4"},
        "r1": {"type": "russian_4-4-7", "side": "defender", "cell": "I3"},
        **more,
    }
    fields = {
        "board": "proving",
        "turn": 1,
        "phase": phase,
        "active": [phasing],
        "units": units,
        "options": {"hidden_units": True},
        "extras": {"phasing": phasing, "first": "attacker", "turns": 5},
    }
    return Position.from_json(plugin.blank().to_json() | fields)


def covered(kind, cell="E4", **more):
    return {"type": kind, "side": "defender", "cell": cell, "flags": ["concealed"], **more}


MG = {"type": "russian_lmg", "side": "defender", "bonds": {"possesses": ["x"]}}
HIDDEN = {"type": "russian_6-2-8", "side": "defender", "cell": "K3", "flags": ["hidden"]}
PAIRS = {
    "a squad with a gun, or a dummy": (
        {"x": covered("russian_4-4-7"), "y": MG},
        {"x": covered("dummy")},
    ),
    "somebody hidden, or nobody": ({"z": HIDDEN}, {}),
}
TRIES = (
    ("fire", {"firers": ["g1"], "target": "E4"}),
    ("fire", {"firers": ["g1"], "target": "K3"}),
    ("step", {"to": "F5"}),
    ("first_fire", {"firers": ["g1"]}),
    ("reveal", {"unit": "x"}),
    ("reveal", {"unit": "z"}),
    ("conceal", {"unit": "g1"}),
    ("rout", {"unit": "g2", "path": ["F2"]}),
    ("search", {}),
    ("close_combat", {"cell": "E4"}),
    ("end_phase", {}),
)


@pytest.mark.parametrize("pair", PAIRS)
def test_a_player_turn_shows_nothing_of_it(club, pair):
    """ASL-A12.12a, ASL-A12.12d, ASL-HIP-1: fire, a move under a window for fire, rout, advance."""
    plugin = club.plugins["asl"]
    matches = []
    for scenario, more in zip(("one", "two"), PAIRS[pair], strict=True):
        plugin.starts[scenario] = squads(plugin, "prep_fire", "attacker", more)
        seen = Seen(club, "asl", scenario, "attacker", "defender")
        seen.look(*TRIES)
        seen.do("attacker", "end_phase")
        seen.do("attacker", "move", units=["g1", "g3"])
        seen.do("attacker", "step", to="F5")
        seen.look(*TRIES)
        seen.do("defender", "hold_fire")
        seen.do("attacker", "stop")
        seen.do("attacker", "end_phase")
        seen.do("defender", "end_phase")
        seen.look(*TRIES)
        seen.do("attacker", "end_phase")
        seen.do("attacker", "rout", unit="g2", low_crawl=True, path=["F2"])
        seen.do("attacker", "end_phase")
        seen.do("defender", "end_phase")
        seen.look(*TRIES)
        seen.do("attacker", "end_phase")
        seen.do("attacker", "end_phase")
        seen.look(*TRIES)
        matches.append(seen)
    same(*matches)


def test_what_moves_under_a_question_mark_is_not_told(club):
    """ASL-A12.12a, ASL-CONL-4: the other side moves it by assault movement, out of the open."""
    plugin = club.plugins["asl"]
    matches = []
    for scenario, more in zip(("one", "two"), PAIRS["a squad with a gun, or a dummy"], strict=True):
        plugin.starts[scenario] = squads(plugin, "movement", "defender", more)
        seen = Seen(club, "asl", scenario, "attacker", "defender")
        seen.look(*TRIES)
        seen.do("defender", "move", units=["x"], assault=True)
        seen.do("defender", "step", to="E3")
        seen.look(*TRIES)
        seen.do("attacker", "hold_fire")
        seen.do("defender", "stop")
        seen.look(*TRIES)
        seen.do("defender", "end_phase")
        seen.look(*TRIES)
        matches.append(seen)
    same(*matches)
