"""Renames through a whole module: its components, pieces, entries, pages and set-ups."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hexmarshal.errors import BadInputError, HexMarshalError, Place, VassalFormatError
from hexmarshal.vassal.commands import game
from hexmarshal.vassal.commands.piece import MovePiece
from hexmarshal.vassal.commands.table import LogEntry
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.components import (
    DrawPile,
    ExtensionElement,
    GlobalProperty,
    Map,
    PieceSlot,
    PrivateMap,
    PrototypeDefinition,
    ScenarioProperty,
)
from hexmarshal.vassal.components.attributes import Expression, Format, Image, Target
from hexmarshal.vassal.images.image_rename import rename_images
from hexmarshal.vassal.images.image_set import FOLDER
from hexmarshal.vassal.pieces.embedded import walk
from hexmarshal.vassal.pieces.expression_fields import expressions_of
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.pieces.piece_rewrite import rewrite_pieces
from hexmarshal.vassal.recipes.property_names import in_expression, in_format, in_target_field
from hexmarshal.vassal.recipes.renames import PieceRenamer, rename_in_path
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.values import GlobalCommandTarget
from hexmarshal.vassal.values.beanshell import is_braced
from hexmarshal.vassal.values.name_literals import in_literals, leftovers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.commands.codec import Command
    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.recipes.fields import Substitution
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["Renaming"]

_NAMED: Final[dict[str, tuple[type[Component], ...]]] = {
    "pieces": (PieceSlot,),
    "prototypes": (PrototypeDefinition,),
    "maps": (Map,),
    "decks": (DrawPile,),
    "properties": (GlobalProperty, ScenarioProperty),
}
C = TypeVar("C", bound="Command")

_TARGETS: Final = {"maps": 3, "decks": 9, "properties": 11}
_PROPERTY_ATTRIBUTES: Final = ("property", "propertyGate", "selectSortProperty", "indexProperty")


@dataclass(frozen=True, slots=True)
class Renaming:
    """Old names and new ones of one kind, by name or by pattern."""

    kind: str
    names: dict[str, str]
    patterns: tuple[Substitution, ...]
    place: Place
    used: set[str] = field(default_factory=set, compare=False)
    _pieces: list[PieceRenamer] = field(default_factory=list, compare=False, repr=False)

    @property
    def pieces(self) -> PieceRenamer:
        """What changes the names inside pieces; the same for all of them."""
        if not self._pieces:
            self._pieces.append(PieceRenamer(self.kind, self.rename))
        return self._pieces[0]

    def rename(self, name: str) -> str:
        """What a name becomes."""
        fresh = self.names.get(name)
        if fresh is None:
            fresh = name
            for pattern in self.patterns:
                if pattern.pattern.fullmatch(name):
                    fresh = pattern.text(name)
                    break
        if fresh != name:
            self.used.add(name)
        return fresh

    # Modules

    def module(self, module: Module, problems: list[str]) -> Iterator[tuple[str, str]]:
        """Rename in place, set-ups included; yields where and what, in words."""
        yield from self.definitions(module, problems)
        if self.kind != "images":
            yield from self._setups(module, problems)

    def definitions(self, module: Module, problems: list[str]) -> Iterator[tuple[str, str]]:
        """Rename in the module's own components and pieces; images also wherever they are used."""
        if self.kind == "images":
            held = [e.removeprefix(FOLDER) for e in module.entries() if e.startswith(FOLDER)]
            # A reference to an image that is not there can still be put right.
            gone = {old: new for old, new in self.names.items() if old not in held}
            yield from self._images(module, held, problems)
            yield from replace(self, names=gone, patterns=(), _pieces=[]).components(module)
        else:
            self._refuse_clashes(module)
            yield from self.components(module)

    def components(self, module: Module) -> Iterator[tuple[str, str]]:
        """Rename in every component and the piece it holds."""
        for component in [*module.walk()] if self.names or self.patterns else ():
            words = [*self._component(component)]
            if component.holds_piece and component.text.strip():
                words += self._piece(component)
            if words:
                yield _where(component), "; ".join(words)

    def missing(self) -> list[str]:
        """Names that were to be changed and were met nowhere, in words."""
        unmet = (name for name in self.names if name not in self.used)
        return [f"there is no {name!r} among the {self.kind}" for name in unmet]

    def mentions(self, module: Module) -> Iterator[str]:
        """Places where an expression holds an old name in a way that is not understood."""
        names = frozenset(self.used)
        seen: dict[str, str] = {}
        for component in module.walk() if names and self.kind != "images" else ():
            for text in _expressions(component):
                if text not in seen:
                    found = leftovers(text, self.kind, names)
                    seen[text] = ", ".join(repr(each) for each in found)
                if seen[text]:
                    yield f"{_where(component)}: {seen[text]} stays in {text}"

    def _setups(self, module: Module, problems: list[str]) -> Iterator[tuple[str, str]]:
        for entry in nested_saves(module):
            try:
                saved = open_nested(module, entry)
                fresh = self.game(saved)
            except HexMarshalError as why:
                problems.append(f"{entry} cannot be read and stays as it is: {why.message}")
                continue
            if fresh is not saved:
                module.changes[entry] = fresh.to_bytes()
                yield entry, f"names of {self.kind} in the saved game"

    def _refuse_clashes(self, module: Module) -> None:
        """A new name that another thing has already would make one of two."""
        if self.kind not in {"prototypes", "maps", "decks"}:
            return
        there = [c.name for c in module.walk() if isinstance(c, _NAMED[self.kind]) and c.name]
        after = [self.rename(name) for name in there]
        for name in dict.fromkeys(after):
            if after.count(name) > max(there.count(name), 1):
                raise BadInputError(
                    f"there is one called {name!r} already",
                    place=self.place,
                    hint=f"names of {self.kind} must differ",
                )

    def _component(self, component: Component) -> Iterator[str]:
        classes = _NAMED.get(self.kind, ())
        if isinstance(component, classes) and component.name:
            fresh = self.rename(component.name)
            if fresh != component.name:
                yield f"name from {component.name!r} to {fresh!r}"
                component.name = fresh
        for attribute, value in [*component.element.attrib.items()]:
            name, text = str(attribute), str(value)
            fresh = self._attribute(component, name, text)
            if fresh != text:
                yield f"{name} from {text!r} to {fresh!r}"
                component.set(name, fresh)

    def _attribute(self, component: Component, name: str, text: str) -> str:
        declared = component.declared.get(name)
        if not text or name == component.naming:
            return text
        if isinstance(declared, Target) and self.kind in _TARGETS:
            index = _TARGETS[self.kind]
            return in_target_field(GlobalCommandTarget(text), index, self.rename).text
        if isinstance(component, ExtensionElement) and name == "target":
            return rename_in_path(self.kind, text, self.rename)
        match self.kind:
            case "images" if isinstance(declared, Image):
                return self.rename(text)
            case "maps" if isinstance(component, PrivateMap) and name == "useBoards":
                return self.rename(text)
            case "decks" if name == "reshuffleTarget":
                return self.rename(text)
            case "properties" if isinstance(declared, Format):
                return in_format(text, self.rename)
            case "properties" if isinstance(declared, Expression):
                return in_expression(text, self.rename)
            case "properties" if name in _PROPERTY_ATTRIBUTES:
                return self.rename(text)
            case "maps" | "decks" | "pieces" if isinstance(declared, Expression | Format):
                is_format = isinstance(declared, Format) and not is_braced(text)
                return text if is_format else in_literals(text, self.kind, self.rename)
        return text

    def _piece(self, component: Component) -> Iterator[str]:
        try:
            piece = parse_add(component.text.strip())
        except VassalFormatError:
            return
        fresh = self.pieces.piece(piece)
        if fresh != piece:
            component.text = format_add(fresh)
            yield f"names of {self.kind} in the piece"

    def _images(
        self, module: Module, held: list[str], problems: list[str]
    ) -> Iterator[tuple[str, str]]:
        """Images that are there, moved, with every reference to them."""
        moved = {name: fresh for name in held if (fresh := self.rename(name)) != name}
        if not moved:
            return
        try:
            done = rename_images(module, moved)
        except HexMarshalError as why:
            raise BadInputError(why.message, place=self.place, hint=why.hint) from None
        for old, new in done.entries.items():
            yield old, f"moved to {new}"
        counts = {"components": done.components, "pages": done.pages, "set-ups": done.saves}
        for what, count in counts.items():
            if count:
                yield what, f"images in {count} of them"
        problems += [f"still mentioned somewhere: {name}" for name in done.mentions]

    # Saved games

    def game(self, saved: SavedGame) -> SavedGame:
        """The game with all names changed; itself if it holds none of them."""
        fresh = rewrite_pieces(saved, self.pieces.piece)
        if self.kind not in {"maps", "properties"}:
            return fresh
        root = self._node(fresh.root)
        return fresh if root is fresh.root else fresh.with_root(root)

    def _node(self, node: CommandNode) -> CommandNode:
        command = node.command
        fresh = self._command(command)
        children = tuple(map(self._node, node.children))
        same = all(a is b for a, b in zip(children, node.children, strict=True))
        if fresh is command and same:
            return node
        return CommandNode(node.text if fresh is command else fresh.encode(), children)

    def _command(self, command: Command) -> Command:
        match command:
            case LogEntry(str()):
                inner = command.logged
                fresh = self._command(inner)
                return command if fresh is inner else LogEntry(fresh.encode())
            case game.SetGlobalProperty(name, _, container):
                return _changed(command, name=self._property(name), container=self._in(container))
            case game.ChangeProperty(name, _, _, container):
                return _changed(command, name=self._property(name), container=self._in(container))
            case game.ChooseBoards(of_map) if self.kind == "maps":
                return _changed(command, map=self.rename(of_map))
            case MovePiece(_, to, _, _, _, source) if self.kind == "maps":
                return _changed(
                    command,
                    map=to and self.rename(to),
                    old_map=source and self.rename(source),
                )
        return command

    def _property(self, name: str) -> str:
        return self.rename(name) if self.kind == "properties" else name

    def _in(self, container: str | None) -> str | None:
        if self.kind != "maps" or not container:
            return container
        of_map, colon, zone = container.partition(":")
        return self.rename(of_map) + colon + zone


def _expressions(component: Component) -> Iterator[str]:
    """Every expression of a component: in its attributes, and in the piece it holds."""
    for name, value in component.element.attrib.items():
        if isinstance(component.declared.get(str(name)), Expression | Format):
            yield str(value)
    if component.holds_piece and component.text.strip():
        try:
            piece = parse_add(component.text.strip())
        except VassalFormatError:
            return
        for _, inner in walk(piece):
            for trait in inner.traits:
                yield from expressions_of(trait)


def _changed(command: C, **fields: str | None) -> C:
    real: dict[str, Any] = {k: v for k, v in fields.items() if v != getattr(command, k)}
    return replace(command, **real) if real else command


def _where(component: Component) -> str:
    way = [component, *component.ancestors()][:-1]
    return " / ".join(step.name or step.short_name for step in reversed(way)) or component.name
