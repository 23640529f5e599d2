"""`make wheel`: builds the wheel, installs it into an empty environment elsewhere, and tries it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROBE = """
import importlib, pathlib, sys
for name in ("errors", "geometry", "vassal", "rules", "kit", "cli", "v1"):
    module = importlib.import_module(f"hexmarshal.{name}")
    home = pathlib.Path(module.__file__)
    assert "site-packages" in home.parts, home
    assert (home.parent / "py.typed").exists(), f"{name} is not marked as typed"
print("imports: fine")
"""


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="hexmarshal wheel ") as scratch:
        folder = Path(scratch)
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "wheel", "--no-deps", "-w", folder, ROOT], check=True)
        (wheel,) = folder.glob("*.whl")
        print(f"built {wheel.name}, {wheel.stat().st_size} bytes")
        venv.create(folder / "empty", with_pip=True)
        python = folder / "empty" / "bin" / "python"
        subprocess.run(
            [python, *pip[1:], "install", "-c", ROOT / "constraints.txt", wheel],
            check=True,
        )
        command = python.parent / "hexmarshal"
        subprocess.run([command, "--version"], check=True, cwd=folder)
        subprocess.run([command, "new", "my_game"], check=True, cwd=folder)
        own = ["--plugin", "./my_game:MyGame"]
        subprocess.run([command, "verify", "cases", *own], check=True, cwd=folder / "my_game")
        subprocess.run([python, "-c", PROBE], check=True, cwd=folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
