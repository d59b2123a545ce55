"""Checks of skills and attributes (POOL-4 to POOL-7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...engine.events import Event
from ...engine.kinds import guess
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Setup, refuse
from .attack import walking
from .luck import Hand, repaid, spent
from .pool import Scale
from .rolls import SPENDING, asked, dice_for, hand_of, least_for, successes, total
from .sheet import ATTRIBUTES, SKILLS


class Checked(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    """Its successes (POOL-6)."""
    repaid: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        """What the total is."""
        return "successes"

    @property
    def word(self) -> str:
        """In one word."""
        return "success" if self.success else "failure"


def trying(
    scene: Scene, intent: Intent, roll: str, skill: str
) -> tuple[Hand, tuple[Any, ...], tuple[Any, ...]]:
    """The actor's roll of a skill outside attacks: the hand, the modifiers, the dice spent on it."""
    fighter = scene.fighters[intent.actor]
    found = (
        *dice_for(fighter, roll, skill),
        *least_for(fighter, roll, skill),
        *asked(intent, roll),
        *walking(scene, intent, roll),
    )
    return (
        hand_of(scene, intent, total(found, f"{roll} dice"), Scale(total(found, roll))),
        found,
        spent(scene, intent),
    )


def stake(scene: Scene, intent: Intent) -> Setup:
    """A roll of any skill or attribute at a difficulty (POOL-4, POOL-5)."""
    fighter = scene.fighters[intent.actor]
    if intent.get("vs"):
        refuse(
            intent,
            "no roll is measured against another's",
            "POOL-5",
            "--difficulty says how hard it is",
            final=True,
        )
    skill = known(scene, intent, fighter, intent.get("skill", ""))
    hand, modifiers, costs = trying(scene, intent, "check", skill)
    return Setup(hand, modifiers, costs)


def known(scene: Scene, intent: Intent, fighter: Fighter, skill: str) -> str:
    """The skill or attribute that a word names (POOL-1): one that nobody knows is worth 0, a slip of the pen is
    refused."""
    skill = skill.lower().replace("_", "-").replace(" ", "-")
    here = [name for one in scene.fighters.values() for name in one.sheet["skills"]]
    names = tuple(dict.fromkeys((*ATTRIBUTES, *SKILLS, *here)))
    if skill not in names and (near := guess(skill, names)):
        what = f"nobody here has a skill called {skill!r}{near}"
        refuse(intent, what, "POOL-1", "if it is another one, worth 0: --force")
    return skill


def check(table: Any, hand: Hand) -> Checked:
    """POOL-4, POOL-6: one success is enough; more are more."""
    found, used = successes(table, "check", hand)
    return Checked(found > 0, found, used)


def paid(scene: Scene, intent: Intent, stake: Any, outcome: Checked) -> Iterator[Event]:
    """POOL-7: what was spent once it had failed."""
    yield from repaid(scene, intent, outcome.repaid)


CHECK = Action(
    "Roll a skill or an attribute",
    "POOL-4",
    stake,
    paid,
    check,
    window="any",
    options=SPENDING,
    candidates=lambda scene, who: iter(()),
)
