"""A sample log with known violations: a random player who now and then breaks a rule on purpose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.table_comparison import believing, changed
from hexmarshal.referee.drags.drag_actions import drag_kinds, named
from hexmarshal.referee.drags.routes import Routes
from hexmarshal.referee.drags.wrong_drags import not_done
from hexmarshal.referee.interpret.deed import Deed
from hexmarshal.referee.interpret.interpreter import Interpreter
from hexmarshal.referee.interpret.log_dice import LogDice
from hexmarshal.referee.interpret.rules_calls import Rules
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.referee.silence.explained_drags import Explainer
from hexmarshal.referee.silence.silent_decisions import SilentDecisions
from hexmarshal.rules import engine
from hexmarshal.rules.action import ParamType
from hexmarshal.rules.dice import Generator, NeedsDiceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.rules.action import Action, Param
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Verdict
    from hexmarshal.table.binding import Binding
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["Planted", "plant"]

T = TypeVar("T")

_TRIES: Final = 60
_CHOICES: Final = 200
_LONGEST: Final = 9
# A rule is broken before every such action, on the average.
_OFTEN, _SELDOM = 3, 8


@dataclass(frozen=True, slots=True)
class Planted:
    """A rule broken on purpose: the step of the log where it begins, and what was done."""

    step: int
    rules: tuple[str, ...]
    what: str


def plant(
    module: Module,
    binding: Binding,
    plugin: GamePlugin,
    seed: str,
    *,
    scenario: str = "",
    wanted: int = 20,
    most_actions: int = 600,
    in_words: bool = True,
) -> tuple[SavedGame, tuple[Planted, ...]]:
    """A log with about so many violations, each of a rule, or of several, not broken before.

    Without `in_words` every one of them is done on the table; with it some are only announced.
    """
    gardener = _Gardener(module, binding, plugin, seed, scenario, wanted, in_words=in_words)
    return gardener.work(most_actions)


class _Gardener:
    def __init__(
        self,
        module: Module,
        binding: Binding,
        plugin: GamePlugin,
        seed: str,
        scenario: str,
        wanted: int,
        *,
        in_words: bool,
    ) -> None:
        self._plugin, self._wanted, self._in_words = plugin, wanted, in_words
        start = engine.start(plugin, scenario, seed=seed)
        self._log = Recorder(module, binding, plugin, start)
        self._chance = Generator(f"plant {seed}")
        self._kinds = drag_kinds(plugin.game, binding)
        locator = self._log.placer.table.reader.locator
        rules = Rules(plugin)
        self._routes = Routes(
            locator.on(binding.map.name), binding.map, lambda cell: rules.beside(start, cell)
        )
        self._interpreter = Interpreter(rules, binding, self._routes)
        self._silent = SilentDecisions(rules, binding.turn.advance if binding.turn else "")
        self._explainer = Explainer(rules, self._interpreter, self._routes, self._silent)
        self._planted: list[Planted] = []
        self._shunned: set[str] = set()
        self._busy: set[str] = set()  # a drag of these would look like more of the last one
        self._broken: set[str] = set()

    def work(self, most: int) -> tuple[SavedGame, tuple[Planted, ...]]:
        """Play, break, play on."""
        for _ in range(most):
            position = self._log.position
            if self._plugin.outcome(position) is not None or len(self._planted) >= self._wanted:
                break
            if self._roll(_OFTEN if self._in_words else _SELDOM) == 0:
                self._break()
            if not self._play():
                break
        return self._log.finish(), tuple(self._planted)

    def _play(self) -> bool:
        # To do rightly now what was just announced wrongly would look like doing that; and a unit
        # dragged on from where it may not be, or back, like one drag that was put right in time.
        shunned, self._shunned = self._shunned, set()
        offered = self._offered(shunned) or self._offered(set())
        if not offered:
            return False
        before = self._log.position
        after = self._log.perform(self._choose(offered)).position
        self._busy = set(changed(before, after))
        return True

    def _offered(self, shunned: set[str]) -> list[Action]:
        """What may be done now, by the active sides, without naming these units."""
        position = self._log.position
        return [
            action
            for side in position.active
            for action in islice(
                (
                    offer.action
                    for offer in engine.offers(self._plugin, position, side)
                    if not shunned & set(named(offer.action))
                ),
                _CHOICES,
            )
        ]

    # Chance

    def _roll(self, count: int) -> int:
        index, self._chance = self._chance.below(count)
        return index

    def _choose(self, things: Sequence[T]) -> T:
        return things[self._roll(len(things))]

    # Breaking rules

    def _break(self) -> None:
        position = self._log.position
        if not self._free(position):
            return
        for _ in range(_TRIES):
            in_words = self._in_words and not self._roll(2)
            done = self._announce(position) if in_words else self._drag(position)
            if done:
                return

    def _free(self, position: Position) -> bool:
        """Whether a side is about its own business, such as moving, and owes nobody an answer."""
        moving = (kind.type.states for kind in self._kinds.values())
        return not position.state or any(position.state in states for states in moving)

    def _fresh(self, verdict: Verdict) -> bool:
        """Whether a rule is broken that was not broken yet."""
        return bool(set(verdict.rules) - self._broken)

    def _note(self, step: int, verdict: Verdict, what: str) -> None:
        self._broken |= set(verdict.rules)
        self._planted.append(Planted(step, verdict.rules, what))

    def _drag(self, position: Position) -> bool:
        """Drag a unit where it may not go, and leave it there."""
        units = [
            unit
            for unit in position.units.values()
            if unit.cell and unit.seen_by is None and unit.id not in self._busy
        ]
        if not units:
            return False
        unit = self._choose(units)
        cells = self._walk(position, unit.cell, 1 + self._roll(_LONGEST))
        if not cells:
            return False
        # The piece keeps its facing: what can be meant by the drag depends on that.
        shown = self._log.placer.table.units(self._log.log.state)
        deeds = [Deed(unit.id, None, shown.get(unit.id), cells)]
        judged = self._interpreter.judged(position, deeds)
        if judged is None or not self._fresh(judged.verdict) or len(judged.reading) != 1:
            return False
        explained = self._explainer.drag(position, deeds, ())
        if explained.actions or not explained.searched:
            return False
        (action,), verdict = judged.reading, judged.verdict
        after = self._forced(position, action)
        if after is None or self._plugin.outcome(after) is not None:
            return False
        after = not_done(position, after)
        there = replace(after.units.get(unit.id, unit), cell=cells[-1], box="")
        settled = replace(after.with_unit(there), generator=position.generator)
        if settled.state != position.state or set(changed(position, settled)) - {unit.id}:
            return False
        step = self._log.steps + 1
        self._log.drag([unit.id], cells)
        # Nothing but the drag is shown: what the table says of the unit is what counts.
        shown = self._log.placer.table.units(self._log.log.state)
        done = believing(settled, shown, [unit.id])
        self._log.position = replace(done, active=position.active)
        if done.active != position.active:
            # Whoever has acted, rightly or not, hands over.
            self._log.show(done)
        self._busy = {unit.id}
        self._shunned = {unit.id}
        self._note(step, verdict, f"{unit.id} to {cells[-1]}")
        return True

    def _walk(self, position: Position, start: str, length: int) -> tuple[str, ...]:
        cells: list[str] = []
        for _ in range(length):
            here = cells[-1] if cells else start
            ways = [
                cell
                for cell in self._routes.near(here)
                if cell not in (start, *cells) and self._plugin.has_cell(position, cell)
            ]
            if not ways:
                return ()
            cells.append(self._choose(ways))
        return tuple(cells)

    def _announce(self, position: Position) -> bool:
        """Say that something is done that may not be, and leave it at that."""
        action = self._invented(position)
        if action is None:
            return False
        try:
            verdict = engine.check(self._plugin, position, action)
        except HexMarshalError:
            return False
        if not self._fresh(verdict) or self._may_be_meant(position, action):
            return False
        self._shunned = {value for value in named(action) if value in position.units}
        self._log.announce(action)
        self._note(self._log.steps, verdict, str(action))
        return True

    def _may_be_meant(self, position: Position, action: Action) -> bool:
        """Whether it is right after what others may have done in silence."""

        def is_legal(at: Position) -> bool:
            return self._interpreter.verdict(at, (action,)).legal

        units = [name for name in named(action) if name in position.units]
        return self._silent.until(position, action.side, is_legal, (), units) is not None

    def _forced(self, position: Position, action: Action) -> Position | None:
        """What the plugin makes of an action that it refuses; None if it needs dice, or fails."""
        try:
            return self._plugin.apply(position, action, LogDice(())).position
        except NeedsDiceError:
            return None
        except Exception:  # noqa: BLE001 - what a plugin does with such an action is not defined
            return None

    def _invented(self, position: Position) -> Action | None:
        """Any action with any parameters, of units that stand together."""
        kind = self._choose(tuple(self._plugin.game.actions.values()))
        side = self._choose(position.active or position.sides)
        mine = [u for u in position.units.values() if u.side == side or self._roll(5) == 0]
        if not mine:
            return None
        unit = self._choose(mine)
        params: dict[str, object] = {}
        for param in kind.params:
            if not param.required and self._roll(2):
                continue
            value = self._value(param, position, unit)
            if value is None:
                if param.required:
                    return None
            else:
                params[param.name] = value
        try:
            return self._plugin.game.actions.make(kind.name, side, **params)
        except HexMarshalError:
            return None

    def _value(self, param: Param, position: Position, unit: Unit) -> object:
        near = unit.cell or next((u.cell for u in position.units.values() if u.cell), "")
        match param.type:
            case ParamType.UNIT:
                return unit.id if self._roll(2) else self._choose(tuple(position.units))
            case ParamType.UNITS:
                others = [u.id for u in position.at(unit.cell) if u.id != unit.id]
                return [unit.id, *others[: self._roll(2)]]
            case ParamType.CELL | ParamType.CELLS | ParamType.PATH:
                cells = self._walk(position, near, 1 + self._roll(4)) if near else ()
                if not cells:
                    return None
                if param.type is ParamType.CELL:
                    return cells[-1]
                return list(cells) if param.type is ParamType.PATH else [cells[0]]
            case ParamType.BOOL:
                return self._roll(2) == 0
            case ParamType.SIDE:
                return self._choose(position.sides)
            case ParamType.CHOICE:
                return self._choose(param.choices)
            case _:
                return None
