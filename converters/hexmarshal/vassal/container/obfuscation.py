"""The thin veil over a `savedGame` entry: hex digits of every byte XOR one key byte."""

from __future__ import annotations

import binascii
from dataclasses import dataclass
from typing import Final

from hexmarshal.errors import VassalFormatError

__all__ = ["HEADER", "PLAIN", "Veil", "obfuscate", "reveal"]

HEADER: Final = b"!VCSK"
_KEY_END: Final = len(HEADER) + 2
# Enough digits to tell upper-case from lower-case writers without reading a big entry twice.
_SAMPLE: Final = 4096


@dataclass(frozen=True, slots=True)
class Veil:
    """How an entry was written, so that the same text is written back as the same bytes."""

    key: int | None
    upper_case: bool = False
    encoding: str = "utf-8"


PLAIN: Final = Veil(None)


def reveal(data: bytes) -> tuple[str, Veil]:
    """The text of a `savedGame` entry and how it was veiled; text without a header is plain."""
    if not data.startswith(HEADER):
        text, encoding = _decoded(data)
        return text, Veil(None, encoding=encoding)
    digits = memoryview(data)
    try:
        key = binascii.unhexlify(digits[len(HEADER) : _KEY_END])[0]
        veiled = binascii.unhexlify(digits[_KEY_END:])
    except (ValueError, IndexError) as why:
        raise VassalFormatError(
            f"what follows {HEADER.decode()} is not pairs of hexadecimal digits",
            hint="the file is cut short or damaged",
        ) from why
    text, encoding = _decoded(veiled.translate(_xor_table(key)))
    sample = data[len(HEADER) : _SAMPLE]
    return text, Veil(key, upper_case=sample != sample.lower(), encoding=encoding)


def obfuscate(text: str, veil: Veil) -> bytes:
    """The bytes of a `savedGame` entry for `text`."""
    try:
        raw = text.encode(veil.encoding)
    except UnicodeEncodeError:
        raw = _utf8(text)
    if veil.key is None:
        return raw
    body = binascii.hexlify(bytes((veil.key,)) + raw.translate(_xor_table(veil.key)))
    return HEADER + (body.upper() if veil.upper_case else body)


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


def _xor_table(key: int) -> bytes:
    return bytes(byte ^ key for byte in range(256))
