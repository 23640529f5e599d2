"""Crossroads: a game of five rules that shows everything a rules plugin can do."""

from tutorial.plugin import Crossroads

__all__ = ["Crossroads"]
