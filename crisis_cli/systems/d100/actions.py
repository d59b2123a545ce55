"""Turns and costs, moving, sneaking, treating wounds (D100-10 to D100-15, D100-27, D100-28)."""

from __future__ import annotations

from typing import NamedTuple

from ...rules import (
    READIED,
    Action,
    Changes,
    Condition,
    Cost,
    End,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    draw_action,
    lines_of,
    move_action,
    no_setup,
    patients,
    ready_action,
    refuse,
    reload_action,
)
from .checks import assist, assist_asked, edge_asked, rated, rolled, succeeds
from .sheet import die_of

REACH = 2
"""Arm's length, in metres: for melee attacks, treatment, and being noticed (D100-15, a reading)."""

# Conditions


def next_own_turn(scene: Scene, who: str) -> End | None:
    """D100-15: until the next own turn starts."""
    return ("start-turn", scene.round + 1) if scene.open else None


def is_down(fighter: Fighter) -> bool:
    """D100-27: at Health 0 a fighter is down; nobody dies by rule."""
    return fighter.pools["health"] <= 0


CONDITIONS = {
    "sneaking": Condition(
        "sneaking",
        "D100-15",
        next_own_turn,
        begins="{who} is sneaking, unseen.",
        ends="{who} no longer sneaks.",
    ),
    "down": Condition(
        "down", "D100-27", when=is_down, defeated="down", cannot_act=True, ends="{who} is up again."
    ),
}

# Actions and Small Actions

PER_TURN = {"actions": 1, "small-actions": 2}
"""D100-10."""
TURNED = 2
"""D100-10: Small Actions that an Action can be turned into."""
KEPT = 1
"""D100-12."""
SMALL = (Cost("small-actions", rule="D100-13"),)
FULL = (Cost("actions", rule="D100-13"),)
SET_OFF = (Cost("small-actions", rule="D100-11"),)
"""What a readied action costs out of turn."""
LASTS = 2
"""D100-11: a readied action lasts for two ends of own turns: until the next one ends, after the one that is on."""


