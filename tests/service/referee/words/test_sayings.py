"""What modules say by click is what the referee reads, for every action that can be said so."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("resvg_py")

import coh_table
import kharkov_table
from pressed_keys import pressed

from hexmarshal.kit.announcements import Said, announcements, notation
from hexmarshal.kit.module.opening_view import front_of, turn_view
from hexmarshal.kit.pages.guide import announcements_page
from hexmarshal.referee.chat.announcements import read_call, write_call
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action, ActionTable, ActionType, Param, ParamType
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.values import thaw
from hexmarshal.vassal.components import (
    DoActionButton,
    GlobalKeyCommand,
    ToolbarMenu,
    TurnGlobalHotkey,
)
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.state.at_start import placed_copy
from hexmarshal.vassal.traits import (
    CalculatedProperty,
    Delete,
    Layer,
    ReportState,
    RestrictCommands,
    ReturnToDeck,
    RotateFixed,
    SubMenu,
    TriggerAction,
)
from hexmarshal.vassal.values.evaluation import evaluate

PAGES = Path(__file__).parents[4] / "docs" / "games"
WAYS = {"opportunity": "Opportunity action", "command": "Command action"}
NO_MARKS = "(take all marks off)"
GAMES = ("kharkov", "conflict_of_heroes", "traces_of_war", "heroes_of_stalingrad")


@pytest.mark.parametrize("key", GAMES)
def test_every_line_that_a_click_says_is_read_as_its_action(key):
    game = registry.default().get(key).game
    spoken = announcements(game)
    assert {one.said for one in spoken} >= {Said.TABLE, Said.UNIT, Said.MARKED}
    for one in spoken:
        text = one.line.replace("$Parts$", "a b").replace("$UnitId$", "c").replace("$Card$", "d")
        kind = game.actions[one.action]
        if any(p.type is ParamType.UNIT and p.required for p in kind.params):
            text = text.replace("a b", "a")
        call = read_call(text.replace("$location$", "0101"), game.actions)
        assert call is not None
        assert call.kind == one.action
        needed = {param.name for param in kind.params if param.required}
        assert set(call.params) == needed
        assert call.action(game.actions, game.sides[0].key).kind == one.action


def test_what_is_shown_otherwise_or_sealed_is_not_said():
    game = registry.default().get("traces_of_war").game
    spoken = {one.action for one in announcements(game, {"move", "draw"})}
    assert "choose_tokens" not in spoken  # sealed
    assert "draw" not in spoken
    assert {"let_stand", "attack", "activate_hq"} <= spoken


def test_the_parameters_say_where_a_line_is_said():
    kinds = {
        "bid": (Param("cap", ParamType.INT, "", minimum=1, maximum=3),),
        "reply": (Param("accept", ParamType.BOOL, ""),),
        "mode": (Param("mode", ParamType.CHOICE, "", choices=("move_combat", "wait")),),
        "join": (Param("units", ParamType.UNITS, ""), Param("into", ParamType.UNIT, "")),
        "drop": (Param("cell", ParamType.CELL, ""),),
        "play": (Param("card", ParamType.CARD, ""),),
        "march": (Param("unit", ParamType.UNIT, ""), Param("path", ParamType.PATH, "")),
    }
    actions = ActionTable(
        [ActionType(name, name.title(), params) for name, params in kinds.items()]
    )

    class Declared:
        pass

    game = Declared()
    game.actions = actions
    said = [(one.line, one.menu, one.said) for one in announcements(game)]
    assert said == [
        ("[bid] 1", "Bid: 1", Said.TABLE),
        ("[bid] 2", "Bid: 2", Said.TABLE),
        ("[bid] 3", "Bid: 3", Said.TABLE),
        ("[reply] yes", "Reply: yes", Said.TABLE),
        ("[reply] no", "Reply: no", Said.TABLE),
        ("[mode] move_combat", "Mode: move combat", Said.TABLE),
        ("[mode] wait", "Mode: wait", Said.TABLE),
        ("[join] $Parts$ -> $UnitId$", "Join", Said.MARKED),
        ("[drop] $location$", "Drop here", Said.UNIT),
        ("[play] $Card$", "Play", Said.CARD),
    ]


@pytest.mark.parametrize("key", GAMES)
def test_the_page_of_a_game_lists_what_can_be_announced(key):
    game = registry.default().get(key).game
    page = (PAGES / f"{key.replace('_', '-')}.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"## Announcements\n.*?```\n(.*?)```", page, re.DOTALL)
    assert block.splitlines() == [notation(action) for action in game.actions.values()]
    html = announcements_page(game, announcements(game))
    assert all(f"[{action.name}]" in html for action in game.actions.values())


def test_the_help_tells_how_each_thing_is_done():
    game = kharkov_table.PLUGIN.game
    said = announcements(game, {"move", "end_phase"})
    html = announcements_page(game, said, ["move"], laid=["commit"], tracker="end_phase")
    rows = dict(re.findall(r"<tt>\[(\w+)\].*?</tt></td><td>(.*?)</td>", html))
    assert rows["move"] == "by dragging the counter"
    assert rows["end_phase"] == "by the turn tracker"
    assert "by laying tokens, markers or cards" in rows["commit"]
    assert "toolbar: <i>No (more) advance</i>" in rows["end_advance"]
    assert all(rows.values())


def test_the_module_holds_a_button_and_a_trait_for_each():
    module = coh_table.module()
    game = registry.default().get("conflict_of_heroes").game
    spoken = announcements(game, {"move"}, {"bid": 2}, {"by": WAYS})
    said = {button.name: button for button in module.each(DoActionButton)}
    begins = [name for name in said if name.endswith(" begins")]
    for name in ("End of my go", "My hand", "Pay with the move", NO_MARKS, *begins):
        assert "[" not in reported(said.pop(name)), "it announces nothing"
    table = [one for one in spoken if one.said is Said.TABLE]
    assert {one.menu for one in table} == set(said)
    for one in table:
        # Sides speak in colours of their own, which the first letter tells.
        assert reported(said[one.menu]) == f"~Ivan (Soviet): {one.line}"
        assert reported(said[one.menu], "Solitaire") == f"Ivan (Solitaire): {one.line}"
    menus = {menu.button_text: menu.menu_items for menu in module.each(ToolbarMenu)}
    # One thing that is said in several ways has a menu inside the menu.
    assert menus["Bid for the initiative"] == tuple(
        f"Bid for the initiative: {n}" for n in range(3)
    )
    listed = [text for item in menus["Announce"] for text in menus.get(item, (item,))]
    assert listed == [*(one.menu for one in table), NO_MARKS, *begins]
    assert len(menus["Announce"]) - 2 == len({one.action for one in table}) < len(table)
    shared = {name: found.text for name, found in module.prototypes().items()}
    squad = next(slot for slot in module.slots() if "Rifles" in slot.name)
    traits = placed_copy(squad, shared, "", (0, 0)).traits
    submenus = {t.name: t.commands for t in traits if isinstance(t, SubMenu)}
    assert set(WAYS.values()) <= set(submenus["Announce"])
    told = {t.format.text for t in traits if isinstance(t, ReportState)}
    (tone,) = (t for t in traits if isinstance(t, CalculatedProperty) and t.name == "Tone")
    assert evaluate(tone.expression, {"PlayerSide": "German"}.get) == "!"
    for one in spoken:
        if one.said is not Said.TABLE:
            assert one.menu in submenus[one.under or "Announce"]
            assert f"$Tone$$PlayerName$ ($PlayerSide$): {one.line}" in told
            assert any(isinstance(t, TriggerAction) and t.command == one.menu for t in traits)


def reported(button, seat="Soviet"):
    """What a button says for a player on a seat."""
    said = button.get("reportFormat")
    if not said.startswith("{"):
        return said
    return evaluate(said, {"PlayerName": "Ivan", "PlayerSide": seat}.get)


def hidden_from_menus(traits, properties):
    """The keys of the commands that a piece with these properties does not have in its menu."""
    for trait in traits:
        if (
            isinstance(trait, RestrictCommands)
            and evaluate(trait.expression.text, properties.get) == "true"
        ):
            yield from (key.text for key in trait.keys.keys)


def test_an_action_said_in_a_way_of_its_own_is_read_with_that_choice():
    game = registry.default().get("conflict_of_heroes").game
    said = [one for one in announcements(game, ways={"by": WAYS}) if one.way]
    assert {one.action for one in said} == {
        "fire", "close_combat", "rally", "dig_in", "hide", "shift", "leave",
    }  # fmt: skip
    assert len({one.menu for one in said}) == len(said) == 14
    for one in said:
        text = one.line.replace("$Parts$", "a").replace("$UnitId$", "c")
        call = read_call(text.replace("$location$", "1-A01"), game.actions)
        assert call.params["by"] == one.way


def says_at(module, name, action):
    """A piece's traits, and the key of an announcement in its menu."""
    shared = {name: found.text for name, found in module.prototypes().items()}
    slot = next(slot for slot in module.slots() if name in slot.name)
    traits = placed_copy(slot, shared, "", (0, 0)).traits
    (key,) = (t.key for t in traits if isinstance(t, TriggerAction) and t.key.text.endswith(action))
    return traits, key


