"""Which questions reach the player: only those whose answers make a difference, and each of these in the journal."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import Player

import crisis_cli
from crisis_cli.commands.terminal import Terminal
from crisis_cli.context import context_of
from crisis_cli.dice.distribution import OddsTable, refuse_all
from crisis_cli.dice.table import Alternative
from crisis_cli.engine.action_odds import ActionOdds, action_odds
from crisis_cli.engine.legal_actions import of
from crisis_cli.play.asking import is_like, whole
from crisis_cli.play.dice import Dice
from crisis_cli.play.fight import Fight
from crisis_cli.play.session import Session
from crisis_cli.play.turns import Plays

# ---------------------------------------------------------------- how often

ASKED = {
    "ford": 3.3,
    "chapel": 3.3,
    "station": 2.0,
    "mill": 2.0,
    "yard": 0.3,
    "garage": 0.3,
    **dict.fromkeys(("bus", "bridge", "lift", "clinic", "well"), 0.0),
}
"""Questions in a fight with `few`, the mean of the seeds 1 to 3."""


def fought(here: Path, encounter: str, seed: int, rounds: int = 20) -> tuple[Player, int]:
    """An encounter whose turns doctrines play, and whose questions are all answered by Enter; and how many."""
    here.mkdir()
    crisis, asked = Player(here), list[str]()
    crisis.ok(f"init --encounter {encounter} --seed {seed}")
    context = context_of(crisis.environment(ask=lambda question, *answers: asked.append(question) or ""))
    plays = Plays(lambda scene: False, lambda fighter: fighter.player)
    fight = Fight(context.desk, context.desk.open_session(), plays, Dice())
    Terminal(context).carry(fight, lambda session, intent: session.scene.round > rounds)
    return crisis, len(asked)


@pytest.mark.long
@pytest.mark.parametrize("encounter", ASKED)
def test_a_fight_asks_few_questions(tmp_path: Path, encounter: str) -> None:
    asked = [fought(tmp_path / str(seed), encounter, seed)[1] for seed in (1, 2, 3)]
    mean, usual = sum(asked) / 3, ASKED[encounter]
    assert abs(mean - usual) <= max(0.3 * usual, 1 / 3), asked
    assert mean <= (5 if encounter in ("ford", "chapel") else 2)


def test_an_unasked_fight_is_verified_and_replayed(tmp_path: Path) -> None:
    """A replay knows nothing of what was set: every choice is in its entry."""
    crisis, asked = fought(tmp_path / "here", "station", 2, rounds=1)
    assert asked <= 5
    choices = [choice for one in crisis.ok("log --json").records for choice in one.get("choices", ())]
    assert any(choice.get("asked") is False for choice in choices)
    assert crisis.ok("verify --json").record["verified"] is True
    shown, journal = crisis.ok("replay").out, crisis.journal.read_bytes()
    crisis.ok("questions all")
    assert crisis.ok("replay").out.startswith(shown) and crisis.journal.read_bytes().startswith(journal)


# ---------------------------------------------------------------- what is dropped


def laws(odds: ActionOdds, session: Session) -> dict[Any, Any]:
    """All that an action may do to life, protection and conditions, as fractions."""
    system, found = session.system, dict[Any, Any]()
    for who, pools in odds.effects.items():
        for pool, change in pools.items():
            kind = system.pools.get(pool.partition(":")[0])
            if kind is not None and not kind.spent and (kind.takes_harm or not kind.not_vital):
                found[who, pool] = {by: Fraction(ways, change.total) for by, ways in change}
    for who, levels in odds.levels.items():
        for what, level in levels.items():
            if what.startswith("condition:"):
                found[who, what] = {now: Fraction(ways, level.after.total) for now, ways in level.after}
    return found | {(who, "down"): Fraction(*ways) for who, ways in odds.down.items()}


BLOCKING = "set hagen condition:blocking on"
DROPPED = {
    "d100": ("ines --vs looter --seed 3", (), "block"),
    "d6pool": (
        "hagen --vs bandit --apart 1 --seed 3",
        ("set hagen actions 1", "set hagen condition:blocking on"),
        "shield",
    ),
    "bought": (
        "hagen --vs bandit --apart 1 --seed 3",
        ("set hagen actions 0", "set hagen condition:blocking on"),
        "shield-bonus",
    ),
}
"""A fight, what is set in it, and an option that comes to nothing somewhere in the opponent's attacks."""


