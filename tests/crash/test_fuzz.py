"""Nonsense of every kind: never a traceback, always a status that means something."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import ADA, JACK, SHEETS, STATUSES, Player, Sheets
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.slow

FUZZ = settings(
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
    report_multiple_bugs=False,
    max_examples=60,
)
SLOW = settings(FUZZ, max_examples=25)
"""For examples that run many commands each."""


def words_of(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


VERBS = words_of(
    """
    check init attack throw heal act next status undo redo log set join leave end odds replay verify
    character note rewind auto save map explain
    """
)
WORDS = [
    "Drone 2",
    "",
    *words_of(
        """
    jack drone ada drone:2 drone-1 drone1 nobody melee might bandage pistol knife baton draw reload hide
    move stand-up drop-prone use-item health ap at held condition:prone condition:stunned cover:drone
    uses:bandage heavy total on off 3 0 -1 7 3,4 attack heal check list show reset copy schema 3d6 --vs
    --open --place jack=1,2 drone=nan,0 --surprise --group --order jack,drone --dice 6,4,3 6,6,6,1,1,1
    --seed --mod --mod-damage --why --force --json --quiet --explain --exit-status --dry-run --save --by
    --weapon --range --cover --penetrable --enemies --behind --react best none dodge --real-dice --mine
    --difficulty 12 --item --to --fresh --no-save --help -- - --characters --file = : a:b --seed=5
    99999999999999999999 coward careful --until-mine until mine
    """
    ),
]
text = st.text(st.characters(blacklist_characters="\0", blacklist_categories=()), max_size=8)


class Boxes:
    """A folder for each example."""

    def __init__(self, root: Path):
        self.root = root
        self.number = 0

    def __repr__(self) -> str:
        """Short, for the reports of failures."""
        return "boxes"

    def fresh(self) -> tuple[Player, Sheets]:
        """A player in a new folder with the usual sheets."""
        self.number += 1
        here = self.root / str(self.number)
        here.mkdir()
        sheets = Sheets(here / "characters")
        for stem, sheet in SHEETS.items():
            sheets.write(stem, sheet)
        return Player(here), sheets


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Boxes:
    """Folders that are the tests' own."""
    return Boxes(tmp_path_factory.mktemp("fuzz"))


def fine(player: Player, *words: str, **how: Any) -> None:
    """Any command line ends with a status that means something, and says nothing raw."""
    try:
        shown = player(*words, **how)
    except Exception as error:
        raise AssertionError(f"{words}: {type(error).__name__}: {error}") from error
    assert shown.status in STATUSES, words
    if shown.status not in (0, 1):
        assert shown.err.strip() or shown.out.strip(), words
    for said in (shown.out, shown.err):
        assert all(sign.isprintable() or sign == "\n" for sign in said), (words, said)


@FUZZ
@given(
    lines=st.lists(
        st.tuples(st.sampled_from(VERBS), st.lists(st.one_of(st.sampled_from(WORDS), text), max_size=7)),
        min_size=1,
        max_size=5,
    ),
    opened=st.booleans(),
)
def test_no_command_line_makes_a_traceback(
    boxes: Boxes, lines: list[tuple[str, list[str]]], opened: bool
) -> None:
    player, _ = boxes.fresh()
    if opened:
        player.ok("init jack ada --vs drone:2 --open --seed 5 --place jack=0,0 drone1=1,0")
    for verb, words in lines:
        fine(player, verb, *words)
    if opened and player.journal.exists():
        assert player("verify").status == 0, "whatever was done, the rules agree with the record"


@SLOW
@given(
    picked=st.lists(
        st.sampled_from(
            [
                "attack drone1",
                "attack drone2",
                "attack ada",
                "attack jack",
                "next",
                "next",
                "undo",
                "undo 2",
                "redo",
                "undo --fresh",
                "act drop-prone",
                "act drop-prone",
                "act stand-up",
                "act draw knife",
                "act draw pistol",
                "act reload",
                "throw drone1",
                "heal",
                "heal jack",
                "check melee --difficulty 9",
                "set jack condition:stunned on",
                "set drone1 health 1",
                "set ada ap 6",
                "set jack endurance 0",
                "leave drone2",
                "join drone2",
                "leave jack",
                "join jack",
                "attack drone1 --force",
                "act move --to 3,3 --force",
            ]
        ),
        min_size=5,
        max_size=20,
    )
)
def test_whatever_is_done_verifies_and_undoes_to_the_beginning(boxes: Boxes, picked: list[str]) -> None:
    player, _ = boxes.fresh()
    player.ok("init jack ada --vs drone:2 --open --seed 5")
    start = player.ok("status --json").out
    for words in picked:
        fine(player, *words.split())
    assert player.ok("verify").status == 0
    count = len(player.ok("log --json").lines) - 1
    end = player.ok("status --json").out
    if count:
        player.ok(f"undo {count}")
        assert player.ok("status --json").out == start
        player.ok(f"redo {count}")
        assert player.ok("status --json").out == end


