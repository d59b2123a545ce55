"""First aid, rest, movement, things in hand, other actions, and the rows of all (POOL-12, POOL-15, POOL-39)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    Opponents,
    RuleTable,
    Says,
    Scene,
    Setup,
    aid_in_use,
    condition_action,
    has,
    heal_action,
    in_crisis,
    lacks,
    move_action,
    refuse,
    reload_action,
    slug,
    use_action,
    within,
)
from .attacks import (
    ACCURATE,
    AIM,
    RAISED,
    RECOIL,
    STOLEN,
    SUPPORTED,
    actions_a_turn,
    is_firearm,
    not_in_hand,
    shield_of,
    theft,
    unfit,
    weapons_held,
)
from .harm import ATTACK, FINISH, TAKE_HITS, THROW
from .rolls import (
    CHECK,
    ONE,
    POOLS,
    SPENDING,
    WALKED,
    PoolRoll,
    check,
    check_setup,
    count_of,
    counted,
    dice_of,
    luck_spent,
    minimum_of,
    must_have,
    roll_of,
    roll_pool,
    skill_roll,
    spent,
)
from .sheet import ALIVE, DROPPED, SHIELD, is_thrown_away, modes_of, value_of
from .turns import INIT

forbidden = partial(refuse, code="condition_forbids")

# First aid and rest


class HealResult(NamedTuple):
    """What a treatment came to."""

    success: bool
    total: int
    stabilised: bool
    repaid: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """In one word."""
        return "failure" if not self.success else "stabilised" if self.stabilised else "healed"


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: first aid, with an item that heals if there is one; POOL-37: the dying are stabilised."""
    fighter, level = scene.fighters[intent.actor], scene.fighters[intent.patient].level("dying")
    unsuited = "the {item} does not heal"
    item, used = aid_in_use(intent, fighter, lambda item: "heals" in item, "POOL-39", unsuited)
    skills = ("first-aid", "medicine") if level else ("first-aid",)
    roll = skill_roll(scene, intent, "heal", max(skills, key=lambda skill: value_of(fighter, skill)[0]))
    aid = fighter.sheet["items"].get(item, {}).get("heals", {"boost": 1, "wounds": 0})
    dice = (roll.dice, max(1, level), level > 0)
    return Setup(dice, roll.modifiers, (*roll.costs, *used), item, carried=aid)


def heal(table: RuleTable, setup: tuple[PoolRoll, int, bool]) -> HealResult:
    """POOL-39: one success is enough; POOL-37: of the dying, who are stabilised, as many as the level."""
    roll, needs, dying = setup
    asks = "A success saves the patient from death." if dying else ""
    successes, used = roll_pool(table, "heal", roll, counted, needs, asks)
    if needs > 1:
        table.result(difficulty=needs)
    return HealResult(successes >= needs, successes, dying and successes >= needs, used)


def heal_effects(changes: Changes, intent: Intent, setup: Setup, outcome: HealResult) -> None:
    """POOL-39: boosts, and no more bleeding; POOL-37: stabilised, and unconscious without a heart left."""
    patient = intent.patient
    if outcome.stabilised:
        changes.begin(patient, "stable", "POOL-37")
        changes.end(patient, "dying", "POOL-37")
        changes.begin(patient, "unconscious", "POOL-37", 1)
    elif outcome.success:
        for pool, by in (("boost", setup.carried["boost"]), ("wounds", -setup.carried["wounds"])):
            changes.adjust(patient, pool, changes.number().add("first aid", by))
        changes.end(patient, "bleeding")


class RestResult(NamedTuple):
    """What a rest came to."""

    success: bool
    healed: int
    repaid: tuple[str, ...] = ()


