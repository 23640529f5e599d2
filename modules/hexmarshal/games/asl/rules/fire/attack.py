"""One attack on the fire table: column, roll, cowering, result, and all that follows from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.loss import expose_by_result
from hexmarshal.games.asl.rules.fire import vehicles
from hexmarshal.games.asl.rules.fire.cowering import cowers_by
from hexmarshal.games.asl.rules.fire.modifiers import common_modifiers, target_modifiers
from hexmarshal.games.asl.rules.fire.shot import HALF, under_cover
from hexmarshal.games.asl.rules.morale.results import suffer
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.rolling.modifiers import tally
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.games.asl.rules.fire.shot import Shot
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.state.tables import FireTable
    from hexmarshal.rules.rolling.modifiers import Tally
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.verdict import Modifier

__all__ = ["Aimed", "Hit", "aim", "resolve", "targets_of"]

NONE = "-"
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Aimed:
    """An attack before its roll: column, and the modifiers for each class of targets."""

    shot: Shot
    base: int
    classes: tuple[tuple[Tally, tuple[str, ...]], ...]
    common: tuple[Modifier, ...]
    bases: tuple[int, ...] = ()
    """The column for each class: concealed ones beside known ones are fired at as Area Fire."""

    def total(self, found: Tally) -> int:
        """What a class's modifiers come to."""
        return int(found.total())


@dataclass(frozen=True, slots=True)
class Hit:
    """What came of it: the dice, the column used, the results by class of targets."""

    dice: tuple[int, int]
    column: int
    results: tuple[tuple[str, tuple[str, ...]], ...]
    cowered: int = 0
    columns: tuple[int, ...] = ()
    """The column used for each class of targets."""

    @property
    def scored(self) -> bool:
        """Whether anything came of it at all (ASL-RFP-1)."""
        return any(result != NONE for result, _ in self.results)


def targets_of(now: Situation, shot: Shot) -> tuple[Unit, ...]:
    """ASL-FIRE-7: all enemies in the location; in the movement phase those that are moving."""
    if shot.everybody:
        here = now.people(shot.target)
        return (*here, *with_prisoners(now, here))
    here = now.people(shot.target, other(shot.side))
    if shot.moving is not None:
        moving = [unit for unit in here if unit.id in shot.moving]
        return (*moving, *with_prisoners(now, moving))
    if any(unit.has(marks.MELEE) for unit in here):
        here = now.people(shot.target)
    return (*here, *with_prisoners(now, here))


