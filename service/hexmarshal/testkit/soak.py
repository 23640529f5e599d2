"""Long play with everything checked on the way: offers, saving and loading, taking back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.playing.record import GameRecord, replay
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.position import Position
from hexmarshal.testkit.offers import offer_problems

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from hexmarshal.rules.plugin import GamePlugin

__all__ = ["soak"]

# To play a game again up to here takes long: not at every look.
CUTS = 8


def soak(
    plugin: GamePlugin,
    seed: str,
    *,
    scenario: str = "",
    options: Mapping[str, object] | None = None,
    max_actions: int = 5000,
    every: int = 10,
    kinds: Collection[str] = (),
) -> list[str]:
    """Play one random game and look at it now and then; what should not be, as sentences.

    Each look: the position as JSON and back is the same, so is each side's view of it; no offer
    comes twice, each is legal, silence is legal; and now and then
    the record cut off here and read again leads here.
    """
    played = play_game(plugin, seed, scenario=scenario, options=options, max_actions=max_actions)
    found = [f"{one.kind} after {one.actions} actions: {one.text}" for one in played.findings]
    looks = 0
    lines = list(played.record.to_lines())
    for number, position in enumerate(replay(plugin, played.record)):
        if number % every:
            continue
        told = [
            *_lossless(position),
            *(one for side in position.sides for one in _lossless(plugin.view(position, side))),
            *offer_problems(plugin, position, kinds=kinds),
            *_silence(plugin, position),
        ]
        if number and not looks % CUTS:
            *_, again = replay(plugin, GameRecord.from_lines(lines[: number + 1]))
            if again != position:
                told.append("the record cut off here leads elsewhere")
        looks += 1
        found += [f"after {number} actions: {one}" for one in told]
    return found


def _lossless(position: Position) -> Iterator[str]:
    again = Position.from_json(json.loads(json.dumps(position.to_json())))
    if again != position or again.digest != position.digest:
        yield f"{position!r} is another one after saving and loading"


def _silence(plugin: GamePlugin, position: Position) -> Iterator[str]:
    for side in position.active:
        said = engine.silence(plugin, position, side)
        if said is not None and not engine.check(plugin, position, said).legal:
            yield f"{side} says nothing, and that is illegal: {said}"
