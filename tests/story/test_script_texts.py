"""Whatever texts and names a journal holds: its script is a line for each entry that does the same, or is refused."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from conftest import Player, Sheets
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from crisis_cli.engine.journal import line
from crisis_cli.sheets.names import without_spacing

BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
"""What Python takes for the end of a line."""
SIGNS = f"{BREAKS}\t\0\x1b\x7f\x9b\xa0\u200b\u202e\ufeff\U000e0001 -'\"\\#!$`*?~;|&<>()[]{{}}=,:/._%^@+é竜🎲"
WORDS = (
    *("--to", "--thread", "--close 1", "--award", "--", "-", "-x", "--why=x", "--file", "--allow-files", "#"),
    *(
        "run x",
        "crisis",
        "note",
        "log --markdown --to x.md",
        "end --yes",
        "next",
        "order",
        "on",
        "off",
        "none",
    ),
    *("a\\", "'", '"', "it's", "a  b", " a", "a ", "\\", "!$", "act", "tension", "terrain", "me", "all", "1"),
)
TEXTS = st.lists(
    st.one_of(st.sampled_from(SIGNS), st.sampled_from(WORDS), st.text(min_size=1, max_size=4)),
    min_size=1,
    max_size=5,
).map("".join)
NAMES = (
    st.one_of(st.sampled_from(WORDS), st.text("aB -_'\"\\#!$é竜1.()/", min_size=1, max_size=8))
    .map(lambda name: "".join(sign for sign in name if sign not in ":,=").strip().lstrip("-").strip()[:20])
    .filter(lambda name: name.strip(" -_") != "" and name.isprintable())
)
MANY = settings(max_examples=25, deadline=None, suppress_health_check=[*HealthCheck], derandomize=True)


@contextmanager
def folder() -> Iterator[Player]:
    """A player in a folder of its own."""
    here = Path(tempfile.mkdtemp())
    try:
        yield Player(here)
    finally:
        shutil.rmtree(here)


def records(player: Player) -> list[dict[str, Any]]:
    """The lines of the journal."""
    return [json.loads(one) for one in player.journal.read_text("utf-8").split("\n") if one]


def told(entries: list[dict[str, Any]]) -> list[object]:
    """The entries of a journal, without what a script cannot give: when, and where the sheets are."""
    text = json.dumps([{**one, "seal": ""} for one in entries[1:]])
    found = json.loads(text)
    for entry in found:
        for record in (
            *entry["intent"]["options"].get("fighters", ()),
            *(event[3] for event in entry["events"] if event[1] == "fighter"),
        ):
            record.pop("file", None)
    return [*found]


def held_to(player: Player, lines: list[dict[str, Any]]) -> str:
    """Write a journal, and hold its script to what scripts are: a line for each entry that does the same. The script,
    empty where it is refused."""
    player.journal.write_text("".join(line({**one, "seal": ""}) for one in lines), "utf-8", newline="")
    shown = player("log --script")
    if shown.status:
        assert (shown.status, shown.out) == (3, ""), shown
        first, hint = shown.err.splitlines()
        assert (
            first.startswith("error: entry ") and "cannot be a line of a script" in first and "hint" in hint
        )
        return ""
    script = shown.out
    said = [one for one in script.splitlines() if one and not one.startswith("#")]
    assert len(said) == len(lines) - 1, script
    with folder() as other:
        if (player.here / "characters").exists():
            shutil.copytree(player.here / "characters", other.here / "characters")
        (other.here / "script.txt").write_text(script, "utf-8", newline="")
        ran = other("run script.txt --quiet")
        assert ran.status == 0, (ran.err, script)
        assert told(records(other)) == told(lines), script
    return script


@cache
def played() -> str:
    """The journal of a crisis in which somebody wrote: a note, reasons, a question."""
    with folder() as player:
        for words in (
            "init jack --vs drone:2 --open --seed 4",
            "note it rains",
            "set jack health 20 --why 'to be fair'",
            "set order drone-1,jack,drone-2 --why 'to be fair'",
            "attack drone-1 --by jack --force --why 'to be fair'",
            "oracle 'does it snow' --odds likely",
        ):
            player.ok(words)
        return json.dumps(records(player))


def with_text(was: str, now: str) -> list[dict[str, Any]]:
    """The journal, with another text in place of one."""
    head, *entries = json.loads(played().replace(json.dumps(was), json.dumps(now)))
    return [head, *entries]


@pytest.mark.slow
@pytest.mark.parametrize("was", ["it rains", "to be fair", "does it snow"])
@MANY
@given(text=TEXTS)
@example(text="a\nlog --markdown --to /tmp/x.md --overwrite")
@example(text="a\u2028b")
@example(text="--thread x")
@example(text="-- x")
def test_a_text_makes_one_line_or_none(was: str, text: str) -> None:
    with folder() as player:
        script = held_to(player, with_text(was, text))
    if not set(text) & set(BREAKS) and text == " ".join(text.split()):
        assert script, "what may be typed can be written"


@pytest.mark.parametrize("sign", BREAKS)
@pytest.mark.parametrize("was", ["it rains", "to be fair", "does it snow", "Drone 2"])
def test_a_line_break_is_refused(was: str, sign: str) -> None:
    with folder() as player:
        lines = with_text(was, f"{was}{sign}log --markdown --to evil.md")
        player.journal.write_text("".join(map(line, lines)), "utf-8", newline="")
        shown = player("log --script")
        assert shown.status in (3, 4) and shown.out == ""
        first, hint = shown.err.removesuffix("\n").split("\n")
        assert sign not in first + hint


@MANY
@given(name=TEXTS)
def test_a_name_that_no_sheet_gives_makes_one_line_or_none(name: str) -> None:
    lines = with_text("Drone 2", name)
    with folder() as player:
        player.journal.write_text("".join(line({**one, "seal": ""}) for one in lines), "utf-8", newline="")
        if player("status").status == 0:
            held_to(player, lines)


@pytest.mark.slow
@MANY
@given(hero=NAMES, foe=NAMES, weapon=NAMES, item=NAMES)
@example(hero="order", foe="terrain", weapon="on", item="none")
@example(hero="--vs".lstrip("-"), foe="it's", weapon="#", item="a\\")
def test_the_names_of_sheets_and_things_come_again(hero: str, foe: str, weapon: str, item: str) -> None:
    assume(without_spacing(hero) != without_spacing(foe))
    with folder() as player:
        sheets = Sheets(player.here / "characters")
        arms = {
            weapon: {"kind": "melee", "damage": 6, "crit": 4},
            f"{weapon} x": {"kind": "melee", "damage": 2},
        }
        values = {
            "name": hero,
            "system": "3d6",
            "weapons": arms,
            "items": {item: {"heals": {"endurance": 2}}},
        }
        sheets.write("one", tomli_w.dumps(values))
        sheets.write("two", tomli_w.dumps({**values, "name": foe, "player": False}))
        if player("init one --vs two:2 --open --seed 3").status:
            return
        for words in (
            ("attack", f"{foe} 1", "--by", hero, "--force", "--weapon", f"{weapon} x"),
            ("attack", hero, "--by", f"{foe} 2", "--force", "--weapon", weapon),
            ("heal", hero, "--by", hero, "--force", "--item", item),
            ("set", hero, "held", f"{weapon} x"),
            ("set", f"{foe} 1", f"cover:{hero}", "light"),
            ("set", hero, "health", "20"),
            ("set", "order", f"{foe} 2,{hero}"),
            ("act", hero, "draw", weapon, "--force"),
            ("leave", f"{foe} 2"),
            ("join", f"{foe} 2"),
            ("join", "--vs", "two"),
            ("auto", hero, "on"),
            ("next",),
        ):
            player(*words)
        held_to(player, records(player))
