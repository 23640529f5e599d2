"""Play across the seam of two boards: one hex is one cell, and everything works over it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.errors import RulesError
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.state.validate import problems
from hexmarshal.rules.values import FrozenMap

SEAM, WEST, EAST = "proving:U6", "proving:T6", "village:B6"
"""The hex that both boards share, and its neighbours on either."""


@pytest.fixture(scope="module")
def asl() -> AdvancedSquadLeader:
    return AdvancedSquadLeader()


def table(asl, phase, *units, active="attacker", **values):
    blank = replace(asl.blank(), board="proving+village", phase=phase, active=(active,))
    extras = FrozenMap({"phasing": "attacker", "turns": 3, **values})
    return replace(blank.with_unit(*units), extras=extras)


def unit(name, kind, side, cell, *flags, **values):
    return Unit(name, kind, side, cell=cell, flags=frozenset(flags), values=FrozenMap(values))


def do(asl, position, kind, side="attacker", dice=(), **params):
    return engine.perform(
        asl, position, Action(kind, side, FrozenMap(params)), Dice(given=list(dice))
    ).position


def test_a_hex_of_two_boards_has_one_name_in_play(asl):  # ASL-DEF-1
    """By its other name, or in small letters, it would be another cell."""
    for other in ("village:A6", SEAM.lower()):
        position = table(asl, "advance", unit("g", "german_4-6-7", "attacker", other))
        (fault,) = problems(asl, position)
        assert (fault.text, fault.field) == (f"the map has no cell {other!r}", "units.g.cell")
    position = table(asl, "advance", unit("g", "german_4-6-7", "attacker", WEST))
    to = FrozenMap({"unit": "g", "to": "village:A6"})
    with pytest.raises(RulesError, match="no cell 'village:A6'"):
        engine.check(asl, position, Action("advance", "attacker", to))
    looking = replace(position, phase="look")
    seen = engine.ask(asl, looking, "sight", FrozenMap({"from": "village:A6", "to": WEST}))
    assert seen.values["visible"] is True


def test_infantry_fights_a_vehicle_on_the_seam(asl):  # ASL-CCV-1 ASL-A11.6 ASL-APH-1
    """From one board onto the hex of both, and the vehicle is there for it."""
    position = table(
        asl,
        "advance",
        unit("g", "german_4-6-7", "attacker", WEST),
        unit("h", "german_4-6-7", "attacker", EAST),
        unit("t", "vehicle", "defender", SEAM, "buttoned_up", cmg=4),
    )
    position = do(asl, position, "advance", unit="g", to=SEAM, dice=(3, 4))
    position = do(asl, position, "advance", unit="h", to=SEAM, dice=(3, 4))
    position = do(asl, position, "end_phase")
    position = do(asl, position, "close_combat", cell=SEAM)
    position = do(asl, do(asl, position, "ready"), "ready", "defender")
    position = do(asl, position, "attack", attackers=("g",), targets=("t",), dice=(6, 5))
    position = do(asl, position, "strike", "defender")
    position = do(asl, position, "attack", attackers=("h",), targets=("t",), dice=(1, 3))
    assert "t" not in position.units
    assert position.markers["wreck of t"].cell == SEAM


def test_concealment_is_lost_and_found_across_the_seam(asl):  # ASL-CONV-1 ASL-A12.15a
    """Eyes on one board see what stands on the other; who steps over finds who hides there."""
    position = table(
        asl,
        "movement",
        unit("g", "german_4-6-7", "attacker", SEAM),
        unit("x", "russian_4-4-7", "defender", EAST, "concealed"),
        unit("t", "vehicle", "defender", "village:D6", "concealed", cmg=4),
    )
    position = do(asl, position, "move", units=("g",))
    assert "concealed" not in position.unit("t").flags
    position = do(asl, position, "step", to=EAST)
    assert position.unit("g").cell == SEAM
    assert "concealed" not in position.unit("x").flags


def test_routs_and_fire_lead_over_the_seam(asl):  # ASL-ROUT-2 ASL-FIRE-1
    """A broken unit runs from one board to woods on the other; fire follows it there."""
    position = table(
        asl,
        "prep_fire",
        unit("g", "german_4-6-7", "attacker", "proving:S6"),
        unit("r", "russian_4-4-7", "defender", EAST),
    )
    told = engine.ask(asl, position, "attack", FrozenMap({"target": EAST, "firers": ("g",)}))
    assert told.resolution is not None
    assert told.resolution.column == "4"
    fled = table(
        asl,
        "rout",
        unit("g", "german_4-6-7", "attacker", WEST),
        unit("r", "russian_4-4-7", "defender", SEAM, "broken", "dm"),
        active="defender",
    )
    ways = engine.ask(asl, fled, "rout", FrozenMap({"unit": "r"})).values
    assert any("village:" in str(path) for path in ways["paths"])
