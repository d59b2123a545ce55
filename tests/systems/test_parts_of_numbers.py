"""Results add up: each change of a pool that dice bring about is the sum of its parts, over all cases."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from conftest import Player, Sheets

from crisis_cli import systems
from crisis_cli.conformance import casebook
from crisis_cli.engine.changes import parts_of
from crisis_cli.engine.events import Event
from crisis_cli.engine.record import Entry, Modifier, RollRecord
from crisis_cli.engine.scene import Scene
from crisis_cli.engine.wording import singular
from crisis_cli.render.data import effects
from crisis_cli.render.dice_lines import dice
from crisis_cli.render.effects import changes, sum_up
from crisis_cli.render.style import Ink

EXPLAINED = ("3d6", "step", "d100", "2d20", "d6pool")
"""The systems of which every number is explained."""


STEP_PARTS = {
    "Two shots at one target": (
        "Target health",
        [("rolled", -9, "STEP-28"), ("armour", 3, "STEP-29")],
    ),
    "Two shots of fixed damage": (
        "Target health",
        [("weapon", -10, "STEP-28"), ("circumstance", -2, "ALL-6"), ("armour", 4, "STEP-29")],
    ),
    "A shot that kills": (
        "Target health",
        [("weapon", -40, "STEP-28"), ("armour", 2, "STEP-29"), ("limit", 8, "STEP-32")],
    ),
    "Piercing 2 bypasses two": (
        "Vera health",
        [("weapon", -5, "STEP-28"), ("armour", 3, "STEP-29"), ("piercing", -2, "STEP-29")],
    ),
    "DR counts in full": ("Vera durability", [("blocked", -3, "STEP-29"), ("limit", 2, "STEP-29")]),
    "A hit that armour brings to 0": ("Vera nonlethal", [("stopped", 1, "STEP-30")]),
    "A dodge that leaves the blast": ("Raider nonlethal", [("dodged", 1, "STEP-30")]),
    "Only the helpless are executed": (
        "Raider health",
        [("rolled", -5, "STEP-28"), ("extra", -2, "STEP-28"), ("executed", -23, "STEP-16")],
    ),
    "Anyone who would be killed may be spared": (
        "Vera health",
        [("weapon", -40, "STEP-28"), ("spared", 16, "STEP-33")],
    ),
    "Non-lethal wounds heal twice as well": (
        "Vera nonlethal",
        [("treated", -2, "STEP-35"), ("extra", -2, "STEP-35")],
    ),
}
"""By the beginning of a case of step: what a change in it is made of."""


@pytest.mark.parametrize("name", EXPLAINED)
def test_every_change_by_dice_says_how_it_adds_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system, book = systems.load(name), casebook.books()[name]
    unexplained: list[Any] = []
    adds_up = casebook._adds_up

    def looked_at(scene: Scene, entry: Entry, at: str) -> None:
        adds_up(scene, entry, at)
        unexplained.extend((at, event) for event in casebook.unexplained(system, entry))

    monkeypatch.setattr(casebook, "_adds_up", looked_at)
    for case in book["case"]:
        casebook.run(system, book, case)
        assert not unexplained, case["what"]


@pytest.mark.parametrize("start", STEP_PARTS)
def test_harm_in_step_is_made_of_what_the_rules_name(start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    system, book = systems.load("step"), casebook.books()["step"]
    made: dict[str, list[Any]] = {}

    def looked_at(scene: Scene, entry: Entry, at: str) -> None:
        for event in entry.events:
            parts = [(part.name, part.value, part.rule) for part in parts_of(event)]
            made.setdefault(f"{event.who} {event.what}", []).append(parts)

    monkeypatch.setattr(casebook, "_adds_up", looked_at)
    casebook.run(system, book, next(case for case in book["case"] if case["what"].startswith(start)))
    changed, parts = STEP_PARTS[start]
    assert parts in made[changed]


def spoken(part: dict[str, Any], event: Event) -> set[str]:
    """The words of which one stands for a part of a change on the screen: a roll has the name of its dice, and what a
    pool cannot take that of the bound."""
    rolls = {one.roll for one in parts_of(event) if one.roll}
    by_name = {"rolled": {"rolled", *rolls}, "limit": {"beyond"}}
    own = {one.roll for one in parts_of(event) if one.name == part["name"] and one.roll}
    return by_name.get(part["name"], {part["name"], *own})


@pytest.mark.parametrize("name", EXPLAINED)
def test_what_is_printed_names_every_part_that_json_carries(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, book = systems.load(name), casebook.books()[name]
    adds_up, seen = casebook._adds_up, 0

    def looked_at(scene: Scene, entry: Entry, at: str) -> None:
        nonlocal seen
        adds_up(scene, entry, at)
        rolled = {one.what for one in entry.rolls}
        reported = iter(effects(entry.events, system))
        records = {(one["who"], one["what"], one.get("item")): one for one in reported}
        shown = "\n".join(changes(entry, scene, system, Ink(False)))
        for event in entry.events:
            what, _, item = event.what.partition(":")
            thing = item if system.is_of_thing(event.what) else None
            record = records.get((event.who.removeprefix("side:"), what if thing else event.what, thing))
            said = sum_up(event, rolled)
            if record is None or len(parts_of(event)) < 2 or not said:
                continue
            seen += 1
            if not (event.what in system.pools and system.pools[event.what].spent):
                assert said.strip(" ()") in shown, (at, said, shown)
            for part in record["parts"]:
                words = spoken(part, event)
                assert any(word in said for word in (*words, *map(singular, words))), (at, part, said)

    monkeypatch.setattr(casebook, "_adds_up", looked_at)
    for case in book["case"]:
        casebook.run(system, book, case)
    assert seen > 5


def test_the_second_die_of_an_implosion_stands_in_brackets() -> None:
    """STEP-5: a 1 is rolled again, and what then falls does not count."""
    system = systems.load("step")
    roll = RollRecord("attack", "Vera", "d6", ((6, 1), (6, 6)), {}, {"total": 2})
    assert dice(roll, [Modifier("attack", "skill", 1, "STEP-18")], system) == "[1 (6)] + 1 = 2"


DOSES = {
    "block": ("ines", 'block = "2d4-2"', "attack looter ines --react block --dice 1,4,4,3,1"),
    "dodge": ("ines", 'dodge = "2d6-3"', "attack looter ines --react dodge --dice 1,4,4,3,1"),
    "damage": ("looter", 'weapons.machete.damage = "2d4-1"', "attack looter ines --dice 1,4,4,3"),
    "heal": (
        "jack",
        'items.bandage.heals = { endurance = "2d6-2", health = "d6+1" }\nstate = { endurance = 9, health = 4 }',
        "heal jack --mod 1 --dice 1,2,5",
    ),
}
"""By the name of the roll: a sheet, an amount of dice with a flat part, and what rolls it with which dice."""


def added_up(record: dict[str, Any], roll: str) -> list[int]:
    """The flat parts of the rolls of a name, each of which must add up from its faces and modifiers."""
    rolls = [one for one in record["rolls"] if one["what"] == roll]
    flat = [sum(part["value"] for part in one["modifiers"]) for one in rolls]
    assert [one["total"] for one in rolls] == [
        sum(one["faces"]) + more for one, more in zip(rolls, flat, strict=True)
    ]
    for effect in record["effects"]:
        parts = effect.get("parts", ())
        assert not parts or sum(part["value"] for part in parts) == effect["now"] - effect["was"]
    return flat


@pytest.mark.parametrize("roll", DOSES)
def test_the_flat_part_of_dice_is_a_modifier_of_their_roll(tmp_path: Path, roll: str) -> None:
    stem, changed, line = DOSES[roll]
    player, sheets = Player(tmp_path), Sheets(tmp_path / "characters")
    player.ok(f"character copy {stem}")
    values = tomllib.loads(sheets.text(stem))
    for key, value in tomllib.loads(changed).items():
        values[key] = casebook.laid_over(values.get(key, {}), value) if isinstance(value, dict) else value
    sheets.write(stem, tomli_w.dumps(values))
    flat = added_up(player.ok(f"{line} --json").record, roll)
    assert flat == {"block": [-2], "dodge": [-3], "damage": [-1], "heal": [-1, 1]}[roll]
    shown = player.ok(line).out
    assert "(" not in shown[: shown.index("]") + 1].partition("[")[2]
    assert all(f"] {'−' if part < 0 else '+'} {abs(part)} =" in shown for part in flat), shown


def test_the_flat_part_of_dice_that_a_night_gives_back_is_a_modifier_for_each_pool(tmp_path: Path) -> None:
    player = Player(tmp_path)
    player.ok("campaign new Saltmarch jack")
    table, sheets = Player(tmp_path / "saltmarch"), Sheets(tmp_path / "saltmarch" / "characters")
    sheets.write("jack", sheets.text("jack") + "\n[state]\nendurance = 9\nhealth = 4\n")
    head = (table.here / "campaign.toml").read_text("utf-8")
    rule = '[rest]\nhealth = "2d4-1"\nendurance = "2d4+1"\n'
    (table.here / "campaign.toml").write_text(f"{head}\n{rule}", "utf-8")
    line = "rest --dice 4,1,4,1"
    assert added_up(table.ok(f"{line} --dry-run --json").record, "rest") == [-1, 1]
    shown = table.ok(line).out
    assert "[4 1] − 1 = 4" in shown and "[4 1] + 1 = 6" in shown
    assert table.ok("log story.jsonl --explain").out.count("flat") == 4
