"""The test of `2d20`: d20s at or under attribute + skill, against a difficulty (2D20-4 to 2D20-8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.events import Event, change, shift
from ...engine.kinds import guess
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Cost, refuse
from ...rules.situational import circumstance, standing
from .conditions import idle
from .luck import asked_of, given, luck_of
from .pools import DICE, dearer, dice_bought, in_purse, purse
from .sheet import attribute, rank
from .words import ATTRIBUTES, SKILLS

if TYPE_CHECKING:
    pass

SIDES, USUAL = 20, 2
"""2D20-4: two d20, unless more are bought."""
ASSISTS, AIM = "assists", "aimed"
"""Marks: `assists:WHOM:ATTRIBUTE+SKILL` of a helper; having taken aim."""
UNSEEING = 2
"""2D20-22: what an injured head adds to the difficulty of what needs sight."""
SIGHT = ("per",)
"""Attributes whose tests need sight, beside attacks (a reading)."""


class Aid(NamedTuple):
    """A helper's d20 (2D20-11)."""

    who: str
    target: int
    critical: int


class Test(NamedTuple):
    """All that the dice of a test need to know."""

    what: str
    who: str
    target: int
    """Attribute + skill."""
    critical: int
    """The highest face that counts twice."""
    difficulty: int
    dice: int = USUAL
    again: int = 0
    """d20s that may be re-rolled whatever happens: aim."""
    luck: int = 0
    """Luck points that may be used."""
    asks: int = 0
    """Luck points that the player is asked about, one after the other; 0 where nobody is."""
    aids: tuple[Aid, ...] = ()
    against: str = ""
    """Whom it is aimed at first, where several can be hit: for the record."""


class Tested(NamedTuple):
    """What a test came to."""

    success: bool
    total: int
    """Successes."""
    complications: int
    luck: int
    """Luck points used."""

    @property
    def word(self) -> str:
        """In one word."""
        return "success" if self.success else "failure"

    @property
    def counted(self) -> str:
        """What the total is one of."""
        return "successes"


def one_d20(table: Any, target: int, critical: int) -> tuple[int, int, int]:
    """A rule, 2D20-4: successes, complications and failures of one die."""
    face = table.die(SIDES)
    won = face <= target
    return won + (won and face <= critical), int(face == SIDES), int(not won)


def tested(table: Any, test: Test) -> Tested:
    """A rule: a test, with the dice re-rolled and those of helpers (2D20-4, 2D20-8, 2D20-11)."""
    aimed = {"against": test.against} if test.against else {}
    table.label(test.what, test.who, f"{test.dice}d{SIDES}", **aimed)
    won, odd, lost = table.times(test.dice, one_d20, test.target, test.critical, zero=(0, 0, 0))
    # Of the failing dice the highest is rolled again: a complication, where there is one.
    worst = odd if test.target < SIDES else 0
    used = rolled = 0
    while lost:
        if rolled < test.again:
            rolled += 1
        elif won < test.difficulty and (used < test.luck or wished(table, test, won, odd, rolled, used)):
            used += 1
        else:
            break
        more, new, _ = table.ask(one_d20, test.target, test.critical)
        won, odd, lost = won + more, odd + new - (worst > 0), lost - 1
        worst -= worst > 0
    _reckoned(table, test, won, odd, rolled + used)
    for aid in test.aids:
        more, new = table.ask(aided, aid)
        won, odd = won + (more if won else 0), odd + new
    return Tested(won >= test.difficulty, won, odd, used)


def _reckoned(table: Any, test: Test, won: int, odd: int, again: int) -> None:
    noted = {"rerolled": again} if again else {}
    table.result(
        successes=won, complications=odd, target=test.target, difficulty=test.difficulty,
        success=won >= test.difficulty, under=True, **noted,
    )  # fmt: skip


def wished(table: Any, test: Test, won: int, odd: int, rolled: int, used: int) -> bool:
    """2D20-8: whether the player, where there is someone to ask, gives Luck for a test that one d20 can save."""
    # A die brings two successes at most, and so does each helper's.
    if used >= test.asks or test.target < 1 or won + 2 * (1 + len(test.aids)) < test.difficulty:
        return False
    _reckoned(table, test, won, odd, rolled + used)
    return given(table, test.who, lacking, (test, won), lacking_again, (test, won))


def lacking(table: Any, test: Test, won: int) -> int:
    """A rule: 1 where a test fails with the help that is still to come, else 0."""
    for aid in test.aids if won else ():
        won += table.ask(aided, aid)[0]
    return int(won < test.difficulty)


def lacking_again(table: Any, test: Test, won: int) -> int:
    """A rule, 2D20-8: the same after one more d20."""
    more, _, _ = table.ask(one_d20, test.target, test.critical)
    missing: int = table.ask(lacking, test, won + more)
    return missing


def aided(table: Any, aid: Aid) -> tuple[int, int]:
    """A rule, 2D20-11: successes and complications of a helper's d20."""
    table.label("assist", aid.who, f"d{SIDES}")
    won, odd, _ = one_d20(table, aid.target, aid.critical)
    table.result(successes=won, complications=odd, target=aid.target, under=True)
    return won, odd


def earned(test: Test, outcome: Any) -> int:
    """2D20-5: the AP of a test, one for each success beyond the difficulty."""
    return max(0, outcome.total - test.difficulty) if outcome.success else 0


