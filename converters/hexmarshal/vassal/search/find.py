"""Looks for names and words in modules, extensions, their set-ups and pages, saves and logs."""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final, cast

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.vassal import sequence
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
from hexmarshal.vassal.traits import BasicPiece, Deck, PlaceMarker, Stack, Trait, UsePrototype

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
_NOT_SAID: Final = frozenset({"OWNER", "OWNERS", "MARKER"})
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
    uses = _TraitUses(sought, hide)
    for node in saved.root.walk():
        if sought.kind not in {"text", "gpid"} and not sought.may_be_in(node.text):
            continue
        command = node.command
        while isinstance(command, LogEntry):
            command = command.logged
        if isinstance(command, AddPiece):
            if sought.may_be_in(command.type) or sought.may_be_in(command.state):
                piece = Piece.parse(command.type, command.state)
                yield from _in_piece(piece, sought, uses, _piece_spot(command, file, entry, hide))
        elif isinstance(command, Chat) and sought.kind == "text":
            said = hide(command.text) if sought.said_in(command.text) else ""
            if said and sought.said_in(said):
                yield Hit(Spot(file, entry, "chat"), "text", sought.text, "says", "", value=said)


def _piece_spot(command: AddPiece, file: str, entry: str, hide: Hide) -> Callable[[], Spot]:
    def spot() -> Spot:
        piece = Piece.parse(command.type, command.state)
        where = f"on {piece.map}" if piece.map else "on no map"
        path = f"{hide(basic_name(piece)) or piece.basic.title} ({where})"
        return Spot(file, entry, path, piece=command.id or "")

    return spot


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
) -> list[Hit]:
    hits: list[Hit] = []
    if sought.kind in WORDS or may_use(component, sought.kind):
        for name, role, field, value in _in_attributes(component, sought):
            spot = hits[0].spot if hits else spots.of(component)
            hits.append(Hit(spot, sought.kind, name, role, field, value=value))
    if component.holds_piece and sought.may_be_in(component.text):
        try:
            piece = parse_add(component.text.strip())
        except VassalFormatError:
            return hits  # lint tells of a definition that cannot be read
        known = hits[0].spot if hits else None
        hits += _in_piece(
            piece, sought, uses, lambda: known or spots.of(component), definition=True
        )
    return hits


def _in_attributes(component: Component, sought: Sought) -> Iterator[_Found]:
    """Name, role, field and value of what the attributes of a component hold."""
    if sought.kind in WORDS:
        declared = component.declared
        for name, value in cast("list[tuple[str, str]]", component.element.items()):
            written = sought.kind == "text" or isinstance(declared.get(name), Expression | Format)
            if written and sought.said_in(value):
                yield sought.text, "says", name, value
        if sought.kind == "text" and not component.holds_piece and sought.said_in(component.text):
            yield sought.text, "says", "", component.text.strip()
        return
    implied = sought.anywhere or component.short_name == "ChangePropertyButton"
    if implied or sought.may_be_in("\n".join(cast("list[str]", component.element.values()))):
        for use in component_uses(component):
            if use.kind == sought.kind and sought.names(use.name):
                yield use.name, use.role, use.field, ""


def _in_piece(
    piece: Piece,
    sought: Sought,
    uses: _TraitUses,
    spot_of: Callable[[], Spot],
    *,
    definition: bool = False,
) -> list[Hit]:
    """What its traits hold, and for words its states; for a piece on a map also where it is."""
    hits: list[Hit] = []
    spot: Spot | None = None
    for inside, each in embedded.walk(piece):
        found = uses.within(each)
        if sought.kind in {"gpid", "map"}:
            found += _of_basic(each, sought)
        if not found:
            continue
        # To tell the way to a place takes longer than to look through it.
        spot = spot or spot_of()
        # The number of the basic piece says nothing.
        plain = len(each.traits) - 1 if definition and not inside else -1
        for index, says in found:
            title = each.traits[index].title
            title = title if index == plain else _numbered(title, index)
            hits += [
                tuple.__new__(Hit, (spot, sought.kind, name, role, field, title, inside, value))
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
        self._only = _ONLY_IN.get(sought.kind, Trait)
        self._seen: dict[int, Sequence[_Found]] = {}
        # Equal traits of a file are one object as long as it is held here.
        self._held: list[Record] = []

    def within(self, piece: Piece) -> list[tuple[int, Sequence[_Found]]]:
        """What was found, with the number of its trait."""
        traits = piece.traits
        known = [*map(self._seen.get, map(id, traits))]
        if None in known:
            known = [self._of(trait) for trait in traits]
        hits = [(index, found) for index, found in enumerate(known) if found]
        may_be_in = self._sought.may_be_in
        if self._sought.kind == "text" and may_be_in(piece.state_text):
            for index, text in enumerate(piece.state_texts):
                if text and may_be_in(text):
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
            return [(sought.text, "says", "expression", hide(text)) for text in texts]
        return [
            (hide(use.name), use.role, use.field, "")
            for use in trait_uses(record)
            if use.kind == kind and sought.names(use.name)
        ]


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


def _in_record(record: Record, sought: Sought, hide: Hide) -> list[_Found]:
    if record.source is not None and not sought.may_be_in(record.source):
        return []
    before = "" if isinstance(record, Trait) else "state: "
    words = sought.words
    found: list[_Found] = []
    for spec, text in record.texts(sought.plain_words):
        # A marker's own traits are looked at one by one.
        if words in text.lower() and spec.code not in _NOT_SAID:
            shown = hide(text)
            if shown is text or words in shown.lower():
                found.append((sought.text, "says", before + spec.name, shown))
    return found


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
