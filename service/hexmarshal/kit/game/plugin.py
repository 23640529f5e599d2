"""A game whose rulebook, data and scenarios lie in files beside its rules."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

from hexmarshal.kit.game.scenario_card import ScenarioCard
from hexmarshal.rules.plugin import GamePlugin, ScenarioInfo
from hexmarshal.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hexmarshal.kit.data import GameData
    from hexmarshal.rules.state.position import Position

__all__ = ["DataGame"]

C = TypeVar("C", bound=ScenarioCard)
S = TypeVar("S")


class DataGame(GamePlugin, Generic[C, S]):
    """A plugin that reads its files itself; a folder of a user's own may stand in for them.

    The rulebook files stand beside the folder of the data, or, if they are many, in a folder
    `rulebook` there. `C` is a scenario, `S` what the rules
    read: a position with maps and tables around it.
    """

    DATA: ClassVar[GameData]
    CARD: ClassVar[type[ScenarioCard]] = ScenarioCard
    """What the game makes of a scenario file: `C` itself."""
    FIRST_SCENARIOS: ClassVar[tuple[str, ...]] = ()
    """Those that lists begin with; the others follow by name."""

    def __init__(self, folder: Path | str | None = None) -> None:
        self.data = self.DATA.source(folder)

    @cached_property
    def rulebook(self) -> Rulebook:
        """Every rule of the game."""
        home = self.DATA.folder.parent
        room = home / "rulebook"
        if room.is_dir():
            return Rulebook.load(room)
        return Rulebook.load(*sorted(home.glob("rulebook*.yaml")))

    # Scenarios

    def card(self, key: str, data: Mapping[str, Any]) -> C:
        """A scenario file that fits its schema, as the game reads it."""
        return cast("C", self.CARD(key, data, self.data))

    @cached_property
    def cards(self) -> Mapping[str, C]:
        """The scenarios, in the order in which lists show them."""
        first = self.FIRST_SCENARIOS
        files = {PurePosixPath(name).stem: name for name in self.data.names("scenarios/*.yaml")}
        order = sorted(files, key=lambda k: (first.index(k) if k in first else len(first), k))
        return {key: self.card(key, self.data.read(files[key], "scenario")) for key in order}

    def scenarios(self) -> Sequence[ScenarioInfo]:
        """The scenarios of the data."""
        return [card.info() for card in self.cards.values()]

    # What the rules read

    @abstractmethod
    def situated(self, position: Position) -> S:
        """The position with the game's maps and tables around it."""

    def situation(self, position: Position) -> S:
        """The same. The position does not keep it: a ring of two would wait to be collected."""
        return self.situated(position)
