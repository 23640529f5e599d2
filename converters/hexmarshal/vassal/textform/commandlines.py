"""A command tree on lines: one command each, indented by depth; pieces with one trait a line.

`|` begins a trait of the piece above, `=` a line of a piece's new state, `~` one of its old
state, `!` a command that is written in a way of its own and stays verbatim.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from hexmarshal.vassal.commands.codec import CommandError
from hexmarshal.vassal.commands.piece import AddPiece, ChangePiece
from hexmarshal.vassal.commands.tree import MAX_DEPTH, CommandNode
from hexmarshal.vassal.textform import pictures
from hexmarshal.vassal.textform.piecelines import (
    LineError,
    chain_lines,
    read_chain,
    read_traits,
    trait_lines,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["command_lines", "read_commands"]

_STEP: Final = "  "
_NOTHING: Final = "(nothing)"
_LOG: Final = "LOG\t"
_TRAIT, _NEW, _OLD, _VERBATIM = "| ", "= ", "~ ", "! "
_DETAILS: Final = (_TRAIT, _NEW, _OLD)
_MARKS: Final = (*_DETAILS, _VERBATIM)
_NONE: Final = "null"

T = TypeVar("T")


def command_lines(root: CommandNode) -> Iterator[str]:
    """The lines of a tree."""
    left = [(root, 0)]
    while left:
        node, depth = left.pop()
        margin = _STEP * depth
        if node.verbatim is not None:
            yield margin + _VERBATIM + pictures.show(node.verbatim)
            continue
        head, details = _command(node.text)
        yield margin + head
        yield from (f"{margin}{_STEP}{_STEP}{line}" for line in details)
        left.extend((child, depth + 1) for child in reversed(node.children))


def _command(text: str) -> tuple[str, list[str]]:
    logged = _LOG if text.startswith(_LOG) else ""
    inner = text[len(logged) :]
    expanded = _added(inner) if inner.startswith("+/") else None
    if inner.startswith("D/"):
        expanded = _changed(inner)
    if expanded is None:
        return _line(text), []
    head, details = expanded
    return pictures.show(logged + head), details


def _added(text: str) -> tuple[str, list[str]] | None:
    try:
        command = AddPiece.decode(text)
    except CommandError:
        return None
    lines = trait_lines(command.type, command.state)
    unit = _NONE if command.id is None else command.id
    if lines is None or "/" in unit or command.encode() != text:
        return None
    return f"+/{unit}", [_TRAIT + line for line in lines]


def _changed(text: str) -> tuple[str, list[str]] | None:
    try:
        command = ChangePiece.decode(text)
    except CommandError:
        return None
    new = chain_lines(command.state)
    old = [] if command.old_state is None else chain_lines(command.old_state)
    if new is None or old is None or "/" in command.id or command.encode() != text:
        return None
    return f"D/{command.id}", [*(_NEW + line for line in new), *(_OLD + line for line in old)]


def _line(text: str) -> str:
    if not text:
        return _NOTHING
    shown = pictures.show(text)
    return pictures.QUOTE + shown if shown == _NOTHING or shown.startswith(_MARKS) else shown


@dataclass(slots=True)
class _Draft:
    """A command as far as it is read: its line, its details, the commands below it."""

    at: int
    text: str
    verbatim: str | None = None
    details: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    children: list[_Draft] = field(default_factory=list)


def read_commands(lines: Sequence[str]) -> CommandNode:
    """The tree that the lines say; a LineError names the line that says nothing sensible."""
    root: _Draft | None = None
    open_at: list[_Draft] = []
    for at, raw in enumerate(lines):
        body = raw.lstrip(" ")
        if not body.strip():
            continue
        mark = next((m for m in _DETAILS if body.startswith(m)), None)
        if mark is not None:
            if not open_at:
                raise LineError(at, f"{mark.strip()} stands before any command")
            open_at[-1].details.setdefault(mark, []).append((at, body[len(mark) :].strip(" ")))
            continue
        depth, uneven = divmod(len(raw) - len(body), len(_STEP))
        if uneven or depth > len(open_at) or depth > MAX_DEPTH:
            raise LineError(
                at,
                "indented as nothing above it is",
                "a command stands two spaces deeper than the one that it belongs to",
            )
        draft = _draft(at, body.rstrip(" "))
        if root is None:
            root = draft
        elif not depth:
            raise LineError(at, "a second command at the left margin: there must be one root")
        else:
            if open_at[depth - 1].verbatim is not None:
                raise LineError(at, "stands inside a verbatim command, which is one line")
            open_at[depth - 1].children.append(draft)
        del open_at[depth:]
        open_at.append(draft)
    if root is None:
        raise LineError(0, "there is no command")
    return _node(root)


def _draft(at: int, body: str) -> _Draft:
    try:
        if body.startswith(_VERBATIM):
            return _Draft(at, "", pictures.read(body[len(_VERBATIM) :]))
        return _Draft(at, "" if body == _NOTHING else pictures.read(body))
    except ValueError as why:
        raise LineError(at, str(why)) from None


def _node(draft: _Draft) -> CommandNode:
    # Not recursive by more than MAX_DEPTH: deeper lines are refused above.
    if draft.verbatim is not None:
        if draft.details:
            raise LineError(draft.at + 1, "a verbatim command has no further lines")
        return CommandNode("", (), draft.verbatim)
    text = _text(draft) if draft.details else draft.text
    return CommandNode(text, tuple(_node(child) for child in draft.children))


def _text(draft: _Draft) -> str:
    text = draft.text
    logged = _LOG if text.startswith(_LOG) else ""
    prefix, unit = text[len(logged) :][:2], text[len(logged) + 2 :]
    wanted = {"+/": {_TRAIT}, "D/": {_NEW, _OLD}}.get(prefix, set())
    strange = next((m for m in draft.details if m not in wanted), None)
    if strange is not None or "/" in unit or not unit:
        at = draft.details[strange][0][0] if strange is not None else draft.at
        raise LineError(
            at,
            "does not belong to the command above it",
            "`|` lines follow +/ID (a piece), `=` and `~` lines follow D/ID (a change)",
        )
    if prefix == "+/":
        texts = _placed(draft.details[_TRAIT], read_traits)
        return logged + AddPiece(None if unit == _NONE else unit, *texts).encode()
    if _NEW not in draft.details:
        raise LineError(draft.at, "a change without a new state", "`=` lines hold it")
    new = _placed(draft.details[_NEW], read_chain)
    old = _placed(draft.details[_OLD], read_chain) if _OLD in draft.details else None
    return logged + ChangePiece(unit, new, old).encode()


def _placed(numbered: list[tuple[int, str]], read: Callable[[list[str]], T]) -> T:
    try:
        return read([line for _, line in numbered])
    except LineError as problem:
        problem.index = numbered[problem.index][0]
        raise
