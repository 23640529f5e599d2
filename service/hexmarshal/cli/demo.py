"""`hexmarshal demo`: the main job end to end, as the commands that a user would type."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from hexmarshal.cli.options import command_app, examples
from hexmarshal.errors import ExitCode, HexMarshalError
from hexmarshal.errors.counts import counted

app = command_app("Show the main job, end to end.")


@app.command(epilog=examples("hexmarshal demo", "hexmarshal demo -o /tmp/demo"))
def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where the results go.")
    ] = Path("build/demo"),
) -> int:
    """Build modules, look inside, draw, check logs by the rules, ask the rules service, stop."""
    from hexmarshal.cli.demo_referee import compare, write_sample_log
    from hexmarshal.cli.demo_service import ask_about, running_server
    from hexmarshal.cli.demo_war import write_map, write_module_and_log
    from hexmarshal.client import Client

    output.mkdir(parents=True, exist_ok=True)
    module, log = write_module_and_log(output)
    terrain = write_map(output)
    print(f"Built {module.name} and a log of two moves in {output}")
    public, picture, sight = output / "public.vlog", output / "start.png", output / "sight.svg"
    for line in (
        ["roundtrip", module, log],
        ["lint", module],
        ["inspect", log, "--module", module],
        ["scrub", log, "-o", public, "--force"],
        ["locate", module, 170, 190],
        ["render", module, "--setup", "Meeting engagement", "-o", picture, "--force"],
        ["los", terrain, "0203", "0804", "--svg", sight, "--force"],
        ["reach", terrain, "0203", "--allowance", 4, "--enemy", "0504"],
    ):
        _type(*map(str, line))
    _type("games")
    for game in _with_modules():
        module, log = output / f"{game}.vmod", output / f"{game}.vlog"
        _type("build", game, "-o", str(module), "--force")
        planted = write_sample_log(game, module, log)
        print(f"\nA sample log, {log.name}, breaks {counted(len(planted), 'rule')} on purpose.")
        report = str(output / f"{game}.html")
        _type("check", str(log), "--report", report, "--force", code=ExitCode.FINDINGS)
        print(compare(game, module, log, planted))
        _convert(game, module, output)
    print("\nA rules service on loopback, asked over gRPC:")
    with running_server() as address, Client(address) as client:
        for summary in client.games():
            ask_about(client, summary.key)
    print(f"\nDone. The results are in {output}")
    print("In the browser:")
    command = shlex.quote(_own_command())
    for file in (log, module, terrain):
        print(f"  {command} view {shlex.quote(str(file))} --open")
    print(f"  {command} serve --web 127.0.0.1:8080")
    return ExitCode.OK


def _own_command() -> str:
    """How to call the command from where the user is: `make demo` does not put it on the path."""
    beside = Path(sys.executable).with_name("hexmarshal")
    if shutil.which("hexmarshal") is not None or not beside.is_file():
        return "hexmarshal"
    here = Path.cwd()
    return str(beside.relative_to(here) if beside.is_relative_to(here) else beside)


def _convert(game: str, module: Path, output: Path) -> None:
    """A scenario for a text editor, for a spreadsheet, for VASSAL, and what the rules say of it."""
    from hexmarshal.rules.plugins import registry

    name = f"{game}:{registry.default().get(game).scenarios()[0].key}"
    text, sheet, save = (output / f"{game}.{suffix}" for suffix in ("yaml", "csv", "vsav"))
    for line in (
        ["scenario", "convert", name, text, "--force"],
        ["scenario", "convert", text, sheet, "--force"],
        ["scenario", "check", text],
        ["scenario", "convert", text, save, "--module", module, "--force"],
        ["check", save],
    ):
        _type(*map(str, line))


def _with_modules() -> list[str]:
    """The games that can build a module of their own."""
    from importlib.metadata import entry_points

    from hexmarshal.cli.vassal.make.offers import GROUP

    return sorted(entry.name for entry in entry_points(group=GROUP))


def _type(*words: str, code: int = ExitCode.OK) -> None:
    """Run one command as if typed; any other exit code than this ends the demonstration."""
    from hexmarshal.cli.main import run
    from hexmarshal.cli.table import COMMANDS

    print(f"\n$ hexmarshal {shlex.join(words)}", flush=True)
    if words[0] not in COMMANDS:
        raise HexMarshalError(f"the command {words[0]!r} is missing")
    ended = run(words)
    if ended != code:
        raise HexMarshalError(f"'hexmarshal {words[0]}' ended with exit code {ended}, not {code}")
