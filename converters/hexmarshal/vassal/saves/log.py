"""A log as a stream of steps: who did what, which pieces went from where to where, dice, chat."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.commands.game import TakeSeat
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece, MovePiece, RemovePiece
from hexmarshal.vassal.commands.table import Chat, LogEntry, Undo
from hexmarshal.vassal.privacy.secrets import Pseudonyms, Redactor, owner_names, redactor_of
from hexmarshal.vassal.saves.chat import ChatKind, ChatLine, read_chat
from hexmarshal.vassal.saves.chat_dice import PATTERNS, DicePattern, DiceRoll, read_dice
from hexmarshal.vassal.state.location import Location, Locator, PlainLocator
from hexmarshal.vassal.state.placed import PlacedPiece

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.commands.tree import CommandNode
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["GameLog", "PieceChange", "PieceMove", "Step", "logged_commands"]

_Spot = tuple[str, int, int] | None
# Who did it, as reports often begin: `* Ann: Turn 2 ...`, `* Ann (Red): ...`.
_REPORTED: Final = re.compile(r"\*+ ?(?P<player>[^:]+?)(?: \([^()]*\))?: ")


@dataclass(frozen=True, slots=True)
class PieceMove:
    """A piece's way in one step; no source: it enters the game, no target: it leaves the map."""

    id: str
    name: str
    source: Location | None
    target: Location | None


