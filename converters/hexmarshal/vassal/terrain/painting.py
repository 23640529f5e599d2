"""Paints a terrain file by its map's picture, and never over what a person has set."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.geometry.terrain.terrain_file import loads
from hexmarshal.geometry.terrain.terrain_file_edit import CellEntry, TerrainText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.terrain.colours import Guess, Looks

__all__ = ["Painted", "painted_text"]


@dataclass(frozen=True, slots=True)
class Painted:
    """A terrain file as painted: which cells are now what, which stayed, which are doubtful.

    `unlike` are those that look like none of the examples.
    """

    text: str
    painted: Mapping[str, Guess]
    kept: tuple[str, ...]
    doubtful: tuple[str, ...]
    unlike: tuple[str, ...]

    def count(self) -> dict[str, int]:
        """How many cells of each terrain were painted."""
        return dict(Counter(guess.terrain for guess in self.painted.values()).most_common())


def painted_text(text: str, file: str, looks: Looks, examples: Mapping[str, str]) -> Painted | None:
    """The file with the terrain of its picture; None if there is no example to go by.

    What a person has set, in the file or as an example, stays, and cells of one terrain alone
    are examples too. What an earlier painting set and nobody changed since is painted anew.
    """
    edited = TerrainText(text, file)
    entries = edited.entries()
    before = edited.painted()
    confirmed = {
        name: entry.terrain
        for name, entry in entries.items()
        if entry.terrain and (before.get(name),) != entry.terrain
    }
    given = {name: kinds[0] for name, kinds in confirmed.items() if len(kinds) == 1}
    given = {**given, **examples}
    if not given:
        return None
    guesses = looks.guess(given)
    painted = {
        name: guess
        for name, guess in guesses.items()
        if name not in confirmed and name not in examples
    }
    changes = {
        name: CellEntry((guess.terrain,), entries.get(name, CellEntry()).level)
        for name, guess in painted.items()
    }
    for name, kind in examples.items():
        changes[name] = CellEntry((kind,), entries.get(name, CellEntry()).level)
    changes = {n: entry for n, entry in changes.items() if entries.get(n) != entry}
    doubtful = tuple(name for name, guess in painted.items() if not guess.sure)
    kinds = dict.fromkeys(given.values())
    after = edited.with_kinds(kinds).with_cells(changes)
    after = after.with_section("painted", {n: guess.terrain for n, guess in painted.items()})
    after = after.with_section("doubtful", list(doubtful))
    loads(after.text, file=file)
    unlike = tuple(name for name in doubtful if painted[name].unlike > looks.alike)
    return Painted(after.text, painted, tuple(confirmed), doubtful, unlike)
