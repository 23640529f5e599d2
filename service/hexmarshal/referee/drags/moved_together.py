"""Units of one stack that were dragged one after the other: with a mouse, that is one move."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import apart
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.drag_actions import group_of
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.codec import RECORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.drags.drag_actions import DragKind
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.interpret.interpreter import Interpreter
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["MovedTogether"]

# So many are dragged one by one.
_MOST: Final = 8


class MovedTogether:
    """Goes on from the move of a stack, where its units went one by one from hex to hex.

    Together they may do more than each by itself, such as going on; nothing tells on a table
    whether a player meant the one or the other.
    """

    def __init__(self, case: Case, interpreter: Interpreter) -> None:
        self._case, self._interpreter = case, interpreter

    def join(self) -> None:
        """Take the last drags for one, if they can be."""
        mind = self._case.mind
        chain = list(self._chain())
        if len(chain) < 2 or mind.belief.state:
            return
        base = chain[-1].before
        for action in self._as_one(chain) if base is not None else ():
            after = self._after(base, action)
            if after is not None:
                mind.belief = after
                mind.entries[-1] = replace(chain[0], after=after)
                return

    def goes_on(self, run: DragRun, deeds: Sequence[Deed]) -> bool:
        """Whether units go on where others of their stack went on before them; then they have.

        Each by itself they would have finished, as another has moved since.
        """
        case, mind = self._case, self._case.mind
        begun = self._begun(run)
        then = None if begun is None else begun.before
        if begun is None or then is None or mind.belief.state:
            return False
        whole = [replace(deed, cells=(*begun.path, *run.cells)) for deed in deeds]
        try:
            if self._interpreter.legal(mind.belief, deeds, mind.tray) is not None:
                return False
            found = self._interpreter.legal(then, whole)
            if found is None or len(found) != 1:
                return False
            after = case.rules.apply(then, found[0], LogDice(())).position
        except HexMarshalError:
            return False
        if (after.turn, after.phase, after.state) != (then.turn, then.phase, then.state):
            return False
        entry = case.entry(run.now, run.first, str(run), found[0].kind, Status.LEGAL)
        mind.belief = mind.belief.with_unit(*(after.units[unit] for unit in run.units))
        side, action = found[0].side, RECORD.decode(found[0].to_json())
        case.add(replace(entry, side=side, action=action, units=run.units, path=run.cells))
        return True

    def _begun(self, run: DragRun) -> Entry | None:
        """The move of these units after which only others of their stack have moved."""
        mind, starts = self._case.mind, set[str]()
        here = mind.belief.turn, mind.belief.phase
        for number in range(len(mind.entries) - 1, max(-1, len(mind.entries) - 1 - _MOST), -1):
            entry = mind.entries[number]
            if entry.status is not Status.LEGAL or entry.dice or number in mind.unsaid:
                return None
            if not entry.path or (entry.turn, entry.phase) != here:
                return None
            if {*run.units} <= {*entry.units}:
                own = entry.path[-1] == run.start and starts
                return entry if own and starts <= {_start(entry), run.start} else None
            starts.add(_start(entry))
        return None

    def _chain(self) -> Iterator[Entry]:
        """The last drags of units of one hex, each to the same hex, the last one first."""
        mind = self._case.mind
        last: Entry | None = None
        kind: DragKind | None = None
        for number in range(len(mind.entries) - 1, max(-1, len(mind.entries) - 1 - _MOST), -1):
            entry = mind.entries[number]
            drag = self._interpreter.drag_kind(entry.kind)
            if entry.status is not Status.LEGAL or entry.dice or drag is None or drag.alone:
                return
            if number in mind.unsaid or not entry.path or _start(entry) == "":
                return
            if last is None:
                if entry.after is not mind.belief:
                    return
            elif entry.after is not last.before or drag is not kind or not _is_alike(entry, last):
                return
            last, kind = entry, drag
            yield entry

    def _as_one(self, chain: list[Entry]) -> Iterator[Action]:
        """The move of all of them, by each of the ways that they went."""
        case = self._case
        drag = self._interpreter.drag_kind(chain[0].kind)
        assert drag is not None
        actions = [case.action_of(entry) for entry in reversed(chain)]
        groups = [group_of(action, drag) for action in actions]
        units = [unit for named, _ in groups for unit in named]
        if len({*units}) < len(units):
            return
        for way in dict.fromkeys(way for _, way in groups):
            params = drag.params(units, way)
            yield case.rules.game.actions.make(chain[0].kind, actions[0].side, **params)

    def _after(self, base: Position | None, action: Action) -> Position | None:
        """As it is after that; None if it is against the rules, or would show."""
        case, here = self._case, self._case.mind.belief
        if base is None:
            return None
        try:
            if not case.rules.check(base, action).legal:
                return None
            after = replace(case.rules.apply(base, action, LogDice(())).position, generator=None)
        except HexMarshalError:
            return None
        same = (after.turn, after.phase, after.state) == (here.turn, here.phase, here.state)
        shown = case.sights.units
        hidden = all(
            apart(here, shown, unit) or not apart(after, shown, unit) for unit in after.units
        )
        return after if same and hidden else None


def _start(entry: Entry) -> str:
    """The hex that the units of a drag left, if it is one."""
    before = entry.before
    cells = {before.units[u].cell for u in entry.units if u in before.units} if before else set()
    return cells.pop() if len(cells) == 1 else ""


def _is_alike(one: Entry, other: Entry) -> bool:
    """Whether units of one hex went to one hex."""
    return (_start(one), one.path[-1], one.side) == (_start(other), other.path[-1], other.side)
