"""Units and cells that players name in plain words: what they say before dice tells what for."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.chat.part_names import (
    by_number,
    by_works,
    corrected,
    numbers_of,
    of_the_other,
    the_same,
    works_of,
)
from hexmarshal.referee.chat.plain_words import (
    PlainWords,
    is_doubtful,
    is_idle,
    points_back,
    takes_back,
    tells_of_past,
)
from hexmarshal.referee.chat.told_apart import named_together, parts_of
from hexmarshal.referee.chat.unit_groups import groups_of, named_by_groups
from hexmarshal.referee.chat.whole_names import handles, numbered, titled, whole_names, words_of
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.interpret.open_question import concerned_names
from hexmarshal.rules.params import ParamType

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from hexmarshal.referee.chat.plain_words import Told
    from hexmarshal.referee.chat.told_apart import Part
    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = [
    "ChatMentions",
    "cells_of",
    "is_rolled_for_others",
    "speaker",
    "spoken_near",
    "spoken_of",
]

_MOST: Final = 40


class ChatMentions:
    """Reads a line of chat for names; whatever several things may be called names none of them."""

    def __init__(
        self,
        routes: Routes,
        actions: Iterable[ActionType] = (),
        titles: Mapping[str, str] | None = None,
        formations: Collection[str] = (),
    ) -> None:
        """`titles` has what stands on the counters of units: `13 G Guards rifle division`.

        `formations` are the values by which units belong together: the 23rd is all of that number.
        """
        self._formations = formations
        self._routes = routes
        # Where a counter names its unit as the rules do, that comes first.
        self._titles = {n: t.removeprefix(n).strip() for n, t in (titles or {}).items()}
        self._titled = {name: tuple(titled(title)) for name, title in self._titles.items()}
        self._words = PlainWords(actions)
        self._speaker, self._rolled, self._is_over = "", False, False
        self._is_late, self._is_past, self._is_taken_back = False, False, False
        self._points_back, self._is_carried_out, self._is_plain = False, False, False
        self._is_moved = False
        self.about: tuple[str, ...] = ()
        """What was spoken of since others were dragged; of several players only by the last."""
        self.parts: tuple[Part, ...] = ()
        """The same in the parts of what was said."""
        self._told: tuple[Told, ...] = ()

    def hear(self, text: str, player: str, position: Position, side: str = "") -> None:
        """A player said something; once dice were rolled, it is of something else.

        `side` is his, if he speaks for no other.
        """
        undone = self._rolled and not self._is_carried_out
        self._is_taken_back = undone and player == self._speaker and takes_back(text)
        known, groups = self._known(position), groups_of(position, self._titles)
        several = self._several(position, groups)
        numbers, works = numbers_of(position, self._titles), works_of(position)

        def found(words: Sequence[str]) -> tuple[tuple[int, str], ...]:
            some = (*whole_names(words, known), *named_by_groups(words, groups))
            places = {at for at, _ in some}
            # The number behind a name belongs to that.
            parts = (*by_number(words, numbers), *by_works(words, works))
            some = (*some, *(one for one in parts if places.isdisjoint((one[0], one[0] - 1))))
            others = of_the_other(words, some, position, self._titles)
            return (*some, *others, *the_same(words, some, self.about, position))

        def maybe(words: Sequence[str]) -> Iterator[str]:
            return (name for _, name in whole_names(words, several))

        text = corrected(text, found, position)
        names = tuple(dict.fromkeys(name for _, name in sorted(found(words_of(text)), key=_place)))
        if names:
            # Who was dragged has done what was said of him, if others are named then.
            others = self._is_moved and any(name in position.units for name in names)
            more = player == self._speaker and not (self._rolled or self._is_over or others)
            said = tuple(dict.fromkeys((*self.about, *names) if more else names))
            # Whoever names half the map speaks of nothing.
            self.about = said if len(said) <= _MOST else ()
            parts = (*(self.parts if more else ()), *parts_of(text, found, maybe))
            self.parts = parts if len(parts) <= _MOST else ()
            told = self._words.read(text, found)
            self._told = tuple(replace(one, side=side) for one in told)
            self._is_late, self._is_past = self._rolled, tells_of_past(text)
            over = any(one.is_past for one in self._told)
            self._is_plain = (self._is_plain or not more) and not (over or is_idle(text))
            self._points_back = points_back(text)
            self._speaker, self._rolled, self._is_over = player, False, False
            self._is_moved = False
        elif is_doubtful(text):
            # No, wait.
            self._told, self._is_plain = (), False

    @property
    def told(self) -> tuple[Told, ...]:
        """What he told of it: what is done, and by whom; not what was done before."""
        return () if any(one.is_past for one in self._told) else self._told

    def said_of(self, throw: Throw) -> Throw:
        """A die with what was said before it."""
        again = self._rolled and bool(self.about)
        told = replace(throw, about=self.about, told=self.told, parts=self.parts, again=again)
        return replace(told, plainly=self._is_plain and not self._is_past)

    def roll(self) -> None:
        """Dice were rolled."""
        self._rolled, self._is_carried_out = True, False

    def pay(self) -> None:
        """Tracks or markers were moved: what dice were rolled for was meant."""
        self._is_carried_out = True

    def turn(self) -> None:
        """The tracker, or the go, was moved on: what is said from now on is of something else."""
        self._is_over = True

    def late(self, throws: tuple[Throw, ...]) -> tuple[Throw, ...]:
        """Dice that lie there, with what was told right behind them, if that was for them."""
        if not (self.about and self._is_late and throws) or self._rolled:
            return throws
        if any(one.player != self._speaker for one in throws):
            return throws
        # What was said before other dice was of those, if these are told of by themselves.
        own = any((one.about or one.told) and not one.again for one in throws)
        if own or (any(one.about for one in throws) and not self._points_back):
            return throws
        if not (self._told or self._is_past or self._points_back):
            if all(one.beside == self.about for one in throws):
                return throws
            return tuple(replace(one, beside=self.about) for one in throws)
        about, told, parts, plainly = self.about, self._told, self.parts, self._is_plain
        self.about, self._told, self.parts, self._is_late = (), (), (), False
        said = (replace(one, about=about, told=told, parts=parts) for one in throws)
        return tuple(replace(one, again=False, plainly=plainly) for one in said)

    def without_taken_back(self, throws: tuple[Throw, ...]) -> tuple[Throw, ...]:
        """Dice that lie there, without what was told before them, if that was taken back."""
        if not self._is_taken_back:
            return throws
        return tuple(replace(one, told=(), plainly=False) for one in throws)

    def see(self, dragged: Iterable[str]) -> None:
        """Units were dragged: if others than those who were named, something else is done."""
        moved = {*dragged}
        self._is_moved |= bool(moved)
        if not moved <= {*self.about}:
            self.about, self._told, self.parts = (), (), ()

    def _known(self, position: Position) -> dict[str, tuple[str, ...]]:
        """Units on the map and cells, by what they may be called; who is carried is there too."""
        known = self._singly(position)
        return {**self._together(position), **{name: (one,) for name, one in known.items()}}

    def _together(self, position: Position) -> dict[str, tuple[str, ...]]:
        """All units on the map of a formation, by its number and such an ending: 23rd."""
        found: dict[str, tuple[str, ...]] = {}
        for unit in position.units.values() if self._formations else ():
            for name in self._formations if unit.cell else ():
                number = unit.value(name)
                if isinstance(number, str) and number.isdecimal():
                    found[f"{number}th"] = (*found.get(f"{number}th", ()), unit.id)
        return found

    def _singly(self, position: Position) -> dict[str, str]:
        return _unique(self._called(position)) | self._cells

    def _called(self, position: Position) -> Iterator[tuple[str, str]]:
        """What the units on the map are called, each with all its names."""
        for unit in position.units.values():
            if unit.cell or unit.held_by():
                names = *handles(unit.id), *numbered(unit.id, unit.type)
                yield from ((h, unit.id) for h in (*names, *self._titled.get(unit.id, ())))

    def _several(
        self, position: Position, groups: Mapping[str, Sequence[Unit]]
    ) -> dict[str, tuple[str, ...]]:
        """Units by what a few of them are called: the 05, the tanks."""
        found: dict[str, dict[str, None]] = {}
        for handle, name in self._called(position):
            found.setdefault(handle, {})[name] = None
        for word, units in groups.items():
            found.setdefault(word, {}).update(dict.fromkeys(unit.id for unit in units))
        return {h: (*names,) for h, names in found.items() if 1 < len(names) <= _MOST}

    @cached_property
    def _cells(self) -> dict[str, str]:
        """Cells by their names, and by the last part of it where one board alone has that."""
        cells = tuple(self._routes.cells())
        return _unique((handle, cell) for cell in cells for handle in handles(cell))


def spoken_of(throws: Iterable[Throw]) -> tuple[str, ...]:
    """The units and cells that players spoke of right before dice, in this order."""
    return tuple(dict.fromkeys(name for throw in throws for name in throw.about))


def spoken_near(throws: Iterable[Throw]) -> tuple[str, ...]:
    """The same, with those whom they spoke of right behind dice, perhaps for something else."""
    return tuple(dict.fromkeys(name for throw in throws for name in (*throw.about, *throw.beside)))


def speaker(throws: Iterable[Throw], here: Position) -> str:
    """Whose dice they are: by the seat, else that of the unit that was named first."""
    spoken = [throw for throw in throws if throw.about]
    seats = {throw.side for throw in spoken if throw.side}
    first = (here.units[name].side for name in spoken_of(spoken) if name in here.units)
    return seats.pop() if len(seats) == 1 else next(first, "")


def is_rolled_for_others(
    game: Game, action: Action, throws: Sequence[Throw], here: Position
) -> bool:
    """Whether dice were for something else than an action, by what players said before them.

    For other doers, or other aims; whoever speaks of his own rolls for them. An answer that names
    nobody is about those whom the question is about.
    """
    # What was said before other dice may be of those alone.
    throws = [throw for throw in throws if not throw.again]
    about, units, side = {*spoken_of(throws)}, here.units, action.side
    if not about:
        return False
    names = {name for name in named(action) if name in units}
    cells = {*cells_of(action, game.actions[action.kind])}
    kinds = {kind for throw in throws for told in throw.told for kind in told.kinds}
    is_told, doer = action.kind in kinds, side
    if not (names or cells) and here.state:
        is_told = bool(kinds)
        side = speaker(throws, here)
        concerned = concerned_names(game, here)
        names = {name for name in concerned if name in units}
        others = (units[name].side for name in names if units[name].side != action.side)
        doer = next(others, doer)
        cells = {*concerned} - names
    own = {name for name in names if units[name].side == side}
    aims = {units[name].cell for name in names - own} | cells
    if not (names or aims):
        return False
    about = {*named_together(throws, here, doer, own, aims)}
    doers = {name for name in about if name in units and units[name].side == side}
    spoken = {units[name].cell if name in units else name for name in about - doers} - {""}
    if own and not any(name in units for name in about):
        # Who names only a place may speak of where they stand.
        aims |= {units[name].cell for name in own}
    if own and doers and (own.isdisjoint(doers) or side != speaker(throws, here)):
        return True
    if own and doers and not is_told and _is_called_otherwise(game, action.kind, kinds):
        return True
    if own and is_told and not doers <= own:
        # Who tells by whom something is done may forget some, but names nobody for nothing.
        return True
    if aims and spoken:
        return aims.isdisjoint(spoken)
    if not cells.isdisjoint(units[name].cell for name in doers):
        # Who is attacked answers, and was named alone.
        return False
    return names.isdisjoint(about)


def _is_called_otherwise(game: Game, kind: str, told: Collection[str]) -> bool:
    """Whether nobody calls an action of a kind by a word for what was told: a shot is no rally."""
    words = game.actions[kind].words
    called = {word for name in told for word in game.actions[name].words}
    return bool(words and called) and called.isdisjoint(words)


def cells_of(action: Action, kind: ActionType) -> Iterator[str]:
    """The cells that an action names."""
    for param in kind.params:
        value = action.params.get(param.name)
        if param.type is ParamType.CELL and isinstance(value, str):
            yield value
        elif param.type is ParamType.CELLS and isinstance(value, tuple):
            yield from (one for one in value if isinstance(one, str))


def _place(named: tuple[int, str]) -> int:
    return named[0]


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for handle, name in pairs:
        found.setdefault(handle, set()).add(name)
    return {handle: next(iter(names)) for handle, names in found.items() if len(names) == 1}
