"""`make bench`: runs every bench_*.py in the rooms here and prints its ratios; exit 1 on a miss.

Each bench module has `def measure() -> Iterable[Ratio]`. Names given on the command line select.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOMS = sorted({path.parent for path in HERE.glob("*/bench_*.py")})
sys.path[:0] = [str(HERE), *map(str, ROOMS)]


def main(selected: list[str]) -> int:
    names = sorted(path.stem for path in HERE.glob("*/bench_*.py"))
    missed = 0
    print(f"{'what':<64}{'ours':>12}{'bare':>12}{'ratio':>9}  goal")
    for name in names:
        if selected and not any(word in name for word in selected):
            continue
        for ratio in importlib.import_module(name).measure():
            goal = f"{'>=' if ratio.at_least else '<='} {ratio.bound:g}"
            mark = "" if ratio.ok else "  MISSED"
            missed += not ratio.ok
            print(
                f"{ratio.name:<64}{ratio.ours:>12.6g}{ratio.base:>12.6g}"
                f"{ratio.value:>9.2f}  {goal}{mark}",
                flush=True,
            )
    return 1 if missed else 0


def compiled(arguments: list[str]) -> int:
    """The same where modules stay compiled, as installed ones do, for children too."""
    with tempfile.TemporaryDirectory() as folder:
        env = os.environ | {"PYTHONPYCACHEPREFIX": folder}
        del env["PYTHONDONTWRITEBYTECODE"]
        return subprocess.run(
            [sys.executable, __file__, *arguments], env=env, check=False
        ).returncode


if __name__ == "__main__":
    run = compiled if os.environ.get("PYTHONDONTWRITEBYTECODE") else main
    sys.exit(run(sys.argv[1:]))
