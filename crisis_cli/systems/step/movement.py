"""Movement, postures, and things in hand (STEP-16, STEP-17)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    Opponents,
    Says,
    Scene,
    Setup,
    condition_action,
    draw_action,
    has,
    in_crisis,
    lacks,
    move_action,
    out_of_sight,
    refuse,
    reload_action,
    unable,
    use_action,
)
from .checks import (
    AIM,
    DIFFICULTY,
    OVERWATCH,
    STEALTH,
    CheckResult,
    CheckSetup,
    check,
    dice_of,
    pace,
    perception,
    skilled,
)
from .sheet import CONDITIONS, SPACE, Weapon, weapon_skill


def ap(amount: int, gear: str = "") -> tuple[Cost, ...]:
    """STEP-16: so many AP, or as many as this key of the thing in use says."""
    return (Cost("ap", amount, gear, rule="STEP-16"),)


def marking(mark: str, value: int = 0) -> Callable[..., None]:
    """Effects of setting a mark of the actor, or clearing it (STEP-16)."""
    return lambda changes, intent, *_: changes.mark(intent.actor, mark, value, "STEP-16")


def is_blind(foe: Fighter) -> bool:
    """Whether a foe cannot act, and so looks out for nobody."""
    return bool(unable(CONDITIONS, foe)[0])


# Movement

KNEELING = has("kneeling", "STEP-16", hint="first: crisis act kneel")
PRONE = has("prone", "STEP-16", hint="first: crisis act prone")
Requirement = Callable[[Scene, Intent], None]
UPRIGHT = (
    lacks("prone", "STEP-16", "{who} is prone and cannot {action}", hint="crawl or rise"),
    lacks("kneeling", "STEP-16", "{who} is kneeling and cannot {action}", hint="crouch or rise"),
)
PART = "go part of the way, and on with the next AP"


def walk(title: str, most: Callable[[Fighter], int], cost: int, says: str, *requires: Requirement) -> Action:
    """The row of a way of going up to `most` tiles, which loses the aim."""
    row = move_action(title, "STEP-16", most, ap(cost), says, space=SPACE, hint=PART, also=marking(AIM))
    return row._replace(requires=requires)


def half_pace(fighter: Fighter) -> int:
    """STEP-16: tiles of a move at a crouch, or unseen."""
    return pace(fighter) // 2


HIDDEN = has("hidden", "STEP-16", hint="first: crisis act {who} hide")
SNEAK = walk("Move unseen up to half Pace", half_pace, 1, "{actor} sneaks along", HIDDEN)
"""The move of a sneak, without its check."""


def sneak_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: stealth at 4 or better, above the Perception of every foe able to act."""
    fighter, most = scene.fighters[intent.actor], SNEAK.setup(scene, intent).carried
    mine = skilled(fighter, "check", "stealth", "STEP-16").asked(intent)
    goal = Modifiers("difficulty", "STEP-16").base("base", DIFFICULTY)
    watching = (perception(scene, foe.name) + 1 for foe in scene.foes(fighter.name) if not is_blind(foe))
    dice = CheckSetup(dice_of(fighter, "stealth", mine), max(goal.total, *watching, 0))
    return Setup(dice, Modifiers.lines_of(mine, goal), carried=most)


