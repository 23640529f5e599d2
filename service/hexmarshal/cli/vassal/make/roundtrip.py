"""`hexmarshal roundtrip`: whether everything comes back as it was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, HexMarshalError, Place

if TYPE_CHECKING:
    from hexmarshal.vassal.roundtrip import Count, Roundtrip

app = command_app("Decode everything in a file, encode it again, and compare.")


def _told(found: Roundtrip) -> dict[str, object]:
    def count(c: Count) -> dict[str, int]:
        return {"typed": c.typed, "raw": c.raw, "own": c.own}

    return {
        "file": found.file,
        "kind": found.kind,
        "identical": found.identical,
        "difference": found.difference,
        "place": found.place.as_dict(),
        "components": count(found.components),
        "traits": count(found.traits),
        "commands": count(found.commands),
    }


def _line(found: Roundtrip) -> str:
    verdict = "identical" if found.identical else f"differs: {found.place}: {found.difference}"
    parts = []
    for name, count in (
        ("components", found.components),
        ("traits", found.traits),
        ("commands", found.commands),
    ):
        if count.typed or count.raw or count.own:
            kept = f"{count.raw} raw, {count.own} of the module's own"
            parts.append(f"{name} {count.typed} typed, {kept}")
    return "; ".join([f"{found.file}: {verdict}", *parts])


@app.command(
    epilog=examples("hexmarshal roundtrip game.vmod", "hexmarshal roundtrip saves/*.vsav --json")
)
def roundtrip(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="The files to try.")],
    *,
    json: Json = False,
) -> int:
    """Decode everything in each file, encode it again, and compare byte by byte.

    Exit code 1 if a file does not come back identical, 3 if one cannot be read, 4 if it is missing.
    """
    from hexmarshal.vassal.roundtrip import roundtrip as try_file

    told: list[dict[str, object]] = []
    worst = ExitCode.OK
    with progress("Trying", len(files)) as step:
        for path in files:
            try:
                found = try_file(path)
            except HexMarshalError as error:
                told.append({"file": str(path), "identical": False, "error": error.as_dict()})
                worst = max(worst, error.exit_code)
                if not json:
                    print(error.at(Place(file=str(path))))
            else:
                told.append(_told(found))
                worst = max(worst, ExitCode.OK if found.identical else ExitCode.FINDINGS)
                if not json:
                    print(_line(found))
            step(1)
    if json:
        print_json(told)
    return worst
