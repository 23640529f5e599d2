"""The table of actions: parameters, check, effect, and what their slots offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules import candidates
from hexmarshal.games.conflict_of_heroes.rules.cards import cardplay
from hexmarshal.games.conflict_of_heroes.rules.fire import artillery, combat, shooting
from hexmarshal.games.conflict_of_heroes.rules.movement import moves, transport
from hexmarshal.games.conflict_of_heroes.rules.offers import of_kind
from hexmarshal.games.conflict_of_heroes.rules.terrain import (
    concealment,
    fortifications,
    hiding,
    minefields,
)
from hexmarshal.games.conflict_of_heroes.rules.turn import rally, turns
from hexmarshal.games.conflict_of_heroes.rules.turn.payment import WAYS
from hexmarshal.rules.action import ActionTable, ActionType, Param, ParamType
from hexmarshal.rules.choosing.slots import by_slot

if TYPE_CHECKING:
    from hexmarshal.rules.action import Candidates

__all__ = ["ACTIONS", "AIMED", "MODE", "SUPPORTERS", "THROWN", "UNIT", "WEAPON", "optional"]

PLAY = ("play",)
PREP = ("prep",)
OWN_GO = ("",)


def optional(name: str, type: ParamType, doc: str, **more: object) -> Param:
    """A parameter that may be left out."""
    return Param(name, type, doc, required=False, **more)  # type: ignore[arg-type]


UNIT = Param("unit", ParamType.UNIT, "the unit that acts")
UNITS = Param("units", ParamType.UNITS, "the units that act")
BY = optional("by", ParamType.CHOICE, "how it is paid for; `ap` if not given", choices=WAYS)
CARD = optional("card", ParamType.CARD, "the card it is played with")
TOP_UP = optional("top_up", ParamType.INT, "CAP that complete the AP", minimum=0)
PAY_CARD = optional(
    "pay_card", ParamType.CHOICE, "what a card's cost is paid with", choices=("ap", "cap")
)
# First how it is paid for, as that decides who may act; how many points complete it comes last.
PAYING = (BY, CARD, PAY_CARD)
CAP = optional("cap", ParamType.VALUE, "CAP for the roll, or by target for each roll")
LUCK = optional("luck", ParamType.BOOL, "play card 12 where it makes the difference")
FACING = optional("facing", ParamType.FACING, "the facing afterwards: 0 is up, clockwise to 5")
SUPPORTERS = optional("supporters", ParamType.UNITS, "the units that support the fire leader")
THROWN = optional("thrown", ParamType.UNITS, "supporters who use their weapon cards")
WEAPON = optional("weapon", ParamType.BOOL, "use the weapon card given to the unit")
AIMED = optional("aimed", ParamType.BOOL, "play card 09 with it")
MODE = optional(
    "mode",
    ParamType.CHOICE,
    "how it fires; `direct` if not given",
    choices=("direct", "indirect", "flame", "smoke"),
)
OCCUPY = optional("occupy", ParamType.BOOL, "go into the trench or bunker there")
FORT = optional("fort", ParamType.MARKER, "which one, where there is a trench and a bunker")
HOW = optional(
    "mode",
    ParamType.CHOICE,
    "how it moves; `normal` if not given",
    choices=("normal", "cautious", "hidden"),
)
LEG = (
    Param("unit", ParamType.UNIT, "who"),
    optional("path", ParamType.PATH, "the hexes entered, in order; none: it pivots"),
    FACING,
    HOW,
    OCCUPY,
    FORT,
)


def _slots(**own: object) -> Candidates:
    """What the slots offer that most actions have, and those of one of them."""
    common = {
        "unit": candidates.own,
        "by": candidates.ways_to_pay,
        "card": candidates.cards,
        "pay_card": candidates.card_colours,
        "top_up": candidates.completions,
        "cap": candidates.points,
        "luck": candidates.luck,
    }
    return by_slot(**{**common, **own})  # type: ignore[arg-type]


ACTIONS = ActionTable(
    [
        ActionType(
            "pass",
            "Pass",
            rules=("COH-2.2d",),
            phases=PLAY,
            states=OWN_GO,
            apply=turns.apply_pass,
            offers=of_kind("pass"),
        ),
        ActionType(
            "finish",
            "End the activation",
            doc="No action.",
            rules=("COH-3.0c",),
            phases=PLAY,
            states=OWN_GO,
            check=turns.check_finish,
            apply=turns.apply_finish,
            offers=of_kind("finish"),
        ),
        ActionType(
            "begin_turn",
            "Prepare the turn",
            rules=("COH-2.0a",),
            phases=PREP,
            states=("start",),
            apply=turns.apply_begin,
            offers=of_kind("begin_turn"),
        ),
        ActionType(
            "plot",
            "Plot artillery",
            (
                optional("card", ParamType.CARD, "the battery; none: no plot this turn"),
                optional("cell", ParamType.CELL, "the target"),
                optional("smoke", ParamType.BOOL, "smoke shells"),
            ),
            rules=("COH-12.3a",),
            phases=PREP,
            states=("plot",),
            check=artillery.check_plot,
            apply=artillery.apply_plot,
            candidates=_slots(
                card=candidates.batteries, cell=candidates.target_hexes, smoke=candidates.shells
            ),
            offers=of_kind("plot"),
        ),
        ActionType(
            "barrage",
            "Resolve artillery",
            (CAP, LUCK),
            rules=("COH-12.3b",),
            phases=PREP,
            states=("barrage",),
            check=artillery.check_barrage,
            apply=artillery.apply_barrage,
            candidates=_slots(),
            offers=of_kind("barrage"),
        ),
        ActionType(
            "bid",
            "Bid for the initiative",
            (Param("cap", ParamType.INT, "CAP added to the roll", minimum=0), LUCK),
            rules=("COH-3.2.4a",),
            phases=PREP,
            states=("bid",),
            check=turns.check_bid,
            apply=turns.apply_bid,
            candidates=_slots(cap=candidates.bids),
            offers=of_kind("bid"),
        ),
        ActionType(
            "activate",
            "Activate a unit",
            (
                UNIT,
                optional("cap", ParamType.INT, "CAP for the roll of action points", minimum=0),
                LUCK,
            ),
            doc="No action by itself: the side goes on.",
            rules=("COH-3.0a", "COH-3.0d"),
            phases=PLAY,
            states=OWN_GO,
            check=turns.check_activate,
            apply=turns.apply_activate,
            candidates=_slots(),
            offers=of_kind("activate"),
        ),
        ActionType(
            "move",
            "Move",
            (
                UNIT,
                *PAYING,
                HOW,
                Param("path", ParamType.PATH, "the hexes entered, in order"),
                FACING,
                OCCUPY,
                FORT,
                CAP,
                LUCK,
                TOP_UP,
            ),
            doc="One hex; vehicles more where they have free hexes.",
            rules=("COH-5.0a", "COH-14.0a"),
            phases=PLAY,
            states=OWN_GO,
            check=moves.check_move,
            apply=moves.apply_move,
            candidates=_slots(
                mode=candidates.modes,
                path=candidates.first_hexes,
                facing=candidates.facings_after,
                occupy=candidates.occupying,
                fort=candidates.forts,
            ),
            offers=of_kind("move"),
        ),
        ActionType(
            "pivot",
            "Pivot",
            (UNIT, *PAYING, Param("facing", ParamType.FACING, "the new facing"), TOP_UP),
            rules=("COH-5.3a",),
            phases=PLAY,
            states=OWN_GO,
            check=moves.check_move,
            apply=moves.apply_move,
            candidates=_slots(facing=candidates.other_facings),
            offers=of_kind("pivot"),
        ),
        ActionType(
            "fire",
            "Fire",
            (
                UNIT,
                *PAYING,
                MODE,
                WEAPON,
                Param("cell", ParamType.CELL, "the hex fired at"),
                optional("observer", ParamType.CELL, "the observer's hex of indirect fire"),
                FACING,
                SUPPORTERS,
                THROWN,
                AIMED,
                CAP,
                LUCK,
                TOP_UP,
            ),
            doc="At every unit in the hex; the leader names its supporters.",
            rules=("COH-7.0a", "COH-9.1.2a"),
            phases=PLAY,
            states=OWN_GO,
            check=shooting.check_fire,
            apply=combat.apply_fire,
            candidates=_slots(
                unit=candidates.shooters,
                mode=candidates.arms,
                weapon=candidates.weapons,
                cell=candidates.aims,
                observer=candidates.observers,
                facing=candidates.facings_of_the_hidden,
                supporters=candidates.supporters,
                thrown=candidates.throwers,
                aimed=candidates.aimed,
            ),
            listed=by_slot(cell=candidates.targets),
            offers=of_kind("fire"),
        ),
        ActionType(
            "close_combat",
            "Close combat",
            (
                UNIT,
                *PAYING,
                MODE,
                WEAPON,
                optional("target", ParamType.UNIT, "the enemy in the same hex"),
                optional("work", ParamType.MARKER, "or the fortification or obstacle"),
                SUPPORTERS,
                THROWN,
                AIMED,
                CAP,
                LUCK,
                TOP_UP,
            ),
            rules=("COH-7.7.3a",),
            phases=PLAY,
            states=OWN_GO,
            check=combat.check_close,
            apply=combat.apply_close,
            candidates=_slots(
                unit=candidates.fighters,
                mode=candidates.arms,
                weapon=candidates.weapons,
                target=candidates.enemies_here,
                work=candidates.works_here,
                supporters=candidates.supporters,
                thrown=candidates.throwers,
                aimed=candidates.aimed,
            ),
            offers=of_kind("close_combat"),
        ),
        ActionType(
            "rally",
            "Rally",
            (*PAYING, UNITS, CAP, LUCK, TOP_UP),
            rules=("COH-7.6a", "COH-9.1.3a"),
            phases=PLAY,
            states=OWN_GO,
            check=rally.check_rally,
            apply=rally.apply_rally,
            candidates=_slots(
                by=candidates.ways_for(candidates.hit_ones), units=candidates.hit_ones
            ),
            offers=of_kind("rally"),
        ),
        ActionType(
            "dig_in",
            "Build hasty defences",
            (*PAYING, UNITS, TOP_UP),
            rules=("COH-18.1.3a",),
            phases=PLAY,
            states=OWN_GO,
            check=fortifications.check_dig_in,
            apply=fortifications.apply_dig_in,
            candidates=_slots(
                by=candidates.ways_for(candidates.together), units=candidates.together
            ),
            offers=of_kind("dig_in"),
        ),
        ActionType(
            "hide",
            "Go into hiding",
            (
                *PAYING,
                UNITS,
                Param("cells", ParamType.CELLS, "a hex for each unit", ordered=True),
                TOP_UP,
            ),
            rules=("COH-10.2a",),
            phases=PLAY,
            states=OWN_GO,
            check=concealment.check_hide,
            apply=concealment.apply_hide,
            candidates=_slots(
                by=candidates.ways_for(candidates.light_ones),
                units=candidates.light_ones,
                cells=candidates.hiding_places,
            ),
            offers=of_kind("hide"),
        ),
        ActionType(
            "shift",
            "Enter or leave a fortification",
            (UNIT, *PAYING, FORT, FACING, TOP_UP),
            doc="Within the hex: in if the unit is out, out if it is in.",
            rules=("COH-18.2a",),
            phases=PLAY,
            states=OWN_GO,
            check=fortifications.check_shift,
            apply=fortifications.apply_shift,
            candidates=_slots(
                unit=candidates.at_forts, fort=candidates.forts, facing=candidates.every_facing
            ),
            offers=of_kind("shift"),
        ),
        ActionType(
            "load",
            "Load or hitch",
            (Param("vehicle", ParamType.UNIT, "who carries or tows"), *PAYING, UNITS, TOP_UP),
            rules=("COH-17.0b",),
            phases=PLAY,
            states=OWN_GO,
            check=transport.check_load,
            apply=transport.apply_load,
            candidates=_slots(vehicle=candidates.empty_vehicles, units=candidates.to_load),
            offers=of_kind("load"),
        ),
        ActionType(
            "unload",
            "Unload or unhitch",
            (
                Param("vehicle", ParamType.UNIT, "who carries or tows"),
                *PAYING,
                UNITS,
                FACING,
                TOP_UP,
            ),
            rules=("COH-17.0c",),
            phases=PLAY,
            states=OWN_GO,
            check=transport.check_unload,
            apply=transport.apply_unload,
            candidates=_slots(
                vehicle=candidates.full_vehicles,
                units=candidates.aboard,
                facing=candidates.every_facing,
            ),
            offers=of_kind("unload"),
        ),
        ActionType(
            "leave",
            "Leave the map",
            (UNIT, *PAYING, TOP_UP),
            rules=("COH-5.6a",),
            phases=PLAY,
            states=OWN_GO,
            check=moves.check_leave,
            apply=moves.apply_leave,
            candidates=_slots(unit=candidates.at_exits),
            offers=of_kind("leave"),
        ),
        ActionType(
            "play",
            "Play a card",
            (
                Param("card", ParamType.TEXT, "the card, of the hand or given to the unit"),
                optional("unit", ParamType.UNIT, "the unit that it is played on"),
                optional("cell", ParamType.CELL, "the hex that it is about"),
                optional("marker", ParamType.MARKER, "the marker that it is about"),
                optional("against", ParamType.SIDE, "the force that it is played against"),
                PAY_CARD,
                CAP,
                LUCK,
                TOP_UP,
            ),
            rules=("COH-8.1a",),
            phases=PLAY,
            states=OWN_GO,
            check=cardplay.check_play,
            apply=cardplay.apply_play,
            candidates=_slots(
                card=candidates.playable,
                unit=candidates.card_units,
                cell=candidates.card_hexes,
                marker=candidates.card_markers,
                against=candidates.victims,
            ),
            offers=of_kind("play"),
        ),
        ActionType(
            "quick_action",
            "Announce two actions in a row",
            doc="No action by itself.",
            rules=("COH-C10", "COH-8.2a"),
            phases=PLAY,
            states=OWN_GO,
            check=cardplay.check_quick,
            apply=cardplay.apply_quick,
            offers=of_kind("quick_action"),
        ),
        ActionType(
            "stall",
            "Stall",
            (
                optional(
                    "by",
                    ParamType.CHOICE,
                    "AP of the active unit or CAP",
                    choices=("ap", "command"),
                ),
            ),
            rules=("COH-2.2c",),
            phases=PLAY,
            states=OWN_GO,
            check=turns.check_stall,
            apply=turns.apply_stall,
            candidates=_slots(by=candidates.stalling),
            offers=of_kind("stall"),
        ),
        ActionType(
            "face",
            "Choose a facing",
            (
                Param(
                    "facing",
                    ParamType.FACING,
                    "of the unit that came to light",
                    minimum=0,
                    maximum=5,
                ),
            ),
            rules=("COH-10.0a",),
            states=("face",),
            apply=hiding.apply_face,
            offers=of_kind("face"),
        ),
        ActionType(
            "mines",
            "Roll for mines",
            (CAP, LUCK),
            rules=("COH-18.3.3b",),
            states=("mines",),
            check=minefields.check_mines,
            apply=minefields.apply_mines,
            candidates=_slots(),
            offers=of_kind("mines"),
        ),
        ActionType(
            "obstacle",
            "Pay for an obstacle, or stay",
            (Param("pay", ParamType.BOOL, "pay and enter"), TOP_UP),
            rules=("COH-18.3.1b",),
            states=("obstacle",),
            check=moves.check_obstacle,
            apply=moves.apply_obstacle,
            candidates=_slots(),
            offers=of_kind("obstacle"),
        ),
        ActionType(
            "group_move",
            "Group move",
            (
                *PAYING,
                Param(
                    "moves",
                    ParamType.LIST,
                    "the units and their ways",
                    items=Param("move", ParamType.RECORD, "a unit and its way", fields=LEG),
                    grows=True,
                    fewest=2,
                ),
                CAP,
                LUCK,
                TOP_UP,
            ),
            rules=("COH-9.1.1a",),
            phases=PLAY,
            states=OWN_GO,
            check=moves.check_move,
            apply=moves.apply_move,
            candidates=_slots(moves=candidates.entries),
        ),
    ]
)
