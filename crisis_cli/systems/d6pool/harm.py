"""What an attack comes to, throws, the coup de grâce, and hits that nobody rolled for (POOL-18 to POOL-41)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
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
    DamageResult,
    Reaction,
    ReactionResult,
    attack_setup,
    attacking,
    conflict,
    defence_setup,
    hit_roll,
    hit_setup,
    inflicted,
    is_firearm,
    protect,
    react,
    shielded_by,
    theft,
    weapon_name,
    weapons_held,
    wounds_per_hit,
)
from .rolls import (
    DESTINY,
    HIT,
    ONE,
    SPENDING,
    PoolRoll,
    Rolled,
    count_of,
    criticals,
    luck_charge,
    luck_spent,
    mega,
    roll_pool,
    scored,
    skill_roll,
)
from .sheet import ALIVE, DROPPED, PROTECTION, UNARMED, Weapon, inflict, modes_of, worsen, wound

Dial = tuple[tuple[float, float], float, float]
"""The dial laid round the target of a throw: where its middle is, and how far east and north its 12 points."""
STOPS = {"bleeding": "bleeding", "poison": "poisoned", "fire": "burning", "shock": "shocked"}
"""POOL-24: the conditions that units of these kinds keep off."""

# What an attack comes to


class AttackResult(NamedTuple):
    """What an attack came to: its hits, critical ones included, and what they did to the target."""

    success: bool
    total: int
    criticals: int
    toll: DamageResult = DamageResult(0)
    landing: tuple[int, int] = (0, 0)
    """The hour and the metres of a throw that missed (POOL-41)."""
    repaid: tuple[str, ...] = ()
    """What was spent on the roll after it had failed (POOL-7)."""


def damage_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """The defence as it is after all reactions; of an object where it can land."""
    hit, defence = before
    if hit.carried and defence.carried is not scene:
        defence = defence_setup(scene, intent, before)
    dial = dial_of(scene, intent) if not hit.carried or hit.carried.mode == "throw" else None
    return Setup((intent.actor, defence.dice, dial))


def damage(
    table: RuleTable, setup: tuple[Any, ...], rolled: Rolled[Any], reaction: Reaction | None
) -> AttackResult:
    """What cover and protection leave; POOL-40: an object needs one success; POOL-41: where a missed throw goes."""
    (who, defence, dial), (hits, used) = setup, rolled
    if reaction:
        toll = table.ask(inflicted, defence.after_reaction, hits.without(HIT), reaction[-1])
        return AttackResult(True, hits.count, criticals(hits), toll, repaid=used)
    successes = 0 if defence else hits
    landing = table.ask(deviation, who) if dial and not successes else (0, 0)
    return AttackResult(successes > 0, successes, 0, landing=landing, repaid=used)


def attack_result(
    rolled: Rolled[Any], reaction: Reaction | None = None, outcome: AttackResult | None = None
) -> AttackResult:
    """The outcome; of an attack that was lost what was chosen and spent until then."""
    outcome = outcome or AttackResult(False, 0, 0, repaid=rolled[1])
    if reaction is None:
        return outcome
    name, die, faced = reaction
    spent = outcome.toll.spent or faced.spent
    return outcome._replace(toll=outcome.toll._replace(reaction=name, bought=die, spent=spent))


def attack_choices(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult) -> Iterable[Charge]:
    """What was spent on the rolls (POOL-7), and what the reaction took: an action (POOL-14), or a die (POOL-15)."""
    toll, target = outcome.toll, intent.target
    bought = (toll.bought,) if toll.bought else ()
    yield luck_charge(intent.actor, outcome.repaid)
    if toll.reaction:
        yield Charge(target, () if bought else (Cost("actions", rule="POOL-14"),), reaction=True)
    if toll.bought == DESTINY:
        yield theft(scene, intent.actor)
    yield luck_charge(target, (*bought, *toll.spent), "POOL-15" if bought else "POOL-7")


# What an attack changes


def attack_effects(changes: Changes, intent: Intent, setup: Setup, outcome: AttackResult) -> None:
    """What an attack changes: what was built up before it, the weapon, the target; of an object the first alone."""
    using: Attacking | None = setup.carried
    if using is None:
        changes.clear_marks(intent.actor, "POOL-20", RECOIL, SUPPORTED)
        return
    use_weapon(changes, intent, using)
    weapon, toll = using.weapon, outcome.toll
    suffer(changes, intent.target, using.purpose, toll, weapon)
    if toll.worked[PROTECTION.index("sticky")] and using.mode == "melee" and using.name != "unarmed":
        changes.begin(intent.actor, "stuck", "POOL-24")
    if toll.reflected and using.purpose == WOUNDS:
        # POOL-31: a knock-out leaves no wounds, with the attacker neither. Hits that come back go through the
        # attacker's own protection (a reading of POOL-24).
        armour = shielded_by(changes.scene, Intent("attack"), changes.fighter(intent.actor), weapon)
        normal, _, back = protect(armour, toll.reflected, 0)
        use_up(changes, intent.actor, back)
        stopped, more = normal - toll.reflected - back.pierced, normal * (weapon["wounds"] - 1)
        harm = changes.number("POOL-24").add("reflected", toll.reflected).add("protection", stopped)
        harm.add("piercing", back.pierced, "POOL-25").add("wounds per hit", more, "POOL-26")
        wound(changes, intent.actor, harm)


def use_weapon(changes: Changes, intent: Intent, using: Attacking) -> None:
    """POOL-18, POOL-19, POOL-35: recoil adds up, a support stays, the last weapon thrown leaves the hand."""
    fighter, name = changes.fighter(intent.actor), using.name
    kicks = fighter.marks.get(RECOIL, 0) + 1 if is_firearm(using.weapon, using.mode) else 0
    changes.mark(intent.actor, RECOIL, kicks, "POOL-19")
    if intent.get("supported"):
        changes.mark(intent.actor, SUPPORTED, 1, "POOL-35", key=name)
    if using.mode == "throw" and name in fighter.held and not fighter.pools.get(f"ammo:{name}", 0):
        changes.drop(intent.actor, name, "POOL-18")


def suffer(changes: Changes, who: str, purpose: str, toll: DamageResult, weapon: Weapon) -> None:
    """Protection spent, wounds, conditions, aim lost (POOL-3, POOL-20, POOL-24, POOL-26, POOL-31, POOL-33)."""
    use_up(changes, who, toll)
    if toll.past and not toll.reaction:
        changes.mark(who, AIM, 0, "POOL-20")
    if purpose == WOUNDS:
        wound(changes, who, changes.number("POOL-26").from_dice("hits", toll.harm))
        off = {STOPS.get(kind) for kind, count in zip(PROTECTION, toll.worked, strict=True) if count}
        levels = weapon["inflicts"] if toll.through else ()
        for condition in (condition for condition in levels if condition not in off):
            level = int(levels[condition]) if isinstance(levels, Mapping) else 1
            inflict(changes, who, condition, changes.number("POOL-3").add("weapon", level))
    elif toll.harm and purpose == KNOCKOUT:
        inflict(changes, who, "unconscious", changes.number("POOL-31").from_dice("hits", toll.harm))
    elif toll.harm:
        for lost in weapons_held(changes.fighter(who))[:1]:
            changes.drop(who, lost, "POOL-33")
            changes.mark(who, DROPPED, 1, "POOL-33", key=lost)


def use_up(changes: Changes, who: str, toll: DamageResult) -> None:
    """POOL-24: the pools get smaller by the units that stopped hits; POOL-25: and by those that piercing swallowed."""
    for kind, used, worked in zip(PROTECTION, toll.used, toll.worked, strict=True):
        spent = changes.number("POOL-24").add("stopped", -worked).add("piercing", worked - used, "POOL-25")
        changes.adjust(who, f"protection:{kind}", spent)


def attack_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: Any) -> Mapping[str, Any]:
    """The mode, the normal hits apart from critical ones (POOL-17), what was of no use, where a throw went."""
    facts: dict[str, Any] = {}
    if setup.carried:
        built_up = [line for line in setup.modifiers if line.rule in ("POOL-20", "POOL-30", "POOL-32")]
        capped = [line for line in built_up if line.source.startswith(("perception", "strength"))]
        facts = {"mode": setup.carried.mode, "normal": outcome.total - outcome.criticals}
        facts |= {"surplus": [[line.name, line.source] for line in capped]} if capped else {}
    hour, metres = getattr(outcome, "landing", (0, 0))
    return facts | landed(setup.dice[2][-1], hour, metres) if hour else facts


def offers(action: str) -> Opponents:
    """Attacks on every foe with every weapon in hand, in every mode; throws with those that are thrown."""
    throws = action == "throw"

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        held = {name: fighter.sheet["weapons"][name] for name in weapons_held(fighter)}
        armed = (held or {"unarmed": UNARMED}).items()
        ways = [{"weapon": name, "mode": mode} for name, weapon in armed for mode in modes_of(weapon)]
        for foe in (foe for foe in scene.foes(who) if not foe.has("dead")):
            for way in (way for way in ways if (way["mode"] == "throw") == throws):
                yield Intent(action, who, (foe.name,), {"weapon": way["weapon"]} if throws else way)

    return Opponents(candidates)


COMMON = (
    *("weapon", "range", "cover", "behind", "mod_damage", "off-hand", "supported", "protection", "unaware"),
    *("react-weapon", AIM, ACCURATE, *SPENDING),
)
striking = partial(
    Action, costs=ONE, gear="weapons", targets="one", outputs=attack_outputs, keeps=(RECOIL, SUPPORTED)
)
AFTERWARDS = Phase(defence_setup, react, by="target"), Phase(damage_setup, damage)
hits_say = partial(Says, words=("hit", "miss"), counts="hits")
ATTACK = striking(
    "Attack with the weapon in hand",
    "POOL-16",
    effects=attack_effects,
    ai=offers("attack"),
    options=(*COMMON, "mode", "massive", KNOCKOUT, "disarm"),
    says=hits_say(
        {
            "": "{actor} attacks {target} with the {gear}",
            "unarmed": "{actor} goes for {target} with bare hands",
            "bare": "{actor} attacks {target}",
        }
    ),
    reactions=DEFENCES,
    odds=ExactOdds(lambda outcome: outcome._replace(total=0, criticals=0, landing=(0, 0))),
    phases=(Phase(attack_setup, hit_roll), *AFTERWARDS),
    result=attack_result,
    choices=attack_choices,
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


def landed(dial: Dial, hour: int, metres: int) -> dict[str, Any]:
    """How far off it lands, and where, to the centimetre: the hour × 30° clockwise."""
    (x, y), east, north = dial
    ahead, aside = metres * cos(hour * pi / 6), metres * sin(hour * pi / 6)
    place = (x + ahead * east + aside * north, y + ahead * north - aside * east)
    at = [round(part, 2) + 0.0 for part in place]
    return {"off": metres, "hour": hour, "at": [int(part) if part == int(part) else part for part in at]}


def throw_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """A throwing weapon as an attack (POOL-18), else an object: throwing dice, no range (POOL-40), none `carried`."""
    fighter, item = scene.fighters[intent.actor], intent.get("item") or ""
    unnamed = not intent.get("weapon") and weapon_name(fighter, intent) == THING
    if not item and not unnamed:
        if not intent.target:
            what, hint = "a weapon is thrown at somebody", "an object: --item NAME"
            refuse(intent, what, "POOL-18", hint, final=True, code="missing_target")
        return attack_setup(scene, intent, before)
    for option in (AIM, ACCURATE, "off_hand", "supported"):
        if intent.get(option):
            conflict(intent, f"--{option.replace('_', '-')} is for weapons", "POOL-40")
    setup = skill_roll(scene, intent, "throw", "throwing")
    runs_out = "uses" in fighter.sheet["items"].get(item, {})
    used = (Cost(f"uses:{item}", rule="POOL-40"),) if runs_out else ()
    return setup._replace(dice=(setup.dice,), costs=(*setup.costs, *used), gear=item)


THROW = ATTACK._replace(
    title="Throw a weapon or an object",
    rule_id="POOL-40",
    ai=offers("throw"),
    options=(*COMMON, "item", "at"),
    phases=(Phase(throw_setup, hit_roll), *AFTERWARDS),
    says=hits_say(
        {"": "{actor} throws the {gear} at {target}", "bare": "{actor} throws something at {target}"}
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
    return any(map(fighter.has, ("unconscious", "asleep", "dying")))


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
        changes.end(intent.target, "asleep")
    elif changes.fighter(intent.target).has("dying"):
        worsen(changes, intent.target, changes.number().from_dice("hits", outcome.wounds))
    else:
        changes.begin(intent.target, "dead", level=changes.number().add("hits", outcome.total))


FINISH = striking(
    "Kill somebody helpless",
    "POOL-36",
    finish_setup,
    finish_effects,
    finish,
    ai=Opponents.on_foes("coup-de-grace", is_helpless),
    requires=(ALIVE,),
    says=hits_say(
        {
            "": "{actor} means to finish {target} with the {gear}",
            "unarmed": "{actor} means to finish {target} with bare hands",
        }
    ),
    options=(*COMMON, "mode", "massive"),
    choices=luck_spent,
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
