"""Rolls of a log that are not fire: checks, rallies, close combat, snipers, random selection.

A log tells a roll's kind, not for whom it was. Who it was for is known if a player wrote a hex
with one such unit before it, if one unit alone can have rolled it, or if just that unit's counter
was turned before the next roll. A counter that shows something else than the dice is held against
the players only where they said whom they rolled for; else nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.games.asl.rules.morale.checks import (
    Fate,
    Test,
    exposed_to_pin,
    fate_of_check,
    fate_of_task,
)
from hexmarshal.games.asl.rules.morale.checks import modifiers_of as check_modifiers
from hexmarshal.games.asl.rules.rally.rally import leaders_with
from hexmarshal.games.asl.rules.rally.rally import modifiers_of as rally_modifiers
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.games.asl.vasl.logs.announcements import CheckCall, VaslRoll
    from hexmarshal.games.asl.vasl.logs.log_tables import ShownTable
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.verdict import Modifier

__all__ = [
    "Judged",
    "RolledCheck",
    "asks_for_lots",
    "check_after",
    "expected_of",
    "judge_close_combat",
    "judge_sniper",
]

RALLY, MORALE, TASK, CLOSE, SNIPER, LOT = (
    "Rally DR", "MC DR", "TC DR", "CC DR", "SA dr", "RS dr",
)  # fmt: skip
CHECKS: Final = frozenset({RALLY, MORALE, TASK})
_WORST: Final = 12
_LUCKY: Final = 2
SNIPER_CALLS: Final = frozenset({"IFT DR", MORALE, TASK})
SNIPER_PHASES: Final = frozenset({"prep_fire", "movement", "defensive_fire", "advancing_fire"})


@dataclass(frozen=True, slots=True)
class Judged:
    """What is said of a roll: right, wrong in all likelihood, or nothing and why."""

    what: str
    result: str = ""
    faults: tuple[Violation, ...] = ()
    units: tuple[str, ...] = ()
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class RolledCheck:
    """A check or rally as it was rolled: the table before it, and what was said of it."""

    roll: VaslRoll
    shown: ShownTable
    call: CheckCall | None
    cell: str
    """The hex that the call names, as the map names it."""
    number: int | None = None
    """Of a morale check: what it adds, if it is known."""
    targets: tuple[str, ...] = ()
    """Who was fired at just before, if a check was the result."""

    def candidates(self) -> list[Unit]:
        """Who can have rolled it."""
        now = self.shown.now
        if self.call is not None:
            level = self.call.level
            here = [u for u in now.position.at(self.cell) if now.is_personnel(u) and u.cell]
            here = [u for u in here if level is None or u.level == level]
        elif self.targets:
            here = [u for name in self.targets if (u := now.position.units.get(name)) is not None]
        elif self.roll.kind == RALLY:
            here = [u for side in SIDES for u in now.on_map(side) if now.is_personnel(u)]
        else:
            return []
        if self.roll.kind == RALLY:
            return [u for u in here if u.has(marks.BROKEN) and not u.has(marks.MELEE)]
        if self.roll.kind == TASK:
            return [u for u in here if exposed_to_pin(now, u)]
        return [u for u in here if not now.is_dummy(u)]

    def settle(self, after: ShownTable | None) -> Judged:
        """What is to be said of it, from the table just before the next roll."""
        kind = self.roll.kind
        candidates = self.candidates()
        if not candidates:
            if self.call is not None and kind == RALLY:
                text = f"nobody in {self.cell} is broken and could rally"
                fault = Violation("ASL-RALLY-1", text, cells=(self.cell,))
                return Judged(f"{kind} in {self.cell}", faults=(fault,))
            return Judged(kind, why_not=f"{kind}: the log does not say what for")
        known = candidates[0] if len(candidates) == 1 else None
        turned = [u for u in candidates if after is not None and _turned(u, after)]
        unit = known or (turned[0] if len(turned) == 1 else None)
        if unit is None:
            why = f"{kind}: {len(candidates)} units can have rolled it"
            return Judged(kind, why_not=why if self.call or self.targets else _UNSAID.format(kind))
        if kind == MORALE and self.number is None:
            return Judged(kind, why_not=f"{kind}: which check it was is not said")
        return self._judged(unit, after, said=self.call is not None and known is not None)

    def _judged(self, unit: Unit, after: ShownTable | None, *, said: bool) -> Judged:
        kind, shown = self.roll.kind, self.shown
        result, told, rule = expected_of(self, unit)
        name = shown.name(unit)
        what = f"{kind} of {name} in {shown.now.position.cell_of(unit)}"
        piece = unit.id.removeprefix("c")
        seen = None if after is None else _seen(unit, after)
        if seen is None or _agree(kind, unit, result, seen):
            return Judged(what, told, units=(piece,))
        if not said:
            return Judged(kind, why_not=f"{kind}: the counter that was turned may be another's")
        text = f"{name}: {told}; the table shows it {seen}"
        cells = (shown.now.position.cell_of(unit),)
        return Judged(what, told, (Violation(rule, text, cells=cells, units=(piece,)),), (piece,))


_UNSAID: Final = "{}: the log does not say what for"


def expected_of(check: RolledCheck, unit: Unit) -> tuple[str, str, str]:
    """What the dice make of a unit: in a word, with the arithmetic, and by which rule."""
    now, dice = check.shown.now, check.roll.dice
    original = sum(dice)
    if check.roll.kind == RALLY:
        leaders = [one for one in leaders_with(now, unit) if not one.has(marks.PINNED)]
        leader = max(leaders, key=lambda one: (now.morale(one), one.id), default=None)
        found = rally_modifiers(now, unit, leader)
        total = original + _sum(found)
        result = "still broken" if total > now.morale(unit) else "rallied"
        result = "casualties" if original == _WORST else result
        rule = "ASL-RALLY-1" if leader is not None else "ASL-A10.63"
    elif check.roll.kind == TASK:
        found = list(check_modifiers(now, unit, Test("PTC", rule="ASL-IFT-5")))
        total = original + _sum(found)
        result, rule = fate_of_task(now, unit, total).value, "ASL-IFT-5"
    else:
        number = check.number or 0
        test = Test(f"{number}MC" if number else "NMC", number)
        found = list(check_modifiers(now, unit, test))
        total = original + _sum(found)
        result, rule = fate_of_check(now, unit, original, total).value, "ASL-MOR-3"
    told = (
        " + ".join(map(str, dice))
        + "".join(f" {m.amount:+} {_plain(check.shown, m.label)}" for m in found)
        + f" = {total} against {now.morale(unit)}: {result}"
    )
    return result, told, rule


def _sum(found: Iterable[Modifier]) -> int:
    return sum(int(one.amount) for one in found)


def _plain(shown: ShownTable, label: str) -> str:
    """A label with the names of the table."""
    return " ".join(
        shown.read.units[word].face.text if word in shown.read.units else word
        for word in label.split()
    )


def _turned(unit: Unit, after: ShownTable) -> bool:
    """Whether a unit's counter shows something else than before."""
    then = after.read.position.units.get(unit.id)
    if then is None:
        return True
    watched = {marks.BROKEN, marks.PINNED}
    return then.type != unit.type or (then.flags & watched) != (unit.flags & watched)


