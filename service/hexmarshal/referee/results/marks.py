"""Signs on units: put there before the rules do, to remember who has acted, or left open."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import apart
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.state.lifetimes import Until

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding.facts import Fact

__all__ = ["Marks"]


class Marks:
    """Sees how units are marked on the table beside what the rules have."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def is_only_marked(self, unit: str, *, anywhere: bool = False) -> bool:
        """Whether nothing differs but flags, and how many of a kind of marker it bears.

        `anywhere`: whatever the place where it lies.
        """
        known, seen = self._case.mind.belief.units.get(unit), self._case.sights.units.get(unit)
        if known is None or seen is None or not (anywhere or seen.at_place_of(known)):
            return False
        return all(
            right.of == "flag" or (right.of == "value" and _counts(right.value, shown.value))
            for right, shown in seen.against(known)
        )

    def is_revealed(self, unit: str, at: Position | None = None) -> bool:
        """Whether nothing differs but what the rules leave open until it is turned up.

        With that comes how many steps it has, which are more than nobody knew of.
        """
        here = self._case.mind.belief if at is None else at
        known, seen = here.units.get(unit), self._case.sights.units.get(unit)
        if known is None or seen is None or not seen.at_place_of(known):
            return False
        pairs = seen.against(known)
        left_open = [right for right, shown in pairs if not right.value and shown.value]
        return any(right.of == "value" for right in left_open) and all(
            right in left_open or right.of == "type" or _is_more(right, shown)
            for right, shown in pairs
        )

    def as_revealed(self, unit: str) -> str:
        """In words: what a unit shows that was turned up."""
        known, seen = self._case.mind.belief.units[unit], self._case.sights.units[unit]
        shown = [one.shown for right, one in seen.against(known) if right.of == "value"]
        return f"{unit} is turned up: {', '.join(shown)}"

    def is_only_reminded(self, unit: str) -> bool:
        """Whether nothing differs but flags, put on it, that the end of the turn takes off."""
        case = self._case
        if not case.apart(unit) or not self.is_only_marked(unit):
            return False
        known, seen = case.mind.belief.units[unit], case.sights.units[unit]
        lives = [life for life in case.rules.game.lifetimes if life.until is Until.TURN]
        return all(
            shown.value and any(shown.name in life.flags for life in lives)
            for _, shown in seen.against(known)
        )

    def is_reminder(self, unit: str) -> bool:
        """Whether a unit is marked so that has acted in this turn."""
        turn = self._case.mind.belief.turn
        return self.is_only_reminded(unit) and any(
            entry.status is Status.LEGAL and entry.turn == turn and _acted(entry, unit)
            for entry in self._case.mind.entries
        )

    def is_late(self, done: Entry, unit: str) -> bool:
        """Whether only the sign is missing that what a unit did is over, after something.

        Who pays with his last points, or passes, may turn his counter over at any time; it counts
        when he acts again.
        """
        case, before = self._case, done.before
        known, seen = case.mind.belief.units.get(unit), case.sights.units.get(unit)
        was = None if before is None else before.units.get(unit)
        if known is None or seen is None or was is None or not seen.at_place_of(known):
            return False
        overruled = case.rules.game.overruled
        ending = {*overruled, *overruled.values()}
        if not all(
            right.of == "flag" and right.name in ending and (right.name in was.flags) == shown.value
            for right, shown in seen.against(known)
        ):
            return False
        if not done.action or unit not in named(case.action_of(done)):
            return True
        return self.is_paid(done)

    def is_paid(self, done: Entry) -> bool:
        """Whether something moved tracks, and those are as it left them."""
        case, before, after = self._case, done.before, done.after
        if before is None or after is None:
            return False
        tracks = [item for item in case.books.changed(before, after) if item.of == "track"]
        return bool(tracks) and not any(map(case.item_apart, tracks))

    def was_so_before(self, done: Entry, unit: str) -> bool:
        """Whether the unit was as the table shows it before something was done."""
        return done.before is not None and not apart(done.before, self._case.sights.units, unit)

    def as_marked(self, position: Position, units: Iterable[str]) -> Position:
        """A position with these units as they were by the rules where nobody marked them so."""
        for unit in units:
            turn, known = self._case.mind.unmarked.get(unit, (0, None))
            here = position.units.get(unit)
            if known is not None and here is not None and turn == position.turn:
                position = position.with_unit(replace(here, flags=known.flags))
        return position

    def allow(self, position: Position, action: Action) -> bool:
        """Whether an action is right although somebody was not marked as the rules have him."""
        marked = self.as_marked(position, named(action))
        return marked is position or self._case.rules.check(marked, action).legal

    def shares_sign(self, unit: str) -> bool:
        """Whether it lacks only a sign that may lie on others who act with it."""
        known, seen = self._case.mind.belief.units.get(unit), self._case.sights.units.get(unit)
        if known is None or seen is None or not seen.at_place_of(known):
            return False
        ending = self._case.rules.game.overruled
        return seen.lacks_signs(known, shared=True, borne=ending) and any(
            right.name in other.flags
            for right, _ in seen.against(known)
            for other in self._case.mind.belief.units.values()
            if other.side == known.side and other is not known and not self._case.apart(other.id)
        )

    def faces_freely(self, done: Entry, unit: str) -> bool:
        """Whether a unit looks elsewhere, and who announced where it goes left that open."""
        return self.turned_freely(done, unit) is not None

    def turned_freely(self, done: Entry, unit: str) -> Action | None:
        """The action of an entry with a unit turned as it looks now, which nobody said otherwise.

        None if it looks as it should, or may not turn as a part of that.
        """
        case = self._case
        known, seen = case.mind.belief.units.get(unit), case.sights.units.get(unit)
        kind = case.rules.game.actions.get(done.kind)
        if known is None or seen is None or kind is None or done.before is None:
            return None
        shown = [one for _, one in seen.against(known)]
        slot = next((p.name for p in kind.params if p.type is ParamType.FACING), "")
        if not slot or not seen.at_place_of(known) or [one.of for one in shown] != ["facing"]:
            return None
        action, facing = case.action_of(done), shown[0].value
        said = slot in action.params and not done.path
        if said or unit not in named(action) or not isinstance(facing, int):
            return None
        faced = replace(action, params=action.params.set(slot, facing))
        try:
            return faced if case.rules.check(done.before, faced).legal else None
        except HexMarshalError:
            return None


def _is_more(right: Fact, shown: Fact) -> bool:
    """Whether a unit shows more steps than the rules have."""
    known, seen = right.value, shown.value
    if right.of != "steps" or not isinstance(known, int) or not isinstance(seen, int):
        return False
    return seen > known


def _counts(*values: object) -> bool:
    """Whether these are numbers of something: none at all is one, too."""
    return all(value is None or type(value) is int for value in values)


def _acted(entry: Entry, unit: str) -> bool:
    """Whether it was this unit that did it, or whose token was used for it."""
    if unit in entry.units:
        return True
    if entry.before is None or entry.after is None:
        return False
    old, new = entry.before.markers, entry.after.markers
    return old is not new and any(
        marker.unit == unit and new.get(name) != marker for name, marker in old.items()
    )
