"""Fights that were told together in plain words, before the dice: what each of them was."""

from __future__ import annotations

from itertools import combinations, islice, product
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.chat.chat_mentions import speaker
from hexmarshal.referee.chat.named_parts import held_parts
from hexmarshal.referee.chat.told_apart import fight_parts
from hexmarshal.referee.drags.drag_actions import named
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.hearing.heard import Said
from hexmarshal.referee.interpret.left_out import LeftOut
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.values import thaw
from hexmarshal.table.reading.bookkeeping import Item, shown_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from hexmarshal.referee.case.case import Case
    from hexmarshal.referee.chat.told_apart import Part
    from hexmarshal.referee.hearing.heard import Heard
    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Value

__all__ = ["ToldFights"]

_SEVERAL, _MOST_FIGHTS = 2, 4
# So many questions are answered in silence before a fight, and so many ways to answer one.
_MOST_SILENT, _MOST_ANSWERS = 3, 4
# So many units may have joined in.
_MOST_JOINING: Final = 24
# So many ways in which the fights may have been paid for are looked at.
_MOST_WAYS: Final = 6
_TRACK: Final = "track"
_NONE: Final = frozenset({"no", "not", "without"})


class _Option(NamedTuple):
    """One way to fight, with how many dice it needs, and what it costs on tracks."""

    said: Said
    dice: int
    costs: Mapping[str, int]