@pytest.mark.parametrize(
    ("table", "name", "action", "steps_in"),
    [
        (coh_table, "Rifles", "say-fire", True),
        (kharkov_table, "Infantry", "say-attack", False),
        (kharkov_table, "Infantry", "say-overrun", False),
        (kharkov_table, "Regiment", "say-recombine", False),
    ],
)
def test_a_target_never_speaks_for_those_who_attack_it(table, name, action, steps_in):
    traits, key = says_at(table.module(), name, action)
    tells = f"tell{action[3:]}"
    nobody = pressed(traits, key, {"Parts": ""})
    assert tells not in nobody
    assert ("stepIn" in nobody) == steps_in
    assert nobody[-1] == "tellRefused"
    some = pressed(traits, key, {"Parts": "g5"})
    assert tells in some
    assert not {"tellRefused", "stepIn", "partsAlone"} & set(some)


@pytest.mark.parametrize(
    ("table", "name", "action"),
    [(coh_table, "Rifles", "fire"), (kharkov_table, "Infantry", "attack")],
)
def test_the_menu_of_an_enemy_begins_with_what_the_marked_can_do_to_it(table, name, action):
    traits, key = says_at(table.module(), name, f"aim-{action}")
    assert f"say-{action}" in pressed(traits, key, {"Parts": "g5"})
    hidden = [t for t in traits if isinstance(t, RestrictCommands) and key in t.keys.keys]
    assert any('UnitSide != \\"" + UnitSide' in str(t.expression) for t in hidden)
    # It goes by the same phases as the entry under Announce.
    _, said = says_at(table.module(), name, f"say-{action}")
    assert any(said in t.keys.keys for t in hidden)


