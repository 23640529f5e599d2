"""The help pages of a module: how to play it, what the keys do, what the referee understands."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.rules.plugin import Game

__all__ = ["keys_page", "page", "phases_page", "referee_page"]

_PAGE: Final = "<html><body><h1>{title}</h1>\n{body}</body></html>"


def page(title: str, *paragraphs: str) -> str:
    """A page of simple HTML, as VASSAL's own viewer shows it."""
    body = "".join(f"<p>{text}</p>\n" for text in paragraphs)
    return _PAGE.format(title=escape(title), body=body)


def keys_page(keys: Iterable[tuple[str, str]], title: str = "Keys") -> str:
    """A table of keys and what they do."""
    lines = "".join(
        f"<tr><td><b>{escape(key)}</b></td><td>{escape(what)}</td></tr>" for key, what in keys
    )
    return _PAGE.format(title=title, body=f"<table cellpadding='4'>{lines}</table>")


def phases_page(game: Game, phases: Mapping[str, str]) -> str:
    """The sequence of play, with what may be done in each phase."""
    items = "".join(f"<li>{line}</li>\n" for line in _phases(game, phases))
    doc = f"<p>{escape(game.doc)}</p>\n" if game.doc else ""
    return _PAGE.format(title=escape(game.title), body=f"{doc}<ol>{items}</ol>")


def _phases(game: Game, phases: Mapping[str, str]) -> Iterator[str]:
    known = {phase.key: phase for phase in game.phases}
    for title, key in phases.items():
        told = known[key].doc if key in known else ""
        yield f"<b>{escape(title)}</b>{f': {escape(told)}' if told else ''}"


def referee_page(game: Game) -> str:
    """How players tell a referee program what they do."""
    lines = []
    for action in game.actions.values():
        needed = " ".join(f"{param.name}=..." for param in action.params if param.required)
        lines.append(f"[{action.name}] {needed}".rstrip())
    text = escape("\n".join(lines))
    body = (
        "<p>A program can check the log of a game against the rules. What no piece shows is said "
        f"in the chat:</p>\n<pre>{text}</pre>\n<p>Units are called by their names.</p>"
    )
    return _PAGE.format(title="For the referee", body=body)
