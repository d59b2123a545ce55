"""Attacks, throws and the coup de grâce (POOL-14, POOL-16 to POOL-21, POOL-26 to POOL-36, POOL-40, POOL-41)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import cos, pi, sin
from typing import Any, NamedTuple

from ...dice.graded import Graded
from ...engine.phases import Phase
from ...engine.setup import Charge
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
    in_hand,
    lines_of,
    refuse,
    slug,
    target_distance,
)
from .defence import (
    DEFENCES,
    DISARM,
    KNOCKOUT,
    STICKY,
    WOUNDS,
    Attacking,
    DamageResult,
    DefenceSetup,
    ReactionResult,
    defence_setup,
    outcome_of,
    react,
    reaction_charges,
    reflect,
    suffer,
    wounds_per_hit,
)
from .health import HELPLESS, worsen
from .rolls import (
    CRITICAL,
    NEVER,
    SPENDING,
    PoolRoll,
    Rolled,
    asked,
    count_of,
    critical,
    criticals,
    dice_of,
    luck_charge,
    mega,
    minimum_of,
    own_luck,
    own_roll,
    skill_roll,
    spent,
    successes,
    thrown,
)
from .sheet import (
    ONE,
    SKILL_OF,
    UNARMED,
    Weapon,
    bare_hands,
    is_firearm,
    is_off_hand,
    modes_of,
    range_of,
    value_of,
    weapons_held,
)

BURST = 2
"""POOL-18: additional dice of a burst."""
DISARMING = 2
"""POOL-33: what it adds to the minimum roll."""
SUPPORT = 1
"""POOL-35: what supporting the weapon takes off the minimum roll."""
AIM, ACCURATE, RECOIL, SUPPORTED = "aim", "accurate", "recoil", "supported"
"""Marks: what is built up before an attack."""
AIMED = 2
"""POOL-20: what each action of aiming takes off the critical threshold."""
KICK = 2
"""POOL-19: what each attack straight before adds."""
SURE = 2
"""POOL-30: the lowest minimum roll that taking one's time leads to."""
MASSIVE = 3
"""POOL-32: dice of each further action."""
FAR = 2
"""POOL-21: what up to twice the range adds to the minimum roll."""
OFF_HAND = 1
"""POOL-34: what the off hand adds to it."""
ROUNDS = {"single": 1, "burst": 3, "throw": 1}
"""POOL-18: what each mode takes of a weapon that counts its rounds."""
THING = "object"
"""What is thrown where there is no weapon for it (POOL-40)."""

# What an attack is made with


def attacking(scene: Scene, intent: Intent) -> Attacking:
    """POOL-16, POOL-18: the weapon of an attack and how it is used, as asked for, else as usual."""
    name, weapon = weapon_in_use(scene, intent)
    modes = modes_of(weapon)
    mode: str = "throw" if intent.action == "throw" else intent.get("mode") or modes[0]
    if mode not in modes:
        can = f"it can {', '.join(modes)}"
        refuse(intent, f"the {name} has no mode {mode}", "POOL-18", can, final=True)
    return Attacking(name, weapon, mode)


def weapon_in_use(scene: Scene, intent: Intent) -> tuple[str, Weapon]:
    """The weapon of an attack with its name: as asked for, else in hand; in a crisis it must be in hand."""
    fighter = scene.fighters[intent.actor]
    weapons: Mapping[str, Weapon] = fighter.sheet["weapons"]
    held = weapons_held(fighter)
    name = intent.get("weapon") or ""
    if not name and intent.get("off_hand"):
        if len(held) < 2:
            refuse(intent, f"{fighter.name} has nothing in the other hand", "POOL-34", final=True)
        name = held[1]
    if not name and intent.action == "throw":
        name = next((one for one in (*held, *weapons) if "throw" in modes_of(weapons[one])), THING)
    name = name or (held[0] if held else "unarmed")
    if name == "unarmed":
        return name, bare_hands(fighter)
    if name == THING:
        return name, UNARMED
    if name not in weapons:
        refuse(intent, f"{fighter.name} has no weapon called {name!r}", "POOL-3", final=True)
    in_hand(scene, intent, name, "POOL-12", "ready")
    return name, weapons[name]


def purpose_of(intent: Intent, using: Attacking) -> str:
    """POOL-31, POOL-33: whether the attack is to knock out or to disarm."""
    if intent.get("knockout") and intent.get("disarm"):
        refuse(intent, "one blow cannot knock out and disarm", "POOL-31", final=True)
    if intent.get("knockout") and not using.weapon["blunt"]:
        what = f"the {using.name} is not blunt"
        refuse(intent, what, "POOL-31", "use something blunt, or --weapon unarmed")
    return KNOCKOUT if intent.get("knockout") else DISARM if intent.get("disarm") else WOUNDS


