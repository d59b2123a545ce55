"""What an attack is made with, its hit roll, what the target can do, what is left of the hits (POOL-14 to POOL-35)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import sub
from typing import Any

from ...rules import (
    Alternative,
    Charge,
    Cost,
    Fighter,
    Graded,
    Intent,
    Interrupted,
    Modifiers,
    NamedTuple,
    Number,
    Reactions,
    RuleTable,
    Scene,
    Setup,
    in_hand,
    lacks,
    refuse,
    slug,
    target_distance,
    unable,
)
from .rolls import (
    BONUS,
    CRITICAL,
    DESTINY,
    HIT,
    NEVER,
    POOLS,
    PRICES,
    WALKED,
    PoolRoll,
    Rolled,
    Scale,
    asked,
    count_of,
    counted,
    criticals,
    dice_of,
    forced_roll,
    luck_of,
    mega,
    minimum_of,
    roll_of,
    roll_pool,
    scored,
    spent,
)
from .sheet import (
    CONDITIONS,
    DEATH,
    PROTECTION,
    SHIELD,
    SKILL_OF,
    UNARMED,
    Weapon,
    evasion_of,
    hearts,
    is_thrown_away,
    modes_of,
    value_of,
)

AIM, ACCURATE, RECOIL, SUPPORTED = "aim", "accurate", "recoil", "supported"
"""Marks: what is built up before an attack."""
RAISED, STOLEN = "raised", "stolen"
"""Marks: the round from which on a raised shield covers (POOL-23); actions that the next refresh lacks (POOL-15)."""
DEFENCES = ("dodge", "parry", "shield")
"""POOL-14: the reactions of a target to hits."""
WOUNDS, KNOCKOUT, DISARM = "wounds", "knockout", "disarm"
"""What the hits are meant to do."""
THING = "object"
"""What is thrown where there is no weapon for it (POOL-40)."""

conflict = partial(refuse, final=True, code="conflicting_options")
unfit = partial(refuse, code="wrong_item")
not_in_hand = partial(refuse, final=True, code="not_in_hand")
target_lives = lacks("dead", "POOL-37", "{who} is dead already", of="target", code="already_dead")

# What is in hand


def weapons_held(fighter: Fighter) -> tuple[str, ...]:
    """The weapons in hand, the main hand first."""
    return tuple(thing for thing in fighter.held if thing in fighter.sheet["weapons"])


def off_hand(fighter: Fighter) -> str | None:
    """POOL-34: the second of two weapons of one kind in hand, each for one hand; None without such a pair."""
    held, weapons = weapons_held(fighter), fighter.sheet["weapons"]
    kinds = {(weapons[name]["skill"], weapons[name]["hands"]) for name in held}
    return held[1] if len(held) == 2 and len(kinds) == 1 and weapons[held[1]]["hands"] == 1 else None


def shield_of(fighter: Fighter) -> int:
    """POOL-23: the cover of the shield in hand; 0 without one, or with a weapon for two hands."""
    weapons = fighter.sheet["weapons"]
    if SHIELD not in fighter.held or any(weapons[name]["hands"] > 1 for name in weapons_held(fighter)):
        return 0
    return int(fighter.sheet.get(SHIELD, {"cover": 0})["cover"])


def in_next_turn(fighter: Fighter, number: Number) -> Number:
    """POOL-11: the actions that a turn gives, more with a pair of weapons (POOL-34), none to the dying (POOL-37)."""
    if unable(CONDITIONS, fighter)[0] in ("dead", "dying"):
        return number
    usual, more = fighter.sheet["actions"], fighter.sheet["circumstance"].get("actions", 0)
    pair = off_hand(fighter) is not None
    number.add("renewed", usual).add("circumstance", more, "ALL-6").add("two weapons", pair, "POOL-34")
    return number.add("limit", max(0, -(usual + more + pair)))


def actions_a_turn(fighter: Fighter) -> int:
    """How many actions a turn gives, before any are stolen (POOL-15)."""
    return in_next_turn(fighter, Number("POOL-11")).total


def is_firearm(weapon: Weapon, mode: str) -> bool:
    """Whether a mode of a weapon is that of a firearm: it fires, and is no bow (POOL-19)."""
    return mode in ("single", "burst") and not weapon["bow"]


# What an attack is made with


class Attacking(NamedTuple):
    """What an attack is made with, looked up once; its purpose is WOUNDS, KNOCKOUT or DISARM."""

    name: str
    weapon: Weapon
    mode: str
    purpose: str = WOUNDS


def attacking(scene: Scene, intent: Intent) -> Attacking:
    """POOL-16, POOL-18: the weapon of an attack, in hand in a crisis, and its use: as asked for, else as usual."""
    fighter = scene.fighters[intent.actor]
    name = weapon_name(fighter, intent)
    weapon: Weapon = fighter.sheet["weapons"].get(name, UNARMED)
    if name in fighter.sheet["weapons"]:
        in_hand(scene, intent, name, "POOL-12", "ready")
    elif name == "unarmed":
        # POOL-29: with quickness above 2 one die more, with strength above 2 piercing 1.
        quick, strong = (int(value_of(fighter, skill)[0] > 2) for skill in ("quickness", "strength"))
        weapon = {**UNARMED, "damage_potential": quick, "piercing": strong}
    modes = modes_of(weapon)
    mode: str = "throw" if intent.action == "throw" else intent.get("mode") or modes[0]
    if mode not in modes:
        can = f"it can {', '.join(modes)}"
        refuse(intent, f"the {name} has no mode {mode}", "POOL-18", can, final=True, code="unknown_name")
    if fighter.has("stuck") and name != "unarmed" and mode == "melee":
        free = f"pull it free: crisis act {slug(fighter.name)} free-weapon"
        refuse(intent, f"the {name} of {fighter.name} is stuck", "POOL-24", free, code="condition_forbids")
    return Attacking(name, weapon, mode)


def weapon_name(fighter: Fighter, intent: Intent) -> str:
    """The weapon of an attack: as asked for, else in hand, else `unarmed`; of a throw one for that, else an object."""
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    name: str = intent.get("weapon") or ""
    if not name and intent.get("off_hand"):
        if len(held) < 2:
            not_in_hand(intent, f"{fighter.name} has nothing in the other hand", "POOL-34")
        name = held[1]
    if not name and intent.action == "throw":
        name = next((thing for thing in (*held, *weapons) if "throw" in modes_of(weapons[thing])), THING)
    name = name or (*held, "unarmed")[0]
    if name not in (*weapons, "unarmed", THING):
        what = f"{fighter.name} has no weapon called {name!r}"
        refuse(intent, what, "POOL-3", final=True, code="unknown_name")
    return name


def attack_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """An attack with a weapon (POOL-16); refused where reach, mode, rounds or manner forbid it."""
    target_lives(scene, intent)
    using = attacking(scene, intent)
    knocks_out, disarms = intent.get(KNOCKOUT), intent.get(DISARM)
    if knocks_out and disarms:
        conflict(intent, "one blow cannot knock out and disarm", "POOL-31")
    if knocks_out and not using.weapon["blunt"]:
        blunt = "use something blunt, or --weapon unarmed"
        unfit(intent, f"the {using.name} is not blunt", "POOL-31", blunt)
    if disarms and not weapons_held(scene.fighters[intent.target]):
        not_in_hand(intent, f"{intent.target} holds no weapon", "POOL-33")
    purpose = KNOCKOUT if knocks_out else DISARM if disarms else WOUNDS
    return hit_setup(scene, intent, using._replace(purpose=purpose))


# The hit roll


def hit_setup(scene: Scene, intent: Intent, using: Attacking) -> Setup:
    """The hit roll with all that goes into it, and the actions, rounds and dice that it takes."""
    fighter, (name, weapon, mode, purpose) = scene.fighters[intent.actor], using
    marks, firearm, bursts = fighter.marks, is_firearm(weapon, mode), mode == "burst"
    dice = dice_of(fighter, "attack", SKILL_OF[mode])
    dice.add(name, weapon["damage_potential"], "POOL-16", f"weapons.{name}")
    dice.add("burst", 2 * bursts, "POOL-18", "--mode burst")
    minimum = minimum_of(fighter, "attack", SKILL_OF[mode])
    far(minimum, scene, intent, using)
    minimum.add("off hand", bool(intent.get("off_hand")) or name == off_hand(fighter), "POOL-34", name)
    asked(minimum, scene, intent)
    kick = max(0, 2 - weapon["recoil_compensation"]) * marks.get(RECOIL, 0) * firearm
    minimum.add("recoil", kick, "POOL-19")
    massive, time, aims = (count_of(intent, option) for option in ("massive", ACCURATE, AIM))
    if massive and mode != "melee":
        conflict(intent, "only a blow can be massive", "POOL-32", "--mode melee")
    capped(dice, fighter, "massive", 3 * massive, "strength", "POOL-32", "--massive")
    rests, supports = bool(marks.get(f"{SUPPORTED}:{name}")), bool(intent.get("supported"))
    if supports and not firearm:
        hint = "firearms can, bows cannot"
        unfit(intent, f"the {name} cannot be supported", "POOL-35", hint, final=True)
    minimum.add("supported", -(rests or supports), "POOL-35")
    minimum.add("disarming", 2 * (purpose == DISARM), "POOL-33", "--disarm")
    if time and aims:
        conflict(intent, "nothing else is done while taking one's time, aiming neither", "POOL-30")
    taken = -marks.get(ACCURATE, 0) - time
    gained = capped(minimum, fighter, ACCURATE, taken, "perception", "POOL-30")
    minimum.add("never below 2", max(0, min(2 - minimum.total, -gained)), "POOL-30")
    threshold = Modifiers("critical", "POOL-17").base("threshold", CRITICAL).add("recoil", kick, "POOL-19")
    if aims and bursts:
        conflict(intent, f"the {name} cannot be aimed in bursts", "POOL-18", "--mode single")
    if not bursts:
        capped(threshold, fighter, AIM, -2 * (marks.get(AIM, 0) + aims), "perception", "POOL-20")
    scale = Scale(minimum.total, NEVER if bursts else threshold.total)
    roll = roll_of(scene, intent.actor, dice, minimum, intent.options)._replace(scale=scale)
    ammo, needed = f"ammo:{name}", {"single": 1, "burst": 3, "throw": 1}.get(mode, 0)
    if not needed and not fighter.pools.get(ammo, 1):
        what = f"the {name} of {intent.actor} has been thrown"
        refuse(intent, what, "POOL-18", "use another weapon", code="used_up")
    actions = {"POOL-32": massive, "POOL-35": supports and not rests, "POOL-30": time, "POOL-20": aims}
    prices = [Cost("actions", int(count), rule=rule) for rule, count in actions.items() if count]
    prices += [Cost(ammo, needed, rule="POOL-18")] if needed and ammo in fighter.pools else []
    costs = (*prices, *spent(scene, intent))
    return Setup(roll, Modifiers.lines_of(dice, minimum, threshold), costs, name, carried=using)


def far(minimum: Modifiers, scene: Scene, intent: Intent, using: Attacking) -> None:
    """POOL-21: up to the range nothing, up to twice it harder by 2, beyond it refused."""
    distance = target_distance(scene, intent)
    reaches: int | None = using.weapon.get("range", 1 if using.mode == "melee" else None)
    if distance is None or reaches is None or distance <= reaches:
        return
    if distance > 2 * reaches:
        limit = f"the {using.name} reaches {reaches} m, {2 * reaches} m at most"
        closer = f"go closer: crisis act {slug(intent.actor)} run toward {slug(intent.target)}"
        what = f"{intent.target} is {distance} m away; {limit}"
        refuse(intent, what, "POOL-21", closer, code="out_of_reach")
    minimum.add("distance", 2, "POOL-21", f"{distance} m at {reaches} m")


def capped(
    lines: Modifiers, fighter: Fighter, name: str, worth: int, limit: str, rule: str, source: str = ""
) -> int:
    """Add what actions were spent on, no more than a skill or attribute of the fighter either way; gives that."""
    most = max(0, value_of(fighter, limit)[0])
    counts = max(-most, min(most, worth))
    if worth:
        lines.base(name, counts, rule, source if counts == worth else f"{limit} {most}")
    return counts


def hit_roll(table: RuleTable, roll: PoolRoll | tuple[PoolRoll]) -> Rolled[Graded] | Rolled[int]:
    """POOL-16: the hit roll; POOL-40: of an object, in a tuple of its own, a roll that is no attack (POOL-6)."""
    if isinstance(roll, PoolRoll):
        return roll_pool(table, "attack", roll, scored)
    return roll_pool(table, "throw", roll[0], counted)


# What the target can do

NONE = (0,) * len(PROTECTION)
"""Of each kind of protection none."""
COVERS = ("4+", "5+", "6+")
"""POOL-22: the levels of cover; none of them helps against a foe who has come within 1 m (a reading)."""
RESISTED = {KNOCKOUT: (("resistance",), "the knock-out"), DISARM: (("strength", "deftness"), "disarming")}
"""What the target resists with, the better of them, and how the roll is called (POOL-31, POOL-33)."""


def interrupted_record(outcome: Interrupted) -> Mapping[str, Any]:
    """An attack or another action that was answered, as the record holds it."""
    lost = outcome.deed if outcome.lost else None
    toll = getattr(lost, "toll", DamageResult(0))
    attacks = [attack for attack in outcome.others if attack is not None]
    tolls = tuple(attack.toll._replace(spent=attack.repaid) for attack in attacks)
    rolled = {"success": outcome.success, "total": outcome.total, "criticals": outcome.criticals}
    deed = {"deed": None if outcome.lost else outcome.deed, "tolls": tolls, "lost": outcome.lost}
    prices = {"repaid": getattr(lost, "repaid", ()), "bought": toll.bought, "spent": toll.spent}
    return {**rolled, **deed, "reaction": toll.reaction, **prices}


REACTIONS = Reactions("actions", "POOL-14", rolls=("attack",), keeps=(SUPPORTED,), record=interrupted_record)
"""POOL-13, POOL-14: a kept action is a reaction, once to each action of others; one in a one-off (a reading)."""


class DefenceSetup(NamedTuple):
    """What the dice of the target depend on; what it cannot do is None or 0."""

    who: str
    units: tuple[int, ...]
    """Protection by kind (POOL-24), of which at most so many are `usable`."""
    usable: int
    piercing: int
    demonic: bool
    each: int = 1
    """Wounds of each hit (POOL-26); those beyond the `most` make no difference."""
    most: int = 9999
    cover: int = 0
    shield: int = 0
    dodge: PoolRoll | None = None
    parry: PoolRoll | None = None
    purpose: str = WOUNDS
    resist: PoolRoll | None = None
    buys: tuple[str, ...] = ()
    """The dice that can buy the action for a reaction, where none is kept (POOL-15); the player is asked."""

    def after(self, used: tuple[str, ...]) -> DefenceSetup:
        """The defence once dice and re-rolls have been spent in these ways."""
        rolls = {name: getattr(self, name) for name in ("dodge", "parry", "resist")} if used else {}
        return self._replace(**{name: roll and roll.after(used) for name, roll in rolls.items()})

    @property
    def after_reaction(self) -> DefenceSetup:
        """What still matters once the target has reacted."""
        return self._replace(cover=0, shield=0, dodge=None, parry=None, buys=())


def defence_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """What stands between hits and target, nothing against an object (POOL-40), and as `carried` its scene."""
    using: Attacking | None = before[0].carried
    if using is None:
        return Setup(None)
    target, weapon = scene.fighters[intent.target], using.weapon
    who, name, force = target.name, using.name, wounds_per_hit(intent, using)
    pierces = Modifiers("piercing", "POOL-25").add(name, weapon["piercing"], source=f"weapons.{name}")
    setup = shielded_by(scene, intent, target, weapon)._replace(
        each=max(0, force.total), purpose=using.purpose, buys=buying(scene, intent)
    )
    lines: list[Any] = [
        force,
        pierces,
        Modifiers("cover", "POOL-22").shelter(scene, intent, who, f"{setup.cover}+"),
    ]
    skills, cause = RESISTED.get(using.purpose, ((), ""))
    if forced := [forced_roll(scene, who, "resist", skill, cause) for skill in skills]:
        resist = max(forced, key=lambda setup: setup.dice.dice)
        setup, lines = setup._replace(resist=resist.dice), [*lines, resist.modifiers]
    barred = {way: unable_to(scene, intent, target, using.mode, way, setup.buys) for way in DEFENCES}
    wanted = intent.get("react", "none")
    if wanted in barred and barred[wanted][0]:
        refuse(intent, *barred[wanted], "let it be: --react none", code="cannot_react")
    # In the target's own turn an action can still follow the walk.
    walked = bool(target.marks.get(WALKED)) and who not in scene.acting
    if not barred["dodge"][0] or wanted == "dodge":
        dice = Modifiers("dodge dice", "POOL-27", who)
        dice.base("evasion", evasion_of(target), "POOL-2", "evasion")
        dice.add("shocked", -target.level("shocked"), "POOL-38", "condition")
        minimum = minimum_of(target, "dodge", "dodge", against=who).add("walking", walked, "POOL-12")
        setup = setup._replace(dodge=roll_of(scene, who, dice, minimum))
        lines += (dice, minimum)
    if not barred["parry"][0]:
        thing, potential = parries_with(scene, intent, target) or ("", 0)
        dice = dice_of(target, "parry", "hand-to-hand", against=who)
        dice.add(thing, potential, "POOL-3", f"weapons.{thing}")
        minimum = minimum_of(target, "parry", "hand-to-hand", against=who).add("walking", walked, "POOL-12")
        minimum.add("off hand", thing == off_hand(target), "POOL-34", thing)
        parry = roll_of(scene, who, dice, minimum)._replace(scale=Scale(minimum.total, CRITICAL))
        setup = setup._replace(parry=parry)
        lines += (dice, minimum)
    if not barred["shield"][0]:
        setup = setup._replace(shield=shield_of(target))
    return Setup(setup, Modifiers.lines_of(*lines), carried=scene)


def shielded_by(scene: Scene, intent: Intent, target: Fighter, weapon: Weapon) -> DefenceSetup:
    """What meets hits whatever the target does: cover (POOL-22), and protection, no more than is left (POOL-24)."""
    units = tuple(target.pools.get(f"protection:{kind}", 0) for kind in PROTECTION)
    usable = count_of(intent, "protection", "POOL-24", sum(units), 0, sum(units))
    place = scene.cover(target.name, intent.actor, 1, dict.fromkeys(COVERS, "none"))
    level = intent.get("cover") or place.level
    covers = [int(level[0])] if level != "none" else []
    if target.has("hunkered"):
        covers.append(6)
    if target.has("blocking") and scene.round >= target.marks.get(RAISED, 0) and shield_of(target):
        covers.append(shield_of(target))
    most, cover = hearts(target) if hearts(target) > 0 else DEATH, min(covers, default=0)
    return DefenceSetup(target.name, units, usable, weapon["piercing"], weapon["demonic"], 1, most, cover)


def wounds_per_hit(intent: Intent, using: Attacking) -> Modifiers:
    """POOL-26: the wounds of each hit with a weapon; below 0 they count as 0."""
    wounds = Modifiers("wounds per hit", "POOL-26")
    wounds.base(using.name, using.weapon["wounds"], source=f"weapons.{using.name}")
    return wounds.asked(intent, "mod_damage")


def buying(scene: Scene, intent: Intent) -> tuple[str, ...]:
    """POOL-15: the dice that may buy the target an action for a reaction, where none is kept; a destiny die steals it
    from the attacker, who must have one left to lose (none left: refused, a reading)."""
    target, attacker = scene.fighters[intent.target], scene.fighters[intent.actor]
    asks = scene.asks(intent.target) and intent.get("react") in (None, "ask")
    if not asks or REACTIONS.left(scene, target) > 0:
        return ()
    luck, now = dict(luck_of(target)), attacker.name in scene.acting
    left = attacker.pools["actions"] if now else actions_a_turn(attacker) - attacker.marks.get(STOLEN, 0)
    ways = (BONUS, DESTINY) if left > 0 and attacker.side != target.side else (BONUS,)
    return tuple(way for way in ways if POOLS[way] in luck)


def theft(scene: Scene, victim: str) -> Charge:
    """POOL-15: an action of an opponent's goes, in its own turn of what it has, else of its next refresh."""
    if victim in scene.acting:
        return Charge(victim, (Cost("actions", rule="POOL-15"),))
    return Charge(victim, mark=STOLEN, rule="POOL-15")


