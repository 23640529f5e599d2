"""What the table of a file cannot show: the position that it carries, or its scenario's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, Place, RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.state.position import Position

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["POSITION_ENTRY", "OtherGameError", "base_position"]

# What a save of ours carries beside the table: all that the rules know, but for the dice to come.
POSITION_ENTRY: Final = "hexmarshal/position.json"


class OtherGameError(RulesError):
    """A file that carries a position of another game."""

    code = "other-game"


def base_position(
    plugin: GamePlugin,
    saved: SavedGame | None,
    scenario: str = "",
    options: Mapping[str, object] | None = None,
) -> Position | None:
    """What the table cannot show: from the file itself, or from the scenario named.

    None where neither tells.
    """
    data = saved.entry(POSITION_ENTRY) if saved is not None else None
    if data is not None and not scenario:
        place = Place(entry=POSITION_ENTRY)
        try:
            position = Position.from_json(json.loads(data))
        except (ValueError, RecursionError):
            raise RulesError("not JSON", place=place) from None
        except HexMarshalError as error:
            raise error.at(place) from None
        if position.game != plugin.game.key:
            raise OtherGameError(
                f"a position of {position.game!r}, not of {plugin.game.key!r}",
                place=place,
                hint="give its own module with --module",
            )
        return position
    known = [one.key for one in plugin.scenarios()]
    if not scenario and len(known) == 1:
        scenario = known[0]
    if not scenario:
        return None
    return engine.start(plugin, scenario, options)
