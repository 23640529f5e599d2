"""A map of a new module: boards, at-start stacks, decks, and what players need to use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lxml import etree

from hexmarshal.errors import UsageError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.builder.buttons import camera_button
from hexmarshal.vassal.components import (
    CONTROLLERS,
    Board,
    BoardPicker,
    CardSlot,
    CounterDetailViewer,
    DrawPile,
    Flare,
    GlobalMap,
    HidePiecesButton,
    HighlightLastMoved,
    ImageSaver,
    LayeredPieceCollection,
    LosThread,
    Map,
    PieceSlot,
    SelectionHighlighters,
    SetupStack,
    StackMetrics,
    Zoomer,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.vassal.builder.counters import Counter
    from hexmarshal.vassal.builder.module import ModuleBuilder
    from hexmarshal.vassal.components import Component, Grid
    from hexmarshal.vassal.values import KeyStroke

__all__ = ["MapBuilder", "hand_attributes", "los_thread"]

_MOVED: Final = "$pieceName$ moves $previousLocation$ -> $location$ *"
_SIZES: Final = ("0.2", "0.333", "0.5", "0.65", "0.8", "1.0", "1.25", "1.6")


def hand_attributes(
    name: str, *sides: str, icon: str = "", key: KeyStroke | None = None
) -> dict[str, str]:
    """Of the window of a hand; with a key that opens it, it has no button."""
    made = {
        **MAP_ATTRIBUTES,
        "mapName": name,
        "buttonName": name,
        "launch": "true",
        "side": sequence.join(sides, ","),
        "tooltip": name,
        "useBoards": "",
        "visible": "false",
    }
    if key is not None:
        return {**made, "buttonName": "", "hotkey": key.text, "icon": ""}
    return {**made, "icon": icon} if icon else made


class MapBuilder:
    """One map window of a module that is being built."""

    def __init__(self, module: ModuleBuilder, component: Map) -> None:
        self._module = module
        self.component = component
        self._picker = component.add(
            BoardPicker,
            {
                "addColumnText": "Add column",
                "addRowText": "Add row",
                "boardPrompt": "Select board",
                "slotHeight": "125",
                "slotScale": "0.2",
                "slotWidth": "350",
                "title": "Choose boards",
            },
        )
        component.add(
            StackMetrics,
            {
                "bottom": "40,0",
                "disabled": "false",
                "down": "37,0",
                "exSepX": "6",
                "exSepY": "18",
                "top": "38,0",
                "unexSepX": "3",
                "unexSepY": "5",
                "up": "39,0",
            },
        )
        for controller in CONTROLLERS:
            component.add(controller)
        component.add(SelectionHighlighters)

    @property
    def name(self) -> str:
        """What saves call the map."""
        return self.component.name

    def board(
        self,
        name: str,
        *,
        image: str = "",
        size: tuple[int, int] = (0, 0),
        color: str = "255,255,255",
        grid: Grid | None = None,
        reversible: bool = False,
    ) -> Board:
        """A board: an image, or a plain one of a size and colour."""
        attributes = {"name": name, "reversible": "true" if reversible else "false"}
        if image:
            attributes["image"] = image
        elif min(size) > 0:
            attributes |= {"color": color, "width": str(size[0]), "height": str(size[1])}
        else:
            raise UsageError(f"the board {name!r} has neither an image nor a size")
        made = self._picker.add(Board, attributes)
        if grid is not None:
            made.append(grid)
        return made

    def boards_in_a_row(self, *names: str) -> None:
        """Choose these boards, left to right, so that nobody is asked."""
        self.component.allow_multiple = len(names) > 1
        cells = [field for c, name in enumerate(names) for field in (name, str(c), "0")]
        setup = etree.Element("setup")
        setup.text = sequence.join([f"{self.name}BoardPicker", *cells], "\t")
        self._picker.element.insert(0, setup)

    def stack(
        self, name: str, board: Board, where: str | tuple[int, int], *counters: Counter
    ) -> list[PieceSlot]:
        """Counters that lie here in every new game: at a named location or at a pixel."""
        attributes = {"name": name, "owningBoard": board.name}
        if isinstance(where, str):
            x, y = self._module.pixel(self.component, board, where)
            attributes |= {"useGridLocation": "true", "location": where}
        else:
            x, y = where
            attributes |= {"useGridLocation": "false", "location": ""}
        made = self.component.add(SetupStack, {**attributes, "x": str(x), "y": str(y)})
        return [self._module.slot_in(made, counter) for counter in counters]

    def deck(
        self,
        name: str,
        board: Board,
        at: tuple[int, int],
        cards: Iterable[Counter],
        *,
        size: tuple[int, int] = (120, 180),
        face_down: bool = True,
        shuffled: bool = True,
        reshuffle_from: str = "",
    ) -> DrawPile:
        """A deck of cards; with `reshuffle_from` its menu sends its cards to that deck."""
        made = self.component.add(
            DrawPile,
            {
                "allowMultiple": "false",
                "allowSelect": "true",
                "color": "80,80,80",
                "draw": "true",
                "drawMultipleMessage": "Draw multiple cards",
                "drawSpecificMessage": "Draw specific cards",
                "faceDown": "Always" if face_down else "Never",
                "faceDownMessage": "Face down",
                "faceUpMessage": "Face up",
                "height": str(size[1]),
                "name": name,
                "owningBoard": board.name,
                "reshufflable": "true" if reshuffle_from else "false",
                "reshuffleCommand": f"Send to {reshuffle_from}" if reshuffle_from else "",
                "reshuffleTarget": reshuffle_from,
                "reverseCommand": "Reverse",
                "reversible": "false",
                "shuffleCommand": "Shuffle",
                "shuffle": "Via right-click Menu" if shuffled else "Never",
                "width": str(size[0]),
                "x": str(at[0]),
                "y": str(at[1]),
            },
        )
        for card in cards:
            self._module.slot_in(made, card, CardSlot)
        return made

    def conveniences(self, *, zoom: Sequence[str] = _SIZES, start: int = 3) -> MapBuilder:
        """What players expect: zoom, overview, a stack viewer, a camera, hiding, last move.

        It opens with one of the sizes in `zoom`, counted from the largest.
        """
        self.component.add(
            Zoomer,
            {
                "inButtonText": "",
                "inIconName": "/images/zoomIn.gif",
                "inTooltip": "Zoom in",
                "outButtonText": "",
                "outIconName": "/images/zoomOut.gif",
                "outTooltip": "Zoom out",
                "pickButtonText": "",
                "pickIconName": "/images/zoom.png",
                "pickTooltip": "Select zoom",
                "zoomInKey": "61,715",
                "zoomLevels": ",".join(zoom),
                "zoomOutKey": "45,715",
                "zoomPickKey": "61,650",
                "zoomStart": str(start),
            },
        )
        self.component.add(
            GlobalMap,
            {
                "buttonText": "",
                "color": "255,51,51",
                "hotkey": "79,715",
                "icon": "/images/overview.gif",
                "scale": "0.2",
                "tooltip": "Overview",
            },
        )
        self.component.add(CounterDetailViewer, _VIEWER)
        self.component.add(HighlightLastMoved, _LAST_MOVED)
        self.component.add(
            HidePiecesButton,
            {
                "buttonText": "",
                "hiddenIcon": "/images/globe_selected.gif",
                "hotkey": "79,130",
                "showingIcon": "/images/globe_unselected.gif",
                "tooltip": "Hide all pieces",
            },
        )
        self.component.add(
            ImageSaver,
            {"buttonText": "", "hotkey": "", "icon": "/images/camera.gif", "tooltip": "Picture"},
        )
        self.component.add(Flare, _FLARE)
        return self

    def view(self, name: str, x: str, y: str, *, icon: str = "") -> None:
        """A button that moves the view to the pixel that two global properties tell."""
        camera_button(self.component, name, x, y, icon=icon)

    def layers(self, prop: str, *order: str) -> None:
        """Draw pieces in the order of a property's values, the first one lowest."""
        self.component.add(
            LayeredPieceCollection,
            {"description": "", "layerOrder": sequence.join(order, ","), "property": prop},
        )

    def line_of_sight(self, name: str = "LOS", *, hotkey: str = "76,715") -> LosThread:
        """A button that draws a line, snapping to locations and counting the range."""
        return los_thread(self.component, name, hotkey=hotkey)


