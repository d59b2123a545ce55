"""How fighters, weapons and items are named: in several words, by a beginning, and whole before all else."""

from __future__ import annotations

import pytest
from conftest import Player, Sheets

from crisis_cli.sheets.names import Match, join_words, match_name, plain_names

BRUNO = """\
name = "Bruno"
system = "3d6"
[weapons.club]
kind = "melee"
damage = 3
[weapons."pipe bomb"]
kind = "thrown"
damage = 9
range = 12
[weapons.pipe-wrench]
kind = "melee"
damage = 5
[items."field dressing"]
heals = { endurance = 5 }
uses = 2
[items.bandage]
heals = { endurance = 3 }
uses = 2
"""


@pytest.fixture
def crowd(crisis: Player, sheets: Sheets) -> Player:
    """Bruno, whose turn it is, and Jack against three drones."""
    sheets.write("bruno", BRUNO)
    crisis.ok("init bruno jack --vs drone:3 --open --dice 6,6,6,5,5,5,1,1,1,1,1,2,1,1,4")
    return crisis


def test_the_name_that_the_game_shows_can_be_typed_as_it_is(crowd: Player) -> None:
    record = crowd.ok("attack drone 2 --dice 1,1,2 --json").record
    assert (record["actor"], record["target"]) == ("Bruno", "Drone 2")
    assert crowd.ok("odds attack drone 3 --json").record["target"] == "Drone 3"
    assert crowd.ok("attack jack drone 1 --force --dice 1,1,2 --json").record["targets"] == ["Drone 1"]


@pytest.mark.parametrize(
    ("words", "who"),
    [
        ("act --by drone 2 hide --force", "Drone 2"),
        ("act drone 3 hide --force", "Drone 3"),
        ("act --by=drone 2 hide --force", "Drone 2"),
        ("check drone 1 melee --difficulty 9", "Drone 1"),
        ("attack --by drone 1 jack --force", "Drone 1"),
        ("act bru drop-prone", "Bruno"),
        ("act --by bru drop-prone", "Bruno"),
        ("check ja melee --difficulty 9", "Jack"),
        ("act dr 2 hide --force", "Drone 2"),
    ],
)
def test_who_acts_is_named_so_too(crowd: Player, words: str, who: str) -> None:
    assert crowd.ok(f"{words} --json").record["actor"] == who


@pytest.mark.parametrize(
    ("words", "who", "what"),
    [
        ("set drone 2 health 9", "Drone 2", "health"),
        ("set bru health 9", "Bruno", "health"),
        ("set jack cover:drone 2 heavy", "Jack", "cover:Drone 2"),
        ("set jack cover:bru heavy", "Jack", "cover:Bruno"),
        ("set bru uses:field dressing 1", "Bruno", "uses:field dressing"),
        ("set bru uses:field 1", "Bruno", "uses:field dressing"),
        ("set bru held pipe bomb, club", "Bruno", "held"),
        ("set drone 1 at 3,4", "Drone 1", "at"),
    ],
)
def test_the_gm_names_them_so(crowd: Player, words: str, who: str, what: str) -> None:
    crowd.ok(words)
    from crisis_cli.sheets.journal_file import read

    *_, last = read(crowd.journal, "crisis.jsonl").crisis.done
    assert [(event.who, event.what) for event in last.events] == [(who, what)]
    if what == "held":
        assert list(last.events[0].now) == ["pipe bomb", "club"]


def test_leaving_and_coming_back_in_several_words(crowd: Player) -> None:
    assert "Drone 2 and Drone 3 leave" in crowd.ok("leave drone 2 drone 3").out
    assert "Drone 2 joins" in crowd.ok("join drone 2").out
    crowd.ok("auto drone 1 coward")
    crowd.ok("auto bru on")
    assert crowd.fighter("Bruno")["player"] is False


def test_a_sheet_is_called_by_its_whole_name(crowd: Player) -> None:
    """A script that names sheets means the same whatever else lies in the folder."""
    crowd.refused(4, "join ad")
    crowd.ok("leave drone 1")
    assert "Ada joins" in crowd.ok("join ada").out
    crowd.ok("leave ada")
    assert "Ada joins" in crowd.ok("join ad").out, "who was here already is in play"
    crowd.ok("end --no-save")
    crowd.refused(4, "attack jac drone")
    assert crowd.ok("attack jack drone --json").record["actor"] == "Jack"


def test_things_in_several_words_and_by_a_beginning(crowd: Player) -> None:
    crowd.ok("act draw pipe bomb")
    assert crowd.fighter("Bruno")["held"] == ["pipe bomb"]
    crowd.ok("undo")
    crowd.ok("act draw pipe-w")
    assert crowd.fighter("Bruno")["held"] == ["pipe-wrench"]
    crowd.ok("undo")
    assert crowd.ok("throw drone 1 --weapon pipe b --range 5 --force --json").record["gear"] == "pipe bomb"
    crowd.ok("undo")
    assert crowd.ok("heal jack --item field dressing --json").record["gear"] == "field dressing"
    crowd.ok("undo")
    assert crowd.ok("act use-item field jack --json").record["targets"] == ["Jack"]


