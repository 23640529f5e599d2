"""One log of a game by e-mail, from its pieces in order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, UsageError, VassalFormatError
from hexmarshal.vassal.commands.table import Chat, LogEntry, Undo
from hexmarshal.vassal.commands.tree import CommandNode, tree
from hexmarshal.vassal.logs.seams import Difference, bridge, differences, fingerprint
from hexmarshal.vassal.saves.chat import ChatKind, read_chat
from hexmarshal.vassal.saves.log import logged_commands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.state.game_state import GameState

__all__ = ["Joined", "Part", "Seam", "join_logs"]


@dataclass(frozen=True, slots=True)
class Part:
    """One log, and what to call it."""

    name: str
    saved: SavedGame


@dataclass(frozen=True, slots=True)
class Seam:
    """Where two logs meet; where they differ, a step of ours takes the game over."""

    before: str
    after: str
    step: int
    """The number of the last step before it."""
    differences: tuple[Difference, ...]

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "before": self.before,
            "after": self.after,
            "step": self.step,
            "differences": [one.to_json() for one in self.differences],
        }


@dataclass(frozen=True, slots=True)
class Joined:
    """The whole game, and its seams."""

    saved: SavedGame
    seams: tuple[Seam, ...]
    steps: int
    dropped: int


def join_logs(
    parts: Sequence[Part],
    *,
    drop_chat: bool = False,
    drop_undone: bool = False,
    any_module: bool = False,
    any_order: bool = False,
    place: Callable[[str, int, int], str] | None = None,
) -> Joined:
    """One log that begins with the first and goes on with each; what differs between is told.

    Logs of other modules, the same log twice, and an order in which seams differ though another
    has none, are refused unless `any_module` or `any_order` lets them.
    """
    if len(parts) < 2:
        raise UsageError("a game is joined from two logs at least")
    _same_game(parts, any_module=any_module)
    ends = [_end(part.saved) for part in parts]
    starts = [part.saved.state() for part in parts]
    _twice(parts, starts, ends)
    if not any_order:
        _ordered(parts, starts, ends)
    first = parts[0].saved
    groups: list[CommandNode] = []
    dropped = 0
    seams: list[Seam] = []
    for number, part in enumerate(parts):
        if number:
            found = tuple(differences(ends[number - 1], starts[number], place))
            seams.append(Seam(parts[number - 1].name, part.name, len(groups), found))
            if found:
                groups.append(_bridged(part, ends[number - 1], starts[number], len(found)))
        own = list(part.saved.log_part())
        kept = list(_kept(own, drop_chat=drop_chat, drop_undone=drop_undone))
        dropped += len(own) - len(kept)
        groups += kept
    root = first.root
    rest = [child for child in root.children if not isinstance(child.command, LogEntry)]
    saved = first.with_root(root.with_children([*rest, *groups]))
    return Joined(saved, tuple(seams), len(groups), dropped)


def _end(saved: SavedGame) -> GameState:
    state = saved.state()
    for node in saved.log_part():
        state.apply_all(logged_commands(node))
    return state


def _same_game(parts: Sequence[Part], *, any_module: bool) -> None:
    first = parts[0]
    for part in parts:
        if not part.saved.is_log:
            hint = "a save holds no steps; begin with the log that starts from it"
            raise VassalFormatError("is no log", place=Place(file=part.name), hint=hint)
        known, other = first.saved.module_metadata, part.saved.module_metadata
        names = [one.name if one is not None else "" for one in (known, other)]
        if names[0] != names[1] and not any_module:
            raise UsageError(
                f"is of the module {names[1]!r}, and {first.name} of {names[0]!r}",
                place=Place(file=part.name),
                hint="--any-module joins them all the same",
            )


def _twice(parts: Sequence[Part], starts: Sequence[GameState], ends: Sequence[GameState]) -> None:
    seen: dict[object, str] = {}
    for part, start, end in zip(parts, starts, ends, strict=True):
        texts = tuple(node.text for node in part.saved.log_part())
        key = fingerprint(start), fingerprint(end), texts
        if key in seen:
            raise UsageError(
                f"is the same log as {seen[key]}", place=Place(file=part.name), hint="leave one out"
            )
        seen[key] = part.name


def _ordered(parts: Sequence[Part], starts: Sequence[GameState], ends: Sequence[GameState]) -> None:
    """Refuse an order with seams that differ if the ends and starts tell another without any."""
    begins = [fingerprint(state) for state in starts]
    closes = [fingerprint(state) for state in ends]
    if all(closes[i] == begins[i + 1] for i in range(len(parts) - 1)):
        return
    for first in range(len(parts)):
        order = [first]
        while len(order) < len(parts):
            after = [i for i, b in enumerate(begins) if b == closes[order[-1]] and i not in order]
            if len(after) != 1:
                break
            order.append(after[0])
        if len(order) == len(parts):
            names = " ".join(parts[i].name for i in order)
            raise UsageError(
                "the logs are out of order",
                place=Place(file=parts[0].name),
                hint=f"without a gap: {names}; --any-order joins them as given",
            )


def _bridged(part: Part, end: GameState, start: GameState, count: int) -> CommandNode:
    """A step that makes of the end of one log the start of the next, and says so."""
    things = "thing" if count == 1 else "things"
    said = Chat(f"* {PurePath(part.name).name} begins here, with {count} {things} otherwise *")
    return _group([said, *bridge(end, start)])


def _group(commands: Iterable[Command]) -> CommandNode:
    first, *rest = (tree(LogEntry(command.encode())) for command in commands)
    return first.with_children(rest)


def _kept(
    groups: Sequence[CommandNode], *, drop_chat: bool, drop_undone: bool
) -> Iterator[CommandNode]:
    gone = _undone(groups) if drop_undone else frozenset()
    for number, node in enumerate(groups):
        if number in gone:
            continue
        if not drop_chat:
            yield node
            continue
        commands = tuple(logged_commands(node))
        left = [command for command in commands if not _is_talk(command)]
        if len(left) == len(commands):
            yield node
        elif left:
            yield _group(left)


def _is_talk(command: Command) -> bool:
    return isinstance(command, Chat) and read_chat(command.text).kind is ChatKind.TALK


def _undone(groups: Sequence[CommandNode]) -> frozenset[int]:
    """The steps that were taken back, and those that take them back."""
    gone: set[int] = set()
    done: list[int] = []
    for number, node in enumerate(groups):
        if any(isinstance(command, Undo) for command in logged_commands(node)):
            if done:
                gone |= {done.pop(), number}
        else:
            done.append(number)
    return frozenset(gone)
