"""Announcements against the rules that players take back before anything came of them."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import changed
from hexmarshal.referee.check.findings import Certainty, Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.hearing.heard import Seen
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.params import ParamType

if TYPE_CHECKING:
    from collections.abc import Collection

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.hearing.heard import Heard
    from hexmarshal.referee.judge.judge import Judge
    from hexmarshal.rules.action import Action

__all__ = ["Withdrawn"]


class Withdrawn:
    """Goes back to before what was announced against the rules, where it was left undone.

    Nothing was rolled, paid or moved for it, and who was to do it does something else, or somebody
    said that it is not so.
    """

    def __init__(self, case: Case, judge: Judge, drags: Collection[str]) -> None:
        self._case, self._judge, self._drags = case, judge, drags

    def by(self, action: Action, heard: Heard | None) -> bool:
        """Whether it was left undone for another action.

        What needs no dice is so only if what is announced instead is right.
        """
        kept = self._case.mind
        if heard is None or not heard.said:
            return False
        if not _is_replaced(heard, kept, action):
            self._doubt(heard, action)
            return False
        if not self.is_undone(heard):
            return False
        if kept.pending is None and self._judge.left_unsaid(action) == inf:
            self._case.mind = kept
            return False
        return True

    def done_otherwise(self, heard: Heard) -> Entry | None:
        """What was announced as taken back, if pieces may show what was done in its place.

        Who drags his unit elsewhere than he said, or not at all, has not moved it there.
        """
        if heard.together or len(heard.said) != 1 or heard.throws:
            return None
        said = heard.said[0]
        action, units = said.action, heard.start.belief.units
        states = self._case.rules.game.actions[action.kind].states
        answers = bool(states) and "" not in states and any(n in units for n in named(action))
        if action.kind not in self._drags and not answers:
            return None
        otherwise = self._done_beside if answers else self._went_otherwise
        if not otherwise(heard, action):
            return None
        what = self._case.spoken(action)
        entry = self._case.entry(said.now, said.step, what, action.kind, Status.TAKEN_BACK)
        then = heard.start.belief
        return replace(
            entry, side=action.side, turn=then.turn, phase=then.phase, before=then, after=then
        )

    def _went_otherwise(self, heard: Heard, action: Action) -> bool:
        """Whether units lie elsewhere than a move would have brought them.

        One against the rules was meant, unless they went elsewhere before anybody went anywhere.
        """
        here, rules = heard.start.belief, self._case.rules
        gone = {deed.unit: deed.cells[-1] for deed in heard.deeds if deed.cells}
        try:
            legal = rules.check(here, action).legal
            after = rules.apply(here, action, LogDice(())).position
        except HexMarshalError:
            legal, after = False, here
        if not legal:
            names, first = {*named(action)}, next(iter(gone.items()), ("", ""))
            return first[0] in names and first[1] not in names
        old, new = here.units, after.units
        moved = (u for u in changed(here, after) if u in old and u in new)
        moved = (u for u in moved if old[u].cell != new[u].cell)
        return any(gone.get(u, old[u].cell) != new[u].cell for u in moved)

    def _done_beside(self, heard: Heard, action: Action) -> bool:
        """Whether something was done with others who stand beside those whom an answer names."""
        units, names = heard.start.belief.units, {*named(action)}
        cells = {units[name].cell for name in names if name in units}
        done = (units[deed.unit] for deed in heard.deeds if deed.unit in units)
        return any(unit.cell in cells and unit.side == action.side for unit in done)

    def at_the_end(self, heard: Heard, first: int) -> None:
        """Nobody is sure of a move that was said last of all: what is dragged is what counts."""
        entries = self._case.mind.entries
        if heard.deeds or not heard.said or heard.said[-1].action.kind not in self._drags:
            return
        for number in range(first, len(entries)):
            entry = entries[number]
            if entry.violations and entry.first == heard.said[-1].step == self._case.mind.step:
                entries[number] = replace(entry, certainty=Certainty.LIKELY)

    def for_cards(self) -> None:
        """Who says which card he plays, and then does what it is for, has announced just that."""
        mind = self._case.mind
        for number, entry in enumerate(mind.entries):
            if entry.status is not Status.VIOLATION or entry.path or entry.dice:
                continue
            said = {value for value in entry.action.values() if isinstance(value, str)}
            later = mind.entries[number + 1 :]
            own = (one for one in later if one.side == entry.side and one.action)
            follows = next((one for one in own if one.status is not Status.TAKEN_BACK), None)
            if follows is None or follows.status is not Status.LEGAL:
                continue
            cards = self._cards(follows)
            if cards and cards <= said and follows.kind != entry.kind:
                mind.entries[number] = replace(
                    entry, status=Status.TAKEN_BACK, violations=(), right=""
                )

    def _cards(self, entry: Entry) -> set[str]:
        """The cards that an action names."""
        kind = self._case.rules.game.actions.get(entry.kind)
        if kind is None or not entry.action:
            return set()
        values = (entry.action.get(p.name) for p in kind.params if p.type is ParamType.CARD)
        return {value for value in values if isinstance(value, str)}

    def _doubt(self, heard: Heard, action: Action) -> None:
        """Where others do the same next, and nothing was rolled, it may have been left undone."""
        mind, said = self._case.mind, heard.said[-1].action
        if mind.pending is None or (said.kind, said.side) != (action.kind, action.side):
            return
        entry = _refused(heard, mind)
        if entry is not None:
            number = mind.entries.index(entry)
            mind.entries[number] = replace(entry, certainty=Certainty.LIKELY)

    def is_undone(self, heard: Heard) -> bool:
        """Whether nothing came of it; then it is taken back."""
        entry = _refused(heard, self._case.mind)
        if entry is None:
            return False
        start = heard.start.copy()
        start.entries.append(replace(entry, status=Status.TAKEN_BACK, violations=(), right=""))
        start.step = self._case.mind.step
        self._case.mind = start
        return True


def _refused(heard: Heard, mind: Mind) -> Entry | None:
    """What was announced last, if it is against the rules, and nothing was done or rolled since."""
    if heard.together or len(heard.said) != 1 or heard.throws:
        return None
    seen = (event for event in heard.events if isinstance(event, Seen))
    if any(one.deeds or one.books or one.handed_over or one.cards for one in seen):
        return None
    said = heard.said[0]
    since = range(len(mind.entries) - 1, len(heard.start.entries) - 1, -1)
    spoken = (mind.entries[number] for number in since if number not in mind.unsaid)
    entry = next((one for one in spoken if one.kind == said.action.kind), None)
    if entry is None or entry.status is not Status.VIOLATION or entry.dice:
        return None
    return entry if entry.first == said.step else None


def _is_replaced(heard: Heard, mind: Mind, action: Action) -> bool:
    """Whether those who were to do it, or more or fewer of them, are to do another thing."""
    if heard.said[-1].action.side != action.side:
        return False
    said, units, side = heard.said[-1].action, mind.belief.units, action.side
    old, new = (
        {name for name in named(one) if name in units and units[name].side == side}
        for one in (said, action)
    )
    if not (old and new) or not (old <= new or new <= old):
        return False
    return said.kind == action.kind or mind.pending is not None
