"""`crisis character import`: who knows a file, what is written where, and what a later import leaves alone."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from conftest import Player
from hypothesis import given, settings
from hypothesis import strategies as st

from crisis_cli.cli import run
from crisis_cli.play.importing import usable_name
from crisis_cli.rules.importing import ForeignActor, Imported, Importer, SheetNote
from crisis_cli.sheets.check import require_usable_name
from crisis_cli.systems import load
from crisis_cli.systems.importers import ImporterOf

from . import foundry, monsters
from .conftest import Saved

HOUND = foundry.creature(
    "Ash Hound", [foundry.weapon("Bite", creatureAttribute="body", creatureSkill="melee")]
)
RULES = foundry.creature("Rat", [foundry.item("special_ability", "Squeeze")])


def everything(folder: Path) -> dict[str, str]:
    """The texts of all files of a folder, by their paths."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    return {str(path.relative_to(folder)): path.read_text("utf-8", "surrogateescape") for path in files}


def raider(name: str, ident: str, rating: int = 4) -> Any:
    return foundry.creature(name, [foundry.weapon("Bite", rating, creatureAttribute="body")], ident=ident)


def test_golden_text(crisis: Player, saved: Saved) -> None:
    shown = crisis.ok(f"character import {saved([HOUND, RULES, foundry.HIGHWAYMAN])} --to found")
    assert shown.out.splitlines() == [
        "wrote found/ash-hound.toml: Ash Hound, 2d20 (foundry-fallout); 1 changed, 0 not carried",
        "  changed      attributes: body is str, end and agi, mind is per, cha and int; lck = 4",
        "wrote found/rat.toml: Rat, 2d20 (foundry-fallout); 1 changed, 1 not carried",
        "  changed      attributes: body is str, end and agi, mind is per, cha and int; lck = 4",
        "  not carried  special ability: Squeeze",
        "left out Red Truck, 2d20 (foundry-fallout): vehicle: it has no sheet",
        "2 sheets written, 0 faulty; 1 thing not carried that matters in a fight",
    ]
    sheet = (crisis.here / "found" / "rat.toml").read_text("utf-8").splitlines()
    assert sheet[0].startswith(
        "# Rat, imported from source.json (foundry-fallout Rat0000000000000) by crisis "
    )
    assert sheet[1].startswith("# Licence of the source: ")
    assert sheet[2].startswith("# Changed: attributes: body is str")
    assert sheet[3] == "# Not carried: special ability: Squeeze"
    assert sheet[4].startswith("# as imported: name=") and " attributes/str=" in sheet[4]
    assert sheet[5] == "" and sheet[6].startswith('name = "Rat" ')


def test_json_has_a_line_for_each_actor_and_one_for_all(crisis: Player, saved: Saved) -> None:
    shown = crisis.ok(f"character import {saved([HOUND, RULES])} --json")
    hound, rat, whole = shown.records
    assert hound["file"] == "characters/ash-hound.toml" and hound["did"] == "wrote"
    about = {
        "source": "source.json",
        "importer": "foundry-fallout",
        "id": "Rat0000000000000",
        "system": "2d20",
    }
    assert {key: rat[key] for key in about} == about and rat["faults"] == [] == rat["kept"]
    assert rat["lost"] == [{"key": "special ability", "what": "Squeeze"}]
    assert {"key": "img", "what": ""} in rat["ignored"]
    assert {key: whole[key] for key in ("action", "written", "kept", "faulty", "lost")} == {
        "action": "character import",
        "written": 2,
        "kept": 0,
        "faulty": 0,
        "lost": 1,
    }


def test_a_dry_run_shows_the_same_and_writes_nothing(crisis: Player, saved: Saved) -> None:
    source = saved([HOUND, RULES])
    before = everything(crisis.here)
    dry = crisis.ok(f"character import {source} --dry-run").out
    assert everything(crisis.here) == before
    assert crisis.ok(f"character import {source}").out == dry


