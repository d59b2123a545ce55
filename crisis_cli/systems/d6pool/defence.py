"""What stands between hits and their target: reactions, cover, protection (POOL-14, POOL-15, POOL-22 to POOL-28)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ...dice.graded import NO_DICE, Graded
from ...engine.reactions import Interrupted, Reactions
from ...engine.setup import Charge
from ...rules import (
    Action,
    Alternative,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    lines_of,
    refuse,
    unable,
)
from .health import CONDITIONS, DEATH, hearts, inflict, wound
from .rolls import (
    BONUS,
    CRITICAL,
    DESTINY,
    HIT,
    POOLS,
    PRICES,
    PoolRoll,
    Rolled,
    Scale,
    critical,
    criticals,
    dice_of,
    luck_charge,
    luck_of,
    mega,
    minimum_of,
    reaction_roll,
    resistance_roll,
    successes,
    thrown,
    without,
)
from .sheet import (
    PROTECTION,
    UNARMED,
    Weapon,
    evasion_of,
    inflicted,
    is_off_hand,
    modes_of,
    shield_of,
    weapons_held,
)

# Protection

CRITICAL_UNITS = PROTECTION.index("critical")
STICKY = PROTECTION.index("sticky")
DEMONIC = PROTECTION.index("demonic")
REFLECTING = PROTECTION.index("reflecting")
DEMONS = 3
"""POOL-24: hits of demonic origin that a demonic unit stops."""
STOPS = {"bleeding": "bleeding", "poison": "poisoned", "fire": "burning", "shock": "shocked"}
"""POOL-24: the conditions that units of these kinds keep off."""
Units = tuple[int, ...]
"""A number for each kind of protection."""
NONE: Units = (0,) * len(PROTECTION)


class Armour(NamedTuple):
    """The protection that meets an attack."""

    units: Units
    most: int = 9999
    """How many units are used at most."""
    piercing: int = 0
    demonic: bool = False


class Protected(NamedTuple):
    """What protection leaves of hits, and what it took."""

    normal: int
    critical: int
    used: Units = NONE
    worked: Units = NONE
    """Of those the ones that piercing did not swallow (POOL-25)."""
    reflected: int = 0


def armour_of(fighter: Fighter, intent: Intent, weapon: Weapon) -> Armour:
    """POOL-24: the units that are left; Refused where more are asked for than there are."""
    units = tuple(fighter.pools.get(f"protection:{kind}", 0) for kind in PROTECTION)
    most = intent.get("protection")
    if most is None:
        return Armour(units, piercing=weapon["piercing"], demonic=weapon["demonic"])
    if not 0 <= most <= sum(units):
        what = f"{fighter.name} has {sum(units)} units of protection left, not {most}"
        refuse(intent, what, "POOL-24", final=True)
    return Armour(units, most, weapon["piercing"], weapon["demonic"])


def protect(armour: Armour, normal: int, critical: int) -> Protected:
    """POOL-24: critical units to critical hits first, then all kinds to normal ones; POOL-25: the first ones spent
    stop nothing."""
    left, worked = list(armour.units), [0] * len(armour.units)
    spent = reflected = 0
    most = min(armour.most, sum(left))
    while critical and left[CRITICAL_UNITS] and spent < most:
        left[CRITICAL_UNITS] -= 1
        spent += 1
        critical -= spent > armour.piercing
        worked[CRITICAL_UNITS] += spent > armour.piercing
    for kind in range(len(left)):
        while normal and left[kind] and spent < most:
            left[kind] -= 1
            spent += 1
            if spent <= armour.piercing:
                continue
            worked[kind] += 1
            if kind == DEMONIC and armour.demonic:
                normal = max(0, normal - DEMONS)
            else:
                normal -= 1
                reflected += kind == REFLECTING
    used = tuple(had - has for had, has in zip(armour.units, left, strict=True))
    return Protected(normal, critical, used, tuple(worked), reflected)


def use_up(changes: Changes, who: str, used: Units) -> None:
    """POOL-24: the pools get smaller by what is spent."""
    for kind, count in zip(PROTECTION, used, strict=True):
        if count:
            changes.adjust(who, f"protection:{kind}", -count, "POOL-24")


# What the target can do

DEFENCES = ("dodge", "parry", "shield")
"""POOL-14: the reactions of a target to hits."""
WOUNDS, KNOCKOUT, DISARM = "wounds", "knockout", "disarm"
"""What the hits are meant to do."""
HUNKERED = 6
"""POOL-38: the cover of being hunkered."""
RAISED = "raised"
"""The mark of a shield held up: the round from which on it covers (POOL-23)."""
STOLEN = "stolen"
"""The mark of actions that the next refresh lacks (POOL-15)."""


def interrupted_record(outcome: Interrupted) -> Mapping[str, Any]:
    """An attack or another action that was answered, as the record holds it."""
    deed = outcome.deed
    toll = getattr(deed, "toll", DamageResult(0)) if outcome.lost else DamageResult(0)
    return {
        "success": outcome.success,
        "total": outcome.total,
        "criticals": outcome.criticals,
        "deed": None if outcome.lost else deed,
        "tolls": tuple(one.toll._replace(spent=one.repaid) for one in outcome.others if one is not None),
        "lost": outcome.lost,
        "reaction": toll.reaction,
        "repaid": getattr(deed, "repaid", ()) if outcome.lost else (),
        "bought": toll.bought,
        "spent": toll.spent,
    }


REACTIONS = Reactions(
    "actions", "POOL-14", rolls=("attack",), keeps=("supported",), record=interrupted_record
)
"""POOL-13, POOL-14: an action that was kept is a reaction, once to each action of others; one in a one-off (a
reading)."""


class Attacking(NamedTuple):
    """What an attack is made with, looked up once."""

    name: str
    weapon: Weapon
    mode: str
    purpose: str = WOUNDS
    """WOUNDS, KNOCKOUT or DISARM."""


class DefenceSetup(NamedTuple):
    """What the dice of the target depend on; what it cannot do is None or 0."""

    who: str
    armour: Armour
    each: int = 1
    """Wounds of each hit (POOL-26)."""
    most: int = 9999
    """Wounds beyond these make no difference."""
    cover: int = 0
    shield: int = 0
    dodge: PoolRoll | None = None
    parry: PoolRoll | None = None
    purpose: str = WOUNDS
    resist: PoolRoll | None = None
    buys: tuple[str, ...] = ()
    """The dice that can buy the action for a reaction, where none is kept (POOL-15); the player is asked."""

    def after(self, used: tuple[str, ...]) -> DefenceSetup:
        """The same once dice and re-rolls have been spent in these ways."""
        if not used:
            return self
        dodge, parry, resist = (
            roll and roll._replace(luck=without(roll.luck, used))
            for roll in (self.dodge, self.parry, self.resist)
        )
        return self._replace(dodge=dodge, parry=parry, resist=resist)


def defence_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """What stands between the hits and the target; Refused where `--react` names what it cannot do. `known` is the
    scene that it holds for."""
    using: Attacking = before[0].known
    target, name, weapon = scene.fighters[intent.target], using.name, using.weapon
    force = wounds_per_hit(intent, name, weapon)
    pierces = Modifiers("piercing", "POOL-25").add(name, weapon["piercing"], source=f"weapons.{name}")
    lines = [force, pierces]
    setup = DefenceSetup(
        target.name,
        armour_of(target, intent, weapon),
        max(0, force.total),
        hearts(target) if hearts(target) > 0 else DEATH,
        cover_of(scene, intent, target),
        purpose=using.purpose,
    )
    if using.purpose != WOUNDS:
        skills = ("resistance",) if using.purpose == KNOCKOUT else ("strength", "deftness")
        rolls = [resistance_roll(scene, target.name, "resist", one, against=target.name) for one in skills]
        resist, more = max(rolls, key=lambda pair: pair[0].dice)
        setup, lines = setup._replace(resist=resist), [*lines, *more]
    buys = buying(scene, intent)
    able = {one: unable_to(scene, intent, target, using.mode, one, buys) for one in DEFENCES}
    wanted = intent.get("react", "none")
    if able.get(wanted, ("",))[0]:
        refuse(intent, able[wanted][0], able[wanted][1], "let it be: --react none")
    if not able["dodge"][0] or wanted == "dodge":
        dice = Modifiers("dodge dice", "POOL-27", target.name)
        dice.base("evasion", evasion_of(target.sheet), "POOL-2", "evasion")
        dice.add("shocked", -int(target.conditions.get("shocked", 0)), "POOL-38", "condition")
        minimum = minimum_of(target, "dodge", "dodge", against=target.name)
        setup = setup._replace(dodge=reaction_roll(scene, target.name, dice, minimum))
        lines += (dice, minimum)
    if not able["parry"][0]:
        weapon_, potential = parries_with(scene, intent, target) or ("", 0)
        dice = dice_of(target, "parry", "hand-to-hand", against=target.name)
        dice.add(weapon_, potential, "POOL-3", f"weapons.{weapon_}")
        minimum = minimum_of(target, "parry", "hand-to-hand", against=target.name)
        minimum.add("off hand", int(is_off_hand(target, weapon_)), "POOL-34", weapon_)
        setup = setup._replace(parry=reaction_roll(scene, target.name, dice, minimum, CRITICAL))
        lines += (dice, minimum)
    if not able["shield"][0]:
        setup = setup._replace(shield=shield_of(target))
    return Setup(setup._replace(buys=buys), lines_of(*lines), known=scene)


def wounds_per_hit(intent: Intent, name: str, weapon: Weapon) -> Modifiers:
    """POOL-26: the wounds of each hit with a weapon; below 0 they count as 0."""
    found = Modifiers("wounds per hit", "POOL-26").base(name, weapon["wounds"], source=f"weapons.{name}")
    return found.asked(intent, "mod_damage")


def buying(scene: Scene, intent: Intent) -> tuple[str, ...]:
    """POOL-15: the dice with which the player may buy the target an action for a reaction, where none is kept.

    A destiny die steals it from the attacker, who must have one left to lose (none left: refused, a reading).
    """
    target, attacker = scene.fighters[intent.target], scene.fighters[intent.actor]
    if not scene.open or REACTIONS.left(scene, target) > 0 or intent.get("react") not in (None, "ask"):
        return ()
    luck = dict(luck_of(scene, target.name))
    now = attacker.name in scene.acting
    can_steal = attacker.pools["actions"] > 0 if now else not all_stolen(attacker)
    ways = (BONUS, DESTINY) if can_steal and attacker.side != target.side else (BONUS,)
    return tuple(way for way in ways if luck.get(POOLS[way]))


def all_stolen(fighter: Fighter) -> bool:
    """POOL-15: whether no action of the next refresh is left to be stolen."""
    return bool(fighter.marks.get(STOLEN, 0) >= fighter.sheet["actions"])


def theft(scene: Scene, victim: str) -> Charge:
    """POOL-15: an action of an opponent's goes, in its own turn of what it has, else of its next refresh."""
    if victim in scene.acting:
        return Charge(victim, (Cost("actions", rule="POOL-15"),))
    return Charge(victim, mark=STOLEN, rule="POOL-15")


