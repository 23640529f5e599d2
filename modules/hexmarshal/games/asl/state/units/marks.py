"""The marks that counters and markers of the game stand for, and how long they last."""

from __future__ import annotations

from typing import Final

from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.plugin import MarkerType, Named
from hexmarshal.rules.state.lifetimes import Lifetime, Until

__all__ = ["FLAGS", "GUARDS", "LIFETIMES", "MARKERS", "POSSESSES", "SHOWN"]

POSSESSES: Final = "possesses"
GUARDS: Final = "guards"
"""The bond of a prisoner: who guards it (ASL-A20.5a)."""

BROKEN: Final = "broken"
DM: Final = "dm"
PINNED: Final = "pinned"
CX: Final = "cx"
TI: Final = "ti"
WOUNDED: Final = "wounded"
HEROIC: Final = "heroic"
FANATIC: Final = "fanatic"
BERSERK: Final = "berserk"
ENCIRCLED: Final = "encircled"
UNARMED: Final = "unarmed"
DISRUPTED: Final = "disrupted"
MELEE: Final = "melee"
CONCEALED: Final = "concealed"
HIDDEN: Final = "hidden"
"""Hidden initial placement: only its own side knows that it is there (ASL-HIP-1)."""
UNSEEN: Final = frozenset({CONCEALED, HIDDEN})
"""Who is no known unit to the enemy (ASL-A12.12a)."""
STEALTHY: Final = "stealthy"
LAX: Final = "lax"
TRIED_TO_HIDE: Final = "tried_to_hide"
"""It has tried to gain concealment in this phase (ASL-A12.122b)."""
ESCAPING: Final = "escaping"
"""A prisoner who has attacked his guards in this phase (ASL-ESC-1)."""
STRENGTH_SHOWN: Final = "strength_shown"
"""A concealed unit in close combat: the enemy knows what it is until that is over (ASL-CC-8)."""
PREP_FIRE: Final = "prep_fire"
OPPORTUNITY: Final = "opportunity_fire"
FIRST_FIRE: Final = "first_fire"
FINAL_FIRE: Final = "final_fire"
ADVANCING_FIRE: Final = "advancing_fire"
NO_FIRE: Final = "no_fire"
"""Two support weapons were used: the inherent firepower is lost until the close combat phase."""
USED: Final = "inherent_used"
"""The inherent firepower was used in this phase, while the unit's weapons may still fire."""
DIRECTED: Final = "directed"
MOVED: Final = "moved"
CARRIED: Final = "carried"
"""A weapon that was moved in this phase (ASL-SW-3), until the player turn ends (ASL-SW-7)."""
STAYS: Final = "stays"
"""A weapon that was carried in this phase, dropped, and taken up by others."""
HAZARDOUS: Final = "hazardous"
MALFUNCTION: Final = "malfunctioned"
DISMANTLED: Final = "dismantled"
RALLIED: Final = "tried"
"""What a unit may do once in a rally phase was done: rally, deploy, repair, recover."""
ROUTED: Final = "routed"
ADVANCED: Final = "advanced"
CX_REMOVED: Final = "no_double_time"
RECOVERED: Final = "recovered"
CAPTURED: Final = "captured"
IMMOBILE: Final = "immobilized"
BURNING: Final = "burning"
ABANDONED: Final = "abandoned"
"""A vehicle that nobody mans (ASL-CCV-4)."""
BUTTONED_UP: Final = "buttoned_up"
IN_MOTION: Final = "in_motion"
STUNNED: Final = "stunned"
SHOCKED: Final = "shocked"
BOGGED: Final = "bogged"
STARTED: Final = "started"
"""A captured vehicle whose crew has tried to start it in this phase (ASL-CAPT-4b)."""
FACED_ARMOUR: Final = "faced_armour"
"""Has passed its task check against armour in this player turn (ASL-A11.6)."""
SEEN: Final = "seen"
"""A hidden gun in the open that an enemy has seen: it is put on the map later (ASL-HIP-3)."""
CRAWLED: Final = "low_crawled"
WAVE: Final = "human_wave"
"""Took part in a human wave in this player turn (ASL-A25.23e)."""
CLOSE: Final = "cc"
"""Shares a location with the enemy before the close combat phase, and is not in melee."""

FLAGS: Final = (
    Named(BROKEN, "Broken"),
    Named(DM, "Desperation morale"),
    Named(PINNED, "Pinned"),
    Named(CX, "Counter exhausted"),
    Named(TI, "Temporarily immobilized"),
    Named(WOUNDED, "Wounded"),
    Named(HEROIC, "Heroic"),
    Named(FANATIC, "Fanatic"),
    Named(BERSERK, "Berserk"),
    Named(ENCIRCLED, "Encircled"),
    Named(UNARMED, "Unarmed"),
    Named(DISRUPTED, "Disrupted"),
    Named(MELEE, "In melee"),
    Named(CONCEALED, "Concealed"),
    Named(HIDDEN, "Hidden"),
    Named(STEALTHY, "Stealthy"),
    Named(LAX, "Lax"),
    Named(TRIED_TO_HIDE, "Has tried to gain concealment"),
    Named(ESCAPING, "Escaping"),
    Named(STRENGTH_SHOWN, "Shows its strength"),
    Named(PREP_FIRE, "Prep Fire"),
    Named(OPPORTUNITY, "Opportunity Fire"),
    Named(FIRST_FIRE, "First Fire"),
    Named(FINAL_FIRE, "Final Fire"),
    Named(ADVANCING_FIRE, "Fired in the advancing fire phase"),
    Named(NO_FIRE, "No inherent firepower left"),
    Named(USED, "Inherent firepower used"),
    Named(DIRECTED, "Directed fire"),
    Named(MOVED, "Moved"),
    Named(CARRIED, "Carried"),
    Named(STAYS, "Not moved again"),
    Named(HAZARDOUS, "Hazardous movement"),
    Named(MALFUNCTION, "Malfunctioned"),
    Named(DISMANTLED, "Dismantled"),
    Named(RALLIED, "Done in this rally phase"),
    Named(ROUTED, "Routed"),
    Named(CRAWLED, "Low crawled"),
    Named(WAVE, "In a human wave"),
    Named(CLOSE, "Close combat to come"),
    Named(ADVANCED, "Advanced"),
    Named(CX_REMOVED, "No double time"),
    Named(RECOVERED, "Recovered in this phase"),
    Named(CAPTURED, "Captured"),
    Named(IMMOBILE, "Immobilized"),
    Named(BURNING, "Burning"),
    Named(ABANDONED, "Abandoned"),
    Named(BUTTONED_UP, "Buttoned up"),
    Named(IN_MOTION, "In motion"),
    Named(STUNNED, "Stunned"),
    Named(SHOCKED, "Shocked"),
    Named(BOGGED, "Bogged"),
    Named(STARTED, "Has tried to start"),
    Named(FACED_ARMOUR, "Has faced armour"),
    Named(SEEN, "Was seen"),
)

