"""What stands between hits and their target, and what they do to it (POOL-14, POOL-20, POOL-22 to POOL-28, POOL-31,
POOL-33)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...dice.graded import NO_DICE, Graded
from ...dice.table import Alternative
from ...engine.events import Event, change, shift
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Setup, refuse
from ...rules.situational import circumstance
from .health import DEATH, all_stolen, hearts, idle, kept, raised, wounded
from .rolls import (
    BONUS,
    CRITICAL,
    DESTINY,
    HIT,
    NEVER,
    POOLS,
    PRICES,
    Hand,
    Rolled,
    Scale,
    critical,
    criticals,
    dice_for,
    least_for,
    luck_of,
    mega,
    reacting,
    resisting,
    successes,
    thrown,
    total,
    without,
)
from .sheet import (
    AIM,
    PROTECTION,
    UNARMED,
    Weapon,
    evasion_of,
    inflicted,
    modes_of,
    off_handed,
    shield_of,
    weapons_held,
)

# ---- Protection, piercing and wounds: what is left of hits, without a die (POOL-24 to POOL-26)

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


class Left(NamedTuple):
    """What gets through, and what it took."""

    normal: int
    critical: int
    used: Units = NONE
    worked: Units = NONE
    """Of those the ones that piercing did not swallow (POOL-25)."""
    reflected: int = 0


def armour_of(fighter: Fighter, intent: Intent, piercing: int, demonic: bool) -> Armour:
    """POOL-24: the units that are left; Refused where more are asked for than there are."""
    units = tuple(fighter.pools.get(f"protection:{kind}", 0) for kind in PROTECTION)
    most = intent.get("protection")
    if most is None:
        return Armour(units, piercing=piercing, demonic=demonic)
    if not 0 <= most <= sum(units):
        refuse(
            intent,
            f"{fighter.name} has {sum(units)} units of protection left, not {most}",
            "POOL-24",
            final=True,
        )
    return Armour(units, most, piercing, demonic)


def stopped(armour: Armour, normal: int, critical: int) -> Left:
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
    return Left(normal, critical, used, tuple(worked), reflected)


def used_up(scene: Scene, who: str, used: Units) -> Iterator[Event]:
    """POOL-24: the pool gets smaller by what is spent."""
    for kind, count in zip(PROTECTION, used, strict=True):
        if count:
            yield from shift(scene, who, f"protection:{kind}", -count, "POOL-24")


def kept_off(worked: Units) -> set[str]:
    """POOL-24: the conditions that units keep off."""
    return {STOPS[kind] for kind, count in zip(PROTECTION, worked, strict=True) if count and kind in STOPS}


# ---- What the target does about hits: parry, dodge, shield, cover, then protection (POOL-14, POOL-22 to POOL-28,

REACTIONS = ("dodge", "parry", "shield")
"""POOL-14."""
COVER_SIDES = 6
WOUNDS, KNOCKOUT, DISARM = "wounds", "knockout", "disarm"
"""What the hits are meant to do."""


class Guard(NamedTuple):
    """All that the dice of the target need to know; what it cannot do is None or 0."""

    who: str
    armour: Armour
    each: int = 1
    """Wounds of each hit (POOL-26)."""
    most: int = 9999
    """Wounds beyond these make no difference."""
    cover: int = 0
    shield: int = 0
    dodge: Hand | None = None
    parry: Hand | None = None
    meant: str = WOUNDS
    resist: Hand | None = None
    buys: tuple[str, ...] = ()
    """The dice that can buy the action for a reaction, where none is kept (POOL-15); the player is asked."""
    left: int = 0
    """The attacker's actions once this attack is paid for, where it is the attacker's own turn."""

    def after(self, used: tuple[str, ...]) -> Guard:
        """The same once dice and re-rolls have been spent in these ways."""
        if not used:
            return self
        dodge, parry, resist = (
            hand and hand._replace(luck=without(hand.luck, used))
            for hand in (self.dodge, self.parry, self.resist)
        )
        return self._replace(dodge=dodge, parry=parry, resist=resist)


class Toll(NamedTuple):
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
    """What whoever reacts or resists spent on the rolls for it (POOL-7)."""


class Faced(NamedTuple):
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


def answered(table: Any, guard: Guard, hits: Graded) -> Toll:
    """A rule: hits, from the target's reaction to the wounds."""
    faced = table.ask(reacted, guard, hits)
    toll: Toll = table.ask(outcome_of, guard, critical(hits), faced)
    return toll


