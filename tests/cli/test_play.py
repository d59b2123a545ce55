"""`crisis play --auto`: a fight that fights itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import JOURNAL_OF_NOW, Player, Sheets

SHIPPED = Path(__file__).parents[2] / "characters"


def test_a_fight_to_the_end_leaves_a_journal_that_verifies(crisis: Player, sheets: Sheets) -> None:
    shown = crisis.ok("play jack --vs drone --auto --seed 3 --doctrine reckless --full")
    assert shown.lines[0] == "Turn order"
    assert "dead" in shown.out
    assert not crisis.journal.exists()
    assert crisis.ok(f"verify {JOURNAL_OF_NOW} --json").record["verified"] is True


def test_it_writes_sheets_only_with_save(crisis: Player, sheets: Sheets) -> None:
    before = {stem: sheets.text(stem) for stem in ("jack", "drone")}
    crisis.ok("play jack --vs drone --auto --seed 3 --doctrine reckless")
    assert before == {stem: sheets.text(stem) for stem in ("jack", "drone")}
    crisis.ok("play jack --vs drone --auto --seed 3 --doctrine reckless --save")
    states = [sheets.state(stem) for stem in ("jack", "drone")]
    assert any(state.get("health") == 0 for state in states)
    assert sheets.text("jack").startswith(before["jack"].rstrip("\n"))


def test_json_is_one_object_a_line_from_init_to_end(crisis: Player, sheets: Sheets) -> None:
    records = crisis.ok("play jack --vs drone --auto --seed 3 --json").records
    assert (records[0]["action"], records[-1]["action"]) == ("init", "end")
    assert [record["number"] for record in records] == list(range(1, len(records) + 1))


def test_quiet_is_one_line(crisis: Player, sheets: Sheets) -> None:
    assert len(crisis.ok("play jack --vs drone --auto --seed 3 --quiet").lines) == 1


def test_after_so_many_rounds_it_is_undecided(crisis: Player, sheets: Sheets) -> None:
    shown = crisis.ok("play jack --vs drone --auto --seed 3 --rounds 1 --full")
    assert "undecided" in shown.lines[-1].lower()
    assert "1 rounds" not in shown.out
    assert "Round 2" not in shown.out


@pytest.mark.slow
def test_the_same_seed_is_the_same_fight_anywhere(
    crisis: Player, sheets: Sheets, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = Player(tmp_path_factory.mktemp("elsewhere"))
    elsewhere.now, elsewhere.seed = "1999-01-01T00:00:00Z", 1
    for stem in ("jack", "drone"):
        Sheets(elsewhere.here / "characters").write(stem, sheets.text(stem))
    for options in ("", " --json", " --quiet"):
        words = f"play jack --vs drone:2 --auto --seed 11 --rounds 3{options}"
        assert crisis.ok(words).out == elsewhere.ok(words).out


@pytest.mark.slow
def test_the_shipped_sheets_fight(crisis: Player) -> None:
    crisis.ok("play jack --vs drone --auto --seed 1 --quiet")
    crisis.ok("play jack ada --vs warden drone:2 --auto --seed 2 --quiet")


def test_an_open_crisis_is_played_on(fight: Player, sheets: Sheets) -> None:
    fight.ok("attack drone --dice 6,6,6")
    shown = fight.ok("play --auto")
    assert "Turn order" not in shown.out
    assert not fight.journal.exists()


def test_fighters_apart_close_in(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init jack --vs drone --open --place jack=0,0 drone=20,0 --seed 1")
    shown = crisis.ok("play --auto --rounds 60")
    assert "moves" in shown.out and "swings" in shown.out


def test_given_dice_do_not_leave_half_a_fight(crisis: Player, sheets: Sheets) -> None:
    """Faces for a whole fight cannot be given: refused before anything is written, or all used."""
    crisis.refused(2, "play jack --vs drone --auto --dice 6,6,6,1,1,1")


def test_a_dry_run_writes_nothing(crisis: Player, sheets: Sheets) -> None:
    before = crisis.files()
    crisis("play jack --vs drone --auto --dry-run")
    assert crisis.files() == before


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("play --auto", 3),
        ("play jack --vs nobody --auto", 4),
        ("play jack --vs --auto", 2),
        ("play jack --vs drone --auto --rounds 0", 2),
        ("play jack --vs drone --auto --rounds x", 2),
        ("play jack --vs jack --auto", 2),
    ],
)
def test_what_cannot_be_played(crisis: Player, sheets: Sheets, words: str, status: int) -> None:
    crisis.refused(status, words)


def test_a_second_crisis_is_refused(fight: Player) -> None:
    fight.refused(3, "play jack --vs drone --auto")


@pytest.mark.parametrize(
    ("who", "apart"),
    [
        ("jack --vs drone:2", 6),
        pytest.param("vera --vs raider", 6, marks=pytest.mark.slow),
        pytest.param("cass --vs mutant:2", 2, marks=pytest.mark.slow),
    ],
)
def test_the_sides_begin_as_far_apart_as_the_sheets_suggest_unless_positions_are_given(
    crisis: Player, who: str, apart: int
) -> None:
    hero = who.split()[0].title()
    foes = 2 if who.endswith(":2") else 1

    def places(words: str) -> list[object]:
        crisis.ok(f"play {who} --auto --seed 3 --rounds 1 --quiet {words}")
        archive = max(crisis.here.glob("crisis-*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
        head = json.loads(archive.read_text("utf-8").splitlines()[0])
        archive.unlink()
        return [one.get("at") for one in head["fighters"]]

    assert [at[0] for at in places("")] == [0, *[apart] * foes]  # type: ignore[index]
    assert [at[0] for at in places("--apart 4")] == [0, *[4] * foes]  # type: ignore[index]
    assert places("--apart 0") == [None] * (1 + foes)
    assert places(f"--place {hero.lower()}=3,3") == [[3, 3], *[None] * foes]
    crisis.ok(f"init {who} --open")
    assert all(one["at"] is None for one in crisis.ok("status --json").record["fighters"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hero", "foe", "apart"), [("jack", "drone", 10), ("vera", "raider", 7), ("cass", "mutant", 1)]
)
def test_without_a_suggestion_the_sides_begin_some_ten_metres_apart(
    crisis: Player, sheets: Sheets, hero: str, foe: str, apart: int
) -> None:
    for system in ("3d6", "step", "2d20"):
        for stem in (hero, foe):
            path = SHIPPED / system / f"{stem}.toml"
            if path.exists():
                sheets.write(stem, path.read_text("utf-8").partition("[fight]")[0])
    crisis.ok(f"play {hero} --vs {foe} --auto --seed 3 --rounds 1 --quiet")
    archive = next(crisis.here.glob("crisis-*.jsonl"))
    head = json.loads(archive.read_text("utf-8").splitlines()[0])
    assert [one["at"][0] for one in head["fighters"]] == [0, apart]