def rounds(scene: Scene, intent: Intent, using: Attacking) -> tuple[Cost, ...]:
    """POOL-18: the rounds that an attack takes; Refused where the weapon has been thrown away."""
    pool = f"ammo:{using.name}"
    pools = scene.fighters[intent.actor].pools
    if pool not in pools:
        return ()
    if using.mode in ROUNDS:
        return (Cost(pool, ROUNDS[using.mode], rule="POOL-18"),)
    if not pools[pool]:
        what = f"the {using.name} of {intent.actor} has been thrown"
        refuse(intent, what, "POOL-18", "use another weapon")
    return ()


# The hit roll


def hit_setup(scene: Scene, intent: Intent, using: Attacking) -> Setup:
    """The hit roll with all that goes into it, and the actions, rounds and dice that it takes."""
    fighter, name, weapon, mode = scene.fighters[intent.actor], using.name, using.weapon, using.mode
    dice = dice_of(fighter, "attack", SKILL_OF[mode])
    dice.add(name, weapon["damage_potential"], "POOL-16", f"weapons.{name}")
    dice.add("burst", BURST * (mode == "burst"), "POOL-18", "--mode burst")
    minimum = minimum_of(fighter, "attack", SKILL_OF[mode])
    far(minimum, scene, intent, using)
    off = bool(intent.get("off_hand")) or is_off_hand(fighter, name)
    minimum.add("off hand", OFF_HAND * off, "POOL-34", name)
    asked(minimum, scene, intent)
    compensation = weapon.get("recoil_compensation", 0)
    kick = max(0, KICK - compensation) * fighter.marks.get(RECOIL, 0) if is_firearm(weapon, mode) else 0
    minimum.add("recoil", kick, "POOL-19")
    rests = bool(fighter.marks.get(f"{SUPPORTED}:{name}"))
    massive = massive_dice(dice, fighter, intent, mode)
    if intent.get("supported") and not is_firearm(weapon, mode):
        refuse(intent, f"the {name} cannot be supported", "POOL-35", "firearms can, bows cannot", final=True)
    minimum.add("supported", -SUPPORT * (rests or bool(intent.get("supported"))), "POOL-35")
    minimum.add("disarming", DISARMING * (using.purpose == DISARM), "POOL-33", "--disarm")
    if intent.get(AIM) and intent.get(ACCURATE):
        what = "nothing else is done while taking one's time, aiming neither"
        refuse(intent, what, "POOL-30", final=True)
    time = take_time(minimum, fighter, intent)
    threshold = Modifiers("critical", "POOL-17").base("threshold", CRITICAL).add("recoil", kick, "POOL-19")
    moments = aim(threshold, fighter, intent, using)
    roll = own_roll(scene, intent, dice, minimum, NEVER if mode == "burst" else threshold.total)
    putting = int(bool(intent.get("supported")) and not rests)
    actions = ((massive, "POOL-32"), (putting, "POOL-35"), (time, "POOL-30"), (moments, "POOL-20"))
    costs = (
        *(Cost("actions", count, rule=rule) for count, rule in actions if count),
        *rounds(scene, intent, using),
        *spent(scene, intent),
    )
    return Setup(roll, lines_of(dice, minimum, threshold), costs, name, known=using)


def far(minimum: Modifiers, scene: Scene, intent: Intent, using: Attacking) -> None:
    """POOL-21: up to the range nothing, up to twice it harder, beyond it refused."""
    distance, reaches = target_distance(scene, intent), range_of(using.weapon, using.mode)
    if distance is None or reaches is None or distance <= reaches:
        return
    if distance > 2 * reaches:
        limit = f"the {using.name} reaches {reaches} m, {2 * reaches} m at most"
        closer = f"go closer: crisis act {slug(intent.actor)} run --to X,Y"
        refuse(intent, f"{intent.target} is {distance} m away; {limit}", "POOL-21", closer)
    minimum.add("distance", FAR, "POOL-21", f"{distance} m at {reaches} m")


