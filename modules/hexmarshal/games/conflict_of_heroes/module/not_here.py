"""What a firefight lacks: menus leave out what only others need.

A set-up says so in global properties that are false for a game without one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.conflict_of_heroes.state.tables import Tables
    from hexmarshal.vassal.builder import ModuleBuilder
    from hexmarshal.vassal.state.game_state import GameState

__all__ = [
    "GATES", "HANDS", "NO_PARTNERS", "NO_VEHICLES", "NO_WORKS", "PARTNERS", "define",
    "say_what_is_not_here",
]  # fmt: skip

NO_ARTILLERY, NO_MINES, NO_OBSTACLES, NO_PARTNERS, NO_VEHICLES, NO_WORKS = PROPERTIES = (
    "NoArtillery", "NoMines", "NoObstacles", "NoPartners", "NoVehicles", "NoWorks",
)  # fmt: skip
PARTNERS: Final = tuple(SEATS)[2:]
"""The sides that only firefights of four have."""
HANDS: Final = "Hands"
"""The property that says how many sides act, the first of them all; 0 where it is other ones."""
GATES: Final = {
    "plot": NO_ARTILLERY,
    "barrage": NO_ARTILLERY,
    "mines": NO_MINES,
    "obstacle": NO_OBSTACLES,
}
"""The announcements that cannot be made while a property is true."""
_LAYS_MINES: Final = "40"


def define(module: ModuleBuilder) -> None:
    """Make the properties."""
    for name in PROPERTIES:
        module.global_property(name, "false", "Whether this firefight has none")
    module.global_property(HANDS, "2", "How many sides act in turn")


def say_what_is_not_here(card: Mapping[str, Any], tables: Tables, state: GameState) -> None:
    """Set the properties of a set-up."""
    lacking = set(_lacking(card, tables))
    sides = list(card["forces"])
    in_order = sides == list(SEATS)[: len(sides)]
    for key in state.properties:
        if key[1] in lacking:
            state.properties[key] = "true"
        elif key[1] == HANDS:
            state.properties[key] = str(len(sides) if in_order else 0)


def _lacking(card: Mapping[str, Any], tables: Tables) -> Iterator[str]:
    forces = card["forces"].values()
    kinds = [marker["kind"] for marker in card.get("markers", {}).values()]
    if "barrage" not in kinds and not any(force.get("artillery") for force in forces):
        yield NO_ARTILLERY
    works = [tables.works[kind] for kind in kinds if kind in tables.works]
    mines = any(thing.key == "mines" for thing in works) or _LAYS_MINES in card.get("deck", {})
    if not mines:
        yield NO_MINES
    if not any(not thing.fortification and thing.key != "mines" for thing in works):
        yield NO_OBSTACLES
    if not any(thing.fortification for thing in works):
        yield NO_WORKS
    if not set(PARTNERS) & set(card["forces"]):
        yield NO_PARTNERS
    units = (tables.counters[unit["type"]] for f in forces for unit in f["units"].values())
    if all(kind.foot for kind in units):
        yield NO_VEHICLES
