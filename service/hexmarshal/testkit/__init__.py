"""What authors of plugins test with: offers, pinned games, transcripts, long play, fuzzing."""

from hexmarshal.testkit.fuzzer import Crash, Fuzzer
from hexmarshal.testkit.offers import offer_problems
from hexmarshal.testkit.pins import PinnedGame, pinned_games
from hexmarshal.testkit.soak import soak
from hexmarshal.testkit.transcripts import transcript

__all__ = [
    "Crash",
    "Fuzzer",
    "PinnedGame",
    "offer_problems",
    "pinned_games",
    "soak",
    "transcript",
]
