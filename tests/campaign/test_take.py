"""Taking what a fight left: rewards and the things of foes, on the sheets of the party, in every system."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from conftest import Player, Sheets

import crisis_cli as crisis
from campaign.test_campaign import Table
from crisis_cli.context import context_of
from crisis_cli.engine.journal import line
from crisis_cli.play.taking import not_taken

HEROES = {"step": "vera", "d6pool": "hagen", "3d6": "ada", "d100": "ines", "2d20": "cass"}
FRIENDS = {"step": "moss", "d6pool": "tilda", "3d6": "jack", "d100": "bruno", "2d20": "doc"}
FOES = {"step": "raider", "d6pool": "bandit", "3d6": "warden", "d100": "marshal", "2d20": "mutant"}
ITEMS = {"2d20": "stimpak"}
REWARD = """[
  "a pass, good until spring",
  { give = "ITEM", count = 3 },
  { award = "2 xp", to = "each" },
]"""


def encounter(here: Path, system: str, reward: str = REWARD, more: str = "") -> None:
    """An encounter `place` with one foe."""
    folder = here / "encounters"
    folder.mkdir(exist_ok=True)
    head = f'system = "{system}"\nname = "The place"\nreward = {reward}\n{more}\n'
    text = f'{head}[[fighter]]\nsheet = "{FOES[system]}"\n'
    (folder / "place.toml").write_text(text.replace("ITEM", ITEMS.get(system, "bandage")), "utf-8")


def won(table: Table, *party: str) -> None:
    """A fight in which the only foe gives up at once."""
    foe = json.loads(table.said("encounter show place --json"))["values"]["fighter"][0]["sheet"]
    table.said(f"init {' '.join(party)} --encounter place --open --seed 1")
    table.said(f"set {foe} yielded on")
    table.said("end --yes")


def fought(tmp_path: Path, system: str, *party: str, reward: str = REWARD, more: str = "") -> Table:
    """A campaign after such a fight."""
    Player(tmp_path).ok(f"campaign new Saltmarch {' '.join(party)}")
    table = Table(tmp_path / "saltmarch")
    encounter(table.here, system, reward, more)
    won(table, *party)
    return table


def sheet(table: Player, stem: str) -> dict[str, Any]:
    """The values of a sheet of the campaign."""
    return tomllib.loads(Sheets(table.here / "characters").text(stem))


@pytest.mark.parametrize("system", HEROES)
def test_everything_is_taken_in_every_system(tmp_path: Path, system: str) -> None:
    hero = HEROES[system]
    table = fought(tmp_path, system, hero)
    sheets, before = Sheets(table.here / "characters"), None
    before = sheets.text(hero)
    rows = table.ok("take --json").record["loot"]
    assert [row["n"] for row in rows] == [*range(1, len(rows) + 1)] and len(rows) > 3
    for row in rows:
        record = table.ok(f"take {row['n']} --json").record
        assert (record["action"], record["n"], record["success"]) == ("take", row["n"], None)
        assert record["adds"] and (row.get("award") or record["now"] != record["was"])
        assert table.ok(f"character check {hero}").out
        assert table.refused(3, f"take {row['n']} --json").error["code"] == "taken"
    after = sheets.text(hero)
    now, was = tomllib.loads(after), tomllib.loads(before)
    item = ITEMS.get(system, "bandage")
    assert now["items"][item]["uses"] == was["items"][item]["uses"] + 3
    assert now["belongings"] == ["a pass, good until spring"]
    weapons = [row for row in rows if row.get("list") == "weapons" and row["from"]]
    assert weapons and all(row["give"] in now["weapons"] for row in weapons)
    assert "day 1\n" in after.partition(f"[weapons.{weapons[0]['give']}]")[2]
    assert table.refused(3, "take all --json").error["code"] == "taken"
    standing = table.ok("campaign --json").record
    assert standing["awards"] == {now["name"]: 2} and standing["left"] == []
    assert [one["n"] for one in standing["taken"]] == [row["n"] for row in rows if not row.get("award")]
    assert "no differences" in table.ok("verify story.jsonl").out
    assert table.ok("campaign check").out == "all right\n"
    inventory = table.ok("inv --json").record["fighters"][0]
    assert inventory["belongings"] == now["belongings"]
    assert {weapons[0]["give"], item} <= {one["name"] for one in inventory["things"]}
    table.ok(f"undo {len(rows)}")
    assert sheets.text(hero) == before
    table.ok(f"redo {len(rows)}")
    assert sheets.text(hero) == after
    table.said(f"init {hero} --vs {FOES[system]} --open")
    assert weapons[0]["give"] in table.ok("inv").out


def test_the_list_the_story_and_the_chronicle_say_what_was_taken(tmp_path: Path) -> None:
    table = fought(tmp_path, "d100", "ines", "bruno")
    assert table.ok("take").lines == [
        "Left after The place:",
        "   1  a pass, good until spring",
        "   2  a bandage, 3 uses",
        "   3  2 xp each",
        "   4  a shotgun, 2 shots         from the Marshal",
        "To take: crisis take N [WHO], or crisis take all",
    ]
    assert table.ok("take 3").lines == ["Ines and Bruno take 2 xp each."]
    assert table.ok("take 4 bruno").lines == ["Bruno takes a shotgun, 2 shots."]
    assert "taken by Bruno" in table.ok("take").out
    told = table.ok("campaign").out
    assert "Taken\n  Bruno: a shotgun, 2 shots\n" in told and "Ines: 2 xp" in told
    left = "a pass, good until spring · a bandage, 3 uses"
    assert f"  crisis take              {left}\n" in told
    assert {"line": "crisis take", "why": left} in table.ok("campaign --json").record["next"]
    for form in ("", "--markdown", "--lonelog", "--html"):
        assert table.ok(f"chronicle {form}").out.count("Bruno takes a shotgun, 2 shots") == 1
    (record,) = [one for one in table.ok("chronicle --json").records if one.get("to") == "Bruno"]
    assert record["adds"]["weapons:shotgun"] == record["now"]["weapons:shotgun"]
    assert record["was"] == {"weapons:shotgun": None} and record["journal"].startswith("001-the-place")
    text = Sheets(table.here / "characters").text("bruno")
    assert "[weapons.shotgun]  # from the Marshal, day 1\n" in text
    assert "belongings  a pass, good until spring\n" in (
        table.ok("take 1 bruno") and table.ok("inv bruno").out
    )
    assert "\nbelongings\n  a pass, good until spring\n" in table.ok("character show bruno").out
    table.said("init bruno --vs marshal --open --seed 2")
    table.said("set marshal yielded on")
    table.said("end --yes")
    assert table.ok("take").lines[1:3] == [
        "   1  a shotgun, 2 shots  from the Marshal",
        "   2  a bandage, 3 uses   from The place",
    ], "a reward is kept for those who have won it"
    assert table.ok("take 2 ines").lines == ["Ines takes a bandage, 3 uses."]
    assert "no differences" in table.ok("verify story.jsonl").out


def test_what_is_left_is_completed(tmp_path: Path) -> None:
    table = fought(tmp_path, "d100", "ines")
    table.ok("take 1")
    env = {"_CRISIS_COMPLETE": "fish_complete", "_CRISIS_LINE": "crisis take "}
    assert [line_.split("\t")[1:] for line_ in table.ok("", env=env).lines] == [
        ["2", "a bandage, 3 uses"],
        ["3", "2 xp each"],
        ["4", "a shotgun, 2 shots"],
        ["all", "everything that is left"],
    ]
    table.ok("take all")
    assert table.ok("", env=env).out == ""


def test_who_takes_it_is_asked_where_several_may(tmp_path: Path) -> None:
    table = fought(tmp_path, "d100", "ines", "bruno")
    error = table.refused(2, "take 1 --json").error
    assert error["message"] == "who takes a pass, good until spring? Ines or Bruno"
    assert error["hint"] == "crisis take 1 ines"
    assert table.refused(2, "take all --json").error["hint"] == "crisis take all ines"
    shown = table("take 1", answers=["nobody", "br"])
    assert (shown.status, shown.out) == (0, "Bruno takes a pass, good until spring.\n")
    asked = len(table.prompts)
    shown = table("take all", answers=["ines"])
    assert shown.lines[-1] == "Ines takes a shotgun, 2 shots."
    assert len(table.prompts) == asked + 1, "everybody gets the award"
    assert sheet(table, "ines")["items"]["bandage"]["uses"] == 6


def test_ammunition_fills_what_has_room(tmp_path: Path) -> None:
    reward = '[{ ammo = "rifle", count = 6 }, { ammo = "cannon", count = 2 }]'
    table = fought(tmp_path, "d100", "ines", "bruno", reward=reward)
    assert table.refused(3, "take 1 --json").error["code"] == "no_room"
    sheets = Sheets(table.here / "characters")
    full = sheets.text("ines")
    sheets.write("ines", full + "\n[state.ammo]\nrifle = 8\n")
    assert table.refused(3, "take 1 bruno --json").error["code"] == "no_room"
    assert table.ok("take 1").lines == ["Ines takes 4 shots for the rifle."]
    assert "state" not in sheet(table, "ines"), "it is full again"
    assert "2 shots for the rifle" in table.ok("take").out
    sheets.write("ines", sheets.text("ines") + "\n[state.ammo]\nrifle = 8\n")
    table.ok("take 1")
    assert sheet(table, "ines")["state"]["ammo"]["rifle"] == 10
    assert table.refused(3, "take 1 --json").error["code"] == "taken"
    table.ok("take 2 bruno")
    assert sheet(table, "bruno")["belongings"] == ["2 shots for the cannon"], "nobody has one"


def test_rounds_that_no_magazine_bounds_are_added(tmp_path: Path) -> None:
    table = fought(tmp_path, "2d20", "cass", reward='[{ ammo = "repeater", count = 6 }]')
    was = sheet(table, "cass")["weapons"]["repeater"]["ammo"]
    table.ok("take 1")
    assert sheet(table, "cass")["weapons"]["repeater"]["ammo"] == was + 6


def test_after_a_reset_and_after_edits_it_is_taken_and_put_back(tmp_path: Path) -> None:
    table = fought(tmp_path, "3d6", "ada")
    sheets = Sheets(table.here / "characters")
    sheets.write("ada", sheets.text("ada") + "\n[state.uses]\nbandage = 1\n")
    table.ok("take 2")
    assert sheet(table, "ada")["items"]["bandage"]["uses"] == 4 and "state" not in sheet(table, "ada")
    table.ok("undo")
    assert sheet(table, "ada")["state"]["uses"] == {"bandage": 1}
    table.ok("character reset ada")
    table.ok("take 2")
    assert sheet(table, "ada")["items"]["bandage"]["uses"] == 5
    sheets.write("ada", sheets.text("ada").replace("light-weapons = 3", "light-weapons = 2"))
    table.ok("undo")
    assert sheet(table, "ada")["items"]["bandage"]["uses"] == 2
    assert sheet(table, "ada")["skills"]["light-weapons"] == 2, "what was edited since stays"
    table.ok("take 2")
    sheets.write("ada", sheets.text("ada").replace("uses = 5", "uses = 3"))
    assert "was changed in the meantime" in table("undo").err
    assert sheet(table, "ada")["items"]["bandage"]["uses"] == 3
    sheets.write("ada", f"{sheets.text('ada').partition('[state')[0]}\n[state]\nhealth = 0\n")
    assert table.refused(3, "take 1 ada --json").error["message"].endswith(": Ada is dead")


def test_a_second_weapon_of_a_name_gets_a_number(tmp_path: Path) -> None:
    knives = '{ give = "knife", weapon = { kind = "thrown", damage = 3, capacity = 2 } }'
    table = fought(tmp_path, "3d6", "ada", reward=f'[{{ give = "pistol", count = 2 }}, {knives}]')
    assert table.ok("take 1").lines == ["Ada takes a pistol, 6 rounds."], "pistols are not counted"
    table.ok("take 2")
    weapons = sheet(table, "ada")["weapons"]
    assert [*weapons] == ["pistol", "knife", "pistol 2", "knife 2"] and weapons["knife 2"]["capacity"] == 2


@pytest.mark.parametrize(("more", "many"), [("loot = false", 0), ("", 1)])
def test_foes_may_keep_what_they_have(tmp_path: Path, more: str, many: int) -> None:
    Player(tmp_path).ok("campaign new Saltmarch ines")
    table = Table(tmp_path / "saltmarch")
    encounter(table.here, "d100", "[]")
    path = table.here / "encounters" / "place.toml"
    path.write_text(path.read_text("utf-8") + f"{more}\n", "utf-8")
    won(table, "ines")
    assert len(table.ok("take --json").record["loot"]) == many
    assert table.ok("verify " + next(path for path in map(str, (table.here / "journals").iterdir()))).out


def test_those_who_left_and_the_winners_of_a_lost_fight_leave_nothing(tmp_path: Path) -> None:
    Player(tmp_path).ok("campaign new Saltmarch ines")
    table = Table(tmp_path / "saltmarch")
    left = []
    for line_ in ("set ines yielded on", "leave marshal", "set ines yielded on"):
        table.said("init ines --vs marshal looter --open --seed 1")
        table.said("set looter health 0")
        table.said(line_)
        table.said("end --yes --no-save --name Last")
        rows = table.ok("take --json").record["loot"]
        left.append([row["from"] for row in rows])
    assert left == [[], ["Looter"], ["Looter"]], "what an earlier fight left waits"
    assert table.ok("take").lines[0] == "Left after earlier fights:"
    assert "from the Looter, Last" in table.ok("take").lines[1]
    assert "crisis take" not in table.ok("campaign").out, (
        "only what the last fight left is proposed, and rewards"
    )


def test_a_treatment_without_foes_does_not_hide_what_the_fight_left(tmp_path: Path) -> None:
    table = fought(tmp_path, "d100", "ines")
    table.said("init ines --open --seed 1")
    table.said("end --yes --name Care")
    assert table.ok("take --json").record["name"] == "The place"
    table.ok("take 1")
    assert table.ok("campaign --json").record["left"][0]["n"] == 2
    context = context_of(table.environment(), campaign=".")
    assert not_taken(context.desk) == "a bandage, 3 uses · 2 xp each · a shotgun, 2 shots"


def test_what_was_used_up_is_gone(tmp_path: Path) -> None:
    Player(tmp_path).ok("campaign new Saltmarch bruno")
    table = Table(tmp_path / "saltmarch")
    table.said("init bruno --vs ines --open --seed 1")
    for word in ("ammo:rifle 5", "uses:bandage 0", "ammo:knife 1", "yielded on"):
        table.said(f"set ines {word}")
    table.said("end --yes")
    assert [row["text"] for row in table.ok("take --json").record["loot"]] == ["a rifle, 5 shots", "a knife"]
    table.ok("take all")
    bruno = sheet(table, "bruno")
    assert bruno["state"]["ammo"] == {"rifle": 5} and bruno["weapons"]["knife"]["capacity"] == 1


def test_outside_a_campaign_and_in_a_fight_nothing_is_taken(tmp_path: Path) -> None:
    here = Table(tmp_path)
    assert here.refused(3, "take --json").error["code"] == "no_fight"
    encounter(here.here, "d100")
    won(here, "ines")
    assert here.ok("take").lines[-1] == "To take anything, play in a campaign: crisis campaign new NAME WHO…"
    assert "crisis campaign new" in here.refused(3, "take 1 --json").error["hint"]
    here.said("init ines --vs looter --open")
    assert here.refused(3, "take --json").error["code"] == "open"


def test_a_run_that_was_stopped_leaves_the_sheet_to_the_next_one(tmp_path: Path) -> None:
    table = fought(tmp_path, "d100", "ines")
    sheets, before = Sheets(table.here / "characters"), Sheets(table.here / "characters").text("ines")
    table.ok("take 1")
    after = sheets.text("ines")
    lines = table.story.read_text("utf-8").splitlines(keepends=True)
    table.story.write_text("".join(lines[:-1]), "utf-8")
    sheets.write("ines", before)
    table.said("campaign")
    assert sheets.text("ines") == after


def test_a_story_changes_no_more_than_what_is_carried(tmp_path: Path) -> None:
    table = fought(tmp_path, "d100", "ines")
    sheets = Sheets(table.here / "characters")
    before = sheets.text("ines")
    table.ok("take 1")
    *lines, taken, _ = table.story.read_text("utf-8").splitlines()
    for was, now in (("health = 14", "health = 99"), ('damage = "d6+1"', 'damage = "9d6"'), ("loot", "")):
        record = json.loads(taken)
        change = record["sheets"]["Ines"]
        change["now"] = change["now"].replace(was, now) if now else "loot = false\n" + change["now"]
        record.pop("seal")
        table.story.write_text("\n".join(lines) + "\n" + line(record), "utf-8")
        sheets.write("ines", before)
        assert "would change more of it than [state] and what is carried" in table("campaign").err
        assert sheets.text("ines") == before


def test_a_story_names_no_sheet_elsewhere_as_taken_to(tmp_path: Path) -> None:
    table = fought(tmp_path, "d100", "ines")
    sheets = Sheets(table.here / "characters")
    elsewhere = Sheets(tmp_path / "elsewhere").write("ines", sheets.text("ines"))
    table.ok("take 1")
    *lines, taken, _ = table.story.read_text("utf-8").splitlines()
    record = json.loads(taken)
    record["sheets"]["Ines"]["file"] = str(elsewhere)
    record.pop("seal")
    before = elsewhere.read_bytes()
    table.story.write_text("\n".join(lines) + "\n" + line(record), "utf-8")
    assert "is in none of the folders searched" in table("campaign").err
    assert elsewhere.read_bytes() == before


def test_a_sheet_that_is_gone_is_restored_as_it_was_taken_to(tmp_path: Path) -> None:
    table = fought(tmp_path, "d100", "ines")
    table.ok("take 1")
    path = table.here / "characters" / "ines.toml"
    text = path.read_text("utf-8")
    path.unlink()
    table.said("character restore ines")
    assert path.read_text("utf-8") == text


def test_a_program_takes_the_same(tmp_path: Path) -> None:
    table = fought(tmp_path, "d100", "ines", "bruno")
    story = crisis.Library(str(table.here), campaign=".").story
    assert story is not None
    assert story.spoils.to_dict() == table.ok("take --json").record
    assert str(story.spoils).splitlines() == table.ok("take").lines[:-1]
    with pytest.raises(crisis.Usage):
        story.take(1)
    (taken,) = story.take(1, who="bruno")
    assert taken.action == "take" and taken.targets == ("Bruno",)
    assert [one.action for one in story.take(who="ines")] == ["take"] * 3
    with pytest.raises(crisis.Refused):
        story.take(1, who="ines")
    assert story.to_dict() == table.ok("campaign --json").record
    story.undo(4)
    assert "belongings" not in sheet(table, "bruno")


def test_inv_lists_what_is_carried(tmp_path: Path) -> None:
    here = Player(tmp_path)
    assert here.ok("inv ines").lines == [
        "Ines",
        "  weapons     rifle, 12 shots, in hand · club · knife ×3",
        "  items       bandage, 3 uses",
    ]
    assert here.refused(2, "inv").err
    here.ok("init hagen --vs bandit --open --seed 1")
    here("set hagen uses:bandage 1")
    shown = here.ok("bag").lines
    assert shown == [
        "Hagen",
        "  weapons     sword, in hand · shield, in hand",
        "  items       bandage, 1 of 2 uses",
    ]
    assert here.ok("inventory bandit").lines[0] == "Bandit"
    record = here.ok("inv --json").record
    assert [one["name"] for one in record["fighters"][0]["things"]] == ["sword", "bandage", "shield"]
    assert record["fighters"][0]["things"][1]["left"] == {"uses": 1}
