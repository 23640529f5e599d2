"""The turn tracker of a module: which turn and phase it shows, and how to make it show them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.commands.game import SetTurn
from hexmarshal.vassal.commands.turn import CounterLevel, ListLevel, TurnState
from hexmarshal.vassal.components import CounterTurnLevel, ListTurnLevel, TurnTracker
from hexmarshal.vassal.components import TurnLevel as LevelComponent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.rules.plugin import Game
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import TurnRule
    from hexmarshal.vassal.commands.turn import TurnLevel
    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["Moment", "Tracker"]


@dataclass(frozen=True, slots=True)
class Moment:
    """What a tracker shows: the turn, and a phase with the sides that act in it.

    `text` is the tracker's own; `phase` is empty where that is no phase to the rules, and `known`
    is false where the binding says nothing about it. `order` grows as the game goes on.
    """

    turn: int | None
    phase: str
    active: tuple[str, ...]
    text: str
    known: bool = True
    order: tuple[int, int] = (0, 0)

    def is_of(self, position: Position) -> bool:
        """Whether the position is at this moment."""
        return (
            (self.turn is None or self.turn == position.turn)
            and self.phase == position.phase
            and (not self.active or bool(position.state) or self.active == position.active)
        )


class Tracker:
    """The tracker that a binding names, in a module."""

    def __init__(self, rule: TurnRule, module: Module, game: Game) -> None:
        self.rule = rule
        self.key = ""
        self._component: TurnTracker | None = None
        self._sides = {phase.key: phase.sides for phase in game.phases}
        for number, found in enumerate(module.each(TurnTracker)):
            if found.name == rule.tracker:
                self.key, self._component = f"TurnTracker{number}", found
                break

    @property
    def exists(self) -> bool:
        """Whether the module has such a tracker."""
        return self._component is not None

    def state(self, game: GameState) -> TurnState | None:
        """Where the tracker stands; at its beginning if the game does not say."""
        found = game.turns.get(self.key)
        if found is not None:
            try:
                return found.turn
            except VassalFormatError:
                return None
        return self._initial()

    def read(self, game: GameState) -> Moment | None:
        """What the tracker shows; None if there is none or it cannot be read."""
        state = self.state(game)
        if state is None:
            return None
        texts = self._texts(state)
        turn = texts.get(self.rule.turn, "")
        text = ", ".join(texts.get(name, "") for name in self.rule.levels)
        number = int(turn) if turn.lstrip("-").isdecimal() else None
        if text not in self.rule.phases:
            return Moment(number, "", (), text, known=False)
        shown = self.rule.phases[text]
        order = number or 0, list(self.rule.phases).index(text)
        if shown is None:
            return Moment(number, "", (), text, order=order)
        active = shown.active or self._sole(shown.phase)
        return Moment(number, shown.phase, active, text, order=order)

    def order_of(self, position: Position) -> tuple[int, int]:
        """When a position is, to compare with a moment; a phase that no text names is early."""
        turn = position.turn if self.rule.turn else 0
        best = -1
        for index, shown in enumerate(self.rule.phases.values()):
            if shown is None or shown.phase != position.phase:
                continue
            if not shown.active or shown.active == position.active:
                return turn, index
            # In the middle of a decision somebody else may be asked than the phase's own side.
            best = index if position.state and best < 0 else best
        return turn, best

    def write(self, position: Position) -> SetTurn | None:
        """The command that makes the tracker show a position's turn and phase, if it can."""
        state = self._initial()
        texts = [
            text
            for text, shown in self.rule.phases.items()
            if shown is not None
            and shown.phase == position.phase
            and (not shown.active or bool(position.state) or shown.active == position.active)
        ]
        if state is None or not texts:
            return None
        wanted = dict(zip(self.rule.levels, texts[0].split(", "), strict=False))
        wanted[self.rule.turn] = str(position.turn)
        assert self._component is not None
        chains = _inner(self._component)
        # A tracker may go through other levels before those of the first turn.
        current = next((i for i, chain in enumerate(chains) if _can_show(chain, wanted)), 0)
        levels = tuple(
            _set(level, chain, wanted) if i == current else level
            for i, (level, chain) in enumerate(zip(state.levels, chains, strict=True))
        )
        return SetTurn(self.key, replace(state, current=current, levels=levels).encode())

    def _sole(self, phase: str) -> tuple[str, ...]:
        """The side of a phase that has only one."""
        sides = self._sides.get(phase, ())
        return sides if len(sides) == 1 else ()

    def _initial(self) -> TurnState | None:
        if self._component is None:
            return None
        return TurnState(0, tuple(map(_level, _inner(self._component))))

    def _texts(self, state: TurnState) -> dict[str, str]:
        """Each current level's name and what it shows."""
        assert self._component is not None
        found: dict[str, str] = {}
        components: list[LevelComponent] = _inner(self._component)
        levels, current = state.levels, state.current
        while 0 <= current < min(len(levels), len(components)):
            level, component = levels[current], components[current]
            found[component.name] = _text(level, component)
            levels, current, components = level.levels, level.sublevel, _inner(component)
        return found


def _inner(component: Component) -> list[LevelComponent]:
    return list(component.each(LevelComponent, deep=False))


def _level(component: LevelComponent) -> TurnLevel:
    inner = tuple(map(_level, _inner(component)))
    if isinstance(component, ListTurnLevel):
        return ListLevel(0, 0, 0, (True,) * len(component.entries), inner)
    assert isinstance(component, CounterTurnLevel)
    return CounterLevel(component.start or 0, 0, component.loop, component.loop_limit or -1, inner)


def _text(level: TurnLevel, component: LevelComponent) -> str:
    if isinstance(level, CounterLevel):
        return str(level.current)
    entries = component.entries if isinstance(component, ListTurnLevel) else ()
    return entries[level.current] if 0 <= level.current < len(entries) else ""


def _can_show(component: LevelComponent, wanted: Mapping[str, str]) -> bool:
    """Whether every level from this one inwards has the number or entry that is wanted of it."""
    text = wanted.get(component.name)
    shown = text is None or _has(component, text)
    return shown and all(_can_show(below, wanted) for below in _inner(component))


def _has(component: LevelComponent, text: str) -> bool:
    if isinstance(component, ListTurnLevel):
        return text in component.entries
    assert isinstance(component, CounterTurnLevel)
    last = component.loop_limit if component.loop else None
    return (component.start or 0) <= int(text) and (last is None or int(text) <= last)


def _set(level: TurnLevel, component: LevelComponent, wanted: Mapping[str, str]) -> TurnLevel:
    inner = tuple(
        _set(one, below, wanted) for one, below in zip(level.levels, _inner(component), strict=True)
    )
    text = wanted.get(component.name)
    if text is None:
        return replace(level, levels=inner)
    if isinstance(component, ListTurnLevel):
        entries = component.entries
        return replace(level, current=entries.index(text) if text in entries else 0, levels=inner)
    return replace(level, current=int(text), levels=inner)
