"""Who gives and who takes each prototype, key and property, over several files at once."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Final, cast

from lxml import etree

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.vassal.components import DrawPile
from hexmarshal.vassal.images.image_uses import images_named
from hexmarshal.vassal.pieces import embedded
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.pieces.references import image_names, images_in, images_of
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.search.component_uses import SILENT, component_uses
from hexmarshal.vassal.search.places import Hit, Spot, Spots
from hexmarshal.vassal.search.trait_uses import named_uses
from hexmarshal.vassal.traits import PlaceMarker, decode_trait
from hexmarshal.vassal.values import beanshell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lxml.etree import _Element

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.search.uses import Use
    from hexmarshal.vassal.traits import Trait

    # A place, which is told when it is asked for.
    SpotOf = Callable[[], Spot]
    # Hears what is named at a place, and says whether to be told of every other one, too.
    Images = Callable[[SpotOf, Iterable[str]], bool]

__all__ = ["JOINTS", "Ledger"]

_GIVES: Final = frozenset({"defines", "hears", "watches", "sets"})
_TAKES: Final = frozenset({"uses", "sends", "reads"})
# Images apart, for they are files.
_ENDS: Final = frozenset({"prototype", "key", "property"})
JOINTS: Final = "_- "
"""What stands between the parts of a name."""
_QUOTED: Final = cast(
    "Callable[[_Element], list[str]]",
    etree.XPath("descendant-or-self::*/@*[contains(., '\"')]", smart_strings=False),
)
_WORD: Final = re.compile(r"[^\W\d]\w*")


@dataclass(slots=True)
class Places:
    """The first place of a name, which is told when it is asked for, and how many there are."""

    use: Use
    spot_of: SpotOf
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
    states: list[str] = field(default_factory=list)
    """The states of all pieces."""
    unread: list[str] = field(default_factory=list)
    """Definitions that are none of a piece."""
    images: Images | None = None
    """Hears of the images that components and pieces name."""
    _known: dict[int, Sequence[Places]] = field(default_factory=dict)
    """What the pieces share: a trait is looked into once and then only counted."""
    _noted: dict[tuple[Use, ...], Sequence[Places]] = field(default_factory=dict)
    """Traits that differ in a picture alone have the same ends."""
    _held: list[Trait] = field(default_factory=list)
    """Equal traits of a file are one object as long as it is held."""
    _again: set[int] = field(default_factory=set)
    """Traits with images of which every piece is told."""
    _chains: list[tuple[Trait, ...]] = field(default_factory=list)
    """Of each piece the traits, which are counted when all have been seen."""

    def note(self, use: Use, spot_of: SpotOf, trait: str, inside: int) -> Places | None:
        """Enter one use, not counted yet; where it is counted, if it is an end of a name."""
        at = (use.kind, use.name)
        ends = self.given if use.role in _GIVES else self.taken if use.role in _TAKES else None
        found = None
        if not trait and ends is self.taken and use.kind == "property" and _local(use):
            self.local.add(at)
        elif ends is not None:
            found = ends.get(at)
            if found is None:
                found = ends[at] = Places(use, spot_of, trait, inside)
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

    def texts(self) -> Iterator[str]:
        """Every text of the pieces: each trait once, each state, and what could not be read."""
        yield from (trait.source or trait.encode() for trait in self._held)
        yield from self.states
        yield from self.unread

    def module(self, module: Module) -> None:
        """Enter a module or extension with its set-ups."""
        file = module.place.file or ""
        self.definitions(module)
        for entry in nested_saves(module) if module.archive is not None else ():
            try:
                self.saved(open_nested(module, entry), file, entry)
            except HexMarshalError:
                continue  # lint tells of a set-up that cannot be read

    def definitions(self, module: Module) -> None:
        """Enter what a build file holds."""
        spots = Spots(module.place.file or "")
        for component in module.walk():
            spot_of = partial(spots.of, component)
            if component.class_name not in SILENT:
                self._component(spot_of, component)
            text = component.text.strip() if component.holds_piece else ""
            if text:
                try:
                    piece = parse_add(text)
                except VassalFormatError:
                    self.unread.append(text)  # lint tells of it
                else:
                    self._piece(spot_of, piece)
        for value in _QUOTED(module.document.root):
            self._mention(value)
        self._count()

    def saved(self, saved: SavedGame, file: str, entry: str = "") -> None:
        """Enter the pieces of a saved game; equal definitions once."""
        seen: set[str] = set()
        for command in saved.pieces():
            if command.type not in seen:
                seen.add(command.type)
                piece = Piece.parse(command.type, command.state)
                spot = Spot(file, entry, piece.name, piece=command.id or "")
                self._piece(partial(Spot._make, spot), piece)
        self._count()

    def _component(self, spot_of: SpotOf, component: Component) -> None:
        if self.images is not None:
            for name in images_named(component).values():
                self.images(spot_of, (name,))
        for use in component_uses(component):
            place = self.note(use, spot_of, "", 0) if use.kind in _ENDS else None
            if place is not None:
                place.count += 1
        if isinstance(component, DrawPile):
            for counted in component.get("countExpressions").split(","):
                self.mentioned.update(_WORD.findall(counted))

    def _piece(self, spot_of: SpotOf, piece: Piece) -> None:
        # What a state holds is no end of a name: the traits of the type are enough.
        traits = piece.type.traits
        self._chains.append(traits)
        self.states.append(piece.state_text)
        if not all(map(self._known.__contains__, map(id, traits))):
            self._enter(spot_of, traits, 0)
        if self.images is None:
            return
        # A state names an image in the tag of a label only.
        if "<" in piece.state_text:
            self.images(spot_of, images_of(piece))
        elif not self._again.isdisjoint(map(id, traits)):
            for trait in traits:
                if id(trait) in self._again:
                    self.images(spot_of, _images(trait))

    def _enter(self, spot_of: SpotOf, traits: tuple[Trait, ...], inside: int) -> None:
        """Note the traits that are new, then those of the pieces inside them."""
        known = self._known
        markers: list[PlaceMarker] = []
        for index, trait in enumerate(traits):
            if id(trait) not in known:
                self._trait(spot_of, trait, index, inside)
                if isinstance(trait, PlaceMarker):
                    markers.append(trait)
        for marker in markers if inside < embedded.MAX_DEPTH else ():
            inner = embedded.marker_piece(marker)
            if inner is not None:
                held = inner.type.traits
                self._enter(spot_of, held, inside + 1)
                # Where the marker is counted, what it holds is.
                of_held = chain.from_iterable(known[id(trait)] for trait in held)
                known[id(marker)] = (*known[id(marker)], *of_held)

    def _trait(self, spot_of: SpotOf, trait: Trait, index: int, inside: int) -> None:
        source = trait.source
        if source is None or '"' in source:
            self._mention(source or "")
        ends = _of_ends(trait) if source is None else _ends_in(source)
        places = self._noted.get(ends)
        if places is None:
            title = f"{trait.title} ({index + 1})"
            noted = (self.note(use, spot_of, title, inside) for use in ends)
            places = self._noted[ends] = [place for place in noted if place is not None]
        self._held.append(trait)
        self._known[id(trait)] = places
        if self.images is not None and (names := _images(trait)) and self.images(spot_of, names):
            self._again.add(id(trait))

    def _count(self) -> None:
        known = self._known
        for trait, times in Counter(map(id, chain.from_iterable(self._chains))).items():
            for place in known[trait]:
                place.count += times
        self._chains.clear()

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
def _ends_in(source: str) -> tuple[Use, ...]:
    return _of_ends(decode_trait(source))


def _images(trait: Trait) -> tuple[str, ...]:
    return image_names(trait) if trait.source is None else images_in(trait.source)


def _of_ends(trait: Trait) -> tuple[Use, ...]:
    return tuple([use for use in named_uses(trait) if use.kind in _ENDS])


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
