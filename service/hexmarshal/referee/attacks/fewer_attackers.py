"""Losses of attackers for which nothing asks: by fewer of them, the attack may ask just that."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import apart
from hexmarshal.referee.chat.chat_mentions import spoken_near
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.attacks.attack_trials import AttackTrials
    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["FewerAttackers"]

_MOST_TRIED: Final = 12
_OFFERS: Final = 24


class FewerAttackers:
    """Looks again at the last attack, which nobody announced, when one who made it loses something.

    Nobody said who took part: without some others it asks for what the table shows.
    """

    def __init__(self, case: Case, trials: AttackTrials) -> None:
        self._case, self._trials = case, trials

    def cost(self, units: Sequence[str], now: Now) -> bool:
        """Whether units lost what such an attack would have cost them; then they paid for it."""
        case, mind = self._case, self._case.mind
        number = None if mind.rolled is None else mind.rolled.entry
        if number is None or mind.rolled is None or mind.tray or mind.pending is not None:
            return False
        begun = self._begun(number, units)
        if begun is None or begun.before is None:
            return False
        for action in islice(self._fewer(begun, units), _MOST_TRIED):
            aims = {u.id for u in begun.before.units.values() if u.side != begun.side}
            hit = self._trials.hit(begun.before, action, mind.rolled.throws, aims)
            answer = None if hit is None else self._answer(hit.after, number, units)
            if answer is not None:
                what = case.in_silence(answer)
                case.believe(units)
                told = case.entry(now, now.step, what, answer.kind, Status.LEGAL)
                case.add(replace(told, certainty=Certainty.LIKELY, units=(*units,)))
                # Those who took part are others than was thought until now.
                mind.doubt = True
                return True
        return False

    def _begun(self, number: int, units: Sequence[str]) -> Entry | None:
        """The attack in which units took part, if the last dice of the turn were rolled for it."""
        mind = self._case.mind
        for entry in reversed(mind.entries[: number + 1]):
            attacks = entry.action and {*units} <= {*named(self._case.action_of(entry))}
            if number not in mind.unsaid or entry.turn != mind.belief.turn:
                return None
            if attacks and entry.before is not None and entry.status is Status.LEGAL:
                own = {entry.before.units[u].side for u in units if u in entry.before.units}
                return entry if own == {entry.side} else None
        return None

    def _fewer(self, begun: Entry, units: Sequence[str]) -> Iterator[Action]:
        """The same attack with these units, and without some of the others."""
        action, actions = self._case.action_of(begun), self._case.rules.game.actions
        slot = next(
            (
                p.name
                for p in actions[begun.kind].params
                if p.required and p.type is ParamType.UNITS
            ),
            "",
        )
        names = action.texts(slot) if slot else ()
        mind = self._case.mind
        # Who was named, or turned up for it, did take part.
        sure = {*units, *(one.unit for one in mind.revealed)}
        sure |= {*spoken_near(mind.rolled.throws if mind.rolled is not None else ())}
        others = [name for name in names if name not in sure]
        given = {name: thaw(value) for name, value in action.params.items()}
        for gone in range(1, len(others) + 1):
            for some in combinations(others, gone):
                left = [name for name in names if name not in some]
                yield actions.make(begun.kind, action.side, **{**given, slot: left})

    def _answer(self, at: Position, number: int, units: Sequence[str]) -> Action | None:
        """What was asked then, perhaps after what was done since, that leaves units as shown."""
        rules = self._case.rules
        for entry in (None, *self._case.mind.entries[number + 1 :]):
            try:
                if entry is not None:
                    action = self._case.action_of(entry) if entry.action else None
                    if action is None or not rules.check(at, action).legal:
                        return None
                    at = rules.apply(at, action, LogDice(())).position
                found = next(self._answers(at, units), None)
            except HexMarshalError:
                return None
            if found is not None:
                return found
        return None

    def _answers(self, at: Position, units: Sequence[str]) -> Iterator[Action]:
        rules, shown = self._case.rules, self._case.sights.units
        own = {at.units[unit].side for unit in units if unit in at.units}
        kinds = tuple(
            kind.name
            for kind in rules.game.actions.values()
            if at.state in kind.states and all(p.type is not ParamType.PATH for p in kind.params)
        )
        for side in own.intersection(at.active) if at.state else ():
            for offer in islice(rules.offers(at, side, kinds), _OFFERS):
                after = rules.apply(at, offer.action, LogDice(())).position
                if not any(apart(after, shown, unit) for unit in units):
                    yield offer.action