def unable_to(
    scene: Scene, intent: Intent, target: Fighter, mode: str, reaction: str, buys: tuple[str, ...]
) -> tuple[str, str]:
    """Why the target cannot react so, and the rule; two empty words where it can."""
    if target.name in intent.get("unaware", ()):
        return f"{target.name} does not perceive the attack", "POOL-14"
    why, rule = unable(CONDITIONS, target)
    if why:
        return f"{target.name} is {why}", rule
    if REACTIONS.left(scene, target) < 1 and not buys:
        return f"{target.name} has no action left", "POOL-14"
    if reaction == "shield":
        return ("", "") if shield_of(target) else (f"{target.name} holds no shield", "POOL-23")
    if mode != "melee":
        return f"only a blow can be answered with {reaction}", "POOL-18"
    if reaction == "parry" and target.has("stuck"):
        return f"the weapon of {target.name} is held fast", "POOL-24"
    if reaction == "dodge" and intent.get("behind"):
        return f"{target.name} cannot dodge what comes from behind", "POOL-27"
    if reaction == "parry" and parries_with(scene, intent, target) is None:
        return f"{target.name} has no melee weapon ready", "POOL-28"
    return "", ""


def parries_with(scene: Scene, intent: Intent, target: Fighter) -> tuple[str, int] | None:
    """POOL-28: the melee weapon in hand, else what the GM allows; with its dice. A one-off does not ask for it to
    be in hand."""
    weapons = target.sheet["weapons"]
    held = [one for one in weapons_held(target) if "melee" in modes_of(weapons[one])]
    named = intent.get("react_weapon")
    ready = held if scene.open else [one for one in weapons if "melee" in modes_of(weapons[one])]
    if named and named not in ready:
        if named in weapons:
            return None
        return named, 0
    name = named or (held[0] if held else "")
    return (name, weapons[name]["damage_potential"]) if name else None


