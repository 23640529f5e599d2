"""`hexmarshal scrub`: a save or log that can be shared."""

from __future__ import annotations

from hexmarshal.cli.options import (
    Force,
    InputFile,
    Json,
    OutputFile,
    SaveFormat,
    command_app,
    examples,
)
from hexmarshal.cli.output import print_json, progress
from hexmarshal.errors.counts import counted

app = command_app("Replace players' passwords in a save or log.")


@app.command(epilog=examples("hexmarshal scrub turn5.vlog -o turn5-public.vlog"))
def scrub(
    file: InputFile,
    output: OutputFile,
    *,
    format: SaveFormat = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Replace user ids, which are the players' VASSAL passwords, by names that tell nothing.

    The same id gets the same name everywhere, so seats and ownership stay as they are. It is
    replaced wherever its text stands: seats, owners, chat, notes, traits of any kind. Set-ups
    inside a module and its piece definitions are scrubbed too.
    """
    from hexmarshal.vassal.container.atomic import refuse_existing
    from hexmarshal.vassal.container.saved_forms import form_of_engine
    from hexmarshal.vassal.privacy.scrubbing import scrub_file

    form = None if format is None else form_of_engine(format)
    refuse_existing(output, force=force)
    with progress(f"scrubbing {file.name}", None):
        done = scrub_file(file, output, form=form, force=force)
    if json:
        report = {"output": str(output), "replaced": done.replaced}
        print_json({**report, "own_traits": done.foreign_traits, "warnings": done.warnings})
        return
    print(f"{output}: {counted(done.replaced, 'user id')} replaced")
    for warning in done.warnings:
        print(f"warning: {warning}")
