"""Decks of cards, cups of tokens, and the hands that they are drawn into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.drawing.canvas import Drawing
from hexmarshal.kit.drawing.colours import PAPER
from hexmarshal.kit.drawing.signs import star
from hexmarshal.kit.module.traits import covered, returns, told
from hexmarshal.vassal.builder import Counter, markers, regions

if TYPE_CHECKING:
    from hexmarshal.kit.drawing.boxes import Box
    from hexmarshal.kit.module.bench import Bench
    from hexmarshal.vassal.builder import MapBuilder
    from hexmarshal.vassal.components import DrawPile

__all__ = ["Card", "Hand", "Pile", "add_hand", "add_pile", "own_svg", "secret"]

_STEP: Final = 12


@dataclass(frozen=True, slots=True)
class Card:
    """A card or a token: what the rules call it, its face as SVG, and how many there are."""

    key: str
    title: str
    svg: str
    copies: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile:
    """A deck or a cup in a box of the sheet, and the pile of the rules that it is.

    From a closed one nobody picks, and each draw is by chance; an open one, such as a discard pile,
    shows what lies on top. `back` covers what was drawn from the other side. `out` is where it goes
    when it is used up: the discard pile, or the cup itself.
    """

    pile: str
    box: str
    cards: tuple[Card, ...] = ()
    back: str = ""
    size: tuple[int, int] = (150, 210)
    open: bool = False
    out: str = ""
    mixed: bool = True
    thing: str = "a card"
    reshuffles: str = ""
    """The pile that an open one is shuffled back into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The private window of a side, with numbered places for the cards of a pile."""

    side: str
    pile: str
    places: int = 8
    size: tuple[int, int] = (150, 210)


def add_pile(bench: Bench, pile: Pile, on: MapBuilder, box: Box) -> None:
    """Lay a pile into its box, and tell the binding."""
    cards = [_card(bench, pile, card) for card in pile.cards for _ in range(card.copies)]
    board = on.component.boards[0]
    made = on.deck(
        pile.box, board, box.centre, cards, size=pile.size, face_down=not pile.open,
        shuffled=not pile.open, reshuffle_from=pile.reshuffles,
    )  # fmt: skip
    secret(made, is_open=pile.open)
    row: dict[str, object] = {"pile": pile.pile, "deck": pile.box, "card": "{Card}"}
    bench.facts.piles.append({**row, "mixed": True} if pile.mixed else row)
    if pile.cards and not any("Card" in str(m.get("match")) for m in bench.facts.markers):
        match = {"property": {"Card": ".+"}}
        bench.facts.markers.append({"match": match, "nothing": True})


def secret(pile: DrawPile, *, is_open: bool) -> None:
    """Nobody picks from a closed pile, and each draw is by chance."""
    pile.set("allowSelect", "true" if is_open else "false")
    pile.set("drawFaceUp", "false")
    if not is_open:
        pile.set("shuffle", "Always")


def _card(bench: Bench, pile: Pile, card: Card) -> Counter:
    add = bench.pictures.add
    name = f"{pile.pile}-{card.key}"
    traits = [markers({"Card": card.key})]
    if pile.back:
        wide, high = pile.size
        back = add(f"{pile.pile}-back", pile.back)
        traits.append(covered(back, add(f"own-{wide}-{high}", own_svg(*pile.size)), pile.thing))
    if pile.out:
        traits.append(returns(pile.out, f"To {pile.out}"))
    traits.append(told("$location$: $oldPieceName$ is now $newPieceName$ *", "P"))
    traits.append(told("$newPieceName$ goes to $location$ *", "R"))
    return Counter(card.title, add(name, card.svg), tuple(traits), *pile.size)


def own_svg(wide: float, high: float) -> str:
    """Laid over a card or token that its owner alone can read: a small back at the edge."""
    canvas, k = Drawing(wide, high), min(wide, high) / 150
    x, y = wide - 24 * k, 5 * k
    canvas.rectangle((x, y), 15 * k, 20 * k, rx=2.4 * k, fill="#2f4a33", stroke=PAPER)
    canvas.polygon(star((x + 7.5 * k, y + 10 * k), 4.6 * k), fill="#f3d774")
    return canvas.svg("Only you see this")


def add_hand(bench: Bench, hand: Hand) -> None:
    """Make the private window of a side, and tell the binding."""
    _, high = hand.size
    seat, step = bench.seat(hand.side), hand.size[0] + _STEP
    made = bench.module.hand(seat, size=(20 + step * hand.places, high + 40))
    places = {
        f"Hand {n}": (10 + step // 2 + step * (n - 1), high // 2 + 20)
        for n in range(1, hand.places + 1)
    }
    made.component.boards[0].append(regions(places))
    bench.maps[made.name] = made
    at = {"map": made.name, "at": "Hand (?P<n>[0-9]+)", "card": "{Card}", "mixed": True}
    bench.facts.piles.append({"pile": hand.pile, **at})
