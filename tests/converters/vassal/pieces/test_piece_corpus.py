"""Pieces of real modules, extensions, saves and logs: identical when put together again."""

from __future__ import annotations

import zipfile
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest
from lxml import etree

from hexmarshal.vassal.pieces.embedded import walk
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.pieces.references import images_of
from hexmarshal.vassal.sequence import decode
from hexmarshal.vassal.traits import RawTrait

# Prefixes of modules with Java code of their own.
FOREIGN = {"moved;", "conceal;", "concealment;", "info;", "placeDM;", "placeACQ;", "turr;"}


def in_build_file(data: bytes) -> list[str]:
    texts = ((element.text or "").strip() for element in etree.fromstring(data).iter("*"))
    return [text for text in texts if text.startswith("+/")]


def in_command(text: str) -> list[str]:
    tokens = decode(text, "\x1b")
    if len(tokens) == 1:
        return [text] if text.startswith("+/") else []
    return [found for token in tokens for found in in_command(token)]


def in_saved_game(data: bytes) -> list[str]:
    if data.startswith(b"!VCSK"):
        key = int(data[5:7], 16)
        data = bytes.fromhex(data[7:].decode()).translate(bytes(i ^ key for i in range(256)))
    return in_command(data.decode())


@lru_cache(maxsize=1)
def definitions(corpus: Path) -> list[tuple[str, str]]:
    found = []
    for path in sorted(corpus.rglob("*.buildFile*")) + sorted(corpus.rglob("*.xml")):
        if "buildFile" in path.name:
            found += [(path.name, text) for text in in_build_file(path.read_bytes())]
    for path in sorted([*corpus.rglob("*.v[mls]*")]):
        with zipfile.ZipFile(path) as archive:
            for name in {"buildFile", "buildFile.xml"} & set(archive.namelist()):
                found += [(path.name, text) for text in in_build_file(archive.read(name))]
            if "savedGame" in archive.namelist():
                found += [(path.name, text) for text in in_saved_game(archive.read("savedGame"))]
    return list(dict.fromkeys(found))


@pytest.fixture
def pieces(corpus: Path) -> list[tuple[str, str]]:
    found = definitions(corpus)
    if not found:
        pytest.skip("the corpus holds no pieces")
    return found


def test_every_piece_is_put_together_identically(pieces):
    for file, text in pieces:
        piece = parse_add(text)
        assert piece.problem is None, file
        assert format_add(piece) == text, file
        for _, part in walk(piece):
            assert part.encode() == (part.type.text, part.state_text), file


def test_stock_traits_are_typed(pieces):
    typed: Counter[bool] = Counter()
    raw: Counter[str] = Counter()
    for _, text in pieces:
        for trait in parse_add(text).traits:
            if isinstance(trait, RawTrait):
                raw[trait.own_prefix] += trait.own_prefix not in FOREIGN
            typed[not isinstance(trait, RawTrait)] += 1
    assert sum(raw.values()) <= 0.01 * typed[True], raw


def test_names_properties_and_images_are_readable(pieces):
    named = 0
    for _, text in pieces:
        piece = parse_add(text)
        properties_of(piece)
        images_of(piece)
        named += bool(piece.name)
        assert piece.name == getattr(piece.traits[-1], "name", "")
        state = piece.basic_state
        assert state is None or state == piece.states[-1]
    assert named > len(pieces) / 4
