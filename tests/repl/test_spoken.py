"""What the prompt says: commands as they are typed there, what matters where something is asked, who waits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Player, slow_but
from prompt_toolkit.application import create_app_session
from prompt_toolkit.auto_suggest import DummyAutoSuggest
from prompt_toolkit.completion import DummyCompleter
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from crisis_cli.commands.parse_line import parse_line
from crisis_cli.render.command_text import at_prompt
from crisis_cli.repl.prompt import Prompt

from .conftest import CTRL_C, ENTER, TAB, Evening


def typed(*lines: str) -> str:
    return "".join(line + ENTER for line in lines)


def actions(crisis: Player) -> list[tuple[str, str]]:
    """What stands in the log."""
    return [(one["action"], one["actor"]) for one in crisis.ok("log --json").records]


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        ("end the turn: crisis next", "end the turn: next"),
        ("first: crisis act kneel", "first: kneel"),
        ("who: crisis act WHO --list", "who: act WHO --list"),
        ("crisis heal WHO [PATIENT]", "heal WHO [PATIENT]"),
        (
            "the log: crisis log; to go forward again: crisis redo 2",
            "the log: log; to go forward again: redo 2",
        ),
        ("options: crisis heal --help", "options: help heal"),
        ("options: crisis --help", "options: help"),
        ("a rest takes six hours: not in a crisis", "a rest takes six hours: not in a crisis"),
    ],
)
def test_hints_name_commands_as_they_are_typed_at_the_prompt(hint: str, said: str) -> None:
    assert at_prompt(hint) == said


def test_a_refusal_at_the_prompt_and_in_the_shell(crisis: Player, duel: Evening) -> None:
    shown = duel(typed("stand-up", "set drone endurnce 3", "heal --bogus"))
    assert "crisis " not in shown.err and "hint: options: help heal" in shown.err
    assert "crisis heal --help" in crisis("heal --bogus").err


def test_what_the_prompt_lists_can_be_typed_as_it_stands(duel: Evening) -> None:
    shown = duel(typed("odds", "?", "explain", "map"))
    assert shown.err == ""
    assert "crisis act" not in shown.out and "act drop-prone" not in shown.out and "drop-prone" in shown.out
    assert "a rule in full: rules " in shown.out and "yet: set jack at X,Y" in shown.out


@pytest.mark.parametrize("line", ["jack attack drone --dice 1,1,2", "Jack  ATTACK drone --dice 1,1,2"])
def test_who_does_it_may_stand_first(crisis: Player, duel: Evening, line: str) -> None:
    shown = duel(typed(line.replace("ATTACK", "attack"), "jack drop_prone"))
    assert shown.err == ""
    assert actions(crisis)[-2:] == [("attack", "Jack"), ("drop-prone", "Jack")]


@pytest.mark.parametrize(
    "text",
    [
        "Jack's bleeding, where's Ada?",
        "'in quotes' and \"more of them\"",
        "--json is no option here -- nor --help",
        r"a \ and # signs & | ; $HOME",
        "-3",
    ],
)
@pytest.mark.parametrize("verb", slow_but(["note", "crisis note", "  note "], "  note "))
def test_a_note_takes_the_rest_of_the_line_as_it_stands(
    crisis: Player, duel: Evening, verb: str, text: str
) -> None:
    shown = duel(typed(f"{verb} {text}"))
    assert (shown.status, shown.err) == (0, "")
    assert crisis.ok("log --json").records[-1]["text"] == text


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("note --thread 'Who paid the warden?'", ["note", "--thread", "--", "Who paid the warden?"]),
        ("note --thread Who's the warden?", ["note", "--thread", "--", "Who's the warden?"]),
        ("note --close 2", ["note", "--close", "2"]),
        ("note --close=2 The miller did.", ["note", "--close=2", "--", "The miller did."]),
        ("note --award jack 2 xp: a 'good' shot", ["note", "--award", "--", "jack 2 xp: a 'good' shot"]),
        ("note --award", ["note", "--award"]),
        ("note --close", ["note", "--close"]),
        ("note 'in quotes' --thread", ["note", "--", "'in quotes' --thread"]),
    ],
)
def test_the_options_of_a_note_stand_before_its_text(line: str, words: list[str]) -> None:
    assert parse_line(line, ("note",), ()) == words


def test_an_empty_note_is_refused_at_the_prompt(duel: Evening) -> None:
    assert "TEXT" in duel(typed("note", "note   ")).err


@pytest.mark.parametrize(
    ("line", "words"),
    [("drop-prnoe", "= drop-prone"), ("Drop prone!", "= drop-prone")],
)
def test_an_action_is_guessed_as_a_verb_is(crisis: Player, duel: Evening, line: str, words: str) -> None:
    assert words in duel(typed(line)).lines
    assert actions(crisis)[-1] == ("drop-prone", "Jack")


@pytest.mark.parametrize(
    "line",
    slow_but(
        ["crisis", '""', "--", "-1", "? ?", "attack 'a b", "é", "set", "act", "jack", "jack jack", "@", "\\"],
        *('""', "-1", "attack 'a b", "é", "set"),
    ),
)
def test_no_line_is_too_odd(crisis: Player, duel: Evening, line: str) -> None:
    shown = duel(typed(line, "drop-prone"))
    assert shown.status == 0
    assert actions(crisis)[-1] == ("drop-prone", "Jack")


def test_help_of_a_verb_tells_what_this_fight_has(crisis: Player, duel: Evening) -> None:
    report = duel(typed("help attack")).out
    assert "--weapon" in report and "--behind" in report
    assert "--destiny" not in report and "--exit-status" not in report and "crisis attack" not in report
    assert "--destiny" in crisis.ok("help attack").out


def test_help_fits_eighty_columns(duel: Evening) -> None:
    from crisis_cli.repl.game import HELP

    assert max(map(len, HELP)) <= 80


def test_what_a_refused_line_left_undone_is_reported(duel: Evening) -> None:
    shown = duel("\x1b[200~drop-prone\nreload baton\nstand-up\nhide\x1b[201~", ENTER)
    assert "not run: stand-up; hide" in shown.out


def test_after_a_step_back_it_says_who_waits_and_how_to_go_on(crisis: Player, duel: Evening) -> None:
    shown = duel(typed("drop-prone", "next", "undo", "undo", "note so far", "questions few"))
    assert actions(crisis)[-1][0] == "questions", "and nobody has gone on"
    assert shown.out.count("Drone waits: you may want to go back further") == 1
    assert "to before your own last action: rewind 2" in shown.out
    again = duel(typed("rewind 2", "auto --until-mine"))
    assert again.err == "" and "Drone waits" not in again.out
    assert actions(crisis)[1] == ("drop-prone", "Jack")


def test_a_question_tells_what_is_done_and_how_those_are_whom_it_concerns(crisis: Player) -> None:
    crisis.ok("init ines --vs looter --open --seed 5")
    shown = crisis("attack ines --dice 15,3,4,7", answers=["x", "do"])
    assert shown.status == 0
    lines = shown.err.splitlines()
    assert lines[0] == "Looter swings the machete at Ines:"
    assert lines[1].strip() == "Looter's attack: [15] against 40"
    assert any(
        line.startswith("▸ + Ines") and "14/14" in line and "Small Actions ●" in line for line in lines
    )
    assert any(line.startswith("  2. block, Small Action") for line in lines)
    assert any("none, block, dodge" in line and "Ctrl-C gives up" in line for line in lines)


def test_ctrl_c_in_a_question_names_a_fighter_who_waits(crisis: Player, evening: Evening) -> None:
    crisis.ok("init ines --vs looter:2 --open --seed 5")
    shown = evening(CTRL_C)
    waits = crisis.ok("status --json").record["actor"]
    assert waits == "Looter 2" and f"{waits} waits: you stopped the automatic turns" in shown.out


@pytest.mark.parametrize("color", [True, False])
def test_without_colour_nothing_is_suggested_that_looks_as_if_it_were_typed(color: bool) -> None:
    with create_pipe_input() as keyboard, create_app_session(keyboard, DummyOutput()):
        prompt = Prompt(
            {},
            color,
            lambda *_: [],
            list,
            DummyCompleter(),
            DummyAutoSuggest(),
            lambda: None,
            lambda: Path("none"),
        )
    assert (prompt.session.auto_suggest is not None) == color


def test_tab_completes_an_answer(crisis: Player, evening: Evening) -> None:
    crisis.ok("init ines --vs looter:2 --open --seed 5")
    evening("do" + TAB + ENTER)
    choices = [choice for one in crisis.ok("log --json").records for choice in one.get("choices", ())]
    assert [choice["taken"] for choice in choices] == ["dodge"]


def test_keys_typed_while_the_others_act_are_not_echoed(monkeypatch: pytest.MonkeyPatch) -> None:
    pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
    import termios

    mine, theirs = pty.openpty()
    with (
        os.fdopen(theirs) as stdin,
        create_pipe_input() as keyboard,
        create_app_session(keyboard, DummyOutput()),
    ):
        monkeypatch.setattr("sys.stdin", stdin)
        prompt = Prompt(
            {},
            False,
            lambda *_: [],
            list,
            DummyCompleter(),
            DummyAutoSuggest(),
            lambda: None,
            lambda: Path("none"),
        )
        assert termios.tcgetattr(stdin)[3] & termios.ECHO
        with pytest.raises(KeyboardInterrupt), prompt.unechoed():
            assert not termios.tcgetattr(stdin)[3] & termios.ECHO
            assert termios.tcgetattr(stdin)[3] & termios.ISIG, "Ctrl-C still stops them"
            raise KeyboardInterrupt
        assert termios.tcgetattr(stdin)[3] & termios.ECHO
    os.close(mine)
