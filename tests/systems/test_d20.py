"""`examples/d20`, installed from its folder into one of its own: a system from outside, through the whole program."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from conftest import ROOT
from example_packages import (
    PYTEST,
    Run,
    copied,
    environment,
    in_place,
    installed,
    passed_in,
    program,
    require_random_fights,
)

from crisis_cli import systems
from crisis_cli.ai.balance import Balance
from crisis_cli.engine.starting import starting_fighter
from crisis_cli.sheets.check import faults_of, read
from crisis_cli.sheets.fighters import fighter
from crisis_cli.sheets.foes import foes_of, named, steps_of

EXAMPLE = ROOT / "examples" / "d20"
SUITE = ("--crisis-system", "d20", "--crisis-cases", str(EXAMPLE / "cases.toml"))

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the package is installed as pip does it."""
    return installed("d20", tmp_path_factory)


@pytest.fixture
def d20(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package in its folder, as if it were installed."""
    in_place("d20", monkeypatch)


@pytest.fixture
def crisis(tmp_path: Path, site: Path) -> Run:
    """The real program, the package installed."""
    return program(tmp_path, site, timeout=60)


def test_its_sheets_are_listed_beside_the_shipped_ones_and_are_right(crisis: Run) -> None:
    listed = crisis("character list").stdout
    assert "the sheets of crisis-d20" in listed and "Brother Oswin" in listed
    for one in ("mira", "brother-oswin", "goblin", "bog-spider", "marsh-drake"):
        assert crisis(f"character check {one}").stdout.endswith(", d20: all right\n")
    assert "HP" in crisis("character show mira").stdout
    assert json.loads(crisis("character schema d20").stdout)["properties"]["armour-class"]


def test_a_foe_is_made_from_its_sheets(crisis: Run) -> None:
    made = json.loads(crisis("character new --random --system d20 --power 4 --seed 2 --json").stdout)
    stem = Path(made["file"]).stem
    assert crisis(f"character check {stem}").stdout.endswith(", d20: all right\n")


def test_a_foe_is_made_to_measure(crisis: Run) -> None:
    made = crisis("foe leader --against mira brother-oswin --fights 50 --seed 1").stdout
    assert "a leader: well armed and armoured, strikes twice" in made and "[multiattack]" in made


def test_the_roles_of_foes_are_those_of_every_system_and_grow(d20: None) -> None:
    system = systems.load("d20")
    foes = foes_of(system)
    assert [*foes.roles] == ["brute", "shot", "swarm", "leader", "skulker"]
    balance = Balance(system)
    files = [EXAMPLE / "crisis_d20" / "characters" / f"{name}.toml" for name in ("mira", "brother-oswin")]
    heroes = [fighter(system, read(str(file), file.name), side="players", player=True) for file in files]
    for role in foes.roles.values():
        ratios = []
        for sheet in steps_of(system, foes, role)[::4]:
            values = faults_of(system, named(system, sheet))[0]
            foe = starting_fighter(system, values, side="opponents", player=False)
            ratios.append(balance.ratio(heroes, [foe] * role.together))
        assert all(later < earlier for earlier, later in pairwise(ratios)), role.name
        assert ratios[0] > foes.ratios[0] and ratios[-1] < foes.ratios[2], role.name


def test_a_multiattack_counts_in_full_in_forecasts(d20: None) -> None:
    system = systems.load("d20")
    file = EXAMPLE / "crisis_d20" / "characters" / "marsh-drake.toml"
    raw = tomllib.loads(file.read_text("utf-8"))
    del raw["spells"]

    def harm(multiattack: dict[str, int]) -> float:
        values, faults = faults_of(system, {**raw, "multiattack": multiattack})
        assert not faults
        drake = starting_fighter(system, values, side="opponents", player=False)
        values = faults_of(system, {"name": "Ann", "system": "d20", "hp": 200})[0]
        return Balance(system).harm(drake, starting_fighter(system, values, side="players"))

    # Against armour class 10 with +5, 16 faces of 20 hit, one critically: a bite does d8 + 3, claws d4 + 3.
    bite, claws = 16 * 7.5 + 4.5, 16 * 5.5 + 2.5
    assert harm({"bite": 1, "claws": 2}) / harm({}) == pytest.approx((bite + 2 * claws) / bite)


def test_one_offs(crisis: Run) -> None:
    assert crisis("attack mira goblin --dice 8,3").stdout.splitlines() == [
        "Mira attacks Goblin with the rapier: [8] + 5 = 13 against 13 — a hit.",
        "  piercing damage: [3] + 3 = 6",
        "  Goblin  ▼ HP 9 → 3",
    ]
    assert "[(2) 9] + 5 = 14" in crisis("attack mira goblin --advantage --dice 2,9,1").stdout
    assert "1 javelin piece spent, 1 left" in crisis("throw goblin mira --range 20 --dice 9").stdout
    burst = crisis("act mira cast flame-burst goblin --dice 1,2,3,11").stdout
    assert "Goblin's save: [11] + 2 = 13 against 12 — saves." in burst and "HP 9 → 6" in burst
    assert "1 potion use spent, 1 left" in crisis("heal mira --dice 1,1").stdout
    assert crisis("check mira stealth --dice 5 --quiet").stdout == "success\n"
    assert "Turn order" in crisis("init mira goblin --seed 3").stdout
    assert "2d20" not in crisis("attack mira goblin --cover heavy").stdout
    assert crisis("attack mira goblin --cover heavy").returncode == 2


def test_odds_are_exact(crisis: Run) -> None:
    assert crisis("odds attack mira goblin --quiet").stdout == "0.650000\n"
    assert crisis("odds attack mira goblin --advantage --quiet").stdout == "0.877500\n"
    assert crisis("odds check mira stealth --difficulty 15 --quiet").stdout == "0.550000\n"
    asleep = crisis("odds act mira cast hush goblin")
    assert "  Goblin becomes  asleep 55.00 %" in asleep.stdout.splitlines(), "it does not outlast the crisis"


def test_help_rules_and_completion_know_it(crisis: Run) -> None:
    helped = crisis("attack --help").stdout
    assert "Only in d20:" in helped and "--advantage" in helped
    assert "d20" in crisis("rules").stdout
    assert "natural 20" in crisis("rules d20 attack").stdout
    assert "natural 20" in crisis("rules D20-7").stdout
    completed = crisis("", _CRISIS_COMPLETE="bash_complete", _CRISIS_LINE="crisis attack mira goblin --a")
    assert "--advantage" in completed.stdout and "--aim" not in completed.stdout
    named = crisis("", _CRISIS_COMPLETE="bash_complete", _CRISIS_LINE="crisis attack mi")
    assert "mira" in named.stdout


def test_a_crisis_is_played_undone_saved_and_verified(crisis: Run, tmp_path: Path) -> None:
    opened = crisis("init mira --vs goblin --open --dice 15,5 --seed 9")
    assert "Mira's turn." in opened.stdout
    before = crisis("status --json").stdout
    crisis("attack goblin --dice 9,1")
    assert "0 actions" in crisis("attack goblin").stderr
    crisis("undo")
    assert crisis("status --json").stdout == before
    crisis("redo")
    assert "dexterity" in crisis("explain").stdout
    crisis("next")
    assert "goblin" in crisis("odds").stdout.lower() and "attack" in crisis("act --list").stdout
    assert "checked: no differences" in crisis("verify").stdout
    head = json.loads((tmp_path / "crisis.jsonl").read_text("utf-8").splitlines()[0])
    assert (head["system"], head["package"]) == ("d20", "crisis-d20 0.1.0")
    gone = crisis("status", PYTHONPATH=str(ROOT))
    assert gone.returncode == 4
    assert "'d20' is not installed (it was played with crisis-d20 0.1.0)" in gone.stderr
    assert crisis("end --no-save --yes").returncode == 0


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 8))])
def test_opponents_fight_to_the_end(crisis: Run, seed: int) -> None:
    fought = crisis(f"play mira brother-oswin --vs bog-spider goblin --auto --seed {seed}")
    assert fought.returncode == 0 and "win in round" in fought.stdout
    apart = "--place mira=0,0 --place brother-oswin=0,10 --place bog-spider=60,0"
    fought = crisis(f"play mira brother-oswin --vs bog-spider {apart} --auto --seed {seed} --no-journal")
    assert fought.returncode == 0 and "win in round" in fought.stdout


def test_a_creature_uses_all_its_attacks_and_its_breath(crisis: Run, tmp_path: Path) -> None:
    lines = list[str]()
    for seed in range(1, 6):
        fought = crisis(f"play mira brother-oswin --vs marsh-drake --auto --seed {seed}")
        assert fought.returncode == 0 and "win in round" in fought.stdout
        (file,) = tmp_path.glob("*.jsonl")
        assert "checked: no differences" in crisis("verify", file.name).stdout
        lines += file.read_text("utf-8").splitlines()
        file.unlink()
    done = [record["intent"] for record in map(json.loads, lines) if "intent" in record]
    drake = [one["action"] for one in done if one["actor"] == "Marsh Drake"]
    turns = " ".join(drake).split("next")
    assert drake.count("cast") >= 5 and sum(turn.count("attack") == 3 for turn in turns) >= 5


def test_a_campaign_rests(crisis: Run, tmp_path: Path) -> None:
    crisis("campaign new Fen mira brother-oswin")
    sheet = tmp_path / "fen" / "characters" / "mira.toml"
    sheet.write_text(sheet.read_text("utf-8") + "\n[state]\nhp = 5\nslots = 0\n", encoding="utf-8")
    assert "hit dice 2 → 1 · ▲ HP 5 → 10" in crisis("rest mira --hours 1 --dice 4 --campaign fen").stdout
    assert "HP: +5.38 on average" in crisis("odds rest mira --hours 1 --campaign fen").stdout
    assert "▲ HP 10 → 18 (8 rest) · spell slots 0 → 2" in crisis("rest --campaign fen").stdout


def test_keys_of_a_sheet_that_contradict_each_other(crisis: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.toml").write_text(
        """\
name = "Odd"
system = "d20"
multiattack = { paw = 1 }
weapons.fang = { kind = "melee", damage = { piercing = 1 }, save = "wisdom" }
spells.gaze = { save = "wisdom", uses = 1, recharge = 5 }
""",
        encoding="utf-8",
    )
    said = crisis("character check odd.toml")
    told = said.stdout + said.stderr
    assert said.returncode != 0
    for fault in (
        "weapons.fang.save: needs difficulty beside it",
        "weapons.fang.save: needs inflicts beside it",
        "multiattack.paw: is no weapon of this sheet",
        "multiattack: must be two attacks or more",
        "spells.gaze.recharge: cannot stand beside uses",
    ):
        assert fault in told, told


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 2000, 100))
def test_random_fights_end_and_are_undone_redone_and_verified(site: Path, tmp_path: Path, first: int) -> None:
    require_random_fights("d20", tmp_path, site, first)


def test_its_own_cases_and_what_every_system_must_do(site: Path, tmp_path: Path) -> None:
    """`pytest` in its folder, as its README says."""
    folder = copied("d20", tmp_path / "d20")
    cases = (folder / "cases.toml").read_text("utf-8").count("[[case]]")
    assert cases > 20
    assert passed_in(folder, tmp_path, site) >= cases + 30


def test_the_suite_fails_where_a_system_breaks_a_promise(site: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(site, tmp_path / "site")
    for name, right, wrong in (
        ("attacks", "return AttackResult(False, total)", "return AttackResult(table.die(6) < 0, total)"),
        ("checks", "table.die(20)", "int(table.die(20) + 1)"),
    ):
        page = broken / "crisis_d20" / f"{name}.py"
        text = page.read_text("utf-8")
        assert right in text
        page.write_text(text.replace(right, wrong), encoding="utf-8")
    done = subprocess.run(
        [*PYTEST, "-p", "crisis_cli.conformance", *SUITE, "-k", "case"],
        cwd=tmp_path,
        env=environment(tmp_path, broken),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    assert done.returncode == 1 and "failed" in done.stdout


def test_it_imports_the_rules_package_alone() -> None:
    import ast

    """But its importer, which no play loads."""
    for page in {*(EXAMPLE / "crisis_d20").glob("*.py")} - {EXAMPLE / "crisis_d20" / "srd.py"}:
        tree = ast.parse(page.read_text("utf-8"))
        imported = {
            node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and not node.level
        }
        assert {one for one in imported if one and one.startswith("crisis")} == {"crisis_cli.rules"}, (
            page.name
        )
        assert not any(isinstance(node, ast.Import) for node in ast.walk(tree)), page.name
