"""`3d6`: three dice against a defence, paid for in action points."""

from __future__ import annotations

from ...rules import OneOf, Output, Pool, RuleChange, System, Whole
from .actions import ACTIONS as ACTS
from .actions import CHECK, INIT, PHASES
from .attack import ATTACK, THROW, derived
from .health import CONDITIONS, HEAL, USE_ITEM
from .options import COMMAND_OPTIONS
from .sheet import FIELDS, NAME, SHEET, SKILLS, faults, start

TITLE = "three dice and action points"
POOLS = {
    "endurance": Pool("Endurance", "3D6-3"),
    "health": Pool("Health", "3D6-3"),
    "durability": Pool("armour", "3D6-25"),
    "ap": Pool("AP", "3D6-11", lasting=False, spent=True, long="3D6-12"),
    "ammo": Pool("rounds", "3D6-25", gear="weapons", refill="reload", board="{left} in the {thing}"),
    "uses": Pool("uses", "3D6-29", gear="items"),
}
CHANGES = (
    RuleChange(
        "3D6-29",
        2,
        "a spent item is refused, also where the patient is unhurt",
        lambda was, now: was.intent.action in ("heal", "use-item"),
    ),
)
"""Rules that gave something else when older journals were written."""
RANGE = Whole(0, 100_000)
"""3D6-23: metres."""
COVER = OneOf(("none", "light", "heavy", "total"))
"""3D6-21."""
DIFFICULTY = Whole(-99, 99)
"""3D6-5."""
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "heal": HEAL,
    "use-item": USE_ITEM,
    **ACTS,
}
OUTPUTS = {
    "at": Output("where a thing landed that missed, `[x, y]`"),
    "off": Output("how far from its target it landed"),
    "metres": Output("how far the actor moved, in metres"),
    "criticals": Output("how many sixes a hit had, with a weapon that has critical hits"),
    "damage": Output("the damage before armour"),
}
"""What actions report."""

SYSTEM = System(
    name=NAME,
    title=TITLE,
    sheet=SHEET,
    pools=POOLS,
    conditions=CONDITIONS,
    actions=ACTIONS,
    start=start,
    derived=derived,
    check_sheet=faults,
    phases=PHASES,
    outputs=OUTPUTS,
    changes=CHANGES,
    skills=(*SKILLS, *FIELDS),
    command_options=COMMAND_OPTIONS,
    range=RANGE,
    cover=COVER,
    difficulty=DIFFICULTY,
)