@pytest.mark.parametrize(
    ("words", "status", "candidates"),
    [
        ("attack dr", 2, "'dr' could be Drone 1, Drone 2 or Drone 3"),
        ("attack drone", 2, "'drone' could be Drone 1, Drone 2 or Drone 3"),
        ("set d health 3", 2, "'d' could be"),
        ("act draw pipe", 2, "'pipe' could be pipe bomb or pipe-wrench"),
        ("attack drone 1 --weapon pip", 2, "could be pipe bomb or pipe-wrench"),
        ("act use-item b", 2, "'b' could be Bruno or bandage"),
    ],
)
def test_what_several_begin_with_is_refused_with_the_candidates(
    crowd: Player, words: str, status: int, candidates: str
) -> None:
    assert candidates in crowd.refused(status, words).err
    error = crowd.refused(status, f"{words} --json").error
    assert error["code"] == "ambiguous" and candidates in error["message"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("attack drome 1", 4, "no fighter here is called 'drome'"),
        ("attack bruon", 4, "did you mean Bruno?"),
        ("attack drone 4", 4, "no fighter here is called 'drone 4'\n"),
        ("act draw pipebmob", 2, "did you mean pipe bomb?"),
        ("attack ''", 4, "no fighter here"),
    ],
)
def test_what_fits_nothing_is_refused(crowd: Player, words: str, status: int, said: str) -> None:
    assert said in crowd.refused(status, words).err


def test_an_exact_name_comes_first(crisis: Player, sheets: Sheets) -> None:
    for name in ("Ann", "Anna", "Ann Drone"):
        sheets.write(name.lower().replace(" ", "-"), BRUNO.replace('"Bruno"', f'"{name}"'))
    crisis.ok("init jack --vs ann anna ann-drone drone --open --seed 1 --initiator jack")

    def targets(words: str) -> list[str]:
        record = crisis.ok(f"{words} --force --dry-run --json --seed 1").record
        return list(record["targets"])

    assert targets("attack ann --by jack") == ["Ann"]
    assert targets("attack anna --by jack") == ["Anna"]
    assert targets("attack ann-d --by jack") == ["Ann Drone"]
    assert targets("attack ann-drone --by jack") == ["Ann Drone"]
    # Two whole names stay two: a quoted name, or one with a hyphen, is the third.
    assert targets("leave ann drone") == ["Ann", "Drone"]
    assert targets("leave 'ann drone'") == ["Ann Drone"]


def test_an_item_with_its_whole_name_comes_before_a_fighter_who_begins_so(
    crisis: Player, sheets: Sheets
) -> None:
    sheets.write("bruno", BRUNO)
    sheets.write("man", BRUNO.replace('"Bruno"', '"Bandage Man"'))
    crisis.ok("init bruno man --vs drone --open --seed 1 --initiator bruno")
    record = crisis.ok("act use-item bandage man --by bruno --json").record
    assert (record["gear"], record["targets"]) == ("bandage", ["Bandage Man"])


def test_a_skill_alone_is_no_beginning_of_a_name(crisis: Player, sheets: Sheets) -> None:
    sheets.write("strider", BRUNO.replace('"Bruno"', '"Stealthy"'))
    crisis.ok("init jack strider --vs drone --open --seed 1 --initiator jack")
    assert crisis.ok("check stealth --difficulty 9 --json").record["actor"] == "Jack"


def test_copies_of_this_very_command_are_named_so(crisis: Player, sheets: Sheets) -> None:
    crisis.ok(
        "init jack --vs drone:2 --open --seed 1 --initiator drone 2 --place drone 1=3,4 drone 2=5,6 jack=0,0"
    )
    assert crisis.fighter("Drone 1")["at"] == [3, 4] and crisis.fighter("Drone 2")["at"] == [5, 6]
    assert crisis.ok("status --json").record["actor"] == "Drone 2"
    crisis.ok("join drone:2 --place drone 3=1,1")
    assert crisis.fighter("Drone 3")["at"] == [1, 1]