def test_quiet_leaves_the_summary(crisis: Player, saved: Saved) -> None:
    shown = crisis.ok(f"character import {saved([HOUND])} --quiet")
    assert shown.out == "1 sheet written, 0 faulty; 0 things not carried that matter in a fight\n"


def test_a_folder_is_read(crisis: Player, saved: Saved) -> None:
    (crisis.here / "pack").mkdir()
    saved(HOUND, "pack/hound.json")
    saved({"name": "Nobody"}, "pack/other.json")
    (crisis.here / "pack" / "note.txt").write_text("no JSON", "utf-8")
    assert "1 sheet written" in crisis.ok("character import pack --to one").out


def test_stdin_is_read_and_is_no_longer_than_files_may_be(
    crisis: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def status() -> int:
        environment = crisis.environment(stdin=io.StringIO(json.dumps([HOUND])))
        return run(["character", "import", "-", "--to", "piped"], environment)

    monkeypatch.setattr("crisis_cli.play.importing.MOST_BYTES", 10)
    assert status() == 4 and not (crisis.here / "piped").exists()
    monkeypatch.undo()
    assert status() == 0 and sorted(everything(crisis.here / "piped")) == ["ash-hound.toml"]


def test_only_names_actors_and_star_stands_for_anything(crisis: Player, saved: Saved) -> None:
    source = saved([HOUND, RULES, raider("Ash Wolf", "w")])
    crisis.ok(f"character import {source} --to one --only 'ash *'")
    assert sorted(everything(crisis.here / "one")) == ["ash-hound.toml", "ash-wolf.toml"]
    crisis.ok(f"character import {source} --to two --only RAT --only 'Ash Wolf'")
    assert sorted(everything(crisis.here / "two")) == ["ash-wolf.toml", "rat.toml"]
    shown = crisis.refused(2, f"character import {source} --only rats --json")
    assert shown.error["code"] == "unknown_name" and "did you mean rat?" in shown.error["message"]


# Which importer


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("{", "wrong_import", "line 1: this is not JSON"),
        ('{\n"a": 1,\n}', "wrong_import", "line 3: this is not JSON"),
        ("[" * 100_000, "wrong_import", "too deeply nested"),
        ('{"a":' * 100_000, "wrong_import", "too deeply nested"),
        ("9" * 5_000, "wrong_import", "has a number of more than 4,300 digits"),
        ("null", "unknown_format", "holds no actor that an importer knows"),
        ("[]", "unknown_format", "holds no actor that an importer knows"),
        ('{"actors": [1, null, []]}', "unknown_format", "holds no actor"),
        ('[{"type": "npc", "system": [], "items": 3}]', "unknown_format", "holds no actor"),
    ],
)
def test_files_that_nobody_knows_are_one_line(crisis: Player, text: str, code: str, said: str) -> None:
    (crisis.here / "odd.json").write_text(text, "utf-8")
    shown = crisis.refused(4, "character import odd.json --json")
    assert shown.error["code"] == code and said in shown.error["message"]
    hint = "importers: foundry-fallout (2d20)"
    assert code != "unknown_format" or shown.error["hint"].startswith(hint)


def test_a_file_that_is_not_there_or_no_text_is_one_line(crisis: Player) -> None:
    (crisis.here / "odd.json").write_bytes(b"\xff\xfe\xfd\x00\xd8")
    assert crisis.refused(4, "character import odd.json --json").error["code"] == "wrong_import"
    assert crisis.refused(4, "character import gone.json --json").error["code"] == "not_found"


def test_an_importer_that_does_not_exist_is_a_wrong_command_line(crisis: Player, saved: Saved) -> None:
    shown = crisis.refused(2, f"character import {saved(HOUND)} --from roll20 --json")
    assert shown.error["code"] == "unknown_name" and "foundry-fallout (2d20)" in shown.error["hint"]
    assert crisis.refused(2, f"character import {saved(HOUND)} --update --overwrite").status == 2