def with_prisoners(now: Situation, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """ASL-A20.5e: fire hits the prisoners of those whom it hits."""
    return tuple(prisoner for unit in units for prisoner in now.prisoners(unit))


def aim(
    now: Situation,
    shot: Shot,
    *,
    residual: Sequence[Modifier] | None = None,
    covered: bool = False,
) -> Aimed:
    """ASL-IFT-1: the column for the firepower, and what is added to the roll for whom.

    With `covered` vehicles and guns under a "?" are among the targets, as they seem to be.
    """
    common = list(common_modifiers(now, shot)) if residual is None else list(residual)
    classes: dict[tuple[int, int, bool], tuple[Tally, list[str]]] = {}
    targets = targets_of(now, shot)
    base = now.tables.fire.column(shot.firepower)
    # ASL-A12.12b: residual fire is no Area Fire against the concealed.
    mixed = residual is None and not all(now.is_hidden(unit) for unit in targets)
    area = now.tables.fire.column(halved(shot)) if mixed else base
    for unit in targets:
        own = target_modifiers(now, shot, unit, common, residual=residual is not None)
        found = tally([*common, *own])
        column = area if now.is_hidden(unit) else base
        key = (column, int(found.total()), unit.has(marks.HIDDEN))
        classes.setdefault(key, (found, []))[1].append(unit.id)
    seeming = covered and shot.moving is None and not shot.everybody
    for unit in under_cover(now, shot.target, other(shot.side)) if seeming else ():
        found = tally(common)
        key = (area, int(found.total()), False)
        classes.setdefault(key, (found, []))[1].append(unit.id)
    if not classes:
        classes[base, 0, False] = (tally(common), [])
    # What all see comes first.
    order = sorted(classes, key=lambda key: (key[2], key[0] != base))
    return Aimed(
        shot,
        base,
        tuple((classes[key][0], tuple(classes[key][1])) for key in order),
        tuple(common),
        tuple(column for column, _, _ in order),
    )


def halved(shot: Shot) -> Fraction:
    """ASL-A12.12b: the firepower of Area Fire, halved after all else that halves it."""
    area = ("concealed target", HALF, "ASL-A12.12b")
    members = [
        # ASL-MG-4: beyond 16 hexes all are fired at as if concealed, and once is enough.
        member
        if any(rule == "ASL-MG-4" for _, _, rule in member.factors)
        else replace(member, factors=(*member.factors, area))
        for member in shot.members
    ]
    return sum((member.counted for member in members), start=Fraction(0))


def read(table: FireTable, aimed: Aimed, dice: tuple[int, int], cower: int) -> Hit:
    """What a roll means: the column after cowering, and the result for each class of targets."""
    shift = cower if dice[0] == dice[1] else 0
    bases = aimed.bases or (aimed.base,) * len(aimed.classes)
    columns = tuple(max(base - shift, -1) for base in bases)
    results = tuple(  # ASL-COWER-1: nothing comes of fire that is off the table
        (NONE if column < 0 else table.result(column, sum(dice) + int(found.total())), names)
        for column, (found, names) in zip(columns, aimed.classes, strict=True)
    )
    return Hit(dice, max(aimed.base - shift, -1), results, shift, columns)


def resolve(
    play: Play,
    shot: Shot,
    label: str,
    *,
    residual: Sequence[Modifier] | None = None,
    given: tuple[int, int] | None = None,
) -> Hit:
    """Roll for an attack, or take the roll of the one before, and let its results happen."""
    now = play.now
    table = play.tables.fire
    aimed = aim(now, shot, residual=residual, covered=True)
    cower = 0 if residual is not None else cowers_by(now, shot)
    dice, rolls = (given, ()) if given is not None else play.roll_two(label, shot.side, calls=True)
    hit = read(table, aimed, dice, cower)
    columns = table.columns
    told = zip(hit.results, aimed.classes, aimed.bases, hit.columns, strict=True)
    for (result, names), (found, _), base, column in told:
        steps = [Step(f"{shot.firepower} firepower at {shot.target}", "ASL-IFT-1")]
        if base != aimed.base:
            steps.append(Step(f"{halved(shot)} against the concealed", "ASL-A12.12b"))
        if hit.cowered:
            steps.append(Step(f"doubles: {hit.cowered} column(s) to the left", "ASL-COWER-1"))
        total = sum(dice) + int(found.total())
        steps.append(
            Step(
                f"coloured {dice[0]} + white {dice[1]}"
                + "".join(f" {m.amount:+} {m.label}" for m in found.counted)
                + f" = {total}: {result}",
                "ASL-IFT-1",
            )
        )
        play.decide(
            Resolution(
                "fire",
                result,
                tuple(member.strength() for member in shot.members),
                base_column=str(columns[base]) if base >= 0 else NONE,
                column=str(columns[column]) if column >= 0 else NONE,
                modifiers=found.modifiers,
                dice=rolls,
                steps=tuple(steps),
                values=FrozenMap({"total": total, "targets": names}),
                known_to=_owners(now, names),
            )
        )
    _alarm(play, aimed, cower)
    for (result, names), column in zip(hit.results, hit.columns, strict=True):
        if result != NONE:
            expose_by_result(play, names)
        units = play.position.units
        men = [name for name in names if name in units and play.now.is_personnel(units[name])]
        suffer(play, men, result, column, other(shot.side))
    if not shot.everybody:
        vehicles.star_line(play, shot, aimed, hit)
    return hit


def _owners(now: Situation, names: Sequence[str]) -> frozenset[str] | None:
    """Who may know that these were fired at: of hidden units their own side alone."""
    units = [now.unit(name) for name in names]
    if not any(unit.has(marks.HIDDEN) for unit in units):
        return None
    return frozenset(unit.side for unit in units)


def _alarm(play: Play, aimed: Aimed, cower: int) -> None:
    """ASL-DM-1: broken units despair under fire that could bring a check, cowering or not."""
    table = play.tables.fire
    for (found, names), base in zip(aimed.classes, aimed.bases, strict=True):
        # The lowest roll is a double: whoever can cower would.
        rolls = ((1, 1), (1, 2))
        one = replace(aimed, classes=((found, names),), bases=(base,))
        hits = [read(table, one, dice, cower) for dice in rolls]
        if not any(result not in (NONE, "PTC") for hit in hits for result, _ in hit.results):
            continue
        for name in names:
            unit = play.position.units.get(name)
            if unit is not None and unit.has(marks.BROKEN):
                play.mark(name, marks.DM)


def could_check(now: Situation, shot: Shot) -> bool:
    """ASL-ENC-1: whether an attack has the firepower for a morale check, cowering allowed."""
    aimed = aim(now, shot)
    hits = (read(now.tables.fire, aimed, dice, cowers_by(now, shot)) for dice in ((1, 1), (1, 2)))
    return any(result not in (NONE, "PTC") for hit in hits for result, _ in hit.results)
