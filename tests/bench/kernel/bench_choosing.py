"""What choosing step by step adds: `next` against the bare check of each of its candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ratio import Ratio, compare

from hexmarshal.games.conflict_of_heroes.plugin import ConflictOfHeroes
from hexmarshal.games.kharkov.plugin import Kharkov
from hexmarshal.rules import Action, FrozenMap, Position, engine
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.choosing.chooser import Chooser
from hexmarshal.rules.choosing.partial import begun
from hexmarshal.rules.plugin import GamePlugin
from hexmarshal.rules.values import Record, freeze

TIMES = 20
BOUND = 1.3


def beside(
    plugin: GamePlugin, position: Position, side: str, kind: str, params: Record, slot: str
) -> tuple[Callable[[], None], Callable[[], None], int]:
    """The next choice, and the plugin's own check of all its candidates, which are counted."""
    known = engine.view(plugin, position, side)
    action_type = plugin.game.actions[kind]
    param = action_type.by_name[slot]
    later = action_type.after[list(action_type.by_name).index(slot)]
    chooser = Chooser(plugin, known, side)
    values = list(chooser.values(action_type, param, params, later, unlikely=True) or ())
    held = params.get(slot, ())
    still = later | {slot} if param.many else later
    tries: list[Action] = [
        begun(kind, side, params.set(slot, (*held, value) if param.many else value), still)
        for value in values
        if value is not None
    ]
    asked = Begun(kind, params, slot)

    def ours() -> None:
        for _ in range(TIMES):
            engine.next_choices(plugin, position, side, asked)

    def bare() -> None:
        for _ in range(TIMES):
            for action in tries:
                try:
                    plugin.check(known, action)
                except Exception:
                    continue

    return ours, bare, len(tries)


def measure() -> Iterable[Ratio]:
    kharkov, heroes = Kharkov(), ConflictOfHeroes()
    campaign = engine.start(kharkov, "campaign", seed=1)
    start = engine.start(heroes, "first_steps", seed=1)
    fight = Position.from_json(start.to_json() | {"phase": "play", "state": "", "frames": []})
    empty: Record = FrozenMap({})
    side = campaign.active[0]
    mover = next(offer.action for offer in engine.offers(kharkov, campaign, side, ("move",)))
    units = FrozenMap({"units": freeze(mover.texts("units"))})
    g5 = FrozenMap({"unit": "g5"})
    for name, plugin, position, who, kind, params, slot in (
        ("kharkov, which units move", kharkov, campaign, side, "move", empty, "units"),
        ("kharkov, the next hex of a path", kharkov, campaign, side, "move", units, "path"),
        ("heroes, who fires", heroes, fight, "german", "fire", empty, "unit"),
        ("heroes, at which hex", heroes, fight, "german", "fire", g5, "cell"),
    ):
        ours, bare, count = beside(plugin, position, who, kind, params, slot)
        assert count > 3, name
        yield compare(f"next: {name} / {count} bare checks", ours, bare, BOUND)
