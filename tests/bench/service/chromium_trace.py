"""Processor time that Chromium spends, by its own trace; the clock runs for others too."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Spent", "traced"]

# What draws a page: its script, style, layout and paint; layers; tiles; the picture of the screen.
_MAIN = "CrRendererMain"
_TASK = "ThreadControllerImpl::RunTask"
_THREADS = {
    _MAIN: _TASK,
    "Compositor": _TASK,
    "VizCompositorThread": _TASK,
    "ThreadPoolForegroundWorker": "ThreadPool_RunTask",
}
_FRAME = "ProxyMain::BeginMainFrame"


@dataclass(slots=True)
class Spent:
    """What a stretch of a page's life took, in seconds of processor."""

    main: float = 0.0
    frames: list[float] = field(default_factory=list)
    """Each frame's, of all threads that draw it together."""


@contextmanager
def traced(browser: Any, page: Any) -> Iterator[Spent]:
    """Hears what is spent while the block runs; the answer is filled in at its end."""
    spent = Spent()
    browser.start_tracing(page=page, categories=["toplevel", "cc", "devtools.timeline"])
    try:
        yield spent
    finally:
        events = json.loads(browser.stop_tracing())["traceEvents"]
        _read(events, spent)


def _read(events: list[dict[str, Any]], spent: Spent) -> None:
    threads = {
        (e["pid"], e["tid"]): e["args"]["name"]
        for e in events
        if e["ph"] == "M" and e["name"] == "thread_name"
    }
    page = _busiest(events, threads)
    begins = sorted(e["ts"] for e in events if e["name"] == _FRAME and e["pid"] == page)
    spent.frames = [0.0] * len(begins)
    for event in events:
        thread = threads.get((event["pid"], event["tid"]), "")
        if event["ph"] != "X" or event["name"] != _THREADS.get(thread):
            continue
        if thread in (_MAIN, "Compositor") and event["pid"] != page:
            continue
        seconds = event.get("tdur", 0) / 1e6
        spent.main += seconds if thread == _MAIN else 0.0
        if begins:
            spent.frames[max(0, bisect_right(begins, event["ts"]) - 1)] += seconds


def _busiest(events: list[dict[str, Any]], threads: dict[tuple[int, int], str]) -> int:
    """The process of the page, among those that Chromium keeps ready."""
    used: dict[int, float] = {}
    for event in events:
        if threads.get((event["pid"], event["tid"])) == _MAIN and event["name"] == _TASK:
            used[event["pid"]] = used.get(event["pid"], 0) + event.get("tdur", 0)
    return max(used, key=lambda pid: used[pid], default=0)
