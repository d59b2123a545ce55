"""Checks, the turn order, action points, conditions, treatment, and the other actions without an attack (3D6-5 to
3D6-17, 3D6-27, 3D6-29)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...errors import Usage
from ...rules import (
    Amount,
    Changes,
    Condition,
    Cost,
    End,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Runner,
    Scene,
    Setup,
    amount,
    check_action,
    condition_action,
    draw_action,
    heal_action,
    initiative_action,
    item_candidates,
    known_word,
    lines_of,
    move_action,
    refuse,
    reload_action,
    roll_amount,
    sum_of,
    tie,
    within,
)
from .sheet import ABILITIES, FIELDS, HEALED, SKILLS, drunk, skilled

REACH = 2
"""3D6-19, 3D6-29: how far melee and treatment reach, in metres."""

# Checks

THREE_DICE = Amount(3, 6)
"""3D6-5: the dice of every check, and of the turn order (3D6-6)."""


class CheckSetup(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    who: str
    bonus: int
    difficulty: int
    other: str = ""
    other_bonus: int = 0


class CheckResult(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    against: int


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A check of a skill or an ability; Usage without a difficulty (3D6-5: there is no default)."""
    mine = check_roll("check", scene.fighters[intent.actor], intent.get("skill", "")).asked(intent)
    other, skill = intent.get("vs") or ("", "")
    if other:
        theirs = check_roll("resist", scene.fighters[other], skill, other)
        return Setup(CheckSetup(intent.actor, mine.total, 0, other, theirs.total), lines_of(mine, theirs))
    if intent.get("difficulty") is None:
        needs = "a check in 3d6 needs its difficulty (3D6-5)"
        raise Usage(needs, hint="give --difficulty N, or --vs OTHER SKILL")
    return Setup(CheckSetup(intent.actor, mine.total, intent.get("difficulty")), lines_of(mine))


def check_roll(roll: str, fighter: Fighter, word: str, against: str = "") -> Modifiers:
    """3D6-5: what a skill, a field or an ability adds to a check."""
    known = (*ABILITIES, *SKILLS, *FIELDS, *fighter.sheet["skills"])
    skill = known_word(fighter, word, known, "skill or ability", "3D6-2")
    skill = skill if skill in fighter.sheet["skills"] else FIELDS.get(skill, skill)
    found = Modifiers(roll, "3D6-5", against).extend(skilled(roll, "3D6-5", fighter, skill))
    return drunk(found.situational(fighter, "check"), fighter)


def check(table: RuleTable, setup: CheckSetup) -> CheckResult:
    """3D6-5: three dice and the bonus, at or above the difficulty; in a contest a tie goes to the active side."""
    table.label("check", setup.who, "3d6")
    total = sum_of(table, THREE_DICE) + setup.bonus
    if not setup.other:
        success = total >= setup.difficulty
        table.result(total=total, target=setup.difficulty, success=success)
        return CheckResult(success, total, setup.difficulty)
    table.result(total=total)
    table.label("resist", setup.other, "3d6")
    resisted = sum_of(table, THREE_DICE) + setup.other_bonus
    table.result(total=resisted)
    return CheckResult(total >= resisted, total, resisted)


CHECK = check_action("Roll a skill or an ability", "3D6-5", check_setup, check, options=("difficulty", "vs"))

# The turn order and action points


def runner(fighter: Fighter) -> tuple[Runner, Modifiers]:
    """3D6-6: intelligence and speed; 3D6-7: ties by intelligence, then speed."""
    found = Modifiers("initiative", "3D6-6")
    intelligence, speed = (fighter.sheet["abilities"][ability] for ability in ("intelligence", "speed"))
    found.add("intelligence", intelligence, source="ability").add("speed", speed, source="ability")
    drunk(found.situational(fighter, "initiative", "intelligence", "speed"), fighter)
    return Runner(fighter.name, found.total, (-intelligence, -speed)), found


def score(table: RuleTable, one: Runner, tied_with: tuple[str, ...] = ()) -> int:
    """3D6-6: three dice and the bonus; 3D6-7: once more for a tie."""
    table.label("initiative", one.name, "3d6", **tie(tied_with))
    total: int = sum_of(table, THREE_DICE) + one.bonus
    table.result(total=total)
    return total


INIT = initiative_action("3D6-6", runner, score)


