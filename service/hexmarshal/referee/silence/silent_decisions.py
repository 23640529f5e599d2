"""Decisions made in silence: what players did without a word, by what the game says it means."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import Action, ParamType
from hexmarshal.rules.dice import NeedsDiceError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.state.position import Position

__all__ = ["SilentDecisions", "Unsaid"]

# More decisions than this in a row nobody makes without a word.
_MOST: Final = 6

_HOW: Final = frozenset({ParamType.BOOL, ParamType.CHOICE})

# What lies on a table.
_PIECES: Final = ("units", "markers", "piles", "tracks", "cells")

Unsaid = tuple[Action, ...]
"""Actions that nobody announced, in their order."""


def _never(_: str) -> bool:
    return False


class SilentDecisions:
    """Knows what saying nothing means where play stands.

    A frame that asks has its silence; what alone can be done, and leaves no choice, is done; and
    where sides act in turn, a side that does nothing passes. With `phases` nothing else shows when
    a phase ends: then doing what belongs into a later one ends those before it.
    """

    def __init__(
        self,
        rules: Rules,
        advance: str,
        *,
        phases: bool = False,
        acting: Callable[[], str] = str,
        shows: Callable[[str], bool] = _never,
    ) -> None:
        """`acting` is the side that has the marker for whose go it is, if players move that.

        `shows` tells kinds of action that the table would show: those nobody does in silence.
        """
        self._shows = shows
        self._rules, self._acting = rules, acting
        self._advance = advance
        self._phases = phases
        self._enabling = tuple(
            (kind.name, kind.params[0].name)
            for kind in rules.game.actions.values()
            if [p.type for p in kind.params if p.required] == [ParamType.UNIT]
            and kind.params[0].required
        )
        self._unused = tuple(
            kind.name
            for kind in rules.game.actions.values()
            if [p.type for p in kind.params if p.required] in ([ParamType.UNIT], [ParamType.CHOICE])
            and kind.states
        )
        self._in_turn = tuple(kind.name for kind in rules.game.actions.values() if not kind.anytime)

    # One decision

    @property
    def ends_phases(self) -> bool:
        """Whether phases end in silence: no tracker shows them."""
        return self._phases

    def answer(self, position: Position) -> Action | None:
        """What silence means to the question that is open, or what cannot be done otherwise."""
        for side in position.active:
            found = self._rules.silence(position, side)
            if found is not None:
                return found
        return self._only(position)

    def unused(self, position: Position) -> Action | None:
        """An answer where silence means nothing, after which the table is as it was.

        Whoever goes on has given one, and done nothing with it.
        """
        if not position.state or self.answer(position) is not None:
            return None
        for side in position.active:
            try:
                for offer in islice(self._rules.offers(position, side, self._unused), _MOST):
                    after = self.after(position, offer.action)
                    if after is not None and all(
                        getattr(after, name) == getattr(position, name) for name in _PIECES
                    ):
                        return offer.action
            except HexMarshalError:
                continue
        return None

    def _only(self, position: Position) -> Action | None:
        """The one action that play waits for, if it has no parameters.

        What may be done at any time, such as playing a card, nobody waits for.
        """
        if not position.state:
            return None
        try:
            found = [
                offer.action
                for side in position.active
                for offer in islice(self._rules.offers(position, side, self._in_turn), 2)
            ]
        except HexMarshalError:
            return None
        only = found[0] if len(found) == 1 and not found[0].params else None
        return None if only is not None and self._shows(only.kind) else only

    def idle(self, position: Position, laid: Collection[str]) -> Action | None:
        """A choice of how to do what is asked, by who does nothing of it: the first that there is.

        What is `laid` on the table is no such choice.
        """
        kinds = (
            kind.name
            for kind in self._rules.game.actions.values()
            if kind.name not in laid
            and kind.fits(position.phase, position.state)
            and kind.params
            and all(param.type in _HOW for param in kind.params)
        )
        for side, kind in product(position.active if position.state else (), kinds):
            try:
                found = next(iter(self._rules.offers(position, side, (kind,))), None)
            except HexMarshalError:
                continue
            if found is not None:
                return found.action
        return None

    def passes(self, position: Position, side: str) -> Action | None:
        """The pass of whoever acts while `side` does; None if nobody passes in this game."""
        if side in position.active or len(position.active) != 1 or position.frames:
            return None
        if self._advance not in self._rules.game.actions:
            return None
        return Action(self._advance, position.active[0])

    def still_acts(self, action: Action) -> bool:
        """Whether it is a pass of who still has the marker for whose go it is: hardly."""
        return self.is_pass(action) and action.side == self._acting()

    def is_pass(self, action: Action) -> bool:
        """Whether an action does no more than let the others go on."""
        return action.kind == self._advance

    def is_shown_by_tracker(self, position: Position, action: Action) -> bool:
        """Whether a phase ends with an action, for which players move their tracker."""
        after = None if self._phases else self.after(position, action)
        return after is not None and (after.turn, after.phase) != (position.turn, position.phase)

    def rolls(self, position: Position, action: Action, tray: Sequence[Throw]) -> bool:
        """Whether an action may be done and dice are rolled for it."""
        dice = LogDice(tray)
        try:
            if not self._rules.check(position, action).legal:
                return False
            self._rules.apply(position, action, dice)
        except NeedsDiceError:
            return True
        except HexMarshalError:
            return False
        return bool(dice.used)

    # Until something is explained

    def until(
        self,
        position: Position,
        side: str,
        explains: Callable[[Position], bool],
        tray: Sequence[Throw] = (),
        units: Sequence[str] = (),
    ) -> Unsaid | None:
        """The fewest decisions in silence after which something is right; None if none are.

        `side` did it, with `units`, which may have been made ready for it in silence too.
        """
        done: Unsaid = ()
        start = position
        for _ in range(_MOST):
            if done and explains(position):
                return done
            for action in self.ready(position, side, units):
                after = self.after(position, action, tray)
                if after is not None and side in after.active and explains(after):
                    return (*done, action)
            for action in self._otherwise(position):
                after = self.after(position, action, tray)
                if after is not None and side in after.active and explains(after):
                    return (*done, action)
            unsaid = self.answer(position) or self.passes(position, side) or self._ends(position)
            after = self.decided(position, unsaid, tray) if unsaid is not None else None
            if unsaid is None or after is None:
                return None
            if (after.turn, after.phase) != (position.turn, position.phase) and (
                not self._phases or self._skips(start, position, side)
            ):
                # A phase ends with the tracker, never by saying nothing.
                return None
            position, done = after, (*done, unsaid)
        return None

    def _otherwise(self, position: Position) -> Iterator[Action]:
        """The other answer to a question of yes or no that is open, instead of what silence is."""
        unsaid = self.answer(position) if position.state else None
        kind = None if unsaid is None else self._rules.game.actions[unsaid.kind]
        if unsaid is None or kind is None or [p.type for p in kind.params] != [ParamType.BOOL]:
            return
        name = kind.params[0].name
        yield self._rules.game.actions.make(
            unsaid.kind, unsaid.side, **{name: not unsaid.params.get(name)}
        )

    def _ends(self, position: Position) -> Action | None:
        """The end of the phase, where no tracker would show it."""
        known = self._advance in self._rules.game.actions
        if not self._phases or not known or position.state or len(position.active) != 1:
            return None
        return Action(self._advance, position.active[0])

    def _skips(self, start: Position, ended: Position, side: str) -> bool:
        """Whether a phase in which another side could have acted goes by without a deed."""
        return not set(ended.active) & {*start.active, side}

    def makes_ready(self, action: Action) -> bool:
        """Whether an action does no more than make a unit ready."""
        return any(action.kind == kind for kind, _ in self._enabling)

    def made_ready(self, entries: Sequence[Entry]) -> frozenset[str]:
        """Who was made ready last on each side in the phase of the last of these entries."""
        found: dict[str, tuple[str, ...]] = {}
        kinds = [kind for kind, _ in self._enabling]
        for entry in reversed(entries):
            if (entry.turn, entry.phase) != (entries[-1].turn, entries[-1].phase):
                break
            if entry.kind in kinds:
                found.setdefault(entry.side, entry.units)
        return frozenset(unit for units in found.values() for unit in units)

    def ready(self, position: Position, side: str, units: Sequence[str]) -> Iterator[Action]:
        """What makes a unit ready by itself, like its activation."""
        if side in position.active and len(units) == 1:
            for kind, param in self._enabling:
                yield self._rules.game.actions.make(kind, side, **{param: units[0]})

    def made_ready_now(self, here: Position) -> Iterator[tuple[Action, Position]]:
        """What makes somebody ready who is asked for, as an activation, and what comes of that."""
        kinds = [kind for kind, _ in self._enabling]
        for side in here.active if here.state else ():
            try:
                some = [o.action for o in islice(self._rules.offers(here, side, kinds), _MOST)]
            except HexMarshalError:
                continue
            for action in some:
                after = self.after(here, action)
                if after is not None:
                    yield action, after

    def after(
        self, position: Position, action: Action, tray: Sequence[Throw] = ()
    ) -> Position | None:
        """What comes of an action; None if it may not be done, or its dice are missing."""
        try:
            if self._rules.check(position, action).legal:
                after = self._rules.apply(position, action, LogDice(tray)).position
                return self.unharmed(position, action, after)
        except HexMarshalError:
            pass
        return None

    def decided(
        self, position: Position, action: Action, tray: Sequence[Throw] = ()
    ) -> Position | None:
        """What comes of an action, with whatever dice if they tell no more than whose go it is."""
        after = self.after(position, action, tray)
        return self._decided_by_any_dice(position, action, tray) if after is None else after

    def is_decided_by_any_dice(self, position: Position, action: Action) -> bool:
        """Whether dice for no more than whose go it is were thrown where the log does not show it.

        Of players whom no tracker keeps to the phases nobody can say when they did.
        """
        return self._decided_by_any_dice(position, action, ()) is not None

    def _decided_by_any_dice(
        self, position: Position, action: Action, tray: Sequence[Throw]
    ) -> Position | None:
        try:
            if not self._phases or not self._rules.check(position, action).legal:
                return None
            after = self._rules.apply(position, action, LogDice(tray, assume=True)).position
        except HexMarshalError:
            return None
        if (after.turn, after.phase) == (position.turn, position.phase):
            return None
        lie = all(getattr(after, name) == getattr(position, name) for name in ("units", "markers"))
        return after if lie else None

    def past(self, position: Position) -> Position | None:
        """As play goes on when nobody does what is asked: all lies where it lay.

        However it is answered, the same is asked next, or nobody could leave it out.
        """
        for side in position.active if position.state else ():
            try:
                offers = self._rules.offers(position, side, self._in_turn)
                answer = next((offer.action for offer in offers), None)
            except HexMarshalError:
                continue
            after = None if answer is None else self.after(position, answer)
            if after is not None and (after.turn, after.phase) == (position.turn, position.phase):
                lay = {name: getattr(position, name) for name in _PIECES}
                return replace(after, **lay)
        return None

    def unharmed(self, before: Position, action: Action, after: Position) -> Position:
        """Nobody loses anything by a pass that he did not announce: perhaps he only waited.

        Nor does it count where passes in a row end a phase.
        """
        same = (before.turn, before.phase) == (after.turn, after.phase)
        if action.kind != self._advance or not same:
            return after
        return replace(after, units=before.units, tracks=before.tracks, extras=before.extras)
