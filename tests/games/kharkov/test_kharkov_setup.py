"""The players set up by the groups of the book, and the game begins."""

from __future__ import annotations

from itertools import takewhile

from hexmarshal.games.kharkov import Kharkov
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.state.position import Position


def _deployments(plugin: Kharkov, position: Position, side: str) -> list[Action]:
    """Where the next unit may start."""
    offered = (o.action for o in engine.offers(plugin, position, side))
    listed = (a for a in offered if a.kind == "deploy")
    first = next(listed, None)
    if first is None:
        return []
    unit = first.text("unit")
    return [first, *takewhile(lambda a: a.text("unit") == unit, listed)]


def _worth(plugin: Kharkov, position: Position, side: str, action: Action) -> tuple[int, int, int]:
    """How far north an open hex of the line is that a unit would close there, and how many."""
    now = plugin.situation(position)
    board, cell = now.board, action.text("cell")
    covered = now.held(side) | now.zoc(side)
    reach = board.bit[cell] | board.around(board.bit[cell])
    closed = [
        i
        for i, one in enumerate(board.front(side))
        if board.bit[one] & reach and not board.bit[one] & covered
    ]
    return -min(closed, default=10_000), len(closed), -len(now.fighters(cell, side))


def test_a_set_up_by_the_players_leads_to_turn_one() -> None:
    """KHA-5.0-P, KHA-5.15, KHA-5.2, KHA-5.3: every unit has its place, every hex is covered."""
    plugin = Kharkov()
    position = engine.start(plugin, "campaign", {"free_setup": True}, seed="set-up")
    assert (position.phase, position.active) == ("setup_axis", ("axis",))
    for side in ("axis", "soviet"):
        while choices := _deployments(plugin, position, side):
            best = max(choices, key=lambda a: _worth(plugin, position, side, a))
            position = engine.perform(plugin, position, best).position
        end = plugin.game.actions.make("end_phase", side)
        verdict = engine.check(plugin, position, end)
        assert verdict.legal, verdict.violations
        position = engine.perform(plugin, position, end).position
    assert (position.phase, position.turn) == ("soviet_movement", 1)
    assert not position.in_box("deploy")
    assert not any(unit.value("group") for unit in position.units.values())
