"""Pairs of games that differ in what the Axis player hides: the Soviet player is told the same.

Other tokens chosen, other tokens and another number of them in hand, other Luftwaffe markers: the
Soviet side's views, offers, choices, refusals and events must be equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from tow_ground import game, position, unit

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.secrecy.telling import telling
from hexmarshal.rules.state.disclosure import changes, shown
from hexmarshal.rules.state.position import Position

# One example is many comparisons: half as many of them.
HALF_AS_MANY = settings(max_examples=settings().max_examples // 2, deadline=None)

AXIS_TOKENS = ("pza1", "pza4", "a6", "a8", "okh-1", "okh-2")
SOVIET_TOKENS = ("voronezh-1", "steppe-1", "south_west-1", "south-1", "steppe-2", "reinforcement")
MARKERS = game().tables.air_markers
WANTED = int(game().tables.axis_tokens(2).number)
UNITS = {
    "vr": unit("soviet", "hq", "2030", "2-5"),
    "pz": unit("axis", "hq", "2020", "2-6"),
    "s": unit("soviet", "infantry", "1010", "5-4", "3-4"),
    "a": unit("axis", "infantry", "1011", "2-5", "1-5"),
}


@st.composite
def secrets(draw) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """What goes into the cup, what is kept in hand, and two markers that were drawn."""
    chosen = tuple(draw(st.permutations(AXIS_TOKENS))[:WANTED])
    kept = draw(st.integers(0, WANTED))
    markers = tuple(draw(st.permutations(MARKERS))[:2])
    return chosen[kept:], chosen[:kept], markers


def before_selection(markers: tuple[str, ...], **rest: object) -> Position:
    """Turn 2, both about to choose, and these markers drawn."""
    fields: dict[str, object] = {
        "turn": 2,
        "phase": "selection",
        "state": "",
        "active": [],
        "frames": [
            {
                "kind": "selection",
                "deciders": [{"side": "soviet"}, {"side": "axis"}],
                "sealed": True,
            }
        ],
    }
    start = position(UNITS, {}, **(fields | rest))
    piles = start.piles
    held = {
        "axis-pool": AXIS_TOKENS,
        "turn-track": ("airborne", "stavka"),
        "luftwaffe-drawn": markers,
        "luftwaffe": tuple(m for m in MARKERS if m not in markers),
    }
    return start.with_pile(*(replace(piles[name], cards=cards) for name, cards in held.items()))


class Table:
    """One of the two games, with all that the Soviet side was told so far."""

    def __init__(self, start: Position) -> None:
        self.now = start
        self.told: list[object] = []

    def do(
        self, kind: str, side: str, *, drawn: str = "", dice: tuple[int, ...] = (), **params: object
    ) -> None:
        """An action; `drawn` is what comes out of the cup."""
        action = game().game.actions.make(kind, side, **params)
        picks = [self.now.pile("cup").cards.index(drawn) + 1] if drawn else []
        done = engine.perform(game(), self.now, action, Dice(given=dice, picks=picks))
        before, after = (engine.view(game(), p, "soviet") for p in (self.now, done.position))
        heard = telling(game(), kind, side, self.now, done.position, rolled=bool(done.rolls))
        self.now = done.position
        if "soviet" in heard.untold:
            return
        self.told.append("soviet" in heard.aside)
        if side != "soviet" and game().game.actions[kind].sealed is not None:
            self.told.append((side, tuple(changes(before, after))))
        else:
            self.told.append(
                shown(action, done.effects, done.resolutions, done.rolls, before, after)
            )

    def soviet(self) -> list[object]:
        """All that the Soviet side can see, be offered, ask for and be refused now."""
        view = engine.view(game(), self.now, "soviet")
        kinds = game().game.actions
        found: list[object] = [self.told, view.to_json()]
        found += engine.offers(game(), self.now, "soviet", [k for k in kinds if k != "move"])
        found.append(engine.next_choices(game(), self.now, "soviet", reasons=True))
        found += self._tries()
        return found

    def _tries(self) -> Iterator[object]:
        make = game().game.actions.make
        for token in (*AXIS_TOKENS, "stavka"):
            yield self._refusal(make("throw_in", "soviet", token=token))
            yield self._refusal(make("choose_tokens", "soviet", tokens=[token], hand=[token]))
        for marker in MARKERS:
            yield self._refusal(make("air_support", "soviet", markers=[marker]))
        for kind in ("draw", "interrupt", "let_stand", "pass"):
            yield self._refusal(make(kind, "soviet"))
        for kind in ("throw_in", "choose_tokens", "air_support"):
            try:
                yield engine.next_choices(game(), self.now, "soviet", Begun(kind), reasons=True)
            except HexMarshalError as error:
                yield error.as_dict()

    def _refusal(self, action: Action) -> object:
        try:
            return engine.check(game(), self.now, action)
        except HexMarshalError as error:
            return error.as_dict()


@HALF_AS_MANY
@given(secrets(), secrets(), st.booleans())
def test_a_turn_tells_nothing_of_what_the_axis_chose_and_holds(one, other, first) -> None:
    tables = []
    for cup, hand, markers in (one, other):
        table = Table(before_selection(markers))
        looks = [table.soviet()]
        choices = [
            ("axis", {"tokens": list(cup), "hand": list(hand)}),
            ("soviet", {"tokens": list(SOVIET_TOKENS)}),
        ]
        for side, params in choices if first else choices[::-1]:
            table.do("choose_tokens", side, **params)
            looks.append(table.soviet())
        for token in ("supply", "south-1", "reinforcement"):
            table.do("draw", "axis", drawn=token)
            looks.append(table.soviet())
            if table.now.state == "interrupt":
                table.do("let_stand", "axis")
                looks.append(table.soviet())
        tables.append(looks)
    for mine, theirs in zip(*tables, strict=True):
        assert mine == theirs


@settings(max_examples=20)
@given(secrets(), secrets())
def test_a_token_thrown_in_tells_that_one_went_in_and_no_more(one, other) -> None:
    looks = []
    for cup, hand, markers in (one, other):
        table = Table(before_selection(markers))
        table.do("choose_tokens", "axis", tokens=list(cup[1:]), hand=[*hand, *cup[:1]])
        table.do("choose_tokens", "soviet", tokens=list(SOVIET_TOKENS))
        table.do("throw_in", "axis", token=table.now.pile("axis-hand").cards[0])
        looks.append(table.soviet())
    assert looks[0] == looks[1]
    told = looks[0][0]
    assert isinstance(told, list)
    (event,) = [e for e in told if getattr(getattr(e, "action", None), "kind", "") == "throw_in"]
    assert not event.action.params
    assert [r.result for r in event.resolutions] == ["thrown in"]


@settings(max_examples=15)
@given(secrets(), secrets(), st.integers(1, 6))
def test_a_combat_tells_nothing_of_markers_that_stay_in_hand(one, other, die) -> None:
    looks = []
    for _, _, markers in (one, other):
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
        table = Table(before_selection(markers, phase="action", state="draw", frames=frames))
        table.do("attack", "soviet", attackers=["s"], target="1011")
        seen = [table.soviet()]
        table.do("air_support", "axis", dice=(die,), markers=[])
        looks.append([*seen, table.soviet()])
    assert looks[0] == looks[1]
