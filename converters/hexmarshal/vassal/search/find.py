"""Looks for names and words in modules, extensions, their set-ups and pages, saves and logs."""

from __future__ import annotations

from functools import lru_cache, partial
from operator import itemgetter
from typing import TYPE_CHECKING, Final, cast

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands.piece import AddPiece
from hexmarshal.vassal.commands.table import Chat, LogEntry
from hexmarshal.vassal.components.attributes import Expression, Format
from hexmarshal.vassal.components.base import view
from hexmarshal.vassal.images.image_set import FOLDER, HTML_IMAGE, html_entries, page_image
from hexmarshal.vassal.pieces import embedded
from hexmarshal.vassal.pieces.expression_fields import expressions_of
from hexmarshal.vassal.pieces.piece import Piece, parse_add
from hexmarshal.vassal.pieces.piece_names import basic_name
from hexmarshal.vassal.privacy.scrubbing import redactor_of_modules
from hexmarshal.vassal.privacy.secrets import redactor_of
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.search.component_uses import component_uses, may_use
from hexmarshal.vassal.search.places import Hit, Hits, Spot, Spots
from hexmarshal.vassal.search.sought import WORDS
from hexmarshal.vassal.search.trait_uses import trait_uses
from hexmarshal.vassal.traits import BasicPiece, Deck, PlaceMarker, Stack, Trait, UsePrototype

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lxml.etree import _Element

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.search.sought import Sought
    from hexmarshal.vassal.traits import Record

    Hide = Callable[[str], str]
    # Name, role, field, and the whole text in which words were found.
    _Found = tuple[str, str, str, str]
    # How deep inside, the traits, the number of that without one, and what each holds.
    _InPiece = tuple[int, tuple[Trait, ...], int, list[tuple[int, Sequence[_Found]]]]

__all__ = ["find_in_module", "find_in_save"]

# Who owns a piece is a player's password; it is no text to be looked for.
_NOT_SAID: Final = frozenset({"OWNER", "OWNERS", "MARKER"})
# Of some kinds only one trait has names.
_ONLY_IN: Final[dict[str, type[Trait]]] = {"prototype": UsePrototype, "gpid": PlaceMarker}


def find_in_module(
    module: Module, sought: Sought, *, saves: bool = True, show_secrets: bool = False
) -> Hits:
    """Every place in a build file, then in the images, pages and set-ups of the archive."""
    file = module.place.file or ""
    redactor = None if show_secrets or sought.kind not in WORDS else redactor_of_modules(module)
    hide: Hide = redactor if redactor is not None and redactor.ids else str
    hits = _in_build_file(module, file, sought, hide)
    if module.archive is None:
        return hits
    if sought.kind == "image":
        _add_images(hits, module, file, sought)
    elif sought.kind == "text":
        pages = [*_in_pages(module, file, sought)]
        hits.add(file, None, len(pages), partial(iter, pages))
    for entry in nested_saves(module) if saves else ():
        try:
            saved = open_nested(module, entry)
            hits.update(
                find_in_save(saved, sought, file=file, entry=entry, show_secrets=show_secrets)
            )
        except HexMarshalError:
            continue  # lint tells of a set-up that cannot be read
    return hits


def _in_build_file(module: Module, file: str, sought: Sought, hide: Hide) -> Hits:
    uses = _TraitUses(sought, hide)
    # Elements, not components: they are nothing to the collector of garbage.
    places: list[_Element] = []
    count = 0
    for component in module.walk():
        found = _in_component(component, sought, uses)
        if found is not None:
            places.append(component.element)
            count += _count(*found)

    def tell() -> Iterator[Hit]:
        spots = Spots(file)
        for component in map(view, places):
            found = _in_component(component, sought, uses)
            if found is not None:
                yield from _tell(sought.kind, spots.of(component), *found)

    hits = Hits()
    hits.add(file, "", count, tell)
    return hits


def find_in_save(
    saved: SavedGame,
    sought: Sought,
    *,
    file: str,
    entry: str = "",
    show_secrets: bool = False,
) -> Hits:
    """Every place in the pieces and the chat of a saved game, of a log also in its steps."""
    hide: Hide = str if show_secrets else _late(saved)
    uses = _TraitUses(sought, hide)
    places: list[AddPiece | Chat] = []
    count = 0
    for node in saved.root.walk():
        if sought.kind not in {"text", "gpid"} and not sought.may_be_in(node.text):
            continue
        command = node.command
        while isinstance(command, LogEntry):
            command = command.logged
        if isinstance(command, AddPiece):
            if sought.may_be_in(command.type) or sought.may_be_in(command.state):
                piece = Piece.parse(command.type, command.state)
                if found := _in_piece(piece, sought, uses):
                    places.append(command)
                    count += _count((), found)
        elif isinstance(command, Chat) and sought.kind == "text" and _heard(command, sought, hide):
            places.append(command)
            count += 1

    def tell() -> Iterator[Hit]:
        for command in places:
            if isinstance(command, Chat):
                said = hide(command.text)
                yield Hit(Spot(file, entry, "chat"), "text", sought.text, "says", "", value=said)
            else:
                piece = Piece.parse(command.type, command.state)
                spot = _piece_spot(piece, command.id or "", file, entry, hide)
                yield from _tell(sought.kind, spot, (), _in_piece(piece, sought, uses))

    hits = Hits()
    hits.add(file, entry, count, tell)
    return hits


