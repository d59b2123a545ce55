"""Settings: config.toml, .crisis.toml of a folder, and `crisis config`."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from conftest import Player, Sheets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crisis_cli.commands.config.edit import template
from crisis_cli.configuration.keys import KEYS, SettingKey
from crisis_cli.configuration.settings import settings_of
from crisis_cli.environment import with_settings
from crisis_cli.render.style import styles_of

BY_NAME = {key.name: key for key in KEYS}
VALUES = {
    "system": ("step", "d100"),
    "color": ("always", "never"),
    "theme": ("dark", "light"),
    "width": (60, 90),
    "ascii": (True, True),
    "keys": ("vi", "emacs"),
    "editor": ("nano", "true"),
    "questions": ("all", "none"),
    "campaign": ("ruins", "mines"),
    "characters": ("own", "theirs"),
    "tables": ("own", "theirs"),
    "encounters": ("own", "theirs"),
    "doctrines": ("own", "theirs"),
    "apart": (12, 20),
}
"""Two values of each key: that of the player's file, and that of the folder's."""
IN_ENVIRONMENT = {
    "NO_COLOR": ("1", "never"),
    "FORCE_COLOR": ("1", "always"),
    "COLUMNS": ("77", 77),
    "CRISIS_KEYS": ("emacs", "emacs"),
}
"""What a variable says, and the value that this is; others say a value as it is."""
OPTIONS = {"characters": "--characters named", "campaign": "--campaign named", "color": "--no-color"}
"""The option of a key that `config show` takes, too."""


@pytest.fixture
def home(crisis: Player) -> Player:
    """A player with a configuration folder, and the folders that values name."""
    for folder in ("no-config", "", "named"):
        for name in ("own", "theirs", "ruins", "mines"):
            (crisis.here / folder / name).mkdir(parents=True, exist_ok=True)
            (crisis.here / folder / name / "campaign.toml").write_text('name = "X"\nparty = []\n', "utf-8")
    (crisis.here / "named/campaign.toml").write_text('name = "X"\nparty = []\n', "utf-8")
    del crisis.env["EDITOR"]
    return crisis


def write(player: Player, *lines: str, folder: bool = False) -> None:
    """Write the file of the player, or of the folder."""
    path = player.here / (".crisis.toml" if folder else "no-config/config.toml")
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(lines), "utf-8")


def toml(key: str, value: object) -> str:
    return f"{key} = {json.dumps(value)}"


def sources(key: SettingKey) -> Iterator[tuple[str, ...]]:
    """Every choice of what says something of a key."""
    said = [*(["option"] if key.name in OPTIONS else []), *key.variables, *reversed(key.files)]
    for chosen in product((False, True), repeat=len(said)):
        yield tuple(source for source, is_chosen in zip(said, chosen, strict=True) if is_chosen)


@pytest.mark.parametrize(
    ("name", "chosen"), [(name, chosen) for name in VALUES for chosen in sources(BY_NAME[name])]
)
def test_the_strongest_that_says_something_holds(home: Player, name: str, chosen: tuple[str, ...]) -> None:
    ours, theirs = VALUES[name]
    variables = [one for one in chosen if one in BY_NAME[name].variables]
    said = {one: IN_ENVIRONMENT.get(one, ("named", "named")) for one in variables}
    if "user" in chosen:
        write(home, toml(name, ours))
    if "folder" in chosen:
        write(home, toml(name, theirs), folder=True)
    option = f" {OPTIONS[name]}" if "option" in chosen else ""
    shown = home.ok(f"config show {name}{option} --json", env={one: text for one, (text, _) in said.items()})
    first = chosen[0] if chosen else ""
    record = shown.record
    if first == "option":
        assert record["from"] == "option" and str(record["value"]).endswith(("named", "never"))
    elif first in variables:
        assert (record["value"], record["variable"]) == (said[first][1], first)
    elif first:
        value = {"user": ours, "folder": theirs}[first]
        is_path = BY_NAME[name].kind == "folder" and first == "user"
        assert record["value"] == (str(home.here / "no-config" / str(value)) if is_path else value)
        assert (record["from"], record["line"]) == (first, 1)
    else:
        usual = False if name == "ascii" else BY_NAME[name].usual or None
        assert record["from"] == "built in" and record["value"] == usual


def test_every_key_was_tried() -> None:
    assert {*VALUES, "aliases"} == {*BY_NAME}


@pytest.mark.parametrize("name", [name for name in VALUES if BY_NAME[name].variables])
def test_what_files_say_stands_in_for_the_environment(home: Player, name: str) -> None:
    """So all that heeds the variable heeds the file, and the variable first."""
    key, (ours, _) = BY_NAME[name], VALUES[name]
    write(home, toml(name, ours))
    environment = with_settings(home.environment(is_terminal=True))
    variable = key.variables[-1]
    if name == "width":
        assert environment.width == ours
        assert (
            with_settings(home.environment(is_terminal=True, env={**home.env, "COLUMNS": "80"})).width == 80
        )
        return
    value = "1" if name == "color" else str(ours)
    assert environment.env[variable].endswith(value)
    other = "emacs" if name == "keys" else "x"
    there = with_settings(home.environment(env={**home.env, key.variables[0]: other})).env
    assert there[key.variables[0]] == other and there.get(variable, other) == other


# What a program reads


LINES = (
    "attack jack drone --seed 3",
    "odds attack jack drone",
    "roll 3d6 d20 --seed 3",
    "odds 4d6kh3",
    "play jack --vs drone --auto --rounds 2 --seed 1 --no-journal",
    "simulate jack --vs drone -n 4 --seed 1",
    "rules",
    "rules attack",
    "rules 3d6 cover",
    "character new Bob",
    "character list",
    "tables list",
    "status",
)
TEXTS = st.sampled_from(
    ["auto", "always", "never", "dark", "light", "vi", "nano", "none", "step", "empty", "gone", "?"]
)
ANY_VALUE = st.one_of(
    TEXTS, st.integers(-5, 300), st.booleans(), st.just({"red": "91", "bold": "x"}), st.just([1])
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    chosen=st.dictionaries(st.sampled_from([*BY_NAME, "colour", "seed", "x y"]), ANY_VALUE),
    right=st.sets(st.sampled_from([*VALUES])),
    line=st.sampled_from(LINES),
    terminal=st.booleans(),
)
def test_json_is_byte_for_byte_alike_whatever_the_player_sets(
    crisis: Player,
    sheets: Sheets,
    chosen: dict[str, object],
    right: set[str],
    line: str,
    terminal: bool,
) -> None:
    path = crisis.here / "no-config/config.toml"
    path.unlink(missing_ok=True)
    (crisis.here / "no-config/own").mkdir(parents=True, exist_ok=True)
    before = crisis(f"{line} --json", terminal=terminal)
    said = {**chosen, **{name: VALUES[name][0] for name in right if name != "apart"}}
    tables = [
        f"[{key}]\n" + "\n".join(toml(*pair) for pair in value.items())
        for key, value in said.items()
        if isinstance(value, dict) and " " not in key
    ]
    plain = [toml(f'"{key}"', value) for key, value in said.items() if not isinstance(value, dict)]
    write(crisis, *plain, *tables)
    after = crisis(f"{line} --json", terminal=terminal)
    assert (after.status, after.out) == (before.status, before.out)
    warnings = [one for one in after.err.splitlines() if "config.toml" in one]
    assert len(warnings) <= 1 and all(json.loads(one)["warning"]["code"] == "settings" for one in warnings)


@pytest.mark.parametrize("line", LINES)
def test_text_for_a_pipe_heeds_no_look(crisis: Player, sheets: Sheets, line: str) -> None:
    before = crisis(line)
    write(crisis, 'theme = "light"', "width = 40", "ascii = true", 'questions = "all"')
    assert crisis(line) == before


def test_a_terminal_is_shown_the_look_that_is_set(crisis: Player, sheets: Sheets) -> None:
    line = "odds attack jack drone --explain"
    usual = crisis.ok(line, terminal=True, width=120).out
    write(crisis, "width = 40", "ascii = true", "[theme]", 'bold = "1;95"')
    shown = crisis.ok(line, terminal=True, width=120).out
    assert "\x1b[1;95m" in shown and "\x1b[1;95m" not in usual
    assert shown.isascii() and not usual.isascii()
    assert max(len(re.sub(r"\x1b\[[\d;]*m", "", one)) for one in shown.splitlines()) <= 40
    write(crisis, 'color = "never"')
    assert "\x1b" not in crisis.ok(line, terminal=True).out
    assert "\x1b" in crisis.ok(line, terminal=True, env={"FORCE_COLOR": "1"}).out
    write(crisis, 'color = "always"')
    assert "\x1b" in crisis.ok(line, terminal=True, env={"TERM": "dumb"}).out
    assert "\x1b" not in crisis.ok(line, terminal=True, env={"NO_COLOR": "1"}).out
    assert crisis.ok(line).out == crisis.ok(line, env={"NO_COLOR": "1"}).out, "a pipe is read by a program"
    assert "\x1b" not in crisis.ok(f"--no-color {line}").out
    assert crisis.ok("attack jack drone --quiet --seed 3").out in ("hit\n", "miss\n")


def test_a_theme_changes_only_what_it_names() -> None:
    usual = styles_of("auto")
    assert {name for name, numbers in styles_of("red=91").items() if numbers != usual[name]} == {"red", "bad"}
    assert styles_of("dark").keys() == styles_of("light").keys() == usual.keys()


# What is wrong


WRONG = {
    "no TOML": "color = ",
    "an unknown key": 'colour = "never"',
    "a table": "[colour]\nx = 1",
    "a wrong word": 'color = "blue"',
    "a wrong number": "width = 20",
    "a wrong style": '[theme]\nred = "1m\\u001b"',
    "an unknown style": '[theme]\npink = "35"',
    "no folder": 'characters = "gone"',
    "no campaign": 'campaign = "gone"',
    "a key of folders": "apart = 12",
    "control characters": '"\\u001b[2J" = 1',
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_one_line_and_stops_no_fight(crisis: Player, sheets: Sheets, text: str) -> None:
    write(crisis, text)
    for line in (
        "play jack --vs drone --auto --rounds 1 --seed 1 --no-journal",
        "attack jack drone --seed 1",
    ):
        shown = crisis(line)
        assert shown.status == 0 and shown.out
        (warning,) = shown.err.splitlines()
        assert "config.toml, line" in warning and "config check" in warning and "\x1b" not in warning
    checked = crisis("config check")
    assert checked.status == 4 and checked.err == "" and len(checked.lines) == 1
    assert crisis("config check --json").records[0]["ok"] is False


def test_a_check_lists_every_fault_and_guesses(crisis: Player) -> None:
    write(crisis, 'colour = "never"', "width = 20", 'system = "3d7"', "[aliases]", "snipe = 3")
    shown = crisis("config check")
    assert shown.status == 4
    assert [re.sub("^.*config.toml, ", "", one) for one in shown.lines] == [
        "line 1: colour is no key (did you mean color?)",
        "line 2: width must be a whole number from 40 to 200, not 20",
        "line 3: system must be one of 3d6, step, d100, 2d20, d6pool, not '3d7' (did you mean 3d6?)",
        'line 5: aliases.snipe is no command line: write snipe = "attack --aim 2"',
    ]
    records = crisis("config check --json").records[0]["faults"]
    assert [one["line"] for one in records] == [1, 2, 3, 5]
    assert (
        "colour is no key" in crisis("roll d6 --quiet").err and "and 2 more" in crisis("roll d6 --quiet").err
    )


def test_a_fault_of_the_whole_file_has_the_line_that_its_text_says(crisis: Player) -> None:
    write(crisis, "width = 90", "color = ")
    (fault,) = crisis("config check --json").records[0]["faults"]
    assert fault["line"] == 2 and ", line 2: this is not TOML" in fault["message"] and "key" not in fault
    write(crisis, "width = " + "9" * 5000)
    assert crisis("config check").out.endswith("config.toml, line 1: a number has too many digits\n")


@pytest.mark.parametrize("folder", [False, True])
def test_a_system_that_is_not_there_counts_for_nothing(crisis: Player, folder: bool) -> None:
    write(crisis, 'system = "nope"', folder=folder)
    assert crisis.ok("roll d6 --quiet").err == ""
    shown = crisis.refused(2, "character new Zork")
    assert "system must be one of 3d6" in shown.err and "needs a name and a system" in shown.err
    crisis.ok("character new Zork --system 3d6")
    assert crisis.ok("rules 3d6 cover").err == ""
    assert crisis.ok("config show system --json").record["value"] is None


def test_a_wrong_system_of_a_folder_leaves_that_of_the_player(crisis: Player) -> None:
    write(crisis, 'system = "nope"', folder=True)
    write(crisis, 'system = "step"')
    shown = crisis("rules attack")
    assert shown.out == crisis.ok("rules step attack").out and len(shown.err.splitlines()) == 1


def test_an_alias_may_begin_with_a_plain_word_of_the_prompt(crisis: Player) -> None:
    write(crisis, "[aliases]", 'snipe = "shoot at"')
    assert crisis.ok("config check").out.endswith("all right\n")


USELESS = {
    'loop = "loop"': "loop leads back to itself",
    'l1 = "l2"\nl2 = "l1"': "l1 leads back to itself",
    'x = "atack drone"': "x leads to 'atack', which is no verb and no action (did you mean attack?)",
    'sh = "!rm -rf /"': "sh leads to '!rm', which is no verb and no action",
    'attack = "note x"': "attack is a verb, and no alias takes its place",
    '"-x" = "note x"': "-x is no word that a line can begin with",
    '"a b" = "note x"': "a b is no word that a line can begin with",
    'h = "--file x.jsonl roll 1d6"': "h begins with the option --file: write the verb first",
}


@pytest.mark.parametrize(("lines", "said"), USELESS.items())
def test_an_alias_that_leads_nowhere_is_named(crisis: Player, lines: str, said: str) -> None:
    write(crisis, "[aliases]", lines)
    shown = crisis("config check")
    assert shown.status == 4 and f"config.toml, line 2: aliases.{said}" in shown.lines[0]
    assert crisis("doctor").status == 4 and said in crisis("doctor").out
    assert crisis.ok("roll d6").err == "", "other lines do not need it"


def test_an_alias_may_begin_with_another_and_with_an_action(crisis: Player, sheets: Sheets) -> None:
    write(crisis, "[aliases]", 'hit = "a jack"', 'snipe = "hit drone"', 'flat = "drop-prone"')
    crisis.ok("config check")
    assert crisis.ok("snipe --seed 3").out == crisis.ok("attack jack drone --seed 3").out
    assert crisis.ok("config show aliases.SNIPE --json").record["value"] == "hit drone"
    assert [one["key"] for one in crisis.ok("config show aliases --json").records] == [
        "aliases.hit",
        "aliases.snipe",
        "aliases.flat",
    ]
    crisis.refused(2, "config show aliases.gone")
    write(crisis, "[aliases]", "wrong = 3", 'hit = "attack jack"')
    assert crisis("hit drone --seed 3").status == 0, "another one does not matter"


@pytest.mark.parametrize(
    ("line", "said"), [('x = "x"', "leads back"), ('x = "--file y status"', "begins with the option --file")]
)
def test_an_alias_that_leads_nowhere_is_refused(crisis: Player, line: str, said: str) -> None:
    write(crisis, "[aliases]", line)
    assert f"the alias x {said}" in crisis.refused(4, "x").err


def test_a_variable_that_says_nothing_leaves_the_files_setting_and_is_named(home: Player) -> None:
    write(home, "width = 90", 'keys = "vi"')
    home.env |= {"COLUMNS": "abc", "CRISIS_KEYS": "foo", "CRISIS_CHARACTERS": "/nonexistent"}
    environment = with_settings(home.environment(is_terminal=True))
    assert (environment.width, environment.env["CRISIS_KEYS"]) == (90, "vi")
    shown = home("config show")
    assert [re.sub("^warning: ", "", one) for one in shown.err.splitlines()] == [
        "COLUMNS=abc counts for nothing: it is no value of width, which may be a whole number from 1",
        "CRISIS_KEYS=foo counts for nothing: it is no value of keys, which may be emacs or vi",
        "CRISIS_CHARACTERS names a folder that is not there: /nonexistent",
    ]
    assert re.search(r"^width +90 .*line 1$", shown.out, re.MULTILINE)


def test_a_missing_file_is_all_right(crisis: Player) -> None:
    assert "no file" in crisis.ok("config check").out
    assert crisis.ok("config check --quiet").out == ""
    assert crisis.ok("config path").out == f"{crisis.here / 'no-config/config.toml'}\n"


# The folder's file


OUTSIDE = ("..", "../x", "/tmp", "~", "~/x", "own/../..", "link", "deep/link", ".", "gone")


@pytest.mark.parametrize("name", ["characters", "tables", "encounters"])
@pytest.mark.parametrize("value", OUTSIDE)
def test_a_folder_names_nothing_outside_itself(home: Player, tmp_path: Path, name: str, value: str) -> None:
    (home.here / "deep").mkdir()
    for link in ("link", "deep/link"):
        (home.here / link).symlink_to("/tmp", target_is_directory=True)
    write(home, toml(name, value), folder=True)
    shown = home("config show --json")
    assert shown.status == 0
    assert {one["key"]: one["value"] for one in shown.records}[name] is None
    assert home("config check").status == 4
    assert ".crisis.toml, line 1" in home("roll d6 --quiet").err


SECRET = "root:*:20228:0:99999:7:::"


@pytest.mark.skipif(os.name == "nt", reason="links")
@pytest.mark.parametrize("text", [SECRET, 'system = "nobody"'])
def test_a_file_of_a_folder_is_no_link_out_of_it(
    home: Player, tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text(text, "utf-8")
    path = home.here / ".crisis.toml"
    path.symlink_to(secret)
    for line in ("roll d6 --quiet", "config check", "config show", "doctor", "character new X"):
        shown = home(line)
        assert not re.search("20228|nobody", shown.out + shown.err)
    said = ".crisis.toml is a link out of this folder, and is not read"
    assert said in home("roll d6 --quiet").err and said in home("config check").out
    assert settings_of(home.env, str(home.here)).configured("system") == ""
    path.unlink()
    (home.here / "own/shared.toml").write_text('system = "step"', "utf-8")
    path.symlink_to("own/shared.toml")
    assert settings_of(home.env, str(home.here)).configured("system") == "step"


@pytest.mark.parametrize(
    "text",
    [
        SECRET,
        'hush = "hush"',
        'system = "hush"',
        'characters = "../hush"',
        'tables = "hush"',
        'apart = "hush"',
        "apart = 777777",
        'encounters = ["hush"]',
    ],
)
def test_no_message_shows_the_text_of_a_file_of_a_folder(home: Player, text: str) -> None:
    write(home, text, folder=True)
    for line in ("rules attack", "config check", "config check --json", "doctor"):
        shown = home(line)
        said = shown.out + shown.err
        assert ".crisis.toml, line 1: " in said and not re.search("hush|777777|20228", said)


@pytest.mark.parametrize(
    "text",
    [
        'editor = "touch made"',
        '[aliases]\nsnipe = "note made"\nstatus = "note made"',
        'campaign = "ruins"',
        'doctrines = "own"',
        'color = "never"',
        'questions = "none"',
    ],
)
def test_a_folder_sets_no_command_and_nothing_of_the_player(home: Player, text: str) -> None:
    write(home, text, folder=True)
    before = home.files()
    assert home("snipe").status == 2
    settings = settings_of(home.env, str(home.here))
    assert not settings.folder.values and len(settings.folder.faults) == 1
    assert "is no key of a folder" in home("config check").out
    assert home.files() == before


def test_a_file_of_a_folder_holds_in_that_folder_alone(home: Player) -> None:
    write(home, "apart = 12", folder=True)
    assert settings_of(home.env, str(home.here)).configured("apart") == "12"
    assert settings_of(home.env, str(home.here / "own")).configured("apart") == ""


def test_files_of_a_folder_are_found_where_it_says(crisis: Player) -> None:
    for name in ("sheets", "places"):
        (crisis.here / name).mkdir()
    crisis.ok("character new Rolf --system 3d6 --like brawler")
    (crisis.here / "characters/rolf.toml").rename(crisis.here / "sheets/rolf.toml")
    assert crisis("character show rolf").status == 4
    write(crisis, 'characters = "sheets"', 'encounters = "places"', folder=True)
    assert "Rolf" in crisis.ok("character show rolf").out


def test_the_distance_of_a_folder_is_said_and_in_the_journal(crisis: Player, sheets: Sheets) -> None:
    write(crisis, "apart = 23", folder=True)
    said = "because: the sides begin 23 apart, as .crisis.toml says"
    assert said in crisis.ok("init jack --vs drone --open --seed 7").out
    assert "23 apart" in crisis.journal.read_text("utf-8")
    places = [one["at"] for one in crisis.ok("status --json").record["fighters"]]
    assert places == [[0, 0], [23, 0]]
    assert said in crisis.ok("log").out
    crisis.ok("verify")
    crisis.ok("end --yes --no-save")
    assert said in crisis.ok("play jack --vs drone --auto --rounds 1 --seed 1").out
    crisis("end --yes --no-save")
    assert said not in crisis.ok("init jack --vs drone --open --apart 5 --why dusk").out
    assert "dusk" in crisis.ok("log").out
    crisis.ok("end --yes --no-save")
    assert "23 apart" in crisis("simulate jack --vs drone -n 2 --rounds 1").err
    assert "23 apart" not in crisis.ok("simulate jack --vs drone -n 2 --rounds 1 --apart 5").out
    write(crisis, "apart = 2_000", folder=True)
    assert "apart must be a whole number from 0 to 1000" in crisis("roll d6 --quiet").err


def test_a_system_is_preset_and_never_that_of_a_sheet(crisis: Player) -> None:
    write(crisis, 'system = "step"')
    crisis.ok("character new Ann --set attributes.body=d6")
    assert 'system = "step"' in (crisis.here / "characters/ann.toml").read_text("utf-8")
    crisis.ok("character new Bea --like brawler")
    assert 'system = "step"' in (crisis.here / "characters/bea.toml").read_text("utf-8")
    crisis.ok("character new Cid --like jack")
    assert 'system = "3d6"' in (crisis.here / "characters/cid.toml").read_text("utf-8")
    assert crisis.ok("rules attack").out == crisis.ok("rules step attack").out
    assert crisis("rules attack --json").status == 2
    write(crisis, 'system = "d100"', folder=True)
    assert crisis.ok("rules attack --json").out == crisis.ok("rules d100 attack --json").out


# The editor


def test_a_new_file_has_every_key_commented_out(crisis: Player) -> None:
    shown = crisis.ok("config edit")
    path = crisis.here / "no-config/config.toml"
    assert path.read_text("utf-8") == template() and "all right" in shown.out
    assert tomllib.loads(template()) == {}
    bare = re.sub(r"^# (?=\w+ = |\[)", "", template(), flags=re.M)
    assert {*tomllib.loads(bare)} == {key.name for key in KEYS if "user" in key.files}
    folders = {"campaign", "characters", "tables", "encounters", "doctrines"}
    path.write_text(bare, "utf-8")
    assert {one["key"] for one in crisis("config check --json").records[0]["faults"]} == folders


def test_an_editor_is_started_and_what_it_writes_is_checked(crisis: Player, tmp_path: Path) -> None:
    editor = f"{sys.executable} -c \"import sys; open(sys.argv[1], 'w').write('colour = 1')\""
    write(crisis, toml("editor", editor))
    del crisis.env["EDITOR"]
    shown = crisis("config edit")
    assert shown.status == 4 and "colour is no key" in shown.out
    assert "cannot be started" in crisis.refused(4, "config edit", env={"VISUAL": "no-such-editor"}).err
    assert "its status is 1" in crisis.refused(4, "config edit", env={"VISUAL": "false"}).err
    (crisis.here / "script.txt").write_text("config edit\n", "utf-8")
    assert "opens no editor" in crisis("run script.txt").err


# The cache


def process(home: Path, code: str) -> str:
    env = {**os.environ, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "CRISIS_CONFIG"):
        env.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", env=env, check=True, cwd=home
    )
    return done.stdout


FAST = """
import os, sys
from crisis_cli.fast_path import parse_plain, print_plain
shown = print_plain(parse_plain(["roll", "1d1"]), os.environ, sys.stdout, True)
print(repr(shown), "tomllib" in sys.modules, "crisis_cli.configuration.keys" in sys.modules)
"""


def test_a_file_is_read_anew_only_when_it_has_changed(tmp_path: Path) -> None:
    path, plain, bold = (
        tmp_path / ".config/crisis/config.toml",
        "'1d1: [1] = 1\\n'",
        "'1d1: [1] = \\x1b[1m1\\x1b[0m\\n'",
    )
    assert process(tmp_path, FAST) == f"{bold} False False\n"
    assert not (tmp_path / ".cache").exists()
    path.parent.mkdir(parents=True)
    path.write_text('color = "never"\n', "utf-8")
    assert process(tmp_path, FAST) == f"{plain} True True\n"
    assert process(tmp_path, FAST) == f"{plain} False False\n"
    path.write_text('color = "always"\n', "utf-8")
    os.utime(path, ns=(time.time_ns(), time.time_ns() + 1))
    assert process(tmp_path, FAST) == f"{bold} True True\n"
    path.write_text("colour = 1\n", "utf-8")
    assert process(tmp_path, FAST).startswith("None"), "what is wrong is left to the front door"
    (cache,) = (tmp_path / ".cache/crisis").glob("settings-*")
    cache.write_text("broken", "utf-8")
    assert process(tmp_path, FAST).startswith("None")


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices")
@pytest.mark.parametrize("what", ["link", "pipe", "device"])
def test_the_cache_of_settings_is_a_plain_file(tmp_path: Path, what: str) -> None:
    """A draft goes through no link, and what is no plain file is not waited for."""
    (tmp_path / "config.toml").write_text("width = 100", "utf-8")
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "CRISIS_CONFIG": str(tmp_path)}
    cache = tmp_path / "cache/crisis/settings-user"
    cache.parent.mkdir(parents=True)
    made = tmp_path / "made"
    if what == "link":
        Path(f"{cache}.{os.getpid()}").symlink_to(made)
    elif what == "pipe":
        os.mkfifo(cache)
    else:
        cache.symlink_to("/dev/zero")
    assert settings_of(env, str(tmp_path / "cache")).configured("width") == "100"
    assert not made.exists()
