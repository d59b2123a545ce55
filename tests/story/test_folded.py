"""Fights told in brief: who fights, who falls and what happens is in it, with the numbers of the log."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import JOURNAL_OF_NOW, Player

from crisis_cli.engine.events import apply_all
from crisis_cli.engine.journal import Crisis
from crisis_cli.engine.life import is_life
from crisis_cli.engine.system import System
from crisis_cli.render.charts import minus
from crisis_cli.render.crowds import copies, plural, plural_verb, together, uncapitalized
from crisis_cli.render.folded import Folded
from crisis_cli.render.messages import stated
from crisis_cli.render.style import Ink

from .fights import EVERY, fought, read, seeds

HEAD = re.compile(r"Round \d+ ─")
CHANGE = re.compile(r"(−?\d+) → (−?\d+)")
WORN = re.compile(r"(Endurance|Non-lethal): [^.]+\.")
"""What hits take in a round beside life."""
FEWEST_LINES, MOST_LINES = 20, 60
FEWEST_WON, MOST_WON = 0.55, 0.85
SEEDS_OF_BUS = range(1, 61)
IN_SUITE = 10


def folded(crisis: Crisis, system: System, width: int = 80) -> list[str]:
    """The lines of a fight told in brief, without its opening and its end."""
    first, *entries = crisis.done
    teller = Folded(apply_all(crisis.start, first.events), system, Ink(), width)
    teller.begin_round()
    lines = [line for entry in entries if entry.intent.action != "end" for line in teller.lines(entry)]
    return [*lines, *teller.rest()]


def lives_changed(crisis: Crisis, system: System) -> list[tuple[str, str]]:
    """The values of lives before and after each entry and each beginning of a round, in the order of the log."""
    scene, found = apply_all(crisis.start, crisis.done[0].events), []
    for entry in crisis.done[1:]:
        parts: list[dict[tuple[str, str], tuple[int, int]]] = [{}]
        for event in entry.events:
            if event.what == "round" and not event.who:
                parts.append({})
            fighter = scene.fighters.get(event.who)
            if fighter and event.what in fighter.pools and is_life(system, fighter, event.what):
                was = parts[-1].get((event.who, event.what), (event.was, 0))[0]
                parts[-1][event.who, event.what] = was, event.now
        found += [(minus(was), minus(now)) for part in parts for was, now in part.values() if was != now]
        scene = apply_all(scene, entry.events)
    return found


@pytest.mark.parametrize("seed", [2, *seeds(0, 1), *seeds(2, 50)[2:]])
@pytest.mark.parametrize("name", EVERY)
def test_it_names_who_fights_who_falls_and_what_they_lose(tmp_path: Path, name: str, seed: int) -> None:
    fought(tmp_path, name, seed)
    crisis, system = read(tmp_path)
    lines = folded(crisis, system)
    text = " ".join(" ".join(lines).split())
    for base, some in copies(crisis.scene.fighters, crisis.scene).items():
        assert base in text or uncapitalized(plural(base)) in text, some
    assert sorted(CHANGE.findall(WORN.sub("", text))) == sorted(lives_changed(crisis, system))
    for loss in WORN.finditer(text):
        assert all(was != now for was, now in CHANGE.findall(loss[0]))
    if system.name == "3d6":
        assert WORN.search(text)
    for entry in crisis.done[1:-1]:
        for who, what, was, now, _ in entry.events:
            known = system.conditions.get(what.removeprefix("condition:"))
            if known and known.defeated and now and not was:
                assert re.search(f"{who} [^·│]*{stated(what.removeprefix('condition:'), True, system)}", text)
    assert all(len(line) <= 80 for line in lines)
    assert not any(HEAD.match(line) and HEAD.match(after) for line, after in pairwise(lines))
    assert lines == folded(crisis, system, 200)


@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=() if seed <= IN_SUITE else pytest.mark.long) for seed in SEEDS_OF_BUS],
)
def test_the_first_fight_of_a_new_player_is_short_and_tells_each_event(crisis: Player, seed: int) -> None:
    shown = crisis.ok(f"play bus --auto --seed {seed}")
    assert FEWEST_LINES <= len(shown.lines) <= MOST_LINES
    assert shown.lines[0] == "The last bus · d100 · Ines and Bruno"
    assert shown.lines[-1] == "Now you: crisis play bus"
    text = " ".join(shown.out.split())
    events = [one for one in crisis.ok(f"log {JOURNAL_OF_NOW} --json").records if one["action"] == "event"]
    assert events and all(one["text"] in text for one in events)
    told, _, _ = shown.out.partition("\n\nThe ")
    assert not told.splitlines()[-1].startswith("  "), "nothing is told after what ends the fight"
    for fall in re.finditer(r"  (\S+(?: \d)?) \d+ → 0, down", told):
        after = told[fall.end() :]
        assert "no longer down" in after or not re.search(rf"{fall[1]} (runs|closes|moves|keeps)", after)


@pytest.mark.long
def test_the_first_fight_of_a_new_player_is_won_more_often_than_not(crisis: Player) -> None:
    ends = [crisis.ok(f"play bus --auto --quiet --no-journal --seed {seed}").out for seed in SEEDS_OF_BUS]
    won = sum(end.startswith("players") for end in ends) / len(ends)
    assert FEWEST_WON <= won <= MOST_WON


def test_notes_what_the_gm_sets_and_who_comes_and_goes_are_told(crisis: Player) -> None:
    for line in (
        "init ines bruno --vs looter:2 marshal --open --seed 4",
        "note It is raining.",
        "set bruno health 3",
        "join looter",
        "leave looter-1",
        "leave looter-2 --surrender",
        "oracle 'Does the bus come?' --odds likely",
    ):
        crisis.ok(line)
    journal, system = read(crisis.here, crisis.journal.name)
    text = "\n".join(folded(journal, system))
    for said in (
        "It is raining.",
        "Health 18 → 3",
        "Looter joins the fight.",
        "Looter 1 leaves the fight.",
        "Looter 2 surrenders.",
        "Does the bus come? (likely",
    ):
        assert said in text


def test_what_a_reaction_stops_and_who_hits_back_is_told(crisis: Player) -> None:
    for fight, line, told in (
        (
            "ines --vs looter --open --apart 1 --seed 3",
            "attack ines --by looter --force --react block --dice 6,3,4,1",
            "Looter swings the machete at Ines: a hit, block stops 1  Ines 14 → 9",
        ),
        (
            "hagen --vs bandit --open --apart 1 --seed 5",
            "attack hagen --by bandit --force --answer hagen=attack --dice 1,1,1,1,5,5,1,1,1,1",
            "Bandit attacks Hagen with the club: a miss; Hagen hits back  Bandit wounds 0 → 1",
        ),
    ):
        crisis.ok(f"init {fight}")
        crisis.ok(line)
        assert told in "\n".join(folded(*read(crisis.here, crisis.journal.name)))
        crisis.ok("end --yes --no-save")


def test_of_several_shots_the_one_that_hits_is_told(crisis: Player) -> None:
    crisis.ok("init moss --vs raider --open --seed 4")
    crisis.ok("attack moss --shots 2 --dice 1,1,6,6,5,6 --force")
    lines = folded(*read(crisis.here, crisis.journal.name))
    assert lines[-1] == "Raider fires the carbine at Doc Moss: a hit, 2 extras  Doc Moss 30 → 24"


def test_the_whole_fight_is_told_on_request(crisis: Player) -> None:
    words = "play bus --auto --no-journal --seed 6"
    whole = crisis.ok(f"{words} --full").out
    side, rounds = crisis.ok(f"{words} --quiet").out.split()
    assert "Turn order\n" in whole and f"The {side} win after {rounds} rounds." in whole
    assert crisis.ok(f"{words} --explain").out.count("\n") > whole.count("\n")
    assert crisis.ok(f"{words} --reasons all").lines[-1] == whole.splitlines()[-1]


def test_going_on_begins_with_the_round(crisis: Player) -> None:
    crisis.ok("init ines --vs looter --open --seed 3")
    crisis.ok("auto")
    assert crisis.ok("play --auto --rounds 2").lines[0].startswith("Round 1 ")


def test_copies_are_named_together(crisis: Player) -> None:
    crisis.ok("init ines --vs looter:3 --open --seed 4")
    journal, system = read(crisis.here, crisis.journal.name)
    for names, expected in (
        (("Looter 1", "Looter 2", "Looter 3"), "all three looters"),
        (("Looter 1", "Looter 3"), "Looters 1 and 3"),
        (("Ines", "Looter 2"), "Ines and Looter 2"),
        (("Ines",), "Ines"),
    ):
        assert together(names, journal.scene, system) == expected


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("closes in on Ada", "close in on Ada"),
        ("tries stealth", "try stealth"),
        ("goes for Ada", "go for Ada"),
        ("rushes", "rush"),
        ("lies down", "lie down"),
        ("is away", "are away"),
    ],
)
def test_several_do_what_one_does(phrase: str, expected: str) -> None:
    assert plural_verb(phrase) == expected
