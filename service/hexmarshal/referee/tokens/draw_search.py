"""Draws out of cups and decks: which ones make the rules come to what the table shows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import changed, differences
from hexmarshal.referee.interpret.log_dice import LogDice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hexmarshal.referee.case.mind import Done, Sights
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Applied
    from hexmarshal.table.reading.bookkeeping import Books

__all__ = ["Drawn", "Piles", "draws_known", "draws_shown", "fitting_draws", "table_distance"]

# How often all draws of an action are gone through for those that fit the table.
_SEARCHES: Final = 4
# How many likely draws are tried before that, and how many of a pile that nobody can see.
_TRIALS: Final = 300
_UNKNOWN: Final = 12
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


def fitting_draws(
    rules: Rules,
    books: Books,
    done: Done,
    sights: Sights,
    units: Iterable[str],
    *,
    trials: int = _TRIALS,
) -> Drawn | None:
    """The action done again with draws that fit the table better.

    `units` are those about which table and rules differ; None if nothing fits better. What lies on
    units tells who drew what. With fewer `trials`, only what the piles tell is tried.
    """
    concerned = frozenset(units)
    piles = sights.piles()

    def score(after: Position) -> int:
        lying = books.on_units_apart(done.before, after, sights.books)
        return table_distance(done.before, after, concerned, sights, piles) + lying

    search = _Search(rules, done, score, trials)
    if search.best and done.counts:
        if piles:
            search.by_piles(Piles(done.before, piles, sights.went))
        if trials == _TRIALS:
            search.one_by_one()
    return search.found


class Piles:
    """What left the piles, by the table: what is drawn by chance is most likely one of these."""

    def __init__(
        self,
        before: Position,
        shown: Mapping[str, tuple[str, ...]],
        went: Mapping[str, int] | None = None,
    ) -> None:
        """`went` says when cards went to where they lie: what went first was drawn first."""
        self._went = went or {}
        self._before = {name: list(before.pile(name).cards) for name in shown}
        self._gone = {
            name: Counter(before.pile(name).cards) - Counter(cards) for name, cards in shown.items()
        }

    def likely(self, counts: Sequence[int], picks: Sequence[int]) -> list[int]:
        """The draws to try behind these, each card once, those that are gone first."""
        count = counts[len(picks)]
        left = {name: cards.copy() for name, cards in self._before.items()}
        gone = {name: cards.copy() for name, cards in self._gone.items()}
        for size, pick in zip(counts, picks, strict=False):
            # A draw is out of a pile of its size, and the card does not come back.
            name = self._of_size(left, size)
            if name:
                gone[name][left[name].pop(pick)] -= 1
        names = [name for name, cards in left.items() if len(cards) == count]
        if not names:
            return list(range(min(count, _UNKNOWN)))
        name = self._of_size(left, count)
        first: dict[str, int] = {}
        for index, card in enumerate(left[name]):
            first.setdefault(card, index)
        missing = [
            index
            for card, index in sorted(first.items(), key=lambda one: self._went.get(one[0], 0))
            if gone[name][card] > 0
        ]
        # Of piles of one size, nobody knows which it was.
        for other in names:
            cards = enumerate(left[other]) if other != name else ()
            missing += [index for index, card in cards if gone[other][card] > 0]
        return list(dict.fromkeys(missing)) or list(first.values())

    def _of_size(self, piles: Mapping[str, Sequence[str]], size: int) -> str:
        fitting = [name for name, cards in piles.items() if len(cards) == size]
        return max(fitting, key=lambda name: self._gone[name].total(), default="")


def draws_shown(
    rules: Rules, before: Position, action: Action, tray: Sequence[Throw], sights: Sights
) -> tuple[int, ...]:
    """The draws of an action that the piles of the table show, as far as they show any."""
    shown = sights.piles()
    piles, picks = Piles(before, shown, sights.went), list[int]()
    while shown:
        dice = LogDice(tray, picks)
        try:
            rules.apply(before, action, dice)
        except HexMarshalError:
            return ()
        if len(picks) >= len(dice.counts):
            break
        likely = piles.likely(dice.counts, picks)
        picks.append(likely[0] if likely else 0)
    return tuple(picks)


class _Search:
    """Tries draws; `found` is what fits best, None if nothing is better than what was done."""

    def __init__(
        self, rules: Rules, done: Done, score: Callable[[Position], int], trials: int
    ) -> None:
        self._rules, self._done, self._score = rules, done, score
        self._left = trials
        self.best = score(done.after)
        self.found: Drawn | None = None

    def by_piles(self, piles: Piles) -> None:
        """The likely draws, the best of each first, until all fits."""
        self._deeper(piles, [], self._done.counts)

    def _deeper(self, piles: Piles, picks: list[int], counts: Sequence[int]) -> None:
        if len(picks) >= len(counts):
            return
        ways: list[tuple[int, int, int, list[int]]] = []
        for index in piles.likely(counts, picks):
            if not self.best or self._left <= 0:
                return
            self._left -= 1
            trial = self._try([*picks, index])
            if trial is not None:
                ways.append((trial[0], len(ways), index, trial[1].counts))
        for _, _, index, further in sorted(ways):
            if self.best:
                self._deeper(piles, [*picks, index], further)

    def one_by_one(self) -> None:
        """Change one draw after the other, as long as it gets better."""
        done, best = self._done, self.best
        picks, counts = list(done.picks), list(done.counts)
        if self.found is not None:
            picks, counts = self.found[0].picks, self.found[0].counts
        for _ in range(_SEARCHES):
            at = 0
            while self.best and at < len(counts):
                for index in range(counts[at]):
                    self._try([*picks[:at], index, *picks[at + 1 :]])
                if self.found is not None:
                    picks, counts = self.found[0].picks, self.found[0].counts
                at += 1
            if self.best == best:
                break
            best = self.best

    def _try(self, picks: list[int]) -> tuple[int, LogDice] | None:
        trial = LogDice(self._done.throws, picks)
        try:
            applied = self._rules.apply(self._done.before, self._done.action, trial)
        except HexMarshalError:
            return None
        fit = self._score(applied.position)
        if fit < self.best:
            self.best, self.found = fit, (trial, applied)
        return fit, trial


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
