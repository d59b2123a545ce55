"""Care between fights: the rounds of `crisis tend` are those of a fight without foes, and can be undone one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Player, Sheets

from .test_campaign import Table

STATES = {
    "step": ("vera", "moss", "health = -3"),
    "2d20": ("cass", "doc", "hp = 0"),
    "d6pool": ("hagen", "tilda", "wounds = 10\nconditions = { dying = 1 }"),
    "d100": ("ines", "bruno", "health = 0"),
}
"""A patient and a healer of each system that knows the dying or the down, and what the sheet of the patient says."""


def in_need(folder: Path, system: str) -> tuple[Table, Sheets]:
    """A campaign of two, one of whom needs care."""
    patient, healer, state = STATES[system]
    folder.mkdir(exist_ok=True)
    Player(folder).ok(f"campaign new Saltmarch {patient} {healer}")
    table = Table(folder / "saltmarch")
    sheets = Sheets(table.here / "characters")
    sheets.write(patient, sheets.text(patient) + f"\n[state]\n{state}\n")
    return table, sheets


def rounds(table: Table, line: str) -> list[dict[str, Any]]:
    """The entries of a care."""
    return [json.loads(one) for one in table.ok(f"{line} --json").out.splitlines()]


def thrown(entry: dict[str, Any]) -> list[tuple[str, str, list[int], Any]]:
    """What was rolled in an entry, by whom, the faces and the result."""
    return [(one["what"], one["who"], one["faces"], one.get("total")) for one in entry["rolls"]]


def by_hand(table: Table, patient: str, healer: str, care: list[dict[str, Any]]) -> list[Any]:
    """The rolls of a fight without foes, typed line by line with the dice of a care."""
    rolls = [roll for entry in care for roll in entry["rolls"]]
    done: list[Any] = []

    def play(line: str) -> dict[str, Any]:
        faces = [face for roll in rolls[len(done) :] for face in roll["faces"]]
        for many in (*range(1, len(faces) + 1), 0):
            dice = f" --dice {','.join(map(str, faces[:many]))}" if many else ""
            shown = table(f"{line}{dice} --json")
            if shown.status == 0:
                record: dict[str, Any] = json.loads(shown.out.splitlines()[0])
                done.extend(thrown(record))
                return record
        raise AssertionError((line, shown.err))

    play(f"init {patient} {healer} --open")
    for entry in care:
        tried = 0
        while (status := table.ok("status --json").record)["round"] == entry["round"]:
            if tried == len(entry["tries"]) and entry is care[-1]:
                break
            if status["actor"] == entry["by"] and tried < len(entry["tries"]):
                record = play(f"heal {patient}")
                assert record["success"] == entry["tries"][tried]["success"]
                tried += 1
            else:
                play("next")
    table.said("end --yes")
    return done


@pytest.mark.parametrize("system", STATES)
def test_the_rolls_are_those_of_init_heal_and_next_by_hand(tmp_path: Path, system: str) -> None:
    patient, healer, _ = STATES[system]
    table, sheets = in_need(tmp_path / "one", system)
    hurt = sheets.text(patient)
    care = rounds(table, f"tend {patient} --by {healer} --seed 3")
    treated = [sheets.text(patient), sheets.text(healer)]
    assert treated[0] != hurt, "the sheet is written"
    assert [entry["round"] for entry in care] == [*range(1, len(care) + 1)]
    assert table.ok("verify story.jsonl").status == 0
    other, others_sheets = in_need(tmp_path / "two", system)
    assert by_hand(other, patient, healer, care) == [one for entry in care for one in thrown(entry)]
    assert [others_sheets.text(patient), others_sheets.text(healer)] == treated


def test_three_undos_restore_the_bytes_of_the_sheets(tmp_path: Path) -> None:
    table, sheets = in_need(tmp_path, "step")
    texts = [(sheets.text("vera"), sheets.text("moss"))]
    for line in ("tend --mod -9 --dice 5,7,3,2", "tend --dice 3,2", "tend --dice 3,2"):
        table.ok(f"{line} --quiet")
        texts.append((sheets.text("vera"), sheets.text("moss")))
    assert table.state("vera")["health"] == -6 and table.state("moss")["uses"]["medkit"] == 0
    for before in reversed(texts[:3]):
        table.ok("undo")
        assert (sheets.text("vera"), sheets.text("moss")) == before
    table.ok("redo 3")
    assert (sheets.text("vera"), sheets.text("moss")) == texts[3]


def test_a_care_that_was_cut_short_goes_on_in_its_next_round(tmp_path: Path) -> None:
    table, _ = in_need(tmp_path, "step")
    whole = rounds(table, "tend --mod -9 --seed 1")
    assert len(whole) > 2
    table.ok(f"undo {len(whole) - 1}")
    assert rounds(table, "tend --seed 1") == whole[1:], "the same dice fall again"
    table.ok("rest")


def test_each_of_rest_heal_and_init_leads_to_the_care(tmp_path: Path) -> None:
    table, _ = in_need(tmp_path, "step")
    assert table("rest", answers=["n"]).status == 130, "a night passes only after a yes"
    assert table.prompts[-1] == "Vera is dying, and no rest helps. Rest all the same? y/[n]: "
    assert "to treat them: crisis tend" in table("rest").err
    assert "crisis tend" in table.refused(3, "rest vera").err
    table.ok("undo")
    (entry,) = rounds(table, "heal moss vera --dice 5,6,7")
    assert entry["action"] == "care" and "stable" in table.state("vera")["conditions"]
    table.ok("undo")
    table.said("init vera moss --open --seed 1")
    table.ok("heal vera --by moss --force --dice 7")
    table.said("end --yes --name Aid")
    record = table.ok("campaign --json").record
    assert record["fights"] == [] and [one["name"] for one in record["care"]] == ["Aid"]
    assert "Care: Aid" in table.ok("chronicle").out and "No fights yet" in table.ok("chronicle --recap").out
    table.said("undo 2")
    for line in ("end --yes", "tend --dice 5,6,7"):
        table.said(line)
    assert [one["n"] for one in table.ok("campaign --json").record["care"]] == [1, None]


def test_who_is_beyond_help_is_said_with_the_rule(tmp_path: Path) -> None:
    Player(tmp_path).ok("campaign new Saltmarch jack ada")
    table = Table(tmp_path / "saltmarch")
    sheets = Sheets(table.here / "characters")
    assert "nobody is dying" in table.refused(3, "tend").err
    sheets.write("jack", sheets.text("jack") + "\n[state]\nhealth = 0\n")
    for line in ("tend", "tend jack"):
        assert "Jack is dead, and no care helps (3D6-27)" in table.refused(3, line).err
    assert "no campaign here" in Player(tmp_path).refused(3, "tend").err
    table.said("init ada --vs drone --open")
    assert "a crisis is open" in table.refused(3, "tend").err


def test_the_wounded_are_treated_once_they_are_named(tmp_path: Path) -> None:
    table, sheets = in_need(tmp_path, "step")
    sheets.write("vera", sheets.text("vera").replace("health = -3", "health = 9"))
    assert "nobody is dying" in table.refused(3, "tend").err
    (entry,) = rounds(table, "tend vera --dice 5,6,7")
    assert [one["success"] for one in entry["tries"]] == [True] and table.state("vera")["health"] == 10
    assert table.ok("tend vera --dry-run --dice 5,6,7").out and table.state("vera")["health"] == 10


def test_who_dies_before_the_first_treatment_is_treated_by_nobody(tmp_path: Path) -> None:
    table, sheets = in_need(tmp_path, "step")
    sheets.write("vera", sheets.text("vera").replace("health = -3", "health = -9"))
    said = table.ok("tend --dice 7,3").out
    assert "Vera lives in 53 %." in said and "treats nobody in time" in said
    assert said.endswith("† Vera is dead.\n")
    assert "no care helps (STEP-32)" in table.refused(3, "tend").err
    assert table.ok("verify story.jsonl").status == 0


def test_a_care_ends_with_its_only_healer(tmp_path: Path) -> None:
    table, sheets = in_need(tmp_path, "2d20")
    bleeding = "hp = 1\nconditions = { injured-torso = 1 }"
    sheets.write("cass", sheets.text("cass").replace("hp = 0", bleeding))
    sheets.write("doc", sheets.text("doc") + "\n[state]\nhp = 0\n")
    assert "crisis tend " in table.ok("campaign").out
    assert "Cass is dying" in table.ok("tend cass --by cass --dice 20,20,2,2").out
    assert table.state("cass")["conditions"]["dying"] and table.ok("verify story.jsonl").status == 0
    table.ok("undo")
    assert table.state("cass")["hp"] == 1


def test_what_bleeds_is_treated_though_its_fighter_stands(tmp_path: Path) -> None:
    table, sheets = in_need(tmp_path, "2d20")
    bleeding = "hp = 5\nconditions = { injured-torso = 1, injured-left-arm = 1 }"
    sheets.write("cass", sheets.text("cass").replace("hp = 0", bleeding))
    assert "Cass is injured in the torso; Doc: 56 % a try" in table.ok("campaign").out
    (entry,) = rounds(table, "tend --dice 3,3,1,1")
    assert entry["success"] and [one["success"] for one in entry["tries"]] == [True]
    assert "injured-torso" not in table.state("cass")["conditions"] and table.state("cass")["hp"] < 11
    assert "nobody is dying" in table.refused(3, "tend").err


def test_the_odds_of_a_treatment_count_what_comes_before_it(tmp_path: Path) -> None:
    table, sheets = in_need(tmp_path, "2d20")
    sheets.write("cass", sheets.text("cass") + "conditions = { dying = true, injured-torso = 1 }\n")
    assert "Cass is dying; Doc: 60 % a try" in table.ok("campaign").out, "88 % before she bleeds once more"
    said = table.ok("tend --dry-run --dice 1,1,4,1,20,20,20,20,20,20").out
    assert "Doc: 60 % a try, one a round; Cass lives in 41 %." in said
    told = ("Cass resists death", "bleeding", "injured torso 1 → 2", "of 2 needed", "† Cass is dead.")
    assert [*told] == sorted(told, key=said.index), "what happens first is told first"


def test_tries_are_counted_over_rounds(tmp_path: Path) -> None:
    table, _ = in_need(tmp_path, "step")
    care = rounds(table, "tend --mod -9 --tries 3 --seed 1")
    assert [len(entry["tries"]) for entry in care] == [2, 1]
    (alone,) = rounds(table, "tend --mod -9 --tries 1 --seed 1")
    assert alone["round"] == 1 and len(alone["tries"]) == 1, "what was enough is over: this is another care"


@pytest.mark.parametrize(
    ("system", "first"),
    {
        "2d20": "Cass is dying. Doc helps for certain, one a round.",
        "d100": "Ines is down. Bruno: 17 % a try, one a round.",
    }.items(),
)
def test_every_system_says_its_chances(tmp_path: Path, system: str, first: str) -> None:
    table, _ = in_need(tmp_path, system)
    assert table.ok("tend --dry-run --seed 1").out.splitlines()[0] == first


def test_what_is_said_before_it_begins(tmp_path: Path) -> None:
    table, _ = in_need(tmp_path, "step")
    said = table.ok("tend --mod -6 --dry-run --dice 5,6,2,3").out
    assert said.startswith(
        "Vera is dying, at −3 of −10. Doc Moss: 10 % a try, two a round, each with 1 of 5\n"
        "medkit uses, then without; Vera lives in 73 %.\n"
    )
    assert "Vera      ▼ Health −3 → −4 (1 dying)\n" in said


def test_each_treatment_of_a_round_has_its_verdict(tmp_path: Path) -> None:
    table, _ = in_need(tmp_path, "step")
    assert ": 0 and 6 against 4, no success and a success." in table.ok("tend --mod -2 --dice 5,6,2,8").out
    assert "Treating wounds" in table.ok("explain").out


def test_no_refusal_leads_in_a_circle(tmp_path: Path) -> None:
    table, sheets = in_need(tmp_path, "step")
    assert "Doc Moss treats Vera" in table.ok("heal vera --seed 1").out, "Vera is the patient, who cannot act"
    table.ok("undo")
    assert "--react" not in table.refused(2, "tend --real-dice --quiet").err
    table.said("init vera moss --vs raider --open --seed 1")
    assert (
        "crisis heal WHO" in table.refused(3, "tend").err
        and "end the fight" in table.refused(3, "take cover").err
    )
    table.said("set raider yielded on")
    table.said("end --yes --no-save")
    assert "crisis take" in table.ok("campaign").out
    sheets.write("moss", sheets.text("moss") + "\n[state]\nhealth = -4\n")
    assert "nobody on their feet can carry it" in table.refused(3, "take all").err
    made = "crisis character new helper --like vera"
    assert f"{made}; then: crisis tend --by helper" in table.refused(3, "tend").err
    assert "--like moss; then" in table.refused(3, "tend moss").err, "the sheet is not called doc-moss"
    assert "Doc Moss is dying and cannot treat Vera" in table.refused(3, "tend vera --by moss").err
    assert "character list --system step" in table.refused(3, "tend --by ada").err, "no copy would help"
    assert "nobody of the players can fight: Vera is dying" in table.refused(3, "init --vs raider --open").err
    steps = [step["line"] for step in table.ok("campaign --json").record["next"]]
    assert steps == [made, "crisis tables aftermath", "crisis chronicle"]
    table.ok("character new Rook --like raider")
    sheets.write("rook", sheets.text("rook").replace("player = false", "player = true"))
    assert "crisis tend --by rook" in table.refused(3, "tend").err
    steps = [step["line"] for step in table.ok("campaign --json").record["next"]]
    assert steps[0] == "crisis tend --by rook" and steps[-2:] == ["crisis play mill rook", "crisis chronicle"]
    assert table.ok("tend --by rook --seed 1 --quiet").status == 0


def test_who_is_not_hurt_is_not_treated(tmp_path: Path) -> None:
    table, _ = in_need(tmp_path, "d6pool")
    assert "no treatment helps Tilda now" in table.refused(3, "tend tilda").err
    assert table.state("tilda") == {}
