"""The command by which VASL keeps its boards: `bd`, then each board with its place and changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import Place, VassalFormatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["BoardChoice", "Crop", "boards_in", "board_command", "read_board_command"]

_COMMAND: Final = "bd\t"
_VERSION, _OVERLAY, _RULES, _ZOOM, _FULL = "VER", "OVR", "SSR", "ZOOM", "FH"
_KEYWORDS: Final = frozenset({_VERSION, _OVERLAY, _RULES, _ZOOM, _FULL})
_REVERSED: Final = "r"


class Crop(NamedTuple):
    """What of a board is left, in its own pixels; -1 is all of that dimension."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """One board of a map: its place among the others, and how it is changed."""

    column: int
    row: int
    name: str
    """Without `bd`, as VASL calls it."""
    reversed: bool = False
    crop: Crop | None = None
    version: str = ""
    overlays: tuple[tuple[str, ...], ...] = ()
    rules: tuple[str, ...] = ()
    """Names of VASL's terrain changes."""
    zoom: float = 1.0
    full_hexes: bool = False

    @property
    def file(self) -> str:
        """The name of its archive."""
        return f"bd{self.name}"

    @property
    def changes(self) -> str:
        """Overlays and changed terrain in one line; empty if there are none."""
        overlays = (" ".join(words) for words in self.overlays)
        return ", ".join(dict.fromkeys((*overlays, *self.rules)))

    @property
    def text(self) -> str:
        """As VASL writes it."""
        parts = [str(self.column), str(self.row), _REVERSED * self.reversed + self.name]
        if self.crop is not None:
            parts += map(str, self.crop)
        parts += [_VERSION, self.version or "0.0"]
        for overlay in self.overlays:
            parts += ["", _OVERLAY, *overlay]
        text = "\t".join(parts) + "\t"
        if self.rules:
            text += f"{_RULES}\t" + "\t".join(self.rules)
        if self.zoom != 1.0:
            text += f"\t{_ZOOM}\t{self.zoom}"
        return text + (f"\t{_FULL}\ttrue" if self.full_hexes else "")


def boards_in(commands: Iterable[str]) -> tuple[BoardChoice, ...] | None:
    """The boards that the commands of a save choose; None if none of them is of VASL's boards.

    VASL writes the command once a map window; the windows beside the map have no boards.
    """
    found = None
    for command in commands:
        if command.startswith(_COMMAND):
            boards = read_board_command(command)
            if boards:
                return boards
            found = boards
    return found


def read_board_command(text: str) -> tuple[BoardChoice, ...]:
    """The boards of one command."""
    # A board's text ends where the next `bd` begins, without a tab between if rules come last.
    return tuple(_board(part) for part in text[len(_COMMAND) :].split(_COMMAND) if part.strip("\t"))


def board_command(boards: Sequence[BoardChoice]) -> str:
    """The command for these boards."""
    return _COMMAND + _COMMAND.join(board.text for board in boards)


def _board(text: str) -> BoardChoice:
    words = [word for word in text.replace("\n", "\t").split("\t") if word]
    try:
        column, row, name = int(words[0]), int(words[1]), words[2]
    except (IndexError, ValueError):
        raise VassalFormatError(
            f"the board {text[:60]!r} has no place and name", place=Place(field="boards")
        ) from None
    rest = words[3:]
    crop = None
    numbers = rest[:4]
    if len(numbers) == 4 and all(_is_number(word) for word in numbers):
        crop, rest = Crop(*map(int, numbers)), rest[4:]
    flipped = name.startswith(_REVERSED) and len(name) > 1
    known = _changes(rest)
    return BoardChoice(
        column,
        row,
        name[1:] if flipped else name,
        flipped,
        crop,
        next(iter(known.get(_VERSION, [[""]])[0]), ""),
        tuple(tuple(words) for words in known.get(_OVERLAY, [])),
        tuple(word for words in known.get(_RULES, []) for word in words),
        _zoom(known.get(_ZOOM)),
        bool(known.get(_FULL)) and known[_FULL][0][:1] == ["true"],
    )


def _changes(words: Sequence[str]) -> dict[str, list[list[str]]]:
    """The words after each keyword."""
    found: dict[str, list[list[str]]] = {}
    current: list[str] = []
    for word in words:
        if word in _KEYWORDS:
            current = []
            found.setdefault(word, []).append(current)
        else:
            current.append(word)
    return found


def _zoom(found: list[list[str]] | None) -> float:
    try:
        return float(found[0][0]) if found and found[0] else 1.0
    except ValueError:
        return 1.0


def _is_number(word: str) -> bool:
    return word.lstrip("-").isdigit()
