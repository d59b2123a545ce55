"""Other actions, and the rows of all actions (POOL-12, POOL-15, POOL-38)."""

from __future__ import annotations

from typing import Any

from ...rules import (
    Action,
    Changes,
    Cost,
    Intent,
    Opponents,
    Says,
    Scene,
    Setup,
    has,
    refuse,
)
from .attacks import ACCURATE, AIM, STOLEN, SUPPORTED
from .checks import CHECK, check, known_skill
from .defence import all_stolen, theft
from .harm import ATTACK, FINISH, TAKE_HITS, THROW
from .healing import HEAL, RESTING
from .movement import GEAR, MOVES, actions
from .rolls import ONE, SPENDING, count_of, must_have, skill_roll
from .turns import INIT

# The other actions


def build_up(mark: str, title: str, rule: str, says: str) -> Action:
    """The row of spending actions on a later attack, which counts them by a mark."""
    return Action(title, rule, costs=ONE, builds=(mark,), keeps=(mark, SUPPORTED), says=Says(says))


def end_condition(action: str, condition: str, title: str, rule: str, says: str) -> Action:
    """The row of ending a condition of one's own, or of somebody else."""
    return Action(
        title,
        rule,
        effects=lambda changes, intent, setup, outcome: changes.end(intent.patient, condition, rule),
        costs=ONE,
        requires=(has(condition, rule, of="target"),),
        ai=Opponents.treating(action),
        targets="patient",
        says=Says(says),
    )


def do_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: anything else: as many actions as the GM says, and with a skill a roll."""
    costs = actions(count_of(intent, "cost", usual=1))
    if not intent.get("skill"):
        return Setup(None, (), costs)
    setup = skill_roll(scene, intent, "check", known_skill(scene, intent))
    return setup._replace(costs=(*costs, *setup.costs))


def gain(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-15: one more action, at once."""
    changes.adjust(intent.actor, "actions", changes.number("POOL-15").add("bought", 1), "POOL-15")


def actions_count(scene: Scene, intent: Intent) -> None:
    """POOL-15: in a crisis, where actions count."""
    if not scene.open:
        opens = "crisis init WHO… --open"
        refuse(intent, "actions count only in a crisis", "POOL-15", opens, final=True, code="no_crisis")


def can_steal(scene: Scene, intent: Intent) -> None:
    """POOL-15: from what is left of the opponent's own turn; at any other time from its next refresh."""
    victim = scene.fighters[intent.target]
    if victim.side == scene.fighters[intent.actor].side:
        refuse(intent, f"{victim.name} is no opponent", "POOL-15", code="wrong_target")
    if victim.name in scene.acting:
        must_have(intent, victim, "actions", 1, "POOL-15", "wait until the turn is over")
    elif all_stolen(victim):
        what = f"no action of {victim.name}'s next turn is left: {victim.marks.get(STOLEN, 0)} stolen"
        refuse(intent, what, "POOL-15", final=True, code="condition_forbids")


ACTS = {
    "aim": build_up(AIM, "Aim: critical threshold −2", "POOL-20", "{actor} takes aim"),
    "accurate": build_up(ACCURATE, "Take one's time: minimum roll −1", "POOL-30", "{actor} aims carefully"),
    "put-out-fire": end_condition(
        "put-out-fire", "burning", "Put out the fire", "POOL-38", "{actor} puts out the fire on {target}"
    ),
    "free-weapon": end_condition(
        "free-weapon", "stuck", "Pull the weapon free", "POOL-24", "{actor} pulls the weapon free"
    ),
    "wake": end_condition("wake", "asleep", "Wake somebody", "POOL-38", "{actor} shakes {target} awake"),
    "do": CHECK._replace(
        title="Do anything else",
        rule_id="POOL-12",
        setup=do_setup,
        rule=lambda table, roll: check(table, roll) if roll else None,
        ai=Opponents(),
        window="turn",
        options=("cost", "skill", *SPENDING),
        says=CHECK.says._replace(sentences="{actor} does something else"),
    ),
    "gain-action": Action(
        "An action for a bonus die",
        "POOL-15",
        effects=gain,
        costs=(Cost("bonus-dice", rule="POOL-15"),),
        window="any",
        requires=(actions_count,),
        says=Says("{actor} spends a bonus die on an action"),
    ),
    "steal-action": Action(
        "An opponent's action for a destiny die",
        "POOL-15",
        effects=gain,
        choices=lambda scene, intent, setup, outcome: (theft(scene, intent.target),),
        costs=(Cost("destiny-dice", rule="POOL-15"),),
        window="any",
        targets="one",
        requires=(actions_count, can_steal),
        ai=Opponents(
            lambda scene, who: (Intent("steal-action", who, (foe.name,)) for foe in scene.foes(who))
        ),
        says=Says("{actor} spends a destiny die on an action of {target}"),
    ),
}
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "coup-de-grace": FINISH,
    "heal": HEAL,
    "rest": RESTING,
    **MOVES,
    **GEAR,
    **ACTS,
    "take-hits": TAKE_HITS,
}
