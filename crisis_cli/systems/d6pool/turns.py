"""The turn order, and what rounds and turns bring (POOL-8 to POOL-13, POOL-38)."""

from __future__ import annotations

from typing import Any

from ...rules import (
    Action,
    Changes,
    Fighter,
    Initiative,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    initiative_action,
    refuse,
)
from .attacks import STOLEN, actions_a_turn, in_next_turn
from .defence import REACTIONS
from .rolls import SIDES, PoolRoll, counted, dice_of, forced_roll, luck_spent, roll_pool, without
from .sheet import (
    PROTECTION,
)
from .wounds import DEATH, consequences, hearts, worsen, wound

# What the start of a round brings

SKILL = {
    "dying": ("resistance", "death"),
    "unconscious": ("willpower", "unconsciousness"),
    "shocked": ("endurance", "shock"),
    "bleeding": ("endurance", "bleeding"),
    "poisoned": ("resistance", "poison"),
}
"""The skill to withstand each condition, and what that is, in the order of the rolls (POOL-37, POOL-38)."""
Trial = tuple[str, int, PoolRoll]
"""One roll that a condition demands: the condition, its level, the roll."""
Patient = tuple[str, int, tuple[Trial, ...]]
"""A fighter whose conditions demand rolls: the name, how many wounds would be too many, the rolls."""


class RoundResult(NamedTuple):
    """By fighter and condition, what was withstood of it: its levels, or 1 where one success is enough; and by
    fighter, what was spent on these rolls (POOL-7)."""

    withstood: tuple[tuple[str, str, int], ...]
    spent: tuple[tuple[str, tuple[str, ...]], ...] = ()


def round_setup(scene: Scene, intent: Intent) -> Setup:
    """Everyone in the order of initiative; their conditions make none of these rolls harder."""
    found: list[Patient] = []
    lines: list[Modifiers] = []
    for name in scene.order or scene.fighters:
        fighter = scene.fighters[name]
        trials: list[Trial] = []
        for condition, (skill, cause) in SKILL.items():
            if fighter.has(condition) and not fighter.gone:
                roll, more = forced_roll(scene, name, "resist", skill, cause, free=True)
                trials.append((condition, fighter.level(condition), roll))
                lines += more
        if trials:
            found.append((name, hearts(fighter), tuple(trials)))
    return Setup(tuple(found), Modifiers.lines_of(*lines))


def round_rule(table: RuleTable, patients: tuple[Patient, ...]) -> RoundResult | None:
    """Every trial in its order."""
    found = [(patient[0], *table.ask(withstand, patient)) for patient in patients]
    withstood = tuple((who, *one) for who, held, _ in found for one in held)
    return RoundResult(withstood, tuple((who, used) for who, _, used in found if used)) if found else None


def withstand(table: RuleTable, patient: Patient) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    """What a fighter withstood, by condition, and what was spent on it; one who bleeds to death rolls no more."""
    _, wounds_left, trials = patient
    found: list[tuple[str, int]] = []
    used: tuple[str, ...] = ()
    for condition, level, roll in trials:
        needs = level if condition == "unconscious" else 1
        left = roll._replace(luck=without(roll.luck, used))
        asks = failing(roll.who, level) if condition == "dying" else ""
        count, more = table.ask(roll_pool, "resist", left, counted, needs, asks)
        held, used = min(1 if condition in ("dying", "bleeding") else level, count), (*used, *more)
        if condition == "unconscious":
            table.result(difficulty=needs)
        found.append((condition, held))
        if condition == "bleeding" and not held and level >= wounds_left:
            break
    return tuple(found), used


def failing(who: str, level: int) -> str:
    """POOL-37: what a failure to resist death is to somebody who is dying at a level, as a sentence."""
    return f"A failure is dying {level + 1} of {DEATH}." if level + 1 < DEATH else f"A failure kills {who}."


def round_effects(changes: Changes, intent: Intent, setup: Setup, outcome: RoundResult | None) -> None:
    """POOL-37, POOL-38: what is not withstood takes its course."""
    for who, condition, held in outcome.withstood if outcome else ():
        level = changes.fighter(who).level(condition)
        if condition == "dying" and level and not held:
            worsen(changes, who, changes.number("POOL-37").add("death not resisted", 1))
        elif condition == "bleeding" and level and not held:
            wound(changes, who, changes.number("POOL-38").add("bleeding", level), "POOL-38")
        elif condition in ("unconscious", "shocked", "poisoned") and held >= level:
            changes.end(who, condition, "POOL-38")
        elif condition in ("shocked", "poisoned") and held:
            changes.begin(who, condition, "POOL-38", changes.number("POOL-38").add("resisted", -held))
        consequences(changes, who)


ROUND = Action(
    "What conditions do",
    "POOL-38",
    round_setup,
    round_effects,
    round_rule,
    window="table",
    choices=luck_spent,
)

# The turn order


class StartResult(NamedTuple):
    """The turn order, who has a quick reaction, and by fighter what was spent on the check for it (POOL-7)."""

    order: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    quick: tuple[str, ...]
    spent: tuple[tuple[str, tuple[str, ...]], ...] = ()


