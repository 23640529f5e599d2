"""The tables of the games, which the tests of the referee build too."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "referee"))
