"""`d100`: at or under a rating, with Actions and Small Actions (D100-1 to D100-29)."""

from __future__ import annotations

from functools import partial

from ...rules import (
    Conversion,
    History,
    Mark,
    OutcomeText,
    OutputField,
    Pool,
    RollText,
    RuleChange,
    SheetRules,
    Space,
    System,
    Texts,
)
from .actions import ACTIONS, READYABLE
from .attacks import REACH
from .options import COMMAND_OPTIONS
from .sheet import ANYTHING, DISTANCES, NAME, SHEET, faults, figures, start
from .turns import CONDITIONS, PHASES, TURNED

# The rulebook

turn_pool = partial(Pool, rule="D100-10", lasting=False, spent=True, renewed=True)
SYSTEM = System(
    name=NAME,
    title="at or under a rating, Actions and Small Actions",
    sheet=SHEET,
    sheet_rules=SheetRules(check=faults, derived=figures, unlisted_weapons=(ANYTHING,)),
    start=start,
    pools={
        "health": Pool("Health", "D100-1"),
        "actions": turn_pool("Actions"),
        "small-actions": turn_pool("Small Actions", made_of=Conversion("actions", gives=TURNED)),
        "ammo": Pool(
            "shots",
            "D100-22",
            gear="weapons",
            refill="reload",
            board="{left} in the {thing}",
            counts_things=lambda weapon: weapon["kind"] == "thrown",
            full="capacity",
        ),
        "uses": Pool("uses", "D100-28", gear="items", full="uses", loose=True),
    },
    conditions=CONDITIONS,
    # D100-11: it has an end of its own.
    marks={"readied": Mark("crisis", "ready to {what}")},
    actions=ACTIONS,
    phases=PHASES,
    says=Texts(
        outputs={
            "metres": OutputField("how far the actor moved, in metres"),
            "healed": OutputField("the Health that a treatment gives, before the patient's maximum"),
            "mode": OutputField("how a firearm was fired: `single`, `semi` or `auto`"),
            "harm": OutputField("the damage that reaches Health"),
        },
        rolls={
            "dodge": RollText("out of the way", "too late"),
            "block": RollText(stops="blocked", unit="damage"),
            "resist": RollText(title="{who} resists {cause}"),
        },
        words={"unnoticed": OutcomeText("unnoticed", True), "noticed": OutcomeText("noticed", False)},
    ),
    # D100-8: harm to the members of the acting group waits.
    simultaneous=frozenset({"health"}),
    command_options=COMMAND_OPTIONS,
    space=Space(reach=REACH, range=DISTANCES),
    history=History(
        (
            RuleChange(
                "D100-17",
                2,
                "a d1 is not rolled",
                touches=lambda was, now: (
                    any(sides == 1 for sides, _ in was.faces)
                    or (now is not None and was.rolls == now.rolls and was.modifiers != now.modifiers)
                ),
            ),
            RuleChange(
                "D100-23",
                2,
                "--react best looks only at the harm that can still be done",
                touches=lambda was, now: now is None or was.choices != now.choices,
            ),
            RuleChange(
                "D100-8",
                6,
                "harm that waits for the end of a group's turn counts in full",
                touches=lambda was, now: any(event.what == "pending" for event in was.events),
            ),
            RuleChange(
                "D100-11",
                6,
                "a Small Action sets off a readied action in one's own turn too",
                READYABLE,
                lambda was, now: (
                    now is not None
                    and any(event.what == "actions" for event in was.events)
                    and not any(event.what == "actions" for event in now.events)
                ),
            ),
            RuleChange(
                "D100-29",
                6,
                "a thrown firearm leaves the hand",
                ("attack", "throw"),
                lambda was, now: now is not None and any(event.what == "held" for event in now.events),
            ),
            RuleChange(
                "D100-14",
                6,
                "a run is one straight line",
                ("run",),
                lambda was, now: now is None or was != now,
            ),
            RuleChange(
                "D100-23",
                6,
                "block and dodge are possible in one's own turn too",
                ("attack", "throw"),
                lambda was, now: now is not None and was.choices != now.choices,
            ),
        )
    ),
)
