"""Colours say whose good a change is, marks and words say it without them; what has been said is not said again."""

from __future__ import annotations

import re

import pytest
from conftest import Player, Sheets

PARTIES = {
    "3d6": ("jack", "drone"),
    "step": ("moss", "raider"),
    "d100": ("ines", "looter"),
    "2d20": ("cass", "mutant"),
    "d6pool": ("hagen", "bandit"),
}
STYLE = re.compile(r"\x1b\[[0-9;]*m")
MARKED = re.compile(r"\x1b\[(\d+)m([▼▲†]) ")
GOOD, BAD, BOLD, DIM = "32", "31", "1", "2"


def colour_of(words: str, shown: str) -> str:
    """The colour in which a screen shows some words."""
    return re.findall(rf"\x1b\[(\d+)m{words}", shown)[-1]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 40))])
@pytest.mark.parametrize(
    "system", [name if name != "step" else pytest.param(name, marks=pytest.mark.long) for name in PARTIES]
)
def test_marks_say_all_that_colours_say(crisis: Player, system: str, seed: int) -> None:
    """From a line without its colours follow those of its marks: by the mark, and the side of whom it is about."""
    own, foe = PARTIES[system]
    crisis(f"play {own} --vs {foe} --auto --quiet --seed {seed}")
    (journal,) = crisis.here.glob("crisis-*.jsonl")
    coloured = crisis.ok(f"--color log {journal.name}").lines
    assert [STYLE.sub("", line) for line in coloured] == crisis.ok(f"--no-color log {journal.name}").lines
    marks = 0
    for line in coloured:
        for style, mark in MARKED.findall(line):
            is_own = foe not in STYLE.sub("", line).lower()
            assert style == (GOOD if (mark == "▲") == is_own else BAD), line
            marks += 1
    assert marks == len(re.findall("[▼▲†] ", "".join(coloured))) > 0


@pytest.mark.parametrize(
    ("line", "words", "style"),
    [
        ("attack drone --dice 6,4,3", "a hit", GOOD),
        ("attack drone --dice 1,1,1", "a miss", DIM),
        ("attack jack --by drone --dice 6,6,5", "a hit", BAD),
        ("attack jack --by drone --dice 1,1,1", "a miss", GOOD),
        ("attack ada --by jack --dice 6,6,5", "a hit", BAD),
        ("set drone health 3", "▼ Health", GOOD),
        ("set jack health 3", "▼ Health", BAD),
        ("set jack health 0", "† Jack is dead", BAD),
    ],
)
def test_green_is_good_for_ones_own_side(crisis: Player, line: str, words: str, style: str) -> None:
    crisis.ok("init jack ada --vs drone --open --seed 3 --apart 0")
    if "--by" in line:
        line += " --force"
    assert colour_of(words, crisis.ok(f"--color {line}").out) == style


def test_what_heals_a_foe_is_bad(crisis: Player) -> None:
    crisis.ok("init ines --vs looter:2 --open --seed 3 --apart 0")
    crisis.ok("set looter1 health 4")
    shown = crisis.ok("--color heal looter1 --by looter2 --force --dice 1").out
    assert colour_of("▲ Health", shown) == BAD


def test_nothing_is_good_or_bad_for_somebody_who_watches(crisis: Player, sheets: Sheets) -> None:
    text = sheets.text("drone").replace('name = "Drone"', 'name = "Wolf"')
    sheets.write("wolf", 'team = "wolves"\n' + text)
    crisis.ok("init drone wolf --open --seed 3")
    shown = crisis.ok("--color attack wolf --by drone --force --dice 6,6,5").out
    assert {colour_of("a hit", shown), colour_of("▼ Endurance", shown)} == {BOLD}
    assert "AP left)" in shown, "nobody is on another side"


def test_marks_have_their_signs_in_ascii(crisis: Player) -> None:
    crisis.ok("init jack --vs drone --open --seed 3")
    shown = "".join(crisis.ok(f"set jack health {left}", encoding="ascii").out for left in (3, 9, 0))
    assert "v Health 30 -> 3" in shown and "^ Health 3 -> 9" in shown and "x Jack is dead." in shown


def test_actions_left_are_those_of_ones_own_fighters(crisis: Player) -> None:
    crisis.ok("init jack --vs drone --open --seed 18 --apart 0")
    assert "(2 AP left)" in crisis.ok("attack drone").out
    crisis.ok("next")
    assert "left)" not in crisis.ok("attack jack").out
    spent = {one["what"]: one["now"] for one in crisis.ok("log 4 --json").record["effects"]}
    assert spent["ap"] == 2, "programs are told"


def test_a_usual_gain_is_not_told(crisis: Player) -> None:
    crisis.ok("init vera --vs raider --open --seed 3")
    assert "AP" not in crisis.ok("next").out
    crisis.ok("set raider ap 0")
    assert "AP 0 → 4: Raider" in crisis.ok("set raider ap 4").out


def test_why_somebody_is_skipped_is_said_once(crisis: Player) -> None:
    crisis.ok("init hagen tilda --vs bandit --open --seed 5")
    for _ in range(2):
        crisis.ok("set tilda condition:asleep on")
        turns = [crisis.ok("next") for _ in range(5)]
        assert sum("Tilda is skipped: asleep." in shown.out for shown in turns) == 1
        crisis.ok("set tilda condition:asleep off")
        while "Tilda's turn" not in crisis.ok("next").out:
            pass
        crisis.ok("next")
    assert crisis.journal.read_text("utf-8").count('["Tilda","asleep"]') > 2


@pytest.mark.parametrize(
    ("wounds", "bar"),
    [(0, "wounds ███████ unhurt"), (3, "█████░░ 3 of 10 wounds"), (10, "░░░░░░░ 10 of 10 · dying")],
)
def test_a_full_bar_is_good_everywhere(crisis: Player, wounds: int, bar: str) -> None:
    crisis.ok("init hagen --vs bandit --open --seed 5")
    if wounds:
        crisis.ok(f"set hagen wounds {wounds}")
    hagen = crisis.ok("status").out.partition("Bandit")[0]
    assert bar in hagen and hagen.count("dying") == (wounds == 10)
