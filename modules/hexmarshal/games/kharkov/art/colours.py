"""The palette, by what it paints."""

from typing import Final

STEPPE: Final = "#efe6cc"
BANK: Final = "#2f6b9c"
FRONT: Final = "#c01f2e"
SECTOR: Final = "#2f8a3c"
INK: Final = "#221f1b"
PAPER: Final = "#f7f1de"
AXIS: Final = "#97a58f"
PANZER: Final = "#6d7a6c"
ROMANIAN: Final = "#cdb95c"
SOVIET: Final = "#c9875a"
GUARDS: Final = "#a8312c"
SYMBOL: Final = "#f3ecd8"
