"""A saved game or log brought up to a module: every piece found, redefined, its state carried."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hexmarshal.errors import VassalFormatError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal.commands.game import ChooseBoards, TakeSeat
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece, RemovePiece
from hexmarshal.vassal.commands.table import LogEntry
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.pieces.piece_names import full_name
from hexmarshal.vassal.privacy.secrets import redactor_of
from hexmarshal.vassal.refresh.carry import Roster
from hexmarshal.vassal.refresh.decks import Decks, changed_fields, refreshed
from hexmarshal.vassal.refresh.definitions import Definition, Definitions
from hexmarshal.vassal.refresh.plan import Plan
from hexmarshal.vassal.refresh.report import Match, PieceReport, RefreshReport
from hexmarshal.vassal.saves.ownership import demand_game_of, map_names
from hexmarshal.vassal.traits import BasicPiece, Deck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["Refresher"]

_LOG = "LOG\t"


@dataclass(slots=True)
class Refresher:
    """Refreshes games; plans are shared by all of them.

    `before` are the definitions of the module that the games were played with: with them a piece
    is found by its place in the palettes too, and what no player touched follows the module.
    """

    definitions: Definitions
    before: Definitions | None = None
    maps: frozenset[str] = frozenset()
    boards: frozenset[str] = frozenset()
    decks: Decks = field(default_factory=Decks)
    module: str = ""
    """The module's name: games of another one are refused. Empty: any game will do."""
    _plans: dict[tuple[str, str, str], Plan] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        module: Module,
        extensions: list[Module] | None = None,
        before: Module | None = None,
        *,
        any_module: bool = False,
    ) -> Refresher:
        """A refresher to the pieces of a module and its extensions.

        Unless `any_module`, it refuses games of a module of another name.
        """
        from hexmarshal.vassal.components import Board

        boards = [board.name for board in module.each(Board)]
        return cls(
            Definitions.of(module, extensions or ()),
            None if before is None else Definitions.of(before),
            map_names(module),
            frozenset(boards),
            Decks.of([module, *(extensions or ())]),
            "" if any_module else module.name,
        )

    def refresh(
        self,
        saved: SavedGame,
        file: str = "",
        advance: Callable[[int], None] = lambda _: None,
    ) -> tuple[SavedGame, RefreshReport]:
        """The game with refreshed pieces, and what was done; without changes the same object."""
        if self.module:
            demand_game_of(saved, self.module, self.maps, "refreshes")
        root = saved.root
        seats = [c for c in _commands(root) if isinstance(c, TakeSeat)]
        users = {seat.side: seat.user for seat in seats}
        roster = Roster({seat.user: seat.side for seat in seats}, users)
        fixed: dict[str, str] = {}
        while True:
            job = _Job(self, roster, fixed, RefreshReport(file), advance)
            fresh = job.node(root)
            # A piece that a logged command cannot follow stays as it was from the start.
            if not job.stubborn.keys() - fixed.keys():
                break
            fixed |= job.stubborn
        report = job.report
        self._check_places(root, report)
        self._check_decks(job.decks, report)
        report.problems += (f"{p.place}: {p.message}; kept as it is" for p in saved.problems())
        report = report.without_ids(redactor_of(root))
        return (saved if fresh is root else saved.with_root(fresh)), report

    def find(self, piece: Piece) -> tuple[Definition | None, Match, str]:
        """The definition of a piece, how it was found, or why it was not."""
        found = self.definitions.by_gpid.get(piece.gpid) if piece.gpid else None
        if found is not None:
            return found, Match.GPID, ""
        old = self.before.by_gpid.get(piece.gpid) if self.before and piece.gpid else None
        if old is not None:
            there = self.definitions.by_path.get(old.path, [])
            if _alike(there):
                return there[0], Match.PATH, ""
        named = self.definitions.by_name.get(piece.name, []) if piece.name else []
        if _alike(named):
            return named[0], Match.NAME, ""
        gone = f"no piece has the gpid {piece.gpid}" if piece.gpid else "it has no gpid"
        if named:
            return None, Match.NONE, f"{gone}, and {len(named)} differing pieces have its name"
        return None, Match.NONE, f"{gone}, and none has its name"

    def plan(self, piece: Piece, definition: Definition) -> Plan:
        """The plan from a piece's type to a definition."""
        key = (piece.type.text, definition.gpid, definition.path)
        made = self._plans.get(key)
        if made is None:
            before = self.before.by_gpid.get(piece.gpid) if self.before else None
            made = self._plans[key] = Plan.make(piece.type, definition, before)
        return made

    def _check_decks(self, seen: set[tuple[str, str | None]], report: RefreshReport) -> None:
        names = {name for name, _ in seen}
        for name, there in self.decks.by_name.items():
            for each in there:
                if name and (name, each.map) not in seen and (len(there) > 1 or name not in names):
                    report.problems.append(
                        f"the game has no deck {name!r}, which the module has on {each.map!r}"
                    )

    def _check_places(self, root: CommandNode, report: RefreshReport) -> None:
        if not self.maps:
            return
        lost: dict[str, int] = {}
        for command in _commands(root):
            if isinstance(command, ChooseBoards):
                for board in command.boards:
                    if self.boards and board.name not in self.boards:
                        report.problems.append(f"the module has no board {board.name!r}")
            elif isinstance(command, AddPiece):
                where = Piece.parse(command.type, command.state).map
                if where and where not in self.maps:
                    lost[where] = lost.get(where, 0) + 1
        report.problems += [
            f"{counted(count, 'piece or stack stands', 'pieces and stacks stand')} on a map that"
            f" the module does not have: {name!r}"
            for name, count in lost.items()
        ]


