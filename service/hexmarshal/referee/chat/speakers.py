"""Who speaks or rolls: on whose seat, and for whom what he announces is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.rules.params import ParamType

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from hexmarshal.referee.chat.announcements import Call
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.judge.judge import Judge
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import Binding
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["Speakers"]

_UNITS: Final = (ParamType.UNIT, ParamType.UNITS)


class Speakers:
    """The players at a table: one may sit on one seat and play all sides."""

    def __init__(
        self, binding: Binding, plugin: GamePlugin, state: Callable[[], GameState]
    ) -> None:
        self._sides, self._game, self._state = binding.sides, plugin.game, state
        self._seated: set[str] = set()

    def side(self, player: str | None) -> str:
        """The side on whose seat a player sits; empty if on none."""
        for seat in self._state().seats.values():
            if player and seat.name == player:
                return self._sides.get(seat.side, "")
        return ""

    def is_alone(self) -> bool:
        """Whether one person plays all sides."""
        return len(self._names()) <= 1

    def _names(self) -> set[str]:
        return {seat.name for seat in self._state().seats.values() if seat.name}

    def names(self, did: Collection[str] = ()) -> dict[str, str]:
        """Who plays each side; of one who plays alone, every side.

        Where it is known who `did` something, whoever only sits there plays none.
        """
        taken = {*did} or self._names()
        alone = taken.pop() if len(taken) == 1 else ""
        names = dict.fromkeys(("", *(side.key for side in self._game.sides)), alone)
        for seat in self._state().seats.values():
            if seat.side in self._sides:
                seated = seat.name if not did or seat.name in did else ""
                names[self._sides[seat.side]] = seated or alone
        return names

    def empty_seats(self) -> frozenset[str]:
        """The sides on whose seat nobody has sat, if whoever plays sits on those of others."""
        seats = {seat.side for seat in self._state().seats.values() if seat.name}
        taken = {self._sides.get(seat, "") for seat in seats}
        self._seated |= taken
        if "" in taken or not taken:
            return frozenset()
        return frozenset(side.key for side in self._game.sides) - self._seated

    def stuck(self, *, faces: bool) -> frozenset[str]:
        """The sides whose tokens nobody turns up: all, where no token shows a `face`."""
        return self.empty_seats() if faces else frozenset(s.key for s in self._game.sides)

    def side_of(self, call: Call, now: Now, belief: Position, judge: Judge) -> str:
        """Whose action was announced."""
        actions = self._game.actions
        side = now.side or (belief.active[0] if len(belief.active) == 1 else "")
        kind = actions[call.kind]
        names = next((call.params.get(p.name) for p in kind.params if p.type in _UNITS), None)
        first = next(iter(names), None) if isinstance(names, list) else names
        owner = belief.units[first].side if isinstance(first, str) and first in belief.units else ""
        alone = self.is_alone()
        is_anyones = alone and not owner and not call.side
        others = belief.active if is_anyones else ()
        if is_anyones and any(f.asks(now.side) and f.kind in kind.states for f in belief.frames):
            # Who is asked too, though others before him, speaks for his own seat.
            return now.side
        sides = tuple(dict.fromkeys(filter(None, (side, owner, *others))))
        for one in sides:
            if judge.is_legal(call.action(actions, one)):
                return one
        for one in () if alone and owner else sides:
            if judge.is_in_time(call.action(actions, one)):
                return one
        if alone and not call.side:
            # Of the side for which the least was left unsaid before it, whose unit it names first.
            all_sides = [] if owner else [one.key for one in self._game.sides]
            sides = tuple(dict.fromkeys((*filter(None, (owner,)), *sides, *all_sides)))
            return min(sides, key=lambda one: judge.left_unsaid(call.action(actions, one)))
        return owner if alone or owner in belief.active else side or owner
