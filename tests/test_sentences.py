"""What is said in generated fights of all systems is said well: articles, numbers, rounds, nothing twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Player

from crisis_cli import systems
from crisis_cli.engine.changes import Part, explained
from crisis_cli.engine.events import Event
from crisis_cli.engine.record import Entry
from crisis_cli.engine.scene import Intent, Scene
from crisis_cli.engine.wording import measured, with_a, with_the
from crisis_cli.errors import FileError
from crisis_cli.render.effects import changes
from crisis_cli.render.messages import changed_by
from crisis_cli.render.reasons import reason
from crisis_cli.render.style import Ink
from crisis_cli.sheets.files import read_bytes

FIGHTS = {
    "3d6": "jack ada --vs drone:3",
    "step": "vera moss --vs raider:3",
    "d100": "ines bruno --vs looter:3",
    "2d20": "cass doc --vs mutant:3",
    "d6pool": "hagen tilda --vs bandit:3",
}
ENCOUNTERS = ("ford", "station", "bridge", "clinic")
FAULTS = {
    "a word twice": re.compile(r"\b([A-Za-z]+) \1\b"),
    "two articles": re.compile(r"\b(?:the|an?) (?:the|an?)\b", re.IGNORECASE),
    "a before a vowel": re.compile(r"\b[Aa] (?!one\b|uni|use)[aeiou]\w*|\b[Aa] (?:8|11|18)\b"),
    "an before a consonant": re.compile(r"\b[Aa]n (?!hour|honest)[b-df-hj-np-tv-z]\w*"),
    "one of many": re.compile(
        r"(?<![\w.,:→/-])[−+]?1 (?:[a-z-]+ ){0,2}(?:wounds|rounds|shots|tiles|zones|dice|re-rolls|[aA]ctions|uses"
        r"|hits|criticals|effects|successes|boosts|magazines|points)\b"
    ),
    "the fallen once more": re.compile(r"is skipped: (?:dead|dying|down)\b"),
}


def told(crisis: Player, words: str) -> list[str]:
    """All that is said of a fight that plays itself, and what is told of it afterwards."""
    played = crisis(f"play {words} --auto --reasons all")
    assert played.status == 0
    (journal,) = crisis.here.glob("crisis-*.jsonl")
    more = [crisis.ok("log", journal.name, *how).out for how in ((), ("--recap",))]
    journal.unlink()
    return "".join((played.out, *more)).splitlines()


def faults(lines: list[str]) -> list[tuple[str, str]]:
    return [(what, line) for line in lines for what, fault in FAULTS.items() if fault.search(line)]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "system", [name if name == "3d6" else pytest.param(name, marks=pytest.mark.slow) for name in FIGHTS]
)
def test_generated_fights_are_told_well(crisis: Player, system: str, seed: int) -> None:
    assert faults(told(crisis, f"{FIGHTS[system]} --seed {seed}")) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ENCOUNTERS)
def test_encounters_are_told_well(crisis: Player, name: str) -> None:
    assert faults(told(crisis, f"--encounter {name} --seed 1")) == []


def test_the_faults_that_are_looked_for_are_found() -> None:
    said = [
        "heads for the the stair",
        "a encounter has",
        "an wall",
        "+1 re-rolls",
        "Guard 1 is skipped: dead.",
    ]
    assert {line for _, line in faults(said)} == {*said}
    assert faults(["an encounter has", "a wall", "+1 re-roll", "31 rounds", "an 8, a 7"]) == []


@pytest.mark.parametrize(
    ("name", "indefinite", "definite"),
    [
        ("stair", "a stair", "the stair"),
        ("the stair", "the stair", "the stair"),
        ("An old door", "An old door", "An old door"),
        ("that side", "that side", "that side"),
        ("Her tower", "Her tower", "Her tower"),
        ("Ada's cart", "Ada's cart", "Ada's cart"),
        ("smith's forge", "a smith's forge", "the smith's forge"),
        ("thatched roof", "a thatched roof", "the thatched roof"),
        ("encounter", "an encounter", "the encounter"),
        ("3d6", "a 3d6", "the 3d6"),
        ("8", "an 8", "the 8"),
        ("18", "an 18", "the 18"),
        ("180", "a 180", "the 180"),
        ("unit", "a unit", "the unit"),
    ],
)
def test_articles(name: str, indefinite: str, definite: str) -> None:
    assert (with_a(name), with_the(name)) == (indefinite, definite)


@pytest.mark.parametrize(
    ("by", "label", "said"),
    [
        (-1, "re-rolls", "−1 re-roll"),
        (-2, "re-rolls", "−2 re-rolls"),
        (1, "bonus dice", "+1 bonus die"),
        (1, "Luck", "+1 Luck"),
    ],
)
def test_a_change_of_one_is_in_the_singular(by: int, label: str, said: str) -> None:
    assert changed_by(by, label) == said


@pytest.mark.parametrize(
    ("unit", "one"),
    [
        ("action points", "action point"),
        ("swigs of rum", "swig of rum"),
        ("dice of luck", "die of luck"),
        ("rounds in the magazine", "round in the magazine"),
        ("injuries", "injury"),
        ("torches", "torch"),
        ("classes", "class"),
        ("lives", "life"),
        ("ties", "tie"),
        ("stress", "stress"),
        ("bonus", "bonus"),
        ("m/s", "m/s"),
    ],
)
def test_only_the_noun_of_a_unit_is_made_singular(unit: str, one: str) -> None:
    assert measured(1, unit) == f"1 {one}"
    assert measured(2, unit) == f"2 {unit}"


@pytest.mark.parametrize("place", ["stair", "the stair"])
@pytest.mark.parametrize("key", ["heads-for", "holds-place"])
def test_a_place_has_one_article(key: str, place: str) -> None:
    said = reason({"key": key, "place": place})
    assert "the stair" in said and "the the" not in said


@pytest.mark.parametrize(("what", "said"), [("encounter", "an encounter is"), ("sheet", "a sheet is")])
def test_a_folder_in_place_of_a_file(tmp_path: Path, what: str, said: str) -> None:
    with pytest.raises(FileError) as error:
        read_bytes(str(tmp_path), "x", 10, what, "not_a_file")
    assert said in error.value.hint


def test_rounds_are_counted_one_way(crisis: Player) -> None:
    """An event that ends a fight after a round is not in the round that would have begun."""
    encounter = crisis.here / "encounters" / "gate.toml"
    encounter.parent.mkdir()
    encounter.write_text(
        'name = "Gate"\nsystem = "3d6"\n[party]\nsheets = ["jack"]\n[[fighter]]\nsheet = "drone"\n'
        '[[event]]\nafter = 1\nwins = "players"\ntext = "Over."\n'
    )
    crisis.ok("init --encounter gate --open --seed 1")
    while "players win" not in (status := crisis.ok("status").out):
        crisis.ok("next")
    ended = crisis.ok("end --yes").out
    assert "Round 1 · decided: players win" in status and "after 1 round." in ended


@pytest.mark.parametrize("fight", ["jack --vs drone:3", "jack ada --vs drone", "jack --vs drone ada"])
def test_harm_is_told_in_the_order_of_the_pools(crisis: Player, fight: str) -> None:
    lines = [
        line for line in crisis(f"play {fight} --auto --seed 3 --full").out.splitlines() if "  harm " in line
    ]
    order = ["Endurance", "Health", "armour"]
    named = [re.findall("|".join(order), line) for line in lines]
    assert len(named) == 2 and any(len(pools) > 1 for pools in named)
    assert all(pools == [one for one in order if one in pools] for pools in named)


@pytest.mark.parametrize(
    ("pool", "was", "now", "how"),
    [
        ("health", 8, 7, "▼ Health 8 → 7 (the wound got worse)"),
        ("health", 7, 8, "▲ Health 7 → 8 (1 rest)"),
        ("nonlethal", 5, 0, "▲ non-lethal 5 → 0 (5 rest)"),
        ("nonlethal", 0, 5, "▼ non-lethal 0 → 5 (the wound got worse)"),
    ],
)
def test_only_harm_in_a_night_is_a_wound_that_got_worse(pool: str, was: int, now: int, how: str) -> None:
    night = explained(Event("Vera", pool, was, now, "STEP-37"), (Part("rest", now - was, "STEP-37"),))
    entry = Entry(1, Intent("natural-healing", "Vera", ("Vera",)), events=(night,))
    assert list(changes(entry, Scene("step", {}), systems.load("step"), Ink(False))) == [f"Vera  {how}"]
