"""A real browser for tests: Chromium without a window, driven over a pipe in its own protocol."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
)
# A browser that says nothing for so long has hung; how fast it is does not matter.
PATIENCE = 120.0


class BrowserError(Exception):
    """The browser refused a command, or went away."""


def chromium() -> str | None:
    """Where the browser is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with a profile of its own, gone afterwards."""
    path = chromium()
    assert path is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        own = Browser(path, profile)
        try:
            yield own
        finally:
            own.close()


class Browser:
    """The process: commands go in, answers and events come out."""

    def __init__(self, path: str, profile: str) -> None:
        inward, self._to = os.pipe()
        self._from, outward = os.pipe()
        # The browser reads from 3 and writes to 4, so nothing else may lie there before.
        theirs = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (inward, outward)]
        os.close(inward)
        os.close(outward)
        silent = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        actions: list[tuple[int, int, int]] = [
            (os.POSIX_SPAWN_DUP2, silent, 1),
            (os.POSIX_SPAWN_DUP2, silent, 2),
            (os.POSIX_SPAWN_DUP2, theirs[0], 3),
            (os.POSIX_SPAWN_DUP2, theirs[1], 4),
        ]
        arguments = [path, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._pid = os.posix_spawn(
            path, arguments, dict(os.environ), file_actions=actions, setpgroup=0
        )
        for end in (*theirs, silent):
            os.close(end)
        self._count = 0
        self._rest = b""
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, session: str = "", **params: object) -> dict[str, Any]:
        """A command, and its answer."""
        self._count += 1
        command: dict[str, Any] = {"id": self._count, "method": method, "params": params}
        if session:
            command["sessionId"] = session
        os.write(self._to, json.dumps(command).encode() + b"\0")
        while True:
            message = self.receive()
            if message.get("id") == self._count:
                if "error" in message:
                    raise BrowserError(f"{method}: {message['error']}")
                result: dict[str, Any] = message["result"]
                return result

    def receive(self) -> dict[str, Any]:
        """The next message; what is an event is kept."""
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], PATIENCE)
            data = os.read(self._from, 1 << 20) if ready else b""
            if not data:
                raise BrowserError("it has hung" if not ready else "it went away")
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message

    def close(self) -> None:
        """End it and everything that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        os.close(self._to)
        os.close(self._from)

    def page(self, path: Path, width: int, height: int, *, scheme: str = "light") -> Page:
        """A file, opened and loaded, on a screen of this size."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        opened = Page(self, target, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            opened.send(f"{domain}.enable")
        mobile = width < 600
        opened.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )
        feature = {"name": "prefers-color-scheme", "value": scheme}
        opened.send("Emulation.setEmulatedMedia", features=[feature])
        opened.send("Page.navigate", url=path.as_uri())
        opened.wait_for("Page.loadEventFired")
        return opened


class Page:
    """One tab."""

    def __init__(self, owner: Browser, target: str, session: str) -> None:
        self._owner, self._target, self._session = owner, target, session

    def send(self, method: str, **params: object) -> dict[str, Any]:
        """A command to the tab."""
        return self._owner.send(method, self._session, **params)

    def events(self, name: str) -> list[dict[str, Any]]:
        """What the tab has reported so far under this name."""
        return [
            event["params"]
            for event in self._owner.events
            if event["method"] == name and event.get("sessionId") == self._session
        ]

    def wait_for(self, name: str) -> None:
        """Until the tab reports it."""
        while not self.events(name):
            self._owner.receive()

    def run(self, script: str) -> Any:
        """The value of an expression."""
        answer = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise BrowserError(str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def box(self, selector: str) -> dict[str, float]:
        """Where on the page the first element is that the selector finds, brought into view."""
        found: dict[str, float] = self.run(
            f"""(() => {{
              const found = document.querySelector({json.dumps(selector)});
              found.scrollIntoView({{block: "center", behavior: "instant"}});
              const box = found.getBoundingClientRect();
              return {{
                x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height
              }};
            }})()"""
        )
        return found

    def click(self, selector: str) -> None:
        """With the mouse, on the middle of the first element that the selector finds."""
        x, y = self.run(
            f"""(() => {{
              const found = document.querySelector({json.dumps(selector)});
              found.scrollIntoView({{block: "center", behavior: "instant"}});
              const box = found.getBoundingClientRect();
              return [box.x + box.width / 2, box.y + box.height / 2];
            }})()"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def type(self, text: str) -> None:
        """Into what has the focus."""
        self.send("Input.insertText", text=text)
        self.settle()

    def press(self, key: str, code: int) -> None:
        """One key."""
        for kind in ("rawKeyDown", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code
            )
        self.settle()

    def settle(self) -> None:
        """Let what is queued happen, and be drawn."""
        frame = "new Promise(r => requestAnimationFrame(() => setTimeout(r)))"
        self.run(f"(async () => {{ await {frame}; await {frame} }})()")

    def screenshot(self, **clip: float) -> bytes:
        """What is seen, or a part of the whole page, as PNG."""
        params: dict[str, object] = {"format": "png", "captureBeyondViewport": bool(clip)}
        if clip:
            params["clip"] = {**clip, "scale": 1}
        return base64.b64decode(self.send("Page.captureScreenshot", **params)["data"])

    def pdf(self) -> bytes:
        """As it is printed."""
        return base64.b64decode(self.send("Page.printToPDF", printBackground=True)["data"])

    def complaints(self) -> list[str]:
        """Errors and warnings of the console, uncaught exceptions, dialogs."""
        said = [
            f"{event['type']}: {event['args']}"
            for event in self.events("Runtime.consoleAPICalled")
            if event["type"] in ("error", "warning", "assert")
        ]
        said += [str(e["exceptionDetails"]) for e in self.events("Runtime.exceptionThrown")]
        said += [str(e["entry"]) for e in self.events("Log.entryAdded")]
        said += [str(e) for e in self.events("Page.javascriptDialogOpening")]
        return said

    def requests(self) -> list[str]:
        """The addresses that were asked for."""
        return [event["request"]["url"] for event in self.events("Network.requestWillBeSent")]

    def close(self) -> None:
        """Close the tab."""
        self._owner.send("Target.closeTarget", targetId=self._target)
