"""`hexmarshal scale`: a module with its set-ups and saves, larger or smaller."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Json, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, OutputError, Place, UsageError, VassalFormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.vassal.scaling import Plan, Scaled
    from hexmarshal.vassal.scaling.verify import NameCheck

MOST_DOUBTS = 20

app = command_app("Make a module larger or smaller, with set-ups and saves.")


@app.command(
    epilog=examples(
        "hexmarshal scale game.vmod --by 1/2 -o half.vmod",
        "hexmarshal scale game.vmod extra.vmdx turn4.vsav turn5.vlog --by 150% -o larger",
        "hexmarshal scale game.vmod --by 0.75 --only counters -o small-counters.vmod",
        "hexmarshal scale game.vmod --by 2 --map 'Main Map' -o zoomed.vmod",
    )
)
def scale(
    module: Annotated[Path, typer.Argument(metavar="MODULE", help="The module.")],
    others: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Its extensions, saves and logs."),
    ] = None,
    *,
    by: Annotated[str, typer.Option("--by", metavar="FACTOR", help="0.5, 50% or 1/2.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="OUT", help="A file; for several files a folder."),
    ],
    only: Annotated[
        str, typer.Option(metavar="maps|counters", help="Leave the others as they are.")
    ] = "",
    maps: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="NAME", help="Only this map, and no counters."),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Scale boards, grids, zones, regions, at-start stacks, decks, pictures, counters and games.

    Pieces stay on their places: a check of names over all boards says so. What is computed by
    expressions or done by a module's own code cannot be followed and is listed; then the exit
    code is 1.
    """
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.scaling import parse_factor, scale_plan

    if only not in {"", "maps", "counters"}:
        raise UsageError(f"no such choice: {only!r}", hint="--only maps, --only counters")
    if maps and only == "counters":
        raise UsageError("--map takes no counters along", hint="leave --only counters out")
    opened = Module.open(module)
    plan = scale_plan(
        opened,
        parse_factor(by),
        maps=maps or (),
        boards=only != "counters",
        counters=only != "maps",
    )
    return stretch_files([module, *(others or ())], plan, output, force=force, json=json)


def stretch_files(
    files: Sequence[Path], plan: Plan, output: Path, *, force: bool, json: bool
) -> int:
    """Change a module and what belongs to it by a plan, write all, and tell of it."""
    from hexmarshal.vassal.container.atomic import make_folder, refuse_existing
    from hexmarshal.vassal.files import open_file
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.scaling import Scaled, scale_game, scale_module
    from hexmarshal.vassal.scaling.run import picture_count
    from hexmarshal.vassal.scaling.verify import check_names

    targets = {path: output / path.name if len(files) > 1 else output for path in files}
    if len(set(targets.values())) < len(files):
        raise UsageError("two of the files have the same name, and would have to in the folder")
    if len(files) > 1 and os.path.lexists(output) and not output.is_dir():
        raise OutputError("exists and is not a folder", place=Place(file=str(output)))
    for target in targets.values():
        refuse_existing(target, force=force)
    opened = {path: open_file(path) for path in files}
    _check_belong([*opened.values()])
    done: dict[Path, Scaled] = {}
    changed: dict[Path, Module | SavedGame] = {}
    names: NameCheck | None = None
    total = sum(picture_count(m, plan) for m in opened.values() if isinstance(m, Module))
    with progress("scaling", total) as advance:
        for path, each in opened.items():
            if isinstance(each, SavedGame):
                done[path] = Scaled()
                changed[path] = scale_game(each, plan, done[path].unsure)
                continue
            done[path] = scale_module(each, plan, advance)
            changed[path] = each
            if not each.is_extension:
                names = check_names(Module.open(path), each, plan)
    # Only now: of files that belong together none shall be written if one cannot be changed.
    if len(files) > 1:
        make_folder(output)
    for path, each in changed.items():
        each.save(targets[path], force=force)
    if json:
        _print_json(done, targets, names)
    else:
        for path, one in done.items():
            _print(one)
            print(f"wrote {targets[path]}")
        if names is not None:
            _print_names(names)
    doubtful = any(one.unsure or one.problems for one in done.values())
    return ExitCode.FINDINGS if doubtful or (names and names.changed) else ExitCode.OK


def _check_belong(opened: Sequence[object]) -> None:
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

    module = opened[0]
    if not isinstance(module, Module) or module.is_extension:
        raise UsageError("the first file is to be the module", hint="hexmarshal scale --help")
    for other in opened[1:]:
        if isinstance(other, Module) and not other.is_extension:
            raise UsageError("one module at a time", place=other.place)
        if isinstance(other, Module):
            of = other.name
        else:
            assert isinstance(other, SavedGame)
            metadata = other.module_metadata
            of = metadata.name if metadata is not None else ""
        if of and module.name and of != module.name:
            assert isinstance(other, Module | SavedGame)
            raise VassalFormatError(f"belongs to {of!r}, not to {module.name!r}", place=other.place)


def _print_json(
    done: dict[Path, Scaled], targets: dict[Path, Path], names: NameCheck | None
) -> None:
    print_json(
        {
            "files": [
                {"file": str(path), "output": str(targets[path]), **one.as_dict()}
                for path, one in done.items()
            ],
            "names": None if names is None else names.as_dict(),
        }
    )


def _print(one: Scaled) -> None:
    for kind, count in sorted(one.components.items()):
        print(f"  {kind}: {count}")
    if one.definitions:
        print(f"  definitions of pieces: {one.definitions}")
    if one.pictures:
        print(f"  pictures: {len(one.pictures)}")
    for entry in one.games:
        print(f"  set-up {entry}")
    for problem in one.problems:
        print(f"  problem: {problem}")
    shown = sorted(one.unsure.items(), key=lambda item: -item[1])
    for words, times in shown[:MOST_DOUBTS]:
        print(f"  look at: {words}" + (f" ({times} times)" if times > 1 else ""))
    if len(shown) > MOST_DOUBTS:
        print(f"  and {len(shown) - MOST_DOUBTS} more to look at: --json lists all")


def _print_names(names: NameCheck) -> None:
    if not names.asked:
        return
    kept = names.asked - names.changed
    print(f"places: {kept} of {names.asked} have the name that they had")
    for line in names.examples:
        print(f"  {line}")
