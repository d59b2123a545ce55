"""Campaigns: several evenings in one folder, whose story and journals give the sheets, whatever happens between."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Player, Sheets, Shown

from crisis_cli.engine.events import apply_all, fighter_of
from crisis_cli.engine.journal import Crisis, folded_lines
from crisis_cli.engine.scene import Fighter, Scene
from crisis_cli.sheets.check import read as read_sheet
from crisis_cli.sheets.fighters import fighter, lasting
from crisis_cli.systems import load

PARTIES = {
    "step": ("vera", "raider"),
    "d6pool": ("tilda", "bandit"),
    "3d6": ("jack", "drone"),
    "d100": ("marshal", "looter"),
    "2d20": ("cass", "ghoul"),
}
SLOW = ("step", "2d20", "d6pool")
"""Systems whose opponents take long to decide."""
"""A hero and an opponent of the shipped sheets, by system."""


class Table(Player):
    """A player in the folder of a campaign, whose clock goes on by a minute at each command."""

    minutes = 0

    def __call__(self, *words: str, **how: Any) -> Shown:
        self.minutes += 1
        self.now = f"2026-11-20T{19 + self.minutes // 60:02}:{self.minutes % 60:02}:00Z"
        return super().__call__(*words, **how)

    def said(self, *words: str, **how: Any) -> str:
        """What a command prints that must be done; warnings are passed over."""
        shown = self(*words, **how)
        assert shown.status == 0, shown
        return shown.out

    def state(self, stem: str) -> dict[str, Any]:
        """What stands in [state] of a sheet of the campaign."""
        text = (self.here / "characters" / f"{stem}.toml").read_text("utf-8")
        found: dict[str, Any] = tomllib.loads(text).get("state", {})
        return found

    @property
    def story(self) -> Path:
        """The story of the campaign."""
        return self.here / "story.jsonl"

    @property
    def journals(self) -> list[str]:
        """The names of the archived journals."""
        return sorted(path.name for path in (self.here / "journals").glob("*.jsonl"))


def campaign(tmp_path: Path, system: str, rest: str = "") -> Table:
    """A new campaign of one hero of a system."""
    Player(tmp_path).ok(f"campaign new Saltmarch {PARTIES[system][0]}")
    table = Table(tmp_path / "saltmarch")
    if rest:
        path = table.here / "campaign.toml"
        path.write_text(path.read_text("utf-8") + f"\n[rest]\n{rest}\n", "utf-8")
    return table


def fight(table: Table, system: str, seed: int, name: str = "") -> None:
    """An evening: some rounds played automatically, then the end, decided or not."""
    hero, foe = PARTIES[system]
    table.said(f"init {hero} --vs {foe} --open --seed {seed}")
    for _ in range(6):
        table(f"auto {hero} on")
        table("auto")
        table("next")
    table.said("end --yes", *(["--name", name] if name else [])) if not name else table.said(
        "end", "--yes", "--name", name
    )


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in PARTIES]
)
def system(request: pytest.FixtureRequest) -> str:
    """Each system."""
    name: str = request.param
    return name


def crisis_of(path: Path) -> Crisis:
    """A journal folded by the engine alone."""
    return folded_lines(path.read_text("utf-8").splitlines(), load)


def folded(here: Path, start: Fighter) -> Fighter:
    """The fighter after all journals and the story, each change applied to what the one before it left."""
    story = crisis_of(here / "story.jsonl")
    system = load(story.header["system"])
    one = start
    for entry in story.done:
        if entry.intent.action == "fight":
            crisis = crisis_of(here / "journals" / entry.intent.options["file"])
            came = crisis.start.fighters[one.name]
            assert lasting(system, came) == lasting(system, one), "it comes as it was left"
            one = crisis.scene.fighters[one.name]
        elif entry.intent.action == "downtime":
            came = next(
                fighter_of(each) for each in entry.intent.options["fighters"] if each["name"] == one.name
            )
            assert lasting(system, came) == lasting(system, one), "it rests as it was left"
            scene = Scene(system.name, {one.name: came})
            own = [event for event in entry.events if event.who == one.name and event.what != "fighter"]
            one = apply_all(scene, own).fighters[one.name]
    return one


def fighter_on_disk(here: Path, stem: str) -> Fighter:
    """The fighter as the sheet of the campaign says."""
    path = here / "characters" / f"{stem}.toml"
    sheet = read_sheet(path, stem)
    return fighter(load(sheet.values["system"]), sheet)


def test_three_evenings_give_what_all_journals_and_the_story_give(tmp_path: Path, system: str) -> None:
    house = {"3d6": 'health = "d3"\nendurance = 20', "d100": 'health = "d6"', "2d20": 'hp = "d4"'}.get(
        system, ""
    )
    table = campaign(tmp_path, system, house)
    hero = PARTIES[system][0]
    start = fighter_on_disk(table.here, hero)
    for evening in (1, 2, 3):
        fight(table, system, evening, f"Evening {evening}")
        table.said("note", "--thread", f"What happened on evening {evening}?")
        table.said("oracle", "Is it quiet?", "--odds", "likely")
        table("rest --days 2")
    then = folded(table.here, start)
    now = fighter_on_disk(table.here, hero)
    assert lasting(load(system), now) == lasting(load(system), then)
    assert table.state(hero), "else this has tried nothing"
    assert [name.partition("-2026")[0] for name in table.journals] == [
        f"00{number}-evening-{number}" for number in (1, 2, 3)
    ]
    record = table.ok("campaign --json").record
    assert [one["n"] for one in record["fights"]] == [1, 2, 3]
    assert [one["open"] for one in record["threads"]] == [True] * 3
    assert table.ok("campaign check").out == "all right\n"
    assert "no differences" in table.ok("verify story.jsonl").out


def test_undo_and_redo_of_a_night(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step")
    sheets = Sheets(table.here / "characters")
    sheets.write("vera", sheets.text("vera") + "\n[state]\nhealth = 9\n")
    hurt = sheets.text("vera")
    table.ok("rest --care doctor --dice 4")
    rested = sheets.text("vera")
    assert table.state("vera")["health"] == 10 and table.ok("campaign --json").record["day"] == 2
    table.ok("rest --care doctor --dice 4")
    assert "sheets restored: Vera" in table.ok("undo").out
    assert sheets.text("vera") == rested
    table.ok("undo")
    assert sheets.text("vera") == hurt and table.ok("campaign --json").record["day"] == 1
    assert "sheets saved: Vera" in table.ok("redo 2").out
    assert table.state("vera")["health"] == 11 and table.ok("campaign --json").record["day"] == 3
    assert table.ok("campaign check").out == "all right\n"
    table.ok("undo 2")
    assert sheets.text("vera") == hurt
    table.refused(3, "undo")


def test_a_sheet_edited_since_a_night_is_left_as_it_is(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step")
    sheets = Sheets(table.here / "characters")
    sheets.write("vera", sheets.text("vera") + "\n[state]\nhealth = 9\n")
    table.ok("rest --care doctor --dice 4")
    sheets.write("vera", sheets.text("vera").replace("health = 10", "health = 20"))
    shown = table("undo")
    assert shown.status == 0 and "was changed in the meantime" in shown.err
    assert table.state("vera")["health"] == 20


def test_a_sheet_edited_since_a_night_gets_its_state_back(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step")
    sheets = Sheets(table.here / "characters")
    hurt = sheets.text("vera") + "\n[state]\nhealth = 9\n"
    sheets.write("vera", hurt)
    for _ in range(2):
        table.ok("rest --care doctor --dice 4")
        assert table.state("vera")["health"] == 10
        sheets.write("vera", re.sub(r"(?m)^mind = .*$", 'mind = "d10"', sheets.text("vera")))
        table.ok("undo")
        assert table.state("vera")["health"] == 9
    assert 'mind = "d10"' in sheets.text("vera") and sheets.text("vera") != hurt
    table.ok("redo")
    assert table.state("vera")["health"] == 10


def test_the_end_of_a_fight_is_undone_and_redone_with_its_line_in_the_story(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    fight(table, "3d6", 1, "The bridge")
    (name,) = table.journals
    state = table.state("jack")
    table.said("undo")
    assert not table.journals and table.journal.exists() and not table.state("jack")
    assert table.ok("campaign --json").record["fights"] == []
    table.said("redo")
    assert table.journals == [name] and table.state("jack") == state
    assert [one["file"] for one in table.ok("campaign --json").record["fights"]] == [name]
    assert table.ok("campaign check").out == "all right\n"


def test_the_nights_after_a_fight_are_redone_after_it(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    fight(table, "3d6", 1, "The bridge")
    table.ok("rest --days 2 --seed 1")
    before, state = table.ok("campaign --json").record, table.state("jack")
    for _ in range(4):
        table.said("undo")
    for _ in range(4):
        table.said("redo")
    assert table.ok("campaign --json").record == before and table.state("jack") == state
    assert table.ok("campaign check").out == "all right\n"
    table.said("undo 2")
    table.said("undo")
    table.said("set jack health 3")
    table.said("end --yes")
    assert "nothing to redo" in table.refused(3, "redo").err, "the fight has ended in another way"


def test_nobody_rests_in_a_fight_and_nothing_works_without_a_campaign(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    table.said("init jack --vs drone --open")
    assert "a crisis is open" in table.refused(3, "rest").err
    outside = Player(tmp_path)
    for line in ("rest", "campaign", "campaign check", "character restore jack"):
        assert "no campaign here" in outside.refused(3, line).err


def test_a_journal_of_its_own_is_outside_the_campaign(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    for line in ("campaign", "rest", "chronicle"):
        assert "outside the campaign" in table.refused(2, f"{line} --file other.jsonl").err
    table.ok("init jack --vs drone --open --file other.jsonl")
    table.said("end --yes --file other.jsonl")
    assert not table.journals and table.ok("campaign --json").record["fights"] == []


def test_only_days_pass_where_rules_have_no_rest(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    out = table.ok("rest --days 3").out
    assert out.splitlines() == ["A day passes: these rules heal nobody by rest."] * 3
    assert table.ok("campaign --json").record["day"] == 4


@pytest.mark.parametrize(
    ("system", "hero", "condition"),
    [
        ("3d6", "jack", "prone"),
        ("3d6", "jack", "hidden"),
        ("3d6", "jack", "stunned"),
        ("d6pool", "hagen", "hunkered"),
        ("d6pool", "hagen", "blocking"),
        ("step", "vera", "stunned"),
        ("2d20", "cass", "stunned"),
        ("step", "vera", "kneeling"),
        ("step", "vera", "prone"),
        ("2d20", "cass", "prone"),
        ("d100", "ines", "sneaking"),
    ],
)
def test_a_rest_ends_what_does_not_outlast_a_fight(
    tmp_path: Path, system: str, hero: str, condition: str
) -> None:
    Player(tmp_path).ok(f"campaign new Saltmarch {hero}")
    table = Table(tmp_path / "saltmarch")
    sheets = Sheets(table.here / "characters")
    before = sheets.text(hero) + f'\n[state]\nconditions = ["{condition}"]\n'
    sheets.write(hero, before)
    assert table.ok("rest --dry-run").out and sheets.text(hero) == before
    (effect,) = [one for one in table.ok("rest --json").record["effects"] if condition in one["what"]]
    assert (effect["was"], effect["now"]) == (True, False)
    assert "[state]" not in sheets.text(hero)
    table.ok("undo")
    assert sheets.text(hero) == before
    table.ok("redo")
    assert "[state]" not in sheets.text(hero)
    assert table.ok("campaign check").out == "all right\n"


def test_those_who_lie_unconscious_stay_so_through_a_rest(tmp_path: Path) -> None:
    Player(tmp_path).ok("campaign new Saltmarch cass")
    table = Table(tmp_path / "saltmarch")
    sheets = Sheets(table.here / "characters")
    sheets.write("cass", sheets.text("cass") + '\n[state]\nconditions = ["unconscious", "prone"]\n')
    table.ok("rest")
    assert "prone" in sheets.text("cass")


@pytest.mark.parametrize(
    ("hero", "state", "stays", "said"),
    [
        ("hagen", 'wounds = 3\nconditions = ["hunkered", "unconscious"]', ["unconscious"], "hunkered"),
        ("jack", 'health = 0\nconditions = ["prone", "hidden"]', ["dead", "prone"], "hidden"),
    ],
)
def test_nobody_who_is_out_of_the_fight_is_on_their_feet_again_after_a_rest(
    tmp_path: Path, hero: str, state: str, stays: list[str], said: str
) -> None:
    Player(tmp_path).ok(f"campaign new Saltmarch {hero}")
    table = Table(tmp_path / "saltmarch")
    sheets = Sheets(table.here / "characters")
    sheets.write(hero, f"{sheets.text(hero)}\n[state]\n{state}\n")
    out = table.said("rest")
    assert f"{hero.title()} is no longer {said}.\n" in out
    assert " again." not in out
    assert table.state(hero)["conditions"] == stays


def test_odds_of_a_rest_name_what_it_ends(tmp_path: Path) -> None:
    Player(tmp_path).ok("campaign new Saltmarch hagen")
    table = Table(tmp_path / "saltmarch")
    sheets = Sheets(table.here / "characters")
    sheets.write("hagen", sheets.text("hagen") + '\n[state]\nwounds = 3\nconditions = ["hunkered"]\n')
    assert "Hagen is no longer  hunkered 100 %" in table.ok("odds rest").out
    out = table.ok("rest --dice 1,1,1,1,1").out
    assert out.endswith("  Hagen is on their feet again.\n")
    assert table.state("hagen") == {"wounds": 3}


def test_only_wounds_count_as_hurt(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    table.ok("init jack --vs drone --open --seed 3")
    for line in ("set jack condition:prone 1", "set drone health 0", "end"):
        table.said(line)
    assert "prone" in table.state("jack")["conditions"]
    assert "Previously" in (out := table("play --vs drone --auto --seed 1 --rounds 1").out)
    assert "Still hurt" not in out


def test_a_house_rule_heals_and_says_so(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6", 'health = "d3"')
    sheets = Sheets(table.here / "characters")
    sheets.write("jack", sheets.text("jack") + "\n[state]\nhealth = 9\n")
    out = table.ok("rest --dice 3").out
    assert "by a house rule" in out and table.state("jack")["health"] == 12
    record = json.loads(table.story.read_text("utf-8").splitlines()[1])
    assert record["intent"]["options"]["house"] == {"health": "d3"}
    assert "house rule" in table.ok("log story.jsonl --explain").out
    assert table.ok("campaign check").out == "all right\n"


def test_those_who_cannot_rest_are_left_out_of_the_party_and_refused_by_name(tmp_path: Path) -> None:
    Player(tmp_path).ok("campaign new Saltmarch vera raider")
    table = Table(tmp_path / "saltmarch")
    sheets = Sheets(table.here / "characters")
    sheets.write("vera", sheets.text("vera") + "\n[state]\nhealth = -10\n")
    shown = table("rest")
    assert shown.status == 0 and "Vera does not rest" in shown.err
    assert "dead" in table.refused(3, "rest vera").err
    shown = table("init --vs brute --open --seed 1")
    assert "Vera is dead and takes no part" in shown.err and "Vera" not in shown.out and "Raider" in shown.out
    assert "party = [...] in campaign.toml" in shown.err


def test_hours_and_days_and_what_does_not_go_with_them(tmp_path: Path) -> None:
    table = campaign(tmp_path, "d6pool")
    assert "a rest takes 6 hours" in table.refused(3, "rest tilda --hours 5").err
    table.ok("rest --hours 6")
    assert table.ok("campaign --json").record["day"] == 1
    for line in (
        "rest --hours 6 --days 1",
        "rest --days 2 --dice 4",
        "rest --care doctor",
        "rest --hours 24",
    ):
        table.refused(2, line)


def test_notes_threads_and_awards(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    table.ok("note --thread 'Who paid the warden?'")
    table.ok("note --thread Who has the key")
    table.ok("note --award 'jack 2 xp: the bridge'")
    table.said("init jack --vs drone --open")
    table.ok("note --close 1")
    table.ok("note --award jack 1")
    record = table.ok("campaign --json").record
    assert record["threads"] == [
        {"n": 1, "text": "Who paid the warden?", "open": False},
        {"n": 2, "text": "Who has the key", "open": True},
    ]
    assert record["awards"] == {"Jack": 3} and record["open"] is True
    assert record["units"] == {"Jack": {"xp": 2, "": 1}}
    assert "  Jack: 2 xp, 1\n" in table.ok("campaign").out
    assert "A fight is open, Jack against Drone, in round 1;" in table.ok("campaign").out
    assert "no open thread has the number 1" in table.refused(3, "note --close 1").err
    table.ok("set jack health 3")
    assert "Health 3/30" in table.ok("campaign").out, "a fight writes the sheets at its end"
    table.ok("undo")
    table.ok("undo 2")
    assert table.ok("campaign --json").record["awards"] == {"Jack": 2}
    for line in ("note --award jack", "note --thread --close 1 x", "note --thread"):
        table.refused(2, line)
    assert "jack" in table.refused(4, "note --award 'jakc 2'").err


def test_a_script_takes_threads_and_awards_as_the_shell_does(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    table.said("init jack --vs drone --open")
    (table.here / "evening.txt").write_text(
        "note --thread 'Who paid the warden?'\nnote --award 'jack 2 xp: the bridge'\nnote --close 1 Ada did.\n"
    )
    table.said("run evening.txt")
    record = table.ok("campaign --json").record
    assert record["threads"] == [{"n": 1, "text": "Who paid the warden?", "open": False}]
    assert record["awards"] == {"Jack": 2}


def test_the_oracle_tables_and_decks_between_fights_are_in_the_story(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    (table.here / "tables").joinpath("omens.toml").write_text('deck = true\nrows = ["one", "two"]\n', "utf-8")
    drawn = {table.ok("tables omens --quiet").out for _ in range(2)}
    assert drawn == {"one\n", "two\n"}
    assert "all rows of omens are drawn" in table.refused(3, "tables omens").err
    table.ok("undo")
    table.ok("tables omens")
    table.ok("tables shuffle omens")
    table.ok("tables omens")
    assert table.ok("oracle 'Is it quiet?' --dice 10,3,1,1 --json").record["tension"] == {"was": 2, "now": 1}
    assert table.ok("campaign --json").record["tension"] == 1
    table.ok("undo")
    assert table.ok("campaign --json").record["tension"] == 2
    table.ok("set tension 5")
    assert table.ok("campaign --json").record["tension"] == 5
    assert table.ok("campaign check").out == "all right\n"


@pytest.mark.slow
def test_a_campaign_is_found_from_inside_and_can_be_moved(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step")
    fight(table, "step", 1)
    table.said("rest")
    table.said("init vera --vs raider --open --seed 2")
    inside = table.here / "notes" / "old"
    inside.mkdir(parents=True)
    assert Player(inside).ok("status").out == table.ok("status").out
    for path in (table.story, table.journal):
        assert str(tmp_path) not in "".join(
            line for line in path.read_text("utf-8").splitlines() if '"story"' in line or path == table.story
        )
    moved = Table(tmp_path / "elsewhere" / "marsh")
    moved.here.parent.mkdir()
    shutil.move(table.here, moved.here)
    moved.said("end --yes")
    moved.said("rest")
    moved.said("undo 1")
    assert moved.ok("campaign check").out == "all right\n"
    elsewhere = Player(tmp_path)
    assert elsewhere.ok("campaign --campaign elsewhere/marsh --json").record["name"] == "Saltmarch"
    assert "no campaign here" in moved.refused(3, "campaign --campaign -").err
    assert "no campaign in nowhere" in moved.refused(4, "campaign --campaign nowhere").err
    assert (
        Player(tmp_path).ok("campaign --json", env={"CRISIS_CAMPAIGN": "elsewhere/marsh"}).record["day"]
        == moved.ok("campaign --json").record["day"]
    )


def test_the_inner_of_two_campaigns_is_used_with_a_warning(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    shown = table("campaign new Inner jack")
    assert shown.status == 0 and "inside another one" in shown.err
    inner = Table(table.here / "inner")
    shown = inner("campaign")
    assert shown.out.startswith("Inner") and "inside another one" in shown.err


@pytest.mark.slow
def test_a_sheet_that_is_gone_is_offered_and_restored(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step")
    fight(table, "step", 3)
    path = table.here / "characters" / "vera.toml"
    text = path.read_text("utf-8")
    path.unlink()
    for line in ("campaign", "rest"):
        err = table.refused(4, line).err
        assert "the sheet of Vera is gone" in err and "crisis character restore vera" in err
    assert "is gone" in table("campaign check").out
    table.ok("character restore vera")
    assert path.read_text("utf-8") == text
    table.refused(4, "character restore vera")
    table.refused(4, "character restore nobody")


def test_a_sheet_of_a_fight_that_saved_nothing_is_restored_from_its_header(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step")
    table.said("init vera --vs raider --open --seed 2")
    table.said("end --yes --no-save")
    before = fighter_on_disk(table.here, "vera")
    path = table.here / "characters" / "vera.toml"
    path.unlink()
    table.ok("character restore vera")
    after = fighter_on_disk(table.here, "vera")
    assert after.sheet == before.sheet and after.pools == before.pools


def test_check_names_a_journal_that_does_not_verify_and_it_is_still_told(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    fight(table, "3d6", 1, "The bridge")
    path = table.here / "journals" / table.journals[0]
    path.write_text(path.read_text("utf-8").replace('"seed":1,', '"seed":2,', 1), "utf-8")
    shown = table("campaign check")
    assert shown.status == 4 and f"journals/{path.name}: does not verify" in shown.out
    assert [one["name"] for one in table.ok("campaign --json").record["fights"]] == ["The bridge"]
    path.unlink()
    assert "is gone" in table("campaign check").out
    assert "The bridge" in table("campaign").out


WRONG = {
    "name": ["1", "true", '""', '" "', "[]", "{}", "1.5", '"\\u0007"', f'"{"x" * 61}"', "2026-11-20"],
    "system": ["1", "true", '""', '"3d7"', "[]", "{}", "1.5", '"d6pol"', '"3D6 "' + "x", "2026-11-20"],
    "party": ["1", "true", '"jack"', "{}", "1.5", "[1]", '[""]', '["jack", "jack"]', '["a", "A"]', "[[]]"],
    "day": ["0", "-1", "true", '"1"', "[]", "{}", "1.5", "100001", '"one"', "2026-11-20"],
    "tension": ["-1", "7", "true", '"2"', "[]", "{}", "1.5", "99", '"low"', "2026-11-20"],
    "rest.health": ["-1", "true", '""', '"x"', "[]", "{}", "1.5", '"d"', '"2d"', "2026-11-20"],
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in WRONG.items() for value in values]
)
def test_every_wrong_value_is_named_with_file_line_and_key(tmp_path: Path, key: str, value: str) -> None:
    """Ten wrong values for each key."""
    table = campaign(tmp_path, "3d6")
    right = {"name": '"Salt"', "system": '"3d6"', "party": "[]", "day": "1", "tension": "2"}
    lines = [f"{name} = {value if name == key else said}" for name, said in right.items()]
    if key.startswith("rest"):
        lines += ["[rest]", f"{key.partition('.')[2]} = {value}"]
    (table.here / "campaign.toml").write_text("\n".join(lines) + "\n", "utf-8")
    line = 1 + next(
        at
        for at, one in enumerate(lines)
        if one.endswith(f" = {value}") and one.startswith(key[:3] if not key.startswith("rest") else "health")
    )
    shown = table.refused(4, "campaign check")
    if value.endswith("x") and value.startswith('"3D6'):
        assert "is not TOML" in shown.err
        return
    assert f"campaign.toml, line {line}, {key}" in shown.err, shown.err
    assert "crisis-campaign(7)" in shown.err


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('name = "S"\nsystem = "3d6"\nparti = []', "line 3, parti: unknown (did you mean party?)"),
        ('name = "S"\nsystem = "3d7"', "(did you mean 3d6?)"),
        (
            'name = "S"\nsystem = "3d6"\n[rest]\nhelth = 1',
            "line 4, rest.helth: 3d6 has no such pool that lasts (did you mean health?)",
        ),
        ('system = "3d6"', "name: is missing"),
        ('name = "S"', "system: is missing"),
    ],
)
def test_misspelled_keys_and_names_get_a_suggestion(tmp_path: Path, lines: str, said: str) -> None:
    table = campaign(tmp_path, "3d6")
    (table.here / "campaign.toml").write_text(lines + "\n", "utf-8")
    assert said in table.refused(4, "campaign").err


AT_ONCE = {
    "no such sheet": (
        'name = "S"\nsystem = "3d6"\nparty = ["jack",\n"jakc"]\n',
        {("campaign.toml", 4, "party[1]"): "no sheet is called 'jakc' in "},
    ),
    "a sheet of another system": (
        'name = "S"\nsystem = "3d6"\nparty = ["vera"]\n',
        {("campaign.toml", 3, "party[0]"): "Vera is a step sheet; this campaign is 3d6"},
    ),
    "the file too": (
        'system = "3d6"\nday = 0\nparty = ["jakc", "vera", "vera"]\n[rest]\nhelth = 1\n',
        {
            ("campaign.toml", 1, "name"): "is missing",
            ("campaign.toml", 2, "day"): "must be a whole number from 1",
            ("campaign.toml", 3, "party[0]"): "did you mean jack?",
            ("campaign.toml", 3, "party[1]"): "this campaign is 3d6",
            ("campaign.toml", 3, "party[2]"): "names vera twice",
            ("campaign.toml", 5, "rest.helth"): "did you mean health?",
        },
    ),
    "another system": (
        'name = "S"\nsystem = "3d7"\nparty = ["vera", "jakc", "vera"]\n[rest]\nhealth = 1\n',
        {
            ("campaign.toml", 2, "system"): "did you mean 3d6?",
            ("campaign.toml", 3, "party[1]"): "did you mean jack?",
            ("campaign.toml", 3, "party[2]"): "names vera twice",
        },
    ),
    "no TOML": (
        'name = "S"\nday = 2\nsystem = "3d6"\nday = 3\n',
        {("campaign.toml", 4, "day"): "day stands twice, in line 2 too: delete one"},
    ),
}
"""Files of campaigns, and all that `campaign check` says of them by file, line and key."""


@pytest.mark.parametrize("what", AT_ONCE)
def test_all_that_is_wrong_with_a_campaign_is_reported_at_once(tmp_path: Path, what: str) -> None:
    text, expected = AT_ONCE[what]
    table = campaign(tmp_path, "3d6")
    table.ok("character copy vera")
    (table.here / "campaign.toml").write_text(text, "utf-8")
    shown = table("campaign check --json")
    assert shown.status == 4
    found = shown.error["faults"] if shown.err else shown.record["problems"]
    assert {(one["file"], one["line"], one["key"]) for one in found} == set(expected), found
    for one in found:
        assert expected[one["file"], one["line"], one["key"]] in one["message"], one
    report = table("campaign check")
    assert all(f"{file}, line {line}" in f"{report.out}{report.err}" for file, line, _ in expected)


def test_the_faults_of_a_sheet_of_the_party_are_named_with_its_own_line(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    path = table.here / "characters" / "jack.toml"
    path.write_text(f"bogus = 1\n{path.read_text('utf-8')}", "utf-8")
    (one,) = table("campaign check --json").record["problems"]
    assert (one["file"], one["line"], one["key"]) == ("characters/jack.toml", 1, "bogus")


def test_a_new_campaign_needs_a_system_and_a_free_folder(crisis: Player, sheets: Sheets) -> None:
    crisis.refused(2, "campaign new Saltmarch")
    crisis.refused(2, "campaign new Saltmarch --system 3d7")
    crisis.refused(2, "campaign new '!!' jack")
    crisis.refused(2, "campaign new Saltmarch jack jack")
    crisis.refused(3, "campaign new Saltmarch jack --system step")
    crisis.refused(3, "campaign new Saltmarch jack vera")
    crisis.ok("campaign new Saltmarch jack ada --json")
    crisis.refused(4, "campaign new Saltmarch jack")
    made = crisis.here / "saltmarch"
    assert (made / "characters" / "jack.toml").read_text("utf-8") == sheets.text("jack")
    assert Player(made).ok("campaign check").out == "all right\n"


def test_odds_of_rest_are_those_of_the_rules(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step")
    sheets = Sheets(table.here / "characters")
    sheets.write("vera", sheets.text("vera") + "\n[state]\nhealth = 9\n")
    of_rest = table.ok("odds rest vera --days 3 --care doctor --json").record
    of_heal = table.ok("odds heal vera --natural --days 3 --care doctor --json").record
    assert of_rest["effects"] == of_heal["effects"]
    table.said("character copy moss")
    assert table.ok("odds rest vera moss --days 3").out.startswith(
        "Vera: rest for 3 days\n  any harm to Vera "
    )
    assert table.ok("odds rest vera").out.startswith("Vera: rest for 1 day\n  success ")
    assert table.ok("odds rest moss --days 1").out == "Doc Moss: rest for 1 day\n  heals nothing\n"
    assert not table.story.exists()


def test_a_night_says_whose_each_roll_is(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step")
    sheets = Sheets(table.here / "characters")
    table.said("character copy moss")
    for name in ("vera", "moss"):
        sheets.write(name, sheets.text(name) + "\n[state]\nhealth = 5\n")
    assert table.ok("rest vera moss --dice 7,3").out.splitlines()[:3] == [
        "Vera and Doc Moss rest for a night:",
        "  Vera: [7] − 2 = 5 against 4",
        "  Doc Moss: [3] − 2 = 1 against 4 — heals nothing",
    ]


def entries(table: Table) -> Iterator[dict[str, Any]]:
    """The lines of the story."""
    return (json.loads(line) for line in table.story.read_text("utf-8").splitlines())


def test_every_line_has_its_day(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    table.said("rest --days 2")
    table.said("note Spring comes.")
    table.said("undo 2")
    table.said("redo")
    assert [record["day"] for record in entries(table)] == [1, 1, 2, 3, 3, 3, 2]


def test_odds_of_rest_need_a_rule(tmp_path: Path) -> None:
    none = campaign(tmp_path, "2d20")
    assert "2d20 heals nobody by rest" in none.refused(3, "odds rest").err


def law_of(record: dict[str, Any], who: str, pool: str) -> dict[int, float]:
    """The distribution of the change of a pool."""
    return {one["value"]: one["p"] for one in record["effects"][who][pool]["distribution"]}


def test_odds_of_several_nights_are_those_of_one_after_the_other(tmp_path: Path) -> None:
    """Composed here from the odds of one night at each value that a night can leave."""
    table = campaign(tmp_path, "d6pool")
    table.said("character copy hagen")
    sheets = Sheets(table.here / "characters")
    unhurt, law = sheets.text("hagen"), {3: 1.0}
    for _ in range(4):
        after: dict[int, float] = {}
        for wounds, p in law.items():
            sheets.write("hagen", f"{unhurt}\n[state]\nwounds = {wounds}\n")
            record = table.ok("odds rest hagen --json").record
            night = law_of(record, "Hagen", "wounds") if record["effects"] else {0: 1.0}
            for by, chance in night.items():
                after[wounds + by] = after.get(wounds + by, 0.0) + p * chance
        law = after
    sheets.write("hagen", f"{unhurt}\n[state]\nwounds = 3\n")
    record = table.ok("odds rest hagen --days 4 --json").record
    assert len(law) > 2
    assert law_of(record, "Hagen", "wounds") == pytest.approx({wounds - 3: p for wounds, p in law.items()})
    assert record["success"] is None


def test_odds_of_a_house_rule_for_rest(tmp_path: Path) -> None:
    """Two nights of d3 for somebody who lacks 5."""
    table = campaign(tmp_path, "step", rest='health = "d3"')
    sheets = Sheets(table.here / "characters")
    full = int(table.ok("character show vera --json").record["pools"]["health"])
    sheets.write("vera", sheets.text("vera") + f"\n[state]\nhealth = {full - 5}\n")
    record = table.ok("odds rest vera --days 2 --json").record
    expected = {2: 1 / 9, 3: 2 / 9, 4: 3 / 9, 5: 3 / 9}
    assert law_of(record, "Vera", "health") == pytest.approx(expected), "6 is 1 more than there is to heal"
    assert record["odds"] == "natural-healing"


def test_no_day_passes_where_nobody_can_rest(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step")
    sheets = Sheets(table.here / "characters")
    sheets.write("vera", sheets.text("vera") + "\n[state]\nhealth = -3\n")
    refused = table.refused(3, "rest --days 2")
    assert "Vera is dying" in refused.err and "nobody can rest" in refused.err
    assert table.ok("campaign --json").record["day"] == 1
    assert "Vera is dying" in table.refused(3, "odds rest").err


def test_a_house_rule_takes_no_care(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step", rest="health = 2")
    for option in ("--care doctor", "--mod 3"):
        assert "has a rule of its own" in table.refused(2, f"rest {option}").err
    table.ok("rest")


def test_a_sheet_that_is_not_toml_is_a_fault_of_the_campaign_with_its_line(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    sheet = table.here / "characters" / "jack.toml"
    sheet.write_text("\n".join(["Jack was here", *sheet.read_text().splitlines()[1:]]))
    shown = table("campaign check")
    assert shown.status == 4 and "characters/jack.toml, line 1: 'Jack was here'" in shown.out
    path = table.here / "campaign.toml"
    path.write_text(re.sub(r"(?m)^day\b.*$", "day = 0", path.read_text()))
    both = table.refused(4, "campaign check").err
    assert "campaign.toml, line 5, day:" in both and "characters/jack.toml, line 1: " in both


@pytest.mark.slow
def test_a_fight_whose_journal_is_lost_keeps_its_number(tmp_path: Path) -> None:
    table = campaign(tmp_path, "d100")
    for seed in (3, 4):
        fight(table, "d100", seed)
    journals = sorted((table.here / "journals").iterdir())
    journals[-1].unlink()
    assert "put it back from a copy" in table.refused(4, "undo").err
    fight(table, "d100", 5)
    assert sorted(path.name[:3] for path in (table.here / "journals").iterdir()) == ["001", "003"]


@pytest.mark.parametrize(
    ("keep", "way"), [(2, "the first 2 lines of it are whole"), (0, "move story.jsonl away")]
)
def test_a_broken_story_says_how_to_go_on(tmp_path: Path, keep: int, way: str) -> None:
    table = campaign(tmp_path, "d100")
    fight(table, "d100", 3)
    table.ok("note 'one'")
    table.ok("note 'two'")
    lines = table.story.read_text("utf-8").splitlines(keepends=True)
    table.story.write_text("".join([*lines[:keep], "no line\n", *lines[keep + 1 :]]), "utf-8")
    assert way in table.refused(4, "campaign").err
    # What the hint says helps.
    if keep:
        table.story.write_text("".join(lines[:keep]), "utf-8")
    else:
        table.story.rename(table.here / "story.bak")
    assert "1. " in table.said("campaign")


def test_an_automatic_fight_that_saves_nothing_says_so_and_is_not_restored(tmp_path: Path) -> None:
    table = campaign(tmp_path, "d100")
    path = table.here / "characters" / "marshal.toml"
    before = path.read_text("utf-8")
    shown = table("play marshal --vs looter --auto --seed 3")
    assert shown.status == 0 and "next time: --save" in shown.err
    assert path.read_text("utf-8") == before
    path.unlink()
    table.ok("character restore marshal")
    assert not tomllib.loads(path.read_text("utf-8")).get("state")
    table.ok("undo")
    table.said("end --yes")
    saved = path.read_text("utf-8")
    assert tomllib.loads(saved)["state"]
    path.unlink()
    table.ok("character restore marshal")
    assert path.read_text("utf-8") == saved
    saved = table("play marshal --vs looter --auto --seed 4 --save")
    assert "--save" not in saved.err and "What now?" in saved.out and "Now you" not in saved.out


def with_vera_dying(folder: Path) -> tuple[Table, Sheets, str]:
    """A campaign in which Vera lies dying beside Moss: its table, its sheets, and the text of Vera's."""
    Player(folder).ok("campaign new Saltmarch vera moss")
    table = Table(folder / "saltmarch")
    sheets = Sheets(table.here / "characters")
    dying = sheets.text("vera") + "\n[state]\nhealth = -3\n"
    sheets.write("vera", dying)
    return table, sheets, dying