def cover_of(scene: Scene, intent: Intent, target: Fighter) -> int:
    """POOL-22: the best of what is said, where the target hides, being hunkered, and a shield held up (POOL-23)."""
    said = intent.get("cover") or target.cover.get(intent.actor, "none")
    covers = [int(said[0])] if said != "none" else []
    if target.has("hunkered"):
        covers.append(HUNKERED)
    if target.has("blocking") and scene.round >= target.marks.get(RAISED, 0) and shield_of(target):
        covers.append(shield_of(target))
    return min(covers, default=0)


# What the target does


class ReactionResult(NamedTuple):
    """What the target's reaction leaves of the hits."""

    normal: int
    left: int
    """Critical ones; the worst have been stopped (a reading)."""
    cover: int
    """What covers the target against them, 0 for nothing (POOL-22)."""
    reaction: str = ""
    bought: str = ""
    """The die that bought the action for it (POOL-15)."""
    spent: tuple[str, ...] = ()
    """What was spent on the roll for it (POOL-7)."""


class DamageResult(NamedTuple):
    """What an attack comes to for its target."""

    harm: int
    """Wounds; the level of unconsciousness; 1 for a weapon lost."""
    past: bool = False
    """Whether a hit got past parry, dodge and cover (POOL-20)."""
    through: bool = False
    """Whether a hit was left in the end (POOL-3)."""
    used: Units = NONE
    worked: Units = NONE
    """Of the units used those that piercing did not swallow."""
    reflected: int = 0
    reaction: str = ""
    bought: str = ""
    """The die that bought the action for it, bonus or destiny, where none was kept (POOL-15)."""
    spent: tuple[str, ...] = ()
    """What the target spent on the rolls of reacting and resisting (POOL-7)."""


