"""Minor actions: aim, draw, interact, take chem (2D20-11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...engine.events import Event, change
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.equipment import in_hand
from .arms import between
from .attack import ATTACKED
from .conditions import ARMS
from .pools import MINOR
from .rolls import AIM

HANDS = 2


def no_effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Nothing beside what it costs."""
    return ()


def aim_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: for the first attack of the turn, once."""
    marks = scene.fighters[intent.actor].marks
    if marks.get(ATTACKED) or marks.get(AIM):
        what = "has attacked this turn already" if marks.get(ATTACKED) else "has taken aim already"
        refuse(intent, f"{intent.actor} {what}", "2D20-11", "aim is for the first attack of a turn")
    return Setup(None)


def aim(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """One d20 of the first attack this turn may be rolled again."""
    return change(scene, intent.actor, f"mark:{AIM}", 1, "2D20-11")


def draw_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: something carried that is not in hand, and an arm to hold it (2D20-22)."""
    fighter = scene.fighters[intent.actor]
    things = (*fighter.sheet["weapons"], *fighter.sheet["items"])
    name = intent.get("thing") or (things[0] if len(things) == 1 else "")
    others = [one for one in things if one not in fighter.held]
    hint = f"to draw: {', '.join(others)}" if others else ""
    if name not in things:
        refuse(intent, f"{fighter.name} must say what to draw", "2D20-11", hint, final=True)
    if name in fighter.held:
        refuse(intent, f"{fighter.name} has the {name} in hand already", "2D20-11", hint)
    hands = HANDS - sum(fighter.has(f"injured-{arm}") for arm in ARMS)
    if not hands:
        refuse(intent, f"{fighter.name} has no arm left to hold it", "2D20-22")
    return Setup((name, max(1, hands)), gear=name)


def draw(scene: Scene, intent: Intent, drawn: tuple[str, int], outcome: Any) -> Iterable[Event]:
    """In hand, a weapon ready for use; what two hands cannot hold is put away."""
    (name, hands), fighter = drawn, scene.fighters[intent.actor]
    first = name in fighter.sheet["weapons"]
    rest = tuple(one for one in fighter.held if one != name)[: hands - 1]
    return change(scene, intent.actor, "held", (name, *rest) if first else (*rest, name), "2D20-11")


def _things(scene: Scene, who: str) -> Iterator[Intent]:
    sheet = scene.fighters[who].sheet
    return (Intent("draw", who, (), {"thing": name}) for name in (*sheet["weapons"], *sheet["items"]))


def chem_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: in hand, for oneself or somebody in reach."""
    fighter = scene.fighters[intent.actor]
    patient = scene.fighters[intent.target or intent.actor]
    things = fighter.sheet["items"]
    held = [one for one in fighter.held if one in things]
    name = intent.get("item") or (held or [*things, ""])[0]
    if name not in things:
        carried = ", ".join(things) or "nothing"
        refuse(
            intent,
            f"{fighter.name} must say what to take",
            "2D20-11",
            f"{fighter.name} carries {carried}",
            final=True,
        )
    in_hand(scene, intent, name, "2D20-11")
    if patient.side != fighter.side:
        refuse(intent, f"{patient.name} is no friend, and not willing", "2D20-11")
    if between(scene, fighter.name, patient.name):
        refuse(intent, f"{patient.name} is in another zone", "2D20-11", "go there: crisis act move --to X,Y")
    uses = (Cost(f"uses:{name}", rule="2D20-11"),) if "uses" in things[name] else ()
    return Setup(things[name]["heals"], (), uses, name)


def take(scene: Scene, intent: Intent, heals: int, outcome: Any) -> Iterable[Event]:
    """2D20-11: what it says on the sheet; the dying need first aid (2D20-23), and it wakes whoever is out cold."""
    patient = scene.fighters[intent.target or intent.actor]
    if heals and patient.pools["hp"]:
        hp = min(patient.pools["hp"] + heals, patient.pools["max_hp"])
        yield from change(scene, patient.name, "hp", hp, "2D20-11")
        if hp > patient.pools["hp"]:
            yield from awake(scene, patient.name)


def awake(scene: Scene, name: str) -> Iterator[Event]:
    """2D20-27: healed again, whoever was out cold comes to (a reading)."""
    yield from change(scene, name, "condition:unconscious", False, "2D20-27")
    yield from change(scene, name, "until:unconscious", None, "2D20-27")


def _chems(scene: Scene, who: str) -> Iterator[Intent]:
    for item in scene.fighters[who].sheet["items"]:
        for one in scene.of_side(scene.fighters[who].side):
            yield Intent("take-chem", who, (one.name,), {"item": item})


ACTS = {
    "aim": Action("Take aim: one d20 of the first attack again", "2D20-11", aim_stake, aim, costs=MINOR),
    "draw": Action("Draw something, and put something away", "2D20-11", draw_stake, draw, costs=MINOR,
                   gear="weapons items", candidates=_things),
    "interact": Action("Open a door, push a button", "2D20-11", lambda scene, intent: Setup(None), no_effects,
                       costs=MINOR),
    "take-chem": Action("Give a chem, to oneself or another", "2D20-11", chem_stake, take, costs=MINOR,
                        gear="items", candidates=_chems, targets="patient", options=("item",)),
}  # fmt: skip