def no_crisis(scene: Scene, intent: Intent) -> None:
    """POOL-39: a rest takes six hours."""
    if scene.open:
        hint = "end it first: crisis end"
        refuse(intent, "a rest takes six hours: not in a crisis", "POOL-39", hint, code="open")


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: what is spent on the roll of a rest (POOL-7) is there again afterwards."""
    patient = scene.fighters[intent.patient]
    dice, minimum = Modifiers("rest dice", "POOL-1"), minimum_of(patient, "rest", "rest", free=True)
    for skill in ("resistance", "endurance", "willpower"):
        dice.extend(dice_of(patient, "rest", skill, free=True))
    minimum.add("difficulty", intent.get("difficulty") or 0, "POOL-5", "--difficulty").asked(intent, sign=-1)
    for cost in spent(scene, intent._replace(actor=patient.name)):
        must_have(intent, patient, cost.pool, cost.amount)
    roll = roll_of(scene, patient.name, dice, minimum, intent.options)
    return Setup(roll, Modifiers.lines_of(dice, minimum))


def rest(table: RuleTable, roll: PoolRoll) -> RestResult:
    """POOL-39: a wound less for each success."""
    successes, _ = roll_pool(table, "rest", roll, counted)
    return RestResult(successes > 0, successes)


def rest_effects(changes: Changes, intent: Intent, setup: Setup, outcome: RestResult) -> None:
    """POOL-39: wounds heal, boosts are gone, and the dice to spend are there again."""
    who = setup.dice.who
    changes.adjust(who, "wounds", changes.number().add("successes", -outcome.healed))
    patient = changes.fighter(who)
    for pool, rested in {"boost": 0, **{pool: patient.full(pool) for pool in POOLS.values()}}.items():
        changes.adjust(who, pool, changes.number().add("rest", rested - patient.pools[pool]))


CARE = {
    "heal": heal_action(
        "Give first aid",
        "POOL-39",
        heal_setup,
        heal_effects,
        heal,
        ONE,
        ("item", *SPENDING),
        counts="successes",
        requires=(ALIVE, within(1, "POOL-39", "treating")),  # a reading
    )._replace(
        choices=luck_spent,
        ai=Opponents.treating("heal", lambda patient: patient.pools["wounds"] > 0 or patient.has("bleeding")),
    ),
    "rest": Action(
        "Rest for six hours",
        "POOL-39",
        rest_setup,
        rest_effects,
        rest,
        window="table",
        targets="patient",
        requires=(ALIVE, lacks("dying", "POOL-39", "{who} is dying", of="target", final=True), no_crisis),
        says=Says("{target} rests for six hours", ("rested", "rested")),
        options=("rest", *SPENDING),
    ),
}

# Movement and posture


def pace(more: int, share: int = 1) -> Callable[[Fighter], int]:
    """POOL-12: metres of one move, quickness or a share of it and some more; POOL-23: half with the shield up."""

    def most(fighter: Fighter) -> int:
        metres = max(0, -(-value_of(fighter, "quickness")[0] // share) + more)
        return metres // 2 if fighter.has("blocking") else metres

    return most


def along(scene: Scene, intent: Intent) -> None:
    """POOL-12: walking goes along with another action, once."""
    fighter = scene.fighters[intent.actor]
    if fighter.marks.get(WALKED):
        hint = "the next walk goes with the next action"
        forbidden(intent, f"{fighter.name} has walked already", "POOL-12", hint)
    if scene.open:
        must_have(intent, fighter, "actions", 1, "POOL-12", "run next turn")


def has_shield(scene: Scene, intent: Intent) -> None:
    """POOL-23: a shield in hand beside a weapon for one hand."""
    if not shield_of(scene.fighters[intent.actor]):
        hint = f"crisis act {slug(intent.actor)} ready shield, beside a weapon for one hand"
        not_in_hand(intent, f"{intent.actor} holds no shield", "POOL-23", hint)


get_down = "get down first: crisis act hunker"
on_foot = lacks("hunkered", "POOL-12", "{who} is hunkered and cannot {action}", hint="crawl, or get up first")
hunkered = has("hunkered", "POOL-12", "{who} is not hunkered and cannot {action}", hint=get_down)
moving = partial(move_action, rule="POOL-12", costs=ONE)
posture = partial(condition_action, rule="POOL-12", costs=ONE)
MOVES = {
    "walk": moving(
        "Walk along with another action",
        pace=pace(1),
        costs=(),
        says="{actor} walks",
        requires=(on_foot, along),
        hint="go part of the way, or run",
        also=lambda changes, intent: changes.mark(intent.actor, WALKED),
    )._replace(keeps=(AIM, ACCURATE, RECOIL)),
    "run": moving("Run", pace=pace(5), says="{actor} runs", requires=(on_foot,)),
    "crawl": moving("Crawl, hunkered", pace=pace(1, share=2), says="{actor} crawls", requires=(hunkered,)),
    "hunker": posture("Hunker down: cover 6+", says="{actor} hunkers down", begins="hunkered"),
    "stand-up": posture("Get up", says="{actor} gets up", ends="hunkered"),
    "shield-block": Action(
        "Hold the shield up",
        "POOL-23",
        effects=lambda changes, intent, *_: changes.mark(intent.actor, RAISED, changes.scene.round + 1),
        costs=(Cost("actions", 2),),
        requires=(lacks("blocking", "POOL-23", "{who} holds the shield up already", final=True), has_shield),
        sets={"blocking": True},
        says=Says("{actor} holds the shield up"),
    ),
    "lower-shield": Action(
        "Lower the shield",
        "POOL-23",
        effects=lambda changes, intent, *_: changes.mark(intent.actor, RAISED, 0),
        requires=(has("blocking", "POOL-23", "{who} does not hold a shield up"),),
        sets={"blocking": False},
        keeps=(AIM, ACCURATE, RECOIL, SUPPORTED, WALKED),
        says=Says("{actor} lowers the shield"),
    ),
}

# Things in hand


def actions(count: int) -> tuple[Cost, ...]:
    """POOL-12: so many actions."""
    return (Cost("actions", count, rule="POOL-12"),) if count else ()


def to_ready(fighter: Fighter) -> tuple[str, ...]:
    """Every weapon, and the shield."""
    return (*fighter.sheet["weapons"], *((SHIELD,) if SHIELD in fighter.sheet else ()))


def ready_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a weapon or the shield, not in hand yet."""
    fighter = scene.fighters[intent.actor]
    who, weapons, things = fighter.name, fighter.sheet["weapons"], to_ready(fighter)
    name = intent.get("thing") or (things[0] if len(things) == 1 else "")
    others = ", ".join(thing for thing in things if thing not in fighter.held)
    hint = f"to ready: {others}" if others else ""
    if name not in things:
        refuse(intent, f"{who} must say what to ready", "POOL-12", hint, final=True, code="missing_argument")
    if name in fighter.held:
        refuse(intent, f"{who} has the {name} in hand already", "POOL-12", hint, code="in_hand_already")
    if intent.get("off_hand") and (name == SHIELD or weapons[name]["hands"] > 1 or not weapons_held(fighter)):
        unfit(intent, f"the {name} is nothing for the other hand", "POOL-34", final=True)
    if name in weapons and is_thrown_away(fighter, name):
        not_in_hand(intent, f"{who} has thrown the {name} away", "POOL-18", hint, final=False)
    return Setup(name, (), actions(weapons.get(name, {"ready": 1})["ready"]), name)


