"""Movement, postures, and things in hand (POOL-12, POOL-23, POOL-33 to POOL-35)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    Opponents,
    Says,
    Scene,
    Setup,
    condition_action,
    has,
    lacks,
    move_action,
    refuse,
    reload_action,
    slug,
    use_action,
)
from .attacks import ACCURATE, AIM, RAISED, RECOIL, SUPPORTED, is_firearm, shield_of, weapons_held
from .rolls import ONE, WALKED, must_have
from .sheet import (
    DROPPED,
    SHIELD,
    is_thrown_away,
    modes_of,
    value_of,
)

# Movement and posture


def pace(metres: Callable[[int], int]) -> Callable[[Fighter], int]:
    """POOL-12: metres of one move, by quickness; POOL-23: half of them with the shield up."""

    def most(fighter: Fighter) -> int:
        found = max(0, metres(value_of(fighter.sheet, "quickness")[0]))
        return found // 2 if fighter.has("blocking") else found

    return most


WALK, RUN = pace(lambda quickness: quickness + 1), pace(lambda quickness: quickness + 5)
CRAWL = pace(lambda quickness: -(-quickness // 2) + 1)


def along(scene: Scene, intent: Intent) -> None:
    """POOL-12: walking goes along with another action, once."""
    fighter = scene.fighters[intent.actor]
    if fighter.marks.get(WALKED):
        hint = "the next walk goes with the next action"
        refuse(intent, f"{fighter.name} has walked already", "POOL-12", hint, code="condition_forbids")
    if scene.open:
        must_have(intent, fighter, "actions", 1, "POOL-12", "run next turn")


def has_shield(scene: Scene, intent: Intent) -> None:
    """POOL-23: a shield in hand beside a weapon for one hand."""
    fighter = scene.fighters[intent.actor]
    if not shield_of(fighter):
        hint = f"crisis act {slug(fighter.name)} ready shield, beside a weapon for one hand"
        refuse(intent, f"{fighter.name} holds no shield", "POOL-23", hint, final=True, code="not_in_hand")


on_foot = lacks("hunkered", "POOL-12", "{who} is hunkered and cannot {action}", hint="crawl, or get up first")
get_down = "get down first: crisis act hunker"
hunkered = has("hunkered", "POOL-12", "{who} is not hunkered and cannot {action}", hint=get_down)
MOVES = {
    "walk": move_action(
        "Walk along with another action",
        "POOL-12",
        WALK,
        (),
        "{actor} walks",
        requires=(on_foot, along),
        hint="go part of the way, or run",
        also=lambda changes, intent: changes.mark(intent.actor, WALKED, 1, "POOL-12"),
    )._replace(keeps=(AIM, ACCURATE, RECOIL)),
    "run": move_action("Run", "POOL-12", RUN, ONE, "{actor} runs", requires=(on_foot,)),
    "crawl": move_action("Crawl, hunkered", "POOL-12", CRAWL, ONE, "{actor} crawls", requires=(hunkered,)),
    "hunker": condition_action(
        "Hunker down: cover 6+", "POOL-12", ONE, "{actor} hunkers down", begins="hunkered"
    ),
    "stand-up": condition_action("Get up", "POOL-12", ONE, "{actor} gets up", ends="hunkered"),
    "shield-block": Action(
        "Hold the shield up",
        "POOL-23",
        effects=lambda changes, intent, setup, outcome: changes.mark(
            intent.actor, RAISED, changes.scene.round + 1, "POOL-23"
        ),
        costs=(Cost("actions", 2),),
        requires=(lacks("blocking", "POOL-23", "{who} holds the shield up already", final=True), has_shield),
        sets={"blocking": True},
        says=Says("{actor} holds the shield up"),
    ),
    "lower-shield": Action(
        "Lower the shield",
        "POOL-23",
        effects=lambda changes, intent, setup, outcome: changes.mark(intent.actor, RAISED, 0, "POOL-23"),
        requires=(has("blocking", "POOL-23", "{who} does not hold a shield up"),),
        sets={"blocking": False},
        keeps=(AIM, ACCURATE, RECOIL, SUPPORTED, WALKED),
        says=Says("{actor} lowers the shield"),
    ),
}

# Things in hand


def actions(count: int) -> tuple[Cost, ...]:
    """POOL-12: so many actions."""
    return (Cost("actions", count, rule="POOL-12"),) if count else ()


def to_ready(fighter: Fighter) -> tuple[str, ...]:
    """Every weapon, and the shield."""
    return (*fighter.sheet["weapons"], *((SHIELD,) if "shield" in fighter.sheet else ()))


def ready_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a weapon or the shield, not in hand yet."""
    fighter = scene.fighters[intent.actor]
    weapons, things = fighter.sheet["weapons"], to_ready(fighter)
    name = intent.get("thing") or (things[0] if len(things) == 1 else "")
    others = [one for one in things if one not in fighter.held]
    at_hand = f"to ready: {', '.join(others)}" if others else ""
    if name not in things:
        what = f"{fighter.name} must say what to ready"
        refuse(intent, what, "POOL-12", at_hand, final=True, code="missing_argument")
    if name in fighter.held:
        what = f"{fighter.name} has the {name} in hand already"
        refuse(intent, what, "POOL-12", at_hand, code="in_hand_already")
    if intent.get("off_hand") and (name == SHIELD or weapons[name]["hands"] > 1 or not weapons_held(fighter)):
        refuse(intent, f"the {name} is nothing for the other hand", "POOL-34", final=True, code="wrong_item")
    if name in weapons and is_thrown_away(fighter, name):
        refuse(intent, f"{fighter.name} has thrown the {name} away", "POOL-18", at_hand, code="not_in_hand")
    return Setup(name, (), actions(weapons[name]["ready"] if name in weapons else 1), name)