def massive_dice(dice: Modifiers, fighter: Fighter, intent: Intent, mode: str) -> int:
    """POOL-32: dice for further actions, no more than strength; in melee alone (a reading). Gives the actions."""
    more = count_of(intent, "massive")
    if more and mode != "melee":
        refuse(intent, "only a blow can be massive", "POOL-32", final=True)
    if more:
        most, worth = max(0, value_of(fighter.sheet, "strength")[0]), MASSIVE * more
        source = f"strength {most}" if worth > most else "--massive"
        dice.base("massive", min(most, worth), "POOL-32", source)
    return more


def capped(found: Modifiers, fighter: Fighter, name: str, worth: int, rule: str) -> int:
    """Take so much off, no more than perception; gives what was taken off."""
    most = max(0, value_of(fighter.sheet, "perception")[0])
    if worth:
        found.base(name, -min(most, worth), rule, f"perception {most}" if worth > most else "")
    return min(most, worth)


def take_time(minimum: Modifiers, fighter: Fighter, intent: Intent) -> int:
    """POOL-30: what taking one's time takes off the minimum roll, never to below 2. Gives the actions for it."""
    more = count_of(intent, ACCURATE)
    off = capped(minimum, fighter, ACCURATE, fighter.marks.get(ACCURATE, 0) + more, "POOL-30")
    if off:
        minimum.add("never below 2", max(0, min(SURE - minimum.total, off)), "POOL-30")
    return more


def aim(threshold: Modifiers, fighter: Fighter, intent: Intent, using: Attacking) -> int:
    """POOL-20: what aim takes off the critical threshold. Gives the actions spent on it with this attack."""
    more = count_of(intent, AIM)
    if using.mode == "burst":
        if more:
            what = f"the {using.name} cannot be aimed in bursts"
            refuse(intent, what, "POOL-18", "--mode single", final=True)
        return 0
    capped(threshold, fighter, AIM, AIMED * (fighter.marks.get(AIM, 0) + more), "POOL-20")
    return more


def surplus(setup: Setup) -> list[list[str]]:
    """What was capped, and by what: for a warning."""
    return [
        [one.name, one.source]
        for one in setup.modifiers
        if one.rule in ("POOL-20", "POOL-30", "POOL-32") and one.source.startswith(("perception", "strength"))
    ]


# The phases of an attack


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    """Of the hit roll, critical ones included."""
    criticals: int
    toll: DamageResult = DamageResult(0)
    landing: tuple[int, int] = (0, 0)
    """Hour and metres of a throw that missed (POOL-41)."""
    repaid: tuple[str, ...] = ()
    """What was spent on it after it failed (POOL-7)."""

    @property
    def counted(self) -> str:
        """What the total is."""
        return "hits"

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"


def attack_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """An attack with a weapon (POOL-16); refused where reach, mode, rounds or manner forbid it."""
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37")
    using = attacking(scene, intent)
    if fighter.has("stuck") and using.name != "unarmed" and using.mode == "melee":
        free = f"pull it free: crisis act {slug(fighter.name)} free-weapon"
        refuse(intent, f"the {using.name} of {fighter.name} is held fast", "POOL-24", free)
    using = using._replace(purpose=purpose_of(intent, using))
    if using.purpose == DISARM and not weapons_held(target):
        refuse(intent, f"{target.name} holds no weapon", "POOL-33", final=True)
    return hit_setup(scene, intent, using)


def hit_roll(table: RuleTable, roll: PoolRoll) -> Rolled[Graded]:
    """POOL-16: the hit roll."""
    return thrown(table, "attack", roll)


class DamageSetup(NamedTuple):
    """What stands between the hits and the target once it has reacted, and where a throw that misses can land."""

    who: str
    defence: DefenceSetup
    dial: Dial | None


def damage_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """The defence as it is after all reactions."""
    hit, defence = before
    if defence.known is not scene:
        defence = defence_setup(scene, intent, before)
    dial = dial_of(scene, intent) if hit.known.mode == "throw" else None
    return Setup(DamageSetup(intent.actor, defence.dice, dial))


def damage(
    table: RuleTable, setup: DamageSetup, rolled: Rolled[Graded], faced: ReactionResult | None
) -> AttackResult:
    """What cover and protection leave; or where a throw goes that misses."""
    hits, used = rolled
    if faced is None:
        landing = table.ask(deviation, setup.who) if setup.dial else (0, 0)
        return AttackResult(False, 0, 0, landing=landing, repaid=used)
    toll = table.ask(outcome_of, setup.defence, critical(hits), faced)
    return AttackResult(True, hits.count, criticals(hits), toll, repaid=used)


