"""The table of Kharkov."""

from __future__ import annotations

from dataclasses import replace

from game_table import blank, table

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.vassal.commands.turn import ListLevel, TurnLevel

__all__ = [
    "MAKE",
    "PLUGIN",
    "binding",
    "blank",
    "builder",
    "checked",
    "game",
    "module",
    "said",
    "start",
    "told",
    "turn_to",
    "turn_up",
]

_TABLE = table("kharkov")
PLUGIN = _TABLE.plugin
MAKE = PLUGIN.game.actions.make
builder, module, binding = _TABLE.builder, _TABLE.module, _TABLE.binding
said, checked = _TABLE.said, _TABLE.checked


def game(start: Position | str = "training") -> Recorder:
    """A log in the making, from a scenario or from a position."""
    return _TABLE.game(start)


def start(phase: str, side: str, **cells: str) -> Position:
    """The training scenario in a phase, with some units elsewhere; `pz_1` is `pz-1`."""
    here = replace(engine.start(PLUGIN, "training"), phase=phase, active=(side,))
    for name, cell in cells.items():
        unit = here.units[name.replace("_", "-")]
        here = here.with_unit(replace(unit, cell=cell))
    return here


def turn_up(log: Recorder, unit: str, card: str, pool: str) -> None:
    """A unit is turned over, and shows how strong it is."""
    here = log.position
    values = FrozenMap({**here.units[unit].values, "ladder": (card.split()[-1],)})
    cards = list(here.pile(pool).cards)
    cards.remove(card)
    piles = here.piles.set(pool, replace(here.pile(pool), cards=tuple(cards)))
    log.show(replace(here, piles=piles).with_unit(replace(here.units[unit], values=values)))


def turn_to(log: Recorder, text: str) -> None:
    """The tracker goes to one of its texts, whether that is a phase to the rules or not."""
    tracker = log.placer.table.tracker
    assert tracker is not None
    turn = tracker.write(log.position)
    assert turn is not None
    entries = list(tracker.rule.phases)

    def turned(level: TurnLevel) -> TurnLevel:
        inner = tuple(map(turned, level.levels))
        if isinstance(level, ListLevel):
            return replace(level, current=entries.index(text), levels=inner)
        return replace(level, levels=inner)

    state = turn.turn
    with log.log.step() as step:
        step.set_turn(turn.tracker, replace(state, levels=tuple(map(turned, state.levels))))


def told(report: CheckReport) -> list[tuple[int, str]]:
    """What is against the rules: the step, and each rule."""
    return [(entry.first, v.rule) for entry in report.violations for v in entry.violations]
