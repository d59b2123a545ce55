"""Checks, contests and aid (STEP-6 to STEP-10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...engine.events import Event, change
from ...engine.kinds import guess
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Setup, refuse
from ...errors import Refused
from ...rules.situational import circumstance
from .conditions import idle
from .defence import COVER
from .moves import STEALTH
from .rolls import DIFFICULTY, beats, extras, reached, roll, skilled, succeeds, total
from .sheet import ATTRIBUTES, SKILLS, spelled

AID, HINDRANCE = 2, -2
"""STEP-10: what any helper's success gives, once; what every critical failure of a helper takes."""
SIGHT = ("search",)
"""Skills that need sight, beside attacks: cover lowers them (STEP-22)."""


class Helper(NamedTuple):
    """Someone who helps with a roll."""

    name: str
    sides: int
    bonus: int


class Checking(NamedTuple):
    """A check against a difficulty, or against another's roll."""

    who: str
    sides: int
    bonus: int
    difficulty: int
    crisis: bool
    """Whether there are extras (STEP-8)."""
    helpers: tuple[Helper, ...] = ()
    other: str = ""
    other_sides: int = 4
    other_bonus: int = 0
    finds: bool = False
    """A search for someone hidden: success reveals them (STEP-16)."""


class Checked(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    against: int
    extras: int = 0

    @property
    def word(self) -> str:
        """In one word."""
        return "success" if self.success else "failure"


def check_stake(scene: Scene, intent: Intent) -> Setup:
    """A check of a skill or an attribute (STEP-6), or a contest (STEP-9)."""
    fighter = scene.fighters[intent.actor]
    skill = known(fighter, intent.get("skill", ""))
    sides, modifiers = skilled(fighter, "check", skill)
    modifiers += circumstance(intent, "check") + assets(intent)
    helpers, aiding = aid(scene, intent, skill)
    other, other_skill = intent.get("vs") or ("", "")
    if not other:
        difficulty = intent.get("difficulty", DIFFICULTY)
        modifiers += [Modifier("difficulty", "difficulty", difficulty, "STEP-6")]
        stake = Checking(fighter.name, sides, total(modifiers, "check"), difficulty, scene.open, helpers)
        return Setup(stake, (*modifiers, *aiding))
    rival = scene.fighters[other]
    other_skill = known(rival, other_skill)
    finds = skill in SIGHT and other_skill == "stealth" and rival.has("hidden")
    if skill in SIGHT:
        modifiers += _cover(intent, rival)
    remembered = rival.marks.get(STEALTH, 0)
    if finds and remembered:
        modifiers += [Modifier("difficulty", f"{other}'s stealth", remembered, "STEP-16")]
        stake = Checking(
            fighter.name, sides, total(modifiers, "check"), remembered, scene.open, helpers, finds=True
        )
        return Setup(stake, (*modifiers, *aiding))
    rival_sides, resisting = skilled(rival, "resist", other_skill, "STEP-9")
    resisting = [one._replace(against=other) for one in resisting]
    stake = Checking(
        fighter.name,
        sides,
        total(modifiers, "check"),
        0,
        scene.open,
        helpers,
        other,
        rival_sides,
        total(resisting, "resist", other),
        finds,
    )
    return Setup(stake, (*modifiers, *aiding, *resisting))


def _cover(intent: Intent, rival: Fighter) -> list[Modifier]:
    """STEP-22: cover lowers every roll of the looker that needs sight; behind total cover nobody is seen."""
    level = rival.cover.get(intent.actor, "none")
    if level == "total":
        refuse(intent, f"{rival.name} is in total cover and cannot be seen", "STEP-22")
    worth = COVER.get(level, 0)
    return [Modifier("check", f"{level} cover", worth, "STEP-22", "cover")] if worth else []


def assets(intent: Intent) -> list[Modifier]:
    """STEP-7: +1 for each asset; that no two are of one kind is the player's word."""
    count = intent.get("assets", 0)
    if count < 0:
        refuse(intent, f"{count} assets are none", "STEP-7", final=True)
    return [Modifier("check", "assets", count, "STEP-7", "--assets")] if count else []


def aid(scene: Scene, intent: Intent, skill: str) -> tuple[tuple[Helper, ...], list[Modifier]]:
    """STEP-10: those who help, and what they add to their own rolls."""
    helpers, modifiers = [], []
    for name in intent.get("aid", ()):
        why, _ = idle(scene.fighters[name])
        if why or name == intent.actor:
            refuse(intent, f"{name} is {why or 'doing it'} and cannot help", "STEP-10", final=True)
        sides, found = skilled(scene.fighters[name], "aid", skill, "STEP-10")
        found = [one._replace(against=name) for one in found]
        modifiers += found
        helpers.append(Helper(name, sides, total(found, "aid", name)))
    return tuple(helpers), modifiers


def helped(table: Any, helpers: tuple[Helper, ...]) -> int:
    """A rule, STEP-10: what the helpers' rolls are worth to the one they help, theirs thrown first."""
    won, worth = False, 0
    for one in helpers:
        success, critical = table.ask(help_of, one)
        won = won or success
        worth += HINDRANCE * critical
    return worth + (AID if won else 0)


def help_of(table: Any, one: Helper) -> tuple[bool, bool]:
    """A rule, STEP-10: whether a helper succeeds, and whether that is a critical failure."""
    table.label("aid", one.name, f"d{one.sides}")
    natural = table.ask(roll, one.sides)
    success = succeeds(natural, one.bonus, DIFFICULTY)
    table.result(total=reached(natural, one.bonus), target=DIFFICULTY, success=success, **failed(natural))
    return success, not natural


def failed(natural: int) -> dict[str, Any]:
    """What a record says of a critical failure (STEP-5)."""
    return {} if natural else {"critical_failure": True}


def known(fighter: Fighter, skill: str) -> str:
    """A skill or an attribute in the spelling of the rules; Refused where the fighter has no such thing."""
    skill = spelled(skill)
    names = (*ATTRIBUTES, *SKILLS, *fighter.sheet["skills"])
    if skill not in names:
        raise Refused(
            f"{fighter.name} has no skill or attribute called {skill!r} (STEP-2){guess(skill, names)}",
            hint=f"there are: {', '.join(dict.fromkeys(names))}",
            rule="STEP-2",
        )
    return skill


def check(table: Any, stake: Checking) -> Checked:
    """STEP-6: the die, the modifiers and what helpers are worth, at or above the difficulty; or STEP-9."""
    worth = table.ask(helped, stake.helpers) if stake.helpers else 0
    added = {"added": worth} if worth else {}
    table.label("check", stake.who, f"d{stake.sides}")
    natural, bonus = table.ask(roll, stake.sides), stake.bonus + worth
    reach = reached(natural, bonus)
    if stake.other:
        table.result(total=reach, **added, **failed(natural))
        table.label("resist", stake.other, f"d{stake.other_sides}")
        theirs = table.ask(roll, stake.other_sides)
        resisted = reached(theirs, stake.other_bonus)
        table.result(total=resisted, **failed(theirs))
        # STEP-9: a tie goes to the active side.
        return _checked(stake, beats((natural, bonus), (theirs, stake.other_bonus)) >= 0, reach, resisted)
    success = succeeds(natural, bonus, stake.difficulty)
    table.result(total=reach, target=stake.difficulty, success=success, **added, **failed(natural))
    return _checked(stake, success, reach, stake.difficulty)


def _checked(stake: Checking, success: bool, reach: int, against: int) -> Checked:
    return Checked(success, reach, against, extras(reach) if success and stake.crisis else 0)


def noticed(scene: Scene, intent: Intent, stake: Checking, checked: Checked) -> Iterable[Event]:
    """STEP-16: a search that succeeds reveals whoever hides."""
    if stake.finds and checked.success:
        rival = intent.get("vs")[0]
        yield from change(scene, rival, "condition:hidden", False, "STEP-16")
        yield from change(scene, rival, f"mark:{STEALTH}", 0, "STEP-16")


CHECK = Action(
    "Roll a skill or an attribute",
    "STEP-6",
    check_stake,
    noticed,
    check,
    window="any",
    options=("difficulty", "vs", "assets", "aid"),
    candidates=lambda scene, who: (),
)
