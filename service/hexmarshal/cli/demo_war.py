"""The small war of `hexmarshal demo`: a module, a log and a map, all made on the spot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal import builder as b
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.logwriter import LogWriter
from hexmarshal.vassal.saves.savedata import save_entries
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import Seat

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write_map", "write_module_and_log"]

_COUNTER = """<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48">
<rect width="48" height="48" rx="5" fill="{colour}"/>
<path d="M8 14h32v20H8zM8 14l32 20M40 14L8 34" fill="none" stroke="#fff" stroke-width="2"/></svg>"""

_MAP = """\
format: hexmarshal-terrain/1
name: The crossing
grid: {kind: block, columns: 9, rows: 6, pitch: 60, breadth: 69.282}
terrain:
  woods: {sight: obstacle, height: 1, cost: {foot: 2}}
  grain: {sight: hindrance, height: 1, cost: {foot: 1}}
  river: {cost: {foot: 1}}
cells:
  0402: woods
  0503: grain
  0604: woods
sides:
  0302/NE: river
  0302/SE: river
"""


def write_module_and_log(folder: Path) -> tuple[Path, Path]:
    """A module of two squads, and a log in which one of them moves and fires."""
    made = b.ModuleBuilder("Two Squads", version="1.0", description="A very small war")
    made.sides("Red", "Blue")
    main = made.map("Main Map", main=True).conveniences()
    grid = b.hex_grid(width=55.43, height=64, origin=(60, 64))
    main.board("Field", size=(600, 480), color="226,222,196", grid=grid)
    squads = made.palette("Squads").list("All")
    slots = {}
    for side, colour in (("Red", "#a93226"), ("Blue", "#2471a3")):
        image = made.image(f"{side.lower()}.svg", _COUNTER.format(colour=colour).encode())
        traits = (b.can_delete(), b.facings(6), b.markers({"Side": side}))
        slots[side] = squads.counter(b.Counter(f"{side} squad", image, traits))
    made.dice("2d6", count=2, sides=6)
    start = made.setup("Meeting engagement")
    red = start.place(slots["Red"], main, "0203")
    start.place(slots["Blue"], main, "0804")
    start.save()
    module = made.save(folder / "two-squads.vmod", force=True)

    nested = Module.open(module).archive
    assert nested is not None
    state = SavedGame.from_archive(nested.nested("Meeting-engagement.vsav")).state()
    state.seats["a password"] = Seat("a password", "Ann", "Red")
    writer = LogWriter(state)
    with writer.step() as step:
        step.move(red, "Main Map", 226, 224, user="a password")
    with writer.step() as step:
        step.roll("2d6", (4, 5), player="Ann")
    log = folder / "two-squads.vlog"
    entries = save_entries("Two Squads", "1.0", module_data=made.module_data)
    writer.finish(entries).save(log, force=True)
    return module, log


def write_map(folder: Path) -> Path:
    """A terrain file of the same size."""
    path = folder / "crossing.yaml"
    path.write_text(_MAP, "utf-8")
    return path
