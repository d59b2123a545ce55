"""The weapon and the targets of an attack or a throw (2D20-11 to 2D20-24, 2D20-28)."""

from __future__ import annotations

from ...rules import Cost, Fighter, Intent, Modifiers, NamedTuple, Scene, Setup, in_hand, refuse, slug
from . import sheet
from .checks import CheckSetup, ap_left, bought, check_setup, first_attack
from .options import PLACES
from .sheet import AIM, ATTACKED, BANDS, CLOSE, GUNS, REACH, THROWN, Weapon, zones_between

ANYTHING = "object"
OBJECT: Weapon = {"type": "throwing", "damage": 1, "damage_type": "physical", "effects": []}
"""2D20-28: anything at hand, thrown (a reading), and its name."""
BARE = {"unarmed": sheet.UNARMED, ANYTHING: OBJECT}
"""What needs no weapon in hand."""
BLAST = "a whole zone"
"""2D20-28: the modifier of the attack roll of a blast."""
AP_DICE, LUCKY = 3, 3
"""2D20-19: AP that can be turned into damage dice; 2D20-8: combat dice that a Luck point re-rolls."""
WHERE = (2, 8, 11, 14, 17, 20)
"""2D20-17: the highest face of the d20 for each location, in the order of PLACES."""
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
"""Answers to how many rounds or AP to spend on a hit."""
Luck = tuple[int, int]
"""2D20-8: the Luck points that may be used, and those that the player is asked about."""
Sum = tuple[tuple[str, int], ...]
"""What adds up to damage, by name: `("damage", 6), ("armour", -2)`."""
TOO_HIGH = "above the highest HP"
"""The part of lost HP that radiation takes along with the highest HP."""
RULES = {
    **dict.fromkeys(("cover", "resistance", "radiation resistance"), "2D20-20"),
    **dict.fromkeys(("breaking", "piercing", "half by spread", "radioactive"), "2D20-24"),
    TOO_HIGH: "2D20-21",
}
"""The rule of each part of damage but the dice themselves."""


class Loss(NamedTuple):
    """The damage of a hit that is left, on any target: more than 0."""

    place: str
    """The location; "" where it is known what the loss injures."""
    parts: Sum
    rays: bool = False
    """Whether it lowers the highest HP, and not HP (2D20-21)."""
    severe: bool = True
    """Whether 5 of it injure (2D20-22)."""

    @property
    def total(self) -> int:
        """The points lost."""
        return sum(value for _, value in self.parts)


class HitResult(NamedTuple):
    """What hits bring a target, however many HP it has: losses in their order, and what else."""

    losses: tuple[Loss, ...] = ()
    broken: tuple[int, ...] = (0,) * len(PLACES)
    """Resistance that breaking has taken, by location."""
    uncovered: int = 0
    """Cover dice that breaking has taken."""
    stunned: bool = False
    burning: tuple[int, str] = (0, "")
    """Persistent damage: turns, and the location."""
    injured: tuple[str, ...] = ()
    """Locations injured by losses that do not say where they struck, where the HP are known when the dice fall."""


class DamageResult(NamedTuple):
    """What hits make of a target, as the journal records it; what is not said here is as in `HitResult`."""

    hp: int
    highest: int
    """The maximum, which radiation lowers (2D20-21)."""
    injured: tuple[str, ...] = ()
    """Locations newly injured, each as often as it was."""
    broken: tuple[int, ...] = (0,) * len(PLACES)
    uncovered: int = 0
    stunned: bool = False
    burning: tuple[int, str] = (0, "")
    sums: tuple[tuple[str, Sum], ...] = ()
    """What each pool loses."""


class TargetSetup(NamedTuple):
    """What the dice of a hit must know about its target."""

    name: str
    resist: tuple[int, ...]
    """By location, against the damage of this attack, without what is broken."""
    radiation: tuple[int, ...]
    """By location, the resistance to radiation."""
    cover: int = 0
    """Cover dice; of the `prone`, those that show nothing are rolled again (2D20-12)."""
    prone: bool = False
    against: str = ""
    """Its name where there are several: the record says which one each roll is against."""
    hp: tuple[int, int] | None = None
    """HP and their maximum, where it is asked after a hit what would bring it down."""


