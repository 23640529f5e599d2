"""Looks for names and words in modules, extensions, their set-ups and pages, saves and logs."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Final, cast

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.table import Chat, LogEntry
from hexmarshal.vassal.components.attributes import Expression, Format
from hexmarshal.vassal.images.image_set import FOLDER, HTML_IMAGE, html_entries, page_image
from hexmarshal.vassal.pieces import embedded
from hexmarshal.vassal.pieces.expression_fields import expressions_of
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.pieces.piece_names import basic_name
from hexmarshal.vassal.privacy.secrets import redactor_of
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.search.component_uses import component_uses, may_use
from hexmarshal.vassal.search.places import Hit, Spot, Spots
from hexmarshal.vassal.search.sought import WORDS
from hexmarshal.vassal.search.trait_uses import trait_uses
from hexmarshal.vassal.traits import PieceState, PlaceMarker, Trait, UsePrototype
from hexmarshal.vassal.values import ExactText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.search.sought import Sought
    from hexmarshal.vassal.traits import Record

    Hide = Callable[[str], str]
    # Name, role, field, and the whole text in which words were found.
    _Found = tuple[str, str, str, str]

__all__ = ["find_in_module", "find_in_save"]

# Who owns a piece is a player's password; it is no text to be looked for.
_OWNERS: Final = frozenset({"OWNER", "OWNERS"})
# Of some kinds only one trait has names.
_ONLY_IN: Final[dict[str, type[Trait]]] = {"prototype": UsePrototype, "gpid": PlaceMarker}


def find_in_module(module: Module, sought: Sought, *, saves: bool = True) -> Iterator[Hit]:
    """Every place in a build file, then in the images, pages and set-ups of the archive."""
    file = module.place.file or ""
    spots, uses = Spots(file), _TraitUses(sought)
    for component in module.walk():
        yield from _in_component(spots, component, sought, uses)
    if module.archive is None:
        return
    yield from _in_entries(module, file, sought)
    for entry in nested_saves(module) if saves else ():
        try:
            yield from find_in_save(open_nested(module, entry), sought, file=file, entry=entry)
        except HexMarshalError:
            continue  # lint tells of a set-up that cannot be read


def find_in_save(
    saved: SavedGame,
    sought: Sought,
    *,
    file: str,
    entry: str = "",
    show_secrets: bool = False,
) -> Iterator[Hit]:
    """Every place in the pieces and the chat of a saved game, of a log also in its steps."""
    hide: Hide = str if show_secrets else _late(saved)
    uses = _TraitUses(sought)
    for node in saved.root.walk():
        if sought.kind not in {"text", "gpid"} and not sought.may_be_in(node.text):
            continue
        command = node.command
        while isinstance(command, LogEntry):
            command = command.logged
        if isinstance(command, AddPiece):
            if sought.may_be_in(command.type) or sought.may_be_in(command.state):
                piece = Piece.parse(command.type, command.state)
                for found in _in_piece(piece, sought, uses, hide):
                    where = f"on {piece.map}" if piece.map else "on no map"
                    path = f"{hide(basic_name(piece)) or piece.basic.title} ({where})"
                    spot = Spot(file, entry, path, piece=command.id or "")
                    yield Hit(spot, sought.kind, *found)
        elif isinstance(command, Chat) and sought.kind == "text":
            said = hide(command.text) if sought.said_in(command.text) else ""
            if said and sought.said_in(said):
                yield Hit(Spot(file, entry, "chat"), "text", sought.text, "says", "", value=said)


def _late(saved: SavedGame) -> Hide:
    """Keeps players' ids out of what is shown; gathered only once there is something to show."""
    redactors: list[Hide] = []

    def hide(text: str) -> str:
        if not redactors:
            redactors.append(redactor_of(saved.root))
        return redactors[0](text)

    return hide


def _in_component(
    spots: Spots, component: Component, sought: Sought, uses: _TraitUses
) -> Iterator[Hit]:
    telling = sought.kind in WORDS or may_use(component, sought.kind)
    found = [*_in_attributes(component, sought)] if telling else []
    piece = None
    if component.holds_piece and sought.may_be_in(component.text):
        try:
            piece = parse_add(component.text.strip())
        except VassalFormatError:
            piece = None  # lint tells of a definition that cannot be read
    inside = [] if piece is None else [*_in_piece(piece, sought, uses, definition=True)]
    if not found and not inside:
        return
    # To tell the way to a component takes longer than to look through it.
    spot = spots.of(component)
    for name, role, field, value in found:
        yield Hit(spot, sought.kind, name, role, field, value=value)
    for each in inside:
        yield Hit(spot, sought.kind, *each)


def _in_attributes(component: Component, sought: Sought) -> Iterator[_Found]:
    """Name, role, field and value of what the attributes of a component hold."""
    if sought.kind in WORDS:
        declared = component.declared
        for name, value in cast("list[tuple[str, str]]", component.element.items()):
            kind = declared.get(name)
            written = sought.kind == "text" or isinstance(kind, Expression | Format)
            if written and sought.said_in(value):
                yield sought.text, "says", name, value
        if sought.kind == "text" and not component.holds_piece and sought.said_in(component.text):
            yield sought.text, "says", "", component.text.strip()
        return
    implied = component.short_name == "ChangePropertyButton"
    if implied or sought.may_be_in("\n".join(cast("list[str]", component.element.values()))):
        for use in component_uses(component):
            if use.kind == sought.kind and sought.names(use.name):
                yield use.name, use.role, use.field, ""


