"""The table of actions: what may be done, in which phase, by which rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hexmarshal.games.asl.actions.driving import DRIVING
from hexmarshal.games.asl.actions.fighting import FIGHTING
from hexmarshal.games.asl.actions.firing import FIRING
from hexmarshal.games.asl.actions.guarding import GUARDING
from hexmarshal.games.asl.actions.handling import HANDLING
from hexmarshal.games.asl.actions.hiding import HIDING
from hexmarshal.games.asl.actions.mending import MENDING
from hexmarshal.games.asl.actions.moving import MOVING
from hexmarshal.games.asl.actions.sniping import SNIPING
from hexmarshal.games.asl.frames import FRAMES
from hexmarshal.games.asl.rules.sequence import turn
from hexmarshal.rules.action import ActionTable, ActionType
from hexmarshal.rules.frames.standing import standing_order

__all__ = ["ACTIONS"]

ACTIONS: Final = ActionTable(
    [
        *MENDING,
        *FIRING,
        *MOVING,
        *HANDLING,
        *SNIPING,
        *FIGHTING,
        *DRIVING,
        *HIDING,
        *GUARDING,
        ActionType(
            "end_phase",
            "End of the phase",
            rules=("ASL-FIRE-1",),
            phases=turn.PHASES,
            states=("",),
            check=turn.check_end,
            apply=turn.end_phase,
        ),
        replace(standing_order(FRAMES, "first_fire", rules=("ASL-DF-1",)), phases=turn.PHASES),
    ]
)
