"""One cell of a sheet: a value as text that a spreadsheet neither changes nor runs, and back.

A leading apostrophe means: the text after it, exactly. It guards what a spreadsheet would take for
a number, a date or a formula. `json:` introduces what is no plain text. Any column takes both.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import BadInputError
from hexmarshal.scenario.plain_values import unfit

if TYPE_CHECKING:
    from hexmarshal.scenario.model import Value

__all__ = ["ABSENT", "Absent", "ColumnKind", "read_cell", "write_cell"]


class ColumnKind(Enum):
    """What the cells of a column hold."""

    TEXT = "text"
    WHOLE = "a whole number"
    TRUTH = "TRUE or FALSE"
    LIST = "a list"
    ANY = "a value"


class Absent(Enum):
    """An empty cell: nothing is said."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT

_APOSTROPHE: Final = "'"
_JSON: Final = "json:"
_WHOLE: Final = re.compile(r"[-+−]?[0-9]{1,19}([.,]0*)?")
_DECIMAL: Final = re.compile(r"[-+−]?[0-9]{1,30}[.,][0-9]{1,30}")
_PADDED: Final = re.compile(r"0[0-9]+")
# As long as spreadsheets count exactly.
_CANONICAL: Final = re.compile(r"-?(0|[1-9][0-9]{0,14})")
_TRUTHS: Final = {"true": True, "false": False}
# As spreadsheets of several languages, and people, write them in a column of truth values.
_YES: Final = frozenset(
    ["true", "yes", "x", "1", "wahr", "vrai", "vero", "verdadero", "verdadeiro", "waar", "sant"]
)
_NO: Final = frozenset(["false", "no", "0", "falsch", "faux", "falso", "onwaar", "falskt"])
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ufeff\u2028\u2029]")
# Names such as 1-D13 and 2A04, but not 1E5.
_NAME: Final = re.compile(r"(?!\d+[eE]\d+$)\d+-?[A-Za-z]{1,2}\d+")
_MONTHS: Final = re.compile(
    r"(jan|feb|f[eé]v|m[aä]r|apr|avr|abr|ma[iyj]|jun|jul|juin|juil|ag|au|ao|se[pt]|o[ck]t|out|ott|"
    r"nov|de[czs]|di[ce]|gen|lug|set|ene)\w*[\s./-]*\d",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"[;,|\n]")


# Writing


def write_cell(value: Value, kind: ColumnKind) -> str:
    """The text of a cell that `read_cell` reads as this value again."""
    if isinstance(value, str) and kind in (ColumnKind.TEXT, ColumnKind.ANY):
        return _text(value, kind)
    if isinstance(value, bool):
        return str(value).upper() if kind in (ColumnKind.TRUTH, ColumnKind.ANY) else _json(value)
    if isinstance(value, int) and kind in (ColumnKind.WHOLE, ColumnKind.ANY):
        return str(value) if _CANONICAL.fullmatch(str(value)) else _json(value)
    if isinstance(value, list) and kind is ColumnKind.LIST and value:
        texts = [item for item in value if isinstance(item, str) and _is_simple(item)]
        if len(texts) == len(value):
            return _text("; ".join(texts), ColumnKind.TEXT)
    return _json(value)


def _json(value: Value) -> str:
    return _JSON + json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _text(text: str, kind: ColumnKind) -> str:
    if not text or _CONTROL.search(text):
        return _json(text)
    return text if _is_safe(text, kind) else _APOSTROPHE + text


def _is_safe(text: str, kind: ColumnKind) -> bool:
    """Whether no spreadsheet changes the text, and reading it as it stands gives it back."""
    if kind is ColumnKind.TEXT and _CANONICAL.fullmatch(text) and not text.startswith("-"):
        return True
    if text != text.strip() or text.lower() in _TRUTHS or text.startswith(_JSON):
        return False
    if _NAME.fullmatch(text):
        return True
    return text[0].isalpha() and not _MONTHS.match(text)


def _is_simple(item: str) -> bool:
    """Whether the item of a list needs no quotes."""
    return (
        bool(item)
        and item == item.strip()
        and not _BETWEEN.search(item)
        and not _CONTROL.search(item)
        and not item.startswith((_APOSTROPHE, _JSON))
    )


# Reading


def read_cell(cell: str, kind: ColumnKind) -> Value | Absent:
    """The value of a cell; an error says what it should be."""
    text = cell.strip()
    if not text:
        return ABSENT
    if text.startswith(_JSON):
        return _from_json(text)
    quoted = text.startswith(_APOSTROPHE)
    if quoted:
        text = cell[cell.index(_APOSTROPHE) + 1 :]
    elif text.startswith("="):
        raise BadInputError(
            f"{_short(text)} is a formula, not a value", hint="write text that begins so as '=..."
        )
    match kind:
        case ColumnKind.TEXT:
            return text
        case ColumnKind.LIST:
            return [item for item in map(str.strip, _BETWEEN.split(text)) if item]
        case ColumnKind.WHOLE:
            return _whole(text)
        case ColumnKind.TRUTH:
            return _truth(text)
        case ColumnKind.ANY:
            return text if quoted else _any(text)


def _from_json(text: str) -> Value:
    def refuse(number: str) -> Value:
        raise BadInputError(f"{number} is not whole", hint='write a fraction as text: json:"1/2"')

    try:
        value: Value = json.loads(
            text.removeprefix(_JSON), parse_float=refuse, parse_constant=refuse
        )
    except (ValueError, RecursionError):
        raise BadInputError(f"not JSON: {_short(text)}") from None
    return _fit(value)


def _fit(value: Value) -> Value:
    for _, why in unfit(value):
        raise BadInputError(why)
    return value


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text.strip()):
        raise BadInputError(f"{_short(text)} is no whole number")
    number = int(re.split("[.,]", text.strip().replace("−", "-"))[0])
    _fit(number)
    return number


def _truth(text: str) -> bool:
    word = text.strip().casefold()
    if word not in _YES and word not in _NO:
        raise BadInputError(f"{_short(text)} is neither TRUE nor FALSE")
    return word in _YES


def _any(text: str) -> Value:
    if text.lower() in _TRUTHS:
        return _TRUTHS[text.lower()]
    if _PADDED.fullmatch(text):
        return text
    if _WHOLE.fullmatch(text):
        return _whole(text)
    if _DECIMAL.fullmatch(text):
        number = Fraction(Decimal(text.replace(",", ".").replace("−", "-")))
        return int(number) if number.denominator == 1 else str(number)
    return text


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:37]}...")