@dataclass(slots=True)
class _Job:
    refresher: Refresher
    roster: Roster
    fixed: dict[str, str]
    """Pieces that must stay as they are, with the reason."""
    report: RefreshReport
    advance: Callable[[int], None]
    plans: dict[str, Plan | None] = field(default_factory=dict)
    stubborn: dict[str, str] = field(default_factory=dict)
    decks: set[tuple[str, str | None]] = field(default_factory=set)
    """The decks of the game: name and map."""

    def node(self, node: CommandNode) -> CommandNode:
        """The node with refreshed pieces; itself if nothing changes."""
        logged = node.text.startswith(_LOG)
        text = node.text
        inner = text[len(_LOG) :] if logged else text
        if inner.startswith(("+/", "D/", "-/")) and node.verbatim is None:
            command = node.command
            if isinstance(command, LogEntry):
                command = command.logged
            changed = self.command(command, logged=logged)
            if changed is not command:
                text = (_LOG if logged else "") + changed.encode()
        children = tuple(self.node(child) for child in node.children)
        same = all(a is b for a, b in zip(children, node.children, strict=True))
        if text == node.text and same:
            return node
        return CommandNode(text, children)

    def command(self, command: Command, *, logged: bool) -> Command:
        """The command for the refreshed piece."""
        if isinstance(command, AddPiece):
            self.advance(1)
            return self.add(command, logged=logged)
        if isinstance(command, ChangePiece):
            return self.change(command)
        if isinstance(command, RemovePiece):
            self.plans.pop(command.id, None)
        return command

    def add(self, command: AddPiece, *, logged: bool) -> Command:
        unit = command.id or ""
        self.plans[unit] = None
        piece = Piece.parse(command.type, command.state, unit)
        if isinstance(piece.basic, Deck):
            return self.deck(command, piece, piece.basic)
        if not isinstance(piece.basic, BasicPiece):
            return command
        if piece.problem is not None:
            return self.keep(command, piece, Match.NONE, f"it is damaged: {piece.problem}")
        found, match, why = self.refresher.find(piece)
        if found is None:
            return self.keep(command, piece, match, why)
        if found.problem:
            return self.keep(command, piece, match, f"its definition: {found.problem}", found)
        if unit in self.fixed:
            return self.keep(command, piece, match, self.fixed[unit], found)
        plan = self.refresher.plan(piece, found)
        adapted = plan.apply(command.state, self.roster)
        self.plans[unit] = plan
        if plan.type.text == command.type and adapted.state == command.state:
            self.report.unchanged += 1
            return command
        self.report.pieces.append(
            PieceReport(
                unit,
                piece.name or full_name(piece),
                piece.map,
                match,
                found.path,
                _changes(plan, piece, adapted.state, command.state, logged=logged),
                (*adapted.notes, *([found.note] if found.note else [])),
                adapted.lost,
            )
        )
        return replace(command, type=plan.type.text, state=adapted.state)

    def deck(self, command: AddPiece, piece: Piece, deck: Deck) -> Command:
        """The deck as the module has it now; the cards in it are pieces of their own."""
        self.decks.add((deck.name, piece.map))
        found = self.refresher.decks.find(deck.name, piece.map)
        if not deck.name or (found is None and not self.refresher.decks.by_name):
            return command
        if found is None:
            return self.keep(command, piece, Match.NONE, "the module has no such deck")
        changes = changed_fields(deck, found.deck)
        if not changes:
            self.report.unchanged += 1
            return command
        words = tuple(f"changed: Deck {name.replace('_', ' ')!r}" for name in changes)
        where = f"{found.map} / {deck.name}"
        self.report.pieces.append(
            PieceReport(piece.id, deck.name, piece.map, Match.NAME, where, words)
        )
        return replace(command, type=refreshed(deck, changes).encode())

    def change(self, command: ChangePiece) -> Command:
        plan = self.plans.get(command.id)
        if plan is None:
            return command
        try:
            state = plan.apply(command.state, self.roster).state
            old = command.old_state
            old = None if old is None else plan.apply(old, self.roster).state
        except VassalFormatError as why:
            self.stubborn[command.id] = f"a logged change does not fit it: {why.message}"
            return command
        if state == command.state and old == command.old_state:
            return command
        self.report.adapted += 1
        return replace(command, state=state, old_state=old)

    def keep(
        self,
        command: AddPiece,
        piece: Piece,
        match: Match,
        why: str,
        found: Definition | None = None,
    ) -> Command:
        path = found.path if found else ""
        report = PieceReport(piece.id, piece.name, piece.map, match, path, kept=why)
        self.report.pieces.append(report)
        return command


def _changes(plan: Plan, piece: Piece, state: str, before: str, *, logged: bool) -> tuple[str, ...]:
    found = [*plan.changes]
    fresh = plan.piece(piece.id, state)
    if fresh.name != piece.name:
        found.append(f"named {fresh.name!r}, was {piece.name!r}")
    if fresh.gpid != piece.gpid:
        found.append(f"gpid {fresh.gpid}, was {piece.gpid or 'none'}")
    if not found and state != before:
        found.append("values that the module sets")
    if logged:
        found.append("made by a logged command")
    return tuple(found)


def _alike(found: list[Definition]) -> bool:
    return bool(found) and all(found[0].defines_like(other) for other in found[1:])


def _commands(root: CommandNode) -> Iterator[Command]:
    for node in root.walk():
        command = node.command
        yield command.logged if isinstance(command, LogEntry) else command
