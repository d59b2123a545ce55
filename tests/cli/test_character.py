"""`crisis character`: sheets made, shown, listed, checked, reset, copied."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import JACK, Player, Sheets, slow_but

from crisis_cli import systems
from crisis_cli.engine.system import System
from crisis_cli.errors import FileError
from crisis_cli.sheets.archetypes import power_of


def first_word(prompt: str) -> str:
    """The word a question begins with."""
    return re.split(r"[ ,;:?]", prompt.strip().lower())[0]


def answering(**said: str) -> Callable[[str], str]:
    """A player who answers questions about these values, begins blank, and takes the default otherwise."""

    def answer(prompt: str) -> str:
        return {"begin": "none", **said}.get(first_word(prompt), "")

    return answer


def queued(**said: str) -> Callable[[str], str]:
    """A player who gives each question by its first word one answer after another, then its default or example."""
    left = {word: answers.split(" | ") for word, answers in said.items()}

    def answer(prompt: str) -> str:
        answers = left.get(first_word(prompt), [])
        if answers:
            return answers.pop(0)
        return "" if "[" in prompt else prompt.partition("such as ")[2].removesuffix(": ")

    return answer


SYSTEMS = ["3d6", "step", "d100", "2d20", "d6pool"]


class TestNew:
    """`character new` asks at a terminal and takes options elsewhere."""

    def test_options_make_a_sheet_that_fights(self, crisis: Player, sheets: Sheets) -> None:
        crisis.ok(
            "character new 'Old Bob' --system 3d6 --set abilities.might=good --set weapons.club.kind=melee "
            "--set weapons.club.damage=2d6+1 --set health=12"
        )
        sheet = tomllib.loads(sheets.text("old-bob"))
        assert sheet["name"] == "Old Bob" and sheet["health"] == 12
        assert crisis.ok("attack old-bob drone --dice 1,1,1 --json").record["gear"] == "club"
        assert crisis.ok("attack 'old bob' drone --dice 1,1,1 --json").record["actor"] == "Old Bob"

    def test_an_opponent(self, crisis: Player) -> None:
        crisis.ok("character new Wolf --system 3d6 --opponent")
        assert tomllib.loads((crisis.here / "characters/wolf.toml").read_text("utf-8"))["player"] is False

    def test_it_says_where_the_sheet_is_and_what_to_do_next(self, crisis: Player) -> None:
        shown = crisis.ok("character new Bob --system 3d6")
        assert "characters/bob.toml" in shown.out and "crisis character show bob" in shown.out
        assert crisis.ok("character new Rob --system 3d6 --json").record["file"] == "characters/rob.toml"

    def test_at_a_terminal_it_asks_until_every_answer_fits(self, crisis: Player) -> None:
        answer = queued(
            name=" | 12 | Bob",
            system="3d7 | 3d6",
            begin="brawlr | none",
            will="maybe | n",
            might="7 | good",
            skills="melee 2 | flying=2 | melee=2",
            weapons="a:b | club | none",
            kind="meele | melee",
            damage="lots | 2d6+1",
        )
        shown = crisis("character new", answers=answer)
        assert shown.status == 0, shown
        for said in (
            "not ''",
            "must have a letter",
            "did you mean 3d6?",
            "did you mean brawler?",
            "answer y or n, not 'maybe'",
            "-3 to 3",
            "write NAME=VALUE",
            "skills.flying needs",
            "did you mean melee?",
            "damage must be a number",
        ):
            assert said in shown.err, said
        text = (crisis.here / "characters/bob.toml").read_text("utf-8")
        sheet = tomllib.loads(text)
        assert sheet["name"] == "Bob" and sheet["abilities"]["might"] == "good" and not sheet["player"]
        assert sheet["skills"] == {"melee": 2}
        assert sheet["weapons"] == {"club": {"kind": "melee", "damage": "2d6+1"}}
        assert "[weapons.club]          # weapons by name, the first one in hand" in text
        assert 'kind = "melee"          # how it is used' in text
        assert crisis.ok("character show bob").status == 0

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_every_question_has_a_default_or_an_example(self, crisis: Player, system: str) -> None:
        answer = queued(begin="none", health="9", weapons="spear", shield="y", items="rope", cover="5")
        shown = crisis(f"character new Ada --system {system}", answers=answer)
        assert shown.status == 0, shown
        assert len(crisis.prompts) > 10
        for prompt in crisis.prompts:
            assert "[" in prompt or "such as" in prompt, prompt

    def test_enter_alone_makes_an_archetype_with_its_comments(self, crisis: Player) -> None:
        assert crisis("character new Ada", answers=lambda prompt: "").status == 0
        text = (crisis.here / "characters/ada.toml").read_text("utf-8")
        assert 'name = "Ada"' in text and "# the first weapon is in hand when a fight begins" in text
        assert tomllib.loads(text)["player"] is True

    def test_an_archetype_can_be_changed_value_by_value(self, crisis: Player) -> None:
        answer = queued(change="y", might="2", skills="stealth=1", weapons="cudgel", damage="9")
        assert crisis("character new Ada --system 3d6", answers=answer).status == 0
        text = (crisis.here / "characters/ada.toml").read_text("utf-8")
        sheet = tomllib.loads(text)
        assert sheet["abilities"]["might"] == 2 and sheet["weapons"]["cudgel"]["damage"] == 9
        assert sheet["skills"] == {"melee": 2, "athletics": 1, "force": 1, "stealth": 1}
        assert sheet["weapons"]["cudgel"]["crit"] == 3 and "hatchet" in sheet["weapons"]
        assert "# each point: 10 Endurance, 5 Health, and harder blows" in text

    def test_health_in_step_is_rolled_for_the_body_that_was_answered(self, crisis: Player) -> None:
        for number in range(8):
            crisis(f"character new A{number} --system step --seed {number}", answers=answering(body="d12"))
        health = [
            tomllib.loads((crisis.here / f"characters/a{number}.toml").read_text("utf-8"))["health"]
            for number in range(8)
        ]
        assert max(health) > 26, "one body roll of a d12"

    @pytest.mark.parametrize("answers", [[], ["Bob"], ["Bob", "3d6", "y", "1"], ["^C"], ["Bob", "^C"]])
    def test_who_stops_in_the_middle_leaves_nothing(self, crisis: Player, answers: list[str]) -> None:
        crisis.refused(130, "character new", answers=answers)

    @pytest.mark.parametrize(
        ("words", "status"),
        [
            ("character new", 2),
            ("character new Bob", 2),
            ("character new Bob --system 9d9", 2),
            ("character new Bob --system 3d6 --set might", 2),
            ("character new Bob --system 3d6 --set =1", 2),
            ("character new Bob --system 3d6 --set name.x=1", 2),
            ("character new Jack --system 3d6", 4),
            ("character new JACK --system 3d6", 4),
        ],
    )
    def test_what_cannot_be_made(self, crisis: Player, sheets: Sheets, words: str, status: int) -> None:
        crisis.refused(status, words)

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            ("--set abilities.migth=1", "did you mean might?"),
            ("--set abilities.might=9", "-3 to 3"),
            ("--set weapons.club.damage=6", "kind"),
            ("--set health=0", "1 to 9999"),
        ],
    )
    def test_a_wrong_value_is_reported_by_its_key_and_leaves_no_file(
        self, crisis: Player, words: str, says: str
    ) -> None:
        shown = crisis(f"character new Bob --system 3d6 {words}")
        assert shown.status in (2, 4)
        assert says in shown.err
        assert crisis.files() == {} and not (crisis.here / "characters").exists()
        assert "line " not in shown.err, "there is no file to look up a line in"

    @pytest.mark.parametrize(
        "name", ["x" * 41, "x" * 300, "\x1b[31mred", "a:b", "-dash", "a=b", " ", "\u202ex", "a\nb"]
    )
    def test_a_name_that_no_command_could_say_is_refused(self, crisis: Player, name: str) -> None:
        shown = crisis("character", "new", "--system", "3d6", "--", name)
        assert shown.status in (2, 4)
        assert crisis.files() == {}
        assert "\x1b" not in shown.err

    @pytest.mark.parametrize("name", [".", "..", "/", "12", "3/4", "\N{DRAGON}"])
    def test_a_name_without_a_letter_is_refused(self, crisis: Player, name: str) -> None:
        assert "must have a letter" in crisis.refused(4, "character", "new", name, "--system", "3d6").err

    @pytest.mark.parametrize(
        ("name", "file"),
        [
            ("../../etc", "etc"),
            ("a/b", "a-b"),
            ("CON", "con-sheet"),
            ("lpt1", "lpt1-sheet"),
            ("Zoë 2", "zoë-2"),
            ("attack", "attack"),
        ],
    )
    def test_any_other_name_makes_a_file_in_the_folder(self, crisis: Player, name: str, file: str) -> None:
        crisis.ok("character", "new", name, "--system", "3d6")
        assert list(crisis.files()) == [f"characters/{file}.toml"]
        if "/" not in name:
            assert crisis.ok("character", "show", name, "--json").record["sheet"]["name"] == name

    def test_a_fighter_called_like_an_action_can_be_addressed(self, crisis: Player) -> None:
        crisis.ok("character new attack --system 3d6")
        crisis.ok("character new hide --system 3d6 --opponent")
        crisis.ok("init attack --vs hide --open --dice 6,6,6,1,1,1")
        assert crisis.ok("attack hide --dice 1,1,2 --json").record["actor"] == "attack"
        crisis.ok("next")
        assert crisis.ok("attack attack --dice 1,1,2 --json").record["targets"] == ["attack"]
        assert crisis.ok("act --by attack drop-prone --force --json").record["actor"] == "attack"
        crisis.ok("set hide health 3")

    def test_a_file_where_the_folder_should_be(self, crisis: Player) -> None:
        (crisis.here / "characters").write_text("mine", encoding="utf-8")
        for words in ("character new Bob --system 3d6", "character copy drone"):
            shown = crisis.refused(4, words)
            assert "characters is a file" in shown.err and "--characters DIR" in shown.err

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_one_that_exists_is_reported_before_anything_else(self, crisis: Player, system: str) -> None:
        """Also where values are missing, and before the first question."""
        crisis.ok("character new Bob --system 3d6")
        error = crisis.refused(4, f"character new bob --system {system} --json").error
        assert error["code"] == "exists" and "exists already" in error["message"]
        assert "exists already" in crisis.refused(4, f"character new bob --system {system}", answers=[]).err
        assert not crisis.prompts

    def test_at_a_terminal_what_is_not_given_is_asked(self, crisis: Player) -> None:
        shown = crisis("character new Rolf --system d6pool", answers=answering(attributes="deftness=4"))
        assert shown.status == 0, shown
        sheet = tomllib.loads((crisis.here / "characters/rolf.toml").read_text("utf-8"))
        assert sheet["attributes"]["deftness"] == 4

    def test_who_gives_values_is_asked_only_for_what_is_required(self, crisis: Player) -> None:
        shown = crisis("character new Ida --system d100 --set armour=1", answers=["12"])
        assert shown.status == 0 and len(crisis.prompts) == 1 and "health" in crisis.prompts[0]
        crisis.ok("character new Eve --system 3d6 --set health=9", answers=[])

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_no_question_says_its_name_twice(self, crisis: Player, system: str) -> None:
        shown = crisis(
            f"character new Bob --system {system}", answers=answering(health="9", highest="9", cover="5")
        )
        assert shown.status == 0, shown
        for prompt in crisis.prompts:
            first, _, rest = prompt.strip().partition(", ")
            assert not rest.startswith(first), prompt


ARCHETYPES = ["brawler", "hound", "marksman", "medic"]


class TestArchetypes:
    """`character new --like` and `--random`."""

    @pytest.mark.parametrize("system", SYSTEMS)
    @pytest.mark.parametrize("like", ARCHETYPES)
    def test_each_is_a_commented_sheet_that_fights(self, crisis: Player, system: str, like: str) -> None:
        crisis.ok(f"character new Rolf --system {system} --like {like}")
        text = (crisis.here / "characters/rolf.toml").read_text("utf-8")
        assert (
            text.startswith(f"# A {like}") and text.count("# ") > 6 and tomllib.loads(text)["name"] == "Rolf"
        )
        assert crisis.ok("attack rolf rolf:1 --seed 1").status == 0

    def test_any_sheet_can_be_one(self, crisis: Player) -> None:
        crisis.ok("character new Rolf --like raider --set health=30")
        sheet = tomllib.loads((crisis.here / "characters/rolf.toml").read_text("utf-8"))
        assert (sheet["name"], sheet["system"], sheet["player"], sheet["health"]) == (
            "Rolf",
            "step",
            False,
            30,
        )
        assert "carbine" in sheet["weapons"]

    def test_what_a_fight_has_changed_is_not_copied(self, crisis: Player, sheets: Sheets) -> None:
        sheets.write("jack", JACK + "\n[state]\nhealth = 3\n")
        crisis.ok("character new Rolf --like jack")
        assert "state" not in tomllib.loads((crisis.here / "characters/rolf.toml").read_text("utf-8"))

    @pytest.mark.parametrize(
        ("words", "status", "said"),
        [
            ("Rolf --like brawler", 2, "brawler is an archetype of 3d6, step, d100, 2d20 and d6pool"),
            ("Rolf --like jack --system step", 3, "jack is a 3d6 sheet, not one of step"),
            ("Rolf --like brawlr --system step", 4, "did you mean brawler?"),
            ("Rolf --like nonsense --system 3d6", 4, "archetypes of 3d6: brawler, hound, marksman, medic"),
            ("Rolf --system step --power 3", 2, "--power needs --random or --like"),
            ("--random", 2, "needs a name and a system"),
            ("--random --system step --power 7", 2, "--power takes a whole number from 1 to 6, not 7"),
        ],
    )
    def test_what_cannot_be_made(self, crisis: Player, words: str, status: int, said: str) -> None:
        shown = crisis(f"character new {words}")
        assert shown.status == status and said in shown.err, shown
        assert crisis.files() == {}

    @pytest.mark.parametrize("system", SYSTEMS)
    @pytest.mark.parametrize("power", slow_but([1, 2, 6], 6))
    def test_a_foe_in_one_line(self, crisis: Player, system: str, power: int) -> None:
        """Every foe is a valid sheet, and a seed makes the same one again."""
        for seed in range(2):
            made = crisis.ok(f"character new --random --system {system} --power {power} --seed {seed} --json")
            path = crisis.here / made.record["file"]
            text = path.read_text("utf-8")
            assert made.record["seed"] == seed and f"power {power}, seed {seed}." in text.splitlines()[0]
            assert tomllib.loads(text)["player"] is False
            path.unlink()
            crisis.ok(f"character new --random --system {system} --power {power} --seed {seed}")
            assert path.read_text("utf-8") == text
        assert "all right" in crisis.ok("character check").out
        names = [path.stem for path in (crisis.here / "characters").iterdir()]
        assert len(names) == len(set(names)) == 2

    @pytest.mark.parametrize("system", SYSTEMS)
    def test_more_power_is_higher_values(self, crisis: Player, system: str) -> None:
        sums = []
        for power in range(1, 7):
            made = crisis.ok(
                f"character new P{power} --random --like brawler --system {system} --power {power} --seed 5 --json"
            )
            sheet = tomllib.loads((crisis.here / made.record["file"]).read_text("utf-8"))
            tables = [sheet.get(table, {}) for table in ("abilities", "attributes", "ratings", "skills")]
            sums.append(
                sum(int(str(one).lstrip("d").partition("+")[0]) for own in tables for one in own.values())
            )
        assert sums == sorted(sums) and sums[0] < sums[1] < sums[2], sums

    def test_a_faulty_power_file_is_reported_by_its_key(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "power.toml").write_text("[[change]]\nkey = ['hp']\n", encoding="utf-8")
        monkeypatch.setattr(systems, "folder", lambda name: str(tmp_path))
        with pytest.raises(FileError, match=r"line 2, change\[0\].key: unknown \(did you mean keys"):
            power_of("tiny")

    def test_a_value_that_is_given_stays_whatever_the_power(self, crisis: Player) -> None:
        made = crisis.ok(
            "character new --random --system step --power 5 --set health=30 --set skills.melee=d4 --json"
        )
        sheet = tomllib.loads((crisis.here / made.record["file"]).read_text("utf-8"))
        assert sheet["health"] == 30 and sheet["skills"]["melee"] == "d4"

    def test_it_asks_nothing(self, crisis: Player) -> None:
        shown = crisis("character new --random --system d100", answers=[])
        assert shown.status == 0 and not crisis.prompts

    def test_a_system_without_them_takes_its_sheets_and_knows_no_power(
        self, crisis: Player, tiny: System, sheets: Sheets
    ) -> None:
        assert "tiny has no archetypes" in crisis.refused(2, "character new --random --system tiny").err
        sheets.write("cid", 'name = "Cid"\nsystem = "tiny"\nplayer = false\n')
        crisis.ok("character new Dan --random --like cid")
        error = crisis.refused(2, "character new Eve --random --like cid --power 3").err
        assert "tiny does not say what power changes" in error


class TestShow:
    """`character show`."""

    def test_it_is_a_page_with_everything_that_counts(self, crisis: Player, sheets: Sheets) -> None:
        sheets.write("jack", JACK + '\n[state]\nhealth = 12\nconditions = ["prone"]\n')
        shown = crisis.ok("character show jack")
        for words in (
            "Jack",
            "3d6",
            "12/30",
            "60/60",
            "prone",
            "might +1",
            "melee +2",
            "baton",
            "bandage",
            "2d6",
        ):
            assert words in shown.out

    @pytest.mark.parametrize(
        ("who", "derived", "words"),
        [
            ("cass", {"initiative": 15, "defense": 1, "melee bonus": 0}, ["agi 8", "small-guns 3", "resist"]),
            ("vera", {"pace": 4, "parry": 4, "perception": 5}, ["body d8", "piloting d8 (body)", "hit +1"]),
            ("hagen", {"evasion": 2}, ["deftness 2", "hand-to-hand 4", "damage potential +2"]),
            ("looter", {"medicine": 17}, ["combat 40", "perception 35"]),
        ],
    )
    def test_what_follows_from_the_sheet_is_shown(
        self, crisis: Player, who: str, derived: dict[str, int], words: list[str]
    ) -> None:
        """And a number has a sign only where it is added to something."""
        assert crisis.ok(f"character show {who} --json").record["derived"] == derived
        shown = crisis.ok(f"character show {who}").out
        for name, value in derived.items():
            assert f"{name} {value}" in shown
        for word in words:
            assert word in shown
        assert shown.partition("\n")[2].count("+") == sum(word.count("+") for word in words)

    def test_the_defences_shown_are_what_an_attack_must_reach(self, crisis: Player, sheets: Sheets) -> None:
        derived = crisis.ok("character show jack --json").record["derived"]
        assert derived == {"initiative bonus": 0, "melee defence": 16, "ranged defence": 13}
        for attacker, defence in (("drone", "melee defence"), ("ada", "ranged defence")):
            record = crisis.ok(f"attack {attacker} jack --range 2 --json --seed 1").record
            assert record["rolls"][0]["target"] == derived[defence]

    def test_json_has_the_sheet_and_its_pools(self, crisis: Player, sheets: Sheets) -> None:
        record = crisis.ok("character show jack --json").record
        assert record["sheet"]["abilities"]["might"] == 1
        assert record["pools"]["health"] == 30

    def test_by_path_by_stem_and_by_name(self, crisis: Player, sheets: Sheets) -> None:
        sheets.write("hero-7", JACK.replace('"Jack"', '"Sir John"'))
        for word in ("hero-7", "HERO-7", "Sir John", "sir john", "characters/hero-7.toml"):
            assert "Sir John" in crisis.ok("character", "show", word).lines[0]

    def test_stem_before_name(self, crisis: Player, sheets: Sheets) -> None:
        sheets.write("other", JACK.replace('"Jack"', '"Drone"'))
        assert crisis.ok("character show drone --json").record["sheet"]["player"] is False

    def test_two_of_a_name_are_refused_with_both_paths(self, crisis: Player, sheets: Sheets) -> None:
        (sheets.folder / "sub").mkdir()
        (sheets.folder / "sub/jack.toml").write_text(JACK, "utf-8")
        shown = crisis.refused(2, "character show jack")
        assert "characters/jack.toml" in shown.err and "characters/sub/jack.toml" in shown.err
        assert crisis.ok("character show characters/sub/jack.toml").status == 0

    def test_the_nearest_folder_wins(self, crisis: Player, sheets: Sheets) -> None:
        near = crisis.here / "near"
        near.mkdir()
        (near / "jack.toml").write_text(JACK.replace("might = 1", "might = 3"), "utf-8")
        for words, env in (("--characters near ", {}), ("", {"CRISIS_CHARACTERS": "near"})):
            shown = crisis.ok(f"{words}character show jack --json", env=env)
            assert shown.record["sheet"]["abilities"]["might"] == 3
        assert crisis.ok("character show jack --json").record["sheet"]["abilities"]["might"] == 1


def test_list_tells_every_sheet_and_where_it_is(crisis: Player, sheets: Sheets) -> None:
    sheets.write("broken", "name = ")
    shown = crisis.ok("character list")
    assert shown.lines[0] == "./characters"
    assert "the shipped sheets" in shown.lines
    assert any("broken" in line and "TOML" in line for line in shown.lines)
    records = {record["file"]: record for record in crisis.ok("character list --json").records}
    assert records["jack"]["own"] is True and records["jack"]["name"] == "Jack"
    assert "error" in records["broken"]
    assert crisis.ok("character list --system 3d6 --json").status == 0
    crisis.refused(2, "character list --system 9d9")


class TestCheck:
    """`character check`."""

    def test_every_fault_with_file_line_and_key(self, crisis: Player, sheets: Sheets) -> None:
        sheets.write(
            "bad",
            '# top\nname = "Bad"\nsystem = "3d6"\n\n[abilities]\nmigth = 1\nspeed = 9\n\n[skils]\nx = 1\n',
        )
        shown = crisis("character check bad")
        assert shown.status == 4
        assert "characters/bad.toml, line 6, abilities.migth: unknown (did you mean might?)" in shown.out
        assert "characters/bad.toml, line 7, abilities.speed: must be" in shown.out
        assert "characters/bad.toml, line 9, skils: unknown (did you mean skills?)" in shown.out

    def test_faults_of_every_kind_are_reported_at_once(self, crisis: Player, sheets: Sheets) -> None:
        """DESIGN 4: all faults are reported, also those between one part of the sheet and another."""
        sheets.write(
            "bad",
            'name = "Bad"\nsystem = "3d6"\n[skills]\nflying = 1\nmelee = 9\n'
            '[state]\nheld = ["spoon"]\nuses = {soup = 1}\n',
        )
        shown = crisis("character check bad")
        for key in ("skills.flying", "skills.melee", "state.held", "state.uses.soup"):
            assert key in shown.out, key

    def test_json_has_them_apart(self, crisis: Player, sheets: Sheets) -> None:
        sheets.write("bad", JACK.replace("might = 1", "migth = 1"))
        shown = crisis("character check bad jack --json")
        assert shown.status == 4
        bad, good = shown.records
        assert (bad["ok"], good["ok"]) == (False, True)
        (fault,) = bad["faults"]
        assert (fault["line"], fault["key"]) == (6, "abilities.migth")

    def test_json_says_that_there_are_more_than_a_hundred(self, crisis: Player, sheets: Sheets) -> None:
        for many, is_said in ((49, False), (50, True)):
            wrong = "\n".join(f"s{at} = 1" for at in range(many))
            sheets.write(
                "bad",
                JACK.replace("melee = 2", "\n".join(f"s{at} = 1" for at in range(51)))
                + f"[state.uses]\n{wrong}\n",
            )
            (record,) = crisis("character check bad --json").records
            assert len(record["faults"]) == 100 and record.get("more", False) == is_said

    def test_using_a_wrong_sheet_tells_the_same(self, crisis: Player, sheets: Sheets) -> None:
        sheets.write("jack", JACK.replace("might = 1", "migth = 1"))
        shown = crisis.refused(4, "attack jack drone --dice 9")
        assert "characters/jack.toml, line 6, abilities.migth: unknown (did you mean might?)" in shown.err
        error = crisis.refused(4, "attack jack drone --json").error
        assert error["faults"][0]["line"] == 6

    def test_all_the_shipped_ones_are_right(self, crisis: Player) -> None:
        assert len(crisis.ok("character check --json").records) >= 15, "at least three for each system"

    def test_ones_own_come_first_and_the_shipped_ones_in_a_line(self, crisis: Player, sheets: Sheets) -> None:
        first, second, third, last = crisis.ok("character check").lines
        assert [line.split(":")[0] for line in (first, second, third)] == [
            f"characters/{name}.toml" for name in ("ada", "drone", "jack")
        ]
        assert last.endswith("shipped sheets: all right")
        assert "cass.toml: Cass, 2d20: all right" in crisis.ok("character check cass").out

    def test_a_doctrine_that_does_not_exist(self, crisis: Player, sheets: Sheets) -> None:
        text = sheets.text("drone")
        for key, line in (("doctrine", 'doctrine = "cowrd"'), ("mind", 'mind = "cowrd"')):
            sheets.write("drone", text.replace('system = "3d6"', f'system = "3d6"\n{line}'))
            shown = crisis("character check drone")
            assert shown.status == 4
            assert f", {key}: no doctrine is called 'cowrd' (did you mean coward?)" in shown.out
        sheets.write("drone", text.replace('system = "3d6"', 'system = "3d6"\ndoctrine = "cowrd"\nbogus = 1'))
        both = crisis("character check drone").out
        assert ", doctrine: no doctrine is called 'cowrd'" in both and ", bogus: unknown" in both
        sheets.write("drone", text.replace('system = "3d6"', 'system = "3d6"\ndoctrine = "cowrd"'))
        (crisis.here / "doctrines").mkdir()
        (crisis.here / "doctrines" / "cowrd.toml").write_text('about = "of my own"', encoding="utf-8")
        assert "all right" in crisis.ok("character check drone").out

    def test_a_doctrine_under_both_its_names(self, crisis: Player, sheets: Sheets) -> None:
        both = 'system = "3d6"\ndoctrine = "beast"\nmind = "coward"'
        sheets.write("drone", sheets.text("drone").replace('system = "3d6"', both))
        said = crisis("character check drone").out
        assert "mind: is now called doctrine, which is here too: delete one" in said

    def test_a_sheet_that_is_not_there(self, crisis: Player) -> None:
        crisis.refused(4, "character check nobody")
        crisis.refused(4, "character check ./nobody.toml")


class TestReset:
    """`character reset`."""

    def test_the_sheet_is_whole_again_and_keeps_its_comments(self, crisis: Player, sheets: Sheets) -> None:
        crisis.ok("attack drone jack --dice 6,6,6 --save")
        assert sheets.text("jack") != JACK
        crisis.ok("character reset jack")
        assert sheets.text("jack") == JACK
        assert "needs no reset" in crisis.ok("character reset jack").out

    def test_a_shipped_one_is_not_written(self, crisis: Player) -> None:
        assert "crisis character copy drone" in crisis.refused(4, "character reset drone").err

    def test_json(self, crisis: Player, sheets: Sheets) -> None:
        assert crisis.ok("character reset jack ada --json").records == [
            {"v": 1, "action": "character reset", "name": "Jack", "changed": False},
            {"v": 1, "action": "character reset", "name": "Ada", "changed": False},
        ]

    def test_all_or_none(self, crisis: Player, sheets: Sheets) -> None:
        crisis.ok("attack drone jack --dice 6,6,6 --save")
        crisis.refused(4, "character reset jack nobody")


class TestCopy:
    """`character copy`."""

    def test_comments_come_along(self, crisis: Player) -> None:
        from crisis_cli.sheets.store import shipped

        crisis.ok("character copy drone")
        source = next(Path(shipped()).rglob("drone.toml"))
        assert (crisis.here / "characters/drone.toml").read_bytes() == source.read_bytes()

    def test_a_new_name_is_the_only_difference(self, crisis: Player, sheets: Sheets) -> None:
        crisis.ok("character copy jack 'Big Jack'")
        assert sheets.text("big-jack") == JACK.replace('"Jack"', '"Big Jack"')

    @pytest.mark.parametrize("words", ["jack", "ada Jack", "nobody x", "jack 'a:b'", "drone ''"])
    def test_what_cannot_be_copied(self, crisis: Player, sheets: Sheets, words: str) -> None:
        crisis.refused(4, f"character copy {words}")


def test_the_schema_is_json_that_knows_the_sheets(crisis: Player) -> None:
    schema = json.loads(crisis.ok("character schema 3d6").out)
    assert {"name", "system", "abilities", "weapons", "state"} <= set(schema["properties"])
    assert schema["additionalProperties"] is False
    error = crisis.refused(2, "character schema 4d6")
    assert "3d6" in error.err
    assert json.loads(crisis.ok("character schema 3d6 --json").out) == schema, (
        "--json is on every verb that prints"
    )


def test_bare_character_is_help_and_no_error(crisis: Player) -> None:
    shown = crisis("character")
    assert "copy" in shown.out + shown.err
    assert not shown.err.startswith("error: Usage")


def test_one_subverb_does_not_spoil_the_next_in_the_same_process(
    crisis: Player, capsys: pytest.CaptureFixture[str]
) -> None:
    """The prompt runs many commands in one process."""
    crisis.ok("character list")
    assert crisis("character --help").status == 0
    assert "copy" in capsys.readouterr().out
