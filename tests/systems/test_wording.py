"""What a rulebook says about its actions, rolls, outcomes, conditions and marks is what the screens show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from conftest import replace

from crisis_cli.engine.conditions import Condition
from crisis_cli.engine.events import Event
from crisis_cli.engine.record import Entry, RollRecord
from crisis_cli.engine.scene import Fighter, Intent, Scene
from crisis_cli.engine.system import Says, System
from crisis_cli.engine.system_parts import Space, Texts
from crisis_cli.engine.wording import Mark, OutcomeText, OutputField, RollText, sentence
from crisis_cli.render import board, data, text
from crisis_cli.render.style import Ink

INK = Ink()
ANN = Fighter("Ann", "players", True, {"bows": {"yew": {"kind": "bow"}}}, {"grit": 2}, {"grit": (0, 2)})
BOB = ANN._replace(name="Bob", side="opponents")


def scene(**changes: Any) -> Scene:
    """Ann and Bob, Ann changed."""
    return Scene("tiny", {"Ann": ANN._replace(**changes), "Bob": BOB}, round=1, order=("Ann", "Bob"))


def saying(tiny: System, says: str | Mapping[str, str], **row: Any) -> System:
    """The smallest system, in which an attack reads so."""
    attack = tiny.actions["attack"]._replace(says=Says(says), **row)
    return replace(tiny, actions={**tiny.actions, "attack": attack})


def report(
    system: System, *targets: str, events: tuple[Event, ...] = (), rolls: Any = (), **outcome: Any
) -> list[str]:
    """The lines of an attack by Ann."""
    entry = Entry(1, Intent("attack", "Ann", targets), rolls=rolls, outcome=outcome, events=events)
    return text.entry_lines(entry, scene(), system, INK)


SAYS = {
    "bow": "{actor} looses the {gear} at {target}",
    "unarmed": "{actor} punches {target}",
    "self": "{actor} strikes {actor}",
    "many": "{actor} sweeps at {target}",
    "bare": "{actor} strikes at {target}",
    "paid": "{actor} is still winding up",
    "": "{actor} uses the {gear} on {target}",
}


@pytest.mark.parametrize(
    "targets, outcome, line",
    [
        (("Bob",), {"gear": "yew"}, "Ann looses the yew at Bob."),
        (("Bob",), {"gear": "unarmed"}, "Ann punches Bob."),
        (("Ann",), {"gear": "yew"}, "Ann strikes Ann."),
        (("Bob", "Ann"), {"gear": "yew"}, "Ann sweeps at Bob and Ann."),
        (("Bob",), {}, "Ann strikes at Bob."),
        (("Bob",), {"gear": "club"}, "Ann uses the club on Bob."),
        (("Bob",), {"word": "paid", "paid": 1, "of": 3}, "Ann is still winding up, 1 of 3 paid."),
    ],
)
def test_the_sentence_of_an_action_is_that_of_its_variant(
    tiny: System, targets: tuple[str, ...], outcome: dict[str, Any], line: str
) -> None:
    # The table of a row's gear gives the kind of a weapon; the smallest system has no such table to check.
    system = saying(tiny, SAYS)
    object.__setattr__(
        system, "actions", {**system.actions, "attack": system.actions["attack"]._replace(gear="bows")}
    )
    assert report(system, *targets, **outcome) == [line]


def test_a_variant_without_gear_may_have_a_sentence_of_its_own() -> None:
    says = {"self:bare": "one", "self": "two", "bare": "three", "": "four"}
    assert sentence(says, ("self",), bare=True) == "one"
    assert sentence(says, ("self",)) == "two"
    assert sentence(says, ("other",), bare=True) == "three"
    assert sentence(says, ("other",)) == "four"
    assert sentence({"self": "two"}, ("other",)) == ""


def test_outcomes_rolls_and_what_they_count_read_as_the_system_says(tiny: System) -> None:
    system = replace(
        saying(tiny, "{actor} strikes {target}"),
        says=Texts(
            words={"parried": OutcomeText("turned aside", False)},
            rolls={"wits": RollText("quick", "slow")},
            counted=("gasps",),
        ),
    )
    attack = RollRecord("attack", "Ann", "d6", ((6, 3),), {}, {"total": 3, "target": 4, "success": False})
    wits = RollRecord("wits", "Bob", "d6", ((6, 2),), {}, {"total": 2, "success": False})
    lines = report(system, "Bob", rolls=(attack, wits), success=False, word="parried", gasps=1)
    assert lines == [
        "Ann strikes Bob: [3] against 4 — turned aside, 1 gasp.",
        "  Bob's wits: [2] — slow",
    ]


def test_outputs_are_keys_of_the_record_and_sentences(tiny: System) -> None:
    system = replace(
        tiny,
        says=Texts(
            outputs={
                "left": OutputField("arrows left", "{value} arrows are left."),
                "hint": OutputField("what may follow", {"slip": "The bow slips."}, unless="calm"),
                "quiet": OutputField("a number that is not said"),
            }
        ),
    )
    outcome = {"quiet": 4, "hint": "slip", "left": 2, "gear": "yew", "secret": 1}
    assert report(system, "Bob", **outcome)[1:] == ["  2 arrows are left.", "  The bow slips."]
    assert report(system, "Bob", left=0)[1:] == []
    entry = Entry(1, Intent("attack", "Ann", ("Bob",), {"calm": True}), outcome=outcome)
    assert text.entry_lines(entry, scene(), system, INK)[1:] == ["  2 arrows are left."]
    keys = [key for key in data.entry(entry, system, 1, False) if key in outcome]
    assert keys == ["gear", "left", "hint", "quiet"]


def test_conditions_and_marks_read_as_the_system_says(tiny: System) -> None:
    out = Condition("out", "TINY-2", begins="{who} drops.", ends="{who} stirs.", board="flat out")
    system = replace(
        tiny,
        conditions={"out": out},
        marks={"guard": Mark("turn", "guards {what}: {count}"), "x": Mark("turn")},
    )
    began, ended = (
        Event("Bob", "condition:out", False, True, ""),
        Event("Bob", "condition:out", True, False, ""),
    )
    assert report(system, "Bob", events=(began,))[1:] == ["  Bob drops."]
    assert report(system, "Bob", events=(ended,))[1:] == ["  Bob stirs."]
    lines = " ".join(
        board.board(scene(conditions={"out": True}, marks={"guard:Bob": 2, "x": 1}), system, INK, 80)
    )
    assert "flat out" in lines and "guards Bob: 2" in lines and "x" not in lines.split()
    assert (system.scope("guard:Bob"), system.scope("other")) == ("turn", "")


def test_a_move_is_reported_in_the_unit_of_the_system(tiny: System) -> None:
    system = saying(replace(tiny, space=Space(unit="squares", moved="squares")), "{actor} charges")
    assert report(system, squares=1) == ["Ann charges 1 square."]
    assert report(system, squares=4) == ["Ann charges 4 squares."]
    assert report(system, metres=4) == ["Ann charges."]