def unable_to(
    scene: Scene, intent: Intent, target: Fighter, mode: str, reaction: str, buys: tuple[str, ...]
) -> tuple[str, str]:
    """Why the target cannot react so, and the rule; two empty words where it can."""
    who, (idle, idle_rule) = target.name, unable(CONDITIONS, target)
    dodges, parries, shields = (reaction == way for way in DEFENCES)
    reasons = (
        (who in intent.get("unaware", ()), f"{who} does not perceive the attack", "POOL-14"),
        (idle, f"{who} is {idle}", idle_rule),
        (REACTIONS.left(scene, target) < 1 and not buys, f"{who} has no action left", "POOL-14"),
        (shields and not shield_of(target), f"{who} holds no shield", "POOL-23"),
        (not shields and mode != "melee", f"only a blow can be answered with {reaction}", "POOL-18"),
        (parries and target.has("stuck"), f"the weapon of {who} is stuck", "POOL-24"),
        (dodges and intent.get("behind"), f"{who} cannot dodge what comes from behind", "POOL-27"),
        (parries and not parries_with(scene, intent, target), f"{who} has no melee weapon ready", "POOL-28"),
    )
    return next(((why, rule) for holds, why, rule in reasons if holds), ("", ""))


def parries_with(scene: Scene, intent: Intent, target: Fighter) -> tuple[str, int] | None:
    """POOL-28: the melee weapon in hand (one-off: or not), else what the GM allows; with its dice."""
    weapons, held = target.sheet["weapons"], weapons_held(target)
    at_hand = [name for name in (held if scene.open else weapons) if not is_thrown_away(target, name)]
    ready = [name for name in at_hand if "melee" in modes_of(weapons[name])]
    named = intent.get("react_weapon")
    if named and named not in ready:
        return None if named in weapons else (named, 0)
    name = named or next((name for name in held if name in ready), "")
    return (name, weapons[name]["damage_potential"]) if name else None


