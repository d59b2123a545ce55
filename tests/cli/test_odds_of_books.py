"""`crisis odds` for a small rulebook of its own: all that an action can begin or end, choices, rest."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from conftest import Player, Sheets, replace, slow_but

from crisis_cli.dice.distribution import OddsTable
from crisis_cli.engine.action_odds import action_odds
from crisis_cli.engine.rest_odds import rest_odds
from crisis_cli.engine.starting import starting_fighter
from crisis_cli.engine.system import Opponents, System
from crisis_cli.engine.system_parts import Rest
from crisis_cli.repl.completer import chances_text
from crisis_cli.repl.suggestions import _chances as chances_of_line
from crisis_cli.rules import (
    Action,
    Alternative,
    Changes,
    Condition,
    Field,
    Intent,
    MapOf,
    Mark,
    RuleTable,
    Scene,
    Section,
    Setup,
    Start,
    Whole,
    sheet,
)

icepool = pytest.importorskip("icepool")

ANN = 'name = "Ann"\nsystem = "tiny"\n[weapons.stick]\nbite = 1\n'
BOB = 'name = "Bob"\nsystem = "tiny"\nplayer = false\nguard = 3\n[weapons.club]\nbite = 2\n'


class Faces(NamedTuple):
    """What some dice came to."""

    success: bool
    total: int


def against(count: int, target: int) -> Any:
    """The rule of so many d6 whose sum must reach a number."""

    def rule(table: RuleTable, who: str) -> Faces:
        table.label("charm", who, f"{count}d6")
        total = sum(table.die(6) for _ in range(count))
        table.result(total=total, target=target, success=total >= target)
        return Faces(total >= target, total)

    return rule


def lull(changes: Changes, intent: Intent, setup: Setup, outcome: Faces) -> None:
    """A target falls asleep; by 11 it is worn out too, and Ann is no longer ready."""
    if outcome.success:
        changes.begin(intent.target, "asleep", "TINY-1")
    if outcome.total >= 11:
        changes.begin(intent.target, "tired", "TINY-1", changes.fighter(intent.target).level("tired") + 1)
        changes.mark(intent.actor, "ready", 0, "TINY-1")


def snatch(changes: Changes, intent: Intent, setup: Setup, outcome: Faces) -> None:
    """A target loses what it holds, and is marked by how much; noise wakes it in any case."""
    changes.end(intent.target, "asleep", "TINY-1")
    if outcome.success:
        for thing in changes.fighter(intent.target).held:
            changes.drop(intent.target, thing, "TINY-1")
        changes.mark(intent.target, "shamed", 2 if outcome.total == 6 else 1, "TINY-1")


class Thrown(NamedTuple):
    """What some dice came to, and how many were thrown again."""

    success: bool
    total: int
    again: int


def face_or_again(table: RuleTable, who: str) -> tuple[int, int]:
    """A d6 that may be thrown again when it shows less than 4; nobody does so unasked."""
    face = table.die(6)
    if face >= 4:
        return face, 0
    keep = Alternative("keep", against(1, 1), (who,))
    again = Alternative("Take It", against(1, 1), (who,), cost=1, deliberate=True)
    return (table.die(6), 1) if table.choose(who, (keep, again)) is again else (face, 0)


def gamble(table: RuleTable, who: str) -> Thrown:
    """Three such dice, each asked for by itself: two together, then a third."""
    table.label("gamble", who, "3d6")
    total, again = table.times(2, face_or_again, who, zero=(0, 0))
    last, more = table.ask(face_or_again, who)
    table.result(total=total + last)
    return Thrown(total + last >= 10, total + last, again + more)


def drain(changes: Changes, intent: Intent, setup: Setup, outcome: Faces) -> None:
    """A target loses all its grit: it is out, and no sleeper any more."""
    if outcome.success:
        changes.adjust(intent.target, "grit", -2, "TINY-1")


def charm(title: str, rule: Any, effects: Any) -> Action:
    """An action with dice on one target."""
    name = title.lower()
    return Action(
        title,
        "TINY-1",
        lambda scene, intent: Setup(intent.actor),
        effects,
        rule,
        targets="one",
        ai=Opponents(lambda scene, who: (Intent(name, who, (foe.name,)) for foe in scene.foes(who))),
    )


@pytest.fixture
def book(tiny: System, monkeypatch: pytest.MonkeyPatch) -> System:
    """A rulebook with conditions that do not outlast a fight, marks, and weapons to lose."""
    asleep = Condition("asleep", "TINY-2", lasting=False, cannot_act=True)
    tired = Condition("tired", "TINY-2", lasting=False, levels=True)
    out = tiny.conditions["out"]._replace(clears=("asleep",))
    system = replace(
        tiny,
        sheet=sheet(
            "tiny",
            {
                "guard": Field(Whole(1, 6), "what a blow must reach", "TINY-1", 4),
                "weapons": Field(
                    MapOf(Section({"bite": Field(Whole(0, 9), "harm", "TINY-1", 1)})), "arms", "TINY-1", {}
                ),
            },
            circumstance=("attack",),
            pools=("grit", "bandages"),
            conditions=("out", "asleep", "tired"),
        ),
        start=lambda values: Start(
            {"grit": 2, "bandages": 1, "go": 0},
            {"grit": (0, 2), "bandages": (0, 1), "go": (0, 1)},
            tuple(values["weapons"])[:1],
        ),
        conditions={"out": out, "asleep": asleep, "tired": tired},
        marks={"ready": Mark("crisis", "ready"), "shamed": Mark("crisis", "shamed by {count}")},
        actions={
            **tiny.actions,
            "lull": charm("Lull", against(2, 8), lull),
            "snatch": charm("Snatch", against(1, 5), snatch),
            "drain": charm("Drain", against(1, 6), drain),
            "gamble": charm("Gamble", gamble, drain),
        },
    )
    monkeypatch.setattr(sys.modules["crisis_cli.systems.tiny.rulebook"], "SYSTEM", system)
    return system


@pytest.fixture
def table(crisis: Player, sheets: Sheets, book: System) -> Player:
    """A player with the sheets of Ann and Bob."""
    sheets.write("ann", ANN)
    sheets.write("bob", BOB)
    return crisis


def exact(chance: dict[str, Any]) -> Fraction:
    """The fraction of a probability."""
    return Fraction(chance["exact"])


def test_conditions_that_end_with_the_fight_are_shown(table: Player) -> None:
    shown = table.ok("odds act ann lull bob").out
    assert "  Bob becomes  asleep 41.67 %, tired 8.33 %" in shown.splitlines()
    record = table.ok("odds act ann lull bob --json").record
    two = 2 @ icepool.d6
    asleep, tired = ((two >= least).probability(True) for least in (8, 11))
    begins = record["begins"]["Bob"]
    assert exact(begins["condition:asleep"]) == asleep and exact(begins["condition:tired"]) == tired
    assert {*record["conditions"]["Bob"]} == {"asleep", "tired"} and record["ends"] == {}


def test_what_an_action_ends_or_takes_is_shown(table: Player) -> None:
    table.ok("init ann bob --open --seed 1")
    table.ok("set bob condition:asleep on")
    shown = table.ok("odds act ann snatch bob").out.splitlines()
    assert "  Bob is no longer  asleep 100 %" in shown and "  Bob no longer holds  club 33.33 %" in shown
    assert "  Bob then  shamed by 1 16.67 %, shamed by 2 16.67 %" not in shown
    assert "  Bob then  shamed by 1 and shamed by 2 16.67 %" in shown
    record = table.ok("odds act ann snatch bob --json").record
    assert exact(record["ends"]["Bob"]["held:club"]) == (icepool.d6 >= 5).probability(True)
    assert exact(record["ends"]["Bob"]["condition:asleep"]) == 1
    assert exact(record["begins"]["Bob"]["mark:shamed"]) == Fraction(1, 3)
    rows = table.ok("odds act ann snatch bob --csv").lines
    assert {f"Bob.mark:shamed,{level},{1 / 6!r},1/6" for level in (1, 2)} < {*rows}
    assert "Bob.held:club,0," in "\n".join(rows)


def test_a_sleeper_who_falls_is_not_said_to_wake(table: Player) -> None:
    table.ok("init ann bob --open --seed 1")
    table.ok("set bob condition:asleep on")
    shown = table.ok("odds act ann drain bob").out
    assert "Bob becomes  out 16.67 %" in shown and "no longer  asleep" not in shown
    ends = table.ok("odds act ann drain bob --json").record["ends"]
    assert exact(ends["Bob"]["condition:asleep"]) == Fraction(1, 6), "for programs it is there"


def test_every_line_fits_eighty_columns(table: Player) -> None:
    for words in ("lull bob", "snatch bob", "drain bob"):
        assert max(map(len, table.ok(f"odds act ann {words}").lines)) <= 80


def test_what_does_no_harm_is_ranked_by_what_it_may_begin(table: Player) -> None:
    table.ok("init ann bob --open --seed 1")
    shown = table.ok("odds --by ann").out
    assert "Bob becomes asleep 41.67 %" in shown and "Bob no longer holds club 33.33 %" in shown
    ranked = {one["action"]: one for one in table.ok("odds --by ann --json").records}
    assert exact(ranked["lull"]["begins"]["Bob"]["condition:asleep"]) == Fraction(15, 36)


def law_of(record: dict[str, Any]) -> dict[int, Fraction]:
    """The distribution of a record."""
    return {one["value"]: exact(one) for one in record["distribution"]}


def gambled(choices: int) -> dict[int, Fraction]:
    """Three d6 of which the first so many below 4 are thrown again, by icepool's own walk."""
    once_again = icepool.d6.map(lambda face: (face, 0) if face >= 4 else (face, 1))

    def total(one: tuple[int, int], two: tuple[int, int], three: tuple[int, int], new: Any) -> int:
        left, total = choices, 0
        for (face, is_low), other in zip((one, two, three), new, strict=True):
            total += other if is_low and left else face
            left -= is_low and left > 0
        return total

    dice = icepool.map(total, once_again, once_again, once_again, icepool.tupleize(*[icepool.d6] * 3))
    return {int(value): Fraction(ways, dice.denominator()) for value, ways in dice.items()}


