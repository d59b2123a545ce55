"""`3d6`: three dice against a defence, paid for in action points."""

from __future__ import annotations

from ...rules import Action, OneOf, Output, Pool, RuleChange, System, Whole
from .actions import ACTIONS, CONDITIONS, derived, gain_ap
from .sheet import FIELDS, NAME, SHEET, SKILLS, faults, start

HIDING = "nobody hides in plain view, and nobody attacks who is hidden and not noticed"
SYSTEM = System(
    name=NAME,
    title="three dice and action points",
    sheet=SHEET,
    check_sheet=faults,
    start=start,
    derived=derived,
    pools={
        "endurance": Pool("Endurance", "3D6-3"),
        "health": Pool("Health", "3D6-3"),
        "durability": Pool("armour", "3D6-25", harmless=True),
        "ap": Pool("AP", "3D6-11", lasting=False, spent=True, long="3D6-12"),
        "ammo": Pool("rounds", "3D6-25", gear="weapons", refill="reload", board="{left} in the {thing}"),
        "uses": Pool("uses", "3D6-29", gear="items"),
    },
    conditions=CONDITIONS,
    actions=ACTIONS,
    phases={"start-round": Action("All gain AP", "3D6-10", effects=gain_ap, window="table")},
    outputs={
        "at": Output("where a thing landed that missed, `[x, y]`"),
        "off": Output("how far from its target it landed"),
        "metres": Output("how far the actor moved, in metres"),
        "criticals": Output("how many sixes a hit had, with a weapon that has critical hits"),
        "damage": Output("the damage before armour"),
    },
    skills=(*SKILLS, *FIELDS),
    range=Whole(0, 100_000),
    cover=OneOf(("none", "light", "heavy", "total")),
    difficulty=Whole(-99, 99),
    changes=(
        RuleChange(
            "3D6-29", 2, "a spent item is refused, also where the patient is unhurt", ("heal", "use-item")
        ),
        RuleChange("3D6-14", 3, HIDING, ("hide", "attack", "throw"), lambda was, now: now is None),
        RuleChange(
            "3D6-14", 3, HIDING, ("check",), lambda was, now: now is not None and now.events != was.events
        ),
    ),
)
