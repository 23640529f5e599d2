"""How much one caller, and all together, may ask for at a time."""

from __future__ import annotations

import time
from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hexmarshal.service.calls.statuses import exhausted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.service.settings import Settings

__all__ = ["Limits"]

REMEMBERED_CALLERS = 10_000
# How many calls of one machine may fail for want of a valid token: at once, and a second.
STRANGERS_BURST = 60.0
STRANGERS_RATE = 2.0


class _Account:
    """One caller's bucket: `burst` tokens at most, `rate` new ones a second."""

    __slots__ = ("active", "at", "left")

    def __init__(self, burst: float) -> None:
        self.left = burst
        self.at = time.monotonic()
        self.active = 0


class Limits:
    """Rate and number of calls; sizes are checked where things are read."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._accounts: OrderedDict[str, _Account] = OrderedDict()
        self.active = 0
        self._strangers: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._watching: dict[str, int] = {}

    def _account(self, caller: str) -> _Account:
        account = self._accounts.get(caller)
        if account is None:
            account = self._accounts[caller] = _Account(self._settings.burst)
            if len(self._accounts) > REMEMBERED_CALLERS:
                oldest = next(iter(self._accounts))
                if not self._accounts[oldest].active:
                    del self._accounts[oldest]
        return account

    def spend(self, caller: str, amount: float = 1.0) -> None:
        """Take from the caller's bucket; a message of a stream counts like a call."""
        settings = self._settings
        if settings.rate <= 0:
            return
        account = self._account(caller)
        now = time.monotonic()
        account.left = min(settings.burst, account.left + (now - account.at) * settings.rate)
        account.at = now
        if account.left < amount:
            wait = (amount - account.left) / settings.rate
            raise exhausted("rate", f"more than {settings.rate:g} calls a second", retry_after=wait)
        account.left -= amount

    def stranger(self, machine: str) -> None:
        """Count a call that nobody is let in for; refuse more of them than a mistake explains."""
        now = time.monotonic()
        left, at = self._strangers.pop(machine, (STRANGERS_BURST, now))
        left = min(STRANGERS_BURST, left + (now - at) * STRANGERS_RATE)
        self._strangers[machine] = (max(0.0, left - 1), now)
        if len(self._strangers) > REMEMBERED_CALLERS:
            self._strangers.popitem(last=False)
        if left < 1:
            wait = (1 - left) / STRANGERS_RATE
            raise exhausted("unauthenticated", "too many calls without a token", retry_after=wait)

    @contextmanager
    def knock(self, machine: str) -> Iterator[None]:
        """For as long as it takes to find out who somebody is; who is let in has lost nothing."""
        self.stranger(machine)
        yield
        left, at = self._strangers.get(machine, (STRANGERS_BURST, time.monotonic()))
        self._strangers[machine] = (min(STRANGERS_BURST, left + 1), at)

    @contextmanager
    def watch(self, caller: str) -> Iterator[None]:
        """For as long as one watches: that costs little and takes nobody's place."""
        settings = self._settings
        self.spend(caller)
        mine = self._watching.get(caller, 0)
        if sum(self._watching.values()) >= settings.max_watchers:
            raise exhausted("watchers", "too many watchers at once", retry_after=1)
        if mine >= settings.max_watchers_per_caller:
            most = settings.max_watchers_per_caller
            raise exhausted("watchers_per_caller", f"more than {most} watchers of yours at once")
        self._watching[caller] = mine + 1
        try:
            yield
        finally:
            self._watching[caller] -= 1
            if not self._watching[caller]:
                del self._watching[caller]

    @contextmanager
    def call(self, caller: str) -> Iterator[None]:
        """For as long as one call runs."""
        settings = self._settings
        account = self._account(caller)
        if self.active >= settings.max_concurrent_calls:
            raise exhausted("concurrent_calls", "too many calls at once", retry_after=0.1)
        if account.active >= settings.max_calls_per_caller:
            most = settings.max_calls_per_caller
            raise exhausted(
                "calls_per_caller", f"more than {most} calls of yours at once", retry_after=0.1
            )
        self.spend(caller)
        self.active += 1
        account.active += 1
        try:
            yield
        finally:
            self.active -= 1
            account.active -= 1
