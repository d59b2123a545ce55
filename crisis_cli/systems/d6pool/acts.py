"""The other actions: aiming, taking time, ending conditions, anything else, actions bought and stolen (POOL-12,
POOL-15, POOL-20, POOL-24, POOL-30, POOL-38)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.events import Event, change, shift
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from .aims import ACCURATE, AIM, SUPPORTED, actions
from .checks import Checked, check, known, paid, trying
from .deeds import all_stolen, deed, no_stake, stolen_from
from .rolls import SPENDING


def marked(mark: str, rule: str) -> Any:
    """The effects of building something up."""

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        count = scene.fighters[intent.actor].marks.get(mark, 0)
        yield from change(scene, intent.actor, f"mark:{mark}", count + 1, rule)

    return effects


def ending(condition: str, what: str, rule: str) -> Action:
    """An action that ends a condition of one's own, or of somebody else."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        patient = intent.target or intent.actor
        if not scene.fighters[patient].has(condition):
            refuse(intent, f"{patient} is not {condition}", rule, final=True)
        return Setup(None)

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        yield from change(scene, intent.target or intent.actor, f"condition:{condition}", False, rule)

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        return (Intent(NAMES[condition], who, (one.name,)) for one in scene.of_side(scene.fighters[who].side))

    return deed(Action(what, rule, stake, effects, candidates=candidates, targets="patient"))


NAMES = {"burning": "put-out-fire", "stuck": "free-weapon", "asleep": "wake"}


def do_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: anything else: as many actions as the GM says, and with a skill a roll."""
    count = intent.get("cost", 1)
    if not 0 <= count <= 99:
        refuse(intent, f"--cost is a number from 0 to 99, not {count}", "POOL-12", final=True)
    costs = actions(count, "POOL-12")
    if not intent.get("skill"):
        return Setup(None, (), costs)
    skill = known(scene, intent, scene.fighters[intent.actor], intent.get("skill", ""))
    hand, modifiers, more = trying(scene, intent, "check", skill)
    return Setup(hand, modifiers, (*costs, *more))


def do(table: Any, hand: Any) -> Checked | None:
    """POOL-12: the roll that the GM names, if there is one."""
    return None if hand is None else check(table, hand)


def done(scene: Scene, intent: Intent, stake: Any, outcome: Checked | None) -> Iterator[Event]:
    """What it brings about is the GM's word."""
    if outcome is not None:
        yield from paid(scene, intent, stake, outcome)


def gain_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-15: for a crisis, where actions count."""
    _only_in_a_crisis(scene, intent)
    return Setup(None)


def _only_in_a_crisis(scene: Scene, intent: Intent) -> None:
    if not scene.open:
        refuse(intent, "actions count in a crisis alone", "POOL-15", "crisis init WHO… --open", final=True)


def gain(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-15: an action more, at once."""
    yield from shift(scene, intent.actor, "actions", 1, "POOL-15")


def steal_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-15: from what is left of the opponent's own turn; at any other time from its next refresh."""
    _only_in_a_crisis(scene, intent)
    victim = scene.fighters[intent.target]
    if victim.side == scene.fighters[intent.actor].side:
        refuse(intent, f"{victim.name} is no opponent", "POOL-15")
    now = victim.name in scene.acting
    if now and victim.pools["actions"] < 1:
        refuse(intent, f"{victim.name} has no action left in this turn", "POOL-15", "wait until it is over")
    if not now and all_stolen(victim):
        count = victim.sheet["actions"]
        refuse(intent, f"all {count} actions of {victim.name}'s next turn are stolen", "POOL-15", final=True)
    return Setup(now)


def steal(scene: Scene, intent: Intent, now: bool, outcome: Any) -> Iterator[Event]:
    """POOL-15: the thief has it at once."""
    yield from stolen_from(scene, intent.target, scene.fighters[intent.target].pools["actions"])
    yield from shift(scene, intent.actor, "actions", 1, "POOL-15")


def _victims(scene: Scene, who: str) -> Iterator[Intent]:
    return (Intent("steal-action", who, (foe.name,)) for foe in scene.foes(who))


ACTS = {
    "aim": deed(
        Action("Aim: critical threshold −2", "POOL-20", no_stake, marked(AIM, "POOL-20")), AIM, SUPPORTED
    ),
    "accurate": deed(
        Action("Take one's time: minimum roll −1", "POOL-30", no_stake, marked(ACCURATE, "POOL-30")),
        ACCURATE, SUPPORTED,
    ),
    "put-out-fire": ending("burning", "Put out the fire", "POOL-38"),
    "free-weapon": ending("stuck", "Pull the weapon free", "POOL-24"),
    "wake": ending("asleep", "Wake somebody", "POOL-38"),
    "do": deed(
        Action("Do anything else", "POOL-12", do_stake, done, do, options=("cost", "skill", *SPENDING)), costs=()
    ),
    "gain-action": Action(
        "An action for a bonus die", "POOL-15", gain_stake, gain,
        costs=(Cost("bonus-dice", rule="POOL-15"),), window="any",
    ),
    "steal-action": Action(
        "An opponent's action for a destiny die", "POOL-15", steal_stake, steal,
        costs=(Cost("destiny-dice", rule="POOL-15"),), window="any", targets="one", candidates=_victims,
    ),
}  # fmt: skip
