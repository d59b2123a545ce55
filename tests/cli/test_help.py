"""`--help` of every verb, and its examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Player, Sheets

from crisis_cli.cli import run
from crisis_cli.render.prose import TOPICS
from crisis_cli.verbs import VERBS

MAN = Path(__file__).parents[2] / "man"


@pytest.mark.parametrize("verb", [*VERBS, "character new", "character show", "character check"])
def test_every_verb_has_help_with_examples(
    crisis: Player, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = crisis(f"{verb} --help")
    text = shown.out + capsys.readouterr().out
    assert shown.status == 0
    assert re.search(rf"^ +crisis {verb}", text, re.MULTILINE), "an example that can be pasted"
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize(
    "verb", [verb for verb in VERBS if verb not in ("character", "config", "encounter", "system", "tables")]
)
def test_every_verb_that_prints_has_json(
    crisis: Player, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = crisis(f"{verb} --help")
    if verb != "odds":  # which hands its words on to the verb it is about
        assert "--json" in shown.out + capsys.readouterr().out


@pytest.mark.parametrize("words", ["--version", "-h", "--help"])
def test_the_program_tells_about_itself(
    crisis: Player, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = crisis(words)
    assert shown.status == 0 and "crisis" in shown.out + capsys.readouterr().out


@pytest.mark.parametrize(("typed", "meant"), [("atack", "attack"), ("stauts", "status"), ("redoo", "redo")])
def test_a_verb_mistyped_is_guessed_at(crisis: Player, typed: str, meant: str) -> None:
    assert meant in crisis.refused(2, typed).err


@pytest.mark.parametrize(
    ("line", "ways"),
    [
        ("import drone.json", "crisis character import FILE..., or crisis tables import FILE..."),
        ("restore", "crisis character restore NAME"),
        ("path", "crisis config path"),
    ],
)
def test_a_sub_verb_alone_leads_to_its_verbs(crisis: Player, line: str, ways: str) -> None:
    assert crisis.refused(2, line).err.endswith(f"hint: there is: {ways}\n")


@pytest.mark.parametrize(
    ("typed", "meant"), [("--weapn", "--weapon"), ("--explan", "--explain"), ("--quite", "--quiet")]
)
def test_an_option_mistyped_is_guessed_at(crisis: Player, sheets: Sheets, typed: str, meant: str) -> None:
    assert meant in crisis.refused(2, f"attack jack drone {typed} x").err


def test_options_of_some_systems_stand_apart(crisis: Player, capsys: pytest.CaptureFixture[str]) -> None:
    """DESIGN: --help groups them; where systems mean different things by one, each says what."""
    text = crisis("attack --help").out + capsys.readouterr().out
    common, *groups = text.split("\nOnly in ")
    heads = [group.partition(":")[0] for group in groups]
    assert heads[:4] == ["step", "d100", "2d20", "d6pool"] and "2d20 and d6pool" in heads
    assert "--weapon" in common and "--location" not in common
    (aim,) = (group for group in groups if group.startswith("2d20 and d6pool:"))
    assert re.search(r"--aim N +\[2d20\] .*\[d6pool\] ", " ".join(aim.split()))
    assert "<=x<=" not in groups[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [("--mod x", "not a whole number"), ("--mod 1000000000", "not within"), ("--seed -1", "not within")],
)
def test_numbers_are_read_strictly(crisis: Player, words: str, said: str) -> None:
    assert said in crisis.refused(2, f"attack jack drone {words}").err


def test_a_minus_sign_is_taken_as_it_is_printed(crisis: Player) -> None:
    report = crisis.ok("attack jack drone --seed 1 --mod −2 --json").record
    assert {"name": "circumstance", "value": -2}.items() <= report["rolls"][0]["modifiers"][-1].items()


@pytest.mark.parametrize("verb", ["next", "join", "leave"])
def test_help_lists_no_option_that_a_command_ignores(crisis: Player, verb: str) -> None:
    shown = crisis.ok(f"{verb} --help").out
    assert "--mod-damage" not in shown and "--exit-status" not in shown and "--save" not in shown
    crisis.ok("init jack --vs drone --open")
    crisis.ok({"next": "next", "join": "join ada", "leave": "leave drone"}[verb] + " --exit-status")


def test_statuses_after_signals_are_in_the_help(crisis: Player) -> None:
    statuses = " ".join(crisis.ok("help exit-status").out.split())
    assert "128 and the number of the signal" in statuses and "143 after SIGTERM" in statuses
    assert "Interrupted. Nothing has changed" not in statuses


def test_every_topic_is_shown(crisis: Player) -> None:
    for name, topic in TOPICS.items():
        assert crisis.ok(f"help {name}").out.startswith(f"{name}: {topic.about}\n")
    assert ">>> import crisis_cli as crisis" in crisis.ok("help python").out


def test_every_page_of_the_manual_is_shown_by_its_name(
    crisis: Player, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = {path.stem.removeprefix("crisis-") for path in MAN.glob("man[57]/crisis-*")}
    assert {"tutorial", "journal", "rules-3d6"} <= pages
    for name in sorted(pages):
        shown = crisis(f"help {name}")
        assert shown.status == 0 and len((shown.out + capsys.readouterr().out).splitlines()) > 12, name


def test_a_page_longer_than_the_terminal_goes_through_the_pager(
    crisis: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    paged = list[str]()
    monkeypatch.setattr("click.echo_via_pager", paged.append)
    for rows, times in ((24, 1), (5_000, 0), (0, 0)):
        run(["help", "tutorial"], crisis.environment(is_terminal=True, rows=rows))
        assert len(paged) == times
        paged.clear()


def test_the_json_manual_has_the_keys_of_an_interruption_and_of_an_undo(crisis: Player) -> None:
    page = " ".join(crisis.ok("help json").out.split())
    assert "the archived journal of the crisis that was stopped" in page
    assert "log --follow where an entry is undone" in page.replace("`", "")
    assert "a fighter who does not take part, named in --set, in --when or in" in page.replace("`", "")
    assert "A fighter named anywhere else is not_found (4), also in options such as --by" in page.replace(
        "`", ""
    )


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("doctrine", ("doctrine: how fighters play", "next turn", "[breaks]")),
        ("doctrines", ("doctrine: how fighters play",)),
        ("journal", ("journal: ",)),
        ("beast", ("beast: a doctrine.", "crisis help doctrine")),
        ("reasons", ("--reasons: ", "an option of auto, play", "crisis help auto")),
        ("apart", ("--apart N: ", "an option of play, simulate", "an option of init")),
        ("no-journal", ("an option of play",)),
        ("armour", ("rules of 3d6: crisis rules 3d6 armour",)),
    ],
)
def test_a_word_leads_to_a_manual_an_option_or_a_rule(
    crisis: Player, word: str, said: tuple[str, ...]
) -> None:
    shown = crisis.ok(f"help {word}").out
    assert all(one in shown for one in said), shown
    assert crisis.ok(f"help {word} --json").record["help"]


@pytest.mark.parametrize("path", sorted(MAN.glob("man[57]/*")), ids=lambda path: path.name)
def test_a_page_is_found_by_the_name_that_others_give_it(crisis: Player, path: Path) -> None:
    words = (path.stem, f"{path.stem}({path.suffix[1:]})", f"{path.stem.removeprefix('crisis-')}(5)")
    shown = [crisis.ok("help", word).out for word in words]
    assert len({*shown}) == 1
    assert len(shown[0].splitlines()) > 12 and not shown[0].startswith("Usage")


def test_the_page_of_a_file_has_all_its_keys(crisis: Player) -> None:
    shown = crisis.ok("help crisis-tables").out
    assert "KEYS" in shown and re.search(r"^  rows\n +\w", shown, re.MULTILINE)
    assert "crisis character schema SYSTEM" in crisis.ok("help crisis-character").out


def test_the_page_of_a_verb_is_the_help_on_it(crisis: Player) -> None:
    assert crisis.ok("help", "crisis-tables(1)").out == crisis.ok("help tables").out
    assert crisis.ok("help crisis-attack").out == crisis.ok("help attack").out


def test_the_list_of_commands_ends_with_the_topics(crisis: Player) -> None:
    *_, topics = crisis.ok("help").out.split("\n\n")
    assert topics.startswith("Topics of crisis help: ") and all(
        len(line) <= 80 for line in topics.splitlines()
    )
    assert {*TOPICS} <= {*re.findall(r"[\w-]+", topics)}


def test_a_word_of_nothing_is_no_command(crisis: Player) -> None:
    assert "did you mean doctrine?" in crisis.refused(2, "help doctrin").err
    crisis.refused(2, "help xyzzy")


def test_the_usage_of_odds_names_what_it_takes(crisis: Player) -> None:
    assert crisis.ok("help odds").lines[0] == "Usage: crisis odds [OPTIONS] [EXPR | VERB ...]"
