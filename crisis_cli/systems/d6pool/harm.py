"""What an attack comes to, throws, the coup de grâce, and hits that nobody rolled for (POOL-30 to POOL-41)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import cos, pi, sin
from typing import Any

from ...rules import (
    Action,
    Changes,
    Charge,
    Cost,
    ExactOdds,
    Fighter,
    Graded,
    Intent,
    Modifiers,
    NamedTuple,
    Opponents,
    Phase,
    RuleTable,
    Says,
    Scene,
    Setup,
    refuse,
)
from .attacks import (
    ACCURATE,
    AIM,
    DEFENCES,
    KNOCKOUT,
    RECOIL,
    SUPPORTED,
    THING,
    WOUNDS,
    Attacking,
    attack_setup,
    attacking,
    hit_roll,
    hit_setup,
    is_firearm,
    weapon_name,
    weapons_held,
)
from .defence import (
    DamageResult,
    DefenceSetup,
    Dial,
    ReactionResult,
    defence_setup,
    inflicted,
    protect,
    react,
    shielded_by,
    theft,
    wounds_per_hit,
)
from .rolls import (
    DESTINY,
    HIT,
    ONE,
    SPENDING,
    PoolRoll,
    Rolled,
    Weapon,
    count_of,
    criticals,
    luck_charge,
    luck_spent,
    mega,
    roll_pool,
    scored,
    skill_roll,
)
from .sheet import (
    DROPPED,
    PROTECTION,
    UNARMED,
    modes_of,
)
from .wounds import ALIVE, inflict, worsen, wound

# What is left of the hits


def damage_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """The defence as it is after all reactions; of an object where it can land."""
    hit, defence = before
    if hit.carried and defence.carried is not scene:
        defence = defence_setup(scene, intent, before)
    dial = dial_of(scene, intent) if not hit.carried or hit.carried.mode == "throw" else None
    return Setup((intent.actor, defence.dice, dial))


def damage(
    table: RuleTable,
    setup: tuple[str, DefenceSetup | None, Dial | None],
    rolled: Rolled[Any],
    faced: ReactionResult | None,
) -> AttackResult:
    """What cover and protection leave; POOL-40: an object needs one success; POOL-41: where a missed throw goes."""
    (who, defence, dial), (hits, used) = setup, rolled
    if defence and faced:
        met = faced._replace(reaction="", bought="")
        toll = table.ask(inflicted, defence.after_reaction, hits.without(HIT), met)
        toll = toll._replace(reaction=faced.reaction, bought=faced.bought)
        return AttackResult(True, hits.count, criticals(hits), toll, repaid=used)
    found = 0 if defence else hits
    landing = table.ask(deviation, who) if dial and not found else (0, 0)
    return AttackResult(found > 0, found, 0, landing=landing, repaid=used)


# What an attack comes to


class AttackResult(NamedTuple):
    """What an attack came to: its hits, critical ones included; what they did to the target; the hour and the metres
    of a throw that missed (POOL-41); and what was spent on the roll after it had failed (POOL-7)."""

    success: bool
    total: int
    criticals: int
    toll: DamageResult = DamageResult(0)
    landing: tuple[int, int] = (0, 0)
    repaid: tuple[str, ...] = ()


def attack_result(
    rolled: Rolled[Any], faced: ReactionResult | None = None, outcome: AttackResult | None = None
) -> AttackResult:
    """The outcome; of an attack that was lost what was chosen and spent until then."""
    toll = DamageResult(0)
    if faced is not None:
        toll = toll._replace(reaction=faced.reaction, bought=faced.bought, spent=faced.spent)
    return outcome or AttackResult(False, 0, 0, toll, repaid=rolled.repaid)


def attack_choices(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult) -> Iterable[Charge]:
    """What the attacker spent on the roll (POOL-7); what the target's reaction took, an action kept or the die that
    bought one (POOL-14, POOL-15), and what it spent on its rolls."""
    toll, target = outcome.toll, intent.target
    yield luck_charge(intent.actor, outcome.repaid)
    if toll.reaction:
        yield Charge(target, () if toll.bought else (Cost("actions", rule="POOL-14"),), reaction=True)
    if toll.bought == DESTINY:
        yield theft(scene, intent.actor)
    bought = (toll.bought,) if toll.bought else ()
    yield luck_charge(target, (*bought, *toll.spent), "POOL-15" if bought else "POOL-7")


def attack_effects(changes: Changes, intent: Intent, setup: Setup, outcome: AttackResult) -> None:
    """What an attack changes: what was built up before it, the weapon, the target; of an object the first alone."""
    using: Attacking | None = setup.carried
    if using is None:
        changes.clear_marks(intent.actor, "POOL-20", RECOIL, SUPPORTED)
        return
    use_weapon(changes, intent, using)
    toll = outcome.toll
    suffer(changes, intent.target, using.purpose, toll, using.weapon)
    if toll.worked[PROTECTION.index("sticky")] and using.mode == "melee" and using.name != "unarmed":
        changes.begin(intent.actor, "stuck", "POOL-24")
    if toll.reflected and using.purpose == WOUNDS:
        # POOL-31: a knock-out leaves no wounds, with the attacker neither. Hits that come back go through the
        # attacker's own protection (a reading of POOL-24).
        attacker = changes.fighter(intent.actor)
        armour = shielded_by(changes.scene, Intent("attack"), attacker, using.weapon)
        normal, _, own = protect(armour, toll.reflected, 0)
        use_up(changes, intent.actor, own)
        pierced = sum(own.used) - sum(own.worked)
        harm = changes.number("POOL-24").add("reflected", toll.reflected)
        harm.add("protection", normal - toll.reflected - pierced).add("piercing", pierced, "POOL-25")
        harm.add("wounds per hit", normal * (using.weapon["wounds"] - 1), "POOL-26")
        wound(changes, intent.actor, harm, "POOL-24")


def use_weapon(changes: Changes, intent: Intent, using: Attacking) -> None:
    """POOL-18, POOL-19, POOL-35: recoil adds up, a support stays, the last weapon thrown leaves the hand."""
    fighter, name = changes.fighter(intent.actor), using.name
    kicks = fighter.marks.get(RECOIL, 0) + 1 if is_firearm(using.weapon, using.mode) else 0
    changes.mark(intent.actor, RECOIL, kicks, "POOL-19")
    if intent.get("supported"):
        changes.mark(intent.actor, SUPPORTED, 1, "POOL-35", key=name)
    if using.mode == "throw" and name in fighter.held and not fighter.pools.get(f"ammo:{name}", 0):
        changes.drop(intent.actor, name, "POOL-18")


STOPS = {"bleeding": "bleeding", "poison": "poisoned", "fire": "burning", "shock": "shocked"}
"""POOL-24: the conditions that units of these kinds keep off."""


def suffer(changes: Changes, who: str, purpose: str, toll: DamageResult, weapon: Weapon) -> None:
    """Protection spent, wounds, conditions, aim lost (POOL-3, POOL-20, POOL-24, POOL-26, POOL-31, POOL-33)."""
    use_up(changes, who, toll)
    if toll.past and not toll.reaction:
        changes.mark(who, AIM, 0, "POOL-20")
    if purpose == WOUNDS:
        wound(changes, who, changes.number("POOL-26").from_dice("hits", toll.harm))
        off = {STOPS.get(kind) for kind, count in zip(PROTECTION, toll.worked, strict=True) if count}
        inflicts = weapon["inflicts"]
        for condition in inflicts if toll.through else ():
            if condition not in off:
                level = int(inflicts[condition]) if isinstance(inflicts, Mapping) else 1
                inflict(changes, who, condition, changes.number("POOL-3").add("weapon", level), "POOL-3")
    elif toll.harm and purpose == KNOCKOUT:
        hits = changes.number("POOL-31").from_dice("hits", toll.harm)
        inflict(changes, who, "unconscious", hits, "POOL-31")
    elif toll.harm:
        for lost in weapons_held(changes.fighter(who))[:1]:
            changes.drop(who, lost, "POOL-33")
            changes.mark(who, DROPPED, 1, "POOL-33", key=lost)


def use_up(changes: Changes, who: str, toll: DamageResult) -> None:
    """POOL-24: the pools get smaller by the units that stopped hits; POOL-25: and by those that piercing swallowed."""
    for kind, used, worked in zip(PROTECTION, toll.used, toll.worked, strict=True):
        spent = changes.number("POOL-24").add("stopped", -worked).add("piercing", worked - used, "POOL-25")
        changes.adjust(who, f"protection:{kind}", spent, "POOL-24")


def attack_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult) -> Mapping[str, Any]:
    """The mode, the normal hits apart from critical ones (POOL-17), what was of no use, where a throw went."""
    facts = manner(setup, outcome.total - outcome.criticals) if setup.carried else {}
    return facts | landed(setup.dice[2][-1], outcome.landing) if outcome.landing[0] else facts


def manner(setup: Setup, normal: int) -> dict[str, Any]:
    """How an attack was made, how many of its hits are normal, and what was capped by which skill."""
    built_up = [one for one in setup.modifiers if one.rule in ("POOL-20", "POOL-30", "POOL-32")]
    over = [[one.name, one.source] for one in built_up if one.source.startswith(("perception", "strength"))]
    return {"mode": setup.carried.mode, "normal": normal, **({"surplus": over} if over else {})}


def weapon_candidates(action: str) -> Callable[[Scene, str], Iterator[Intent]]:
    """Offers an attack on every foe with every weapon in hand, in every mode; a throw with those that are thrown."""
    throws = action == "throw"

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        weapons = scene.fighters[who].sheet["weapons"]
        held = {name: weapons[name] for name in weapons_held(scene.fighters[who])}
        bare = {} if throws else {"unarmed": UNARMED}
        ways = [(name, mode) for name, weapon in (held or bare).items() for mode in modes_of(weapon)]
        for foe in scene.foes(who):
            for name, mode in ways if not foe.has("dead") else ():
                if (mode == "throw") == throws:
                    options = {"weapon": name} if throws else {"weapon": name, "mode": mode}
                    yield Intent(action, who, (foe.name,), options)

    return candidates


COMMON = (
    *("weapon", "range", "cover", "behind", "mod_damage", "off-hand", "supported", "protection", "unaware"),
    *("react-weapon", AIM, ACCURATE, *SPENDING),
)
ATTACK = Action(
    "Attack with the weapon in hand",
    "POOL-16",
    effects=attack_effects,
    costs=ONE,
    gear="weapons",
    ai=Opponents(weapon_candidates("attack")),
    options=(*COMMON, "mode", "massive", "knockout", "disarm"),
    targets="one",
    says=Says(
        {
            "": "{actor} attacks {target} with the {gear}",
            "unarmed": "{actor} goes for {target} with bare hands",
            "bare": "{actor} attacks {target}",
        },
        ("hit", "miss"),
        "hits",
    ),
    outputs=attack_outputs,
    reactions=DEFENCES,
    odds=ExactOdds(lambda outcome: outcome._replace(total=0, criticals=0, landing=(0, 0))),
    phases=(
        Phase(attack_setup, hit_roll),
        Phase(defence_setup, react, by="target"),
        Phase(damage_setup, damage),
    ),
    result=attack_result,
    choices=attack_choices,
    keeps=(RECOIL, SUPPORTED),
)

# Throws


def dial_of(scene: Scene, intent: Intent) -> Dial:
    """12 points straight away from the thrower; without positions the target is 0, 0 and the thrower south of it."""
    here = scene.fighters[intent.actor].at
    there = intent.get("at") or (scene.fighters[intent.target].at if intent.target else None)
    middle = (0.0, 0.0) if there is None else (float(there[0]), float(there[1]))
    if here is None or there is None or tuple(here) == middle:
        return middle, 0.0, 1.0
    east, north = middle[0] - here[0], middle[1] - here[1]
    long = (east**2 + north**2) ** 0.5
    return middle, east / long, north / long


def deviation(table: RuleTable, who: str) -> tuple[int, int]:
    """POOL-41: the hour, a d12, and the metres, a d6; neither explodes (a reading)."""
    table.label("scatter", who, "d12 + d6")
    hour, metres = table.die(12), table.die(6)
    table.result(hour=hour, metres=metres)
    return hour, metres


def landed(dial: Dial, landing: tuple[int, int]) -> dict[str, Any]:
    """How far off it lands, and where, to the centimetre: the hour × 30° clockwise."""
    (x, y), east, north = dial
    hour, metres = landing
    ahead, aside = metres * cos(hour * pi / 6), metres * sin(hour * pi / 6)
    at = [round(one, 2) + 0.0 for one in (x + ahead * east + aside * north, y + ahead * north - aside * east)]
    return {"off": metres, "hour": hour, "at": [int(part) if part == int(part) else part for part in at]}


def throw_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """A throwing weapon as an attack (POOL-18); an object where one is named, or where there is no such weapon:
    throwing dice, no range limit (POOL-40), and `known` None."""
    fighter, item = scene.fighters[intent.actor], intent.get("item") or ""
    unnamed = not intent.get("weapon") and weapon_name(fighter, intent) == THING
    if not item and not unnamed:
        if not intent.target:
            what, hint = "a weapon is thrown at somebody", "an object: --item NAME"
            refuse(intent, what, "POOL-18", hint, final=True, code="missing_target")
        return attack_setup(scene, intent, before)
    for option in (AIM, ACCURATE, "off_hand", "supported"):
        if intent.get(option):
            what = f"--{option.replace('_', '-')} is for weapons"
            refuse(intent, what, "POOL-40", final=True, code="conflicting_options")
    setup = skill_roll(scene, intent, "throw", "throwing")
    counted = "uses" in fighter.sheet["items"].get(item, {})
    used = (Cost(f"uses:{item}", rule="POOL-40"),) if counted else ()
    return setup._replace(dice=(setup.dice,), costs=(*setup.costs, *used), gear=item)


THROW = ATTACK._replace(
    title="Throw a weapon or an object",
    rule_id="POOL-40",
    ai=Opponents(weapon_candidates("throw")),
    options=(*COMMON, "item", "at"),
    phases=(Phase(throw_setup, hit_roll), *ATTACK.phases[1:]),
    says=ATTACK.says._replace(
        sentences={
            "": "{actor} throws the {gear} at {target}",
            "bare": "{actor} throws something at {target}",
        }
    ),
)

# The coup de grâce


class FinishResult(NamedTuple):
    """What a coup de grâce came to."""

    success: bool
    total: int
    criticals: int
    wounds: int
    repaid: tuple[str, ...] = ()


def is_helpless(fighter: Fighter) -> bool:
    """POOL-36: who can be given a coup de grâce."""
    return any(fighter.has(one) for one in ("unconscious", "asleep", "dying"))


def finish_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-36: the attack roll, at somebody unconscious, asleep or dying."""
    if not is_helpless(scene.fighters[intent.target]):
        what = f"{intent.target} is neither unconscious nor asleep nor dying"
        refuse(intent, what, "POOL-36", "attack instead: crisis attack", code="condition_forbids")
    using = attacking(scene, intent)
    setup, force = hit_setup(scene, intent, using), wounds_per_hit(intent, using)
    dice = (setup.dice, max(0, force.total))
    return setup._replace(dice=dice, modifiers=(*setup.modifiers, *force))


