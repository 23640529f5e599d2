"""Guesses: what was done without a word, and left no trace either, before something is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.referee.case.mind import Guess
from hexmarshal.referee.case.table_comparison import apart
from hexmarshal.referee.dice.spoken_dice import SpokenDice
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.silence.other_choices import OtherChoices
from hexmarshal.referee.silence.others_ready import OthersReady
from hexmarshal.referee.silence.second_guess import SecondGuess
from hexmarshal.referee.silence.unknown_doers import as_if_by_others, free_again

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.referee.silence.unsaid_actions import UnsaidActions
    from hexmarshal.referee.silence.unspoken import Unspoken
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["Guesses"]

# So many questions in a row are answered by silence.
_MOST_ANSWERS: Final = 4


class Guesses:
    """Makes them for games in which the table does not tell enough; each may be given up again."""

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        silent: SilentDecisions,
        traceless: UnsaidActions | None,
        unspoken: Unspoken,
    ) -> None:
        """Without `traceless`, nothing is guessed."""
        self._case, self._runner, self._silent = case, runner, silent
        self._traceless, self._unspoken = traceless, unspoken
        self._others_ready = OthersReady(case, silent)
        self._second = None if traceless is None else SecondGuess(case, runner, silent, traceless)
        self.spoken = SpokenDice(case, runner, silent, self.opens if self.by_things else None)
        self._choices = None if traceless is None else OtherChoices(case, silent)

    def look(self) -> None:
        """Something begins: remember what lies face down before it."""
        if self._traceless is not None:
            self._traceless.look()

    @property
    def by_things(self) -> bool:
        """Whether players lay tokens or cards that tell what they do."""
        return self._traceless is not None

    def opens(self, actions: Sequence[Action], but: Sequence[str]) -> bool:
        """Whether actions turn up what lies face down on other units, where players do that."""
        return self._traceless is not None and self._traceless.opens(actions, but)

    def before(
        self, is_right: Callable[[Position], bool], about: Collection[str], now: Now
    ) -> bool:
        """Whether something is right after what left no trace; then that is done."""
        if self._traceless is None:
            return False
        if self.again(is_right, about, now) or self._drop_guessed(is_right, now):
            return True
        if self._guess(self._traceless.before(is_right, about), now):
            return True
        if self._chosen_otherwise(self._traceless, is_right, about, now):
            return True
        return self._done_by_others(self._traceless, is_right, about, now)

    def finds(
        self, here: Position, is_right: Callable[[Position], bool], about: Collection[str]
    ) -> bool:
        """Whether something is right after what left no trace, if things stood so."""
        if self._traceless is None:
            return False
        tray, wanted = self._case.mind.tray, {*about}
        found = self._traceless.search(here, tray, lambda at, _: is_right(at), wanted)
        return found is not None

    def _done_by_others(
        self,
        traceless: UnsaidActions,
        is_right: Callable[[Position], bool],
        about: Collection[str],
        now: Now,
    ) -> bool:
        """Whether something is right if those whom a guess took for it did not do that."""
        case, kept = self._case, self._case.mind
        free = as_if_by_others(kept)
        if free is None:
            return False
        case.mind = kept.copy()
        if free.state != kept.belief.state:
            self._unspoken.do(filter(None, (self._silent.answer(kept.belief),)), now)
        case.mind.belief = free
        if self._guess(traceless.before(is_right, about), now):
            return True
        case.mind = kept
        return False

    def _chosen_otherwise(
        self,
        traceless: UnsaidActions,
        is_right: Callable[[Position], bool],
        about: Collection[str],
        now: Now,
    ) -> bool:
        """Whether something is right if another was made ready in silence before; then he was."""
        case, kept = self._case, self._case.mind
        for mind in self._others_ready.found():
            case.mind = mind
            if is_right(mind.belief) or self._guess(traceless.before(is_right, about), now):
                return True
            case.mind = kept
        return False

    def in_time_after(
        self, is_right: Callable[[Position], bool], about: Collection[str], now: Now
    ) -> bool:
        """Whether it was the time for something after what left no trace, dice neither."""
        if self._traceless is None:
            return False
        return self._guess(self._traceless.before(is_right, about, dice=False), now)

    def choose_otherwise(self, is_right: Callable[[Position], bool]) -> bool:
        """Whether something is right after another choice than was guessed; then that is made."""
        return self._choices is not None and self._choices.go(is_right)

    def _guess(self, unsaid: Sequence[Action] | None, now: Now) -> bool:
        """Do what was found, if something was; it may turn out to have been another thing."""
        if not unsaid:
            return False
        before = self._case.mind.copy()
        before.anchor = None
        self._unspoken.do(unsaid, now)
        self._case.guess(len(before.entries))
        self._case.mind.guess = Guess(before, len(unsaid))
        return True

    def again(self, is_right: Callable[[Position], bool], about: Collection[str], now: Now) -> bool:
        """Whether another guess than the last explains all since, and makes something right."""
        return self._second is not None and self._second.again(self._unspoken, is_right, about, now)

    @property
    def named(self) -> frozenset[str]:
        """The units and cells that the last guess is about."""
        mind = self._case.mind
        if mind.guess is None:
            return frozenset()
        first = len(mind.guess.before.entries)
        guessed = mind.entries[first : first + mind.guess.length]
        return frozenset(name for one in guessed for name in named(self._case.action_of(one)))

    def show_changes(self, units: Collection[str], now: Now) -> bool:
        """Whether something without a word, with the dice that lie there, leaves units so."""
        case = self._case

        def shows(at: Position) -> bool:
            return not any(apart(at, case.sights.units, unit) for unit in units)

        if self._tells_of(shows) or self.before(shows, units, now):
            return True
        if self._traceless is None or not case.mind.tray or not units:
            return False
        # Who rolls has gone on, and his tracker may be late.
        return self._guess(self._traceless.before(shows, units, late=True), now)

    def _tells_of(self, is_right: Callable[[Position], bool]) -> bool:
        """Whether something is right after what was told in words of the dice that lie there."""
        case, kept = self._case, self._case.mind
        told = any(throw.told for throw in kept.tray)
        if self._traceless is None or kept.pending is not None or not told:
            return False
        case.mind = kept.copy()
        if self.spoken.explain() and is_right(case.mind.belief):
            return True
        case.mind = kept
        return False

    def explain_dice(self) -> None:
        """Dice for something that nobody spoke of, and that left nothing on the table."""
        mind = self._case.mind
        if not mind.tray or mind.pending is not None:
            return
        count = self._runner.dice_count
        told_apart = self.by_things and count.are_of_others()
        if count.are_spent() or (count.are_others() and not told_apart):
            return
        if self.spoken.explain():
            return
        throw, first = mind.tray[-1], len(mind.entries)
        unsaid = (
            None if self._traceless is None else self._traceless.explaining(mind.tray, mind.belief)
        )
        if self._guess(unsaid, Now(throw.step, throw.player)):
            self._case.mind.belief = free_again(self._case.mind, first)
        else:
            self.spoken.refuse()

    def explain_named(self, now: Now) -> None:
        """A token or card is drawn: dice before it, for units that players named, are for those."""
        mind, touched = self._case.mind, self._case.sights.touched
        named = bool(mind.tray) and all(throw.about for throw in mind.tray)
        if not (named and self.by_things) or now.step not in touched.values():
            return
        if mind.pending is not None or mind.tray[-1].step >= now.step:
            return
        if not (self._runner.dice_count.are_others() or self.spoken.explain()):
            self.spoken.refuse()

    def are_explained(self, here: Position) -> bool:
        """Whether dice that lie there are for what leaves nothing, if things stand so."""
        tray = self._case.mind.tray
        return self._traceless is None or self._traceless.explaining(tray, here) is not None

    def refuses_words(self) -> bool:
        """Whether dice lie there for what was told in words, and may not be done; then it was."""
        mind = self._case.mind
        if mind.pending is not None or not any(throw.told for throw in mind.tray):
            return False
        return self.spoken.refuse()

    def explains_dice_before(self, is_right: Callable[[Position], bool]) -> bool:
        """Whether dice are explained by what left nothing, and something is right then as well."""
        case, kept = self._case, self._case.mind
        case.mind = kept.copy()
        self.explain_dice()
        if not case.mind.tray and case.mind.pending is None and is_right(case.mind.belief):
            return True
        case.mind = kept
        return False

    def _drop_guessed(self, is_right: Callable[[Position], bool], now: Now) -> bool:
        """What is asked after a guess nobody has to do, if something is right only without it."""
        mind = self._case.mind
        asked_by = self._case.history.asked_by
        if self._traceless is None or mind.guess is None:
            return False
        if asked_by is not None and asked_by not in mind.unsaid:
            return False
        unsaid: list[Action] = []

        def is_soon_right(at: Position) -> bool:
            unsaid.clear()
            for _ in range(_MOST_ANSWERS):
                if is_right(at):
                    return True
                answer = self._silent.answer(at)
                after = None if answer is None else self._silent.after(at, answer, mind.tray)
                if answer is None or after is None:
                    return False
                at = after
                unsaid.append(answer)
            return False

        free = self._unspoken.freed(is_soon_right)
        if free is None:
            return False
        mind.belief = free
        self._unspoken.do(unsaid, now)
        return True
