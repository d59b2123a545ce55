"""`crisis explain`: why a result is what it is."""

from __future__ import annotations

import pytest
from conftest import Player


@pytest.fixture
def hit(fight: Player) -> Player:
    """Jack has hit the drone from above, and ended his turn."""
    fight.ok("attack drone --dice 6,4,3 --mod 1 --why 'from above'")
    fight.ok("next")
    return fight


def test_the_last_roll_is_explained_by_itself(hit: Player) -> None:
    shown = hit.ok("explain").out
    assert shown.startswith("Entry 2") and "[6 4 3] + 4 = 17 against 16" in shown and "from above" in shown
    for words in (
        "+2  melee",
        "3D6-18  The attack roll",
        "+10  base",
        "ALL-6",
        "Endurance 50 → 45",
        "3D6-26",
    ):
        assert words in shown


@pytest.mark.parametrize("width", [80, 60])
def test_it_fits_the_width(hit: Player, width: int) -> None:
    assert all(len(line) <= width for line in hit.ok("explain", width=width).lines)


def test_json_has_modifiers_effects_and_titles(hit: Player) -> None:
    record = hit.ok("explain --json").record
    log = hit.ok("log 2 --json").record
    assert {key: record[key] for key in log} == log
    assert sum(one["value"] for one in record["modifiers"] if one["roll"] == "attack") == 4
    assert {one["rule"] for one in record["modifiers"]} <= set(record["rules"])
    assert {one["rule"] for one in record["effects"]} <= set(record["rules"])
    assert record["rules"]["3D6-18"] in hit.ok("rules 3D6-18").out


def test_what_was_forced_is_reported(hit: Player) -> None:
    hit.ok("attack jack --by jack --force --dice 1,1,1")
    shown = hit.ok("explain").out
    assert "Forced" in shown


def test_decisions_are_reported(crisis: Player) -> None:
    crisis.ok("init ines --vs looter --open --seed 2")
    crisis.ok("attack ines --by looter --force --react block --dice 3,2,2,1")
    assert "Ines chose block of none, block, dodge" in crisis.ok("explain").out


def test_any_entry_can_be_asked_about(hit: Player) -> None:
    assert "Turn order" in hit.ok("explain 1").out
    hit.ok("set drone health 3")
    assert "Health 23 → 3" in hit.ok("explain 4").out
    hit.refused(3, "explain 9")
    hit.refused(2, "explain x")


def test_without_a_crisis(crisis: Player) -> None:
    crisis.refused(3, "explain")


def test_json_of_an_action_has_them_all_with_explain(crisis: Player) -> None:
    """DESIGN: one record is what text and --json show; what went into no roll stands beside the rolls."""
    plain = crisis.ok("attack hagen bandit --react dodge --seed 2 --json").record
    report = crisis.ok("attack hagen bandit --react dodge --seed 2 --json --explain").record
    assert "modifiers" not in plain and {key: report[key] for key in plain} == plain
    assert sum(one["value"] for one in report["modifiers"] if one["roll"] == "attack dice") == 6
    assert {one["against"] for one in report["modifiers"] if one["roll"] == "dodge"} == {"Bandit"}
    crisis.ok("init jack --vs drone --open")
    crisis.ok("attack drone --seed 1")
    (last,) = crisis.ok("log 2 --json --explain").records
    assert sum(one["value"] for one in last["modifiers"] if one["roll"] == "defence") == 16