def test_a_unit_speaks_for_itself_where_it_is_done_to_nobody_else():
    traits, key = says_at(coh_table.module(), "Rifles", "say-rally")
    assert pressed(traits, key, {"Parts": ""})[-3:] == ["partsAlone", "tell-rally", "unmarkAll"]


def test_marks_go_with_every_step_of_the_tracker():
    for table in (coh_table, kharkov_table):
        module = table.module()
        always = [h.hotkey for h in module.each(TurnGlobalHotkey) if str(h.match) == "{true}"]
        (unmark,) = (c for c in module.each(GlobalKeyCommand) if c.name == "Unmark")
        assert unmark.button_hotkey in always
        shared = {name: found.text for name, found in module.prototypes().items()}
        slot = next(s for s in module.slots() if "Rifle" in s.name)
        traits = placed_copy(slot, shared, "", (0, 0)).traits
        (mark,) = (t for t in traits if isinstance(t, Layer) and t.name == "TakesPart")
        assert mark.reset_key == unmark.key_command


def test_menus_leave_out_what_a_unit_cannot_announce():
    module = kharkov_table.module()
    shared = {name: found.text for name, found in module.prototypes().items()}
    hidden = {}
    for slot in module.slots():
        piece = placed_copy(slot, shared, "", (0, 0))
        facts = {**properties_of(piece), "Phase": "B1 Axis initial movement"}
        hidden[facts.get("UnitType")] = set(hidden_from_menus(piece.traits, facts))
    said = {
        kind: {key.partition("say-")[2] for key in keys if "say-" in key}
        for kind, keys in hidden.items()
    }
    of_another_phase = {"attack", "attack-yes", "attack-where", "air_supply"}
    # In the Axis' phase it is the Soviet units that are overrun, and that pursue.
    theirs = {"overrun", "pursue", *of_another_phase}
    assert said["infantry"] == {"recombine", "dig_in", *theirs}
    assert said["regiment"] == {"break_down", *theirs}
    soviet = {"disengage", *of_another_phase}
    assert said["guards"] == {"break_down", "recombine", "dig_in", *soviet}
    assert said["hq"] >= {"take_losses", "pursue", "disengage"}
    assert "76,130" in hidden["rifle"], "no replacement for a unit that is not revealed"
    assert "82,130" not in hidden["rifle"], "it can be revealed"