values = st.recursive(
    st.one_of(
        st.integers(-(10**25), 10**25),
        st.booleans(),
        st.floats(),
        st.sampled_from(["2d6", "melee", "good", "prone", "jack", "3d6", ""]),
        text,
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(text, inner, max_size=3)),
    max_leaves=6,
)
KEYS = words_of(
    """
    name system player team mind abilities skills endurance health weapons armour items circumstance
    state
    """
)
INNER = words_of(
    """
    might speed melee kind damage crit heals uses conditions at held ammo dr durability range capacity
    """
)


@SLOW
@given(
    changes=st.lists(
        st.tuples(
            st.sampled_from(KEYS),
            st.one_of(values, st.dictionaries(st.one_of(st.sampled_from(INNER), text), values, max_size=4)),
        ),
        min_size=1,
        max_size=3,
    ),
    base=st.sampled_from([JACK, ADA]),
)
def test_no_sheet_makes_a_traceback(boxes: Boxes, changes: list[tuple[str, Any]], base: str) -> None:
    import tomllib

    import tomli_w

    player, sheets = boxes.fresh()
    sheet = tomllib.loads(base)
    for key, value in changes:
        old = sheet.get(key)
        sheet[key] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    try:
        written = tomli_w.dumps(sheet)
        written.encode("utf-8")
    except (TypeError, ValueError):
        return
    sheets.write("odd", written)
    for words in (
        "character check odd",
        "character show odd",
        "attack odd drone --save",
        "attack drone odd",
        "odds attack odd drone",
        "heal odd",
        "init odd --vs drone --open",
        "attack drone",
        "next",
        "end",
        "character reset odd",
    ):
        fine(player, *words.split())


@FUZZ
@given(data=st.binary(max_size=200), at=st.integers(0, 500))
def test_no_bytes_in_a_sheet_make_a_traceback(boxes: Boxes, data: bytes, at: int) -> None:
    player, sheets = boxes.fresh()
    whole = JACK.encode()
    sheets.write("odd", whole[: at % len(whole)] + data + whole[at % len(whole) :])
    for words in ("character check odd", "attack odd drone --save", "character list"):
        fine(player, *words.split())


class Records(list[Any]):
    """The records of a journal, short in the reports of failures."""

    def __repr__(self) -> str:
        """Short."""
        return "journal"


@pytest.fixture(scope="module")
def journal(boxes: Boxes) -> Records:
    """The records of a journal in which much has happened."""
    player, _ = boxes.fresh()
    for words in (
        "init ada jack --vs drone:2 --open --seed 5 --dice 6,6,6,5,5,5,1,1,1,2,2,2 --place ada=0,0 drone1=4,0",
        "attack drone1",
        "act draw knife",
        "undo",
        "redo",
        "next",
        "heal jack",
        "set jack cover:drone1 light",
        "set jack condition:stunned on",
        "join --vs jack:2 --seed 3",
        "leave drone2",
        "next",
        "undo 2",
    ):
        shown = player(words)
        assert shown.status == 0, shown
    return Records(json.loads(line) for line in player.journal.read_text("utf-8").splitlines())


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a value."""
    found = [path] if path else []
    if isinstance(value, dict):
        found += [place for key in value for place in places(value[key], (*path, key))]
    elif isinstance(value, list):
        found += [place for at, part in enumerate(value) for place in places(part, (*path, at))]
    return found


@settings(FUZZ, max_examples=60)
@given(data=st.data())
def test_no_journal_makes_a_traceback(boxes: Boxes, journal: Records, data: st.DataObject) -> None:
    player, _ = boxes.fresh()
    lines = json.loads(json.dumps(journal))
    at = data.draw(st.integers(0, len(lines) - 1))
    path = data.draw(st.sampled_from(places(lines[at])))
    place = lines[at]
    for key in path[:-1]:
        place = place[key]
    if data.draw(st.booleans()) and isinstance(place, dict):
        del place[path[-1]]
    else:
        place[path[-1]] = data.draw(
            st.one_of(
                st.none(),
                st.integers(-5, 10**20),
                st.booleans(),
                st.sampled_from(["", "Jack", "prone", [], {}, [1], {"x": 1}, 1.5]),
                text,
            )
        )
    player.journal.write_bytes("".join(json.dumps(line) + "\n" for line in lines).encode())
    for words in (
        "status",
        "log --explain",
        "log --json",
        "verify",
        "odds attack drone1",
        "attack drone1",
        "undo",
        "next",
        "end",
    ):
        fine(player, *words.split())


@FUZZ
@given(data=st.binary(max_size=60), at=st.integers(0, 10_000), cut=st.integers(0, 60))
def test_no_bytes_in_a_journal_make_a_traceback(
    boxes: Boxes, journal: Records, data: bytes, at: int, cut: int
) -> None:
    player, _ = boxes.fresh()
    whole = "".join(json.dumps(line) + "\n" for line in journal).encode()
    player.journal.write_bytes(whole[: at % len(whole)] + data + whole[at % len(whole) + cut :])
    for words in ("status", "log", "next", "undo"):
        fine(player, *words.split())
