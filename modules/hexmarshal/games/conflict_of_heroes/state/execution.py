"""An action being carried out: the ledger, the situation so far, decisions to be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
from hexmarshal.games.conflict_of_heroes.state.situation import Situation
from hexmarshal.kit.game import Execution
from hexmarshal.rules.state.effects import (
    ChangeUnit,
    PopFrame,
    Proceed,
    SetExtra,
    SetKnowledge,
    SetTrack,
)
from hexmarshal.rules.values import EMPTY, FrozenMap, Value, freeze
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hexmarshal.rules.dice import Dice
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.position import Position

__all__ = ["Play"]


class Play(Execution[Situation]):
    """What an action writes into.

    `exposed` and `rushed` are facts about this action that only the very next one may use: who
    moved without caution (COH-5.0.3a), from where an enemy's hex was entered (COH-7.7.3h), and
    `fired` from where somebody shot at which hex (COH-20.2h).
    """

    __slots__ = ("exposed", "fired", "rushed")

    def __init__(
        self, position: Position, dice: Dice, situation_of: Callable[[Position], Situation]
    ) -> None:
        super().__init__(position, dice, (), situation_of)
        self.exposed: list[str] = []
        self.fired: dict[str, str] = {}
        self.rushed: dict[str, list[str]] = {}

    def tell(self, kind: str, text: str, rule: str, known_to: frozenset[str] | None = None) -> None:
        """One line for the record."""
        self.decide(Resolution(kind, text, steps=(Step(text, rule),), known_to=known_to))

    # Points and flags

    def spend_cap(self, side: str, points: int) -> None:
        """Take command points from a side."""
        if points:
            left = max(0, self.position.track(f"cap-{side}") - points)
            self.do(SetTrack(f"cap-{side}", left))

    def flag(self, unit: str, *flags: str) -> None:
        """Put flags on a unit that it does not have yet."""
        new = frozenset(flags) - self.unit(unit).flags
        if new:
            self.do(ChangeUnit(unit, flags=new))

    def unflag(self, unit: str, *flags: str) -> None:
        """Take flags off a unit."""
        gone = frozenset(flags) & self.unit(unit).flags
        if gone:
            self.do(ChangeUnit(unit, unflags=gone))

    def note(self, name: str, value: object) -> None:
        """Set one of the game's own values."""
        frozen = freeze(value)
        if self.position.extras.get(name) != frozen:
            self.do(SetExtra(name, frozen))

    def know(self, side: str, **values: Value) -> None:
        """Let one side learn, or forget, something."""
        self.do(SetKnowledge(side, FrozenMap(values)))

    # Decisions

    def queue(
        self,
        kind: str,
        side: str,
        about: Mapping[str, object] | None = None,
        *,
        secret: Mapping[str, object] | None = None,
        only: str = "",
    ) -> None:
        """One side decides something, once all that was asked before is decided.

        What is `secret` the side `only` may know.
        """
        known_to = (only,) if only else None
        self.ask(kind, side, about=about, secret=secret, known_to=known_to, last=True)

    def settled(self) -> Frame:
        """The decision that is being made."""
        asked = self.position.asked()
        if asked is None:
            raise RulesError("nothing is asked for", place=Place(field="frames"))
        return self.answered(asked.kind)

    def drop(self, unit: str) -> None:
        """Forget decisions about a unit that is gone."""
        above: dict[str, int] = {}
        for frame in reversed(self.position.frames):
            if frame.value("unit") == unit:
                self.do(PopFrame(frame.kind, above.get(frame.kind, 0)))
            else:
                above[frame.kind] = above.get(frame.kind, 0) + 1

    def forget(self) -> None:
        """Nothing of what was asked matters any more."""
        for frame in reversed(self.position.frames):
            self.do(PopFrame(frame.kind))

    def turn_to(self, state: str, sides: Iterable[str], phase: str | None = None) -> None:
        """Let these sides act next."""
        self.do(Proceed(phase=phase, state=state, active=tuple(sides)))


def listed(value: Value) -> tuple[str, ...]:
    """A value that holds a list of names."""
    return tuple(str(v) for v in value) if isinstance(value, tuple) else ()


def mapped(value: Value) -> Mapping[str, Value]:
    """A value that holds names with values."""
    return value if isinstance(value, FrozenMap) else EMPTY