def attack_result(
    rolled: Rolled[Any], faced: ReactionResult | None = None, outcome: AttackResult | None = None
) -> AttackResult:
    """The outcome; of an attack that was lost what was chosen and spent until then."""
    if outcome is not None:
        return outcome
    toll = DamageResult(0)
    if faced is not None:
        toll = toll._replace(reaction=faced.reaction, bought=faced.bought, spent=faced.spent)
    return AttackResult(False, 0, 0, toll, repaid=rolled.repaid)


def without_hits(outcome: AttackResult) -> AttackResult:
    """The outcome without what its effects do not look at."""
    return AttackResult(outcome.success, 0, 0, outcome.toll, repaid=outcome.repaid)


def attack_choices(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult) -> Iterable[Charge]:
    """What the attacker spent on the roll (POOL-7), and what the target's reaction took (POOL-14, POOL-15)."""
    yield luck_charge(intent.actor, outcome.repaid)
    yield from reaction_charges(scene, intent, outcome.toll)


def attack_effects(changes: Changes, intent: Intent, setup: Setup, outcome: AttackResult) -> None:
    """What an attack changes: what was built up before it, the weapon, the target."""
    using: Attacking = setup.known
    use_weapon(changes, intent, using)
    toll = outcome.toll
    suffer(changes, intent.target, using.purpose, toll, using.weapon)
    if toll.worked[STICKY] and using.mode == "melee" and using.name != "unarmed":
        changes.begin(intent.actor, "stuck", "POOL-24")
    if toll.reflected:
        reflect(changes, intent, toll, using.weapon)


def use_weapon(changes: Changes, intent: Intent, using: Attacking) -> None:
    """POOL-18, POOL-19, POOL-35: recoil adds up, a support stays, the last weapon thrown leaves the hand."""
    fighter = changes.fighter(intent.actor)
    kicks = fighter.marks.get(RECOIL, 0) + 1 if is_firearm(using.weapon, using.mode) else 0
    changes.mark(intent.actor, RECOIL, kicks, "POOL-19")
    if intent.get("supported"):
        changes.mark(intent.actor, SUPPORTED, 1, "POOL-35", key=using.name)
    if (
        using.mode == "throw"
        and using.name in fighter.held
        and not fighter.pools.get(f"ammo:{using.name}", 0)
    ):
        changes.hold(intent.actor, (one for one in fighter.held if one != using.name), "POOL-18")


def attack_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult) -> Mapping[str, Any]:
    """The mode, the normal hits apart from critical ones (POOL-17), what was of no use, where a throw went."""
    told = manner(setup, outcome.total - outcome.criticals)
    dial = setup.dice[2].dial
    return told | landed(dial, outcome.landing) if dial and outcome.landing[0] else told


def manner(setup: Setup, normal: int) -> dict[str, Any]:
    """How an attack was made, and how many of its hits are normal."""
    told: dict[str, Any] = {"mode": setup.known.mode, "normal": normal}
    over = surplus(setup)
    return told | ({"surplus": over} if over else {})


