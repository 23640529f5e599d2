"""Who gives and who takes each prototype, key and property, over several files at once."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, cast

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.vassal.components import DrawPile
from hexmarshal.vassal.images.image_uses import images_named
from hexmarshal.vassal.pieces import embedded
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.search.component_uses import component_uses, may_use
from hexmarshal.vassal.search.places import Hit, Spot, Spots
from hexmarshal.vassal.search.trait_uses import trait_uses
from hexmarshal.vassal.traits import decode_trait
from hexmarshal.vassal.values import beanshell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.search.uses import Use
    from hexmarshal.vassal.traits import Trait

    # What is told of the images that a component or its piece names.
    Images = Callable[[Component, Iterable[str]], None]

__all__ = ["JOINTS", "Ledger"]

_GIVES: Final = frozenset({"defines", "hears", "watches", "sets"})
_TAKES: Final = frozenset({"uses", "sends", "reads"})
# Images apart, for they are files.
_ENDS: Final = frozenset({"prototype", "key", "property"})
JOINTS: Final = "_- "
"""What stands between the parts of a name."""
_WORD: Final = re.compile(r"[^\W\d]\w*")


@dataclass(slots=True)
class Places:
    """The first place of a name, which is told when it is asked for, and how many there are."""

    use: Use
    spot_of: Callable[[], Spot]
    trait: str
    inside: int
    count: int = 0

    @property
    def first(self) -> Hit:
        """The first place."""
        use = self.use
        return Hit(self.spot_of(), use.kind, use.name, use.role, use.field, self.trait, self.inside)


@dataclass(slots=True)
class Ledger:
    """Both ends of every name: who gives it, who takes it."""

    given: dict[tuple[str, str], Places] = field(default_factory=dict)
    taken: dict[tuple[str, str], Places] = field(default_factory=dict)
    local: set[tuple[str, str]] = field(default_factory=set)
    """Properties that a report of a component asks for, which the engine gives for that report."""
    offered: set[tuple[str, str]] = field(default_factory=set)
    """Keys that a menu, a button or a keyboard reaches."""
    mentioned: set[str] = field(default_factory=set)
    """Words in texts of expressions: names of properties may be put together from them."""
    parts: set[str] = field(default_factory=set)
    """Texts in expressions that begin or end as a part of a longer name does."""
    patterns: list[re.Pattern[str]] = field(default_factory=list)
    """Names of prototypes that parameters complete."""
    _known: dict[int, Sequence[Places]] = field(default_factory=dict)
    """What the pieces share: a trait is looked into once and then only counted."""
    _held: list[Trait] = field(default_factory=list)
    """Equal traits of a file are one object as long as it is held."""

    def note(self, use: Use, spot_of: Callable[[], Spot], trait: str, inside: int) -> Places | None:
        """Enter one use; where it is counted, if it is an end of a name."""
        at = (use.kind, use.name)
        ends = self.given if use.role in _GIVES else self.taken if use.role in _TAKES else None
        found = None
        if not trait and ends is self.taken and use.kind == "property" and _local(use):
            self.local.add(at)
        elif ends is not None:
            found = ends.get(at)
            if found is None:
                found = ends[at] = Places(use, spot_of, trait, inside)
            found.count += 1
        if use.kind == "key" and use.role == "hears" and use.offered:
            self.offered.add(at)
        if use.kind == "prototype" and use.role == "uses" and "$" in use.name:
            parts = (re.escape(part) for part in re.split(r"\$[^$]*\$", use.name))
            self.patterns.append(re.compile(".*".join(parts)))
        return found

    def takes(self, kind: str, name: str) -> bool:
        """Whether anything asks for it."""
        return (kind, name) in self.taken or (kind, name) in self.local

    def mentions(self, name: str) -> bool:
        """Whether an expression may put the name together: `Lord + "_Map"`, `"Site " + Town`."""
        bare = name.rstrip("0123456789")
        return (
            name in self.mentioned
            or (bare != name and (bare in self.mentioned or self.takes("property", bare)))
            or any(_part_of(part, name) for part in self.parts)
        )

    def module(self, module: Module, images: Images | None = None) -> None:
        """Enter a module or extension with its set-ups."""
        file = module.place.file or ""
        self.definitions(module, images)
        for entry in nested_saves(module) if module.archive is not None else ():
            try:
                self.saved(open_nested(module, entry), file, entry)
            except HexMarshalError:
                continue  # lint tells of a set-up that cannot be read

    def definitions(self, module: Module, images: Images | None = None) -> None:
        """Enter what a build file holds; the images that are named there go to `images`."""
        spots = Spots(module.place.file or "")
        for component in module.walk():
            text = component.text.strip() if component.holds_piece else ""
            piece: Piece | None = None
            if text:
                with suppress(VassalFormatError):
                    piece = parse_add(text)
            if images is not None:
                for _, names in images_named(component, piece):
                    images(component, names)
            self._component(spots, component, piece, empty=not text)

    def saved(self, saved: SavedGame, file: str, entry: str = "") -> None:
        """Enter the pieces of a saved game; equal definitions once."""
        seen: set[str] = set()
        for command in saved.pieces():
            if command.type not in seen:
                seen.add(command.type)
                piece = Piece.parse(command.type, command.state)
                spot = Spot(file, entry, piece.name, piece=command.id or "")
                self._piece(partial(Spot._make, spot), piece)

    def _component(
        self, spots: Spots, component: Component, piece: Piece | None, *, empty: bool
    ) -> None:
        # Most are slots, which have gpids and nothing else.
        plain = not may_use(component, "prototype")
        found = [] if plain else [*component_uses(component)]
        if not found and empty and not (plain and component.get("gpid")):
            return
        spot_of = partial(spots.of, component)
        for use in found:
            if use.kind in _ENDS:
                self.note(use, spot_of, "", 0)
        for value in cast("list[str]", component.element.values()):
            if '"' in value:
                self._mention(value)
        if isinstance(component, DrawPile):
            for counted in component.get("countExpressions").split(","):
                self.mentioned.update(_WORD.findall(counted))
        if piece is not None:
            self._piece(spot_of, piece)

    def _piece(self, spot_of: Callable[[], Spot], piece: Piece) -> None:
        known = self._known.get
        for inside, each in embedded.walk(piece):
            for index, trait in enumerate(each.traits):
                seen = known(id(trait))
                if seen is None:
                    self._trait(spot_of, trait, index, inside)
                else:
                    for place in seen:
                        place.count += 1

    def _trait(self, spot_of: Callable[[], Spot], trait: Trait, index: int, inside: int) -> None:
        source = trait.source
        if source is None or '"' in source:
            self._mention(source or "")
        places: Sequence[Places] = ()
        if ends := _of_ends(trait) if source is None else _ends_in(source):
            title = f"{trait.title} ({index + 1})"
            noted = (self.note(use, spot_of, title, inside) for use in ends)
            places = [place for place in noted if place is not None]
        self._held.append(trait)
        self._known[id(trait)] = places

    def _mention(self, text: str) -> None:
        if '"' in text and text not in self.mentioned:
            words, parts = _literals(text)
            self.mentioned.update(words)
            self.parts.update(parts)


@lru_cache(maxsize=1 << 12)
def _literals(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The literals in expressions with their words, and those that may be part of a name."""
    inside = [token.text[1:-1] for token in beanshell.tokens(text) if token.kind == "string"]
    parts = [each for each in inside if len(each) > 1]
    joined = [each for each in parts if each[0] in JOINTS or each[-1] in JOINTS]
    words = [word for each in inside for word in _WORD.findall(each)]
    return frozenset((*inside, *words)), frozenset(joined)


@lru_cache(maxsize=1 << 15)
def _ends_in(source: str) -> Sequence[Use]:
    return _of_ends(decode_trait(source))


def _of_ends(trait: Trait) -> Sequence[Use]:
    return tuple([use for use in trait_uses(trait) if use.kind in _ENDS])


def _part_of(part: str, name: str) -> bool:
    """Whether a text in an expression may be a part of this name; a short one only at an end."""
    return (
        (part[-1] in JOINTS and name.startswith(part))
        or (part[0] in JOINTS and name.endswith(part))
        or (len(part) > 3 and part in name)
    )


def _local(use: Use) -> bool:
    """Whether a report of a component asks, whose properties the engine gives for that report."""
    return use.field.lower().endswith(("format", "message", "report", "forma"))
