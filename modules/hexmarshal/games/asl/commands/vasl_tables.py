"""`hexmarshal asl show` and `fire`: saves of VASL, and what players ask of them."""

from __future__ import annotations

import json as jsonlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hexmarshal.errors import ExitCode, UsageError
from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically

if TYPE_CHECKING:
    from hexmarshal.games.asl.vasl.fire_question import FireQuestion
    from hexmarshal.games.asl.vasl.opening import OpenedTable
    from hexmarshal.games.asl.vasl.table_reader import TableCounter
    from hexmarshal.rules.state.position import Position

__all__ = ["fire", "show"]

Save = Annotated[Path, typer.Argument(metavar="SAVE", help="A .vsav or .vlog of VASL.")]
BoardDir = Annotated[
    Path | None,
    typer.Option(
        "--board-dir",
        metavar="DIR",
        envvar="HEXMARSHAL_ASL_BOARDS",
        help="Where VASL keeps its boards [boards, beside the save].",
    ),
]
AtStep = Annotated[
    int | None,
    typer.Option("--step", metavar="N", min=0, help="Of a log: after this step [the last one]."),
]
Reveal = Annotated[bool, typer.Option("--reveal", help="Tell what is concealed and hidden, too.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output if it exists.")]


def show(
    save: Save,
    *,
    board_dir: BoardDir = None,
    position: Annotated[
        Path | None,
        typer.Option("--position", metavar="OUT", help="Write the position as JSON, too."),
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="OUT", help="Draw it, too (.svg or .png).")
    ] = None,
    reveal: Reveal = False,
    step: AtStep = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """List what lies where in a save or log of VASL, and what has no hex and why."""
    from hexmarshal.games.asl.vasl.opening import open_table

    _check_outputs((position, svg), force=force)
    opened = open_table(save, board_dir, step)
    if position is not None:
        document = _known(opened, reveal=reveal).to_json()
        text = jsonlib.dumps(document, ensure_ascii=False, indent=1)
        write_atomically(position, [text.encode()], force=force)
    if svg is not None:
        from hexmarshal.games.asl.art.position_picture import draw_position

        now = opened.plugin.situation(_known(opened, reveal=reveal))
        _draw(svg, draw_position(now), force=force)
    if json:
        document = _table_document(opened, reveal=reveal)
        print(jsonlib.dumps(document, ensure_ascii=False, indent=2))
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


