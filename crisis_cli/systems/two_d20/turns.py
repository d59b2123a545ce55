"""The turn order, movement by zones, and what turns begin and end with (2D20-9, 2D20-10 to 12, 2D20-22 to 2D20-24)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from ...rules import (
    Action,
    Changes,
    Fighter,
    Initiative,
    Intent,
    Modifiers,
    Opponents,
    OutOfTurn,
    RuleTable,
    Says,
    Scene,
    Setup,
    has,
    initiative_action,
    refuse,
)
from . import sheet
from .attacks import Damage, DamageResult, HitResult, Loss
from .checks import (
    MAJOR,
    MINOR,
    CheckResult,
    CheckSetup,
    check,
    check_effects,
    end_command,
    end_persistent,
    is_released,
    luck_of,
    major_action,
    minor_action,
    of_test,
)
from .damage import after_hits, apply_wounds, combat_dice, lost
from .sheet import BURNING, REACH, injuries, zones

# The turn order


def initiative_of(fighter: Fighter) -> tuple[Initiative, Modifiers]:
    """2D20-9: by initiative, then agility, then players before opponents."""
    initiative = sheet.derived(fighter.sheet)["initiative"]
    score = Modifiers("score", "2D20-2").base("initiative", initiative, source="per + agi")
    tie = (-fighter.sheet["attributes"]["agi"], not fighter.player)
    return Initiative(fighter.name, initiative, tie), score


INIT = initiative_action(
    "2D20-9",
    initiative_of,
    lambda table, initiative: initiative.bonus,
    reroll=Initiative.roll_off(20),
    times=7,
    ahead=lambda new, other: initiative_of(new)[0].tie < initiative_of(other)[0].tie,
    title="Line up by initiative",
)
"""2D20-9: equal d20s are rolled again seven times before the order of naming settles it."""

# Movement

FAR = {"move": 1, "sprint": 2}
"""2D20-11: zones."""


def has_not_moved(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse a second movement action in a turn."""
    if scene.fighters[intent.actor].marks.get(sheet.MOVED):
        what = f"{intent.actor} has moved this turn already"
        refuse(intent, what, "2D20-11", "end the turn: crisis next", code="already_done")


def slowed(fighter: Fighter) -> str:
    """2D20-12, 2D20-22: what makes moving a Major action; empty where nothing does."""
    return "prone" if fighter.has("prone") else "hurt in the leg" if injuries(fighter, *sheet.LEGS) else ""


def move_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11, 2D20-12: how far it goes; crawling and limping one zone are Major actions."""
    fighter, to, most = scene.fighters[intent.actor], intent.get("to"), FAR[intent.action]
    slow, sprints, here = slowed(fighter), intent.action == "sprint", fighter.at
    if slow and sprints:
        rule, way = "2D20-22", "crisis act move"
        if slow == "prone":
            rule, way = "2D20-12", "stand up first: crisis act stand-up"
        refuse(intent, f"{fighter.name} is {slow} and cannot sprint", rule, way, code="condition_forbids")
    gap = scene.way(here, to, zones) if to is not None and here is not None else 0
    if gap > most and not (slow and here is not None and scene.is_first_step(here, to, most)):
        what = f"{fighter.name} can {intent.action} {most} zone{'s' * (most > 1)}; that is {gap} away"
        refuse(intent, what, "2D20-11", "go part of the way", code="out_of_reach")
    free = scene.open and fighter.name not in scene.acting and is_released(scene, intent)
    return Setup(most, costs=() if sprints or free else MAJOR if slow else MINOR)


def move_effects(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11, 2D20-12: the new place, and lying down there; leaving a zone is leaving all reach (2D20-15)."""
    scene, who, to = changes.before, intent.actor, intent.get("to")
    fighter = scene.fighters[who]
    if to is not None:
        changes.move(who, to)
    stays = intent.get("prone") if to is None else fighter.at is not None and not zones(fighter.at, to)
    for other in () if stays else fighter.marks_of(REACH):
        changes.mark(who, REACH, 0, "2D20-15", key=other)
        if other in scene.fighters:
            changes.mark(other, REACH, 0, "2D20-15", key=who)
    if intent.get("prone"):
        changes.begin(who, "prone", "2D20-12")
    mark_moved(changes, intent, setup, outcome)


def mark_moved(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: no more movement this turn."""
    if changes.before.open and intent.actor in changes.before.acting:
        changes.mark(intent.actor, sheet.MOVED, 1, "2D20-11")


def move_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: None) -> Mapping[str, object]:
    """`zones` gone, or `most`, how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"zones": scene.way(here, to, zones)} if here and to else {"most": setup.dice}


def move_candidates(action: str, scene: Scene, who: str) -> Iterator[Intent]:
    """Towards the nearest foe, and away, if positions are known; else anywhere."""
    here, far = scene.fighters[who].at, FAR[action]
    spots = [foe.at for foe in scene.foes(who) if foe.at is not None and not foe.has("dead")]
    if here is None or not spots:
        yield Intent(action, who)
        return
    spot = min(spots, key=lambda place: scene.way(here, place, zones))
    if scene.field is not None:
        reached = sorted(place for place in scene.field.reachable(here, far) if place != here)
        ends = sorted(reached, key=lambda place: scene.way(place, spot, zones))
        places = [[*end] for end in dict.fromkeys((*ends[:1], *ends[-1:]))]
    else:
        towards = [a + max(-far, min(far, b - a)) for a, b in zip(here, spot, strict=True)]
        places = [*([towards] if zones(here, spot) else []), [here[0] - 1, here[1]]]
    yield from (Intent(action, who, (), {"to": place}) for place in places)