class ToldFights:
    """Reads several fights out of one breath, each by what is aimed at and who takes part.

    Who was named, or was turned up, or may have been meant, as far as they may do it together.
    """

    def __init__(self, case: Case) -> None:
        self._case, self._left_out = case, LeftOut(case.rules)

    def told(
        self, throws: Sequence[Throw], turned: Collection[str], fewest: int = _SEVERAL
    ) -> tuple[Part, ...]:
        """The fights for which dice are rolled now; none if too few were told, or one is not plain.

        Units that were `turned` up take part.
        """
        mind = self._case.mind
        throw = next((one for one in throws if one.parts and not one.again), None)
        if throw is None or mind.pending is not None or mind.tray:
            return ()
        here, side = self._asked_no_more(mind.belief), speaker(throws, mind.belief)
        if here is None or side not in here.active:
            return ()
        parts = fight_parts(throw.parts, here, side)
        fights = tuple(part for part in parts if any(_aims(part, here, side)))
        if not fewest <= len(fights) <= _MOST_FIGHTS:
            return ()
        return fights if len(self._read(fights, here, side, turned)) == len(fights) else ()

    def about(self, heard: Heard) -> frozenset[str]:
        """All units that may take part, and those in the cells that are aimed at."""
        here = heard.start.belief
        names = {name for part in heard.fights for name in (*part.names, *part.maybe)}
        cells = names | {here.units[name].cell for name in names if name in here.units}
        there = {unit.id for unit in here.units.values() if unit.cell and unit.cell in cells}
        return frozenset(there | heard.turned | names)

    def most_dice(self, heard: Heard) -> int:
        """How many dice all of them need."""
        start = heard.start.belief
        here, side = self._asked_no_more(start), speaker(heard.throws, start)
        read = [] if here is None else self._read(heard.fights, here, side, heard.turned)
        return sum(self._dice(start if here is None else here, action) for action in read)

    def ways(self, heard: Heard) -> Iterator[tuple[Said, ...]]:
        """The fights as they may have been, by the dice there are and what was paid on tracks.

        Of some, no dice may have been rolled: those were only talked of.
        """
        throws, start = heard.throws, heard.start.belief
        here, side = self._asked_no_more(start), speaker(throws, start)
        if here is None or not throws:
            return
        now = Now(throws[0].step, throws[0].player, side)
        read = self._read(heard.fights, here, side, heard.turned)
        if len(read) < len(heard.fights):
            return
        told = [
            [*self._options(here, action, now, self._said_flags(heard.fights, at, action))]
            for at, action in enumerate(read)
        ]
        for some in _rolled_for([one[0].dice for one in told], len(throws)):
            yield from self._as_paid(here, [told[at] for at in some])

    # Who and whom

    def _asked_no_more(self, here: Position) -> Position | None:
        """As it is when silence has answered what is asked; None if it does not."""
        start = (here.turn, here.phase)
        for _ in range(_MOST_SILENT):
            if not here.state:
                return here
            said = (self._case.rules.silence(here, side) for side in here.active)
            one = next((answer for answer in said if answer is not None), None)
            try:
                if one is None:
                    return None
                here = self._case.rules.apply(here, one, LogDice(())).position
            except HexMarshalError:
                return None
            if (here.turn, here.phase) != start:
                return None
        return None

    def _read(
        self, fights: Sequence[Part], here: Position, side: str, turned: Collection[str]
    ) -> list[Action]:
        """Each fight that is plain and right, with other units than those before it."""
        own = [tuple(n for n in part.names if _is_of(n, here, side)) for part in fights]
        maybe = [tuple(n for n in part.maybe if _is_of(n, here, side)) for part in fights]
        found: list[Action] = []
        for at, part in enumerate(fights):
            mine = {*own[at], *maybe[at]}
            others = {n for i in range(len(fights)) if i != at for n in (*own[i], *maybe[i])}
            gone = {name for action in found for name in named(action)}
            gone |= {name for i, names in enumerate(own) if i != at for name in names}
            some = (*(u for u in sorted(turned) if u in mine or u not in others), *maybe[at])
            rest = [u for u in dict.fromkeys(some) if u not in gone and _is_of(u, here, side)]
            fight = self._fight(here, side, own[at], rest, [*_aims(part, here, side)])
            if fight is not None:
                found.append(fight)
        return found

    def _fight(
        self,
        here: Position,
        side: str,
        own: Sequence[str],
        others: Sequence[str],
        aims: Sequence[str],
    ) -> Action | None:
        """What units may do together to what they aim at: those who were named, and who joins."""
        for kind in self._case.rules.game.actions.values():
            if not kind.fits(here.phase, here.state) or len(others) > _MOST_JOINING:
                continue
            doer = next((p for p in kind.params if p.required and p.type is ParamType.UNITS), None)
            some = own or others[:1]
            if doer is None or not some:
                continue
            for held in held_parts(kind, some, aims, here):
                if isinstance(held[doer.name], tuple):
                    found = self._joined(here, kind, side, held, doer.name, own, others)
                    if found is not None:
                        return found
        return None

    def _joined(
        self,
        here: Position,
        kind: ActionType,
        side: str,
        held: Mapping[str, Value],
        doer: str,
        own: Sequence[str],
        others: Sequence[str],
    ) -> Action | None:
        """Such an action by as many as may do it, if it is right."""
        rest = {name: thaw(value) for name, value in held.items() if name != doer}

        def by(units: Sequence[str]) -> Action:
            made = self._case.rules.game.actions.make(kind.name, side, **rest, **{doer: [*units]})
            return self._left_out.filled_in(here, made)

        def faults(units: Sequence[str]) -> float:
            return self._left_out.faults(here, by(units)) if units else inf

        first = next((unit for unit in others if not faults((unit,))), "") if not own else ""
        units = own or ((first,) if first else ())
        least = faults(units)
        for unit in others if units else ():
            if unit in units:
                continue
            more = faults((*units, unit))
            if more < least or (more == least == 0 and not self._lies_face_down(here, by, unit)):
                units, least = (*units, unit), more
        action = by(units) if units else None
        if action is None or least or not self._dice(here, action):
            return None
        return action

    def _lies_face_down(
        self, here: Position, by: Callable[[Sequence[str]], Action], unit: str
    ) -> bool:
        """Whether a unit would be turned up by an action, and is not on the table."""
        try:
            dice = LogDice((), assume=True)
            known = self._case.rules.apply(here, by((unit,)), dice).position.units.get(unit)
        except HexMarshalError:
            return False
        seen = self._case.sights.units.get(unit)
        return (
            known is not None
            and seen is not None
            and any(
                right.of == "value" and right.value and not shown.value
                for right, shown in seen.against(known)
            )
        )

    # How it was paid, and how many dice it needs

    def _dice(self, here: Position, action: Action) -> int:
        return self._done(here, (action,))[1]

    def _done(self, here: Position, actions: Sequence[Action]) -> tuple[Position, int]:
        """What comes of actions, with what silence answers then; and how many dice they need."""
        dice = LogDice((), assume=True)
        todo: list[Action] = [*actions]
        for _ in range(len(actions) + _MOST_SILENT):
            if not todo:
                said = (self._case.rules.silence(here, side) for side in here.active)
                todo = [answer for answer in said if answer is not None][:1]
            try:
                if not todo or dice.assumed:
                    break
                here = self._case.rules.apply(here, todo.pop(0), dice).position
            except HexMarshalError:
                break
        return here, dice.assumed

    def _options(
        self, here: Position, action: Action, now: Now, said: Mapping[str, bool]
    ) -> Iterator[_Option]:
        """An action as it was said, and as it may have been paid for, by either side."""
        for one in (action, *self._with_flags(action)):
            if self._left_out.faults(here, one):
                continue
            if any(one.flag(flag) is not value for flag, value in said.items()):
                continue
            for answers in ((), *((answer,) for answer in self._answers(here, one))):
                after, dice = self._done(here, (one, *answers))
                yield _Option(
                    Said(one, now, answers),
                    dice,
                    {t: n - after.track(t) for t, n in here.tracks.items() if after.track(t) != n},
                )

    def _said_flags(self, fights: Sequence[Part], at: int, action: Action) -> Mapping[str, bool]:
        """What was said of how one of several fights is fought: with planes is not the others."""
        found: dict[str, bool] = {}
        for param in self._case.rules.game.actions[action.kind].params:
            said = [_says(fight.words, param.words) for fight in fights]
            if any(said) or said[at] is not None:
                found[param.name] = bool(said[at])
        return found

    def _with_flags(self, action: Action) -> Iterator[Action]:
        actions = self._case.rules.game.actions
        given = {name: thaw(value) for name, value in action.params.items()}
        for param in actions[action.kind].params:
            if not param.required and param.type is ParamType.BOOL and param.name not in given:
                yield actions.make(action.kind, action.side, **given, **{param.name: True})

    def _answers(self, here: Position, action: Action) -> Iterator[Action]:
        """What others may answer before the dice, and do not by silence."""
        rules = self._case.rules
        try:
            asked = rules.apply(here, action, LogDice((), assume=True)).position
        except HexMarshalError:
            return
        for side in asked.active if asked.state else ():
            silence = rules.silence(asked, side)
            if silence is None:
                continue
            try:
                offers = islice(rules.offers(asked, side, (silence.kind,)), _MOST_ANSWERS)
                yield from (offer.action for offer in offers if offer.action != silence)
            except HexMarshalError:
                continue

    def _as_paid(
        self, here: Position, told: Sequence[Sequence[_Option]]
    ) -> Iterator[tuple[Said, ...]]:
        """The ways to pay for all of them of which the tracks show just that, or most of it."""
        tracks = {track for options in told for option in options for track in option.costs}
        shown = {track: shown_of(self._case.sights.books, Item(_TRACK, track)) for track in tracks}
        paid = {
            track: here.track(track) - seen
            for track, seen in shown.items()
            if isinstance(seen, int)
        }

        def odd(way: Sequence[_Option]) -> int:
            costs = {t: sum(option.costs.get(t, 0) for option in way) for t in paid}
            unkept = sum(len(option.costs.keys() - paid.keys()) for option in way)
            return unkept + sum(abs(paid[track] - cost) for track, cost in costs.items())

        # Rather the first was paid for, by both sides, if nothing tells it.
        ways = sorted(product(*told), key=lambda way: [-sum(one.costs.values()) for one in way])
        ways.sort(key=odd)
        for way in islice((way for way in ways if odd(way) == odd(ways[0])), _MOST_WAYS):
            yield tuple(option.said for option in way)


def _says(words: Sequence[str], flag: Collection[str]) -> bool | None:
    """Whether something is said to be so; None if it is not spoken of."""
    places = [at for at, word in enumerate(words) if word in flag]
    return not any(words[at - 1] in _NONE for at in places if at) if places else None


def _is_of(name: str, here: Position, side: str) -> bool:
    return name in here.units and here.units[name].side == side and bool(here.units[name].cell)


def _aims(part: Part, here: Position, side: str) -> Iterator[str]:
    """The units of others and the cells that are named, but for those where the own stand."""
    stand = {here.units[name].cell for name in part.names if _is_of(name, here, side)}
    for name in part.names:
        if name in here.units:
            if here.units[name].side != side and here.units[name].cell:
                yield name
        elif name not in stand:
            yield name


def _rolled_for(dues: Sequence[int], dice: int) -> Iterator[tuple[int, ...]]:
    """The fights that all dice may be for: as many of them as may be."""
    for number in range(len(dues), 0, -1):
        ways = combinations(range(len(dues)), number)
        found = [way for way in ways if sum(dues[at] for at in way) == dice]
        if found:
            yield from found
            return