class Damage(NamedTuple):
    """The damage of a hit before the dice, on any target."""

    who: str
    dice: int
    plus: int = 0
    kind: str = "physical"
    effects: tuple[tuple[str, int], ...] = ()
    """By effect: 1, or the number of piercing."""

    def has(self, effect: str) -> int:
        """The number of an effect; 0 where the weapon does not have it."""
        return dict(self.effects).get(effect, 0)


class HitsSetup(NamedTuple):
    """What the dice of the hits of an attack depend on."""

    damage: Damage
    targets: tuple[TargetSetup, ...]
    """The first target, then the others."""
    called: int = -1
    """The location that is called for, by its place in PLACES."""
    extra: int = 0
    """Rounds fired beside the first, each a die of the hit."""
    left: int = 0
    """Rounds left for what can be chosen after a hit, as far as they can be used."""
    more: int = 0
    """Dice that can be bought after a hit, each for one of what it `pays`."""
    pays: str = ""
    """What pays them: AP, or rounds with how many are left."""
    near: tuple[TargetSetup, ...] = ()
    """Further targets of a burst that can be chosen."""
    empties: bool = False
    """Whether a complication empties the weapon (2D20-25)."""

    @property
    def settled(self) -> HitsSetup:
        """The hits with nothing left to choose, so that it does not matter how many HP anyone has."""
        targets = tuple(target._replace(hp=None) for target in self.targets)
        left = min(self.left, max(0, len(targets) - 1))
        return self._replace(targets=targets, left=left, more=0, pays="", near=())


AttackSetup = tuple[CheckSetup, HitsSetup]
"""What the dice of an attack depend on."""


