"""`d100`: at or under a rating, with Actions and Small Actions."""

from __future__ import annotations

from functools import partial

from ...rules import READIED, Conversion, Mark, OutcomeWord, Output, Pool, RollWords, RuleChange, System
from .actions import ACTIONS, CONDITIONS, PHASES, TURNED
from .options import COMMAND_OPTIONS
from .sheet import DISTANCES, NAME, SHEET, faults, figures, start

turn_pool = partial(Pool, rule="D100-10", lasting=False, spent=True, renewed=True)
SYSTEM = System(
    name=NAME,
    title="at or under a rating, Actions and Small Actions",
    sheet=SHEET,
    check_sheet=faults,
    start=start,
    derived=figures,
    pools={
        "health": Pool("Health", "D100-1"),
        "actions": turn_pool("Actions"),
        "small-actions": turn_pool("Small Actions", made_of=Conversion("actions", gives=TURNED)),
        "ammo": Pool("shots", "D100-22", gear="weapons", refill="reload", board="{left} in the {thing}"),
        "uses": Pool("uses", "D100-28", gear="items"),
    },
    conditions=CONDITIONS,
    # D100-11: it has an end of its own.
    marks={READIED: Mark("crisis", "ready to {what}")},
    actions=ACTIONS,
    phases=PHASES,
    rolls={
        "dodge": RollWords("out of the way", "too late"),
        "block": RollWords(stops="blocked", unit="damage"),
        "resist": RollWords(title="{who} resists {cause}"),
    },
    words={"unnoticed": OutcomeWord("unnoticed", True), "noticed": OutcomeWord("noticed", False)},
    outputs={
        "metres": Output("how far the actor moved, in metres"),
        "healed": Output("the Health that a treatment gives, before the patient's maximum"),
        "mode": Output("how a firearm was fired: `single`, `semi` or `auto`"),
        "harm": Output("the damage that reaches Health"),
    },
    # D100-8: harm to the members of the acting group waits.
    simultaneous=frozenset({"health"}),
    command_options=COMMAND_OPTIONS,
    range=DISTANCES,
    changes=(
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
    ),
)
