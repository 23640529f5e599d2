"""Images, sounds and owners that pieces name, found and renamed everywhere."""

from __future__ import annotations

from hexmarshal.vassal import traits as t
from hexmarshal.vassal.pieces.embedded import with_marker
from hexmarshal.vassal.pieces.piece import Piece
from hexmarshal.vassal.pieces.references import (
    image_names,
    images_of,
    owner_ids,
    sounds_of,
    with_images,
    with_owner_ids,
)
from hexmarshal.vassal.values import FormattedText, MaskStyle

INNER = Piece.of([t.BasicPiece(image="inner.png")])
PIECE = Piece.of(
    [
        with_marker(t.PlaceMarker(), INNER),
        t.Layer(images=("l1.png", "", "l2.png")),
        t.LegacyLayer(levels=("old.gif,Old", ",none")),
        t.Mask(image="back.png", style=MaskStyle("Gpeek.png")),
        t.NonRectangular(shape="nshape.png,m,0,0"),
        t.MovementMarkable(icon="moved.png"),
        t.Labeler(name_format=FormattedText("<html><img src='html.png'>")),
        t.PlaySound(clip=FormattedText("bang.wav")),
        t.BasicPiece(image="basic.png"),
    ]
)
IMAGES = [
    "inner.png", "l1.png", "l2.png", "old.gif", "back.png", "peek.png", "shape.png", "moved.png",
    "html.png", "basic.png",
]  # fmt: skip


def test_every_image_is_found_once():
    assert sorted(images_of(PIECE)) == sorted(IMAGES)
    assert image_names(t.Layer(images=("a", "a"))) == ("a", "a")


def test_every_image_is_renamed_and_nothing_else():
    renamed = with_images(PIECE, lambda name: f"x/{name}")
    assert sorted(images_of(renamed)) == sorted(f"x/{name}" for name in IMAGES)
    back = with_images(renamed, lambda name: name.removeprefix("x/"))
    assert back == PIECE
    assert with_images(PIECE, lambda name: name) is PIECE


def test_sounds():
    assert list(sounds_of(PIECE)) == ["bang.wav"]


def test_owners_are_found_and_replaced():
    piece = Piece.of(
        [t.Hideable(), t.Mask(), t.Restricted(), t.BasicPiece()],
        [
            t.HiddenState(owner="pw1"),
            t.MaskState(owner="pw2", options="pw1|1|pw3"),
            t.OwnedState(owner="pw1"),
        ],
    )
    assert sorted(owner_ids(piece)) == ["pw1", "pw2", "pw3"]
    clean = with_owner_ids(piece, {"pw1": "A", "pw2": "B", "pw3": "C"}.__getitem__)
    assert clean.state_texts[:3] == ("A", "B;A|1|C", "A")
    nobody = Piece.of([t.Hideable(), t.BasicPiece()])
    assert nobody.state_texts[0] == "null"
    assert not owner_ids(nobody)
