"""`hexmarshal lint FILE`: what is broken, missing or doubtful, and how to mend it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hexmarshal.cli.options import Force, InputFile, Json, ShowSecrets, command_app, examples
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors import ExitCode, Place, UsageError

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
        "hexmarshal lint game.vmod --advice",
        "hexmarshal lint game.vmod --advice --recipes advice",
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
    advice: Annotated[
        bool,
        typer.Option("--advice", help="Tell instead what a module of this size lacks; 0 always."),
    ] = False,
    recipes: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="With --advice: write a recipe for each into a folder."),
    ] = None,
    force: Force = False,
    show_secrets: ShowSecrets = False,
    json: Json = False,
) -> int:
    """Find what is broken, missing or doubtful; 1 if anything is, 0 if not.

    With --fix the findings are those that are left. Each check is described in docs/vassal/lint.md.
    """
    from hexmarshal.vassal.lint import SEVERITIES, open_subject

    if recipes is not None and not advice:
        raise UsageError("--recipes goes with --advice")
    if advice:
        if fix or ignore or module is not None:
            raise UsageError("--advice stands alone: it changes nothing and leaves nothing out")
        return _advise(file, recipes, force=force, json=json)
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


def _advise(file: Path, folder: Path | None, *, force: bool, json: bool) -> int:
    from hexmarshal.vassal.advice import suggestions
    from hexmarshal.vassal.container.atomic import make_folder, write_atomically
    from hexmarshal.vassal.lint import ModuleSubject, open_subject

    subject = open_subject(file)
    if not isinstance(subject, ModuleSubject) or subject.module.is_extension:
        raise UsageError("advice is for modules", place=Place(file=str(file)))
    told = [*suggestions(subject)]
    if folder is not None:
        make_folder(folder)
        for each in told:
            write_atomically(folder / f"{each.id}.yaml", [each.recipe.encode()], force=force)
    if json:
        print_json({"file": str(file), "advice": [each.as_dict() for each in told]})
        return ExitCode.OK
    for each in told:
        print(f"{each.id}: {each.title}")
        print(f"    good for: {each.good_for}")
        if each.command:
            print(f"    or: {each.command}")
        if folder is not None:
            print(f"    hexmarshal edit {file} {folder / each.id}.yaml -o new.vmod")
        else:
            print("".join(f"        {line}\n" for line in each.recipe.splitlines()))
    if not told:
        print("nothing that modules of this size usually have is missing")
    return ExitCode.OK


def _check_ids(ignored: list[str]) -> None:
    from hexmarshal.vassal.lint import MODULE_CHECKS, SAVE_CHECKS

    known = {check.id for check in MODULE_CHECKS} | {check.id for check in SAVE_CHECKS}
    for name in ignored:
        if name not in known:
            raise UsageError(f"no such check: {name!r}", hint="docs/vassal/lint.md lists them")


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
