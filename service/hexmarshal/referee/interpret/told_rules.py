"""The rules that something breaks, in the order in which a director reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.rules.action import ActionType
    from hexmarshal.rules.game import Game
    from hexmarshal.rules.verdict import Violation

__all__ = ["in_order"]


def in_order(
    game: Game, violations: Iterable[Violation], kind: ActionType | None = None, phase: str = ""
) -> tuple[Violation, ...]:
    """When a unit may act comes first, then whose turn it is, then all else in its own order.

    Where the unit may not act, that tells why it is not the turn for it; but not for what nobody
    does in this phase.
    """
    # What two parts of an action break alike is told once.
    found = tuple({(one.rule, one.text): one for one in violations}.values())
    if kind is not None and kind.phases and phase not in kind.phases:
        return tuple(sorted(found, key=lambda violation: violation.rule != game.turn_rule))
    timing = tuple(v for v in found if v.rule in game.timing_rules)
    turn = () if timing else tuple(v for v in found if v.rule == game.turn_rule)
    others = (v for v in found if v.rule != game.turn_rule and v.rule not in game.timing_rules)
    return (*timing, *turn, *others)
