"""Plays a game into a log of VASSAL: drags, announcements, dice, results and the turn tracker."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import RulesError
from hexmarshal.referee.beside import property_key
from hexmarshal.referee.drags import drag_kinds, group_of
from hexmarshal.referee.notation import write_call
from hexmarshal.referee.placing import Placer, position_entry
from hexmarshal.referee.reading import POSITION_ENTRY
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.values import thaw
from hexmarshal.vassal.commands.game import ChangeProperty
from hexmarshal.vassal.commands.table import Chat
from hexmarshal.vassal.dice import dice_report
from hexmarshal.vassal.logwriter import LogWriter
from hexmarshal.vassal.placed import PlacedPiece
from hexmarshal.vassal.state import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hexmarshal.referee.beside import Laid
    from hexmarshal.referee.binding import Binding
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.pieces import Unit
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.position import Position
    from hexmarshal.rules.record import GameRecord
    from hexmarshal.rules.verdict import Applied
    from hexmarshal.vassal.logwriter import StepWriter
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.savegame import SavedGame

__all__ = ["Recorder", "record_log"]


def record_log(
    module: Module, binding: Binding, plugin: GamePlugin, record: GameRecord
) -> SavedGame:
    """A recorded game as a log of the module."""
    opening = record.opening
    options = {name: thaw(value) for name, value in opening.options.items()}
    position = engine.start(plugin, opening.scenario, options, opening.seed)
    recorder = Recorder(module, binding, plugin, position)
    for event in record.events:
        given = event.given or recorder.position.generator is None
        dice = Dice(
            recorder.position.generator,
            given=event.dice if given else None,
            picks=event.picks if given and event.picks else None,
        )
        recorder.perform(plugin.game.actions.decode(thaw(event.action)), dice)
    return recorder.finish()


class Recorder:
    """A log in the making; `position` is what the table shows.

    `perform` writes an action as the rules have it. The other methods write single deeds, right or
    wrong, as players do them.
    """

    def __init__(
        self, module: Module, binding: Binding, plugin: GamePlugin, position: Position
    ) -> None:
        self.plugin, self.binding = plugin, binding
        self.placer = Placer(module, binding, plugin)
        self.position = position
        self._start = position
        self._seats = {
            side: Seat(f"seat of {name}", f"{name} player", name)
            for name, side in binding.sides.items()
        }
        state = self.placer.place(position, self._seats.values())
        self.log = LogWriter(self.placer.save(state, position))
        self._pieces = {
            unit: seen.piece for unit, seen in self.placer.table.units(self.log.state).items()
        }
        self._beside = Counter(self.placer.beside.pieces(position))
        self._kinds = drag_kinds(plugin.game, binding)

    def finish(self) -> SavedGame:
        """The log as a file."""
        return self.log.finish({POSITION_ENTRY: position_entry(self._start)})

    @property
    def steps(self) -> int:
        """How many steps the log has so far."""
        return sum(1 for _ in self.log.finish().log_part())

    # The rules' way

    def perform(
        self,
        action: Action,
        dice: Dice | None = None,
        slip: Callable[[Position], Position] | None = None,
    ) -> Applied:
        """Do an action by the rules, and write everything that a table shows of it.

        A `slip` makes of the right result what the players show instead.
        """
        before = self.position
        applied = engine.perform(self.plugin, before, action, dice)
        after = applied.position
        way = self._way(action, after)
        if way is not None:
            self.drag(*way)
        elif not self._shown_by_tracker(action, after):
            self.announce(action)
        for roll in applied.rolls:
            if not roll.pick:
                self.roll(roll.sides, roll.value, side=action.side)
        self.show(after if slip is None else slip(after))
        return applied

    def _way(
        self, action: Action, after: Position
    ) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Who goes through which cells, if dragging them shows all of the action."""
        kind = self._kinds.get(action.kind)
        if kind is None or not action.params.keys() <= {kind.units.name, kind.path.name}:
            return None
        units, path = group_of(action, kind)
        ends = {after.units[u].cell for u in units if u in after.units}
        if len(ends) != 1 or not path:
            return None
        (end,) = ends
        if end not in path:
            return None
        return units, path[: path.index(end) + 1]

    def _shown_by_tracker(self, action: Action, after: Position) -> bool:
        turn = self.binding.turn
        tracker = self.placer.table.tracker
        if turn is None or tracker is None or action.kind != turn.advance or action.params:
            return False
        shown = tracker.write(after)
        return shown is not None and shown != tracker.write(self.position)

    # Single deeds

    def drag(self, units: Sequence[str], cells: Sequence[str]) -> None:
        """Drag units, together, through cells: one step of the log a cell."""
        for cell in cells:
            on, point = self.placer.cell_point(cell)
            with self.log.step() as step:
                for unit in units:
                    self._move(step, unit, on, point)
            moved = (self.position.unit(unit) for unit in units)
            self.position = self.position.with_unit(
                *(replace(unit, cell=cell, box="") for unit in moved)
            )

    def announce(self, action: Action) -> None:
        """Say what is done."""
        seat = self._seats.get(action.side)
        line = write_call(action, self.plugin.game.actions, with_side=seat is None)
        with self.log.step() as step:
            step.chat(seat.name if seat is not None else "player", line)

    def roll(self, sides: int, *values: int, side: str) -> None:
        """Roll dice on the button that has such."""
        names = [d.button for d in self.binding.dice if d.sides == sides and d.button]
        if not names:
            raise RulesError(f"the binding has no dice button with {sides} sides")
        seat = self._seats.get(side)
        with self.log.step() as step:
            step.command(Chat(dice_report(names[0], values, seat.name if seat else "player")))

    def say(self, text: str, side: str) -> None:
        """Say anything."""
        with self.log.step() as step:
            step.chat(self._seats[side].name, text)

    def show(self, after: Position) -> None:
        """Change the table, in one step, until it shows this position."""
        with self.log.step() as step:
            for unit in self.position.units.values():
                if unit.id not in after.units and unit.id in self._pieces:
                    step.remove(self._pieces.pop(unit.id))
            for unit in after.units.values():
                if self.position.units.get(unit.id) is not unit:
                    self._show_unit(step, unit)
            self._show_beside(step, after)
            self._show_piles(step, after)
            self._show_turn(step, after)
        self.position = after

    def undo(self) -> None:
        """Take the last step back; `position` must be set to what the table shows then."""
        self.log.undo()

    # How it is done

    def _move(self, step: StepWriter, unit: str, on: str, point: tuple[int, int]) -> None:
        piece = self._pieces[unit]
        item = step.state.find(piece)
        if item is None or (item.map, (item.x, item.y)) == (on, point):
            return
        side = self.position.units[unit].side if unit in self.position.units else ""
        user = self._seats[side].user if side in self._seats else None
        below = self.placer.top_at(step.state, on, *point)
        step.move(piece, on, *point, under=below, user=user)

    def _show_unit(self, step: StepWriter, unit: Unit) -> None:
        where = self.placer.point(unit)
        if where is None:
            if unit.id in self._pieces:
                step.remove(self._pieces.pop(unit.id))
            return
        if unit.id not in self._pieces:
            made = self.placer.fresh_piece(step.state, unit, where)
            if made is None:
                return
            step.add(made.id, made.type, made.state)
            self._pieces[unit.id] = made.id
            return
        self._move(step, unit.id, *where)
        piece = step.state.find(self._pieces[unit.id])
        assert isinstance(piece, PlacedPiece)
        dressed = self.placer.dressed(piece.piece, unit, step.state, gpid=piece.gpid)
        if dressed.state_text != piece.state:
            step.change(piece.id, dressed.state_text)

    def _show_beside(self, step: StepWriter, after: Position) -> None:
        wanted = Counter(self.placer.beside.pieces(after))
        for laid in (self._beside - wanted).elements():
            self._take_off(step, laid)
        for laid in (wanted - self._beside).elements():
            made = self.placer.beside.piece(step.state, laid)
            step.add(made.id, made.type, made.state)
        self._beside = wanted
        for name, text in self.placer.beside.properties(after).items():
            container, _ = property_key(step.state, name)
            old = step.state.property_value(name, container) or ""
            if old != text:
                step.command(
                    ChangeProperty(name, old, text, container),
                    ChangeProperty(name, text, old, container),
                )

    def _take_off(self, step: StepWriter, laid: Laid) -> None:
        for item in step.state.table.items.values():
            here = (item.map, (item.x, item.y)) == (laid.map, laid.point)
            if here and isinstance(item, PlacedPiece) and item.gpid == laid.gpid:
                step.remove(item.id)
                return

    def _show_piles(self, step: StepWriter, after: Position) -> None:
        for rule in self.binding.piles:
            if after.pile(rule.pile).cards == self.position.pile(rule.pile).cards:
                continue
            gone = Counter(self.position.pile(rule.pile).cards)
            gone.subtract(after.pile(rule.pile).cards)
            for deck in step.state.decks.values():
                if deck.name == rule.deck:
                    names = list(self.placer.table.cards(step.state, deck, rule.card))
                    self._draw(step, names, deck.members[::-1], gone)

    def _draw(
        self, step: StepWriter, names: Iterable[str], pieces: Iterable[str], gone: Counter[str]
    ) -> None:
        for name, piece in zip(names, pieces, strict=True):
            if gone[name] > 0:
                gone[name] -= 1
                step.remove(piece)

    def _show_turn(self, step: StepWriter, after: Position) -> None:
        tracker = self.placer.table.tracker
        if tracker is None:
            return
        turn = tracker.write(after)
        if turn is not None and step.state.turns.get(turn.tracker) != turn:
            step.set_turn(turn.tracker, turn.turn)