@pytest.mark.parametrize("choices", slow_but([0, 1, 2, 3], 2))
def test_choices_are_made_in_their_order_wherever_they_are_offered(table: Player, choices: int) -> None:
    given = f"--choose '{','.join(['take it'] * choices)}'" if choices else ""
    record = table.ok(f"odds act ann gamble bob --json {given}").record
    assert law_of(record) == gambled(choices)
    assert exact(record["success"]) == sum(p for total, p in gambled(choices).items() if total >= 10)


def test_a_choice_that_nothing_offers_is_refused_with_those_that_are(table: Player) -> None:
    error = table.refused(2, "odds act ann gamble bob --choose nonsense --json").error
    assert error["code"] == "wrong_choice" and "'nonsense'" in error["message"]
    assert "keep, Take It" in error["hint"]
    error = table.refused(
        2, "odds act ann gamble bob --choose 'take it,take it,take it,take it' --json"
    ).error
    assert "after 3 made" in error["message"]
    assert "leave out --choose" in table.refused(2, "odds act ann lull bob --choose keep").err
    done = table.refused(2, "act ann gamble bob --dice 4,4,4 --choose 'take it'").err
    assert "nothing is asked here" in done


def test_odds_say_which_choices_they_assume(table: Player) -> None:
    assert table.ok("odds act ann gamble bob").lines[-1] == "choices: Ann keep; with --choose: Take It"
    assert "choices: " not in table.ok("odds act ann gamble bob --choose 'take it'").out
    assert "choices: " not in table.ok("odds act ann lull bob").out


