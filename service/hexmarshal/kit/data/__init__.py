"""A game's data: files that a player could check, and a user's own in their place."""

from hexmarshal.kit.data.source import TERRAIN, GameData, Source

__all__ = ["TERRAIN", "GameData", "Source"]
