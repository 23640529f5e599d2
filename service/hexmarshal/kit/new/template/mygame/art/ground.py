"""The picture of the map: what its land is painted with, from the ground up."""

from hexmarshal.kit.ground.buildings import Houses, Yards, stone
from hexmarshal.kit.ground.painting import Grid, Veil
from hexmarshal.kit.ground.relief import Contours, Hills, Meadow, Tufts
from hexmarshal.kit.ground.ways import Roads
from hexmarshal.kit.ground.woods import Floor, Trees, forest

__all__ = ["BRUSHES"]

_WOODS = (forest("wood"),)
_ROOFS = (stone("village"),)
BRUSHES = (
    Meadow(),
    Hills(),
    Floor(_WOODS),
    Yards(_ROOFS),
    Contours(),
    Roads("road"),
    Tufts(),
    Houses(_ROOFS),
    Trees(_WOODS),
    Veil(),
    Grid(dark=frozenset({"wood"})),
)