def reacted(table: Any, guard: Guard, hits: Graded) -> Faced:
    """A rule: the reaction that the target chooses by what is announced of the hits (POOL-14)."""
    able = ("dodge",) * (guard.dodge is not None) + ("parry",) * (guard.parry is not None)
    able += ("shield",) * bool(guard.shield)
    ways = {name: (name, "") for name in able if not guard.buys}
    ways |= {f"{name}-{die}": (name, die) for name in able for die in guard.buys}
    options = [Alternative("none", priced, (guard, hits, "none"))]
    for option, (name, die) in ways.items():
        with_it = guard.after((die,) if die else ())
        pays = PRICES[die] if die else "action"
        options.append(Alternative(option, priced, (with_it, hits, name), 1, willed=bool(die), pays=pays))
    taken = table.choose(guard.who, tuple(options)).name
    if taken == "none":
        bare: Faced = table.ask(borne, guard, hits)
        return bare
    name, die = ways[taken]
    faced: Faced = table.ask(WAYS[name], guard.after((die,) if die else ()), hits)
    return faced._replace(reaction=name, bought=die)


def priced(table: Any, guard: Guard, hits: Graded, way: str) -> Toll:
    """A rule: what hits come to if the target reacts in this way."""
    toll: Toll = table.ask(outcome_of, guard, critical(hits), table.ask(WAYS[way], guard, hits))
    return toll


def borne(table: Any, guard: Guard, hits: Graded) -> Faced:
    """A rule: nothing is done about it."""
    return Faced(hits.of(HIT), criticals(hits), guard.cover)


def dodged(table: Any, guard: Guard, hits: Graded) -> Faced:
    """A rule, POOL-27: evasion, harder by every hit; one success and none of them counts."""
    assert guard.dodge is not None
    harder = guard.dodge._replace(scale=Scale(guard.dodge.scale.least + hits.count))
    away, used = table.ask(avoided, harder)
    faced = Faced(0, 0, 0) if away else borne(table, guard, hits)
    return faced._replace(spent=used)


def avoided(table: Any, hand: Hand) -> tuple[bool, tuple[str, ...]]:
    """A rule: whether a dodge succeeds, and what was spent on it."""
    found, used = successes(table, "dodge", hand)
    return found > 0, used


def parried(table: Any, guard: Guard, hits: Graded) -> Faced:
    """A rule, POOL-28: each success stops a hit; critical ones stop critical hits first, and nothing else does."""
    assert guard.parry is not None
    normal, left, used = table.ask(turned, guard.parry, hits.of(HIT), criticals(hits))
    return Faced(normal, left, guard.cover, spent=used)


def turned(table: Any, hand: Hand, normal: int, critical: int) -> tuple[int, int, tuple[str, ...]]:
    """A rule: the hits, normal and critical, that a parry leaves, and what was spent on it."""
    parry, used = thrown(table, "parry", hand)
    critically = criticals(parry)
    stopped_ = min(critically, critical)
    return max(0, normal - parry.of(HIT) - (critically - stopped_)), critical - stopped_, used


def shielded(table: Any, guard: Guard, hits: Graded) -> Faced:
    """A rule, POOL-23: the shield is cover against this one attack; of several the best counts (POOL-22)."""
    return Faced(hits.of(HIT), criticals(hits), min(guard.shield, guard.cover or guard.shield))


WAYS = {"none": borne, "dodge": dodged, "parry": parried, "shield": shielded}
"""What can be done about hits, by the name of the reaction."""


def outcome_of(table: Any, guard: Guard, critical: Graded, faced: Faced) -> Toll:
    """A rule: what comes of the hits that the reaction leaves."""
    toll = Toll(0)
    if faced.normal + faced.left:
        left = guard.after(faced.spent)
        toll = table.ask(endured, left, faced.cover, faced.normal, critical, faced.left)
    spent = (*faced.spent, *toll.spent)
    return toll._replace(reaction=faced.reaction, bought=faced.bought, spent=spent)