def start_turn(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """D100-10: an Action and two Small Actions, none for those who are down; what was kept is gone (D100-12)."""
    able = not is_down(changes.fighter(intent.actor))
    for pool, count in PER_TURN.items():
        changes.set(intent.actor, pool, count if able else 0, "D100-10")


def end_turn(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """D100-12: one Small Action is kept, of an Action unspent where there is no other (a reading, by D100-10)."""
    who = changes.fighter(intent.actor)
    left = who.pools["small-actions"] or who.pools["actions"] * TURNED
    changes.set(who.name, "actions", 0, "D100-12")
    changes.set(who.name, "small-actions", min(left, KEPT), "D100-12")
    for mark, ends in who.marks.items():
        if mark.startswith(READIED + ":"):
            changes.mark(who.name, mark, ends - 1, "D100-11")


PHASES = {
    "start-turn": Action(
        "Gain an Action and two Small Actions", "D100-10", no_setup, start_turn, window="table"
    ),
    "end-turn": Action("Keep a Small Action", "D100-12", no_setup, end_turn, window="table"),
}
READY_ABLE = ("attack", "throw", "reload", "run", "heal")
"""D100-11: the actions that cost an Action, readying itself left out."""

# Moving

WALK = 2
"""D100-14: metres of a Small Action."""
RUN, RUN_SHARE = 5, 10
"""D100-14: metres of an Action, and the part of dexterity that is added."""


def walk_pace(fighter: Fighter) -> int:
    """D100-14: metres of a walk, in any direction; what is not used is not kept."""
    return max(0, Modifiers("move", "D100-14").base("walk", WALK).situational(fighter, "move").total)


def run_pace(fighter: Fighter) -> int:
    """D100-14: metres of a run, straight on: 5 and a tenth of dexterity."""
    found = Modifiers("move", "D100-14").base("run", RUN)
    found.add("dexterity", fighter.sheet["ratings"]["dexterity"] // RUN_SHARE)
    return max(0, found.situational(fighter, "move").total)


# Sneaking


class Watcher(NamedTuple):
    """An opponent who could notice."""

    who: str
    target: int
    near: bool
    """Within arm's length."""


class SneakSetup(NamedTuple):
    """What the dice of sneaking depend on."""

    who: str
    target: int
    edge: int
    watching: tuple[Watcher, ...]


class SneakResult(NamedTuple):
    """What sneaking came to: success is not being noticed."""

    success: bool
    total: int


def sneak_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-15: dexterity; those who could notice are the opponents able to act, or those of them who are named."""
    mine = assist_asked(rated(scene.fighters[intent.actor], "sneak", "dexterity"), intent)
    edge_asked(mine.asked(intent), intent)
    rolls, watching = [mine], []
    for foe in scene.foes(intent.actor):
        if not is_down(foe) and (not intent.targets or foe.name in intent.targets):
            found = rated(foe, "notice", "perception", foe.name)
            distance = scene.distance(intent.actor, foe.name)
            watching.append(Watcher(foe.name, found.total, distance is not None and distance <= REACH))
            rolls.append(found)
    return Setup(SneakSetup(intent.actor, mine.total, mine.net_edge, tuple(watching)), lines_of(*rolls))


def sneak(table: RuleTable, setup: SneakSetup) -> SneakResult:
    """D100-15: if the check fails, each opponent checks perception; one at arm's length once more either way.
    Any success and it is noticed (a reading)."""
    success, face = rolled(table, "sneak", setup.who, setup.target, setup.edge)
    return SneakResult(not table.ask(noticed, setup.watching, success), face)


def noticed(table: RuleTable, watching: tuple[Watcher, ...], hidden: bool) -> bool:
    """A rule: whether any of these notices."""
    seen = False
    for one in watching[:1]:
        checks = (not hidden) + one.near
        if checks:
            seen = table.ask(succeeds, "notice", one.who, one.target)
        if checks > 1:
            seen = table.ask(succeeds, "notice", one.who, one.target) or seen
        # The others check as well, whatever this one sees.
        seen = table.ask(noticed, watching[1:], hidden) or seen
    return seen


def hide(changes: Changes, intent: Intent, setup: Setup, result: SneakResult) -> None:
    """D100-15: sneaking until the next own turn, unless noticed."""
    if result.success:
        until = next_own_turn(changes.scene, intent.actor)
        changes.begin(intent.actor, "sneaking", "D100-15", until=until)
    else:
        changes.end(intent.actor, "sneaking", "D100-15")


# Treating wounds


class HealSetup(NamedTuple):
    """What the dice of a treatment depend on."""

    who: str
    target: int
    edge: int


class HealResult(NamedTuple):
    """What a treatment came to, before the patient's maximum."""

    success: bool
    total: int
    """The face that counted."""
    healed: int


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-28: medicine, an Assist for an aid, an Obstacle for treating oneself."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.target or intent.actor]
    things = fighter.sheet["items"]
    aids = [name for name, thing in things.items() if thing["aid"]]
    left = (name for name in aids if fighter.pools.get(f"uses:{name}", 1) > 0)
    item = intent.get("item") or next(left, "")
    if item and item not in aids:
        message = f"the {item} is no aid in treating wounds"
        refuse(intent, message, "D100-28", f"aids: {', '.join(aids) or 'none'}", final=True)
    if patient.pools["health"] >= patient.full("health"):
        refuse(intent, f"{patient.name} is unhurt", "D100-28")
    distance = scene.distance(fighter.name, patient.name)
    if distance is not None and distance > REACH:
        refuse(intent, f"{patient.name} is {distance} m away; treating reaches {REACH} m", "D100-28")
    found = rated(fighter, "check", "medicine").situational(fighter, "heal")
    assist(found, item, "D100-28", f"items.{item}", count=bool(item))
    assist(found, "treating oneself", "D100-28", count=-(patient.name == fighter.name))
    edge_asked(assist_asked(found, intent).asked(intent), intent)
    used = (Cost(f"uses:{item}", rule="D100-28"),) if "uses" in things.get(item, {}) else ()
    return Setup(HealSetup(fighter.name, found.total, found.net_edge), lines_of(found), used, item)


def treat(table: RuleTable, setup: HealSetup) -> HealResult:
    """D100-28: success restores d(rating after changes / 10), at least 1."""
    success, face = rolled(table, "check", setup.who, setup.target, setup.edge)
    return HealResult(success, face, table.ask(restored, setup.who, die_of(setup.target)) if success else 0)


def restored(table: RuleTable, who: str, sides: int) -> int:
    """A rule: the health that a treatment gives; a d1 is not rolled."""
    if sides == 1:
        return 1
    table.label("heal", who, f"d{sides}")
    points = table.die(sides)
    table.result(total=points)
    return points


def restore(changes: Changes, intent: Intent, setup: Setup, result: HealResult) -> None:
    """D100-28: up to the maximum; at 1 or more those who were down are up again."""
    health = changes.number("D100-28").from_dice("heal", result.healed)
    changes.adjust(intent.target or intent.actor, "health", health, "D100-28")


ACTIONS = {
    "heal": Action(
        "Treat wounds",
        "D100-28",
        heal_setup,
        restore,
        treat,
        costs=FULL,
        gear="items",
        candidates=patients("heal"),
        out_costs=SET_OFF,
        targets="patient",
        words=("healed", "failure"),
        options=("item", "assist", "obstacle", "plus", "minus"),
        says={
            "": "{actor} treats {target} with the {gear}",
            "bare": "{actor} treats {target}",
            "self": "{actor} uses the {gear} on {actor}",
            "self:bare": "{actor} treats their own wounds",
        },
        ready_rule="D100-11",
    ),
    "walk": move_action(
        "Walk, 2 m",
        "D100-14",
        walk_pace,
        SMALL,
        "{actor} walks",
        hint="go part of the way, or run: crisis act {who} run --to X,Y",
    ),
    "run": move_action("Run straight on", "D100-14", run_pace, FULL, "{actor} runs")._replace(
        out_costs=SET_OFF, ready_rule="D100-11"
    ),
    "sneak": Action(
        "Sneak until the next own turn",
        "D100-15",
        sneak_setup,
        hide,
        sneak,
        costs=SMALL,
        targets="any",
        words=("unnoticed", "noticed"),
        options=("assist", "obstacle", "plus", "minus"),
        says="{actor} sneaks along",
    ),
    "grab": Action("Grab something in reach", "D100-13", costs=SMALL, says="{actor} grabs it"),
    "push": Action("Push a button, or anything as quick", "D100-13", costs=SMALL, says="{actor} pushes it"),
    "draw": draw_action("D100-13", SMALL, "{actor} draws the {gear}"),
    "reload": reload_action("D100-13", FULL, loads="shots", says="{actor} reloads the {gear}")._replace(
        out_costs=SET_OFF, ready_rule="D100-11"
    ),
    "ready": ready_action(
        "Ready an action, for a Small Action to set off out of turn",
        "D100-11",
        READY_ABLE,
        FULL,
        LASTS,
        "{actor} makes ready to {deed}",
    ),
}
