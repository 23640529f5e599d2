"""Checks a whole log: replays it, and lets the judge see every step."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.case.case import Case
from hexmarshal.referee.case.mind import Sights
from hexmarshal.referee.chat.announcements import announced_in, read_call
from hexmarshal.referee.chat.chat_mentions import ChatMentions
from hexmarshal.referee.chat.envelopes import Envelopes
from hexmarshal.referee.chat.plain_words import takes_back
from hexmarshal.referee.chat.speakers import Speakers
from hexmarshal.referee.check.dice_fairness import statistics
from hexmarshal.referee.check.ended_goes import EndedGoes
from hexmarshal.referee.check.entry_order import in_order_of_steps
from hexmarshal.referee.check.findings import CheckReport, StepNote
from hexmarshal.referee.check.position_check import position_entries
from hexmarshal.referee.check.shown_goes import Go, ShownGoes
from hexmarshal.referee.check.start_position import open_game
from hexmarshal.referee.check.told_report import told_in_words, without_passwords
from hexmarshal.referee.dice.dice_words import BUTTON, dice_patterns, looks_like_dice
from hexmarshal.referee.drags.drag_run import Now
from hexmarshal.referee.drags.routes import Routes
from hexmarshal.referee.hearing.handling import Handling
from hexmarshal.referee.hearing.heard import Seen
from hexmarshal.referee.hearing.hearing import Hearing
from hexmarshal.referee.interpret.interpreter import Interpreter
from hexmarshal.referee.interpret.log_dice import Throw
from hexmarshal.referee.interpret.marker_watch import MarkerWatch
from hexmarshal.referee.interpret.pile_watch import PileWatch
from hexmarshal.referee.interpret.rules_calls import Rules
from hexmarshal.referee.interpret.table_watch import PIECE_COMMANDS, Watch
from hexmarshal.referee.judge.court import Court
from hexmarshal.referee.judge.judge import Judge
from hexmarshal.table.reading import Note, TableReader
from hexmarshal.vassal.commands.game import SetTurn
from hexmarshal.vassal.saves.chat import ChatKind
from hexmarshal.vassal.saves.log import GameLog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hexmarshal.referee.case.mind import Mind
    from hexmarshal.referee.hearing.heard import Heard
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.table.binding import Binding
    from hexmarshal.table.reading.turn_tracker import Moment
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.chat import ChatLine
    from hexmarshal.vassal.saves.chat_dice import DiceRoll
    from hexmarshal.vassal.saves.log import Step
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["check_file"]

# What the menus of our modules say: `* Ivan (Soviet): [end_advance]`.
_SAID: Final = re.compile(
    r"\*?\s*(?P<player>[^\[\]]*?) \((?P<seat>[^()\[\]]*)\): (?P<line>\[.+)", re.DOTALL
)


def check_file(
    saved: SavedGame,
    module: Module,
    binding: Binding,
    plugin: GamePlugin,
    *,
    file: str = "",
    scenario: str = "",
    options: Mapping[str, object] | None = None,
    progress: Callable[[int], None] | None = None,
) -> CheckReport:
    """Everything about a save or a log of a game that the binding and the plugin know."""
    run = _Run(saved, module, binding, plugin, file, scenario, options)
    return without_passwords(told_in_words(run.check(progress), plugin), saved)


@dataclass(frozen=True, slots=True)
class _Before:
    """A step that may be undone, or where the tracker went on and may be put back."""

    number: int
    kept: Mind
    moment: Moment | None = None
    acting: str = ""
    heard: Heard | None = None
    in_hand: Seen | None = None
    go: Go = field(default_factory=Go)


class _Run:
    """One check."""

    def __init__(
        self,
        saved: SavedGame,
        module: Module,
        binding: Binding,
        plugin: GamePlugin,
        file: str,
        scenario: str,
        options: Mapping[str, object] | None,
    ) -> None:
        self._saved, self._module, self._binding, self._plugin = saved, module, binding, plugin
        self._file = file
        self._log = GameLog(saved, patterns=dice_patterns(binding, module))
        self._envelopes = Envelopes(saved)
        self._state = self._log.start()
        self._table = TableReader(module, binding, plugin, self._state)
        self._binding = binding = self._table.binding
        rules = self._rules = Rules(plugin, binding.silence)
        self._routes = Routes(
            self._table.reader.locator.on(binding.map.name),
            binding.map,
            lambda cell: rules.beside(self._opening.position, cell),
        )
        self._speakers = Speakers(binding, plugin, lambda: self._state)
        self._piles = PileWatch(self._table, lambda: self._state)
        self._told: set[str] = set()
        self._did: set[str] = set()
        self._notes: list[StepNote] = []
        self._watch = Watch(self._table, self._state, self._tell)
        self._opening = open_game(
            saved, self._table, self._state, self._watch, self._routes, scenario, options
        )
        for note in self._opening.notes:
            self._tell(0, note)
        self._moment = self._table.moment(self._state)
        playing = {unit.side for unit in self._opening.position.units.values()}
        passing = "" if self._table.tracker is None else self._table.tracker.rule.advance
        self._goes = EndedGoes(saved, binding.sides, playing, passing)
        self._acting = self._watch.acting
        self._shown_goes = ShownGoes(playing)
        pieces = self._state.pieces
        shown = ((name, pieces.get(unit.piece)) for name, unit in self._watch.units().items())
        titles = {name: piece.piece.name for name, piece in shown if piece is not None}
        self._mentions = ChatMentions(
            self._routes, plugin.game.actions.values(), titles, plugin.game.formations
        )
        # Where the tracker was since anything was done.
        self._turned: list[_Before] = []
        self._rolls: list[Throw] = []
        self._sides = {rule.button: rule.sides for rule in binding.dice if rule.button}
        markers = MarkerWatch(self._table, lambda: self._state, lambda: self._watch.bearers)
        sights = Sights(
            self._watch.units(),
            self._watch.kept(self._state),
            self._watch.strange,
            self._piles.now,
            markers.now,
            lambda: self._acting,
            lambda: self._speakers.stuck(faces=self._watch.tells_faces),
            {rule.pile: f"deck {rule.deck}" if rule.deck else rule.map for rule in binding.piles},
            fallen=self._watch.fallen,
        )
        opening = self._opening
        sure = opening.sure and self._follows_phases()
        self._case = Case(rules, self._watch.books, opening.position, sights, sure=sure)
        interpreter = Interpreter(rules, binding, self._routes)
        court = Court(
            self._case,
            interpreter,
            self._routes,
            self._table.tracker,
            binding.laid,
            binding.ends_phase,
        )
        self._judge = Judge(court)
        self._hearing = Hearing(self._case, self._judge, interpreter.drags)
        self._handling = Handling(self._watched)

    def _follows_phases(self) -> bool:
        """Whether the table shows which phase it is; if not, that is told."""
        if self._table.tracker is not None:
            return True
        hint = "a turn tracker, or [end_phase] in the chat, would tell"
        self._tell(0, Note("phase", "phases are taken to end by what is done in the next", hint))
        return False

    def check(self, progress: Callable[[int], None] | None) -> CheckReport:
        """Step by step to the end."""
        start = position_entries(
            self._rules, self._binding, self._opening, is_log=self._saved.is_log
        )
        steps = undone = 0
        done: list[_Before] = []
        for step, state in self._log.replay() if self._saved.is_log else ():
            steps += 1
            self._state = state
            self._notes += (
                StepNote(step.number, Note("damaged", problem)) for problem in step.problems
            )
            if step.is_undo:
                undone += 1
                self._undo(step, state, done)
            else:
                kept, heard = self._case.mind.copy(), self._hearing.kept
                in_hand = self._handling.kept
                go = self._shown_goes.go
                done.append(_Before(step.number, kept, None, self._acting, heard, in_hand, go))
                self._step(step, state)
            if progress is not None:
                progress(1)
        self._handling.let_go()
        self._hearing.hear_late(self._mentions.late)
        self._hearing.finish()
        game = self._plugin.game
        names = self._speakers.names(self._did)
        silent = self._case.mind.unsaid
        # What a side did without a word it did, whoever went on then.
        entries = [
            replace(entry, player=names.get(entry.side) or entry.player)
            if number in silent or not entry.player
            else entry
            for number, entry in enumerate(self._case.mind.entries)
        ]
        return CheckReport(
            self._file,
            "log" if self._saved.is_log else "save",
            bound=True,
            game=game.key,
            title=game.title,
            module=self._module.name,
            scenario=self._opening.position.scenario,
            steps=steps,
            undone=undone,
            entries=(*start, *in_order_of_steps(entries)),
            notes=tuple(self._notes),
            dice=statistics((t.player, t.sides, t.value) for t in self._rolls),
            players=tuple((seat.name, seat.side) for seat in self._state.seats.values()),
            position=self._case.mind.belief,
        )

    # Steps

    def _step(self, step: Step, state: GameState) -> None:
        side = self._speakers.side(step.player)
        turned = any(isinstance(command, SetTurn) for command in step.commands)
        if step.dice or turned or any(_speaks(line) for line in step.chat):
            self._handling.let_go()
        self._case.mind.step = step.number
        now = Now(step.number, step.player or "", side)
        self._did |= {step.player} if step.player else set()
        for line in step.chat:
            if line.kind in (ChatKind.TALK, ChatKind.OTHER):
                self._heard(line.text, now)
            elif line.kind is ChatKind.REPORT and (said := _SAID.fullmatch(line.text)):
                own = self._binding.sides.get(said["seat"], "") or side
                self._heard(said["line"], Now(step.number, said["player"], own))
            elif (
                line.kind is ChatKind.REPORT and not step.dice and looks_like_dice(step, line.text)
            ):
                hint = "say under dice in the binding how the module words its rolls"
                self._tell(step.number, Note("dice", f"not understood: {line.text!r}", hint))
        throws = [throw for roll in step.dice for throw in self._throws(roll, step)]
        if throws:
            self._mentions.roll()
            self._rolls += throws
            self._hearing.roll(throws)
        elif len(step.chat) < len(step.commands):
            self._hearing.hear_late(self._mentions.late)
        if turned:
            # What a phase does by itself is shown together with the tracker, or after it.
            self._mentions.turn()
            self._clock(state, now)
        acting = self._watch.acting
        changes, books = self._watch.step(step, state)
        deeds = self._judge.seen.without_passengers(changes)
        ended = self._goes.next_after(step)
        cards = self._watch.cards_touched and self._piles.go(step.number, self._case.sights)
        handed_over = bool(ended) or acting != self._watch.acting
        if handed_over:
            self._handling.let_go()
            self._mentions.turn()
            # Who says that his go is over may have found the marker with another.
            self._acting = ended or self._watch.acting
            self._follow_marker(step.number, self._acting)
        if deeds or handed_over or cards or throws:
            self._turned.clear()
        self._acts(*(deed.unit for deed in deeds))
        self._mentions.see(deed.unit for deed in deeds if deed.cells)
        if books:
            self._mentions.pay()
        touched = any(isinstance(command, PIECE_COMMANDS) for command in step.commands)
        self._handling.see(Seen(tuple(deeds), books, now, handed_over, cards, touched))
        if step.problems:
            self._case.mind.doubt = True

    def _acts(self, *units: str) -> None:
        """Units are named, or something is done with them: the first tells who acts."""
        known = self._case.mind.belief.units
        self._shown_goes.act(next((known[unit].side for unit in units if unit in known), ""))

    def _follow_marker(self, step: int, shown: str) -> None:
        """The marker for whose go it is was moved: of one who plays alone it may show the other."""
        if self._speakers.is_alone():
            self._acting = self._shown_goes.hand_over(shown)
            if self._acting != shown:
                hint = "told once: what is done is judged by the goes, one after the other"
                text = "the marker for whose go it is shows the side that has just acted"
                self._tell(step, Note("turn", text, hint))

    def _watched(self, seen: Seen) -> None:
        """What happened on the table in a step, when no more belongs to it."""
        step, self._case.mind.step = self._case.mind.step, seen.step
        self._hearing.watch(seen)
        self._case.mind.step = step

    def _undo(self, step: Step, state: GameState, done: list[_Before]) -> None:
        self._judge.seen.see(*self._watch.step(step, state, undone=True))
        self._moment = self._table.moment(state)
        self._turned.clear()
        if done:
            last = done.pop()
            self._case.restore(last.kept, last.number)
            self._hearing.restore(last.heard)
            self._handling.kept, self._shown_goes.go = last.in_hand, last.go
            self._acting = last.acting
            self._piles.go_back()

    def _heard(self, text: str, now: Now) -> None:
        actions = self._plugin.game.actions
        try:
            for line in announced_in(self._envelopes.read(text), actions):
                call = read_call(line, actions)
                if call is None:
                    side = "" if self._speakers.is_alone() else now.side
                    self._mentions.hear(text, now.player, self._case.mind.belief, side)
                    self._case.numbers.hear(text, now.side)
                    self._acts(*self._mentions.about)
                    self._hearing.hear_late(self._mentions.without_taken_back)
                    if takes_back(text):
                        self._hearing.deny(now)
                    return
                self._turned.clear()
                self._hearing.hear_late(self._mentions.late)
                side = self._speakers.side_of(call, now, self._case.mind.belief, self._judge)
                self._shown_goes.act(side)
                self._hearing.announce(call.action(actions, side), now)
        except HexMarshalError as error:
            self._hearing.unreadable(text, error, now)

    def _throws(self, roll: DiceRoll, step: Step) -> Iterator[Throw]:
        name = roll.name or roll.pattern.removeprefix(BUTTON)
        sides = self._sides.get(name)
        if sides is None and roll.pattern.startswith("dice "):
            number = roll.pattern.removeprefix("dice ")
            if number.isdecimal():
                sides = self._binding.dice[int(number)].sides
        if sides is None:
            hint = "name the button under dice in the binding"
            self._tell(step.number, Note("dice", f"a roll of {name!r}, unknown dice", hint))
            return
        for value in roll.dice:
            if not 1 <= value <= sides:
                text = f"{name} shows {value}, and has {sides} sides"
                self._tell(step.number, Note("dice", text))
            player = roll.player or step.player or ""
            # Who plays alone rolls for every side, wherever he sits.
            side = "" if self._speakers.is_alone() else self._speakers.side(player)
            yield self._mentions.said_of(Throw(step.number, sides, value, player, side))

    def _clock(self, state: GameState, now: Now) -> None:
        moment = self._table.moment(state)
        if moment is None or moment == self._moment:
            return
        before, self._moment = self._moment, moment
        back = next((i for i, one in enumerate(self._turned) if one.moment == moment), None)
        if back is not None:
            # It went on by mistake, and nothing was done until it was put back, but in the books.
            kept = self._case.since(self._turned[back].kept)
            self._case.restore(kept, self._turned[back].number)
            self._hearing.restore(None)
            del self._turned[back:]
            return
        self._turned.append(_Before(now.step, self._case.mind.copy(), before))
        if not moment.known:
            hint = "add it to turn.phases, with null if it is no phase to the rules"
            self._tell(now.step, Note("phase", f"the tracker shows {moment.text!r}", hint))
        self._hearing.clock(before, moment, now)
        self._case.numbers.forget()

    def _tell(self, step: int, note: Note) -> None:
        if note.text not in self._told:
            self._told.add(note.text)
            self._notes.append(StepNote(step, note))


def _speaks(line: ChatLine) -> bool:
    """Whether somebody says something, or a module for him."""
    said = line.kind is ChatKind.REPORT and _SAID.fullmatch(line.text) is not None
    return said or line.kind in (ChatKind.TALK, ChatKind.OTHER)