EXPLAINED = [
    (
        "attack cass mutant --weapon revolver --location torso --dice 3,4,5,6,1,3",
        [
            "damage: [5=1E 6=1E 1 3=0] + 2 = 5, 2 effects",
            "+2  vicious  2D20-24",
            "+2  physical, resist  2D20-20",
        ],
        {"torso resistance": 2, "damage": 2},
    ),
    (
        "attack doc robot --weapon 'laser pistol' --location torso --dice 1,2,5,1,1,1",
        ["why torso resistance of Robot: +1", "+2  energy, resist  2D20-20", "−1  piercing  2D20-24"],
        {"torso resistance": 1},
    ),
    (
        "attack robot cass --location torso --dice 1,1,5,1,1,1,1",
        ["why torso resistance of Cass: +0", "+1  energy, resist  2D20-20", "−1  breaking  2D20-24"],
        {"torso resistance": 0},
    ),
    (
        "attack hagen bandit --dice 5,1,1,1,1,1 --mod-damage 1",
        [
            "+1  sword, weapons.sword  POOL-25",
            "why wounds per hit: +2",
            "+1  circumstance, --mod-damage  ALL-6",
        ],
        {"piercing": 1, "wounds per hit": 2},
    ),
]


@pytest.mark.parametrize(("words", "said", "sums"), EXPLAINED, ids=lambda one: str(one)[:12])
def test_what_meets_the_damage_is_named(
    crisis: Player, words: str, said: list[str], sums: dict[str, int]
) -> None:
    """2D20-20, 2D20-24, POOL-25, POOL-26: what adds to the damage, and what stands against it."""
    shown = crisis.ok(f"{words} --explain").out
    assert all(one in shown for one in said), shown
    record = crisis.ok(f"{words} --explain --json").record
    for number, total in sums.items():
        assert sum(one["value"] for one in record["modifiers"] if one["roll"] == number) == total
    for roll in record["rolls"]:
        if roll["what"] == "damage":
            assert roll["total"] == sum((1, 2, 0, 0, 1, 1)[face - 1] for face in roll["faces"]) + sum(
                one["value"] for one in roll["modifiers"]
            )


def test_what_a_reaction_was_chosen_for_is_recorded(crisis: Player) -> None:
    """D100-23: `--react best` compares the health that each answer loses on average, no more than is left."""
    crisis.ok("init looter ines --open --dice 99")
    crisis.ok("set ines health 2")
    crisis.ok("set ines small-actions 1")
    crisis.ok("attack ines --react best --dice 1,4,4,4")
    chosen = crisis.ok("log --json").records[-1]["choices"][0]
    assert chosen["who"] == "Ines" and set(chosen["expected_harm"]) == set(chosen["offered"])
    assert chosen["expected_harm"]["none"] == 2
    assert chosen["expected_harm"][chosen["taken"]] == min(chosen["expected_harm"].values())
    assert "expected harm: none 2.00, block" in " ".join(crisis.ok("explain").out.split())
    assert crisis.ok("replay").out and crisis.ok("verify").status == 0


# ---------------------------------------------------------------- what reactions and cover stopped


@pytest.fixture
def duel(crisis: Player) -> Player:
    """The bandit's turn, with four dice; Hagen beside him, with an action kept."""
    crisis.ok("init hagen --vs bandit --open --seed 5 --dice 5,5,5,1,1,1,1")
    crisis.ok("act aim")
    crisis.ok("next")
    return crisis


def test_a_parry_says_what_it_stops_and_what_is_left(duel: Player) -> None:
    shown = duel.ok("attack hagen --react parry --protection 0 --dice 5,5,5,1,5,1,1,1,1,1").out
    assert "Hagen's parry: [5 1 1 1 1 1] against 5 — 1 hit parried, 2 left" in shown
    assert "wounds 0 → 2 (3 hits − 1 parry)" in shown


def test_one_of_a_thing_is_said_in_the_singular(duel: Player) -> None:
    shown = duel.ok("attack hagen --react none --protection 0 --dice 6,1,1,1,6,5").out
    assert "wounds 0 → 2 (1 hit + 1 mega-critical)" in shown


def test_nothing_left_is_said_too(duel: Player) -> None:
    assert "2 hits parried, none left" in duel.ok("attack hagen --react parry --dice 5,5,1,1,5,5,1,1,1,1").out


