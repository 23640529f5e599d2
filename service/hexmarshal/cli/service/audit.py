"""`hexmarshal audit FILE`: checks a finished match again, without anybody's word."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Json, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.cli.rules.plugins import Data, Plugins, games
from hexmarshal.errors import BadInputError, ExitCode, NotFoundError, Place
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.playing.audit import Audit

app = command_app("Check a finished match again from its file.")


@app.command(
    epilog=examples(
        "hexmarshal audit match.jsonl",
        "hexmarshal audit match.jsonl --json",
        "hexmarshal call ExportMatch "
        '\'{"match": "0a1b", "format": 3, "whole": true}\' > match.jsonl',
    )
)
def audit(
    file: Annotated[
        Path, typer.Argument(metavar="MATCH", help="What ExportMatch gave in the audit format.")
    ],
    *,
    plugin: Plugins = None,
    data: Data = None,
    json: Json = False,
) -> int:
    """Check a finished match again from its file.

    The seed is held against the promise that was published at the start. Then the set-up and every
    action are done anew: each must be legal, roll the same dice and lead to the position recorded;
    what was refused must be refused again, by the same rules.
    """
    from hexmarshal.rules.playing import audit as checks

    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        raise NotFoundError("no such file", place=Place(file=str(file))) from None
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "not UTF-8 text"
        raise BadInputError(f"cannot be read: {why}", place=Place(file=str(file))) from None
    documents = checks.read_audit(text.splitlines(), str(file))
    rules = games(plugin, data).get(str(documents[0].get("game", "")))
    with progress("events", len(documents) - 1) as advance:
        found = checks.audit(rules, documents, advance)
    if json:
        print_json({"file": str(file), **found.to_json()})
    else:
        for line in _report(found):
            print(line)
    return ExitCode.FINDINGS if found.findings else ExitCode.OK


def _report(found: Audit) -> Iterator[str]:
    yield f"match {found.match} of {found.game}"
    if found.own_dice:
        yield "dice: the players rolled them"
    elif found.practice:
        yield "dice: practice, the seed was chosen by who made the match"
    else:
        yield f"dice: promised as {found.promised}"
    yield (
        f"checked: {counted(found.actions, 'action')}, {counted(found.refused, 'refused one')}, "
        f"{counted(found.dice, 'die', 'dice')}, "
        f"{counted(found.positions, 'position')}"
    )
    yield f"record: {found.record or 'without an end'}"
    for finding in found.findings:
        yield f"event {finding.version}: {finding.text}"
    yield counted(len(found.findings), "finding") if found.findings else "all of it holds"