def attack_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Every foe with every weapon in hand, in every mode."""
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    for foe in scene.foes(who):
        if foe.has("dead"):
            continue
        for name in weapons_held(fighter) or ("unarmed",):
            for mode in modes_of(weapons[name]) if name in weapons else ("melee",):
                if mode != "throw":
                    yield Intent("attack", who, (foe.name,), {"weapon": name, "mode": mode})


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
    candidates=attack_candidates,
    options=(*COMMON, "mode", "massive", "knockout", "disarm"),
    targets="one",
    outputs=attack_outputs,
    reactions=DEFENCES,
    bare=without_hits,
    phases=(
        Phase(attack_setup, hit_roll),
        Phase(defence_setup, react, by="target"),
        Phase(damage_setup, damage),
    ),
    result=attack_result,
    choices=attack_choices,
    keeps=(RECOIL, SUPPORTED),
    says={
        "": "{actor} attacks {target} with the {gear}",
        "unarmed": "{actor} goes for {target} with bare hands",
        "bare": "{actor} attacks {target}",
    },
)

# Throws

HOURS, METRES = 12, 6
"""POOL-41: the dice of a throw that misses: neither explodes (a reading)."""


class Dial(NamedTuple):
    """The dial laid round the target: where its middle is, and which way its 12 points."""

    middle: tuple[float, float]
    east: float
    north: float


def dial_of(scene: Scene, intent: Intent) -> Dial:
    """12 points straight away from the thrower; without positions the target is 0, 0 and the thrower south of it."""
    here = scene.fighters[intent.actor].at
    there = intent.get("at") or (scene.fighters[intent.target].at if intent.target else None)
    middle = (0.0, 0.0) if there is None else (float(there[0]), float(there[1]))
    if here is None or there is None or tuple(here) == middle:
        return Dial(middle, 0.0, 1.0)
    east, north = middle[0] - here[0], middle[1] - here[1]
    long = (east**2 + north**2) ** 0.5
    return Dial(middle, east / long, north / long)


def deviation(table: RuleTable, who: str) -> tuple[int, int]:
    """POOL-41: the hour and the metres."""
    table.label("scatter", who, "d12 + d6")
    hour, metres = table.die(HOURS), table.die(METRES)
    table.result(hour=hour, metres=metres)
    return hour, metres


def landed(dial: Dial, landing: tuple[int, int]) -> dict[str, Any]:
    """How far off it lands, and where: the hour × 30° clockwise."""
    hour, metres = landing
    angle = hour * 2 * pi / HOURS
    ahead, aside = metres * cos(angle), metres * sin(angle)
    at = (
        dial.middle[0] + ahead * dial.east + aside * dial.north,
        dial.middle[1] + ahead * dial.north - aside * dial.east,
    )
    return {"off": metres, "hour": hour, "at": [centimetres(part) for part in at]}


def centimetres(metres: float) -> float:
    """A coordinate to the centimetre; a whole one stays whole."""
    rounded = round(metres, 2) + 0.0
    return int(rounded) if rounded == int(rounded) else rounded


class ObjectRoll(NamedTuple):
    """The roll for throwing an object (POOL-40)."""

    roll: PoolRoll


def throw_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """A throwing weapon as an attack (POOL-18), or an object (POOL-40): throwing dice, and no range limit.

    An object is thrown where one is named, or where there is no throwing weapon; `known` is None then.
    """
    forced = intent._replace(options={**intent.options, "force": True})
    unnamed = not intent.get("weapon") and weapon_in_use(scene, forced)[0] == THING
    if not intent.get("item") and not unnamed:
        if not intent.target:
            refuse(intent, "a weapon is thrown at somebody", "POOL-18", "an object: --item NAME", final=True)
        return attack_setup(scene, intent, before)
    for option in (AIM, ACCURATE, "off_hand", "supported"):
        if intent.get(option):
            refuse(intent, f"--{option.replace('_', '-')} is for weapons", "POOL-40", final=True)
    item = intent.get("item") or ""
    setup = skill_roll(scene, intent, "throw", "throwing")
    thing = scene.fighters[intent.actor].sheet["items"].get(item, {})
    used = (Cost(f"uses:{item}", rule="POOL-40"),) if "uses" in thing else ()
    return setup._replace(dice=ObjectRoll(setup.dice), costs=(*setup.costs, *used), gear=item)


def throw_roll(table: RuleTable, roll: PoolRoll | ObjectRoll) -> Rolled[Graded] | Rolled[int]:
    """POOL-40: the hit roll of a weapon; of an object a roll that is no attack (POOL-6)."""
    return successes(table, "throw", roll.roll) if isinstance(roll, ObjectRoll) else hit_roll(table, roll)


def throw_defence(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """The defence against a weapon; there is none against an object."""
    return defence_setup(scene, intent, before) if before[0].known else Setup(None)


def throw_react(
    table: RuleTable, setup: DefenceSetup | None, rolled: Rolled[Graded]
) -> ReactionResult | None:
    """What the target does about a weapon."""
    return react(table, setup, rolled) if setup else None


def throw_damage_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """What a weapon meets after all reactions; of an object who throws it, and where it can land."""
    if before[0].known:
        return damage_setup(scene, intent, before)
    return Setup(ObjectThrown(intent.actor, dial_of(scene, intent)))


class ObjectThrown(NamedTuple):
    """Where an object that misses can land."""

    who: str
    dial: Dial


def throw_damage(
    table: RuleTable, setup: DamageSetup | ObjectThrown, rolled: Rolled[Any], faced: ReactionResult | None
) -> AttackResult:
    """POOL-40: one success hits; POOL-41: a miss deviates."""
    if isinstance(setup, DamageSetup):
        return damage(table, setup, rolled, faced)
    found, used = rolled
    landing = (0, 0) if found else table.ask(deviation, setup.who)
    return AttackResult(found > 0, found, 0, landing=landing, repaid=used)


def throw_effects(changes: Changes, intent: Intent, setup: Setup, outcome: AttackResult) -> None:
    """What it changes: of an object nothing but what was built up for an attack."""
    if setup.known:
        attack_effects(changes, intent, setup, outcome)
        return
    for mark in changes.fighter(intent.actor).marks:
        if mark.partition(":")[0] in (RECOIL, SUPPORTED):
            changes.put(intent.actor, f"mark:{mark}", 0, "POOL-20")


def throw_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult) -> Mapping[str, Any]:
    """How it was done, and where it lands."""
    if setup.known:
        return attack_outputs(scene, intent, setup, outcome)
    return landed(setup.dice[2].dial, outcome.landing) if outcome.landing[0] else {}


def throw_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Every foe with every throwing weapon in hand."""
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    held = [one for one in weapons_held(fighter) if "throw" in modes_of(weapons[one])]
    for foe in scene.foes(who):
        if not foe.has("dead"):
            yield from (Intent("throw", who, (foe.name,), {"weapon": name}) for name in held)


