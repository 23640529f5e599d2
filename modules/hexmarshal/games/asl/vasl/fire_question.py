"""What players at the table ask before a shot: sight, hindrance, who can fire, and the odds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.errors import HexMarshalError, RulesError
from hexmarshal.games.asl.rules.sequence.turn import PHASES
from hexmarshal.games.asl.sight.view import Spot
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import SIDES
from hexmarshal.games.asl.state.tables import UNKNOWN
from hexmarshal.games.asl.state.units import marks
from hexmarshal.rules import engine
from hexmarshal.rules.state.view import NOBODY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.games.asl.sight.explain import Explanation
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.games.asl.vasl.opening import OpenedTable
    from hexmarshal.games.asl.vasl.position_builder import ReadPosition
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Answer

__all__ = ["FireQuestion", "ask_fire"]

PREP_FIRE, DEFENSIVE_FIRE = "prep_fire", "defensive_fire"
_FIRE_PHASES: Final = ("prep_fire", "movement", "defensive_fire", "advancing_fire")


@dataclass(frozen=True)
class FireQuestion:
    """The answer, part by part."""

    read: ReadPosition
    now: Situation
    line: Explanation
    side: str
    spots: tuple[Spot, Spot]
    firers: tuple[Unit, ...] = ()
    """Those in the firing location who can fire, weapons included."""
    cannot: tuple[tuple[Unit, str], ...] = ()
    targets: tuple[Unit, ...] = ()
    alone: dict[str, Any] = field(default_factory=dict)
    leader: Unit | None = None
    attack: Answer | None = None
    odds: Answer | None = None
    refused: str = ""

    @property
    def not_counted(self) -> tuple[str, ...]:
        """What of the targets the rules do not have yet."""
        known = (unit for unit in self.targets if unit.type != UNKNOWN)
        behind = [self.read.units[unit.id] for unit in known]
        told = []
        if any(counter.entrenched for counter in behind):
            told.append("foxholes, trenches and ditches")
        told += [f"{c.face.text}, which is not ruled yet" for c in behind if not c.face.counter]
        return tuple(dict.fromkeys(told))

    def name(self, unit: Unit) -> str:
        """The unit as the table calls it; what is under a "?" is not told."""
        return "?" if unit.type == UNKNOWN else self.read.units[unit.id].face.text


def ask_fire(
    opened: OpenedTable,
    start: str,
    end: str,
    *,
    phase: str = PREP_FIRE,
    levels: tuple[int | None, int | None] = (None, None),
    leader: bool = True,
    seat: str = "",
    reveal: bool = False,
) -> FireQuestion:
    """All about fire from one hex at another, as the save has them.

    What lies under a "?", or is hidden, is told of the seat's own side alone, or if all shall be
    revealed.
    """
    if phase not in _FIRE_PHASES:
        raise RulesError(f"nobody fires in {phase!r}", hint=f"phases: {', '.join(_FIRE_PHASES)}")
    assert phase in PHASES
    one, two = opened.cell(start), opened.cell(end)
    if seat and seat not in SIDES:
        raise RulesError(f"there is no side {seat!r}", hint=f"sides: {', '.join(SIDES)}")
    known = _known(opened, opened.position(phase=phase).position, seat, reveal=reveal)
    side = _side(known, one, two)
    other = SIDES[1] if side == SIDES[0] else SIDES[0]
    phasing = other if phase in (DEFENSIVE_FIRE, "movement") else side
    read = opened.position(phase=phase, phasing=phasing)
    position = _known(opened, read.position, seat, reveal=reveal)
    now = opened.plugin.situation(position)
    here = Location(one, _level(now, one, side, levels[0]))
    there = Location(two, _level(now, two, other, levels[1]))
    spots = (Spot(one, here.level), Spot(two, there.level))
    line = _line(opened, position, spots)
    question = FireQuestion(read, now, line, side, spots)
    return _with_fire(opened, question, here, there, use_leader=leader)


def _known(opened: OpenedTable, position: Position, seat: str, *, reveal: bool) -> Position:
    """What the asker may know."""
    return position if reveal else engine.seen(opened.plugin, position, seat or NOBODY)


def _side(position: Position, one: str, two: str) -> str:
    """Whose units fire: those in the first hex or, where it is empty, not those in the second."""
    here = [u.side for u in position.at(one) if not u.carrier]
    if here:
        return max(SIDES, key=here.count)
    there = [u.side for u in position.at(two)]
    return SIDES[1] if there and max(SIDES, key=there.count) == SIDES[0] else SIDES[0]


def _level(now: Situation, cell: str, side: str, given: int | None) -> int:
    if given is not None:
        if given not in now.ground.levels(cell):
            known = ", ".join(map(str, now.ground.levels(cell)))
            raise RulesError(f"{cell} has no level {given}", hint=f"its levels: {known}")
        return given
    levels = {unit.level for unit in now.position.at(cell) if unit.side == side and unit.cell}
    return levels.pop() if len(levels) == 1 else 0


def _line(opened: OpenedTable, position: Position, spots: tuple[Spot, Spot]) -> Explanation:
    from hexmarshal.games.asl.queries.sight_queries import conditions_of
    from hexmarshal.games.asl.sight.explain import explain

    sight = opened.plugin.atlas.sight(position.board).under(conditions_of(position))
    return explain(sight, *spots)


def _with_fire(
    opened: OpenedTable,
    question: FireQuestion,
    here: Location,
    there: Location,
    *,
    use_leader: bool,
) -> FireQuestion:
    from dataclasses import replace

    now, side = question.now, question.side
    position = now.position
    targets = tuple(u for u in position.at(there.cell) if u.side != side and u.level == there.level)
    query = {"name": "firers", "target": there.cell, "level": there.level, "side": side}
    found = _ask(opened, now, query).to_json()
    alone = found["firers"]
    assert isinstance(alone, dict)
    present = [
        unit
        for unit in position.of_side(side)
        if position.cell_of(unit) == here.cell and _level_of(now, unit) == here.level
    ]
    firers = tuple(unit for unit in present if unit.id in alone)
    why = tuple((u, _why_not(now, u, question)) for u in present if u.id not in alone)
    question = replace(
        question,
        firers=firers,
        cannot=tuple((u, text) for u, text in why if text),
        targets=targets,
        alone={unit.id: alone[unit.id] for unit in firers},
    )
    if not firers or question.line.answer.blocked:
        return question
    leader = _leader(now, present) if use_leader else None
    asked = {
        "target": there.cell,
        "level": there.level,
        "firers": [unit.id for unit in firers],
        "leaders": [leader.id] if leader is not None else [],
    }
    try:
        attack = _ask(opened, now, {"name": "attack", **asked})
        odds = _ask(opened, now, {"name": "odds", **asked}) if targets else None
    except HexMarshalError as error:
        return replace(question, refused=error.message)
    return replace(question, leader=leader, attack=attack, odds=odds)


def _ask(opened: OpenedTable, now: Situation, query: dict[str, Any]) -> Answer:
    name, params = opened.plugin.game.queries.decode(query)
    return engine.ask(opened.plugin, now.position, name, params)


def _level_of(now: Situation, unit: Unit) -> int:
    holder = now.holder(unit) if now.is_weapon(unit) else None
    return holder.level if holder is not None else unit.level


def _leader(now: Situation, present: Sequence[Unit]) -> Unit | None:
    """The best leader who can direct the shot."""
    able = [
        unit
        for unit in present
        if now.is_personnel(unit)
        and now.counter(unit).kind == "leader"
        and now.counter(unit).leadership < 0
        and not unit.flags & {marks.BROKEN, marks.DIRECTED, marks.MELEE}
    ]
    return min(able, key=lambda unit: (now.counter(unit).leadership, unit.id), default=None)


def _why_not(now: Situation, unit: Unit, question: FireQuestion) -> str:
    """Why a unit cannot fire; empty for those who never fire themselves."""
    from hexmarshal.games.asl.rules.fire.eligibility import firer_faults

    if unit.type == UNKNOWN:
        return "under a ?; --side tells of your own"
    if not (now.is_weapon(unit) or now.is_personnel(unit)):
        return "its fire is not ruled yet"
    if now.is_weapon(unit) and now.holder(unit) is None:
        return "possessed by nobody"
    if not now.is_weapon(unit) and not now.counter(unit).fp:
        return ""
    faults = [fault.text for fault in firer_faults(now, unit.id, question.side)]
    if faults:
        return faults[0]
    return "no line of sight" if question.line.answer.blocked else "out of range"
