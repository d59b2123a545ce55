"""`crisis log --lonelog`: a reader that knows the notation alone rebuilds the fight from it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from conftest import DRONE, JOURNAL_OF_NOW, Player

from story.fights import EVERY, fought, seeds

TAG = re.compile(r"\[(PC|N|F):([^\[\]]*)\]")
LINE = re.compile(
    r"(?P<blank>)$|(?P<open>\[COMBAT\])$|(?P<close>\[/COMBAT\])$|(?P<scene>S\d+ \*.+\*)$|(?P<note>\(note: .*\))$"
    r"|(?P<tag>\[(?:PC|N|F):[^\[\]]*\])$"
    r"|Rd(?P<round>\d+)(?: \(Init: (?P<init>[^()]*)\)| Roster: (?P<roster>.*))?$"
    r"|@(?P<actor>\([^()]*\))? (?P<deed>.+)$|d: (?P<roll>.+)$|=> (?P<change>.+)$"
    r"|(?P<speech>(?:PC|N) \([^()]*\): .+)$|(?P<prose>[^@?(\[#=].*)$"
)
ROLL = re.compile(
    r"(?P<what>.+?) (?P<dice>\S+): \[(?P<faces>[^\]]*)\](?P<added>[+-]\d+)? = (?P<result>-?\d+)"
    r"(?: vs (?P<target>-?\d+)(?P<how> or less| or more)?)?(?: -> (?P<outcome>.+))?$"
)


@dataclass
class Read:
    """What a reader of the notation knows of a fight."""

    rounds: list[int] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    """The names of the tags before the first round."""
    tags: dict[str, list[str]] = field(default_factory=dict)
    """The last fields of each fighter."""
    rolls: list[re.Match[str]] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    is_closed: bool = False


def tags(text: str) -> Iterator[tuple[str, list[str]]]:
    for found in TAG.finditer(text):
        name, *fields = found[2].split("|")
        yield name, fields


def numbers(fields: list[str]) -> dict[str, int]:
    """The first number of each field by its words: `Health 13/30` is 13 of Health."""
    found = (re.fullmatch(r"(.+) (-?\d+)(?:/-?\d+)?", one) for one in fields)
    return {one[1]: int(one[2]) for one in found if one}


def reading(text: str) -> Read:
    """What the lines say; fails at a line that is no notation."""
    read, opened = Read(), 0
    for line in text.splitlines():
        found = LINE.match(line)
        assert found, line
        kind = {key: value for key, value in found.groupdict().items() if value is not None}
        if "open" in kind:
            opened += 1
        elif "close" in kind:
            read.is_closed = True
        elif "round" in kind:
            read.rounds.append(int(kind["round"]))
        elif "roll" in kind:
            rolled = ROLL.fullmatch(kind["roll"])
            assert rolled, line
            follows(rolled)
            read.rolls.append(rolled)
        elif "change" in kind:
            changed(read, kind["change"])
        elif "note" in kind:
            read.notes.append(line)
        elif "prose" in kind or "speech" in kind:
            read.prose.append(line)
        for name, fields in tags(line):
            if not read.rounds:
                read.first.append(name)
            read.tags[name] = fields
    assert opened == 1
    return read


def changed(read: Read, change: str) -> None:
    """Each `a→b` starts from the last tag's value and ends in the new tag's."""
    name, colon, words = change.partition(": ")
    if not colon or name not in read.tags:
        return
    before = numbers(read.tags[name])
    ((_, fields),) = tags(words)
    after = numbers(fields)
    for label, was, now in re.findall(r"(?:^|, )([^,\[\]]+?) (-?\d+)→(-?\d+)", words):
        assert before.get(label, int(was)) == int(was), change
        assert after.get(label, int(now)) == int(now), change


def follows(roll: re.Match[str]) -> None:
    """The result follows from the faces, what is added and the target."""
    faces, dice, result = roll["faces"].split(", "), roll["dice"], int(roll["result"])
    if "C" in dice:
        return
    if "<=" in dice:
        target = int(dice.split("<=")[1])
        kept = [face for face in faces if not face.endswith("r")]
        assert sum(face.count("*") for face in kept) == result, roll[0]
        for face in kept:
            assert ("*" in face) == (int(face.strip("*_")) <= target), roll[0]
    elif ">=" in dice:
        is_critical = "critical" in (roll["outcome"] or "")
        assert sum(bool("*" in face) if is_critical else face.count("*") for face in faces) == result, roll[0]
        if "+" not in dice:
            target = int(dice.split(">=")[1])
            assert all(("*" in face) == (int(face.strip("*")) >= target) for face in faces), roll[0]
    else:
        values = list(map(int, faces))
        added = int(roll["added"] or 0)
        sides = re.match(r"1?d(\d+)", dice)
        if "kl1" in dice or "kh1" in dice:
            assert result == (min(values) if "kl1" in dice else max(values))
        elif sides and len(values) > 1 and "!!" not in dice and "+d" not in dice:
            assert result - added == (sum(values) if values[0] == int(sides[1]) else values[0]), roll[0]
        else:
            assert result - added == sum(values), roll[0]


@pytest.mark.parametrize("seed", seeds(1, 20))
@pytest.mark.parametrize("system", EVERY)
def test_a_reader_of_the_notation_rebuilds_the_fight(tmp_path: Path, system: str, seed: int) -> None:
    player, journal = fought(tmp_path, system, seed)
    read = reading(player.ok(f"log {journal} --lonelog").out)
    records = player.ok(f"log {journal} --json").records
    status = player.ok(f"status --json --file {journal}").record
    header = json.loads((tmp_path / journal).read_text("utf-8").splitlines()[0])
    assert read.first == [one["name"] for one in header["fighters"]]
    assert read.rounds == list(range(read.rounds[0], status["round"] + 1))
    rolls = [roll for record in records for roll in record["rolls"]]
    assert len(read.rolls) == len(rolls)
    for mine, roll in zip(read.rolls, rolls, strict=True):
        assert int(mine["result"]) == roll.get("successes", roll.get("total")), mine[0]
        if "values" not in roll and "parts" not in roll:
            assert [int(face.strip("*_r")) for face in mine["faces"].split(", ")] == roll["faces"]
    assert read.is_closed
    from crisis_cli.systems import load

    labels = load(system).pools
    for fighter in status["fighters"]:
        report = numbers(read.tags[fighter["name"]])
        for pool, value in fighter["pools"].items():
            if pool in labels and not labels[pool].spent and labels[pool].label in report:
                assert report[labels[pool].label] == value, fighter["name"]
        for thing in ("pistol", "shotgun", "carbine"):
            if f"ammo:{thing}" in fighter["pools"]:
                assert report[thing] == fighter["pools"][f"ammo:{thing}"]
        for condition in fighter["conditions"]:
            words = condition.replace("-", " ")
            assert any(one.split(" ")[0] == words.split(" ")[0] for one in read.tags[fighter["name"]]), (
                condition
            )


def test_an_open_crisis_its_notes_and_what_was_undone(fight: Player) -> None:
    fight.ok("attack drone --dice 6,4,3")
    fight.ok("undo")
    fight.ok("attack drone --dice 1,1,2")
    fight.ok("note", "Rain on the plates.")
    fight.ok("note", 'Jack: "Stand aside!"')
    fight.ok("note", "=> not a consequence")
    text = fight.ok("log --lonelog --title 'The toll bridge'").out
    read = reading(text)
    assert text.startswith("S1 *The toll bridge*\n\n[COMBAT]\n")
    assert not read.is_closed
    assert "[6, 4, 3]" not in text and "[1, 1, 2]" in text
    assert read.prose == ["Rain on the plates.", 'PC (Jack): "Stand aside!"']
    assert "(note: => not a consequence)" in read.notes


def test_a_character_that_is_played_automatically_is_still_the_players(fight: Player) -> None:
    before = fight.ok("log --lonelog").out
    fight.ok("auto jack on")
    after = fight.ok("log --lonelog").out
    assert after.splitlines()[len(before.splitlines()) :] == ["", "(note: Jack now plays automatically)"]
    fight.ok("next")
    kinds = {found[2].split("|")[0]: found[1] for found in TAG.finditer(fight.ok("log --lonelog").out)}
    assert kinds["Jack"] == "PC" and set(kinds.values()) == {"PC", "F"}


def test_names_with_signs_of_the_notation(crisis: Player) -> None:
    folder = crisis.here / "characters"
    folder.mkdir(exist_ok=True)
    (folder / "odd.toml").write_text(DRONE.replace('"Drone"', '"A > [B] | (C) # + D"'), "utf-8")
    crisis.ok("init jack --vs odd --open --seed 3")
    text = crisis.ok("log --lonelog").out
    read = reading(text)
    assert read.first == ["Jack", "A - {B} / {C} no. - D"]
    assert any('for "A > [B] | (C) # + D"' in note for note in read.notes)


def test_twelve_fighters_and_a_round_before_the_first(crisis: Player) -> None:
    crisis.ok("init jack --vs drone:11 --open --seed 3 --surprise jack")
    for _ in range(14):
        crisis.ok("next")
    text = crisis.ok("log --lonelog").out
    read = reading(text)
    assert len(read.first) == 12 and read.rounds[0] == 0
    assert "Roster: [PC:Jack|" in text


def test_an_ended_crisis_is_read_from_its_file(fight: Player) -> None:
    fight.ok("end --yes")
    text = fight.ok(f"log {JOURNAL_OF_NOW} --lonelog").out
    assert "[/COMBAT]\n=> " in text
    assert fight.files() and text == fight.ok(f"log --file {JOURNAL_OF_NOW} --lonelog").out
