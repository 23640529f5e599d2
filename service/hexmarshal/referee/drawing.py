"""Draws out of cups and decks: which ones make the rules come to what the table shows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.comparing import changed, differences
from hexmarshal.referee.dicebox import LogDice, NeedsDiceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hexmarshal.referee.asking import Rules
    from hexmarshal.referee.case import Done, Sights
    from hexmarshal.rules.position import Position
    from hexmarshal.rules.verdict import Applied

__all__ = ["Drawn", "draws_known", "fitting_draws", "table_distance"]

# How often all draws of an action are gone through for those that fit the table.
_SEARCHES: Final = 4
# A unit counts more than two cards, so that a draw can be mended before the one it was taken for.
_UNIT: Final = 3

Drawn = tuple[LogDice, "Applied"]


def draws_known(done: Done, sights: Sights) -> bool:
    """Whether what differs cannot lie in the draws.

    A single draw was tried in every way; of several, the decks tell whether they are right.
    """
    if len(done.counts) <= 1:
        return True
    piles = sights.piles()
    return bool(piles) and _cards_apart(done.after, piles) == 0


def fitting_draws(rules: Rules, done: Done, sights: Sights, units: Iterable[str]) -> Drawn | None:
    """The action done again with draws that fit the table better, one draw after the other.

    `units` are those about which table and rules differ; None if nothing fits better. Of equal
    fits the one with more draws is taken: those behind it can still make it better.
    """
    concerned = frozenset(units)
    piles = sights.piles()

    def score(after: Position) -> int:
        return table_distance(done.before, after, concerned, sights, piles)

    best = (score(done.after), -len(done.counts))
    found: Drawn | None = None
    picks, counts = list(done.picks), list(done.counts)
    for _ in range(_SEARCHES):
        improved = False
        at = 0
        while best[0] and at < len(counts):
            for index in range(counts[at]):
                trial = LogDice(done.throws, [*picks[:at], index, *picks[at + 1 :]])
                try:
                    applied = rules.apply(done.before, done.action, trial)
                except (NeedsDiceError, HexMarshalError):
                    continue
                fit = (score(applied.position), -len(trial.counts))
                if fit < best:
                    best, improved, found = fit, True, (trial, applied)
            if found is not None:
                picks, counts = found[0].picks, found[0].counts
            at += 1
        if not improved:
            break
    return found


def table_distance(
    before: Position,
    after: Position,
    units: frozenset[str],
    sights: Sights,
    piles: Mapping[str, tuple[str, ...]],
) -> int:
    """How far the table is from a position, in units that changed and in cards drawn."""
    concerned = {*units, *changed(before, after)}
    total = _UNIT * sum(len(differences(after, sights.units, unit)) for unit in concerned)
    return total + _cards_apart(after, piles)


def _cards_apart(position: Position, piles: Mapping[str, tuple[str, ...]]) -> int:
    total = 0
    for name, cards in piles.items():
        own = position.pile(name).cards
        if own != cards:
            here, there = Counter(own), Counter(cards)
            total += (here - there).total() + (there - here).total()
    return total
