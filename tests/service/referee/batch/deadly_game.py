"""The tutorial's game, with a rule that kills whoever thinks about the unit b2."""

from __future__ import annotations

import os
import signal

from tutorial import Crossroads

from hexmarshal.rules.action import Action
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.verdict import Verdict


class Deadly(Crossroads):
    def check(self, position: Position, action: Action) -> Verdict:
        if action.kind == "move" and action.text("unit") == "b2":
            os.kill(os.getpid(), signal.SIGKILL)
        return super().check(position, action)
