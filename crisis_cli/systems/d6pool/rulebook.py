"""`d6pool`: count exploding d6 at or over a minimum roll; actions kept for reactions."""

from __future__ import annotations

from typing import Any

from ...rules import (
    History,
    Mark,
    OneOf,
    OutcomeText,
    OutputField,
    Pool,
    Rest,
    RollText,
    RuleChange,
    SheetRules,
    Space,
    System,
    Texts,
    Whole,
)
from . import actions, attacks, rolls, sheet, turns
from .options import COMMAND_OPTIONS


def sells_reactions(entry: Any) -> bool:
    """Whether somebody was offered a reaction for a die (POOL-15)."""
    offered = [name for choice in entry.choices for name in choice.offered] if entry else []
    return any(name.startswith(tuple(f"{way}-" for way in attacks.DEFENCES)) for name in offered)


NOTED = "what was paid into a long action and is lost is noted with the rule of d6pool"
BOUGHT = "a fighter without an action left may react for a bonus die or a destiny die"
LUCK = "a roll with bonus and destiny dice is one roll, and the dice may be spent on every roll of one's own"
WALKED = "a walk with no action after it makes the first reaction harder"
STOLEN = "circumstance and a second weapon count among the actions that can be stolen"
STUCK = "a stuck weapon gives no coup de grâce"
DROPPED = "a weapon that was dropped or thrown away weighs nothing"
CHANGES = (
    RuleChange("POOL-12", 2, NOTED, (), lambda was, now: any(event.rule == "3D6-12" for event in was.events)),
    RuleChange("POOL-15", 2, BOUGHT, (), lambda was, now: sells_reactions(now) and not sells_reactions(was)),
    RuleChange(
        "POOL-7",
        2,
        LUCK,
        touches=lambda was, now: (
            not now or was.choices != now.choices or any("part" in roll.about for roll in was.rolls)
        ),
    ),
    RuleChange(
        "POOL-12",
        6,
        WALKED,
        touches=lambda was, now: any(
            event.what == "mark:walked" for entry in (was, now) if entry for event in entry.events
        ),
    ),
    RuleChange("POOL-15", 6, STOLEN, ("steal-action",), lambda was, now: now is None),
    RuleChange("POOL-24", 6, STUCK, ("coup-de-grace",), lambda was, now: now is None),
    RuleChange(
        "POOL-2",
        6,
        DROPPED,
        ("attack", "throw"),
        lambda was, now: was.intent.get("disarm") or any(roll.what == "dodge" for roll in was.rolls),
    ),
)

SYSTEM = System(
    name=sheet.NAME,
    title="exploding d6 counted, and reactions",
    sheet=sheet.SHEET,
    pools={
        "wounds": Pool("wounds", "POOL-37", counts_up=True),
        "boost": Pool("boosts", "POOL-39", not_vital=True),
        "actions": Pool(
            "actions", "POOL-11", lasting=False, spent=True, renewed=True, long="POOL-12"
        )._replace(a_turn=attacks.actions_a_turn),
        "bonus-dice": Pool("bonus dice", "POOL-7", not_vital=True),
        "destiny-dice": Pool("destiny dice", "POOL-7", not_vital=True),
        "rerolls": Pool("re-rolls", "POOL-7", not_vital=True),
        "protection": Pool("protection", "POOL-24", lasting=False, takes_harm=True),
        "ammo": Pool.rounds("POOL-18", "reload")._replace(
            counts_things=lambda weapon: "throw" in sheet.modes_of(weapon)
        ),
        "uses": Pool("uses", "POOL-39", gear="items", full="uses", loose=True),
    },
    conditions=sheet.CONDITIONS,
    actions=actions.ACTIONS,
    start=sheet.start,
    consequences=sheet.consequences,
    sheet_rules=SheetRules(
        check=sheet.faults,
        derived=lambda fighter: {"evasion": sheet.evasion_of(fighter)},
        single_things=("shield",),
    ),
    phases=turns.PHASES,
    marks={
        attacks.AIM: Mark("crisis", "aiming, +{count}", lost_by="POOL-20"),
        attacks.ACCURATE: Mark("crisis", "taking time, +{count}", lost_by="POOL-20"),
        attacks.RECOIL: Mark("round", "recoil of {count}", lost_by="POOL-20"),
        attacks.SUPPORTED: Mark("crisis", "{what} supported", lost_by="POOL-20"),
        rolls.WALKED: Mark("next turn", "has walked", lost_by="POOL-20"),
        "paid": Mark("crisis", lost_by="POOL-20"),
        attacks.RAISED: Mark("crisis", holds_round=True),
        sheet.DROPPED: Mark("crisis", "{what} dropped"),
        attacks.STOLEN: Mark("crisis", "{count} of the next turn's actions stolen"),
        attacks.REACTIONS.mark: Mark("crisis"),
    },
    says=Texts(
        outputs={
            "at": OutputField("where a throw landed that missed, `[x, y]`"),
            "off": OutputField("how far from its target it landed, in metres"),
            "metres": OutputField("how far the actor moved, in metres"),
            "spent": OutputField("what the target spent on its rolls after they had failed"),
            "healed": OutputField("the wounds that a rest heals"),
            "criticals": OutputField("how many of the hits are critical"),
            "mode": OutputField("how the weapon was used"),
            "harm": OutputField("the wounds of hits that nobody rolled for"),
        },
        rolls={
            "alert": RollText("quick reaction", "no quick reaction"),
            "resist": RollText("succeeds", "fails", title="{who} resists {cause}"),
            "parry": RollText(stops="parried"),
            "cover": RollText(stops="stopped"),
            "dodge": RollText("all hits dodged", "no hit dodged"),
        },
        words={
            "lost": OutcomeText("too late, the action is lost", False),
            "stabilised": OutcomeText("stabilised", True),
            "rested": OutcomeText("time passes"),
        },
    ),
    reactions=attacks.REACTIONS,
    rest=Rest("rest", 6),
    history=History(CHANGES),
    skills=tuple(sheet.SKILLS),
    command_options=COMMAND_OPTIONS,
    space=Space(range=Whole(0, 100_000), cover=OneOf(("none", *attacks.COVERS))),  # POOL-21, POOL-22
    difficulty=rolls.DIFFICULTY,
)