def _heard(chat: Chat, sought: Sought, hide: Hide) -> bool:
    return sought.said_in(chat.text) and sought.said_in(hide(chat.text))


def _piece_spot(piece: Piece, id: str, file: str, entry: str, hide: Hide) -> Spot:
    where = f"on {piece.map}" if piece.map else "on no map"
    path = f"{hide(basic_name(piece)) or piece.basic.title} ({where})"
    return Spot(file, entry, path, piece=id)


def _late(saved: SavedGame) -> Hide:
    """Keeps players' ids out of what is shown; gathered only once there is something to show."""
    redactors: list[Hide] = []

    def hide(text: str) -> str:
        if not redactors:
            redactors.append(redactor_of(saved.root))
        return redactors[0](text)

    return hide


def _in_component(
    component: Component, sought: Sought, uses: _TraitUses
) -> tuple[Sequence[_Found], Sequence[_InPiece]] | None:
    """What its attributes hold, and what its piece; None for nothing."""
    said: Sequence[_Found] = ()
    found: Sequence[_InPiece] = ()
    if sought.kind in WORDS or may_use(component, sought.kind):
        said = _in_attributes(component, sought)
    if component.holds_piece:
        text = component.text
        if sought.may_be_in(text):
            try:
                piece = parse_add(text.strip())
            except VassalFormatError:
                pass  # lint tells of a definition that cannot be read
            else:
                found = _in_piece(piece, sought, uses, definition=True)
    return (said, found) if said or found else None


def _count(said: Sequence[_Found], pieces: Sequence[_InPiece]) -> int:
    count = len(said)
    for _, _, _, found in pieces:
        for _, says in found:
            count += len(says)
    return count


def _in_attributes(component: Component, sought: Sought) -> list[_Found]:
    """Name, role, field and value of what the attributes of a component hold."""
    if sought.kind == "text":
        words, text = sought.words, sought.text
        attributes = cast("list[tuple[str, str]]", component.element.items())
        told = [(text, "says", name, value) for name, value in attributes if words in value.lower()]
        if not component.holds_piece and sought.said_in(component.text):
            told.append((text, "says", "", component.text.strip()))
        return told
    if sought.kind == "expression":
        declared = component.declared
        return [
            (sought.text, "says", name, value)
            for name, value in cast("list[tuple[str, str]]", component.element.items())
            if isinstance(declared.get(name), Expression | Format) and sought.said_in(value)
        ]
    implied = sought.anywhere or component.short_name == "ChangePropertyButton"
    if implied or sought.may_be_in("\n".join(cast("list[str]", component.element.values()))):
        return [
            (use.name, use.role, use.field, "")
            for use in component_uses(component)
            if use.kind == sought.kind and sought.names(use.name)
        ]
    return []


def _in_piece(
    piece: Piece, sought: Sought, uses: _TraitUses, *, definition: bool = False
) -> list[_InPiece]:
    """What its traits hold, and for words its states; for a piece on a map also where it is."""
    hits: list[_InPiece] = []
    placed = sought.kind in {"gpid", "map"}
    for inside, each in embedded.walk(piece):
        found = uses.within(each)
        if placed:
            found += _of_basic(each, sought)
        if found:
            # The number of the basic piece says nothing.
            plain = len(each.traits) - 1 if definition and not inside else -1
            hits.append((inside, each.traits, plain, found))
    return hits


def _tell(kind: str, spot: Spot, said: Sequence[_Found], pieces: Sequence[_InPiece]) -> list[Hit]:
    """The hits in attributes of a component, then those in the pieces."""
    hits = [Hit(spot, kind, name, role, field, value=value) for name, role, field, value in said]
    for inside, traits, plain, found in pieces:
        for index, says in found:
            title = traits[index].title
            title = title if index == plain else _numbered(title, index)
            hits += [
                tuple.__new__(Hit, (spot, kind, name, role, field, title, inside, value))
                for name, role, field, value in says
            ]
    return hits


@lru_cache(maxsize=1 << 12)
def _numbered(title: str, index: int) -> str:
    return f"{title or 'trait of own code'} ({index + 1})"


