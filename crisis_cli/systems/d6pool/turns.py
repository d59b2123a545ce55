"""The turn order, and what rounds and turns bring (POOL-8 to POOL-13, POOL-38)."""

from __future__ import annotations

from functools import partial
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
)
from .attacks import REACTIONS, STOLEN, actions_a_turn, in_next_turn
from .rolls import SIDES, PoolRoll, counted, dice_of, forced_roll, luck_spent, roll_pool
from .sheet import DEATH, consequences, hearts, worsen, wound

# What the start of a round brings

SKILL = {
    "dying": ("resistance", "death"),
    "unconscious": ("willpower", "unconsciousness"),
    "shocked": ("endurance", "shock"),
    "bleeding": ("endurance", "bleeding"),
    "poisoned": ("resistance", "poison"),
}
"""The skill to withstand each condition, and what that is, in the order of the rolls (POOL-37, POOL-38)."""
Patient = tuple[int, tuple[tuple[str, int, PoolRoll], ...]]
"""How many wounds would be too many for a fighter, and the rolls that conditions demand: each with its level."""
Spent = tuple[tuple[str, tuple[str, ...]], ...]
"""By fighter, what was spent on rolls after they had failed (POOL-7)."""


class RoundResult(NamedTuple):
    """By fighter and condition, what was withstood of it: its levels, or 1 where one success is enough."""

    withstood: tuple[tuple[str, str, int], ...]
    spent: Spent = ()


def round_setup(scene: Scene, intent: Intent) -> Setup:
    """Everyone in the order of initiative; their conditions make none of these rolls harder."""
    patients: list[Patient] = []
    lines: list[Any] = []
    for fighter in (scene.fighters[name] for name in scene.order or scene.fighters):
        trials = []
        for condition, (skill, cause) in SKILL.items():
            if fighter.has(condition) and not fighter.gone:
                forced = forced_roll(scene, fighter.name, "resist", skill, cause, free=True)
                trials.append((condition, fighter.level(condition), forced.dice))
                lines += forced.modifiers
        if trials:
            patients.append((hearts(fighter), tuple(trials)))
    return Setup(tuple(patients), tuple(lines))


def round_rule(table: RuleTable, patients: tuple[Patient, ...]) -> RoundResult | None:
    """Every trial in its order."""
    results = [table.ask(withstand, patient) for patient in patients]
    withstood = tuple(trial for result in results for trial in result.withstood)
    return RoundResult(withstood, sum((result.spent for result in results), ())) if results else None


def withstand(table: RuleTable, patient: Patient) -> RoundResult:
    """What a fighter withstood, by condition, and what was spent on it; one who bleeds to death rolls no more."""
    wounds_left, trials = patient
    withstood: list[tuple[str, str, int]] = []
    used: tuple[str, ...] = ()
    for condition, level, roll in trials:
        needs = level if condition == "unconscious" else 1
        worse = f"is dying {level + 1} of {DEATH}" if level + 1 < DEATH else f"kills {roll.who}"
        asks = f"A failure {worse}." if condition == "dying" else ""
        count, more = table.ask(roll_pool, "resist", roll.after(used), counted, needs, asks)
        held, used = min(1 if condition in ("dying", "bleeding") else level, count), (*used, *more)
        if condition == "unconscious":
            table.result(difficulty=needs)
        withstood.append((roll.who, condition, held))
        if condition == "bleeding" and not held and level >= wounds_left:
            break
    return RoundResult(tuple(withstood), ((trials[0][2].who, used),) if used else ())


def round_effects(changes: Changes, intent: Intent, setup: Setup, outcome: RoundResult | None) -> None:
    """POOL-37, POOL-38: what is not withstood takes its course."""
    for who, condition, held in outcome.withstood if outcome else ():
        level = changes.fighter(who).level(condition)
        if condition == "dying" and level and not held:
            worsen(changes, who, changes.number("POOL-37").add("death not resisted", 1))
        elif condition == "bleeding" and level and not held:
            wound(changes, who, changes.number().add("bleeding", level))
        elif condition in ("unconscious", "shocked", "poisoned") and held >= level:
            changes.end(who, condition)
        elif condition in ("shocked", "poisoned") and held:
            changes.begin(who, condition, level=changes.number().add("resisted", -held))
        consequences(changes, who)


# The turn order


class StartResult(NamedTuple):
    """The turn order, and who has a quick reaction."""

    order: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    quick: tuple[str, ...]
    spent: Spent = ()


