"""The page of `crisis log --html` for everybody: headings and roles, contrast, the keyboard, paper, a long crisis."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import Player

from story.browser import Browser
from story.fights import fought

PALE = """(() => {
  const parts = (color) => color.match(/[0-9.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((part) => { const c = part / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; })
    .reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (one) => { for (; one; one = one.parentElement) {
    const color = parts(getComputedStyle(one).backgroundColor); if (color.length < 4 || color[3] === 1) return color; }
    return [255, 255, 255]; };
  const pale = [];
  for (const one of document.querySelectorAll('body *')) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())) continue;
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    if (!box.width || style.visibility === 'hidden' || one.closest('svg') || one.closest('.hidden')) continue;
    const [a, b] = [light(parts(style.color)), light(ground(one))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) pale.push([one.tagName, one.className, one.textContent.slice(0, 30), ratio]);
  }
  return pale; })()"""
"""Texts whose contrast with what is behind them is below 4.5."""
HEADINGS = "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((one) => Number(one.tagName[1]))"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The page of a fight on a map."""
    player, journal = fought(tmp_path, "step", 1)
    player.ok(f"log {journal} --html --with-journal --to fight.html")
    return tmp_path / "fight.html"


def tree(window: Browser) -> list[dict[str, Any]]:
    """What a screen reader is given: the role and the name of everything that is not ignored."""
    window.ask("Accessibility.enable")
    nodes = window.ask("Accessibility.getFullAXTree")["nodes"]
    return [
        {"role": one["role"]["value"], "name": one.get("name", {}).get("value", "")}
        for one in nodes
        if not one.get("ignored") and "role" in one
    ]


def test_a_screen_reader_finds_landmarks_headings_and_named_controls(path: Path, window: Browser) -> None:
    window.open(path, "#e5")
    nodes = tree(window)
    roles = [one["role"] for one in nodes]
    assert roles.count("main") == 1 and roles.count("banner") == 1 and "navigation" in roles
    named = ("button", "combobox", "slider", "meter", "link", "region", "navigation", "image", "table")
    assert [
        one for one in nodes if one["role"] in named and not one["name"].strip() and one["role"] != "table"
    ] == []
    levels = window.value(HEADINGS)
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels
    assert window.value("document.documentElement.lang") == "en"
    ids = window.value("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len({*ids})
    wanted = window.value(
        "[...document.querySelectorAll('[aria-labelledby]')].map((one) => one.getAttribute('aria-labelledby'))"
    )
    assert {*wanted} <= {*ids}
    heads = "[...document.querySelectorAll('th')].filter((one) => !one.scope).length"
    assert window.value(heads) == 0
    assert window.value("document.getElementById('said').getAttribute('aria-live')") == "polite"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_stands_out(path: Path, window: Browser, theme: str) -> None:
    window.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    window.open(path, "#e5")
    assert window.value(PALE) == []


@pytest.mark.parametrize("theme", ["auto", "dark"])
def test_on_paper_it_is_black_on_white(tmp_path: Path, path: Path, window: Browser, theme: str) -> None:
    (journal,) = tmp_path.glob("*.jsonl")
    Player(tmp_path).ok(f"log {journal.name} --html --theme {theme} --overwrite --to fight.html")
    window.ask(
        "Emulation.setEmulatedMedia",
        media="print",
        features=[{"name": "prefers-color-scheme", "value": "dark"}],
    )
    window.open(path)
    assert window.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert window.value(PALE) == []
    printed = window.ask("Page.printToPDF")["data"]
    assert len(printed) > 10_000


def press(window: Browser, key: str, code: int) -> None:
    """Press a key as a person does, wherever the focus is."""
    for kind in ("keyDown", "keyUp"):
        window.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)


def test_the_keyboard_alone_reaches_everything(path: Path, window: Browser) -> None:
    window.open(path)
    seen = []
    for _ in range(40):
        press(window, "Tab", 9)
        seen.append(window.value("document.activeElement.id || document.activeElement.tagName"))
    assert {"log", "first", "back", "play", "on", "last", "place", "rounds", "speed", "turn"} <= {*seen}, seen
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    window.value("document.getElementById('log').focus()")
    press(window, "Tab", 9)
    assert window.value(outline) != "none"
    press(window, "ArrowRight", 39)
    window.value("document.getElementById('on').focus()")
    press(window, "ArrowRight", 39)
    place = "document.getElementById('place').value"
    assert int(window.value(place)) >= 1
    assert window.value("document.activeElement.id") == "on", "a step takes the focus nowhere"


def test_with_reduced_motion_nothing_moves_by_itself(path: Path, window: Browser) -> None:
    window.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    window.open(path)
    moving = (
        "[...document.querySelectorAll('*')].filter((one) => { const style = getComputedStyle(one); return "
        "parseFloat(style.transitionDuration) > 0 || style.animationName !== 'none' || "
        "style.scrollBehavior === 'smooth'; }).length"
    )
    assert window.value(moving) == 0


def test_a_crisis_with_a_single_entry_has_a_page(fight: Player, window: Browser) -> None:
    fight.ok("log --html --to fight.html")
    window.open(fight.here / "fight.html")
    press(window, "End", 35)
    assert window.value("document.querySelector('[aria-current]').id") == "e1"
    assert not window.said("Runtime.exceptionThrown", "Log.entryAdded")


def test_five_thousand_entries_open_at_once(fight: Player, window: Browser) -> None:
    """The journal is that of one crisis whose notes are repeated: the numbers go on, the events stay true."""
    fight.ok("attack drone --dice 6,4,3")
    fight.ok("note The rain goes on.")
    lines = fight.journal.read_text("utf-8").splitlines()
    note = json.loads(lines[-1])
    del note["seal"]
    for number in range(4, 5_001):
        lines.append(json.dumps({**note, "entry": number}, separators=(",", ":")))
    fight.journal.write_text("\n".join(lines) + "\n", "utf-8")
    fight.ok("log --html --to fight.html")
    assert "5000 entries" in (fight.here / "fight.html").read_text("utf-8")
    begun = time.monotonic()
    window.open(fight.here / "fight.html", "#e4999")
    took = time.monotonic() - begun
    assert window.value("document.querySelector('[aria-current]').id") == "e4999"
    press(window, "ArrowRight", 39)
    assert window.value("document.querySelector('[aria-current]').id") == "e5000"
    loaded = window.value("performance.timing.domComplete - performance.timing.navigationStart")
    print(f"5,000 entries: {loaded} ms to load, {took:.2f} s with the browser")
