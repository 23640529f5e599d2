"""`hexmarshal inspect`: what is in a VASSAL file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hexmarshal.cli.options import InputFile, Json, ShowSecrets, command_app, examples
from hexmarshal.cli.output import print_fields, print_json, print_table, progress
from hexmarshal.errors import BadInputError, ExitCode, NotFoundError, Place
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

app = command_app("Show what is in a module, extension, save or log.")

MOST_PROBLEMS = 20


@app.command(
    epilog=examples(
        "hexmarshal inspect game.vmod",
        "hexmarshal inspect game.vmod --depth 3",
        "hexmarshal inspect turn5.vlog --module game.vmod",
        "hexmarshal inspect game.vmod --json | jq .maps",
    )
)
def inspect(
    file: InputFile,
    *,
    module: Annotated[
        Path | None,
        typer.Option("--module", metavar="VMOD", help="Names places and turns of a save or log."),
    ] = None,
    depth: Annotated[
        int, typer.Option(metavar="N", min=1, help="Show the component tree N levels deep.")
    ] = 1,
    show_secrets: ShowSecrets = False,
    json: Json = False,
) -> int:
    """Show what is in a file: metadata, maps and grids, pieces, traits, players, turn, steps.

    Exit code 1 says that something in the file cannot be read; it is named, and the rest is shown.
    """
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.summary import summarise

    place = Place(file=str(file))
    if not file.exists():
        raise NotFoundError("no such file", place=place)
    if file.is_dir():
        raise BadInputError("a folder, not a file", place=place)
    with progress(f"reading {file.name}", None):
        base = Module.open(module) if module else None
        told = summarise(file, base, secrets=show_secrets, depth=depth, pieces=json)
    if json:
        print_json(told)
    elif "maps" in told:
        _print_module(told)
    else:
        _print_save(told)
    return ExitCode.FINDINGS if told.get("problems") or told.get("damaged_pieces") else ExitCode.OK


def _print_module(told: dict[str, Any]) -> None:
    from hexmarshal.vassal.summary import top

    data, entries = told["metadata"], told["entries"]
    custom = ", ".join(told["custom_classes"]) or "none"
    print_fields(
        {
            "file": told["file"],
            "kind": told["kind"],
            "name": f"{told['name']} {told['version']}".strip(),
            "written by": data.get("vassal_version", "unknown"),
            "description": data.get("description", ""),
            "sides": ", ".join(told["sides"]) or "none",
            "entries": f"{entries['count']} ({counted(entries['images'], 'image')},"
            f" {counted(entries['sounds'], 'sound')},"
            f" {counted(entries['classes'], 'Java class', 'Java classes')})",
            "pieces": told["pieces"],
            "prototypes": len(told["prototypes"]),
            "set-ups": ", ".join(s["name"] for s in told["setups"]) or "none",
            "own classes": custom,
        }
    )
    _print_problems(told["damaged_pieces"])
    rows = list(_rows(told["tree"]))
    print_table("Components", ("class", "name", "inside"), rows, right=("inside",))
    boards = [
        (m["name"], b["name"], _size(b["size"]), _grid(b["grid"]))
        for m in told["maps"]
        for b in m["boards"]
    ]
    print_table("Maps", ("map", "board", "size", "grid"), boards)
    traits = {**told["traits"], **{f"{k} (own)": n for k, n in told["custom_traits"].items()}}
    print_table("Traits", ("trait", "count"), top(traits, 20), right=("count",))


def _rows(tree: list[dict[str, Any]], indent: str = "") -> Iterator[tuple[str, str, int]]:
    for branch in tree:
        yield indent + branch["class"], branch["name"], branch["inside"]
        yield from _rows(branch.get("children", []), indent + "  ")


def _print_problems(problems: list[str]) -> None:
    for problem in problems[:MOST_PROBLEMS]:
        print(f"problem: {problem}")
    if len(problems) > MOST_PROBLEMS:
        print(f"... and {len(problems) - MOST_PROBLEMS} more (--json lists them all)")


def _size(size: list[int] | None) -> str:
    return "unknown" if size is None else f"{size[0]} x {size[1]}"


def _grid(grid: dict[str, Any] | None) -> str:
    if grid is None:
        return "none"
    numbered = "" if grid["numbered"] or "zones" in grid else ", no numbering"
    zones = f", {counted(len(grid['zones']), 'zone')}" if "zones" in grid else ""
    return f"{grid['class']}{zones}{numbered}"


def _print_save(told: dict[str, Any]) -> None:
    module = told["module"]
    players = [
        f"{p['name']} ({p['side']})" + (f" [{p['user_id']}]" if "user_id" in p else "")
        for p in told["players"]
    ]
    turns = [f"{name}: {state}" for name, state in told["turn"].items()]
    print_fields(
        {
            "file": told["file"],
            "kind": told["kind"],
            "module": f"{module.get('name', 'unknown')} {module.get('version', '')}".strip(),
            "written by": told["metadata"].get("vassal_version", "unknown"),
            "form": told["form"],
            "comment": told["metadata"].get("description", ""),
            "players": ", ".join(players) or "none",
            "turn": ", ".join(turns) or "no tracker",
            "pieces": f"{told['pieces']} in {counted(told['stacks'], 'stack')},"
            f" {counted(len(told['decks']), 'deck')}",
        }
    )
    _print_problems(told["problems"])
    rows = list(told["pieces_by_map"].items())
    print_table("Pieces", ("map", "pieces"), rows, right=("pieces",))
    if "steps" in told:
        steps = [(s["number"], s["player"] or "", _deed(s)) for s in told["steps"]]
        print_table("Steps", ("step", "player", "what"), steps, right=("step",))


def _deed(step: dict[str, Any]) -> str:
    deeds = [f"{m['piece']}: {m['from']} -> {m['to']}" for m in step["moves"]]
    deeds += [f"{c['piece']}: {'; '.join(c['what'])}" for c in step["changes"]]
    deeds += [f"{d['name']} = {','.join(map(str, d['dice']))}" for d in step["dice"]]
    deeds = deeds or [line for line in step["chat"] if line]
    deeds = deeds or [f"{p['name']} = {p['to']}" for p in step["properties"]]
    return ("undo: " if step["undo"] else "") + "; ".join(deeds)
