"""`hexmarshal images FILE`: lists, extracts and renames the images of a module."""

from __future__ import annotations

import csv
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, InputFile, Json, command_app, examples
from hexmarshal.cli.output import print_json, print_table, progress
from hexmarshal.errors import (
    BadInputError,
    ExitCode,
    HexMarshalError,
    Place,
    UsageError,
)
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from hexmarshal.vassal.images.image_set import ImageFile
    from hexmarshal.vassal.module import Module

app = command_app("List, extract or rename the images of a module or extension.")


@app.command(
    epilog=examples(
        "hexmarshal images game.vmod",
        "hexmarshal images game.vmod --unused",
        "hexmarshal images game.vmod --where",
        "hexmarshal images game.vmod --extract pictures",
        "hexmarshal images game.vmod --rename map.png board.png -o new.vmod",
        "hexmarshal images game.vmod --rename-map names.csv -o new.vmod",
    )
)
def images(
    file: InputFile,
    *,
    unused: Annotated[bool, typer.Option("--unused", help="Only images nobody names.")] = False,
    missing: Annotated[
        bool, typer.Option("--missing", help="Only images that are named and not there.")
    ] = False,
    where: Annotated[
        bool, typer.Option("--where", help="List every place that names an image.")
    ] = False,
    extract: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the images listed into a folder.")
    ] = None,
    rename: Annotated[
        tuple[str, str], typer.Option(metavar="FROM TO", help="Give one image a new name.")
    ] = ("", ""),
    rename_map: Annotated[
        Path | None, typer.Option(metavar="CSV", help="A table of old and new names.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="Where to write with new names."),
    ] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """List images with sizes and uses; or extract them; or rename them with all that names them."""
    from hexmarshal.vassal.images.image_set import image_files
    from hexmarshal.vassal.images.missing_images import missing_images
    from hexmarshal.vassal.images.unused_images import unused_images
    from hexmarshal.vassal.lint import ModuleSubject
    from hexmarshal.vassal.module import Module

    names = _names(rename, rename_map)
    module = Module.open(file)
    if module.archive is None:
        raise UsageError("a build file alone has no images", place=module.place)
    if names:
        return _rename(module, file, names, output, force=force, json=json)
    if output is not None:
        raise UsageError("--output goes with --rename or --rename-map")
    drawn = ModuleSubject(module).drawn_images
    with progress("looking", None):
        lost = {name: len(users) for name, users in missing_images(module, drawn).items()}
        idle = set(unused_images(module)) if unused or not missing else set()
        found = [] if missing else image_files(module)
    listed = [image for image in found if not unused or image.entry in idle]
    if extract is not None:
        _extract(module, listed, extract, force=force)
    if json:
        print_json(
            {
                "file": str(file),
                "images": [_as_dict(image, image.entry in idle) for image in listed],
                "missing": {} if unused else lost,
            }
        )
    else:
        _print(listed, idle, {} if unused else lost, extract, where=where)
    return ExitCode.OK


def _names(pair: tuple[str, str], table: Path | None) -> dict[str, str]:
    rows = [pair] if pair != ("", "") else []
    rows += _read(table) if table is not None else []
    names: dict[str, str] = {}
    for old, new in rows:
        if names.setdefault(old, new) != new:
            raise UsageError(f"{old!r} is to have two names", hint=f"{names[old]!r} and {new!r}")
    return names


def _read(table: Path) -> list[tuple[str, str]]:
    from hexmarshal.vassal.container.source import read_file

    place = Place(file=str(table))
    try:
        text = read_file(table).decode("utf-8-sig")
        lines = text.splitlines()
        # Spreadsheets write semicolons where the comma parts decimals.
        semicolons = bool(lines) and ";" in lines[0] and "," not in lines[0]
        rows = list(csv.reader(lines, delimiter=";" if semicolons else ","))
    except (UnicodeDecodeError, csv.Error) as why:
        raise BadInputError(f"not a table of names: {why}", place=place) from why
    found = []
    for line, row in enumerate(rows, 1):
        if not row or (line == 1 and [c.strip().lower() for c in row[:2]] == ["from", "to"]):
            continue
        if len(row) != 2 or not all(row):
            raise BadInputError(
                "a line has an old and a new name", place=Place(line=line).within(place)
            )
        found.append((row[0], row[1]))
    return found


def _rename(
    module: Module,
    file: Path,
    names: dict[str, str],
    output: Path | None,
    *,
    force: bool,
    json: bool,
) -> int:
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.images.image_rename import rename_images

    if output is None and not force:
        raise UsageError(
            "renaming needs a file to write", hint="-o OUT, or --force to replace the file itself"
        )
    target = output or file
    refuse_existing(target, force=force)
    with progress("renaming", None):
        try:
            done = rename_images(module, names)
        except HexMarshalError as error:
            raise error.at(Place(file=str(file))) from None
    module.save(target, force=force)
    if json:
        print_json(
            {
                "output": str(target),
                "renamed": done.entries,
                "components": done.components,
                "pages": done.pages,
                "saves": done.saves,
                "mentions": done.mentions,
            }
        )
        return ExitCode.OK
    for old, new in done.entries.items():
        print(f"{old} -> {new}")
    print(
        f"followed in {counted(done.components, 'component')}, {counted(done.pages, 'page')},"
        f" {counted(done.saves, 'saved game')}"
    )
    for mention in done.mentions:
        print(f"warning: some text still mentions {mention}")
    print(f"written: {target}")
    return ExitCode.OK


def _extract(module: Module, listed: list[ImageFile], folder: Path, *, force: bool) -> None:
    from hexmarshal.vassal.container.atomic import make_folder, write_atomically

    with progress("extracting", len(listed)) as advance:
        for image in listed:
            # The archive refuses names that lead out of it, so that none leads out of the folder.
            target = folder.joinpath(*PurePosixPath(image.name).parts)
            make_folder(target.parent)
            write_atomically(target, [module.read(image.entry)], force=force)
            advance(1)


def _as_dict(image: ImageFile, idle: bool) -> dict[str, object]:
    width, height = image.pixels or (None, None)
    return {
        "name": image.name,
        "entry": image.entry,
        "bytes": image.bytes,
        "width": width,
        "height": height,
        "uses": image.uses,
        "places": list(image.places),
        "unused": idle,
    }


def _print(
    listed: list[ImageFile],
    idle: set[str],
    lost: dict[str, int],
    extract: Path | None,
    *,
    where: bool,
) -> None:
    rows = [
        (
            image.name,
            "x".join(map(str, image.pixels)) if image.pixels else "?",
            image.bytes,
            "unused" if image.entry in idle else image.uses,
        )
        for image in listed
    ]
    if where:
        for image in listed:
            print(f"{image.name}:")
            for place in image.places or ("nothing names it",):
                print(f"  {place}")
    elif rows:
        print_table("", ("image", "pixels", "bytes", "uses"), rows, right=("bytes", "uses"))
    for name, uses in lost.items():
        print(f"missing: {name} (named by {uses})")
    total = sum(image.bytes for image in listed)
    print(f"{counted(len(listed), 'image')}, {counted(total, 'byte')}, {len(lost)} missing")
    if extract is not None:
        print(f"extracted to {extract}")
