"""What the target does about a blow: armour, then block or dodge (D100-23 to D100-26)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...dice.table import Alternative
from ...engine.dice_amount import Amount, parse_amount, sum_of
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import refuse
from ...rules.situational import standing
from .checks import total
from .conditions import fallen

REACTIONS = ("block", "dodge")
"""D100-23."""
COST = 1
"""D100-23: a kept Small Action buys one reaction."""
BLOCKED_TO = 1
"""D100-24: what a block leaves at least."""
CLOSE = ("melee", "thrown")
"""D100-23: the kinds of attacks that can be answered."""


class Guard(NamedTuple):
    """What the target can do when the damage is known; what it cannot is None."""

    who: str
    left: int = 0
    """Health that the attack can take; a reaction is weighed by the harm that can still be done."""
    block: Amount | None = None
    dodge: Amount | None = None


def guard(scene: Scene, intent: Intent, kind: str, unnoticed: bool) -> tuple[Guard, list[Modifier]]:
    """D100-23: with what the target may answer this attack; Refused where `--react` names what it may not."""
    target = scene.fighters[intent.target]
    wanted = intent.get("react", "none")
    why, rule = _helpless(scene, intent, target, kind, unnoticed)
    if wanted in REACTIONS:
        if why:
            refuse(intent, why, rule, "let it be: --react none")
        if wanted not in target.sheet:
            refuse(
                intent,
                f"{target.name} has no {wanted} rating",
                "D100-1",
                "let it be: --react none",
                final=True,
            )
    elif why:
        return Guard(target.name, target.pools["health"]), []
    dice: dict[str, Amount] = {}
    found: list[Modifier] = []
    for reaction in REACTIONS:
        if reaction in target.sheet:
            worth = parse_amount(target.sheet[reaction]) or Amount()
            plus = standing(target, reaction, reaction)
            found += plus
            dice[reaction] = worth._replace(plus=worth.plus + total(plus, reaction))
    return Guard(target.name, target.pools["health"], **dice), found


def _helpless(scene: Scene, intent: Intent, target: Fighter, kind: str, unnoticed: bool) -> tuple[str, str]:
    """Why the target can answer with nothing, and the rule; two empty words where it can."""
    if kind not in CLOSE:
        return "a shot can be neither blocked nor dodged", "D100-23"
    if unnoticed:
        return f"{target.name} is not aware of the attack", "D100-23"
    if fallen(target):
        return f"{target.name} is down", "D100-27"
    if target.name in scene.acting:
        return f"{target.name} reacts outside the own turn only", "D100-13"
    if target.pools["small-actions"] < COST:
        return f"{target.name} has no Small Action kept", "D100-12"
    return "", ""


class Answer(NamedTuple):
    """What reaches the target's health, and what it did about it."""

    harm: int
    reaction: str


def answered(table: Any, guard: Guard, harm: int) -> Answer:
    """A rule: what is left of the harm, armour taken off (D100-26), after the reaction that the target chooses.

    Against no harm nothing is spent (D100-24, a reading).
    """
    options = [Alternative("none", taken, (guard.left, harm))]
    for name, reaction, worth in (("block", block, guard.block), ("dodge", dodge, guard.dodge)):
        if worth is not None:
            args = (guard.who, worth, guard.left, harm)
            options.append(Alternative(name, reaction, args, COST, pays="Small Action"))
    chosen = table.choose(guard.who, tuple(options)) if harm else options[0]
    _, through = table.ask(chosen.rule, *chosen.args)
    return Answer(through, "" if chosen.name == "none" else chosen.name)


def taken(table: Any, left: int, harm: int) -> tuple[int, int]:
    """A rule: no reaction. Gives the Health lost, at most what is `left`, and the harm."""
    return min(left, harm), harm


def block(table: Any, who: str, worth: Amount, left: int, harm: int) -> tuple[int, int]:
    """A rule, D100-24: the roll comes off, but at least 1 stays. Gives the Health lost and the harm."""
    roll = _rolled(table, "block", who, worth)
    table.result(total=roll)
    through = min(harm, max(BLOCKED_TO, harm - roll))
    return min(left, through), through


def dodge(table: Any, who: str, worth: Amount, left: int, harm: int) -> tuple[int, int]:
    """A rule, D100-25: a roll at or above what would reach health prevents all of it, any other nothing.

    Gives the Health lost and the harm.
    """
    roll = _rolled(table, "dodge", who, worth)
    table.result(total=roll, target=harm, success=roll >= harm)
    through = 0 if roll >= harm else harm
    return min(left, through), through


def _rolled(table: Any, what: str, who: str, worth: Amount) -> int:
    table.label(what, who, worth.dice)
    return max(0, sum_of(table, worth))
