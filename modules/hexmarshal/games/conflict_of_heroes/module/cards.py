"""Cards: played by a click, which announces them where the rules have that, and puts them away."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.cards import CARD
from hexmarshal.games.conflict_of_heroes.module.pieces import DECKS, turned_over
from hexmarshal.games.conflict_of_heroes.rules.cards.cardplay import PLAYABLE
from hexmarshal.kit.announcements import PARTS, Announcement, Said
from hexmarshal.kit.module.pieces.announcement_menus import plays
from hexmarshal.kit.module.pieces.traits import covered, returns
from hexmarshal.vassal.builder import Counter, markers, prototype
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import TriggerAction
from hexmarshal.vassal.values import Expression, KeyStroke, KeyStrokes, ctrl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.games.conflict_of_heroes.state import tables
    from hexmarshal.kit.module.pieces.announcement_menus import Speech
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["PLAYED", "card", "define_cards"]

PLAYED: Final = (
    Announcement("play", "Play it", "[play] $Card$", Said.CARD),
    Announcement(
        "play", "Play it on the marked unit", f"[play] $Card$ unit=${PARTS}$", Said.CARD, way="unit"
    ),
)
"""COH-8.1a: what a card is announced by that does something of its own."""
_ANNOUNCED: Final = "Announced card"
_PUT_AWAY, _SHOW = (KeyStroke.named(name) for name in ("putCardAway", "showCard"))
_USED: Final = frozenset({"action", "bonus"})


def define_cards(module: ModuleBuilder, speech: Speech, tones: Mapping[str, str]) -> None:
    """What all cards have in common that are announced by themselves."""
    away = replace(speech, then={"play": _PUT_AWAY})
    module.prototype(Counter(_ANNOUNCED, traits=plays(PLAYED, away, tones)))


def card(entry: tables.Card) -> Counter:
    """A card with its back; what is not played by itself is named by the action that uses it."""
    alone = entry.key in PLAYABLE
    title = "Show and discard" if entry.kind in _USED and not alone else ""
    return Counter(
        entry.title,
        f"card-{entry.key}.png",
        (
            # Inside of the back, so that who must not look does not play it, either.
            *((prototype(_ANNOUNCED),) if alone else ()),
            *_put_away(title),
            markers({"Card": entry.key, "Layer": "track"}),
            covered("card-back.png", "card-own.png"),
            returns(DECKS["out"], "Discard"),
            *turned_over(),
        ),
        *CARD,
    )


def _put_away(title: str) -> tuple[Equipped, ...]:
    """All see what it is before it goes to the others that were used."""
    both = KeyStrokes.of(_SHOW, ctrl("R"))
    hidden = Expression("{ObscuredToOthers == true}")
    turned = KeyStrokes.of(ctrl("P"))
    return (
        Equipped(TriggerAction(name="Show", key=_SHOW, expression=hidden, performed_keys=turned)),
        Equipped(TriggerAction(name="Put away", command=title, key=_PUT_AWAY, performed_keys=both)),
    )
