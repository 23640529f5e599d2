"""What was done since rules and table last agreed: explained as a whole, as soon as it can be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.mind import Anchor
from hexmarshal.referee.case.table_comparison import changed
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.silence.begun_actions import BegunActions
from hexmarshal.referee.silence.others_ready import DoersReady
from hexmarshal.referee.traces.anchor_keeper import HANDED_OVER, LONGEST, AnchorKeeper
from hexmarshal.referee.traces.drawn_trials import Window
from hexmarshal.referee.traces.go_marker import GoMarker, has_ended, puzzles, unhanded
from hexmarshal.referee.traces.later_anchors import LaterAnchors
from hexmarshal.referee.traces.left_out_units import turned_up
from hexmarshal.referee.traces.paid_in_part import PaidInPart
from hexmarshal.referee.traces.parted_dice import PartedDice
from hexmarshal.referee.traces.trace_search import Explanations
from hexmarshal.table.reading.bookkeeping import Item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.drags.drag_run import Now
    from hexmarshal.referee.interpret.deed import Deed
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.traces.trace_search import Found, TraceSearch
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["OpenWindow"]

_TRACK: Final = "track"


class OpenWindow:
    """Keeps the anchor, and goes back to it when actions are found that explain all since then.

    Whatever was thought of the steps in between is dropped then.
    """

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        search: TraceSearch | None,
        cards_asked: Callable[[], bool] = bool,
    ) -> None:
        """Without `search`, nothing is explained as a whole.

        `cards_asked` tells whether it is by cards in piles that players choose now.
        """
        self._case, self._runner, self._search = case, runner, search
        self._cards_asked = cards_asked
        self.anchors = AnchorKeeper(case)
        self.marker = GoMarker(case, self.anchors, self._explained, self.explained)
        self._later = LaterAnchors(case, self.anchors, self.close, self._believe_cards)
        self._begun = (
            BegunActions(case, runner, search, self.anchors) if search is not None else None
        )
        self._ready = DoersReady(case, runner, search.made_ready) if search is not None else None
        self.in_part = PaidInPart(case, runner.results, search, self.anchors, self._explained)
        self._parted = PartedDice(case, runner.results, self.anchors, self._wholly_explained)

    # What happens

    def go_on(self, *, handed_over: bool = False) -> None:
        """Something begins: what was announced is over, at the latest when the go is."""
        mind = self._case.mind
        over = mind.pending is None and mind.run is None and not (mind.belief.state or mind.tray)
        if over and self.anchors.anchor().spoken and (handed_over or not mind.owed):
            self.close()

    def retract(self, is_right: Callable[[Position], bool]) -> None:
        """Give the last guess up, if what is announced is right only without it."""
        origin = self.anchors.anchor().origin if self._search is not None else None
        if origin is None or not origin.throws or not is_right(origin.before.belief):
            return
        self.anchors.go_back(origin, self._runner.results.marks.is_revealed)

    def settle(self, give_up: Callable[[], None] | None = None) -> bool:
        """All of a step was seen: where rules and table agree, go on from here.

        Where nothing explained what was seen, `give_up` tells what is wrong with it; should the
        next be explained only if all this is let be, that is what will be told.
        """
        mind, anchor = self._case.mind, self.anchors.anchor()
        if mind.pending is not None or mind.run is not None:
            return False
        if not mind.tray and self.anchors.agrees(anchor) and not puzzles(anchor, mind):
            first = len(anchor.before.entries)
            rolled = any(n >= first and mind.entries[n].dice for n in mind.unsaid)
            origin = self.anchors.origin(anchor, guessed=rolled)
            aside = None if origin is None else self.anchors.aside_from(anchor)
            self.anchors.set(anchor.ignored, origin, aside)
            if self._search is not None:
                self._later.ask_no_more()
            return True
        if give_up is not None and not anchor.spoken:
            self._later.give_up(give_up)
        long = anchor.first and mind.step - anchor.first >= LONGEST
        if self._search is not None and long and not self._is_drawing(anchor):
            self.close()
        return False

    def _is_drawing(self, anchor: Anchor) -> bool:
        """Whether what was drawn for the last announcement is still being laid out."""
        done = self._case.mind.done
        return anchor.spoken and done is not None and done.after is self._case.mind.belief

    def let_be(self, kept: Mind) -> None:
        """What was judged alone just now stands if the next is explained only then."""
        self._later.let_be(kept)

    def _believe_cards(self, anchor: Anchor) -> None:
        """Tell of cards that went from pile to pile for nothing, and leave them where they are."""
        if anchor.cards and self._cards_asked():
            # Who chose before the tracker said so has chosen.
            return
        if anchor.cards:
            before = None if self._search else anchor.before.belief
            self._runner.results.unasked.misplaced_cards(anchor.cards, before)
            self._case.believe_piles()

    def close(self, *, cards: bool = True) -> None:
        """Go on from here, whatever differs; `cards` if those that lie elsewhere are told."""
        case, mind = self._case, self._case.mind
        anchor = self.anchors.anchor()
        if cards:
            self._believe_cards(anchor)
        belief = mind.belief
        looked = {*anchor.units, *changed(anchor.before.belief, belief), *mind.owed}
        items = {*anchor.items, *case.books.changed(anchor.before.belief, belief), *mind.due}
        ignored: set[object] = {unit for unit in looked if case.apart(unit)}
        ignored |= {item for item in items if case.item_apart(item)}
        ignored |= anchor.ignored
        acting = case.sights.acting()
        if acting and belief.active != (acting,):
            ignored.add(HANDED_OVER)
        self.anchors.set(frozenset(ignored))

    # Explaining

    def explained(self, now: Now, *, goes_on: bool = False, books: bool = False) -> bool:
        """Whether actions were found, and carried out, after which rules and table agree.

        Where it `goes_on`, as with who was dragged and is turned now, how it is paid may show yet.
        With `books`, nothing but those was changed just now.
        """
        anchor = self.anchors.anchor()
        if anchor.spoken:
            return False
        origin = anchor.origin
        # Of what dice may have been rolled for, rather what leaves nothing undone.
        whole = origin is not None or bool(anchor.throws)
        looked = list[tuple[Anchor, Explanations]]()
        for way in (anchor, origin, anchor.aside):
            if way is not None:
                looked.append((way, self._looked_for(way, whole=whole)))
                if whole and self._carried_out_by_doer(way, looked[-1][1].whole, now):
                    return True
        for way, found in looked:
            again = whole and found.cut and not found.first
            first = (self._looked_for(way) if again else found).first
            if self._carried_out(way, first, now):
                return True
        if origin is not None and origin.origin and self._explained(origin.origin, now):
            return True
        if self._parted.explain(anchor, now):
            return True
        ended = anchor.handed == self._case.mind.step
        # Dice or cards tell more of a whole go than where units lie.
        goes = [go for go in anchor.goes if go.throws or go.cards] if ended else ()
        if any(self._explained(go, now) for go in goes):
            return True
        if ended and self.in_part.is_played(anchor) and self.in_part.explains(now):
            return True
        # Whoever rolled did not wait: what came of it may still be laid on the table.
        later = [w for w in anchor.later if all(w.before is not go.before for go in anchor.goes)]
        # What began only after a drag does not tell what that was.
        later = [w for w in later if w.first <= now.step]
        if books and later and self._is_laid_out(anchor):
            return False
        # Rather the marker for whose go it is was forgotten than something wrong.
        if later and self._explained(unhanded(anchor, moved=self.marker.is_moved), now):
            return True
        if any(self._explained(w, now, waits=not (*anchor.goes, anchor)[0].throws) for w in later):
            return True
        passed = self._passed(anchor, now)
        if passed is not None and self._explained(passed, now):
            return True
        if self._is_begun_anew(anchor) and self.is_right_but_for_signs(now):
            return True
        paid = any(of == _TRACK for of, _ in self._case.mind.kept)
        if ended and not paid and self._case.mind.run is not None:
            # Who keeps no tracks shows by nothing how a drag was paid: it is judged by itself.
            return False
        if ended and self.is_right_but_for_signs(now):
            return True
        # Nor are tracks moved by everybody; and who moves them may pay too little.
        tracks = frozenset(Item(_TRACK, name) for name in anchor.before.belief.tracks)
        if anchor.throws:
            return ended and self.in_part.explains(now)
        if goes_on or tracks <= anchor.ignored:
            return False
        free = replace(anchor, ignored=anchor.ignored | tracks)
        if not paid:
            return self._explained(free, now)
        if self._case.mind.run is None:
            return False
        half = replace(anchor, ignored=anchor.ignored | (tracks & anchor.items))
        # What was owed before is paid for that.
        own = tracks & anchor.items - anchor.before.due.keys()
        if not (self._explained(half, now, paid=own) or self._explained(free, now, paid=own)):
            return False
        self.in_part.tell(anchor)
        return True

    def _carried_out_by_doer(self, anchor: Anchor, found: Sequence[Found], now: Now) -> bool:
        """Whether that is believed; of him who acts, where others were thought to be made ready."""
        way = self._ready and self._ready.who_acts(anchor, [one.action for one in found], now)
        if way and self._wholly_explained(way, now):
            return True
        return self._carried_out(anchor, found, now)

    def _is_begun_anew(self, anchor: Anchor) -> bool:
        """Whether a track was moved up behind a drag or dice: nobody pays so who goes on."""
        view, start = self.anchors.view(anchor), anchor.before.belief
        begun = bool(anchor.throws) or self._case.mind.run is not None
        return begun and view.is_raised(start, anchor.items)

    def _is_laid_out(self, anchor: Anchor) -> bool:
        """Whether dice did to units what the table shows, and tracks are still to be moved for it.

        Then nothing of it is wrong yet.
        """
        known, shown = anchor.before.belief.units, self._case.sights.units
        left = [u for u in anchor.units if u in known and known[u].cell]
        left = [u for u in left if u not in shown or not shown[u].at_place_of(known[u])]
        if not anchor.throws or not left:
            return False
        tracks = frozenset(Item(_TRACK, name) for name in anchor.before.belief.tracks)
        still = replace(anchor, ignored=anchor.ignored | (tracks - anchor.items))
        return bool(self._looked_for(still).first)

    def is_right_but_for_signs(self, now: Now) -> bool:
        """Whether what units did is explained if signs are put on them later; so it is judged then.

        Dice leave more than signs: what they were for shows by that, or by who begins anew.
        """
        anchor = self.anchors.anchor()
        anew = self._is_begun_anew(anchor)
        if anchor.spoken or (anchor.throws and not anew):
            return False
        ways = (anchor, *(w for w in anchor.later if w.first <= now.step))
        some = (way for way in ways if way.units or (anew and way is anchor))
        return any(self._explained(way, now, lenient=True) for way in some)

    def _passed(self, anchor: Anchor, now: Now) -> Anchor | None:
        """The anchor if whoever acts has passed in silence: only then others may have acted since.

        They dragged a unit of theirs, or rolled after he had made an end of what he did, or rolled
        and paid.
        """
        case, kept, search = self._case, self._case.mind, self._search
        before, run = anchor.before, kept.run
        passed = None if search is None else search.passed(before.belief)
        if passed is None or not anchor.first:
            return None
        if run is not None:
            first = before.belief.units.get(run.units[0])
            others = first is not None and first.side != passed.side
        else:
            paid = any(item.of == _TRACK for item in anchor.items)
            others = bool(anchor.throws) and (paid or has_ended(before, passed.side))
        if not others:
            return None
        case.mind = before.copy()
        by, what = replace(now, side=passed.side), case.in_silence(passed)
        self._runner.begin(passed, by, anchor.first, what, unsaid=True)
        self._let_pass(passed, before.belief)
        found, case.mind = case.mind, kept
        return replace(anchor, before=found, later=(), goes=(), origin=None)

    def carry_on(self, units: Iterable[str], now: Now) -> bool:
        """Whether units carry out what an attack asks that was found just now, in silence.

        If not yet, the rest of it is looked for from here.
        """
        anchor = self.anchors.anchor()
        if self._search is None or anchor.spoken:
            return False
        self.anchors.set(anchor.ignored, self.anchors.origin(anchor, guessed=True))
        self.anchors.touch(units, (), now.step)
        return self._explained(self.anchors.anchor(), now)

    def explain_rest(self, now: Now) -> None:
        """Dice were taken for what silence decides: if more was done before them, explain that."""
        anchor = self.anchors.anchor()
        touched = bool(anchor.units or anchor.items) and bool(anchor.before.belief.state)
        if touched and not anchor.spoken and not self.anchors.agrees(anchor):
            self._explained(anchor, now)

    def begun(self, deeds: Sequence[Deed], now: Now) -> bool:
        """Whether an action was found, and carried out, of which these deeds are a part."""
        return self._begun is not None and self._begun.begin(deeds, now)

    def _let_pass(self, action: Action, before: Position) -> None:
        """Who hands the go over without a word, and loses nothing on the table, only waited."""
        case, mind = self._case, self._case.mind
        free = mind.belief
        if self._search is not None:
            free = self._search.unharmed(before, action, mind.belief)
        lost = changed(before, mind.belief)
        if free is not mind.belief and any(case.apart(unit) for unit in lost):
            self._runner.results.forgive(len(mind.entries) - 1)
            mind.belief = free

    def _explained(
        self,
        anchor: Anchor,
        now: Now,
        *,
        waits: bool = True,
        less: bool = False,
        paid: frozenset[Item] = frozenset(),
        lenient: bool = False,
    ) -> bool:
        """Whether all since then is explained.

        With `less` it was paid in part; on tracks that are `paid`, too much or too little. With
        `lenient`, signs are not on units yet.
        """
        found = self._looked_for(anchor, waits=waits, less=less, paid=paid, lenient=lenient)
        return self._carried_out(anchor, found.first, now)

    def _wholly_explained(self, anchor: Anchor, now: Now) -> bool:
        """The same, if nothing more is to come of it."""
        return self._carried_out(anchor, self._looked_for(anchor, whole=True).whole, now)

    def _looked_for(
        self,
        anchor: Anchor,
        *,
        whole: bool = False,
        waits: bool = True,
        less: bool = False,
        paid: frozenset[Item] = frozenset(),
        lenient: bool = False,
    ) -> Explanations:
        """What explains all since then; with `whole` also such that nothing more is to come of."""
        if not anchor.first or self._search is None:
            return Explanations()
        start, throws = anchor.before.belief, anchor.dice
        ready = self._search.made_ready(anchor.before.entries) if throws else ()
        touched, handed = (anchor.units, anchor.items), self.marker.is_moved
        turned = turned_up(anchor, self._runner.results.marks)
        window = Window(
            start, *touched, throws, ready, waits, less, paid, handed, turned, anchor.kept
        )
        view = self.anchors.view(anchor, lenient=lenient)
        if not throws and not view.traces(start, start, window.units, window.items).any:
            return Explanations()
        return self._search.found(window, view, whole=whole)

    def _carried_out(self, anchor: Anchor, found: Sequence[Found], now: Now) -> bool:
        """Whether that is believed, and all since then judged by it."""
        case = self._case
        if not found:
            return False
        lapse = case.habits.is_lapse([one.action for one in found if not one.seen])
        if not lapse or not self._runner.results.marks.allow(anchor.before.belief, found[0].action):
            return False
        run = case.mind.run
        mind: Mind = anchor.before.copy()
        mind.tray, mind.step = anchor.dice, case.mind.step
        mind.ahead, mind.kept, mind.paid = case.mind.ahead, case.mind.kept, case.mind.paid
        case.mind = mind
        for action, seen, picks in found:
            drag = run if seen and run is not None and {*run.units} <= {*named(action)} else None
            what = self._case.in_silence(action) if drag is None else str(drag)
            before = mind.belief
            self._runner.begin(
                action, now, anchor.first, what, drag, unsaid=drag is None, picks=picks
            )
            self._let_pass(action, before)
        guessed = not all(one.seen for one in found)
        if guessed:
            case.guess(len(anchor.before.entries))
        self.anchors.set(anchor.ignored, self.anchors.origin(anchor, guessed=guessed))
        return True
