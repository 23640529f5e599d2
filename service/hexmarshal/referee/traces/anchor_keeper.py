"""The anchor: where rules and table last agreed, and what was touched and rolled since."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.mind import CARDS, Anchor
from hexmarshal.referee.case.table_comparison import believing
from hexmarshal.referee.check.findings import Status
from hexmarshal.referee.traces.table_traces import TableView
from hexmarshal.table.reading.bookkeeping import Item

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.check.findings import Entry
    from hexmarshal.referee.drags.drag_run import DragRun
    from hexmarshal.referee.interpret.log_dice import Throw

__all__ = ["HANDED_OVER", "LONGEST", "AnchorKeeper"]

# Who has not come to terms with the rules after so many steps does not keep everything.
LONGEST: Final = 12
# Stands among what is ignored for the marker for whose go it is.
HANDED_OVER: Final = "acting"
_TRACK: Final = "track"


class AnchorKeeper:
    """Keeps the anchor in the mind of a case, and notes what happens since."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def anchor(self) -> Anchor:
        """The anchor; the beginning of the log, if there was none yet."""
        mind = self._case.mind
        if mind.anchor is None:
            self.set()
        assert mind.anchor is not None
        return mind.anchor

    def touch(
        self, units: Iterable[str], items: Iterable[Item], step: int, *, cards: bool = False
    ) -> None:
        """Something was done on the table."""
        new, touched_items = frozenset(units), frozenset(items)
        kept = touched_items
        if any(item.of == _TRACK for item in kept):
            kept |= self._other_tracks()

        def touched(anchor: Anchor) -> Anchor:
            return replace(
                anchor,
                first=anchor.first or step,
                units=anchor.units | new,
                items=anchor.items | touched_items,
                cards=anchor.cards or (step if cards else 0),
                touched={**dict.fromkeys(new, step), **anchor.touched},
                # What is kept after all is looked at.
                ignored=anchor.ignored - new - kept,
            )

        self._case.mind.kept |= {(item.of, item.name) for item in touched_items}
        self._case.mind.kept |= {CARDS} if cards else frozenset()
        paid = self._case.mind.paid
        paid |= {i: (*paid.get(i, ()), step) for i in touched_items if i.of == _TRACK}
        self.change(touched)

    def _other_tracks(self) -> frozenset[Item]:
        """Who keeps one track keeps the others, but for those that are wrong already."""
        tracks = (Item(_TRACK, name) for name in self._case.mind.belief.tracks)
        return frozenset(item for item in tracks if not self._case.item_apart(item))

    def roll(self, throws: Iterable[Throw]) -> None:
        """Dice were rolled."""
        new = tuple(throws)

        def rolled(anchor: Anchor) -> Anchor:
            first = anchor.first or (new[0].step if new else 0)
            return replace(anchor, first=first, throws=(*anchor.throws, *new))

        self.change(rolled)

    def was_paid_first(self, books: Collection[Item]) -> bool:
        """Whether dice lie here that were paid before, and now a track of others is moved.

        Then what they were for is over, though it left nothing else.
        """
        anchor, mind = self.anchor(), self._case.mind
        if not anchor.throws or not books or any(item.of != _TRACK for item in books):
            return False
        since, rolled = anchor.first, anchor.throws[0].step
        paid = {s: i for i, steps in mind.paid.items() for s in steps if since <= s < rolled}
        return bool(paid) and paid[max(paid)] not in books

    def hear(self, late: Callable[[tuple[Throw, ...]], tuple[Throw, ...]]) -> Mapping[Throw, Throw]:
        """Players may have told behind dice what those are for; returns the dice so told."""
        mind = self._case.mind
        told = late(mind.tray)
        if told is mind.tray:
            return {}
        new = dict(zip(mind.tray, told, strict=True))
        mind.tray = told
        self.change(lambda at: replace(at, throws=tuple(new.get(one, one) for one in at.throws)))
        return new

    def went(self, run: DragRun) -> None:
        """Units were dragged from cell to cell, and something else begins."""

        def gone(anchor: Anchor) -> Anchor:
            ways = dict(anchor.ways)
            for unit in run.units:
                before = next((w[:-1] for w in ways.get(unit, ()) if w[-1] == run.start), ())
                ways[unit] = tuple((*before, *way) for way in run.ways)
            return replace(anchor, ways=ways)

        self.change(gone)

    def change(self, change: Callable[[Anchor], Anchor]) -> None:
        """Change the anchor, and those that may turn out to be the right ones."""

        def changed_all(anchor: Anchor) -> Anchor:
            origin = None if anchor.origin is None else changed_all(anchor.origin)
            aside = None if anchor.aside is None else change(anchor.aside)
            later, goes = map(change, anchor.later), map(change, anchor.goes)
            return replace(
                change(anchor), later=tuple(later), goes=tuple(goes), origin=origin, aside=aside
            )

        self._case.mind.anchor = changed_all(self.anchor())

    def speak(self) -> None:
        """Something was announced."""
        self._case.mind.anchor = replace(
            self.anchor(), spoken=True, later=(), goes=(), origin=None, aside=None
        )

    def view(self, anchor: Anchor, *, lenient: bool = False) -> TableView:
        """The table, without what is ignored since an anchor; `lenient`: signs may come later."""
        case = self._case
        run = case.mind.run
        own = dict.fromkeys(run.units, run.ways) if run is not None else {}
        ways = {**anchor.ways, **own} if anchor.ways else own
        cards = bool(anchor.cards)
        return TableView(
            case.books,
            case.sights,
            ways,
            anchor.ignored,
            cards=cards,
            lenient=lenient,
            overruled=case.rules.game.overruled,
        )

    def agrees(self, anchor: Anchor) -> bool:
        """Whether rules and table agree about all that was touched since an anchor."""
        start, belief = anchor.before.belief, self._case.mind.belief
        if not anchor.first and belief is start:
            return True
        return self.view(anchor).agrees(start, belief, anchor.units, anchor.items)

    def origin(self, anchor: Anchor, *, guessed: bool = False) -> Anchor | None:
        """Where a guess began that may turn out to be another.

        As long as more of it is to come, and one step longer.
        """
        if anchor.spoken:
            return None
        if not anchor.first:
            return anchor.origin
        mind, here = self._case.mind, replace(anchor, later=(), goes=(), origin=None)
        if not mind.belief.state:
            return here if guessed else None
        begun = anchor.origin if anchor.before.belief.state else None
        if begun is not None and mind.step - begun.first >= LONGEST:
            begun = None
        if begun is None:
            return here if mind.step - here.first < LONGEST else None
        # Dice may have been taken for less than was done; then all that was before stands.
        return replace(here, origin=replace(begun, origin=None)) if guessed else begun

    def aside(self, begun: Anchor, told: Entry) -> Anchor | None:
        """Where dice were rolled, if a drag that is told as wrong is no part of what they were for.

        None if it may be one.
        """
        wrong = told.status is Status.VIOLATION and told.path
        if not wrong or not begun.throws:
            return None
        if any(begun.touched.get(unit, told.first) < told.first for unit in told.units):
            return None
        before = begun.before.copy()
        before.belief = believing(before.belief, self._case.sights.units, told.units)
        before.entries.append(replace(told, after=before.belief))
        return replace(
            begun,
            before=before,
            units=begun.units.difference(told.units),
            later=(),
            goes=(),
            origin=None,
            aside=None,
        )

    def aside_from(self, anchor: Anchor) -> Anchor | None:
        """The same for all that was judged since an anchor: nothing but drags against the rules."""
        begun = anchor.aside or anchor.origin
        for told in self._case.mind.entries[len(anchor.before.entries) :]:
            begun = None if begun is None else self.aside(begun, told)
        return None if begun is anchor.origin else begun

    def set(
        self,
        ignored: frozenset[object] | None = None,
        origin: Anchor | None = None,
        aside: Anchor | None = None,
    ) -> None:
        """Lay the anchor here; `ignored` is what differs, and nobody did."""
        mind = self._case.mind
        if ignored is None:
            # The beginning of the log: whatever differs now, nobody did.
            case = self._case
            apart: set[object] = {unit for unit in case.sights.units if case.apart(unit)}
            apart |= {item for item in case.sights.books if case.item_apart(item)}
            # Nor does everybody move the marker for whose go it is.
            ignored = frozenset((*apart, HANDED_OVER))
        kept = mind.copy()
        kept.anchor = None
        mind.anchor = Anchor(kept, ignored=ignored, origin=origin, aside=aside)

    def go_back(self, origin: Anchor, is_revealed: Callable[[str], bool]) -> None:
        """Back to where a guess began, with its dice, unless what was done since bears it out."""
        case, kept = self._case, self._case.mind
        mind = origin.before.copy()
        mind.tray, mind.step = (*mind.tray, *origin.throws), kept.step
        mind.ahead = kept.ahead
        case.mind = mind
        if any(case.apart(unit) and not is_revealed(unit) for unit in origin.units):
            case.mind = kept
        else:
            self.set(origin.ignored)
