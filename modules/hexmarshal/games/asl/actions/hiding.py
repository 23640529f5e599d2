"""Concealment: gained, given up, searched for, mopped up."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.asl.actions.words import UNIT
from hexmarshal.games.asl.rules.concealment import gain, mopping, searching, showing
from hexmarshal.games.asl.rules.sequence.turn import PHASES
from hexmarshal.rules.action import ActionType, Param, ParamType

__all__ = ["HIDING"]

HIDING: Final = (
    ActionType(
        "conceal",
        "Gain concealment",
        (UNIT,),
        rules=("ASL-A12.122a", "ASL-A12.122b"),
        phases=("close_combat",),
        states=("",),
        check=gain.check,
        apply=gain.gain,
        candidates=gain.candidates,
    ),
    ActionType(
        "reveal",
        "Drop concealment",
        (UNIT,),
        rules=("ASL-ROUT-6", "ASL-HIP-1a"),
        phases=PHASES,
        anytime=True,
        check=showing.check_reveal,
        apply=showing.reveal,
        listed=showing.nothing_listed,
    ),
    ActionType(
        "search",
        "Search the hexes around",
        rules=("ASL-A12.152a", "ASL-A12.152b"),
        phases=("movement",),
        states=("moving",),
        check=searching.check,
        apply=searching.search,
    ),
    ActionType(
        "search_hexes",
        "Say which hexes are searched",
        (Param("cells", ParamType.CELLS, "the hexes", fewest=1),),
        rules=("ASL-A12.152a",),
        phases=("movement",),
        states=("searching",),
        check=searching.check_choice,
        apply=searching.choose,
        candidates=searching.choice_candidates,
        listed=searching.choice_listed,
    ),
    ActionType(
        "mop_up",
        "Mop up a building",
        (Param("units", ParamType.UNITS, "the MMC that do it", fewest=1),),
        rules=("ASL-MOP-1",),
        phases=("prep_fire",),
        states=("",),
        check=mopping.check,
        apply=mopping.mop_up,
        candidates=mopping.candidates,
        listed=mopping.listed,
    ),
)
