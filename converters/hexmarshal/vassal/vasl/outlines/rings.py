"""The patches of a picture as rings of chains: one round about, and one about each hole.

Each chain has two sides: side `2 * c` goes along chain `c` and side `2 * c + 1` back, so that each
of them goes round the patch on its own hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hexmarshal.vassal.vasl.outlines.net import CROSSING
from hexmarshal.vassal.vasl.outlines.ranges import ranges

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.vassal.vasl.outlines.chains import Chains
    from hexmarshal.vassal.vasl.outlines.net import Net

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["Rings", "rings_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Rings:
    """Rings of sides, patch after patch, each patch beginning with the ring round about it."""

    sides: Ints
    starts: Ints
    """Where each ring begins among the sides; the last number is how many sides there are."""
    patches: Ints
    """Where each patch begins among the rings; the last number is how many rings there are."""
    first: Ints
    """The uppermost corner of each patch, the leftmost of them; its pixel is below on the right."""

    def corners(self, chains: Chains) -> tuple[Ints, Ints]:
        """The corners of every ring, the first one again at its end, and where each ring begins.

        The chains may have fewer corners than those that the rings were made of.
        """
        chain, back = self.sides >> 1, (self.sides & 1).astype(np.bool_)
        last = np.zeros(self.sides.size, np.int64)
        last[self.starts[1:] - 1] = 1
        # The end of a chain is the start of the next one; only the last one needs both.
        sizes = np.diff(chains.starts)[chain] - 1 + last
        start = np.where(back, chains.starts[chain + 1] - 1, chains.starts[chain])
        begins = np.cumsum(sizes) - sizes
        offset = np.arange(sizes.sum()) - np.repeat(begins, sizes)
        where = np.repeat(start, sizes) + np.where(np.repeat(back, sizes), -offset, offset)
        return chains.corners[where], np.append(begins, sizes.sum())[self.starts]


def rings_of(net: Net, chains: Chains) -> Rings:
    """The rings of every patch; patches that only touch at a corner are patches of their own."""
    steps, side_of = _sides(net, chains)
    following = side_of[net.following(steps)]
    _, _, ring_of = _cycles(following)
    _part_touching(net, side_of, following, ring_of)
    sides, starts, ring_of = _cycles(following)
    first = np.minimum.reduceat(chains.corners, chains.starts[:-1])
    first = np.minimum.reduceat(first[sides >> 1], starts[:-1])
    hole = np.add.reduceat(_areas(net, chains)[sides], starts[:-1]) < 0
    owner = _owners(net, first, hole, ring_of[side_of])
    order = np.lexsort((first, hole, first[owner]))
    order = order[~(hole & (net.x[first] == 0))[order]]  # without the ring about the board
    sizes = np.diff(starts)[order]
    return Rings(
        sides[ranges(starts[order], sizes)],
        np.append(0, np.cumsum(sizes)),
        np.append(np.flatnonzero(~hole[order]), order.size),
        first[order][~hole[order]],
    )


def _sides(net: Net, chains: Chains) -> tuple[Ints, Ints]:
    """The last step of every side, and by step the side it belongs to."""
    here, there = chains.corners[:-1], chains.corners[1:]
    x, y = net.x[there] - net.x[here], net.y[there] - net.y[here]
    steps = here << 2 | np.where(y == 0, np.where(x > 0, 0, 2), np.where(y > 0, 1, 3))
    chain = np.repeat(np.arange(chains.starts.size - 1), np.diff(chains.starts))
    within = chain[:-1] == chain[1:]
    side_of = np.zeros(net.ends.size, np.int64)
    side_of[steps[within]] = chain[:-1][within] * 2
    side_of[net.back(steps[within])] = chain[:-1][within] * 2 + 1
    lasts = np.stack([steps[chains.starts[1:] - 2], net.back(steps[chains.starts[:-1]])], axis=1)
    return lasts.ravel(), side_of


def _areas(net: Net, chains: Chains) -> Ints:
    """What each side adds to the area on its own hand."""
    x, y = net.x[chains.corners], net.y[chains.corners]
    strips = np.append(y[1:] * (x[:-1] - x[1:]), 0)
    strips[chains.starts[1:] - 1] = 0
    areas = np.add.reduceat(strips, chains.starts[:-1])
    return np.stack([areas, -areas], axis=1).ravel()


def _cycles(following: Ints) -> tuple[Ints, Ints, Ints]:
    """Rings of what follows each other, where each ring begins, and the ring of each member."""
    after = following.tolist()
    members: list[int] = []
    starts: list[int] = []
    seen = bytearray(len(after))
    for head in range(len(after)):
        if seen[head]:
            continue
        starts.append(len(members))
        here = head
        while not seen[here]:
            seen[here] = True
            members.append(here)
            here = after[here]
    starts.append(len(members))
    order = np.fromiter(members, np.int64, len(members))
    begins = np.fromiter(starts, np.int64, len(starts))
    ring_of = np.empty_like(order)
    ring_of[order] = np.repeat(np.arange(begins.size - 1), np.diff(begins))
    return order, begins, ring_of


def _part_touching(net: Net, side_of: Ints, following: Ints, ring_of: Ints) -> None:
    """Let a ring that comes to a crossing twice turn away there, so that it falls into two."""
    crossings = np.flatnonzero(net.ways == CROSSING)
    leaving = side_of.reshape(-1, 4)[crossings]
    arriving = np.roll(leaving, 2, axis=1) ^ 1
    for one, two in ((0, 2), (1, 3)):
        twice = ring_of[arriving[:, one]] == ring_of[arriving[:, two]]
        following[arriving[twice, one]] = leaving[twice, one - 1]
        following[arriving[twice, two]] = leaving[twice, two - 1]


def _owners(net: Net, first: Ints, hole: Flags, ring_of: Ints) -> Ints:
    """By ring, the ring round about its patch.

    The nearest edge on the left of a hole's uppermost corner belongs to the same patch, and the
    uppermost corner of its own ring is an earlier one.
    """
    owner = np.arange(hole.size)
    inner = np.flatnonzero(hole & (net.x[first] > 0))
    height, width = net.points.shape
    walls = np.flatnonzero(net.points & 0b0010)
    x, y = net.x[first[inner]], net.y[first[inner]]
    x = walls[np.searchsorted(walls, y * width + x) - 1] % width
    keys = (net.x * height + net.y)[net.columns]
    corner = net.columns[np.searchsorted(keys, x * height + y, side="right") - 1]
    owner[inner] = ring_of[net.back(corner << 2 | 1)]
    while (nested := hole[owner] & (owner != owner[owner])).any():
        owner[nested] = owner[owner[nested]]
    return owner
