"""A set-up beside its scenario: the order of battle, where units start, and what may stand so."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.check.findings import Certainty
from hexmarshal.referee.drags.drag_actions import drag_kinds
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.interpret.words import place_title
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.fallen import fallen
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.referee.drags.drag_actions import DragKind
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.game import Game
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Verdict
    from hexmarshal.table.binding import Binding

__all__ = ["SETUP_RULE", "is_set_up", "set_up_problems", "unsettled"]

# The rule of no book: the scenario says otherwise.
SETUP_RULE: Final = "HM-setup"


def is_set_up(rules: Rules, binding: Binding, position: Position, start: Position) -> bool:
    """Whether nothing has been played yet, as far as turn, phase and losses tell.

    Where a scenario begins with a phase that no tracker shows, the first that it shows will do.
    """
    order = [phase.key for phase in rules.game.phases]
    shown = [
        phase.phase
        for phase in (binding.turn.phases.values() if binding.turn is not None else ())
        if phase is not None
    ]
    first = start.phase if start.phase in shown or not shown else shown[0]
    if position.turn != start.turn or not {position.phase, first} <= set(order):
        return False
    return order.index(position.phase) <= order.index(first) and not fallen(position, start)


def set_up_problems(
    rules: Rules, binding: Binding, position: Position, start: Position
) -> Iterator[tuple[Violation, Certainty]]:
    """How a set-up breaks what its game and its scenario say.

    A game that has rules of its own about set-ups may let a unit start elsewhere than the scenario
    of the plugin has it.
    """
    own = _own(rules, position)
    yield from ((violation, Certainty.CERTAIN) for violation in own)
    yield from ((one, Certainty.CERTAIN) for one in _order_of_battle(rules.game, position, start))
    told = {unit for violation in own for unit in violation.units}
    elsewhere = Certainty.LIKELY if rules.judges_set_ups else Certainty.CERTAIN
    for violation in _places(rules, binding, position, start):
        if violation.rule != SETUP_RULE:
            yield violation, Certainty.CERTAIN
        elif told.isdisjoint(violation.units):
            yield violation, elsewhere


def _own(rules: Rules, position: Position) -> tuple[Violation, ...]:
    try:
        return rules.set_up_problems(position)
    except HexMarshalError:
        return ()


def _order_of_battle(game: Game, position: Position, start: Position) -> Iterator[Violation]:
    """Units that are missing or too many; one of a type stands for another of the same."""
    titles = {one.key: one.title for one in game.unit_types if one.title}
    here, wanted = _count(position), _count(start)
    for (side, kind), number in sorted((wanted - here).items()):
        lacking = _ids(start, side, kind) - _ids(position, side, kind)
        named = titles.get(kind, kind)
        text = f"{side} lacks {number} of {wanted[side, kind]} {named}: {_listed(lacking)}"
        yield Violation(SETUP_RULE, text, units=tuple(sorted(lacking)))
    for (side, kind), number in sorted((here - wanted).items()):
        extra = _ids(position, side, kind) - _ids(start, side, kind)
        more, named = wanted[side, kind], titles.get(kind, kind)
        text = f"{side} has {number} more of {named} than the {more} of the scenario"
        text += f": {_listed(extra)}" if extra else ""
        yield Violation(SETUP_RULE, text, units=tuple(sorted(extra)))


def _count(position: Position) -> Counter[tuple[str, str]]:
    return Counter((unit.side, unit.type) for unit in position.units.values())


def _ids(position: Position, side: str, kind: str) -> set[str]:
    units = position.units.values()
    return {unit.id for unit in units if (unit.side, unit.type) == (side, kind)}


def _listed(ids: set[str]) -> str:
    return ", ".join(sorted(ids))


def _places(
    rules: Rules, binding: Binding, position: Position, start: Position
) -> Iterator[Violation]:
    """Units that do not stand where the scenario has them, or lets their player put them."""
    free = rules.game.terms.deployment
    kinds = drag_kinds(rules.game, binding).values()
    placing = [kind for kind in kinds if start.phase in kind.type.phases]
    now = start
    for unit in position.units.values():
        due = start.units.get(unit.id)
        if due is None or (due.cell, due.box) == (unit.cell, unit.box):
            continue
        if free and due.box == free and unit.cell:
            verdict, now = _deployed(rules, placing, now, unit)
            yield from verdict
        elif not (due.carrier or unit.carrier):
            place, there = (place_title(rules.game, one) for one in (due, unit))
            text = f"{unit.id} starts in {place}, and is in {there}"
            yield Violation(
                SETUP_RULE, text, cells=(unit.cell,) if unit.cell else (), units=(unit.id,)
            )


def _deployed(
    rules: Rules, kinds: Sequence[DragKind], now: Position, unit: Unit
) -> tuple[tuple[Violation, ...], Position]:
    """What is wrong with setting a unit up where it stands, and the position with it there."""
    best: Verdict | None = None
    now = replace(now, active=(unit.side,))
    for kind in kinds:
        params = kind.params((unit.id,), (unit.cell,))
        action = rules.game.actions.make(kind.type.name, unit.side, **params)
        try:
            phases = kind.type.phases
            at = replace(now, phase=_own_phase(rules, phases, unit.side) or now.phase)
            verdict = rules.check(at, action)
            if verdict.legal:
                return (), rules.apply(at, action, LogDice(())).position
        except HexMarshalError:
            continue
        if best is None or len(verdict.violations) < len(best.violations):
            best = verdict
    there = now.with_unit(replace(unit, carrier=""))
    return best.violations if best is not None else (), there


def _own_phase(rules: Rules, phases: tuple[str, ...], side: str) -> str:
    """The first of these phases in which a side acts."""
    sides = {phase.key: phase.sides for phase in rules.game.phases}
    return next((phase for phase in phases if side in sides.get(phase, ())), "")


def unsettled(
    rules: Rules, binding: Binding, position: Position, start: Position, *, fresh: bool
) -> Iterator[Violation]:
    """What would have to be put right before a phase may end, and is not so at the start.

    Too many units in a hex, for one: many books allow that until the phase is over. In a `fresh`
    set-up every phase is still to come.
    """
    advance = binding.ends_phase
    if advance not in rules.game.actions:
        return
    told: set[tuple[str, str]] = set()
    for phase in rules.game.phases:
        for side in phase.sides if fresh or phase.key == position.phase else ():
            action = Action(advance, side)
            there, before = (
                _verdict(rules, replace(at, phase=phase.key, state="", active=(side,)), action)
                for at in (position, start)
            )
            known = {(violation.rule, violation.text) for violation in before}
            for violation in there:
                key = violation.rule, violation.text
                if key not in known and key not in told and (violation.cells or violation.units):
                    told.add(key)
                    yield violation


def _verdict(rules: Rules, position: Position, action: Action) -> tuple[Violation, ...]:
    try:
        return rules.check(position, action).violations
    except HexMarshalError:
        return ()
