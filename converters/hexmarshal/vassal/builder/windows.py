"""Windows of counters and of charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.components import (
    BoxWidget,
    Chart,
    ChartWindow,
    HelpFile,
    HtmlChart,
    ListWidget,
    PanelWidget,
    PieceSlot,
    PieceWindow,
    TabWidget,
    Widget,
)
from hexmarshal.vassal.pieces.piece import format_add

if TYPE_CHECKING:
    from hexmarshal.vassal.builder.counters import Counter
    from hexmarshal.vassal.builder.module import ModuleBuilder
    from hexmarshal.vassal.components import Component

__all__ = ["Charts", "Palette"]


class Palette:
    """A window, tab, list or panel of counters."""

    def __init__(self, module: ModuleBuilder, component: Component) -> None:
        self._module = module
        self.component = component

    def _inside(self, cls: type[Widget], attributes: dict[str, str]) -> Palette:
        return Palette(self._module, self.component.add(cls, attributes))

    def tabs(self, name: str = "") -> Palette:
        """Tabs; put lists or panels into them."""
        return self._inside(TabWidget, {"entryName": name, "description": ""})

    def choice(self, name: str = "") -> Palette:
        """A drop-down list, which can be read however narrow the window is."""
        return self._inside(BoxWidget, {"entryName": name, "description": ""})

    def list(self, name: str) -> Palette:
        """A list of names to scroll through, beside the counter that is chosen in it.

        Unlike a panel it never squeezes its counters, however low the docked window is.
        """
        size = {"divider": "100", "height": "200", "scale": "1.0", "width": "340"}
        return self._inside(ListWidget, {"entryName": name, "description": "", **size})

    def panel(self, name: str, *, columns: int = 0) -> Palette:
        """Counters side by side; in so many columns, or with 0 in one row."""
        attributes = {
            "entryName": name,
            "description": "",
            "fixed": "true" if columns else "false",
            "nColumns": str(columns or 3),
            "scale": "1.0",
            "vert": "false",
        }
        return self._inside(PanelWidget, attributes)

    def counter(self, counter: Counter) -> PieceSlot:
        """Put a counter in; players drag copies of it out."""
        return self._module.slot_in(self.component, counter)


class Charts:
    """A window or tab of charts."""

    def __init__(self, module: ModuleBuilder, component: Component) -> None:
        self._module = module
        self.component = component

    def tabs(self, name: str = "") -> Charts:
        """Tabs; put charts into them."""
        made = self.component.add(TabWidget, {"entryName": name, "description": ""})
        return Charts(self._module, made)

    def picture(self, name: str, image: str) -> None:
        """An image of the module."""
        self.component.add(Chart, {"chartName": name, "description": "", "fileName": image})

    def page(self, name: str, html: str) -> None:
        """A page of simple HTML, as VASSAL's own viewer shows it."""
        html_chart(self.component, name, self._module.page(name, html))


def html_chart(parent: Component, name: str, entry: str) -> HtmlChart:
    """A page of the archive as a chart."""
    return parent.add(HtmlChart, {"chartName": name, "description": "", "fileName": entry})


def help_file(parent: Component, title: str, entry: str) -> HelpFile:
    """A page of the archive in the help menu."""
    attributes = {
        "fileName": entry,
        "fileType": "archive",
        "image": "",
        "title": title,
        "vassalDoc": "user",
    }
    return parent.add(HelpFile, attributes)


def piece_window(parent: Component, name: str, *, icon: str = "") -> PieceWindow:
    """An empty window of counters."""
    attributes = {
        "defaultWidth": "0",
        "hidden": "false",
        "hotkey": "",
        "icon": icon,
        "name": name,
        "scale": "1.0",
        "text": name,
        "tooltip": name,
    }
    return parent.add(PieceWindow, attributes)


def chart_window(parent: Component, name: str, *, icon: str = "") -> ChartWindow:
    """An empty window of charts."""
    attributes = {
        "description": "",
        "hotkey": "",
        "icon": icon,
        "name": name,
        "text": name,
        "tooltip": name,
    }
    return parent.add(ChartWindow, attributes)


def write_slot(slot: PieceSlot, counter: Counter, gpid: str) -> None:
    """Give a slot its definition and its id."""
    slot.name = counter.name
    slot.gpid = gpid
    slot.width, slot.height = counter.width, counter.height
    slot.text = format_add(counter.piece(gpid))