def react(table: RuleTable, setup: DefenceSetup, rolled: Rolled[Graded]) -> ReactionResult | None:
    """POOL-14: what the target does about hits; None where there are none."""
    return table.ask(reacted, setup, rolled.found) if rolled.found.count else None


def reacted(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """The reaction that the target chooses by what is announced of the hits (POOL-14)."""
    able = [name for name in DEFENCES if getattr(setup, name)]
    ways = {name: (name, "") for name in able if not setup.buys}
    ways |= {f"{name}-{die}": (name, die) for name in able for die in setup.buys}
    options = [Alternative("none", priced, (setup, hits, "none"))]
    for option, (name, die) in ways.items():
        with_it = setup.after((die,) if die else ())
        pays = PRICES[die] if die else "action"
        options.append(Alternative(option, priced, (with_it, hits, name), 1, willed=bool(die), pays=pays))
    taken = table.choose(setup.who, tuple(options)).name
    if taken == "none":
        return table.ask(borne, setup, hits)
    name, die = ways[taken]
    faced = table.ask(WAYS[name], setup.after((die,) if die else ()), hits)
    return faced._replace(reaction=name, bought=die)


def priced(table: RuleTable, setup: DefenceSetup, hits: Graded, way: str) -> DamageResult:
    """What hits come to if the target reacts in this way."""
    return table.ask(outcome_of, setup, critical(hits), table.ask(WAYS[way], setup, hits))


def borne(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """Nothing is done about it."""
    return ReactionResult(hits.of(HIT), criticals(hits), setup.cover)


def dodged(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-27: evasion, harder by every hit; one success and none of them counts."""
    assert setup.dodge is not None
    harder = setup.dodge._replace(scale=Scale(setup.dodge.scale.minimum + hits.count))
    away, used = table.ask(avoided, harder)
    faced = ReactionResult(0, 0, 0) if away else borne(table, setup, hits)
    return faced._replace(spent=used)


def avoided(table: RuleTable, roll: PoolRoll) -> tuple[bool, tuple[str, ...]]:
    """Whether a dodge succeeds, and what was spent on it."""
    found, used = successes(table, "dodge", roll)
    return found > 0, used


def parried(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-28: each success stops a hit; critical ones stop critical hits first, and nothing else does."""
    assert setup.parry is not None
    normal, left, used = table.ask(turned, setup.parry, hits.of(HIT), criticals(hits))
    return ReactionResult(normal, left, setup.cover, spent=used)


def turned(table: RuleTable, roll: PoolRoll, normal: int, critical: int) -> tuple[int, int, tuple[str, ...]]:
    """The hits, normal and critical, that a parry leaves, and what was spent on it."""
    parry, used = thrown(table, "parry", roll)
    stopped = min(criticals(parry), critical)
    return max(0, normal - parry.of(HIT) - (criticals(parry) - stopped)), critical - stopped, used


def shielded(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-23: the shield is cover against this one attack; of several the best counts (POOL-22)."""
    return ReactionResult(hits.of(HIT), criticals(hits), min(setup.shield, setup.cover or setup.shield))


WAYS = {"none": borne, "dodge": dodged, "parry": parried, "shield": shielded}
"""What can be done about hits, by the name of the reaction."""


def reaction_charges(scene: Scene, intent: Intent, toll: DamageResult) -> Iterable[Charge]:
    """What the target's reaction took: an action kept, or the die that bought one (POOL-14, POOL-15); and what was
    spent on its rolls (POOL-7)."""
    if toll.reaction:
        kept = () if toll.bought else (Cost("actions", rule="POOL-14"),)
        yield Charge(intent.target, kept, reaction=True)
    if toll.bought == DESTINY:
        yield theft(scene, intent.actor)
    bought = (toll.bought,) if toll.bought else ()
    yield luck_charge(intent.target, (*bought, *toll.spent), "POOL-15" if bought else "POOL-7")


# What is left of the hits

COVER_SIDES = 6


def outcome_of(
    table: RuleTable, setup: DefenceSetup, critical: Graded, faced: ReactionResult
) -> DamageResult:
    """What comes of the hits that the reaction leaves."""
    toll = DamageResult(0)
    if faced.normal + faced.left:
        left = setup.after(faced.spent)
        toll = table.ask(endured, left, faced.cover, faced.normal, critical, faced.left)
    spent = (*faced.spent, *toll.spent)
    return toll._replace(reaction=faced.reaction, bought=faced.bought, spent=spent)


def endured(
    table: RuleTable, setup: DefenceSetup, cover: int, normal: int, critical: Graded, left: int
) -> DamageResult:
    """POOL-22: a cover die for each critical hit, then for each normal one; then protection and wounds.

    Of the critical hits `left` are left, the worst having been stopped (a reading).
    """
    left -= covered(table, setup.who, cover, left, "critical hits")
    normal -= covered(table, setup.who, cover, normal, "normal hits")
    if not normal + left:
        return DamageResult(0)
    if setup.purpose == DISARM:
        found, used = resisted(table, setup, normal + left)
        return DamageResult(int(found < normal + left), True, spent=used)
    through = protect(setup.armour, normal, left)
    remains = through.normal + through.critical
    toll = DamageResult(0, True, remains > 0, through.used, through.worked, through.reflected)
    if setup.purpose == KNOCKOUT:
        found, used = resisted(table, setup, remains) if remains else Rolled(0, ())
        return toll._replace(harm=max(0, remains - found), spent=used)
    more = table.reveal(critical, through.critical, mega) if through.critical else 0
    return toll._replace(harm=min(setup.most, setup.each * remains + more))


def resisted(table: RuleTable, setup: DefenceSetup, needs: int) -> Rolled[int]:
    """The successes of resisting a knock-out or being disarmed (POOL-31, POOL-33)."""
    assert setup.resist is not None
    found = successes(table, "resist", setup.resist, needs)
    table.result(difficulty=needs)
    return found


def covered(table: RuleTable, who: str, cover: int, count: int, what: str) -> int:
    """The hits that cover stops: dice that do not explode, and count once (POOL-22)."""
    if not cover or not count:
        return 0
    table.label("cover", who, f"{count}d6", part=what)
    found = table.times(count, covers, cover)
    table.result(target=cover, successes=found)
    return found


def covers(table: RuleTable, cover: int) -> int:
    """One cover die."""
    return int(table.die(COVER_SIDES) >= cover)


def suffer(changes: Changes, who: str, purpose: str, toll: DamageResult, weapon: Weapon) -> None:
    """What the target suffers: protection spent, wounds, conditions; its own aim is lost (POOL-3, POOL-20, POOL-24,
    POOL-26, POOL-31, POOL-33)."""
    use_up(changes, who, toll.used)
    if toll.past and not toll.reaction:
        changes.mark(who, "aim", 0, "POOL-20")
    if purpose == KNOCKOUT:
        if toll.harm:
            inflict(changes, who, "unconscious", toll.harm, "POOL-31")
    elif purpose == DISARM:
        if toll.harm:
            fighter = changes.fighter(who)
            lost = weapons_held(fighter)[:1]
            changes.hold(who, (one for one in fighter.held if one not in lost), "POOL-33")
    else:
        wound(changes, who, changes.number("POOL-26").from_dice("wounds", toll.harm))
        off = {
            STOPS[kind]
            for kind, count in zip(PROTECTION, toll.worked, strict=True)
            if count and kind in STOPS
        }
        for condition, level in inflicted(weapon) if toll.through else ():
            if condition not in off:
                inflict(changes, who, condition, level, "POOL-3")


def reflect(changes: Changes, intent: Intent, toll: DamageResult, weapon: Weapon) -> None:
    """POOL-24: hits that come back go through the attacker's own protection (a reading)."""
    armour = armour_of(changes.fighter(intent.actor), Intent("attack"), weapon)
    left = protect(armour, toll.reflected, 0)
    use_up(changes, intent.actor, left.used)
    harm = changes.number("POOL-24").add("reflected", left.normal * weapon["wounds"])
    wound(changes, intent.actor, harm, "POOL-24")


# Hits that nobody rolled for

MOST = 100


class HitsSetup(NamedTuple):
    """Hits, and what stands in their way."""

    defence: DefenceSetup
    hits: int


def hits_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-26: so many hits, each of so many wounds; cover and protection count as ever."""
    target = scene.fighters[intent.target or intent.actor]
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37", final=True)
    count, each = intent.get("hits", 1), intent.get("each", 1)
    for option, number in (("hits", count), ("each", each)):
        if not 1 <= number <= MOST:
            refuse(intent, f"--{option} is a number from 1 to {MOST}, not {number}", "POOL-26", final=True)
    defence = DefenceSetup(
        target.name,
        armour_of(target, intent, UNARMED),
        each,
        hearts(target) if hearts(target) > 0 else DEATH,
        cover_of(scene, intent, target),
    )
    lines = Modifiers("wounds per hit", "POOL-26").base("wounds per hit", each, source="--each")
    return Setup(HitsSetup(defence, count), lines_of(lines))


def hits_rule(table: RuleTable, setup: HitsSetup) -> DamageResult:
    """The cover dice, and what is left."""
    return table.ask(endured, setup.defence, setup.defence.cover, setup.hits, NO_DICE, 0)


def hits_effects(changes: Changes, intent: Intent, setup: Setup, toll: DamageResult) -> None:
    """The wounds, and the protection spent."""
    suffer(changes, setup.dice.defence.who, WOUNDS, toll, UNARMED)


TAKE_HITS = Action(
    "Be struck by hits that nobody rolled for",
    "POOL-26",
    hits_setup,
    hits_effects,
    hits_rule,
    window="any",
    targets="patient",
    candidates=lambda scene, who: (),
    options=("hits", "each", "cover", "protection"),
    says="{target} is struck",
)
