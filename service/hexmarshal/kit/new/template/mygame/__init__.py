"""My Game: the rules of the game as a plugin."""

from mygame.plugin import MyGame

__all__ = ["MyGame"]
