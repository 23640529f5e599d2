"""Pairs of matches of real games that differ in what one side hides: the other is told the same.

The other side has a stream open all the while, asks whatever can be asked, tries what it may not
do, and counts how much the server had to judge for it. All of that must be equal.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from dataclasses import replace

import pytest

from hexmarshal.client import InMatch
from hexmarshal.client.errors import ServiceError
from hexmarshal.games.heroes_of_stalingrad import HeroesOfStalingrad
from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap, freeze
from server.conftest import serving

PATIENCE = 20.0


class Arranged:
    """A game that begins where a test wants it to, and counts what it is asked to judge."""

    starts: dict[str, Position]
    counted: Counter[str]

    def scenarios(self):
        one = super().scenarios()[0]
        return [type(one)(key, key) for key in ("one", "two")]

    def setup(self, scenario, options, generator):
        return replace(self.starts[scenario], scenario=scenario, generator=generator)

    def check(self, position, action):
        self.counted[action.kind] += 1
        return super().check(position, action)


class ArrangedTraces(Arranged, TracesOfWar):
    """Traces of War."""


class ArrangedHeroes(Arranged, HeroesOfStalingrad):
    """Heroes of Stalingrad."""


@pytest.fixture(scope="module")
def club():
    """A server with both games, and a client for each player."""
    games = Registry()
    plugins = {plugin.game.key: plugin for plugin in (ArrangedTraces(), ArrangedHeroes())}
    for plugin in plugins.values():
        plugin.starts, plugin.counted = {}, Counter()
        games.add(plugin)
    with serving(games, auth="tokens") as live:
        sides = ("soviet", "axis", "russian", "german")
        live.at = {side: live.client(live.token(side)) for side in sides}
        live.plugins = plugins
        yield live


class Seen:
    """One match, and all that the side `eye` gets of it: by asking, and by its open stream."""

    def __init__(self, live, game, scenario, eye, hider):
        self.at, self.eye, self.plugin = live.at, eye, live.plugins[game]
        self.log, self.stream = [], []
        seats = {side: side for side in (eye, hider)}
        self.id = self.at[eye].create_match(game, scenario, seed="pairs", seats=seats).id
        self.scenario = scenario
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self):
        try:
            for event in self.at[self.eye].watch(self.id):
                self.stream.append((event.version, self.plain(event)))
        except ServiceError:
            pass

    def plain(self, thing):
        text = str(thing).replace(self.id, "ID").replace(f'"{self.scenario}"', '"S"')
        lines = (line for line in text.splitlines() if "seconds" not in line)
        return "\n".join(line for line in lines if "nanos" not in line)

    def note(self, *what):
        self.log += map(self.plain, what)

    def do(self, side, kind, **params):
        action = Action(kind, side, FrozenMap({k: freeze(v) for k, v in params.items()}))
        version = self.at[side].match(self.id).version
        event = self.at[side].submit(self.id, version, action)
        if side == self.eye:
            self.note("did", event)

    def look(self, *tries):
        """Whatever the side can ask and try, and how much that had to be judged."""
        mine, here = self.at[self.eye], InMatch(self.id)
        before = Counter(self.plugin.counted)
        match = mine.match(self.id)
        self.note(match.version, match.position)
        self.note([m.version for m in mine.matches() if m.id == self.id])
        self.ask(lambda: mine.choices(here, "", reasons=True))
        for kind, params in tries:
            action = Action(kind, self.eye, FrozenMap({k: freeze(v) for k, v in params.items()}))
            self.ask(lambda action=action: mine.check(here, action))
            self.ask(lambda action=action: mine.submit(self.id, match.version + 50, action))
            self.ask(lambda kind=kind: mine.choices(here, kind, reasons=True))
        self.ask(lambda: mine.undo(self.id, match.version - 1))
        for line in mine.export(self.id).splitlines():
            event = json.loads(line).get("event", {})
            event.pop("time", None)
            self.note(json.dumps(event, sort_keys=True))
        self.note(sorted((Counter(self.plugin.counted) - before).items()))

    def ask(self, question):
        try:
            self.note(question())
        except ServiceError as error:
            self.note(str(error), error.metadata)

    def streamed(self):
        """What came by the stream, once it has caught up with the match."""
        last = self.at[self.eye].match(self.id).version
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and (not self.stream or self.stream[-1][0] < last):
            time.sleep(0.01)
        assert self.stream
        assert self.stream[-1][0] == last, "the stream never caught up"
        return [text for _, text in self.stream]


def same(one, other):
    assert len(one.log) > 20
    for mine, theirs in zip(one.log, other.log, strict=True):
        assert mine == theirs
    assert one.streamed() == other.streamed()


# Traces of War: tokens in hand, Luftwaffe markers

CUP = ("pza1", "pza4")
SOVIET = ("voronezh-1", "steppe-1", "south_west-1", "south-1", "steppe-2", "reinforcement")


def _unit(side, type, cell, *ladder):
    values = {"ladder": list(ladder), "radius": 3}
    return {"type": type, "side": side, "cell": cell, "steps": len(ladder), "values": values}


def traces(plugin, markers, **rest):
    """Turn 2 of Traces of War, with these Luftwaffe markers drawn."""
    units = {
        "vr": _unit("soviet", "hq", "2030", "2-5"),
        "pz": _unit("axis", "hq", "2020", "2-6"),
        "s": _unit("soviet", "infantry", "1010", "5-4", "3-4"),
        "a": _unit("axis", "infantry", "1011", "2-5", "1-5"),
    }
    choosing = {
        "kind": "selection",
        "deciders": [{"side": "soviet"}, {"side": "axis"}],
        "sealed": True,
    }
    fields = {
        "turn": 2,
        "phase": "selection",
        "state": "",
        "active": [],
        "frames": [choosing],
    }
    start = Position.from_json(plugin.blank().to_json() | {"units": units} | fields | rest)
    pool = (*CUP, "a6", "a8", "okh-1", "okh-2")
    held = {
        "axis-pool": pool,
        "turn-track": ("airborne", "stavka"),
        "luftwaffe-drawn": markers,
        "luftwaffe": tuple(m for m in plugin.tables.air_markers if m not in markers),
    }
    return start.with_pile(*(replace(start.piles[n], cards=c) for n, c in held.items()))


TRIES = (
    ("throw_in", {"token": "a6"}),
    ("throw_in", {"token": "okh-1"}),
    ("interrupt", {}),
    ("draw", {}),
    ("air_support", {"markers": []}),
)


def test_tokens_kept_in_hand_and_markers_drawn_show_in_no_stream(club):
    plugin = club.plugins["traces_of_war"]
    all_markers = plugin.tables.air_markers
    wanted = int(plugin.tables.axis_tokens(2).number)
    hands = (("a6", "a8", "okh-1"), ("okh-2", "okh-1", "a8"))
    drawn = (all_markers[:2], all_markers[-2:])
    matches = []
    for scenario, hand, markers in zip(("one", "two"), hands, drawn, strict=True):
        plugin.starts[scenario] = traces(plugin, markers)
        seen = Seen(club, "traces_of_war", scenario, "soviet", "axis")
        seen.look(*TRIES)
        kept = hand[: max(0, wanted - len(CUP))]
        seen.do("axis", "choose_tokens", tokens=list(CUP[: wanted - len(kept)]), hand=list(kept))
        seen.look(*TRIES)
        seen.do("soviet", "choose_tokens", tokens=list(SOVIET))
        for _ in range(4):
            now = club.at["axis"].match(seen.id).position
            if now.state != "draw":
                break
            seen.do("axis", "draw")
            seen.look(*TRIES)
            if club.at["axis"].match(seen.id).position.state == "interrupt":
                seen.do("axis", "let_stand")
                seen.look(*TRIES)
        matches.append(seen)
    same(*matches)


def test_luftwaffe_markers_that_stay_in_hand_show_in_no_stream(club):
    plugin = club.plugins["traces_of_war"]
    all_markers = plugin.tables.air_markers
    about = {
        "side": "soviet",
        "units": ["s"],
        "mode": "combat_move",
        "segment": 1,
        "moved": [],
        "fought": [],
        "targets": [],
    }
    frames = [
        {"kind": "activation", "about": about},
        {"kind": "combat", "deciders": [{"side": "soviet"}]},
    ]
    matches = []
    for scenario, markers in (("one", all_markers[:2]), ("two", all_markers[-3:-1])):
        plugin.starts[scenario] = traces(
            plugin, markers, phase="action", state="draw", frames=frames
        )
        seen = Seen(club, "traces_of_war", scenario, "soviet", "axis")
        seen.look(*TRIES)
        seen.do("soviet", "attack", attackers=["s"], target="1011")
        seen.look(*TRIES)
        seen.do("axis", "air_support", markers=[])
        seen.look(*TRIES)
        matches.append(seen)
    same(*matches)


# Heroes of Stalingrad: faces of order tokens, cards, who lies in ambush, standing orders


def heroes(plugin, tokens, cards):
    """The Russian reveals; what the German's tokens and cards are he does not know."""
    at = {"r1": ("rifle_group", "0505"), "g1": ("fire_group", "0905"), "g2": ("mg42", "1006")}
    units = {
        name: {
            "type": kind,
            "cell": cell,
            "steps": 2,
            "side": "russian" if name[0] == "r" else "german",
        }
        for name, (kind, cell) in at.items()
    }
    markers = {
        f"order-{unit}": {
            "kind": "order",
            "side": side,
            "unit": unit,
            "face": "order",
            "values": {"token": token},
            "known_to": [side],
        }
        for unit, side, token in (
            ("r1", "russian", "1"),
            ("g1", "german", tokens[0]),
            ("g2", "german", tokens[1]),
        )
    }
    piles = {
        "german-hand": {"cards": list(cards), "side": "german", "known_to": ["german"]},
        "german-discard": {"side": "german"},
    }
    document = {"units": units, "markers": markers, "piles": piles, "tracks": {"special-german": 1}}
    return Position.from_json(plugin.blank().to_json() | document)


