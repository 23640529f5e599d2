"""Section 4.2.2: what an OKH token offers; the headquarters that STAVKA and the opening choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.command import activation
from hexmarshal.games.traces_of_war.rules.reinforcements import negotiation
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import AXIS, HQ
from hexmarshal.games.traces_of_war.state.situation import NOT_IN_BOOK
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = [
    "activate_hq",
    "ask",
    "check_command",
    "check_hq",
    "check_negotiate",
    "command",
    "command_candidates",
    "headquarters",
    "negotiate",
    "pass_by",
]


def ask(play: Play, *, drawn: bool) -> None:
    """TOW-4.2.2c: a drawn token has three options; one from the hand only two."""
    play.ask("okh", AXIS, about={"drawn": drawn})


def check_hq(now: Situation, action: Action) -> Verdict:
    """A headquarters of the side's choice, on the map."""
    return Verdict.of(_headquarters(now, action))


def _headquarters(now: Situation, action: Action) -> Iterator[Violation]:
    unit = now.unit(action.text("unit"))
    rule = {"stavka": "TOW-4.3h", "opening": "TOW-12.1"}.get(now.position.state, "TOW-4.2.2c")
    if unit.side != action.side or unit.type != HQ:
        text = f"{unit.id} is no headquarters of the {action.side} side"
        yield Violation(rule, text, units=(unit.id,))
    elif not unit.cell:
        yield Violation(rule, f"{unit.id} is not on the map", units=(unit.id,))


def headquarters(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The side's headquarters on the map."""
    del slot
    return [unit.id for unit in now.on_map(action.side) if unit.type == HQ]


def activate_hq(play: Play, action: Action) -> None:
    """Activate the headquarters chosen; in the opening for combat alone (TOW-12.1)."""
    state = play.position.state
    play.answered(state)
    unit = play.now.unit(action.text("unit"))
    activation.begin(play, unit, opening=state == "opening")
    go_on(play)


def check_command(now: Situation, action: Action) -> Verdict:
    """TOW-4.2.2f: as many Axis units as the table allows, anywhere."""
    return Verdict.of(_commanded(now, action))


def _commanded(now: Situation, action: Action) -> Iterator[Violation]:
    cell = now.tables.by_count("okh_command", now.crossing_points)
    if now.barred_by_book(cell):
        yield Violation("TOW-4.2.2f", f"{NOT_IN_BOOK}: OKH command")
        return
    names = action.texts("units")
    limit = int(cell.number)
    if not names:
        text = "at least one unit is activated"
        yield Violation("TOW-4.2.2f", text, field="units", cured_by=("units",))
    if len(set(names)) < len(names):
        yield Violation("TOW-4.2.2f", "a unit is named twice", field="units")
    if len(names) > limit:
        text = f"{len(names)} units, and OKH command activates {limit}"
        yield Violation("TOW-4.2.2f", text, field="units")
    for name in names:
        unit = now.unit(name)
        if unit.side != AXIS or not unit.cell:
            text = f"{name} is no Axis unit on the map"
            yield Violation("TOW-4.2.2f", text, units=(name,))


def command_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The Axis units on the map that are not chosen yet."""
    del slot
    taken = action.so_far("units")
    return [unit.id for unit in now.on_map(AXIS) if unit.id not in taken]


def command(play: Play, action: Action) -> None:
    """Activate the units chosen, without a headquarters."""
    play.answered("okh")
    now = play.now
    cell = now.tables.by_count("okh_command", now.crossing_points)
    text = f"OKH command activates up to {cell.value} units"
    steps = [Step(text, "TOW-4.2.2f")]
    if cell.ours:
        steps.append(Step("this cell of the OKH command table is ours", "TOW-4.2.2f"))
    play.decide(Resolution("okh command", str(len(action.texts("units"))), steps=tuple(steps)))
    activation.open_up(play, AXIS, "", action.texts("units"))
    go_on(play)


def check_negotiate(now: Situation, action: Action) -> Verdict:
    """TOW-4.2.2d: with a token drawn from the cup alone."""
    del action
    frame = now.position.frame("okh")
    if frame is not None and not frame.value("drawn"):
        text = "an OKH token from the hand does not negotiate"
        return Verdict((Violation("TOW-4.2.2d", text),))
    if now.barred_by_book(now.tables.by_count("negotiation", now.crossing_points)):
        return Verdict((Violation("TOW-4.2.2g", f"{NOT_IN_BOOK}: negotiation points"),))
    return Verdict()


def negotiate(play: Play, action: Action) -> None:
    """TOW-4.2.2g: negotiation points, to be spent now."""
    del action
    play.answered("okh")
    negotiation.begin(play)
    go_on(play)


def pass_by(play: Play, action: Action) -> None:
    """Nothing is done with the token: the options are offers."""
    del action
    play.answered(play.position.state)
    step = Step("the token is passed by", "TOW-4.2.2c")
    play.decide(Resolution("pass", "passed", steps=(step,)))
    go_on(play)
