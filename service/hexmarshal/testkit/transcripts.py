"""A recorded game as people would read it: every action, its cost, its dice and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.notation import write_action
from hexmarshal.rules.values import thaw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.rules.playing.record import GameRecord
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.verdict import Resolution

__all__ = ["transcript"]


def transcript(plugin: GamePlugin, record: GameRecord) -> Iterator[str]:
    """The game line by line; a heading for each phase, the arithmetic under each action."""
    opening = record.opening
    options = {name: thaw(value) for name, value in opening.options.items()}
    position = engine.start(plugin, opening.scenario, options, opening.seed)
    yield f"{plugin.game.title}: {opening.scenario}"
    heading = ""
    for number, event in enumerate(record.events, start=1):
        now = _heading(position)
        if now != heading:
            heading = now
            yield ""
            yield heading
        action = plugin.game.actions.decode(thaw(event.action))
        cost = engine.check(plugin, position, action).cost
        paid = f"  [{cost.total} {cost.unit}]".replace(" ]", "]") if cost.parts else ""
        yield f"{number:5} {write_action(plugin.game.actions, action)}{paid}"
        given = event.given or position.generator is None
        dice = Dice(
            position.generator,
            given=event.dice if given else None,
            picks=event.picks if given and event.picks else None,
        )
        applied = engine.perform(plugin, position, action, dice)
        for resolution in applied.resolutions:
            yield from (f"      {line}" for line in _resolved(resolution))
        position = applied.position
    ended = plugin.outcome(position)
    yield ""
    if ended is None:
        yield "The record ends here; the game goes on."
    else:
        yield f"{' and '.join(ended.winners) or 'Nobody'} won: {ended.text} ({ended.rule})"


def _heading(position: Position) -> str:
    return f"Turn {position.turn}, {position.phase}".rstrip(", ")


def _resolved(resolution: Resolution) -> Iterator[str]:
    rolled = ",".join(str(roll.value) for roll in resolution.dice)
    parts = [resolution.kind]
    if resolution.column:
        parts.append(f"column {resolution.column}")
    if rolled:
        parts.append(f"dice {rolled}")
    if resolution.result:
        parts.append(f"-> {resolution.result}")
    yield " ".join(parts)
    for modifier in resolution.modifiers:
        yield f"  {modifier.label} {modifier.amount} to {modifier.to} ({modifier.rule})"
    for step in resolution.steps:
        yield f"  {step.text}{f' ({step.rule})' if step.rule else ''}"