GUESSES = (
    ("special_order", {"unit": "g1"}),
    ("rally", {"card": "rally-1", "unit": "r1"}),
    ("fire", {"unit": "r1", "target": "g2"}),
    ("reveal", {}),
)


@pytest.mark.parametrize("standing", [None, "pass_phase", "pass_until_adjacent"])
def test_sealed_orders_and_cards_show_in_no_stream(club, standing):
    """Nor do standing orders of the other side tell more in one match than in the other."""
    plugin = club.plugins["heroes_of_stalingrad"]
    secrets = (("1", "2"), ("rally-1", "fury-1")), (("special", "1"), ("surprise-1", "reactive-1"))
    matches = []
    for scenario, (tokens, cards) in zip(("one", "two"), secrets, strict=True):
        plugin.starts[scenario] = heroes(plugin, tokens, cards)
        seen = Seen(club, "heroes_of_stalingrad", scenario, "russian", "german")
        if standing:
            seen.do("german", "standing_order", decision="opportunity", order=standing)
        seen.look(*GUESSES)
        seen.do("russian", "reveal")
        seen.look(*GUESSES)
        seen.do("russian", "move", unit="r1", path=["0605", "0606"])
        seen.look(*GUESSES)
        for _ in range(4):
            if club.at["german"].match(seen.id).position.state != "opportunity":
                break
            seen.do("german", "hold_fire")
            seen.look(*GUESSES)
        matches.append(seen)
    same(*matches)