def fire(
    save: Save,
    start: Annotated[str, typer.Argument(metavar="FROM", help="A hex: K5, 57K5 or bd57:K5.")],
    end: Annotated[str, typer.Argument(metavar="TO", help="The hex that is fired at.")],
    *,
    from_level: Annotated[
        int | None, typer.Option(metavar="N", help="Levels above its ground [where its units are].")
    ] = None,
    to_level: Annotated[
        int | None, typer.Option(metavar="N", help="Levels above its ground [where its units are].")
    ] = None,
    phase: Annotated[
        str,
        typer.Option(
            metavar="PHASE", help="prep_fire, defensive_fire, movement or advancing_fire."
        ),
    ] = "prep_fire",
    no_leader: Annotated[bool, typer.Option("--no-leader", help="No leader directs it.")] = False,
    side: Annotated[
        str,
        typer.Option(metavar="SIDE", help="attacker or defender: tell what this side conceals."),
    ] = "",
    reveal: Reveal = False,
    step: AtStep = None,
    board_dir: BoardDir = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="OUT", help="Draw it, too (.svg or .png).")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Tell on a save of VASL what a hex sees of another, who can fire at it, and the odds."""
    from hexmarshal.games.asl.vasl.fire_question import ask_fire
    from hexmarshal.games.asl.vasl.opening import open_table

    _check_outputs((svg,), force=force)
    opened = open_table(save, board_dir, step)
    question = ask_fire(
        opened,
        start,
        end,
        phase=phase,
        levels=(from_level, to_level),
        leader=not no_leader,
        seat=side,
        reveal=reveal,
    )
    if svg is not None:
        _draw(svg, _picture(question), force=force)
    if json:
        print(jsonlib.dumps(_fire_document(question), ensure_ascii=False, indent=2))
        return ExitCode.OK
    for line in _fire_words(question):
        print(line)
    for note in opened.table.notes:
        print(f"note: {note}")
    if svg is not None:
        print(f"drawn: {svg}")
    return ExitCode.OK


def _fire_words(question: FireQuestion) -> list[str]:
    answer = question.line.answer
    verdict = "blocked" if answer.blocked else "clear"
    if answer.hindrance:
        verdict += f", hindrance +{answer.hindrance}"
    lines = [f"{question.spots[0]} to {question.spots[1]}, range {answer.range}: {verdict}"]
    if answer.rule:
        at = f" at {answer.at}" if answer.at else ""
        lines.append(f"  {answer.rule}{at}: {answer.cause.sentence} [{answer.cause.entry}]")
    lines.append(f"{question.side}: who can fire" + ("" if question.firers else ": nobody"))
    for unit in question.firers:
        alone = question.alone[unit.id]
        lines.append(
            f"  {question.name(unit)}: {alone['firepower']} firepower, column {alone['column']},"
            f" {alone['drm']:+}, any result {_percent(alone['any_result'])}"
        )
    lines += [f"  not {question.name(unit)}: {why}" for unit, why in question.cannot]
    if question.refused:
        lines.append(f"together: {question.refused}")
    lines += _group_words(question)
    return lines


def _group_words(question: FireQuestion) -> list[str]:
    if question.attack is None:
        return []
    found, values = question.attack.resolution, question.attack.values
    assert found is not None
    led = f", directed by {question.name(question.leader)}" if question.leader is not None else ""
    drm = values["drm"]
    lines = [f"together: column {found.column}, {drm:+}{led}"]
    firing = {unit.id: question.name(unit) for unit in question.firers}
    for strength in found.strengths:
        whose, comma, rest = strength.label.partition(",")
        lines.append(f"  {firing.get(whose, whose)}{comma}{rest}: {strength.counted}")
    lines += [f"  {m.label} {m.amount:+} ({m.rule})" for m in found.modifiers]
    if question.odds is not None:
        names = {unit.id: question.name(unit) for unit in question.targets}
        for step in question.odds.steps:
            whose, _, rest = step.text.partition(":")
            lines.append(f"  {names.get(whose, whose)}:{rest}")
    elif not question.targets:
        lines.append("  no enemy is in the target location")
    lines += [f"  not counted: {text}" for text in question.not_counted]
    return lines


def _percent(text: object) -> str:
    from fractions import Fraction

    return f"{float(Fraction(str(text))):.1%}"


def _fire_document(question: FireQuestion) -> dict[str, Any]:
    answer = question.line.answer
    names = {unit.id: unit for unit in (*question.firers, *question.targets)}
    return {
        "from": {"hex": question.spots[0].hex, "level": question.spots[0].level},
        "to": {"hex": question.spots[1].hex, "level": question.spots[1].level},
        "side": question.side,
        "range": answer.range,
        "blocked": answer.blocked,
        "hindrance": answer.hindrance,
        "rule": answer.rule,
        "at": answer.at,
        "firers": [
            {"id": unit.id, "name": question.name(unit), **question.alone[unit.id]}
            for unit in question.firers
        ],
        "cannot": [
            {"id": unit.id, "name": question.name(unit), "why": why}
            for unit, why in question.cannot
        ],
        "targets": [{"id": u.id, "name": question.name(u)} for u in question.targets],
        "leader": question.leader.id if question.leader is not None else "",
        "attack": _attack_document(question),
        "odds": question.odds.to_json() if question.odds is not None else None,
        "refused": question.refused,
        "names": {key: question.name(unit) for key, unit in names.items()},
        "not_counted": list(question.not_counted),
    }


def _attack_document(question: FireQuestion) -> dict[str, Any] | None:
    if question.attack is None:
        return None
    found = question.attack.resolution
    return {
        **question.attack.to_json(),
        "resolution": found.to_json() if found is not None else None,
    }


def _picture(question: FireQuestion) -> str:
    from hexmarshal.games.asl.art.position_picture import draw_attack
    from hexmarshal.games.asl.art.sight_picture import draw_line

    if question.attack is None or not question.firers:
        board = question.now.ground.board
        return draw_line(board, question.line, question.spots)
    names = [unit.id for unit in question.firers]
    return draw_attack(question.now, names, question.spots[1].hex, _fire_words(question))


def _draw(path: Path, svg: str, *, force: bool) -> None:
    if path.suffix.lower() == ".png":
        from hexmarshal.geometry.svg.png import png

        write_atomically(path, [png(svg)], force=force)
    else:
        write_atomically(path, [svg.encode()], force=force)


def _check_outputs(paths: tuple[Path | None, ...], *, force: bool) -> None:
    for path in paths:
        if path is not None:
            if path.suffix.lower() not in {".svg", ".png", ".json"}:
                raise UsageError(f"{str(path)!r}: a picture is a .svg or a .png file")
            refuse_existing(path, force=force)
