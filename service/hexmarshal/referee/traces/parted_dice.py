"""Dice of several attacks, all rolled before any of their results was carried out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.table_comparison import believing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Anchor
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.results.pending_results import PendingResults
    from hexmarshal.referee.traces.anchor_keeper import AnchorKeeper

__all__ = ["PartedDice"]

# So many rolls in a row are taken apart.
_MOST: Final = 6
_TRACK: Final = "track"


class PartedDice:
    """Explains what was seen by the first of the dice, or the last, and keeps the others.

    Whoever says two attacks and rolls for both carries out now the one and now the other first.
    """

    def __init__(
        self,
        case: Case,
        results: PendingResults,
        anchors: AnchorKeeper,
        explained: Callable[[Anchor, Now], bool],
    ) -> None:
        """`explained` tells whether all since an anchor is explained, and goes on from there."""
        self._case, self._results, self._anchors = case, results, anchors
        self._explained = explained

    def explain(self, anchor: Anchor, now: Now) -> bool:
        """Whether a part of the dice explains all but who was turned up for the others."""
        case = self._case
        throws = (*anchor.before.tray, *anchor.throws)
        if anchor.spoken or not anchor.first or len(throws) > _MOST:
            return False
        start, marks = anchor.before.belief, self._results.marks
        turned = frozenset(unit for unit in anchor.units if marks.is_revealed(unit, start))
        if anchor.units <= turned and not any(item.of == _TRACK for item in anchor.items):
            # Who pays for something has done it, though others rolled for fun.
            return False
        # Who was turned up is known: nobody has to be drawn for any of it.
        known = case.with_piles(believing(start, case.sights.units, turned))
        for used, kept in _parts(throws):
            part = replace(
                anchor,
                before=replace(anchor.before, belief=known, tray=(), revealed=()),
                throws=used,
                kept=kept,
                cards=0,
                later=(),
                goes=(),
                origin=None,
            )
            if self._explained(part, now):
                case.mind.tray = (*kept, *case.mind.tray)
                self._anchors.set(anchor.ignored)
                return True
        return False


def _parts(throws: tuple[Throw, ...]) -> Iterator[tuple[tuple[Throw, ...], tuple[Throw, ...]]]:
    """Some of the dice, and the others, by where somebody rolled anew."""
    for at in range(1, len(throws)):
        if throws[at].step != throws[at - 1].step:
            yield throws[:at], throws[at:]
            yield throws[at:], throws[:at]
