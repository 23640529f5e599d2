"""What one document says and another does not: the exact account of a conversion's losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Loss", "losses"]


@dataclass(frozen=True, slots=True)
class Loss:
    """A part of a scenario that comes back otherwise, or not at all."""

    path: str
    before: object
    after: object = None
    gone: bool = True

    def __str__(self) -> str:
        return self.path if self.gone else f"{self.path} ({self.before!r} becomes {self.after!r})"

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        out: dict[str, object] = {"path": self.path, "value": self.before}
        return out if self.gone else out | {"becomes": self.after}


def losses(before: object, after: object, path: str = "") -> Iterator[Loss]:
    """Every part that differs, the largest whole that is gone told once."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name, part in before.items():
            here = f"{path}.{name}" if path else str(name)
            if name not in after:
                yield Loss(here, part)
            else:
                yield from losses(part, after[name], here)
        for name in after:
            if name not in before:
                here = f"{path}.{name}" if path else str(name)
                yield Loss(here, None, after[name], gone=False)
    elif type(before) is not type(after) or before != after:
        yield Loss(path, before, after, gone=False)
