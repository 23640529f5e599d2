"""Searching: a moving stack looks through the hexes around it for who hides there."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.concealment.casualties import half_squads, search_casualty
from hexmarshal.games.asl.rules.concealment.cover import (
    is_lax,
    is_stealthy,
    place_hidden,
    reveal,
)
from hexmarshal.games.asl.rules.movement.spending import fall_back, still_moving
from hexmarshal.games.asl.rules.movement.stack import left_of, moving, place_of_group
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "check", "check_choice", "choice_candidates", "choice_listed", "choose", "search",
    "search_modifiers",
]  # fmt: skip

RULE = "ASL-A12.152a"


def around(now: Situation, place: Location) -> tuple[str, ...]:
    """The accessible hexes, one's own apart."""
    return tuple(
        cell for cell in now.ground.near[place.cell] if now.accessible(place, Location(cell))
    )


def check(now: Situation, action: Action) -> Verdict:
    """ASL-A12.152a: a stack with an MMC in good order, one factor left, not by assault movement."""
    del action
    return Verdict.of(_faults(now))


def _faults(now: Situation) -> Iterator[Violation]:
    move = moving(now)
    if move is None:
        return
    group = [now.unit(name) for name in move.units]
    start = place_of_group(now, move)
    if not start.cell:
        yield Violation(RULE, "they are not on the map", units=move.units)
        return
    if not any(now.is_mmc(unit) and now.good_order(unit) for unit in group):
        yield Violation(RULE, "only with an MMC in good order", units=move.units)
    if move.assault or move.minimum or move.dash:
        text = "not by assault movement, a dash or a minimum move"
        yield Violation(RULE, text, units=move.units)
    if any(unit.place for unit in group):
        yield Violation(RULE, "not in bypass", units=move.units)
    if left_of(now, move) < 1:
        yield Violation(RULE, f"{left_of(now, move)} MF are left", units=move.units)


def search_modifiers(
    now: Situation, units: Sequence[Unit], place: Location
) -> tuple[Modifier, ...]:
    """ASL-A12.152b: stealthy, many, led, lax or exhausted searchers; the Japanese hide well."""
    rule = "ASL-A12.152b"
    found = []
    if stealthy := sum(is_stealthy(now, unit) for unit in units):
        found.append(Modifier("stealthy", -stealthy, rule))
    if more := half_squads(now, units):
        found.append(Modifier("half-squads beyond the first", -more, rule))
    leaders = [
        now.leadership(unit)
        for unit in now.people(place, units[0].side)
        if now.is_leader(unit) and now.good_order(unit)
    ]
    best = min(leaders, default=0)
    if best:
        found.append(Modifier("leadership", best, rule))
    if lax := sum(is_lax(now, unit) for unit in units):
        found.append(Modifier("lax", lax, rule))
    if tired := sum(unit.has(marks.CX) for unit in units):
        found.append(Modifier("CX", tired, rule))
    nation = now.position.extras.get(f"{other(units[0].side)}_nation")
    row = now.ground.terrain(place.cell)
    if nation == "japanese" and not (row.building or row.key.startswith("rubble")):
        found.append(Modifier("against Japanese", 2, rule))
    return tuple(found)


def search(play: Play, action: Action) -> None:
    """ASL-A12.152a: the die says how many hexes are not searched; the ATTACKER says which."""
    del action
    now = play.now
    move = moving(now)
    assert move is not None
    place = place_of_group(now, move)
    units = [now.unit(name) for name in move.units]
    modifiers = search_modifiers(now, units, place)
    rolled, roll = play.roll_one("search", now.phasing)
    missed = max(0, rolled + sum(int(m.amount) for m in modifiers))
    cells = around(now, place)
    count = max(0, len(cells) - missed)
    told = f"{rolled}" + "".join(f" {m.amount:+} {m.label}" for m in modifiers)
    told += f" = {missed} of {len(cells)} hexes are not searched"
    play.decide(
        Resolution(
            "search",
            str(count),
            modifiers=modifiers,
            dice=(roll,),
            steps=(Step(told, RULE),),
        )
    )
    if 0 < count < len(cells):
        play.ask("searching", now.phasing, about={"cells": cells, "count": count})
        return
    look_through(play, cells[:count])


def check_choice(now: Situation, action: Action) -> Verdict:
    """ASL-A12.152a: as many of the accessible hexes as the die allows."""
    return Verdict.of(_choice_faults(now, action))


def _choice_faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("searching")
    if frame is None:
        return
    cells, count = frame.texts("cells"), frame.value("count", 0)
    chosen = action.so_far("cells")
    for cell in chosen:
        if cell not in cells:
            yield Violation(RULE, f"{cell} is not accessible", cells=(cell,))
    if len(set(chosen)) != count:
        text = f"{count} hexes are searched"
        yield Violation(RULE, text, cells=tuple(chosen), cured_by=("cells",))


def choice_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The accessible hexes."""
    frame = now.position.frame("searching")
    if frame is None or slot != "cells":
        return ()
    chosen = action.so_far("cells")
    return tuple(cell for cell in frame.texts("cells") if cell not in chosen)


def choice_listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: hexes that lie side by side."""
    del action
    frame = now.position.frame("searching")
    if frame is None or slot != "cells":
        return ()
    cells, count = frame.texts("cells"), frame.value("count", 0)
    size = count if isinstance(count, int) else 0
    twice = (*cells, *cells)
    return tuple(twice[i : i + size] for i in range(len(cells)))


def choose(play: Play, action: Action) -> None:
    """The hexes that are searched."""
    play.answered("searching")
    look_through(play, action.texts("cells"))


def look_through(play: Play, cells: Sequence[str]) -> None:
    """ASL-A12.152c, ASL-A12.154: all there is found, at what cost; the searchers are TI."""
    move = moving(play.now)
    assert move is not None
    place = place_of_group(play.now, move)
    side = play.now.phasing
    searched = (place.cell, *cells)
    found = [
        unit.id
        for cell in searched
        for unit in play.position.at(cell)
        if unit.side == other(side) and play.now.is_hidden(unit)
    ]
    search_casualty(play, searched, move.units, side)
    for name in found:
        unit = play.position.unit(name)
        if unit.has(marks.HIDDEN):
            place_hidden(play, name, "its hex is searched", "ASL-A12.152c")
        else:
            reveal(play, name, "its hex is searched", "ASL-A12.152c")
    step = Step(f"{', '.join(searched)} are searched", "ASL-A12.152c")
    play.decide(Resolution("searched", str(len(found)), steps=(step,)))
    if not still_moving(play, move):
        return
    for name in move.units:
        if name in play.position.units:
            play.mark(name, marks.TI)
    fall_back(play, place, Fraction(1))
