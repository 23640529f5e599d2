"""What the module is made of: boards, counters, tokens, tiles, sheet, decks, charts, pages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.games.heroes_of_stalingrad.art.boards import board
from hexmarshal.games.heroes_of_stalingrad.art.charts import CHARTS
from hexmarshal.games.heroes_of_stalingrad.art.sheet import SHEET, TURNS
from hexmarshal.games.heroes_of_stalingrad.module.guide import pages
from hexmarshal.games.heroes_of_stalingrad.module.pieces import ZOOM, markers, tiles, units
from hexmarshal.games.heroes_of_stalingrad.module.set_up_notes import notes
from hexmarshal.games.heroes_of_stalingrad.module.table import hands, piles, table_sheet
from hexmarshal.games.heroes_of_stalingrad.plugin import HeroesOfStalingrad
from hexmarshal.games.heroes_of_stalingrad.state.kinds import GERMAN, RUSSIAN
from hexmarshal.kit.module import Plan, Speech, board_of, build
from hexmarshal.kit.module.pieces.tones import GREEN, RED
from hexmarshal.kit.module.pieces.traits import GOES
from hexmarshal.kit.module.solitaire import SOLITAIRE
from hexmarshal.rules import engine
from hexmarshal.vassal.values import ctrl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables
    from hexmarshal.kit.module import Board
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["build_module", "plan"]


def build_module(folder: Path | str | None = None) -> ModuleBuilder:
    """The module, from our data or from a folder of a user's own."""
    plugin = HeroesOfStalingrad(folder)
    return build(plugin, plan(plugin))


_ON_FOOT: Final = 'Family == "Infantry"'
# HOS-8.8: grenades are markers of what lies in the box of the army.
_OWN: Final = r'"{MarkerSide == \"" + UnitSide + "\"}"'
_GRENADES: Final = f'SumMap("GrenadesLeft", "{SHEET.name}", {_OWN}) > 0'
# All see where tokens lie, and only their owner which.
_ORDERED: Final = r'CountLocation("{MarkerKind == \"order\"}") > 0'
# What only some counters can do; the rest is said at whoever does it, or at its target.
_SAID_AT: Final = {
    "deploy_aboard": 'Abilities.contains("transport")',
    "autonomous": 'Abilities.contains("autonomous")',
    "flame": 'Abilities.contains("flamethrower")',
    "grenade": f"{_ON_FOOT} && {_GRENADES}",
    "special_order": _ORDERED,
    "retreat": _ON_FOOT,
}
# The same of those who were marked, of what is said at a target.
_ABLE: Final = {
    "snipe": 'Abilities.contains("sniper")',
    "disturb": 'Abilities.contains("disturbing")',
}
# HOS-2.102: bluffs go when the Reserve Phase begins; the rest goes before new orders are given.
_BLUFFS: Final = {'MarkerKind == "order" && MarkerToken.startsWith("bluff")': GOES}
_MINE: Final = f'(SideName == PlayerSide || PlayerSide == "{SOLITAIRE}")'
_CLEARED: Final = {
    "the order tokens of the turn": {
        'MarkerKind == "order"': GOES,
        "Activated_Level == 2": ctrl("A"),
    },
    "one Suppressed of each own unit": {
        f"Suppressed_Level > 1 && {_MINE}": ctrl("I"),
    },
}
_SPEECH: Final = Speech(said_at=_SAID_AT, able=_ABLE, aimed=("demolish",), clicked={"fire": ""})
# HOS-6.5: what a card is played for, by the event that it prints; any of them is a bonus (HOS-6.4).
_EVENTS: Final = {
    "feat_of_arms": "second_action",
    "seize_initiative": "initiative",
    "surprise": "surprise",
    "fury": "fury",
    "high_command": "high_command",
    "rally": "rally",
    "reroll": "reroll",
}


def plan(plugin: HeroesOfStalingrad) -> Plan:
    """The module as the kit wants to know it."""
    tables = plugin.tables
    return Plan(
        boards=tuple(_boards(plugin)),
        units=units(tables),
        markers=markers(tables),
        tiles=tiles(tables),
        sheet=table_sheet(),
        piles=piles(tables),
        hands=hands(),
        title="Heroes of Stalingrad",
        version="1.2",
        description="Squads and tanks in the ruins, 1942; boards and counters are our own",
        charts=CHARTS,
        pages=dict(pages()),
        before=("setup",),
        by_side=False,
        last_turn=TURNS,
        advance="",
        drags=("move", "deploy"),
        laid=("order", "order_artillery"),
        silence={"orders": "[end_orders]"},
        speech=replace(_SPEECH, said_at={**_SAID_AT, **_played(tables)}),
        tones={GERMAN: GREEN, RUSSIAN: RED},
        cleared=_CLEARED,
        cleared_in={"reserve": _BLUFFS},
        sight=True,
        notes=lambda one: notes(plugin.data.read(f"scenarios/{one.key}.yaml")),
    )


def _played(tables: Tables) -> dict[str, str]:
    """Of what cards are played for: which of them have it in their menus."""
    return {
        action: " || ".join(
            f'Card.startsWith("{key}-")'
            for key, card in tables.cards.items()
            if card.event == event
        )
        for action, event in _EVENTS.items()
    }


def _boards(plugin: HeroesOfStalingrad) -> Iterator[Board]:
    """Every board, and again for each scenario that lays tiles across its grid.

    Such a tile has cells of its own between those of the board, and pieces must find them.
    """
    pictures = {}
    for key in plugin.boards.keys:
        terrain = plugin.boards[key]
        pictures[key] = board(terrain, plugin.tables)
        yield board_of(terrain, key, svg=pictures[key], zoom=ZOOM)
    for scenario in plugin.scenarios():
        start = engine.start(plugin, scenario.key)
        if any(marker.values.get("across") for marker in start.markers.values()):
            plain = plugin.boards[start.board]
            yield board_of(
                plugin.terrain_map(start),
                start.board,
                name=f"{plain.name_of_map}, {scenario.title}",
                svg=pictures[start.board],
                zoom=ZOOM,
                scenarios=frozenset((scenario.key,)),
            )
