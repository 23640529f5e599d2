"""Maps and counters made larger or smaller, and boards exchanged, with all that lies on them."""

from hexmarshal.vassal.scaling.plan import Plan, remap_plan, scale_plan
from hexmarshal.vassal.scaling.run import Scaled, scale_game, scale_module
from hexmarshal.vassal.scaling.stretch import Stretch, fit, parse_factor

__all__ = [
    "Plan",
    "Scaled",
    "Stretch",
    "fit",
    "parse_factor",
    "remap_plan",
    "scale_game",
    "scale_module",
    "scale_plan",
]
