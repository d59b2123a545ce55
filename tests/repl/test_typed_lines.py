"""What players type at the prompt, in plain words and with slips, and the exact line that is run: in every system."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Player, Sheets

from crisis_cli.commands.parse_line import options_first, parse_line
from crisis_cli.context import context_of
from crisis_cli.engine import legal_actions
from crisis_cli.render.command_text import at_prompt, typed
from crisis_cli.repl.lines import Lines
from crisis_cli.repl.plain_words import LineReader, Understood
from crisis_cli.verbs import VERBS

from .conftest import ENTER, Evening

FIGHTS = {
    "3d6": "jack ada --vs drone:3 --apart 4 --seed 2",
    "step": "vera moss --vs raider:3 --apart 6 --seed 3",
    "d100": "ines bruno --vs looter:3 --apart 8 --seed 8",
    "2d20": "cass doc --vs mutant:3 --apart 1 --seed 3",
    "d6pool": "tilda hagen --vs bandit:3 --apart 5 --seed 3",
}
"""A fight in each system, of shipped sheets."""
TABLE: dict[str, dict[str, str]] = tomllib.loads((Path(__file__).parent / "typed_lines.toml").read_text())


def begin(crisis: Player, system: str) -> Lines:
    """A fight in the turn of a fighter of the player, and what lines mean in it."""
    crisis.ok(f"init {FIGHTS[system]} --open")
    for _ in range(9):
        desk = context_of(crisis.environment(at_prompt=True)).desk
        if any(desk.open_session().scene.fighters[who].player for who in desk.open_session().scene.acting):
            break
        crisis.ok("next")
    return now(crisis)


def now(crisis: Player) -> Lines:
    """What lines mean as the crisis stands."""
    context = context_of(crisis.environment(at_prompt=True))
    session = context.desk.open_session()
    legal = [
        one for who in session.scene.acting for one in legal_actions.of(session.system, session.scene, who)
    ]
    return Lines(context, session, lambda: legal)


def lines_of(system: str, *more: str) -> dict[str, str]:
    """The lines of one system in the table, and `more` of its parts."""
    stem = FIGHTS[system].partition(":")[0].split()[-1]

    def filled(line: str) -> str:
        return line.replace("FOE", f"{stem}-1").replace("STEM", stem)

    return {filled(line): filled(right) for part in (*more, system) for line, right in TABLE[part].items()}


def shown(understood: Understood | None) -> str:
    """What is meant, as the table has it."""
    if understood is None:
        return ""
    if len(understood.lines) > 1:
        return f"which: {', '.join(understood.lines)}"
    return understood.lines[0] + ("" if understood.is_sure else "? [y]")


def words_of(lines: Lines, line: str) -> list[str]:
    return options_first(parse_line(line, VERBS, lines.session.system.actions))[1]


@pytest.mark.parametrize("system", FIGHTS)
def test_what_is_typed_is_understood(system: str, crisis: Player) -> None:
    lines, table = begin(crisis, system), lines_of(system, "everywhere")
    assert {line: shown(LineReader(lines).understood(words_of(lines, line))) for line in table} == table


@pytest.mark.parametrize("system", FIGHTS)
def test_a_script_is_as_strict_as_ever(system: str, crisis: Player) -> None:
    begin(crisis, system)
    # Lines of every system are tried in one of them.
    table = lines_of(system, *(["everywhere"] if system == "3d6" else []))
    before = crisis.journal.read_bytes()
    (crisis.here / "lines.txt").write_text("".join(f"{line}\n" for line in table))
    ran = crisis("run lines.txt --on-error resume --quiet")
    assert ran.out == "" and f"{len(table)} of {len(table)} lines failed" in ran.err
    assert ran.err.count("error: ") == len(table) and "\n= " not in ran.err
    assert crisis.journal.read_bytes() == before


def test_the_table_is_long_enough() -> None:
    assert len({line for some in TABLE.values() for line in some}) >= 120


@pytest.mark.parametrize("system", FIGHTS)
def test_a_line_that_is_legal_as_typed_is_no_other(
    system: str, crisis: Player, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = begin(crisis, system)
    run, asked = request.getfixturevalue("line_by_line"), list[Sequence[str]]()
    understood = LineReader.understood
    monkeypatch.setattr(LineReader, "understood", lambda reader, words: asked.append(words))
    legal = [at_prompt(f"crisis {typed(lines.session.scene, one.intent)}") for one in lines.legal()]
    legal = [line for line in legal if lines.is_possible(line)]
    read = {line: shown(understood(LineReader(lines), words_of(lines, line))) for line in legal}
    assert {line: meant for line, meant in read.items() if meant.removesuffix("? [y]") != line} == {}
    # A few are run: what is legal is never read in another way.
    for line in legal[:: max(1, len(legal) // 5)]:
        run(f"{line} --dry-run")
    assert asked == []


def typed_keys(*lines: str) -> str:
    return "".join(line + ENTER for line in lines)


@pytest.fixture
def pair(crisis: Player, sheets: Sheets, evening: Evening) -> Evening:
    """An evening in an open crisis of Jack and Ada against two drones, in Ada's turn."""
    crisis.ok("init ada jack --vs drone:2 --open --dice 6,6,6,5,5,5,1,1,1,1,1,2")
    return evening