def test_two_importers_that_know_as_much_are_to_be_told_apart(
    crisis: Player, saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    def twin(name: str, actors: int) -> ImporterOf:
        found = [ForeignActor(str(at), f"Actor {at}", {}) for at in range(actors)]
        sheet = {"system": "3d6"}
        importer = Importer(name, "", "", lambda data: iter(found), lambda raw: Imported(dict(sheet)))
        return ImporterOf(load("3d6"), importer)

    known = [twin("one", 2), twin("two", 2), twin("three", 1)]
    monkeypatch.setattr("crisis_cli.play.importing.importers", lambda name: tuple(known))
    shown = crisis.refused(2, f"character import {saved({})} --json")
    assert shown.error["code"] == "ambiguous" and "could be one or two" in shown.error["message"]
    assert "--from one" in shown.error["hint"]
    known[:] = [twin("one", 2), twin("two", 3)]
    assert "3 sheets written" in crisis.ok(f"character import {saved({})}").out


def test_a_faulty_sheet_is_told_and_not_written(
    crisis: Player, saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sheet(raw: Any) -> Imported:
        return Imported({"system": "3d6", **raw._raw}, (SheetNote("lost", "x", "y"),))

    found = [ForeignActor("1", "Good", {}), ForeignActor("2", "Bad", {"skils": 3})]
    known = ImporterOf(load("3d6"), Importer("odd", "", "", lambda data: iter(found), sheet))
    monkeypatch.setattr("crisis_cli.play.importing.importers", lambda name: (known,))
    shown = crisis(f"character import {saved({})} --to made --quiet")
    assert (
        shown.status == 4 and "1 sheet written, 1 faulty" in shown.out and "did you mean skills?" in shown.out
    )
    assert [*everything(crisis.here / "made")] == ["good.toml"]
    record = crisis(f"character import {saved({})} --to made --json").records[1]
    assert record["did"] == "faulty" and record["faults"][0]["key"] == "skils"


def test_weapons_alone_are_printed_as_tables(crisis: Player, saved: Saved) -> None:
    gun = foundry.weapon("Rail Gun", 6, effects=("arc", "vicious"), ammo="Rail", fireRate=1)
    source = saved([gun, foundry.weapon("Club", weaponType="meleeWeapons")])
    shown = crisis.refused(4, f"character import {source} --json")
    assert shown.error["hint"] == "weapons alone: --weapons prints tables to paste"
    shown = crisis.ok(f"character import {source} --weapons")
    (crisis.here / "it.toml").write_text('name = "It"\nsystem = "2d20"\n\n' + shown.out, "utf-8")
    crisis.ok("character check it.toml")
    assert "# lost: weapons.rail-gun: arc" in shown.out and "[weapons.club]" in shown.out
    assert "[weapons.club]" in crisis.ok(f"character import {source} --weapons --json").records[1]["text"]
    assert crisis.refused(4, f"character import {saved(HOUND)} --weapons").status == 4


# Names


@pytest.mark.parametrize(
    ("name", "usable"),
    [
        ("Rat", "Rat"),
        ("Wight, Bat Form", "Wight (Bat Form)"),
        ("A, B, C", "A (B C)"),
        ('a:b="c', "a b c"),
        ("--force", "force"),
        ("../../etc/passwd", "../../etc/passwd"),
        ("x" * 60, "x" * 40),
        ("12", "Nameless 12"),
        ("", "Nameless"),
        ("a\x1b[31mb\n\tc", "a [31mb c"),
        ("\ud800Rat", "Rat"),
        ("<b>Rat</b>", "Rat"),
        ("Rat\u202eR", "Rat R"),
    ],
)
def test_names_that_no_sheet_may_have_are_changed(name: str, usable: str) -> None:
    assert usable_name(name) == usable


@settings(max_examples=300, derandomize=True, database=None)
@given(st.text(max_size=90))
def test_every_name_becomes_one_that_a_sheet_may_have(name: str) -> None:
    require_usable_name(usable_name(name))


def test_two_of_one_name_get_numbers_that_last(crisis: Player, saved: Saved) -> None:
    both = [raider("Raider", "a"), raider("Raider", "b", 6)]
    crisis.ok(f"character import {saved(both)} --to made")
    made = everything(crisis.here / "made")
    assert sorted(made) == ["raider-2.toml", "raider.toml"] and 'name = "Raider 2"' in made["raider-2.toml"]
    crisis.ok(f"character import {saved(both[::-1])} --to made --update")
    assert everything(crisis.here / "made") == made


def test_actors_without_an_id_are_known_by_their_names(crisis: Player, saved: Saved) -> None:
    both = [{**raider("Raider", "a", at), "_id": ""} for at in (4, 6)]
    crisis.ok(f"character import {saved(both)} --to made")
    assert "(foundry-fallout raider-2)" in everything(crisis.here / "made")["raider-2.toml"]
    assert "2 there already" in crisis.ok(f"character import {saved(both)} --to made").out


def test_an_actor_that_stands_twice_in_the_files_is_made_once(crisis: Player, saved: Saved) -> None:
    source = saved([RULES, RULES])
    for option in ("", "--update", "--overwrite"):
        crisis.ok(f"character import {source} --to made {option}")
        (sheet,) = everything(crisis.here / "made").values()
        assert 'name = "Rat" ' in sheet


# Again


def test_what_is_there_already_is_left_alone(crisis: Player, saved: Saved) -> None:
    source = saved([HOUND])
    crisis.ok(f"character import {source}")
    before = everything(crisis.here)
    shown = crisis.ok(f"character import {source}")
    assert (
        "kept characters/ash-hound.toml" in shown.out
        and "(--update takes over what has changed)" in shown.out
    )
    assert everything(crisis.here) == before


def test_a_file_of_somebody_else_is_not_written(crisis: Player, saved: Saved) -> None:
    folder = crisis.here / "characters"
    folder.mkdir()
    (folder / "rat.toml").write_text('name = "My Rat"\nsystem = "2d20"\n', "utf-8")
    for option in ("", "--update", "--overwrite", "--dry-run"):
        shown = crisis(f"character import {saved([RULES, HOUND])} {option}")
        assert shown.status == 4 and "exists characters/rat.toml" in shown.out, option
    assert (folder / "rat.toml").read_text("utf-8").startswith('name = "My Rat"')
    assert (folder / "ash-hound.toml").is_file()


def edited(text: str) -> str:
    """The sheet of the hound as a player has edited it."""
    text = text.replace("hp = 12  ", "hp = 40  ").replace("[weapons.bite] ", "[weapons.bite] # sharp; ", 1)
    rock = '\n[weapons.rock]   # mine\ntype = "throwing"\ndamage = 2\n'
    return text.replace("\n\nname", "\n# my own remark\n\nname", 1) + rock + "\n[state]\nhp = 3\n"


def test_update_takes_over_what_was_not_edited(crisis: Player, saved: Saved) -> None:
    tail = foundry.weapon("Tail", 3, creatureAttribute="body", creatureSkill="melee")
    first = foundry.creature("Ash Hound", [*HOUND["items"], tail])
    crisis.ok(f"character import {saved(first)} --to made")
    path = crisis.here / "made" / "ash-hound.toml"
    path.write_text(edited(path.read_text("utf-8")), "utf-8")
    bite = foundry.weapon("Bite", 7, creatureAttribute="body", creatureSkill="melee")
    claw = foundry.weapon("Claw", 2, creatureAttribute="body", creatureSkill="melee")
    of = {"health": {"max": 15, "value": 15}, "defense": {"value": 2}}
    source = saved(foundry.creature("Ash Hound", [bite, claw, foundry.item("perk", "Loud")], **of))
    shown = crisis.ok(f"character import {source} --to made --update --json")
    record = shown.records[0]
    assert record["did"] == "updated" and record["kept"] == ["hp", "weapons.rock"]
    assert record["newer"] == {"hp": "15"}
    text = path.read_text("utf-8")
    assert all(
        words in text for words in ("hp = 40  ", "# sharp; ", "# mine", "# my own remark", "defense = 2 ")
    )
    assert "[weapons.tail]" not in text and "[weapons.claw]" in text and "damage = 7" in text
    assert "[state]\nhp = 3\n" in text and "# Not carried: perk: Loud" in text
    assert text.count("# as imported: ") == 1
    crisis.ok("character check made/ash-hound.toml")
    again = crisis.ok(f"character import {source} --to made --update --json").records[0]
    assert again["did"] == "kept" and again["kept"] == ["hp", "weapons.rock"] and again["newer"] == {}
    assert path.read_text("utf-8") == text
    said = crisis.ok(f"character import {source} --to made --update").out
    assert "kept         hp (yours), weapons.rock (yours)" in said


def test_what_the_player_has_deleted_stays_away(crisis: Player, saved: Saved) -> None:
    crisis.ok(f"character import {saved(HOUND)} --to made")
    path = crisis.here / "made" / "ash-hound.toml"
    head, _, rest = path.read_text("utf-8").partition("[weapons.bite]")
    path.write_text(head + rest[rest.index("\n[") + 1 :] if "\n[" in rest else head, "utf-8")
    record = crisis.ok(f"character import {saved(HOUND)} --to made --update --json").records[0]
    assert record["kept"] == ["weapons.bite"] and "[weapons.bite]" not in path.read_text("utf-8")


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_line_ends_and_the_byte_order_mark_stay(
    crisis: Player, saved: Saved, mark: str, line_end: str
) -> None:
    crisis.ok(f"character import {saved(HOUND)} --to made")
    path = crisis.here / "made" / "ash-hound.toml"
    text = path.read_text("utf-8")
    path.write_bytes((mark + text.replace("\n", line_end)).encode())
    more = foundry.creature("Ash Hound", HOUND["items"], defense={"value": 3})
    assert (
        crisis.ok(f"character import {saved(more)} --to made --update --json").records[0]["did"] == "updated"
    )
    made = path.read_bytes().decode()
    assert made.startswith(f"{mark}# Ash Hound") and "defense = 3" in made
    assert made.count("\n") == made.count(line_end)
    crisis.ok("character check made/ash-hound.toml")


def test_a_dry_update_writes_nothing(crisis: Player, saved: Saved) -> None:
    crisis.ok(f"character import {saved(HOUND)} --to made")
    before = everything(crisis.here / "made")
    more = saved(foundry.creature("Ash Hound", HOUND["items"], defense={"value": 3}))
    assert (
        crisis.ok(f"character import {more} --to made --update --dry-run --json").records[0]["did"]
        == "updated"
    )
    assert everything(crisis.here / "made") == before


def test_overwrite_writes_anew_but_for_the_state(crisis: Player, saved: Saved) -> None:
    crisis.ok(f"character import {saved(HOUND)} --to made")
    path = crisis.here / "made" / "ash-hound.toml"
    first = path.read_text("utf-8")
    path.write_text(edited(first), "utf-8")
    crisis.ok(f"character import {saved(HOUND)} --to made --overwrite")
    text = path.read_text("utf-8")
    assert text.startswith(first.rstrip("\n")) and "hp = 3 " in text.partition("[state]")[2]
    assert "rock" not in text and "hp = 40" not in text


def test_an_actor_that_is_gone_from_the_source_is_left_alone(crisis: Player, saved: Saved) -> None:
    crisis.ok(f"character import {saved([HOUND, RULES])} --to made")
    crisis.ok(f"character import {saved([HOUND])} --to made --update")
    assert "rat.toml" in everything(crisis.here / "made")


# Files of strangers


def test_an_import_writes_in_its_folder_alone(crisis: Player, saved: Saved, tmp_path: Path) -> None:
    names = [
        "../../out",
        "/etc/passwd",
        "a/b",
        "..",
        "con",
        "x\x00y",
        "\u202e.toml",
        "A" * 5_000,
        "~/x",
        "C:\\x",
        "-",
    ]
    actors = [raider(name, f"../{at}/..") for at, name in enumerate(names)]
    before = everything(crisis.here)
    shown = crisis.ok(f"character import {saved(actors)} --to made --json")
    assert all(Path(record["file"]).parent == Path("made") for record in shown.records[:-1])
    after = everything(crisis.here)
    assert {path for path in after if path not in before and path != "source.json"} == {
        record["file"] for record in shown.records[:-1]
    }
    assert all(text.isprintable() for text in "".join(after.values()).splitlines())


def test_no_sheet_is_imported_through_a_link(crisis: Player, saved: Saved, tmp_path: Path) -> None:
    elsewhere = crisis.here.parent / "elsewhere-of-import"
    elsewhere.mkdir()
    source = saved(HOUND)
    crisis.ok(f"character import {source} --to made")
    sheet = crisis.here / "made" / "ash-hound.toml"
    more = saved(foundry.creature("Ash Hound", HOUND["items"], defense={"value": 3}), "more.json")
    sheet.rename(elsewhere / "ash-hound.toml")
    sheet.symlink_to(elsewhere / "ash-hound.toml")
    before = everything(elsewhere)
    for option in ("--update", "--overwrite"):
        shown = crisis(f"character import {more} --to made {option}")
        assert shown.status == 4 and "outside the folder" in shown.out
    sheet.unlink()
    sheet.symlink_to(elsewhere / "nowhere.toml")
    assert crisis(f"character import {more} --to made").status == 4
    sheet.unlink()
    (elsewhere / "ash-hound.toml").rename(elsewhere / "other.txt")
    before = everything(elsewhere)
    (crisis.here / "characters").symlink_to(elsewhere)
    assert crisis(f"character import {more}").status == 4
    assert everything(elsewhere) == before


def test_no_word_of_the_source_becomes_a_line_of_a_sheet(crisis: Player, saved: Saved, d20: None) -> None:
    line = 'x\nplayer = true\r[weapons.doom]\u2028kind = "melee"\x1b'
    odd = {
        **monsters.GNAT,
        "speed": {f"walk{line}": "30 ft."},
        "damage_resistances": [line],
        "name": f"Gnat {line}",
    }
    odd["special_abilities"] = [{"name": line, line: 3}]
    shown = crisis.ok(f"character import {saved(odd, 'it.json')} --to made --json")
    (sheet,) = everything(crisis.here / "made").values()
    assert "\nplayer = true" not in sheet and "\n[weapons.doom]" not in sheet and "player = false" in sheet
    assert all(one.isprintable() for one in sheet.split("\n"))
    assert "walkx player = true [weapons.doom]" in str(shown.records[0]["changed"])
    gun = foundry.weapon("Gun", ammo=line, range=line, weaponType="unarmed")
    assert "\nplayer" not in crisis.ok(f"character import {saved(gun)} --weapons").out


def test_many_actors_of_one_name_are_no_trouble(crisis: Player, saved: Saved) -> None:
    many = [raider("Rat", str(at), at % 9) for at in range(300)]
    crisis.ok(f"character import {saved(many)} --to made --quiet")
    assert len(everything(crisis.here / "made")) == 300
    assert "300 there already" in crisis.ok(f"character import {saved(many)} --to made --quiet").out
    too_many = crisis.refused(4, f"character import {saved([RULES] * 5_001)} --json")
    assert "more than 5,000 actors" in too_many.error["message"]


def test_a_file_to_import_is_read_up_to_a_size(crisis: Player) -> None:
    with open(crisis.here / "huge.json", "wb") as file:
        file.truncate(20_000_001)
    shown = crisis.refused(4, "character import huge.json --json")
    assert shown.error["code"] == "wrong_import" and "20,000,000 at most" in shown.error["message"]
    os.mkfifo(crisis.here / "pipe.json")
    assert crisis.refused(4, "character import pipe.json --json").error["code"] == "wrong_import"


def test_many_files_are_too_many(crisis: Player) -> None:
    (crisis.here / "pack").mkdir()
    for at in range(2_001):
        (crisis.here / "pack" / f"{at}.json").write_text("{}", "utf-8")
    assert "more than 2,000 files" in crisis.refused(4, "character import pack --json").error["message"]


def test_a_large_actor_is_no_trouble(crisis: Player, saved: Saved) -> None:
    items = [foundry.weapon(f"Bite {at}", creatureAttribute="body") for at in range(1_000)]
    deep: Any = {}
    for _ in range(400):
        deep = {"system": deep, "value": 10**300}
    source = saved(foundry.creature("Hydra", items, body=deep))
    record = crisis.ok(f"character import {source} --to made --json").records[0]
    assert {"key": "weapons.bite-999", "what": "the table is full"} in record["lost"]
    crisis.ok("character check made/hydra.toml")


# Packages


def test_the_importer_of_a_package_is_found(crisis: Player, saved: Saved, d20: None) -> None:
    shown = crisis.ok(f"character import {saved(monsters.MONSTERS)} --to made --json")
    assert [record["importer"] for record in shown.records[:-1]] == ["5e"] * 4
    crisis.ok("character check made/mudjaw.toml made/warden-elder-form.toml made/gnat.toml made/husk.toml")
    both = saved([*monsters.MONSTERS, HOUND], "both.json")
    assert crisis.ok(f"character import {both} --to two --json").records[0]["importer"] == "5e"
    fallout = crisis.ok(f"character import {both} --to two --from foundry-fallout --json")
    assert [record.get("name") for record in fallout.records][:2] == ["Ash Hound", "Mudjaw"]
    assert [record["did"] for record in fallout.records[:-1]] == ["wrote", *["left out"] * 4]
    hint = crisis.refused(4, f"character import {saved({})} --json").error["hint"]
    assert hint == "importers: foundry-fallout (2d20), 5e (d20)"


def test_an_importer_that_fails_is_one_line_with_its_package(
    crisis: Player, saved: Saved, d20: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import crisis_d20.srd as page  # type: ignore[import-not-found, unused-ignore]

    monkeypatch.setattr(page.MonsterReader, "_speed", lambda self: page.bare(None))
    shown = crisis.refused(4, f"character import {saved(monsters.MONSTERS)} --json")
    assert shown.error["code"] == "plug_in_failed" and "(crisis-d20 0.1.0)" in shown.error["message"]
    monkeypatch.delattr(page, "SRD")
    shown = crisis.refused(4, f"character import {saved(monsters.MONSTERS)} --json")
    assert "crisis-d20 0.1.0: its importer crisis_d20.srd:SRD cannot be loaded" in shown.error["message"]
    monkeypatch.setattr(page, "SRD", 3, raising=False)
    assert "is no Importer" in crisis.refused(4, f"character import {saved({})}").err


def test_no_play_loads_an_importer(crisis: Player) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from crisis_cli.systems import load; load('2d20'); import crisis_cli.play.opening;"
        "print([name for name in sys.modules if 'importing' in name or 'foundry' in name or 'importers' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "[]\n"


def test_an_actor_that_the_importer_does_not_know_is_left_out_by_name(crisis: Player, saved: Saved) -> None:
    stranger = {"_id": "g", "name": "Goblin", "type": "npc", "system": {"abilities": {}}, "items": []}
    source = saved({"actors": [HOUND, stranger], "items": [foundry.weapon("Club")]})
    shown = crisis.ok(f"character import {source} --to made")
    assert "left out Goblin, 2d20 (foundry-fallout): npc: it is no actor that" in shown.out
    assert [*everything(crisis.here / "made")] == ["ash-hound.toml"] and "Club" not in shown.out
    assert crisis.ok(f"character import {source} --only goblin --json").records[0]["did"] == "left out"


def test_what_cannot_be_read_is_not_carried(crisis: Player, saved: Saved) -> None:
    of = {"health": {"max": "lots", "value": 4}, "mind": "y", "body": {"value": [1] * 40}}
    record = crisis.ok(f"character import {saved(foundry.creature('Rat', [], **of))} --json").records[0]
    lost = {one["key"]: one["what"] for one in record["lost"]}
    assert lost["system.health.max"] == "lots cannot be read" and lost["system.mind"] == "y cannot be read"
    assert lost["system.body.value"].startswith("[1, 1, ") and len(lost["system.body.value"]) < 60
    assert not {*lost} & {one["key"] for one in record["ignored"]}


def test_a_part_that_both_have_changed_says_what_the_source_has(crisis: Player, saved: Saved) -> None:
    crisis.ok(f"character import {saved(HOUND)} --to made")
    path = crisis.here / "made" / "ash-hound.toml"
    path.write_text(path.read_text("utf-8").replace("hp = 12 ", "hp = 40 "), "utf-8")
    of = {"health": {"max": 15, "value": 15}, "body": {"value": 9}}
    source = saved(foundry.creature("Ash Hound", HOUND["items"], **of))
    assert (
        "hp (yours; the source has 15 now)" in crisis.ok(f"character import {source} --to made --update").out
    )
    assert "str = 9 " in path.read_text("utf-8")


def test_an_edited_attribute_holds_no_other_back(crisis: Player, saved: Saved) -> None:
    crisis.ok(f"character import {saved(HOUND)} --to made")
    path = crisis.here / "made" / "ash-hound.toml"
    path.write_text(path.read_text("utf-8").replace("per = 5", "per = 8"), "utf-8")
    source = saved(foundry.creature("Ash Hound", HOUND["items"], body={"value": 9}, mind={"value": 6}))
    record = crisis.ok(f"character import {source} --to made --update --json").records[0]
    assert record["kept"] == ["attributes.per"] and record["newer"] == {"attributes.per": "6"}
    assert "str = 9" in path.read_text("utf-8") and "cha = 6" in path.read_text("utf-8")


def test_another_name_of_the_source_changes_no_sheet(crisis: Player, saved: Saved) -> None:
    crisis.ok(f"character import {saved(HOUND)} --to made")
    before = everything(crisis.here / "made")
    assert "kept" in crisis.ok(f"character import {saved(HOUND, 'other.json')} --to made --update").out
    assert everything(crisis.here / "made") == before


def test_a_link_is_named_where_it_stands(crisis: Player, saved: Saved) -> None:
    crisis.ok(f"character import {saved(RULES)} --to other")
    (crisis.here / "made").mkdir()
    (crisis.here / "made" / "x.toml").symlink_to(crisis.here / "other" / "rat.toml")
    source = saved({**RULES, "system": {**RULES["system"], "defense": {"value": 3}}})
    shown = crisis(f"character import {source} --to made --update")
    assert shown.status == 4 and "  made/x.toml is a link to " in shown.out


def test_the_sheets_of_a_folder_are_checked(crisis: Player, saved: Saved) -> None:
    crisis.ok(f"character import {saved([HOUND, RULES])} --to made")
    for word in ("made", "./made"):
        assert crisis.ok(f"character check {word}").out.count("all right") == 2
    (crisis.here / "empty").mkdir()
    assert crisis.refused(4, "character check ./empty").status == 4