def endured(table: Any, guard: Guard, cover: int, normal: int, critical: Graded, left: int) -> Toll:
    """A rule, POOL-22: a cover die for each critical hit, then for each normal one; then protection and wounds.

    Of the critical hits `left` are left, the worst having been stopped (a reading).
    """
    left -= _covered(table, guard.who, cover, left, "critical hits")
    normal -= _covered(table, guard.who, cover, normal, "normal hits")
    if not normal + left:
        return Toll(0)
    if guard.meant == DISARM:
        found, used = _resisted(table, guard, normal + left)
        return Toll(int(found < normal + left), True, spent=used)
    through = stopped(guard.armour, normal, left)
    remains = through.normal + through.critical
    toll = Toll(0, True, remains > 0, through.used, through.worked, through.reflected)
    if guard.meant == KNOCKOUT:
        found, used = _resisted(table, guard, remains) if remains else (0, ())
        return toll._replace(harm=max(0, remains - found), spent=used)
    more = table.reveal(critical, through.critical, mega) if through.critical else 0
    return toll._replace(harm=min(guard.most, guard.each * remains + more))


def _resisted(table: Any, guard: Guard, needs: int) -> Rolled[int]:
    assert guard.resist is not None
    found = successes(table, "resist", guard.resist, needs)
    table.result(difficulty=needs)
    return found


def _covered(table: Any, who: str, cover: int, count: int, what: str) -> int:
    """The hits that cover stops: dice that are not thrown on, and count once (POOL-22)."""
    if not cover or not count:
        return 0
    table.label("cover", who, f"{count}d6", part=what)
    found: int = table.times(count, _covers, cover)
    table.result(target=cover, successes=found)
    return found


def _covers(table: Any, cover: int) -> int:
    """A rule: one cover die."""
    return int(table.die(COVER_SIDES) >= cover)


# ---- What stands between hits and the target: which reactions it has, which cover, which protection (POOL-14,

HUNKERED = 6
"""POOL-38: the cover of whoever is hunkered."""
RAISED = "raised"
"""The mark of a shield held up: the round from which on it covers (POOL-23)."""


def guard_of(
    scene: Scene, intent: Intent, name: str, weapon: Weapon, mode: str, meant: str, price: int
) -> tuple[Guard, list[Modifier]]:
    """What stands between the hits and the target; Refused where `--react` names what it cannot do.

    `price` is what the attack takes of the attacker's actions.
    """
    target = scene.fighters[intent.target]
    each, force = wounds_per_hit(intent, name, weapon)
    if weapon["piercing"]:
        force.append(Modifier("piercing", name, weapon["piercing"], "POOL-25", f"weapons.{name}"))
    left = hearts(target)
    guard = Guard(
        target.name,
        armour_of(target, intent, weapon["piercing"], weapon["demonic"]),
        each,
        left if left > 0 else DEATH,
        cover_of(scene, intent, target),
        meant=meant,
    )
    found: list[Modifier] = []
    if meant == KNOCKOUT:
        resist, more = resisting(scene, target.name, "resist", "resistance")
        guard, found = guard._replace(resist=resist), found + more
    if meant == DISARM:
        resist, more = max(
            (resisting(scene, target.name, "resist", one) for one in ("strength", "deftness")),
            key=lambda pair: pair[0].dice,
        )
        guard, found = guard._replace(resist=resist), found + more
    buys = buying(scene, intent, price)
    able = {one: _unable(scene, intent, target, mode, one, buys) for one in REACTIONS}
    wanted = intent.get("react", "none")
    if able.get(wanted, ("",))[0]:
        refuse(intent, able[wanted][0], able[wanted][1], "let it be: --react none")
    if not able["dodge"][0] or wanted == "dodge":
        dodge, more = _dodge(scene, target)
        guard, found = guard._replace(dodge=dodge), found + more
    if not able["parry"][0]:
        parry, more = _parry(scene, target, _parries_with(scene, intent, target))
        guard, found = guard._replace(parry=parry), found + more
    if not able["shield"][0]:
        guard = guard._replace(shield=shield_of(target))
    if buys:
        guard = guard._replace(buys=buys, left=scene.fighters[intent.actor].pools["actions"] - price)
    return guard, [*force, *(one._replace(against=target.name) for one in found)]


