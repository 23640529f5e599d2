"""Units and cells that players name in plain words: what they say before dice tells what for."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.rules.params import ParamType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.state.position import Position

__all__ = ["ChatMentions", "is_rolled_for_others", "speaker", "spoken_of"]

_WORD: Final = re.compile(r"\w+(?:[-/]\w+)*")
_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)")
# A single digit may be anything: a number of points, of steps, of attacks.
_SHORTEST: Final = 2
_MOST: Final = 40


class ChatMentions:
    """Reads a line of chat for names; whatever several things may be called names none of them."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._speaker, self._rolled = "", False
        self.about: tuple[str, ...] = ()
        """What was spoken of since others were dragged; of several players only by the last."""

    def hear(self, text: str, player: str, position: Position) -> None:
        """A player said something; once dice were rolled, it is of something else."""
        names = self.of(text, position)
        if names:
            more = player == self._speaker and not self._rolled
            said = tuple(dict.fromkeys((*self.about, *names) if more else names))
            # Whoever names half the map speaks of nothing.
            self.about = said if len(said) <= _MOST else ()
            self._speaker, self._rolled = player, False

    def roll(self) -> None:
        """Dice were rolled."""
        self._rolled = True

    def see(self, dragged: Iterable[str]) -> None:
        """Units were dragged: if others than those who were named, something else is done."""
        if not {*dragged} <= {*self.about}:
            self.about = ()

    def of(self, text: str, position: Position) -> tuple[str, ...]:
        """The units on the map and the cells that are named, in this order."""
        words = [_plain(word) for word in _WORD.findall(text.lower())]
        pairs = (pair for a, b in pairwise((*words, "")) for pair in (a, f"{a}-{b}", f"{b}-{a}"))
        units = _unique(
            (handle, unit.id)
            for unit in position.units.values()
            if unit.cell
            for handle in _handles(unit.id)
        )
        known = units | self._cells
        return tuple(dict.fromkeys(known[word] for word in pairs if word in known))

    @cached_property
    def _cells(self) -> dict[str, str]:
        """Cells by their names, and by the last part of it where one board alone has that."""
        cells = tuple(self._routes.cells())
        return _unique((handle, cell) for cell in cells for handle in _handles(cell))


def spoken_of(throws: Iterable[Throw]) -> tuple[str, ...]:
    """The units and cells that players spoke of right before dice, in this order."""
    return tuple(dict.fromkeys(name for throw in throws for name in throw.about))


def speaker(throws: Iterable[Throw], here: Position) -> str:
    """Whose dice they are: by the seat, else that of the unit that was named first."""
    spoken = [throw for throw in throws if throw.about]
    seats = {throw.side for throw in spoken if throw.side}
    first = (here.units[name].side for name in spoken_of(spoken) if name in here.units)
    return seats.pop() if len(seats) == 1 else next(first, "")


def is_rolled_for_others(
    actions: Mapping[str, ActionType], action: Action, throws: Sequence[Throw], here: Position
) -> bool:
    """Whether dice were for something else than an action, by what players said before them.

    For other doers, or other aims; whoever speaks of his own rolls for them.
    """
    about, units = {*spoken_of(throws)}, here.units
    if not about:
        return False
    names = {name for name in named(action) if name in units}
    own = {name for name in names if units[name].side == action.side}
    aims = {units[name].cell for name in names - own} | {*_cells_of(action, actions[action.kind])}
    if not (names or aims):
        return False
    doers = {name for name in about if name in units and units[name].side == action.side}
    spoken = {units[name].cell if name in units else name for name in about - doers} - {""}
    if own and doers and (own.isdisjoint(doers) or action.side != speaker(throws, here)):
        return True
    if aims and spoken:
        return aims.isdisjoint(spoken)
    return names.isdisjoint(about)


def _cells_of(action: Action, kind: ActionType) -> Iterator[str]:
    for param in kind.params:
        value = action.params.get(param.name)
        if param.type is ParamType.CELL and isinstance(value, str):
            yield value
        elif param.type is ParamType.CELLS and isinstance(value, tuple):
            yield from (one for one in value if isinstance(one, str))


def _plain(word: str) -> str:
    found = _ORDINAL.fullmatch(word)
    return found[1] if found is not None else word


def _handles(name: str) -> Iterator[str]:
    """What somebody may be called: by the whole name, or by what stands behind its first part."""
    low = name.lower()
    yield low
    _, _, last = low.partition("-")
    if len(last) >= _SHORTEST:
        yield last


def _unique(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, set[str]] = {}
    for handle, name in pairs:
        found.setdefault(handle, set()).add(name)
    return {handle: next(iter(names)) for handle, names in found.items() if len(names) == 1}
