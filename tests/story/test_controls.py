"""Control characters in the texts of a journal: shown as escapes wherever they are told, and named by `verify`."""

from __future__ import annotations

import json

import pytest
from conftest import DRONE, JACK, Player, Sheets, slow_but

from crisis_cli.engine.journal import line

FORGED = "log --markdown"
SIGNS = "\n\r\v\f\x1c\x85\u2028\u2029\x00\x1b\x07\x7f\x9b\u202e\U000e0001"
SHOWN = (
    *("log", "log --explain", "log --recap", "log --markdown", "log --lonelog", "log --html", "log 2"),
    *("status", "map", "replay", "explain 2", "explain 1", "verify", "odds", "act --list", "undo", "next"),
    *("chronicle", "note x", "--color log", "--color status", "nobody attack", "attack nobody", "end --yes"),
)
FORMS = ("log --json", "status --json", "replay --json", "verify --json", "log --recap --json", "undo --json")


def stranger(player: Player, sign: str) -> None:
    """The journal of a stranger, with a control character in a note, a reason, and the name of a fighter."""
    for words in ("init jack --vs drone --open --seed 3", "attack drone --why because", "note it rains"):
        player.ok(words)
    text = json.dumps([json.loads(one) for one in player.journal.read_text("utf-8").splitlines()])
    for was in ("because", "it rains"):
        text = text.replace(json.dumps(was), json.dumps(f"{was}{sign}{FORGED}"))
    head, *entries = json.loads(text.replace('"Drone"', json.dumps(f"Drone{sign}{FORGED}")))
    for one in head["fighters"]:
        one["sheet"]["name"] = one["sheet"]["name"].partition(sign)[0]
    lines = [line({**one, "seal": ""}) for one in (head, *entries)]
    player.journal.write_text("".join(lines), "utf-8", newline="")


@pytest.mark.parametrize("sign", slow_but(SIGNS, *SIGNS[::3]))
def test_what_a_stranger_wrote_is_shown_as_escapes(crisis: Player, sign: str) -> None:
    stranger(crisis, sign)
    kept = crisis.journal.read_bytes()
    said = 0
    for words in (*SHOWN, *FORMS):
        crisis.journal.write_bytes(kept)
        shown = crisis(words)
        assert shown.status in (0, 1, 2, 3, 4), (words, shown)
        text = (shown.out + shown.err).replace("\x1b[", "")
        assert sign == "\n" or sign not in text, words
        assert not any(one.lstrip(" >*-").startswith(FORGED) for one in text.split("\n")), (words, text)
        said += FORGED in text
        if words in FORMS:
            assert all(json.loads(one) for one in shown.out.split("\n") if one)
    assert said > 15


@pytest.mark.parametrize("sign", SIGNS)
def test_verify_names_control_characters(crisis: Player, sign: str) -> None:
    stranger(crisis, sign)
    shown = crisis("verify")
    mark = f"U+{ord(sign):04X}"
    assert shown.status == 1
    for place in (
        "the header: fighters.1.name",
        "entry 2 (line 3): intent.options.why",
        "entry 3 (line 4): intent",
    ):
        (said,) = [one for one in shown.lines if one.startswith(place)]
        assert "holds a control character" in said and mark in said
    record = crisis("verify --json").record
    assert not record["verified"] and any(mark in one["what"] for one in record["differences"])


def test_what_somebody_typed_is_named_and_nothing_is_wrong(crisis: Player) -> None:
    crisis.ok("init jack --vs drone --open --seed 3")
    crisis.ok("note", "red \x1b[31m")
    crisis.ok("set", "jack", "health", "9", "--why", "one\nline\u2028now \x07")
    crisis.ok("oracle", "Is it \x01 dark?")
    shown = crisis.ok("verify")
    assert "U+001B" in shown.out and "U+0007" in shown.out and "no differences" in shown.out
    assert "U+000A" not in shown.out and "U+2028" not in shown.out
    assert crisis.ok("verify --json").record["verified"]
    assert crisis.ok("log 3 --json").record["why"] == "one line now \x07"


@pytest.mark.parametrize("name", ["Fam 👨\u200d👩\u200d👧", "وی\u200cرا", "ශ්\u200dරී", "Flag 🏳️\u200d🌈"])
def test_joiners_that_names_may_have_are_no_control_characters(
    crisis: Player, sheets: Sheets, name: str
) -> None:
    sheets.write("jack", JACK.replace("Jack", name))
    sheets.write("drone", DRONE)
    crisis.ok("init jack --vs drone --open --seed 1")
    crisis.ok("note", name)
    checked = crisis.ok("verify")
    assert checked.out.endswith("no differences.\n") and "control" not in checked.out
    assert name in crisis.ok("status").out and name in crisis.ok("log --markdown").out


def test_the_text_of_an_encounter_keeps_its_lines(crisis: Player) -> None:
    (crisis.here / "encounters").mkdir()
    text = 'name = "Two"\nsystem = "3d6"\nopen = """\nFirst line.\nSecond line."""\n[[fighter]]\nsheet = "drone"\n'
    (crisis.here / "encounters" / "two.toml").write_text(text, "utf-8")
    opened = crisis("init jack --encounter two --open --seed 3")
    assert opened.status == 0, opened
    crisis.ok("note", "\x1b")
    told = crisis.ok("log --markdown").out
    assert "First line." in told and "Second line." in told and "\\x0a" not in told and "x1b" in told
    assert crisis.ok("verify").status == 0


def test_a_message_with_a_foreign_name_is_a_line(crisis: Player) -> None:
    stranger(crisis, "\n")
    head, _, entries = crisis.journal.read_text("utf-8").partition("\n")
    named = head.replace(json.dumps(f"Drone\n{FORGED}"), json.dumps("Drone"))
    crisis.journal.write_text(f"{named}\n{entries}", "utf-8")
    shown = crisis("status")
    assert shown.status == 4 and f"Drone\\x0a{FORGED}" in shown.err
    assert len(shown.err.splitlines()) == 2
