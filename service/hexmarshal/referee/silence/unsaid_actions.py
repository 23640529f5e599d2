"""Actions that left nothing on the table, looked for by what is right only after them."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import TURNED_UP
from hexmarshal.referee.case.table_comparison import asked_about, changed
from hexmarshal.referee.chat.chat_mentions import is_rolled_for_others, spoken_near, spoken_of
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["UnsaidActions"]

# So many actions are carried out on trial, more where nobody knows what they are about; so many of
# a kind, and so many one after the other.
_TRIALS: Final = 160
_MOST_TRIALS: Final = 400
_OF_A_KIND: Final = 10
_LOOKED: Final = 120
_DEEP: Final = 5
_CARDS: Final = frozenset({ParamType.CARD, ParamType.CARDS})


class UnsaidActions:
    """Finds what players did without a word, and without a piece that would show it.

    An attack that nobody declares shows by the answer to it; which it was, nobody can tell, and the
    first that fits is taken. It is a guess, after which nothing is certain.
    """

    def __init__(
        self, case: Case, silent: SilentDecisions, routes: Routes, drags: Collection[str]
    ) -> None:
        """`drags` are the kinds that dragging can be: those show."""
        self._case, self._silent, self._routes, self._drags = case, silent, routes, drags
        self._piles: Mapping[str, tuple[str, ...]] = {}
        self._covered: frozenset[str] = frozenset()
        self._lay_covered: frozenset[str] = frozenset()

    def before(
        self,
        is_right: Callable[[Position], bool],
        about: Collection[str] = (),
        *,
        dice: bool = True,
        late: bool = False,
    ) -> Unsaid | None:
        """What was done in silence before something that is right only then; None if nothing.

        `about` are the units and cells that it is about: who is nearer to them is tried first. The
        tracker may be `late`: then what silence means may end the phase.
        """
        mind = self._case.mind
        tray = mind.tray if dice else ()
        about = {*about, *spoken_near(tray)}
        return self.search(mind.belief, tray, lambda at, _: is_right(at), about, late=late)

    def explaining(self, tray: tuple[Throw, ...], start: Position) -> Unsaid | None:
        """What was done in silence for which just these dice were rolled, and nothing shows it."""

        def is_over(at: Position, left: tuple[Throw, ...]) -> bool:
            if left or (at.state != start.state and self._silent.answer(at) is None):
                return False
            return not self._shows(start, at)

        about = spoken_of(tray)
        found = self.search(start, tray, is_over, about, sure=True) if about else None
        return found or self.search(start, tray, is_over, sure=True)

    def search(
        self,
        start: Position,
        tray: tuple[Throw, ...],
        fits: Callable[[Position, tuple[Throw, ...]], bool],
        about: Collection[str] = (),
        *,
        sure: bool = False,
        late: bool = False,
    ) -> Unsaid | None:
        """The first actions after which the position `fits`, with the dice that are left then.

        Rather those that left nothing on the table but what lies there; `sure` if `fits` says so.
        Above all those after which cards are where they lie, if they are not yet.
        """
        self._piles = self._case.sights.piles()
        astray = len(self._astray(start))
        self._covered = self._face_down(start)
        todo: deque[tuple[Position, tuple[Throw, ...], Unsaid]] = deque([(start, tray, ())])
        seen: set[object] = set()
        tried = 0
        second: Unsaid | None = None
        second_shows = False
        while todo:
            here, dice, done = todo.popleft()
            near: list[tuple[Position, tuple[Throw, ...], Unsaid]] = []
            for action in self._likely(here, about, dice):
                tried += 1
                if tried > (_TRIALS if about else _MOST_TRIALS):
                    return second
                ends = late and action == self._silent.answer(here)
                found = self._after(here, action, dice, ends=ends)
                if found is None:
                    continue
                after, left = found
                if fits(after, left):
                    shows = not sure and self._shows(start, after, about)
                    if not shows and len(self._astray(after)) <= max(0, astray - 1):
                        return (*done, action)
                    if second is None or (second_shows and not shows):
                        second, second_shows = (*done, action), shows
                key = (after.frames, after.active, after.state, len(left))
                if len(done) + 1 < _DEEP and key not in seen:
                    seen.add(key)
                    # Whoever does something with those it is about goes on with that.
                    one = after, left, (*done, action)
                    if not {*named(action)}.isdisjoint(about):
                        todo.appendleft(one)
                    else:
                        top = replace(after, frames=after.frames[-1:])
                        asked = not asked_about(top).isdisjoint(about)
                        (near if asked else todo).append(one)
            todo.extendleft(reversed(near))
        return second

    def _after(
        self, here: Position, action: Action, tray: Sequence[Throw], *, ends: bool
    ) -> tuple[Position, tuple[Throw, ...]] | None:
        """What comes of an action; None if the table would show it, and does not.

        Nor without `ends` if the phase is over then.
        """
        dice = LogDice(tray)
        try:
            after = replace(self._case.rules.apply(here, action, dice).position, generator=None)
        except HexMarshalError:
            return None
        if not ends and (after.turn, after.phase) != (here.turn, here.phase):
            return None
        if is_rolled_for_others(self._case.rules.game, action, dice.used, here):
            return None
        if not dice.used and self._shows(here, after):
            return None
        return None if self._opens(here, after) else (after, dice.left)

    def look(self) -> None:
        """Something begins: what lies face down now was not turned up before it."""
        self._lay_covered = self._face_down(self._case.mind.belief)

    def opens(self, actions: Iterable[Action], but: Collection[str]) -> bool:
        """Whether actions turn up what lay face down, on others than the units in `but`."""
        mind = self._case.mind
        here, covered = mind.belief, self._lay_covered | self._face_down(mind.belief)
        self._covered = frozenset(
            name for name in covered if name in here.markers and here.markers[name].unit not in but
        )
        for action in actions if self._covered else ():
            try:
                after = self._case.rules.apply(here, action, LogDice(mind.tray)).position
            except HexMarshalError:
                return False
            if self._opens(here, after):
                return True
            here = after
        return False

    def _face_down(self, position: Position) -> frozenset[str]:
        """The markers that lie face down, where players turn up what the rules do."""
        known = position.markers.values()
        if not any(marker.unit and marker.known_to is not None for marker in known):
            return frozenset()
        shown = self._case.sights.markers(position)
        if TURNED_UP not in self._case.mind.kept:
            turned = {m.id for m in known if m.unit and m.face and m.known_to is None}
            if not any(name in shown and shown[name].known_to is None for name in turned):
                return frozenset()
            self._case.mind.kept |= {TURNED_UP}
        stuck = self._case.sights.covered()
        return frozenset(
            one.id for one in shown.values() if one.known_to is not None and one.side not in stuck
        )

    def _opens(self, before: Position, after: Position) -> bool:
        """Whether a marker that lies face down would be open."""
        if before.markers is after.markers:
            return False
        here = ((name, after.markers.get(name)) for name in self._covered)
        return any(
            marker is not None
            and marker.known_to is None
            and before.markers.get(name) is not marker
            for name, marker in here
        )

    def _shows(self, before: Position, after: Position, but: Collection[str] = ()) -> bool:
        """Whether pieces, markers or cards would lie otherwise than they do; `but` for some."""
        case, kept = self._case, self._case.mind
        case.mind = replace(kept, belief=after)
        try:
            if any(case.apart(unit) for unit in changed(before, after) if unit not in but):
                return True
            items = (i for i in case.books.changed(before, after) if not self._is_aside(after, i))
            if any(map(case.item_apart, items)):
                return True
        finally:
            case.mind = kept
        return before.piles is not after.piles and any(
            sorted(cards) != sorted(after.pile(name).cards)
            for name, cards in self._piles.items()
            if before.pile(name).cards != after.pile(name).cards
        )

    def _is_aside(self, position: Position, item: Item) -> bool:
        """Whether it is a token in a box, or on who is out of the game: it may lie anywhere."""
        bearer = position.units.get(item.place)
        boxes = (box.key for box in self._case.rules.game.boxes)
        return item.place in boxes if bearer is None else not (bearer.cell or bearer.carrier)

    def _astray(self, position: Position) -> frozenset[str]:
        """The cards that lie in other piles than the rules have them."""
        return frozenset(
            card
            for name, cards in self._piles.items()
            for card in cards
            if card not in position.pile(name).cards
        )

    def _cards(self, action: Action) -> frozenset[str]:
        """The cards that an action names."""
        params = self._case.rules.game.actions[action.kind].params
        values = (action.params.get(param.name) for param in params if param.type in _CARDS)
        return frozenset(
            str(card)
            for value in values
            if value is not None
            for card in (value if isinstance(value, tuple) else (value,))
        )

    def _likely(
        self, here: Position, about: Collection[str], dice: Sequence[Throw]
    ) -> Iterator[Action]:
        """What silence means first, then what may be done, the nearest of each kind first.

        Before that what cards tell that lie elsewhere; last what names others.
        """
        spoken = {*spoken_near(dice)}
        unsaid = self._silent.answer(here)
        told: list[Action] = []
        astray = self._astray(here)
        if unsaid is not None:
            offers = self._offers(here, (unsaid.kind,)) if astray else ()
            told = [one for one in offers if self._cards(one) and self._cards(one) <= astray]
            yield from told
            yield unsaid
            told.append(unsaid)
        units = here.units
        cells = {units[name].cell if name in units else name for name in about} - {""}
        near = self._routes.around(cells, 1)

        def far(action: Action) -> tuple[int, int, int]:
            """Who is near first; of those, the more of them the better: few attack with a part.

            Beside those whom players named, nobody takes part.
            """
            names = {*named(action)}
            own = {n for n in names if n in units and units[n].side == action.side}
            places = {units[name].cell if name in units else name for name in names}
            if names & {*about}:
                more = len(own - spoken) if own & spoken else -len(names)
                return 0, -len(names & {*about}), more
            nearest = min((1 + near[place] for place in places if place in near), default=3)
            return nearest, 0, -len(names)

        last: list[Action] = []
        gone = self._gone(here, about) if here.state else set()
        for kind in self._case.rules.game.actions.values():
            if not kind.fits(here.phase, here.state) or (kind.rolls and not dice):
                continue
            if kind.name in self._drags and not gone:
                continue
            found = sorted(self._offers(here, (kind.name,)), key=far)
            if kind.name in self._drags:
                # Nobody drags those any more who do not survive it.
                found = [action for action in found if not gone.isdisjoint(named(action))]
            for action in found[: _OF_A_KIND if about else _LOOKED]:
                if not self._cards(action) <= astray:
                    last.append(action)
                elif action not in told:
                    yield action
        yield from last
        if dice:
            # Others may fire at who goes nowhere, too.
            yield from (one for one in self._going_nowhere(here) if not far(one)[0])

    def _going_nowhere(self, here: Position) -> Iterator[Action]:
        """Ways that units may go without leaving their cells: no drag shows those."""
        for kind in self._case.rules.game.actions.values():
            if kind.name not in self._drags or not kind.fits(here.phase, here.state):
                continue
            ways = {p.name: () for p in kind.params if p.required and p.type is ParamType.PATH}
            for side in here.active if ways else ():
                try:
                    offers = self._case.rules.offers(here, side, (kind.name,), ways)
                    yield from (offer.action for offer in islice(offers, _OF_A_KIND))
                except HexMarshalError:
                    continue

    def _gone(self, here: Position, about: Collection[str]) -> set[str]:
        """Who of those it is about is on the map no more."""
        known, shown = here.units, self._case.sights.units
        return {
            name
            for name in about
            if name in known and known[name].cell
            if name not in shown or not shown[name].where.cell
        }

    def _offers(self, here: Position, kinds: tuple[str, ...]) -> list[Action]:
        found: list[Action] = []
        for side in here.active:
            try:
                offers = self._case.rules.offers(here, side, kinds)
                found += (offer.action for offer in islice(offers, _LOOKED))
            except HexMarshalError:
                continue
        return found