def _seen(unit: Unit, after: ShownTable) -> str:
    """How the table shows a unit, in a word."""
    then = after.read.position.units.get(unit.id)
    if then is None:
        return "gone"
    if then.type != unit.type:
        return "changed"
    if then.has(marks.BROKEN):
        return "broken"
    return "pinned" if then.has(marks.PINNED) else "unbroken"


_AFTER: Final = {
    Fate.PASSED.value: {"unbroken", "pinned"},
    Fate.PINNED.value: {"pinned", "unbroken"},
    Fate.BROKEN.value: {"broken", "changed", "gone"},
    Fate.REDUCED.value: {"changed", "gone", "broken"},
    Fate.REDUCED_AND_BROKEN.value: {"changed", "gone", "broken"},
    Fate.ELIMINATED.value: {"gone"},
    "rallied": {"unbroken", "changed", "pinned"},
    "still broken": {"broken"},
    "casualties": {"changed", "gone", "broken"},
}


def _agree(kind: str, unit: Unit, result: str, seen: str) -> bool:
    """Whether what the table shows can come of a result, now or when a counter is turned later."""
    if seen in _AFTER[result]:
        return True
    if kind == RALLY:
        return result == "rallied" and seen == "broken"
    # Who breaks may be turned later; who passed is not turned at all.
    worse = result not in (Fate.PASSED.value, Fate.PINNED.value)
    return worse and seen in ("unbroken", "pinned") and not unit.has(marks.BROKEN)


def check_after(result: str) -> tuple[str, int] | None:
    """The roll that a result of the fire table asks of its targets, and what it adds."""
    if result == "PTC":
        return TASK, 0
    if result == "NMC":
        return MORALE, 0
    for words in (result.removesuffix("MC") if result.endswith("MC") else "", result[2:]):
        if words.isdigit() and (result.endswith("MC") or result.startswith("K/")):
            return MORALE, int(words)
    return None


def asks_for_lots(result: str) -> bool:
    """Whether a result of the fire table hits some of several targets by lot."""
    return result.startswith("K/") or result.endswith("KIA")


def judge_sniper(
    roll: VaslRoll, before: VaslRoll | None, sans: Sequence[int | None], phase: str
) -> Judged:
    """A sniper's die: the roll before it must have been a SAN (A14.1)."""
    known = sorted({san for san in sans if san is not None and san >= _LUCKY})
    if before is None or len([san for san in sans if san is not None]) < len(SIDES):
        return Judged(SNIPER, why_not=f"{SNIPER}: the SANs of both sides are not known")
    told = f"{sum(before.dice)} was rolled; SAN {' and '.join(map(str, known)) or 'none'}"
    what = f"{SNIPER} after {before.kind} {sum(before.dice)}"
    if before.kind not in SNIPER_CALLS or (phase and phase not in SNIPER_PHASES):
        return Judged(SNIPER, why_not=f"{SNIPER}: after a {before.kind} it may be another's")
    if sum(before.dice) in known:
        awake = "active" if roll.dice and roll.dice[0] <= _LUCKY else "nothing"
        return Judged(what, f"{told}: {awake}")
    return Judged(what, faults=(Violation("ASL-SAN-2", f"no sniper is called: {told}"),))


def judge_close_combat(shown: ShownTable, roll: VaslRoll, cell: str) -> Judged:
    """A roll of close combat: there must be somebody of both sides in one location."""
    now = shown.now
    places = {
        (now.at(unit).cell, now.at(unit).level)
        for unit in now.on_map(SIDES[0])
        if now.is_personnel(unit) and now.people(now.at(unit), SIDES[1])
    }
    if cell and not any(place[0] == cell for place in places):
        text = f"not both sides are in {cell}"
        return Judged(f"{CLOSE} in {cell}", faults=(Violation("ASL-CC-1", text, cells=(cell,)),))
    if not cell and len(places) != 1:
        return Judged(CLOSE, why_not=f"{CLOSE}: both sides meet in {len(places)} locations")
    where = cell or next(iter(places))[0]
    return Judged(
        f"{CLOSE} in {where}", f"{sum(roll.dice)}; who attacks whom is not said, and not judged"
    )
