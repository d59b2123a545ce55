"""One fight, whoever asks: automatic play, a program that leaves everything to doctrines, and `crisis play --auto`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Player
from programs import EVERYBODY, PAIRS, QUICK, SLOWER, begun, d20, desk_of, opening, play, records

from crisis_cli.play.fight import Fight
from crisis_cli.play.opening import Opening
from crisis_cli.play.requests import Act, Faces
from crisis_cli.play.turns import Plays
from crisis_cli.sheets import journal_file

_ = d20
APART = (None, 0, 8)
"""As the sheets suggest, nobody anywhere, and a distance."""
SAMPLE = {"step": (0,), "d6pool": (0, 8)}
"""Distances at which the suite fights in systems that take long."""
ROUNDS = {"3d6": 3, "d100": 3, "d20": 3}
ENCOUNTERS = {
    "lift": "",
    "clinic": "",
    "garage": "cass",
    "ford": "hagen",
    "well": "vera",
}
"""An encounter of each system for the suite, with those who play it there."""
ALL = ("bridge", "bus", "chapel", "clinic", "ford", "garage", "lift", "mill", "station", "well", "yard")


def alone(tmp_path: Path, asked: Opening, seed: int, rounds: int) -> list[dict[str, Any]]:
    """The entries of a fight in memory where nobody is asked."""
    fight = begun(desk_of(tmp_path), asked, seed)
    assert play(fight, rounds) == 0
    fight.end(save=False)
    return records(fight.past)


def asked_everything(tmp_path: Path, asked: Opening, seed: int, rounds: int) -> list[dict[str, Any]]:
    """The entries of a fight in memory that asks for everything, and gets the usual answer."""
    fight = begun(desk_of(tmp_path), asked, seed, EVERYBODY)
    kinds = set[type]()

    def usual(fight: Fight) -> None:
        kinds.add(type(fight.waiting))

    assert play(fight, rounds, usual) and Act in kinds
    fight.end(save=False)
    return records(fight.past)


def of_command(tmp_path: Path, asked: Opening, seed: int, rounds: int) -> list[dict[str, Any]]:
    """The entries in the journal of `crisis play --auto`."""
    player = Player(tmp_path / "command")
    player.here.mkdir()
    vs = ("--vs", *asked.vs) if asked.vs else ()
    apart = ("--apart", str(asked.apart)) if asked.apart is not None and asked.vs else ()
    encounter = (asked.encounter,) if asked.encounter else ()
    player.ok(
        *("play", *encounter, *asked.who, *vs, *apart, "--seed", str(seed), "--rounds", str(rounds)), "--auto"
    )
    (path,) = player.here.glob("crisis*.jsonl")
    return records(journal_file.read(str(path), path.name).crisis.done)


def cases() -> list[Any]:
    """System, distance and seed of the fights; all but a sample are long."""
    found = []
    for system in PAIRS:
        for apart in APART:
            for seed in range(1, 11):
                is_sampled = seed <= (2 if system in QUICK else 1) and apart in SAMPLE.get(system, APART)
                marks = () if is_sampled and system not in SLOWER else pytest.mark.slow
                found.append(
                    pytest.param(system, apart, seed, marks=marks if is_sampled else pytest.mark.long)
                )
    return found


@pytest.mark.parametrize(("system", "apart", "seed"), cases())
def test_a_fight_is_the_same_whoever_is_asked(
    tmp_path: Path, request: pytest.FixtureRequest, system: str, apart: int | None, seed: int
) -> None:
    if system == "d20":
        request.getfixturevalue("d20")
    asked, rounds = opening(system, apart=apart), ROUNDS.get(system, 1)
    of_nobody = alone(tmp_path, asked, seed, rounds)
    assert asked_everything(tmp_path, asked, seed, rounds) == of_nobody
    assert of_command(tmp_path, asked, seed, rounds) == of_nobody
    assert len(of_nobody) > 2


@pytest.mark.slow
@pytest.mark.parametrize(("encounter", "who"), ENCOUNTERS.items())
def test_an_encounter_is_the_same_for_a_program_that_leaves_it_to_doctrines(
    tmp_path: Path, encounter: str, who: str
) -> None:
    asked = Opening((who,) if who else (), encounter=encounter, has_journal=False, apart=None)
    expected = of_command(tmp_path, asked, 1, 1)
    assert asked_everything(tmp_path, asked, 1, 1) == expected and len(expected) > 3


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("encounter", ALL)
def test_encounters_are_the_same_whoever_is_asked(tmp_path: Path, encounter: str, seed: int) -> None:
    asked = Opening(encounter=encounter, has_journal=False, apart=None)
    of_nobody = alone(tmp_path, asked, seed, 4)
    assert asked_everything(tmp_path, asked, seed, 4) == of_nobody
    assert of_command(tmp_path, asked, seed, 4) == of_nobody


def test_plays_says_who_is_asked(tmp_path: Path) -> None:
    """A fight that asks for one side decides for the other as if it asked for nobody."""
    asked, who = opening("3d6"), set[str]()
    one_side = Plays(lambda scene: scene.fighters[scene.turn].player, lambda fighter: fighter.player)
    fight = begun(desk_of(tmp_path), asked, 1, one_side)

    def usual(fight: Fight) -> None:
        assert fight.waiting is not None and not isinstance(fight.waiting, Faces)
        who.add(fight.waiting.who)

    assert play(fight, 3, usual)
    assert who == {"Jack"}
    fight.end(save=False)
    assert records(fight.past) == alone(tmp_path, asked, 1, 3)
