"""Dice for something that was told in plain words: who does it, and to whom, right before them."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.mind import Rolled
from hexmarshal.referee.case.table_comparison import apart, changed
from hexmarshal.referee.chat.chat_mentions import spoken_of
from hexmarshal.referee.chat.named_parts import has_aim, held_parts, joined_parts
from hexmarshal.referee.check.findings import IN_SILENCE, IN_WORDS, Status
from hexmarshal.referee.dice.spoken_ways import LOOKED, MOST_ANSWERS, Saying, SpokenWays, Way
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.interpret.left_out import LeftOut, choices_left_open
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.interpret.told_rules import in_order
from hexmarshal.rules.dice import NeedsDiceError
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.judge.action_runner import ActionRunner
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions, Unsaid
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.position import Position

__all__ = ["SpokenDice"]

# So many rules may be broken by what was told without a verb: by more, it was something else.
_MOST_FAULTS: Final = 2


class SpokenDice:
    """Finds the action that uses all dice that lie there, and is about those who were named.

    Of several ways to do it the one that the table shows most of. Where it was told in words what
    is done, and there is no way in which that may be done, it was done against the rules.
    """

    def __init__(
        self,
        case: Case,
        runner: ActionRunner,
        silent: SilentDecisions,
        opens: Callable[[Sequence[Action], Sequence[str]], bool] | None = None,
    ) -> None:
        """`opens`, where tokens are laid: whether actions turn up what lies face down on others."""
        self._opens = opens
        self._case, self._runner, self._silent = case, runner, silent
        self._left_out = LeftOut(case.rules)
        self._about = SpokenWays(case, silent, opens)

    def explain(self) -> bool:
        """Whether such an action was found, and done; others may have passed before it."""
        sayings = tuple(self._about.sayings())
        ways = [one for saying in sayings for one in self._about.ways(saying)]
        fitting = [one for one in ways if one.odd is not None]
        if not fitting:
            return False
        best = min(fitting, key=lambda one: (one.odd or 0, not one.is_told))
        told = any(saying.kinds for saying in sayings)
        aims = any(saying.others for saying in sayings)
        of = self._case.rules.game.actions[best.action.kind]
        if best.odd and not best.is_told and (told or (aims and not has_aim(of))):
            # What was told was something else; who aims at others does not rally.
            return False
        self._do(best)
        return True

    def is_told_rightly(self) -> bool:
        """Whether the dice that lie there are for what was told in words, and may be done."""
        sayings = (saying for saying in self._about.sayings() if saying.kinds)
        ways = (one for saying in sayings for one in self._about.ways(saying) if one.is_told)
        return any(one.odd is not None for one in ways)

    def refuse(self) -> bool:
        """Whether dice were rolled for what was told in words, and may not be done; then it was.

        Where nobody said what is done, but who to whom, only if the dice tell.
        """
        every = list(self._about.sayings())
        sayings = [saying for saying in every if saying.kinds]
        if not sayings:
            return self._refuse_aims([saying for saying in every if saying.others])
        ways = (one for saying in sayings for one in self._about.ways(saying))
        if any(one.is_told for one in ways):
            # In some way it is right, or other dice are due for it.
            return False
        if any(map(self._may_join, sayings)):
            return False
        tries = [one for saying in sayings for one in self._wrong(saying)]
        if tries:
            self._do(min(tries, key=lambda one: one.doubt))
        return bool(tries)

    def _refuse_aims(self, sayings: Sequence[Saying]) -> bool:
        """The same of who was named with whom he aims at, if that was plainly for these dice.

        However it was said, it was for these if the table shows what came of it.
        """
        game, tray = self._case.rules.game, self._case.mind.tray
        here = self._case.mind.belief
        first = next((name for name in spoken_of(tray) if name in here.units), "")
        if tray[0].again:
            return False
        is_plain = all(throw.plainly for throw in tray)
        # Who is named first does it.
        sayings = [saying for saying in sayings if first in saying.own]
        aiming = tuple(kind for kind, of in game.actions.items() if has_aim(of))
        told = [replace(self._with_those_there(saying), kinds=aiming) for saying in sayings]
        if any(one.is_told for saying in told for one in self._about.ways(saying)):
            return False
        wrong = [one for saying in told for one in self._wrong(saying)]
        tries = [one for one in wrong if one.is_shown or (is_plain and self._is_done_here(one))]
        tries = [one for one in tries if self._is_plain(one)]
        best = min(tries, key=lambda one: one.doubt, default=None)
        if best is None:
            return False
        alike = [one for one in tries if one.doubt == best.doubt]
        rules = {self._told(one.here, one.action) for one in alike}
        if len(rules) > 1 or any(map(self._may_join, told)):
            return False
        self._do(best)
        return True

    def _with_those_there(self, saying: Saying) -> Saying:
        """Also at who alone of the others stands in a cell that was named."""
        units = self._case.mind.belief.units
        side = units[saying.own[0]].side
        others = dict.fromkeys(saying.others)
        for cell in saying.others:
            there = [u.id for u in units.values() if u.cell == cell and u.side not in ("", side)]
            others |= dict.fromkeys(there if len(there) == 1 else ())
        return replace(saying, others=tuple(others))

    def _is_plain(self, way: Way) -> bool:
        """Whether dice tell that something was done in its time, and what alone was wrong.

        For who cannot do it at all no dice are due; others have rolled as many for it before.
        """
        game, mind = self._case.rules.game, self._case.mind
        kind = game.actions[way.action.kind]
        dice = {len(one.dice) for one in mind.entries if one.kind == kind.name}
        if way.odd is None and len(mind.tray) not in dice:
            return False
        if not kind.fits(way.here.phase, way.here.state):
            return False
        rules = self._told(way.here, way.action)
        return game.turn_rule not in rules and len(rules) <= _MOST_FAULTS

    def _is_done_here(self, way: Way) -> bool:
        """Whether others do such things in this phase, or have: else something else was meant.

        Many kinds have no phases of their own, and a rule that tells when they may be done.
        """
        rules, kind, here = self._case.rules, way.action.kind, way.here
        done = ((e.kind, e.phase, e.status) for e in self._case.mind.entries)
        if (kind, here.phase, Status.LEGAL) in done:
            return True
        try:
            return any(True for _ in rules.offers(here, way.action.side, (kind,)))
        except HexMarshalError:
            return False

    def _do(self, way: Way) -> None:
        """Carry it out, with what silence answers until its dice are rolled."""
        case, tray, begin = self._case, self._case.mind.tray, self._runner.begin

        def told(action: Action, how: str = IN_SILENCE) -> tuple[Action, Now, int, str]:
            now = Now(tray[-1].step, tray[-1].player, action.side)
            return action, now, tray[0].step, f"{how}: {case.spoken(action)}"

        # What somebody meant by his words nobody knows for certain.
        case.mind.guessed = True
        how = IN_WORDS if way.is_told else IN_SILENCE
        if way.faults and way.odd is None:
            # Nothing comes of it by the rules, but that it was done.
            known = case.rules.check(way.here, way.action)
            begin(*told(way.action, how), known=known, sure=False, refused=True)
            self._runner.dice_count.left_over()
            if self._opens is not None:
                # Where the table tells too little, words tell which dice are not for it.
                case.mind.rolled = Rolled(len(case.mind.entries) - 1, tray)
            return
        for one in way.before:
            before = case.mind.belief
            begin(*told(one), unsaid=True)
            case.mind.belief = self._silent.unharmed(before, one, case.mind.belief)
        begin(*told(way.action, how), unsaid=not way.faults, sure=not way.faults)
        for _ in range(MOST_ANSWERS):
            answer = self._silent.answer(case.mind.belief) if case.mind.tray else None
            if answer is None or case.mind.pending is not None:
                return
            begin(*told(answer), unsaid=True)

    def _may_join(self, saying: Saying) -> bool:
        """Whether each who was named may do it with others, whom nobody named."""
        rules, left = self._case.rules, {*saying.own}
        for _, here in self._about.moments(saying):
            for name in saying.kinds:
                for held in joined_parts(rules.game.actions[name], saying.others, here):
                    try:
                        side = here.units[saying.own[0]].side
                        for offer in islice(rules.offers(here, side, (name,), held), LOOKED):
                            left -= {*named(offer.action)}
                    except HexMarshalError:
                        continue
                    if not left:
                        return True
        return False

    def _wrong(self, saying: Saying) -> Iterator[Way]:
        """What was told, against the rules, if the dice that lie there fit it."""
        rules, now = self._case.rules, self._case.mind.belief
        side = now.units[saying.own[0]].side
        some = (*self._about.moments(saying), ((), now), *self._about.in_silence(saying))
        moments = {id(at): (first, at) for first, at in some}
        for name in saying.kinds:
            for first, here in moments.values():
                for held in held_parts(rules.game.actions[name], saying.own, saying.others, here):
                    given = {slot: thaw(value) for slot, value in held.items()}
                    action = rules.game.actions.make(name, side, **given)
                    action = self._left_out.filled_in(here, action)
                    faults = self._told(here, action)
                    yield from self._as_said(first, here, action, faults)
                    for other in choices_left_open(rules.game, action):
                        # Nobody said how; if it was paid just so, it was so.
                        found = self._told(here, other)
                        if found <= faults:
                            ways = self._as_said(first, here, other, found)
                            yield from (way for way in ways if way.is_paid)

    def _as_said(
        self, first: Unsaid, here: Position, action: Action, faults: Collection[str]
    ) -> Iterator[Way]:
        """Such a way, if something is wrong with it."""
        if faults:
            yield from self._rolled(Way(first, here, action, None, True, len(faults)))

    def _told(self, here: Position, action: Action) -> frozenset[str]:
        """The rules that are told of as broken; none, if the rules cannot tell."""
        try:
            broken = self._case.rules.check(here, action).violations
        except HexMarshalError:
            return frozenset()
        return frozenset(one.rule for one in in_order(self._case.rules.game, broken))

    def _rolled(self, way: Way) -> Iterator[Way]:
        """A way to do something wrong, if the dice that lie there are just those for it."""
        dice = LogDice(self._case.mind.tray)
        try:
            after = self._about.after(way.here, way.action, dice)
        except NeedsDiceError:
            return
        except HexMarshalError:
            # The rules do not know what comes of it.
            yield way
            return
        if not dice.used:
            # Who cannot do it at all rolls nothing by the rules.
            yield way
        elif not dice.left:
            odd = self._about.differences(way.here, after)
            paid = self._is_paid(way.here, after, way.action.side)
            shown = not odd and self._is_shown(way.here, after, way.action.side)
            yield replace(way, odd=odd, is_paid=paid, is_shown=shown)

    def _is_paid(self, here: Position, after: Position, side: str) -> bool:
        """Whether it costs points or marks on units of a side, and the table shows just those.

        What it did to others decides nothing: that is laid out later.
        """
        case, kept = self._case, self._case.mind
        own = [u for u in changed(here, after) if u in here.units and here.units[u].side == side]
        items = [*case.books.changed(here, after)]
        case.mind = replace(kept, belief=after)
        try:
            shown = not any(map(case.apart, own)) and not any(map(case.item_apart, items))
        finally:
            case.mind = kept
        return bool(own or items) and shown

    def _is_shown(self, here: Position, after: Position, side: str) -> bool:
        """Whether units of others that it changes lie otherwise on the table than they did."""
        units, shown = here.units, self._case.sights.units
        others = (u for u in changed(here, after) if u in units and units[u].side != side)
        return any(apart(here, shown, unit) and not apart(after, shown, unit) for unit in others)