def test_choices_are_made_for_fighters_too_who_play_themselves(table: Player) -> None:
    table.ok("init ann bob --open --seed 1")
    table.ok("auto ann on")
    chosen = "act ann gamble bob --force --choose 'take it' --dice"
    assert table.refused(2, f"{chosen} 4,1,4,6,4").err
    done = table.ok(f"{chosen} 1,6,4,4 --json").record
    assert [choice["taken"] for choice in done["choices"]] == ["Take It"]
    assert "--choose" not in table.ok("odds act ann gamble bob --force --choose 'take it'").out


def test_choices_count_in_csv_and_sweeps_too(table: Player) -> None:
    plain, chosen = (
        table.ok(f"odds act ann gamble bob {how} --quiet").out for how in ("", "--choose 'take it'")
    )
    assert float(plain) < float(chosen)
    swept = table.ok("odds act ann gamble bob --sweep bob.guard=3..4 --choose 'take it' --quiet").lines
    assert [line.split()[1] for line in swept] == [chosen.strip()] * 2
    assert (
        f"success,1,{float(chosen):.4f}"[:14]
        in table.ok("odds act ann gamble bob --csv --choose 'take it'").out
    )


@pytest.mark.parametrize(
    "option", ["--dice 1,1,1", "--seed 3", "--real-dice", "--mine", "--no-responses", "--why x", "--dry-run"]
)
def test_what_odds_cannot_heed_is_refused(table: Player, option: str) -> None:
    for words in ("attack ann bob", "act ann lull bob", "check ann luck", "heal ann"):
        error = table.refused(2, f"odds {words} {option} --json").error
        assert option.split()[0] in error["message"] and error["option"] == option.split()[0]
    assert option.split()[0] not in table.ok("odds attack --help").out


