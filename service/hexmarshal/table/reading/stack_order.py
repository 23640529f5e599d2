"""The order of cards and stacks: as it was known, where the table does not say otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position

__all__ = ["in_order", "same_order"]


def in_order(known: Sequence[str], cards: Sequence[str]) -> tuple[str, ...]:
    """The cards: those that were known in the order known, the others behind them."""
    left = list(cards)
    kept = []
    for card in known:
        if card in left:
            left.remove(card)
            kept.append(card)
    return (*kept, *left)


def same_order(
    units: dict[str, Unit], base: Position, spots: Mapping[str, tuple[str, str]]
) -> dict[str, Unit]:
    """Ranks as the base has them where the stacks are in the same order."""
    groups: dict[tuple[str, str], list[Unit]] = {}
    for unit in units.values():
        on_table = spots.get(unit.id) if unit.box else None
        groups.setdefault(on_table or (unit.cell, unit.box), []).append(unit)
    for stack in groups.values():
        before = [base.units.get(unit.id) for unit in stack]
        known = [b for b in before if b is not None]
        same_place = len(known) == len(stack) and all(
            (b.cell, b.box) == (u.cell, u.box) for b, u in zip(known, stack, strict=True)
        )
        # Equal ranks go by id; a table always has an order.
        if same_place and [(b.rank, b.id) for b in known] == sorted((b.rank, b.id) for b in known):
            units.update((u.id, replace(u, rank=b.rank)) for u, b in zip(stack, known, strict=True))
    return units
