"""Tests of any skill, and the Major actions that are one: defend, rally, test (2D20-4, 2D20-5, 2D20-11, 2D20-24)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...engine.events import Event, change
from ...engine.record import Modifier
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Setup, refuse
from .allies import major
from .arms import DEFENDING
from .harm import BURNING, doused
from .pools import purse
from .rolls import USUAL, Test, Tested, after_test, earned, harder, skill_named, test_of, tested
from .sheet import derived

DIFFICULTY = 1
"""2D20-5: where none is named (a reading)."""
BETTER = 2
"""2D20-11: AP of one more when defending."""


def check_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-4: any skill against a difficulty, at any time."""
    if intent.get("vs"):
        refuse(
            intent,
            "there are no contests here: a test has a difficulty",
            "2D20-5",
            "--difficulty N",
            final=True,
        )
    fighter = scene.fighters[intent.actor]
    tries = skill_named(fighter, intent, intent.get("skill", ""))
    hard = [Modifier("difficulty", "difficulty", intent.get("difficulty", DIFFICULTY), "2D20-5")]
    test, modifiers, costs = test_of(scene, intent, "check", tries, hard)
    return Setup(test, tuple(modifiers), costs)


def checked(scene: Scene, intent: Intent, test: Test, outcome: Tested) -> Iterable[Event]:
    """AP and what was used up."""
    return after_test(scene, intent, test, outcome, "")


def act_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: a Major action's test; without a difficulty, of those who suffer on, to end that (2D20-24)."""
    fighter = scene.fighters[intent.actor]
    burning = persistent(scene, intent.actor) if intent.get("difficulty") is None else 0
    said = intent.get("skill") or (f"{intent.get('attribute', 'end')}+survival" if burning else "")
    if not said:
        refuse(intent, f"{fighter.name} tests what?", "2D20-11", "crisis act test --skill SKILL", final=True)
    tries = skill_named(fighter, intent, said)
    difficulty = burning or intent.get("difficulty", DIFFICULTY)
    hard = harder(
        scene,
        intent,
        difficulty,
        "persistent damage" if burning else "difficulty",
        "2D20-24" if burning else "2D20-5",
    )
    test, modifiers, costs = test_of(scene, intent, "check", tries, hard)
    return Setup(test, tuple(modifiers), costs)


def persistent(scene: Scene, who: str) -> int:
    """2D20-24: the difficulty of ending what one suffers; 0 where there is nothing."""
    fighter = scene.fighters[who]
    marked = [level for mark, level in fighter.marks.items() if mark.startswith(BURNING + ":")]
    return max(marked, default=int(fighter.conditions.get("persistent", 0)))


def acted(scene: Scene, intent: Intent, test: Test, outcome: Tested) -> Iterator[Event]:
    """AP and what was used up; persistent damage ends with success against it (2D20-24)."""
    yield from after_test(scene, intent, test, outcome, "major")
    if outcome.success and intent.get("difficulty") is None and persistent(scene, intent.actor):
        yield from doused(scene, intent.actor)


def rally_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: end + survival, or what the GM allows, at difficulty 0."""
    fighter = scene.fighters[intent.actor]
    skill = intent.get("skill", "survival")
    attribute = intent.get("attribute") or ("end" if skill == "survival" else "")
    tries = skill_named(fighter, intent, f"{attribute}+{skill}" if attribute else skill)
    test, modifiers, costs = test_of(
        scene, intent, "check", tries, harder(scene, intent, 0, "rally", "2D20-11")
    )
    return Setup(test, tuple(modifiers), costs)


def defend_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-11: agi + athletics against the own defense."""
    fighter = scene.fighters[intent.actor]
    own = derived(fighter.sheet, "defense")
    spend = intent.get("ap_spend", 0)
    if spend not in (0, BETTER):
        refuse(
            intent, f"{BETTER} AP give one more, not {spend}", "2D20-11", f"--ap-spend {BETTER}", final=True
        )
    hard = harder(scene, intent, own, "own defense", "2D20-11")
    test, modifiers, costs = test_of(scene, intent, "check", ("agi", "athletics"), hard)
    return Setup(test, tuple(modifiers), costs)


def defend(scene: Scene, intent: Intent, test: Test, outcome: Tested) -> Iterator[Event]:
    """2D20-11: defense +1 until the next own turn, and for 2 AP one more, once (readings)."""
    wanted = outcome.success and intent.get("ap_spend", 0) == BETTER
    better = wanted and affords(scene, intent, test, outcome)
    yield from after_test(scene, intent, test, outcome, "major", BETTER if better else 0)
    if outcome.success:
        before = scene.fighters[intent.actor].marks.get(DEFENDING, 0)
        yield from change(scene, intent.actor, f"mark:{DEFENDING}", max(before, 1 + better), "2D20-11")


def guarded(scene: Scene, intent: Intent, test: Test, outcome: Tested) -> Mapping[str, Any]:
    """2D20-11: what it adds to defense, and AP that were wanted and not there."""
    if not outcome.success:
        return {}
    wanted = intent.get("ap_spend", 0)
    spent = BETTER if wanted and affords(scene, intent, test, outcome) else 0
    return {"spent": spent, **({"wanted": wanted} if spent < wanted else {})}


def affords(scene: Scene, intent: Intent, test: Test, outcome: Tested) -> bool:
    """Whether there are AP for being harder still to hit, those just earned included."""
    return purse(scene, intent, "major", test.dice - USUAL) + earned(test, outcome) >= BETTER


def _tests(scene: Scene, who: str) -> Iterator[Intent]:
    """What is worth a Major action by itself: ending what one suffers."""
    if persistent(scene, who):
        yield Intent("test", who)


CHECK = Action(
    "Test a skill",
    "2D20-4",
    check_stake,
    checked,
    tested,
    window="any",
    options=("difficulty", "buy", "luck", "attribute"),
    candidates=lambda scene, who: (),
)
_HEEDED = ("buy", "luck", "attribute", "skill")
TESTS = {
    "test": major(
        Action(
            "Test any other skill, or end what one suffers", "2D20-11", act_stake, acted, tested,
            options=(*_HEEDED, "difficulty"), candidates=_tests,
        )
    ),
    "rally": major(
        Action(
            "Earn AP for the side", "2D20-11", rally_stake,
            lambda scene, intent, test, outcome: after_test(scene, intent, test, outcome, "major"),
            tested, options=_HEEDED,
        )
    ),
    "defend": major(
        Action(
            "Be harder to hit", "2D20-11", defend_stake, defend, tested, outputs=guarded,
            options=("buy", "luck", "ap-spend"),
        )
    ),
}  # fmt: skip
