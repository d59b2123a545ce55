"""`tiny`: one die against a guard; the smallest rulebook that can hold a crisis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ...rules import (
    Action,
    Changes,
    Condition,
    Cost,
    ExactOdds,
    Field,
    Initiative,
    Intent,
    Opponents,
    Pool,
    RuleTable,
    Says,
    Scene,
    Setup,
    Start,
    System,
    Whole,
    refuse,
    sheet,
)

GRIT = 2
"""TINY-2."""
DIFFICULTY = 4
"""TINY-4."""
SHEET = sheet(
    "tiny",
    {"guard": Field(Whole(1, 6), "what a blow must reach", "TINY-1", 4)},
    circumstance=("attack",),
    pools=("grit", "bandages"),
    conditions=("out",),
)
POOLS = {
    "grit": Pool("grit", "TINY-2"),
    "bandages": Pool("bandages", "TINY-5", not_vital=True),
    "go": Pool("moves", "TINY-3", lasting=False, spent=True),
}
CONDITIONS = {
    "out": Condition(
        "out",
        "TINY-2",
        when=lambda fighter: fighter.pools["grit"] <= 0,
        defeated="down",
        cannot_act=True,
    )
}


class Roll(NamedTuple):
    """Whose die it is, and what it must reach."""

    who: str
    target: int


class Result(NamedTuple):
    """What a die came to."""

    success: bool
    total: int


def start(sheet: Mapping[str, object]) -> Start:
    """TINY-2, TINY-3: the pools of an unhurt fighter."""
    limits = {"grit": (0, GRIT), "bandages": (0, 1), "go": (0, 1)}
    return Start({"grit": GRIT, "bandages": 1, "go": 0}, limits)


def not_out(scene: Scene, intent: Intent) -> None:
    """TINY-2, TINY-5: refuses to strike or bind someone who is out."""
    one = scene.fighters[intent.target or intent.actor]
    if one.pools["grit"] <= 0:
        refuse(intent, f"{one.name} is out", "TINY-2" if intent.action == "attack" else "TINY-5")


def strike_setup(scene: Scene, intent: Intent) -> Setup:
    """TINY-1: the guard of the target."""
    return Setup(Roll(intent.actor, scene.fighters[intent.target].sheet["guard"]))


def strike(table: RuleTable, roll: Roll) -> Result:
    """TINY-1: at or above the guard."""
    return rolled(table, "attack", roll)


def hurt(changes: Changes, intent: Intent, setup: Setup, hit: Result) -> None:
    """TINY-2: a hit takes one grit."""
    if hit.success:
        changes.adjust(intent.target, "grit", -1, "TINY-2")


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """TINY-4: a die against a difficulty, 4 unless another is given."""
    return Setup(Roll(intent.actor, intent.get("difficulty", DIFFICULTY)))


def check(table: RuleTable, roll: Roll) -> Result:
    """TINY-4: at or above the difficulty."""
    return rolled(table, "check", roll)


def rolled(table: RuleTable, what: str, roll: Roll) -> Result:
    """One die, named in the record as `what`, against its target."""
    table.label(what, roll.who, "d6")
    face = table.die(6)
    table.result(total=face, target=roll.target, success=face >= roll.target)
    return Result(face >= roll.target, face)


def bind(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """TINY-5: one grit comes back, for the only bandage."""
    changes.adjust(intent.target or intent.actor, "grit", 1, "TINY-5")


def refill(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """TINY-3: one move each a round."""
    for name in changes.scene.fighters:
        changes.set(name, "go", 1, "TINY-3")


def foes(scene: Scene, who: str) -> Iterator[Intent]:
    """An attack on every foe."""
    return (Intent("attack", who, (foe.name,)) for foe in scene.foes(who))


ACTIONS = {
    "init": Initiative.as_named("Line up", "TINY-3"),
    "attack": Action(
        "Strike",
        "TINY-1",
        strike_setup,
        hurt,
        strike,
        costs=(Cost("go"),),
        requires=(not_out,),
        ai=Opponents(foes),
        targets="one",
        says=Says("{actor} attacks {target}"),
    ),
    "check": Action(
        "Try",
        "TINY-4",
        check_setup,
        rule=check,
        options=("difficulty",),
        window="any",
        says=Says("{actor} tries {skill}"),
    ),
    "heal": Action(
        "Bind",
        "TINY-5",
        effects=bind,
        costs=(Cost("go"), Cost("bandages")),
        requires=(not_out,),
        targets="patient",
        says=Says({"": "{actor} treats {target}", "self": "{actor} treats their own wounds"}),
    ),
}
SYSTEM = System(
    name="tiny",
    title="one die against a guard",
    sheet=SHEET,
    pools=POOLS,
    conditions=CONDITIONS,
    actions=ACTIONS,
    start=start,
    phases={
        "start-round": Action(
            "Ready", "TINY-3", effects=refill, window="table", odds=ExactOdds(by_fighter=True)
        )
    },
    difficulty=Whole(1, 6),
)
