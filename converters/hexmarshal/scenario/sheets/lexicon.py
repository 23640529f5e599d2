"""What a sheet may speak of, as the game calls it, whatever the spelling in the sheet."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.scenario.sheets.columns import norm

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hexmarshal.scenario.sheets.cells import ColumnKind

__all__ = ["Lexicon", "same_name"]


def _as_written(what: str, text: str, side: str) -> str:
    del what, side
    return text


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The names of one game, for reading forgivingly and keeping what the game itself writes.

    `kinds` tells what the values of its counters hold. `spell` gives the game's own spelling of a
    side, a type (with the side that the unit has), a cell or a box, or the text as it is.
    """

    kinds: Mapping[str, ColumnKind] = field(default_factory=dict)
    sides: frozenset[str] = frozenset()
    spell: Callable[[str, str, str], str] = _as_written

    def side_in(self, text: str) -> str:
        """The one side that a heading names: 'German forces', 'Soviet reinforcements (turn 3)'."""
        words = [text, *re.findall(r"[^\W\d_]+", text)]
        found = {self.spell("side", word, "") for word in words} & self.sides
        return found.pop() if len(found) == 1 else ""


def same_name(text: str) -> str:
    """What two spellings of one name have in common."""
    return re.sub(r"[\s_\-./]+", "", norm(text))
