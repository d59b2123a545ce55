"""Parts of a crisis, by entry and by round, in every form of its story."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import Player

from crisis_cli.story.walk import steps
from story.browser import Browser
from story.fights import EVERY, fought, read
from story.test_lonelog import reading

FORMS = ("recap", "markdown", "lonelog", "html")
BODY = "document.body.outerHTML"


@pytest.mark.parametrize("form", FORMS)
def test_a_part_from_the_first_entry_on_is_the_whole(tmp_path: Path, form: str) -> None:
    player, journal = fought(tmp_path, "3d6", 1)
    whole = player.ok(f"log {journal} --{form}").out
    assert player.ok(f"log {journal} --{form} --since 1").out == whole
    assert player.ok(f"log {journal} --{form} --round 0-999").out == whole


@pytest.mark.parametrize("system", EVERY)
def test_the_rounds_together_tell_what_the_whole_tells(tmp_path: Path, system: str) -> None:
    player, journal = fought(tmp_path, system, 1)
    crisis, _ = read(tmp_path)
    rounds = list(dict.fromkeys(step.round for step in steps(crisis)))
    parts = [player.ok(f"log {journal} --markdown --round {number}").lines for number in rounds]
    items = [line for part in parts for line in part if re.match(r" *- |> ", line)]
    whole = player.ok(f"log {journal} --markdown").lines
    left = [line for line in whole if re.match(r" *- |> ", line)]
    assert left
    seen = set()
    for line in items:
        if left and line == left[0]:
            seen.add(left.pop(0))
        else:
            # A part gives the reason of a flight that began before it.
            assert line.startswith("  - ") and line.endswith(": badly hurt") and line in seen, line
    assert not left

    recaps = [
        player.ok(f"log {journal} --recap --json --round {number}").record["recap"] for number in rounds
    ]
    total = player.ok(f"log {journal} --recap --json").record["recap"]
    for at, one in enumerate(total["fighters"]):
        for key in ("attacks", "hits", "taken", "healed"):
            assert one[key] == sum(part["fighters"][at][key] for part in recaps if at < len(part["fighters"]))


@pytest.mark.parametrize("system", EVERY)
def test_a_reader_of_the_notation_begins_in_the_middle(tmp_path: Path, system: str) -> None:
    player, journal = fought(tmp_path, system, 1)
    status = player.ok(f"status --json --file {journal}").record
    part = reading(player.ok(f"log {journal} --lonelog --since 5").out)
    whole = reading(player.ok(f"log {journal} --lonelog").out)
    assert {*part.first} == {one["name"] for one in status["fighters"]}
    assert part.tags == whole.tags and part.is_closed
    records = player.ok(f"log {journal} --json --since 5").records
    assert len(part.rolls) == len([roll for one in records for roll in one["rolls"] if roll["faces"]])


def test_a_page_of_a_part_steps_through_it_alone(tmp_path: Path, window: Browser) -> None:
    player, journal = fought(tmp_path, "3d6", 1)
    player.ok(f"log {journal} --html --round 2-3 --to part.html")
    crisis, _ = read(tmp_path)
    numbers = [step.entry.number for step in steps(crisis) if step.round in (2, 3)]
    window.open(tmp_path / "part.html", f"#e{numbers[4]}")
    current = "(document.querySelector('[aria-current]') || {}).id"
    press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}));"
    assert window.value(current) == f"e{numbers[4]}"
    window.value(press % "End")
    assert window.value(current) == f"e{numbers[-1]}"
    last = window.value(BODY)
    window.value(press % "Home")
    assert window.value(current) is None
    for _ in numbers:
        window.value(press % "ArrowRight")
    assert window.value(BODY) == last
    assert not window.said("Runtime.exceptionThrown", "Log.entryAdded")


def test_a_page_without_odds_and_with_its_journal(tmp_path: Path) -> None:
    player, journal = fought(tmp_path, "3d6", 1)
    text = player.ok(f"log {journal} --html --no-odds --with-journal").out
    data = json.loads(re.findall(r'id="data">(.*?)</script>', text, re.S)[0])
    assert not any("odds" in step for step in data["steps"])
    with_odds = player.ok(f"log {journal} --html").out
    data = json.loads(re.findall(r'id="data">(.*?)</script>', with_odds, re.S)[0])
    assert any("odds" in step for step in data["steps"])
    (kept,) = re.findall(r"<pre>(.*?)</pre>", text, re.S)
    written = (tmp_path / journal).read_text("utf-8")
    assert (
        kept.replace("&quot;", '"')
        .replace("&#x27;", "'")
        .replace("&gt;", ">")
        .replace("&lt;", "<")
        .replace("&amp;", "&")
        == written
    )
    assert "<pre>" not in with_odds


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("--since 99 --markdown", 3, "no entry has the number 99; the last one is 1"),
        ("--round 99", 3, "no entry belongs to round 99; the last one is 1"),
        ("--round 3-2", 2, "'3-2' ends before it begins"),
        ("--round x", 2, "'x' is not a round"),
        ("--round 1 --since 2", 2, "--since and --round cannot go together"),
        ("--round 1 --follow", 2, "--follow and --round cannot go together"),
        ("--round 1 --script", 2, "--round and --script cannot go together"),
        ("--since 2 --script", 2, "--since and --script cannot go together"),
        ("--entry 2 --round 1", 2, "--round and --entry cannot go together"),
        ("--recap --follow", 2, "--follow and --recap cannot go together"),
        ("--lonelog --follow --since 2", 2, "--since and --follow cannot go together"),
        ("--no-odds", 2, "--no-odds is for --html"),
        ("--markdown --with-journal", 2, "--with-journal is for --html"),
        ("--to x.md", 2, "--to writes one of"),
    ],
)
def test_what_does_not_go_together(fight: Player, words: str, status: int, said: str) -> None:
    assert said in fight.refused(status, f"log {words}").err
