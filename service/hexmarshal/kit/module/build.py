"""Puts a module together from a plan and the plugin's own declaration."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import NotFoundError, UsageError
from hexmarshal.kit.announcements import MARK_KEY, Said, announcements
from hexmarshal.kit.module.opening_view import add_view
from hexmarshal.kit.module.phases import add_tracker, phase_titles, spoken_in
from hexmarshal.kit.module.pieces.announcement_menus import add_sayings
from hexmarshal.kit.module.pieces.following import add_following, leads
from hexmarshal.kit.module.pieces.making import add_marker, add_unit
from hexmarshal.kit.module.pieces.piles import (
    add_hand_button,
    add_hands,
    add_pile,
    add_spread,
    keep_places_secret,
)
from hexmarshal.kit.module.pieces.tiles import GROUND, LAYER, UNITS, add_tile
from hexmarshal.kit.module.pieces.tones import tones
from hexmarshal.kit.module.pieces.traits import LISTED
from hexmarshal.kit.module.setups import add_set_ups
from hexmarshal.kit.module.sheets import add_sheet
from hexmarshal.kit.module.solitaire import add_seats
from hexmarshal.kit.module.toolbar.charts import add_charts
from hexmarshal.kit.module.toolbar.clearing import add_clearing
from hexmarshal.kit.module.toolbar.hot_keys import add_hot_keys
from hexmarshal.kit.module.toolbar.trails import add_trails
from hexmarshal.kit.module.workbench import Bench
from hexmarshal.kit.pages.charts import declared_charts
from hexmarshal.kit.pages.guide import announcements_page, keys_page, phases_page
from hexmarshal.kit.pages.rules import rules_page
from hexmarshal.rules.action import ParamType
from hexmarshal.vassal.builder import ModuleBuilder
from hexmarshal.vassal.commands.game import BoardChoice
from hexmarshal.vassal.components import StackMetrics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.kit.module.plan import Plan
    from hexmarshal.rules.plugin import Game, GamePlugin, ScenarioInfo
    from hexmarshal.vassal.builder import MapBuilder

__all__ = ["build"]

MAP: Final = "Map"
SCENARIO: Final = "Scenario"
_UNITS: Final = frozenset({ParamType.UNIT, ParamType.UNITS})
_WAYS: Final = frozenset({ParamType.PATH, ParamType.CELL})


def build(plugin: GamePlugin, plan: Plan) -> ModuleBuilder:
    """The whole module, to be saved or looked into.

    It is refused if its pieces cannot show all that the plugin's scenarios begin with.
    """
    game = plugin.game
    module = ModuleBuilder(
        plan.title or game.title, version=plan.version, description=plan.description or game.doc
    )
    bench = Bench(module, plugin)
    seats = [bench.seat(side.key) for side in game.sides]
    add_seats(module, seats, bench.pictures.icon("sides"), masked=True)
    bench.facts.sides = {bench.seat(side.key): side.key for side in game.sides}
    module.global_property(SCENARIO, "", "The scenario that this game was set up from")
    bench.facts.scenario = SCENARIO
    bench.facts.drags = list(_drags(game) if plan.drags is None else plan.drags)
    bench.facts.laid = list(plan.laid)
    bench.facts.silence = dict(plan.silence)
    said = announcements(game, {*bench.facts.drags, plan.advance})
    plays = any(pile.played for pile in plan.piles)
    bench.announced = tuple(one for one in said if plays or one.said is not Said.CARD)
    phases = phase_titles(game) if plan.phases is None else plan.phases
    shown = ("Phase", "Before") if plan.before else ("Phase",)
    bench.speech = replace(plan.speech, when=spoken_in(game, phases, shown))
    bench.tones = {**tones(seats), **{bench.seat(side): t for side, t in plan.tones.items()}}
    tidy = tuple(add_clearing(bench, plan))
    add_sayings(module, bench.pictures, bench.announced, others=tidy, tones=bench.tones)
    _boards(bench, plan)
    _beside(bench, plan)
    _pieces(bench, plan)
    _tools(bench, plan, phases)
    add_set_ups(
        module,
        plugin,
        bench.facts.to_yaml(),
        _scenarios(bench, plan),
        boards=lambda scenario: _own_board(plan, scenario.key),
        notes=plan.notes,
    )
    return module


def _boards(bench: Bench, plan: Plan) -> None:
    if not plan.boards:
        raise UsageError("a module needs a board")
    main = bench.module.map(MAP, main=True, mark_moved=True).conveniences()
    bench.maps[MAP] = main
    for board in plan.boards:
        image = bench.pictures.add(f"board-{board.key or 'map'}", board.svg, zoom=board.zoom)
        main.board(board.name, image=image, grid=board.grid())
    bench.layered = any(marker.lies == "over" for marker in plan.markers)
    if bench.layered:
        main.layers(LAYER, GROUND, UNITS)
    elif plan.tiles or any(marker.lies for marker in plan.markers):
        main.layers(LAYER, GROUND)
    add_view(bench.module, main, bench.pictures)
    add_trails(main, bench.pictures)
    if lying := [marker for marker in plan.markers if marker.on_unit]:
        add_following(bench.module, main)
        bench.leads = leads(sided=any(marker.side for marker in lying))
    if any(unit.behind for unit in plan.units):
        _stacks_downwards(main)
    if plan.sight:
        main.line_of_sight()
    boards = {board.name: board.key for board in plan.boards if board.key}
    bench.facts.map = {"name": MAP, "cells": ".+", **({"boards": boards} if boards else {})}


def _stacks_downwards(main: MapBuilder) -> None:
    """What lies in a stack begins at the same edge above, and not at that below.

    The engine takes a piece that reaches far behind itself for one that looks upwards.
    """
    metrics = main.component.child(StackMetrics)
    assert metrics is not None
    for name in ("exSepY", "unexSepY"):
        metrics.set(name, f"-{metrics.get(name)}")


def _beside(bench: Bench, plan: Plan) -> None:
    if plan.sheet is not None:
        add_sheet(bench, plan.sheet)
    for pile in plan.piles:
        if plan.sheet is None:
            raise UsageError(f"the pile {pile.pile!r} needs a sheet to lie on")
        sheet = plan.sheet.sheet
        add_pile(bench, pile, bench.maps[sheet.name], sheet.box(pile.box))
    for spread in plan.spreads:
        add_spread(bench, spread)
    for side in dict.fromkeys(hand.side for hand in plan.hands):
        add_hands(bench, side, [hand for hand in plan.hands if hand.side == side])
    if plan.hands:
        add_hand_button(bench.module, bench.pictures)
        keep_places_secret(bench.maps)


def _pieces(bench: Bench, plan: Plan) -> None:
    match = {"property": {"UnitType": ".+"}}
    row = {"match": match, "id": "{UnitId}", "type": "{UnitType}", "side": "{UnitSide}"}
    bench.facts.units.append(row)
    if any(len(unit.faces) > 1 for unit in plan.units):
        bench.key("L", "lose a step")
        bench.key("K", "regain a step")
    if any(unit.facings for unit in plan.units):
        bench.key("]", "turn right")
        bench.key("[", "turn left")
    for unit in plan.units:
        add_unit(bench, unit)
    bench.close_signs()
    for marker in plan.markers:
        add_marker(bench, marker)
    for tile in plan.tiles:
        add_tile(bench, tile)
    if bench.announced:
        bench.key(MARK_KEY, "take part in what is announced next")
    bench.key("T", "show or hide the trail of a unit's moves")
    bench.key("M", "moved, or not yet; the map's own button clears all marks")
    if bench.losses:
        bench.key("E", "eliminate: the unit goes to its side's box")
    bench.key("D", "take a piece off")


def _tools(bench: Bench, plan: Plan, phases: Mapping[str, str]) -> None:
    module, game = bench.module, bench.plugin.game
    several = any(len(phase.sides) > 1 for phase in game.phases)
    by_side = several if plan.by_side is None else plan.by_side
    add_tracker(
        bench, phases, last=plan.last_turn, by_side=by_side, advance=plan.advance,
        before=plan.before,
    )  # fmt: skip
    for count, sides in plan.dice:
        name = f"{count}d{sides}"
        module.dice(name, count=count, sides=sides)
        bench.facts.dice.append({"button": name, "sides": sides})
    charts = bench.plugin.charts() or declared_charts(game)
    add_charts(module, bench.pictures, charts, plan.charts)
    module.inventory(*LISTED)
    module.notes()
    pressed = [(f"Ctrl+{key}", does) for key, does in bench.keys.items()]
    pressed += add_hot_keys(module)
    for title, html in plan.pages.items():
        module.help(title, html)
    module.help("Sequence of play", phases_page(game, phases))
    module.help("Keys", keys_page(pressed))
    rules = f"Rules of {game.title}"
    module.help(rules, rules_page(bench.plugin.rulebook, rules).decode())
    said = announcements_page(
        game, bench.announced, bench.facts.drags, laid=plan.laid, tracker=plan.advance
    )
    module.help("Announcements", said)


def _drags(game: Game) -> tuple[str, ...]:
    found = []
    for action in game.actions.values():
        types = {param.type for param in action.params}
        if types & _UNITS and types & _WAYS:
            found.append(action.name)
    return tuple(found)


def _own_board(plan: Plan, scenario: str) -> dict[str, tuple[BoardChoice, ...]] | None:
    """The board that is meant for a scenario alone, if there is one."""
    for board in plan.boards:
        if scenario in board.scenarios:
            return {MAP: (BoardChoice(board.name),)}
    return None


def _scenarios(bench: Bench, plan: Plan) -> tuple[ScenarioInfo, ...]:
    known = {one.key: one for one in bench.plugin.scenarios()}
    if plan.scenarios is None:
        return tuple(known.values())
    for key in plan.scenarios:
        if key not in known:
            raise NotFoundError(f"no scenario {key!r}", hint=f"there are: {', '.join(known)}")
    return tuple(known[key] for key in plan.scenarios)
