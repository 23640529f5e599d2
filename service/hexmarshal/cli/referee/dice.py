"""`hexmarshal dice FILE ...`: every roll of any log, and whether fair dice would fall so."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_json, print_table, progress
from hexmarshal.errors import ExitCode, HexMarshalError, NotFoundError, Place, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.referee.dice.rolls import Roll
    from hexmarshal.referee.dice.tallies import Tally

app = command_app("List and test the dice of logs, of any module.")


@app.command(
    epilog=examples(
        "hexmarshal dice game.vlog",
        "hexmarshal dice season/ --module game.vmod --picture dice.svg",
        "hexmarshal dice *.vlog --csv rolls.csv --picture dice.png --purposes",
        "hexmarshal dice game.vlog --player Alice --json",
    )
)
def dice(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Logs, or folders of them.")],
    *,
    module: Annotated[
        Path | None,
        typer.Option(metavar="VMOD", help="The module, whose buttons say how rolls are worded."),
    ] = None,
    player: Annotated[str, typer.Option(metavar="NAME", help="Only this player's dice.")] = "",
    csv: Annotated[
        Path | None, typer.Option(metavar="CSV", help="Write every roll into a table.")
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="SVG|PNG", help="Draw how often each face came.")
    ] = None,
    purposes: Annotated[
        bool, typer.Option("--purposes", help="Draw each purpose of a player's rolls by itself.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """List the dice of logs by player and purpose, and test whether fair ones fall so.

    Rolls are read from the module's own buttons, from VASL's and VASSAL's usual words, and from
    chat; no rules and no binding are needed. 3 says that a file could not be read.
    """
    from hexmarshal.referee.dice.tallies import judged, tallies
    from hexmarshal.vassal.container.atomic import refuse_existing

    for target in (csv, picture):
        if target is not None:
            refuse_existing(target, force=force)
    if picture is not None and picture.suffix not in (".svg", ".png"):
        raise UsageError("a picture ends in .svg or .png", place=Place(file=str(picture)))
    rolls, failed = _read(files, module)
    if player:
        rolls = [roll for roll in rolls if roll.player == player]
    total, purposed = tallies(rolls, by_purpose=False), tallies(rolls, by_purpose=True)
    verdict = judged(total)
    if csv is not None:
        _write_csv(csv, rolls, force=force)
    if picture is not None:
        _draw(picture, purposed if purposes else total, force=force)
    if json:
        print_json(
            {
                "rolls": [roll.to_json() for roll in rolls],
                "players": [one.to_json() for one in total],
                "purposes": [one.to_json() for one in purposed],
                "verdict": verdict.to_json(),
                "failed": failed,
            }
        )
    else:
        _print(total, "player")
        if any(one.purpose for one in purposed):
            _print(purposed, "purpose")
        back = sum(roll.taken_back for roll in rolls)
        print(f"{counted(len(rolls), 'roll')}{f', {back} taken back' if back else ''}. {verdict}")
        for name, why in failed.items():
            print(f"not read: {name}: {why}")
    return ExitCode.BAD_INPUT if failed else ExitCode.OK


def _read(files: list[Path], module: Path | None) -> tuple[list[Roll], dict[str, str]]:
    from hexmarshal.referee.dice.rolls import read_rolls, wordings
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

    known = wordings(Module.open(module) if module is not None else None)
    logs = _logs(files)
    rolls: list[Roll] = []
    failed: dict[str, str] = {}
    with progress("reading", len(logs)) as advance:
        for path in logs:
            try:
                rolls += read_rolls(SavedGame.open(path), known, str(path))
            except HexMarshalError as error:
                failed[str(path)] = error.message
            advance(1)
    return rolls, failed


def _logs(files: list[Path]) -> list[Path]:
    found: list[Path] = []
    for path in files:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*.vlog") if p.is_file())
            if not inside:
                raise NotFoundError("holds no .vlog", place=Place(file=str(path)))
            found += inside
        elif not path.exists():
            raise NotFoundError("no such file", place=Place(file=str(path)))
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def _print(found: tuple[Tally, ...], by: str) -> None:
    heads = ["player", "die", "rolls", "each face", "mean", "faces, if fair", "mean, if fair"]
    if by == "purpose":
        heads.insert(1, "purpose")
    rows = []
    for one in found:
        row = [
            one.player or "-",
            one.die.name,
            str(one.rolls),
            _faces(one),
            "" if one.mean is None else f"{float(one.mean):.2f}",
            _chance(one.p_faces, exact=one.exact_faces),
            _chance(one.p_mean, exact=one.exact_mean),
        ]
        if by == "purpose":
            row.insert(1, one.purpose)
        rows.append(row)
    print_table("", heads, rows)


def _chance(p: float | None, *, exact: bool) -> str:
    return "" if p is None else f"{p:.3f}" if exact else f"about {p:.3f}"


def _faces(one: Tally) -> str:
    if one.die.is_numbered and len(one.counts) <= 10:
        return " ".join(str(count) for _, count in one.counts)
    return ", ".join(f"{face}: {count}" for face, count in one.counts if count)


def _write_csv(path: Path, rolls: list[Roll], *, force: bool) -> None:
    import csv
    from io import StringIO

    from hexmarshal.vassal.container.atomic import write_atomically

    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("file", "step", "player", "purpose", "die", "results", "total", "taken back"))
    for roll in rolls:
        total = "" if roll.total is None else roll.total
        back = "yes" if roll.taken_back else ""
        shown = " ".join(roll.results)
        cells = (roll.file, roll.step, roll.player, roll.purpose, roll.die.name, shown, total, back)
        table.writerow([_inert(cell) for cell in cells])
    write_atomically(path, [text.getvalue().encode("utf-8")], force=force)


def _inert(cell: object) -> object:
    """A name that a spreadsheet would take for a formula is shown as text."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t" and cell else cell


def _draw(path: Path, found: tuple[Tally, ...], *, force: bool) -> None:
    from hexmarshal.geometry.svg.png import png
    from hexmarshal.referee.dice.picture import dice_svg
    from hexmarshal.vassal.container.atomic import write_atomically

    svg = dice_svg(found)
    data = (
        png(svg, instead="name the picture .svg") if path.suffix == ".png" else svg.encode("utf-8")
    )
    write_atomically(path, [data], force=force)