def test_cover_says_what_it_stops(duel: Player) -> None:
    shown = duel.ok("attack hagen --cover 5+ --react none --protection 0 --dice 5,5,1,1,5,1").out
    assert "Hagen's cover: normal hits [5 1] against 5 — 1 hit stopped, 1 left" in shown


def test_a_block_says_what_it_stops(crisis: Player) -> None:
    crisis.ok("init ines --vs looter --open --seed 2")
    shown = crisis.ok("attack ines --by looter --force --react block --dice 3,4,4,4").out
    assert "4 damage blocked, 3 left" in shown and "(8 damage − 1 armour − 4 block)" in shown


def test_a_roll_to_resist_says_what(crisis: Player) -> None:
    crisis.ok("init hagen --vs bandit --open --seed 5 --dice 5,5,5,1,1,1,1")
    crisis.ok("set hagen condition:bleeding 1")
    crisis.ok("next")
    assert "Hagen resists bleeding: [" in crisis.ok("next").out
    assert "against bleeding: " in crisis.ok("explain").out


def test_an_opposed_roll_says_what_it_resists(crisis: Player) -> None:
    assert "Looter resists Ines's strength: [" in crisis.ok("check ines strength --vs looter strength").out


def test_reactions_that_nobody_rolled_are_not_explained(duel: Player) -> None:
    idle = "attack hagen --react none --explain --dice 5,1,1,1"
    shown = duel.ok(idle).out
    assert "why attack dice" in shown and "why parry" not in shown and "why dodge" not in shown
    assert "parry dice" not in duel.ok("explain").out
    duel.ok("undo")
    rolls = {one["roll"] for one in duel.ok(f"{idle} --json").record["modifiers"]}
    assert "attack dice" in rolls and not rolls & {"parry", "parry dice", "dodge", "dodge dice"}
    duel.ok("undo")
    parried = duel.ok("attack hagen --react parry --explain --dice 5,1,1,1,1,1,1,1,1,1").out
    assert "why parry dice" in parried and "why dodge" not in parried


def test_a_plan_that_cannot_begin_in_this_turn_says_so(crisis: Player) -> None:
    crisis.ok("init ada --vs drone --open --seed 1 --place ada=0,0 drone=6,0 --initiator ada")
    crisis.ok("set ada ap 1")
    crisis.ok("auto ada careful")
    crisis.ok("auto")
    entries = [one for one in crisis.ok("log --json").records if one.get("reason", {}).get("plans")]
    plans = [one["plan"] for one in entries[0]["reason"]["plans"]]
    assert "next turn: attack Drone with pistol" in plans and "attack Drone with pistol" not in plans
    assert "next turn: attack Drone with pistol" in crisis.ok(f"explain {entries[0]['number']}").out
    later = [one["plan"] for one in entries if one["action"] == "attack" for one in one["reason"]["plans"]]
    assert not any(plan.startswith("next turn: attack Drone") for plan in later[:1])


def test_a_flight_says_its_reason_once(crisis: Player) -> None:
    crisis.ok(
        "init ada --vs drone:4 --doctrine coward --open --seed 2 "
        "--place ada=0,0 drone1=6,0 drone2=6,2 drone3=6,4 drone4=6,6"
    )
    crisis.ok("set drone1 health 0")
    crisis.ok("next")
    shown = crisis.ok("auto").out
    assert shown.count("runs: one of four is down") == 1 and shown.count("moves") > 1
    flights = [one for one in crisis.ok("log --json").records if one.get("reason", {}).get("key") == "flees"]
    fleeing = {one["actor"] for one in flights}
    assert len(flights) > len(fleeing), "each step has its reason in the record"
    for form in ("log", "replay", "log --markdown"):
        assert crisis.ok(form).out.count("runs: ") == len(fleeing), form
    assert crisis.ok("auto --reasons all").out.count("runs: one of four is down") > 1