def buying(scene: Scene, intent: Intent, price: int) -> tuple[str, ...]:
    """POOL-15: the dice with which the player may buy the target an action for a reaction, where none is kept.

    A destiny die steals it from the attacker, who must have one left to lose (none left: refused, a reading).
    """
    target, attacker = scene.fighters[intent.target], scene.fighters[intent.actor]
    if not scene.open or kept(scene, target) > 0 or intent.get("react") not in (None, "ask"):
        return ()
    luck = dict(luck_of(scene, target.name))
    now = attacker.name in scene.acting
    can_steal = attacker.pools["actions"] > price if now else not all_stolen(attacker)
    ways = (BONUS, DESTINY) if can_steal and attacker.side != target.side else (BONUS,)
    return tuple(way for way in ways if luck.get(POOLS[way]))


def wounds_per_hit(intent: Intent, name: str, weapon: Weapon) -> tuple[int, list[Modifier]]:
    """POOL-26: the wounds of each hit with a weapon, not below 0, and what they are made of."""
    found = [Modifier("wounds per hit", name, weapon["wounds"], "POOL-26", f"weapons.{name}")]
    found += circumstance(intent, "wounds per hit", "mod_damage")
    return max(0, total(found, "wounds per hit")), found


def _unable(
    scene: Scene, intent: Intent, target: Fighter, mode: str, reaction: str, buys: tuple[str, ...]
) -> tuple[str, str]:
    """Why the target cannot react so, and the rule; two empty words where it can."""
    if target.name in intent.get("unaware", ()):
        return f"{target.name} does not perceive the attack", "POOL-14"
    why, rule = idle(target)
    if why:
        return f"{target.name} is {why}", rule
    if kept(scene, target) < 1 and not buys:
        return f"{target.name} has no action left", "POOL-14"
    if reaction == "shield":
        return ("", "") if shield_of(target) else (f"{target.name} holds no shield", "POOL-23")
    if mode != "melee":
        return f"only a blow can be answered with {reaction}", "POOL-18"
    if reaction == "parry" and target.has("stuck"):
        return f"the weapon of {target.name} is held fast", "POOL-24"
    if reaction == "dodge" and intent.get("behind"):
        return f"{target.name} cannot dodge what comes from behind", "POOL-27"
    if reaction == "parry" and _parries_with(scene, intent, target) is None:
        return f"{target.name} has no melee weapon ready", "POOL-28"
    return "", ""


def _parries_with(scene: Scene, intent: Intent, target: Fighter) -> tuple[str, int] | None:
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


def _dodge(scene: Scene, target: Fighter) -> tuple[Hand, list[Modifier]]:
    """POOL-27: evasion dice."""
    dice = [Modifier("dodge dice", "evasion", evasion_of(target.sheet), "POOL-2", "evasion")]
    shocked = int(target.conditions.get("shocked", 0))
    dice += [Modifier("dodge dice", "shocked", -shocked, "POOL-38", "condition")] if shocked else []
    found = dice + least_for(target, "dodge", "dodge")
    scale = Scale(total(found, "dodge"), NEVER)
    return reacting(scene, target.name, total(found, "dodge dice"), scale), found


def _parry(scene: Scene, target: Fighter, using: tuple[str, int] | None) -> tuple[Hand, list[Modifier]]:
    """POOL-28: the roll of an attack with the weapon."""
    assert using is not None
    name, potential = using
    found = dice_for(target, "parry", "hand-to-hand")
    found += [Modifier("parry dice", name, potential, "POOL-3", f"weapons.{name}")] if potential else []
    found += least_for(target, "parry", "hand-to-hand") + off_handed("parry", target, name)
    scale = Scale(total(found, "parry"), CRITICAL)
    return reacting(scene, target.name, total(found, "parry dice"), scale), found


