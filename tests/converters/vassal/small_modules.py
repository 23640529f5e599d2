"""A small sound module that the tests of lint, diff, merge and images damage or change."""

from __future__ import annotations

from collections.abc import Callable

from hexmarshal.vassal import builder as b
from hexmarshal.vassal.components import PieceSlot
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.module import Module

Change = Callable[[Module], None]

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{0}"/>'


def picture(size: int = 48) -> bytes:
    return SVG.format(size).encode()


def sound_builder() -> b.ModuleBuilder:
    module = b.ModuleBuilder("Small", version="1.0")
    module.sides("Red", "Blue")
    for name in ("red.svg", "blue.svg", "back.svg", "chart.svg"):
        module.image(name, picture())
    module.prototype(b.Counter("Unit", traits=(b.can_delete(),)))
    main = module.map("Main Map", main=True)
    field = main.board(
        "Field", size=(600, 480), grid=b.hex_grid(width=55.43, height=64, origin=(60, 64))
    )
    units = module.palette("Counters").list("Units")
    red = units.counter(
        b.Counter(
            "Red",
            "red.svg",
            (b.prototype("Unit"), b.two_sided("red.svg", "back.svg", name="Steps")),
        )
    )
    units.counter(b.Counter("Blue", "blue.svg", (b.prototype("Unit"),)))
    main.stack("Starters", field, "0302", b.Counter("Starter", "red.svg"))
    main.deck("Deck", field, (500, 400), [b.Counter("Ace", "blue.svg")])
    module.charts("Charts").page("Help", '<p><img src="chart.svg"></p>')
    module.global_property("Weather", "clear")
    start = module.setup("Start")
    start.place(red, main, "0405")
    start.save()
    return module


SOUND = sound_builder().to_bytes()


def sound_module() -> Module:
    return Module.from_archive(Archive.from_bytes(SOUND))


def changed(change: Change) -> Archive:
    """The sound module with a change, as an archive."""
    module = sound_module()
    change(module)
    return Archive.from_bytes(module.to_bytes())


def slot(module: Module, name: str) -> PieceSlot:
    return next(s for s in module.slots() if s.name == name)


EXTENSION_DATA = b"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<data version="1">
  <version>1.1</version>
  <VassalVersion>3.7.0</VassalVersion>
  <dateSaved>0</dateSaved>
  <description/>
  <universal>false</universal>
</data>
"""


def extension(*elements: str, files: dict[str, bytes] | None = None, id: str = "a1b") -> Archive:
    """An extension of the small module; each element is an ExtensionElement as XML."""
    head = (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
        '<VASSAL.build.module.ModuleExtension anyModule="false" description="More"'
        f' extensionId="{id}" module="Small" moduleVersion="1.0" nextPieceSlotId="50"'
        ' vassalVersion="3.7.0" version="1.1">\n'
    )
    build = head + "\n".join(elements) + "\n</VASSAL.build.module.ModuleExtension>\n"
    entries = {"buildFile.xml": build.encode(), "extensiondata": EXTENSION_DATA, **(files or {})}
    return Archive.from_bytes(b"".join(build_archive(entries)))
