"""Checks, the turn order, and the actions without an attack (STEP-6 to STEP-17)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    Requirement,
    RuleTable,
    Runner,
    Scene,
    Setup,
    draw_action,
    each,
    has,
    initiative_action,
    known_word,
    lacks,
    lines_of,
    move_action,
    no_effects,
    no_farther,
    no_setup,
    refuse,
    reload_action,
    tie,
    unable,
)
from .attack import AIM, OVERWATCH, weapon_skill
from .defence import COVER, pace, perception
from .rolls import DIFFICULTY, compare, critical, extras, roll, skilled, succeeds, total_of
from .sheet import ATTRIBUTES, CONDITIONS, SKILLS, UNIT, is_dead, is_dying

STEALTH = "stealth"
"""The mark of a sneaker's roll: what a search must reach (STEP-16)."""

# Checks

AID, HINDRANCE = 2, -2
"""STEP-10: what any helper's success gives, once; what every critical failure of a helper takes."""
SIGHT = ("search",)
"""Skills that need sight, beside attacks: cover lowers them (STEP-22)."""


class Helper(NamedTuple):
    """Someone who helps with a roll."""

    name: str
    sides: int
    bonus: int


class CheckSetup(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    who: str
    sides: int
    bonus: int
    difficulty: int
    crisis: bool
    """Whether there are extras (STEP-8)."""
    helpers: tuple[Helper, ...] = ()
    other: str = ""
    other_sides: int = 4
    other_bonus: int = 0
    finds: bool = False
    """A search for someone hidden: success reveals them (STEP-16)."""


class CheckResult(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    against: int
    extras: int = 0

    @property
    def word(self) -> str:
        """In one word."""
        return "success" if self.success else "failure"


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A check of a skill or an attribute (STEP-6), or a contest (STEP-9)."""
    fighter = scene.fighters[intent.actor]
    skill = known_skill(fighter, intent.get("skill", ""))
    sides, mine = skilled(fighter, "check", skill, "STEP-6")
    mine.asked(intent).add("assets", assets(intent, "STEP-7"), "STEP-7", "--assets")
    helpers, aid = helpers_of(scene, intent, skill)
    other, other_skill = intent.get("vs") or ("", "")
    goal = Modifiers("difficulty", "STEP-6")
    if not other:
        goal.base("difficulty", intent.get("difficulty", DIFFICULTY))
        dice = CheckSetup(fighter.name, sides, mine.total, goal.total, scene.open, helpers)
        return Setup(dice, lines_of(mine, goal, *aid))
    rival = scene.fighters[other]
    other_skill = known_skill(rival, other_skill)
    finds = skill in SIGHT and other_skill == "stealth" and rival.has("hidden")
    if skill in SIGHT:
        level = rival.cover.get(intent.actor, "none")
        if level == "total":
            refuse(intent, f"{rival.name} is in total cover and cannot be seen", "STEP-22")
        mine.add(f"{level} cover", COVER.get(level, 0), "STEP-22", "cover")
    if finds and rival.marks.get(STEALTH):
        goal.add(f"{other}'s stealth", rival.marks[STEALTH], "STEP-16")
        dice = CheckSetup(fighter.name, sides, mine.total, goal.total, scene.open, helpers, finds=True)
        return Setup(dice, lines_of(mine, goal, *aid))
    rival_sides, theirs = skilled(rival, "resist", other_skill, "STEP-9", other)
    against = (other, rival_sides, theirs.total, finds)
    dice = CheckSetup(fighter.name, sides, mine.total, 0, scene.open, helpers, *against)
    return Setup(dice, lines_of(mine, *aid, theirs))


def known_skill(fighter: Fighter, word: str) -> str:
    """A skill or an attribute as the rules spell it; Refused where the fighter has no such thing."""
    known = (*ATTRIBUTES, *SKILLS, *fighter.sheet["skills"])
    return known_word(fighter, word.strip(), known, "skill or attribute", "STEP-2")


def assets(intent: Intent, rule: str, otherwise: int = 0) -> int:
    """STEP-7: the assets that help, +1 each; that no two are of one kind is the player's word."""
    count: int = intent.get("assets", otherwise)
    if count < 0:
        refuse(intent, f"{count} assets are none", rule, final=True)
    return count


def helpers_of(scene: Scene, intent: Intent, skill: str) -> tuple[tuple[Helper, ...], list[Modifiers]]:
    """STEP-10: the helpers, and what they add to their own rolls."""
    helpers, aid = [], []
    for name in intent.get("aid", ()):
        why, _ = unable(CONDITIONS, scene.fighters[name])
        if why or name == intent.actor:
            refuse(intent, f"{name} is {why or 'doing it'} and cannot help", "STEP-10", final=True)
        sides, found = skilled(scene.fighters[name], "aid", skill, "STEP-10", name)
        aid.append(found)
        helpers.append(Helper(name, sides, found.total))
    return tuple(helpers), aid


def help_with(table: RuleTable, helpers: tuple[Helper, ...]) -> int:
    """STEP-10: what the helpers' rolls are worth to the fighter they help; they roll first."""
    helped, worth = False, 0
    for one in helpers:
        success, critical_failure = table.ask(help_roll, one)
        helped = helped or success
        worth += HINDRANCE * critical_failure
    return worth + AID * helped


def help_roll(table: RuleTable, one: Helper) -> tuple[bool, bool]:
    """STEP-10: whether a helper succeeds, and whether that is a critical failure."""
    table.label("aid", one.name, f"d{one.sides}")
    natural = table.ask(roll, one.sides)
    success = succeeds(natural, one.bonus, DIFFICULTY)
    total = total_of(natural, one.bonus)
    table.result(total=total, target=DIFFICULTY, success=success, **critical(natural))
    return success, not natural


def check(table: RuleTable, setup: CheckSetup) -> CheckResult:
    """STEP-6: the die, the modifiers and the help, at or above the difficulty; or STEP-9."""
    worth = table.ask(help_with, setup.helpers) if setup.helpers else 0
    added = {"added": worth} if worth else {}
    table.label("check", setup.who, f"d{setup.sides}")
    natural, bonus = table.ask(roll, setup.sides), setup.bonus + worth
    total, against = total_of(natural, bonus), setup.difficulty
    if setup.other:
        table.result(total=total, **added, **critical(natural))
        table.label("resist", setup.other, f"d{setup.other_sides}")
        theirs = table.ask(roll, setup.other_sides)
        against = total_of(theirs, setup.other_bonus)
        table.result(total=against, **critical(theirs))
        # STEP-9: a tie goes to the active side.
        success = compare((natural, bonus), (theirs, setup.other_bonus)) >= 0
    else:
        success = succeeds(natural, bonus, against)
        table.result(total=total, target=against, success=success, **added, **critical(natural))
    return CheckResult(success, total, against, extras(total) if success and setup.crisis else 0)


def reveal_found(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """STEP-16: a search that succeeds reveals the hidden fighter."""
    if setup.dice.finds and result.success:
        rival = intent.get("vs")[0]
        changes.end(rival, "hidden", "STEP-16")
        changes.mark(rival, STEALTH, 0, "STEP-16")


CHECK = Action(
    "Roll a skill or an attribute",
    "STEP-6",
    check_setup,
    reveal_found,
    check,
    window="any",
    options=("difficulty", "vs", "assets", "aid"),
    candidates=lambda scene, who: (),
    says="{actor} tries {skill}",
)

# The turn order, and what a turn begins with

GAIN = 4
"""STEP-15: AP at the start of each own turn."""
TIES = 24
"""How often a tie is rolled again before the order of naming settles it."""


def runner(fighter: Fighter) -> tuple[Runner, Modifiers]:
    """STEP-11: the mind die and its bonus; STEP-12: players go first among equals, and may agree on their order."""
    sides, found = skilled(fighter, "initiative", "mind", "STEP-11")
    return Runner(fighter.name, found.total, (not fighter.player,), sides, fighter.player), found


def score(table: RuleTable, one: Runner, tied_with: tuple[str, ...] = ()) -> int:
    """STEP-11; STEP-5: a critical failure counts as 1 before modifiers here (a reading)."""
    table.label("initiative", one.name, f"d{one.dice}", **tie(tied_with))
    natural = table.ask(roll, one.dice)
    total = total_of(natural, one.bonus)
    table.result(total=total, **critical(natural))
    return total


INIT = initiative_action(
    "STEP-11",
    runner,
    score,
    times=TIES,
    # STEP-12, STEP-13: a player who comes in goes ahead of an opponent with as much; copies may share a roll.
    ahead=lambda new, other: new.player and not other.player,
)


def start_turn(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-15: 4 AP, also in an extra turn (STEP-14); STEP-32: the dying take a wound; overwatch is over."""
    fighter = changes.fighter(intent.actor)
    if is_dead(fighter):
        return
    if is_dying(fighter):
        changes.adjust(fighter.name, "health", changes.number("STEP-32").add("dying", -1), "STEP-32")
    if not fighter.has("stunned"):
        changes.adjust(fighter.name, "ap", GAIN, "STEP-15")
    changes.mark(fighter.name, OVERWATCH, 0, "STEP-16")


PHASES = {"start-turn": Action("AP, and what dying takes", "STEP-15", no_setup, start_turn, window="table")}

# Movement

PART = "go part of the way, and on with the next AP"


def posture(fighter: Fighter) -> str:
    """STEP-17: "prone", "kneeling", or empty for a fighter who stands."""
    return "prone" if fighter.has("prone") else "kneeling" if fighter.has("kneeling") else ""


def in_posture(wanted: str) -> Requirement:
    """STEP-16: the actor is in the posture of this way of moving."""
    hints = {
        "prone": "crawl or rise",
        "kneeling": "crouch or rise",
        "": f"first: crisis act {'prone' if wanted == 'prone' else 'kneel'}",
    }

    def requirement(scene: Scene, intent: Intent) -> None:
        now = posture(scene.fighters[intent.actor])
        if now != wanted:
            how = f"is {now}" if now else f"is not {wanted}"
            refuse(intent, f"{intent.actor} {how} and cannot {intent.action}", "STEP-16", hints[now])

    return requirement


def lose_aim(changes: Changes, intent: Intent) -> None:
    """STEP-16: moving loses the aim."""
    changes.mark(intent.actor, AIM, 0, "STEP-16")


class SneakSetup(NamedTuple):
    """What the dice of sneaking depend on."""

    who: str
    sides: int
    bonus: int
    difficulty: int
    noticed: int
    """The highest Perception of the foes it hides from; 0: nobody is there."""
    most: int


class SneakResult(NamedTuple):
    """What sneaking came to."""

    success: bool
    total: int

    @property
    def word(self) -> str:
        """In one word."""
        return "unseen" if self.success else "seen"


def sneak_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: stealth at 4 or better, above the Perception of every foe able to act."""
    fighter = scene.fighters[intent.actor]
    most = pace(fighter) // 2
    no_farther(scene, intent, most, "STEP-16", UNIT.name, PART)
    sides, mine = skilled(fighter, "check", "stealth", "STEP-16")
    mine.asked(intent)
    watching = [foe for foe in scene.foes(fighter.name) if not unable(CONDITIONS, foe)[0]]
    noticed = max((perception(scene, foe.name) for foe in watching), default=0)
    goal = Modifiers("difficulty", "STEP-16").base("base", DIFFICULTY)
    dice = SneakSetup(fighter.name, sides, mine.total, DIFFICULTY, noticed, most)
    return Setup(dice, lines_of(mine, goal), known=most)


def sneak(table: RuleTable, setup: SneakSetup) -> SneakResult:
    """STEP-16: the stealth roll; seen below 4, or where a foe's Perception is at or above it."""
    table.label("check", setup.who, f"d{setup.sides}")
    natural = table.ask(roll, setup.sides)
    total, target = total_of(natural, setup.bonus), max(setup.difficulty, setup.noticed + 1)
    unseen = succeeds(natural, setup.bonus, target)
    table.result(total=total, target=target, success=unseen, **critical(natural))
    return SneakResult(unseen, total)


def sneak_effects(changes: Changes, intent: Intent, setup: Setup, result: SneakResult) -> None:
    """STEP-16: gone so far, still hidden or not, and what a search must reach from now on."""
    if (to := intent.get("to")) is not None:
        changes.move(intent.actor, to, "STEP-16")
    lose_aim(changes, intent)
    if result.success:
        changes.begin(intent.actor, "hidden", "STEP-16")
    else:
        changes.end(intent.actor, "hidden", "STEP-16")
    changes.mark(intent.actor, STEALTH, result.total if result.success else 0, "STEP-16")


def walk(title: str, most: Callable[[Fighter], int], ap: int, requirement: Requirement, says: str) -> Action:
    """The row of a way of going up to `most` tiles."""
    return move_action(
        title,
        "STEP-16",
        most,
        (Cost("ap", ap),),
        says,
        unit=UNIT,
        hint=PART,
        requires=(requirement,),
        also=lose_aim,
    )


def half_pace(fighter: Fighter) -> int:
    """STEP-16: tiles of a move at a crouch, or unseen."""
    return pace(fighter) // 2


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
    now = posture(scene.fighters[intent.actor])
    if (now, intent.action) not in POSTURE_COSTS:
        refuse(intent, f"{intent.actor} is {now or 'standing'} already", "STEP-16", final=True)
    then, ap = POSTURE_COSTS[now, intent.action]
    return Setup(then, (), (Cost("ap", ap, rule="STEP-16"),))


def take_posture(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-17: the one posture and not the other."""
    for one in ("prone", "kneeling"):
        if one == setup.dice:
            changes.begin(intent.actor, one, "STEP-16")
        else:
            changes.end(intent.actor, one, "STEP-16")


KNEEL = Action("Kneel", "STEP-16", posture_setup, take_posture, says="{actor} kneels")
MOVES = {
    "move": walk("Move up to Pace", pace, 1, in_posture(""), "{actor} moves"),
    "run": walk("Run up to twice Pace", lambda one: 2 * pace(one), 2, in_posture(""), "{actor} runs"),
    "crawl": walk("Crawl a tile, prone", lambda one: 1, 1, in_posture("prone"), "{actor} crawls"),
    "crouch": walk(
        "Move up to half Pace, kneeling", half_pace, 1, in_posture("kneeling"), "{actor} moves at a crouch"
    ),
    "sneak": walk(
        "Move unseen up to half Pace",
        half_pace,
        1,
        has("hidden", "STEP-16", hint="first: crisis act {who} hide"),
        "{actor} sneaks along",
    )._replace(setup=sneak_setup, rule=sneak, effects=sneak_effects),
    "kneel": KNEEL,
    "prone": KNEEL._replace(title="Lie down", says="{actor} lies down"),
    "rise": KNEEL._replace(title="Stand up", says="{actor} gets up"),
}

# Weapons and things in hand, hiding, aiming, overwatch

DRAW = {"light-weapons": 0, "heavy-weapons": 2}
"""STEP-16: AP of drawing a weapon by its skill; 1 for the rest."""


def draw_price(name: str, weapon: Mapping[str, Any]) -> tuple[Cost, ...]:
    """STEP-16: AP by the skill that the weapon is used with."""
    return (Cost("ap", DRAW.get(weapon_skill(weapon), 1), rule="STEP-16"),)


def magazine(name: str, weapon: Mapping[str, Any]) -> tuple[Cost, ...]:
    """STEP-16: a magazine, where they are counted."""
    return (Cost(f"magazines:{name}", 1, rule="STEP-16"),) if "magazines" in weapon else ()


def use_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: an item with uses left; what it does is the player's word."""
    items = scene.fighters[intent.actor].sheet["items"]
    name = intent.get("item") or (next(iter(items)) if len(items) == 1 else "")
    if name not in items:
        carried = f"{intent.actor} carries {', '.join(items) or 'nothing'}"
        refuse(intent, f"{intent.actor} must say what to use", "STEP-16", carried, final=True)
    uses = (Cost(f"uses:{name}", rule="STEP-16"),) if "uses" in items[name] else ()
    return Setup(name, (), uses, name)


def hide(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-16: hidden until it attacks or is noticed; what was rolled for sneaking counts no more."""
    changes.mark(intent.actor, STEALTH, 0, "STEP-16")


def take_aim(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-16: +1 on the next ranged attack, on top of any aim before."""
    aim = changes.fighter(intent.actor).marks.get(AIM, 0)
    changes.mark(intent.actor, AIM, aim + 1, "STEP-16")


def others_act(scene: Scene, intent: Intent) -> None:
    """STEP-16: overwatch is for a crisis, where there are others' turns."""
    if not scene.open:
        refuse(intent, "overwatch needs others' turns", "STEP-16", "open a crisis: crisis init WHO… --open")


def keep_watch(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-16: the AP are kept for attacks in others' turns."""
    changes.mark(intent.actor, OVERWATCH, 1, "STEP-16")


ACTIONS = {
    **MOVES,
    "draw": draw_action("STEP-16", says="{actor} draws the {gear}", price=draw_price),
    "reload": reload_action(
        "STEP-16",
        (Cost("ap", 2, "reload"),),
        loads="rounds",
        title="Fill a weapon from a magazine",
        says="{actor} reloads the {gear}",
        price=magazine,
    ),
    "use-item": Action(
        "Use a thing carried",
        "STEP-16",
        use_setup,
        no_effects,
        costs=(Cost("ap", 2, "ap"),),
        gear="items",
        candidates=each("use-item", "items", "item"),
        options=("item",),
        says={"": "{actor} uses the {gear} on {target}", "self": "{actor} uses the {gear}"},
    ),
    "hide": Action(
        "Hide where nobody looks",
        "STEP-16",
        no_setup,
        hide,
        costs=(Cost("ap", 3),),
        requires=(lacks("hidden", "STEP-16"),),
        sets={"hidden": True},
        ai=False,
        says="{actor} hides",
    ),
    "take-aim": Action(
        "Aim: +1 on the next shot",
        "STEP-16",
        no_setup,
        take_aim,
        costs=(Cost("ap", 2),),
        says="{actor} takes aim",
    ),
    "overwatch": Action(
        "End the turn, and attack in others' turns",
        "STEP-16",
        no_setup,
        keep_watch,
        ends_turn=True,
        requires=(others_act,),
        says="{actor} keeps watch, ready to fire",
    ),
}
