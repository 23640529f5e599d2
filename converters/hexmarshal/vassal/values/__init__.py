"""The small languages inside VASSAL's fields: keys, colours, formats, expressions, targets."""

from hexmarshal.vassal.values.exact import ExactText
from hexmarshal.vassal.values.expressions import Comparison, Expression
from hexmarshal.vassal.values.formatted import FormattedText, Part
from hexmarshal.vassal.values.keys import KeyStroke, KeyStrokes, ctrl
from hexmarshal.vassal.values.structures import (
    Colour,
    Constraints,
    GlobalCommandTarget,
    MaskStyle,
    Parameters,
    PieceAccess,
    Polygon,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
    SheetField,
    SheetFields,
)

__all__ = [
    "Colour",
    "Comparison",
    "Constraints",
    "ExactText",
    "Expression",
    "FormattedText",
    "GlobalCommandTarget",
    "KeyStroke",
    "KeyStrokes",
    "MaskStyle",
    "Parameters",
    "Part",
    "PieceAccess",
    "Polygon",
    "PropertyChange",
    "PropertyCommand",
    "PropertyCommands",
    "SheetField",
    "SheetFields",
    "ctrl",
]
