"""What keeps the event loop free: the collector's steps, what is done at once, and bells."""

from __future__ import annotations

import asyncio
import gc
import threading

import pytest

from hexmarshal.errors.names import did_you_mean
from hexmarshal.service.calls.trailers import shortened
from hexmarshal.service.collector import STEPS, Collector
from hexmarshal.service.matches.match_news import Bell, News
from hexmarshal.service.rulings.here import DOUBT, INLINE_SECONDS, Here
from server.conftest import serving
from server.raw_calls import act

KEY = ("game", "work", "")
CHEAP, DEAR = INLINE_SECONDS / 4, INLINE_SECONDS * 3


class Loop:
    """Something that refers to itself, so that only the collector frees it."""

    def __init__(self) -> None:
        self.itself = self


def loops() -> int:
    return sum(isinstance(one, Loop) for one in gc.get_objects())


@pytest.fixture
def memory():
    return {"bytes": 100 << 20, "calls": 0}


@pytest.fixture
def collector(memory):
    async def begun() -> Collector:
        found = Collector(lambda: memory["bytes"], lambda: not memory["calls"])
        found.begin()
        return found

    before, frozen = gc.get_threshold(), gc.get_freeze_count() > 0
    loop = asyncio.new_event_loop()
    found = loop.run_until_complete(begun())
    yield found
    found.close()
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()
    assert gc.get_threshold() == before
    if frozen:  # else all that the other tests have loaded is looked at again and again
        gc.freeze()


@pytest.mark.parametrize("frozen", [0, 5])
def test_what_was_frozen_before_stays_frozen_and_nothing_else(frozen, monkeypatch):
    thawed = []
    monkeypatch.setattr(gc, "get_freeze_count", lambda: frozen)
    monkeypatch.setattr(gc, "unfreeze", lambda: thawed.append(True))

    async def main() -> None:
        one = Collector()
        one.begin()
        assert gc.get_threshold() == STEPS
        assert not thawed
        one.close()

    asyncio.run(main())
    assert bool(thawed) == (not frozen)


def test_what_is_old_is_not_looked_at_again(collector):
    kept = [Loop() for _ in range(20_000)]
    steps = []
    gc.callbacks.append(lambda phase, info: steps.append((phase, info["generation"])))
    try:
        more = [Loop() for _ in range(20_000)]
    finally:
        gc.callbacks.pop()
    assert ("stop", 2) in steps
    # Of 40,000 and of all that the tests have loaded, only the newest are left to look at.
    assert len(gc.get_objects()) < 3 * STEPS[0] * (STEPS[1] + 1) * (STEPS[2] + 1)
    assert len(kept) == len(more)


def test_all_is_looked_through_while_nobody_waits_or_when_there_is_no_choice(collector, memory):
    memory["calls"], memory["bytes"] = 1, 600 << 20
    assert not collector.look()
    memory["calls"] = 0
    assert collector.look()
    memory["calls"], memory["bytes"] = 1, 2300 << 20
    assert not collector.look()
    memory["bytes"] = 2400 << 20
    assert collector.look()


def test_what_refers_to_itself_is_found_when_memory_has_grown(collector, memory):
    old = [Loop() for _ in range(100)]
    gc.collect()  # the last step: now they are old
    assert loops() == 0
    del old
    assert not collector.look()
    memory["bytes"] = 340 << 20
    assert not collector.look()
    memory["bytes"] = 360 << 20
    assert collector.look()
    gc.unfreeze()
    assert loops() == 0
    assert not collector.look(), "as much as now is what there is"


def test_slow_once_is_forgiven_and_slow_again_is_not():
    here = Here()
    here.learn(KEY, CHEAP)
    here.learn(KEY, DEAR)
    assert here.cheap(KEY)
    for _ in range(DOUBT - 2):
        here.learn(KEY, CHEAP)
    here.learn(KEY, DEAR)
    assert not here.cheap(KEY)
    for _ in range(5):
        here.learn(KEY, CHEAP)
    assert not here.cheap(KEY), "a few quick ones make no cheap kind"
    for _ in range(200):
        here.learn(KEY, CHEAP)
    assert here.cheap(KEY)
    here.close()


def test_what_is_cheap_is_done_at_once_and_all_else_in_a_thread():
    async def main() -> None:
        here, this = Here(), threading.get_ident()
        assert await here.do(KEY, threading.get_ident) != this
        here.learn(KEY, 0.0)
        assert here.cheap(KEY)
        assert await here.do(KEY, threading.get_ident) == this
        here.close()

    asyncio.run(main())


def test_a_bell_is_there_for_the_next_news_before_anybody_waits_for_them():
    news = News(None)
    bell = news.bell("m")
    bell.version = 3
    news.tell("m", 3)
    assert not bell.is_set(), "who waits knows that already"
    news.tell("m", 4)
    news.tell("m", 6)
    newest, following = bell.heard()
    assert newest == 6
    assert not following.is_set()
    assert news.bell("m") is following
    news.tell("m")
    assert following.heard()[0] is None, "nobody says what happened: look"
    assert Bell().heard()[0] == -1


def test_the_store_is_not_asked_for_what_was_done_here(monkeypatch):
    with serving() as live, live.client() as client:
        match = client.create_match("frontier", "duel").id
        stream = client.watch(match, 0)
        heard = threading.Event()
        threading.Thread(target=lambda: (next(stream), heard.set()), daemon=True).start()
        while live.server.matches.watchers != 1:
            heard.wait(0.02)
        asked = []
        head = live.server.store.head
        monkeypatch.setattr(live.server.store, "head", lambda m: asked.append(m) or head(m))
        client.submit(match, 0, act("pass"))
        assert heard.wait(20)
        assert not asked


def test_a_refusal_of_something_long_is_made_quickly():
    """Counted in characters that are looked at one by one, not by the clock."""

    class Counted(str):
        __slots__ = ()
        looked = 0

        def __iter__(self):
            for one in super().__iter__():
                Counted.looked += 1
                yield one

        def __getitem__(self, part):
            return Counted(super().__getitem__(part))

        def __add__(self, other):
            return Counted(super().__add__(other))

    told = shortened(Counted("é" * 1_000_000))
    assert " ... " in told
    assert 0 < Counted.looked < 10_000
    assert did_you_mean("x" * 1_000_000, ["x"]) == ""
