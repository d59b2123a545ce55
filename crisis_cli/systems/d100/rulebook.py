"""`d100`: at or under a rating, with Actions and Small Actions."""

from __future__ import annotations

from ...rules import (
    READIED,
    Conversion,
    Mark,
    OutcomeWord,
    Output,
    Pool,
    RollWords,
    RuleChange,
    System,
    Whole,
)
from .actions import ACTIONS as ACTS
from .actions import CONDITIONS, PHASES, TURNED
from .attack import ATTACK, THROW
from .checks import CHECK, INIT
from .options import COMMAND_OPTIONS
from .sheet import NAME, SHEET, faults, figures, start

TITLE = "at or under a rating, Actions and Small Actions"
POOLS = {
    "health": Pool("Health", "D100-1"),
    "actions": Pool("Actions", "D100-10", lasting=False, spent=True, renewed=True),
    "small-actions": Pool(
        "Small Actions",
        "D100-10",
        lasting=False,
        spent=True,
        renewed=True,
        made_of=Conversion("actions", gives=TURNED),
    ),
    "ammo": Pool("shots", "D100-22", gear="weapons", refill="reload", board="{left} in the {thing}"),
    "uses": Pool("uses", "D100-28", gear="items"),
}
MARKS = {READIED: Mark("crisis", "ready to {what}")}
"""D100-11: it has an end of its own."""
ROLLS = {"dodge": RollWords("out of the way", "too late")}
WORDS = {"unnoticed": OutcomeWord("unnoticed", True), "noticed": OutcomeWord("noticed", False)}
OUTPUTS = {
    "metres": Output("how far the actor moved, in metres"),
    "healed": Output("the Health that a treatment gives, before the patient's maximum"),
    "mode": Output("how a firearm was fired: `single`, `semi` or `auto`"),
    "harm": Output("the damage that reaches Health"),
}
CHANGES = (
    RuleChange(
        "D100-17",
        2,
        "a d1 is not rolled",
        lambda was, now: (
            any(sides == 1 for sides, _ in was.faces)
            or (now is not None and was.rolls == now.rolls and was.modifiers != now.modifiers)
        ),
    ),
    RuleChange(
        "D100-23",
        2,
        "--react best looks only at the harm that can still be done",
        lambda was, now: now is None or was.choices != now.choices,
    ),
)
"""Rules that gave something else when older journals were written."""
HELD = frozenset({"health"})
"""D100-8: harm to the members of the acting group waits."""
RANGE = Whole(0, 100_000)
"""D100-19: metres."""
ACTIONS = {"check": CHECK, "init": INIT, "attack": ATTACK, "throw": THROW, **ACTS}

SYSTEM = System(
    name=NAME,
    title=TITLE,
    sheet=SHEET,
    pools=POOLS,
    conditions=CONDITIONS,
    actions=ACTIONS,
    start=start,
    derived=figures,
    check_sheet=faults,
    phases=PHASES,
    marks=MARKS,
    rolls=ROLLS,
    words=WORDS,
    outputs=OUTPUTS,
    changes=CHANGES,
    simultaneous=HELD,
    command_options=COMMAND_OPTIONS,
    range=RANGE,
)