def ready(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """In hand: instead of the weapon before, with `--off-hand` beside it; two hands leave none for the shield."""
    fighter, name = changes.fighter(intent.actor), setup.gear
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    now: tuple[str, ...] = (name,)
    if name == SHIELD:
        now = (*(weapon for weapon in held[:1] if weapons[weapon]["hands"] == 1), SHIELD)
    elif intent.get("off_hand"):
        now = (held[0], name)
    elif SHIELD in fighter.held and weapons[name]["hands"] == 1:
        now = (name, SHIELD)
    changes.hold(intent.actor, now)
    changes.mark(intent.actor, DROPPED, 0, "POOL-33", key=name)
    changes.end(intent.actor, "stuck", "POOL-24")
    if SHIELD not in now:
        changes.end(intent.actor, "blocking", "POOL-23")


def support_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-35: a firearm in hand, and no bow."""
    fighter = scene.fighters[intent.actor]
    held = {name: fighter.sheet["weapons"][name] for name in weapons_held(fighter)}
    able = [name for name, gun in held.items() if any(is_firearm(gun, mode) for mode in modes_of(gun))]
    name = intent.get("thing") or (*able, "")[0]
    if name not in able:
        not_in_hand(intent, f"{fighter.name} holds no firearm to support", "POOL-35")
    if fighter.marks.get(f"{SUPPORTED}:{name}"):
        forbidden(intent, f"the {name} is supported already", "POOL-35", final=True)
    return Setup(name, gear=name)


GEAR = {
    "ready": Action(
        "Ready a weapon or the shield",
        "POOL-12",
        ready_setup,
        ready,
        gear="weapons",
        ai=Opponents(
            lambda scene, who: (
                Intent("ready", who, (), {"thing": name}) for name in to_ready(scene.fighters[who])
            )
        ),
        options=("off-hand",),
        says=Says("{actor} readies the {gear}"),
    ),
    "reload": reload_action(
        "POOL-12",
        (),
        loads="rounds",
        says="{actor} reloads the {gear}",
        price=lambda name, weapon: actions(weapon["reload"]),
        takes=lambda weapon: "capacity" in weapon and not {"single", "burst"}.isdisjoint(modes_of(weapon)),
    ),
    "support": Action(
        "Rest the firearm on something",
        "POOL-35",
        support_setup,
        lambda changes, intent, setup, outcome: changes.mark(intent.actor, SUPPORTED, key=setup.gear),
        costs=ONE,
        gear="weapons",
        says=Says("{actor} rests the {gear} on something"),
    ),
    "use": use_action("use", "Use a thing carried", "POOL-12", ONE, "{actor} uses the {gear}", "heals"),
}

# The other actions


def build_up(mark: str, title: str, rule: str, says: str) -> Action:
    """The row of spending actions on a later attack, which counts them by a mark."""
    return Action(title, rule, costs=ONE, builds=(mark,), keeps=(mark, SUPPORTED), says=Says(says))


def relief(action: str, condition: str, title: str, rule: str, says: str) -> dict[str, Action]:
    """The row of ending a condition of one's own, or of somebody else."""
    ends = Action(title, rule, costs=ONE, targets="patient", ai=Opponents.treating(action), says=Says(says))
    return {
        action: ends._replace(
            effects=lambda changes, intent, *_: changes.end(intent.patient, condition),
            requires=(has(condition, rule, of="target"),),
        )
    }


def do_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: anything else: as many actions as the GM says, and with a skill a roll."""
    costs = actions(count_of(intent, "cost", usual=1))
    if not intent.get("skill"):
        return Setup(None, (), costs)
    setup = check_setup(scene, intent)
    return setup._replace(costs=(*costs, *setup.costs))


def can_steal(scene: Scene, intent: Intent) -> None:
    """POOL-15: from what is left of the opponent's own turn; at any other time from its next refresh."""
    victim = scene.fighters[intent.target]
    if victim.side == scene.fighters[intent.actor].side:
        refuse(intent, f"{victim.name} is no opponent", "POOL-15", code="wrong_target")
    if victim.name in scene.acting:
        must_have(intent, victim, "actions", 1, "POOL-15", "wait until the turn is over")
    elif (stolen := victim.marks.get(STOLEN, 0)) >= actions_a_turn(victim):
        what = f"no action of {victim.name}'s next turn is left: {stolen} stolen"
        forbidden(intent, what, "POOL-15", final=True)


actions_count = in_crisis("POOL-15", "actions count only in a crisis")
buying = partial(
    Action,
    rule_id="POOL-15",
    effects=lambda changes, intent, *_: changes.adjust(
        intent.actor, "actions", changes.number().add("bought", 1)
    ),
    window="any",
)
ACTS = {
    "aim": build_up(AIM, "Aim: critical threshold −2", "POOL-20", "{actor} takes aim"),
    "accurate": build_up(ACCURATE, "Take one's time: minimum roll −1", "POOL-30", "{actor} aims carefully"),
    **relief(
        "put-out-fire", "burning", "Put out the fire", "POOL-38", "{actor} puts out the fire on {target}"
    ),
    **relief("free-weapon", "stuck", "Pull the weapon free", "POOL-24", "{actor} pulls the weapon free"),
    **relief("wake", "asleep", "Wake somebody", "POOL-38", "{actor} shakes {target} awake"),
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
    "gain-action": buying(
        "An action for a bonus die",
        costs=(Cost("bonus-dice"),),
        requires=(actions_count,),
        says=Says("{actor} spends a bonus die on an action"),
    ),
    "steal-action": buying(
        "An opponent's action for a destiny die",
        choices=lambda scene, intent, setup, outcome: (theft(scene, intent.target),),
        costs=(Cost("destiny-dice"),),
        targets="one",
        requires=(actions_count, can_steal),
        ai=Opponents.on_foes("steal-action"),
        says=Says("{actor} spends a destiny die on an action of {target}"),
    ),
}
FIGHT = {"check": CHECK, "init": INIT, "attack": ATTACK, "throw": THROW, "coup-de-grace": FINISH}
ACTIONS = {**FIGHT, **CARE, **MOVES, **GEAR, **ACTS, "take-hits": TAKE_HITS}
