"""Which piece is meant, and what its texts say: patterns over what a piece shows, and templates."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import Place, RulesError
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.traits import BasicPiece, Layer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.state.placed import PlacedPiece

__all__ = ["Match", "PieceLook", "compiled", "fill"]

_NAMES = re.compile(r"\{([^{}]+)\}")


class PieceLook:
    """What can be seen of a piece, worked out when asked for."""

    def __init__(
        self, piece: Piece, *, id: str = "", gpid: str = "", prototypes: tuple[str, ...] = ()
    ) -> None:
        self.piece = piece
        self.id = id
        self.gpid = gpid
        self.prototypes = prototypes

    @classmethod
    def of(cls, placed: PlacedPiece, prototypes: tuple[str, ...] = ()) -> PieceLook:
        """The look of a piece in a game."""
        return cls(placed.piece, id=placed.id, gpid=placed.gpid, prototypes=prototypes)

    @cached_property
    def properties(self) -> dict[str, str]:
        """Every property that the piece shows."""
        return properties_of(self.piece)

    @property
    def name(self) -> str:
        """The name of the basic piece."""
        return self.piece.name

    def images(self) -> Iterator[str]:
        """The images that the piece can show."""
        for trait in self.piece.traits:
            if isinstance(trait, BasicPiece) and trait.image:
                yield trait.image
            elif isinstance(trait, Layer):
                yield from filter(None, trait.images)

    def words(self) -> dict[str, str]:
        """What a template may name."""
        return {**self.properties, "name": self.name, "gpid": self.gpid, "piece": self.id}

    def levels(self, property: str) -> int:
        """How many levels the layer has whose level this property is; 0 if it is none."""
        layers = (t for t in self.piece.traits if isinstance(t, Layer))
        return next((len(t.images) for t in layers if f"{t.name}_Level" == property), 0)


@dataclass(frozen=True, slots=True)
class Match:
    """Which pieces are meant: all that is given must fit."""

    properties: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    name: re.Pattern[str] | None = None
    image: re.Pattern[str] | None = None
    prototype: re.Pattern[str] | None = None
    gpids: frozenset[str] = frozenset()

    @classmethod
    def load(cls, document: Mapping[str, Any], where: str) -> Match:
        """From the binding."""

        def pattern(key: str) -> re.Pattern[str] | None:
            return compiled(document[key], f"{where}.{key}") if key in document else None

        return cls(
            {
                name: compiled(text, f"{where}.property.{name}")
                for name, text in document.get("property", {}).items()
            },
            pattern("name"),
            pattern("image"),
            pattern("prototype"),
            frozenset(document.get("gpid", ())),
        )

    def find(self, look: PieceLook) -> dict[str, str] | None:
        """The named groups of all patterns, if the piece is meant; else None."""
        if self.gpids and look.gpid not in self.gpids:
            return None
        found: dict[str, str] = {}
        wanted: list[tuple[re.Pattern[str], Iterator[str]]] = []
        if self.name is not None:
            wanted.append((self.name, iter((look.name,))))
        for key, pattern in self.properties.items():
            value = look.properties.get(key)
            if value is None:
                return None
            wanted.append((pattern, iter((value,))))
        if self.image is not None:
            wanted.append((self.image, look.images()))
        if self.prototype is not None:
            wanted.append((self.prototype, iter(look.prototypes)))
        for pattern, texts in wanted:
            fits = next(filter(None, map(pattern.fullmatch, texts)), None)
            if fits is None:
                return None
            found.update((k, v) for k, v in fits.groupdict().items() if v is not None)
        return found


def compiled(text: str, where: str) -> re.Pattern[str]:
    """A pattern of the binding; one that is none is an error that names its field."""
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise RulesError(f"not a regular expression: {error}", place=Place(field=where)) from None


def fill(template: str, words: Mapping[str, str]) -> str | None:
    """The template with its names filled in; None if one of them is not known."""
    if "{" not in template:
        return template
    names = _NAMES.findall(template)
    if any(name not in words for name in names):
        return None
    return _NAMES.sub(lambda found: words[found[1]], template)
