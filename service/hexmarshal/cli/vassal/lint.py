"""`hexmarshal lint FILE`: what is broken, missing or doubtful, and how to mend it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, InputFile, Json, ShowSecrets, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from hexmarshal.vassal.lint import Finding, Mended, ModuleSubject, SaveSubject, Severity

app = command_app("Find what is broken, missing or doubtful in a VASSAL file.")


@app.command(
    epilog=examples(
        "hexmarshal lint game.vmod",
        "hexmarshal lint extra.vmdx --module game.vmod --severity info",
        "hexmarshal lint game.vmod --fix -o mended.vmod",
        "hexmarshal lint game.vmod --fix --remove-unused --force",
        "hexmarshal lint turn5.vsav --module game.vmod --json",
    )
)
def lint(
    file: InputFile,
    *,
    module: Annotated[
        Path | None,
        typer.Option(metavar="VMOD", help="The module of an extension, a save or a log."),
    ] = None,
    severity: Annotated[
        str, typer.Option(metavar="LEVEL", help="Tell of info, warning or error and worse.")
    ] = "warning",
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Leave a check out; may be repeated.")
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended safely.")] = False,
    remove_unused: Annotated[
        bool, typer.Option("--remove-unused", help="With --fix: take unused images out.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="Where to write the mended file."),
    ] = None,
    force: Force = False,
    show_secrets: ShowSecrets = False,
    json: Json = False,
) -> int:
    """Find what is broken, missing or doubtful; 1 if anything is, 0 if not.

    With --fix the findings are those that are left. Each check is described in docs/lint.md.
    """
    from hexmarshal.vassal.lint import SEVERITIES, open_subject

    if severity not in SEVERITIES:
        raise UsageError(f"no such severity: {severity!r}", hint="info, warning or error")
    _check_ids(ignore or [])
    if (remove_unused or output is not None) and not fix:
        raise UsageError("--remove-unused and --output go with --fix")
    if fix and output is None and not force:
        raise UsageError(
            "--fix needs a file to write", hint="-o OUT, or --force to replace the file itself"
        )
    subject = open_subject(file, module)
    mended = _fix(subject, output or file, ignore or [], remove_unused, force) if fix else []
    if mended:
        subject = open_subject(output or file, module)
    findings = _findings(subject, ignore or [], show_secrets)
    told = [f for f in findings if f.severity >= SEVERITIES[severity]]
    if json:
        print_json(
            {
                "file": str(file),
                "mended": [{"id": m.id, "what": m.what} for m in mended],
                "findings": [f.as_dict() for f in told],
                "counts": _counts(findings),
            }
        )
    else:
        _print(told, findings, mended, SEVERITIES[severity])
    return ExitCode.FINDINGS if told else ExitCode.OK


def _check_ids(ignored: list[str]) -> None:
    from hexmarshal.vassal.lint import MODULE_CHECKS, SAVE_CHECKS

    known = {check.id for check in MODULE_CHECKS} | {check.id for check in SAVE_CHECKS}
    for name in ignored:
        if name not in known:
            raise UsageError(f"no such check: {name!r}", hint="docs/lint.md lists them")


def _findings(
    subject: ModuleSubject | SaveSubject, ignored: list[str], show_secrets: bool
) -> list[Finding]:
    from hexmarshal.vassal.lint import (
        MODULE_CHECKS,
        SAVE_CHECKS,
        SaveSubject,
        check_module,
        check_save,
    )

    if isinstance(subject, SaveSubject):
        with progress("checking", len(SAVE_CHECKS)) as advance:
            return check_save(subject, ignored, advance, show_secrets=show_secrets)
    with progress("checking", len(MODULE_CHECKS)) as advance:
        return check_module(subject, ignored, advance)


def _fix(
    subject: ModuleSubject | SaveSubject,
    target: Path,
    ignored: list[str],
    remove_unused: bool,
    force: bool,
) -> list[Mended]:
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.lint import ModuleSubject, fix_module

    if not isinstance(subject, ModuleSubject):
        raise UsageError("a saved game is not mended here", hint="see hexmarshal refresh")
    refuse_existing(target, force=force)
    mended = fix_module(subject, ignored, remove_unused=remove_unused)
    if mended or target != subject.module.path:
        subject.module.save(target, force=force)
    return mended


def _counts(findings: list[Finding]) -> dict[str, int]:
    from hexmarshal.vassal.lint import Severity

    return {level.word: sum(f.severity is level for f in findings) for level in reversed(Severity)}


def _print(
    told: list[Finding], findings: list[Finding], mended: list[Mended], least: Severity
) -> None:
    for done in mended:
        print(f"mended   {done.id}: {done.what}")
    hints: dict[str, str] = {}
    for finding in told:
        where = str(finding.place)
        print(f"{finding.severity.word:<8} {finding.id}: {where}: {finding.message}")
        hints.setdefault(finding.id, finding.hint)
    if hints:
        print()
        for name, hint in hints.items():
            print(f"{name}: {hint}")
        print()
    print(", ".join(f"{word}: {number}" for word, number in _counts(findings).items()))
    hidden = sum(f.severity < least for f in findings)
    if hidden:
        print(f"{hidden} not shown: --severity info shows them")
