"""The archive that an .xlsx or .ods file is: opened with care, and written again with new parts."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from typing import TYPE_CHECKING, Final

from lxml import etree

from hexmarshal.errors import BadInputError, Place

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Package", "parse_xml"]

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MOST_PARTS: Final = 5_000
_LARGEST: Final = 512 * 2**20
# As many cells as a very large workbook of people has; a spreadsheet holds a thousand times more.
_MOST_CELLS: Final = 400_000
_CELL: Final = re.compile(rb"<(?:\w+:)?(?:c|table-cell)[ />]")
_DECLARED: Final = tuple(
    word.encode(code)
    for word in ("<!DOCTYPE", "<!ENTITY")
    for code in ("utf-8", "utf-16-le", "utf-16-be")
)


class Package:
    """The parts of a workbook's archive by name."""

    def __init__(self, data: bytes, file: str | None) -> None:
        self.place = Place(file=file)
        self._data = data
        if data.startswith(_OLE):
            raise self._old_or_locked()
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
            infos = self._archive.infolist()
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise BadInputError(
                f"this is no workbook: {error}",
                place=self.place,
                hint="an .xlsx or .ods file is expected; the file may be damaged or cut off",
            ) from None
        names = [info.filename for info in infos]
        if len(infos) > _MOST_PARTS or sum(info.file_size for info in infos) > _LARGEST:
            raise BadInputError(
                f"the workbook is larger than {_LARGEST // 2**20} MiB unpacked", place=self.place
            )
        if len(set(names)) < len(names):
            raise BadInputError("the archive has two parts of one name", place=self.place)
        self.names = frozenset(names)

    def _old_or_locked(self) -> BadInputError:
        """What Excel keeps in its older container: locked workbooks, and those before 2007."""
        if "EncryptedPackage".encode("utf-16-le") in self._data:
            return BadInputError(
                "the workbook is locked with a password",
                place=self.place,
                hint="open it in the spreadsheet, take the password off, and save a copy",
            )
        return BadInputError(
            "a workbook of before 2007 (.xls) is not read",
            place=self.place,
            hint="save it as .xlsx or .ods",
        )

    def part(self, name: str) -> bytes:
        """The bytes of a part."""
        try:
            data = self._archive.read(name)
        except (
            KeyError,
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            RuntimeError,
            NotImplementedError,
        ) as error:
            why = "it is missing" if isinstance(error, KeyError) else str(error)
            raise BadInputError(
                f"the part {name} of the workbook cannot be read: {why}",
                place=self.place,
                hint="open and save it in a spreadsheet, which may mend it",
            ) from None
        if name.endswith((".xml", ".rels")) and any(word in data for word in _DECLARED):
            raise BadInputError(
                f"the part {name} declares entities, as no spreadsheet does", place=self.place
            )
        return data

    def demand_bearable(self, *names: str) -> None:
        """Refuse sheets that nobody filled by hand before they fill the memory."""
        cells = sum(sum(1 for _ in _CELL.finditer(self.part(name))) for name in names)
        if cells > _MOST_CELLS:
            raise BadInputError(
                f"the workbook has {cells:,} cells, more than the {_MOST_CELLS:,} that are read",
                place=self.place,
                hint="keep the sheets that are meant in a workbook of their own, without rows that "
                "are formatted and empty",
            )

    def with_parts(self, parts: Mapping[str, bytes]) -> bytes:
        """The archive with these parts instead of its own; all others as they are."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.comment = self._archive.comment
            for info in self._archive.infolist():
                data = parts.get(info.filename)
                if data is None:
                    data = self._archive.read(info.filename)
                archive.writestr(info, data, compress_type=info.compress_type)
        return out.getvalue()


def parse_xml(data: bytes, part: str, place: Place) -> etree._Element:
    """The root of a part; nothing outside it is loaded, no entity is expanded."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise BadInputError(f"the part {part} is no XML: {error.msg}", place=place) from None
