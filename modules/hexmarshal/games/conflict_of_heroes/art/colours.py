"""The palette: inks, classes of movement, and the cards of both sides."""

from typing import Final

from hexmarshal.kit.drawing.colours import Tone

RED: Final = "#b3261e"
BLUE: Final = "#1f4e9c"
GREEN: Final = "#2f7a34"
INK: Final = "#1d1b16"
PAPER: Final = "#f7f2e2"
CLASSES: Final = {"foot": RED, "tracked": BLUE, "wheeled": GREEN}
SIDES: Final = {
    "german": Tone("#b4bbb0", "#9ba598", "#6b7468"),
    "soviet": Tone("#dfc28c", "#cda96a", "#92713a"),
    "": Tone("#e6dfca", "#d3c9ab", "#93886a"),
}
