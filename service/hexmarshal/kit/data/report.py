"""Whose data a game plays with: file by file, and what in them the rulebook does not print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import HexMarshalError
from hexmarshal.kit.data.source import TERRAIN
from hexmarshal.rules import engine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.kit.data.source import Source
    from hexmarshal.rules.plugin import GamePlugin

__all__ = ["FileReport", "play_problems", "reports"]

# Notes in a file about what of it is a reconstruction; names that begin so are free in every file.
_NOTE = "x_reconstruction"
_OURS = "ours"


@dataclass(frozen=True, slots=True)
class FileReport:
    """One file: its kind, whose it is, and what in it no rulebook prints."""

    name: str
    kind: str
    whose: str
    invented: str = ""

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        named = {"file": self.name, "kind": self.kind, "whose": self.whose}
        return {**named, **({"invented": self.invented} if self.invented else {})}


def reports(source: Source) -> Iterator[FileReport]:
    """Every file of the game and of the user's folder that can be read."""
    names = {name for pattern in source.data.kinds for name in source.names(pattern)}
    for name in sorted(names):
        kind = source.data.kind(name)
        yield FileReport(name, kind, source.whose(name), _invented(source, name, kind))


def _invented(source: Source, name: str, kind: str) -> str:
    if source.data.told_of(name) and source.whose(name) != "yours":
        return source.data.told_of(name)
    if kind == TERRAIN:
        return ""
    try:
        document = source.read(name, kind)
    except HexMarshalError:
        return ""
    if _NOTE in document:
        return str(document[_NOTE])
    rows, values = _labelled(document)
    if not values:
        return ""
    return f"{values} value{'s' * (values > 1)} in {rows} row{'s' * (rows > 1)}, under `ours`"


def _labelled(part: Any) -> tuple[int, int]:  # noqa: ANN401 - any part of a file
    """How many rows have a list `ours`, and how many values such lists name."""
    rows = values = 0
    inside = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    if isinstance(part, dict) and isinstance(part.get(_OURS), list) and part[_OURS]:
        rows, values = 1, len(part[_OURS])
    for one in inside:
        more = _labelled(one)
        rows, values = rows + more[0], values + more[1]
    return rows, values


def play_problems(plugin: GamePlugin) -> Iterator[HexMarshalError]:
    """What is wrong with the data as a whole: every scenario is set up once."""
    try:
        scenarios = [*plugin.scenarios()]
        _ = plugin.game
    except HexMarshalError as error:
        yield error
        return
    for scenario in scenarios:
        try:
            position = engine.start(plugin, scenario.key, seed=1)
            terrain = plugin.terrain_map(position)
            del terrain
        except HexMarshalError as error:
            yield error
