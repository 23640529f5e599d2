"""Advice for a module in which nothing is wrong: what others have and it lacks."""

from hexmarshal.vassal.advice.habits import HABITS, Habit
from hexmarshal.vassal.advice.suggest import Suggestion, suggestions

__all__ = ["HABITS", "Habit", "Suggestion", "suggestions"]