def is_card(traits):
    """Cards are never taken away: they go back to their deck."""
    return any(isinstance(t, ReturnToDeck) for t in traits)


def test_taking_a_piece_away_is_the_last_thing_in_its_menu():
    module = coh_table.module()
    shared = {name: found.text for name, found in module.prototypes().items()}
    seen = 0
    for slot in module.slots():
        traits = placed_copy(slot, shared, "", (0, 0)).traits
        if any(isinstance(t, SubMenu) for t in traits) and not is_card(traits):
            seen += 1
            # VASSAL lists the outermost trait first; the basic piece is the innermost.
            commands = [t for t in traits if isinstance(t, Delete | SubMenu | Layer | RotateFixed)]
            assert isinstance(commands[-1], Delete), slot.name
    assert seen


def test_the_front_is_where_the_sides_are_closest():
    lying = {"red": [(0, 0), (100, 0), (500, 0)], "blue": [(120, 0), (900, 0)]}
    assert front_of(lying) == ((100 + 120 + 0) // 3, 0)
    assert front_of({"red": [(4, 8)]}) == (4, 8)
    assert front_of({"red": []}) is None


@pytest.mark.parametrize(
    ("beside", "x"),
    [(None, "500"), (1000, "500"), (1500, "720"), (5000, "1180")],
)
def test_the_first_view_takes_in_what_lies_beside_the_board(beside, x):
    state = SimpleNamespace(properties={("", "FrontX"): "0", ("", "FrontY"): "0"})
    turn_view(state, {"red": [(500, 40)], "blue": [(600, 60)]}, beside=beside)
    # The leftmost unit of the front stays in view, however far that lies.
    assert state.properties["", "FrontX"] == x


class Clicking(Recorder):
    """Announces as the menus of the module do: a report that names the player and his seat."""

    def announce(self, action: Action) -> None:
        line = write_call(action, self.plugin.game.actions)
        with self.log.step() as step:
            step.report(f"~Ivan ({action.side.title()}): {line}")


class Alone(Recorder):
    """Plays both sides from one seat: what he says with units names the seat, not their side."""

    def announce(self, action: Action) -> None:
        line = write_call(action, self.plugin.game.actions)
        units = {"attackers", "unit", "units"} & action.params.keys()
        seat = "axis" if units else action.side
        with self.log.step() as step:
            step.report(f"Ivan ({seat.title()}): {line}")


def test_a_game_announced_by_clicks_is_judged_like_one_that_is_typed():
    plugin = kharkov_table.PLUGIN
    record = play_game(
        plugin, "clicks", scenario="training", max_actions=36, check_replay=False
    ).record
    reports = []
    for writer in (Recorder, Clicking, Alone):
        start = engine.start(plugin, "training", seed=record.opening.seed)
        log = writer(kharkov_table.module(), kharkov_table.binding(), plugin, start)
        for event in record.events:
            log.perform(plugin.game.actions.decode(thaw(event.action)))
        reports.append(kharkov_table.checked(log.finish()))
    typed, clicked, _ = reports
    told = [[(e.kind, e.side, e.status, e.certainty) for e in r.entries] for r in reports]
    assert told[0] == told[1] == told[2]
    assert typed.certain == clicked.certain == 0
    assert any(entry.kind == "attack" and entry.player == "Ivan" for entry in clicked.entries)
