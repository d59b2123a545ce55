"""In any situation of a fight a program and the command line are told the same: a sample, and 500 with `-m long`."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest
from conftest import PAIRS, Player

import crisis_cli as crisis

LONG = int(os.environ.get("CRISIS_FIGHTS", "500"))


def situation(folder: Path, chance: Random, system: str) -> crisis.Fight:
    """A fight on disk in which anything legal has been done for a while."""
    one, other = PAIRS[system]
    library = crisis.Library(str(folder))
    apart, seed = chance.choice((None, 0, 5)), chance.randrange(10_000)
    fight = library.begin(one, vs=other, seed=seed, plays="all", apart=apart, file="crisis.jsonl")
    for _ in range(chance.randrange(24)):
        request = fight.waiting
        if request is None:
            break
        is_any = isinstance(request, crisis.Act) and chance.random() < 0.7
        fight.answer(chance.choice(fight.legal()) if is_any else None)
    while not isinstance(fight.waiting, crisis.Act | None):
        fight.answer(None)
    return fight


def told_alike(folder: Path, chance: Random, system: str) -> int:
    """Compare what a program and the command line are told of a situation; how many actions were compared."""
    fight, player = situation(folder, chance, system), Player(folder)
    assert [result.to_dict() for result in fight.log] == player.ok("log --json").records
    assert fight.state.to_dict() == player.ok("status --json").record
    assert fight.explain().to_dict() == player.ok("explain --json").record
    assert fight.recap().to_dict() == player.ok("log --recap --json").record
    assert fight.verify() == [] and player.ok("verify --json").record["differences"] == []
    if fight.decided:
        return 0
    rows = [row for row in fight.legal() if row.intent.action != "next"]
    compared = 0
    for row in chance.sample(rows, min(3, len(rows))):
        targets = [name for name in row.intent.targets if name != row.intent.actor]
        seed = chance.randrange(10_000)
        shown = player(f"{row.line} --dry-run --no-responses --seed {seed} --json")
        try:
            results = fight.do(
                row.intent.action, *targets, seed=seed, dry_run=True, responses=False, **row.intent.options
            )
        except crisis.CrisisError as error:
            assert shown.error["code"] == error.code, row.line
            continue
        if isinstance(fight.waiting, crisis.Act):
            assert [result.to_dict() for result in results] == shown.records, row.line
            compared += 1
        fight.take_back()
        shown = player(f"odds {row.line} --json")
        if shown.status == 0:
            assert fight.chances(row).to_dict() == shown.record, row.line
    return compared


@pytest.mark.parametrize("system", PAIRS)
@pytest.mark.parametrize("count", [10, pytest.param(LONG // len(PAIRS), marks=pytest.mark.long)])
@pytest.mark.slow
def test_a_program_is_told_what_the_command_line_tells(tmp_path: Path, system: str, count: int) -> None:
    compared = 0
    for number in range(count):
        folder = tmp_path / str(number)
        folder.mkdir()
        compared += told_alike(folder, Random(f"{system}{number}"), system)
    assert compared >= count // 3
