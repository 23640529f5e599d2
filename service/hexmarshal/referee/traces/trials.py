"""Trials: what the rules say of positions that may never have been, each asked only once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.rules import engine
from hexmarshal.rules.choosing.chooser import Chooser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.referee.interpret.rules_calls import Rules
    from hexmarshal.referee.silence.silent_decisions import SilentDecisions
    from hexmarshal.referee.traces.table_traces import Traces
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value

__all__ = ["FruitfulKinds", "RememberingChooser", "Trial", "Trials"]

# So many positions are remembered before all are forgotten.
_MOST: Final = 600

Trial = tuple["Position", LogDice]
"""What came of an action, and the dice that were rolled and drawn for it."""


class RememberingChooser(Chooser):
    """A chooser that asks about each action once, and keeps only whether it is legal."""

    __slots__ = ("_known", "offered")

    def __init__(self, plugin: GamePlugin, known: Position, side: str) -> None:
        super().__init__(plugin, known, side)
        self.offered: dict[tuple[str, str, Record], list[Value]] = {}
        """What the game offers for a slot after what was chosen, as far as somebody asked."""
        self._known: dict[tuple[str, Record, frozenset[str]], bool] = {}

    def legal(self, kind: ActionType, given: Record, still_open: frozenset[str]) -> bool:
        """Whether an action with these slots chosen and those open can be legal."""
        key = (kind.name, given, still_open)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self.judge(self.action(kind, given, still_open)).legal
        return found


class _Tried:
    """What was tried on one position."""

    __slots__ = ("applied", "choosers", "fruitless", "position", "silence")

    def __init__(self, position: Position) -> None:
        self.position = position  # kept, so that no other gets its identity
        self.choosers: dict[str, RememberingChooser] = {}
        self.applied: dict[object, tuple[tuple[Throw, ...], Trial | None]] = {}
        self.silence: list[Action | None] = []
        self.fruitless = 0


class Trials:
    """Carries actions out on trial; what was tried on a position is not tried again.

    Steps of a log are explained together with those before them, so the same is asked again and
    again.
    """

    def __init__(self, rules: Rules, silent: SilentDecisions) -> None:
        self.rules, self._silent = rules, silent
        self.carried_out = 0
        self._tried: dict[int, _Tried] = {}

    def _of(self, position: Position) -> _Tried:
        found = self._tried.get(id(position))
        if found is None:
            if len(self._tried) >= _MOST:
                self._tried.clear()
            found = self._tried[id(position)] = _Tried(position)
        return found

    def chooser(self, position: Position, side: str) -> RememberingChooser:
        """What a side may choose as things stand there."""
        choosers = self._of(position).choosers
        if side not in choosers:
            known = engine.view(self.rules.plugin, position, side)
            choosers[side] = RememberingChooser(self.rules.plugin, known, side)
        return choosers[side]

    def fruitless(self, position: Position) -> int:
        """How many searches from there have found nothing."""
        return self._of(position).fruitless

    def give_up(self, position: Position) -> None:
        """A search from there has found nothing."""
        self._of(position).fruitless += 1

    def silence(self, position: Position) -> Action | None:
        """What silence means to what is asked there; None if nothing is."""
        if not position.state:
            return None
        known = self._of(position).silence
        if not known:
            known.append(self._silent.answer(position))
        return known[0]

    def applied(
        self,
        position: Position,
        action: Action,
        tray: tuple[Throw, ...],
        picks: tuple[int, ...] = (),
    ) -> Trial | None:
        """What comes of an action with these dice and draws; None if they do not suffice."""
        known = self._of(position).applied
        key = (action, picks)
        if key in known:
            old, trial = known[key]
            # Dice that were rolled since then change nothing where those before them sufficed.
            if tray == old or (trial is not None and tray[: len(old)] == old):
                return trial
        self.carried_out += 1
        dice = LogDice(tray, picks)
        found: Trial | None = None
        try:
            applied = self.rules.apply(position, action, dice)
            found = replace(applied.position, generator=None), dice
        except HexMarshalError:
            pass
        known[key] = tray, found
        return found


class FruitfulKinds:
    """Counts the kinds of action that explained traces, for others that look like them."""

    def __init__(self) -> None:
        self._counts: dict[object, Counter[str]] = {}

    def of(self, traces: Traces, tray: Sequence[Throw], here: Position, side: str) -> Counter[str]:
        """What explained traces that had in common with these what comes of the same kind."""
        own = [u for u in traces.units if u in here.units and here.units[u].side == side]
        look = (
            here.phase,
            here.state,
            side,
            bool(tray),
            min(len(own), 2),
            any(unit in traces.ends for unit in own),
            len(own) < len(traces.units),
            frozenset(item.name for item in traces.items if item.of == "track"),
            bool(traces.cards),
            traces.handed_over,
        )
        return self._counts.setdefault(look, Counter())