def finish(table: RuleTable, setup: tuple[PoolRoll, int]) -> FinishResult:
    """POOL-36: no reaction, cover or protection helps (a reading); each hit has so many wounds."""
    roll, each = setup
    hits, used = roll_pool(table, "attack", roll, scored)
    worst = hits.without(HIT)
    more = table.reveal(worst, worst.count, mega) if worst.count else 0
    return FinishResult(hits.count > 0, hits.count, worst.count, hits.count * each + more, used)


def finish_effects(changes: Changes, intent: Intent, setup: Setup, outcome: FinishResult) -> None:
    """POOL-36: dead, at the level of the successes; the dying are worse by the wounds; a miss wakes a sleeper."""
    use_weapon(changes, intent, setup.carried)
    if not outcome.success:
        changes.end(intent.target, "asleep", "POOL-36")
    elif changes.fighter(intent.target).has("dying"):
        worsen(changes, intent.target, changes.number("POOL-36").from_dice("hits", outcome.wounds), "POOL-36")
    else:
        changes.begin(intent.target, "dead", "POOL-36", changes.number("POOL-36").add("hits", outcome.total))


FINISH = Action(
    "Kill somebody helpless",
    "POOL-36",
    finish_setup,
    finish_effects,
    finish,
    costs=ONE,
    gear="weapons",
    ai=Opponents(
        lambda scene, who: (
            Intent("coup-de-grace", who, (foe.name,)) for foe in scene.foes(who) if is_helpless(foe)
        )
    ),
    targets="one",
    requires=(ALIVE,),
    says=Says(
        {
            "": "{actor} means to finish {target} with the {gear}",
            "unarmed": "{actor} means to finish {target} with bare hands",
        },
        ("hit", "miss"),
        "hits",
    ),
    options=(*COMMON, "mode", "massive"),
    outputs=lambda scene, intent, setup, outcome: manner(setup, outcome.total - outcome.criticals),
    choices=luck_spent,
    keeps=(RECOIL, SUPPORTED),
)

# Hits that nobody rolled for


def hits_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-26: so many hits, each of so many wounds; cover and protection count as ever."""
    hits, each = (count_of(intent, option, "POOL-26", 1, 1, 100) for option in ("hits", "each"))
    defence = shielded_by(scene, intent, scene.fighters[intent.patient], UNARMED)._replace(each=each)
    lines = Modifiers("wounds per hit", "POOL-26").base("wounds per hit", each, source="--each")
    return Setup((defence, ReactionResult(hits, 0, defence.cover)), Modifiers.lines_of(lines))


TAKE_HITS = Action(
    "Be struck by hits that nobody rolled for",
    "POOL-26",
    hits_setup,
    lambda changes, intent, setup, toll: suffer(changes, intent.patient, WOUNDS, toll, UNARMED),
    lambda table, dice: table.ask(inflicted, dice[0], Graded({}, {}), dice[1]),
    window="any",
    targets="patient",
    requires=(ALIVE,),
    ai=Opponents(considered=False),
    options=("hits", "each", "cover", "protection"),
    says=Says("{target} is struck"),
)
