"""`2d20`: d20s at or under attribute + skill, combat dice, and Action Points that a side shares."""

from __future__ import annotations

from typing import Any

from ...engine.cost import BOUGHT
from ...engine.kinds import Fault, Whole
from ...engine.rule_change import RuleChange
from ...engine.system import System
from ...engine.unit import Unit
from ...rules.ready_action import READIED
from . import attack, checks, heal
from .acts import ACTS
from .allies import ALLIES
from .arms import DEFENDING, REACH, zones
from .attack import ATTACKED
from .conditions import CONDITIONS, fallen, follow, idle
from .harm import BROKEN, BURNING, DICE, level_of
from .moves import MOVED, MOVES
from .options import COMMAND_OPTIONS
from .pools import COMMANDED, POOLS, SIDE_POOLS, side
from .rolls import AIM, ASSISTS
from .sheet import BANDS, NAME, SHEET, faults, figures, start
from .turns import INIT, PHASES
from .words import SKILLS

TITLE = "d20s at or under attribute + skill, combat dice"
UNIT = Unit("zones", "zones", metres=5, beside=0)
MARKS = {
    **dict.fromkeys((AIM, ATTACKED, MOVED, BOUGHT), "turn"),
    **dict.fromkeys((ASSISTS, COMMANDED, DEFENDING, READIED, REACH, BROKEN, BURNING), "crisis"),
}
"""Those that last until the next own turn are cleared where it begins."""
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
)
"""Rules that gave something else when older journals were written."""
MOST_COVER = 10
RANGE = Whole(0, 1000, {band: zones for zones, band in enumerate(BANDS)})
"""2D20-15: a band, or zones."""
DIFFICULTY = Whole(0, 20)
"""2D20-5: successes."""


class Cover:
    """A word for cover, or a number of combat dice (2D20-20)."""

    words = (*DICE, "total")

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> str:
        """The cover, by its word where it has one."""
        word = str(value).lower()
        if word in self.words:
            return word
        if word.isascii() and word.isdigit() and int(word[:3]) <= MOST_COVER:
            return level_of(int(word))
        wanted = f"{', '.join(self.words)} or a number of dice up to {MOST_COVER}"
        faults.append(Fault(path, f"must be {wanted}, not {value!r}"))
        return "none"

    def schema(self) -> dict[str, Any]:
        """A word or a number."""
        number = {"type": "integer", "minimum": 0, "maximum": MOST_COVER}
        return {"anyOf": [{"enum": list(self.words)}, number]}


COVER = Cover()
ACTIONS = {
    "check": checks.CHECK,
    "init": INIT,
    "attack": attack.ATTACK,
    "throw": attack.THROW,
    "heal": heal.HEAL,
    "first-aid": heal.HEAL._replace(candidates=heal.no_offers),
    **checks.TESTS,
    **ALLIES,
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
    phases=PHASES,
    marks=MARKS,
    side_pools=SIDE_POOLS,
    side_start=side,
    changes=CHANGES,
    skills=tuple(SKILLS),
    command_options=COMMAND_OPTIONS,
    unit=UNIT,
    distance=zones,
    range=RANGE,
    cover=COVER,
    difficulty=DIFFICULTY,
)
