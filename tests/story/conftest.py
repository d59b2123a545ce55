"""A browser for all tests of stories, with a new page for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from story.browser import Browser, browser


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser is too slow for the fast lane."""
    for item in items:
        if "window" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The browser, started once."""
    with browser(tmp_path_factory.mktemp("browser")) as found:
        yield found


@pytest.fixture
def window(chromium: Browser) -> Iterator[Browser]:
    """An empty page of it."""
    chromium.begin()
    yield chromium
    chromium.end()