def ready(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """In hand: instead of the weapon before, with `--off-hand` beside it; two hands leave none for the shield."""
    fighter, name = changes.fighter(intent.actor), setup.gear
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    now: tuple[str, ...] = (name,)
    if name == SHIELD:
        now = (*(one for one in held[:1] if weapons[one]["hands"] == 1), SHIELD)
    elif intent.get("off_hand"):
        now = (held[0], name)
    elif SHIELD in fighter.held and weapons[name]["hands"] == 1:
        now = (name, SHIELD)
    changes.hold(intent.actor, now, "POOL-12")
    changes.mark(intent.actor, DROPPED, 0, "POOL-33", key=name)
    changes.end(intent.actor, "stuck", "POOL-24")
    if SHIELD not in now:
        changes.end(intent.actor, "blocking", "POOL-23")


def support_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-35: a firearm in hand, and no bow."""
    fighter = scene.fighters[intent.actor]
    held = {one: fighter.sheet["weapons"][one] for one in weapons_held(fighter)}
    able = [one for one, weapon in held.items() if any(is_firearm(weapon, mode) for mode in modes_of(weapon))]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        what = f"{fighter.name} holds no firearm to support"
        refuse(intent, what, "POOL-35", final=True, code="not_in_hand")
    if fighter.marks.get(f"{SUPPORTED}:{name}"):
        refuse(intent, f"the {name} is supported already", "POOL-35", final=True, code="condition_forbids")
    return Setup(name, gear=name)


GEAR = {
    "ready": Action(
        "Ready a weapon or the shield",
        "POOL-12",
        ready_setup,
        ready,
        gear="weapons",
        ai=Opponents(
            lambda scene, who: (
                Intent("ready", who, (), {"thing": name}) for name in to_ready(scene.fighters[who])
            )
        ),
        options=("off-hand",),
        says=Says("{actor} readies the {gear}"),
    ),
    "reload": reload_action(
        "POOL-12",
        (),
        loads="rounds",
        says="{actor} reloads the {gear}",
        price=lambda name, weapon: actions(weapon["reload"]),
        takes=lambda weapon: "capacity" in weapon and not {"single", "burst"}.isdisjoint(modes_of(weapon)),
    ),
    "support": Action(
        "Rest the firearm on something",
        "POOL-35",
        support_setup,
        lambda changes, intent, setup, outcome: changes.mark(
            intent.actor, SUPPORTED, 1, "POOL-35", key=setup.gear
        ),
        costs=ONE,
        gear="weapons",
        says=Says("{actor} rests the {gear} on something"),
    ),
    "use": use_action("use", "Use a thing carried", "POOL-12", ONE, "{actor} uses the {gear}", "heals"),
}
