"""`hexmarshal asl show`: what lies where in a save or log of VASL."""

from __future__ import annotations

import json as jsonlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hexmarshal.errors import ExitCode
from hexmarshal.games.asl.commands.options import (
    AtStep,
    BoardsOfSave,
    Force,
    Json,
    Reveal,
    Save,
    Svg,
)
from hexmarshal.games.asl.commands.outputs import (
    check_outputs,
    print_json,
    write_picture,
    write_text,
)

if TYPE_CHECKING:
    from hexmarshal.games.asl.vasl.opening import OpenedTable
    from hexmarshal.games.asl.vasl.table_reader import TableCounter
    from hexmarshal.rules.state.position import Position

__all__ = ["show"]


def show(
    save: Save,
    *,
    board_dir: BoardsOfSave = None,
    position: Annotated[
        Path | None,
        typer.Option("--position", metavar="OUT", help="Write the position as JSON, too."),
    ] = None,
    svg: Svg = None,
    reveal: Reveal = False,
    step: AtStep = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """List what lies where in a save or log of VASL, and what has no hex and why."""
    from hexmarshal.games.asl.vasl.opening import open_table

    check_outputs(svg, position, force=force)
    opened = open_table(save, board_dir, step)
    if position is not None:
        document = _known(opened, reveal=reveal).to_json()
        text = jsonlib.dumps(document, ensure_ascii=False, indent=1)
        write_text(position, text, force=force)
    if svg is not None:
        from hexmarshal.games.asl.art.position_picture import draw_position

        now = opened.plugin.situation(_known(opened, reveal=reveal))
        write_picture(svg, draw_position(now), force=force)
    if json:
        document = _table_document(opened, reveal=reveal)
        print_json(document)
        return ExitCode.OK
    _print_table(opened, reveal=reveal)
    for written in (position, svg):
        if written is not None:
            print(f"written: {written}")
    return ExitCode.OK


def _known(opened: OpenedTable, *, reveal: bool) -> Position:
    """The position, or what of it anybody may know."""
    from hexmarshal.rules import engine
    from hexmarshal.rules.state.view import NOBODY

    position = opened.position().position
    return position if reveal else engine.seen(opened.plugin, position, NOBODY)


def _is_unseen(counter: TableCounter) -> bool:
    return "concealed" in counter.flags or counter.face.concealed


def _shown(opened: OpenedTable, *, reveal: bool) -> list[TableCounter]:
    """The counters that may be told of: all, or those that are not hidden."""
    counters = opened.table.counters
    return list(counters) if reveal else [c for c in counters if not c.face.hidden]


def _print_table(opened: OpenedTable, *, reveal: bool) -> None:
    table = opened.table
    print(f"boards: {table.map.name if table.map is not None else 'none'}")
    cells: dict[str, list[str]] = {}
    for counter in _shown(opened, reveal=reveal):
        if counter.is_placed:
            concealed = _is_unseen(counter) and not reveal
            cells.setdefault(counter.cell, []).append("?" if concealed else _told(counter))
    for cell in sorted(cells):
        print(f"{cell}: {'; '.join(cells[cell])}")
    told = _shown(opened, reveal=reveal)
    off = Counter((counter.why, counter.face.cls) for counter in told if counter.why)
    placed = sum(counter.is_placed for counter in told)
    print(f"{placed} of {len(told)} counters are on hexes")
    for (why, cls), count in sorted(off.items()):
        print(f"  {why}: {count} {cls.replace('_', ' ')}")
    for note in table.notes:
        print(f"note: {note}")


def _told(counter: TableCounter) -> str:
    words = [counter.face.text]
    if counter.roof or counter.level:
        words.append("on the roof" if counter.roof else f"level {counter.level}")
    words += sorted(flag.replace("_", " ") for flag in counter.flags)
    if counter.entrenched:
        words.append("entrenched")
    if counter.face.facing is not None:
        words.append(f"CA {counter.face.facing}")
    return ", ".join(words)


def _table_document(opened: OpenedTable, *, reveal: bool) -> dict[str, Any]:
    table = opened.table
    return {
        "version": table.version,
        "map": table.map.name if table.map is not None else "",
        "counters": [
            _counter_document(counter, reveal=reveal) for counter in _shown(opened, reveal=reveal)
        ],
        "notes": list(table.notes),
    }


def _counter_document(counter: TableCounter, *, reveal: bool) -> dict[str, Any]:
    face = counter.face
    if _is_unseen(counter) and not reveal:
        return {"id": counter.id, "name": "?", "class": "concealed", "hex": counter.cell}
    document: dict[str, Any] = {
        "id": counter.id,
        "gpid": face.gpid,
        "name": face.name,
        "class": face.cls,
        "nation": face.nation,
        "strength": face.men.text if face.men is not None else face.rank,
        "counter": face.counter,
        "hex": counter.cell,
        "why": counter.why,
        "level": "roof" if counter.roof else counter.level,
        "stack": counter.stack,
        "rank": counter.rank,
        "possessed_by": counter.holder,
        "flags": sorted(counter.flags),
        "facing": face.facing,
        "vertex": counter.vertex,
        "entrenched": counter.entrenched,
        "hidden": face.hidden,
        "label": face.label,
    }
    empty: tuple[object, ...] = ("", [], None, False)
    return {k: v for k, v in document.items() if k in ("id", "name", "class") or v not in empty}
