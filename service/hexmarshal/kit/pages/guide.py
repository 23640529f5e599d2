"""The help pages of a module: how to play it, what the keys do, what the referee understands."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.announcements import MARK_KEY, Said, notation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hexmarshal.kit.announcements import Announcement
    from hexmarshal.rules.plugin import Game

__all__ = ["announcements_page", "keys_page", "page", "phases_page"]

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


def announcements_page(
    game: Game,
    clicks: Sequence[Announcement] = (),
    drags: Iterable[str] = (),
    *,
    laid: Iterable[str] = (),
    tracker: str = "",
) -> str:
    """What can be announced, by click and in the chat: from the game's own declaration.

    `drags` are what players show by dragging a counter, `laid` what by tokens, markers or cards;
    moving the `tracker` on is an action, too.
    """
    titles: dict[str, list[str]] = {action: ["by dragging the counter"] for action in drags}
    for action in laid:
        titles.setdefault(action, []).append("by laying tokens, markers or cards")
    if tracker:
        titles.setdefault(tracker, []).append("by the turn tracker")
    for one in clicks:
        titles.setdefault(one.action, []).append(f"{_WHERE[one.said]} <i>{escape(one.menu)}</i>")
    rows = "".join(
        f"<tr><td>{escape(action.title)}</td><td><tt>{escape(notation(action))}</tt></td>"
        f"<td>{'<br>'.join(titles.get(action.name, _TYPED))}</td></tr>\n"
        for action in game.actions.values()
    )
    body = f"{_SAYING}<table cellpadding='3'>\n{_COLUMNS}{rows}</table>"
    return _PAGE.format(title="Announcements", body=body)


_SAYING: Final = (
    "<p>A program can check the log of a game against the rules. Drags, markers, dice and the turn "
    "tracker tell it nearly everything; the rest is said. Units that take part are marked with "
    f"<b>Ctrl {MARK_KEY}</b> or by a click on the name below the counter. A click on an enemy then "
    "says the attack or the shot at him, where the game has one. For all else there is the entry "
    "<b>Announce</b> in the menu of a unit, at the target "
    "or the unit itself, or the button <b>Announce</b> in the toolbar, says the line; menus offer "
    "what belongs in the phase that the turn tracker shows. It may be typed, too: a "
    "list is words with spaces between, what stands in brackets may be left out, "
    "and units are called by the name on the plate of their counters, which stands first in their "
    "full names. What is said by click stands in the colour of its side, which preferences of "
    "the chat window change.</p>\n"
    "<p>Who plays all sides takes the seat <b>Solitaire</b>: it may turn up what lies face down, "
    "looks into all hands, and speaks for the side whose units it names or whose turn it is.</p>\n"
)
_COLUMNS: Final = "<tr><th>what</th><th>in the chat</th><th>by click</th></tr>\n"
_TYPED: Final = ("seen on the table, or typed",)
_WHERE: Final = {
    Said.TABLE: "toolbar:",
    Said.UNIT: "unit:",
    Said.MARKED: "unit, after marking:",
    Said.CARD: "card:",
}
