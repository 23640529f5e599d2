"""Sentences in plain words that tell an action: `g4 fires at s5`, `0615 attacked by inf-297`.

The game declares the verbs of its actions. Who does it stands before the verb, or behind `by` or
`with`; whatever else is named is what it is aimed at, or where they stand. A sentence that asks,
denies, or speaks of another time tells nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hexmarshal.rules.action import ActionType
    from hexmarshal.rules.state.position import Position

__all__ = ["WORD", "PlainWords", "Told", "is_doubtful", "is_idle", "takes_back", "tells_of_past"]

WORD: Final = re.compile(r"\w+(?:[-/]\w+)*(?:['’]\w+)?")
_TOKEN: Final = re.compile(rf"->|,|{WORD.pattern}")
# A stop within a word, such as a number, ends nothing.
_SENTENCE: Final = re.compile(r"(?:[^.!?;\n]|[.!?;](?=\w))+[.!?;]*")
_BETWEEN: Final = frozenset({",", "and", "then", "but", "while", "whereas"})
_DOERS: Final = frozenset({"by", "with", "using"})
_ELSEWHERE: Final = re.compile(
    "->|at|on|onto|upon|against|to|into|towards?|vs|versus|in|from|through|via|near"
)
# Who denies it, asks or weighs it, or speaks of another time; who is under fire does not fire.
_DOUBTFUL: Final = re.compile(
    "not|never|cannot|nobody|none|neither|nor|stop|wait|undo|oops|mistake|"
    "whom?|what|which|why|how|where|whether|if|unless|maybe|perhaps|probably|possibly|"
    "can|could|may|might|must|should|shall|would|ought|thinks?|suppose|wants?|"
    "intend(?:s|ed)?|plan(?:s|ned|ning)?|(?:il)?legal(?:ly)?|allowed|"
    "will|going|gonna|about|when(?:ever)?|until|till|before|after|later|soon|tomorrow|"
    r"already|last|earlier|ago|yesterday|under|\w+n['’]t|\w+['’](?:ll|d)"
)
# Who looks at somebody, or waits for him, does nothing to him.
_IDLE: Final = re.compile(
    "sees?|seen|looks?|looking|watch(?:es|ing)?|sights?|waits?|waiting|passe?s?|holds?|holding|"
    "stays?|survives?|safe|lives?|counts?|needs?|has|have|is|are"
)
# What comes next in this phase is done now; what comes in the next one is not.
_ANOTHER_TIME: Final = re.compile(r"\bnext (?:turn|phase|round|time|day|go|game)\b")
_TAKEN_BACK: Final = re.compile(
    "no|not|wait|undo|oops|mistake|wrong|sorry|correction|rather|instead|cancel(?:led|ed)?|void|"
    r"ignore|disregard|forget|cannot|illegal|\w+n['’]t"
)
_DENIED: Final = "no"
_GONE_BY: Final = frozenset({"was", "were", "had", "has", "have", "been"})
_POINTING: Final = re.compile(r"\b(?:(?:that|this|these|those) (?:was|were|is|are)|that['’]?s)\b")
_VOWELS: Final = "aeiou"


@dataclass(frozen=True, slots=True)
class Told:
    """An action as somebody told it: the kinds that are called so, and who and what was named.

    `subject` stood before the verb, `by` behind such a word, and `others` anywhere else. One that
    `is_past` tells nothing of dice that are still to come. `side` is the speaker's, if it is known
    that he speaks for nobody else.
    """

    text: str
    kinds: tuple[str, ...]
    subject: tuple[str, ...] = ()
    by: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    is_past: bool = False
    side: str = ""

    def parts(self, here: Position) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """Who does it, and what at: units of others, and cells; None if it is not plain."""
        units = here.units
        passive = any(name in units for name in self.by)
        doers = self.by if passive else self.subject
        if not any(name in units for name in doers):
            # Rally s5; shoot g4 at s5.
            doers = self.others
        side = next((units[name].side for name in doers if name in units), "")
        named = tuple(dict.fromkeys((*self.subject, *self.by, *self.others)))
        own = tuple(name for name in named if name in units and units[name].side == side)
        if not own or (self.side and self.side != side):
            return None
        if not {*own} <= {*self.subject, *self.by, *doers}:
            # Nobody aims at his own.
            return None
        stand = {units[name].cell for name in own}
        return own, tuple(name for name in named if name not in own and name not in stand)


class PlainWords:
    """Reads sentences by the words that a game declares for its actions."""

    def __init__(self, actions: Iterable[ActionType]) -> None:
        self._kinds: dict[str, tuple[str, ...]] = {}
        self._past: set[str] = set()
        for kind in actions:
            for verb in kind.words:
                present, past = _forms(verb)
                self._past |= past
                for form in present | past:
                    self._kinds[form] = (*self._kinds.get(form, ()), kind.name)

    def read(
        self, text: str, names: Callable[[Sequence[str]], Iterable[tuple[int, str]]]
    ) -> tuple[Told, ...]:
        """What a line tells; `names` finds units and cells among words, each with its place."""
        sentences = _SENTENCE.findall(text) if self._kinds else ()
        return tuple(told for one in sentences for told in self._sentence(one, names))

    def _sentence(
        self, text: str, names: Callable[[Sequence[str]], Iterable[tuple[int, str]]]
    ) -> Iterator[Told]:
        tokens = _TOKEN.findall(text.lower())
        if is_doubtful(text) or not any(token in self._kinds for token in tokens):
            return
        subject: tuple[str, ...] = ()
        for clause in self._clauses(tokens):
            told = self._clause(text.strip(), clause, tuple(names(clause)), subject)
            if told is not None:
                yield told
                subject = told.subject

    def _clauses(self, tokens: Sequence[str]) -> Iterator[Sequence[str]]:
        """A sentence parted where there is a word of the game on both sides."""
        begin, last = 0, -1
        for at, token in enumerate(tokens):
            if token not in self._kinds:
                continue
            parted = [i for i in range(last + 1, at) if tokens[i] in _BETWEEN] if last >= 0 else []
            if parted:
                yield tokens[begin : parted[-1]]
                begin = parted[-1] + 1
            last = at
        yield tokens[begin:]

    def _clause(
        self,
        text: str,
        tokens: Sequence[str],
        names: Sequence[tuple[int, str]],
        before: tuple[str, ...],
    ) -> Told | None:
        verbs = [at for at, token in enumerate(tokens) if token in self._kinds]
        if not verbs or any(tokens[at - 1] == _DENIED for at in verbs if at):
            return None
        parts: dict[str, list[str]] = {"subject": [], "by": [], "others": []}
        part = "subject"
        found: dict[int, list[str]] = {}
        for at, name in names:
            found.setdefault(at, []).append(name)
        for at, token in enumerate(tokens):
            if token in _DOERS:
                part = "by"
            elif _ELSEWHERE.fullmatch(token) or at == verbs[-1]:
                part = "others"
            parts[part] += found.get(at, ())
        is_past = all(tokens[at] in self._past for at in verbs) and not parts["by"]
        return Told(
            text,
            tuple(dict.fromkeys(kind for at in verbs for kind in self._kinds[tokens[at]])),
            tuple(parts["subject"]) or before,
            tuple(parts["by"]),
            tuple(parts["others"]),
            is_past or not _GONE_BY.isdisjoint(tokens),
        )


def is_doubtful(text: str) -> bool:
    """Whether a sentence asks, denies, weighs something, or speaks of another time."""
    words = [found.lower() for found in WORD.findall(text)]
    if "?" in text or words[:1] == [_DENIED] or _ANOTHER_TIME.search(text.lower()):
        return True
    return any(_DOUBTFUL.fullmatch(word) for word in words)


def is_idle(text: str) -> bool:
    """Whether a line that names who does something to whom tells of nothing that is done."""
    return is_doubtful(text) or any(_IDLE.fullmatch(word.lower()) for word in WORD.findall(text))


def takes_back(text: str) -> bool:
    """Whether a line takes back what was said before it."""
    return any(_TAKEN_BACK.fullmatch(found.lower()) for found in WORD.findall(text))


def tells_of_past(text: str) -> bool:
    """Whether a line tells of what is over."""
    return any(found.lower() in _GONE_BY for found in WORD.findall(text))


def points_back(text: str) -> bool:
    """Whether a line tells what something was: that was g3."""
    return _POINTING.search(text.lower()) is not None


def _forms(verb: str) -> tuple[frozenset[str], frozenset[str]]:
    """The forms of a verb: of the present, and of the past, which may stand behind it."""
    base, _, irregular = verb.partition(" ")
    stem = base.removesuffix("e")
    soft = base.endswith("y") and base[-2:-1] not in _VOWELS
    hissing = base.endswith(("s", "sh", "ch", "x"))
    third = f"{base[:-1]}ies" if soft else f"{base}es" if hissing else f"{base}s"
    past = f"{base[:-1]}ied" if soft else f"{stem}ed"
    return frozenset((base, third, f"{stem}ing")), frozenset((irregular or past,))
