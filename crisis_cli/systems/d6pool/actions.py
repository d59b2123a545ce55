"""Movement, things in hand, the other actions, the turn order and what turns bring (POOL-8 to POOL-13, POOL-15,
POOL-20, POOL-23, POOL-24, POOL-30, POOL-34, POOL-35, POOL-38)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from ...engine.setup import Charge
from ...engine.turn_order import Ordered, leader_of, lined_up
from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    each,
    grouped,
    has,
    lacks,
    lines_of,
    move_action,
    no_setup,
    refuse,
    settled,
    slug,
    tie,
    unable,
)
from .attack import ACCURATE, AIM, RECOIL, SUPPORTED
from .defence import RAISED, REACTIONS, STOLEN, all_stolen, theft
from .health import CONDITIONS, ROUND
from .rolls import (
    SPENDING,
    WALKED,
    CheckResult,
    PoolRoll,
    check,
    dice_of,
    known_skill,
    luck_charge,
    own_luck,
    resistance_roll,
    skill_roll,
    successes,
    summed,
)
from .sheet import (
    ONE,
    PROTECTION,
    SHIELD,
    Weapon,
    is_firearm,
    modes_of,
    paired,
    shield_of,
    value_of,
    weapons_held,
)

# Movement and posture

WALK, RUN, CRAWL = 1, 5, 1
"""POOL-12: metres beside quickness, of which crawling takes half, rounded up."""
BLOCK = 2
"""POOL-23: actions of holding the shield up, and what it divides metres by."""


def pace(metres: Callable[[int], int]) -> Callable[[Fighter], int]:
    """POOL-12: metres of one move, by quickness; POOL-23: half of them with the shield up."""

    def most(fighter: Fighter) -> int:
        found = max(0, metres(value_of(fighter.sheet, "quickness")[0]))
        return found // BLOCK if fighter.has("blocking") else found

    return most


def on_foot(scene: Scene, intent: Intent) -> None:
    """POOL-12: not while hunkered."""
    if scene.fighters[intent.actor].has("hunkered"):
        what = f"{intent.actor} is hunkered and cannot {intent.action}"
        refuse(intent, what, "POOL-12", "crawl, or get up first")


def hunkered(scene: Scene, intent: Intent) -> None:
    """POOL-12: only while hunkered."""
    if not scene.fighters[intent.actor].has("hunkered"):
        what = f"{intent.actor} is not hunkered and cannot {intent.action}"
        refuse(intent, what, "POOL-12", "get down first: crisis act hunker")


def along(scene: Scene, intent: Intent) -> None:
    """POOL-12: walking goes along with another action, once."""
    fighter = scene.fighters[intent.actor]
    if fighter.marks.get(WALKED):
        what = f"{fighter.name} has walked already"
        refuse(intent, what, "POOL-12", "the next walk goes with the next action")
    if scene.open and fighter.pools["actions"] < 1:
        refuse(intent, f"{fighter.name} has no action left to walk along with", "POOL-12", "run next turn")


def walked(changes: Changes, intent: Intent) -> None:
    """POOL-12: walking counts with the next action."""
    changes.mark(intent.actor, WALKED, 1, "POOL-12")


def has_shield(scene: Scene, intent: Intent) -> None:
    """POOL-23: a shield in hand beside a weapon for one hand, not yet up."""
    fighter = scene.fighters[intent.actor]
    if fighter.has("blocking"):
        refuse(intent, f"{fighter.name} holds the shield up already", "POOL-23", final=True)
    if not shield_of(fighter):
        hint = f"crisis act {slug(fighter.name)} ready shield, beside a weapon for one hand"
        refuse(intent, f"{fighter.name} holds no shield", "POOL-23", hint, final=True)


def raise_shield(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-23: its cover from the next round on, until lowered."""
    changes.begin(intent.actor, "blocking", "POOL-23")
    changes.mark(intent.actor, RAISED, changes.scene.round + 1, "POOL-23")


