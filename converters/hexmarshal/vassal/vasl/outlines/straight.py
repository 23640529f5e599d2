"""Chains made straight by leaving out corners, so that the picture keeps its patches.

A chain may go straight from one of its corners to another if no corner of the net lies between
the way it had and the straight one, or on it. Edges then cannot cross: where two straight ways did,
a corner of one chain would lie between the ways of the other. So each straight way is judged by
itself, against the corners as they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import shapely

from hexmarshal.vassal.vasl.outlines.ranges import ranges

if TYPE_CHECKING:
    import numpy.typing as npt

    from hexmarshal.vassal.vasl.outlines.chains import Chains
    from hexmarshal.vassal.vasl.outlines.net import Net

    Ints = npt.NDArray[np.int64]
    Flags = npt.NDArray[np.bool_]

__all__ = ["straightened"]

_SPECKLE = 8
"""Chains of so few corners stay as they are: the dots that some boards draw their fields with."""


def straightened(net: Net, chains: Chains, tolerance: float) -> Chains:
    """The chains with fewer corners, nowhere farther than the tolerance from where they were."""
    kept = _proposed(net, chains, tolerance)
    chain = np.repeat(np.arange(chains.starts.size - 1), np.diff(chains.starts))
    places = np.flatnonzero(kept[chains.corners])
    within = chain[places[:-1]] == chain[places[1:]]
    start, stop = places[:-1][within], places[1:][within]
    good = _alone(chains, start, stop)
    moved = np.flatnonzero(stop - start > 1)
    good[moved] &= _clear(net, chains, start[moved], stop[moved])
    bad = moved[~good[moved]]
    kept[chains.corners[ranges(start[bad], (stop - start)[bad])]] = True
    return chains.only(kept)


def _proposed(net: Net, chains: Chains, tolerance: float) -> Flags:
    """The corners that each chain would need if there were no other."""
    sizes = np.diff(chains.starts)
    worth = sizes > _SPECKLE
    corners = chains.corners[np.repeat(worth, sizes)]
    points = np.stack([net.x[corners], net.y[corners]], axis=1).astype(np.float64)
    which = np.repeat(np.arange(worth.sum()), sizes[worth])
    lines = shapely.simplify(
        shapely.linestrings(points, indices=which), tolerance, preserve_topology=False
    )
    x, y = shapely.get_coordinates(lines).astype(np.int64).T
    needed = np.zeros(net.points.shape, np.bool_)
    needed[y, x] = True
    kept = np.ones(net.x.size, np.bool_)
    kept[corners] = needed[net.y[corners], net.x[corners]]
    return kept


def _alone(chains: Chains, start: Ints, stop: Ints) -> Flags:
    """Whether there is but one straight way between these two corners: else a patch vanishes."""
    one, two = chains.corners[start], chains.corners[stop]
    key = np.minimum(one, two) << 32 | np.maximum(one, two)
    _, which, count = np.unique(key, return_inverse=True, return_counts=True)
    alone: Flags = (count[which] == 1) & (one != two)
    return alone


def _clear(net: Net, chains: Chains, start: Ints, stop: Ints) -> Flags:
    """Whether no corner but its own lies between a part of a chain and the straight way, or on it.

    In each column of points, what lies between two ways lies within the reach of both.
    """
    x, y = net.x[chains.corners], net.y[chains.corners]
    steps = stop - start
    here = ranges(start, steps)
    left, right = np.minimum(x[here], x[here + 1]), np.maximum(x[here], x[here + 1])
    firsts = np.cumsum(steps) - steps
    west = np.minimum.reduceat(left, firsts)
    widths = np.maximum.reduceat(right, firsts) - west + 1
    begins = np.cumsum(widths) - widths
    column = ranges(west, widths)

    low, high = _reach(column, widths, (x[start], y[start]), (x[stop], y[stop]))
    spans = right - left + 1
    slots = ranges(np.repeat(begins - west, steps) + left, spans)
    np.minimum.at(low, slots, np.repeat(np.minimum(y[here], y[here + 1]), spans))
    np.maximum.at(high, slots, np.repeat(np.maximum(y[here], y[here + 1]), spans))

    above = _corners_above(net)
    found = np.add.reduceat(above[high + 1, column] - above[low, column], begins)
    clear: Flags = found == steps + 1
    return clear


def _reach(
    column: Ints, widths: Ints, start: tuple[Ints, Ints], stop: tuple[Ints, Ints]
) -> tuple[Ints, Ints]:
    """The first point from a straight way on and the last one up to it, in each of its columns.

    Where the way does not come, the first is past the last, whatever the column.
    """
    (ax, ay), (bx, by) = start, stop
    x, y = np.repeat(ax, widths), np.repeat(ay, widths)
    run = np.repeat(np.where(ax == bx, 1, bx - ax), widths)
    rise = np.repeat(by - ay, widths) * (column - x)
    comes = (column >= np.repeat(np.minimum(ax, bx), widths)) & (
        column <= np.repeat(np.maximum(ax, bx), widths)
    )
    far = np.iinfo(np.int64).max
    return np.where(comes, y - (-rise // run), far), np.where(comes, y + rise // run, -1)


def _corners_above(net: Net) -> npt.NDArray[np.int32]:
    """By row and column of points, how many corners there are in rows before it."""
    height, width = net.points.shape
    above = np.zeros((height + 1, width), np.int32)
    above[net.y + 1, net.x] = 1
    return np.cumsum(above, axis=0, out=above)
