"""What the plugin of a game that lies in files begins with: its cards, its maps, its ledger."""

from hexmarshal.kit.game.boards import Boards
from hexmarshal.kit.game.execution import Execution
from hexmarshal.kit.game.plugin import DataGame
from hexmarshal.kit.game.scenario_card import ScenarioCard

__all__ = ["Boards", "DataGame", "Execution", "ScenarioCard"]
