"""`crisis odds`: exact, and from the same rule that rolls."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from conftest import Player, Sheets


def chances(distribution: list[dict[str, Any]]) -> dict[int, Fraction]:
    """A distribution by value; decimals and fractions agree, and all of it is there."""
    found = {one["value"]: Fraction(one["exact"]) for one in distribution}
    assert sum(found.values()) == 1
    assert all(one["p"] == pytest.approx(float(found[one["value"]])) for one in distribution)
    return found


def test_the_worked_example_by_every_face(crisis: Player, sheets: Sheets) -> None:
    record = crisis.ok("odds attack jack drone --json").record
    faces = list(product(range(1, 7), repeat=3))
    hits = [roll for roll in faces if sum(roll) + 3 >= 16]
    success = record["success"]
    assert Fraction(success["exact"] if isinstance(success, dict) else str(success)) == Fraction(
        len(hits), 216
    )
    totals = chances(record["distribution"])
    assert totals == {
        total: Fraction(sum(sum(roll) + 3 == total for roll in faces), 216) for total in range(6, 22)
    }
    assert record["mean"] == 13.5 and record["sd"] == pytest.approx(8.75**0.5)
    criticals = chances(record["criticals"])
    for count in (1, 2, 3):
        assert criticals[count] == Fraction(sum(roll.count(6) == count for roll in hits), 216)
    health = chances(record["effects"]["Drone"]["health"]["distribution"])
    assert health[-10] == Fraction(sum(roll.count(6) == 3 for roll in hits), 216), "4 × 3 − dr 2"
    assert chances(record["effects"]["Drone"]["endurance"]["distribution"]) == {
        -5: Fraction(len(hits), 216),
        0: 1 - Fraction(len(hits), 216),
    }
    assert Fraction(record["down"]["Drone"]["exact"]) == 0


def test_odds_agree_with_every_roll_that_can_be_given(crisis: Player, sheets: Sheets) -> None:
    """The same rule rolls and weighs: walk all 216 faces through the command itself."""
    sheets.write("drone", sheets.text("drone") + "\n[state]\nhealth = 6\n")
    down = hit = 0
    for faces in product(range(1, 7), repeat=3):
        if sum(faces) < 12:
            continue
        record = crisis.ok(f"attack jack drone --json --dice {','.join(map(str, faces))}").record
        hit += record["success"]
        down += any(one["what"] == "condition:dead" for one in record["effects"])
    report = crisis.ok("odds attack jack drone --json").record
    assert Fraction(report["down"]["Drone"]["exact"]) == Fraction(down, 216) > 0
    assert crisis.ok("odds attack jack drone --quiet").out.strip().startswith(f"{hit / 216:.6f}")


def test_nothing_is_rolled_and_nothing_changes(fight: Player) -> None:
    before = fight.files()
    for words in ("attack drone", "act hide --cover light", "check melee --difficulty 9", "heal jack"):
        fight.ok(f"odds {words}")
    assert fight.files() == before


def test_at_a_terminal_there_are_bars_elsewhere_too_without_colour(crisis: Player, sheets: Sheets) -> None:
    shown = crisis.ok("odds attack jack drone")
    assert "25.93 %" in shown.out and "█" in shown.out and "\x1b" not in shown.out
    ascii_only = crisis.ok("odds attack jack drone", encoding="ascii")
    assert "#" in ascii_only.out


def test_one_minus_sign_is_used(crisis: Player, sheets: Sheets) -> None:
    shown = crisis.ok("odds attack jack drone")
    assert not ("−" in shown.out and "-" in shown.out), "a hyphen here and a minus there"


def test_options_count(crisis: Player, sheets: Sheets) -> None:
    plain = crisis.ok("odds attack jack drone --json").record["success"]["p"]
    assert crisis.ok("odds attack jack drone --json --mod 1").record["success"]["p"] > plain
    assert crisis.ok("odds attack jack drone --json --cover heavy").record["success"]["p"] < plain
    assert crisis.ok("odds attack jack drone --json --enemies 3").record["success"]["p"] > plain


def test_explain_names_the_rules(crisis: Player, sheets: Sheets) -> None:
    shown = crisis.ok("odds attack jack drone --explain")
    assert "3D6-18" in shown.out and "3D6-19" in shown.out


def test_a_check_and_a_contest(crisis: Player, sheets: Sheets) -> None:
    """3D6-5: even skills, ties to the active side."""
    assert crisis.ok("odds check jack melee --difficulty 6 --json").record["success"]["exact"] == "1/1"
    record = crisis.ok("odds check jack melee --vs drone melee --json").record
    rolls = [sum(faces) for faces in product(range(1, 7), repeat=3)]
    ways = sum(one >= other for one in rolls for other in rolls)
    assert Fraction(record["success"]["exact"]) == Fraction(ways, 216 * 216)


def test_damage_dice_are_weighed(crisis: Player, sheets: Sheets) -> None:
    record = crisis.ok("odds attack ada drone --json").record
    lost = chances(record["effects"]["Drone"]["endurance"]["distribution"])
    hit = Fraction(record["success"]["exact"])
    assert lost[-8] == hit / 6, "d6 + 4 − dr 2 at its best"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("odds", 2),
        ("odds init jack drone", 2),
        ("odds attack jack", 2),
        ("odds attack jack drone --nonsense", 2),
        ("odds attack jack nobody", 4),
        ("odds attack jack drone --cover total", 3),
        ("odds throw jack drone", 3),
        ("odds check jack melee", 2),
    ],
)
def test_what_has_no_odds(crisis: Player, sheets: Sheets, words: str, status: int) -> None:
    crisis.refused(status, words)


def test_a_refusal_is_an_object_with_json(crisis: Player, sheets: Sheets) -> None:
    assert crisis.refused(3, "odds attack jack drone --cover total --json").error["rule"] == "3D6-21"


def test_odds_of_an_attack_lead_with_any_harm(crisis: Player) -> None:
    """A hit that armour stops is no harm: 2 of the 6 faces of the weapon do not get through."""
    record = crisis.ok("odds attack cass mutant --json").record
    hurt, health = record["any_harm"]["Mutant"], record["effects"]["Mutant"]["hp"]["distribution"]
    unhurt = next(one["p"] for one in health if one["value"] == 0)
    assert 0 < hurt["p"] < record["success"]["p"] and hurt["p"] == pytest.approx(1 - unhurt)
    assert "/" in hurt["exact"]
    lines = crisis.ok("odds attack cass mutant").lines
    assert lines[1].split()[0] == "hit" and lines[2].split()[:2] == ["any", "harm"]


def test_odds_show_the_chance_of_what_lasts(crisis: Player) -> None:
    record = crisis.ok("odds attack ines looter --json").record
    assert record["conditions"] == {"Looter": {"down": record["down"]["Looter"]}}
    assert "Looter becomes  down" in crisis.ok("odds attack ines looter").out


def test_worn_armour_is_no_harm(crisis: Player) -> None:
    record = crisis.ok("odds attack hagen bandit --json").record
    assert 0 < record["any_harm"]["Bandit"]["p"] < record["success"]["p"]
    assert crisis.ok("odds check jack melee --difficulty 9 --json").record["any_harm"] == {}


HUGE = """\
name = "Huge"
system = "{system}"
{sheet}
"""
MANY_DICE = {
    "d6pool 30": ("d6pool", "skills.hand-to-hand = 30\nweapons.axe = { skill = 'hand-to-hand' }", "bandit"),
    "d6pool 60": (
        "d6pool",
        "skills.hand-to-hand = 30\nweapons.axe = { skill = 'hand-to-hand', damage_potential = 30 }",
        "hagen --react best",
    ),
    "d100": (
        "d100",
        "health = 9\nratings.combat = 55\n"
        "weapons.gun = { kind = 'rifle', damage = '60d6', modes = ['auto'], capacity = 90 }",
        "ines",
    ),
}
"""Attacks with so many dice that their exact odds would take minutes: the system, a sheet, the target."""


@pytest.mark.parametrize(
    "name", [name if name == "d100" else pytest.param(name, marks=pytest.mark.slow) for name in MANY_DICE]
)
def test_odds_of_very_many_dice_are_refused_before_they_take_long(crisis: Player, name: str) -> None:
    """The work is estimated while the odds are worked out; rolling the attack takes no longer than ever."""
    system, sheet, against = MANY_DICE[name]
    (crisis.here / "huge.toml").write_text(HUGE.format(system=system, sheet=sheet))
    error = crisis.refused(3, f"odds attack huge.toml {against} --json").error
    assert "more than two seconds" in error["message"] and "fewer dice" in error["hint"]
    assert crisis.ok(f"attack huge.toml {against} --seed 1 --json").record["rolls"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "quick", "foes"),
    [
        ("d100", "", "looter:2"),
        pytest.param("d6pool 60", "attributes.quickness = 20\n", "bandit:2", marks=pytest.mark.long),
    ],
)
def test_a_ranking_lists_what_takes_long_without_odds(
    crisis: Player, name: str, quick: str, foes: str
) -> None:
    """The rest of the ranking has its odds, and all of it is soon there."""
    system, sheet, _ = MANY_DICE[name]
    (crisis.here / "huge.toml").write_text(HUGE.format(system=system, sheet=quick + sheet))
    crisis.ok(f"init huge.toml --vs {foes} --open --seed 1")
    assert "too many results to compute" in crisis.ok("odds --by huge").out
