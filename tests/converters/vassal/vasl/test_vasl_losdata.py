"""The sight data of boards: what is written is read back, and damage is named."""

from __future__ import annotations

import gzip
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.vasl.losdata import LosData, read_los_data, write_los_data

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=40)


@given(st.data(), SHAPES, st.integers(1, 40), st.integers(1, 40))
def test_what_is_written_is_read_back(data, shape, columns, rows):
    los = LosData(
        columns,
        rows,
        data.draw(hnp.arrays(np.int8, shape)),
        data.draw(hnp.arrays(np.uint8, shape)),
        data.draw(hnp.arrays(np.bool_, st.integers(0, 60))),
    )
    back = read_los_data(write_los_data(los))
    assert (back.columns, back.rows) == (columns, rows)
    assert np.array_equal(back.elevation, los.elevation)
    assert np.array_equal(back.terrain, los.terrain)
    assert np.array_equal(back.stairways, los.stairways)


def small() -> bytes:
    flat = np.zeros((20, 30), np.uint8)
    return write_los_data(LosData(3, 2, flat.view(np.int8), flat, np.zeros(7, np.bool_)))


@pytest.mark.parametrize("keep", [0, 5, 30, -9])
def test_cut_short_is_said(keep):
    with pytest.raises(VassalFormatError, match=r"cut short|damaged"):
        read_los_data(small()[:keep])


@pytest.mark.parametrize(
    ("stream", "message"),
    [
        (b"", "not a Java object stream"),
        (b"\xac\xed\x00\x05", "end before the board's size"),
        (b"\xac\xed\x00\x05\x73abc", "opens no block"),
        (b"\xac\xed\x00\x05\x77\x10" + b"\xff" * 16, "cannot be"),
        (b"\xac\xed\x00\x05\x77\x10" + b"\x00\x00\xff\xff" * 4, "65535 x 65535 hexes"),
        (b"\xac\xed\x00\x05\x77\x10" + b"\x00\x00\x00\x01" * 4, "cut short: 16 bytes"),
        (
            b"\xac\xed\x00\x05\x77\x10" + b"\x00\x00\x00\x01" * 4 + bytes(1 << 20),
            "larger than their board",
        ),
        (
            b"\xac\xed\x00\x05\x77\x10" + struct.pack(">4i", 3, 2, 999, 999) + b"\x77\x00" * 50_000,
            "torn into small blocks",
        ),
    ],
)
def test_other_contents_are_refused_by_name(stream, message):
    with pytest.raises(VassalFormatError, match=message) as caught:
        read_los_data(gzip.compress(stream))
    assert caught.value.place.entry == "LOSData"


def test_sizes_in_blocks_of_their_own_are_read():
    blocks = b"".join(b"\x77\x04" + struct.pack(">i", n) for n in (1, 1, 2, 1))
    los = read_los_data(gzip.compress(b"\xac\xed\x00\x05" + blocks + b"\x77\x04\x01\x02\x03\x04"))
    assert los.elevation.tolist() == [[1, 3]]
    assert los.terrain.tolist() == [[2, 4]]


def test_a_real_board_survives_the_round(corpus):
    from hexmarshal.vassal.container.archive import Archive

    los = read_los_data(Archive.open(corpus / "vasl-boards" / "bd01").read("LOSData"))
    back = read_los_data(write_los_data(los))
    assert (los.columns, los.rows, los.terrain.shape) == (33, 10, (645, 1800))
    assert np.array_equal(back.terrain, los.terrain)
    assert np.array_equal(back.elevation, los.elevation)
    assert np.array_equal(back.stairways, los.stairways)
