"""The court: those who help the judge, and who of them knows whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.referee.attacks.silent_attacks import SilentAttacks
from hexmarshal.referee.case.mind import CARDS
from hexmarshal.referee.drags.dragged import Dragged
from hexmarshal.referee.drags.moved_together import MovedTogether
from hexmarshal.referee.drags.readied_drags import ReadiedDrags
from hexmarshal.referee.judge.action_runner import ActionRunner
from hexmarshal.referee.judge.announced import Announced
from hexmarshal.referee.judge.chosen_otherwise import ChosenOtherwise
from hexmarshal.referee.judge.late_results import LateResults
from hexmarshal.referee.silence.explained_drags import Explainer
from hexmarshal.referee.silence.late_answers import LateAnswers
from hexmarshal.referee.silence.other_numbers import OtherNumbers
from hexmarshal.referee.silence.silent_decisions import SilentDecisions
from hexmarshal.referee.silence.unsaid_actions import UnsaidActions
from hexmarshal.referee.silence.unspoken import Unspoken
from hexmarshal.referee.silence.wrong_in_silence import WrongInSilence
from hexmarshal.referee.tokens.exchanged_units import ExchangedUnits
from hexmarshal.referee.tokens.laid_again import LaidAgain
from hexmarshal.referee.tokens.laid_things import LaidThings
from hexmarshal.referee.tokens.turned_up import TurnedUp
from hexmarshal.referee.traces.open_window import OpenWindow
from hexmarshal.referee.traces.trace_search import TraceSearch
from hexmarshal.referee.tracker.early_tracker import EarlyTracker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.table.reading.turn_tracker import Tracker

__all__ = ["Court"]


class Court:
    """Everybody who has a part in judging one log."""

    def __init__(
        self,
        case: Case,
        interpreter: Interpreter,
        routes: Routes,
        tracker: Tracker | None,
        laid: Sequence[str],
        advance: str,
    ) -> None:
        """`laid` are the things that players lay down to tell what they do: tokens, cards.

        `advance` is the action that ends a phase, or lets the others go on.
        """
        self.case, self.interpreter, self.routes = case, interpreter, routes
        self.is_by_things = bool(laid)
        self.runner = ActionRunner(
            case, interpreter, silent_turns=self.is_by_things, advance=advance
        )
        silent = SilentDecisions(
            case.rules,
            advance,
            # Where no tracker shows them, phases end in silence.
            phases=tracker is None,
            acting=lambda: case.acting,
            # Who draws cards on the table draws none in silence.
            shows=lambda kind: kind in laid and CARDS in case.mind.kept,
        )
        self.laid = LaidThings(case, self.runner, silent, laid, phases=tracker is None)
        self.laid_again = LaidAgain(case, self.runner, laid)
        self.turned_up = TurnedUp(case, self.runner, silent, laid) if laid else None
        numbers = OtherNumbers(case, silent)
        self.tracker = EarlyTracker(case, self.runner, tracker, silent, self.laid, numbers)
        search = TraceSearch(case.rules, routes, silent, interpreter.drags, advance)
        # Where tokens and cards are laid, those tell what was done.
        self.window = OpenWindow(
            case, self.runner, None if laid else search, lambda: bool(self.laid.lying())
        )
        traceless = UnsaidActions(case, silent, routes, interpreter.shown) if laid else None
        self.unspoken = Unspoken(case, self.runner, interpreter, silent, traceless)
        self.exchanged = ExchangedUnits(case, self.runner)
        self.wrong = WrongInSilence(case, self.runner, silent, laid)
        self.announced = Announced(case, self.runner, silent, self.unspoken, interpreter.drags)
        self.otherwise = ChosenOtherwise(case, self.runner, silent, numbers)
        self.together = MovedTogether(case, interpreter)
        explainer = Explainer(case.rules, interpreter, routes, silent)
        self.late = late = LateAnswers(case, self.unspoken, interpreter.drags)
        self.late_results = LateResults(case, self.runner, interpreter, late)
        self.attacks = attacks = SilentAttacks(case, self.runner, silent, routes)
        self.dragged = Dragged(
            case,
            self.runner,
            interpreter,
            explainer,
            self.unspoken,
            self.window,
            attacks,
            late,
            ReadiedDrags(case, self.runner, interpreter, silent),
        )