def sneak_effects(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """STEP-16: gone so far, still hidden or not, and what a search must reach from now on."""
    if (to := intent.get("to")) is not None:
        changes.move(intent.actor, to)
    changes.mark(intent.actor, AIM, 0)
    changes.begin(intent.actor, "hidden", level=result.success)
    changes.mark(intent.actor, STEALTH, result.total if result.success else 0)


# Postures

POSTURE_COSTS = {
    ("", "kneel"): ("kneeling", 1),
    ("prone", "kneel"): ("kneeling", 1),
    ("", "prone"): ("prone", 2),
    ("kneeling", "prone"): ("prone", 1),
    ("kneeling", "rise"): ("", 1),
    ("prone", "rise"): ("", 2),
}
"""STEP-16: from a posture by an action to another, and the AP it takes."""


def posture_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: kneeling, lying down, rising; refused where it changes nothing."""
    fighter = scene.fighters[intent.actor]
    now = next((posture for posture in ("prone", "kneeling") if fighter.has(posture)), "")
    if (now, intent.action) not in POSTURE_COSTS:
        message = f"{intent.actor} is {now or 'standing'} already"
        refuse(intent, message, "STEP-16", final=True, code="condition_forbids")
    then, amount = POSTURE_COSTS[now, intent.action]
    return Setup(then, costs=ap(amount))


def take_posture(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-17: the one posture and not the other."""
    for posture in ("prone", "kneeling"):
        changes.begin(intent.actor, posture, level=posture == setup.dice)


KNEEL = Action("Kneel", "STEP-16", posture_setup, take_posture, says=Says("{actor} kneels"))

# Things in hand


def draw_price(name: str, weapon: Weapon) -> tuple[Cost, ...]:
    """STEP-16: AP of drawing a weapon, by its skill."""
    return ap({"light-weapons": 0, "heavy-weapons": 2}.get(weapon_skill(weapon), 1))


def magazine(name: str, weapon: Weapon) -> tuple[Cost, ...]:
    """STEP-16: a magazine, where they are counted."""
    return (Cost(f"magazines:{name}", 1, rule="STEP-16"),) if "magazines" in weapon else ()


def can_aim(scene: Scene, intent: Intent) -> None:
    """STEP-16: nothing is aimed without a weapon in hand that is not for melee."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    if all(weapons[name]["kind"] == "melee" for name in fighter.held if name in weapons):
        message, hint = f"{intent.actor} has nothing in hand to aim", "draw a weapon to shoot or throw"
        refuse(intent, message, "STEP-16", hint, code="not_in_hand")


USE_SAYS = {"": "{actor} uses the {gear} on {target}", "self": "{actor} uses the {gear}"}
LOAD = "Fill a weapon from a magazine"
RELOADS = "{actor} reloads the {gear}"
HIDE = condition_action("Hide where nobody looks", "STEP-16", ap(3), "{actor} hides", begins="hidden")
WATCH = Action("End the turn, and attack in others' turns", "STEP-16", effects=marking(OVERWATCH, 1))
AIMING = Action("Aim: next shot +1", "STEP-16", costs=ap(2), requires=(can_aim,), builds=(AIM,))
ROWS = {
    "move": walk("Move up to Pace", pace, 1, "{actor} moves", *UPRIGHT),
    "run": walk("Run up to twice Pace", lambda fighter: 2 * pace(fighter), 2, "{actor} runs", *UPRIGHT),
    "crawl": walk("Crawl a tile, prone", lambda fighter: 1, 1, "{actor} crawls", PRONE),
    "crouch": walk("Move up to half Pace, kneeling", half_pace, 1, "{actor} moves at a crouch", KNEELING),
    "sneak": SNEAK._replace(
        setup=sneak_setup,
        rule=check,
        effects=sneak_effects,
        says=SNEAK.says._replace(words=("unseen", "seen")),
    ),
    "kneel": KNEEL,
    "prone": KNEEL._replace(title="Lie down", says=Says("{actor} lies down")),
    "rise": KNEEL._replace(title="Stand up", says=Says("{actor} gets up")),
    "draw": draw_action("STEP-16", says="{actor} draws the {gear}", price=draw_price),
    "reload": reload_action(
        "STEP-16", ap(2, "reload"), loads="rounds", title=LOAD, says=RELOADS, price=magazine
    ),
    "use-item": use_action("use-item", "Use a thing carried", "STEP-16", ap(2, "ap"), USE_SAYS),
    "hide": HIDE._replace(
        effects=marking(STEALTH),
        requires=(*HIDE.requires, out_of_sight(SPACE.beside, "STEP-16", is_blind)),
        options=("cover",),
        ai=Opponents(considered=False),
    ),
    "take-aim": AIMING._replace(says=Says("{actor} aims")),
    "overwatch": WATCH._replace(
        ends_turn=True, requires=(in_crisis("STEP-16"),), says=Says("{actor} keeps watch, ready to fire")
    ),
}
"""The rows of actions without an attack or a treatment."""
