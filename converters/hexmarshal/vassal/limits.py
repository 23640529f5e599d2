"""How much an archive may hold before it counts as hostile; every bound can be raised."""

from __future__ import annotations

from dataclasses import dataclass

from hexmarshal.errors import Place, VassalFormatError

__all__ = ["Limits"]

_MIB = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on entries, sizes in bytes and how much one packed byte may become.

    The ratio counts only for entries above `ratio_floor`: a blank picture packs a thousandfold
    and harms nobody.
    """

    entries: int = 65_535
    entry_size: int = 1024 * _MIB
    total_size: int = 8192 * _MIB
    ratio: int = 250
    ratio_floor: int = 32 * _MIB

    def check_count(self, count: int, place: Place) -> None:
        """Refuse an archive with too many entries."""
        if count > self.entries:
            raise VassalFormatError(
                f"{count} entries are more than the limit of {self.entries}",
                place=place,
                hint="raise Limits.entries if you trust this file",
            )

    def check_entry(self, size: int, packed: int, place: Place) -> None:
        """Refuse an entry that would inflate to too much."""
        if size > self.entry_size:
            raise VassalFormatError(
                f"{size} bytes are more than the limit of {self.entry_size} for one entry",
                place=place,
                hint="raise Limits.entry_size if you trust this file",
            )
        if size > self.ratio_floor and size > packed * self.ratio:
            raise VassalFormatError(
                f"{packed} packed bytes would become {size}: more than {self.ratio} for one,"
                " as in a zip bomb",
                place=place,
                hint="raise Limits.ratio if you trust this file",
            )

    def check_total(self, size: int, place: Place) -> None:
        """Refuse an archive that would inflate to too much as a whole."""
        if size > self.total_size:
            raise VassalFormatError(
                f"{size} bytes in all are more than the limit of {self.total_size}",
                place=place,
                hint="raise Limits.total_size if you trust this file",
            )
