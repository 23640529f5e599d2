"""What a build file costs to open, walk and write beside lxml alone."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import etree
from ratio import Ratio, compare

from hexmarshal.vassal.module import Module
from hexmarshal.vassal.xml.xmlstyle import Style

if TYPE_CHECKING:
    from collections.abc import Iterable

_PIECES = 6000
_TYPE = (
    "prototype;Infantry\tmark;Side,Strength\\\tpiece;;;{image}.png;{name}/"
    "{side},4-3\\\tnull;0;0;{gpid};0"
)


def build_file() -> bytes:
    """A module of some 4 MB: palettes of pieces with long definitions, maps, prototypes."""
    root = etree.Element("VASSAL.build.GameModule", name="Bench", version="1.0")
    window = etree.SubElement(root, "VASSAL.build.module.PieceWindow", name="Units")
    for page in range(_PIECES // 50):
        panel = etree.SubElement(
            window, "VASSAL.build.widget.PanelWidget", entryName=f"Page {page}", nColumns="3"
        )
        for i in range(50):
            gpid = page * 50 + i
            slot = etree.SubElement(
                panel,
                "VASSAL.build.widget.PieceSlot",
                entryName=f"{gpid}/Regiment",
                gpid=str(gpid),
                height="64",
                width="64",
            )
            piece = _TYPE.format(image=f"u{gpid}", name=f"{gpid}. Rgt", side="Red", gpid=gpid)
            slot.text = "+/null/" + piece * 5
    return Style().document(root)


def measure() -> Iterable[Ratio]:
    data = build_file()
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "buildFile.xml", Path(folder) / "out.xml"
        source.write_bytes(data)

        def bare() -> None:
            etree.ElementTree(etree.fromstring(source.read_bytes())).write(str(target))

        def opened() -> Module:
            module = Module.open(source)
            letters = 0
            for slot in module.slots():
                letters += len(slot.name) + len(slot.gpid) + (slot.width or 0) + len(slot.text)
            return module

        def ours() -> None:
            opened().save(target, force=True)

        def changed() -> None:
            module = opened()
            next(module.slots()).name = "renamed"
            module.save(target, force=True)

        size = f"buildFile of {len(data) / 1e6:.1f} MB"
        yield compare(f"{size}: open, walk pieces, write / lxml parse, write", ours, bare, 4)
        yield compare(f"{size}: the same with a change / lxml parse, write", changed, bare, 8)