def los_thread(of_map: Component, name: str = "LOS", *, hotkey: str = "76,715") -> LosThread:
    """A button on a map that draws a line, snapping to locations and counting the range."""
    return of_map.add(LosThread, {**_THREAD, "hotkey": hotkey, "threadName": name})


MAP_ATTRIBUTES: Final = {
    "allowMultiple": "false",
    "backgroundcolor": "221,217,206",
    "buttonName": "",
    "changeFormat": "$message$",
    "color": "0,0,0",
    "createFormat": "$pieceName$ created in $location$ *",
    "edgeHeight": "0",
    "edgeWidth": "0",
    "hideKey": "",
    "hotkey": "",
    "icon": "/images/map.gif",
    "launch": "false",
    "markMoved": "Never",
    "markUnmovedHotkey": "",
    "markUnmovedIcon": "/images/unmoved.gif",
    "markUnmovedReport": "",
    "markUnmovedText": "",
    "markUnmovedTooltip": "Take off all marks and trails of moves",
    "moveKey": "",
    "moveToFormat": _MOVED,
    "moveWithinFormat": _MOVED,
    "onlyReportChangedLocation": "false",
    "showKey": "",
    "thickness": "3",
}
_THREAD: Final = {
    "drawRange": "true",
    "global": "Always",
    "hideCounters": "false",
    "hideOpacity": "0",
    "iconName": "/images/thread.gif",
    "label": "",
    "losThickness": "3",
    "persistence": "Ctrl-Click & Drag",
    "persistentIconName": "",
    "rangeBg": "0,0,0",
    "rangeFg": "255,255,255",
    "report": "",
    "round": "Nearest whole number",
    "scale": "0",
    "snapEnd": "true",
    "snapStart": "true",
    "threadColor": "255,0,0",
    "tooltip": "Line of sight",
}
_LAST_MOVED: Final = {"color": "255,0,0", "enabled": "true", "thickness": "2"}
_FLARE: Final = {
    "circleColor": "255,0,0",
    "circleScale": "true",
    "circleSize": "100",
    "flareKey": "keyAlt",
    "flareName": "Map flare",
    "flarePulses": "6",
    "flarePulsesPerSec": "3",
    "reportFormat": "",
}
# In a stack each name keeps to its own counter: longer ones are broken into lines.
_NAME_HIGH: Final = 58
_NAME: Final = (
    f"<table width='84' height='{_NAME_HIGH}' cellpadding='0' cellspacing='0'>"
    "<tr><td align='center' valign='top'>$PieceName$</td></tr></table>"
)
_VIEWER: Final = {
    "bgColor": "255,255,255",
    "borderWidth": "4",
    "centerAll": "false",
    "centerText": "false",
    "combineCounterSummary": "false",
    "counterReportFormat": _NAME,
    "delay": "700",
    "description": "",
    "display": "from top-most layer only",
    "emptyHexReportForma": "$LocationName$",
    "enableHTML": "true",
    "extraTextPadding": "0",
    "fgColor": "0,0,0",
    "fontSize": "10",
    "graphicsZoom": "1.5",
    "hotkey": "32,130",
    "layerList": "",
    "minDisplayPieces": "1",
    "propertyFilter": "",
    "showDeck": "false",
    "showMoveSelectde": "false",
    "showNoStack": "true",
    "showNonMovable": "true",
    "showOverlap": "false",
    "showgraph": "true",
    "showgraphsingle": "true",
    "showtext": "true",
    "showtextsingle": "true",
    "stretchWidthSummary": "false",
    "summaryReportFormat": "$LocationName$",
    "unrotatePieces": "false",
    "version": "3",
    "verticalBottomText": str(_NAME_HIGH // 2 + 4),
    "verticalOffset": "2",
    "zoomlevel": "1.0",
}
