"""One side choosing on one position: the values of a slot, each put to the check."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hexmarshal.rules.action import Action
from hexmarshal.rules.choosing.domains import domain
from hexmarshal.rules.choosing.partial import NotChosen, Partial, Unfinished, begun
from hexmarshal.rules.secrecy.free_sight import without_sight
from hexmarshal.rules.values import FrozenMap, in_order
from hexmarshal.rules.verdict import LEGAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hexmarshal.rules.action import ActionType, Param
    from hexmarshal.rules.plugin import Check, GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Verdict, Violation

__all__ = ["Chooser", "standing"]

# A map is a dict that nobody changes any more once it is made.
_new: Any = dict.__new__
_fill: Any = dict.update
_put: Any = dict.__setitem__


def standing(verdict: Verdict, still_open: frozenset[str]) -> tuple[Violation, ...]:
    """The violations that no choice for the open slots can cure."""
    found = verdict.violations
    if not any(v.cured_by for v in found):
        return found
    return tuple(v for v in found if not v.cured_by or still_open.isdisjoint(v.cured_by))


class Chooser:
    """What a side can know, and the questions that every way of choosing asks about it."""

    __slots__ = ("_by_sight", "_checks", "_situation", "checks", "known", "plugin", "side")

    def __init__(self, plugin: GamePlugin, known: Position, side: str) -> None:
        self.plugin, self.known, self.side = plugin, known, side
        self.checks = 0  # how often the plugin's check was asked
        self._by_sight = bool(plugin.game.free_sight)
        self._checks: dict[str, Check] = {}
        self._situation: object = None

    @property
    def situation(self) -> object:
        """What the game's own functions of a slot get, made once."""
        made = self._situation
        if made is None:
            made = self._situation = self.plugin.held_situation(self.known)
        return made

    def judge(self, action: Action) -> Verdict:
        """The check's verdict; of a partial action without what its open slots could cure."""
        self.checks += 1
        if isinstance(action, Partial):
            try:
                verdict = self._check_of(action.kind)(action)
            except NotChosen:
                return LEGAL
        else:
            verdict = self.plugin.judged(self.known, action, self._check_of)
        return self._left(verdict, action) if verdict.violations else verdict

    def _left(self, verdict: Verdict, action: Action) -> Verdict:
        """What is left of a refusal."""
        if self._by_sight:
            verdict = without_sight(self.plugin, self.known, verdict)
        if isinstance(action, Partial):
            left = standing(verdict, action.slots)
            if len(left) < len(verdict.violations):
                return type(verdict)(left, verdict.cost, verdict.notes)
        return verdict

    def placed(self, violations: tuple[Violation, ...]) -> tuple[Violation, ...]:
        """The same violations, each with its place in the rulebook."""
        return self.plugin.rulebook.placed(violations)

    def action(self, kind: ActionType, given: Record, still_open: frozenset[str]) -> Action:
        """An action with these slots chosen and those open."""
        return begun(kind.name, self.side, given, still_open)

    def values(
        self,
        kind: ActionType,
        param: Param,
        given: Record,
        still_open: frozenset[str],
        *,
        unlikely: bool = False,
    ) -> Iterable[Value] | None:
        """What the slot may hold, or what may follow in it; None alone says: left out.

        With `unlikely` also what the game knows beforehand to lead nowhere.
        """
        own = None if unlikely else self.likely(kind, param, given, still_open)
        if own is None and kind.candidates is not None:
            so_far = begun(kind.name, self.side, given, still_open | {param.name})
            own = kind.candidates(self.situation, so_far, param.name)
        return self.by_type(kind, param, given) if own is None else own

    def likely(
        self, kind: ActionType, param: Param, given: Record, still_open: frozenset[str]
    ) -> Iterable[Value] | None:
        """What the game does not rule out at a glance; None: it has no quick look at this slot."""
        if kind.likely is None:
            return None
        so_far = begun(kind.name, self.side, given, still_open | {param.name})
        return kind.likely(self.situation, so_far, param.name)

    def by_type(self, kind: ActionType, param: Param, given: Record) -> Iterable[Value] | None:
        """The same by the type of the slot alone."""
        found = domain(self.plugin, self.known, self.side, kind, param, given)
        if param.required or param.many:
            return found
        return (None,) if found is None else (None, *found)

    def tried(
        self, kind: ActionType, param: Param, given: Record, still_open: frozenset[str]
    ) -> Callable[[Value], Verdict]:
        """The check of this slot's values one by one: for a list, of it with one entry more.

        `still_open` are the slots open afterwards.
        """
        check = self._checks.get(kind.name) or self._check_of(kind.name)
        left, kind_name, side = self._left, kind.name, self.side
        name, many = param.name, param.many
        before: tuple[Value, ...] = ()
        template: dict[str, Value] = {name: ()}
        if given:
            held = given.get(name, ())
            before = held if isinstance(held, tuple) else ()
            template = in_order({**given, name: ()})

        partly = bool(still_open)
        of = Unfinished if partly else FrozenMap

        # Where a check is short, each call in here tells: the actions are made on the spot.
        def trial(value: Value) -> Verdict:
            self.checks += 1
            params = _new(of)
            _fill(params, template)
            _put(params, name, (*before, value) if many else value)
            if partly:
                params._open = still_open  # noqa: SLF001 - as `Unfinished.of`
                action: Action = Partial(kind_name, side, params, still_open)
            else:
                action = Action(kind_name, side, params)
            try:
                verdict = check(action)
            except NotChosen:
                return LEGAL
            return left(verdict, action) if verdict.violations else verdict

        return trial

    def _check_of(self, kind: str) -> Check:
        """The plugin's check of one kind of action on this position."""
        found = self._checks.get(kind)
        if found is None:
            plugin, known = self.plugin, self.known
            found = self._checks[kind] = (
                partial(plugin.check, known)
                if plugin.checks_by_itself
                else plugin.checker(known, plugin.game.actions[kind])
            )
        return found
