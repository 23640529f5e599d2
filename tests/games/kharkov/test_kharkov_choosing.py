"""By brute force: every legal action can be chosen step by step, and nothing else can."""

from __future__ import annotations

from dataclasses import replace

import pytest
from kharkov_ground import game, position
from test_kharkov_offers import ATTACKS, MOVES, OTHERS

from hexmarshal.rules import Dice, FrozenMap, engine
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.state.position import Position
from hexmarshal.testkit import choice_problems

BOARD = game().boards["ground"]


def near(at: Position) -> tuple[str, ...]:
    """The hexes around anybody: what an attack or an overrun could name."""
    cells = {cell for unit in at.units.values() if unit.cell for cell in BOARD.near[unit.cell]}
    return tuple(sorted(cells))


def proven(
    at: Position, *kinds: str, longest: int = 3, targets: tuple[str, ...] | None = None
) -> None:
    cells = near(at) if targets is None else targets
    slots = ("attack.targets", "overrun.target", "disengage.cell", "commit.cell", "displace.cell")
    for side in at.active:
        # Nobody asks who leads an Axis overrun.
        leaders = [u.id for u in at.of_side(side) if u.type == "hq" and side == "soviet"]
        domains = dict.fromkeys(slots, cells) | {"overrun.hq": (None, *leaders)}
        found = choice_problems(game(), at, side, kinds=kinds, longest=longest, domains=domains)
        assert found == []


@pytest.mark.parametrize("at", MOVES.values(), ids=MOVES)
def test_moves_are_chosen_hex_by_hex(at: Position) -> None:
    """KHA-6.0-P: a path that goes on over a full hex, or out of the zone that it began in."""
    proven(at, "move", "rail", "remove_excess", "end_phase")


@pytest.mark.parametrize("at", ATTACKS.values(), ids=ATTACKS)
def test_attackers_are_chosen_one_by_one(at: Position) -> None:
    """KHA-9.13, KHA-9.23: groups around one hex or several."""
    enemies = sorted({u.cell for u in at.units.values() if u.side != at.active[0]})
    empty = [cell for cell in near(at) if not at.at(cell)]
    proven(at, "attack", targets=(*enemies, *empty[:2]))


@pytest.mark.parametrize("at", OTHERS.values(), ids=OTHERS)
def test_overruns_and_disengagements_are_chosen(at: Position) -> None:
    """KHA-7.13: who has moved out of the hex of the overrunning units must be among them."""
    proven(at, "overrun", "disengage", "break_down", "dig_in")


def test_soviet_overruns_have_a_leader() -> None:
    """KHA-7.17."""
    at = position(
        "soviet_movement", "soviet", r="rifle 0305 4-4-6", hq="hq 0304", i="infantry 0306"
    )
    document = at.to_json()
    document["units"]["r"]["values"]["command"] = ["hq"]
    proven(Position.from_json(document), "overrun")


def test_regiments_are_chosen_one_by_one() -> None:
    """KHA-15.12: two make up a division that one does not."""
    whole = position("axis_movement", "axis", i="infantry 0306")
    document = whole.to_json()
    for number in range(1, 5):
        document["units"][f"reg{number}"] = {"type": "regiment", "side": "axis", "box": "regiments"}
    at = Position.from_json(document)
    down = game().game.actions.make("break_down", "axis", unit="i")
    broken = engine.perform(game(), at, down).position
    proven(broken, "recombine", "dig_in")


def settled(dice: int, *units: str) -> Position:
    """An attack of two divisions on guards and a headquarters in the way."""
    at = position(
        "axis_combat",
        "axis",
        i="infantry 0306",
        j="infantry 0306",
        r="guards 0305",
        s="rifle 0304 4-4-6",
        hq="hq 0305",
    )
    attack = game().game.actions.make("attack", "axis", attackers=["i", "j"], targets=["0305"])
    return engine.perform(game(), at, attack, Dice(None, given=[dice])).position


