"""Dice for something that was told in plain words: who does it, and to whom, right before them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Rolled
from hexmarshal.referee.case.table_comparison import changed, last_asked
from hexmarshal.referee.chat.chat_mentions import speaker, spoken_of
from hexmarshal.referee.chat.named_parts import held_parts, joined_parts
from hexmarshal.referee.check.findings import IN_SILENCE, IN_WORDS
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.interpret.left_out import LeftOut, choices_left_open
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.interpret.told_rules import in_order
from hexmarshal.referee.traces.drawn_trials import is_later
from hexmarshal.referee.traces.table_traces import TableView
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.dice import NeedsDiceError
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["SpokenDice"]

_LOOKED: Final = 60
# So many aims are tried of those that were named.
_AIMS: Final = 6
# So many others may have been activated for it.
_COMMANDERS: Final = 8
# So many questions that an action asks are answered in silence before its dice are rolled.
_MOST_ANSWERS: Final = 3
# So many decisions are made in silence before it.
_MOST_SILENT: Final = 8


@dataclass(frozen=True, slots=True)
class _Saying:
    """Who was named of the side that acts, and what else; `kinds` if it was told what is done."""

    own: tuple[str, ...]
    others: tuple[str, ...]
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Way:
    """An action with what was done before it in silence, and how things stood `here` then.

    The less is `odd` on the table, the better; None if the dice that lie there are not for it, or
    nobody can tell. It `is_told` if players named its kind too; so many `faults` are wrong with it.
    What it costs `is_paid` if the table shows just that.
    """

    before: Unsaid
    here: Position
    action: Action
    odd: int | None
    is_told: bool
    faults: float = 0
    is_paid: bool = False

    @property
    def doubt(self) -> tuple[bool, float, float]:
        """By what it is likelier against the rules than other ways: who paid so did it so."""
        return not self.is_paid, self.faults, inf if self.odd is None else self.odd


class SpokenDice:
    """Finds the action that uses all dice that lie there, and is about those who were named.

    Of several ways to do it the one that the table shows most of. Where it was told in words what
    is done, and there is no way in which that may be done, it was done against the rules.
    """

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        silent: SilentDecisions,
        opens: Callable[[Sequence[Action], Sequence[str]], bool] | None = None,
    ) -> None:
        """`opens`, where tokens are laid: whether actions turn up what lies face down on others."""
        self._opens = opens
        self._case, self._runner, self._silent = case, runner, silent
        self._left_out = LeftOut(case.rules)

    def explain(self) -> bool:
        """Whether such an action was found, and done; others may have passed before it."""
        sayings = tuple(self._sayings())
        ways = [one for saying in sayings for one in self._ways(saying)]
        fitting = [one for one in ways if one.odd is not None]
        if not fitting:
            return False
        best = min(fitting, key=lambda one: (one.odd or 0, not one.is_told))
        if best.odd and not best.is_told and any(saying.kinds for saying in sayings):
            # What was told was something else.
            return False
        self._do(best)
        return True

    def is_told_rightly(self) -> bool:
        """Whether the dice that lie there are for what was told in words, and may be done."""
        sayings = (saying for saying in self._sayings() if saying.kinds)
        ways = (one for saying in sayings for one in self._ways(saying) if one.is_told)
        return any(one.odd is not None for one in ways)

    def refuse(self) -> bool:
        """Whether dice were rolled for what was told in words, and may not be done; then it was."""
        sayings = [saying for saying in self._sayings() if saying.kinds]
        if not sayings or any(one.is_told for saying in sayings for one in self._ways(saying)):
            # In some way it is right, or other dice are due for it.
            return False
        if any(map(self._may_join, sayings)):
            return False
        tries = [one for saying in sayings for one in self._wrong(saying)]
        if tries:
            self._do(min(tries, key=lambda one: one.doubt))
        return bool(tries)

    def _do(self, way: _Way) -> None:
        """Carry it out, with what silence answers until its dice are rolled."""
        case, tray, begin = self._case, self._case.mind.tray, self._runner.begin

        def told(action: Action, how: str = IN_SILENCE) -> tuple[Action, Now, int, str]:
            now = Now(tray[-1].step, tray[-1].player, action.side)
            return action, now, tray[0].step, f"{how}: {case.spoken(action)}"

        # What somebody meant by his words nobody knows for certain.
        case.mind.guessed = True
        how = IN_WORDS if way.is_told else IN_SILENCE
        if way.faults and way.odd is None:
            # Nothing comes of it by the rules, but that it was done.
            known = case.rules.check(way.here, way.action)
            begin(*told(way.action, how), known=known, sure=False, refused=True)
            self._runner.dice_count.left_over()
            if self._opens is not None:
                # Where the table tells too little, words tell which dice are not for it.
                case.mind.rolled = Rolled(len(case.mind.entries) - 1, tray)
            return
        for one in way.before:
            before = case.mind.belief
            begin(*told(one), unsaid=True)
            case.mind.belief = self._silent.unharmed(before, one, case.mind.belief)
        begin(*told(way.action, how), unsaid=not way.faults, sure=not way.faults)
        for _ in range(_MOST_ANSWERS):
            answer = self._silent.answer(case.mind.belief) if case.mind.tray else None
            if answer is None or case.mind.pending is not None:
                return
            begin(*told(answer), unsaid=True)

    def _sayings(self) -> Iterator[_Saying]:
        """What players told before the dice that lie there; else whom and what they named."""
        mind, here = self._case.mind, self._case.mind.belief
        told = dict.fromkeys(one for throw in mind.tray for one in throw.told)
        plain = [(one.parts(here), one.kinds) for one in told]
        for parts, kinds in plain if all(parts for parts, _ in plain) else ():
            assert parts is not None
            yield _Saying(parts[0], parts[1][:_AIMS], kinds)
        about, side = spoken_of(mind.tray), speaker(mind.tray, here)
        own = tuple(name for name in about if name in here.units and here.units[name].side == side)
        if own:
            yield _Saying(own, tuple(name for name in about if name not in own)[:_AIMS])

    def _moments(self, saying: _Saying) -> Iterator[tuple[Unsaid, Position]]:
        """As things stand, if it is this side's go, or after the others have passed.

        And after who is named first was made ready for it, without a word.
        """
        here = self._case.mind.belief
        side = here.units[saying.own[0]].side
        yield from self._when_asked(saying, side)
        done: Unsaid = ()
        at: Position | None = here
        if side not in here.active:
            passed = self._silent.passes(here, side)
            at = None if passed is None else self._silent.after(here, passed)
            if passed is None or at is None or side not in at.active:
                return
            done, at = (passed,), self._silent.unharmed(here, passed, at)
        assert at is not None
        yield done, at
        for action in self._made_ready(at, side, saying.own[0]):
            ready = self._silent.after(at, action)
            if ready is not None and side in ready.active:
                yield (*done, action), ready
        yield from self._done_with(done, at, side)

    def _done_with(
        self, done: Unsaid, here: Position, side: str
    ) -> Iterator[tuple[Unsaid, Position]]:
        """After what silence answers to what is asked: who begins something else does no more."""
        at = here
        for _ in range(_MOST_ANSWERS):
            answer = self._silent.answer(at) if at.state else None
            after = None if answer is None else self._silent.after(at, answer)
            if answer is None or after is None or is_later(at, after):
                return
            done, at = (*done, answer), after
            if side in at.active:
                yield done, at

    def _when_asked(self, saying: _Saying, side: str) -> Iterator[tuple[Unsaid, Position]]:
        """The moments when silence leads to who is named first, or to whom he aims at."""
        for done, at in self._in_silence(saying):
            about = last_asked(at)
            aims = not about.isdisjoint(saying.others)
            if side in at.active and (saying.own[0] in about or aims):
                yield done, at

    def _in_silence(self, saying: _Saying) -> Iterator[tuple[Unsaid, Position]]:
        """Where silence leads to in this phase, until that turns up what lies face down."""
        at: Position | None = self._case.mind.belief
        done: Unsaid = ()
        for _ in range(_MOST_SILENT if self._opens is not None else 0):
            answer = None if at is None or not at.state else self._silent.answer(at)
            after = None if at is None or answer is None else self._silent.after(at, answer)
            if at is None or answer is None or after is None or after.phase != at.phase:
                return
            at, done = after, (*done, answer)
            if self._opens is not None and self._opens(done, (saying.own[0],)):
                return
            yield done, at

    def _made_ready(self, here: Position, side: str, doer: str) -> Iterator[Action]:
        """What makes a unit ready: its own activation, or that of another who commands it."""
        rules = self._case.rules
        for kind in rules.game.actions.values():
            required = [param for param in kind.params if param.required]
            if [param.type for param in required] != [ParamType.UNIT]:
                continue
            yield rules.game.actions.make(kind.name, side, **{required[0].name: doer})
            if here.state and kind.states and kind.fits(here.phase, here.state):
                offers = rules.offers(here, side, (kind.name,))
                try:
                    yield from (offer.action for offer in islice(offers, _COMMANDERS))
                except HexMarshalError:
                    continue

    def _ways(self, saying: _Saying) -> Iterator[_Way]:
        """What those who were named may do, to others that were, and whether the dice fit."""
        rules = self._case.rules
        for first, here in self._moments(saying):
            side = here.units[saying.own[0]].side
            for kind in rules.game.actions.values():
                if not kind.fits(here.phase, here.state):
                    continue
                for held in held_parts(kind, saying.own, saying.others, here):
                    try:
                        offers = rules.offers(here, side, (kind.name,), held)
                        for offer in islice(offers, _LOOKED):
                            odd = self._odd(here, offer.action)
                            is_told = kind.name in saying.kinds
                            yield _Way(first, here, offer.action, odd, is_told)
                    except HexMarshalError:
                        continue

    def _may_join(self, saying: _Saying) -> bool:
        """Whether each who was named may do it with others, whom nobody named."""
        rules, left = self._case.rules, {*saying.own}
        for _, here in self._moments(saying):
            for name in saying.kinds:
                for held in joined_parts(rules.game.actions[name], saying.others, here):
                    try:
                        side = here.units[saying.own[0]].side
                        for offer in islice(rules.offers(here, side, (name,), held), _LOOKED):
                            left -= {*named(offer.action)}
                    except HexMarshalError:
                        continue
                    if not left:
                        return True
        return False

    def _wrong(self, saying: _Saying) -> Iterator[_Way]:
        """What was told, against the rules, if the dice that lie there fit it."""
        rules, now = self._case.rules, self._case.mind.belief
        side = now.units[saying.own[0]].side
        some = (*self._moments(saying), ((), now), *self._in_silence(saying))
        moments = {id(at): (first, at) for first, at in some}
        for name in saying.kinds:
            for first, here in moments.values():
                for held in held_parts(rules.game.actions[name], saying.own, saying.others, here):
                    given = {slot: thaw(value) for slot, value in held.items()}
                    action = rules.game.actions.make(name, side, **given)
                    action = self._left_out.filled_in(here, action)
                    faults = self._told(here, action)
                    yield from self._as_said(first, here, action, faults)
                    for other in choices_left_open(rules.game, action):
                        # Nobody said how; if it was paid just so, it was so.
                        found = self._told(here, other)
                        if found <= faults:
                            ways = self._as_said(first, here, other, found)
                            yield from (way for way in ways if way.is_paid)

    def _as_said(
        self, first: Unsaid, here: Position, action: Action, faults: Collection[str]
    ) -> Iterator[_Way]:
        """Such a way, if something is wrong with it."""
        if faults:
            yield from self._rolled(_Way(first, here, action, None, True, len(faults)))

    def _told(self, here: Position, action: Action) -> frozenset[str]:
        """The rules that are told of as broken; none, if the rules cannot tell."""
        try:
            broken = self._case.rules.check(here, action).violations
        except HexMarshalError:
            return frozenset()
        return frozenset(one.rule for one in in_order(self._case.rules.game, broken))

    def _rolled(self, way: _Way) -> Iterator[_Way]:
        """A way to do something wrong, if the dice that lie there are just those for it."""
        dice = LogDice(self._case.mind.tray)
        try:
            after = self._after(way.here, way.action, dice)
        except NeedsDiceError:
            return
        except HexMarshalError:
            # The rules do not know what comes of it.
            yield way
            return
        if not dice.used:
            # Who cannot do it at all rolls nothing by the rules.
            yield way
        elif not dice.left:
            odd = self._differences(way.here, after)
            yield replace(way, odd=odd, is_paid=self._is_paid(way.here, after, way.action.side))

    def _is_paid(self, here: Position, after: Position, side: str) -> bool:
        """Whether it costs points or marks on units of a side, and the table shows just those.

        What it did to others decides nothing: that is laid out later.
        """
        case, kept = self._case, self._case.mind
        own = [u for u in changed(here, after) if u in here.units and here.units[u].side == side]
        items = [*case.books.changed(here, after)]
        case.mind = replace(kept, belief=after)
        try:
            shown = not any(map(case.apart, own)) and not any(map(case.item_apart, items))
        finally:
            case.mind = kept
        return bool(own or items) and shown

    def _after(self, here: Position, action: Action, dice: LogDice) -> Position:
        """What comes of an action, with what silence answers until its dice are rolled."""
        at, one = here, action
        for _ in range(_MOST_ANSWERS):
            at = self._case.rules.apply(at, one, dice).position
            answer = self._silent.answer(at) if dice.left else None
            if answer is None:
                break
            one = answer
        return at

    def _odd(self, here: Position, action: Action) -> int | None:
        """How much the table shows otherwise; None if the dice that lie there are not for this."""
        dice = LogDice(self._case.mind.tray)
        try:
            after = self._after(here, action, dice)
        except HexMarshalError:
            return None
        if dice.left or not dice.used or self._is_in_hand(here, after):
            # Nobody has played a card that lies in his hand.
            return None
        return self._differences(here, after)

    def _is_in_hand(self, here: Position, after: Position) -> bool:
        view = TableView(self._case.books, self._case.sights, {})
        return view.is_in_hand(here, after)

    def _differences(self, here: Position, after: Position) -> int:
        """How much of what an action did the table shows otherwise."""
        case, kept = self._case, self._case.mind
        case.mind = replace(kept, belief=after)
        try:
            units = sum(case.apart(unit) for unit in changed(here, after))
            items = sum(map(case.item_apart, case.books.changed(here, after)))
            return units + items + self._unseen_cards(here, after)
        finally:
            case.mind = kept

    def _unseen_cards(self, here: Position, after: Position) -> int:
        """How many piles would be changed that are not on the table."""
        return sum(
            sorted(cards) != sorted(after.pile(name).cards)
            for name, cards in self._case.sights.piles().items()
            if here.pile(name).cards != after.pile(name).cards
        )
