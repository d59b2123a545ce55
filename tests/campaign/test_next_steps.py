"""What to do now: the lines after the end of a fight and in a campaign, of which each can be run."""

from __future__ import annotations

import shlex
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

import pytest
from conftest import Player, Sheets

from .test_campaign import Table
from .test_tend import in_need

PARTIES = {
    "step": "vera moss --vs raider:2",
    "d6pool": "hagen tilda --vs bandit:2",
    "3d6": "jack ada --vs drone:2",
    "d100": "ines bruno --vs looter:2",
    "2d20": "cass doc --vs ghoul",
}
LIFE = {"step": "health", "d6pool": "wounds", "3d6": "health", "d100": "health", "2d20": "hp"}


def ending(folder: Path, system: str, seed: int, in_campaign: bool) -> tuple[Table, list[dict[str, Any]]]:
    """A fight that ends with the player's side hurt somehow, and what to do now by its JSON."""
    random, party = Random(seed), PARTIES[system]
    ours = party.partition(" --vs")[0]
    player = Player(folder)
    if in_campaign:
        player.ok(f"campaign new Saltmarch {ours}")
        folder = folder / "saltmarch"
    table = Table(folder)
    if in_campaign and random.random() < 0.5:
        table.said("note --thread 'Who paid the warden?'")
    table.said(f"init {party} --open --seed {seed}")
    for who in ours.split():
        pools = table.ok("status --json").record["fighters"]
        one = next(one for one in pools if one["name"].split()[-1].casefold() == who)
        most, life = one["max"][LIFE[system]], LIFE[system]
        lowest = -9 if system == "step" else 0
        table(f"set {who} {life} {random.choice((most, 1, lowest, random.randrange(max(1, most))))}")
    if random.random() < 0.6:
        for foe in table.ok("status --json").record["fighters"]:
            if foe["side"] == "opponents":
                table(
                    "set",
                    foe["name"],
                    LIFE[system],
                    str(foe["max"][LIFE[system]] if system == "d6pool" else lowest),
                )
    if random.random() < 0.3:
        table("next")
    return table, table("end --yes --json").record["next"]


def runs_each_line(tmp_path: Path, system: str, seed: int, in_campaign: bool) -> None:
    """Every line of an ending is done, each by itself, or asks its own question."""
    folder = tmp_path / f"{system}{seed}"
    folder.mkdir()
    table, steps = ending(folder, system, seed, in_campaign)
    assert 1 <= len(steps) <= 5 and all(step["why"] for step in steps)
    if in_campaign:
        assert steps == table.ok("campaign --json").record["next"]
        assert steps[-1]["line"] == "crisis chronicle"
        for step in steps:
            assert step["line"] in table.ok("campaign").out
    for at, step in enumerate(steps):
        own = Table(Path(copytree(table.here, folder / f"line{at}")))
        words = shlex.split(step["line"])[1:]
        shown = own(*words, *(["--auto", "--seed", "1"] if words[0] == "play" else []))
        assert shown.status == 0, (step, shown)


@pytest.mark.parametrize("system", ["d100", "2d20"])
def test_each_line_can_be_run(tmp_path: Path, system: str) -> None:
    runs_each_line(tmp_path, system, 1, True)


def test_so_can_those_of_a_fight_outside_a_campaign(tmp_path: Path) -> None:
    runs_each_line(tmp_path, "d100", 2, False)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 130))
def test_each_line_of_thirty_endings_can_be_run(tmp_path: Path, seed: int) -> None:
    system = [*PARTIES][seed % len(PARTIES)]
    runs_each_line(tmp_path, system, seed, seed % 3 > 0)


def test_the_most_urgent_stands_first(tmp_path: Path) -> None:
    table, sheets = in_need(tmp_path, "step")
    sheets.write("moss", sheets.text("moss") + "\n[state]\nhealth = 24\n")
    table.said("note --thread 'Whose map is it?'")
    table.said("note --thread 'Does anybody follow us?'")
    assert [step["line"] for step in table.ok("campaign --json").record["next"]] == [
        "crisis tend",
        "crisis rest --days 14",
        "crisis oracle 'Does anybody follow us?'",
        "crisis play mill",
        "crisis chronicle",
    ]
    shown = table.ok("campaign").out.partition("What now?\n")[2].splitlines()
    assert shown[:2] == [
        "  crisis tend                              Vera is dying; Doc Moss: 70 % a try",
        "  crisis rest --days 14                    two weeks; Doc Moss needs about 44",
    ]
    assert shown[4] == "  crisis play mill                         not played yet: The dry mill; also"
    table.said("init vera moss --vs raider --open --seed 1")
    assert table.ok("campaign --json").record["next"] == [], "a fight is open"
    assert table.refused(3, "undo --json").error["hint"].endswith("crisis end --discard")
    table.said("end --discard --yes")
    assert table.ok("campaign --json").record["fights"] == [], "it was a mistake"
    table.said("init vera moss --vs raider --open --seed 1")
    shown = table("end --yes").out.partition("What now?\n")[2].splitlines()
    assert [line.split("  ")[1] for line in shown if line[2:3].strip()] == [
        "crisis tend",
        "crisis rest --days 14",
        "crisis oracle 'Does anybody follow us?'",
        "crisis play mill",
        "crisis chronicle",
    ]
    moss = sheets.text("moss").partition("\n[state]")[0]
    sheets.write("moss", f'{moss}\n[state]\nhealth = -9\nconditions = ["stable"]\n')
    risk = "Doc Moss dies in 14 % (--care self 5 %, doctor 4 %, hospital 3 %)"
    rest = table.ok("campaign --json").record["next"][1]
    assert rest["line"] == "crisis rest --days 14" and rest["why"].startswith(f"{risk}; two weeks; ")
    assert risk in table("rest --days 14 --dry-run").err


def test_where_no_rule_heals_there_is_no_rest(tmp_path: Path) -> None:
    Player(tmp_path).ok("campaign new Saltmarch jack ada")
    table = Table(tmp_path / "saltmarch")
    sheets = Sheets(table.here / "characters")
    sheets.write("jack", sheets.text("jack") + "\n[state]\nhealth = 9\n")
    sheets.write("ada", sheets.text("ada") + "\n[state]\nhealth = 0\n")
    assert [step["line"] for step in table.ok("campaign --json").record["next"]] == [
        "crisis character reset jack",
        "crisis character reset ada",
        "crisis play bridge",
    ]
    clean = "a clean sheet: crisis character reset jack; or write a rule for rest: [rest]"
    assert f"hint: {clean}" in table.refused(3, "tend jack").err
    sheets.write("jack", sheets.text("jack") + "[state.uses]\nbandage = 0\n")
    assert f"hint: used up: bandage; {clean}" in table.refused(3, "tend jack").err
    assert "crisis tend jack" in table.refused(3, "tend").err, "Ada is dead, but Jack is not"
    assert "party: jack and ada · " in table.ok("encounter show bridge").out
    path = table.here / "campaign.toml"
    path.write_text(path.read_text("utf-8").replace('"jack", "ada"', '"ada"'), "utf-8")
    assert "party: ada · " in table.ok("encounter show bridge").out
    path.write_text(path.read_text("utf-8").replace('"ada"]', '"jack", "ada"]'), "utf-8")
    path.write_text(path.read_text("utf-8") + "\n[rest]\nhealth = 3\n", "utf-8")
    assert table.ok("campaign --json").record["next"][0]["line"].startswith("crisis rest --days ")
