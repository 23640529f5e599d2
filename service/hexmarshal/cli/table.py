"""Every command of `hexmarshal`, by name: listing them must import none of them.

Named tuples, because `dataclasses` takes longer to import than the overview to print.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["COMMANDS", "Command", "Section"]


class Command(NamedTuple):
    """One command: the module that holds its `app` (a Typer), and one line for the overview."""

    name: str
    module: str
    summary: str


class Section(NamedTuple):
    """A headed group of commands in `hexmarshal --help`."""

    title: str
    commands: tuple[Command, ...]


SECTIONS = (
    Section(
        "VASSAL files",
        (
            Command("inspect", "hexmarshal.cli.vassal.look.inspect", "Show what is in a file"),
            Command("view", "hexmarshal.cli.view", "Look at a file in the browser"),
            Command("render", "hexmarshal.cli.vassal.look.render", "Draw a map with its pieces"),
            Command("lint", "hexmarshal.cli.vassal.look.lint", "Find what is broken or missing"),
            Command("find", "hexmarshal.cli.vassal.look.find", "Tell where a name is used"),
            Command("trace", "hexmarshal.cli.vassal.look.trace", "Tell what a key does to a piece"),
            Command(
                "diff", "hexmarshal.cli.vassal.look.diff", "Tell what changed between two files"
            ),
            Command("images", "hexmarshal.cli.vassal.look.images", "List, extract, rename images"),
            Command("merge", "hexmarshal.cli.vassal.change.merge", "Fold extensions into a module"),
            Command(
                "merge3", "hexmarshal.cli.vassal.change.merge3", "Merge two versions made apart"
            ),
            Command(
                "locate", "hexmarshal.cli.vassal.look.locate", "Tell what VASSAL calls a pixel"
            ),
            Command(
                "roundtrip", "hexmarshal.cli.vassal.make.roundtrip", "Decode, encode and compare"
            ),
            Command("scrub", "hexmarshal.cli.vassal.change.scrub", "Replace players' passwords"),
            Command(
                "convert", "hexmarshal.cli.vassal.change.convert", "Write saves for another VASSAL"
            ),
            Command("unpack", "hexmarshal.cli.vassal.make.unpack", "Write a text form for git"),
            Command("pack", "hexmarshal.cli.vassal.make.pack", "Make a file from its text form"),
            Command("edit", "hexmarshal.cli.vassal.change.edit", "Change a file as a recipe says"),
            Command("build", "hexmarshal.cli.vassal.make.build", "Build a game's VASSAL module"),
            Command("import", "hexmarshal.cli.vassal.make.import_box", "A box of another program"),
            Command("move", "hexmarshal.cli.vassal.change.move", "Move pieces to an extension"),
            Command("extensions", "hexmarshal.cli.vassal.look.extensions", "What a save wants"),
            Command("setup", "hexmarshal.cli.vassal.make.setup", "Set-ups as YAML or a sheet"),
            Command("sheet", "hexmarshal.cli.vassal.change.sheet", "Counters as a spreadsheet"),
            Command("scale", "hexmarshal.cli.vassal.change.scale", "Make a module larger, smaller"),
            Command("remap", "hexmarshal.cli.vassal.change.remap", "Exchange a board's picture"),
            Command(
                "refresh",
                "hexmarshal.cli.vassal.change.refresh",
                "Bring saves up to a newer module",
            ),
        ),
    ),
    Section(
        "Games and rules",
        (
            Command("check", "hexmarshal.cli.referee.check", "Check a log or a save by the rules"),
            Command("logs", "hexmarshal.cli.referee.logs", "Join or split the logs of a game"),
            Command("results", "hexmarshal.cli.referee.results", "Merge and show results of check"),
            Command("dice", "hexmarshal.cli.referee.dice", "List and test the dice of logs"),
            Command("binding", "hexmarshal.cli.referee.binding", "Bind a module to a game's rules"),
            Command("enhance", "hexmarshal.cli.referee.enhance", "Add charts and more to a module"),
            Command(
                "scenario", "hexmarshal.cli.scenario.commands", "Convert, check, show scenarios"
            ),
            Command("data", "hexmarshal.cli.rules.data", "Show, copy and check a game's data"),
            Command("games", "hexmarshal.cli.rules.games", "List the games whose rules are known"),
            Command("rules", "hexmarshal.cli.rules.rules", "Show a rulebook, or one rule of it"),
            Command("odds", "hexmarshal.cli.rules.odds", "Show the exact odds of an attack"),
            Command("next", "hexmarshal.cli.rules.next", "Show what may be chosen next"),
            Command("new", "hexmarshal.cli.rules.new", "Lay out a new game that plays"),
            Command("play", "hexmarshal.cli.rules.play", "Play random games to find what is wrong"),
            Command("verify", "hexmarshal.cli.rules.verify", "Run conformance cases"),
            Command("pin", "hexmarshal.cli.rules.pin", "Compare games with how they once came out"),
            Command("fuzz", "hexmarshal.cli.rules.fuzz", "Look for input that breaks a game"),
        ),
    ),
    Section(
        "The rules service",
        (
            Command("serve", "hexmarshal.cli.service.serve", "Serve the rules over gRPC"),
            Command("token", "hexmarshal.cli.service.token", "Make, list and revoke tokens"),
            Command("call", "hexmarshal.cli.service.call", "Call a rules service, JSON in and out"),
            Command("admin", "hexmarshal.cli.service.admin", "Look after matches, bans, backups"),
            Command("audit", "hexmarshal.cli.service.audit", "Check a finished match again"),
        ),
    ),
    Section(
        "Maps",
        (
            Command("los", "hexmarshal.cli.geometry.los", "Tell what lies on a line of sight"),
            Command("reach", "hexmarshal.cli.geometry.reach", "Show every cell in reach"),
            Command("map", "hexmarshal.cli.geometry.map", "Draw a map, or check it"),
        ),
    ),
    Section(
        "This program",
        (
            Command("demo", "hexmarshal.cli.demo", "Show the main job, end to end"),
            Command("completion", "hexmarshal.cli.completion", "Print a shell completion script"),
            Command(
                "doctor", "hexmarshal.cli.doctor", "Show what is installed and what is missing"
            ),
        ),
    ),
)

COMMANDS = {command.name: command for section in SECTIONS for command in section.commands}
