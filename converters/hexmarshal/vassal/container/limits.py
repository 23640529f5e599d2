"""How much an archive may hold before it counts as hostile; every bound can be raised."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Self

from hexmarshal.errors import Place, UsageError, VassalFormatError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["VARIABLE", "Limits", "TooBigError"]

VARIABLE: Final = "HEXMARSHAL_LIMITS"
_MIB = 1 << 20


class TooBigError(VassalFormatError):
    """An archive that holds more than it may: nothing of it is read."""

    code = "too-big"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on entries, sizes in bytes and how much one packed byte may become.

    The ratio counts only for entries above `ratio_floor`: a blank picture packs a thousandfold
    and harms nobody. `markup` is how many tags and attributes one entry of XML may have: each takes
    far more room as part of a tree than in the file.
    """

    entries: int = 65_535
    entry_size: int = 1024 * _MIB
    total_size: int = 8192 * _MIB
    ratio: int = 250
    ratio_floor: int = 32 * _MIB
    markup: int = 50_000_000

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Self:
        """The usual bounds, or those that a variable such as `ratio=1000,entries=9000` sets."""
        return cls._from_text(environment.get(VARIABLE, ""))

    @classmethod
    @lru_cache(maxsize=8)
    def _from_text(cls, text: str) -> Self:
        chosen: dict[str, int] = {}
        for part in filter(None, text.strip().split(",")):
            name, _, number = (word.strip() for word in part.partition("="))
            known = [field.name for field in fields(cls)]
            if name not in known or not (number.isascii() and number.isdigit()):
                raise UsageError(
                    f"{VARIABLE}: {part.strip()!r} is no limit",
                    hint=f"write name=number, with a name out of {', '.join(known)}",
                )
            chosen[name] = int(number)
        return cls(**chosen)

    def check_count(self, count: int, place: Place) -> None:
        """Refuse an archive with too many entries."""
        if count > self.entries:
            raise TooBigError(
                f"{count} entries are more than the limit of {self.entries}",
                place=place,
                hint=_hint("entries"),
            )

    def check_entry(self, size: int, packed: int) -> None:
        """Refuse an entry that would inflate to too much; who asks knows its name."""
        if size > self.entry_size:
            raise TooBigError(
                f"{size} bytes are more than the limit of {self.entry_size} for one entry",
                hint=_hint("entry_size"),
            )
        if size > self.ratio_floor and size > packed * self.ratio:
            raise TooBigError(
                f"{packed} packed bytes would become {size}: more than {self.ratio} for one,"
                " as in a zip bomb",
                hint=_hint("ratio"),
            )

    def check_markup(self, data: bytes, place: Place) -> None:
        """Refuse XML whose tree would take too much room, before anybody builds it."""
        count = data.count(b"<") + data.count(b"=")
        if count > self.markup:
            raise TooBigError(
                f"{count} tags and attributes are more than the limit of {self.markup}",
                place=place,
                hint=_hint("markup"),
            )

    def check_total(self, size: int, place: Place) -> None:
        """Refuse an archive that would inflate to too much as a whole."""
        if size > self.total_size:
            raise TooBigError(
                f"{size} bytes in all are more than the limit of {self.total_size}",
                place=place,
                hint=_hint("total_size"),
            )


def _hint(name: str) -> str:
    return f"if you trust this file, raise the limit: {VARIABLE}={name}=... (or Limits in code)"
