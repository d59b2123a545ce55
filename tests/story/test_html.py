"""`crisis log --html`: one page that replays the fight, looked at in a headless browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest
from conftest import DRONE, Player

from crisis_cli.render.effects import labelled
from crisis_cli.story.walk import sentences, steps
from story.browser import Browser
from story.fights import EVERY, fought, read

PRESS = "document.dispatchEvent(new KeyboardEvent('keydown', {key: %r, shiftKey: %s, bubbles: true}));"
BODY = "document.body.outerHTML"
CURRENT = "document.querySelector('[aria-current]').id"
WIDEST = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
BOARD = """(() => { const shown = {};
  for (const one of document.querySelectorAll('.fighter')) {
    shown[one.querySelector('b').textContent.slice(2)] =
      [...one.querySelectorAll('.pool')].map((pool) => pool.textContent.replace('\\u2212', '-'));
  } return shown; })()"""


def made(folder: Path, system: str, seed: int = 1) -> Path:
    """The page of a fight."""
    player, journal = fought(folder, system, seed)
    player.ok(f"log {journal} --html --to fight.html")
    return folder / "fight.html"


@pytest.mark.parametrize("system", EVERY)
def test_a_page_is_small_and_loads_nothing(tmp_path: Path, system: str) -> None:
    text = made(tmp_path, system).read_text("utf-8")
    crisis, _ = read(tmp_path)
    assert len(text.encode()) < 90_000 * max(1, len(crisis.done) / 100)
    assert not re.search(r"(?:src|href)=\"(?!#)|url\(|@import|https?://", text.replace("'sha256-", ""))
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.S)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text and "default-src 'none'" in text


@pytest.mark.parametrize("system", EVERY)
def test_every_step_shows_the_board_as_it_was_and_the_way_back_ends_at_the_start(
    tmp_path: Path, window: Browser, system: str
) -> None:
    path = made(tmp_path, system)
    crisis, rules = read(tmp_path)
    window.open(path)
    first = window.value(BODY)
    for step in steps(crisis):
        window.value(PRESS % ("ArrowRight", "false"))
        board = window.value(BOARD)
        for name, one in step.after.fighters.items():
            for pool, value in one.pools.items():
                high = one.limits.get(pool, (0, None))[1]
                if high != 0 and pool.partition(":")[0] in rules.pools:
                    of = "" if high is None else f"/{high}"
                    report = [" ".join(each.split()) for each in board[name]]
                    assert any(each.startswith(f"{labelled(pool, rules)} {value}") for each in report), (
                        pool,
                        of,
                        report,
                    )
    assert window.value(CURRENT) == f"e{len(crisis.done)}"
    last = window.value(BODY)
    for _ in crisis.done:
        window.value(PRESS % ("ArrowLeft", "false"))
    assert window.value(BODY) == first != last
    window.value(PRESS % ("End", "false"))
    assert window.value(BODY) == last
    window.value(PRESS % ("Home", "false"))
    assert window.value(BODY) == first
    asked = {
        event["params"]["request"]["url"].partition("#")[0]
        for event in window.said("Network.requestWillBeSent")
    }
    assert asked == {path.as_uri()}
    assert not window.said("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 640)])
@pytest.mark.parametrize("system", EVERY)
def test_nothing_scrolls_sideways(
    tmp_path: Path, window: Browser, system: str, width: int, height: int
) -> None:
    path = made(tmp_path, system)
    window.open(path, "#e9", width, height)
    assert window.value(CURRENT) == "e9"
    assert window.value(WIDEST) <= width
    window.value(PRESS % ("End", "false"))
    assert window.value(WIDEST) <= width
    small = "[...document.querySelectorAll('button, select')].filter((one) => one.offsetHeight < 44).length"
    assert window.value(small) == 0


def test_without_scripts_and_on_paper_the_log_holds_every_sentence(tmp_path: Path, window: Browser) -> None:
    path = made(tmp_path, "3d6")
    crisis, rules = read(tmp_path)
    report = [line for step in steps(crisis) for line in sentences(step, rules)]
    window.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        window.open(path)
        window.ask("DOM.enable")
        root = window.ask("DOM.getDocument")["root"]["nodeId"]
        log = window.ask("DOM.querySelector", nodeId=root, selector="#log")["nodeId"]
        text = window.ask("DOM.getOuterHTML", nodeId=log)["outerHTML"]
    finally:
        window.ask("Emulation.setScriptExecutionDisabled", value=False)
    plain = re.sub(r"<[^>]+>", "\n", text).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    assert set(report) <= set(plain.split("\n"))
    window.open(path)
    shown = "['stage', 'controls'].map((id) => getComputedStyle(document.getElementById(id)).display)"
    assert window.value(shown) == ["grid", "flex"]
    window.ask("Emulation.setEmulatedMedia", media="print")
    assert window.value(shown) == ["none", "none"]
    assert window.value("getComputedStyle(document.getElementById('log')).overflowY") == "visible"
    window.ask("Emulation.setEmulatedMedia", media="")


CONTRAST = """(() => {
  const light = (color) => { const [r, g, b] = color.match(/[0-9.]+/g).map((part) => { const c = part / 255;
    return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const ground = light(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll('body, .soft, .fighter b, a, button')].map((one) => {
    const ink = light(getComputedStyle(one).color);
    return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05); });
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_palettes_can_be_read(tmp_path: Path, window: Browser, scheme: str) -> None:
    window.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    window.open(made(tmp_path, "step"))
    ground = window.value("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
    assert min(window.value(CONTRAST)) >= 4.5
    window.ask("Emulation.setEmulatedMedia", features=[])


def test_keys_and_controls(tmp_path: Path, window: Browser) -> None:
    path = made(tmp_path, "3d6")
    crisis, _ = read(tmp_path)
    turning = json.loads(re.findall(r'id="data">(.*?)</script>', path.read_text("utf-8"), re.S)[0])["turning"]
    window.open(path)
    window.value(PRESS % ("t", "false"))
    assert window.value(CURRENT) == f"e{turning[0]}"
    window.value(PRESS % ("Home", "false"))
    window.value(PRESS % ("ArrowRight", "true"))
    window.value(PRESS % ("ArrowRight", "true"))
    second = next(step for step in steps(crisis) if step.round == 2)
    assert window.value(CURRENT) == f"e{second.entry.number}"
    window.value(PRESS % ("ArrowLeft", "true"))
    assert window.value(CURRENT) == "e1"
    window.value("document.getElementById('on').click()")
    assert window.value("document.getElementById('place').value") == "2"
    assert window.value("document.getElementById('said').textContent") != ""
    unnamed = (
        "[...document.querySelectorAll('button, select, input, meter, svg')].filter((one) => "
        "!one.textContent.trim() && !one.getAttribute('aria-label')).length"
    )
    assert window.value(unnamed) == 0
    assert window.value("document.querySelectorAll('h1').length") == 1
    later = "new Promise((done) => setTimeout(() => done(location.hash), 300))"
    assert window.value(later) == "#e2"


def test_a_hostile_name_and_places_on_a_map(crisis: Player, window: Browser) -> None:
    folder = crisis.here / "characters"
    folder.mkdir(exist_ok=True)
    odd = "</script><img src>"
    (folder / "odd.toml").write_text(DRONE.replace('"Drone"', f'"{odd}"'), "utf-8")
    crisis.ok("init jack --vs odd --open --seed 3")
    crisis.ok("set jack at 0,0")
    crisis.ok("set", odd, "at", "3,4")
    crisis.ok("note", "</li><script>alert(2)</script>")
    crisis.ok("log --html --to fight.html")
    window.open(crisis.here / "fight.html", "#e4")
    assert window.value("document.querySelectorAll('img, li script').length") == 0
    assert odd in window.value("document.querySelector('h1').textContent")
    assert not window.said("Runtime.exceptionThrown", "Log.entryAdded", "Page.javascriptDialogOpening")
    assert window.value("document.querySelectorAll('#map g[visibility=visible]').length") == 2
