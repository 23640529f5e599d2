"""`hexmarshal asl draw`: a position as a picture, an attack with its arithmetic, ways of a rout."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Final

import typer

from hexmarshal.errors import Place, UsageError
from hexmarshal.rules.values import FrozenMap, as_fraction
from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.plugin import AdvancedSquadLeader
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Answer

__all__ = ["draw", "position_named"]

_WORTH_TELLING: Final = Fraction(1, 100)
_WIDEST: Final = 110
"""So many letters fit under the narrowest map of ours."""


def position_named(plugin: AdvancedSquadLeader, what: str) -> Position:
    """The start of a scenario, or a position from a file."""
    from hexmarshal.rules import engine
    from hexmarshal.rules.state.position import Position

    if what in {scenario.key for scenario in plugin.scenarios()}:
        return engine.start(plugin, what, None, "1")
    path = Path(what)
    if not path.is_file():
        known = ", ".join(scenario.key for scenario in plugin.scenarios())
        raise UsageError(f"{what} is no scenario and no file", hint=f"scenarios: {known}")
    try:
        document = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"not a position: {error}", place=Place(file=what)) from error
    return Position.from_json(document)


def _ask(plugin: AdvancedSquadLeader, position: Position, **query: object) -> Answer:
    from hexmarshal.rules import engine

    name, params = plugin.game.queries.decode(query)
    return engine.ask(plugin, position, name, params)


def draw(
    what: Annotated[
        str, typer.Argument(metavar="SCENARIO|POSITION", help="A scenario, or a position as JSON.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="OUT", help="Where the SVG goes.")
    ],
    *,
    target: Annotated[
        str, typer.Option("--at", metavar="HEX", help="Draw an attack at this hex.")
    ] = "",
    firers: Annotated[
        str, typer.Option(metavar="IDS", help="Who fires at it, with commas between.")
    ] = "",
    leaders: Annotated[str, typer.Option(metavar="IDS", help="Who directs it.")] = "",
    rout: Annotated[
        str, typer.Option(metavar="ID", help="Draw where this broken unit can rout.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output.")] = False,
) -> None:
    """Draw a position; with --at and --firers an attack, with --rout the ways of a rout."""
    from hexmarshal.games.asl.art.position_picture import draw_position
    from hexmarshal.games.asl.plugin import AdvancedSquadLeader

    refuse_existing(output, force=force)
    plugin = AdvancedSquadLeader()
    position = position_named(plugin, what)
    now: Situation = plugin.situation(position)
    if target:
        picture = _attack(plugin, now, target, _names(firers), _names(leaders))
    elif rout:
        picture = _rout(plugin, now, rout)
    else:
        picture = draw_position(now)
    write_atomically(output, [picture.encode()], force=force)
    typer.echo(f"{output} written")


def _names(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]


def _attack(
    plugin: AdvancedSquadLeader, now: Situation, target: str, firers: list[str], leaders: list[str]
) -> str:
    from hexmarshal.games.asl.art.position_picture import draw_attack

    if not firers:
        raise UsageError("an attack needs firers", hint="--firers g1,gm1")
    query = {"target": target, "firers": firers, "leaders": leaders}
    answer = _ask(plugin, now.position, name="attack", **query)
    odds = _ask(plugin, now.position, name="odds", **query)
    found = answer.resolution
    assert found is not None
    lines = [f"{' + '.join(firers)} at {target}: column {found.column}, {answer.values['drm']:+}"]
    lines += [f"{strength.label}: {strength.counted}" for strength in found.strengths]
    lines += [f"{m.label} {m.amount:+} ({m.rule})" for m in found.modifiers]
    lines += _told_odds(odds)
    return draw_attack(now, firers, target, lines)


def _told_odds(odds: Answer) -> Iterator[str]:
    """What becomes of each unit, the likeliest first, in lines that fit under the map."""
    found = odds.values.get("units")
    assert isinstance(found, FrozenMap)
    for unit, fates in found.items():
        assert isinstance(fates, FrozenMap)
        chances = sorted(
            ((as_fraction(chance), fate) for fate, chance in fates.items()),
            key=lambda one: (-one[0], one[1]),
        )
        told = [f"{fate} {float(p):.1%}" for p, fate in chances if p >= _WORTH_TELLING]
        rest = sum((p for p, _ in chances if p < _WORTH_TELLING), start=Fraction(0))
        if rest:
            told.append(f"other fates {float(rest):.1%}")
        yield from wrap(f"{unit}: {', '.join(told)}", _WIDEST, subsequent_indent="    ")


def _rout(plugin: AdvancedSquadLeader, now: Situation, unit: str) -> str:
    from hexmarshal.games.asl.art.position_picture import draw_rout

    answer = _ask(plugin, now.position, name="rout", unit=unit)
    document = answer.to_json()
    lines = [f"{unit} routs", *(f"{step.text} ({step.rule})" for step in answer.steps)]
    paths = document["paths"]
    danger = document["interdicted"]
    assert isinstance(paths, list)
    assert isinstance(danger, dict)
    return draw_rout(now, unit, paths, danger, lines)
