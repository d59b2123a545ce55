"""What is shown can be read at once: sums add up, costs are named, sentences are whole, hints can be typed."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Player

import crisis_cli
from crisis_cli.render.reasons import ALL, BRIEF, NONE, waiting

from .conftest import ENTER, Evening

SOURCES = Path(crisis_cli.__file__).parent
TYPOGRAPHIC = ("style.py", "mdoc.py", "throws.py", "d100/rulebook.py")
"""Pages that may hold a typographic apostrophe: what writes it otherwise, and a text that journals hold."""
FIGHTS = {
    "3d6": ("jack", "drone:2", "drone-1 health 0", "move closer: jack move toward drone-2"),
    "step": ("vera", "raider:2", "raider-1 health -10", "attack raider-2"),
    "d100": ("ines", "looter:2", "looter-1 health 0", "attack looter-2"),
    "2d20": ("cass", "mutant:2", "mutant-1 condition:dead on", "attack mutant-2"),
    "d6pool": ("tilda", "bandit:2", "bandit-1 condition:dead on", "attack bandit-2"),
}
"""A fight in each system, what puts the first foe out of it, and what to type for the second one."""


def typed(*lines: str) -> str:
    return "".join(line + ENTER for line in lines)


@pytest.mark.parametrize("system", tuple(FIGHTS))
def test_an_attack_on_the_fallen_is_answered_with_the_line_for_one_who_stands(
    system: str, evening: Evening
) -> None:
    hero, foes, falls, way = FIGHTS[system]
    foe = foes.partition(":")[0]
    lines = (f"set {falls}", f"attack {foe}-1", f"odds attack {foe}-1")
    shown = evening(typed(*lines), words=f"play {hero} --vs {foes} --seed 3", answers=("",) * 4)
    errors = [" ".join(one.split()) for one in shown.err.split("error: ")[1:]]
    assert len(errors) == 2 and all("already" in one for one in errors)
    assert all(f"still stands: {way}" in one for one in errors)


def test_options_stay_in_the_line_for_one_who_stands(crisis: Player) -> None:
    crisis.ok("init ines --vs looter:2 --open --seed 1")
    crisis.ok("set looter-1 health 0")
    refused = crisis("attack looter-1 --mode auto --json").error
    assert "Looter 2 still stands: crisis attack looter-2 --mode auto" in refused["hint"]


def test_nobody_is_named_where_nobody_stands(crisis: Player) -> None:
    crisis.ok("init ines --vs looter --open --seed 1")
    crisis.ok("set looter health 0")
    assert "still stands" not in crisis("attack looter").err


def test_what_a_pool_cannot_take_is_part_of_the_sum(fight: Player) -> None:
    fight.ok("set drone health 3")
    shown = fight.ok("attack drone --dice 6,6,6")
    taken = next(one for one in fight.ok("log --json").records[-1]["effects"] if one["what"] == "health")
    parts = {one["name"]: one["value"] for one in taken["parts"]}
    assert (taken["was"], taken["now"]) == (3, 0) and parts["limit"] > 0
    whole = sum(value for name, value in parts.items() if name != "limit")
    assert whole + parts["limit"] == -3
    assert f"− {parts['limit']} beyond 0)" in shown.out


def test_healing_that_is_too_much_names_the_highest_value(fight: Player) -> None:
    fight.ok("set jack endurance 59")
    assert "Endurance 59 → 60 (12 heal − 11 beyond 60)" in fight.ok("heal jack --dice 6,6").out


def test_what_an_action_takes_from_a_thing_is_named(crisis: Player) -> None:
    crisis.ok("init ines --vs looter --open --seed 1")
    assert "12 →" not in (shown := crisis.ok("attack looter --mode semi").out)
    assert "2 rifle shots spent, 10 left" in shown


def test_the_number_of_an_entry_stands_before_words(fight: Player) -> None:
    fight.ok("next")
    fight.ok("next")
    shown = fight.ok("log")
    numbered = [line for line in shown.lines if line[:3].strip().isdigit()]
    assert "  3 Round 2 begins." in numbered
    assert all(line[3:].strip() for line in numbered)


@pytest.mark.parametrize(
    ("said", "level", "words"),
    [
        ({"key": "cornered", "cause": "hurt"}, BRIEF, ": it has nowhere to run (badly hurt)"),
        ({"key": "awaits"}, BRIEF, ": it lets them come"),
        ({"key": "nothing"}, BRIEF, ": it can do nothing now"),
        ({"key": "watches"}, BRIEF, ", ready to attack those who come"),
        ({"key": "awaits", "doctrine": "beast"}, ALL, ": beast: lets them come"),
        ({"key": "awaits"}, NONE, ""),
        ({"key": "attacks", "chance": 50}, BRIEF, ""),
    ],
)
def test_why_a_fighter_waits_is_one_sentence(said: dict[str, str], level: str, words: str) -> None:
    assert waiting(said, level) == words


def test_screens_have_one_kind_of_apostrophe() -> None:
    found = [
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*")
        if path.suffix in (".py", ".toml", ".md") and "’" in path.read_text(encoding="utf-8")
    ]
    assert [one for one in found if not one.endswith(TYPOGRAPHIC)] == []


def test_what_a_journal_calls_otherwise_is_shown_with_the_same_apostrophe(crisis: Player) -> None:
    shown = crisis.ok("check ines strength --vs looter strength")
    assert "resists Ines's strength" in shown.out and "’" not in shown.out