def test_another_journal_is_looked_into_where_one_is_named(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init jack --vs drone:2 --open --seed 1 --file other.jsonl")
    crisis.ok("set drone 2 health 9 --file other.jsonl")
    crisis.ok("--file other.jsonl set drone 2 health 8")
    crisis.ok("set drone 1 health 7 --file=other.jsonl")


def test_reading_names_says_nothing_of_a_torn_journal_twice(crowd: Player) -> None:
    with crowd.journal.open("ab") as file:
        file.write(b'{"ent')
    shown = crowd("attack drone 1 --dice 1,1,2")
    assert shown.status == 0 and shown.err.count("cut short") == 1


@pytest.mark.parametrize(
    ("word", "fits"),
    [
        ("Drone 1", Match(("Drone 1",), True)),
        ("drone1", Match(("Drone 1",), True)),
        ("drone", Match(("Drone 1", "Drone 12"), False)),
        ("dr 1", Match(("Drone 1",), False)),
        ("drone 2", Match()),
        ("rone", Match()),
        ("é", Match(("E\N{COMBINING ACUTE ACCENT}va",), False)),
        ("", Match()),
        ("--", Match()),
    ],
)
def test_what_a_word_fits(word: str, fits: Match) -> None:
    assert match_name(word, plain_names(["Drone 1", "Drone 12", "E\N{COMBINING ACUTE ACCENT}va"])) == fits


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("drone 1", ["drone 1"]),
        ("jack drone 1 drone 12", ["jack", "drone 1", "drone 12"]),
        ("--by drone 1 jack", ["--by", "drone 1", "jack"]),
        ("--order jack,drone 1", ["--order", "jack,drone 1"]),
        ("--order drone 1,jack", ["--order", "drone 1,jack"]),
        ("cover:drone 1 heavy", ["cover:drone 1", "heavy"]),
        ("drone 1=3,4", ["drone 1=3,4"]),
        ("drone 1 2", ["drone 1", "2"]),
        ("drone -1", ["drone", "-1"]),
        ("drone 3", ["drone 3"]),
        ("drone : 1", ["drone", ":", "1"]),
        ("", []),
    ],
)
def test_which_words_are_one(line: str, words: list[str]) -> None:
    assert join_words(line.split(), plain_names(["Jack", "Drone 1", "Drone 12"])) == words


@pytest.mark.parametrize("words", ["simulate jack --vs jack", "odds duel jack jack", "init jack --vs jack"])
def test_one_sheet_on_two_sides_is_refused_with_a_way_that_works(
    crisis: Player, sheets: Sheets, words: str
) -> None:
    error = crisis.refused(2, f"{words} --json").error
    assert (error["code"], error["message"]) == ("named_twice", "Jack is named more than once")
    assert error["hint"] == (
        "name one of them jack:1, or copy the sheet under another name: crisis character copy jack NAME"
    )


def test_the_ways_to_one_sheet_on_two_sides_work(crisis: Player, sheets: Sheets) -> None:
    line = "simulate jack --apart 0 -n 2 --rounds 2 --seed 1 --json --vs"
    assert list(crisis.ok(f"{line} jack:1").record["fighters"]) == ["Jack", "Jack 1"]
    crisis.ok("character copy jack Jill")
    assert list(crisis.ok(f"{line} jill").record["fighters"]) == ["Jack", "Jill"]


def test_one_sheet_twice_on_one_side_is_refused_with_its_copies(crisis: Player, sheets: Sheets) -> None:
    error = crisis.refused(2, "init jack --vs drone drone --json").error
    assert error["hint"] == "to name several of one sheet: drone:2"


@pytest.mark.parametrize(
    "line", ["drone-2 attack", "drone-2 heal", "jack heal", "drone-2 throw", "jack attack drone-1"]
)
def test_who_stands_before_an_action_would_do_it(crowd: Player, line: str) -> None:
    """Refused in a script as in the shell, where it is another fighter's turn: nobody is attacked or treated."""
    before = crowd.journal.read_bytes()
    who = "Drone 2" if line.startswith("drone") else "Jack"
    in_shell = crowd.refused(3, f"act {line}").err
    assert f"it is Bruno's turn, not {who}'s" in in_shell
    (crowd.here / "line.txt").write_text(line)
    in_script = crowd.refused(3, "run line.txt --quiet").err
    assert in_script.replace("line.txt, line 1: ", "") == in_shell
    assert crowd.journal.read_bytes() == before


def test_who_stands_before_a_line_of_the_ranking_takes_it_in_its_own_turn_alone(crowd: Player) -> None:
    (crowd.here / "line.txt").write_text("odds\ndrone-2 attack 1\n")
    shown = crowd("run line.txt --quiet")
    assert shown.status == 3 and "it is Bruno's turn, not Drone 2's" in shown.err
    assert {record["action"] for record in crowd.ok("log --json").records} == {"init"}


def test_who_stands_before_next_and_before_a_ranking(crowd: Player) -> None:
    (crowd.here / "line.txt").write_text("bruno odds --top 1\nbruno next\n")
    crowd.ok("run line.txt --quiet")
    assert crowd.ok("log --json").records[-1]["action"] == "next"


@pytest.mark.parametrize(
    ("line", "targets"),
    [
        ("attack vera raider raider", ["Raider", "Raider"]),
        ("attack --by vera raider raider", ["Raider", "Raider"]),
        ("attack vera raider:2", ["Raider 1", "Raider 2"]),
        ("attack vera raider brute", ["Raider", "Brute"]),
        ("attack vera Raider raider", ["Raider", "Raider"]),
    ],
)
def test_a_target_may_be_named_again_in_a_one_off(
    crisis: Player, sheets: Sheets, line: str, targets: list[str]
) -> None:
    assert crisis.ok(f"{line} --seed 1 --json").record["targets"] == targets


def test_who_attacks_is_no_target_by_being_named_twice(crisis: Player, sheets: Sheets) -> None:
    error = crisis.refused(2, "attack drone Drone --json").error
    assert error["hint"] == "to name several of one sheet: drone:2"
