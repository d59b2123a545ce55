"""`d100`: at or under a rating, with Actions and Small Actions."""

from __future__ import annotations

from ...play.rule_change import RuleChange
from ...play.scene import spaced
from ..kinds import Absent, Whole
from ..system import Made, Pool
from . import attack, checks, turns
from .actions import PHASES, READY, TURNED
from .acts import ACTS
from .conditions import CONDITIONS, fallen, follow, idle
from .heal import HEAL
from .sheet import NAME, SHEET, faults, start
from .switches import SWITCHES

__all__ = [
    "ACTIONS", "CONDITIONS", "COVER", "DIFFICULTY", "HELD", "MARKS", "NAME", "PHASES", "POOLS", "RANGE", "SHEET",
    "SIDE_POOLS", "SWITCHES", "TITLE", "UNIT", "apart", "fallen", "faults", "follow", "idle", "start",
]  # fmt: skip

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
        made_of=Made("actions", gives=TURNED),
    ),
    "ammo": Pool("shots", "D100-22"),
    "uses": Pool("uses", "D100-28"),
}
SIDE_POOLS: dict[str, Pool] = {}
MARKS = {"readied": "crisis"}
"""D100-11: it has an end of its own."""
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
UNIT = "m"
apart = spaced
RANGE = Whole(0, 100_000)
"""D100-19: metres."""
COVER = Absent("cover")
DIFFICULTY = Absent("difficulty")
ACTIONS = {
    "check": checks.CHECK,
    "init": turns.INIT,
    "attack": attack.ATTACK,
    "throw": attack.THROW,
    "heal": HEAL,
    **ACTS,
    "ready": READY,
}
