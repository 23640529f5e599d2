"""`hexmarshal check FILE`: every illegal move and every wrong result, each with its rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, Jobs, Json, command_app, examples
from hexmarshal.cli.output import print_json, print_table, progress
from hexmarshal.cli.rules.plugins import Data, Options, Plugins, assignments, games
from hexmarshal.errors import ExitCode, NotFoundError, Place, UsageError

if TYPE_CHECKING:
    from hexmarshal.referee.batch.folder import FolderSummary
    from hexmarshal.referee.check.findings import CheckReport, Entry
    from hexmarshal.table.module_finder import Means

# So many files of a folder are listed; there may be thousands.
_MOST_FILES = 40

app = command_app("Check a log, a save or a folder of them against the rules.")


@app.command(
    epilog=examples(
        "hexmarshal check game.vlog",
        "hexmarshal check game.vlog --module game.vmod --report report.html",
        "hexmarshal check setup.vsav --game kharkov --json",
        "hexmarshal check game.vlog --module old.vmod --binding mine.yaml --scenario campaign",
        "hexmarshal check tournament/ --module game.vmod -o results",
    )
)
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .vlog, a .vsav or a folder.")],
    *,
    module: Annotated[
        Path | None, typer.Option(metavar="VMOD", help="The module of the game.")
    ] = None,
    game: Annotated[str, typer.Option(metavar="KEY", help="The game whose rules apply.")] = "",
    binding: Annotated[
        Path | None, typer.Option(metavar="YAML", help="How the module shows what the rules know.")
    ] = None,
    scenario: Annotated[
        str, typer.Option(metavar="KEY", help="The scenario, where the file does not tell.")
    ] = "",
    option: Options = None,
    plugin: Plugins = None,
    data: Data = None,
    report: Annotated[
        Path | None, typer.Option(metavar="HTML", help="Write a report with pictures.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            help="Where results of a folder go; in it, as hexmarshal-check, by default.",
        ),
    ] = None,
    jobs: Jobs = 0,
    every: Annotated[bool, typer.Option("--all", help="List what was legal, too.")] = False,
    force: Force = False,
    json: Json = False,
) -> int:
    """Check a log or a save against the rules; 1 if a rule was certainly broken, 0 if not.

    A folder is checked file by file in several processes; what is done and unchanged is skipped,
    and 3 means that no rule was certainly broken, but a file could not be read.
    """
    from hexmarshal.referee.check.check_inputs import check_path
    from hexmarshal.table.module_finder import Means
    from hexmarshal.vassal.container.atomic import refuse_existing

    registry = games(plugin, data)
    declared = [o.param for o in registry.get(game).game.options] if game else []
    options = assignments(option or [], declared) or None
    means = Means(module, binding, game, scenario, options)
    if file.is_dir():
        if report is not None:
            raise UsageError("--report is for one file", hint="results of a folder go to --output")
        return _folder(file, means, plugin or [], output, jobs, json)
    if output is not None:
        raise UsageError("--output is for a folder", hint="--report writes a report of one file")
    if report is not None:
        refuse_existing(report, force=force)
    with progress("checking", None) as advance:
        found = check_path(file, means, registry, advance)
    if report is not None:
        from hexmarshal.referee.report.html_report import write_report

        write_report(found, report, means, registry, force=force)
    if json:
        print_json(found.to_json())
    else:
        _print(found, every=every)
        if report is not None:
            print(f"report: {report}")
    return ExitCode.FINDINGS if found.certain else ExitCode.OK


def _folder(
    folder: Path, means: Means, plugins: list[str], output: Path | None, jobs: int, json: bool
) -> int:
    from hexmarshal.referee.batch.folder import check_folder, files_of

    target = output or folder / "hexmarshal-check"
    files = files_of(folder, target)
    if not files:
        hint = "a folder is searched with all folders in it"
        raise NotFoundError("holds no .vlog and no .vsav", place=Place(file=str(folder)), hint=hint)
    with progress("checking", len(files)) as advance:
        summary = check_folder(folder, files, means, plugins, target, jobs, advance)
    if json:
        print_json(summary.to_json())
    else:
        _print_summary(summary)
        print(f"results: {target / 'results.jsonl'}, {target / 'results.sqlite'}")
    if summary.certain:
        return ExitCode.FINDINGS
    return ExitCode.BAD_INPUT if summary.failed else ExitCode.OK


def _print_summary(summary: FolderSummary) -> None:
    counts = {k: v for k, v in summary.to_json().items() if isinstance(v, int) and k != "certain"}
    print_table("", ("files", "number"), counts.items(), right=("number",))
    told = summary.notable
    if told:
        columns = ("file", "outcome", "certain", "likely", "why")
        rows = [(one.file, one.status, one.certain, one.likely, one.why) for one in told]
        print_table("", columns, rows[:_MOST_FILES], right=("certain", "likely"))
    if len(told) > _MOST_FILES:
        print(f"{len(told) - _MOST_FILES} more files; --json lists all")
    if any(one.certain or one.likely for one in told):
        print("hexmarshal check FILE tells what was wrong in one; --report draws it")


def _print(found: CheckReport, *, every: bool) -> None:
    from hexmarshal.referee.check.findings import Status

    print(f"{found.file}: {_head(found)}")
    for step_note in found.notes:
        note = step_note.note
        where = f"step {step_note.step}" if step_note.step else "start"
        print(f"note     {where}: {note.text}" + (f" ({note.hint})" if note.hint else ""))
    for entry in found.entries:
        if every or entry.status not in (Status.LEGAL, Status.TAKEN_BACK):
            _print_entry(entry)
    if found.bound:
        rows = [
            (name, *(counts.get(status.value, 0) for status in Status))
            for name, counts in found.by_player().items()
        ]
        if rows:
            print_table("", ("player", *(s.value for s in Status)), rows)
        if found.by_rule():
            print_table("", ("rule", "broken"), found.by_rule().items(), right=("broken",))
    if found.dice:
        rows = [
            (
                one.player,
                f"d{one.sides}",
                one.count,
                " ".join(map(str, one.faces)),
                f"{float(one.mean):.2f}",
                f"{one.p:.3f}" + ("" if one.exact else " (about)"),
            )
            for one in found.dice
        ]
        columns = ("player", "dice", "rolls", "each face", "mean", "chance if fair")
        print_table("", columns, rows, right=("rolls", "mean"))


def _head(found: CheckReport) -> str:
    steps = f"{found.steps} steps"
    if found.cut:
        steps = f"cut short: the start and {found.steps} steps are whole"
    if not found.bound:
        return f"{found.kind}, {steps}, not bound to rules"
    words = [found.title, found.scenario, steps]
    if found.undone:
        words.append(f"{found.undone} undone")
    certain = found.certain
    likely = sum(1 for _ in found.violations) - certain
    words.append(f"{certain} certain violations, {likely} likely")
    return ", ".join(filter(None, words))


def _print_entry(entry: Entry) -> None:
    steps = f"{entry.first}" if entry.first == entry.last else f"{entry.first}-{entry.last}"
    who = entry.player or entry.side
    print(f"{entry.status.value:<10} step {steps}, turn {entry.turn}, {entry.phase}, {who}:")
    print(f"           {entry.what}" + (f" (dice {entry.dice})" if entry.dice else ""))
    for violation in entry.violations:
        place = f" ({violation.section})" if violation.section else ""
        print(f"           {violation.rule}{place}: {violation.text}")
    if entry.right:
        print(f"           right: {entry.right}")
    if entry.result and entry.status.value == "unknown":
        print(f"           {entry.result}" + (f" ({entry.hint})" if entry.hint else ""))
    print(f"           {entry.certainty.value}")
