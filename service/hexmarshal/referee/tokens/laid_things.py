"""What players did by laying tokens, markers or cards without a word."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Fork, Otherwise
from hexmarshal.referee.tokens.draw_search import draws_shown
from hexmarshal.referee.tokens.exchanged_tokens import ExchangedTokens
from hexmarshal.referee.tokens.laid_cards import CARDS, LaidCards, named_cards

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.state.pieces import Marker
    from hexmarshal.rules.state.position import Position

__all__ = ["LaidThings"]

# So many things are laid in a row, and so many actions tried for one of them.
_MOST_LAID: Final = 40
_MOST_TRIED: Final = 120
_MOST_FIRST: Final = 8
_MOST_SILENT: Final = 6
_FAR: Final = 2


class LaidThings:
    """Finds the actions of a binding's `laid` that leave on the table what lies there.

    A token on a unit is an order, tokens that went from the pool into the cup are a choice, one
    that came out of it is a draw. Of several actions the one is taken after which least is wrong;
    what silence answers may come before it.
    """

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        silent: SilentDecisions,
        kinds: Sequence[str],
        *,
        phases: bool,
    ) -> None:
        """With `phases` nothing else shows when a phase ends: what is laid then may tell it."""
        self._case, self._runner, self._silent = case, runner, silent
        self._kinds, self._phases = tuple(kinds), phases
        self._laid = LaidCards(case)
        self.exchanged = ExchangedTokens(case, kinds)
        self._table: tuple[Marker, ...] = ()
        self._start: Position | None = None

    def read(self, now: Now) -> None:
        """Carry out, one after the other, what lies there and nobody spoke of."""
        case = self._case
        if not self._kinds or case.mind.pending is not None or not self._is_open():
            return
        # What was drawn last may be another thing than was thought, as it lies there now.
        self._runner.results.redraw()
        self.exchanged.follow(now)
        self._table = tuple(case.sights.markers(case.mind.belief).values())
        before = case.mind.copy() if Otherwise.NOT_DONE in case.mind.forks else None
        wrong = self._read(now)
        if before is None or not self._is_open():
            return
        # Less may be wrong if what was announced against the rules did not happen.
        kept, case.mind = case.mind, before
        self._runner.results.drop_forced()
        if self._read(now) >= wrong:
            case.mind = kept

    def read_draw(self, now: Now) -> None:
        """The same at once, if a draw is all that is waited for: what is drawn may be put back."""
        belief, actions = self._case.mind.belief, self._case.rules.game.actions
        asked = (actions[name] for name in self._kinds if not actions[name].params)
        waits = belief.state and any(belief.state in kind.states for kind in asked)
        if waits and all(self._case.rules.silence(belief, s) is None for s in belief.active):
            self.read(now)

    def _read(self, now: Now) -> int:
        """Carry it out; how much is wrong then."""
        first = self._case.mind.belief
        for _ in range(_MOST_LAID):
            self._start = self._case.mind.belief
            if not self._is_open():
                break
            wrong = self._wrong()
            if not self._next(wrong, now) and not self._otherwise(wrong, now):
                break
        self._start = first
        wrong, self._start = self._wrong(), None
        return wrong

    def lying(self) -> Mapping[str, tuple[str, ...]]:
        """Where the cards lie, if cards are what is chosen now."""
        belief, actions = self._case.mind.belief, self._case.rules.game.actions
        asked = (actions[n] for n in self._kinds if belief.state in actions[n].states)
        chosen = any(p.type in CARDS for kind in asked for p in kind.params)
        return dict(self._case.sights.piles()) if chosen else {}

    def chosen(self) -> tuple[Action, ...]:
        """What each side that is asked has chosen by its cards, rightly or not.

        Nothing if it is not plain which cards are whose.
        """
        belief = self._case.mind.belief
        if not self._kinds or not self._cards():
            return ()
        found = [self._least_wrong(belief, side) for side in belief.active]
        # Cards that nobody has moved in this log nobody has chosen.
        moved = self._case.sights.went.keys()
        actions = tuple(one for one in found if one is not None and moved >= {*named_cards(one)})
        named = [card for action in actions for card in named_cards(action)]
        if len(actions) < len(belief.active) or len({*named}) < len(named):
            return ()
        return actions

    def is_begun(self) -> bool:
        """Whether cards lie there that a side may choose now, and the others have still to."""
        belief = self._case.mind.belief
        asked = belief.active if self._kinds and belief.state and self._cards() else ()
        found = filter(None, (self._least_wrong(belief, side) for side in asked))
        return any(self._is_legal(belief, one) for one in found)

    def _least_wrong(self, position: Position, side: str) -> Action | None:
        turn = self._case.rules.game.turn_rule
        best: tuple[tuple[int, int], Action | None] = (_MOST_TRIED, 0), None
        for name in self._kinds:
            kind = self._case.rules.game.actions[name]
            if not kind.fits(position.phase, position.state):
                continue
            for action in islice(self._laid.chosen(position, kind, side), _MOST_TRIED):
                try:
                    faults = self._case.rules.check(position, action).violations
                except HexMarshalError:
                    continue
                wrong = len(faults), len([*named_cards(action)])
                if wrong < best[0] and all(fault.rule != turn for fault in faults):
                    best = wrong, action
        return best[1]

    def choose(self, actions: Sequence[Action], now: Now) -> None:
        """Sides have chosen so, and went on: what is wrong with it is told."""
        for action in actions:
            right = self._is_legal(self._case.mind.belief, action)
            what = self._case.in_silence(action) if right else self._case.spoken(action)
            self._runner.begin(action, now, now.step, what, unsaid=right, sure=False)
            # They went on: so it was done.
            self._case.mind.forks.pop(Otherwise.NOT_DONE, None)

    def _next(self, wrong: int, now: Now) -> bool:
        """Whether an action was found after which less is wrong; if not, all is as it was."""
        case, before = self._case, self._case.mind
        if self._best(wrong, now):
            return True
        case.mind = before.copy()
        reached = [before]
        for _ in range(_MOST_SILENT):
            at = case.mind.belief
            unsaid = self._silent.answer(at) or self._silent.idle(at, self._kinds)
            if unsaid is None or not self._is_legal(case.mind.belief, unsaid):
                break
            self._begin(unsaid, now)
            if case.mind.pending is not None or not self._is_same_phase(before):
                break
            if self._goes_on(wrong, now) and self._best(wrong, now):
                return True
            if case.mind.belief.phase != at.phase:
                reached.append(case.mind.copy())
        # What two sides choose in secret shows when both have chosen.
        for mind in reached:
            for action in islice(self._likely(mind.belief), _MOST_FIRST):
                case.mind = mind.copy()
                self._begin(action, now)
                if self._is_same_phase(mind) and self._best(wrong, now):
                    return True
        case.mind = before
        return False

    def _otherwise(self, wrong: int, now: Now) -> bool:
        """Whether more was decided before the last dice than silence says, by the cards."""
        case, kept = self._case, self._case.mind
        if not case.history.follows_assumption:
            return False
        start, rolled = kept.forks[Otherwise.NOT_SILENCE].before, kept.entries[-1]
        assumed = case.action_of(rolled)
        kind = case.rules.game.actions[assumed.kind]
        for action in islice(self._laid.chosen(start.belief, kind, assumed.side), _MOST_TRIED):
            if action == assumed or not self._is_legal(start.belief, action):
                continue
            case.mind = case.since(start)
            self._runner.begin(
                action, now, rolled.first, self._case.in_silence(action), unsaid=True
            )
            if case.mind.pending is None and self._wrong() < wrong:
                case.mind.forks[Otherwise.NOT_SILENCE] = Fork(start)
                return True
        case.mind = kept
        return False

    def _is_same_phase(self, before: Mind) -> bool:
        old, new = before.belief, self._case.mind.belief
        return self._phases or (old.turn, old.phase) == (new.turn, new.phase)

    def _best(self, wrong: int, now: Now) -> bool:
        """Whether something leaves less wrong; rather what leaves the moment as it is.

        After that the other can still be done: tokens are thrown in before the next is drawn. But
        rather than any of that what moves all that was moved.
        """
        case, start = self._case, self._case.mind
        best: tuple[tuple[bool, bool, int], Mind] | None = None
        for action in islice(self._likely(start.belief), _MOST_TRIED):
            case.mind = start.copy()
            self._begin(action, now)
            self._runner.results.redraw()
            left = self._wrong() if case.mind.pending is None else wrong
            goes_on = _moment(case.mind.belief) != _moment(start.belief)
            rank = _FAR in self._cards_apart(), goes_on, left
            if left < wrong and (best is None or rank < best[0]):
                best = rank, case.mind
                if not left:
                    break
        case.mind = start if best is None else best[1]
        return best is not None

    def _goes_on(self, wrong: int, now: Now) -> bool:
        """Whether something was drawn, or the game has gone on otherwise, by what lies there.

        A card that somebody chose to lay tells no more than that, and may have been laid before;
        unless it has gone on from where it was laid.
        """
        case, start = self._case, self._case.mind
        shown = case.sights.piles()
        for action in islice(self._likely(start.belief), _MOST_TRIED):
            case.mind = start.copy()
            self._begin(action, now)
            self._runner.results.redraw()
            after, pending = case.mind.belief, case.mind.pending
            left = self._wrong() if pending is None else wrong
            case.mind = start
            params = case.rules.game.actions[action.kind].params
            lies, cards = _places(after, shown), {*named_cards(action)}
            if left < wrong and (
                _moment(after) != _moment(start.belief)
                or not any(param.type in CARDS for param in params)
                or any(lies.get(c) != pile for pile in shown for c in cards & {*shown[pile]})
            ):
                return True
        return False

    def _begin(self, action: Action, now: Now) -> None:
        case, mind = self._case, self._case.mind
        # What was drawn first lies there longest.
        is_draw = action.kind in self._kinds and not action.params
        picks = (
            draws_shown(case.rules, mind.belief, action, mind.tray, case.sights) if is_draw else ()
        )
        what = case.in_silence(action)
        self._runner.begin(action, now, now.step, what, unsaid=True, picks=picks)

    # How far table and rules are apart

    def _is_open(self) -> bool:
        """Whether something lies there that nothing asked for."""
        case = self._case
        early = self._runner.results.books.lapses.is_taken_early
        unasked = (i for i, due in case.mind.due.items() if due.entry is None and not early(i, due))
        return any(map(case.item_apart, unasked)) or self._cards() > 0

    def _wrong(self) -> int:
        """How many markers and cards lie otherwise than the rules have them."""
        return self._cards() + self._markers()

    def _cards(self) -> int:
        """How many cards lie elsewhere; one that has left its pile by the rules counts less.

        A token that was drawn may lie open here or there: what matters is that it was drawn.
        """
        return sum(self._cards_apart())

    def _cards_apart(self) -> tuple[int, ...]:
        shown, belief = self._case.sights.piles(), self._case.mind.belief
        now, before = (_places(position, shown) for position in (belief, self._start or belief))
        left = self._laid.left_lying(belief)
        return tuple(
            _FAR if now.get(card) == before.get(card) else 1
            for pile, cards in shown.items()
            for card in cards
            if now.get(card) != pile and card not in left
        )

    def _markers(self) -> int:
        # Of what the rules keep of a marker, only what markers of its kind show on the table.
        names: dict[str, set[str]] = {}
        for marker in self._table:
            names.setdefault(marker.kind, set()).update(marker.values)
        belief, place = self._case.mind.belief, self._case.books.place
        return _apart(
            *(
                Counter(
                    _looks(marker, place(belief, marker), names.get(marker.kind, ()))
                    for marker in some
                )
                for some in (self._table, belief.markers.values())
            )
        )

    # What may have been done

    def _likely(self, position: Position) -> Iterator[Action]:
        """Legal actions that might have been done, by what lies otherwise."""
        for name in self._kinds:
            kind = self._case.rules.game.actions[name]
            cards = any(param.type in CARDS for param in kind.params)
            for side in position.active:
                found = (self._laid.chosen if cards else self._offered)(position, kind, side)
                yield from (action for action in found if self._is_legal(position, action))

    def _is_legal(self, position: Position, action: Action) -> bool:
        try:
            return self._case.rules.check(position, action).legal
        except HexMarshalError:
            return False

    def _offered(self, position: Position, kind: ActionType, side: str) -> Iterator[Action]:
        """The actions that concern what lies otherwise."""
        since = {i.place: d.now.step for i, d in self._case.mind.due.items() if d.entry is None}
        # Whose a token is that lies on a carrier and those aboard, nobody can tell.
        since |= {u.id: since[u.carrier] for u in position.units.values() if u.carrier in since}
        found: list[tuple[int, Action]] = []
        try:
            for offer in self._case.rules.offers(position, side, (kind.name,)):
                named = {str(value) for value in offer.action.params.values()}
                # What names no unit may be about a box.
                if not named or (since and not named & position.units.keys()):
                    found.append((self._case.mind.step, offer.action))
                elif steps := [since[name] for name in named if name in since]:
                    found.append((min(steps), offer.action))
        except HexMarshalError:
            return
        # Of two tokens that are not both right, the first is.
        yield from (action for _, action in sorted(found, key=itemgetter(0)))


def _moment(position: Position) -> tuple[object, ...]:
    """Of whom what is wanted."""
    return position.turn, position.phase, position.state, position.active


def _places(position: Position, piles: Collection[str]) -> dict[str, str]:
    """In which of these piles each card lies."""
    return {card: name for name in piles for card in position.pile(name).cards}


def _apart(shown: Counter[Any], known: Counter[Any]) -> int:
    return sum((shown - known).values()) + sum((known - shown).values())


def _looks(marker: Marker, place: str, names: Collection[str]) -> tuple[object, ...]:
    """What can be told apart on a table."""
    values = tuple((name, marker.values.get(name)) for name in sorted(names))
    return marker.kind, marker.side, place, values
