"""Plays a game into a log of VASSAL: drags, announcements, dice, results and the turn tracker."""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.errors import RulesError
from hexmarshal.referee.chat.announcements import write_call
from hexmarshal.referee.chat.envelopes import opening, sealed
from hexmarshal.referee.drags.drag_actions import drag_kinds, group_of
from hexmarshal.referee.samples.card_piles import CardPiles
from hexmarshal.referee.samples.secret_actions import is_secret
from hexmarshal.referee.samples.shown_tracks import ShownTracks
from hexmarshal.referee.samples.sign_pieces import SignPieces
from hexmarshal.referee.samples.worn_markers import show_worn
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.values import thaw
from hexmarshal.table.binding.ties import beneath
from hexmarshal.table.placing import Placer, position_entry
from hexmarshal.table.reading import POSITION_ENTRY
from hexmarshal.vassal.commands.table import Chat
from hexmarshal.vassal.saves.chat_dice import dice_report
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.state.game_state import Seat
from hexmarshal.vassal.state.placed import PlacedPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hexmarshal.rules.action import Action
    from hexmarshal.rules.playing.record import GameRecord
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Applied
    from hexmarshal.table.binding import Binding
    from hexmarshal.table.placing import MapPoint
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.logwriter import StepWriter
    from hexmarshal.vassal.saves.savegame import SavedGame

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
        self.placer = Placer(module, binding, plugin, position)
        self.position = position
        self._start = position
        self._seats = {
            side: Seat(f"seat of {name}", f"{name} player", name)
            for name, side in binding.sides.items()
        }
        state = self.placer.place(position, self._seats.values())
        self.log = LogWriter(self.placer.save(state, position))
        self._pieces = dict(self.placer.unit_pieces)
        self._marks = dict(self.placer.marker_pieces)
        self._signs = SignPieces(self.placer)
        self._tracks = ShownTracks(self.placer.offmap, position)
        self._kinds = drag_kinds(plugin.game, binding)
        self._sealed: list[tuple[str, str]] = []

    def finish(self) -> SavedGame:
        """The log as a file; what was sealed is opened at its end."""
        if self._sealed:
            with self.log.step() as step:
                for side, line in self._sealed:
                    step.chat(self._name(side), line)
            self._sealed.clear()
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
        by_tracker = way is None and self._shown_by_tracker(action, after)
        if way is not None:
            self.drag(*way)
        elif not by_tracker:
            if is_secret(self.plugin, action, before, after):
                self.seal(action)
            else:
                self.announce(action)
        for roll in applied.rolls:
            if not roll.pick:
                self.roll(roll.sides, roll.value, side=action.side)
        self._show_draws(applied)
        shown = after if slip is None else slip(after)
        if not by_tracker:
            # Who has said what he does carries it out first, and then moves the tracker on.
            self._change(shown)
        self.show(shown)
        return applied

    def _show_draws(self, applied: Applied) -> None:
        """Take out of its pile what was drawn, and goes back there at once."""
        here, after = self.position, applied.position
        for roll in applied.rolls:
            piles = [here.pile(rule.pile) for rule in self.binding.piles if roll.pick]
            drawn = [(p, after.pile(p.name)) for p in piles if len(p.cards) == roll.sides]
            if drawn and all(Counter(old.cards) == Counter(new.cards) for old, new in drawn):
                pile, at = drawn[0][0], roll.value - 1
                left = replace(pile, cards=(*pile.cards[:at], *pile.cards[at + 1 :]))
                self._change(replace(here, piles=here.piles.set(pile.name, left)))

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
        # There and back looks like a drag that was taken back: that has to be said.
        if end not in path or any(self.position.units[u].cell == end for u in units):
            return None
        # What stops on its way was to go on: only words tell whereto.
        return (units, path) if path.index(end) == len(path) - 1 else None

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
            where = self.placer.cell_point(cell)
            with self.log.step() as step:
                for unit in units:
                    self._move(step, self._pieces[unit], where, self.position.unit(unit).side)
                    self._take_along(step, unit, where)
            moved = (self.position.unit(unit) for unit in units)
            self.position = self.position.with_unit(
                *(replace(unit, cell=cell, box="") for unit in moved)
            )

    def announce(self, action: Action) -> None:
        """Say what is done."""
        line = self._line(action)
        with self.log.step() as step:
            step.chat(self._name(action.side), line)

    def seal(self, action: Action) -> None:
        """Say that something is ordered, and not what; the end of the log opens it."""
        line = self._line(action)
        if self.position.generator is None:
            key = secrets.token_hex(16)
        else:  # the seed is in the digest, and no player knows it
            known = f"{self.position.digest} {len(self._sealed)}"
            key = hashlib.sha256(known.encode()).hexdigest()[:32]
        self._sealed.append((action.side, opening(line, key)))
        with self.log.step() as step:
            step.chat(self._name(action.side), sealed(line, key))

    def _line(self, action: Action) -> str:
        known = action.side in self._seats
        return write_call(action, self.plugin.game.actions, with_side=not known)

    def _name(self, side: str) -> str:
        seat = self._seats.get(side)
        return seat.name if seat is not None else "player"

    def roll(self, sides: int, *values: int, side: str) -> None:
        """Roll dice on the button that has such."""
        names = [d.button for d in self.binding.dice if d.sides == sides and d.button]
        if not names:
            raise RulesError(f"the binding has no dice button with {sides} sides")
        with self.log.step() as step:
            step.command(Chat(dice_report(names[0], values, self._name(side))))

    def say(self, text: str, side: str) -> None:
        """Say anything."""
        with self.log.step() as step:
            step.chat(self._seats[side].name, text)

    def show(self, after: Position) -> None:
        """Change the table, in one step, until it shows this position."""
        with self.log.step() as step:
            self._show_pieces(step, after)
            self._show_turn(step, after)
        self.position = after

    def _change(self, after: Position) -> None:
        """The same, and leave the tracker where it is."""
        with self.log.step() as step:
            self._show_pieces(step, after)
        now = self.position
        self.position = replace(after, turn=now.turn, phase=now.phase, active=now.active)

    def _show_pieces(self, step: StepWriter, after: Position) -> None:
        after = self.plugin.on_table(after)
        self._show_units(step, after)
        piles = CardPiles(self.placer, step, self.position, after)
        before = self.plugin.on_table(self.position).markers
        for marker in before.values():
            if marker.id not in after.markers and marker.id in self._marks:
                piles.give(marker, self._marks.pop(marker.id))
        self._show_markers(step, before, after, piles)
        self._signs.show(step, self._pieces, self.plugin.on_table(self.position), after)
        show_worn(self.placer, step, self._pieces, self.plugin.on_table(self.position), after)
        piles.lay_out()
        self._tracks.show(step, after)

    def undo(self) -> None:
        """Take the last step back; `position` must be set to what the table shows then."""
        self.log.undo()

    # How it is done

    def _move(
        self, step: StepWriter, piece: str, where: MapPoint, side: str, under: str | None = None
    ) -> None:
        """Move a piece, onto a certain other one or onto what is there."""
        item = step.state.find(piece)
        on, point = where
        if not isinstance(item, PlacedPiece):
            return
        there = (item.map, (item.x, item.y)) == (on, point)
        if there and (under is None or step.state.table.below(piece) == under):
            return
        user = self._seats[side].user if side in self._seats else None
        below = under or self.placer.top_at(step.state, item, on, *point)
        step.move(piece, on, *point, under=below, user=user)

    def _dress(self, step: StepWriter, piece: str, thing: Unit | Marker) -> None:
        item = step.state.find(piece)
        assert isinstance(item, PlacedPiece)
        dressed = self.placer.counters.dressed(item.piece, thing, step.state, item.gpid)
        if dressed.state_text != item.state:
            step.change(piece, dressed.state_text)

    def _take_along(self, step: StepWriter, unit: str, where: MapPoint) -> None:
        """Passengers and markers go where the unit's piece goes."""
        below = self._pieces[unit]
        for piece in self._signs.on(unit):
            self._move(step, piece, where, self.position.unit(unit).side, below)
        for marker in self.position.markers_on(unit):
            if marker.id in self._marks:
                self._move(step, self._marks[marker.id], where, marker.side, below)
        for one in self.position.carried_by(unit):
            if one.id in self._pieces:
                self._move(step, self._pieces[one.id], where, one.side, below)
                self._take_along(step, one.id, where)

    def _show_units(self, step: StepWriter, after: Position) -> None:
        before = self.position.units
        for unit_id in before:
            if unit_id not in after.units and unit_id in self._pieces:
                step.remove(self._pieces.pop(unit_id))
        stirred = {u.id for u in after.units.values() if before.get(u.id) is not u}
        for unit in self.placer.in_order(after):
            if unit.id in stirred or unit.carrier in stirred:
                stirred.add(unit.id)
                self._show_unit(step, unit, after)

    def _show_unit(self, step: StepWriter, unit: Unit, after: Position) -> None:
        where = self.placer.point(unit, after)
        if where is None:
            if unit.id in self._pieces:
                step.remove(self._pieces.pop(unit.id))
            return
        under = self._pieces.get(unit.carrier)
        if unit.id not in self._pieces:
            made = self.placer.counters.unit(unit, step.state, where)
            if made is None:
                return
            step.add(made.id, made.type, made.state)
            self._pieces[unit.id] = made.id
            if under is not None:
                self._move(step, made.id, where, unit.side, under)
            return
        piece = self._pieces[unit.id]
        if under is None or not self._is_over(step, piece, under):
            self._move(step, piece, where, unit.side, under)
        self._dress(step, piece, unit)

    def _is_over(self, step: StepWriter, piece: str, under: str) -> bool:
        """Whether a piece lies somewhere above another in one stack."""
        return any(below.id == under for below in beneath(step.state, piece))

    def _show_markers(
        self, step: StepWriter, before: Mapping[str, Marker], after: Position, piles: CardPiles
    ) -> None:
        for marker in after.markers.values():
            where = self.placer.marker_point(marker, after)
            if where is None or self.placer.counters.is_worn(marker):
                continue
            under = self._pieces.get(marker.unit)
            if marker.id in self._marks:
                piece = self._marks[marker.id]
                if under is None or step.state.table.below(piece) != under:
                    self._move(step, piece, where, marker.side, under)
                if before.get(marker.id) != marker:
                    self._dress(step, piece, marker)
                continue
            found = piles.take(marker.kind) if marker.unit else None
            if found is None:
                made = self.placer.counters.marker(marker, step.state, where)
                if made is None:
                    continue
                step.add(made.id, made.type, made.state)
                found = made.id
            else:
                self._dress(step, found, marker)
            self._marks[marker.id] = found
            if under is not None:
                self._move(step, found, where, marker.side, under)

    def _show_turn(self, step: StepWriter, after: Position) -> None:
        tracker = self.placer.table.tracker
        if tracker is None:
            return
        turn = tracker.write(after)
        if turn is not None and step.state.turns.get(turn.tracker) != turn:
            step.set_turn(turn.tracker, turn.turn)
