"""`2d20`: d20s at or under attribute + skill, combat dice, and Action Points that a side shares."""

from __future__ import annotations

from ...rules import READIED, Mark, Output, RollWords, RuleChange, System, Unit, Whole
from .actions import ACTIONS as ACTS
from .actions import CHECK, MOVED
from .attack import AIM, ATTACK, ATTACKED, DEFENDING, REACH, THROW, zones
from .checks import ASSISTS, COMMANDED, POOLS, SIDE_POOLS, side_start
from .damage import BROKEN, BURNING
from .health import FIRST_AID, HEAL, INIT, PHASES
from .options import COMMAND_OPTIONS, SKILLS
from .sheet import BANDS, CONDITIONS, NAME, SHEET, Cover, derived_values, faults, limit_hp, start

TITLE = "d20s at or under attribute + skill, combat dice"
UNIT = Unit("zones", "zones", metres=5, beside=0)
MARKS = {
    AIM: Mark("turn", "has taken aim"),
    **dict.fromkeys((ATTACKED, MOVED), Mark("turn")),
    ASSISTS: Mark("crisis", "helps {what}"),
    COMMANDED: Mark("crisis", "has been told to act"),
    DEFENDING: Mark("crisis", "on guard, +{count}"),
    READIED: Mark("crisis", "ready to {what}"),
    REACH: Mark("crisis", "in reach of {what}"),
    BROKEN: Mark("crisis", "armour broken by {count}: {what}"),
    BURNING: Mark("crisis"),
}
"""Those of a turn are cleared where the next own turn begins."""
ROLLS = {"resist": RollWords("holds on", "gives way")}
OUTPUTS = {
    "at": Output("the zone that a blast was aimed at, `[x, y]`"),
    "zones": Output("how far the actor moved, in zones"),
    "spent": Output("AP spent on it after the dice have fallen", "{value} AP spent on it."),
    "wanted": Output(
        "AP that were to be spent on it, where there were fewer",
        "More AP than that could not be had: {value} were wanted.",
    ),
    "suggestion": Output(
        "what a complication may do (`empty`, `drop`), or what comes next (`obey`)",
        {
            "empty": "A complication: perhaps the magazine is empty (--complication empty).",
            "drop": "A complication: perhaps something slips, breaks, or is heard.",
            "obey": "It is done now, before the turn ends: crisis attack TARGET --by WHO.",
        },
        unless="complication",
    ),
    "healed": Output("the HP that first aid gives, before the patient's maximum"),
}
CHANGES = (
    RuleChange(
        "2D20-7",
        2,
        "the GM's side starts with one AP per player character, whatever side --vs puts others on",
        lambda was, now: was.intent.action in ("init", "join"),
    ),
    RuleChange(
        "2D20-24",
        2,
        "the total of a damage roll counts what vicious and circumstance add",
        lambda was, now: (
            any(roll.what == "damage" and roll.reckoning.get("effects") for roll in was.rolls)
            or any(one.roll == "damage" for one in was.modifiers)
        ),
    ),
    RuleChange(
        "2D20-11",
        2,
        "help given again to the same ally with the same skill goes on",
        lambda was, now: was.intent.action in ("assist", "command"),
    ),
)
"""Rules that gave something else when older journals were written."""
RANGE = Whole(0, 1000, {band: zones for zones, band in enumerate(BANDS)})
"""2D20-15: a band, or zones."""
DIFFICULTY = Whole(0, 20)
"""2D20-5: successes."""
COVER = Cover()
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "heal": HEAL,
    "first-aid": FIRST_AID,
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
    consequences=limit_hp,
    derived=derived_values,
    check_sheet=faults,
    phases=PHASES,
    marks=MARKS,
    rolls=ROLLS,
    counted=("complications",),
    outputs=OUTPUTS,
    side_pools=SIDE_POOLS,
    side_start=side_start,
    changes=CHANGES,
    skills=tuple(SKILLS),
    command_options=COMMAND_OPTIONS,
    unit=UNIT,
    distance=zones,
    range=RANGE,
    cover=COVER,
    difficulty=DIFFICULTY,
)
