"""Whether names stand anywhere in megabytes of text and code, each part of which is read once."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Mentions"]

_BREAK: Final = 0x0A
_BREAKS: Final = frozenset(b"\t\n\v\f\r\0")
_WORDS: Final = bytes(
    byte if byte >= 0x80 or chr(byte).isalnum() or byte == 0x5F else _BREAK for byte in range(256)
)
_END: Final = 3


class Mentions:
    """Those of some names that stand in texts or in compiled code.

    Both are cut into runs of the bytes that the names consist of. The distinct words of those
    runs are few, and they are enough to deny most names.
    """

    def __init__(self, names: Iterable[str], texts: str, code: bytes) -> None:
        """Texts may have the backslashes of VASSAL's escapes, code is taken as it is."""
        self._forms = {name: {name.encode(), name.encode("latin-1", "replace")} for name in names}
        inside = {byte for forms in self._forms.values() for form in forms for byte in form}
        table = bytes(byte if byte in inside else _BREAK for byte in range(256))
        self._inside = table.replace(b" ", b"\0")
        runs = set(texts.encode().translate(self._inside, b"\\").split())
        runs.update(code.translate(self._inside).split())
        words = set(filter(bytes.isalnum, runs))
        self._text = b"\n".join(runs - words)
        self._words = words.union(self._text.translate(_WORDS).split())

    def __contains__(self, name: str) -> bool:
        return any(map(self._holds, self._forms[name]))

    def _holds(self, name: bytes) -> bool:
        if not _BREAKS.isdisjoint(name):
            return True  # It cannot be told, and nobody is to lose an image by it.
        name = name.translate(self._inside)
        words = name.translate(_WORDS).split()
        if words == [name]:
            return name in self._joined
        # Where the name stands, its words stand whole but for the first's start and last's end.
        return self._may_hold(words) and name in self._text

    def _may_hold(self, words: list[bytes]) -> bool:
        if len(words) < 2:
            return True
        if not self._words.issuperset(words[1:-1]):
            return False
        first, last = words[0], words[-1]
        at = bisect_left(self._sorted, last)
        if at == len(self._sorted) or not self._sorted[at].startswith(last):
            return False
        return first in self._words or (
            first[-_END:] in self._ends and first + b"\n" in self._joined
        )

    @cached_property
    def _sorted(self) -> list[bytes]:
        return sorted(self._words)

    @cached_property
    def _joined(self) -> bytes:
        return b"\n".join(self._words) + b"\n"

    @cached_property
    def _ends(self) -> set[bytes]:
        return {word[-_END:] for word in self._words}