# What the target does


class ReactionResult(NamedTuple):
    """What the target's reaction leaves of the hits, of which it stops the worst (a reading), and their cover."""

    normal: int
    critical: int
    cover: int
    spent: tuple[str, ...] = ()
    """What went into its roll (POOL-7)."""


Reaction = tuple[str, str, ReactionResult]
"""What the target does, the die that bought the action for it (POOL-15), and what that leaves."""


class DamageResult(NamedTuple):
    """What an attack comes to for its target."""

    harm: int
    """Wounds; the level of unconsciousness; 1 for a weapon lost."""
    past: bool = False
    """Whether a hit got past parry, dodge and cover (POOL-20)."""
    through: bool = False
    """Whether a hit was left in the end (POOL-3)."""
    used: tuple[int, ...] = NONE
    worked: tuple[int, ...] = NONE
    """Of the units used those that piercing did not swallow (POOL-25)."""
    reflected: int = 0
    reaction: str = ""
    bought: str = ""
    spent: tuple[str, ...] = ()
    """On the rolls of reacting and resisting (POOL-7)."""

    @property
    def worn(self) -> int:
        """How many units of protection are used up (POOL-24)."""
        return sum(self.used)

    @property
    def pierced(self) -> int:
        """How many of them piercing swallowed (POOL-25)."""
        return sum(self.used) - sum(self.worked)


