"""`d6pool`: count exploding d6 at or over a minimum roll; actions kept for reactions.

Movement, things in hand, the other actions, the turn order, what turns bring, and the system itself (POOL-8 to POOL-13,
POOL-15, POOL-20, POOL-23, POOL-24, POOL-30, POOL-34, POOL-35, POOL-38).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, NamedTuple

from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    Mark,
    Modifiers,
    OneOf,
    OutcomeWord,
    Output,
    Pool,
    RollWords,
    RuleChange,
    RuleTable,
    Scene,
    Setup,
    System,
    Whole,
    condition_action,
    each,
    has,
    lacks,
    lines_of,
    move_action,
    patients,
    refuse,
    slug,
    unable,
    use_action,
)
from ...rules.turn_order import Ordered, grouped, leader_of, lined_up, settled, tie
from . import attack, rolls, sheet
from .attack import ACCURATE, AIM, RAISED, REACTIONS, RECOIL, STOLEN, SUPPORTED, shield_of, weapons_held
from .options import COMMAND_OPTIONS
from .rolls import SPENDING, WALKED, PoolRoll
from .sheet import ONE, PROTECTION, SHIELD, Weapon, modes_of

# Movement and posture


def pace(metres: Callable[[int], int]) -> Callable[[Fighter], int]:
    """POOL-12: metres of one move, by quickness; POOL-23: half of them with the shield up."""

    def most(fighter: Fighter) -> int:
        found = max(0, metres(sheet.value_of(fighter.sheet, "quickness")[0]))
        return found // 2 if fighter.has("blocking") else found

    return most


def along(scene: Scene, intent: Intent) -> None:
    """POOL-12: walking goes along with another action, once."""
    fighter = scene.fighters[intent.actor]
    if fighter.marks.get(WALKED):
        what = f"{fighter.name} has walked already"
        refuse(intent, what, "POOL-12", "the next walk goes with the next action")
    if scene.open and fighter.pools["actions"] < 1:
        refuse(intent, f"{fighter.name} has no action left to walk along with", "POOL-12", "run next turn")


def has_shield(scene: Scene, intent: Intent) -> None:
    """POOL-23: a shield in hand beside a weapon for one hand, not yet up."""
    fighter = scene.fighters[intent.actor]
    if fighter.has("blocking"):
        refuse(intent, f"{fighter.name} holds the shield up already", "POOL-23", final=True)
    if not shield_of(fighter):
        hint = f"crisis act {slug(fighter.name)} ready shield, beside a weapon for one hand"
        refuse(intent, f"{fighter.name} holds no shield", "POOL-23", hint, final=True)


on_foot = lacks("hunkered", "POOL-12", "{who} is hunkered and cannot {action}", hint="crawl, or get up first")
hunkered = has(
    "hunkered",
    "POOL-12",
    "{who} is not hunkered and cannot {action}",
    hint="get down first: crisis act hunker",
)
walk_pace, run_pace = pace(lambda quickness: quickness + 1), pace(lambda quickness: quickness + 5)
crawl_pace = pace(lambda quickness: -(-quickness // 2) + 1)
MOVES = {
    "walk": move_action(
        "Walk along with another action",
        "POOL-12",
        walk_pace,
        (),
        "{actor} walks",
        requires=(on_foot, along),
        hint="go part of the way, or run",
        also=lambda changes, intent: changes.mark(intent.actor, WALKED, 1, "POOL-12"),
    )._replace(keeps=(AIM, ACCURATE, RECOIL)),
    "run": move_action("Run", "POOL-12", run_pace, ONE, "{actor} runs", requires=(on_foot,)),
    "crawl": move_action(
        "Crawl, hunkered", "POOL-12", crawl_pace, ONE, "{actor} crawls", requires=(hunkered,)
    ),
    "hunker": condition_action(
        "Hunker down: cover 6+", "POOL-12", ONE, "{actor} hunkers down", begins="hunkered"
    ),
    "stand-up": Action(
        "Get up",
        "POOL-12",
        costs=ONE,
        requires=(has("hunkered", "POOL-12", "{who} is standing already"),),
        sets={"hunkered": False},
        says="{actor} gets up",
    ),
    "shield-block": Action(
        "Hold the shield up",
        "POOL-23",
        effects=lambda changes, intent, setup, outcome: changes.mark(
            intent.actor, RAISED, changes.scene.round + 1, "POOL-23"
        ),
        costs=(Cost("actions", 2),),
        requires=(has_shield,),
        sets={"blocking": True},
        says="{actor} holds the shield up",
    ),
    "lower-shield": Action(
        "Lower the shield",
        "POOL-23",
        effects=lambda changes, intent, setup, outcome: changes.mark(intent.actor, RAISED, 0, "POOL-23"),
        requires=(has("blocking", "POOL-23", "{who} does not hold a shield up"),),
        sets={"blocking": False},
        keeps=(AIM, ACCURATE, RECOIL, SUPPORTED),
        says="{actor} lowers the shield",
    ),
}

# Things in hand


def actions(count: int) -> tuple[Cost, ...]:
    """POOL-12: so many actions."""
    return (Cost("actions", count, rule="POOL-12"),) if count else ()


def to_ready(fighter: Fighter) -> tuple[str, ...]:
    """Every weapon, and the shield."""
    return (*fighter.sheet["weapons"], *((SHIELD,) if "shield" in fighter.sheet else ()))


def ready_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a weapon or the shield, not in hand yet."""
    fighter = scene.fighters[intent.actor]
    weapons, things = fighter.sheet["weapons"], to_ready(fighter)
    name = intent.get("thing") or (things[0] if len(things) == 1 else "")
    others = [one for one in things if one not in fighter.held]
    at_hand = f"to ready: {', '.join(others)}" if others else ""
    if name not in things:
        refuse(intent, f"{fighter.name} must say what to ready", "POOL-12", at_hand, final=True)
    if name in fighter.held:
        refuse(intent, f"{fighter.name} has the {name} in hand already", "POOL-12", at_hand)
    if intent.get("off_hand") and (name == SHIELD or weapons[name]["hands"] > 1 or not weapons_held(fighter)):
        refuse(intent, f"the {name} is nothing for the other hand", "POOL-34", final=True)
    if name in weapons and not fighter.pools.get(f"ammo:{name}", 1) and "throw" in modes_of(weapons[name]):
        refuse(intent, f"{fighter.name} has thrown the {name} away", "POOL-18", at_hand)
    return Setup(name, (), actions(weapons[name]["ready"] if name in weapons else 1), name)


