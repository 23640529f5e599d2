"""Looks for what players did that explains the table, decisions made in silence among it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.referee.interpret.deed import Deed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.drags.drag_readings import Reading
    from hexmarshal.referee.drags.routes import Routes
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["Deduced", "Explainer", "ExplainedDrag"]

# So many single moves are tried to find a way for a piece that was dropped far off.
_MOST_MOVES: Final = 2000


class Deduced(NamedTuple):
    """One action of an explanation; `unsaid` if only what followed tells of it."""

    action: Action
    unsaid: bool


@dataclass(frozen=True, slots=True)
class ExplainedDrag:
    """What explains a drag; `searched` if there is no other way that could."""

    actions: tuple[Deduced, ...]
    searched: bool = True


class Explainer:
    """Puts silent decisions before, and between, what the table shows."""

    def __init__(
        self, rules: Rules, interpreter: Interpreter, routes: Routes, silent: SilentDecisions
    ) -> None:
        self._rules = rules
        self._interpreter = interpreter
        self._routes = routes
        self._silent = silent

    # Drags

    def drag(
        self, position: Position, deeds: Sequence[Deed], tray: Sequence[Throw]
    ) -> ExplainedDrag:
        """What units did that went some way, if silence explains it."""
        units = tuple(deed.unit for deed in deeds)
        if any(unit not in position.units for unit in units):
            return ExplainedDrag(())
        found = self._in_silence(position, deeds, tray)
        if found:
            return ExplainedDrag(found)
        return self._step_by_step(position, deeds, tray)

    def _in_silence(
        self, position: Position, deeds: Sequence[Deed], tray: Sequence[Throw]
    ) -> tuple[Deduced, ...]:
        """The drag as one reading, after what was left unsaid."""
        side = position.units[deeds[0].unit].side
        reading: list[Reading] = []

        def explains(at: Position) -> bool:
            found = self._interpreter.legal(at, deeds, tray)
            reading[:] = () if found is None else (found,)
            return found is not None

        units = [deed.unit for deed in deeds]
        unsaid = self._silent.until(position, side, explains, tray, units)
        return _told(unsaid, reading[0]) if unsaid is not None else ()

    def _step_by_step(
        self, position: Position, deeds: Sequence[Deed], tray: Sequence[Throw]
    ) -> ExplainedDrag:
        """Cell by cell where each is an action and the others act between: any way will do."""
        if len(deeds) != 1:
            return ExplainedDrag(())
        (deed,) = deeds
        unit = position.units[deed.unit]
        exact = self._routes.exact(unit.cell, deed.cells)
        if not unit.cell or (exact and len(deed.cells) == 1):
            return ExplainedDrag(())
        at: deque[tuple[Position, tuple[Deduced, ...]]] = deque([(position, ())])
        seen: set[object] = set()
        tried = 0
        while at:
            here, done = at.popleft()
            gone = sum(not step.unsaid for step in done)
            for cell in self._next(here, deed, gone, exact=exact):
                tried += 1
                if tried > _MOST_MOVES:
                    return ExplainedDrag((), searched=False)
                one = (Deed(deed.unit, deed.before, deed.after, (cell,)),)
                way = self._one(here, one, tray)
                after = self._after(here, way, tray)
                if after is None:
                    continue
                if exact and not gone and (rest := self._rest(after, deed, way, tray)):
                    return ExplainedDrag((*way, *rest))
                rest = () if exact or gone else self._onwards(after, deed, way, tray, unit.cell)
                if rest:
                    return ExplainedDrag((*way, *rest))
                if after.units[deed.unit].side in after.active:
                    # The unit goes on without the others: one action takes it all the way.
                    return ExplainedDrag(())
                if cell == deed.cells[-1] and (not exact or gone + 1 == len(deed.cells)):
                    return ExplainedDrag((*done, *way))
                key = (gone if exact else 0, after.units[deed.unit], after.tracks)
                if key not in seen:
                    seen.add(key)
                    at.append((after, (*done, *way)))
        return ExplainedDrag(())

    def _rest(
        self, after: Position, deed: Deed, way: Sequence[Deduced], tray: Sequence[Throw]
    ) -> tuple[Deduced, ...]:
        """All but the first cell as another kind of action: who has got away moves on."""
        cells = deed.cells[1:]
        found = self._one(after, (replace(deed, cells=cells),), tray) if cells else ()
        first = {step.action.kind for step in way if not step.unsaid}
        return () if any(step.action.kind in first for step in found) else found

    def _onwards(
        self, after: Position, deed: Deed, way: Sequence[Deduced], tray: Sequence[Throw], start: str
    ) -> tuple[Deduced, ...]:
        """The same for who was dropped further off, if he left in no plain movement."""
        plainest = next(iter(self._interpreter.drags), "")
        here, first = after.units[deed.unit].cell, deed.cells[0]
        if any(step.action.kind == plainest for step in way):
            return ()
        if first in self._routes.near(start):
            # There he was seen on his way.
            return self._rest(after, deed, way, tray) if here == first else ()
        onwards = replace(deed, cells=(here, *deed.cells))
        return self._rest(after, onwards, way, tray) if here != deed.cells[-1] else ()

    def _next(self, here: Position, deed: Deed, gone: int, *, exact: bool) -> Sequence[str]:
        if exact:
            return deed.cells[gone : gone + 1]
        return self._routes.near(here.units[deed.unit].cell)

    def _one(
        self, position: Position, deeds: Sequence[Deed], tray: Sequence[Throw]
    ) -> tuple[Deduced, ...]:
        reading = self._interpreter.legal(position, deeds, tray)
        if reading is not None:
            return _told((), reading)
        return self._in_silence(position, deeds, tray)

    def _after(
        self, position: Position, way: Sequence[Deduced], tray: Sequence[Throw]
    ) -> Position | None:
        if not way:
            return None
        found: Position | None = position
        for step in way:
            done = self._silent.decided if step.unsaid else self._silent.after
            found = done(found, step.action, tray) if found is not None else None
        return found


def _told(unsaid: Unsaid, reading: Reading) -> tuple[Deduced, ...]:
    return (*(Deduced(one, unsaid=True) for one in unsaid), *(Deduced(a, False) for a in reading))