SHOWN: Final = frozenset(
    {
        CONCEALED, CX, TI, PINNED, MELEE, MOVED, ADVANCED, HAZARDOUS, PREP_FIRE, OPPORTUNITY,
        FIRST_FIRE, FINAL_FIRE, ADVANCING_FIRE, "entrenched", "crest",
    }
)  # fmt: skip
"""What the enemy sees of a unit under a "?": the counters that lie on it, and where it is."""

_FP = Param("fp", ParamType.INT, "firepower", minimum=1, maximum=36)

MARKERS: Final = (
    Named("smoke", "SMOKE", "Values: hindrance [3], rises [2 levels, from its own]."),
    MarkerType(
        "wreck",
        "A wreck",
        "It hinders lines: ASL-COV-02.",
        params=(Param("burning", ParamType.BOOL, "whether it burns", required=False),),
    ),
    Named("shelling", "Artillery fire", "Value: hindrance [1]; ASL-FFE-1."),
    Named("lit", "An illuminated hex", "Seen at night from any distance: ASL-NVR-2."),
    Named("gunflash", "A gunflash", "Seen at night from any distance: ASL-NVR-2."),
    MarkerType("residual", "Residual firepower", "ASL-RFP-1", params=(_FP,)),
    MarkerType(
        "fire_lane",
        "Fire lane",
        "ASL-A9.22",
        params=(
            _FP,
            Param("weapon", ParamType.UNIT, "the machine gun that lays it"),
            Param("cells", ParamType.CELLS, "the hexes that it covers, in order"),
        ),
    ),
    MarkerType(
        "sniper",
        "Sniper",
        "ASL-SAN-1",
        params=(
            Param("pinned", ParamType.BOOL, "no attack in this player turn", required=False),
        ),
    ),
    MarkerType(
        "covered_arc",
        "Field of fire",
        "ASL-MG-2",
        params=(
            Param("vertex", ParamType.INT, "the vertex it opens at", minimum=0, maximum=5),
        ),
    ),
)  # fmt: skip

LIFETIMES: Final = (
    # ASL-RFP-4, ASL-A24.1a: residual firepower and fire lanes end with the movement phase
    Lifetime(
        Until.PHASE, markers=("residual", "fire_lane"), phases=("movement",), rule="ASL-RFP-4"
    ),
    Lifetime(
        Until.PHASE, flags=frozenset({STAYS}), phases=("movement",), rule="ASL-SW-3"
    ),
    # ASL-MG-2
    Lifetime(Until.PHASE, markers=("covered_arc",), rule="ASL-MG-2"),
    Lifetime(
        Until.PHASE,
        flags=frozenset({FIRST_FIRE, FINAL_FIRE}),
        values=("directed_units",),
        phases=("defensive_fire",),
        rule="ASL-DF-4",
    ),
    Lifetime(
        Until.PHASE,
        flags=frozenset({PREP_FIRE, OPPORTUNITY, ADVANCING_FIRE}),
        phases=("advancing_fire",),
        rule="ASL-FIRE-1",
    ),
    Lifetime(Until.PHASE, flags=frozenset({USED, RECOVERED}), rule="ASL-FIRE-3"),
    Lifetime(
        Until.PHASE,
        flags=frozenset({DIRECTED}),
        phases=("prep_fire", "defensive_fire", "advancing_fire"),
        rule="ASL-FD-1",
    ),
    Lifetime(
        Until.PHASE,
        flags=frozenset({TRIED_TO_HIDE, ESCAPING}),
        phases=("close_combat",),
        rule="ASL-A12.122b",
    ),
    Lifetime(Until.PHASE, flags=frozenset({RALLIED}), phases=("rally",), rule="ASL-RALLY-1"),
    Lifetime(
        Until.PHASE, flags=frozenset({ROUTED, CRAWLED}), phases=("rout",), rule="ASL-ROUT-2"
    ),
    Lifetime(
        Until.PLAYER_TURN,
        flags=frozenset(
            {
                PINNED, MOVED, CARRIED, ADVANCED, CX_REMOVED, HAZARDOUS, NO_FIRE, TI, WAVE, CLOSE,
                FACED_ARMOUR, STARTED,
            }
        ),
        phases=("close_combat",),
        values=("cloaked", "street_from"),
        rule="ASL-PIN-4",
    ),
)  # fmt: skip