class AttackResult(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    complications: int
    luck: int
    spent: int
    """AP spent on damage dice."""
    rounds: int
    tolls: tuple[HitResult | None, ...]
    """What it brings the targets, in their order, then those `chosen`; None for those whose dice odds leave out."""
    bought: int = 0
    """Rounds among them that the player put into the hit when asked."""
    chosen: tuple[str, ...] = ()
    """Further targets of a burst that the player chose when asked."""


def weapon_of(scene: Scene, intent: Intent) -> tuple[str, Weapon]:
    """The weapon of an attack or what is thrown, by name and sheet entry: as asked for, else in hand, else any."""
    fighter, throws = scene.fighters[intent.actor], intent.action == "throw"
    weapons = fighter.sheet["weapons"]
    able = [weapon for weapon in fighter.held if weapon in weapons]
    if throws:
        able = [weapon for weapon in (*able, *weapons) if weapons[weapon]["type"] in THROWN]
    name = intent.get("weapon") or next(iter(able), ANYTHING if throws else "unarmed")
    if name == ("unarmed" if throws else ANYTHING):
        what = "bare hands cannot be thrown" if throws else "an object is thrown"
        hint = "" if throws else f"crisis throw {slug(intent.target)} --weapon object"
        refuse(intent, what, "2D20-28", hint, final=True, code="wrong_item")
    weapon = BARE[name] if name in BARE else weapons[name]
    if throws and weapon["type"] not in THROWN:
        # A blade thrown is as sharp as ever; a gun is an object like any other.
        return name, {**weapon, "type": "throwing"} if weapon["type"] in CLOSE else {**OBJECT, "ammo": None}
    return name, weapon


def targets_of(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> list[Fighter]:
    """Everyone that the attack may hit: those named, in that order, and with a blast all others in the zone."""
    named, blast = [scene.fighters[target] for target in intent.targets], "blast" in weapon["effects"]
    # A burst reaches others close to the first, a blast a zone; close is one zone (2D20-15).
    spot = intent.get("at") or (named[0].at if named else None)
    for target in named:
        if target.has("dead"):
            refuse(intent, f"{target.name} is dead already", "2D20-23", code="already_dead")
        if spot is not None and target.at is not None and sheet.zones(spot, target.at):
            what, rule = f"{target.name} is not in the zone that is struck", "2D20-28" if blast else "2D20-24"
            refuse(intent, what, rule, "name those who are there", code="out_of_reach")
    if not blast and intent.get("at") is not None:
        what, hint = f"the {name} needs a target, not a place", "a blast is aimed at a place"
        refuse(intent, what, "2D20-28", hint, final=True, code="wrong_target")
    if not blast and len(named) > 1 and "burst" not in weapon["effects"]:
        what, hint = f"the {name} strikes one target, not {len(named)}", "burst and blast reach more"
        refuse(intent, what, "2D20-24", hint, final=True, code="wrong_targets")
    if not blast or spot is None:
        return named
    others = (other for other in scene.fighters.values() if other not in named and not other.gone)
    there = (other for other in others if other.at is not None and not sheet.zones(spot, other.at))
    return named + [other for other in there if not other.has("dead") and is_open(scene, intent, other)]


def is_open(scene: Scene, intent: Intent, target: Fighter) -> bool:
    """2D20-20: whether a fighter is not in total cover from the actor."""
    return scene.cover_between(target.name, intent.actor).level != "total"


def attack_difficulty(scene: Scene, intent: Intent, name: str, weapon: Weapon) -> Modifiers:
    """2D20-12, 2D20-13, 2D20-15, 2D20-28: the difficulty of an attack but for what lies with the attacker."""
    hard = Modifiers("difficulty", "2D20-13")
    close, attacker, source = weapon["type"] in CLOSE, scene.fighters[intent.actor], f"weapons.{name}"
    here, there = attacker.at, intent.get("at") or scene.fighters[intent.target].at
    distance = intent.get("range", sheet.zones(here, there) if here and there else None)
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    if close and distance:
        away = f"{intent.target} is {distance} zone{'s' * (distance > 1)} away"
        hint = f"go there: crisis act {slug(intent.actor)} move toward {slug(intent.target)}"
        what = f"{away}; hand to hand takes the same zone"
        refuse(intent, what, "2D20-15", hint, code="out_of_reach", first="move")
    if "blast" in weapon["effects"]:
        hard.add(BLAST, 2, "2D20-28", source)
    elif target is not None:
        hard.base("defense", sheet.derived(target.sheet)["defense"], source="sheet")
        hard.add("defending", target.marks.get(sheet.DEFENDING, 0), "2D20-11", target.name)
    if intent.get("location"):
        hard.add(intent.get("location"), 1, source="--location")
    ideal = BANDS.index(weapon.get("range", "close"))
    band = 0 if close else ideal if distance is None else min(distance, len(BANDS) - 1)
    if not close:
        hard.add(f"{BANDS[band]} range", abs(band - ideal), "2D20-15", f"best at {BANDS[ideal]}")
        said = intent.get("reach", ())
        near = [name for name in attacker.marks_of(REACH) if name in scene.fighters]
        reach = {*said, *(name for name in near if not zones_between(scene, attacker.name, name))}
        foes = (foe for foe in scene.foes(attacker.name) if foe.name in reach and not sheet.idle(foe))
        if foe := next(foes, None):
            hard.add(f"{foe.name} in reach", 2, "2D20-15", "--reach" if said else "hand to hand")
            hard.add("close-quarters", -2 * sheet.has_quality(weapon, "close-quarters"), "2D20-30", source)
    if target is not None and target.has("prone"):
        is_foe = target.side != attacker.side
        hard.add("prone", (1 if band else -1) * is_foe, "2D20-12", target.name)
    return hard


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-13 to 2D20-20, 2D20-28: an attack or a throw. Dice are the test and the hits; carried are the weapon, and
    whether it is thrown out of the hand."""
    name, weapon = weapon_of(scene, intent)
    if name not in BARE:
        in_hand(scene, intent, name, "2D20-11")
    fighter, kind, ammo = scene.fighters[intent.actor], weapon["type"], f"ammo:{name}"
    struck = targets_of(scene, intent, name, weapon)
    hard = bought(scene, intent, attack_difficulty(scene, intent, name, weapon))
    tries, wanted = sheet.TESTED[kind], intent.get("ap_dice", 0)
    test, lines, costs, *_ = check_setup(scene, intent, "attack", tries, hard, wanted)
    rounds = fighter.pools.get(ammo, 99) if weapon.get("ammo") else 99
    if intent.get("aim"):
        first_attack(scene, intent)
    refuse_options(intent, name, weapon, rounds)
    aims, extra, place = intent.get("aim", 0), intent.get("extra_rounds", 0), intent.get("location")
    aimed = Modifiers("attack", "2D20-11")
    again = int(bool(aims or (fighter.marks.get(AIM) and not fighter.marks.get(ATTACKED))))
    if again and sheet.has_quality(weapon, "inaccurate"):
        again = 0
        aimed.base("inaccurate: aim is in vain", 0, "2D20-29", f"weapons.{name}")
    elif again:
        aimed.base("aim: one d20 again", 0, source="aim")
    complication = 19 if sheet.has_quality(weapon, "unreliable") else 20
    if complication < 20:
        aimed.base("unreliable: complications from 19", 0, "2D20-31", f"weapons.{name}")
    plus = Modifiers("damage", "2D20-19").situational(fighter, "damage").asked(intent, "mod_damage")
    bonus = sheet.derived(fighter.sheet)["melee_bonus"] if kind in CLOSE else 0
    words = (word.partition(" ") for word in weapon["effects"])
    effects = tuple((effect, int(number or 1)) for effect, _, number in words)
    dice = weapon["damage"] + bonus + extra
    damage = Damage(intent.actor, dice, plus.total, weapon["damage_type"], effects)
    targets = tuple(target_setup(scene, intent, target, damage.kind, len(struck) > 1) for target in struck)
    called = PLACES.index(place) if place else -1
    empties = intent.get("complication") == "empty"
    hits = HitsSetup(damage, targets, called, extra, max(0, rounds - 1 - extra), empties=empties)
    hits = asked_after_hit(scene, intent, weapon, hits)
    against = targets[0].against if targets else ""
    test = test._replace(again=again, against=against, complication=complication)
    if hits.pays == "AP":
        test = test._replace(ap=min(ap_left(scene, intent), AP_DICE))
    aiming = (Cost("minor", aims, rule="2D20-11"),) if aims else ()
    loaded = (Cost(ammo, rule="2D20-21"),) if weapon.get("ammo") else ()
    thrown = (intent.action == "throw" or kind in THROWN) and name in fighter.held
    lines += Modifiers.lines_of(aimed, plus)
    for target in targets:
        cover, level = Modifiers("cover", "2D20-20", target.against), sheet.cover_of(target.cover)
        lines += tuple(cover.shelter(scene, intent, target.name, level))
    return Setup((test, hits), lines, (*aiming, *loaded, *costs), name, (weapon, thrown))


def asked_after_hit(scene: Scene, intent: Intent, weapon: Weapon, hits: HitsSetup) -> HitsSetup:
    """2D20-16, 2D20-19, 2D20-24: the hits with what is chosen after a hit, where the command does not say it."""
    guns, left = weapon["type"] in GUNS, hits.left
    is_said = intent.get("extra_rounds" if guns else "ap_dice") is not None
    if is_said or not scene.open or not hits.targets:
        return hits.settled
    more, near = min(weapon.get("fire_rate", 0), left) if guns else AP_DICE, tuple[TargetSetup, ...]()
    if "burst" in weapon["effects"] and len(hits.targets) == 1 and left:
        # Those close to the target, the nearest first.
        foes = [foe for foe in scene.foes(intent.actor) if foe.name != intent.target and not sheet.idle(foe)]
        apart = {foe.name: zones_between(scene, intent.target, foe.name) or 0 for foe in foes}
        close = (foe for foe in foes if apart[foe.name] <= 1 and is_open(scene, intent, foe))
        nearest = sorted(close, key=lambda foe: apart[foe.name])
        near = tuple(target_setup(scene, intent, foe, hits.damage.kind, True) for foe in nearest)
    if not more and not near:
        return hits.settled
    counted = weapon.get("ammo") and scene.asks(intent.actor)
    pays = "AP" if not guns else f"of {left} rounds" if counted else "rounds"
    # More rounds than can be used make no difference.
    left = min(left, len(hits.targets) - 1 + len(near) + more * guns)
    return hits._replace(left=left, more=more, pays=pays, near=near)


def refuse_options(intent: Intent, name: str, weapon: Weapon, left: int) -> None:
    """Refuse what the options ask of a weapon with so many rounds that cannot do it (2D20-19, 2D20-21, 2D20-28,
    2D20-29)."""
    guns, rate = weapon["type"] in GUNS, weapon.get("fire_rate", 0)
    if intent.get("aim") and sheet.has_quality(weapon, "inaccurate"):
        what, hint = f"aiming does not help with the {name}, which is inaccurate", "leave --aim out"
        refuse(intent, what, "2D20-29", hint, final=True, code="unheeded_option")
    extra, dice = intent.get("extra_rounds", 0), intent.get("ap_dice", 0)
    if extra and not guns:
        what, hint = f"the {name} fires no extra rounds", "leave --extra-rounds out"
        refuse(intent, what, "2D20-19", hint, final=True, code="unheeded_option")
    if extra > rate:
        what, hint = f"the {name} fires 0 to {rate} extra rounds, not {extra}", f"--extra-rounds {rate}"
        refuse(intent, what, "2D20-19", hint, code="bad_value")
    if dice and guns:
        what = "AP buy damage dice hand to hand and for what is thrown"
        refuse(intent, what, "2D20-19", "guns: --extra-rounds N", code="unheeded_option")
    if dice > AP_DICE:
        what = f"0 to {AP_DICE} AP can be spent on damage dice, not {dice}"
        refuse(intent, what, "2D20-19", f"--ap-dice {AP_DICE}", final=True, code="bad_value")
    if intent.get("location") and "blast" in weapon["effects"]:
        hint = "leave --location out"
        refuse(intent, "a blast cannot be called", "2D20-28", hint, final=True, code="unheeded_option")
    if 1 + extra > left > 0:
        what = f"the {name} of {intent.actor} has {left} rounds left; so many extra rounds take {1 + extra}"
        about = {"pool": f"ammo:{name}", "has": left, "needs": 1 + extra}
        refuse(intent, what, "2D20-21", f"--extra-rounds {left - 1}", code="no_ammunition", **about)


def target_setup(scene: Scene, intent: Intent, target: Fighter, kind: str, several: bool) -> TargetSetup:
    """A fighter as a target, one of several or alone, of damage of one type; Refused behind total cover (2D20-20)."""
    cover = intent.get("cover") or scene.cover(target.name, intent.actor, 0, {"total": "none"}).level
    if cover == "total":
        what = f"{target.name} is in total cover"
        refuse(intent, what, "2D20-20", "get round it, or wait", code="total_cover")
    dice = sheet.cover_dice_of("heavy" if cover == "total" else cover)
    resist = tuple(sheet.resist_left(target, kind, place) for place in PLACES)
    radiation = tuple(sheet.resistance(target.sheet, place, "radiation") for place in PLACES)
    hp, against = (target.pools["hp"], target.pools["max_hp"]), target.name if several else ""
    return TargetSetup(target.name, resist, radiation, dice, target.has("prone"), against, hp)
