"""One side choosing on one position: the values of a slot, each put to the check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.action import Action
from hexmarshal.rules.choosing.domains import domain
from hexmarshal.rules.choosing.partial import NotChosen, Partial, Unfinished, begun
from hexmarshal.rules.secrecy.free_sight import without_sight
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import LEGAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hexmarshal.rules.action import ActionType, Param
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value
    from hexmarshal.rules.verdict import Verdict, Violation

__all__ = ["Chooser", "standing"]


def standing(verdict: Verdict, still_open: frozenset[str]) -> tuple[Violation, ...]:
    """The violations that no choice for the open slots can cure."""
    return tuple(
        v for v in verdict.violations if not v.cured_by or still_open.isdisjoint(v.cured_by)
    )


class Chooser:
    """What a side can know, and the questions that every way of choosing asks about it."""

    __slots__ = ("checks", "known", "plugin", "side")

    def __init__(self, plugin: GamePlugin, known: Position, side: str) -> None:
        self.plugin, self.known, self.side = plugin, known, side
        self.checks = 0  # how often the plugin's check was asked

    @property
    def situation(self) -> object:
        """What the game's own functions of a slot get, made once."""
        return self.plugin.held_situation(self.known)

    def judge(self, action: Action) -> Verdict:
        """The check's verdict; of a partial action without what its open slots could cure."""
        self.checks += 1
        try:
            verdict = self.plugin.check(self.known, action)
        except NotChosen:
            return LEGAL
        if verdict.violations:
            verdict = without_sight(self.plugin, self.known, verdict)
        if verdict.violations and isinstance(action, Partial):
            left = standing(verdict, action.slots)
            if len(left) < len(verdict.violations):
                return type(verdict)(left, verdict.cost, verdict.notes)
        return verdict

    def action(self, kind: ActionType, given: Record, still_open: frozenset[str]) -> Action:
        """An action with these slots chosen and those open."""
        return begun(kind.name, self.side, given, still_open)

    def values(
        self, kind: ActionType, param: Param, given: Record, still_open: frozenset[str]
    ) -> Iterable[Value] | None:
        """What the slot may hold, or what may follow in it; None alone says: left out."""
        if kind.candidates is not None:
            own = kind.candidates(
                self.situation, self.action(kind, given, still_open | {param.name}), param.name
            )
            if own is not None:
                return own
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
        name, side, judge, key = param.name, self.side, self.judge, kind.name
        held = given.get(name, ())
        before = held if isinstance(held, tuple) else ()
        many = param.many
        template = given.set(name, ()).plain()

        def trial(value: Value) -> Verdict:
            filled = template.copy()
            filled[name] = (*before, value) if many else value
            if not still_open:
                return judge(Action(key, side, FrozenMap.ordered(filled)))
            return judge(Partial(key, side, Unfinished.of(filled, still_open), still_open))

        return trial
