"""A scenario as its file has it, and where in the file each word of it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules.plugin import ScenarioInfo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.kit.data import Source

__all__ = ["ScenarioCard"]


@dataclass(frozen=True)
class ScenarioCard:
    """One file of `scenarios/`; games add what their cards say beyond title and turns."""

    key: str
    data: Mapping[str, Any]
    source: Source

    @property
    def title(self) -> str:
        """For people."""
        return str(self.data["title"])

    @property
    def turns(self) -> int:
        """The last turn."""
        return int(self.data["turns"])

    @property
    def file(self) -> str:
        """The name of its file among the data."""
        return f"scenarios/{self.key}.yaml"

    def place(self, *keys: str | int) -> Place:
        """Where a value of the card stands."""
        return self.source.place(self.file, *keys)

    def fail(self, text: str, *keys: str | int) -> RulesError:
        """An error with its place in the file."""
        return RulesError(text, place=self.place(*keys))

    def info(self) -> ScenarioInfo:
        """What a list of scenarios shows."""
        return ScenarioInfo(self.key, self.title, str(self.data.get("doc", "")), self.turns)
