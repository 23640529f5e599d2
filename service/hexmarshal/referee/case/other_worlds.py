"""Other worlds: how things may have stood instead, by what the log leaves in doubt."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import apart, believing, changed
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import Action

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record

__all__ = ["OtherWorlds"]

# So many units in doubt are looked at one by one, and so many things that were refused.
_MOST_UNITS: Final = 10
_MOST_REFUSED: Final = 4
# So many questions in a row are answered by silence.
_MOST_ANSWERS: Final = 3


class OtherWorlds:
    """Positions beside the one that the referee believes in, each with something otherwise.

    A unit is in doubt if a rule was broken with it, if table and rules have it otherwise, or if
    only silence tells what became of it. It may not be there, or be as it was before that.
    """

    def __init__(self, case: Case, advance: str = "") -> None:
        """`advance` is the action that ends a phase."""
        self._case, self._advance = case, advance

    def beside(
        self, here: Position, own: Collection[str], until: int | None = None
    ) -> Iterator[Position]:
        """Worlds in which something that others, or these `own` units, did before is otherwise.

        Of the entries only those `until` one of them.
        """
        entries = self._case.mind.entries[:until]
        doubts = self._doubts(here, entries, own)
        others = {unit: was for unit, was in doubts.items() if unit not in own}
        if others:
            yield _without(here, others)
            yield _with(here, others.values())
        if len(others) > 1:
            for unit, was in islice(others.items(), _MOST_UNITS):
                yield _without(here, (unit,))
                yield _with(here, (was,))
        for unit in own:
            was, now = doubts.get(unit), here.units.get(unit)
            if was is not None and now is not None:
                yield _with(here, (was,))
                yield _with(here, (replace(was, cell=now.cell, box=now.box, place=now.place),))
        yield from self._counted_otherwise(here, entries)

    def without_told(
        self, here: Position, own: Collection[str]
    ) -> Iterator[tuple[Entry, Position]]:
        """Worlds without who lies where he may not, or with him back, and what tells so.

        After a turn everybody has seen him there, and goes by that.
        """
        told: dict[str, Entry] = {}
        for entry in reversed(self._case.mind.entries):
            if entry.turn < here.turn - 1:
                break
            if entry.status is not Status.VIOLATION or not entry.path or entry.after is None:
                continue
            for unit in entry.units:
                there, now = entry.after.units.get(unit), here.units.get(unit)
                if unit not in own and there and now and there.cell == now.cell != "":
                    told.setdefault(unit, entry)
        for unit, entry in islice(told.items(), _MOST_UNITS):
            yield entry, _without(here, (unit,))
            if entry.before is not None:
                yield entry, _with(here, (entry.before.units.get(unit),))
        if len(told) > 1:
            yield next(iter(told.values())), _without(here, told)

    def _doubts(
        self, here: Position, entries: Iterable[Entry], own: Collection[str]
    ) -> dict[str, Unit | None]:
        """The units in doubt, the latest first, each as it was before."""
        case, found = self._case, dict[str, "Unit | None"]()
        for unit in {**case.sights.units, **here.units}:
            # What the table shows of those who act is what they did.
            if unit not in own and apart(here, case.sights.units, unit):
                found[unit] = believing(here, case.sights.units, (unit,)).units.get(unit)
        numbered = list(enumerate(entries))
        for number, entry in reversed(numbered):
            silent = number in case.mind.unsaid
            if entry.before is None or not (silent or _is_doubtful(entry)):
                continue
            units = set() if entry.after is None else {*changed(entry.before, entry.after)}
            if entry.status is Status.VIOLATION:
                units.update(entry.units, *(told.units for told in entry.violations))
            for unit in sorted(units):
                then = entry.before.units.get(unit)
                if then is not None or unit in here.units:
                    found.setdefault(unit, then)
        return found

    def _counted_otherwise(self, here: Position, entries: Iterable[Entry]) -> Iterator[Position]:
        """Worlds in which something refused in this turn counts as done, or not at all."""
        refused: list[Entry] = []
        for entry in reversed(list(entries)):
            if entry.turn != here.turn:
                break
            if entry.status is Status.VIOLATION and entry.before is not None:
                refused.append(entry)
        for number, entry in enumerate(refused[:_MOST_REFUSED]):
            for then, after in self._ways(entry):
                if (after.turn, after.phase) != (entry.turn, entry.phase):
                    continue
                same = after.phase == here.phase
                units = {unit: after.units.get(unit) for unit in changed(then, after)}
                there = (
                    None if was is None else _at_place_of(was, here.units.get(unit))
                    for unit, was in units.items()
                )
                world = replace(
                    _with(here, there),
                    extras=after.extras if same else _changed_in(here.extras, then, after),
                    tracks=after.tracks if same else here.tracks,
                )
                yield world
                if same and not number:
                    # Nothing else was wrong since: what is asked may be as it left it.
                    yield replace(
                        world, state=after.state, frames=after.frames, active=after.active
                    )

    def _ways(self, entry: Entry) -> Iterator[tuple[Position, Position]]:
        """Something refused, not done and done: from when to when that leads."""
        then = entry.before
        assert then is not None
        yield then if entry.after is None else entry.after, then
        if entry.action:
            action: Action | None = self._case.action_of(entry)
            rules, at, dice = self._case.rules, then, LogDice((), assume=True)
            for _ in range(_MOST_ANSWERS):
                if action is None:
                    return
                try:
                    at = replace(rules.apply(at, action, dice).position, generator=None)
                except HexMarshalError:
                    return
                yield then, at
                # What it does may come only when what it asks is answered.
                said = (rules.silence(at, side) for side in (at.active if at.state else ()))
                action = next((answer for answer in said if answer is not None), None)

    def in_other_phases(self, here: Position) -> Iterator[Position]:
        """The same in the phase before, if nothing was done in this one yet, and in the next."""
        case = self._case
        for number in range(len(case.mind.entries) - 1, -1, -1):
            entry = case.mind.entries[number]
            if (entry.turn, entry.phase) == (here.turn, here.phase):
                if number not in case.mind.unsaid and not entry.ends_phase:
                    break
                continue
            then = entry.before
            if then is not None:
                yield replace(
                    here,
                    turn=then.turn,
                    phase=then.phase,
                    state=then.state,
                    frames=then.frames,
                    active=then.active,
                    extras=then.extras,
                )
            break
        yield from self.in_next_phase(here)

    def in_next_phase(self, here: Position) -> Iterator[Position]:
        """The same when the phase has ended, where players end phases."""
        case = self._case
        if self._advance in case.rules.game.actions and here.active and not here.state:
            ends, dice = Action(self._advance, here.active[0]), LogDice((), assume=True)
            try:
                yield replace(case.rules.apply(here, ends, dice).position, generator=None)
            except HexMarshalError:
                return


def _changed_in(extras: Record, then: Position, after: Position) -> Record:
    """Extras with what changed between two moments of an earlier phase."""
    for name, value in after.extras.items():
        if then.extras.get(name) != value:
            extras = extras.set(name, value)
    return extras


def _is_doubtful(entry: Entry) -> bool:
    return entry.status in (Status.VIOLATION, Status.UNKNOWN)


def _at_place_of(unit: Unit, there: Unit | None) -> Unit:
    """A unit as it is, and where another lies."""
    if there is None:
        return unit
    return replace(unit, cell=there.cell, box=there.box, place=there.place, rank=there.rank)


def _with(here: Position, units: Iterable[Unit | None]) -> Position:
    return here.with_unit(*(unit for unit in units if unit is not None))


def _without(here: Position, units: Iterable[str]) -> Position:
    """Without some units, and those that they carry."""
    gone = {unit for unit in units if unit in here.units}
    gone |= {one.id for unit in gone for one in here.carried_by(unit)}
    return here.without_unit(*gone)