def gain_ap(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """3D6-8 to 3D6-10, 3D6-13, 3D6-17: all gain AP together; in the extra turn (3D6-9) only those who are in it."""
    scene = changes.scene
    for name, fighter in scene.fighters.items():
        early = scene.round > 0 or name in scene.early
        if fighter.gone or fighter.has("stunned") or fighter.pools["health"] <= 0 or not early:
            continue
        gain, rule = (2, "3D6-13") if fighter.pools["endurance"] <= 0 else (4, "3D6-10")
        changes.adjust(name, "ap", gain, rule)


# Conditions


def stun_ends(scene: Scene, who: str) -> End | None:
    """3D6-17: at the end of this round, or of the next for a fighter who has already acted (a reading)."""
    return ("end-round", scene.round + scene.acted(who)) if scene.open else None


CONDITIONS = {
    "dead": Condition(
        "dead",
        "3D6-27",
        when=lambda fighter: fighter.pools["health"] <= 0,
        defeated="dead",
        cannot_act=True,
        ends="{who} is alive again.",
    ),
    "stunned": Condition("stunned", "3D6-17", stun_ends, lasting=False, cannot_act=True),
    "drunk": Condition("drunk", "3D6-15", ends="{who} is sober again."),
    "prone": Condition("prone", "3D6-16", ends="{who} is on their feet again."),
    "hidden": Condition("hidden", "3D6-14", lasting=False, ends="{who} is seen again."),
}


# Treatment and other uses of items


class Dose(NamedTuple):
    """What an item gives."""

    who: str
    item: str
    endurance: Amount
    health: Amount


class Treated(NamedTuple):
    """What a treatment came to, before the pools' maximum."""

    success: bool
    total: int
    endurance: int
    health: int

    @property
    def word(self) -> str:
        """In one word."""
        return "healed" if self.total else "done"


in_reach = within(REACH, "3D6-29", "treating")


def use_setup(scene: Scene, intent: Intent) -> Setup:
    """3D6-29: an item with uses left, on oneself or someone in reach; refused for the dead."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    name = item_in_use(intent, fighter)
    if patient.pools["health"] <= 0:
        refuse(intent, f"{patient.name} is dead", "3D6-29", final=True)
    in_reach(scene, intent)
    item = fighter.sheet["items"][name]
    if "uses" in item and not fighter.pools[f"uses:{name}"]:
        refuse(intent, f"the {name} of {fighter.name} is used up", "3D6-29", "use something else")
    heals = item.get("heals", {})
    full = all(patient.pools[pool] >= patient.full(pool) for pool in heals)
    dose = {pool: Amount() if full else amount(heals.get(pool, 0)) for pool in HEALED}
    found = Modifiers("heal", "3D6-29")
    if first := next((pool for pool in HEALED if dose[pool].many), ""):
        found.situational(fighter, "heal").asked(intent)
        dose[first] = dose[first]._replace(plus=dose[first].plus + found.total)
    used = (Cost(f"uses:{name}", rule="3D6-29"),) if "uses" in item and not (heals and full) else ()
    return Setup(Dose(fighter.name, name, **dose), lines_of(found), used, name)


def item_in_use(intent: Intent, fighter: Fighter) -> str:
    """The item asked for; else the first that heals and is not used up, or the only one for other uses."""
    items, heals = fighter.sheet["items"], intent.action == "heal"
    healing = [name for name, item in items.items() if item.get("heals")]
    left = [name for name in healing if fighter.pools.get(f"uses:{name}", 1) > 0]
    fitting = left or healing if heals else list(items) if len(items) == 1 else []
    name: str = intent.get("item") or intent.get("thing") or next(iter(fitting), "")
    carried = f"{fighter.name} carries {', '.join(items) or 'nothing'}"
    if name not in items:
        what = "nothing that heals" if heals else "nothing to use"
        refuse(intent, f"{fighter.name} has {what}", "3D6-29", carried, final=True)
    if heals and name not in healing:
        refuse(intent, f"the {name} heals nothing", "3D6-29", carried, final=True)
    return name


def use(table: RuleTable, dose: Dose) -> Treated:
    """3D6-29: what the item gives, Endurance before Health."""
    endurance = table.ask(roll_amount, "heal", dose.who, dose.endurance)
    health = table.ask(roll_amount, "heal", dose.who, dose.health)
    return Treated(True, endurance + health, endurance, health)


def restore(changes: Changes, intent: Intent, setup: Setup, treated: Treated) -> None:
    """3D6-29: never above the maximum."""
    for pool in HEALED:
        changes.adjust(intent.patient, pool, getattr(treated, pool), "3D6-29")


AS_LISTED = (Cost("ap", 2, "ap", "3D6-14"),)
"""3D6-14: the AP that the sheet says for the weapon or item in use."""
HEAL = heal_action(
    "Treat wounds with an item", "3D6-29", use_setup, restore, use, AS_LISTED, ("item",)
)._replace(candidates=item_candidates("heal", "heals"))
USE_ITEM = HEAL._replace(
    title="Use an item",
    candidates=item_candidates("use-item"),
    says={"": "{actor} uses the {gear} on {target}", "self": "{actor} uses the {gear}"},
)

# Movement, posture, things in hand


def pace(fighter: Fighter) -> int:
    """3D6-14: metres of one move, speed + 5."""
    found = Modifiers("move", "3D6-14").base("base", 5).add("speed", fighter.sheet["abilities"]["speed"])
    return max(0, found.situational(fighter, "move").total)


def half_pace(fighter: Fighter) -> int:
    """3D6-14: metres of one sneak, half of the whole (a reading: speed / 2 + 5 would be another)."""
    return pace(fighter) // 2


ON = "go part of the way, and on with the next AP"
ONE, TWO, THREE = (Cost("ap", 1),), (Cost("ap", 2),), (Cost("ap", 3),)
ACTIONS = {
    "draw": draw_action("3D6-14", ONE, "{actor} draws the {gear}"),
    "hide": condition_action(
        "Hide where nobody looks", "3D6-14", THREE, "{actor} hides", begins="hidden"
    )._replace(ai=False),
    "move": move_action("Move", "3D6-14", pace, ONE, "{actor} moves", hint=ON),
    "sneak": move_action("Move unheard", "3D6-14", half_pace, ONE, "{actor} sneaks along", hint=ON),
    "stand-up": condition_action("Stand up", "3D6-14", TWO, "{actor} gets up", ends="prone"),
    "drop-prone": condition_action(
        "Drop to the ground", "3D6-14", ONE, "{actor} drops to the ground", begins="prone"
    ),
    "reload": reload_action(
        "3D6-14", (Cost("ap", 2, "reload"),), loads="rounds", says="{actor} reloads the {gear}"
    ),
}
