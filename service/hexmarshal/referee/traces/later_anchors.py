"""Where things may be explained again after something that nothing explains."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.traces.anchor_keeper import HANDED_OVER

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Anchor, Mind
    from hexmarshal.referee.traces.anchor_keeper import AnchorKeeper
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["LaterAnchors"]

_TRACK: Final = "track"


class LaterAnchors:
    """Lays anchors behind what was told as wrong, for as long as it may still be something else."""

    def __init__(
        self,
        case: Case,
        anchors: AnchorKeeper,
        close: Callable[[], None],
        believe_cards: Callable[[Anchor], None],
    ) -> None:
        """`close` lays the anchor where things stand, whatever differs."""
        self._case, self._anchors = case, anchors
        self._close, self._believe_cards = close, believe_cards

    def give_up(self, give_up: Callable[[], None]) -> None:
        """Nothing explains what was seen: `give_up` tells what is wrong with it, on trial."""
        case, kept = self._case, self._case.mind
        case.mind = kept.copy()
        give_up()
        case.mind.anchor = kept.anchor
        acting = case.sights.acting()
        self._believe()
        handed_over = acting and HANDED_OVER not in self._anchors.anchor().ignored
        if handed_over and not case.mind.belief.frames:
            case.mind.belief = replace(case.mind.belief, active=(acting,))
        self._keep(kept)

    def let_be(self, kept: Mind) -> None:
        """What was judged alone just now stands if the next is explained only then.

        What was paid since, and not for this, may be paid for the next.
        """
        case = self._case
        items = self._anchors.anchor().items
        early = frozenset(i for i in items if i.of == _TRACK and case.item_apart(i))
        before = case.mind.copy()
        aside = self._aside(kept)
        # What is still to be paid for what was done before is no part of it.
        owed = (item for item, due in case.mind.due.items() if due.entry != due.last)
        self._believe(but=frozenset(item for item in owed if item.of == _TRACK))
        self._keep(kept)
        kept.anchor = replace(self._anchors.anchor(), aside=aside)
        if early:
            case.mind = before
            self._believe(but=early)
            paid = self._from_here()
            case.mind = kept
            paid = replace(paid, first=kept.step, items=early, ignored=paid.ignored - early)
            anchor = self._anchors.anchor()
            kept.anchor = replace(anchor, later=(paid, *anchor.later))

    def _aside(self, kept: Mind) -> Anchor | None:
        """The anchor if a drag that was judged wrong is no part of what dice were rolled for.

        Who drags a unit as he may not, while others carry a result out, takes no dice from that.
        """
        case, anchor, run = self._case, kept.anchor, kept.run
        told = case.mind.entries[-1] if len(case.mind.entries) > len(kept.entries) else None
        if anchor is None or run is None or told is None:
            return None if anchor is None else anchor.aside
        begun = anchor.aside or (anchor if anchor.throws else anchor.origin)
        if begun is None or {*told.units} != {*run.units}:
            return anchor.aside
        return self._anchors.aside(begun, told) or anchor.aside

    def _keep(self, kept: Mind) -> None:
        case = self._case
        later = [self._from_here()]
        free = case.released()
        if free is not None:
            case.mind = case.mind.copy()
            case.mind.belief = free
            later.append(self._from_here())
        case.mind = kept
        anchor = self._anchors.anchor()
        # As long as nobody else acts, all that was done in a go belongs together.
        run = kept.run
        ended = anchor.handed == kept.step or (run is not None and run.first < anchor.handed)
        goes = tuple(later) if ended else anchor.goes
        kept.anchor = replace(anchor, later=tuple(later), goes=goes)

    def ask_no_more(self) -> None:
        """What is asked only because of a violation, players may have left behind."""
        case, mind = self._case, self._case.mind
        free = case.released() if mind.belief.state and case.history.comes_of_violation else None
        if free is not None:
            anchor = self._anchors.anchor()
            later = replace(anchor, before=replace(anchor.before, belief=free), origin=None)
            mind.anchor = replace(anchor, later=(later,))

    def _from_here(self) -> Anchor:
        self._close()
        return self._anchors.anchor()

    def _believe(self, but: frozenset[Item] = frozenset()) -> None:
        """Go on from the table, `but` for some items."""
        anchor = self._anchors.anchor()
        # Who is only marked may be so a little early: that is told later.
        self._case.believe(anchor.units - self._case.mind.marked.keys())
        self._case.believe_items(anchor.items - but)
        self._believe_cards(anchor)