def cover_of(scene: Scene, intent: Intent, target: Fighter) -> int:
    """POOL-22: the best of what is said, where the target hides, hunkering, and a shield held up (POOL-23)."""
    said = intent.get("cover") or target.cover.get(intent.actor, "none")
    covers = [int(said[0])] if said != "none" else []
    if target.has("hunkered"):
        covers.append(HUNKERED)
    if target.has("blocking") and scene.round >= target.marks.get(RAISED, 0) and shield_of(target):
        covers.append(shield_of(target))
    return min(covers, default=0)


# ---- What hits do to their target in the end, and to whoever struck (POOL-3, POOL-20, POOL-24, POOL-26, POOL-31,


def suffered(scene: Scene, who: str, guard: Guard, toll: Toll, weapon: Weapon) -> Iterator[Event]:
    """What the target suffers: protection spent, wounds, conditions; its own aim is lost (POOL-20)."""
    yield from used_up(scene, who, toll.used)
    if toll.past and not toll.reaction:
        yield from change(scene, who, f"mark:{AIM}", 0, "POOL-20")
    if guard.meant == KNOCKOUT:
        if toll.harm:
            yield from raised(scene, who, "unconscious", toll.harm, "POOL-31")
    elif guard.meant == DISARM:
        if toll.harm:
            lost = weapons_held(scene.fighters[who])[:1]
            rest = tuple(one for one in scene.fighters[who].held if one not in lost)
            yield from change(scene, who, "held", rest, "POOL-33")
    else:
        yield from wounded(scene, who, toll.harm)
        if toll.through:
            off = kept_off(toll.worked)
            for condition, level in inflicted(weapon):
                if condition not in off:
                    yield from raised(scene, who, condition, level, "POOL-3")


def reflected(scene: Scene, intent: Intent, toll: Toll, weapon: Weapon) -> Iterator[Event]:
    """POOL-24: hits that come back go through the attacker's own protection (a reading)."""
    fighter = scene.fighters[intent.actor]
    armour = armour_of(fighter, Intent("attack"), weapon["piercing"], weapon["demonic"])
    left = stopped(armour, toll.reflected, 0)
    yield from used_up(scene, intent.actor, left.used)
    yield from wounded(scene, intent.actor, left.normal * weapon["wounds"], "POOL-24")


# ---- Hits without a hit roll, as from an explosion (POOL-26)

MOST = 100


class Blast(NamedTuple):
    """What strikes, and what stands in its way."""

    guard: Guard
    hits: int


def blast_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-26: so many hits, each of so many wounds; cover and protection count as ever."""
    target = scene.fighters[intent.target or intent.actor]
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37", final=True)
    count, each = intent.get("hits", 1), intent.get("each", 1)
    for option, number in (("hits", count), ("each", each)):
        if not 1 <= number <= MOST:
            refuse(intent, f"--{option} is a number from 1 to {MOST}, not {number}", "POOL-26", final=True)
    left = hearts(target)
    armour = armour_of(target, intent, 0, demonic=False)
    guard = Guard(target.name, armour, each, left if left > 0 else DEATH, cover_of(scene, intent, target))
    return Setup(
        Blast(guard, count), (Modifier("wounds per hit", "wounds per hit", each, "POOL-26", "--each"),)
    )


def blast_rule(table: Any, blast: Blast) -> Toll:
    """A rule: the cover dice, and what is left."""
    toll: Toll = table.ask(endured, blast.guard, blast.guard.cover, blast.hits, NO_DICE, 0)
    return toll


def blast_effects(scene: Scene, intent: Intent, blast: Blast, toll: Toll) -> Iterator[Event]:
    """The wounds, and the protection spent."""
    yield from suffered(scene, blast.guard.who, blast.guard, toll, UNARMED)


TAKE_HITS = Action(
    "Be struck by hits that nobody rolled for",
    "POOL-26",
    blast_setup,
    blast_effects,
    blast_rule,
    window="any",
    targets="patient",
    candidates=lambda scene, who: iter(()),
    options=("hits", "each", "cover", "protection"),
)
