"""Actions carried out on trial, with the cards drawn that the piles of the table show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.mind import Done
from hexmarshal.referee.case.table_comparison import changed
from hexmarshal.referee.tokens.draw_search import Piles, fitting_draws

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from hexmarshal.referee.interpret.log_dice import LogDice, Throw
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.referee.traces.table_traces import TableView
    from hexmarshal.referee.traces.trials import Trial, Trials
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.reading.bookkeeping import Item

__all__ = ["DrawnTrials", "Window", "is_later"]

_SEVERAL: Final = 2
_DRAWS: Final = 80
# So many draws that were found are remembered.
_REMEMBERED: Final = 60


@dataclass(frozen=True, slots=True)
class Window:
    """What happened since rules and table last agreed: what was touched, and the dice.

    `ready` are those whom the sides activated last; `waits`: who hands the go over may only have
    waited; `less`: of what was moved on tracks, that is a part of the price; on tracks that are
    `paid` it may be too much, too; `handed`: the marker for whose go it is was moved; who was
    `turned` up before the dice takes part in what they were rolled for; others are `kept` for
    something else.
    """

    start: Position
    units: Collection[str]
    items: Collection[Item]
    throws: tuple[Throw, ...]
    ready: Collection[str] = ()
    waits: bool = True
    less: bool = False
    paid: Collection[Item] = ()
    handed: bool = True
    turned: Collection[str] = ()
    kept: tuple[Throw, ...] = ()


class DrawnTrials:
    """Tries an action, and then other draws where it is wrong who drew what."""

    def __init__(self, rules: Rules, trials: Trials, advance: str) -> None:
        """`advance` is the action that the tracker shows."""
        self._rules, self._trials, self._advance = rules, trials, advance
        self._drawn: dict[object, tuple[Position, Trial | None]] = {}

    def forget(self) -> None:
        """Forget draws that were found, when there are many."""
        if len(self._drawn) > _REMEMBERED:
            self._drawn.clear()

    def tried(
        self,
        window: Window,
        view: TableView,
        here: Position,
        action: Action,
        tray: tuple[Throw, ...],
    ) -> Trial | None:
        """What an action comes to, with the draws that the piles of the table show."""
        trial = self._trials.applied(here, action, tray)
        if trial is None or (action.kind == self._advance and is_later(here, trial[0])):
            # A phase that players end by the tracker, they end by the tracker.
            return None
        after, dice = trial
        if not dice.counts or not view.piles:
            return trial
        # What was drawn left its pile: draw after draw, the first card that is gone.
        piles, picks = Piles(here, view.piles), list[int]()
        while len(picks) < len(dice.counts):
            likely = piles.likely(dice.counts, picks)
            picks.append(likely[0] if likely else 0)
            again = self._trials.applied(here, action, tray, tuple(picks))
            if again is None:
                return after, dice
            after, dice = again
        return self._mended(window, view, here, action, after, dice) or (after, dice)

    def _mended(
        self,
        window: Window,
        view: TableView,
        here: Position,
        action: Action,
        after: Position,
        dice: LogDice,
    ) -> Trial | None:
        """With other draws, where it is wrong who drew what."""
        if len(dice.counts) < _SEVERAL:
            return None
        left = view.traces(window.start, after, window.units, window.items)
        drawn = {*changed(here, after), *_marked(here, after)}
        if not left.any:
            return None
        if left.items and not left.units and not _lie_elsewhere(here, after, view.piles):
            return None
        if left.units and drawn.isdisjoint(left.units):
            # What else is to be explained, later actions may.
            return None
        done = Done(here, after, action, tuple(dice.used), tuple(dice.picks), tuple(dice.counts), 0)
        shown = (*view.piles.items(), *(view.shows(unit) for unit in sorted(drawn)))
        key = (id(here), action, done.throws, shown)
        if key not in self._drawn:
            # Where units drew, the piles tell what; where only cards went, every way is tried.
            most = {"trials": _DRAWS} if left.units or left.items else {}
            found = fitting_draws(self._rules, view.books, done, view.sights, window.units, **most)
            known = (
                None if found is None else (replace(found[1].position, generator=None), found[0])
            )
            self._drawn[key] = here, known
        return self._drawn[key][1]


def _lie_elsewhere(before: Position, after: Position, piles: Mapping[str, Sequence[str]]) -> bool:
    """Whether cards that came to a pile do not lie there on the table."""
    return any(
        Counter(after.pile(name).cards) - Counter(before.pile(name).cards) - Counter(cards)
        for name, cards in piles.items()
    )


def _marked(before: Position, after: Position) -> Iterator[str]:
    """The units that something was laid on, or taken off."""
    old, new = before.markers, after.markers
    if old is not new:
        yield from (one.unit for name, one in new.items() if one.unit and old.get(name) is not one)
        yield from (one.unit for name, one in old.items() if one.unit and name not in new)


def is_later(before: Position, after: Position) -> bool:
    """Whether it is another turn or phase."""
    return (before.turn, before.phase) != (after.turn, after.phase)
