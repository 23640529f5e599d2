"""The thin veil over a `savedGame` entry: a key byte over every byte, hex digits, packing."""

from __future__ import annotations

import binascii
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.container.limits import Limits
from hexmarshal.vassal.container.packed_text import packed, unpacked
from hexmarshal.vassal.container.saved_forms import Form, Layout, Packing, form_of

__all__ = ["HEADER", "PLAIN", "Veil", "obfuscate", "reveal"]

HEADER: Final = b"!VCSK"
# Enough digits to tell upper-case from lower-case writers without reading a big entry twice.
_SAMPLE: Final = 4096
_PAIRS: Final = re.compile(rb"(?:[0-9A-Fa-f]{2})*")
_EVERY_BYTE: Final = int.from_bytes(bytes(range(256)))
_ONES: Final = int.from_bytes(b"\1" * 256)
_DAMAGED: Final = "the file is cut short or damaged"


@dataclass(frozen=True, slots=True)
class Veil:
    """How an entry was written, so that the same text is written back in the same way.

    All forms but the packed ones come back as the same bytes: another packer packs otherwise.
    """

    key: int | None
    upper_case: bool = False
    encoding: str = "utf-8"
    form: Form = Form.HEX

    def __post_init__(self) -> None:
        if self.key is None and self.form is Form.HEX:
            object.__setattr__(self, "form", Form.PLAIN)

    def in_form(self, form: Form, key: int) -> Veil:
        """The same in another form; `key` is for a form that has one where this had none."""
        own = self.key if self.key is not None else key
        return replace(self, form=form, key=own if form.layout.keyed else None, encoding="utf-8")


PLAIN: Final = Veil(None)


def reveal(data: bytes, limits: Limits | None = None, *, whole: bool = True) -> tuple[str, Veil]:
    """The text of a `savedGame` entry and how it was veiled; text without a mark is plain.

    Unless it shall be `whole`, the text before the place where the entry is cut is enough.
    """
    form = form_of(data)
    layout = form.layout
    sample = data[len(layout.header) : _SAMPLE] if layout.hex else b""
    upper_case = sample != sample.lower()
    key, body = None, data
    if layout.keyed:
        mark, body = _behind_header(data, layout, whole=whole)
        if not mark:
            raise _not_hex(layout.header) if layout.hex else _no_key(layout.header)
        key, body = mark[0], body.translate(_xor_table(mark[0]))
    bounds = limits or Limits.from_environment()
    if form is Form.HEX_ZLIB:
        form, raw = _inflated(body, bounds, whole=whole)
    else:
        raw = unpacked(body, layout.packing, bounds, whole=whole)
    text, encoding = _decoded(raw)
    return text, Veil(key, upper_case, encoding, form)


def _behind_header(data: bytes, layout: Layout, *, whole: bool) -> tuple[bytes, bytes]:
    """The key byte, if there is one, and what it was laid over; a big entry is copied once."""
    start = len(layout.header)
    if not layout.hex:
        return data[start : start + 1], data[start + 1 :]
    # Two digits a byte: of an entry that is cut, what follows the last whole one is lost.
    digits = None if whole else _PAIRS.match(data, start)
    found = memoryview(data)[start : digits.end() if digits is not None else len(data)]
    try:
        return binascii.unhexlify(found[:2]), binascii.unhexlify(found[2:])
    except ValueError as why:
        raise _not_hex(layout.header) from why


def obfuscate(text: str, veil: Veil) -> bytes:
    """The bytes of a `savedGame` entry for `text`."""
    try:
        raw = text.encode(veil.encoding)
    except UnicodeEncodeError:
        raw = _utf8(text)
    layout = veil.form.layout
    body = packed(raw, layout.packing)
    if layout.keyed:
        key = veil.key or 0
        body = bytes((key,)) + body.translate(_xor_table(key))
    if layout.hex:
        body = binascii.hexlify(body)
        body = body.upper() if veil.upper_case else body
    return layout.header + body


def _inflated(body: bytes, limits: Limits, *, whole: bool) -> tuple[Form, bytes]:
    """Two forms share a header: with zlib's own header and without."""
    try:
        return Form.HEX_ZLIB, unpacked(body, Packing.ZLIB, limits, whole=whole)
    except VassalFormatError as why:
        try:
            return Form.HEX_DEFLATE, unpacked(body, Packing.DEFLATE, limits, whole=whole)
        except VassalFormatError:
            raise why from None


def _not_hex(header: bytes) -> VassalFormatError:
    return VassalFormatError(
        f"what follows {header.decode()} is not pairs of hexadecimal digits", hint=_DAMAGED
    )


def _no_key(header: bytes) -> VassalFormatError:
    return VassalFormatError(f"no key follows {header.decode()}", hint=_DAMAGED)


def _decoded(raw: bytes) -> tuple[str, str]:
    try:
        return raw.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        # Files of before 3.0 may hold Latin-1; it keeps any bytes whatever they mean.
        return raw.decode("latin-1"), "latin-1"


def _utf8(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as why:
        raise VassalFormatError("the text holds half of a surrogate pair") from why


@lru_cache
def _xor_table(key: int) -> bytes:
    return (_EVERY_BYTE ^ key * _ONES).to_bytes(256)
