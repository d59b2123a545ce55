"""Letters: each stream gets what its encoding carries, files are UTF-8, and scripts that need joiners have them."""

from __future__ import annotations

import json
import shlex
import subprocess
from typing import Any

import pytest
from conftest import JACK, PROGRAM, Player, Program, Sheets, program_env, slow_but

NAMES = {
    "cp1252": "Zoë",
    "latin-1": "Bjørn",
    "cp437": "Zoë",
    "koi8-r": "Вера",
    "shift_jis": "竜王",
    "cp1253": "Άννα",
}
BOM = b"\xef\xbb\xbf"
FAMILY, PERSIAN, SINHALA = "👨\u200d👩\u200d👧", "می\u200cخواهم", "ක\u0dca\u200dෂ"


def named(sheets: Sheets, name: str) -> None:
    """Give Jack another name."""
    sheets.write("jack", JACK.replace('"Jack"', json.dumps(name, ensure_ascii=False)))


@pytest.mark.parametrize("encoding", NAMES)
def test_names_are_shown_in_every_encoding_that_has_their_letters(
    encoding: str, crisis: Player, sheets: Sheets
) -> None:
    named(sheets, NAMES[encoding])
    line = "init jack --vs drone --open --dice 6,6,6,1,1,1 --place jack=0,0 drone=1,0"
    for words in (line, "status", "log", "attack drone --dry-run", "odds", "map", "log --recap", "explain"):
        assert NAMES[encoding] in crisis.ok(words, encoding=encoding).out, words
    assert NAMES[encoding] in crisis("attack nobody", encoding=encoding).err


def test_only_what_an_encoding_lacks_is_replaced(crisis: Player, sheets: Sheets) -> None:
    named(sheets, "Zoë 龍")
    crisis.ok("init jack --vs drone --open --dice 6,6,6,1,1,1")
    crisis.ok("note", "“Zoë → 龍 …” – ×")
    assert "“Zoë -> \\u9f8d …” – ×" in crisis.ok("log", encoding="cp1252").out
    assert '"Zoë -> \\u9f8d ..." - ×' in crisis.ok("log", encoding="latin-1").out
    assert "Zo\\xeb -> \\u9f8d" in crisis.ok("log", encoding="ascii").out
    # Bars are drawn in full blocks and eighths: with half of them they would say something else.
    assert "▏" not in crisis.ok("status", encoding="cp437").out
    assert "“Zoë → 龍 …” – ×" in crisis.ok("log", terminal=True, env={"TERM": "dumb", "NO_COLOR": "1"}).out


@pytest.mark.parametrize("encoding", slow_but(["cp1252", "ascii", "koi8-r"], "ascii"))
def test_the_program_itself_writes_that(
    encoding: str, program: Program, crisis: Player, sheets: Sheets
) -> None:
    named(sheets, "Zoë 龍")
    crisis.ok("init jack --vs drone --open --dice 6,6,6,1,1,1")
    env = {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}

    def bytes_of(*words: str) -> tuple[bytes, bytes]:
        done: Any = program(*words, env=env, encoding=None)
        assert b"Traceback" not in done.stderr
        return done.stdout, done.stderr

    shown = "Zoë".encode("cp1252") if encoding == "cp1252" else b"Zo\\xeb"
    assert shown in bytes_of("status")[0] and shown in bytes_of("roll", "3d6 [Zoë]")[0]
    assert shown + b" \\u9f8d" in bytes_of("attack", "jack", "nobody")[1]
    for at, words in ((0, "status --json"), (1, "attack jack Zoë龍 --json"), (0, "roll '3d6 [ë龍]' --json")):
        said = bytes_of(*shlex.split(words))[at].decode(encoding)
        assert "ë" in json.dumps(json.loads(said), ensure_ascii=False), words