@pytest.mark.parametrize("case", DROPPED)
def test_what_is_dropped_changes_no_law(crisis: Player, case: str) -> None:
    """Exact odds of attacks with an option taken wherever it is dropped, and with the first in its place."""
    fight, lines, name = DROPPED[case]
    crisis.ok(f"init {fight} --open")
    while crisis.ok("status --json").record["actor"] in ("Ines", "Hagen"):
        crisis.ok("next")
    for line in lines:
        crisis.ok(line)
    session = context_of(crisis.environment()).desk.open_session()
    taken, compared = set[str](), 0

    def dropped(who: str, options: tuple[Alternative, ...], table: OddsTable) -> Alternative:
        first, *others = whole(options, table).rows
        option = next((row.option for row in others if is_like(row, first)), first.option)
        taken.add(option.name)
        return option

    foe, hero = session.scene.turn, fight.split()[0].capitalize()
    for legal in of(session.system, session.scene, foe):
        if hero in legal.intent.targets and legal.intent.action == "attack" and compared < 4:
            with_it, without = (
                laws(action_odds(session.system, session.scene, legal.intent, OddsTable(policy)), session)
                for policy in (dropped, refuse_all)
            )
            assert with_it == without
            compared += 1
    assert name in taken


# ---------------------------------------------------------------- what is set

BLOW = "attack hagen --by bandit --force --protection 0 --dice"
"""A blow of the bandit's, its four dice to be named: each 5 is a wound, which a parry of six dice can stop."""


@pytest.fixture
def struck(crisis: Player) -> Player:
    """Hagen's turn, with two actions, two bonus dice and a destiny die; the bandit stands beside him."""
    crisis.ok("init hagen --vs bandit --open --apart 1 --seed 5 --dice 5,5,5,1,1,1,1")
    return crisis


def choices(crisis: Player) -> list[dict[str, Any]]:
    """The choices of the last entry."""
    found: list[dict[str, Any]] = crisis.ok("log --json").records[-1].get("choices", [])
    return found


def asked(crisis: Player, line: str, *answers: str) -> list[str]:
    """The questions of a line that is done."""
    crisis.prompts.clear()
    shown = crisis(line, answers=answers)
    assert shown.status == 0, shown
    return list(crisis.prompts)


def test_what_matters_is_asked_with_the_best_way_to_spend_each_thing(struck: Player) -> None:
    shown = struck(f"{BLOW} 5,5,5,1,5,1,1,1,1,1", answers=["more", "2"])
    assert shown.status == 0
    below = shown.err.splitlines()[-5:]
    assert below == [
        "  1. none             3 wounds",
        "  2. parry, action    1.1 wounds on average, none 32 %",
        "  more: dodge, shield",
        "  3. dodge, action     2.2 wounds on average, none 26 %",
        "  4. shield, action    2.0 wounds on average, none 4 %",
    ]
    assert struck.prompts == [
        "Hagen: 1, [parry], more, ! for the rest of the fight? ",
        "Hagen: 1, [parry], 3, 4, ! for the rest of the fight? ",
    ]
    (choice,) = choices(struck)[:1]
    assert choice["taken"] == "parry" and "asked" not in choice


def test_what_does_not_matter_is_told_once_and_asked_after_undo(struck: Player) -> None:
    """One wound of ten is not worth a question; the same dice fall again after undo and `questions all`."""
    line = "attack hagen --by bandit --force --protection 0 --seed 2"
    before = struck.ok("status --json").record
    shown = struck(line, answers=[])
    assert struck.prompts == [] and "(not asked: parry for an action; crisis questions all)" in shown.out
    rolls = struck.ok("log --json").records[-1]["rolls"]
    assert "not asked" in struck.ok("explain").out
    struck.ok("undo")
    assert struck.ok("status --json").record == before
    struck.ok("questions all")
    assert asked(struck, line, "none") == ["Hagen: 1, [parry], more, ! for the rest of the fight? "]
    assert struck.ok("log --json").records[-1]["rolls"] == rolls
    struck.ok("questions few")
    told = ["not asked" in struck(f"{BLOW} 5,1,1,1", answers=[]).out for _ in range(2)]
    assert told == [True, False], "once in a fight"
    struck.ok("verify")


def test_an_answer_with_an_exclamation_mark_holds_until_it_is_forgotten(struck: Player) -> None:
    line = f"{BLOW} 5,5,5,1,5,5,5,1,1,1"
    assert len(asked(struck, line, "2!")) == 1
    struck.ok("set hagen actions 1")
    assert asked(struck, line) == [] and choices(struck)[0]["taken"] == "parry"
    assert "Hagen: parry, as before" in struck.ok("log").out
    assert [one["holds"] for one in choices(struck)] == ["!"]
    struck.ok("verify")
    struck.ok("set hagen actions 1")
    struck.ok("questions again hagen")
    assert len(asked(struck, f"{BLOW} 5,5,5,1,5,5,5,1,1,1", "")) == 1
    assert choices(struck)[0]["taken"] == "parry", "Enter takes what comes back every turn"
    assert asked(struck, f"{BLOW} 5,5,5,1", "") == [
        "Hagen: [none], 2, 3, more, ! for the rest of the fight? "
    ]