def ready(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """In hand: instead of the weapon before, with `--off-hand` beside it; two hands leave none for the shield."""
    fighter, name = changes.fighter(intent.actor), setup.gear
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    now: tuple[str, ...] = (name,)
    if name == SHIELD:
        now = (*(one for one in held[:1] if weapons[one]["hands"] == 1), SHIELD)
    elif intent.get("off_hand"):
        now = (held[0], name)
    elif SHIELD in fighter.held and weapons[name]["hands"] == 1:
        now = (name, SHIELD)
    changes.hold(intent.actor, now, "POOL-12")
    changes.end(intent.actor, "stuck", "POOL-24")
    if SHIELD not in now:
        changes.end(intent.actor, "blocking", "POOL-23")


def reload_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a weapon that fires, and is not full."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    able = [one for one in (*fighter.held, *weapons) if one in weapons and fires(weapons[one])]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        what = f"the {name} takes no rounds" if name else f"{fighter.name} has nothing to reload"
        refuse(intent, what, "POOL-12", final=True)
    left = fighter.pools[f"ammo:{name}"]
    if left >= fighter.full(f"ammo:{name}"):
        refuse(intent, f"the {name} of {fighter.name} is full: {left} rounds", "POOL-12", final=True)
    return Setup(name, (), actions(weapons[name]["reload"]), name)


def fires(weapon: Weapon) -> bool:
    """Whether a weapon holds rounds to fire."""
    return "capacity" in weapon and not {"single", "burst"}.isdisjoint(modes_of(weapon))


def fill(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """Filled to its capacity."""
    pool = f"ammo:{setup.gear}"
    changes.set(intent.actor, pool, changes.fighter(intent.actor).full(pool), "POOL-12")


def support_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-35: a firearm in hand, and no bow."""
    fighter = scene.fighters[intent.actor]
    held = {one: fighter.sheet["weapons"][one] for one in weapons_held(fighter)}
    able = [
        one
        for one, weapon in held.items()
        if any(attack.is_firearm(weapon, mode) for mode in modes_of(weapon))
    ]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        refuse(intent, f"{fighter.name} holds no firearm to support", "POOL-35", final=True)
    if fighter.marks.get(f"{SUPPORTED}:{name}"):
        refuse(intent, f"the {name} is supported already", "POOL-35", final=True)
    return Setup(name, gear=name)


GEAR = {
    "ready": Action(
        "Ready a weapon or the shield",
        "POOL-12",
        ready_setup,
        ready,
        gear="weapons",
        candidates=lambda scene, who: (
            Intent("ready", who, (), {"thing": name}) for name in to_ready(scene.fighters[who])
        ),
        options=("off-hand",),
        says="{actor} readies the {gear}",
    ),
    "reload": Action(
        "Fill a weapon",
        "POOL-12",
        reload_setup,
        fill,
        gear="weapons",
        candidates=each("reload", "weapons"),
        says="{actor} reloads the {gear}",
    ),
    "support": Action(
        "Rest the firearm on something",
        "POOL-35",
        support_setup,
        lambda changes, intent, setup, outcome: changes.mark(
            intent.actor, SUPPORTED, 1, "POOL-35", key=setup.gear
        ),
        costs=ONE,
        gear="weapons",
        says="{actor} rests the {gear} on something",
    ),
    "use": use_action("use", "Use a thing carried", "POOL-12", ONE, "{actor} uses the {gear}"),
}

# The other actions


def build_up(mark: str, title: str, rule: str, says: str) -> Action:
    """The row of spending actions on a later attack, which counts them by a mark."""
    return Action(title, rule, costs=ONE, builds=(mark,), keeps=(mark, SUPPORTED), says=says)


def end_condition(action: str, condition: str, title: str, rule: str, says: str) -> Action:
    """The row of ending a condition of one's own, or of somebody else."""

    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        changes.end(intent.target or intent.actor, condition, rule)

    return Action(
        title,
        rule,
        effects=effects,
        costs=ONE,
        requires=(has(condition, rule, of="target"),),
        candidates=patients(action),
        targets="patient",
        says=says,
    )


def do_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: anything else: as many actions as the GM says, and with a skill a roll."""
    count = intent.get("cost", 1)
    if not 0 <= count <= 99:
        refuse(intent, f"--cost is a number from 0 to 99, not {count}", "POOL-12", final=True)
    if not intent.get("skill"):
        return Setup(None, (), actions(count))
    setup = rolls.skill_roll(scene, intent, "check", rolls.known_skill(scene, intent))
    return setup._replace(costs=(*actions(count), *setup.costs))


def gain(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-15: one more action, at once."""
    changes.adjust(intent.actor, "actions", 1, "POOL-15")


def actions_count(scene: Scene, intent: Intent) -> None:
    """POOL-15: in a crisis, where actions count."""
    if not scene.open:
        what, opens = "actions count in a crisis alone", "crisis init WHO… --open"
        refuse(intent, what, "POOL-15", opens, final=True)


def can_steal(scene: Scene, intent: Intent) -> None:
    """POOL-15: from what is left of the opponent's own turn; at any other time from its next refresh."""
    victim = scene.fighters[intent.target]
    if victim.side == scene.fighters[intent.actor].side:
        refuse(intent, f"{victim.name} is no opponent", "POOL-15")
    now = victim.name in scene.acting
    if now and victim.pools["actions"] < 1:
        refuse(intent, f"{victim.name} has no action left in this turn", "POOL-15", "wait until it is over")
    if not now and attack.all_stolen(victim):
        what = f"all {victim.sheet['actions']} actions of {victim.name}'s next turn are stolen"
        refuse(intent, what, "POOL-15", final=True)


ACTS = {
    "aim": build_up(AIM, "Aim: critical threshold −2", "POOL-20", "{actor} takes aim"),
    "accurate": build_up(
        ACCURATE, "Take one's time: minimum roll −1", "POOL-30", "{actor} takes time to strike true"
    ),
    "put-out-fire": end_condition(
        "put-out-fire", "burning", "Put out the fire", "POOL-38", "{actor} puts out the fire on {target}"
    ),
    "free-weapon": end_condition(
        "free-weapon", "stuck", "Pull the weapon free", "POOL-24", "{actor} pulls the weapon free"
    ),
    "wake": end_condition("wake", "asleep", "Wake somebody", "POOL-38", "{actor} shakes {target} awake"),
    "do": Action(
        "Do anything else",
        "POOL-12",
        do_setup,
        rule=lambda table, roll: rolls.check(table, roll) if roll else None,
        words=("success", "failure"),
        counts="successes",
        options=("cost", "skill", *SPENDING),
        choices=rolls.luck_spent,
        says="{actor} does something else",
    ),
    "gain-action": Action(
        "An action for a bonus die",
        "POOL-15",
        effects=gain,
        costs=(Cost("bonus-dice", rule="POOL-15"),),
        window="any",
        requires=(actions_count,),
        says="{actor} spends a bonus die on an action",
    ),
    "steal-action": Action(
        "An opponent's action for a destiny die",
        "POOL-15",
        effects=gain,
        choices=lambda scene, intent, setup, outcome: (attack.theft(scene, intent.target),),
        costs=(Cost("destiny-dice", rule="POOL-15"),),
        window="any",
        targets="one",
        requires=(actions_count, can_steal),
        candidates=lambda scene, who: (Intent("steal-action", who, (foe.name,)) for foe in scene.foes(who)),
        says="{actor} spends a destiny die on an action of {target}",
    ),
}

# The turn order


class Starter(NamedTuple):
    """What counts for one fighter's place in the turn order."""

    name: str
    dice: int
    plus: int
    quickness: int
    deftness: int
    alert: PoolRoll


class StartResult(NamedTuple):
    """The turn order, and who has a quick reaction."""

    order: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    quick: tuple[str, ...]
    spent: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By fighter, what was spent on the apprehension check (POOL-7)."""


def init_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-8: everyone's quickness; POOL-10: everyone's apprehension."""
    for option in ("surprise", "initiator"):
        if intent.get(option):
            refuse(intent, f"there is no extra turn before the first: --{option} gives none", "POOL-8")
    lines: list[Modifiers] = []
    found: list[Starter] = []
    for number, name in enumerate(grouped(scene, intent)):
        fighter = scene.fighters[name]
        dice = rolls.dice_of(fighter, "initiative", "quickness", against=name)
        plus = Modifiers("initiative", "POOL-8", name).situational(fighter, "initiative")
        if not number:
            plus.asked(intent)
        alert, more = rolls.forced_roll(scene, name, "alert", "apprehension")
        lines += (dice, plus, *more)
        own = fighter.sheet["attributes"]
        found.append(Starter(name, max(0, dice.total), plus.total, own["quickness"], own["deftness"], alert))
    return Setup((tuple(found), tuple(intent.get("order", ()))), lines_of(*lines))


def initiative(table: RuleTable, field: tuple[tuple[Starter, ...], tuple[str, ...]]) -> StartResult:
    """POOL-8: everyone rolls; then everyone checks apprehension (POOL-10); POOL-9: ties by quickness, deftness, as
    those who tie have agreed, or new rolls, at most 24 times."""
    starters, agreed = field
    scores = {one.name: score(table, one) for one in starters}
    alerts = {one.name: rolls.roll_pool(table, "alert", one.alert, rolls.counted) for one in starters}

    def place(one: Starter) -> tuple[int, int, int]:
        return -scores[one.name], -one.quickness, -one.deftness

    order: list[str] = []
    for _, tied in groupby(sorted(starters, key=place), key=place):
        order += table.ask(settled, score, tuple(tied), agreed, 24)
    return StartResult(
        tuple(order),
        tuple((name, scores[name]) for name in order),
        tuple(name for name, alert in alerts.items() if alert.found),
        tuple((name, alert.repaid) for name, alert in alerts.items() if alert.repaid),
    )


def score(table: RuleTable, one: Starter, tied: tuple[str, ...] = ()) -> int:
    """POOL-8: the sum of the dice; POOL-9: once more for a tie."""
    table.label("initiative", one.name, f"{one.dice}d6!" if one.dice else "", **tie(tied))
    found: int = table.ask(rolls.summed, one.dice) + one.plus
    table.result(total=found)
    return found


def line_up(changes: Changes, intent: Intent, setup: Setup, outcome: StartResult) -> None:
    """The turn order; one action for those who are quick to react, none for the others, until their first turn."""
    scene = changes.scene

    def ahead(new: str, other: str) -> bool:
        mine, theirs = (scene.fighters[name].sheet["attributes"] for name in (new, other))
        return bool((mine["quickness"], mine["deftness"]) > (theirs["quickness"], theirs["deftness"]))

    changes.take(lined_up(scene, intent, Ordered(outcome.order, outcome.scores), "POOL-8", ahead))
    for name in intent.targets if scene.open else ():
        has_one = int(leader_of(scene, intent, name) in outcome.quick)
        changes.set(name, "actions", has_one, "POOL-10")


INIT = Action(
    "Roll for the turn order",
    "POOL-8",
    init_setup,
    line_up,
    initiative,
    window="table",
    targets="many",
    choices=rolls.luck_spent,
)

# What turns bring


def refresh(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-11: actions as many as a turn has; POOL-15: less what was stolen; POOL-34: one more with two weapons."""
    fighter = changes.fighter(intent.actor)
    count = fighter.sheet["actions"] + fighter.sheet["circumstance"].get("actions", 0)
    count += attack.paired(fighter) - fighter.marks.get(STOLEN, 0)
    helpless = unable(rolls.CONDITIONS, fighter)[0] in ("dead", "dying")
    changes.set(intent.actor, "actions", 0 if helpless else max(0, count), "POOL-11")
    changes.mark(intent.actor, STOLEN, 0, "POOL-15")


def turn_ends(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-13: everyone may react anew; walking along has had its action."""
    changes.mark(intent.actor, WALKED, 0, "POOL-12")
    for name in changes.scene.fighters:
        changes.mark(name, REACTIONS.mark, 0, "POOL-14")


def mend_armour(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-24: armour is put in order when the crisis is over."""
    for fighter in changes.scene.fighters.values():
        for pool in (f"protection:{kind}" for kind in PROTECTION):
            if pool in fighter.pools:
                changes.set(fighter.name, pool, fighter.full(pool), "POOL-24")


# The system


def sells_reactions(offers: Iterable[tuple[str, ...]]) -> bool:
    """Whether somebody was offered a reaction for a die (POOL-15)."""
    bought = tuple(f"{reaction}-" for reaction in attack.DEFENCES)
    return any(option.startswith(bought) for offered in offers for option in offered)


SYSTEM = System(
    name=sheet.NAME,
    title="exploding d6 counted, and reactions",
    sheet=sheet.SHEET,
    pools={
        "wounds": Pool("wounds", "POOL-37", taken=True),
        "boost": Pool("boosts", "POOL-39"),
        "actions": Pool(
            "actions", "POOL-11", lasting=False, spent=True, renewed=True, long="POOL-12", a_turn="actions"
        ),
        "bonus-dice": Pool("bonus dice", "POOL-7"),
        "destiny-dice": Pool("destiny dice", "POOL-7"),
        "rerolls": Pool("re-rolls", "POOL-7"),
        "protection": Pool("protection", "POOL-24", lasting=False, guards=True),
        "ammo": Pool("rounds", "POOL-18", gear="weapons", refill="reload", board="{left} in the {thing}"),
        "uses": Pool("uses", "POOL-39", gear="items"),
    },
    conditions=rolls.CONDITIONS,
    actions={
        "check": rolls.CHECK,
        "init": INIT,
        "attack": attack.ATTACK,
        "throw": attack.THROW,
        "coup-de-grace": attack.FINISH,
        "heal": rolls.HEAL,
        "rest": rolls.RESTING,
        **MOVES,
        **GEAR,
        **ACTS,
        "take-hits": attack.TAKE_HITS,
    },
    start=sheet.start,
    consequences=rolls.consequences,
    derived=lambda fighter: {"evasion": sheet.evasion_of(fighter.sheet)},
    check_sheet=sheet.faults,
    single_things=("shield",),
    phases={
        "start-round": rolls.ROUND,
        "start-turn": Action("Actions for the turn", "POOL-11", effects=refresh, window="table"),
        "end-turn": Action("Reactions anew", "POOL-13", effects=turn_ends, window="table"),
        "end-crisis": Action("Armour is put in order", "POOL-24", effects=mend_armour, window="table"),
    },
    marks={
        AIM: Mark("crisis", "aiming, +{count}", lost_by="POOL-20"),
        ACCURATE: Mark("crisis", "taking time, +{count}", lost_by="POOL-20"),
        RECOIL: Mark("round", "recoil of {count}", lost_by="POOL-20"),
        SUPPORTED: Mark("crisis", "{what} supported", lost_by="POOL-20"),
        WALKED: Mark("crisis", lost_by="POOL-20"),
        "paid": Mark("crisis", lost_by="POOL-20"),
        RAISED: Mark("crisis"),
        STOLEN: Mark("crisis", "{count} of the next turn's actions stolen"),
        REACTIONS.mark: Mark("crisis"),
    },
    rolls={
        "alert": RollWords("quick reaction", "no quick reaction"),
        "resist": RollWords("holds on", "gives way"),
    },
    words={
        "lost": OutcomeWord("too late, the action is lost", False),
        "stabilised": OutcomeWord("stabilised", True),
        "rested": OutcomeWord("time passes"),
    },
    outputs={
        "at": Output("where a throw landed that missed, `[x, y]`"),
        "off": Output("how far from its target it landed, in metres"),
        "metres": Output("how far the actor moved, in metres"),
        "spent": Output("what the target spent on its rolls after they had failed"),
        "healed": Output("the wounds that a rest heals"),
        "criticals": Output("how many of the hits are critical"),
        "mode": Output("how the weapon was used"),
        "harm": Output("the wounds of hits that nobody rolled for"),
    },
    reactions=REACTIONS,
    changes=(
        RuleChange(
            "POOL-12",
            2,
            "what was paid into a long action and is lost is told with the rule of d6pool",
            lambda was, now: any(event.rule == "3D6-12" for event in was.events),
        ),
        RuleChange(
            "POOL-15",
            2,
            "a fighter without an action left may react for a bonus die or a destiny die",
            lambda was, now: (
                now is not None
                and sells_reactions(one.offered for one in now.choices)
                and not sells_reactions(one.offered for one in was.choices)
            ),
        ),
        RuleChange(
            "POOL-7",
            2,
            "a roll with bonus and destiny dice is one roll, and the dice may be spent on every roll of one's own",
            lambda was, now: (
                now is None or was.choices != now.choices or any("part" in roll.about for roll in was.rolls)
            ),
        ),
    ),
    skills=tuple(sheet.SKILLS),
    command_options=COMMAND_OPTIONS,
    range=Whole(0, 100_000),  # POOL-21: metres
    cover=OneOf(("none", "4+", "5+", "6+")),  # POOL-22
    difficulty=rolls.DIFFICULTY,
)
