"""A sheet that shows one of every kind of counter, in each of its states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.kharkov.art import colours
from hexmarshal.games.kharkov.art.faces import SIZE
from hexmarshal.games.kharkov.art.markers import MARKERS
from hexmarshal.kit.drawing.counter_sheet import counter_sheet as drawn
from hexmarshal.kit.drawing.counter_sheet import layered

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ROWS", "counter_sheet"]

# Counters by the names of their images in the module, those of one counter joined by `+`.
ROWS: Final = {
    "German divisions and regiments, step by step": (
        "infantry-294+value-9-8",
        "infantry-294+value-4-8-reduced",
        "infantry-294+value-2-8-reduced",
        "infantry-294+value-1-8-reduced",
        "light-108+value-7-8",
        "light-108+value-3-8-reduced",
        "mountain-1+value-7-8",
        "security-454+value-3-8",
        "regiment+value-2-8",
        "regiment+value-1-8-reduced",
        "romanian-20+value-4-6",
    ),
    "Mechanised divisions": (
        "panzer-201-23+value-7-12-light",
        "panzer-201-23+value-3-12-reduced",
        "panzergrenadier-126-23+value-4-12-light",
        "panzergrenadier-126-23+value-2-12-reduced",
        "panzer-2-16+value-6-12-light",
        "panzergrenadier-92-60+value-5-12-light",
    ),
    "Soviet units, unrevealed and revealed, and their Replacements": (
        "unrevealed-rifle",
        "rifle-3-4-6",
        "rifle-5-6-6",
        "unrevealed-cavalry",
        "cavalry-3-3-9",
        "unrevealed-tank",
        "tank-5-5-11",
        "motorised-3-4-11",
        "replacement-2-3-6",
        "guards-13G+value-6-6-6-light",
        "guards-13G+value-3-3-6-reduced",
    ),
    "Headquarters, active and inactive, and reserves": (
        "hq-28-active",
        "hq-28-inactive",
        "hq-6-active",
        "hq-6-inactive",
        "hq-rom-active",
        "hq-rom-inactive",
        "rsv-28",
        "rsv-9",
    ),
    "Signs on units": (
        "infantry-297+value-9-8+moved",
        "infantry-297+value-9-8+disrupted",
        "infantry-297+value-9-8+unsupplied",
        "regiment+value-2-8+strongpoint",
        "hq-57-inactive+displaced",
    ),
    "Markers": tuple(MARKERS),
}


def counter_sheet(image: Callable[[str], bytes]) -> str:
    """The sheet as SVG; `image` gives the PNG of a name."""
    rows = {
        title: [layered(SIZE, *map(image, names.split("+"))) for names in counters]
        for title, counters in ROWS.items()
    }
    return drawn(rows, SIZE, ground=colours.STEPPE)