def react(table: RuleTable, setup: DefenceSetup | None, rolled: Rolled[Graded]) -> Reaction | None:
    """POOL-14: the reaction that the target chooses by the hits announced; None where there are none, or no attack."""
    hits, _ = rolled
    if not setup or not hits.count:
        return None
    counts = "wounds" if setup.purpose == WOUNDS else "harm"
    way_to = partial(Alternative, rule=priced, wears="protection", counts=counts)
    ways = {"none": ("", "")}
    options = [way_to("none", args=(setup, hits, "none"))]
    for name in (name for name in DEFENCES if getattr(setup, name)):
        for die in setup.buys or ("",):
            option = f"{name}-{die}" if die else name
            ways[option] = name, die
            args, pays = (setup.after((die,) if die else ()), hits, name), PRICES.get(die, "action")
            options.append(way_to(option, args=args, cost=1, deliberate=bool(die), pays=pays))
    taken = table.choose(setup.who, tuple(options))
    setup, hits, way = taken.args
    return (*ways[taken.name], table.ask(WAYS[way], setup, hits))


def priced(table: RuleTable, setup: DefenceSetup, hits: Graded, way: str) -> DamageResult:
    """What hits come to if the target reacts in this way."""
    return table.ask(inflicted, setup.after_reaction, hits.without(HIT), table.ask(WAYS[way], setup, hits))


