"""What was done against the rules without a word, found by what it left on the table."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Otherwise
from hexmarshal.referee.case.table_comparison import apart, asked_about
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.tokens.laid_again import laying
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Marker
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Verdict

__all__ = ["WrongInSilence"]

_MOST_TRIED: Final = 24
_MOST_ANSWERS: Final = 4


class WrongInSilence:
    """Names the rule that a token or a loss on the table breaks, where no legal action left it.

    Whoever lays a token that he does not have, or hits somebody out of range, has done that action
    wrongly: it is told as that, and the game goes on from it.
    """

    def __init__(
        self, case: Case, runner: ActionRunner, silent: SilentDecisions, laid: Sequence[str]
    ) -> None:
        """`laid` are the kinds of action that laying a token is."""
        self._case, self._runner, self._silent = case, runner, silent
        self._laid = tuple(laid)

    def lay(self, side: str = "") -> None:
        """Tell of tokens on units that nobody could lay there, or only of those of a side."""
        case = self._case
        if not self._laid or case.mind.pending is not None or not case.mind.due:
            return
        for marker in case.sights.markers(case.mind.belief).values():
            known = case.mind.belief.markers
            others = bool(side) and marker.side != side
            since = self._laid_at(marker) if marker.id not in known and not others else None
            action = None if since is None else next(self._laying(marker), None)
            if since is not None and action is not None:
                self._begin(action, since)
                # It takes the place of no other.
                there = case.mind.belief.markers
                gone = {m.id: m for m in known.values() if there.get(m.id) != m}
                if gone:
                    hidden = replace(marker, known_to=frozenset((marker.side,)))
                    both = {**there, **gone, marker.id: hidden}
                    case.mind.belief = replace(case.mind.belief, markers=FrozenMap(both))

    def _laid_at(self, marker: Marker) -> Now | None:
        """When a token was laid on a unit that nothing asked for; None if none was."""
        place = self._case.books.place(self._case.mind.belief, marker)
        for item, due in self._case.mind.due.items():
            if (item.name, item.place) == (marker.kind, place) and due.entry is None:
                return due.now if marker.unit else None
        return None

    def _laying(self, marker: Marker) -> Iterator[Action]:
        """The actions by which this marker, and no other, is laid where it lies, wrongly."""
        case = self._case
        for action in laying(case.rules.game, self._laid, marker):
            try:
                if self._is_wrong(case.rules.check(case.mind.belief, action)):
                    yield action
            except HexMarshalError:
                continue

    def shoot(self, units: Sequence[str], now: Now) -> bool:
        """Whether somebody who is asked did, against the rules, what leaves units so."""
        case, mind = self._case, self._case.mind
        if not self._laid or not mind.tray or not mind.belief.state or len(units) != 1:
            return False
        actors = [unit for unit in asked_about(mind.belief) if unit not in units]
        for action in islice(self._aimed(actors, units[0], mind.belief), _MOST_TRIED):
            dice = LogDice(mind.tray)
            try:
                verdict = case.rules.check(mind.belief, action)
                after = case.rules.apply(mind.belief, action, dice).position
            except HexMarshalError:
                continue
            unsaid = None if dice.left else self._until_so(mind.belief, after, units[0])
            if self._is_wrong(verdict) and unsaid is not None:
                self._begin(action, now)
                for one in unsaid:
                    what = case.in_silence(one)
                    self._runner.begin(one, now, now.step, what, unsaid=True)
                return True
        self._miss(units[0], now)
        return False

    def _miss(self, unit: str, now: Now) -> None:
        """Have somebody who is asked do it, if he may, and his dice say otherwise.

        What became of the unit is its result then, carried out wrongly.
        """
        case, tray = self._case, self._case.mind.tray
        by = replace(now, step=tray[-1].step, player=tray[-1].player)
        before: list[Action] = []
        at: Position | None = case.mind.belief
        while at is not None and len(before) < _MOST_ANSWERS:
            action = self._rolled(at, unit)
            if action is not None:
                for one in before:
                    own = replace(by, side=one.side)
                    self._runner.begin(one, own, own.step, case.in_silence(one), unsaid=True)
                own = replace(by, side=action.side)
                self._runner.begin(action, own, tray[0].step, case.in_silence(action))
                return
            answer = self._silent.answer(at)
            at = None if answer is None else self._silent.after(at, answer)
            before += () if answer is None else (answer,)

    def _rolled(self, here: Position, unit: str) -> Action | None:
        """What somebody who is asked may do to a unit, with just the dice that lie there."""
        case, tray = self._case, self._case.mind.tray
        actors = [one for one in asked_about(here) if one != unit]
        for action in islice(self._aimed(actors, unit, here), _MOST_TRIED):
            dice = LogDice(tray)
            try:
                if case.rules.check(here, action).legal:
                    case.rules.apply(here, action, dice)
                    if dice.used and not dice.left:
                        return action
            except HexMarshalError:
                continue
        return None

    def _until_so(self, before: Position, at: Position, unit: str) -> list[Action] | None:
        """What is left unsaid until a unit is as the table shows it; None if it is not then."""
        shown = self._case.sights.units
        unsaid: list[Action] = []
        after: Position | None = at
        while after is not None and apart(after, shown, unit):
            answer = self._silent.answer(after) if len(unsaid) < _MOST_ANSWERS else None
            if answer is None or len(after.frames) <= len(before.frames):
                return None
            after = self._silent.after(after, answer)
            unsaid.append(answer)
        return None if after is None else unsaid

    def _aimed(self, actors: Collection[str], target: str, belief: Position) -> Iterator[Action]:
        """What one unit does to another, and names nobody else."""
        game = self._case.rules.game
        for kind in game.actions.values():
            required = [param for param in kind.params if param.required]
            two = [param.type for param in required] == [ParamType.UNIT, ParamType.UNIT]
            if not two or not kind.fits(belief.phase, belief.state):
                continue
            flags = [p.name for p in kind.params if p.type is ParamType.BOOL and not p.required]
            for actor in actors:
                side = belief.units[actor].side
                named = {required[0].name: actor, required[1].name: target}
                if side not in belief.active:
                    continue
                for chosen in ({}, *({name: True} for name in flags)):
                    yield game.actions.make(kind.name, side, **named, **chosen)

    def _is_wrong(self, verdict: Verdict) -> bool:
        """Whether rules are broken, and not that of whose turn it is."""
        turn = self._case.rules.game.turn_rule
        return not verdict.legal and all(fault.rule != turn for fault in verdict.violations)

    def _begin(self, action: Action, now: Now) -> None:
        case = self._case
        by = replace(now, side=action.side)
        self._runner.begin(action, by, now.step, case.spoken(action), sure=False)
        # It lies there: so it was done.
        case.mind.forks.pop(Otherwise.NOT_DONE, None)
