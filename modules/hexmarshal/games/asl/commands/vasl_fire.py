"""`hexmarshal asl fire`: what players ask of a save of VASL before a shot."""

from __future__ import annotations

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
from hexmarshal.games.asl.commands.outputs import check_outputs, print_json, write_picture

if TYPE_CHECKING:
    from hexmarshal.games.asl.vasl.fire_question import FireQuestion

__all__ = ["fire"]


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
    board_dir: BoardsOfSave = None,
    svg: Svg = None,
    force: Force = False,
    json: Json = False,
) -> int:
    """Tell on a save of VASL what a hex sees of another, who can fire at it, and the odds."""
    from hexmarshal.games.asl.vasl.fire_question import ask_fire
    from hexmarshal.games.asl.vasl.opening import open_table

    check_outputs(svg, force=force)
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
        write_picture(svg, _picture(question), force=force)
    if json:
        print_json(_fire_document(question))
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