def last(crisis: Player) -> tuple[str, list[str]]:
    """The action done last, with its targets."""
    record = crisis.ok("log --json").records[-1]
    return record["action"], record["targets"]


def test_the_line_that_is_run_is_shown_before_it(crisis: Player, pair: Evening) -> None:
    said = pair(typed_keys("Shoot at the drone 2 with the pistol!")).lines
    at = said.index("= attack drone-2 --weapon pistol")
    assert "Ada fires the pistol at Drone 2" in said[at + 1]
    assert last(crisis) == ("attack", ["Drone 2"])


def test_of_copies_that_are_alike_the_nearest_is_meant(crisis: Player, pair: Evening) -> None:
    crisis.ok("set ada at 0,0")
    crisis.ok("set drone-1 at 4,0")
    crisis.ok("set drone-2 at 3,0")
    assert "= attack drone-2" in pair(typed_keys("attack the drone")).lines


@pytest.mark.parametrize(("answer", "target"), [("2", "Drone 2"), ("drone-1", "Drone 1")])
def test_copies_that_differ_are_asked_about(crisis: Player, pair: Evening, answer: str, target: str) -> None:
    crisis.ok("set drone-2 health 1")
    shown = pair(typed_keys("attack drone", answer))
    assert shown.err == "" and last(crisis) == ("attack", [target])