SPRINT = major_action("Move up to two zones", move_setup, move_effects, "{actor} sprints")._replace(
    outputs=move_outputs,
    ai=Opponents(partial(move_candidates, "sprint")),
    requires=(has_not_moved,),
    options=("to", "prone"),
)
MOVE = SPRINT._replace(
    title="Move a zone; prone or limping a Major action",
    costs=(),
    out=OutOfTurn(
        lambda scene, intent: bool(slowed(scene.fighters[intent.actor])) and is_released(scene, intent),
        effects=end_command,
    ),
    ai=Opponents(partial(move_candidates, "move")),
    says=Says("{actor} moves"),
)
STAND_UP = minor_action(
    "Stand up",
    rule_id="2D20-12",
    effects=mark_moved,
    requires=(has("prone", "2D20-12"), has_not_moved),
    sets={"prone": False},
    out=OutOfTurn(effects=end_command),
    says=Says("{actor} gets up"),
)

# The beginning and the end of a turn


def dying_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-23: end + survival against the number of injuries, for someone dying; nothing for others."""
    fighter = scene.fighters[intent.actor]
    if not sheet.is_dying(fighter):
        return Setup(None)
    hard = Modifiers("difficulty", "2D20-23").situational(fighter, "dying", "end", "survival", sign=-1)
    target, critical = sheet.target_number(fighter.sheet, "end", "survival")
    difficulty, (_, asks) = max(0, injuries(fighter) + hard.total), luck_of(scene, intent)
    return Setup(CheckSetup("resist", fighter.name, target, critical, difficulty, asks=asks, cause="death"))


def begin_turn(changes: Changes, intent: Intent, setup: Setup, result: CheckResult | None) -> None:
    """2D20-11: a Major and a Minor action, none for the stunned (2D20-24); 2D20-23: failing is death."""
    fighter = changes.before.fighters[intent.actor]
    normal = not (fighter.has("stunned") or fighter.has("dead") or sheet.is_dying(fighter))
    for pool in ("major", "minor"):
        changes.set(fighter.name, pool, int(normal))
    changes.clear_marks(fighter.name, "2D20-11", "readied", sheet.ASSISTS, sheet.DEFENDING)
    if result:
        check_effects(changes, intent, setup, result)
        if not result.success:
            changes.begin(fighter.name, "dead", "2D20-23")


Wound = tuple[Damage, str, int, str]
"""Damage that comes again at the end of a turn, its location, the resistance there, and what causes it."""


def lasting_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-22, 2D20-24: bleeding, then persistent damage; none for the dead. Dice are the state, and the wounds."""
    fighter = scene.fighters[intent.actor]
    # Two combat dice of an injured torso, however often it is injured (a reading).
    bleeding = (Damage(fighter.name, 2), "torso", 0, "bleeding from the torso")
    wounds: list[Wound] = [bleeding] if injuries(fighter, "torso") else []
    for burning in fighter.marks_of(BURNING) if fighter.has("persistent") else ():
        kind, place, dice = burning.split(":")
        resist = sheet.resist_left(fighter, kind, place)
        wounds.append((Damage(fighter.name, int(dice), kind=kind), place, resist, "persistent damage"))
    state = (fighter.pools["hp"], fighter.pools["max_hp"])
    return Setup((state, tuple(wounds)) if wounds and not fighter.has("dead") else None)


def lasting(table: RuleTable, setup: tuple[tuple[int, int], tuple[Wound, ...]] | None) -> DamageResult | None:
    """2D20-22, 2D20-24: the damage of each wound in its order, its Effects ignored."""
    if not setup:
        return None
    state, wounds = setup
    losses: tuple[Loss, ...] = ()
    for damage, place, resist, cause in wounds:
        rolled, _, _ = table.ask(combat_dice, damage, damage.dice, (0, 0), "", cause)
        table.part(f"{place} resistance", "resistance", resist, "2D20-20", "resist", damage.who)
        losses += lost(place, (("damage", rolled), ("resistance", -resist)), damage.kind == "radiation")
    return after_hits(*state, HitResult(losses))


def end_turn(changes: Changes, intent: Intent, setup: Setup, result: DamageResult | None) -> None:
    """2D20-24: persistent damage lasts a turn less; a command that was not obeyed is forgotten (2D20-11)."""
    name = intent.actor
    fighter = changes.before.fighters[name]
    for pool in ("major", "minor"):
        changes.set(name, pool, 0, "2D20-11")
    if result:
        apply_wounds(changes, fighter, result, "2D20-22")
    turns = fighter.level("persistent")
    if turns > 1:
        changes.begin(name, "persistent", "2D20-24", turns - 1)
    elif turns:
        end_persistent(changes, name)
    for other in changes.before.fighters:
        end_command(changes, intent._replace(actor=other))


PHASES = {
    "start-turn": Action(
        "A Major and a Minor action; the dying hold on",
        "2D20-11",
        dying_setup,
        begin_turn,
        lambda table, test: test and table.ask(check, test),
        says=of_test(),
        window="table",
    ),
    "end-turn": Action("What goes on hurting", "2D20-22", lasting_setup, end_turn, lasting, window="table"),
}
