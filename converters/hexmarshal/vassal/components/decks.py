"""At-start stacks and decks, and what a deck can be told."""

from __future__ import annotations

from hexmarshal.vassal.components.attributes import (
    Choice,
    Colour,
    Expression,
    Flag,
    Format,
    Integer,
    Key,
    Names,
    Target,
    Text,
)
from hexmarshal.vassal.components.base import Component
from hexmarshal.vassal.components.widgets import PieceSlot

_MAP = "VASSAL.build.module.map"

_HOW = ("Never", "Via right-click Menu")


class Start(Component, naming="name"):
    """Pieces that stand on the board when a new game starts; coordinates are board-local."""

    __slots__ = ()
    owning_board = Text("owningBoard")
    x = Integer("x", 100)
    y = Integer("y", 100)

    @property
    def slots(self) -> list[PieceSlot]:
        """The pieces, bottom first, those in folders included."""
        return list(self.each(PieceSlot))


class SetupStack(Start, tag=f"{_MAP}.SetupStack", contains=("PieceSlot",)):
    """An at-start stack."""

    __slots__ = ()
    use_grid_location = Flag("useGridLocation")
    location = Text("location")


class DrawPile(
    Start,
    tag=f"{_MAP}.DrawPile",
    contains=(
        "DeckSubFolder",
        "CardSlot",
        "DeckGlobalKeyCommand",
        "DeckSortKeyCommand",
        "DeckSendKeyCommand",
    ),
):
    """An at-start deck; `x` and `y` are its centre."""

    __slots__ = ()
    description = Text("description")
    width = Integer("width", 40)
    height = Integer("height", 40)
    allow_multiple = Flag("allowMultiple")
    draw_multiple_message = Text("drawMultipleMessage")
    allow_select = Flag("allowSelect")
    draw_specific_message = Text("drawSpecificMessage")
    select_display_property = Format("selectDisplayProperty", "$BasicName$")
    select_sort_property = Text("selectSortProperty")
    face_down = Choice("faceDown", "Always", *_HOW, "MenuDefaultUp")
    face_flip_hotkey = Key("faceFlipHotkey")
    face_up_message = Text("faceUpMessage")
    face_up_hotkey = Key("faceUpHotkey")
    face_up_format = Format("faceUpReportFormat")
    face_down_message = Text("faceDownMessage")
    face_down_hotkey = Key("faceDownHotkey")
    face_down_format = Format("faceDownFormat")
    draw_face_up = Flag("drawFaceUp")
    shuffle = Choice("shuffle", "Always", *_HOW)
    shuffle_command = Text("shuffleCommand")
    shuffle_format = Format("shuffleFormat")
    shuffle_hotkey = Key("shuffleHotkey")
    reversible = Flag("reversible")
    reverse_command = Text("reverseCommand")
    reverse_format = Format("reverseFormat")
    reverse_hotkey = Key("reverseHotkey")
    draw_outline = Flag("draw", True)
    color = Colour("color")
    hotkey_on_empty = Flag("hotkeyOnEmpty")
    empty_hotkey = Key("emptyHotkey")
    reshufflable = Flag("reshufflable")
    reshuffle_command = Text("reshuffleCommand")
    reshuffle_message = Format("reshuffleMessage")
    reshuffle_hotkey = Key("reshuffleHotkey")
    reshuffle_target = Text("reshuffleTarget")
    can_save = Flag("canSave")
    save_message = Text("saveMessage")
    save_hotkey = Key("saveHotkey")
    save_format = Format("saveReportFormat")
    load_message = Text("loadMessage")
    load_hotkey = Key("loadHotkey")
    load_format = Format("loadReportFormat")
    max_stack = Integer("maxStack", 10)
    expression_counting = Flag("expressionCounting")
    count_expressions = Names("countExpressions")
    restrict = Flag("restrictOption")
    restrict_expression = Expression("restrictExpression")
    restrict_access = Flag("deckRestrictAccess")
    owners = Names("deckOwners")


class DeckGlobalKeyCommand(Component, tag=f"{_MAP}.DeckGlobalKeyCommand", naming="name"):
    """A key command to the cards of a deck."""

    __slots__ = ()
    key_command = Key("hotkey")
    target = Target("target")
    filter = Expression("filter")
    deck_count = Integer("deckCount", -1)
    report_format = Format("reportFormat")
    report_single = Flag("reportSingle")
    suppress_sounds = Flag("suppressSounds")
    parameters = Text("parameters")


class DeckKeyCommand(Component, naming="menuText"):
    """A command in a deck's menu."""

    __slots__ = ()
    description = Text("description")
    hotkey = Key("hotkey")
    report_format = Format("reportFormat")


class DeckSortKeyCommand(DeckKeyCommand, tag=f"{_MAP}.deck.DeckSortKeyCommand"):
    """Sorts a deck."""

    __slots__ = ()
    sort_parameters = Text("sortParameters")


class DeckSendKeyCommand(DeckKeyCommand, tag=f"{_MAP}.deck.DeckSendKeyCommand"):
    """Sends cards to another deck."""

    __slots__ = ()
    variable_deck = Flag("variableDeck")
    target_deck = Text("targetDeck")
    deck_expression = Format("deckExpression")
    send_matching = Flag("sendMatching")
    match_expression = Expression("matchExpression")
    limit_total = Flag("limitTotal")
    limit_expression = Format("limitExpression")
    stop = Flag("stop")
    stop_expression = Expression("stopExpression")
    stop_also = Flag("stopAlso")
    apply_on_move = Flag("applyOnMove")
