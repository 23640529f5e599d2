"""Decks of cards, cups of tokens, and the hands that they are drawn into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.drawing.canvas import Drawing
from hexmarshal.kit.drawing.colours import PAPER
from hexmarshal.kit.drawing.hands import hand_svg
from hexmarshal.kit.drawing.signs import star
from hexmarshal.kit.module.binding_facts import only
from hexmarshal.kit.module.pieces.announcement_menus import plays
from hexmarshal.kit.module.pieces.traits import covered, left_out, returns, told
from hexmarshal.kit.module.solitaire import NOT_MINE, SOLITAIRE
from hexmarshal.vassal.builder import Counter, markers, regions
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.components import DeckGlobalKeyCommand, PlayerHand
from hexmarshal.vassal.traits import SendToLocation, TriggerAction
from hexmarshal.vassal.values import Expression, FormattedText, KeyStroke, KeyStrokes, ctrl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.kit.drawing.boxes import Box
    from hexmarshal.kit.module.pictures import Pictures
    from hexmarshal.kit.module.workbench import Bench
    from hexmarshal.vassal.builder import MapBuilder, ModuleBuilder
    from hexmarshal.vassal.components import DrawPile

__all__ = [
    "OPEN_HAND", "Card", "Hand", "Pile", "Spread", "add_hand_button", "add_hands", "add_pile",
    "add_spread", "keep_places_secret", "own_svg", "secret",
]  # fmt: skip

_STEP: Final = 12
_HOME, _GO, _COVER = (KeyStroke.named(name) for name in ("goHome", "goToHand", "coverAgain"))
_ANYBODY: Final = "anybody"
_ALONE: Final = f'PlayerSide == "{SOLITAIRE}"'
_RECALL: Final = KeyStroke.named("recallToPile")
OPEN_HAND: Final = KeyStroke.named("openMyHand")
"""The key that all hands have: the engine opens only that of whoever presses it."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card or a token: what the rules call it, its face as SVG, and how many there are.

    `home` is where it goes when all go home: a pile, or a place in the hand of a side.
    """

    key: str
    title: str
    svg: str
    copies: int = 1
    home: str = ""
    home_of: str = ""


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
    side: str = ""
    """Whose cards they are, where several decks have cards of one name."""
    reshuffles: str = ""
    """The pile that an open one is shuffled back into."""
    recalls: str = ""
    """What its menu calls sending home what lies in it and is the player's own, or nobody's."""
    recalled_in: str = ""
    """The phase before which what is nobody's goes home by itself, as the tracker comes to it."""
    drawn_open: bool = False
    """Whether all see at once what is drawn."""
    played: bool = False
    """Whether its cards are announced by click as they are played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A row in the private window of a side: numbered places for the cards of a pile.

    Several of one side lie below each other, and tell their places apart by their `title`.
    """

    side: str
    pile: str
    places: int = 8
    size: tuple[int, int] = (150, 210)
    title: str = "Hand"


@dataclass(frozen=True, slots=True)
class Spread:
    """A pile whose cards lie open side by side, in the numbered boxes of a track of the sheet."""

    pile: str
    track: str


def add_pile(bench: Bench, pile: Pile, on: MapBuilder, box: Box) -> None:
    """Lay a pile into its box, and tell the binding."""
    cards = [_card(bench, pile, card) for card in pile.cards for _ in range(card.copies)]
    board = on.component.boards[0]
    made = on.deck(
        pile.box, board, box.centre, cards, size=pile.size, face_down=not pile.open,
        shuffled=not pile.open, reshuffle_from=pile.reshuffles,
    )  # fmt: skip
    secret(made, is_open=pile.open, drawn_open=pile.drawn_open)
    if pile.recalls:
        _recall(made, pile)
    if pile.recalled_in:
        homes = {card.home for card in pile.cards if card.home and not card.home_of}
        away = " && ".join(f'DeckName != "{home}"' for home in sorted(homes))
        nobodys = f'{{Home == "{_ANYBODY}" && {away}}}'
        bench.module.piece_key("Recall", _RECALL, _HOME, nobodys, in_decks=True)
        bench.phase_keys.append((pile.recalled_in, _RECALL))
    row: dict[str, object] = {"pile": pile.pile, "deck": pile.box, "card": "{Card}"}
    bench.facts.piles.append({**row, "mixed": True} if pile.mixed else row)
    if pile.cards and not any("Card" in str(m.get("match")) for m in bench.facts.markers):
        match = {"property": {"Card": ".+"}}
        bench.facts.markers.append({"match": match, "nothing": True})


def _recall(made: DrawPile, pile: Pile) -> None:
    made.add(
        DeckGlobalKeyCommand,
        {
            "deckCount": "-1",
            # A player who took the other's home would become their owner.
            "filter": f'{{Home == "{_ANYBODY}" || Home == PlayerSide || {_ALONE}}}',
            "hotkey": _HOME.text,
            "name": pile.recalls,
            "reportFormat": f" $PlayerName$: {pile.box}: {pile.recalls}",
            "reportSingle": "true",
        },
    )


def secret(pile: DrawPile, *, is_open: bool, drawn_open: bool = False) -> None:
    """Nobody picks from a closed pile, and each draw is by chance."""
    pile.set("allowSelect", "true" if is_open else "false")
    pile.set("drawFaceUp", "true" if drawn_open else "false")
    if not is_open:
        pile.set("shuffle", "Always")


