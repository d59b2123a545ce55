"""`step`: one exploding die against a difficulty, paid for in action points."""

from __future__ import annotations

from ...rules import (
    History,
    Mark,
    OutcomeText,
    OutputField,
    Pool,
    Rest,
    RollText,
    RuleChange,
    SheetRules,
    System,
    Texts,
    Whole,
)
from .attacks import DODGED, derived
from .checks import AIM, CHECK, INIT, OVERWATCH, PHASES, STEALTH, born, face_words
from .damage import ATTACK, EXECUTE, THROW
from .healing import HEAL, NATURAL
from .movement import ROWS
from .options import COMMAND_OPTIONS
from .sheet import CONDITIONS, FELLED, NAME, SHEET, SKILLS, SPACE, TURN_AP, consequences, faults, start

FIRE = ("attack", "throw")
FIRST = "--mod counts for the first shot of an action only"
ORDER = "the order lists all members of a group"
DODGING = "a dodge that is not possible is refused, and a one-off dodges only with --react dodge"
SPARING = "who is spared is down for ten rounds, and is not killed by the body roll of an execution"
HIDING = "nobody hides in plain view, and nobody attacks who is hidden and not noticed"
BLASTS = "each target of an area weapon gets its own shot, or stands where a blast reaches"
CHANGES = (
    RuleChange(
        "ALL-6", 2, FIRST, touches=lambda was, now: bool(was.intent.get("mod")) and len(was.rolls) > 1
    ),
    RuleChange("STEP-28", 2, "an execution at close range triples damage and doubles extras", ("execute",)),
    RuleChange(
        "STEP-26",
        2,
        DODGING,
        touches=lambda was, now: (
            (was.intent.get("react") is not None or any(roll.what == "dodge" for roll in was.rolls))
            and (now is None or was.choices != now.choices)
        ),
    ),
    RuleChange(
        "STEP-22", 2, "--penetrable is for projectiles", touches=lambda was, now: was.intent.get("penetrable")
    ),
    RuleChange("STEP-13", 2, ORDER, ("init",), lambda was, now: was.intent.get("group")),
    RuleChange("STEP-16", 3, HIDING, ("hide", *FIRE), lambda was, now: now is None),
    RuleChange("STEP-16", 4, "only a weapon to shoot or throw is aimed", ("take-aim",)),
    RuleChange("STEP-21", 6, BLASTS, FIRE, lambda was, now: len(was.intent.targets) > 1),
    RuleChange(
        "STEP-26",
        6,
        "a dodger goes to a whole tile, and into no wall",
        FIRE,
        lambda was, now: any(event.rule == "STEP-26" and event.what == "at" for event in was.events),
    ),
    RuleChange(
        "STEP-33",
        6,
        SPARING,
        (*FIRE, "execute"),
        lambda was, now: any(event.rule == "STEP-33" for event in (now or was).events),
    ),
)
"""Rules that gave something else when older journals were written."""
DIFFICULTY_WORDS = {
    "trivial": 0,
    "routine": 1,
    "simple": 2,
    "easy": 3,
    "normal": 4,
    "demanding": 5,
    "challenging": 8,
    "hard": 12,
    "very-hard": 16,
    "very hard": 16,
    "impossible": 20,
}
"""STEP-6."""
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "execute": EXECUTE,
    "heal": HEAL,
    "natural-healing": NATURAL,
    **ROWS,
}
SYSTEM = System(
    name=NAME,
    title="one exploding die",
    sheet=SHEET,
    pools={
        "health": Pool("Health", "STEP-3"),
        "nonlethal": Pool("non-lethal", "STEP-31", counts_up=True),
        "durability": Pool("armour", "STEP-29", not_vital=True),
        "ap": Pool("AP", "STEP-15", lasting=False, spent=True, gain=TURN_AP),
        "ammo": Pool.rounds("STEP-21", "reload"),
        "magazines": Pool("magazines", "STEP-16", gear="weapons", full="magazines", loose=True),
        "uses": Pool("uses", "STEP-16", gear="items", full="uses", loose=True),
    },
    conditions=CONDITIONS,
    actions=ACTIONS,
    start=start,
    consequences=consequences,
    sheet_rules=SheetRules(check=faults, derived=derived, rolled=born),
    phases=PHASES,
    marks={
        AIM: Mark("crisis", "aiming, +{count}"),
        OVERWATCH: Mark("crisis", "keeps watch"),
        DODGED: Mark("round", "has dodged"),
        FELLED: Mark("crisis"),
        STEALTH: Mark("crisis", "stealth {count}"),
    },
    says=Texts(
        outputs={
            "at": OutputField("where an attack on an area went off, `[x, y]`; of several shots the last"),
            "off": OutputField("how many tiles from the aimed-at tile that was"),
            "tiles": OutputField("how far the actor moved, in tiles"),
            "hits": OutputField("how many attack rolls hit"),
            "extras": OutputField("how many extras a check has earned"),
            "healed": OutputField("how many wounds a treatment can heal"),
        },
        rolls={
            "dodge": RollText("out of the way", "too late"),
            "aid": RollText("that helps", "no help"),
            "resist": RollText("success", "failure", title="{who} resists {cause}"),
        },
        words={
            "healed": OutcomeText("it helps", True),
            "stabilised": OutcomeText("stabilised", True),
            "rested": OutcomeText("time passes"),
            "unseen": OutcomeText("unseen", True),
            "seen": OutcomeText("seen", False),
            "critical_failure": OutcomeText("a critical failure"),
        },
        counted=("extras",),
        face_words=face_words,
    ),
    rest=Rest("natural-healing"),
    history=History(CHANGES),
    skills=SKILLS,
    command_options=COMMAND_OPTIONS,
    space=SPACE,
    difficulty=Whole(-99, 99, DIFFICULTY_WORDS),
)