def test_a_roll_is_left_as_it_fell_without_a_question_once_the_player_has_said_so(crisis: Player) -> None:
    """An answer holds for its kind of roll; one that may decide over a death is asked about all the same."""
    crisis.ok("init hagen tilda --vs bandit --open --seed 5")
    assert crisis.prompts == [], "nothing is spent before the first turn"
    for change in ("tilda wounds 3", "tilda at 0,1", "hagen actions 9"):
        crisis.ok(f"set {change}")
    heal = "heal tilda --by hagen --dice 1"
    assert len(asked(crisis, f"{heal},1", "bonus", "")) == 2, "what is spent is asked about again"
    assert asked(crisis, heal) == [] and choices(crisis)[0]["holds"] == "heal"
    assert "Hagen: keep, as before" in crisis.ok("log").out
    crisis.ok("set tilda wounds 8")
    shown = crisis(f"{heal},5", answers=[""])
    assert "  A success saves the patient from death.\n" in shown.err
    assert crisis.prompts[-1] == "Hagen: 1, 2, [destiny], more, ! for the rest of the fight? "
    assert choices(crisis)[0]["taken"] == "destiny" and "holds" not in choices(crisis)[0]
    crisis.ok("undo")
    assert len(asked(crisis, f"{heal},1", "2!")) == 1, (
        "where it cannot be had again the roll is left as it fell"
    )
    assert [one["holds"] for one in choices(crisis)] == ["!death"] * 2
    assert asked(crisis, heal) == []
    crisis.ok("verify")


def test_none_buys_nothing_and_can_be_set_for_one_fighter(struck: Player) -> None:
    struck.ok("questions none hagen")
    assert asked(struck, f"{BLOW} 5,5,5,1") == [] and choices(struck)[0]["asked"] is False
    assert struck.ok("questions").out == "Questions: few, Hagen: none\n"
    struck.ok("questions all bandit")
    assert struck.ok("questions").out == "Questions: few, Hagen: none, Bandit: all\n"
    struck.ok("questions few")
    assert struck.ok("status --json").record["questions"] == "few"
    assert len(asked(struck, f"{BLOW} 5,5,5,1", "none")) == 1, "a setting for all replaces it"


def test_extra_rounds_are_asked_for_once(crisis: Player) -> None:
    crisis.ok("init cass doc --vs mutant ghoul --open --seed 12 --initiator cass")
    hit = "attack mutant --luck 0 --dice 8,11,4,1,1,2,2,3,1"
    (rounds,) = asked(crisis, hit, "2")
    assert rounds == "Cass: [none], 2, 3 for the rest of the fight? "
    crisis.ok("set cass major 1")
    assert asked(crisis, hit) == []
    assert [(one["taken"], one["asked"], one["holds"]) for one in choices(crisis)] == [
        ("one", False, "round")
    ]
    assert "Cass: one, as before" in crisis.ok("log").out
    crisis.ok("undo 3")
    crisis.ok("set cass major 1")
    assert len(asked(crisis, hit, "2")) == 1, "the answer that held is undone"
    crisis.ok("verify")


def test_what_is_set_is_a_line_of_a_script_and_refused_where_it_is_no_setting(struck: Player) -> None:
    struck.ok("questions none hagen")
    struck.ok("questions again")
    assert struck.ok("log --script").out.splitlines()[-2:] == ["questions none hagen", "questions again"]
    assert "all, few, none or again" in struck.refused(2, "questions some").err
    struck.refused(4, "questions all nobody")


def test_programs_are_asked_whatever_is_set(struck: Player) -> None:
    """A choice that nobody at a terminal would be asked for has all its options."""
    struck.ok("questions none")
    fight = crisis_cli.Library(str(struck.here)).resume()
    fight.do("attack", "hagen", by="bandit", force=True, protection=0)
    fight.answer(crisis_cli.PASS)
    request = fight.waiting
    assert isinstance(request, crisis_cli.Choose)
    assert [option.name for option in request.options] == ["none", "dodge", "parry", "shield"]
    fight.answer(None)
    assert fight.log[-1].to_dict()["choices"][0].get("asked") is None
