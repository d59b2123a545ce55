"""The roles of every system: their sheets are in order, and every step makes a foe stronger."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import Player, slow_but

from crisis_cli import systems
from crisis_cli.ai.balance import Balance
from crisis_cli.engine.scene import Fighter
from crisis_cli.engine.starting import starting_fighter
from crisis_cli.engine.system import System
from crisis_cli.errors import FileError
from crisis_cli.sheets.check import check_text, faults_of, read
from crisis_cli.sheets.fighters import fighter
from crisis_cli.sheets.foes import RawSheet, Role, foes_of, named, steps_of
from crisis_cli.sheets.new_sheet import sheet_text
from crisis_cli.sheets.store import sheets_in, shipped

ROLES = ["brute", "shot", "swarm", "leader", "skulker"]
EVERY = [(name, role) for name in systems.SYSTEMS for role in ROLES]


def steps(name: str, role: str) -> tuple[System, Role, tuple[RawSheet, ...]]:
    """A system, one of its roles, and the sheets of that."""
    system = systems.load(name)
    foes = foes_of(system)
    found = foes.role(role)
    made = steps_of(system, foes, found)
    return system, found, tuple(named(system, one) for one in made)


def party(system: System) -> list[Fighter]:
    """The heroes that crisis ships for a system."""
    sheets = [read(path, os.path.basename(path)) for path in sheets_in(shipped())]
    return [
        fighter(system, one, side="players", player=True)
        for one in sheets
        if one.values["system"] == system.name and one.values["player"]
    ]


def ratios(name: str, role: str, every: int) -> list[float]:
    """The ratio of harm of the heroes of a system and foes of a role, at every so many of its steps."""
    system, found, sheets = steps(name, role)
    balance, heroes = Balance(system), party(system)
    made = []
    for sheet in sheets[::every]:
        values = faults_of(system, sheet)[0]
        foe = starting_fighter(system, values, side="opponents", player=False)
        made.append(balance.ratio(heroes, [foe] * found.together))
    return made


@pytest.mark.parametrize(("name", "role"), EVERY)
def test_every_step_is_a_sheet_that_passes_check(name: str, role: str) -> None:
    system, _, sheets = steps(name, role)
    assert len(sheets) > 12
    for sheet in (sheets[0], sheets[len(sheets) // 2], sheets[-1]):
        assert check_text(Path("foe.toml"), sheet_text(sheet, system.sheet), "foe.toml").raw == sheet
    assert len({repr(sheet) for sheet in sheets}) == len(sheets)


LIFE = {
    "3d6": ("endurance", 120),
    "step": ("health", 40),
    "d100": ("health", 36),
    "2d20": ("hp", 28),
    "d6pool": ("wounds", 20),
}
"""The key of a fighter's life in each system, and more of it than any single foe has: twice a hero's, or less."""


@pytest.mark.parametrize(("name", "role"), EVERY)
def test_the_strongest_is_one_that_the_rulebook_could_have(name: str, role: str) -> None:
    system, found, sheets = steps(name, role)
    key, most = LIFE[name]
    assert key in found.most and max(sheet[key] for sheet in sheets) <= most
    assert all(any(key in found.most for key in change) for change in found.grows)
    ladder = foes_of(system).ladder
    for key, limit in found.most.items():
        value: Any = sheets[-1]
        for part in key.split("."):
            value = value[part]
        assert ladder.index(value) <= ladder.index(limit) if isinstance(limit, str) else value <= limit


@pytest.mark.parametrize("name", slow_but(["3d6", "d6pool"], "3d6"))
def test_strength_rises_with_the_steps(name: str) -> None:
    found = ratios(name, "brute", 8)
    assert all(later < earlier for earlier, later in pairwise(found)), found
    assert found[0] > 10 * found[-1]


@pytest.mark.long
@pytest.mark.parametrize(("name", "role"), EVERY)
def test_strength_rises_with_every_step(name: str, role: str) -> None:
    found = ratios(name, role, 1)
    assert all(later < earlier for earlier, later in pairwise(found)), found


def test_more_foes_are_stronger_and_armour_counts() -> None:
    system, _, sheets = steps("3d6", "brute")
    balance, heroes = Balance(system), party(system)

    def made(changed: RawSheet) -> Fighter:
        return starting_fighter(system, faults_of(system, changed)[0], side="opponents", player=False)

    foe = made(sheets[30])
    one, two = balance.ratio(heroes, [foe]), balance.ratio(heroes, [foe, foe])
    assert two < one / 2 and balance.ratio(heroes[:1], [foe]) < one
    armoured = made({**sheets[30], "armour": {"defence": 1, "dr": 4, "durability": 9}})
    assert balance.ratio(heroes, [armoured]) < one
    harmless = made({**sheets[30], "weapons": {"feather": {"kind": "melee", "damage": -9}}})
    assert balance.harm(harmless, heroes[0]) == 0 and balance.ratio(heroes, [harmless]) == float("inf")


FAULTY = """\
ratios = [200, 150, 100, 70]
ladder = ["d4", "d6"]

[roles.brute]
about = "hits"
grows = [ { endurance = "9" }, { "weapons.club.damage" = 1 } ]
sheet = { endurance = 5, healt = 3 }
"""


def test_the_faults_of_a_file_are_named_by_line_and_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(systems, "folder", lambda name: str(tmp_path))
    (tmp_path / "foes.toml").write_text(FAULTY, encoding="utf-8")
    with pytest.raises(FileError) as caught:
        foes_of(systems.load("3d6"))
    said = caught.value.message
    assert "line 6, roles.brute.grows[0].endurance: must be a whole number other than 0, or a share" in said
    assert "line 7, roles.brute.sheet.healt: unknown (did you mean health?)" in said
    assert caught.value.hint == "fix the foes; all keys: crisis help system"
    mended = FAULTY.replace('"9"', '"9%"').replace("healt =", "health =")
    (tmp_path / "foes.toml").write_text(mended, encoding="utf-8")
    with pytest.raises(FileError) as caught:
        foes_of(systems.load("3d6"))
    said = caught.value.message
    assert "ratios: must be 5 numbers, each at most the one before it" in said
    assert "grows[1].weapons.club.damage: is no number on the sheet" in said


def test_a_role_grows_by_numbers_shares_and_words_up_to_its_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(systems, "folder", lambda name: str(tmp_path))
    (tmp_path / "foes.toml").write_text(
        'ratios = [5, 4, 3, 2, 1]\nladder = ["d4", "d6", "d8"]\n[roles.one]\nabout = "grows"\n'
        'grows = [{ health = "50%" }, { "skills.melee" = 1 }]\nmost = { health = 9, "skills.melee" = "d6" }\n'
        'sheet = { health = 4, skills = { melee = "d4" } }\n',
        encoding="utf-8",
    )
    system = systems.load("step")
    found = foes_of(system)
    grown = [(one["health"], one["skills"]["melee"]) for one in steps_of(system, found, found.role("one"))]
    assert grown == [(4, "d4"), (6, "d4"), (6, "d6"), (9, "d6")]


def test_a_system_without_the_file_says_so(crisis: Player, tiny: System) -> None:
    (crisis.here / "characters").mkdir()
    (crisis.here / "characters" / "cid.toml").write_text('name = "Cid"\nsystem = "tiny"\n', encoding="utf-8")
    error = crisis.refused(3, "foe --against cid --json").error
    assert error["code"] == "no_foes" and "tiny has no foes.toml" in error["message"]
    assert "character new" in error["hint"]
