"""Crossroads: a game of six rules that shows everything a rules plugin can do."""

from tutorial.plugin import Crossroads

__all__ = ["Crossroads"]
