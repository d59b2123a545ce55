"""`tiny`: one die against a guard; the smallest rulebook that can hold a crisis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...engine.conditions import Condition
from ...engine.events import Event, change, shift
from ...engine.kinds import Whole
from ...engine.scene import Fighter, Intent, Scene
from ...engine.schema import Field
from ...engine.sheet import sheet
from ...engine.system import Action, Cost, Pool, Setup, Start, System, refuse
from ...engine.turn_order import Ordered, lined_up

NAME = "tiny"
SHEET = sheet(
    NAME,
    {"guard": Field(Whole(1, 6), "what a blow must reach", "TINY-1", 4)},
    circumstance=("attack",),
    pools=("grit", "bandages"),
    conditions=("out",),
)
POOLS = {
    "grit": Pool("grit", "TINY-2"),
    "bandages": Pool("bandages", "TINY-5"),
    "go": Pool("moves", "TINY-3", lasting=False, spent=True),
}
CONDITIONS = {"out": Condition("out", "TINY-2")}
GRIT = 2
"""TINY-2."""
USUAL = 4
"""TINY-4."""


class Hit(NamedTuple):
    """What a blow came to."""

    success: bool
    total: int


def blow_stake(scene: Scene, intent: Intent) -> Setup:
    """TINY-1: a die against the guard; nobody strikes whoever is out."""
    target = scene.fighters[intent.target]
    if fallen(target):
        refuse(intent, f"{target.name} is out", "TINY-2")
    return Setup((intent.actor, target.sheet["guard"]))


def blow(table: Any, stake: tuple[str, int]) -> Hit:
    """TINY-1: at or above the guard."""
    who, guard = stake
    table.label("attack", who, "d6")
    face = table.die(6)
    table.result(total=face, target=guard, success=face >= guard)
    return Hit(face >= guard, face)


def hurt(scene: Scene, intent: Intent, stake: Any, hit: Hit) -> Iterator[Event]:
    """TINY-2: a hit takes one grit."""
    if hit.success:
        yield from shift(scene, intent.target, "grit", -1, "TINY-2")


def order_stake(scene: Scene, intent: Intent) -> Setup:
    """TINY-3: in the order named."""
    return Setup(intent.targets)


def order(table: Any, names: tuple[str, ...]) -> Ordered:
    """TINY-3: no dice."""
    return Ordered(names, tuple((name, -at) for at, name in enumerate(names)))


def line_up(scene: Scene, intent: Intent, stake: Any, outcome: Ordered) -> Iterator[Event]:
    """TINY-3."""
    return lined_up(scene, intent, outcome, "TINY-3")


def again(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """TINY-3: one go each a round."""
    for name in scene.fighters:
        yield from change(scene, name, "go", 1, "TINY-3")


def check_stake(scene: Scene, intent: Intent) -> Setup:
    """TINY-4: a die against a difficulty, 4 unless another is given."""
    return Setup((intent.actor, intent.get("difficulty", USUAL)))


def check(table: Any, stake: tuple[str, int]) -> Hit:
    """TINY-4: at or above the difficulty."""
    who, difficulty = stake
    table.label("check", who, "d6")
    face = table.die(6)
    table.result(total=face, target=difficulty, success=face >= difficulty)
    return Hit(face >= difficulty, face)


def unchanged(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """A check by itself changes nothing."""
    return iter(())


def bind_stake(scene: Scene, intent: Intent) -> Setup:
    """TINY-5: nobody helps someone who is out."""
    patient = scene.fighters[intent.target or intent.actor]
    if fallen(patient):
        refuse(intent, f"{patient.name} is out", "TINY-5")
    return Setup(None)


def bind(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """TINY-5: one grit comes back, for the only bandage."""
    return shift(scene, intent.target or intent.actor, "grit", 1, "TINY-5")


def foes(scene: Scene, who: str) -> Iterator[Intent]:
    """Everyone worth a blow."""
    return (Intent("attack", who, (foe.name,)) for foe in scene.foes(who))


ACTIONS = {
    "init": Action("Line up", "TINY-3", order_stake, line_up, order, window="table", targets="many"),
    "attack": Action(
        "Strike",
        "TINY-1",
        blow_stake,
        hurt,
        blow,
        costs=(Cost("go", 1),),
        candidates=foes,
        targets="one",
        says="{actor} attacks {target}",
    ),
    "check": Action(
        "Try",
        "TINY-4",
        check_stake,
        unchanged,
        check,
        options=("difficulty",),
        window="any",
        says="{actor} tries {skill}",
    ),
    "heal": Action(
        "Bind",
        "TINY-5",
        bind_stake,
        bind,
        costs=(Cost("go"), Cost("bandages")),
        targets="patient",
        says={"": "{actor} treats {target}", "self": "{actor} treats their own wounds"},
    ),
}
PHASES = {
    "start-round": Action("Ready", "TINY-3", lambda scene, intent: Setup(None), again, window="table"),
}


def start(sheet: Mapping[str, Any]) -> Start:
    """TINY-2, TINY-3."""
    return Start(
        {"grit": GRIT, "bandages": 1, "go": 0}, {"grit": (0, GRIT), "bandages": (0, 1), "go": (0, 1)}
    )


def follow(scene: Scene, who: str) -> Iterable[Event]:
    """TINY-2: out is whoever has no grit."""
    return change(scene, who, "condition:out", bool(fallen(scene.fighters[who])), "TINY-2")


def fallen(fighter: Fighter) -> str:
    """TINY-2."""
    return "down" if fighter.pools["grit"] <= 0 else ""


def idle(fighter: Fighter) -> tuple[str, str]:
    """TINY-2."""
    return ("out", "TINY-2") if fallen(fighter) else ("", "")


SYSTEM = System(
    name=NAME,
    title="one die against a guard",
    sheet=SHEET,
    pools=POOLS,
    conditions=CONDITIONS,
    actions=ACTIONS,
    start=start,
    fallen_by=fallen,
    idle_by=idle,
    follow=follow,
    phases=PHASES,
    difficulty=Whole(1, 6),
)
