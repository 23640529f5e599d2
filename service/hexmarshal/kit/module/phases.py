"""The turn tracker: turns and phases as the rules have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.kit.module.pieces.announcement_menus import EVERY_STEP
from hexmarshal.kit.module.turn_marker import EACH_STEP, each_step
from hexmarshal.vassal.builder import counts, lists

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from hexmarshal.kit.module.workbench import Bench
    from hexmarshal.rules.plugin import Game
    from hexmarshal.vassal.builder.turns import Level

__all__ = ["add_tracker", "phase_titles", "spoken_in"]

TRACKER: Final = "Turn"


def phase_titles(game: Game) -> dict[str, str]:
    """What the tracker calls each phase, with the rules' name of it."""
    found: dict[str, str] = {}
    for phase in game.phases:
        title = phase.title or phase.key
        found[title if title not in found else f"{title} ({phase.key})"] = phase.key
    return found


def spoken_in(game: Game, phases: Mapping[str, str], shown: Iterable[str]) -> dict[str, str]:
    """Of each action that belongs in some phases: that the tracker is in one of them.

    `shown` are the properties of the tracker; what belongs in a phase without a title is left out.
    """
    titles = {key: title for title, key in phases.items() if key}
    names = tuple(shown)
    return {
        action.name: " || ".join(
            f'{name} == "{titles[phase]}"' for phase in action.phases for name in names
        )
        for action in game.actions.values()
        if action.phases and titles.keys() >= set(action.phases)
    }


def add_tracker(
    bench: Bench,
    phases: Mapping[str, str],
    *,
    last: int,
    by_side: bool,
    advance: str,
    before: Collection[str] = (),
) -> None:
    """Make the tracker; `by_side` goes through the phases once for each side in a turn.

    A phase that means nothing to the rules has an empty name. Those `before` the first turn come
    once and never again; where one comes among the others, all of the first turn come once.
    """
    game = bench.plugin.game
    once = [title for title, key in phases.items() if key in before]
    first = once if once == [*phases][: len(once)] else [*phases]
    turns = counts("Turn", start=1 if first is once else 2, last=last or None)
    shown = lists("Phase", *(title for title in phases if title not in once))
    levels, table = ["Phase"], dict[str, Any]()
    made: tuple[Level, ...]
    if by_side:
        seats = [bench.seat(side.key) for side in game.sides]
        show = "Turn $level1$: $level2$, $level3$"
        made = (turns, lists("Side", *seats), shown)
        levels = ["Side", "Phase"]
        for side in game.sides:
            for title, key in phases.items():
                meaning = {"phase": key, "active": [side.key]} if key else None
                table[f"{bench.seat(side.key)}, {title}"] = meaning
    else:
        show, made = "Turn $level1$: $level2$", (turns, shown)
        table = {title: {"phase": key} if key else None for title, key in phases.items()}
    icon = bench.pictures.icon("turn")
    start: tuple[Level, ...] = ()
    if once:
        start = counts("Turn", last=1, prop="FirstTurn"), lists("Phase", *first, prop="Before")
    keys = list(EVERY_STEP) if bench.announced else []
    if bench.turn_marker:
        keys += each_step("Before", first[0]) if len(first) > len(once) else EACH_STEP
    shows = {key: title for title, key in phases.items()}
    # Where the tracker is not, both stay at their first phase.
    at = ("Phase", "Before") if len(first) > len(once) else ("Phase",)
    for phase, stroke in bench.phase_keys:
        where = " || ".join(f'{name} == "{shows[phase]}"' for name in at)
        keys.append((f"{{{where}}}", stroke))
    bench.module.turn_tracker(
        TRACKER, *made, before=start, show=show, icon=icon, docked=True, hotkeys=keys
    )
    rule = {"tracker": TRACKER, "turn": "Turn", "levels": levels, "phases": table}
    bench.facts.turn = {**rule, "advance": advance, **bench.facts.turn}
