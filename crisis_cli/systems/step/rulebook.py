"""`step`: one exploding die against a difficulty, paid for in action points."""

from __future__ import annotations

from ...engine.kinds import OneOf, Whole
from ...engine.rule_change import RuleChange
from ...engine.system import Pool, System
from ...engine.unit import Unit
from .actions import ACTS, CHECK, INIT, MOVES, PHASES, STEALTH
from .areas import DODGED
from .attack import AIM, ATTACK, EXECUTE, OVERWATCH, THROW
from .defence import figures
from .healing import HEAL, NATURAL
from .options import COMMAND_OPTIONS
from .rolls import born
from .sheet import CONDITIONS, FELLED, NAME, SHEET, SKILLS, fallen, faults, follow, idle, start

TITLE = "one exploding die"
POOLS = {
    "health": Pool("Health", "STEP-3"),
    "nonlethal": Pool("non-lethal", "STEP-31", taken=True),
    "durability": Pool("armour", "STEP-29"),
    "ap": Pool("AP", "STEP-15", lasting=False, spent=True),
    "ammo": Pool("rounds", "STEP-21", gear="weapons", refill="reload", board="{left} in the {thing}"),
    "magazines": Pool("magazines", "STEP-16", gear="weapons"),
    "uses": Pool("uses", "STEP-16", gear="items"),
}
MARKS = {AIM: "crisis", OVERWATCH: "crisis", DODGED: "round", FELLED: "crisis", STEALTH: "crisis"}
CHANGES = (
    RuleChange(
        "ALL-6",
        2,
        "--mod counts for the first shot of an action only",
        lambda was, now: bool(was.intent.get("mod")) and len(was.rolls) > 1,
    ),
    RuleChange(
        "STEP-28",
        2,
        "at close range execute does three times the weapon's damage and twice the extras",
        lambda was, now: was.intent.action == "execute",
    ),
    RuleChange(
        "STEP-26",
        2,
        "a dodge that is not possible is refused, and a one-off dodges only with --react dodge",
        lambda was, now: (
            (was.intent.get("react") is not None or any(roll.what == "dodge" for roll in was.rolls))
            and (now is None or was.choices != now.choices)
        ),
    ),
    RuleChange(
        "STEP-22",
        2,
        "--penetrable is for projectiles, not for what is thrown",
        lambda was, now: bool(was.intent.get("penetrable")),
    ),
    RuleChange(
        "STEP-13",
        2,
        "the turn order lists every member of a group",
        lambda was, now: was.intent.action == "init" and bool(was.intent.get("group")),
    ),
)
"""Rules that gave something else when older journals were written."""
UNIT = Unit("tiles", "tiles")
RANGE = Whole(0, 100_000)
"""STEP-19: tiles."""
COVER = OneOf(("none", "light", "heavy", "total"))
"""STEP-22."""
DIFFICULTY = Whole(
    -99,
    99,
    {
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
    },
)
"""STEP-6."""
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "execute": EXECUTE,
    "heal": HEAL,
    "natural-healing": NATURAL,
    **MOVES,
    **ACTS,
}

SYSTEM = System(
    name=NAME,
    title=TITLE,
    sheet=SHEET,
    pools=POOLS,
    conditions=CONDITIONS,
    actions=ACTIONS,
    start=start,
    fallen_by=fallen,
    idle_by=idle,
    follow=follow,
    derived=figures,
    check_sheet=faults,
    complete_sheet=born,
    phases=PHASES,
    marks=MARKS,
    changes=CHANGES,
    skills=tuple(SKILLS),
    command_options=COMMAND_OPTIONS,
    unit=UNIT,
    range=RANGE,
    cover=COVER,
    difficulty=DIFFICULTY,
)
