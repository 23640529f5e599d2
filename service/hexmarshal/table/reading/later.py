"""What was known of a game at an earlier moment, and is over by the time that a table shows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.rules.state.effects import Proceed, apply_effects
from hexmarshal.rules.state.lifetimes import before

if TYPE_CHECKING:
    from hexmarshal.rules.game import Game, ScenarioTerms
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.turn_tracker import Moment

__all__ = ["arrived", "as_of"]


def as_of(position: Position, moment: Moment | None, game: Game) -> Position:
    """The position without the marks that have ended by this moment; its own moment stays."""
    if moment is None or not moment.phase or moment.is_of(position):
        return position
    goes_on = Proceed(moment.turn, moment.phase, active=moment.active or None)
    return apply_effects(position, before(game.lifetimes, position, goes_on))


def arrived(unit: Unit, known: Unit | None, terms: ScenarioTerms) -> Unit:
    """The unit without when and where it would come, if it was to come and is there by now."""
    if known is None or not unit.cell or not terms.arrivals or known.box != terms.arrivals:
        return unit
    names = [name for name in (terms.arrival_turn, terms.arrival_entry) if name]
    return replace(unit, values=unit.values.without(*names))
