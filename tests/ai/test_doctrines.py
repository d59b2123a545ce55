"""Doctrines on disk: found like sheets, and every fault shown with file, line and key."""

from __future__ import annotations

from pathlib import Path

import pytest
from bouts import DOCTRINES, SHELF
from conftest import Player, Sheets

from crisis_cli.ai.choosing import most_harm
from crisis_cli.dice.distribution import OddsTable
from crisis_cli.dice.table import Alternative

WRONG = {
    "about = 'x'\naim = 'neerest'": ("line 2", "aim", "did you mean nearest?"),
    "about = 'x'\naims = 'nearest'": ("line 2", "aims", "did you mean aim?"),
    "about = 'x'\n[weigh]\nsufered = 3": ("line 3", "weigh.sufered", "did you mean suffered?"),
    "about = 'x'\n[weigh]\nspent = 1001": ("line 3", "weigh.spent", "from 0 to 1000"),
    "about = 'x'\n[breaks]\nthen = 'run'\nhurt = -1": ("line 4", "breaks.hurt", "from 0 to 100"),
    "aim = 'harm'": ("about", "is missing"),
    "about = ": ("line 1", "is not TOML: about has no value"),
}


def put(here: Path, name: str, text: str) -> None:
    (here / "doctrines").mkdir(exist_ok=True)
    (here / "doctrines" / f"{name}.toml").write_text(text, encoding="utf-8")


def test_six_are_shipped_and_sound() -> None:
    assert set(DOCTRINES) >= {"reckless", "careful", "cunning", "guard", "coward", "beast"}
    assert all(SHELF.named(name).about for name in DOCTRINES)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_reported_with_file_line_and_key(fight: Player, text: str) -> None:
    put(fight.here, "mine", text)
    report = fight.refused(4, "auto drone mine").err
    assert "doctrines/mine.toml" in report
    assert all(part in report for part in WRONG[text])


def test_all_faults_are_reported_at_once(fight: Player) -> None:
    put(fight.here, "mine", "about = 3\naim = 1\nreact = 'sometimes'")
    faults = fight.refused(4, "auto drone mine --json").error["faults"]
    assert [(one["line"], one["key"]) for one in faults] == [(1, "about"), (2, "aim"), (3, "react")]


def test_an_unknown_one_is_guessed_at(fight: Player) -> None:
    assert "did you mean coward?" in fight.refused(4, "auto drone cowrd").err


def test_one_of_your_own_goes_before_the_shipped_one(fight: Player) -> None:
    put(fight.here, "careful", "about = 'gives up at once'\n[breaks]\nthen = 'surrender'\noutnumbered = 1")
    shown = fight.ok("auto")
    assert "Jack surrenders" in shown.out and "1 to one" in shown.out


def test_a_folder_named_in_the_environment_goes_first(fight: Player) -> None:
    put(fight.here, "odd", "about = 'in the working directory'")
    (fight.here / "elsewhere").mkdir()
    (fight.here / "elsewhere" / "odd.toml").write_text("about = 3", encoding="utf-8")
    assert fight("auto drone odd", env={"CRISIS_DOCTRINES": "elsewhere"}).status == 4
    assert fight("auto drone odd", env={"CRISIS_DOCTRINES": "nowhere"}).status == 4
    fight.ok("auto drone odd")


def test_the_mind_of_a_sheet_is_honoured(crisis: Player, sheets: Sheets) -> None:
    sheets.write("rat", sheets.text("drone").replace('"Drone"', '"Rat"\nmind = "coward"'))
    records = crisis.ok("play jack --vs rat --auto --seed 5 --json").records
    by = {one["actor"]: one["reason"]["doctrine"] for one in records if "reason" in one}
    assert by == {"Jack": "careful", "Rat": "coward"}


def test_a_sheet_whose_mind_is_nowhere_is_refused_before_its_turn(crisis: Player, sheets: Sheets) -> None:
    sheets.write("rat", sheets.text("drone").replace('"Drone"', '"Rat"\nmind = "cowrad"'))
    assert "did you mean coward?" in crisis.refused(4, "play jack --vs rat --auto").err


def test_whose_doctrine_is_gone_is_reported_and_another_will_do(fight: Player) -> None:
    """A file of the player's own, deleted in the middle of the fight."""
    own = Sheets(fight.here / "doctrines").write("mine", 'about = "x"\n')
    fight.ok("auto drone mine")
    own.unlink()
    fight.ok("next")
    shown = fight.refused(4, "auto")
    assert "Drone has the doctrine 'mine'" in shown.err and "crisis auto Drone careful" in shown.err
    fight.ok("auto drone careful")
    fight.ok("auto")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (b"\0" * 1_000_001, "1,000,000 at most"),
        (b'about = "\xff"\n', "not UTF-8"),
        (b"", "about: is missing"),
        (b"\xff\xfea\0", "not UTF-8"),
        (
            b'about = "x"\n[weigh]\ndone = nan\nsuffered = -1\nspent = 1e999\nhealed = 9223372036854775807\n',
            "0 to 1000",
        ),
        (b'about = "x"\n[breaks]\nthen = "fle"\nhurt = true\n', "did you mean flee?"),
        (b'about = "a\\u001b[31m"\n', "printable"),
        (b'abuot = "x"\n', "did you mean about?"),
        (b"about = " + b"[" * 5000, "is"),
        (b'about = "x"\nabout = "y"\n', "about stands twice, in line 1 too: delete one"),
    ],
)
def test_no_file_is_a_doctrine_by_mistake(fight: Player, what: bytes, said: str) -> None:
    Sheets(fight.here / "doctrines").write("odd", what)
    for words in ("auto drone odd", "auto drone odd --json", "auto drone ./doctrines/odd.toml"):
        shown = fight.refused(4, words)
        assert said in shown.err and "doctrines/odd.toml" in shown.err
    fight.ok("auto")


@pytest.mark.parametrize(
    "name", ["", " ", "folder", "no\0body", "a\nb", "x" * 5000, "../../doctrines", "\N{DRAGON}"]
)
def test_what_no_doctrine_is_called(fight: Player, name: str) -> None:
    (fight.here / "doctrines/folder.toml").mkdir(parents=True)
    Sheets(fight.here / "doctrines").write("broken", b"\xff")
    Sheets(fight.here / "doctrines").write("broken too", b"[")
    shown = fight.refused(4, "auto", "drone", name)
    assert "no doctrine" in shown.err


@pytest.mark.parametrize(
    ("spent_weight", "taken"), [(0.0, "three"), (0.02, "three"), (0.4, "two"), (1.5, "none")]
)
def test_what_is_bought_after_a_hit_depends_on_the_doctrine(spent_weight: float, taken: str) -> None:
    """Each point that an option costs counts as so many of what it leaves a foe."""

    def leaves(dice: object, left: float) -> float:
        return left

    bought = [("none", 10.0, 0), ("one", 9.0, 1), ("two", 8.3, 2), ("three", 8.0, 3)]
    options = tuple(Alternative(name, leaves, (left,), cost, leaves="HP left") for name, left, cost in bought)
    assert most_harm(options, OddsTable(), spent_weight).option.name == taken