def borne(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """Nothing is done about it."""
    return ReactionResult(hits.of(HIT), criticals(hits), setup.cover)


def dodged(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-27: evasion, harder by every hit; one success and none of them counts."""
    assert setup.dodge is not None
    scale = Scale(setup.dodge.scale.minimum + hits.count)
    evaded, used = table.ask(roll_pool, "dodge", setup.dodge._replace(scale=scale), counted)
    faced = ReactionResult(0, 0, 0) if evaded else borne(table, setup, hits)
    return faced._replace(spent=used)


def parried(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-28: each success stops a hit; critical ones stop critical hits first, and nothing else does."""
    assert setup.parry is not None
    parry, used = table.ask(roll_pool, "parry", setup.parry, scored)
    worst = min(criticals(parry), criticals(hits))
    others = min(hits.of(HIT), parry.count - worst)
    table.result(stopped=worst + others, left=hits.count - worst - others)
    normal = table.plus(hits.of(HIT), "parry", -others, "POOL-28")
    left = table.plus(criticals(hits), "parry", -worst, "POOL-28")
    return ReactionResult(normal, left, setup.cover, spent=used)


def shielded(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-23: the shield is cover against this one attack; of several the best counts (POOL-22)."""
    return borne(table, setup, hits)._replace(cover=min(setup.shield, setup.cover or setup.shield))


WAYS = {"none": borne, "dodge": dodged, "parry": parried, "shield": shielded}
"""What can be done about hits, by the name of the reaction."""

# What is left of the hits


def inflicted(table: RuleTable, setup: DefenceSetup, critical: Graded, faced: ReactionResult) -> DamageResult:
    """POOL-37: what hits come to, as `endured`, where wounds beyond the last make no difference."""
    toll: DamageResult = table.ask(endured, setup._replace(most=0), critical, faced)
    if setup.purpose == WOUNDS and toll.harm > setup.most:
        toll = toll._replace(harm=table.plus(toll.harm, "limit", setup.most - toll.harm, "POOL-37"))
    return toll


def endured(table: RuleTable, setup: DefenceSetup, critical: Graded, faced: ReactionResult) -> DamageResult:
    """POOL-22: cover dice for critical hits, then for normal ones; then protection, and wounds without their limit."""
    count, setup = faced.normal + faced.critical, setup.after(faced.spent)
    left = covered(table, setup.who, faced.cover, faced.critical, "critical hits")
    normal = covered(table, setup.who, faced.cover, faced.normal, "normal hits")
    hits = normal + left
    if faced.cover and count:
        table.result(stopped=count - hits, left=int(hits))
    if not hits:
        return DamageResult(0, spent=faced.spent)
    if setup.purpose == DISARM:
        held, used = resisted(table, setup, hits)
        return DamageResult(int(held < hits), True, spent=faced.spent + used)
    normal, left, toll = protect(setup, normal, left)
    count = normal + left
    harm = table.plus(hits, "protection", count - hits - toll.pierced, "POOL-24")
    harm = table.plus(harm, "piercing", toll.pierced, "POOL-25")
    if setup.purpose == KNOCKOUT:
        held, used = resisted(table, setup, count) if toll.through else (0, ())
        harm = table.plus(harm, "resisted", -min(held, count), "POOL-31")
        return toll._replace(harm=harm, spent=faced.spent + used)
    harm = table.plus(harm, "wounds per hit", count * (setup.each - 1), "POOL-26")
    harm = table.plus(harm, "mega-critical", table.reveal(critical, left, mega) if left else 0, "POOL-17")
    return toll._replace(harm=harm, spent=faced.spent)


def covered(table: RuleTable, who: str, cover: int, count: int, what: str) -> int:
    """The hits that cover leaves: its dice do not explode, and count once (POOL-22)."""
    if not cover or not count:
        return count
    table.label("cover", who, f"{count}d6", part=what)
    stopped = table.times(count, covers, cover)
    table.result(target=cover, successes=stopped)
    return table.plus(count, "cover", -stopped, "POOL-22")


def covers(table: RuleTable, cover: int) -> int:
    """One cover die."""
    return int(table.die(6) >= cover)


def resisted(table: RuleTable, setup: DefenceSetup, needs: int) -> Rolled[int]:
    """The successes of resisting a knock-out or being disarmed (POOL-31, POOL-33)."""
    assert setup.resist is not None
    rolled = roll_pool(table, "resist", setup.resist, counted, needs)
    table.result(difficulty=needs)
    return rolled


def protect(setup: DefenceSetup, normal: int, critical: int) -> tuple[int, int, DamageResult]:
    """POOL-24: the hits left, normal and critical, and what the units did; POOL-25: the first ones stop nothing."""
    left, worked, spent, reflected = [*setup.units], [*NONE], 0, 0
    # First the units for critical hits, on these; then all kinds on normal hits.
    for at, kind in ((-1, ""), *enumerate(PROTECTION)):
        while (normal if kind else critical) and left[at] and spent < setup.usable:
            left[at] -= 1
            spent += 1
            if spent <= setup.piercing:
                continue
            worked[at] += 1
            if not kind:
                critical -= 1
            elif kind == "demonic" and setup.demonic:
                normal = max(0, normal - 3)
            else:
                normal -= 1
                reflected += kind == "reflecting"
    used = tuple(map(sub, setup.units, left))
    return normal, critical, DamageResult(0, True, normal + critical > 0, used, tuple(worked), reflected)