@dataclass(frozen=True, slots=True)
class PieceChange:
    """What became different about a piece in one step, in words: a layer, a label, a mask ..."""

    id: str
    name: str
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of replay. `undoes` is the number of the step that an undo takes back.

    `commands` hold user ids where VASSAL does; everything else here is fit to be shown.
    """

    number: int
    player: str | None
    commands: tuple[Command, ...] = field(repr=False)
    moves: tuple[PieceMove, ...] = ()
    changes: tuple[PieceChange, ...] = ()
    dice: tuple[DiceRoll, ...] = ()
    chat: tuple[ChatLine, ...] = ()
    is_undo: bool = False
    undoes: int | None = None
    problems: tuple[str, ...] = ()


def logged_commands(node: CommandNode) -> Iterator[Command]:
    """The commands of one step in the order of execution, out of their `LOG` wrappings."""
    for each in node.walk():
        command = each.command
        while isinstance(command, LogEntry):
            command = command.logged
        yield command


class GameLog:
    """The steps of a log. Every pass over them replays the game from its start."""

    def __init__(
        self,
        saved: SavedGame,
        locator: Locator | None = None,
        patterns: Sequence[DicePattern] = PATTERNS,
    ) -> None:
        self._saved = saved
        self._locator = locator or PlainLocator()
        self._patterns = tuple(patterns)
        self._redact: Redactor | None = None

    def start(self) -> GameState:
        """The state when logging began."""
        return self._saved.state()

    def steps(self) -> Iterator[Step]:
        """Every step."""
        return (step for step, _ in self.replay())

    def standing(self) -> list[Step]:
        """The steps that were not taken back, without the undoing itself."""
        steps = list(self.steps())
        gone = {step.undoes for step in steps if step.is_undo}
        return [step for step in steps if not step.is_undo and step.number not in gone]

    def replay(self) -> Iterator[tuple[Step, GameState]]:
        """Every step with the state after it: the same object each time, so copy what you keep."""
        state = self.start()
        names = Pseudonyms()
        names.learn(state)
        self._meet(names)
        done: list[int] = []
        for number, node in enumerate(self._saved.log_part(), 1):
            commands = tuple(logged_commands(node))
            step = self._step(number, commands, state, names, done)
            yield step, state

    def _meet(self, names: Pseudonyms) -> None:
        """Learn who comes later: seats taken in the log, and the one who never took one.

        Somebody without a seat moves with an id and speaks with a name: of one they are the same.
        """
        ids, heard = dict[str, None](), dict[str, None]()
        for node in self._saved.log_part():
            for command in logged_commands(node):
                if isinstance(command, MovePiece) and command.user:
                    ids[command.user] = None
                elif isinstance(command, TakeSeat) and command.name:
                    names.known.setdefault(command.user, command.name)
                elif isinstance(command, Chat):
                    roll = read_dice(command.text, self._patterns)
                    heard[(roll.player if roll else read_chat(command.text).player) or ""] = None
        strangers = [user for user in ids if user not in names.known]
        speakers = [name for name in heard if name and name not in names.known.values()]
        if len(strangers) == len(speakers) == 1:
            names.known[strangers[0]] = speakers[0]

    def _step(
        self,
        number: int,
        commands: tuple[Command, ...],
        state: GameState,
        names: Pseudonyms,
        done: list[int],
    ) -> Step:
        ways: dict[str, tuple[str, _Spot, _Spot]] = {}
        known = len(state.problems)
        old: dict[str, PlacedPiece] = {}
        for command in commands:
            if isinstance(command, ChangePiece):
                item = state.find(command.id)
                if isinstance(item, PlacedPiece):
                    old.setdefault(item.id, item)
            before = _spots(command, state)
            state.apply(command)
            after = _spots(command, state)
            _note_ways(command, before, after, ways)
            if isinstance(command, TakeSeat):
                names.learn(state)
        undo = any(isinstance(command, Undo) for command in commands)
        undoes = done.pop() if undo and done else None
        if not undo:
            done.append(number)
        chat = [c.text for c in commands if isinstance(c, Chat)]
        dice = tuple(filter(None, (read_dice(text, self._patterns) for text in chat)))
        lines = tuple(read_chat(text) for text in chat)
        return Step(
            number=number,
            player=_player(commands, lines, dice, names),
            commands=commands,
            moves=tuple(self._move(unit, *way) for unit, way in ways.items() if way[1] != way[2]),
            changes=tuple(self._changes(old, state, names)),
            dice=dice,
            chat=lines,
            is_undo=undo,
            undoes=undoes,
            problems=tuple(problem.message for problem in state.problems[known:]),
        )

    def _move(self, id: str, name: str, source: _Spot, target: _Spot) -> PieceMove:
        return PieceMove(id, name, self._locate(source), self._locate(target))

    def _changes(
        self, old: dict[str, PlacedPiece], state: GameState, names: Pseudonyms
    ) -> Iterator[PieceChange]:
        # Telling differences in words is a part of its own, which reads logs itself.
        from hexmarshal.vassal.diff.pieces import state_details

        for unit, before in old.items():
            after = state.find(unit)
            if not isinstance(after, PlacedPiece) or after.state == before.state:
                continue
            if self._redact is None:
                self._redact = redactor_of(self._saved.root)
            hide = self._redact
            owner = owner_names(names, hide.ids)
            found = tuple(hide(str(d)) for d in state_details(before.piece, after.piece, owner))
            if found:
                yield PieceChange(unit, hide(after.name), found)

    def _locate(self, spot: _Spot) -> Location | None:
        return None if spot is None else self._locator.locate(*spot)


def _spots(command: Command, state: GameState) -> dict[str, tuple[str, _Spot]]:
    """Name and place of every piece that a command may carry along."""
    if not isinstance(command, AddPiece | ChangePiece | MovePiece | RemovePiece):
        return {}
    item = state.find(command.id or "")
    pieces = (item,) if isinstance(item, PlacedPiece) else state.members(command.id or "")
    found: dict[str, tuple[str, _Spot]] = {}
    for piece in pieces:
        spot = None if piece.map is None else (piece.map, piece.x, piece.y)
        found[piece.id] = piece.name, spot
    return found


def _note_ways(
    command: Command,
    before: dict[str, tuple[str, _Spot]],
    after: dict[str, tuple[str, _Spot]],
    ways: dict[str, tuple[str, _Spot, _Spot]],
) -> None:
    if isinstance(command, MovePiece) and not before and not after:
        # Not in the game as far as we know: the command itself still says where from and where to.
        source = (command.old_map, command.old_x, command.old_y) if command.old_map else None
        target = (command.map, command.x, command.y) if command.map else None
        ways[command.id] = "", source, target
    gone = isinstance(command, RemovePiece)
    for unit in {**before, **after}:
        if unit in after:
            name, spot = after[unit]
        elif gone:
            name, spot = before[unit][0], None
        else:
            # A member that left a stack: its own command tells where it went.
            continue
        if unit in ways:
            ways[unit] = name, ways[unit][1], spot
        elif unit in before or isinstance(command, AddPiece):
            ways[unit] = name, before.get(unit, (name, None))[1], spot


def _player(
    commands: Sequence[Command],
    chat: Sequence[ChatLine],
    dice: Sequence[DiceRoll],
    names: Pseudonyms,
) -> str | None:
    for command in commands:
        if isinstance(command, MovePiece) and command.user:
            return names.of(command.user)
    for line in chat:
        if line.player:
            return line.player
    for roll in dice:
        if roll.player:
            return roll.player
    known = {*names.known.values()}
    for line in chat:
        reported = _REPORTED.match(line.text) if line.kind is ChatKind.REPORT else None
        if reported and reported["player"] in known:
            return reported["player"]
    for command in commands:
        if isinstance(command, TakeSeat):
            return command.name or names.of(command.user)
    return None
