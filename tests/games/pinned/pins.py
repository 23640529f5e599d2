"""`python pins.py NAME`: pins a game as it is now; the same as `hexmarshal pin --renew NAME`."""

from __future__ import annotations

import sys
from pathlib import Path

from hexmarshal.cli.rules.pin import pin

if __name__ == "__main__":
    sys.exit(pin(Path(__file__).parent, renew=sys.argv[1:] or ["all"]))