def _card(bench: Bench, pile: Pile, card: Card) -> Counter:
    add = bench.pictures.add
    name = f"{pile.pile}-{card.key}"
    whose = {"CardSide": pile.side} if pile.side else {}
    if card.home:
        whose["Home"] = bench.seat(card.home_of) if card.home_of else _ANYBODY
    # Inside of the back, so that who must not look does not play it, either.
    spoken = plays(bench.announced, bench.speech, bench.tones) if pile.played else ()
    traits = [*spoken, markers({"Card": card.key, **whose})]
    if pile.back:
        wide, high = pile.size
        back = add(f"{pile.pile}-back", pile.back)
        traits.append(covered(back, add(f"own-{wide}-{high}", own_svg(*pile.size)), pile.thing))
    if pile.out:
        traits.append(returns(pile.out, f"To {pile.out}"))
    if card.home:
        traits += _goes_home(bench, card)
    traits.append(told("$location$: $oldPieceName$ is now $newPieceName$ *", "P"))
    if pile.back:
        # Nothing is told of the trying of who must not turn it.
        shut = NOT_MINE
        if pile.drawn_open:
            # What lies open on the table stays open.
            shut = f'({shut}) || (ObscuredToOthers != true && CurrentMap == "{bench.sheet_map}")'
        traits.append(left_out(shut, ctrl("P")))
    traits.append(told("$newPieceName$ goes to $location$ *", "R"))
    return Counter(card.title, add(name, card.svg), tuple(traits), *pile.size)


def _goes_home(bench: Bench, card: Card) -> Iterator[Equipped]:
    """Into its pile; or into the hand of its owner, and there it shows its back again."""
    if not card.home_of:
        yield returns(card.home, "", key=_HOME)
        return
    hand = FormattedText(f"{bench.seat(card.home_of)} hand")
    place = FormattedText(card.home)
    yield Equipped(SendToLocation(key=_GO, map=hand, destination="R", region=place))
    yield Equipped(
        TriggerAction(
            name="Cover",
            key=_COVER,
            expression=Expression("{ObscuredToOthers != true}"),
            performed_keys=KeyStrokes.of(ctrl("P")),
        )
    )
    both = KeyStrokes.of(_GO, _COVER)
    yield Equipped(TriggerAction(name="Home", key=_HOME, performed_keys=both))


def own_svg(wide: float, high: float) -> str:
    """Laid over a card or token that its owner alone can read: a small back at the edge."""
    canvas, k = Drawing(wide, high), min(wide, high) / 150
    x, y = wide - 24 * k, 5 * k
    canvas.rectangle((x, y), 15 * k, 20 * k, rx=2.4 * k, fill="#2f4a33", stroke=PAPER)
    canvas.polygon(star((x + 7.5 * k, y + 10 * k), 4.6 * k), fill="#f3d774")
    return canvas.svg("Only you see this")


def add_hands(bench: Bench, side: str, hands: Sequence[Hand]) -> None:
    """Make the private window of a side, and tell the binding."""
    wide = max(20 + (hand.size[0] + _STEP) * hand.places for hand in hands)
    high = sum(_high(hand) for hand in hands)
    places: dict[str, tuple[int, int]] = {}
    rows = []
    top = 0
    for hand in hands:
        step = hand.size[0] + _STEP
        row = [(10 + step // 2 + step * n, top + _high(hand) // 2) for n in range(hand.places)]
        places |= {f"{hand.title} {n}": at for n, at in enumerate(row, 1)}
        rows.append((hand.title, row, hand.size))
        top += _high(hand)
    ground = bench.pictures.add(f"hand-{side}", hand_svg((wide, high), rows))
    made = bench.module.hand(bench.seat(side), SOLITAIRE, image=ground, key=OPEN_HAND)
    bench.maps[made.name] = made
    for hand in hands:
        bench.facts.piles.append(_numbered(hand.pile, made.name, hand.title))
    made.component.boards[0].append(regions(places))


def add_hand_button(module: ModuleBuilder, pictures: Pictures) -> None:
    """One button for all hands, which opens the player's own."""
    module.action_button(
        "My hand", keys=[OPEN_HAND], icon=pictures.icon("hand"), tooltip="The window of your side"
    )


def keep_places_secret(maps: Mapping[str, MapBuilder]) -> None:
    """Do not tell the others from which place of a hand something comes: each has its own there."""
    for name, made in maps.items():
        if isinstance(made.component, PlayerHand):
            made.component.move_within_format = FormattedText(f"$pieceName$ moves within {name} *")
            into = f"$pieceName$ moves $previousLocation$ -> {name} *"
        else:
            into = "$pieceName$ moves $previousMap$ -> $location$ *"
        made.component.move_to_format = FormattedText(into)


def _high(hand: Hand) -> int:
    return hand.size[1] + 40


def add_spread(bench: Bench, spread: Spread) -> None:
    """Tell the binding of a pile that lies open on the sheet."""
    bench.facts.piles.append(_numbered(spread.pile, bench.sheet_map, spread.track))


def _numbered(pile: str, on_map: str, title: str) -> dict[str, object]:
    at = f"{only([title])} (?P<n>[0-9]+)"
    return {"pile": pile, "map": on_map, "at": at, "card": "{Card}", "mixed": True}
