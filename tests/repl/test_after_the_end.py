"""What the prompt does after the end of a fight: it says what to do now, and a number does it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Player, Sheets

from crisis_cli.output import Console

from .conftest import ENTER, Evening
from .test_typed_lines import TABLE


def typed(*lines: str) -> str:
    return "".join(line + ENTER for line in lines)


@pytest.fixture
def beside(crisis: Player) -> Player:
    """The folder of a campaign in which Vera lies dying beside Moss, in a fight that is decided."""
    crisis.ok("campaign new Saltmarch vera moss")
    crisis.here = Path(crisis.here / "saltmarch")
    assert crisis("init vera moss --vs raider --open --seed 1").status == 0
    for line in ("set vera health -3", "set raider health -10"):
        assert crisis(line).status == 0
    return crisis


def test_a_number_runs_its_line(beside: Player, evening: Evening) -> None:
    shown = evening(typed("end", "9", "1", "no", ""), leaves=False)
    assert "there is no number 9" in shown.err and shown.out.count("What now?") == 2
    assert "  1  tend " in shown.out and "Vera is dying" in shown.out
    assert beside.ok("campaign --json").record["care"] == [] and not beside.journal.exists()
    assert beside.ok("campaign --json").record["next"][0]["line"] == "crisis tend"


def test_it_takes_things_and_any_line_until_the_player_leaves(
    beside: Player, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, ask = list[str](), Console.ask

    def recorded(self: Console, prompt: str, *more: Any) -> str:
        asked.append(prompt)
        return ask(self, prompt, *more)

    monkeypatch.setattr(Console, "ask", recorded)
    shown = evening(
        typed("end", "2", "all", "crisis undo", "take", "1 moss", "frobnicate", "q"), leaves=False
    )
    assert shown.status == 0 and shown.out.count("\nDoc Moss takes a carbine") == 2, (
        "only Moss is on his feet"
    )
    assert "frobnicate" in shown.err and shown.out.count("What now?") == 5
    assert beside.ok("campaign --json").record["left"] == []
    undo = [said.partition("undo takes ")[2] for said in asked if "undo takes " in said]
    assert undo[:3] == ["the end back: ", "what you did last back: ", "the end back: "]


def test_undo_takes_the_end_back_and_the_fight_goes_on(beside: Player, evening: Evening) -> None:
    shown = evening(typed("end", "crisis undo", "set raider health 9", "quit"), leaves=False)
    assert shown.status == 0 and beside.journal.exists() and "Raider" in shown.out


def test_enter_leaves(beside: Player, evening: Evening) -> None:
    shown = evening(typed("end", ""), leaves=False)
    assert shown.status == 0 and "What now?" in shown.out and not beside.journal.exists()


def test_the_dying_are_treated_at_the_prompt_once_the_fight_is_decided(
    beside: Player, evening: Evening
) -> None:
    shown = evening(typed("tend --seed 3", ""), leaves=False)
    assert shown.status == 0 and "Sheets" not in shown.err, shown
    record = beside.ok("campaign --json").record
    assert len(record["fights"]) == 1 and len(record["care"]) == 1
    assert Sheets(beside.here / "characters").state("vera").get("conditions") == ["stable"]


def test_it_asks_by_whom_and_takes_no_for_an_answer(beside: Player, evening: Evening) -> None:
    assert beside("end --yes").status == 0
    shown = beside("tend", answers=["by moss", "no"])
    assert shown.status == 130 and shown.out.count("Doc Moss: 70 % a try") == 2
    assert beside.ok("campaign --json").record["care"] == []


def test_before_it_is_decided_nobody_is_treated(beside: Player, evening: Evening) -> None:
    assert beside("set raider health 9").status == 0
    assert "hint: treat somebody now: heal WHO" in evening(typed("tend")).err
    # Nobody is asked for the next page of the list that the hint names.
    shown = evening(typed("take carbine", "yes"), rows=12)
    assert "hint: what can be done now: ?" in shown.err and "'yes' is neither an action" in shown.err


def test_a_line_typed_at_a_long_text_is_for_what_now_and_a_number_for_nothing(
    beside: Player, evening: Evening
) -> None:
    # The first pages are left with a number, and then with a line.
    shown = evening(typed("end", "1", "crisis undo", "quit"), rows=9)
    assert "undone" in shown.out and "\n= " not in shown.out and beside.journal.exists()


def test_what_is_asked_where_nobody_fights_is_answered(beside: Player, evening: Evening) -> None:
    shown = evening(typed("end", *TABLE["what now"], "q"), leaves=False)
    assert "error" not in shown.err and shown.out.count("\nParty\n") == 2
    assert shown.out.count("Type a number of the list") == len(TABLE["what now"]) - 2


def test_one_q_leaves_a_fight_that_was_begun_after_another(beside: Player, evening: Evening) -> None:
    beside("set vera health 9")
    shown = evening(typed("end", "play well", "q"), leaves=False)
    assert shown.status == 0 and shown.out.count("to go on: crisis play") == 1


def test_what_people_type_between_fights_is_understood_and_refused_in_a_script(beside: Player) -> None:
    assert beside("end --yes").status == 0
    typed_lines = {"tend vera by moss": ["2", "1"], "take carbine": ["1"], "rest 2": [], "rest doc": []}
    (beside.here / "lines.txt").write_text("tend vera by moss\ntake carbine\nrest 2\n")
    assert (
        "3 of 3 lines failed"
        in beside("run lines.txt --on-error resume --quiet", answers=[], terminal=True).err
    )
    for line, answers in typed_lines.items():
        assert beside(line, answers=answers, terminal=True).status == 0, line
    story = beside.ok("campaign --json").record
    assert len(story["care"]) == 1 and story["left"] == [] and story["day"] == 4
