"""What a chain of traits ends in: a basic piece, a stack or a deck."""

from hexmarshal.vassal.traits import states
from hexmarshal.vassal.traits.base import Trait, stock
from hexmarshal.vassal.traits.kinds import (
    Boolean,
    Expr,
    Format,
    Image,
    Integer,
    Key,
    Shade,
    Strings,
    Text,
)
from hexmarshal.vassal.values import Colour, Expression, FormattedText, KeyStroke

__all__ = ["BasicPiece", "Deck", "Stack"]


@stock("piece;", "BasicPiece", "Basic piece", state=states.PieceState)
class BasicPiece(Trait):
    """The innermost trait: an image and a name."""

    clone_key: Text = ""
    delete_key: Text = ""
    image: Image = ""
    name: Text = ""


@stock("stack", "Stack", "Stack", state=states.StackState)
class Stack(Trait):
    """A pile of pieces."""


@stock("deck;", "Deck", "Deck", state=states.DeckState, counts={49: "3.6+"})
class Deck(Trait):
    """A deck as it was in force when the game was saved."""

    draw_outline: Boolean = True
    outline: Shade = Colour("")
    width: Integer = 40
    height: Integer = 40
    face_down: Text = "Always"
    shuffle: Text = "Always"
    allow_multiple: Boolean = False
    allow_select: Boolean = False
    reversible: Boolean = False
    reshuffle_command: Text = ""
    reshuffle_target: Text = ""
    reshuffle_message: Format = FormattedText("")
    name: Text = ""
    shuffle_format: Format = FormattedText("")
    reverse_format: Format = FormattedText("")
    face_down_format: Format = FormattedText("")
    draw_face_up: Boolean = False
    can_save: Boolean = False
    shuffle_key: Key = KeyStroke("")
    reshuffle_key: Key = KeyStroke("")
    max_stack: Integer = 10
    count_expressions: Strings = ()
    expression_counting: Boolean = False
    global_commands: Strings = ()
    hotkey_on_empty: Boolean = False
    empty_key: Key = KeyStroke("")
    select_display: Format = FormattedText("$BasicName$")
    select_sort: Text = ""
    restrict: Boolean = False
    restrict_expression: Expr = Expression("")
    shuffle_command: Text = ""
    reverse_command: Text = ""
    reverse_key: Key = KeyStroke("")
    draw_multiple_text: Text = ""
    draw_specific_text: Text = ""
    face_up_text: Text = ""
    face_down_text: Text = ""
    face_up_key: Key = KeyStroke("")
    face_up_format: Format = FormattedText("")
    face_flip_key: Key = KeyStroke("")
    face_down_key: Key = KeyStroke("")
    save_text: Text = ""
    save_key: Key = KeyStroke("")
    save_report: Format = FormattedText("")
    load_text: Text = ""
    load_key: Key = KeyStroke("")
    load_report: Format = FormattedText("")
    restrict_access: Boolean = False
    owners: Strings = ()
