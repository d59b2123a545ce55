"""`examples/wilds`, installed from its folder into one of its own: dice that explode, cards and chips."""

from __future__ import annotations

import ast
import json
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import ROOT
from example_packages import Run, copied, installed, passed_in, program, require_random_fights

EXAMPLE = ROOT / "examples" / "wilds"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the package is installed as pip does it."""
    return installed("wilds", tmp_path_factory)


@pytest.fixture
def crisis(tmp_path: Path, site: Path) -> Run:
    """The real program, the package installed."""
    return program(tmp_path, site, timeout=120)


def test_its_sheets_are_right_and_its_rules_are_shown(crisis: Run) -> None:
    for one in ("nell", "old-tam", "rustler", "crag-bear"):
        assert crisis(f"character check {one}").stdout.endswith(", wilds: all right\n")
    shown = crisis("character show nell").stdout
    assert "parry 5" in shown and "toughness 5" in shown
    assert "one deck with two jokers" in crisis("rules wilds cards").stdout
    made = json.loads(crisis("character new --random --system wilds --power 2 --seed 2 --json").stdout)
    assert "all right" in crisis(f"character check {Path(made['file']).stem}").stdout


def test_foes_are_made_to_measure(crisis: Run) -> None:
    for role in ("swarm", "leader"):
        made = crisis(f"foe {role} --against nell old-tam --fights 20 --seed 1")
        assert made.returncode == 0 and 'system = "wilds"' in made.stdout, made.stderr


def test_one_offs(crisis: Run) -> None:
    assert crisis("attack nell rustler --dice 8,3,2,7,4,2").stdout.splitlines()[:2] == [
        "Nell shoots at Rustler with the carbine: [8 3 (2)] = 11 against 4 — a hit, 1 raise.",
        "  damage: [7 4 2] = 13",
    ]
    soaked = crisis("attack crag-bear nell --dice 7,2,8,5,5,1 --choose soak").stdout
    assert "Nell's soak: [5 (1)] = 5 against 4 — soaks" in soaked and "chips 3 → 2" in soaked
    again = crisis("attack nell rustler --dice 1,2,4,1,1,2 --choose reroll").stdout
    assert "chips 3 → 2" in again
    assert crisis("check old-tam tracking --dice 1,2 --quiet").stdout == "failure\n"
    assert "too few faces" in crisis("check old-tam tracking --dice 10,3").stderr


def chances(sides: int, waves: int = 6) -> dict[int, Fraction]:
    """The chances of the values of an exploding die, but for those of more dice than `waves`."""
    return {
        wave * sides + face: Fraction(1, sides ** (wave + 1))
        for wave in range(waves)
        for face in range(1, sides)
    }


def test_odds_are_what_counting_gives(crisis: Run) -> None:
    assert crisis("odds attack rustler nell --quiet").stdout == "0.500000\n"
    assert crisis("odds attack nell rustler --quiet").stdout == f"{1 - 3 / 8 * 3 / 6:.6f}\n"
    again = 1 - (3 / 8 * 3 / 6) ** 4
    shown = crisis("odds attack nell rustler --quiet --choose reroll,reroll,reroll")
    assert shown.stdout == f"{again:.6f}\n"
    hit, raised = Fraction(0), Fraction(0)
    for value, chance in chances(6).items():
        hit, raised = hit + chance * (4 <= value < 8), raised + chance * (value >= 8)
    dice = chances(6)
    two = {(one, other): p * q for one, p in dice.items() for other, q in dice.items()}
    wounds = 9  # Nell's toughness, and 4
    harm = sum((p for (one, other), p in two.items() if one + other >= wounds), Fraction(0))
    more = sum(
        (
            p * q
            for (one, other), p in two.items()
            for last, q in dice.items()
            if one + other + last >= wounds
        ),
        Fraction(0),
    )
    shown = crisis("odds attack rustler nell").stdout
    assert f"any harm to Nell  {float(100 * (hit * harm + raised * more)):.2f} %" in shown


def test_cards_are_dealt_anew_each_round_from_a_deck_that_lasts(crisis: Run) -> None:
    opened = crisis(
        "init", "nell", "--vs", "crag-bear", "--open", "--dice", "2 of hearts,red joker,ace of spades"
    )
    assert "1. Nell" in opened.stdout and "[2 of hearts, red joker]" in opened.stdout
    assert "joker" in crisis("attack crag-bear --dice 1,2,1,1 --dry-run --explain").stdout
    crisis("next")
    wrong = crisis("next", "--dice", "joker,2 of hearts,3 of clubs")
    assert "'joker' is none of the 54 cards left" in wrong.stderr
    before = crisis("status --json").stdout
    shown = crisis("next", "--dice", "3 of clubs,2 of hearts,ace of spades").stdout
    assert "Turn order: Crag Bear, Nell." in shown
    crisis("undo")
    assert crisis("status --json").stdout == before
    crisis("redo")
    crisis("next")
    gone = crisis("next", "--dice", "ace of spades,2 of clubs,4 of clubs")
    assert "'ace of spades' is none of the 51 cards left" in gone.stderr
    assert "checked: no differences" in crisis("verify").stdout


def test_a_chip_calms_who_is_rattled(crisis: Run) -> None:
    crisis("init", "nell", "--vs", "crag-bear", "--open", "--dice", "2 of hearts,3 of hearts,ace of spades")
    assert "Nell is rattled." in crisis("attack nell --dice 7,2,5,2").stdout
    before = crisis("status --json").stdout
    shown = crisis("next --dice 3,2 --choose calm").stdout
    assert "chips 3 → 2" in shown and "Nell is calm again." in shown and shown.endswith("Nell's turn.\n")
    crisis("undo")
    assert crisis("status --json").stdout == before
    assert "no differences" in crisis("verify").stdout


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 40))])
def test_opponents_fight_to_the_end(crisis: Run, tmp_path: Path, seed: int) -> None:
    fought = crisis(f"play nell old-tam --vs crag-bear rustler:2 --auto --seed {seed}")
    assert fought.returncode == 0 and "win in round" in fought.stdout
    (journal,) = tmp_path.glob("crisis-*.jsonl")
    assert "no differences" in crisis(f"verify {journal.name}").stdout


def test_fights_are_simulated_and_duels_are_told_to_be(crisis: Run) -> None:
    assert "players" in crisis("simulate nell --vs rustler:2 -n 40 --seed 1").stdout
    assert "No exact answer" in crisis("odds duel rustler nell").stdout


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 2000, 100))
def test_random_fights_end_and_are_undone_redone_and_verified(site: Path, tmp_path: Path, first: int) -> None:
    require_random_fights("wilds", tmp_path, site, first)


def test_its_own_cases_and_what_every_system_must_do(site: Path, tmp_path: Path) -> None:
    """`pytest` in its folder, as its README says."""
    folder = copied("wilds", tmp_path / "wilds")
    cases = (folder / "cases.toml").read_text("utf-8").count("[[case]]")
    assert passed_in(folder, tmp_path, site) >= cases + 30


def test_it_imports_the_rules_package_alone() -> None:
    tree = ast.parse((EXAMPLE / "crisis_wilds" / "__init__.py").read_text("utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {one for one in modules if one and one.startswith("crisis")} == {"crisis_cli.rules"}
