"""The oracle: exact odds, tension, questions about the fight, and the record of every answer."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from conftest import Player

from crisis_cli.dice.distribution import OddsTable
from crisis_cli.dice.generator import Seeded, generator
from crisis_cli.dice.table import Table
from crisis_cli.random_tables.oracle import LIKELY, ask, odds

QUESTIONS = 100_000


def named(answer: tuple[bool, str, bool]) -> str:
    """An answer as the table of odds names it."""
    yes, degree, _ = answer
    return ("yes" if yes else "no") + (f", {degree}" if degree else "")


@pytest.mark.parametrize("chance", [1, *LIKELY.values(), 99])
@pytest.mark.parametrize("tension", [0, 2, 6])
def test_the_odds_shown_are_those_of_every_face(chance: int, tension: int) -> None:
    walked = OddsTable().of(lambda table, chance: ask(table, chance, tension), chance)
    for name, p in odds(chance):
        assert Fraction(*walked.chance(lambda answer, name=name: named(answer) == name)) == p
    assert Fraction(*walked.chance(lambda answer: answer.is_twist)) == Fraction(tension, 12)


@pytest.mark.slow
def test_answers_come_as_often_as_the_odds_say() -> None:
    """100,000 questions with a fixed seed lie within 5 standard deviations."""
    table = Table(Seeded(generator(16).random))
    seen = Counter()
    twists = 0
    for _ in range(QUESTIONS):
        table.throws.clear()
        answer = ask(table, 75, 3)
        seen[named(answer)] += 1
        twists += answer.is_twist
    for name, p in (*odds(75),):
        mean = QUESTIONS * float(p)
        assert abs(seen[name] - mean) < 5 * (mean * (1 - float(p))) ** 0.5, name
    assert abs(twists - QUESTIONS / 4) < 5 * (QUESTIONS * 3 / 16) ** 0.5


def test_an_answer_shows_its_dice(crisis: Player) -> None:
    assert crisis.ok("oracle 'Is it locked?' --odds likely --dice 75,3,9").out == (
        "Is it locked? (likely, 75 %) [75] [3] [9]: Yes.\n"
    )
    assert crisis.ok("oracle 'Is it locked?' --dice 51,1,9 --quiet").out == "no but\n"
    assert crisis("oracle 'Is it?' --odds 10 --dice 11,3,9 --exit-status").status == 1
    assert crisis("oracle 'Is it?' --odds 10 --dice 10,3,9 --exit-status").status == 0


@pytest.mark.parametrize("words", ["target drone", "morale jack", "reinforcement", "reinforcement players"])
def test_what_is_about_the_fight_needs_one(crisis: Player, words: str) -> None:
    error = crisis.refused(3, f"oracle {words} --json").error
    assert error["code"] == "no_crisis" and "crisis init" in error["hint"]
    assert words.split()[0] in error["message"]


@pytest.mark.parametrize("words", ["target", "morale"])
def test_what_is_about_a_fighter_needs_one(fight: Player, words: str) -> None:
    assert fight.refused(2, f"oracle {words} --json").error["code"] == "missing_argument"
    assert fight.refused(4, f"oracle {words} nobody --json").error["code"] == "not_found"


def test_a_twist_brings_a_row_of_its_table(crisis: Player) -> None:
    record = crisis.ok("oracle 'Is it?' --dice 1,6,2,1 --json").record
    assert (record["answer"], record["degree"], record["p"]) == ("yes", "and", 0.5)
    assert record["twist"]["table"] == "twists" and record["twist"]["text"] in record["text"]
    assert record["tension"] == {"was": 2, "now": 1}


def test_real_dice_answer(crisis: Player) -> None:
    shown = crisis(
        "oracle 'Is it?' --real-dice", answers=["12", "3", "9"], terminal=True, env={"NO_COLOR": "1"}
    )
    assert shown.out == "Is it? (even, 50 %) [12] [3] [9]: Yes.\n"


@pytest.mark.parametrize("word", ["liekly", "0", "100", "fight", "", "-3", "0999", "099", "00"])
def test_a_wrong_chance_is_refused_with_the_words_there_are(crisis: Player, word: str) -> None:
    shown = crisis("oracle", "Is it?", "--odds", word)
    if word:
        assert shown.status == 2 and "nearly-certain" in shown.err
    else:
        assert shown.status == 0, "an empty value is the default"


def test_a_question_is_asked_for_at_a_terminal_and_missing_elsewhere(crisis: Player) -> None:
    assert "Is it?" in crisis("oracle --seed 1", answers=["Is it?"], terminal=True).out
    assert "missing argument: QUESTION" in crisis.refused(2, "oracle").err


def test_every_answer_is_recorded_undone_and_verified(fight: Player) -> None:
    fight.ok("oracle 'Do they call for help?' --odds likely")
    fight.ok("oracle morale drone")
    fight.ok("oracle reinforcement")
    fight.ok("oracle target drone")
    fight.ok("oracle", "--", "-5")
    said = [one.get("text") for one in fight.ok("log --json").records]
    assert len(said) == 6 and "no differences" in fight.ok("verify").out
    (fight.here / "again.txt").write_text(fight.ok("log --script").out, encoding="utf-8")
    assert fight("run again.txt --file again.jsonl").status == 0
    assert [one.get("text") for one in fight.ok("log --json --file again.jsonl").records] == said
    assert "? Do they call for help? (likely, 75 %)" in fight.ok("log --lonelog").out
    fight.ok("undo 5")
    assert len(fight.ok("log --json").records) == 1


def test_morale_counts_life_and_says_how_to_go_on(fight: Player) -> None:
    assert fight.ok("oracle morale drone --dry-run --json").record["p"] == 0.95
    fight.ok("set drone health 5")
    fight.ok("set drone endurance 10")
    shown = fight.ok("oracle morale drone --dice 99,3,12 --explain").out
    # 15 of the 75 points of its life are left.
    assert "Does Drone hold? (68 %)" in shown and "40 × 0.20 life" in shown
    assert "crisis set drone yielded on" in shown
    assert "crisis leave drone" in fight.ok("oracle morale drone --dice 99,6,12").out


def test_reinforcement_grows_with_the_rounds_and_falls_with_those_who_came(fight: Player) -> None:
    chances = []
    for _ in range(3):
        chances.append(fight.ok("oracle reinforcement --dry-run --json").record["p"])
        fight.ok("next")
        fight.ok("next")
    assert chances == [0.1, 0.2, 0.3]
    assert "tables reinforcements" in fight.ok("oracle reinforcement --dice 1,3,12").out


def test_the_side_that_is_ahead_gives_the_chance(fight: Player) -> None:
    def asked(side: str) -> tuple[float, str]:
        line = f"oracle 'Do we win?' --odds fight:{side} --dry-run"
        return fight.ok(f"{line} --json").record["p"], fight.ok(line).out.partition(", ")[2].partition(" in")[
            0
        ]

    assert asked("players") == asked("opponents") == (0.5, "nobody leads")
    fight.ok("set drone health 5")
    fight.ok("set drone endurance 10")
    assert asked("players") == (0.82, "the players lead by 80")
    assert asked("opponents") == (0.18, "the opponents are behind by 80")
    assert "did you mean players?" in fight.refused(2, "oracle 'Is it?' --odds fight:player").err


@pytest.mark.parametrize(
    ("line", "way"),
    [
        ("fight:players", "crisis oracle QUESTION --odds fight:players"),
        ("'Do they flee?' fight:opponents", "crisis oracle 'Do they flee?' --odds fight:opponents"),
        ("Do they Fight:Players", "crisis oracle 'Do they' --odds fight:players"),
    ],
)
def test_how_likely_yes_is_belongs_to_an_option(fight: Player, line: str, way: str) -> None:
    assert fight.refused(2, f"oracle {line} --json").error["hint"] == way


def test_tension_rises_in_quiet_rounds_and_when_a_hero_is_badly_hurt(fight: Player) -> None:
    def tension() -> int:
        return int(fight.ok("oracle 'Is it?' --dry-run --json").record["tension"]["was"])

    assert tension() == 2
    fight.ok("next")
    fight.ok("next")
    assert tension() == 3, "a round in which no life was lost"
    fight.ok("set jack health 1")
    fight.ok("set jack endurance 1")
    assert tension() == 4, "Jack fell below half"
    fight.ok("next")
    fight.ok("next")
    assert tension() == 4, "life was lost in this round"
    fight.ok("undo 4")
    assert tension() == 3
    fight.ok("set tension 6")
    assert tension() == 6
    fight.ok("oracle 'Is it?' --dice 1,3,1,1")
    assert tension() == 5, "a twist"
    assert "from 0 to 6" in fight.refused(2, "set tension 7").err


def test_the_table_of_odds_is_that_of_the_dice(crisis: Player) -> None:
    records = {one["likely"]: one for one in crisis.ok("oracle --odds-table --json").records}
    assert list(records) == list(LIKELY)
    assert records["even"]["answers"]["yes, and"] == {"p": 1 / 12, "exact": "1/12"}
    shown = crisis.ok("oracle --odds-table").lines
    assert shown[-2].startswith("nearly-certain") and max(map(len, shown)) <= 80
    assert shown[-1] == "twist: tension 2, in 16.67 % of the answers (1 to 2 on the d12)"


def test_the_odds_of_a_question_are_those_of_its_chance(fight: Player) -> None:
    (morale,) = fight.ok("oracle morale drone --odds-table --json").records
    asked = fight.ok("oracle morale drone --dry-run --json").record
    assert morale["likely"] == "morale" and morale["p"] == asked["p"]
    assert sum(one["p"] for one in morale["answers"].values()) == pytest.approx(1)
    (own,) = fight.ok("oracle 'Is it?' --odds 37 --odds-table --json").records
    assert own["p"] == 0.37 and own["answers"]["yes, and"]["exact"] == "37/600"
    assert fight.ok("oracle --odds likely --odds-table").lines[1].startswith("likely")
    targets = fight.ok("oracle target drone --odds-table --json").records
    assert [(one["target"], one["chance"]["p"]) for one in targets] == [("Jack", 1.0)]
    assert fight.ok("oracle target drone --odds-table").out == "Jack     100 %\n"
    assert "crisis tables show events --odds" in fight.refused(2, "oracle event --odds-table").err
    assert len(fight.ok("log --json").records) == 1, "nothing was asked"


def test_the_tension_is_shown_with_its_odds(fight: Player) -> None:
    fight.ok("set tension 3")
    said = "tension 3, in 25.00 % of the answers (1 to 3 on the d12)"
    assert fight.ok("oracle --odds-table").lines[-1] == f"twist: {said}"
    record = fight.ok("oracle --odds-table --json").records[0]
    assert record["tension"] == 3 and record["twist"] == {"p": 0.25, "exact": "1/4"}
    assert fight.ok("oracle 'Is it?' --explain --dry-run --dice 9,3,9").lines[1] == f"  twist: {said}"
    fight.ok("set tension 0")
    assert fight.ok("oracle --odds-table").lines[-1] == "twist: none, the tension is 0"
