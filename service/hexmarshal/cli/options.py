"""Options that several commands share, so that they look and mean the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "Force",
    "InputFile",
    "Jobs",
    "Json",
    "OutputFile",
    "SaveFormat",
    "ShowSecrets",
    "command_app",
    "examples",
]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
InputFile = Annotated[Path, typer.Argument(metavar="FILE", help="The file to read.")]
OutputFile = Annotated[Path, typer.Option("--output", "-o", metavar="OUT", help="Where to write.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output if it exists.")]
Jobs = Annotated[
    int,
    typer.Option("--jobs", "-j", metavar="N", min=0, help="Processes at work; 0: one a core."),
]
SaveFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="3.7|3.8",
        help="The VASSAL whose form saved games get; unless given, each keeps its own.",
    ),
]
ShowSecrets = Annotated[
    bool,
    typer.Option("--show-secrets", help="Print user ids, which are players' VASSAL passwords."),
]


def command_app(summary: str, *lines: str) -> typer.Typer:
    """A Typer for one command, or for one group of commands with examples of what to type."""
    return typer.Typer(
        help=summary,
        epilog=examples(*lines) if lines else None,
        add_completion=False,
        rich_markup_mode=None,  # importing rich for a help page costs more than the page
        no_args_is_help=False,
        pretty_exceptions_enable=False,
    )


def examples(*lines: str) -> str:
    """The epilog of a command's help page: what a user would type."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