def _in_piece(
    piece: Piece,
    sought: Sought,
    uses: _TraitUses,
    hide: Hide = str,
    *,
    definition: bool = False,
) -> Iterator[tuple[str, str, str, str, int, str]]:
    """Of each hit the name, its role and field, the trait, how deep it lies, and the value."""
    for inside, each in embedded.walk(piece):
        hits = uses.within(each.traits, hide)
        if sought.kind == "text":
            hits += uses.within(each.states, hide)
            hits.sort(key=itemgetter(0))
        elif sought.kind in {"gpid", "map"}:
            hits += _of_basic(each, sought)
        if not hits:
            continue
        last = len(each.traits) - 1
        for index, (name, role, field, value) in hits:
            title = each.traits[index].title
            # The number of the basic piece says nothing.
            if not definition or inside or index != last:
                title = f"{title or 'trait of own code'} ({index + 1})"
            yield hide(name), role, field, title, inside, value


class _TraitUses:
    """What of the sought stands in traits and states; what many pieces share is looked at once."""

    def __init__(self, sought: Sought) -> None:
        self._sought = sought
        self._only = _ONLY_IN.get(sought.kind, Trait)
        # Equal traits of a file are one object as long as it is held here.
        self._seen: dict[int, tuple[Record, Sequence[_Found]]] = {}

    def within(self, records: Sequence[Record], hide: Hide) -> list[tuple[int, _Found]]:
        """Each with the number of its trait."""
        seen = self._seen
        hits: list[tuple[int, _Found]] = []
        for index, record in enumerate(records):
            known = seen.get(id(record))
            if known is None:
                known = seen[id(record)] = record, self._look(record, hide)
            if known[1]:
                hits += [(index, found) for found in known[1]]
        return hits

    def _look(self, record: Record, hide: Hide) -> Sequence[_Found]:
        sought, source = self._sought, record.source
        kind = sought.kind
        if kind == "text":
            return [*_in_record(record, sought, hide)]
        if not isinstance(record, Trait) or not isinstance(record, self._only):
            return ()
        # The name of a layer is part of the names of properties that it gives.
        if kind != "property" and source is not None and not sought.may_be_in(source):
            return ()
        if kind == "expression":
            texts = filter(sought.said_in, dict.fromkeys(expressions_of(record)))
            return [(sought.text, "says", "expression", hide(text)) for text in texts]
        return [
            (use.name, use.role, use.field, "")
            for use in trait_uses(record)
            if use.kind == kind and sought.names(use.name)
        ]


def _of_basic(piece: Piece, sought: Sought) -> Iterator[tuple[int, _Found]]:
    last, state = len(piece.traits) - 1, piece.basic_state
    if sought.kind == "map":
        if state is not None and state.map and sought.names(state.map):
            yield last, (state.map, "uses", "map", "")
    elif isinstance(state, PieceState) and state.gpid and sought.names(state.gpid):
        yield last, (state.gpid, "uses", "gpid", "")


def _in_record(record: Record, sought: Sought, hide: Hide) -> Iterator[_Found]:
    before = "" if isinstance(record, Trait) else "state: "
    for spec, value in record.items():
        # A marker's own traits are looked at one by one.
        if spec.code in _OWNERS or spec.code == "MARKER":
            continue
        for text in _texts(value):
            shown = hide(text) if sought.said_in(text) else ""
            if shown and sought.said_in(shown):
                yield sought.text, "says", before + spec.name, shown


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, ExactText):
        yield value.text
    elif isinstance(value, tuple):
        for each in value:
            yield from _texts(each)


def _in_entries(module: Module, file: str, sought: Sought) -> Iterator[Hit]:
    if sought.kind == "image":
        for entry in module.entries():
            name = entry.removeprefix(FOLDER)
            if name != entry and (sought.names(name) or sought.names(name.removesuffix(".gif"))):
                yield Hit(Spot(file, entry), "image", name, "defines", "")
    if sought.kind not in {"text", "image"}:
        return
    for entry in html_entries(module):
        page = module.read(entry).decode("utf-8", "replace")
        for number, line in enumerate(page.splitlines(), 1):
            if sought.kind == "text" and sought.said_in(line):
                spot = Spot(file, entry, f"{entry}, line {number}", line=number)
                yield Hit(spot, "text", sought.text, "says", "", value=line.strip())
    if sought.kind == "image":
        yield from _in_pages(module, file, sought)


def _in_pages(module: Module, file: str, sought: Sought) -> Iterator[Hit]:
    for entry in html_entries(module):
        for raw in HTML_IMAGE.finditer(module.read(entry)):
            found = page_image(module, entry, raw[2])
            name = (found or "").removeprefix(FOLDER)
            if name and sought.names(name):
                yield Hit(Spot(file, entry), "image", name, "uses", "page")