def test_one_kind_of_output_at_a_time(table: Player) -> None:
    for both in ("--csv --quiet", "--csv --json", "--json --quiet", "--csv --explain", "--quiet --explain"):
        error = table.refused(2, f"odds attack ann bob {both}").err
        assert "cannot go together" in error
    assert "--list" in table.refused(2, "odds act ann --list").err
    assert "--csv" in table.refused(2, "odds duel ann bob --csv").err


def doze_setup(scene: Scene, intent: Intent) -> Setup:
    """The target of the roll, and the days that the action is told of."""
    return Setup((intent.actor, intent.get("days", 0)))


def doze(table: RuleTable, setup: tuple[str, int]) -> Faces:
    """One roll, however many days: a rule that is not the same run once with 3 as three times with 1."""
    who, days = setup
    table.label("doze", who, "d6")
    face = table.die(6)
    return Faces(face >= 4, face - days)


def wake(changes: Changes, intent: Intent, setup: Setup, outcome: Faces) -> None:
    """A point of grit comes back; a bad night takes one."""
    if outcome.success:
        changes.adjust(intent.actor, "grit", 1, "TINY-5")
    elif outcome.total == 0:
        changes.adjust(intent.actor, "grit", -1, "TINY-5")
    changes.end(intent.actor, "tired", "TINY-5")


@pytest.mark.parametrize("days", [1, 2, 5])
def test_odds_of_rest_run_the_action_once_for_each_night(book: System, days: int) -> None:
    """Against icepool: a walk from 2 up to 4, and down to 0, where Ann is out and cannot rest."""
    system = replace(
        book,
        rest=Rest("doze"),
        start=lambda values: Start({"grit": 2, "bandages": 0, "go": 0}, {"grit": (0, 4), "bandages": (0, 1)}),
        actions={
            **book.actions,
            "doze": Action("Doze", "TINY-5", doze_setup, wake, doze, window="any"),
        },
    )
    values = {"name": "Ann", "system": "tiny", "player": True, "guard": 4, "weapons": {}, "state": {}}
    ann = starting_fighter(system, values)
    scene = Scene("tiny", {"Ann": ann._replace(conditions={"tired": 2})})
    odds = rest_odds(system, scene, Intent("downtime", "", ("Ann",), {"days": days}), OddsTable())

    def night(grit: int) -> Any:
        return (
            0 if not grit else icepool.d6.map(lambda face: min(4, max(0, grit + (face >= 4) - (face == 1))))
        )

    walk = icepool.Die([2])
    for _ in range(days):
        walk = walk.map(night)
    law = {by: Fraction(ways, odds.effects["Ann"]["grit"].total) for by, ways in odds.effects["Ann"]["grit"]}
    assert law == {int(grit) - 2: Fraction(ways, walk.denominator()) for grit, ways in walk.items()}
    assert odds.levels["Ann"]["condition:tired"].ends == (1, 1)


def test_completions_say_what_an_action_without_harm_may_begin(book: System) -> None:
    values = {"name": "Ann", "system": "tiny", "player": True, "guard": 4, "weapons": {}, "state": {}}
    ann = starting_fighter(book, values, side="players")
    bob = starting_fighter(book, {**values, "name": "Bob"}, side="opponents")
    scene = Scene("tiny", {"Ann": ann, "Bob": bob})
    odds = action_odds(book, scene, Intent("lull", "Ann", ("Bob",)), OddsTable())
    shown = chances_text(chances_of_line(scene, odds))
    assert shown == "41.67 % · Bob becomes asleep 41.67 %, tired 8.33 %"
