"""Game boxes of ZunTzu (.ztb): a zip archive with game-box.xml, scanned sheets and scenarios.

The model of ZunTzu counts in 600 dots per inch; each scan has 150, 300 or 600. Counters of the back
of a sheet are mirrored: the first column is the last. The blue of a mask is the alpha of its scan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, Place, VassalFormatError
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.imports.bitmaps import opened, pillow, png
from hexmarshal.vassal.imports.model import (
    BoxLayout,
    BoxMap,
    BoxPiece,
    BoxTray,
    GameBox,
    LaidPiece,
)
from hexmarshal.vassal.xml.xmlio import Document

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element
    from PIL.Image import Image

__all__ = ["read_zuntzu"]

_BOX: Final = "game-box.xml"
_UNNAMED: Final = "Map"
_MODEL: Final = 600
_MOST_PIECES: Final = 20_000
_FACES_ON_BACK: Final = {
    "CardFacesOnBack",
    "CardFacesAndBackOnBack",
    "CardFacesOnBackBackOnOtherSide",
}
_BACK_ON_FRONT: Final = {"CardFacesAndBackOnFront", "CardFacesOnBackBackOnOtherSide"}
_NO_BACK: Final = {"CardFacesOnFront", "CardFacesOnBack"}


def read_zuntzu(data: bytes, place: Place) -> GameBox:
    """The box; sheets are cut into counters, at the resolution of the first map."""
    archive = Archive.from_bytes(data, place)
    if not archive.has(_BOX):
        raise VassalFormatError(f"has no entry {_BOX}, so it is no box of ZunTzu", place=place)
    root = Document.parse(archive.read(_BOX), Place(entry=_BOX).within(place)).root
    if root.tag != "game-box":
        raise VassalFormatError(
            f"the root element is {root.tag}, not game-box", place=Place(entry=_BOX).within(place)
        )
    return _Reader(archive, root, place).run()


class _Reader:
    def __init__(self, archive: Archive, root: _Element, place: Place) -> None:
        self._archive, self._root, self._place = archive, root, place
        self._box = GameBox(root.get("name") or "Game box", root.get("description") or "")
        self._dpi: dict[str, int] = {}
        maps = list(root.iterchildren("map"))
        self._own = _dpi(maps[0], "resolution") if maps else 150
        self._copies: dict[str, list[tuple[int, int]]] = {}
        """The tray and piece of every copy of each sheet, in ZunTzu's order."""

    def run(self) -> GameBox:
        """All of the box."""
        for element in self._root.iterchildren("map"):
            self._map(element)
        for element in self._root.iterchildren("counter-sheet", "terrain-sheet"):
            self._sheet(element)
        for hand in self._root.iterchildren("dice-hand"):
            faces = (hand.get("type") or "D6").lstrip("D")
            count = sum(_whole(die, "count", 1, 1000) for die in hand.iterchildren("dice"))
            if count and faces.isdigit():
                self._box.dice.append((count, int(faces)))
        for entry in self._archive.names():
            if entry.lower().endswith(".zts"):
                self._scenario(entry)
        return self._box

    def _map(self, element: _Element) -> None:
        name = element.get("name") or _UNNAMED
        dpi = _dpi(element, "resolution")
        self._dpi[name] = dpi
        entry = element.get("image-file") or ""
        picture = self._read(entry)
        if dpi != self._own:
            picture = png(_scaled(self._picture(entry), self._own / dpi))
        self._box.maps.append(BoxMap(name, picture))

    def _read(self, entry: str) -> bytes:
        if not self._archive.has(entry):
            raise VassalFormatError(
                "the box names this file and does not hold it",
                place=Place(entry=entry).within(self._place),
            )
        return self._archive.read(entry)

    def _picture(self, entry: str) -> Image:
        return opened(self._read(entry), Place(entry=entry).within(self._place))

    def _scan(self, sheet: _Element, side: str) -> Image | None:
        entry = sheet.get(f"{side}-image-file")
        if not entry:
            return None
        scan = self._picture(entry)
        mask = sheet.get(f"{side}-mask-file")
        if mask:
            alpha = self._picture(mask).getchannel("B")
            scan.putalpha(alpha.resize(scan.size))
        return scan

    def _sheet(self, sheet: _Element) -> None:
        tray = BoxTray(sheet.get("name") or "Counters")
        number = len(self._box.trays)
        scans = {side: self._scan(sheet, side) for side in ("front", "back")}
        factors = {side: self._own / _dpi(sheet, f"{side}-resolution") for side in scans}
        copies: list[tuple[int, int]] = []
        for section in (
            *sheet.iterchildren("counter-section", "terrain-section"),
            *sheet.iterchildren("card-section"),
        ):
            supply = 1 if sheet.tag == "terrain-sheet" else _whole(section, "supply", 1, 1000)
            for piece in self._section(section, scans, factors, len(tray.pieces), tray.name):
                copies += [(number, len(tray.pieces))] * supply
                tray.pieces.append(piece)
                if len(copies) > _MOST_PIECES:
                    raise VassalFormatError("more pieces than can be meant", place=self._place)
        self._copies[tray.name] = copies
        self._box.trays.append(tray)

    def _section(
        self,
        section: _Element,
        scans: dict[str, Image | None],
        factors: dict[str, float],
        first: int,
        sheet: str,
    ) -> Iterator[BoxPiece]:
        rows, columns = _whole(section, "rows", 1, 200), _whole(section, "columns", 1, 200)
        card = section.tag == "card-section"
        for number in range(rows * columns):
            row, column = divmod(number, columns)
            cuts = (
                self._card(section, row, column, rows, columns)
                if card
                else self._counter(section, row, column, rows, columns)
            )
            sides = [
                png(_scaled(scan.crop(box), factors[side]))
                for side, box in cuts
                if (scan := scans[side]) is not None
            ]
            if not sides:
                self._box.notes.append(f"{sheet}: a section without a scan was left out")
                return
            yield BoxPiece(f"{sheet} {first + number + 1}", tuple(sides), card)

    def _counter(
        self, section: _Element, row: int, column: int, rows: int, columns: int
    ) -> list[tuple[str, tuple[int, int, int, int]]]:
        kind = section.get("type") or ""
        cuts = []
        if kind != "BackSideOnly" and section.get("front-left") is not None:
            cuts.append(("front", self._cell(section, "front", row, column, rows, columns)))
        if kind != "FrontSideOnly" and section.get("back-left") is not None:
            mirrored = columns - 1 - column
            cuts.append(("back", self._cell(section, "back", row, mirrored, rows, columns)))
        return cuts

    def _card(
        self, section: _Element, row: int, column: int, rows: int, columns: int
    ) -> list[tuple[str, tuple[int, int, int, int]]]:
        has_back = section.get("back-left") is not None
        usual = "CardFacesAndBackOnFront" if has_back else "CardFacesOnFront"
        kind = section.get("type") or usual
        face = "back" if kind in _FACES_ON_BACK else "front"
        cuts = [(face, self._cell(section, "face", row, column, rows, columns))]
        if kind not in _NO_BACK and has_back:
            side = "front" if kind in _BACK_ON_FRONT else "back"
            cuts.append((side, self._cell(section, "back", 0, 0, 1, 1)))
        return cuts

    def _cell(
        self, section: _Element, side: str, row: int, column: int, rows: int, columns: int
    ) -> tuple[int, int, int, int]:
        left, top, right, bottom = (
            _number(section, f"{side}-{edge}", self._place)
            for edge in ("left", "top", "right", "bottom")
        )
        width, height = (right - left) / columns, (bottom - top) / rows
        if not (0 < width < 20_000 and 0 < height < 20_000):
            raise VassalFormatError(
                f"a section of {right - left:g} x {bottom - top:g} pixels", place=self._place
            )
        x, y = left + column * width, top + row * height
        return round(x), round(y), round(x + width), round(y + height)

    # Scenarios

    def _scenario(self, entry: str) -> None:
        place = Place(entry=entry).within(self._place)
        try:
            root = Document.parse(self._archive.read(entry), place).root
        except HexMarshalError as why:
            self._box.notes.append(f"{entry}: {why.message}")
            return
        old = root.find("scenario")
        name = root.get("scenario-name") or (old is not None and old.findtext("name")) or entry
        layout = BoxLayout(str(name), root.get("scenario-description") or "")
        boards = {} if old is None else {e.get("id"): e.text or "" for e in old}
        order: list[tuple[int, int]] = []
        layouts = list(root.iterchildren("layout"))
        named = [boards.get(e.get("board")) or e.get("board") or _UNNAMED for e in layouts]
        for board in named:
            order += self._copies.get(board, [])
        for element, board in zip(layouts, named, strict=True):
            if board in self._dpi:
                self._lay(element, board, order, layout)
            elif element.find(".//counter") is not None:
                self._box.notes.append(f"{entry}: pieces on {board!r} left out")
        self._box.layouts.append(layout)

    def _lay(
        self, element: _Element, board: str, order: list[tuple[int, int]], layout: BoxLayout
    ) -> None:
        for stack in element.iterchildren("counter", "stack"):
            members = [stack] if stack.tag == "counter" else list(stack.iterchildren("counter"))
            x, y = (
                round(_number(stack, axis, self._place) * self._own / _MODEL) for axis in ("x", "y")
            )
            for member in members:
                copy = _whole(member, "id", -1, _MOST_PIECES)
                if not 0 <= copy < len(order):
                    self._box.notes.append(f"{layout.name}: there is no counter {copy}")
                    continue
                tray, piece = order[copy]
                sides = len(self._box.trays[tray].pieces[piece].sides)
                side = 1 if member.get("side") == "Back" and sides > 1 else 0
                turned = _number(member, "rot", self._place) if member.get("rot") else 0.0
                layout.pieces.append(LaidPiece(board, x, y, tray, piece, side, turned))


def _dpi(element: _Element, attribute: str) -> int:
    return {"300 dpi": 300, "600 dpi": 600}.get(element.get(attribute) or "", 150)


def _whole(element: _Element, attribute: str, default: int, most: int) -> int:
    text = element.get(attribute)
    if text is None or not (text.isascii() and text.isdigit() and len(text) < 9):
        return default
    return min(int(text), most)


def _number(element: _Element, attribute: str, place: Place) -> float:
    try:
        found = float(element.get(attribute) or "")
    except ValueError:
        found = float("nan")
    if not abs(found) < 1e7:
        raise VassalFormatError(
            f"{element.get(attribute)!r} is no number", place=Place(field=attribute).within(place)
        )
    return found


def _scaled(picture: Image, factor: float) -> Image:
    if factor == 1:
        return picture
    size = max(1, round(picture.width * factor)), max(1, round(picture.height * factor))
    return picture.resize(size, pillow().Resampling.LANCZOS)
