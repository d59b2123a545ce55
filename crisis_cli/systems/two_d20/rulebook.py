"""`2d20`: d20s at or under attribute + skill, combat dice, and Action Points that a side shares."""

from __future__ import annotations

from functools import partial

from ...rules import History, OutputField, RollText, RuleChange, SheetRules, Space, System, Texts, Whole
from . import sheet
from .actions import ACTIONS
from .attacks import ANYTHING, BLAST, TOO_HIGH
from .checks import side_start
from .damage import face_words
from .options import COMMAND_OPTIONS, SKILLS
from .turns import PHASES

OUTPUTS = {
    "at": OutputField("the zone that a blast was aimed at, `[x, y]`"),
    "zones": OutputField("how far the actor moved, in zones"),
    "spent": OutputField("AP spent on it after the dice have fallen", "{value} AP spent on it."),
    "wanted": OutputField("AP wanted where fewer were there", "{value} AP were wanted; no more were there."),
    "unspent": OutputField("AP that would heal nothing", "{value} AP would heal nothing, and are kept."),
    "suggestion": OutputField(
        "what a complication may do (`empty`, `drop`), or what comes next (`obey`)",
        {
            "empty": "A complication: perhaps the magazine is empty (--complication empty).",
            "drop": "A complication: perhaps something slips, breaks, or is heard.",
            "obey": "It is done now, before the turn ends: crisis attack TARGET --by WHO.",
        },
        unless="complication",
    ),
    "further": OutputField(
        "further targets of a burst that the player chose", "The burst goes on to {value}."
    ),
    "healed": OutputField("the HP that first aid gives, before the patient's maximum"),
}
ATTACKS = ("attack", "throw")
GM_AP = "the GM's side starts with one AP per player character, whatever side --vs puts others on"
refused = partial(RuleChange, touches=lambda was, now: now is None)
CHANGES = (
    RuleChange("2D20-7", 2, GM_AP, ("init", "join")),
    RuleChange(
        "2D20-24",
        2,
        "the total of a damage roll counts what vicious and circumstance add",
        touches=lambda was, now: (
            any(roll.what == "damage" and roll.reckoning.get("effects") for roll in was.rolls)
            or any(line.roll == "damage" for line in was.modifiers)
        ),
    ),
    RuleChange(
        "2D20-11", 2, "help given again to the same ally with the same skill goes on", ("assist", "command")
    ),
    RuleChange("2D20-11", 6, "defending again is against the defense that the first one gave", ("defend",)),
    refused("2D20-11", 6, "a thrown weapon of which none is left is not drawn", ("draw",)),
    RuleChange(
        "2D20-12",
        6,
        "a blast counts whether the one it is aimed at is prone",
        ATTACKS,
        lambda was, now: any(line.name == BLAST for line in was.modifiers),
    ),
    RuleChange(
        "2D20-15",
        6,
        "dropping prone in place ends no reach",
        ("move", "sprint"),
        lambda was, now: bool(was.intent.get("prone")),
    ),
    RuleChange(
        "2D20-28",
        6,
        "the last of a thrown weapon leaves the hand",
        ATTACKS,
        lambda was, now: now is not None and any(event.what == "held" for event in now.events),
    ),
    refused("2D20-23", 6, "a chem that heals is refused to the dying and the dead", ("take-chem",)),
    RuleChange("2D20-27", 4, "AP that would heal nothing are not spent on first aid", ("heal", "first-aid")),
)
"""Rules that gave something else when older journals were written."""

SYSTEM = System(
    name=sheet.NAME,
    title="d20s at or under attribute + skill, combat dice",
    sheet=sheet.SHEET,
    pools=sheet.POOLS,
    conditions=sheet.CONDITIONS,
    actions=ACTIONS,
    start=sheet.start,
    sheet_rules=SheetRules(check=sheet.faults, derived=sheet.shown_values, unlisted_weapons=(ANYTHING,)),
    consequences=sheet.limit,
    phases=PHASES,
    marks=sheet.MARKS,
    says=Texts(
        outputs=OUTPUTS,
        rolls={
            "resist": RollText("succeeds", "fails", title="{who} resists {cause}"),
            "damage": RollText(title="{who} suffers {cause}"),
        },
        counted=("complications",),
        face_words=face_words,
    ),
    side_pools=sheet.SIDE_POOLS,
    side_start=side_start,
    history=History(CHANGES, {"highest HP": TOO_HIGH}),
    skills=tuple(SKILLS),
    importers=(f"{__package__}.foundry:FOUNDRY",),
    command_options=COMMAND_OPTIONS,
    space=Space(
        unit="zones",
        moved="zones",
        metres=5,
        beside=0,
        apart=1,
        distance=sheet.zones,
        range=Whole(0, 1000, {band: zones for zones, band in enumerate(sheet.BANDS)}),
        cover=sheet.CoverValue(),
    ),
    difficulty=Whole(0, 20),
)
"""Ranges are bands, or zones (2D20-15); difficulties are successes (2D20-5)."""
