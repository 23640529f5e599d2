"""Draws told by the decks: what the table's decks lack now was drawn, in some order."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.dicebox import LogDice, NeedsDiceError
from hexmarshal.referee.drawing import table_distance

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.referee.asking import Rules
    from hexmarshal.referee.case import Done, Sights
    from hexmarshal.referee.drawing import Drawn
    from hexmarshal.rules.position import Position

__all__ = ["draws_by_decks"]


def draws_by_decks(rules: Rules, done: Done, sights: Sights, units: Iterable[str]) -> Drawn | None:
    """The action done again with draws that fit the table in everything; None if these do not.

    Far fewer are tried than there are: for each draw only the cards that are gone from a deck.
    """
    piles = sights.piles()
    concerned = frozenset(units)
    wanted = _gone(done.before, piles)
    picks: list[int] = []
    counts = list(done.counts)
    while len(picks) < len(counts) and wanted:
        best: tuple[int, Drawn] | None = None
        for index in _indices(done.before, wanted, counts[len(picks)], len(picks)):
            trial = LogDice(done.throws, [*picks, index])
            try:
                applied = rules.apply(done.before, done.action, trial)
            except (NeedsDiceError, HexMarshalError):
                continue
            apart = table_distance(done.before, applied.position, concerned, sights, piles)
            if apart == 0:
                return trial, applied
            if best is None or apart < best[0]:
                best = apart, (trial, applied)
        if best is None:
            return None
        trial = best[1][0]
        picks, counts = trial.picks[: len(picks) + 1], trial.counts
    return None


def _gone(before: Position, piles: Mapping[str, tuple[str, ...]]) -> dict[str, set[str]]:
    """The cards that each deck lacks."""
    found = {
        name: set(Counter(before.pile(name).cards) - Counter(cards))
        for name, cards in piles.items()
    }
    return {name: cards for name, cards in found.items() if cards}


def _indices(
    before: Position, wanted: Mapping[str, set[str]], count: int, drawn: int
) -> Iterable[int]:
    """Where these cards may lie in a deck of so many, some of which were drawn before."""
    found: dict[int, None] = {}
    for name, cards in wanted.items():
        pile = before.pile(name).cards
        taken = len(pile) - count
        if not 0 <= taken <= drawn:
            continue
        for card in sorted(cards):
            first = pile.index(card)
            found |= dict.fromkeys(i for i in range(first, first - taken - 1, -1) if 0 <= i < count)
    return found
