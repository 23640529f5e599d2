"""The sheet beside the board, the decks and the hands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.heroes_of_stalingrad.art import cards, tokens
from hexmarshal.games.heroes_of_stalingrad.art.sheet import SHEET
from hexmarshal.games.heroes_of_stalingrad.state.kinds import (
    ABSENT,
    ARMY,
    ARTILLERY,
    DESTROYED,
    INITIATIVE,
    SIDES,
    SPENT,
    WAITING,
)
from hexmarshal.kit.module import Card, Hand, Lies, Pile, Shown, TableSheet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables

__all__ = ["hands", "piles", "table_sheet"]

_PLACES: Final = 6


def table_sheet() -> TableSheet:
    """The sheet, what its boxes mean, and the markers on its tracks."""
    return TableSheet(
        sheet=SHEET,
        boxes={name: lies for side in SIDES for name, lies in _boxes(side)},
        tracks=(
            Shown(INITIATIVE, "Initiative", tokens.INITIATIVE, start=1),
            *(shown for side in SIDES for shown in _tracks(side)),
        ),
        turn="Turn",
        turn_svg=tokens.TURN,
    )


def _boxes(side: str) -> Iterator[tuple[str, Lies]]:
    seat = side.capitalize()
    yield f"{seat} to be placed", Lies(WAITING, side)
    yield f"{seat} destroyed", Lies(DESTROYED, side, losses=True)
    yield f"{seat} not in battle", Lies(ABSENT, side)
    yield f"{seat} artillery", Lies(ARTILLERY, side)
    yield f"{seat} spent orders", Lies(SPENT, side)
    yield f"{seat} army", Lies(ARMY, side)


def _tracks(side: str) -> Iterator[Shown]:
    seat = side.capitalize()
    yield Shown(f"score-{side}", f"{seat} points", tokens.track_marker("VP", side))
    yield Shown(f"special-{side}", f"{seat} special orders", tokens.track_marker("SP", side))


def piles(tables: Tables) -> tuple[Pile, ...]:
    """The deck of each side, and what was played of it."""
    return tuple(pile for side in SIDES for pile in _piles(tables, side))


def _piles(tables: Tables, side: str) -> Iterator[Pile]:
    seat = side.capitalize()
    yield Pile(
        pile=f"{side}-deck",
        box=f"{seat} deck",
        cards=tuple(
            Card(name, card.title, cards.card(card, side))
            for name in tables.deck(side)
            for card in (tables.cards[name.rpartition("-")[0]],)
        ),
        back=cards.back(side),
        side=side,
        out=f"{seat} discards",
        played=True,
    )
    yield Pile(pile=f"{side}-discard", box=f"{seat} discards", open=True, reshuffles=f"{seat} deck")


def hands() -> tuple[Hand, ...]:
    """The cards that only their side may look at."""
    return tuple(Hand(side=side, pile=f"{side}-hand", places=_PLACES) for side in SIDES)