def init_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-8: everyone's quickness; POOL-10: everyone's apprehension."""
    for option in ("surprise", "initiator"):
        if intent.get(option):
            what = f"there is no extra turn before the first: --{option} gives none"
            refuse(intent, what, "POOL-8", f"leave out --{option}", code="unheeded_option")
    whole = LINE_UP.setup(scene, intent)
    alerts = [forced_roll(scene, name, "alert", "apprehension") for name in Initiative.grouped(scene, intent)]
    lines = Modifiers.lines_of(*(line for _, more in alerts for line in more))
    return Setup((whole.dice, tuple(roll for roll, _ in alerts)), (*whole.modifiers, *lines))


def initiative_of(fighter: Fighter) -> tuple[Initiative, Modifiers]:
    """POOL-8: the dice of quickness; POOL-9: quickness and deftness settle ties."""
    dice = dice_of(fighter, "initiative", "quickness", against=fighter.name)
    plus = Modifiers("initiative", "POOL-8", fighter.name).situational(fighter, "initiative")
    own = fighter.sheet["attributes"]
    one = Initiative(fighter.name, plus.total, (-own["quickness"], -own["deftness"]), max(0, dice.total))
    plus.lines[:0] = dice.lines
    return one, plus


def initiative(
    table: RuleTable, field: tuple[tuple[tuple[Initiative, ...], tuple[str, ...]], tuple[PoolRoll, ...]]
) -> StartResult:
    """POOL-8: everyone rolls; then everyone checks apprehension (POOL-10); POOL-9: ties by quickness, deftness, as
    those who tie have agreed, or new rolls, at most 24 times."""
    (initiatives, agreed), rolls = field
    scores = {one.name: score(table, one) for one in initiatives}
    alerts = [(roll.who, *table.ask(is_alert, roll)) for roll in rolls]
    quick = tuple(name for name, is_quick, _ in alerts if is_quick)
    used = tuple((name, used) for name, _, used in alerts if used)
    return StartResult(*Initiative.in_order(table, initiatives, scores, score, agreed, 24), quick, used)


QUICK = "A success is a quick reaction: one action, for reactions only, until the first own turn."
"""POOL-10: what an apprehension check brings."""


def is_alert(table: RuleTable, roll: PoolRoll) -> tuple[bool, tuple[str, ...]]:
    """POOL-10: whether an apprehension check succeeds, and what was spent on it."""
    found, used = roll_pool(table, "alert", roll, counted, asks=QUICK)
    return found > 0, used


def score(table: RuleTable, one: Initiative, tied: tuple[str, ...] = ()) -> int:
    """POOL-8: the sum of the dice; POOL-9: once more for a tie."""
    table.label("initiative", one.name, f"{one.dice}d6!" if one.dice else "", tied_with=[*tied])
    found: int = table.exploding(one.dice, SIDES, int, note="values") + one.bonus
    table.result(total=found)
    return found


def line_up(changes: Changes, intent: Intent, setup: Setup, outcome: StartResult) -> None:
    """The turn order; one action for those who are quick to react, none for the others, until their first turn. Who
    comes back after a turn of this round keeps the actions that are left of it."""
    LINE_UP.effects(changes, intent, setup, outcome)
    newcomers = [name for name in intent.targets if name not in changes.scene.late]
    for name in newcomers if changes.scene.open else ():
        has_one = int(Initiative.leader_of(changes.scene, intent, name) in outcome.quick)
        changes.set(name, "actions", has_one, "POOL-10")


LINE_UP = initiative_action(
    "POOL-8",
    initiative_of,
    score,
    ahead=lambda new, other: initiative_of(new)[0].tie < initiative_of(other)[0].tie,
)
INIT = LINE_UP._replace(setup=init_setup, effects=line_up, rule=initiative, choices=luck_spent)

# What turns bring


def refresh(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-11: actions as many as a turn has; POOL-15: less what was stolen."""
    fighter = changes.fighter(intent.actor)
    more = changes.number("POOL-11").add("left over", -fighter.pools["actions"])
    stolen = min(fighter.marks.get(STOLEN, 0), actions_a_turn(fighter))
    in_next_turn(fighter, more).add("stolen", -stolen, "POOL-15")
    changes.adjust(intent.actor, "actions", more, "POOL-11")
    changes.mark(intent.actor, STOLEN, 0, "POOL-15")


def turn_ends(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-13: everyone may react anew."""
    for name in changes.scene.fighters:
        changes.mark(name, REACTIONS.mark, 0, "POOL-14")


def mend_armour(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-24: armour is put in order when the crisis is over."""
    for fighter in changes.scene.fighters.values():
        for pool in (f"protection:{kind}" for kind in PROTECTION):
            if pool in fighter.pools:
                changes.set(fighter.name, pool, fighter.full(pool), "POOL-24")


PHASES = {
    "start-round": ROUND,
    "start-turn": Action("Actions for the turn", "POOL-11", effects=refresh, window="table"),
    "end-turn": Action("Reactions anew", "POOL-13", effects=turn_ends, window="table"),
    "end-crisis": Action("Armour is put in order", "POOL-24", effects=mend_armour, window="table"),
}