THROW = Action(
    "Throw a weapon or an object",
    "POOL-40",
    effects=throw_effects,
    costs=ONE,
    gear="weapons",
    candidates=throw_candidates,
    options=(*COMMON, "item", "at"),
    targets="one",
    outputs=throw_outputs,
    reactions=DEFENCES,
    bare=without_hits,
    phases=(
        Phase(throw_setup, throw_roll),
        Phase(throw_defence, throw_react, by="target"),
        Phase(throw_damage_setup, throw_damage),
    ),
    result=attack_result,
    choices=attack_choices,
    keeps=(RECOIL, SUPPORTED),
    says={"": "{actor} throws the {gear} at {target}", "bare": "{actor} throws something at {target}"},
)

# The coup de grâce


class FinishSetup(NamedTuple):
    """What the dice of a coup de grâce depend on."""

    roll: PoolRoll
    each: int
    """Wounds of each hit."""


class FinishResult(NamedTuple):
    """What a coup de grâce came to."""

    success: bool
    total: int
    criticals: int
    wounds: int
    repaid: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        """What the total is."""
        return "hits"

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"


def finish_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-36: the attack roll, at somebody unconscious, asleep or dying."""
    target = scene.fighters[intent.target]
    if not any(target.has(one) for one in HELPLESS):
        what = f"{target.name} is neither unconscious nor asleep nor dying"
        refuse(intent, what, "POOL-36", "attack instead: crisis attack")
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37", final=True)
    using = attacking(scene, intent)
    setup = hit_setup(scene, intent, using)
    force = wounds_per_hit(intent, using.name, using.weapon)
    dice = FinishSetup(setup.dice, max(0, force.total))
    return setup._replace(dice=dice, modifiers=(*setup.modifiers, *force))


def finish(table: RuleTable, setup: FinishSetup) -> FinishResult:
    """POOL-36: no reaction, cover or protection helps (a reading)."""
    hits, used = thrown(table, "attack", setup.roll)
    worst = critical(hits)
    more = table.reveal(worst, worst.count, mega) if worst.count else 0
    return FinishResult(hits.count > 0, hits.count, worst.count, hits.count * setup.each + more, used)


def finish_effects(changes: Changes, intent: Intent, setup: Setup, outcome: FinishResult) -> None:
    """POOL-36: dead, at the level of the successes; the dying are worse by the wounds; a miss wakes a sleeper."""
    use_weapon(changes, intent, setup.known)
    if not outcome.success:
        changes.end(intent.target, "asleep", "POOL-36")
    elif changes.fighter(intent.target).has("dying"):
        worsen(changes, intent.target, outcome.wounds, "POOL-36")
    else:
        changes.begin(intent.target, "dead", "POOL-36", outcome.total)


def finish_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: FinishResult) -> Mapping[str, Any]:
    """How it was done."""
    return manner(setup, outcome.total - outcome.criticals)


def finish_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    """Every foe who is helpless."""
    for foe in scene.foes(who):
        if any(foe.has(one) for one in HELPLESS):
            yield Intent("coup-de-grace", who, (foe.name,))


FINISH = Action(
    "Kill somebody helpless",
    "POOL-36",
    finish_setup,
    finish_effects,
    finish,
    costs=ONE,
    gear="weapons",
    candidates=finish_candidates,
    targets="one",
    options=(*COMMON, "mode", "massive"),
    outputs=finish_outputs,
    choices=own_luck,
    keeps=(RECOIL, SUPPORTED),
    says={
        "": "{actor} means to finish {target} with the {gear}",
        "unarmed": "{actor} means to finish {target} with bare hands",
    },
)
