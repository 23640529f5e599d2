r"""The command tree of a save, a log or a message, kept so that it is written back unchanged.

A command and its sub-commands are one sequence over ESC, nested by plain escaping: a separator
with k backslashes before it divides at depth k. So one split of the whole text gives the tree,
and nothing is unescaped level by level.
"""

from __future__ import annotations

from itertools import repeat
from operator import sub
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands import registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.vassal.commands.codec import Command

__all__ = ["ESC", "MAX_DEPTH", "CommandNode", "parse", "tree"]

ESC: Final = "\x1b"
MAX_DEPTH: Final = 100
# What begins so may be written in more than one way.
_ODD: Final = ("'", "\\")


class CommandNode:
    """A command's own text and its sub-commands; treat it as a value.

    `verbatim` is set only where the text was written in a way of its own (odd quotes, a lone
    nested group): it is what stands in the parent's sequence.
    """

    __slots__ = ("_command", "children", "text", "verbatim")

    def __init__(
        self,
        text: str,
        children: tuple[CommandNode, ...] = (),
        verbatim: str | None = None,
    ) -> None:
        self.text: Final = text
        self.children: Final = children
        self.verbatim = verbatim
        self._command: Command | None = None

    @property
    def command(self) -> Command:
        """The typed command, decoded on first use."""
        if self._command is None:
            self._command = registry.decode(self.text)
        return self._command

    def walk(self) -> Iterator[CommandNode]:
        """This node and all below in the order of execution: a parent before its children."""
        left = [self]
        while left:
            node = left.pop()
            yield node
            left.extend(reversed(node.children))

    def encode(self) -> str:
        """The whole tree as one text."""
        return self.verbatim if self.verbatim is not None else _encode(self)

    def with_children(self, children: Iterable[CommandNode]) -> CommandNode:
        """The same command with other sub-commands."""
        return CommandNode(self.text, tuple(children))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CommandNode):
            return NotImplemented
        return (self.text, self.verbatim, self.children) == (
            other.text,
            other.verbatim,
            other.children,
        )

    def __hash__(self) -> int:
        return hash((self.text, self.children))

    def __repr__(self) -> str:
        # The text may hold a player's password: only its kind and size are shown.
        kind = type(self.command).__name__
        return f"<CommandNode {kind}, {len(self.text)} characters, {len(self.children)} below>"


def tree(command: Command, children: Iterable[CommandNode] = ()) -> CommandNode:
    """A node for a typed command."""
    return CommandNode(command.encode(), tuple(children))


def parse(text: str) -> CommandNode:
    """The tree that a text says; any text is some tree, however odd."""
    written = text.split(ESC)
    last = written.pop()
    # What stands before a separator are its escapes.
    parts = [*map(str.rstrip, written, repeat("\\"))]
    depths = [*map(sub, map(len, written), map(len, parts))]
    parts.append(last)
    node, exact = _Parser(parts, depths).command(0, len(parts) - 1, 0)
    if not exact:
        node.verbatim = text
    return node


class _Parser:
    """Builds nodes from the parts between separators and the depth of each separator."""

    __slots__ = ("depths", "parts")

    def __init__(self, parts: list[str], depths: list[int]) -> None:
        self.parts = parts
        self.depths = depths

    def command(self, first: int, last: int, depth: int) -> tuple[CommandNode, bool]:
        """The command in parts first..last, and whether it would be encoded as it stands."""
        if first == last:
            exact = not self._unquote(first, last)
            while self._unquote(first, last):
                pass
            return CommandNode(self.parts[first]), exact
        shallow = min(self.depths[first:last])
        if shallow > MAX_DEPTH:
            raise VassalFormatError(f"commands are nested deeper than {MAX_DEPTH} levels")
        for _ in range(depth, shallow):
            self._unquote(first, last)
        ends = [i for i in range(first, last) if self.depths[i] == shallow]
        head, plain = self._element(first, ends[0], shallow)
        nodes = (*head.children, *self._children(ends, last, shallow))
        exact = depth == shallow and plain and not head.children
        return CommandNode(head.text, nodes), exact

    def _children(self, ends: list[int], last: int, depth: int) -> Iterable[CommandNode]:
        """The commands behind the separators at `ends`."""
        start = ends[0] + 1
        leaves = self.parts[start : last + 1]
        # Most often none of them has commands below it, or is written in a way of its own.
        if len(ends) == len(leaves) and True not in map(str.startswith, leaves, repeat(_ODD)):
            return map(CommandNode, leaves)
        nodes: list[CommandNode] = []
        for end in [*ends[1:], last]:
            if start == end and self.parts[start][:1] not in _ODD:
                nodes.append(CommandNode(self.parts[start]))
            else:
                nodes.append(self._child(start, end, depth))
            start = end + 1
        return nodes

    def _child(self, first: int, last: int, depth: int) -> CommandNode:
        written = self.parts[first : last + 1]
        node, canonical = self._element(first, last, depth)
        if not canonical:
            node.verbatim = self._text(written, first, depth + 1)
        return node

    def _element(self, first: int, last: int, depth: int) -> tuple[CommandNode, bool]:
        """One element of a sequence at `depth`, and whether it is written the usual way."""
        quoted = self._unquote(first, last)
        wants_quotes = self._wants_quotes(first, last, depth + 1)
        node, exact = self.command(first, last, depth + 1)
        return node, exact and quoted == wants_quotes

    def _unquote(self, first: int, last: int) -> bool:
        head, tail = self.parts[first], self.parts[last]
        if not (head.startswith("'") and tail.endswith("'")) or (first == last and len(head) < 2):
            return False
        self.parts[first] = self.parts[first][1:]
        self.parts[last] = self.parts[last][:-1]
        return True

    def _wants_quotes(self, first: int, last: int, depth: int) -> bool:
        head, tail = self.parts[first], self.parts[last]
        if not head:
            return first < last and self.depths[first] > depth
        return head[0] == "\\" or (head[0] == "'" and tail.endswith("'"))

    def _text(self, written: list[str], first: int, depth: int) -> str:
        parted = zip(written[:-1], self.depths[first:], strict=False)
        return "".join(part + "\\" * (level - depth) + ESC for part, level in parted) + written[-1]


def _encode(node: CommandNode) -> str:
    own = _leaf(node.text)
    if not node.children:
        return node.text
    tokens = [own]
    for child in node.children:
        if child.verbatim is not None:
            tokens.append(child.verbatim.replace(ESC, "\\" + ESC))
        elif child.children:
            tokens.append(sequence.escape(_encode(child), ESC))
        else:
            tokens.append(_leaf(child.text))
    if any(token.endswith("\\") for token in tokens[:-1]):
        raise VassalFormatError(
            "a command that ends in a backslash cannot be followed by another",
            hint="add a space behind the backslash",
        )
    return ESC.join(tokens)


def _leaf(text: str) -> str:
    if not text:
        return text
    if ESC in text:
        raise VassalFormatError("a command's text holds the separator of commands (ESC)")
    if text[0] == "'" and text[-1] == "'" and len(text) > 1:
        raise VassalFormatError("a command's text in single quotes cannot be written")
    return sequence.escape(text, ESC)
