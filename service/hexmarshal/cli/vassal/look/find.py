"""`hexmarshal find FILE...`: where a name is used, and names that lead nowhere."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hexmarshal.cli.options import Json, ShowSecrets, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.search import Hits, LooseEnd, Sought

app = command_app("Tell where a name is used, and which names lead nowhere.")

MOST_HITS = 40


def _option(what: str) -> Any:  # noqa: ANN401 - what Typer says
    return typer.Option(metavar="NAME", help=what)


@app.command(
    epilog=examples(
        "hexmarshal find game.vmod --prototype Unit",
        "hexmarshal find game.vmod extra.vmdx turn5.vsav --image flag.png",
        "hexmarshal find game.vmod --key Ctrl+F --key '[Flip]'",
        "hexmarshal find game.vmod --property 'Step*' --json",
        "hexmarshal find game.vmod --expression 'CurrentMap==\"Reserves\"'",
        "hexmarshal find game.vmod extra.vmdx --undefined",
        "hexmarshal find game.vmod --unused --kind prototype",
    )
)
def find(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Modules, extensions, saves and logs."),
    ],
    *,
    prototype: Annotated[list[str] | None, _option("A prototype: its definition and uses.")] = None,
    image: Annotated[list[str] | None, _option("An image: the file and who names it.")] = None,
    key: Annotated[
        list[str] | None, _option("A key or named command: who hears and who sends it.")
    ] = None,
    property: Annotated[
        list[str] | None, _option("A property: who gives, sets and reads it.")
    ] = None,
    gpid: Annotated[list[str] | None, _option("A piece by its gpid.")] = None,
    map: Annotated[list[str] | None, _option("A map.")] = None,
    deck: Annotated[list[str] | None, _option("A deck.")] = None,
    text: Annotated[
        list[str] | None,
        typer.Option(metavar="WORDS", help="Words in any field, page or line of chat."),
    ] = None,
    expression: Annotated[
        list[str] | None,
        typer.Option(metavar="PART", help="Part of an expression; spaces do not count."),
    ] = None,
    unused: Annotated[
        bool, typer.Option("--unused", help="What is defined and nothing asks for.")
    ] = False,
    undefined: Annotated[
        bool, typer.Option("--undefined", help="What is asked for and nothing defines.")
    ] = False,
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help="With --unused or --undefined: only of this kind."),
    ] = None,
    no_setups: Annotated[
        bool, typer.Option("--no-setups", help="Leave set-ups inside modules out.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="Print every place, however many.")] = False,
    show_secrets: ShowSecrets = False,
    json: Json = False,
) -> int:
    """Tell every place of a name: 0, found or not. Names that lead nowhere: 1 if there are any.

    `*` in a name stands for anything. Several options look for several things in one go.
    """
    from hexmarshal.vassal.search import Sought

    given = {
        "prototype": prototype,
        "image": image,
        "key": key,
        "property": property,
        "gpid": gpid,
        "map": map,
        "deck": deck,
        "text": text,
        "expression": expression,
    }
    sought = [Sought(what, name) for what, names in given.items() for name in names or ()]
    if bool(sought) + unused + undefined != 1:
        raise UsageError(
            "say what to look for: names, or --unused, or --undefined",
            hint="for example hexmarshal find game.vmod --prototype Unit",
        )
    if sought:
        if kind:
            raise UsageError("--kind goes with --unused or --undefined")
        hits = _look(files, sought, not no_setups, show_secrets)
        return _tell(hits, every, json)
    return _loose(files, unused, kind or [], every, json)


def _look(
    files: list[Path], sought: list[Sought], setups: bool, show_secrets: bool
) -> dict[Sought, Hits]:
    from hexmarshal.vassal.files import open_file
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.search import Hits, find_in_module, find_in_save

    found = {each: Hits() for each in sought}
    opened = [(path, open_file(path)) for path in files]
    with progress("looking", len(opened)) as advance:
        for path, file in opened:
            for each in sought:
                if isinstance(file, Module):
                    found[each].update(
                        find_in_module(file, each, saves=setups, show_secrets=show_secrets)
                    )
                else:
                    found[each].update(
                        find_in_save(file, each, file=str(path), show_secrets=show_secrets)
                    )
            advance(1)
    return found


def _tell(found: dict[Sought, Hits], every: bool, json: bool) -> int:
    if json:
        print_json(
            {
                "sought": [{"kind": each.kind, "text": each.text} for each in found],
                "hits": [hit.as_dict() for hits in found.values() for hit in hits],
            }
        )
        return ExitCode.OK
    for each, hits in found.items():
        print(f"{each.kind} {each.text}: {_places(len(hits))}")
        for name, own in hits.by_file().items():
            print(f"  {name}:")
            _print_some((f"    {hit}" for hit in own), len(own), every)
    return ExitCode.OK


def _places(number: int) -> str:
    return "nowhere" if not number else counted(number, "place")


def _print_some(lines: Iterable[str], count: int, every: bool) -> None:
    shown = count if every else min(count, MOST_HITS)
    for line in islice(lines, shown):
        print(line)
    if shown < count:
        print(f"    ... and {count - shown} more (--all)")


def _loose(files: list[Path], no_use: bool, kinds: list[str], every: bool, json: bool) -> int:
    from hexmarshal.vassal.files import open_file
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.search import undefined, unused
    from hexmarshal.vassal.search.loose_ends import LOOSE_KINDS

    for kind in kinds:
        if kind not in LOOSE_KINDS:
            raise UsageError(f"no such kind: {kind!r}", hint=", ".join(LOOSE_KINDS))
    opened = [open_file(path) for path in files]
    modules = [file for file in opened if isinstance(file, Module)]
    saves = [file for file in opened if not isinstance(file, Module)]
    if not modules:
        raise UsageError("a module or extension must be among the files")
    with progress("looking", None):
        ends = list(unused(modules, saves) if no_use else undefined(modules, saves))
    told = [end for end in ends if not kinds or end.kind in kinds]
    if json:
        print_json({"unused" if no_use else "undefined": [end.as_dict() for end in told]})
    else:
        _print_loose(told, every)
        if any(_has_code(file) for file in modules):
            print("a module with code of its own may use more than can be seen here")
    return ExitCode.FINDINGS if told else ExitCode.OK


def _has_code(module: Module) -> bool:
    return any(entry.endswith((".class", ".jar")) for entry in module.entries())


def _print_loose(told: list[LooseEnd], every: bool) -> None:
    by_kind: dict[str, list[LooseEnd]] = {}
    for end in told:
        by_kind.setdefault(end.kind, []).append(end)
    for kind, ends in by_kind.items():
        print(f"{kind}: {len(ends)}")
        lines = []
        for end in ends:
            more = f" and {end.places - 1} more" if end.places > 1 else ""
            where = "" if end.first is None or kind == "image" else f"  {end.first}{more}"
            lines.append(f"    {end.name}{where}")
        _print_some(lines, len(lines), every)
    if not told:
        print("none")
