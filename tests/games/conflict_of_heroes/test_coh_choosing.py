"""By brute force: every legal action can be chosen step by step, and nothing else can.

What has one spelling is tried in that: how an action is paid for is said, luck is true or left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from pathlib import Path

import pytest

from hexmarshal.errors import RulesError
from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
from hexmarshal.rules import Action, ActionTable, engine
from hexmarshal.rules.cases.conformance import load_cases, situation
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.playing.record import replay
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.plugin import Game
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import EMPTY, FrozenMap, Value
from hexmarshal.testkit import choice_problems

COH = ConflictOfHeroes()
ACTIONS = COH.game.actions
CASES = Path(__file__).parents[2] / "conformance/conflict_of_heroes"
OR_NOT: tuple[Value, ...] = (None, True)
NEAR = ("9-E02", "9-E03", "9-E04", "9-E05", "9-E06")
G = {"type": "german_rifles_41", "side": "german", "cell": "9-E03", "facing": 2}
H = {"type": "german_lmg_34", "side": "german", "cell": "9-E02", "facing": 2}
S = {"type": "soviet_rifles_41", "side": "soviet", "cell": "9-E06", "facing": 5}


def at(**changes: object) -> Position:
    """Two Germans, one of them active, before a Soviet unit, with the changes."""
    document = COH.blank().to_json() | {
        "tracks": {"ap-german": 7, "cap-german": 2, "cap-soviet": 2},
        "units": {"g": G | {"flags": ["active"]}, "h": H, "s": S},
    }
    for name, value in changes.items():
        if isinstance(value, dict) and isinstance(document.get(name), dict):
            value = {**document[name], **value}
        document[name] = value
    return Position.from_json(document)


def held(*cards: str) -> dict[str, object]:
    return {"hand-german": {"cards": list(cards), "side": "german", "known_to": ["german"]}}


def domains(position: Position, *kinds: str) -> dict[str, tuple[Value, ...]]:
    """The spellings of the slots that many actions have."""
    own = tuple(u.id for u in position.of_side("german"))
    hand = position.pile("hand-german").cards
    found: dict[str, tuple[Value, ...]] = {}
    for kind in kinds:
        slots: dict[str, tuple[Value, ...]] = {
            "unit": own,
            "vehicle": own,
            "units": own,
            "supporters": own,
            "thrown": own,
            "by": ("ap", "opportunity", "command", *(("card",) if hand else ())),
            "card": (None, *dict.fromkeys(hand)),
            "pay_card": (None, "ap"),
            "top_up": (None, 1),
            "luck": OR_NOT,
            "aimed": OR_NOT,
            "weapon": OR_NOT,
            "occupy": OR_NOT,
            "facing": tuple(range(6)),
            "cell": NEAR,
            "cells": NEAR,
        }
        found |= {f"{kind}.{name}": values for name, values in slots.items()}
    return found


def proven(position: Position, kind: str, longest: int = 2, **own: tuple[Value, ...]) -> None:
    """Whatever is legal of this kind is found by choosing, but for what says nothing."""
    given = domains(position, kind) | {f"{kind}.{name}": v for name, v in own.items()}
    found = choice_problems(COH, position, "german", kinds=[kind], longest=longest, domains=given)
    assert [line for line in found if not _moot(line)] == []


def _moot(line: str) -> bool:
    """A card that nothing is played with, points that complete nothing, a colour without choice."""
    words = dict(word.partition("=")[::2] for word in line.split() if "=" in word)
    by = words.get("by", "card")
    card = COH.tables.cards.get(words.get("card", "")) if by == "card" else None
    if "card" in words and card is None:
        return True
    mixed = card is not None and card.cost > 0 and card.pay == "either"
    if "pay_card" in words and not mixed:
        return True
    if "top_up" in words and card is not None and int(words["top_up"]) >= card.cost:
        return True
    return "top_up" in words and by != "ap" and words.get("pay_card") != "ap"


WIRE = at(markers={"w": {"kind": "wire", "cell": "9-E04"}}, piles=held("12"))
TRENCH = at(markers={"t": {"kind": "trench", "cell": "9-E04"}})
TANK = at(units={"g": G | {"type": "german_panzer_3e", "flags": ["active"]}})
CARDS = at(piles=held("05", "02"))


@pytest.mark.parametrize("position", [at(), WIRE, TRENCH, TANK, CARDS])
def test_moves_are_chosen_hex_by_hex(position: Position) -> None:
    """COH-5.0a, COH-14.1a, COH-18.3.1a, COH-18.2a, COH-C05."""
    ways = ("ap", "card") if position is CARDS else ("ap", "command")
    proven(position, "move", by=ways, facing=(0,), mode=(None,), cap=(None, 1), fort=(None,))


def test_pivots_are_chosen() -> None:
    """COH-5.3a."""
    proven(at(), "pivot")


@pytest.mark.parametrize(
    "position",
    [
        at(),
        at(units={"g": G | {"cell": "9-E05", "facing": 2, "flags": ["active"]}}),
        at(units={"g": G | {"flags": ["active"], "values": {"weapon": "grenades"}}}),
        at(piles=held("09", "12")),
    ],
)
def test_shots_are_chosen_with_supporters_one_by_one(position: Position) -> None:
    """COH-7.0a, COH-9.1.2a, COH-9.1.2b."""
    proven(
        position,
        "fire",
        by=("ap", "opportunity"),
        cell=NEAR[3:],
        mode=(None, "flame"),
        observer=(None,),
        facing=(None,),
        cap=(None, 1),
        top_up=(None,),
    )


def test_mortars_have_observers() -> None:
    """COH-12.0b."""
    mortar = at(tracks={"cap-german": 0}, units={"g": G | {"type": "german_mortar_8cm"}, "h": S})
    proven(
        mortar,
        "fire",
        cell=NEAR[4:],
        mode=(None, "indirect", "smoke"),
        observer=(None, *NEAR[:3]),
        facing=(None,),
        cap=(None,),
        top_up=(None,),
        by=("opportunity",),
    )


def test_close_combat_is_chosen() -> None:
    """COH-7.7.3a."""
    melee = at(units={"s": S | {"cell": "9-E03"}, "h": H | {"cell": "9-E03"}})
    proven(
        melee,
        "close_combat",
        mode=(None, "flame"),
        target=(None, "s", "h"),
        work=(None,),
        by=("ap", "opportunity"),
        cap=(None, 1),
        top_up=(None,),
    )


HIT = at(
    markers={
        "a": {
            "kind": "foot-pinned",
            "unit": "g",
            "side": "german",
            "known_to": ["german"],
            "face": "hit",
        },
        "b": {
            "kind": "foot-suppressed",
            "unit": "h",
            "side": "german",
            "known_to": ["german"],
            "face": "hit",
        },
    },
    piles=held("03", "12"),
)


@pytest.mark.parametrize(
    ("position", "kind"),
    [
        (HIT, "rally"),
        (at(), "dig_in"),
        (CARDS, "dig_in"),
        (at(units={"s": S | {"cell": "9-A01"}}), "hide"),
        (TRENCH, "shift"),
        (at(markers={"t": {"kind": "trench", "cell": "9-E03"}}), "shift"),
        (at(units={"v": H | {"type": "german_sdkfz_251", "cell": "9-E03"}}), "load"),
        (
            at(
                units={
                    "v": H | {"type": "german_sdkfz_251", "cell": "9-E03", "flags": ["active"]},
                    "g": {"type": "german_rifles_41", "side": "german", "carrier": "v"},
                }
            ),
            "unload",
        ),
        (at(extras={"exits": {"german": ["9-E03"]}}), "leave"),
    ],
)
def test_other_actions_of_units_are_chosen(position: Position, kind: str) -> None:
    """COH-7.6a, COH-18.1.3a, COH-10.2a, COH-18.2a, COH-17.0b, COH-17.0c, COH-5.6a."""
    proven(position, kind, cap=(None,), facing=(0, 1), fort=(None,))
    if kind == "rally":
        proven(position, kind, longest=1, cap=(None, 1, 2))


def test_cards_and_turns_are_chosen() -> None:
    """COH-8.1a, COH-3.0a, COH-2.2c."""
    hand = at(piles=held("06", "08", "30", "40"))
    about: dict[str, dict[str, tuple[Value, ...]]] = {
        "06": {"unit": ("g", "s", None)},
        "08": {},
        "30": {"unit": ("g", "s", None)},
        "40": {"unit": ("g", "h", "s", None), "cell": (None, *NEAR)},
    }
    nothing = dict.fromkeys(("unit", "cell", "marker", "against"), (None,))
    for card, slots in about.items():
        proven(hand, "play", **{**nothing, "card": (card,), "cap": (None, 1, 2), **slots})
    for kind in ("activate", "stall", "finish", "pass"):
        proven(at(), kind, cap=(None, 1), by=("ap", "command"))


def test_a_group_moves_unit_by_unit_without_a_list_of_all() -> None:
    """COH-9.1.1a: the second of a group stands beside the first; nobody is asked about both."""
    begun = Begun("group_move", FrozenMap({"by": "opportunity"}), "moves")
    fresh = at(units={"g": G, "k": H | {"cell": "9-E08"}})
    first = engine.next_choices(COH, fresh, "german", begun)
    assert {choice.value["unit"] for choice in first.choices} == {"g", "h", "k"}
    assert not first.ready
    one = next(c.value for c in first.choices if c.value["unit"] == "g")
    more = Begun("group_move", FrozenMap({"by": "opportunity", "moves": (one,)}), "moves")
    second = engine.next_choices(COH, fresh, "german", more)
    assert {choice.value["unit"] for choice in second.choices} == {"h"}
    assert not second.complete or one["path"]
    two = next(c.value for c in second.choices if c.value["path"])
    both = Begun("group_move", FrozenMap({"by": "opportunity", "moves": (one, two)}), "moves")
    whole = engine.next_choices(COH, fresh, "german", both)
    assert whole.ready
    assert whole.complete
    assert whole.then == "cap"


def test_a_far_page_of_group_moves_costs_what_it_shows() -> None:
    start = engine.start(COH, "first_steps", seed=1)
    begin = ACTIONS.make("begin_turn", start.active[0])
    position = engine.perform(COH, start, begin).position
    while position.state:
        side = position.active[0]
        action = next(engine.offers(COH, position, side)).action
        position = engine.perform(COH, position, action).position
    (side,) = position.active
    walk = engine.walk(COH, position, side, ["group_move"])
    stops = list(islice((stop for stop in walk.stops() if stop.offer), 3000))
    again = engine.walk(COH, position, side, ["group_move"])
    assert next(stop for stop in again.stops(stops[-2].spot) if stop.offer) == stops[-1]
    assert again.checks < walk.checks / 3


class Unhurried(ConflictOfHeroes):
    """The game without its quick looks: all candidates are put to the check."""

    @cached_property
    def game(self) -> Game:
        game = super().game
        kinds = (replace(kind, likely=None) for kind in game.actions.values())
        return replace(game, actions=ActionTable(kinds))


def _overlooked(position: Position, action: Action) -> Iterator[str]:
    """The slots of a legal action for which a quick look leaves out what was chosen."""
    chooser = engine.walk(COH, position, action.side).chooser
    kind, given = ACTIONS[action.kind], EMPTY
    for param, later in zip(kind.params, kind.after, strict=True):
        value = action.params.get(param.name)
        entries = (value,) if not param.many else value if isinstance(value, tuple) else ()
        for number, entry in enumerate(entries):
            every = chooser.values(kind, param, given, later, unlikely=True)
            shown = chooser.values(kind, param, given, later)
            if every is not None and entry in every and (shown is None or entry not in shown):
                yield f"{action}: {param.name} {entry}"
            if param.many:
                given = given.set(param.name, entries[: number + 1])
        if value is not None:
            given = given.set(param.name, value)


@pytest.mark.parametrize(
    ("scenario", "options"),
    [
        ("first_steps", {}),
        ("the_crossing", {}),
        ("four_hands", {"variable_ap": True, "cautious_movement": True}),
        ("drill", {"fog_of_war": True}),
    ],
)
def test_a_quick_look_rules_out_nothing_legal(scenario: str, options: dict) -> None:
    slow = Unhurried()
    game = play_game(
        slow, "quick", scenario=scenario, options=options, max_actions=120, check_replay=False
    )
    for number, (position, event) in enumerate(
        zip(replay(slow, game.record), game.record.events, strict=False)
    ):
        assert list(_overlooked(position, ACTIONS.decode(dict(event.action)))) == []
        if number % 30 == 5:
            (side, *_) = position.active
            offers = engine.offers(slow, position, side)
            for offer in islice(offers, 0, 1500, 11):
                assert list(_overlooked(position, offer.action)) == []


def _legal_cases() -> Iterator[tuple[str, Position, Action]]:
    for file in sorted(CASES.rglob("*.yaml")):
        for case in load_cases(file).cases:
            document = case.body.get("action")
            if not isinstance(document, dict):
                continue
            with suppress(RulesError):  # some are about what there is not
                position, action = situation(COH, case), ACTIONS.decode(document)
                if engine.check(COH, position, action).legal:
                    yield case.id, position, action


def test_a_quick_look_rules_out_nothing_that_a_case_calls_legal() -> None:
    tried = 0
    for name, position, action in _legal_cases():
        assert list(_overlooked(position, action)) == [], name
        tried += 1
    assert tried > 900
