"""A legal game as sloppy people leave it in a log: half said, out of order, late, put right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from game_table import GameTable

from hexmarshal.referee.case.table_comparison import changed
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.referee.samples.secret_actions import is_secret
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice, Roll
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import thaw
from hexmarshal.rules.verdict import Applied
from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["Habits", "sloppy"]


@dataclass(frozen=True, slots=True)
class Habits:
    """How often players do a thing so, out of a hundred times."""

    says: int = 50  # announces what he does
    dice_first: int = 30  # rolls before he says what for
    apart: int = 40  # carries a result out unit by unit, in any order
    after_tracker: int = 20  # moves the tracker before he carries the last result out
    late_books: int = 20  # keeps tracks and markers an action late
    by_piece: int = 30  # drags the units of a stack one by one
    straight: int = 30  # drags to the end of the way at once
    too_far: int = 15  # drags a cell too far, and back
    undo: int = 5  # does something, and takes it back


def sloppy(
    table: GameTable,
    scenario: str,
    seed: str,
    habits: Habits | None = None,
    *,
    actions: int = 60,
) -> SavedGame:
    """A game of the random player, all of it legal, as such players leave it."""
    record = play_game(
        table.plugin,
        seed,
        scenario=scenario,
        max_actions=actions,
        check_replay=False,
        whole_paths=True,
    ).record
    chance = Random(f"sloppy {seed}")
    begun = engine.start(table.plugin, scenario, seed=record.opening.seed)
    log = SloppyRecorder(table, begun, chance, habits or of(chance))
    done = [table.plugin.game.actions.decode(thaw(event.action)) for event in record.events]
    for action, following in zip(done, [*done[1:], None], strict=True):
        log.following = following
        log.perform(action)
    return log.finish()


def of(chance: Random) -> Habits:
    """Players of one kind: some say all, some nothing; most do most things rightly."""
    return Habits(
        says=chance.choice((0, 0, 30, 70, 100)),
        dice_first=chance.choice((0, 0, 50)),
        apart=chance.choice((0, 40, 100)),
        after_tracker=chance.choice((0, 0, 30)),
        late_books=chance.choice((0, 0, 30)),
        by_piece=chance.choice((0, 50, 100)),
        straight=chance.choice((0, 50)),
        too_far=chance.choice((0, 20)),
        undo=chance.choice((0, 10)),
    )


class SloppyRecorder(Recorder):
    """Writes what the rules do as such players show it; `truth` is how the game stands."""

    following: Action | None = None

    def __init__(
        self, table: GameTable, position: Position, chance: Random, habits: Habits
    ) -> None:
        super().__init__(table.module(), table.binding(), table.plugin, position)
        self.truth, self._chance, self._habits = position, chance, habits

    def _happens(self, of_hundred: int) -> bool:
        return self._chance.randrange(100) < of_hundred

    def perform(self, action: Action, dice: Dice | None = None, slip: object = None) -> Applied:
        """Do an action by the rules, and write what the table shows of it, in time or late."""
        before = self.truth
        applied = engine.perform(self.plugin, before, action, dice)
        self.truth = after = applied.position
        rolls = [roll for roll in applied.rolls if not roll.pick]
        if self._happens(self._habits.undo):
            self._change_his_mind()
        way = self._way(action, after)
        by_tracker = way is None and self._shown_by_tracker(action, after)
        if way is not None:
            self._drag_somehow(*way)
            self._roll(rolls, action.side)
        elif by_tracker:
            self._roll(rolls, action.side)
        else:
            said = self._happens(self._habits.says)
            first = self._happens(self._habits.dice_first)
            if said and not (rolls and first):
                self._tell(action, before, after)
            self._roll(rolls, action.side)
            if said and rolls and first:
                self._tell(action, before, after)
        self._lay_out(after, by_tracker=by_tracker)
        return applied

    def _tell(self, action: Action, before: Position, after: Position) -> None:
        if is_secret(self.plugin, action, before, after):
            self.seal(action)
        else:
            self.announce(action)

    def _roll(self, rolls: Sequence[Roll], side: str) -> None:
        for roll in rolls:
            self.roll(roll.sides, roll.value, side=side)

    # Drags

    def _drag_somehow(self, units: tuple[str, ...], path: tuple[str, ...]) -> None:
        groups = [(unit,) for unit in units] if self._happens(self._habits.by_piece) else [units]
        straight = self._happens(self._habits.straight)
        for group in groups:
            if self._happens(self._habits.too_far):
                beyond = self._near(path[-1], (*path, self.position.units[group[0]].cell))
                way = path[-1:] if straight else path
                self.drag(group, (*way, beyond, path[-1]) if beyond else way)
            else:
                self.drag(group, path[-1:] if straight else path)

    def _near(self, cell: str, but: Sequence[str]) -> str:
        """A cell beside one where a piece may be dropped by mistake."""
        found = [
            one
            for one in self.plugin.neighbours(self.truth, cell) or ()
            if one not in but and not self.truth.at(one)
        ]
        return self._chance.choice(sorted(found)) if found else ""

    def _change_his_mind(self) -> None:
        here = self.position
        units = sorted(u.id for u in here.units.values() if u.cell and u.id in self._pieces)
        if not units:
            return
        unit = self._chance.choice(units)
        cell = self._near(here.units[unit].cell, ())
        if cell:
            self.drag((unit,), (cell,))
            self.undo()
            self.position = here

    # Results

    def _lay_out(self, after: Position, *, by_tracker: bool) -> None:
        ends = self.following is not None and self._shown_by_tracker(self.following, after)
        if not by_tracker and ends and self._happens(self._habits.after_tracker):
            return  # the next step moves the tracker, and then all is shown
        books_late = not by_tracker and self._happens(self._habits.late_books)
        now = self.position
        shown = replace(after, tracks=now.tracks) if books_late else after
        if books_late and not self.binding.laid:
            # Where tokens tell what is done, they are not kept in mind.
            shown = replace(shown, markers=now.markers)
        if by_tracker:
            with self.log.step() as step:
                self._show_turn(step, after)
            self.position = replace(now, turn=after.turn, phase=after.phase, active=after.active)
            self.position = replace(self.position, state=after.state, frames=after.frames)
        if self._happens(self._habits.apart):
            for part in self._parts(shown):
                self._change(part)
        self._change(shown)
        if not by_tracker:
            self.show(shown)

    def _parts(self, after: Position) -> Iterator[Position]:
        """The units one after the other, in any order; who is carried goes with his carrier."""
        here = self.position
        units = [*dict.fromkeys(changed(here, after))]
        bound = {u for u in units for at in (here, after) if _is_bound(at, u)}
        free = sorted(unit for unit in units if unit not in bound)
        self._chance.shuffle(free)
        for unit in free[:-1] if not bound else free:
            new = after.units.get(unit)
            here = here.without_unit(unit) if new is None else here.with_unit(new)
            yield here


def _is_bound(position: Position, unit: str) -> bool:
    known = position.units.get(unit)
    return bool(known and (known.carrier or position.carried_by(unit)))
