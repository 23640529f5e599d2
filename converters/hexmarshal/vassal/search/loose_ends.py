"""What is defined and never used, or used and never defined, over several files at once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.vassal.components import DrawPile, GamePieceImage
from hexmarshal.vassal.images.image_set import missing_images, unused_images
from hexmarshal.vassal.pieces import embedded
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.search.component_uses import component_uses
from hexmarshal.vassal.search.engine_properties import known_to_engine
from hexmarshal.vassal.search.places import Hit, Spot, Spots
from hexmarshal.vassal.search.trait_uses import trait_uses
from hexmarshal.vassal.values import beanshell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.search.uses import Use
    from hexmarshal.vassal.traits import Trait

__all__ = ["LOOSE_KINDS", "Ledger", "LooseEnd", "undefined", "undefined_in", "unused"]

LOOSE_KINDS: Final = ("prototype", "image", "key", "property")
_GIVES: Final = frozenset({"defines", "hears", "watches", "sets"})
_TAKES: Final = frozenset({"uses", "sends", "reads"})
_JOINTS: Final = "_- "
_WORD: Final = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class LooseEnd:
    """A name with one end only, the first place of it and how many there are."""

    kind: str
    name: str
    first: Hit | None
    places: int

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        first = None if self.first is None else self.first.as_dict()
        return {"kind": self.kind, "name": self.name, "places": self.places, "first": first}


@dataclass(slots=True)
class Places:
    """The first place of a name, and how many there are."""

    first: Hit
    count: int = 0


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
    _known: dict[int, tuple[Trait, list[Places]]] = field(default_factory=dict)
    """What the pieces share: a trait is looked into once and then only counted."""

    def note(self, use: Use, spot: Spot, trait: str, inside: int) -> Places | None:
        """Enter one use; where it is counted, if it is an end of a name."""
        at = (use.kind, use.name)
        ends = self.given if use.role in _GIVES else self.taken if use.role in _TAKES else None
        found = None
        if ends is self.taken and use.kind == "property" and _local(use, trait):
            self.local.add(at)
        elif ends is not None:
            found = ends.get(at)
            if found is None:
                hit = Hit(spot, use.kind, use.name, use.role, use.field, trait, inside)
                found = ends[at] = Places(hit)
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
            self._component(spots, component)

    def saved(self, saved: SavedGame, file: str, entry: str = "") -> None:
        """Enter the pieces of a saved game; equal definitions once."""
        seen: set[str] = set()
        for command in saved.pieces():
            if command.type not in seen:
                seen.add(command.type)
                piece = Piece.parse(command.type, command.state)
                self._piece(Spot(file, entry, piece.name, piece=command.id or ""), piece)

    def _component(self, spots: Spots, component: Component) -> None:
        found = [*component_uses(component)]
        text = component.text.strip() if component.holds_piece else ""
        if not found and not text:
            return
        spot = spots.of(component)
        for use in found:
            self.note(use, spot, "", 0)
        for value in component.element.attrib.values():
            self._mention(str(value))
        if isinstance(component, DrawPile):
            for counted in component.get("countExpressions").split(","):
                self.mentioned.update(_WORD.findall(counted))
        if text:
            try:
                self._piece(spot, parse_add(text))
            except VassalFormatError:
                return

    def _piece(self, spot: Spot, piece: Piece) -> None:
        known = self._known
        for inside, each in embedded.walk(piece):
            for index, trait in enumerate(each.traits):
                seen = known.get(id(trait))
                if seen is not None:
                    for place in seen[1]:
                        place.count += 1
                    continue
                self._mention(trait.source or "")
                title = f"{trait.title} ({index + 1})"
                noted = [self.note(use, spot, title, inside) for use in trait_uses(trait)]
                # Held, so that an equal trait is this one.
                known[id(trait)] = trait, [place for place in noted if place is not None]

    def _mention(self, text: str) -> None:
        if '"' in text and text not in self.mentioned:
            for token in beanshell.tokens(text):
                if token.kind == "string":
                    inside = token.text[1:-1]
                    self.mentioned.update((inside, *_WORD.findall(inside)))
                    if len(inside) > 1 and (inside[0] in _JOINTS or inside[-1] in _JOINTS):
                        self.parts.add(inside)


def unused(modules: Sequence[Module], saves: Iterable[SavedGame] = ()) -> Iterator[LooseEnd]:
    """Prototypes, images, named keys and properties that are there and that nothing asks for."""
    ledger = _ledger(modules, saves)
    for (kind, name), places in ledger.given.items():
        if kind not in LOOSE_KINDS or ledger.takes(kind, name):
            continue
        if kind == "prototype" and any(p.fullmatch(name) for p in ledger.patterns):
            continue
        if kind == "key" and (kind, name) in ledger.offered:
            continue
        if kind == "property" and (_made(name) or "$" in name or ledger.mentions(name)):
            continue
        yield LooseEnd(kind, name, places.first, places.count)
    for module in modules:
        if module.archive is not None:
            file = module.place.file or ""
            for entry in unused_images(module):
                spot = Spot(file, entry)
                yield LooseEnd("image", entry, Hit(spot, "image", entry, "defines", ""), 0)


def undefined(modules: Sequence[Module], saves: Iterable[SavedGame] = ()) -> Iterator[LooseEnd]:
    """Prototypes, images, keys and properties that are asked for and that nothing gives."""
    yield from undefined_in(_ledger(modules, saves))
    whole = modules[0] if modules else None
    if whole is None or whole.archive is None:
        return
    for module in modules:
        spots = Spots(module.place.file or "")
        drawn = frozenset(image.name for image in module.each(GamePieceImage) if image.name)
        for name, users in missing_images(module, drawn).items():
            if any(each.find_image(name) for each in modules if each.archive is not None):
                continue
            spot = spots.of(users[0])
            yield LooseEnd("image", name, Hit(spot, "image", name, "uses", ""), len(users))


def undefined_in(ledger: Ledger) -> Iterator[LooseEnd]:
    """The same of a ledger; images apart, for they are files."""
    for (kind, name), places in ledger.taken.items():
        if kind not in LOOSE_KINDS or kind == "image" or "$" in name:
            continue
        if (kind, name) in ledger.given:
            continue
        if kind == "property" and (_not_asked(name) or _begins(name, ledger)):
            continue
        # Only a named command has to be heard by something in the module.
        if kind == "key" and not name.startswith("["):
            continue
        yield LooseEnd(kind, name, places.first, places.count)


def _part_of(part: str, name: str) -> bool:
    """Whether a text in an expression may be a part of this name; a short one only at an end."""
    return (
        (part[-1] in _JOINTS and name.startswith(part))
        or (part[0] in _JOINTS and name.endswith(part))
        or (len(part) > 3 and part in name)
    )


def _begins(name: str, ledger: Ledger) -> bool:
    """Whether it is only the beginning of names that an expression completes."""
    return any(
        given != name and given.startswith(name) and (name[-1] in _JOINTS or given[-1].isdigit())
        for kind, given in ledger.given
        if kind == "property"
    )


def _not_asked(name: str) -> bool:
    """Whether the engine gives it, or it is a number or an expression where a name should be."""
    return known_to_engine(name) or "{" in name or name.isdecimal()


def _made(name: str) -> bool:
    """Whether the name was made from that of a layer or of a rotation: many are not asked for."""
    return name.endswith(("_Level", "_Name", "_Active", "_Image", "_Facing", "_Degrees", "_result"))


def _local(use: Use, trait: str) -> bool:
    """Whether a report of a component asks, whose properties the engine gives for that report."""
    return not trait and use.field.lower().endswith(("format", "message", "report", "forma"))


def _ledger(modules: Sequence[Module], saves: Iterable[SavedGame]) -> Ledger:
    ledger = Ledger()
    for module in modules:
        ledger.module(module)
    for saved in saves:
        ledger.saved(saved, saved.place.file or "")
    return ledger
