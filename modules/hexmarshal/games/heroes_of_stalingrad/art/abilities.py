"""The signs by which counters show abilities: a few letters, with the number that goes with them.

The rulebook has a symbol for each; the letters are ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.heroes_of_stalingrad.state.kinds import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["SIGNS", "combat", "signs"]

SIGNS: Final = {
    "ambush": ("AM", "Ambush"),
    "crew": ("CR", "Crew"),
    "tripod": ("TR", "Tripod"),
    "twin": ("TW", "Twin weapons"),
    "destruction": ("DE", "Destruction"),
    "flamethrower": ("FL", "Flamethrower: values of its own"),
    "observer": ("OB", "Artillery observer"),
    "piercing": ("PI", "Piercing"),
    "limited_range": ("R", "Limited range, in cells"),
    "over_obstacles": ("OV", "Over obstacles"),
    "burst": ("BU", "Burst"),
    "sniper": ("SN", "Sniper"),
    "frightening": ("FR", "Frightening"),
    "disturbing": ("DI", "Disturbing fire"),
    "suppression": ("SU", "Suppression fire"),
    "moving": ("MO", "Moving fire: minus its number"),
    "direct": ("DX", "Explosion in direct fire: values of its own"),
    "indirect": ("IX", "Indirect fire: values of its own, / dispersion"),
    "opportunity": ("OP", "Opportunity fire"),
    "assault": ("AS", "Assault"),
    "mechanic": ("ME", "Mechanic"),
    "good_vibes": ("GV", "Good vibes"),
    "autonomous": ("AU", "Autonomous"),
    "inspiration": ("IN", "Inspiration"),
    "order": ("*", "Order: stars"),
    "personal_order": ("PO", "Personal order"),
    "scout": ("SC", "Scout"),
    "transport": ("T", "Transport"),
    "heroic": ("HE", "Heroic"),
}
"""The letters of each ability, and what it is called."""


def signs(abilities: Mapping[str, Any]) -> Iterator[str]:
    """The signs of these abilities, in the order of the list."""
    for name, (letters, _) in SIGNS.items():
        value = abilities.get(name)
        if value is None or value is False:
            continue
        if name == "order":
            yield letters * int(value)
        elif name == "sniper" or value is True:
            yield letters
        elif hasattr(value, "items"):
            spread = f"/{value['dispersion']}" if "dispersion" in value else ""
            yield f"{letters}{combat(value)}{spread}"
        else:
            unit = "i" if name == "limited_range" and "range_unit" in abilities else ""
            yield f"{letters}{value}{unit}"


def combat(values: Mapping[str, Any]) -> str:
    """The three combat values, against infantry, light and heavy vehicles."""
    shown = (values.get(family) for family in FAMILIES)
    return "-".join("X" if value is None else str(value) for value in shown)