@pytest.mark.parametrize("dice", [1, 3, 4])
def test_losses_and_retreats_are_chosen(dice: int) -> None:
    """KHA-9.56, KHA-9.57, KHA-10.13: steps one by one; a headquarters goes with its stack."""
    at = settled(dice)
    assert at.state == "result"
    proven(at, "take_losses", "retreat", longest=2)


def test_advances_are_chosen() -> None:
    """KHA-9.72."""
    at = settled(3)
    back = game().game.actions.make("retreat", "soviet", units=["hq", "r"], path=["0405"])
    legal = engine.next_choices(game(), at, "soviet")
    assert legal.choices
    offers = [o.action for o in engine.offers(game(), at, "soviet", ["retreat"])]
    after = engine.perform(game(), at, back if back in offers else offers[0]).position
    while after.state == "retreat":
        way = next(engine.offers(game(), after, "soviet", ["retreat"])).action
        after = engine.perform(game(), after, way).position
    assert after.state == "advance"
    proven(after, "advance", "end_advance", longest=2)


def test_reserves_are_committed_step_by_step() -> None:
    """KHA-6.73."""
    at = position("reserve_commitment", "soviet", turn=2, m="reserve 0503", i="infantry 0306")
    document = at.to_json()
    document["units"]["m"]["values"] = {"army": "6"}
    for name in ("u", "v"):
        document["units"][name] = {
            "type": "rifle",
            "side": "soviet",
            "box": "reserve-6",
            "values": {"move": 6},
        }
    within = tuple(BOARD.names(BOARD.disk("0503", 4)))
    found = choice_problems(
        game(),
        Position.from_json(document),
        "soviet",
        kinds=["commit"],
        domains={"commit.cell": within},
    )
    assert found == []


def test_reinforcements_come_in_hex_by_hex() -> None:
    """KHA-16.0: by a gate of the edge, on foot or along the railway."""
    at = position("axis_movement", "axis", r="rifle 0305 4-4-6")
    document = at.to_json()
    document["units"]["n"] = {
        "type": "infantry",
        "side": "axis",
        "box": "arrivals",
        "steps": 4,
        "values": {"turn": 1, "entry": "south_edge"},
    }
    late = Position.from_json(document)
    found = choice_problems(game(), late, "axis", kinds=["enter"], longest=2)
    assert found == []
    assert list(engine.offers(game(), late, "axis", ["enter"]))


def test_a_train_takes_one_unit_and_that_is_known_before_its_line() -> None:
    """KHA-6.41: two that enter together are not asked which line they come along."""
    at = position("soviet_movement", "soviet").to_json()
    tank = {"type": "tank", "side": "soviet", "box": "arrivals", "steps": 1}
    values = {"move": 11, "turn": 3, "entry": "east_edge"}
    units = {name: {**tank, "values": values} for name in ("one", "two")}
    start = Position.from_json({**at, "units": units})
    for group, expected in ((["one"], [False, True]), (["one", "two"], [False])):
        asked = Begun.decode(game().game.actions, {"kind": "enter", "units": group}, "rail")
        found = engine.next_choices(game(), start, "soviet", asked)
        assert [choice.value for choice in found.choices] == expected


def test_a_path_without_a_hex_is_missing_and_where_no_hex_follows_it_is_said_why() -> None:
    at = position("soviet_movement", "soviet", r="rifle 0305 4-4-6")
    begun = Begun("move", FrozenMap({"units": ("r",)}), "path")
    found = engine.next_choices(game(), at, "soviet", begun)
    assert found.choices
    assert (found.ready, found.action, found.verdict) == (False, None, None)
    tired = at.with_unit(replace(at.unit("r"), flags=frozenset({"moved"})))
    found = engine.next_choices(game(), tired, "soviet", begun)
    assert not found.choices
    assert found.verdict is not None
    assert "r has finished its movement" in [v.text for v in found.verdict.violations]
    assert all(v.section for v in found.verdict.violations)
