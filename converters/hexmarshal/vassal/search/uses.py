"""What a name is to the place where it stands: defined, used, heard, sent, set, read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.vassal.values import KeyStroke

__all__ = ["KINDS", "Use", "key_uses"]

KINDS: Final = ("prototype", "image", "key", "property", "gpid", "map", "deck")
"""What can be looked for by its name."""


class Use(NamedTuple):
    """One name in one field of a trait or component.

    Roles: a prototype, image, map, deck or gpid is `defines` or `uses`; a key `hears`, `watches`,
    `blocks` or `sends`; a property `defines` (it has a value of its own), `sets` or `reads`.
    """

    kind: str
    name: str
    role: str
    field: str
    offered: bool = False
    """Of a key: whether a menu or a button offers it, so that nobody has to send it."""


def key_uses(
    keys: Iterable[KeyStroke], role: str, field: str, *, offered: bool = False
) -> Iterator[Use]:
    """Keys as uses, those that are none left out; a key that a keyboard has is always offered."""
    for key in keys:
        if not key.is_none:
            yield Use("key", key.human(), role, field, offered or not key.name)
