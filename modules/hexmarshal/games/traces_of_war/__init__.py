"""Traces of War: the fighting for Ukraine from August 1943 to March 1944."""

from hexmarshal.games.traces_of_war.plugin import TracesOfWar

__all__ = ["TracesOfWar"]