def test_the_question_names_each_with_its_chance(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init ada --vs drone:2 --open --dice 6,6,6,1,1,1,1,1,2")
    crisis.ok("set drone-2 health 1")
    lines = now(crisis)
    understood = LineReader(lines).understood(["attack", "drone"])
    assert understood is not None and understood.names == ("drone-1", "drone-2")
    assert [round(part / whole, 2) for part, whole in understood.chances] == [0.84, 0.84]


@pytest.mark.parametrize(("answer", "done"), [("", "attack"), ("n", "set"), ("next", "next")])
def test_a_line_that_is_not_sure_is_asked_about(
    crisis: Player, pair: Evening, answer: str, done: str
) -> None:
    crisis.ok("set drone-2 health 1")
    pair(typed_keys("attack drone-1 quickly", answer))
    assert last(crisis)[0] == done


def test_places_of_a_map_and_what_the_rules_forbid(crisis: Player) -> None:
    crisis.ok("init --encounter clinic --open --seed 3")
    while crisis.ok("status --json").record["actor"] != "Ines":
        crisis.ok("next")
    lines = now(crisis)
    assert shown(LineReader(lines).understood(["go", "to", "the", "door"])) == "walk toward doors"
    # She is there: the refusal says so, and nothing else is proposed.
    assert shown(LineReader(lines).understood(["walk", "to", "the", "room"])) == "walk toward store-room"
    assert lines.is_refused("walk toward store-room")


def test_of_many_copies_the_nearest_are_told(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init ada --vs drone:10 --open --apart 5 --seed 2")
    while crisis.ok("status --json").record["actor"] != "Ada":
        crisis.ok("next")
    differ = LineReader(now(crisis)).understood(["attack", "drone"])
    assert differ is not None and len(differ.lines) == 9
    assert LineReader(now(crisis)).understood(["attack", *["drone"] * 60]) is not None


def test_the_last_round_is_not_fired_unasked(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init ada --vs drone:2 --open --dice 6,6,6,1,1,1,1,1,2")
    words = ["shoot", "drone-1"]
    assert shown(LineReader(now(crisis)).understood(words)) == "attack drone-1"
    crisis.ok("set ada ammo:pistol 1")
    assert shown(LineReader(now(crisis)).understood(words)) == "attack drone-1? [y]"


QUILL = 'name = "Sister Quill"\nsystem = "3d6"\n[items.salve]\nheals = { endurance = 3 }\nuses = 2\n'


def test_any_word_of_a_name_will_do(crisis: Player, sheets: Sheets, evening: Evening) -> None:
    sheets.write("sister", QUILL)
    sheets.write("brother", QUILL.replace("Sister Quill", "Brother Ash"))
    crisis.ok("init sister brother --vs drone --open --dice 6,6,6,5,5,5,1,1,1")
    crisis.ok("set brother-ash endurance 5")
    assert "= heal brother-ash" in evening(typed_keys("heal the ash!")).lines


def test_in_the_shell_any_word_of_a_name_will_do_at_a_terminal_alone(crisis: Player, sheets: Sheets) -> None:
    sheets.write("sister", QUILL)
    sheets.write("brother", QUILL.replace("Sister Quill", "Brother Ash"))
    crisis.ok("init sister brother --vs drone --open --dice 6,6,6,5,5,5,1,1,1")
    crisis.ok("set brother-ash endurance 5")
    assert "no fighter here is called 'ash'" in crisis.refused(4, "heal ash").err
    shown = crisis("heal ash", answers=[], terminal=True)
    assert shown.status == 0 and "= heal brother-ash" in shown.err
    assert last(crisis) == ("heal", ["Brother Ash"])


def test_hint_proposes_a_line_and_enter_runs_it(crisis: Player, pair: Evening) -> None:
    said = pair(typed_keys("hint")).lines
    proposed = next(at for at, line in enumerate(said) if line.startswith("Enter runs it: attack drone-"))
    assert said[proposed + 1].startswith("Plan: attack Drone 1") and not any(
        "points:" in line for line in said
    )
    pair(typed_keys("hint", ""))
    assert last(crisis)[0] == "attack"


def test_a_hint_plays_no_foe_and_ends_a_fight_that_is_decided(crisis: Player, pair: Evening) -> None:
    assert (
        "Enter runs it: auto --until-mine (Drone " in pair(typed_keys("next", "next", "undo", "hint", "")).out
    )
    crisis.ok("set drone-1 health 0")
    crisis.ok("set drone-2 health 0")
    said = pair(typed_keys("hint", "")).out
    assert "Enter runs it: end (the fight is decided)" in said and "The players win" in said


def test_enter_runs_nothing_later_on(crisis: Player, pair: Evening) -> None:
    pair(typed_keys("hint", "status", "", ""))
    assert last(crisis)[0] == "init"


def test_q_leaves_and_says_how_to_go_on(crisis: Player, pair: Evening) -> None:
    assert "to go on: crisis play" in pair(typed_keys("q"), leaves=False).out


def test_a_number_takes_a_line_of_the_list_of_actions(crisis: Player, pair: Evening) -> None:
    said = pair(typed_keys("?", "2")).lines
    assert any(line.startswith("   2  draw") for line in said) and "= draw knife" in said
    assert last(crisis)[0] == "draw"


def test_without_a_list_a_number_shows_one(crisis: Player, pair: Evening) -> None:
    shown = pair(typed_keys("1"))
    assert shown.err == "" and "Best: " in shown.out and last(crisis)[0] == "init"


def test_a_number_of_an_old_list_that_is_possible_no_more_shows_a_new_one(
    crisis: Player, pair: Evening
) -> None:
    crisis.ok("set drone-2 health 1")
    shown = pair(typed_keys("odds", "set drone-1 health 0", "set drone-2 health 0", "1"))
    assert "that ranking is out of date; now:" in shown.out and last(crisis)[0] == "set"


def test_the_word_that_is_wrong_is_blamed(crisis: Player, pair: Evening) -> None:
    wrong = pair(typed_keys("fire at drnoe-1", "ada brst drone-1", "shoot 1")).err
    assert "no fighter here is called 'drnoe-1'" in wrong and "'brst' is neither an action" in wrong
    assert "no ranking has been shown" in wrong and last(crisis)[0] == "init"


def test_whoever_fires_takes_no_knife(crisis: Player) -> None:
    crisis.ok("init cass --vs mutant --open --seed 3")
    crisis.ok("act draw knife")
    assert (
        shown(LineReader(now(crisis)).understood(["fire", "at", "mutant"]))
        == "attack mutant --weapon repeater"
    )
