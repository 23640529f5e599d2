"""`hexmarshal check` on a folder: in one go, in parts, by a cluster, or as files are dropped in."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.cli.output import print_json, print_table, progress
from hexmarshal.errors import ExitCode, HexMarshalError, NotFoundError, Place, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from hexmarshal.referee.batch.checkers import Checkers
    from hexmarshal.referee.batch.folder import FolderSummary
    from hexmarshal.referee.batch.pages import Pages
    from hexmarshal.referee.batch.selection import Selection
    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.table.module_finder import Means

__all__ = ["FolderOptions", "check_many", "finish", "rule_titles", "watch"]


@dataclass(frozen=True, slots=True)
class FolderOptions:
    """What was said on the command line about a folder."""

    means: Means
    plugins: tuple[str, ...]
    output: Path | None
    report: Path | None
    jobs: int
    shard: str
    since: str
    limit: int | None
    cluster: str
    shared: bool
    force: bool

    def refuse_for_a_file(self, *, watch: bool) -> None:
        """Of one file nothing can be divided, sent or watched."""
        given = {
            "--output": self.output,
            "--watch": watch,
            "--shard": self.shard,
            "--since": self.since,
            "--limit": self.limit,
            "--cluster": self.cluster,
            "--shared": self.shared,
        }
        for name, value in given.items():
            if value:
                hint = "--report writes a report of one file" if name == "--output" else ""
                raise UsageError(f"{name} is for a folder", hint=hint)

    def selection(self) -> Selection:
        """Which files are meant."""
        from hexmarshal.referee.batch.selection import Selection, Shard, since

        return Selection(
            Shard.parse(self.shard) if self.shard else None,
            since(self.since, datetime.now().astimezone()) if self.since else None,
            self.limit,
        )

    def checkers(self, *, apart: bool = False) -> Checkers:
        """Who does it."""
        from hexmarshal.referee.batch.checkers import Pool

        if self.cluster:
            from hexmarshal.referee.batch.cluster import Cluster

            return Cluster(self.cluster, shared=self.shared)
        if self.shared:
            raise UsageError("--shared is about a cluster", hint="name it: --cluster ADDRESS")
        return Pool(self.jobs or os.cpu_count() or 1, apart)


def check_many(folder: Path, chosen: FolderOptions, registry: Registry, *, json: bool) -> int:
    """Check a folder, as far as it was chosen."""
    from hexmarshal.referee.batch.folder import check_folder
    from hexmarshal.referee.batch.one_file import FileCheck
    from hexmarshal.referee.batch.pages import Pages
    from hexmarshal.referee.batch.selection import files_of

    selection = chosen.selection()
    target = chosen.output or folder / "hexmarshal-check"
    if selection.shard is not None and chosen.output is None:
        target /= f"part-{selection.shard.number}-of-{selection.shard.of}"
    pages: Pages | None = None
    if chosen.report is not None:
        titles = rule_titles(registry)
        pages = Pages.at(chosen.report, folder.name, force=chosen.force, rule_title=titles)
    present = files_of(folder, target)
    if not present:
        hint = "a folder is searched with all folders in it"
        raise NotFoundError("holds no .vlog and no .vsav", place=Place(file=str(folder)), hint=hint)
    files = selection.of(folder, present)
    with progress("checking", len(files)) as advance:
        summary = check_folder(
            folder,
            files,
            FileCheck(chosen.means, chosen.plugins),
            target,
            chosen.checkers(),
            selection=selection,
            present=present,
            pages=pages,
            progress=advance,
        )
    return finish(summary, pages, json=json)


def watch(folder: Path, chosen: FolderOptions, registry: Registry, *, json: bool) -> int:
    """Check what is dropped into a folder, until somebody interrupts."""
    from hexmarshal.referee.batch.drop_folder import DropFolder
    from hexmarshal.referee.batch.one_file import FileCheck
    from hexmarshal.referee.batch.pages import Pages

    if chosen.shard or chosen.since or chosen.limit:
        raise UsageError("--watch takes every file", hint="leave out --shard, --since and --limit")
    target = chosen.output or folder / "hexmarshal-check"
    index = chosen.report or folder / "index.html"
    pages = Pages(index, folder, folder.name, chosen.force, rule_titles(registry))
    pages.refuse_foreign()
    drop = DropFolder(
        folder, FileCheck(chosen.means, chosen.plugins), target, chosen.checkers(apart=True), pages
    )
    if not json:
        print(f"watching {folder}, index: {index}; Ctrl+C ends it", flush=True)
    for told in drop.watch():
        if json:
            print_json(told.to_json(), lines=True)
        else:
            why = f": {told.why}" if told.why else ""
            print(f"{told.file}: {told.status}, {told.certain} certain{why}", flush=True)
    return ExitCode.OK


def rule_titles(registry: Registry) -> Callable[[str, str], str]:
    """What rules are called in their books."""

    def title(game: str, rule: str) -> str:
        try:
            return registry.get(game).rulebook.rule(rule).title
        except HexMarshalError:
            return ""

    return title


def finish(summary: FolderSummary, pages: Pages | None, *, json: bool) -> int:
    """Tell what came of a folder, and where it is kept."""
    if json:
        print_json(summary.to_json())
    else:
        _print(summary)
        print(f"results: {summary.output / 'results.jsonl'}, {summary.output / 'results.sqlite'}")
        if pages is not None:
            print(f"report: {pages.index}")
    if summary.certain:
        return ExitCode.FINDINGS
    return ExitCode.BAD_INPUT if summary.failed else ExitCode.OK


def _print(summary: FolderSummary) -> None:
    print_table("", ("files", "number"), summary.counts.items(), right=("number",))
    told = summary.notable
    if told:
        columns = ("file", "outcome", "certain", "likely", "why")
        rows = [(one.file, one.status, one.certain, one.likely, one.why) for one in told]
        print_table("", columns, rows, right=("certain", "likely"))
    if summary.notables > len(told):
        print(f"{counted(summary.notables - len(told), 'more file')}; --json lists all")
    if any(one.certain or one.likely for one in told):
        print("hexmarshal check FILE tells what was wrong in one; --report draws it")
