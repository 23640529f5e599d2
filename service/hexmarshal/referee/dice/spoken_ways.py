"""What those who were named before dice may have done: at which moment, and whether it fits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import changed, last_asked
from hexmarshal.referee.chat.chat_mentions import speaker, spoken_of
from hexmarshal.referee.chat.named_parts import held_parts
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.traces.drawn_trials import is_later
from hexmarshal.referee.traces.table_traces import TableView
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["LOOKED", "MOST_ANSWERS", "Saying", "SpokenWays", "Way"]

LOOKED: Final = 60
# So many aims are tried of those that were named.
_AIMS: Final = 6
# So many others may have been activated for it.
_COMMANDERS: Final = 8
# So many questions that an action asks are answered in silence before its dice are rolled.
MOST_ANSWERS: Final = 3
# So many decisions are made in silence before it.
_MOST_SILENT: Final = 8


@dataclass(frozen=True, slots=True)
class Saying:
    """Who was named of the side that acts, and what else; `kinds` if it was told what is done."""

    own: tuple[str, ...]
    others: tuple[str, ...]
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """An action with what was done before it in silence, and how things stood `here` then.

    The less is `odd` on the table, the better; None if the dice that lie there are not for it, or
    nobody can tell. It `is_told` if players named its kind too; so many `faults` are wrong with it.
    What it costs `is_paid` if the table shows just that; it `is_shown` by what it did to others.
    """

    before: Unsaid
    here: Position
    action: Action
    odd: int | None
    is_told: bool
    faults: float = 0
    is_paid: bool = False
    is_shown: bool = False

    @property
    def doubt(self) -> tuple[bool, float, float]:
        """By what it is likelier against the rules than other ways: who paid so did it so."""
        return not self.is_paid, self.faults, inf if self.odd is None else self.odd


class SpokenWays:
    """Tries what may be done with those who were named, as things stand or after silence."""

    def __init__(
        self,
        case: Case,
        silent: SilentDecisions,
        opens: Callable[[Sequence[Action], Sequence[str]], bool] | None = None,
    ) -> None:
        """`opens`, where tokens are laid: whether actions turn up what lies face down on others."""
        self._opens = opens
        self._case, self._silent = case, silent

    def sayings(self) -> Iterator[Saying]:
        """What players told before the dice that lie there; else whom and what they named."""
        mind, here = self._case.mind, self._case.mind.belief
        told = dict.fromkeys(one for throw in mind.tray for one in throw.told)
        plain = [(one.parts(here), one.kinds) for one in told]
        for parts, kinds in plain if all(parts for parts, _ in plain) else ():
            assert parts is not None
            yield Saying(parts[0], parts[1][:_AIMS], kinds)
        about, side = spoken_of(mind.tray), speaker(mind.tray, here)
        own = tuple(name for name in about if name in here.units and here.units[name].side == side)
        if own:
            yield Saying(own, tuple(name for name in about if name not in own)[:_AIMS])

    def moments(self, saying: Saying) -> Iterator[tuple[Unsaid, Position]]:
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
        for _ in range(MOST_ANSWERS):
            answer = self._silent.answer(at) if at.state else None
            after = None if answer is None else self._silent.after(at, answer)
            if answer is None or after is None or is_later(at, after):
                return
            done, at = (*done, answer), after
            if side in at.active:
                yield done, at

    def _when_asked(self, saying: Saying, side: str) -> Iterator[tuple[Unsaid, Position]]:
        """The moments when silence leads to who is named first, or to whom he aims at."""
        for done, at in self.in_silence(saying):
            about = last_asked(at)
            aims = not about.isdisjoint(saying.others)
            if side in at.active and (saying.own[0] in about or aims):
                yield done, at

    def in_silence(self, saying: Saying) -> Iterator[tuple[Unsaid, Position]]:
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

    def ways(self, saying: Saying) -> Iterator[Way]:
        """What those who were named may do, to others that were, and whether the dice fit."""
        rules = self._case.rules
        for first, here in self.moments(saying):
            side = here.units[saying.own[0]].side
            for kind in rules.game.actions.values():
                if not kind.fits(here.phase, here.state):
                    continue
                for held in held_parts(kind, saying.own, saying.others, here):
                    try:
                        offers = rules.offers(here, side, (kind.name,), held)
                        for offer in islice(offers, LOOKED):
                            found = self._tried(here, offer.action)
                            if found is not None:
                                is_told = kind.name in saying.kinds
                                yield Way(first, here, offer.action, found[0], is_told)
                    except HexMarshalError:
                        continue

    def after(self, here: Position, action: Action, dice: LogDice) -> Position:
        """What comes of an action, with what silence answers until its dice are rolled."""
        at, one = here, action
        for _ in range(MOST_ANSWERS):
            at = self._case.rules.apply(at, one, dice).position
            answer = self._silent.answer(at) if dice.left else None
            if answer is None:
                break
            one = answer
        return at

    def _tried(self, here: Position, action: Action) -> tuple[int | None] | None:
        """How much the table shows otherwise; None if the dice that lie there are not for this.

        Nothing at all if it asks for a card that lies in a hand: nobody has played that.
        """
        dice = LogDice(self._case.mind.tray)
        try:
            after = self.after(here, action, dice)
        except HexMarshalError:
            return (None,)
        if dice.left or not dice.used:
            return (None,)
        return None if self._is_in_hand(here, after) else (self.differences(here, after),)

    def _is_in_hand(self, here: Position, after: Position) -> bool:
        view = TableView(self._case.books, self._case.sights, {})
        return view.is_in_hand(here, after)

    def differences(self, here: Position, after: Position) -> int:
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
