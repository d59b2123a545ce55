"""A headless Chromium, driven over the pipe of its DevTools protocol."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from conftest import needs_program

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
DEADLINE = 60


class Browser:
    """One page of a browser."""

    def __init__(self, into: int, out: int):
        self.into, self.out = into, out
        self.events: list[dict[str, Any]] = []
        self.number, self.buffer = 0, b""
        self.session = self.target = ""

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a command of the protocol; the events until then are kept."""
        self.number += 1
        record: dict[str, Any] = {"id": self.number, "method": method, "params": params}
        if self.session:
            record["sessionId"] = self.session
        os.write(self.into, json.dumps(record).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.buffer:
            more = os.read(self.out, 1 << 20)
            assert more, "the browser has ended"
            self.buffer += more
        text, _, self.buffer = self.buffer.partition(b"\0")
        answer: dict[str, Any] = json.loads(text)
        return answer

    def begin(self) -> None:
        """Open an empty page."""
        self.target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")

    def end(self) -> None:
        """Close the page, with all that was set for it."""
        self.session = ""
        self.ask("Target.closeTarget", targetId=self.target)
        self.events.clear()

    def open(self, path: Path, fragment: str = "", width: int = 1280, height: int = 800) -> None:
        """Show a file in a window of a size."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        for url in ("about:blank", path.as_uri() + fragment):
            self.events.clear()
            self.ask("Page.navigate", url=url)
            while not self.said("Page.loadEventFired"):
                self.events.append(self._next())

    def value(self, expression: str) -> Any:
        """The value of an expression in the page."""
        report = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in report, report
        return report["result"].get("value")

    def said(self, *methods: str) -> list[dict[str, Any]]:
        """The events of these kinds since the page was opened."""
        return [event for event in self.events if event.get("method") in methods]


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser with a profile of its own and no page yet, ended at the end."""
    path = needs_program(*PROGRAMS)
    (theirs_in, into), (out, theirs_out) = os.pipe(), os.pipe()

    def wired() -> None:
        # The protocol speaks on the descriptors 3 and 4.
        high_in, high_out = os.dup2(theirs_in, 103), os.dup2(theirs_out, 104)
        os.dup2(high_in, 3)
        os.dup2(high_out, 4)

    started = subprocess.Popen(
        [
            path, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--disable-dev-shm-usage",
            f"--user-data-dir={folder / 'profile'}", "about:blank",
        ],
        preexec_fn=wired, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder)},
    )  # fmt: skip
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        yield Browser(into, out)
    finally:
        started.terminate()
        started.wait(DEADLINE)
        os.close(into)
        os.close(out)
