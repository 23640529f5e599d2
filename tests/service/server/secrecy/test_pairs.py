"""Pairs of matches that differ in what one side hides: the other gets the same, whatever it asks.

Red hides other units in other woods, writes other orders for them and, in the second match, rests
where it marched in the first; its standing orders are the same. Blue's events, versions, offers,
choices, refusals and counts must be equal, byte for byte.
"""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tutorial2 import Picket, board

from hexmarshal.client import InMatch
from hexmarshal.client.errors import ServiceError
from hexmarshal.rules.action import Action
from hexmarshal.rules.plugins.registry import Registry
from hexmarshal.rules.values import FrozenMap, freeze
from server.conftest import serving

WOODS = ("0602", "0605", "0606", "0705")


class Elsewhere(Picket):
    """The same game, with red's hidden units where a test wants them."""

    def setup(self, scenario, options, generator):
        start = super().setup("raid", options, generator)
        where = dict(pair.split("@") for pair in scenario.split(" ") if pair)
        kept = start.without_unit("r2", "r3")
        hidden = start.unit("r2")
        for name, cell in where.items():
            kept = kept.with_unit(type(hidden)(name, "gun", "red", cell, seen_by=hidden.seen_by))
        return kept

    def scenarios(self):
        one = super().scenarios()[0]
        return [type(one)(key, "") for key in ARRANGED]


# Every way to hide up to two units in the woods.
ARRANGED = [
    " ".join(f"r{i + 2}@{cell}" for i, cell in enumerate(cells))
    for cells in [(), *((a,) for a in WOODS), *((a, b) for a in WOODS for b in WOODS if a < b)]
]


@pytest.fixture(scope="module")
def club():
    games = Registry()
    games.add(Elsewhere())
    with serving(games, auth="tokens") as live:
        names = ("blue", "red")
        live.at = {side: live.client(live.token(side)) for side in names}
        yield live


class Seen:
    """One match, and all that blue gets of it."""

    def __init__(self, live, scenario):
        self.at, self.log = live.at, []
        self.id = (
            self.at["blue"]
            .create_match("picket", scenario, seed="pairs", seats={s: s for s in live.at})
            .id
        )
        self.scenario = scenario

    def do(self, side, kind, **params):
        action = Action(kind, side, FrozenMap({k: freeze(v) for k, v in params.items()}))
        try:
            version = self.at[side].match(self.id).version
            event = self.at[side].submit(self.id, version, action)
        except ServiceError as error:
            if side == "blue":
                self.note("refused", str(error), error.metadata)
            return
        if side == "blue":
            self.note("did", event)

    def note(self, *what):
        for one in what:
            text = str(one).replace(self.id, "ID").replace(f'"{self.scenario}"', '"S"')
            lines = [line for line in text.splitlines() if "seconds" not in line]
            self.log.append("\n".join(line for line in lines if "nanos" not in line))

    def look(self):
        """Whatever blue can ask."""
        blue, here = self.at["blue"], InMatch(self.id)
        match = blue.match(self.id)
        self.note(match.version, match.position)
        self.note([m.version for m in blue.matches() if m.id == self.id])
        self.note(list(blue.actions(here, "blue")))
        for kind in ("", "order", "fire"):
            self.ask(lambda kind=kind: blue.choices(here, kind, reasons=True))
        for unit in ("b1", "r2", "r3", "r9"):
            for kind, rest in (("order", {"path": ("0202",)}), ("fire", {})):
                action = Action(kind, "blue", FrozenMap({"unit": unit, **rest}))
                self.ask(lambda action=action: blue.check(here, action))
        self.ask(lambda: blue.undo(self.id, match.version - 1))
        self.ask(lambda: next(blue.watch(self.id, match.version + 1)))
        for line in blue.export(self.id).splitlines():
            event = json.loads(line).get("event", {})
            event.pop("time", None)
            self.note(json.dumps(event, sort_keys=True))

    def ask(self, question):
        try:
            self.note(question())
        except ServiceError as error:
            self.note(str(error), error.metadata)


PATHS = st.lists(st.sampled_from(["0102", "0103", "0202", "0203", "0301", "0304"]), max_size=2)
BLUE = st.dictionaries(st.sampled_from(["b1", "b2", "b3"]), PATHS, max_size=3)
STANDING = st.one_of(
    st.none(),
    st.tuples(
        st.sampled_from(["ask", "pass_phase", "pass_until_adjacent"]),
        st.lists(st.sampled_from(["0202", "0303"]), max_size=2),
    ),
)


@settings(max_examples=12)
@given(
    st.sampled_from(ARRANGED),
    st.sampled_from(ARRANGED),
    BLUE,
    STANDING,
    st.booleans(),
    st.booleans(),
)
def test_what_red_hides_changes_nothing_that_blue_gets(
    club, one, other, orders, standing, first, shoots
):
    logs = []
    for scenario, busy in ((one, True), (other, False)):
        seen = Seen(club, scenario)
        if standing:
            order, cells = standing
            seen.do("red", "standing_order", decision="reaction", order=order, cells=cells)
        hidden = [pair.split("@") for pair in scenario.split(" ") if pair]
        seen.look()
        if busy:
            # Orders that lead from one wood into the next.
            for name, cell in hidden:
                ways = [near for near in board.around(cell)[1:] if near in WOODS]
                for way in ways[:1]:
                    seen.do("red", "order", unit=name, path=[way])
        seen.look()
        if first:
            seen.do("red", "ready")
        for unit, path in orders.items():
            seen.do("blue", "order", unit=unit, path=path)
        seen.look()
        seen.do("blue", "ready")
        if not first:
            seen.look()
            seen.do("red", "ready")
        for _ in range(8):
            match = club.at["red"].match(seen.id)
            if match.position.state != "reaction":
                break
            if shoots:
                seen.do("red", "fire", unit="r1")
                shooting = club.at["red"].match(seen.id).version != match.version
            if not shoots or not shooting:
                seen.do("red", "hold_fire")
            seen.look()
        seen.look()
        logs.append(seen.log)
    assert logs[0] == logs[1]
    assert len(logs[0]) > 40