def test_a_locale_of_ascii_gets_json_too(program: Program, crisis: Player, sheets: Sheets) -> None:
    """Python then writes bytes for lone surrogates, and refuses all other letters."""
    named(sheets, "Zoë 龍")
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = program("character", "list", "--json", env=env, encoding="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Zoë 龍" in [json.loads(line)["name"] for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_help_has_plain_signs_where_there_are_no_others(program: Program) -> None:
    env = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    for words in ("--help", "init --help", "odds --help", "play --help", "help notation", "rules 3d6"):
        done = program(*words.split(), env=env, encoding="ascii")
        assert done.returncode == 0 and "\\u" not in done.stdout, words


@pytest.mark.parametrize("form", ["--markdown", "--lonelog", "--html", "--script"])
def test_files_are_utf_8_whatever_the_terminal_takes(form: str, crisis: Player, sheets: Sheets) -> None:
    named(sheets, "Zoë 龍")
    crisis.ok("init jack --vs drone --open --dice 6,6,6,1,1,1")
    crisis.ok("note", "Zoë 龍")
    crisis.ok(f"log {form} --to story", encoding="cp1252")
    assert "Zoë 龍" in (crisis.here / "story").read_bytes().decode("utf-8")


def test_a_caret_stands_below_the_mistake_in_every_encoding(crisis: Player) -> None:
    for text, encoding, before in (
        ("2d6[龍竜]?", "", 9),
        ("2d6[龍竜]?", "cp1252", 17),
        ("2d6[é]?", "cp437", 6),
    ):
        shown = crisis("roll", text, encoding=encoding).err.splitlines()
        assert shown[2] == " " * before + "^", shown


# Byte order marks


def test_a_journal_may_begin_with_a_byte_order_mark(fight: Player) -> None:
    fight.ok("attack drone")
    fight.journal.write_bytes(BOM + fight.journal.read_bytes())
    for words in ("status", "log", "verify", "set drone health 20", "undo", "redo", "log --script", "replay"):
        fight.ok(words)
    assert fight.journal.read_bytes().startswith(BOM + b'{"crisis"')
    fight.ok("end --no-save")
    fight.ok("undo")


def test_the_story_of_a_campaign_may_begin_with_one(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("campaign new Salt jack ada")
    folder = crisis.here / "salt"
    crisis.ok("--campaign salt note The tide is out.")
    story = next(folder.glob("story*"))
    story.write_bytes(BOM + story.read_bytes())
    crisis.ok("--campaign salt note The tide is in.")
    assert "The tide is in." in crisis.ok("--campaign salt chronicle").out


def test_so_may_the_player_s_own_settings(crisis: Player, sheets: Sheets) -> None:
    (crisis.here / "config.toml").write_bytes(BOM + b'[aliases]\nbash = "attack --weapon baton"\n')
    assert "baton" in crisis.ok("bash jack drone", env={"CRISIS_CONFIG": str(crisis.here)}).out


# Closed outputs


@pytest.mark.parametrize(
    "words",
    [
        "roll 3d6",
        "roll 3d6 --json",
        "roll 3d6 -n 9 --quiet",
        "odds 3d6",
        "--version",
        "--help",
        "attack --help",
        "attack jack drone",
        "status",
        "character list",
        "completion bash",
        "help cover",
    ],
)
def test_a_closed_output_is_an_error(words: str, fight: Player) -> None:
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *PROGRAM, *shlex.split(words)],
        cwd=fight.here,
        env=program_env(fight.here),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 4 and "the output is closed" in done.stderr, done
    assert fight.ok("verify --json").record["differences"] == []


# Joiners


@pytest.mark.parametrize("name", [f"Bo {FAMILY}", PERSIAN, SINHALA])
def test_a_name_may_hold_the_joiners_of_its_script(name: str, crisis: Player, sheets: Sheets) -> None:
    named(sheets, name)
    sheets.write("ada", sheets.text("ada").replace("[weapons.pistol]", f'[weapons."{name}"]'))
    crisis.ok("init", "jack", "--vs", "ada", "--open", "--dice", "6,6,6,1,1,1")
    for words in ("status", "log", "attack ada --dry-run", "character list", "log --lonelog", "log --script"):
        assert name in crisis.ok(words).out, words
    assert name in crisis.ok("character show ada").out
    assert crisis.ok("attack", name, "ada", "--dry-run", "--json").record["actor"] == name
    without = name.replace("\u200c", "").replace("\u200d", "")
    assert crisis.ok("attack", without, "ada", "--dry-run", "--json").record["actor"] == name
    assert f"[{name}]" in crisis.ok("roll", f"3d6[{name}]").out
    crisis.ok("note", name)
    assert name in crisis.ok("log").out
    crisis.ok("campaign", "new", f"The {name}", "jack")


@pytest.mark.parametrize(
    "name",
    ["Jack\u200d", "\u200dJack", "Ja\u200cck", "Zoë\u202e", "Zo\u200bë", "\u2066Zoë\u2069", "Zo\u00adë"],
)
def test_other_signs_that_nobody_sees_stay_refused(name: str, crisis: Player, sheets: Sheets) -> None:
    named(sheets, name)
    assert "printable" in crisis.refused(4, "attack jack drone").err
    crisis.ok("init ada --vs drone --open")
    crisis("note", name)
    for shown in (crisis.ok("log"), crisis.refused(2, "roll", f"3d6[{name}]")):
        assert not {*shown.out, *shown.err} & {*"\u200b\u200c\u200d\u202e\u2066\u2069\u00ad"}