def test_the_dying_are_treated_in_a_fight_without_foes(tmp_path: Path) -> None:
    table, sheets, dying = with_vera_dying(tmp_path)
    refused = table.refused(2, "heal moss vera --save")
    assert "crisis init moss vera --open" in refused.err and sheets.text("vera") == dying
    table.said("init moss vera --open --seed 1")
    table.ok("heal moss vera --dice 7")
    table.said("end", "--yes", "--name", "First aid")
    assert "stable" in table.state("vera")["conditions"]
    assert "  First aid: 1 round (day 1)" in table.ok("campaign").out, "care, and no fight"
    table.ok("undo 2")
    table.said("end --yes --no-save")
    assert sheets.text("vera") == dying


def test_a_treatment_beside_the_story_says_that_nothing_was_saved(tmp_path: Path) -> None:
    table, sheets, dying = with_vera_dying(tmp_path)
    shown = table("heal moss vera --set vera.health=25 --dice 7")
    assert shown.status == 0 and not table.story.exists()
    (line,) = shown.err.splitlines()
    assert line.startswith("warning: nothing was saved") and "crisis tend" in line
    said = json.loads(table("heal moss vera --set vera.health=25 --dice 7 --json").err)
    assert said["warning"]["code"] == "not_saved" and sheets.text("vera") == dying
    assert "crisis rest moss" in table("heal moss --natural").err
    for line in ("heal moss vera --dry-run", "odds heal moss vera"):
        assert table(line).err == "" and sheets.text("vera") == dying, line
    table.said("init moss vera --open --seed 1")
    assert table("heal moss vera --dice 7").err == "", "a fight saves at its end"
    table.said("end --yes")
    sheets.write("vera", dying)
    assert table("heal moss vera --dice 7 --file other.jsonl").err == "", "outside the campaign"
    assert sheets.text("vera") == dying


def test_a_campaign_is_made_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from crisis_cli.play import founding

    def full(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(founding, "create", full)
        shown = Player(tmp_path)("campaign new Saltmarch vera")
    assert shown.status == 4 and "No space left" in shown.err
    assert [*tmp_path.iterdir()] == []
    Player(tmp_path).ok("campaign new Saltmarch vera")
