"""Tests of a house rule: a warhammer that hits harder and aims worse than a mace.

A sheet is a mapping with the keys of its file, so that a test needs no files. Dice are given, chances are exact, and
what is simulated repeats with its seed: no test passes by luck.
"""

from fractions import Fraction

import pytest

import crisis_cli as crisis

MACE = {"kind": "melee", "damage": 6, "crit": 3}
HAMMER = {"kind": "melee", "damage": 9, "crit": 4, "hit": -1}


def rook(name, weapon):
    """The sheet of a fighter with one weapon."""
    return {
        "name": "Rook",
        "system": "3d6",
        "skills": {"melee": 3},
        "abilities": {"might": 1},
        "armour": {"defence": 2, "dr": 1, "durability": 3},
        "weapons": {name: weapon},
    }


ROOK = rook("hammer", HAMMER)


def test_a_hit_does_what_the_card_says():
    """9 of the hammer and 1 of might, less 2 of armour."""
    hit = crisis.attack(ROOK, "drone", faces=[6, 5, 2])
    lost = {
        effect["what"]: effect["was"] - effect["now"] for effect in hit.effects if effect["who"] == "Drone"
    }
    assert hit.success and lost["endurance"] == 8


def harm(sheet, **how):
    """The Endurance that one attack on the drone costs it on average: effects are changes, so harm is negative."""
    return -crisis.chances("attack", sheet, "drone", **how).effects["Drone"]["endurance"].mean


def test_it_aims_worse_than_a_mace_but_does_more_harm():
    mace = rook("mace", MACE)
    hammer_hits, mace_hits = (crisis.chances("attack", sheet, "drone").success for sheet in (ROOK, mace))
    assert hammer_hits < mace_hits
    assert hammer_hits.exact == Fraction(56, 216)  # of the ways in which three dice can fall
    assert harm(ROOK) > harm(mace) > 0


def test_better_armour_always_helps_against_it():
    suffered = [harm(ROOK, override={"drone.armour.dr": points}) for points in range(4)]
    assert suffered == sorted(suffered, reverse=True)


def test_it_is_no_certain_win():
    share = crisis.simulate(ROOK, vs="drone", fights=300, seed=1).wins()["players"]
    assert share.high < 0.99 and share.low > 0.5


def test_a_slip_on_the_sheet_is_found():
    with pytest.raises(crisis.FileError, match="damge"):
        crisis.attack(rook("hammer", {"kind": "melee", "damge": 9}), "drone")


def test_what_is_undone_can_be_done_again_with_the_same_dice():
    fight = crisis.begin(ROOK, vs="drone", seed=1, apart=0)  # 0: nobody has a position, all are in reach
    fight.play_on()
    before = fight.state.to_dict()
    first = fight.attack()[0].to_dict()
    fight.undo()
    assert fight.state.to_dict() == before
    assert fight.attack()[0].to_dict() == first