class _TraitUses:
    """What of the sought stands in traits and states; what many pieces share is looked at once."""

    def __init__(self, sought: Sought, hide: Hide = str) -> None:
        self._sought = sought
        self._hide = hide
        self._states = sought.kind == "text"
        self._telltale = sought.telltale
        self._only = _ONLY_IN.get(sought.kind, Trait)
        self._seen: dict[int, Sequence[_Found]] = {}
        # Equal traits of a file are one object as long as it is held here.
        self._held: list[Record] = []

    def within(self, piece: Piece) -> list[tuple[int, Sequence[_Found]]]:
        """What was found, with the number of its trait."""
        traits, seen = piece.traits, self._seen.get
        hits: list[tuple[int, Sequence[_Found]]] = []
        for index, trait in enumerate(traits):
            found = seen(id(trait))
            if found is None:
                found = self._of(trait)
            if found:
                hits.append((index, found))
        if self._states and self._telltale in piece.state_text.lower():
            telltale = self._telltale
            for index, text in enumerate(piece.state_texts):
                if text and telltale in text.lower():
                    found = self._of(traits[index].decode_state(text))
                    if found:
                        hits.append((index, found))
            hits.sort(key=itemgetter(0))
        return hits

    def _of(self, record: Record) -> Sequence[_Found]:
        found = self._seen.get(id(record))
        if found is None:
            self._held.append(record)
            found = self._seen[id(record)] = self._look(record)
        return found

    def _look(self, record: Record) -> Sequence[_Found]:
        sought, hide, source = self._sought, self._hide, record.source
        kind = sought.kind
        if kind == "text":
            return _in_record(record, sought, hide)
        if not isinstance(record, self._only):
            return ()
        # The name of a layer is part of the names of properties that it gives.
        if kind != "property" and source is not None and not sought.may_be_in(source):
            return ()
        if kind == "expression":
            texts = filter(sought.said_in, dict.fromkeys(expressions_of(record)))
            return tuple([(sought.text, "says", "expression", hide(text)) for text in texts])
        return tuple(
            [
                (hide(use.name), use.role, use.field, "")
                for use in trait_uses(record, kind)
                if sought.names(use.name)
            ]
        )


def _of_basic(piece: Piece, sought: Sought) -> Iterator[tuple[int, Sequence[_Found]]]:
    basic, at = piece.traits[-1], 0 if sought.kind == "map" else 3
    if not isinstance(basic, BasicPiece if at else (BasicPiece, Stack, Deck)):
        return
    # The place and the gpid stand first; all of it is seldom needed.
    text = piece.state_texts[-1]
    fields = sequence.decode(text, ";") if "\\" in text or "'" in text else text.split(";", 4)
    name = fields[at] if len(fields) > at else ""
    if name and name != "null" and sought.names(name):
        yield len(piece.traits) - 1, [(name, "uses", sought.kind, "")]


def _in_record(record: Record, sought: Sought, hide: Hide) -> Sequence[_Found]:
    if record.source is not None and not sought.may_be_in(record.source):
        return ()
    before = "" if isinstance(record, Trait) else "state: "
    words, plain = sought.words, sought.plain_words
    found: list[_Found] = []
    for spec, text in record.texts(plain):
        # A marker's own traits are looked at one by one.
        if spec.code not in _NOT_SAID and (plain or words in text.lower()):
            shown = hide(text)
            if shown is text or words in shown.lower():
                found.append((sought.text, "says", before + spec.name, shown))
    # Tuples of texts are nothing to the collector of garbage.
    return tuple(found)


def _add_images(hits: Hits, module: Module, file: str, sought: Sought) -> None:
    """The image files themselves, and the pages that show them."""
    names = [
        name
        for entry in module.entries()
        if (name := entry.removeprefix(FOLDER)) != entry
        and (sought.names(name) or sought.names(name.removesuffix(".gif")))
    ]

    def tell() -> Iterator[Hit]:
        return (Hit(Spot(file, FOLDER + name), "image", name, "defines", "") for name in names)

    hits.add(file, None, len(names), tell)
    shown = [
        Hit(Spot(file, entry), "image", name, "uses", "page")
        for entry in html_entries(module)
        for raw in HTML_IMAGE.finditer(module.read(entry))
        if (name := (page_image(module, entry, raw[2]) or "").removeprefix(FOLDER))
        and sought.names(name)
    ]
    hits.add(file, None, len(shown), partial(iter, shown))


def _in_pages(module: Module, file: str, sought: Sought) -> Iterator[Hit]:
    for entry in html_entries(module):
        page = module.read(entry).decode("utf-8", "replace")
        for number, line in enumerate(page.splitlines(), 1):
            if sought.said_in(line):
                spot = Spot(file, entry, f"{entry}, line {number}", line=number)
                yield Hit(spot, "text", sought.text, "says", "", value=line.strip())