def total(modifiers: Iterable[Modifier], roll: str) -> int:
    """The sum of the modifiers of one roll."""
    return sum(one.value for one in modifiers if one.roll == roll)


def skill_named(fighter: Fighter, intent: Intent, word: str) -> tuple[str, str]:
    """The attribute and the skill of `agi+athletics`, or of a skill with its usual attribute; Refused otherwise."""
    first, plus, second = word.lower().replace("_", "-").replace(" ", "").partition("+")
    said, skill = (first, second) if plus else ("", first)
    other = (intent.get("attribute") or said).lower()
    if said and other != said:
        what = f"{word} says {said}, and --attribute {other}"
        refuse(intent, what, "2D20-4", "leave out one of them", final=True)
    said = other
    skill = skill or str(intent.get("skill") or "").lower().replace("_", "-")
    if not skill:
        refuse(
            intent, f"{fighter.name} tries which skill?", "2D20-4",
            f"say it: --skill SKILL; there are: {', '.join(SKILLS)}", final=True,
        )  # fmt: skip
    if skill not in SKILLS:
        refuse(
            intent, f"{fighter.name} has no skill called {skill!r}{guess(skill, SKILLS)}", "2D20-1",
            f"there are: {', '.join(SKILLS)}; with an attribute: agi+athletics", final=True,
        )  # fmt: skip
    if said and said not in ATTRIBUTES:
        what = f"{fighter.name} has no attribute called {said!r}{guess(said, ATTRIBUTES)}"
        refuse(intent, what, "2D20-1", f"there are: {', '.join(ATTRIBUTES)}", final=True)
    return said or SKILLS[skill], skill


def test_of(
    scene: Scene,
    intent: Intent,
    what: str,
    tries: tuple[str, str],
    hard: Iterable[Modifier],
    *,
    sight: bool = False,
    names: tuple[str, ...] = (),
) -> tuple[Test, list[Modifier], tuple[Cost, ...]]:
    """A test of attribute + skill (2D20-4) with all that makes it harder or easier, and the price of its dice."""
    fighter = scene.fighters[intent.actor]
    name, skill = tries
    modifiers = [
        Modifier(what, name, attribute(fighter.sheet, name), "2D20-1", f"attributes.{name}"),
        Modifier(what, skill, rank(fighter.sheet, skill), "2D20-1", f"skills.{skill}"),
    ]
    hard = [*hard, *standing(fighter, "difficulty", *names, what, name, skill, sign=-1)]
    if (sight or name in SIGHT) and fighter.has("injured-head"):
        hard.append(Modifier("difficulty", "injured head", UNSEEING, "2D20-22", "condition"))
    hard += circumstance(intent, "difficulty", sign=-1)
    dice, costs = dice_bought(intent)
    aids = helpers(scene, intent.actor)
    luck, asks = luck_of(scene, intent), asked_of(scene, intent)
    critical = max(1, rank(fighter.sheet, skill)) if skill in fighter.sheet["tags"] else 1
    difficulty = max(0, total(hard, "difficulty"))
    target = total(modifiers, what)
    test = Test(what, fighter.name, target, critical, difficulty, USUAL + dice, 0, luck, asks, aids)
    return test, modifiers + hard, costs


def helpers(scene: Scene, who: str) -> tuple[Aid, ...]:
    """2D20-11: those who assist someone's next test."""
    found = []
    for name, one in scene.fighters.items():
        for mark in one.marks:
            kind, _, rest = mark.partition(":")
            whom, _, tries = rest.rpartition(":")
            if kind == ASSISTS and whom == who and not one.gone and not idle(one)[0]:
                first, _, skill = tries.partition("+")
                critical = max(1, rank(one.sheet, skill)) if skill in one.sheet["tags"] else 1
                found.append(Aid(name, attribute(one.sheet, first) + rank(one.sheet, skill), critical))
    return tuple(found)


def after_test(
    scene: Scene, intent: Intent, test: Test, outcome: Any, kind: str, spent: int = 0
) -> Iterable[Event]:
    """What every test changes: AP (2D20-5, 2D20-7), Luck (2D20-8), help that is used up (2D20-11)."""
    have = purse(scene, intent, kind, test.dice - USUAL)
    yield from in_purse(scene, intent.actor, have + earned(test, outcome) - spent, "2D20-5")
    yield from shift(scene, intent.actor, "luck", -outcome.luck, "2D20-8")
    for aid in test.aids:
        for mark in scene.fighters[aid.who].marks:
            if mark.startswith(f"{ASSISTS}:{intent.actor}:"):
                yield from change(scene, aid.who, f"mark:{mark}", 0, "2D20-11")


def richer(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8: a test with the d20s that can be bought, and with a point of Luck."""
    have = purse(scene, intent, "major")
    for many, price in enumerate(DICE):
        if 0 < price <= have:
            yield with_option(intent, "buy", many)
    if scene.fighters[intent.actor].pools["luck"]:
        yield with_option(intent, "luck", 1)


def with_option(intent: Intent, option: str, value: Any) -> Intent:
    """An intent with one option more."""
    return intent._replace(options={**intent.options, option: value})


def harder(scene: Scene, intent: Intent, difficulty: int, name: str, rule: str) -> list[Modifier]:
    """The difficulty of a Major action's test: its own, and one more where the action is bought (2D20-11)."""
    return [Modifier("difficulty", name, difficulty, rule), *dearer(scene, intent)]
