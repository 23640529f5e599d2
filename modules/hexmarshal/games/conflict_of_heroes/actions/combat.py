"""Actions of fire, close combat, artillery, mines, rally and what comes to light."""

from hexmarshal.games.conflict_of_heroes.actions.words import (
    AIMED,
    CAP,
    FACING,
    LUCK,
    MODE,
    OWN_GO,
    PAY_CARD,
    PAYING,
    PLAY,
    PREP,
    SUPPORTERS,
    THROWN,
    TOP_UP,
    UNIT,
    UNITS,
    WEAPON,
    likely,
    optional,
    slots,
)
from hexmarshal.games.conflict_of_heroes.rules.candidates import (
    acting,
    attacking,
    cards,
    paying,
)
from hexmarshal.games.conflict_of_heroes.rules.candidates import likely as quick
from hexmarshal.games.conflict_of_heroes.rules.cards import cardplay
from hexmarshal.games.conflict_of_heroes.rules.fire import artillery, combat, shooting
from hexmarshal.games.conflict_of_heroes.rules.offers import of_kind
from hexmarshal.games.conflict_of_heroes.rules.terrain import hiding, minefields
from hexmarshal.games.conflict_of_heroes.rules.turn import rally
from hexmarshal.rules.action import ActionType, Param, ParamType
from hexmarshal.rules.choosing.slots import by_slot

__all__ = ["BARRAGE", "CLOSE_COMBAT", "FACE", "FIRE", "MINES", "PLAY_CARD", "PLOT", "RALLY"]

PLOT = ActionType(
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
    candidates=slots(card=cards.batteries, cell=cards.target_hexes, smoke=cards.shells),
    offers=of_kind("plot"),
)
BARRAGE = ActionType(
    "barrage",
    "Resolve artillery",
    (CAP, LUCK),
    rules=("COH-12.3b",),
    phases=PREP,
    states=("barrage",),
    check=artillery.check_barrage,
    apply=artillery.apply_barrage,
    candidates=slots(),
    offers=of_kind("barrage"),
)
FIRE = ActionType(
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
    candidates=slots(
        unit=attacking.shooters,
        mode=attacking.arms,
        weapon=attacking.weapons,
        cell=attacking.aims,
        observer=attacking.observers,
        facing=attacking.facings_of_the_hidden,
        supporters=attacking.supporters,
        thrown=attacking.throwers,
        aimed=attacking.aimed,
    ),
    likely=likely(
        unit=quick.shooters,
        mode=quick.arms,
        weapon=quick.weapons,
        cell=quick.aims,
        observer=quick.observers,
        facing=quick.facings,
    ),
    listed=by_slot(cell=quick.targets),
    offers=of_kind("fire"),
)
CLOSE_COMBAT = ActionType(
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
    candidates=slots(
        unit=attacking.fighters,
        mode=attacking.arms,
        weapon=attacking.weapons,
        target=attacking.enemies_here,
        work=attacking.works_here,
        supporters=attacking.supporters,
        thrown=attacking.throwers,
        aimed=attacking.aimed,
    ),
    likely=likely(unit=quick.fighters, mode=quick.arms, weapon=quick.weapons),
    offers=of_kind("close_combat"),
)
RALLY = ActionType(
    "rally",
    "Rally",
    (*PAYING, UNITS, CAP, LUCK, TOP_UP),
    rules=("COH-7.6a", "COH-9.1.3a"),
    phases=PLAY,
    states=OWN_GO,
    check=rally.check_rally,
    apply=rally.apply_rally,
    candidates=slots(by=paying.ways_for(acting.hit_ones), units=acting.hit_ones),
    likely=likely(by=quick.ways_together, units=quick.ralliers),
    offers=of_kind("rally"),
)
PLAY_CARD = ActionType(
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
    candidates=slots(
        card=cards.playable,
        unit=cards.card_units,
        cell=cards.card_hexes,
        marker=cards.card_markers,
        against=cards.victims,
    ),
    likely=by_slot(card=quick.cards_played, unit=quick.cleared),
    offers=of_kind("play"),
)
FACE = ActionType(
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
)
MINES = ActionType(
    "mines",
    "Roll for mines",
    (CAP, LUCK),
    rules=("COH-18.3.3b",),
    states=("mines",),
    check=minefields.check_mines,
    apply=minefields.apply_mines,
    candidates=slots(),
    offers=of_kind("mines"),
)