def init_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-8: everyone's quickness; POOL-10: everyone's apprehension."""
    whole = LINE_UP.setup(scene, intent)
    alerts = [forced_roll(scene, name, "alert", "apprehension") for name in Initiative.grouped(scene, intent)]
    lines = Modifiers.lines_of(whole.modifiers, *(alert.modifiers for alert in alerts))
    return Setup((whole.dice, tuple(alert.dice for alert in alerts)), lines)


def initiative_of(fighter: Fighter) -> tuple[Initiative, Modifiers]:
    """POOL-8: the dice of quickness; POOL-9: quickness and deftness settle ties."""
    dice = dice_of(fighter, "initiative", "quickness", against=fighter.name)
    plus = Modifiers("initiative", "POOL-8", fighter.name).situational(fighter, "initiative")
    tie = tuple(-fighter.sheet["attributes"][name] for name in ("quickness", "deftness"))
    initiative = Initiative(fighter.name, plus.total, tie, max(0, dice.total))
    plus.lines[:0] = dice.lines
    return initiative, plus


def initiative(table: RuleTable, field: tuple[Any, tuple[PoolRoll, ...]]) -> StartResult:
    """POOL-8: everyone rolls, then checks apprehension (POOL-10); POOL-9: ties as agreed, or by up to 24 new rolls."""
    (initiatives, agreed), rolls = field
    asks = "A success is a quick reaction: one action, for reactions only, until the first own turn."
    scores = {one.name: score(table, one) for one in initiatives}
    alerts = {roll.who: table.ask(roll_pool, "alert", roll, counted, 1, asks) for roll in rolls}
    quick = tuple(name for name, (successes, _) in alerts.items() if successes)
    spent = tuple((name, used) for name, (_, used) in alerts.items() if used)
    return StartResult(*Initiative.in_order(table, initiatives, scores, score, agreed, 24), quick, spent)


def score(table: RuleTable, one: Initiative, tied: tuple[str, ...] = ()) -> int:
    """POOL-8: the sum of the dice; POOL-9: once more for a tie."""
    table.label("initiative", one.name, f"{one.dice}d6!" if one.dice else "", tied_with=[*tied])
    total: int = table.exploding(one.dice, SIDES, int, note="values") + one.bonus
    table.result(total=total)
    return total


def line_up(changes: Changes, intent: Intent, setup: Setup, outcome: StartResult) -> None:
    """POOL-10: one action for those quick to react, none for others; who comes back after a turn keeps what is left."""
    LINE_UP.effects(changes, intent, setup, outcome)
    for name in intent.targets if changes.scene.open else ():
        if name not in changes.scene.late:
            is_quick = Initiative.leader_of(changes.scene, intent, name) in outcome.quick
            changes.set(name, "actions", int(is_quick), "POOL-10")


LINE_UP = initiative_action(
    "POOL-8",
    initiative_of,
    score,
    ahead=lambda new, other: initiative_of(new)[0].tie < initiative_of(other)[0].tie,
)
INIT = LINE_UP._replace(
    setup=init_setup,
    effects=line_up,
    rule=initiative,
    choices=luck_spent,
    requires=(Initiative.no_extra_turn("POOL-8"),),
)

# What turns bring


def refresh(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-11: actions as many as a turn has; POOL-15: less what was stolen."""
    fighter = changes.fighter(intent.actor)
    more = changes.number().add("left over", -fighter.pools["actions"])
    stolen = min(fighter.marks.get(STOLEN, 0), actions_a_turn(fighter))
    in_next_turn(fighter, more).add("stolen", -stolen, "POOL-15")
    changes.adjust(intent.actor, "actions", more)
    changes.mark(intent.actor, STOLEN, 0, "POOL-15")


def turn_ends(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-13: everyone may react anew."""
    for name in changes.scene.fighters:
        changes.mark(name, REACTIONS.mark, 0, "POOL-14")


def mend_armour(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-24: armour is put in order when the crisis is over."""
    for fighter in changes.scene.fighters.values():
        for pool in (pool for pool in fighter.pools if pool.startswith("protection:")):
            changes.set(fighter.name, pool, fighter.full(pool))


of_time = partial(Action, window="table")
PHASES = {
    "start-round": of_time(
        "What conditions do", "POOL-38", round_setup, round_effects, round_rule, choices=luck_spent
    ),
    "start-turn": of_time("Actions for the turn", "POOL-11", effects=refresh),
    "end-turn": of_time("Reactions anew", "POOL-13", effects=turn_ends),
    "end-crisis": of_time("Armour is put in order", "POOL-24", effects=mend_armour),
}
