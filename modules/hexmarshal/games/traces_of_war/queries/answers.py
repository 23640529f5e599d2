"""The answers, each a question to the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import RulesError
from hexmarshal.games.traces_of_war.queries import fighting
from hexmarshal.games.traces_of_war.rules.combat.strength import portion
from hexmarshal.games.traces_of_war.rules.command.activation import commanded
from hexmarshal.games.traces_of_war.rules.command.selection import fronts, stavka_appears
from hexmarshal.games.traces_of_war.rules.ground import rail, supply
from hexmarshal.games.traces_of_war.rules.movement import march, relocation
from hexmarshal.games.traces_of_war.rules.movement.costs import ours
from hexmarshal.games.traces_of_war.rules.victory import ending, score
from hexmarshal.games.traces_of_war.state.kinds import HQ
from hexmarshal.games.traces_of_war.state.situation import ISOLATED, OUT_OF_SUPPLY
from hexmarshal.rules.values import FrozenMap, freeze
from hexmarshal.rules.verdict import (
    Answer,
    IllegalActionError,
    Step,
    Verdict,
    Violation,
    amount_to_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["answer"]


def answer(now: Situation, name: str, params: Record) -> Answer:
    """The answer to one of the declared questions."""
    return _ANSWERS[name](now, params)


def _values(**values: object) -> Record:
    frozen = freeze(values)
    assert isinstance(frozen, FrozenMap)
    return frozen


def _unit(now: Situation, params: Record) -> Unit:
    unit = now.unit(str(params["unit"]))
    if not unit.cell:
        raise RulesError(f"{unit.id} is not on the map")
    return unit


def _portion(now: Situation, params: Record) -> Answer:
    del now
    value, by = (int(str(params[name])) for name in ("value", "divide_by"))
    found = portion(value, by)
    step = Step(f"{value} divided by {by}, rounded down: {found}", "TOW-1.3a")
    return Answer(_values(value=found), (step,))


def _supply(now: Situation, params: Record) -> Answer:
    unit = _unit(now, params)
    line = supply.line_of(now, unit.cell, unit.side)
    status = next((f for f in (ISOLATED, OUT_OF_SUPPLY) if unit.has(f)), "supplied")
    # TOW-8.1e: the status is what the last Supply token made it, whatever the line is now.
    if line.found:
        step = Step(f"supplied by way of {' '.join(line.cells)}", "TOW-8.1a")
    else:
        step = Step("every way to a source is barred", "TOW-8.1b")
    values = _values(
        can_trace=line.found, status=status, line=line.cells, blockers=dict(line.blockers or {})
    )
    return Answer(values, (step,))


def _command(now: Situation, params: Record) -> Answer:
    unit = _unit(now, params)
    if unit.type != HQ:
        text = f"{unit.id} is no headquarters"
        raise IllegalActionError(Verdict((Violation("TOW-2.3i", text, units=(unit.id,)),)))
    found = commanded(now, unit)
    cells = now.command(unit.cell, unit.number("radius"))
    step = Step(f"within {unit.number('radius')} hexes of {unit.cell}", "TOW-2.3i")
    return Answer(_values(units=found, cells=cells), (step,))


def _reach(now: Situation, params: Record) -> Answer:
    unit = _unit(now, params)
    strategic = params.get("strategic") is True
    found = march.reach(now, unit, strategic=strategic)
    cells = {cell: amount_to_json(cost) for cell, (cost, _) in found.items()}
    paths = {cell: path for cell, (_, path) in found.items()}
    steps = []
    ways = () if strategic else paths.values()
    if kinds := dict.fromkeys(kind for way in ways for kind in ours(now, unit.cell, way)):
        text = f"what {' and '.join(kinds)} costs to enter is ours, not the rulebook's"
        steps.append(Step(text, "TOW-9.1a"))
    values = _values(cells=cells, paths=paths, allowance=now.allowance(unit))
    return Answer(values, tuple(steps))


def _relocations(now: Situation, params: Record) -> Answer:
    unit = now.unit(str(params["unit"]))
    start = unit.cell or str(unit.values.get("from") or "")
    return Answer(_values(cells=relocation.destinations(now, unit, start)))


def _stations(now: Situation, params: Record) -> Answer:
    side = str(params["side"])
    return Answer(_values(cells=sorted(rail.stations(now, side))))


def _zoc(now: Situation, params: Record) -> Answer:
    return Answer(_values(cells=sorted(now.zone(str(params["side"])))))


def _control(now: Situation, params: Record) -> Answer:
    del params
    cells = {cell: now.controller(cell) for cell in now.board.cities}
    crossings = {cell: now.crossing_controller(cell) for cell in now.board.crossings}
    values = _values(cells=cells, crossings=crossings, crossing_points=now.crossing_points)
    return Answer(values)


def _tables(now: Situation, params: Record) -> Answer:
    del params
    count, tables = now.crossing_points, now.tables
    cells = {
        name: tables.by_count(name, count) for name in ("luftwaffe", "negotiation", "okh_command")
    }
    cells["axis_tokens"] = tables.axis_tokens(now.position.turn)
    appears, why = stavka_appears(now)
    told: dict[str, object] = {}
    for name, cell in cells.items():
        barred = now.barred_by_book(cell)
        told[name] = {"value": None if barred else cell.value, "ours": cell.ours}
    required = [tables.tables["tokens"][key]["title"] for key in fronts(now)]
    values = _values(crossing_points=count, stavka=appears, fronts=required, free_tokens=2, **told)
    return Answer(values, (Step(why, "TOW-4.2.1f"),))


def _score(now: Situation, params: Record) -> Answer:
    del params
    victory = ending.victory_of(now)
    last = now.position.turn >= ending.last_turn(now)
    items = score.race(now) if victory == score.RACE else score.campaign(now, final=last)
    steps = [Step(f"{i.label}: {i.count} at {i.each} = {i.total}", i.rule) for i in items]
    scores = {"soviet": amount_to_json(score.points(items))}
    return Answer(_values(scores=scores, needed=score.needed(now, victory)), tuple(steps))


def _bid(now: Situation, params: Record) -> Answer:
    """TOW-14.1: the higher bidder plays the Soviets and needs as much as he bid."""
    del now
    first, second = params["first"], params["second"]
    assert isinstance(first, int)
    assert isinstance(second, int)
    if first == second:
        # The book does not say: both bid again.
        return Answer(_values(soviet="", needed=0), (Step("equal bids: bid again", "TOW-14.1"),))
    soviet = "first" if first > second else "second"
    return Answer(_values(soviet=soviet, needed=max(first, second)))


_ANSWERS: Mapping[str, Callable[[Situation, Record], Answer]] = {
    "odds": fighting.odds,
    "portion": _portion,
    "supply": _supply,
    "command": _command,
    "reach": _reach,
    "retreats": fighting.retreats,
    "relocations": _relocations,
    "stations": _stations,
    "zoc": _zoc,
    "control": _control,
    "tables": _tables,
    "score": _score,
    "bid": _bid,
}
