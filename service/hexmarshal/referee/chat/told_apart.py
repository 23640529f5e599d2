"""Several fights told in one breath: which names belong together.

Somebody says `the tanks go for the 454th, and 13 G with rif-01 for the 294th`: those of 13 G have
nothing to do with the 454th.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.referee.chat.plain_words import WORD

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from hexmarshal.referee.interpret.log_dice import Throw
    from hexmarshal.rules.state.position import Position

__all__ = ["Part", "fight_parts", "named_together", "parts_of", "told_fights"]

_TOKEN: Final = re.compile(rf"->|[,;:.!?](?!\w)|{WORD.pattern}")
_STOPS: Final = frozenset(",;:.!?")
_PARTING: Final = frozenset({"then", "but", "while", "whereas"})
_JOINING: Final = frozenset({"and", "&", "plus"})
# What may stand behind a name that does nothing by itself: 13 G with rif-01 against 0414.
_NO_VERB: Final = frozenset(
    {
        *_PARTING,
        *_JOINING,
        *("->", "with", "by", "using", "at", "on", "onto", "upon", "against", "to", "into", "for"),
        *("toward", "towards", "vs", "versus", "in", "from", "through", "via", "near", "too", "as"),
        *("both", "all", "also", "together", "or", "the"),
    }
)


_SEVERAL: Final = 2
_MOST_WORDS: Final = 60


class Part(NamedTuple):
    """Names between two stops or joining words.

    It begins behind a stop, or only behind such a word as `and`; `acts`: another word stands right
    behind a name, that may be what is done. `maybe` are those whom a word means that others are
    called by as well; `words` are all that was said, in their order.
    """

    names: tuple[str, ...]
    behind_stop: bool
    acts: bool
    maybe: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def with_words(self, words: Sequence[str]) -> Part:
        """The same, with more that was said."""
        return self._replace(words=(*self.words, *words)[:_MOST_WORDS])


def parts_of(
    text: str,
    names: Callable[[Sequence[str]], Iterable[tuple[int, str]]],
    maybe: Callable[[Sequence[str]], Iterable[str]] = tuple,
) -> tuple[Part, ...]:
    """The parts of a line; `names` finds units and cells among words, each with its place.

    `maybe` finds those whom words may mean.
    """
    found: list[Part] = []
    stop, words = True, list[str]()
    for token in (*_TOKEN.findall(text.lower()), "."):
        ends = token in _STOPS or token in _PARTING
        if not ends and token not in _JOINING:
            words.append(token)
            continue
        some, others = tuple(names(words)), tuple(dict.fromkeys(maybe(words)))
        if some or others:
            places = {at for at, _ in some}
            behind = (words[at + 1] for at in places if at + 1 < len(words))
            # Of `13 G attacks` the letter is a part of the name.
            acts = any(len(word) > 1 and word not in _NO_VERB for word in behind)
            found.append(
                Part(tuple(dict.fromkeys(n for _, n in some)), stop, acts, others).with_words(words)
            )
            stop = False
        elif found:
            found[-1] = found[-1].with_words(words)
        stop, words = stop or ends, []
    return tuple(found)


def told_fights(parts: Sequence[Part], here: Position, side: str) -> tuple[tuple[str, ...], ...]:
    """The fights of a side that were told together, each with its names; one if it is but one."""
    fights = (fight.names for fight in fight_parts(parts, here, side))
    return tuple(names for names in fights if names)


def fight_parts(parts: Sequence[Part], here: Position, side: str) -> tuple[Part, ...]:
    """The same, each as one part of what was said."""

    def aims(part: Part) -> bool:
        return any(n not in here.units or here.units[n].side != side for n in part.names)

    def has_own(part: Part) -> bool:
        return any(n in here.units and here.units[n].side == side for n in part.names)

    sentences = [*_joined(parts, lambda _, part: not part.behind_stop)]
    fights = [*_joined(sentences, lambda one, part: not (aims(one) and (aims(part) or part.acts)))]
    if len(fights) < _SEVERAL:

        def goes_on(one: Part, part: Part) -> bool:
            return not (aims(one) and has_own(one) and aims(part) and has_own(part))

        fights = [*_joined(parts, goes_on)]
    return tuple(fights)


def _joined(parts: Iterable[Part], goes_on: Callable[[Part, Part], bool]) -> Iterator[Part]:
    """Parts of which some go on with what stands before them."""
    one: Part | None = None
    for part in parts:
        if one is None:
            one = part
        elif goes_on(one, part):
            names = tuple(dict.fromkeys((*one.names, *part.names)))
            maybe = tuple(dict.fromkeys((*one.maybe, *part.maybe)))
            whole = Part(names, one.behind_stop, one.acts or part.acts, maybe, one.words)
            one = whole.with_words(part.words)
        else:
            yield one
            one = part
    if one is not None:
        yield one


def named_together(
    throws: Iterable[Throw],
    here: Position,
    side: str,
    own: Collection[str],
    aims: Collection[str],
) -> tuple[str, ...]:
    """What was named before dice, of a side's fight in which its `own` units aim at cells.

    All that was named, if only one fight was told, or none is plainly this one.
    """
    told = tuple(throws)
    every = tuple(dict.fromkeys(name for throw in told for name in throw.about))
    fights = told_fights(next((throw.parts for throw in told if throw.parts), ()), here, side)
    if len(fights) < _SEVERAL:
        return every
    for some in ({*aims}, {*own}):
        these = [f for f in fights if any(n in some or _cell(n, here) in some for n in f)]
        if these:
            return tuple(dict.fromkeys(n for fight in these for n in fight))
    return every


def _cell(name: str, here: Position) -> str:
    return here.units[name].cell if name in here.units else name
