"""A line of chat: who says it, and whether it is talk, a report or a word of the system."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

__all__ = ["ChatKind", "ChatLine", "read_chat", "talk"]

# Engines before 3.6 wrote the angle brackets bare, later ones as HTML.
# What the engine takes a colour from, and shows no more of.
_COLOUR: Final = re.compile(r"([*-]\s*)[|!?~`]")
_TALK: Final = re.compile(r"(?:<|&lt;)(?P<player>.*?)(?:>|&gt;) - (?P<said>.*)", re.DOTALL)


class ChatKind(Enum):
    """What a line is."""

    TALK = "talk"
    REPORT = "report"
    SYSTEM = "system"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line as shown; `text` is without the speaker's name."""

    kind: ChatKind
    text: str
    player: str | None = None


def read_chat(text: str) -> ChatLine:
    """What a `CHAT` command's text means."""
    if text.startswith(("*", "-")):
        kind = ChatKind.REPORT if text.startswith("*") else ChatKind.SYSTEM
        return ChatLine(kind, html.unescape(_COLOUR.sub(r"\1", text, count=1)))
    found = _TALK.fullmatch(text)
    if found:
        player = html.unescape(found["player"])
        return ChatLine(ChatKind.TALK, html.unescape(found["said"]), player)
    return ChatLine(ChatKind.OTHER, html.unescape(text))


def talk(player: str, said: str) -> str:
    """The text of a `CHAT` command by which a player says something."""
    return f"&lt;{player}&gt; - {said}"
