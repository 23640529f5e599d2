"""Rows put into a module: pieces changed, made of templates and pictures, and taken out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import BadInputError, HexMarshalError, UsageError, VassalFormatError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.vassal.components import (
    CardSlot,
    DrawPile,
    Folder,
    PieceSlot,
    PieceWindow,
    SetupStack,
    Widget,
)
from hexmarshal.vassal.countersheet.drawing import draw, picture_name
from hexmarshal.vassal.countersheet.facets import (
    IMAGE,
    NAME,
    PROTOTYPES,
    inherited_name,
    listed,
    with_facet,
    with_own_name,
)
from hexmarshal.vassal.countersheet.listing import (
    ID,
    KIND,
    NOT_SHOWN,
    TEMPLATE,
    WHERE,
    cells_of,
    naming_prototypes,
    slots_by_id,
)
from hexmarshal.vassal.images.picture_decoding import refuse_damaged
from hexmarshal.vassal.pieces.gpids import defined_gpids, marker_gpids, with_gpids
from hexmarshal.vassal.pieces.piece import Piece, format_add, parse_add
from hexmarshal.vassal.sequence import java_int
from hexmarshal.vassal.traits import BasicPiece, PieceState
from hexmarshal.vassal.xml.component_paths import spoken

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.countersheet.rows import CounterRow, SheetRows
    from hexmarshal.vassal.module import Module

    FindPicture = Callable[[str], bytes | None]

__all__ = ["Applied", "apply_sheet"]

_NOT_FACETS: Final = frozenset({ID, KIND, WHERE, TEMPLATE})
_HOMES: Final = (PieceWindow, Widget, SetupStack, DrawPile, Folder)


@dataclass(slots=True)
class Applied:
    """What the sheet changed, and what it does not speak of."""

    changed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    unmentioned: int = 0
    warnings: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "changed": self.changed,
            "added": self.added,
            "removed": self.removed,
            "pictures": self.pictures,
            "unmentioned": self.unmentioned,
            "warnings": self.warnings,
        }


def apply_sheet(
    module: Module,
    sheet: SheetRows,
    find_picture: FindPicture,
    *,
    drawing: str = "",
    inside: str = "",
    remove_missing: bool = False,
) -> Applied:
    """Change a module as the sheet says; it is changed but not saved.

    `find_picture` gives the bytes of a picture that the module has not. With `drawing`, new rows
    without a picture get one drawn.
    """
    return _Applier(module, sheet, find_picture, drawing).run(inside, remove_missing)


class _Applier:
    def __init__(
        self, module: Module, sheet: SheetRows, find_picture: FindPicture, drawing: str
    ) -> None:
        self._module = module
        self._sheet = sheet
        self._find_picture = find_picture
        self._drawing = drawing
        self._slots = slots_by_id(module)
        self._before = dict(self._slots)
        self._prototypes = set(module.prototypes())
        self._naming = naming_prototypes(module)
        self._images = {e.removeprefix("images/") for e in module.entries()}
        self._homes = {spoken(c).strip(): c for c in module.walk() if isinstance(c, _HOMES)}
        self._following = self._first_free()
        self.done = Applied()

    def run(self, inside: str, remove_missing: bool) -> Applied:
        """Every row, then what no row speaks of."""
        scope = slots_by_id(self._module, inside)
        for row in self._sheet.rows:
            if row.id:
                self._change(row)
            else:
                self._add(row)
        told = {row.id for row in self._sheet.rows}
        missing = {key: slot for key, slot in scope.items() if key not in told}
        if remove_missing:
            for slot in missing.values():
                self.done.removed.append(spoken(slot))
                slot.remove()
        else:
            self.done.unmentioned = len(missing)
        return self.done

    # Rows of pieces that are there

    def _change(self, row: CounterRow) -> None:
        slot = self._slots.get(row.id)
        if slot is None:
            raise BadInputError(
                f"the module has no piece {row.id!r}",
                place=row.at(ID),
                hint="a new piece has no id; the sheet may be of another version of the module",
            )
        before = cells_of(slot, self._naming)
        words: list[str] = []
        for column, text in row.cells.items():
            if column in _NOT_FACETS or text in {before.get(column, "").strip(), NOT_SHOWN}:
                continue
            self._set(slot, row, column, text)
            words.append(f"{column} {before.get(column, '')!r} -> {text!r}")
        home = row.cells.get(WHERE, "")
        if home and home != before[WHERE].strip():
            target = self._home(row, home)
            target.append(slot)
            words.append(f"moved to {home}")
        if words:
            self.done.changed.append(f"{before[NAME] or row.id}: {'; '.join(words)}")

    def _set(self, slot: PieceSlot, row: CounterRow, column: str, text: str) -> None:
        try:
            piece = parse_add(slot.text.strip())
            self._check(row, column, text)
            if column == NAME and self._naming and inherited_name(piece, self._naming) is not None:
                piece = with_own_name(piece)
            slot.text = format_add(with_facet(piece, column, text))
        except HexMarshalError as why:
            if why.place.line is not None:
                raise
            raise BadInputError(why.message, place=row.at(column), hint=why.hint) from why
        if column == NAME:
            slot.name = text

    def _check(self, row: CounterRow, column: str, text: str) -> None:
        """Prototypes must be there; pictures too, or lie where `find_picture` finds them."""
        if column == PROTOTYPES:
            for name in listed(text):
                if name not in self._prototypes:
                    raise BadInputError(
                        f"the module has no prototype {name!r}",
                        place=row.at(column),
                        hint=did_you_mean(name, self._prototypes),
                    )
        elif column == IMAGE:
            self._need_picture(row, column, text)
        elif column.startswith("Layer: ") and text != "(empty)":
            for name in listed(text):
                self._need_picture(row, column, name)

    def _need_picture(self, row: CounterRow, column: str, name: str) -> None:
        if not name or self._module.find_image(name) is not None:
            return
        data = self._find_picture(name)
        if data is None:
            raise BadInputError(
                f"there is no picture {name!r}",
                place=row.at(column),
                hint=did_you_mean(
                    name, self._images, "put the file into the folder that --pictures names"
                ),
            )
        try:
            refuse_damaged(data)
        except BadInputError as why:
            raise BadInputError(f"{name}: {why.message}", place=row.at(column)) from why
        self._put_picture(name, data)

    def _put_picture(self, name: str, data: bytes) -> None:
        self._module.changes[f"images/{name}"] = data
        self._images.add(name)
        self.done.pictures.append(name)

    # New rows

    def _add(self, row: CounterRow) -> None:
        template = self._template(row)
        slot = self._copy(template, row) if template is not None else self._plain(row)
        cells = {c: t for c, t in row.cells.items() if t and c not in _NOT_FACETS}
        if not cells.get(NAME):
            raise BadInputError("a new piece needs a name", place=row.at(NAME))
        home = row.cells.get(WHERE, "")
        if home:
            target = self._home(row, home)
        elif template is not None and template.parent is not None:
            target = template.parent
        else:
            raise BadInputError("where shall the new piece go?", place=row.at(WHERE))
        if self._drawing and not cells.get(IMAGE):
            cells[IMAGE] = picture_name(cells[NAME], self._images)
            known = {column: row.cells.get(column, "") for column in self._sheet.columns}
            drawn = draw(
                self._drawing, {**cells_of(slot, self._naming), **known, **cells}, row.place
            )
            self._put_picture(cells[IMAGE], drawn)
        for column, text in cells.items():
            self._set(slot, row, column, text)
        target.append(slot)
        self.done.added.append(spoken(slot))

    def _template(self, row: CounterRow) -> PieceSlot | None:
        wanted = row.cells.get(TEMPLATE, "")
        if not wanted:
            return None
        if wanted in self._before:
            return self._before[wanted]
        named = [slot for slot in self._before.values() if slot.name == wanted]
        if len(named) != 1:
            found = "several pieces have" if named else "no piece has"
            raise BadInputError(
                f"{found} the name or id {wanted!r}",
                place=row.at(TEMPLATE),
                hint="name the template by its id"
                if named
                else did_you_mean(wanted, {slot.name for slot in self._before.values()}),
            )
        return named[0]

    def _copy(self, template: PieceSlot, row: CounterRow) -> PieceSlot:
        slot = template.copy()
        try:
            piece = parse_add(slot.text.strip())
        except VassalFormatError as why:
            raise BadInputError(
                f"the template cannot be read: {why.message}", place=row.at(TEMPLATE)
            ) from why
        own = dict.fromkeys((template.gpid, *marker_gpids(piece)))
        gpids = {gpid: self._gpid() for gpid in own if gpid}
        gpid = gpids.get(template.gpid) or self._gpid()
        slot.set("gpid", gpid)
        slot.text = format_add(_numbered(with_gpids(piece, gpids), gpid))
        return slot

    def _plain(self, row: CounterRow) -> PieceSlot:
        kind = CardSlot if row.cells.get(KIND) == "card" else PieceSlot
        gpid = self._gpid()
        piece = Piece.of([BasicPiece()], [PieceState(gpid=gpid)])
        slot = kind.new({"entryName": "", "gpid": gpid, "height": "0", "width": "0"})
        slot.text = format_add(piece)
        return slot

    def _home(self, row: CounterRow, where: str) -> Component:
        found = self._homes.get(where)
        if found is None:
            raise BadInputError(
                f"there is no place {where!r} for pieces",
                place=row.at(WHERE),
                hint=did_you_mean(where, self._homes, "column 'where' of other rows shows places"),
            )
        return found

    # Ids

    def _first_free(self) -> int:
        root = self._module.root
        used = [java_int(gpid.rpartition(":")[2]) or 0 for gpid in defined_gpids(self._module)]
        return max(java_int(root.get("nextPieceSlotId", "0")) or 0, max(used, default=0) + 1)

    def _gpid(self) -> str:
        number = self._following
        self._following += 1
        self._module.root.set("nextPieceSlotId", str(self._following))
        if self._module.is_extension:
            return f"{self._module.root.get('extensionId')}:{number}"
        return str(number)


def _numbered(piece: Piece, gpid: str) -> Piece:
    state = piece.basic_state
    if not isinstance(state, PieceState):
        raise UsageError("this is no piece")
    return piece.with_state(len(piece.traits) - 1, replace(state, gpid=gpid))
