"""The edges of a net as chains, from junction to junction or round about without any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.vassal.vasl.outlines.net import Net

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["Chains", "chains_of"]

_UPPER_LEFT = 0b0011
"""The ways of a corner with edges on its right and below."""


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Chains of corners, one after the other, each with both of its ends."""

    corners: Ints
    starts: Ints
    """Where each begins among the corners; the last number is how many corners there are."""

    def only(self, kept: Flags) -> Chains:
        """The chains without the corners that are not kept."""
        stays = kept[self.corners]
        return Chains(self.corners[stays], np.append(0, np.cumsum(stays))[self.starts])


def chains_of(net: Net) -> Chains:
    """Every edge of a net in one chain; those that close begin at their uppermost corner."""
    ends = net.ends.reshape(-1, 4)
    present = net.present.reshape(-1, 4)
    # A corner within a chain has two neighbours: their sum less the one is the other.
    sums = np.where(present, ends, 0).sum(axis=1)
    sums[net.junctions] = -1
    links = sums.tolist()
    heads, way = np.nonzero(present & net.junctions[:, None])
    open_ones = _open_chains(links, heads, ends[heads, way])
    lonely = net.ways == _UPPER_LEFT
    lonely[net.junctions] = lonely[open_ones.corners] = False
    heads = np.flatnonzero(lonely)
    closed_ones = _closed_chains(links, heads, ends[heads, 0])
    return Chains(
        np.concatenate([open_ones.corners, closed_ones.corners]),
        np.concatenate([open_ones.starts[:-1], closed_ones.starts + open_ones.corners.size]),
    )


def _open_chains(links: list[int], heads: Ints, seconds: Ints) -> Chains:
    """The chains that leave junctions, each of them once of the two times it is met."""
    corners: list[int] = []
    starts: list[int] = []
    done: set[int] = set()
    count = len(links)
    keys = heads * count + seconds
    for head, second, key in zip(heads.tolist(), seconds.tolist(), keys.tolist(), strict=True):
        if key in done:
            continue
        starts.append(len(corners))
        corners.append(head)
        before, here = head, second
        while (both := links[here]) >= 0:
            corners.append(here)
            before, here = here, both - before
        corners.append(here)
        done.add(here * count + before)
    return _chains(corners, starts)


def _closed_chains(links: list[int], heads: Ints, seconds: Ints) -> Chains:
    """The chains through these corners that come back to where they began."""
    corners: list[int] = []
    starts: list[int] = []
    done = bytearray(len(links))
    for head, second in zip(heads.tolist(), seconds.tolist(), strict=True):
        if done[head]:
            continue
        starts.append(len(corners))
        corners.append(head)
        before, here = head, second
        while here != head:
            corners.append(here)
            done[here] = True
            before, here = here, links[here] - before
        corners.append(here)
    return _chains(corners, starts)


def _chains(corners: list[int], starts: list[int]) -> Chains:
    starts.append(len(corners))
    return Chains(
        np.fromiter(corners, np.int64, len(corners)), np.fromiter(starts, np.int64, len(starts))
    )
