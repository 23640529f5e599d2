"""What authors of plugins test with: choices, offers, pinned games, long play, fuzzing."""

from hexmarshal.testkit.choices import choice_problems
from hexmarshal.testkit.fuzzer import Crash, Fuzzer
from hexmarshal.testkit.offers import offer_problems
from hexmarshal.testkit.pins import PinnedGame, pinned_games
from hexmarshal.testkit.soak import soak
from hexmarshal.testkit.transcripts import transcript

__all__ = [
    "Crash",
    "Fuzzer",
    "PinnedGame",
    "choice_problems",
    "offer_problems",
    "pinned_games",
    "soak",
    "transcript",
]