def lower_shield(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-23: for free (a reading)."""
    changes.end(intent.actor, "blocking", "POOL-23")
    changes.mark(intent.actor, RAISED, 0, "POOL-23")


MOVES = {
    "walk": move_action(
        "Walk along with another action",
        "POOL-12",
        pace(lambda quickness: quickness + WALK),
        (),
        "{actor} walks",
        requires=(on_foot, along),
        hint="go part of the way, or run",
        also=walked,
    )._replace(keeps=(AIM, ACCURATE, RECOIL)),
    "run": move_action(
        "Run",
        "POOL-12",
        pace(lambda quickness: quickness + RUN),
        ONE,
        "{actor} runs",
        requires=(on_foot,),
        hint="go part of the way",
    ),
    "crawl": move_action(
        "Crawl, hunkered",
        "POOL-12",
        pace(lambda quickness: -(-quickness // 2) + CRAWL),
        ONE,
        "{actor} crawls",
        requires=(hunkered,),
        hint="go part of the way",
    ),
    "hunker": Action(
        "Hunker down: cover 6+",
        "POOL-12",
        costs=ONE,
        requires=(lacks("hunkered", "POOL-12"),),
        sets={"hunkered": True},
        says="{actor} hunkers down",
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
        effects=raise_shield,
        costs=(Cost("actions", BLOCK),),
        requires=(has_shield,),
        says="{actor} holds the shield up",
    ),
    "lower-shield": Action(
        "Lower the shield",
        "POOL-23",
        effects=lower_shield,
        requires=(has("blocking", "POOL-23", "{who} does not hold a shield up"),),
        keeps=(AIM, ACCURATE, RECOIL, SUPPORTED),
        says="{actor} lowers the shield",
    ),
}

# Things in hand


def ready_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a weapon or the shield, not in hand yet."""
    fighter = scene.fighters[intent.actor]
    weapons: dict[str, Weapon] = fighter.sheet["weapons"]
    things = (*weapons, *((SHIELD,) if "shield" in fighter.sheet else ()))
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
    price = weapons[name]["ready"] if name in weapons else 1
    return Setup(name, (), actions(price), name)


def actions(count: int) -> tuple[Cost, ...]:
    """POOL-12: so many actions."""
    return (Cost("actions", count, rule="POOL-12"),) if count else ()


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


def ready_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Every weapon, and the shield."""
    sheet = scene.fighters[who].sheet
    things = (*sheet["weapons"], *((SHIELD,) if "shield" in sheet else ()))
    return (Intent("ready", who, (), {"thing": name}) for name in things)


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
    return "capacity" in weapon and any(mode in ("single", "burst") for mode in modes_of(weapon))


def fill(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """Filled to its capacity."""
    pool = f"ammo:{setup.gear}"
    changes.set(intent.actor, pool, changes.fighter(intent.actor).full(pool), "POOL-12")


def support_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-35: a firearm in hand, and no bow."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    able = [
        one
        for one in weapons_held(fighter)
        if any(is_firearm(weapons[one], mode) for mode in modes_of(weapons[one]))
    ]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        refuse(intent, f"{fighter.name} holds no firearm to support", "POOL-35", final=True)
    if fighter.marks.get(f"{SUPPORTED}:{name}"):
        refuse(intent, f"the {name} is supported already", "POOL-35", final=True)
    return Setup(name, gear=name)


def support(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """The weapon rests on something until its owner does something other than firing it."""
    changes.mark(intent.actor, SUPPORTED, 1, "POOL-35", key=setup.gear)


def use_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: an item with uses left; the player says what it does."""
    fighter = scene.fighters[intent.actor]
    things = fighter.sheet["items"]
    name = intent.get("item") or (next(iter(things)) if len(things) == 1 else "")
    if name not in things:
        carried = f"{fighter.name} carries {', '.join(things) or 'nothing'}"
        refuse(intent, f"{fighter.name} must say what to use", "POOL-12", carried, final=True)
    uses = (Cost(f"uses:{name}", rule="POOL-12"),) if "uses" in things[name] else ()
    return Setup(name, (), uses, name)


GEAR = {
    "ready": Action(
        "Ready a weapon or the shield",
        "POOL-12",
        ready_setup,
        ready,
        gear="weapons",
        candidates=ready_candidates,
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
        support,
        costs=ONE,
        gear="weapons",
        says="{actor} rests the {gear} on something",
    ),
    "use": Action(
        "Use a thing carried",
        "POOL-12",
        use_setup,
        costs=ONE,
        gear="items",
        candidates=each("use", "items", "item"),
        options=("item",),
        says="{actor} uses the {gear}",
    ),
}

# The other actions


def build_up(mark: str, rule: str) -> Callable[[Changes, Intent, Setup, Any], None]:
    """The effects of building something up: its mark grows by one."""

    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        count = changes.fighter(intent.actor).marks.get(mark, 0)
        changes.mark(intent.actor, mark, count + 1, rule)

    return effects


def end_condition(action: str, condition: str, title: str, rule: str, says: str) -> Action:
    """The row of ending a condition of one's own, or of somebody else."""

    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        changes.end(intent.target or intent.actor, condition, rule)

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        return (Intent(action, who, (one.name,)) for one in scene.of_side(scene.fighters[who].side))

    return Action(
        title,
        rule,
        effects=effects,
        costs=ONE,
        requires=(has(condition, rule, of="target"),),
        candidates=candidates,
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
    setup = skill_roll(scene, intent, "check", known_skill(scene, intent))
    return setup._replace(costs=(*actions(count), *setup.costs))


def do(table: RuleTable, roll: PoolRoll | None) -> CheckResult | None:
    """POOL-12: the roll that the GM names, if there is one."""
    return None if roll is None else check(table, roll)


def gain(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-15: one more action, at once."""
    changes.adjust(intent.actor, "actions", 1, "POOL-15")


def can_steal(scene: Scene, intent: Intent) -> None:
    """POOL-15: from what is left of the opponent's own turn; at any other time from its next refresh."""
    victim = scene.fighters[intent.target]
    if victim.side == scene.fighters[intent.actor].side:
        refuse(intent, f"{victim.name} is no opponent", "POOL-15")
    now = victim.name in scene.acting
    if now and victim.pools["actions"] < 1:
        refuse(intent, f"{victim.name} has no action left in this turn", "POOL-15", "wait until it is over")
    if not now and all_stolen(victim):
        count = victim.sheet["actions"]
        refuse(intent, f"all {count} actions of {victim.name}'s next turn are stolen", "POOL-15", final=True)


def stolen_charge(scene: Scene, intent: Intent, setup: Setup, outcome: Any) -> Iterable[Charge]:
    """POOL-15: what the opponent loses."""
    return (theft(scene, intent.target),)


def steal_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Every foe."""
    return (Intent("steal-action", who, (foe.name,)) for foe in scene.foes(who))


def counted(scene: Scene, intent: Intent) -> None:
    """POOL-15: in a crisis, where actions count."""
    if not scene.open:
        what, opens = "actions count in a crisis alone", "crisis init WHO… --open"
        refuse(intent, what, "POOL-15", opens, final=True)


ACTS = {
    "aim": Action(
        "Aim: critical threshold −2",
        "POOL-20",
        effects=build_up(AIM, "POOL-20"),
        costs=ONE,
        keeps=(AIM, SUPPORTED),
        says="{actor} takes aim",
    ),
    "accurate": Action(
        "Take one's time: minimum roll −1",
        "POOL-30",
        effects=build_up(ACCURATE, "POOL-30"),
        costs=ONE,
        keeps=(ACCURATE, SUPPORTED),
        says="{actor} takes time to strike true",
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
        rule=do,
        options=("cost", "skill", *SPENDING),
        choices=own_luck,
        says="{actor} does something else",
    ),
    "gain-action": Action(
        "An action for a bonus die",
        "POOL-15",
        effects=gain,
        costs=(Cost("bonus-dice", rule="POOL-15"),),
        window="any",
        requires=(counted,),
        says="{actor} spends a bonus die on an action",
    ),
    "steal-action": Action(
        "An opponent's action for a destiny die",
        "POOL-15",
        effects=gain,
        choices=stolen_charge,
        costs=(Cost("destiny-dice", rule="POOL-15"),),
        window="any",
        targets="one",
        requires=(counted, can_steal),
        candidates=steal_candidates,
        says="{actor} spends a destiny die on an action of {target}",
    ),
}

# The turn order

TIES = 24
"""POOL-9: how often a tie is rolled again before the order of naming settles it."""
PAIR = 1
"""POOL-34: the additional action of fighting with two weapons."""


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
        dice = dice_of(fighter, "initiative", "quickness", against=name)
        plus = Modifiers("initiative", "POOL-8", name).situational(fighter, "initiative")
        if not number:
            plus.asked(intent)
        alert, more = resistance_roll(scene, name, "alert", "apprehension", against=name)
        lines += (dice, plus, *more)
        own = fighter.sheet["attributes"]
        found.append(Starter(name, max(0, dice.total), plus.total, own["quickness"], own["deftness"], alert))
    return Setup((tuple(found), tuple(intent.get("order", ()))), lines_of(*lines))


def initiative(table: RuleTable, field: tuple[tuple[Starter, ...], tuple[str, ...]]) -> StartResult:
    """POOL-8: everyone rolls; then everyone checks apprehension; POOL-9: ties by quickness, deftness, as those who
    tie have agreed, or new rolls."""
    starters, agreed = field
    scores = {one.name: score(table, one) for one in starters}
    alerts = [(one.name, *table.ask(is_alert, one.alert)) for one in starters]
    quick = tuple(name for name, won, _ in alerts if won)
    spent = tuple((name, used) for name, _, used in alerts if used)

    def place(one: Starter) -> tuple[int, int, int]:
        return -scores[one.name], -one.quickness, -one.deftness

    order: list[str] = []
    for _, tied in groupby(sorted(starters, key=place), key=place):
        order += table.ask(settled, score, tuple(tied), agreed, TIES)
    return StartResult(tuple(order), tuple((name, scores[name]) for name in order), quick, spent)


def score(table: RuleTable, one: Starter, tied: tuple[str, ...] = ()) -> int:
    """POOL-8: the sum of the dice; POOL-9: once more for a tie."""
    table.label("initiative", one.name, f"{one.dice}d6!" if one.dice else "", **tie(tied))
    found: int = table.ask(summed, one.dice) + one.plus
    table.result(total=found)
    return found


def is_alert(table: RuleTable, roll: PoolRoll) -> tuple[bool, tuple[str, ...]]:
    """POOL-10: whether an apprehension check succeeds, and what was spent on it."""
    found, used = successes(table, "alert", roll)
    return found > 0, used


def init_luck(scene: Scene, intent: Intent, setup: Setup, outcome: StartResult) -> Iterable[Charge]:
    """POOL-7: what everyone spent on the apprehension check."""
    return (luck_charge(who, used) for who, used in outcome.spent)


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
    choices=init_luck,
)

# What turns bring


def refresh(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-11: actions as many as a turn has; POOL-15: less what was stolen; POOL-34: one more with two weapons."""
    fighter = changes.fighter(intent.actor)
    count = fighter.sheet["actions"] + fighter.sheet["circumstance"].get("actions", 0)
    count += PAIR * paired(fighter) - fighter.marks.get(STOLEN, 0)
    helpless = unable(CONDITIONS, fighter)[0] in ("dead", "dying")
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
        for kind in PROTECTION:
            pool = f"protection:{kind}"
            if pool in fighter.pools:
                changes.set(fighter.name, pool, fighter.full(pool), "POOL-24")


PHASES = {
    "start-round": ROUND,
    "start-turn": Action("Actions for the turn", "POOL-11", no_setup, refresh, window="table"),
    "end-turn": Action("Reactions anew", "POOL-13", no_setup, turn_ends, window="table"),
    "end-crisis": Action("Armour is put in order", "POOL-24", no_setup, mend_armour, window="table"),
}
