"""Lines of sight: what they meet on a board, and which rule of the book stops or hinders them."""

from hexmarshal.games.asl.sight.conditions import Conditions, Smoke
from hexmarshal.games.asl.sight.rules.citations import Cause
from hexmarshal.games.asl.sight.view import Answer, Answers, Sight, Spot

__all__ = ["Answer", "Answers", "Cause", "Conditions", "Sight", "Smoke", "Spot"]
