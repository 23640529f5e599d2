"""Pages of the list of actions: so many, and the place from which the next page goes on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.rules.choosing.walk import Stop, astray

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hexmarshal.rules.choosing.walk import Spot, Walk
    from hexmarshal.rules.plugin import Offer

__all__ = ["OwnList", "Page", "page"]

# A page ends after so many checks in any case: a walk through dead ends shows nothing for long.
MOST_CHECKS = 20_000


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the legal actions, where the list goes on, and what it leaves out.

    `after` is None on the last page. `cut` names slots, as `kind.slot`, whose values cannot all be
    listed, as far as this page came by them.
    """

    offers: tuple[Offer, ...] = ()
    after: Spot | None = None
    cut: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class OwnList:
    """The list that a game makes by itself: a place in it is the number of an offer."""

    offers: Callable[[], Iterator[Offer]]
    checks: int = 0
    cut: dict[str, str] = field(default_factory=dict)

    def stops(self, after: Spot = ()) -> Iterator[Stop]:
        """All offers in order, or those after a number."""
        done = after[0] + 1 if after and isinstance(after[0], int) else 0
        if after and not done:
            raise astray()
        for number, offer in enumerate(self.offers()):
            if number >= done:
                yield Stop((number,), offer)


def page(
    listing: Walk | OwnList,
    after: Spot,
    size: int,
    wanted: Callable[[Offer], bool],
    pause: Callable[[], None],
) -> Page:
    """So many of the offers that are wanted; `pause` is called now and then."""
    offers: list[Offer] = []
    reached = after
    for number, stop in enumerate(listing.stops(after)):
        if number & 63 == 0:
            pause()
        if reached != after and (len(offers) == size or listing.checks > MOST_CHECKS):
            return Page(tuple(offers), reached, dict(listing.cut))
        reached = stop.spot
        if stop.offer is not None and wanted(stop.offer):
            offers.append(stop.offer)
    return Page(tuple(offers), None, dict(listing.cut))
