"""Checks of saved games and logs: damaged parts, stacks of unknown members, and what fits not."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal.lint.checks import Check, Found, Severity, Subject
from hexmarshal.vassal.lint.subject import ModuleSubject
from hexmarshal.vassal.saves.savegame import MODULE_DATA, SAVE_DATA
from hexmarshal.vassal.state.placed import PlacedDeck, PlacedPiece, PlacedStack, placed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.commands.piece import AddPiece
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState, Problem

__all__ = ["CHECKS", "SaveSubject"]


class SaveSubject(Subject):
    """A saved game or log, and the module it was played with if that is at hand."""

    def __init__(self, saved: SavedGame, module: Module | None = None) -> None:
        self.saved = saved
        self.module = None if module is None else ModuleSubject(module)

    @cached_property
    def state(self) -> GameState:
        """The game as it is after loading."""
        return self.saved.state()

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Every piece and command that cannot be read; those of pieces name a unit."""
        return tuple(self.saved.problems())

    @cached_property
    def added(self) -> tuple[AddPiece, ...]:
        """Every piece, stack and deck of the save, as its command."""
        return tuple(self.saved.pieces())

    def found(
        self, message: str, unit: str | None = None, severity: Severity | None = None
    ) -> Found:
        """Something about the game, or about a piece of it."""
        return Found(message, Place(unit=unit).within(self.saved.place), severity=severity)


def _title(item: PlacedPiece | PlacedStack | PlacedDeck) -> str:
    return item.id if isinstance(item, PlacedStack) else f"{item.name or '?'} ({item.id})"


def _damaged_piece(subject: SaveSubject) -> Iterator[Found]:
    for problem in subject.problems:
        if problem.place.unit is not None:
            yield Found(problem.message, problem.place)


def _damaged_command(subject: SaveSubject) -> Iterator[Found]:
    for problem in subject.problems:
        if problem.place.unit is None:
            yield Found(problem.message, problem.place)


def _unfinished(subject: SaveSubject) -> Iterator[Found]:
    if subject.state.loading:
        yield subject.found("the save does not end as one does")


def _damaged_metadata(subject: SaveSubject) -> Iterator[Found]:
    for name in (SAVE_DATA, MODULE_DATA):
        try:
            subject.saved.metadata(name)
        except VassalFormatError as why:
            yield Found(why.message, why.place)


def _unknown_member(subject: SaveSubject) -> Iterator[Found]:
    known = {command.id for command in subject.added}
    for command in subject.added:
        holder = placed(command.id or "", command.type, command.state)
        if isinstance(holder, PlacedPiece) or holder.map is None:
            continue
        lost = [member for member in holder.members if member not in known]
        if lost:
            kind = "deck" if isinstance(holder, PlacedDeck) else "stack"
            shown = ", ".join(lost[:3]) + (", ..." if len(lost) > 3 else "")
            message = f"the {kind} holds {len(lost)} pieces that are not in the game: {shown}"
            yield subject.found(message, _title(holder))


def _held_twice(subject: SaveSubject) -> Iterator[Found]:
    holders: dict[str, str] = {}
    all_holders: list[PlacedStack | PlacedDeck] = [*subject.state.stacks.values()]
    all_holders += subject.state.decks.values()
    for holder in all_holders:
        for member in holder.members:
            first = holders.setdefault(member, holder.id)
            if first != holder.id:
                message = f"the piece {member} is in the stack or deck {first} too"
                yield subject.found(message, _title(holder))


def _piece_nowhere(subject: SaveSubject) -> Iterator[Found]:
    lost = [p for p in subject.state.pieces.values() if p.map is None and not p.problem]
    if lost:
        shown = ", ".join(repr(p.name or p.id) for p in lost[:3])
        more = ", ..." if len(lost) > 3 else ""
        yield subject.found(
            f"{counted(len(lost), 'piece is', 'pieces are')} on no map: {shown}{more}"
        )


def _unknown_map(subject: SaveSubject) -> Iterator[Found]:
    if subject.module is None:
        return
    counts: dict[str, int] = {}
    for item in subject.state.table.items.values():
        if item.map is not None and item.map not in subject.module.maps:
            counts[item.map] = counts.get(item.map, 0) + 1
    for name, count in counts.items():
        yield subject.found(
            f"{counted(count, 'piece is', 'pieces are')} on the map {name!r},"
            " which the module has not"
        )


def _unknown_board(subject: SaveSubject) -> Iterator[Found]:
    if subject.module is None:
        return
    for name, boards in subject.state.boards.items():
        of_map = subject.module.maps.get(name)
        if of_map is None or not of_map.stock:
            continue
        shared = subject.module.maps.get(of_map.get("useBoards"))
        known = {b.name for m in (of_map, shared) if m is not None for b in m.boards}
        for board in boards:
            if board.name not in known:
                yield subject.found(
                    f"the map {name!r} shows the board {board.name!r}, which it has not"
                )


def _unknown_piece(subject: SaveSubject) -> Iterator[Found]:
    if subject.module is None:
        return
    pieces = [p for p in subject.state.pieces.values() if p.gpid]
    unknown = [p for p in pieces if p.gpid not in subject.module.gpids]
    if unknown:
        names = list(dict.fromkeys(p.name for p in unknown))
        shown = ", ".join(map(repr, names[:3])) + (", ..." if len(names) > 3 else "")
        yield subject.found(
            f"{len(unknown)} of {counted(len(pieces), 'piece has', 'pieces have')} a gpid"
            f" that the module does not know: {shown}"
        )


CHECKS: Final[tuple[Check[SaveSubject], ...]] = (
    Check(
        "save-piece",
        Severity.ERROR,
        "A piece of a saved game cannot be read",
        "the engine stops loading here: replace the piece, or use an earlier save",
        _damaged_piece,
    ),
    Check(
        "save-command",
        Severity.ERROR,
        "A command of a saved game or log is damaged, or of a newer engine",
        "use an earlier save, or a newer VASSAL",
        _damaged_command,
    ),
    Check(
        "save-unfinished",
        Severity.ERROR,
        "A saved game lacks its last command, end_save",
        "the engine never starts the game: the file was cut short when it was written",
        _unfinished,
    ),
    Check(
        "save-metadata",
        Severity.WARNING,
        "What a saved game says about itself or its module cannot be read",
        "save the game anew: the pieces are not concerned",
        _damaged_metadata,
    ),
    Check(
        "save-member",
        Severity.WARNING,
        "A stack or deck holds pieces that are not in the game",
        "nothing is lost but those pieces; saving the game anew drops the names",
        _unknown_member,
    ),
    Check(
        "save-held-twice",
        Severity.WARNING,
        "A piece is in two stacks or decks at once",
        "the last one wins on loading",
        _held_twice,
    ),
    Check(
        "save-nowhere",
        Severity.INFO,
        "Pieces are on no map",
        "nobody sees them; they may be markers that were never placed",
        _piece_nowhere,
    ),
    Check(
        "save-map",
        Severity.WARNING,
        "Pieces are on a map that the module does not have",
        "the engine drops them: give the map its old name again, or refresh the save",
        _unknown_map,
    ),
    Check(
        "save-board",
        Severity.WARNING,
        "A map shows a board that the module does not have",
        "give the board its old name again",
        _unknown_board,
    ),
    Check(
        "save-unknown-piece",
        Severity.WARNING,
        "Pieces have a gpid that the module does not know",
        "hexmarshal refresh says which of them can be matched by name",
        _unknown_piece,
    ),
)
