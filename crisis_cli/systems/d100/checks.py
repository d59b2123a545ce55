"""Checks and contests (D100-3 to D100-7), and what every roll of this system shares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...dice.distribution import Distribution, OddsTable
from ...engine.events import Event
from ...engine.kinds import guess
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Setup, refuse
from ...rules.situational import circumstance, standing
from .sheet import OTHERS, RATINGS, rating_of

SIDES = 100
ASSIST, OBSTACLE = 10, -10
"""D100-4: each."""
DICE = {0: "d100", 1: "2d100kl1", -1: "2d100kh1"}
"""D100-5: nothing, [+], [−]."""


class TwoDice:
    """A rule: two d100, of which with [+] the lower counts, with [−] the higher (D100-5)."""

    def __call__(self, table: Any, edge: int) -> int:
        """The face that counts."""
        one: int = table.die(SIDES)
        other: int = table.die(SIDES)
        return min(one, other) if edge > 0 else max(one, other)

    def law(self, odds_table: OddsTable, edge: int) -> Distribution:
        """The same, counted: of two dice 2k − 1 pairs have k as the higher face."""
        faces = range(1, SIDES + 1)
        return Distribution(
            {face: 2 * (SIDES + 1 - face if edge > 0 else face) - 1 for face in faces}, SIDES * SIDES
        )


two_dice = TwoDice()


def face_of(table: Any, edge: int) -> int:
    """One d100, or the one of two that counts (D100-5)."""
    face: int = table.ask(two_dice, edge) if edge else table.die(SIDES)
    return face


def rolled(table: Any, what: str, who: str, target: int, edge: int = 0) -> tuple[bool, int]:
    """D100-3: at or under the target; so at 0 or less it never is, at 100 or more always (D100-6)."""
    table.label(what, who, DICE[edge])
    face = face_of(table, edge)
    table.result(total=face, target=target, success=face <= target, under=True)
    return face <= target, face


def succeeds(table: Any, what: str, who: str, target: int, edge: int = 0) -> bool:
    """A rule: whether a check succeeds, and nothing else."""
    return rolled(table, what, who, target, edge)[0]


def total(modifiers: Iterable[Modifier], roll: str) -> int:
    """The sum of the modifiers of one roll."""
    return sum(one.value for one in modifiers if one.roll == roll)


def rated(fighter: Fighter, roll: str, rating: str) -> list[Modifier]:
    """The rating that a roll goes under (D100-1), with standing modifiers (ALL-6)."""
    value, source = rating_of(fighter.sheet, rating)
    found = [Modifier(roll, rating, value, "D100-1", source)]
    return found + standing(fighter, roll, roll, rating)


def assist(roll: str, name: str, rule: str, source: str, count: int = 1) -> Modifier:
    """So many Assists (D100-4)."""
    return Modifier(
        roll, f"{count} Assists, {name}" if count > 1 else f"Assist, {name}", ASSIST * count, rule, source
    )


def obstacle(roll: str, name: str, rule: str, source: str, count: int = 1) -> Modifier:
    """So many Obstacles (D100-4)."""
    named = f"{count} Obstacles, {name}" if count > 1 else f"Obstacle, {name}"
    return Modifier(roll, named, OBSTACLE * count, rule, source)


def asked(intent: Intent, roll: str) -> list[Modifier]:
    """The Assists and Obstacles of the command (D100-4); Refused below 0."""
    found = []
    for option, give in (("assist", assist), ("obstacle", obstacle)):
        count = intent.get(option, 0)
        if count < 0:
            refuse(intent, f"--{option} is a number from 0", "D100-4", final=True)
        if count:
            found.append(give(roll, "as asked", "D100-4", intent.get("why", "--" + option), count))
    return found


def edge_of(intent: Intent, roll: str, *more: Modifier) -> tuple[int, list[Modifier]]:
    """D100-5: 1 for [+], −1 for [−], 0 where they cancel or there is none (one for one: a reading)."""
    found = list(more)
    for option, sign in (("plus", PLUS), ("minus", MINUS)):
        if intent.get(option):
            found.append(Modifier(roll, sign, 0, "D100-5", "--" + option))
    net = sum(1 if one.name.startswith(PLUS) else -1 for one in found)
    return (net > 0) - (net < 0), found


PLUS, MINUS = "[+]", "[−]"


class Contest(NamedTuple):
    """A check, alone or against another's."""

    who: str
    target: int
    edge: int
    other: str = ""
    other_target: int = 0


class Checked(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    """The face that counted."""

    @property
    def word(self) -> str:
        """In one word."""
        return "success" if self.success else "failure"


def check_stake(scene: Scene, intent: Intent) -> Setup:
    """A check of any rating (D100-3); with `vs` an opposed one (D100-7)."""
    fighter = scene.fighters[intent.actor]
    skill = _known(scene, intent, fighter, intent.get("skill", ""))
    edge, edges = edge_of(intent, "check")
    modifiers = (
        rated(fighter, "check", skill) + asked(intent, "check") + circumstance(intent, "check") + edges
    )
    mine = Contest(intent.actor, total(modifiers, "check"), edge)
    other, other_skill = intent.get("vs") or ("", "")
    if not other:
        return Setup(mine, tuple(modifiers))
    rival = scene.fighters[other]
    against = rated(rival, "resist", _known(scene, intent, rival, other_skill)) + standing(
        rival, "resist", "check"
    )
    modifiers += [one._replace(against=other) for one in against]
    return Setup(mine._replace(other=other, other_target=total(against, "resist")), tuple(modifiers))


def _known(scene: Scene, intent: Intent, fighter: Fighter, skill: str) -> str:
    """The rating that a word names: one that the rules or any sheet here know (D100-1)."""
    skill = skill.lower().replace("_", "-").replace(" ", "-")
    here = [name for one in scene.fighters.values() for name in one.sheet["ratings"]]
    known = tuple(dict.fromkeys((*RATINGS, *OTHERS, *here)))
    if skill not in known:
        refuse(
            intent,
            f"{fighter.name} has no rating called {skill!r}{guess(skill, known)}",
            "D100-1",
            f"there are: {', '.join(known)}",
        )
    return skill


def check(table: Any, stake: Contest) -> Checked:
    """D100-3, and D100-7 where someone opposes."""
    success, face = rolled(table, "check", stake.who, stake.target, stake.edge)
    if stake.other:
        # All failed rolls are worth the same.
        success = table.ask(prevails, face if success else 0, stake.other, stake.other_target)
    return Checked(success, face)


def prevails(table: Any, mine: int, other: str, target: int) -> bool:
    """D100-7: whether a roll, 0 where it failed, beats the other's; where both fail or are equal it does not (a
    reading)."""
    success, face = rolled(table, "resist", other, target)
    return mine > (face if success else 0)


def no_effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Nothing changes."""
    return ()


CHECK = Action(
    "Check a rating",
    "D100-3",
    check_stake,
    no_effects,
    check,
    window="any",
    options=("vs", "assist", "obstacle", "plus", "minus"),
    candidates=lambda scene, who: (),
)
