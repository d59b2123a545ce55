"""Attacks, throws, the coup de grâce, and what others do about them (POOL-14, POOL-16 to POOL-21, POOL-26 to
POOL-36, POOL-40, POOL-41)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import cos, pi, sin
from typing import Any, NamedTuple, Protocol

from ...dice.graded import Graded
from ...engine.events import Event, apply_all, change, shift
from ...engine.record import Modifier
from ...engine.scene import Intent, Scene, slug
from ...engine.system import Action, Cost, Setup, nothing, refuse
from .defence import (
    DISARM,
    KNOCKOUT,
    REACTIONS,
    STICKY,
    WOUNDS,
    Faced,
    Guard,
    Toll,
    answered,
    guard_of,
    outcome_of,
    reacted,
    reflected,
    suffered,
    wounds_per_hit,
)
from .health import (
    ACTIONS,
    HELPLESS,
    ONE,
    able,
    deed,
    follow,
    hearts,
    idle,
    noted,
    paid_reaction,
    reacts,
    stolen_from,
    worsened,
)
from .rolls import (
    CRITICAL,
    DESTINY,
    NEVER,
    SPENDING,
    Hand,
    Rolled,
    Scale,
    asked,
    critical,
    criticals,
    dice_for,
    hand_of,
    least_for,
    mega,
    repaid,
    spent,
    successes,
    taken,
    thrown,
    total,
    walking,
)
from .sheet import (
    ACCURATE,
    AIM,
    RECOIL,
    SKILL_OF,
    SUPPORTED,
    THING,
    WALKED,
    Weapon,
    accuracy,
    actions,
    aiming,
    far,
    firearm,
    handed,
    massive,
    mode_of,
    modes_of,
    recoil,
    rest_of,
    rounds,
    spoiled,
    surplus,
    weapon_in_use,
    weapons_held,
)

# ---- Where a throw lands that misses (POOL-41)

HOURS, METRES = 12, 6
"""The dice: neither explodes (a reading)."""


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


def deviation(table: Any, who: str) -> tuple[int, int]:
    """A rule: the hour and the metres."""
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
    return {"off": metres, "hour": hour, "at": [_neat(part) for part in at]}


def _neat(part: float) -> float:
    """A coordinate to the centimetre; a whole one stays whole."""
    rounded = round(part, 2) + 0.0
    return int(rounded) if rounded == int(rounded) else rounded


# ---- Rules in steps, so that the reactions of others fall between them, dice and all (POOL-14)


class Steps(NamedTuple):
    """A rule in three steps: what the actor rolls, what the target does about it, and what comes of it."""

    roll: Callable[[Any, Any], Any]
    """Given the table and the stake."""
    react: Callable[[Any, Any, Any], Any]
    """Given besides what was rolled: the target's own reaction, None where there is none."""
    rest: Callable[[Any, Any, Any, Any], Any]
    """Given besides what the target did."""

    def __call__(self, table: Any, stake: Any) -> Any:
        """One step after the other."""
        rolled = table.ask(self.roll, stake)
        return table.ask(self.rest, stake, rolled, table.ask(self.react, stake, rolled))


def one_step(rule: Callable[[Any, Any], Any]) -> Steps:
    """A rule that has no more dice once the actor has rolled."""
    return Steps(rule, _nothing, _as_it_is)


def _nothing(table: Any, stake: Any, rolled: Any) -> None:
    return None


def _as_it_is(table: Any, stake: Any, rolled: Any, faced: Any) -> Any:
    return rolled


# ---- Attacks (POOL-16 to POOL-21, POOL-26 to POOL-33): the hit roll, and what it changes

BURST = 2
"""POOL-18: dice more in a burst."""
DISARMING = 2
"""POOL-33: what it adds to the minimum roll."""
SUPPORT = 1
"""POOL-35: what a rest takes off it."""


class Blow(NamedTuple):
    """All that the dice of an attack need to know."""

    hand: Hand
    guard: Guard
    dial: Dial | None = None
    """Where a throw that misses can land (POOL-41)."""


class Struck(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int
    """Of the hit roll, critical ones included."""
    criticals: int
    toll: Toll = Toll(0)
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


def strike_roll(table: Any, blow: Blow) -> Rolled[Graded]:
    """A rule, POOL-16: the hit roll."""
    return thrown(table, "attack", blow.hand)


def met(table: Any, blow: Blow, rolled: Rolled[Graded]) -> Faced | None:
    """A rule, POOL-14: what the target does about hits."""
    return table.ask(reacted, blow.guard, rolled.found) if rolled.found.count else None


def attack_ended(table: Any, blow: Blow, rolled: Rolled[Graded], faced: Faced | None) -> Struck:
    """A rule: what cover and protection leave; or where a throw goes that misses."""
    hits, used = rolled
    if faced is None:
        landing = table.ask(deviation, blow.hand.who) if blow.dial else (0, 0)
        return Struck(False, 0, 0, landing=landing, repaid=used)
    toll = table.ask(outcome_of, blow.guard, critical(hits), faced)
    return Struck(True, hits.count, criticals(hits), toll, repaid=used)


attack = Steps(strike_roll, met, attack_ended)
"""The rule of an attack."""


def bare(outcome: Struck) -> Struck:
    """The outcome without what its effects do not look at."""
    return Struck(outcome.success, 0, 0, outcome.toll, repaid=outcome.repaid)


def attack_setup(scene: Scene, intent: Intent) -> Setup:
    """An attack with a weapon (POOL-16); refused where reach, mode, rounds or manner forbid it."""
    fighter, target = scene.fighters[intent.actor], scene.fighters[intent.target]
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37")
    name, weapon = weapon_in_use(scene, intent)
    mode = mode_of(intent, name, weapon)
    if fighter.has("stuck") and name != "unarmed" and mode == "melee":
        free = f"pull it free: crisis act {slug(fighter.name)} free-weapon"
        refuse(intent, f"the {name} of {fighter.name} is held fast", "POOL-24", free)
    meant = _meant(intent, name, weapon, mode)
    if meant == DISARM and not weapons_held(target):
        refuse(intent, f"{target.name} holds no weapon", "POOL-33", final=True)
    hand, modifiers, more = hit_roll(scene, intent, name, weapon, mode, meant)
    price = sum(cost.amount for cost in (*ONE, *more) if cost.pool == ACTIONS)
    guard, guarding = guard_of(scene, intent, name, weapon, mode, meant, price)
    costs = (*more, *rounds(scene, intent, name, weapon, mode), *spent(scene, intent))
    dial = dial_of(scene, intent) if mode == "throw" else None
    return Setup(Blow(hand, guard, dial), (*modifiers, *guarding), costs, name)


def hit_roll(
    scene: Scene, intent: Intent, name: str, weapon: Weapon, mode: str, meant: str = WOUNDS
) -> tuple[Hand, tuple[Modifier, ...], Any]:
    """The hit roll with all that goes into it, and the actions that it takes on top."""
    fighter = scene.fighters[intent.actor]
    dice = dice_for(fighter, "attack", SKILL_OF[mode])
    if weapon["damage_potential"]:
        dice.append(Modifier("attack dice", name, weapon["damage_potential"], "POOL-16", f"weapons.{name}"))
    if mode == "burst":
        dice.append(Modifier("attack dice", "burst", BURST, "POOL-18", "--mode burst"))
    blows, further = massive(scene, intent, mode)
    rests, putting = rest_of(scene, intent, name, weapon, mode)
    kick = recoil(fighter, weapon, mode)
    least = least_for(fighter, "attack", SKILL_OF[mode]) + far(scene, intent, name, weapon, mode)
    least += handed(scene, intent, name) + asked(intent, "attack") + walking(scene, intent, "attack")
    least += [Modifier("attack", "recoil", kick, "POOL-19")] if kick else []
    least += [Modifier("attack", "supported", -SUPPORT, "POOL-35")] if rests else []
    least += [Modifier("attack", "disarming", DISARMING, "POOL-33", "--disarm")] if meant == DISARM else []
    if intent.get(AIM) and intent.get(ACCURATE):
        refuse(intent, "nothing else is done while taking one's time, aiming neither", "POOL-30", final=True)
    sure, time = accuracy(scene, intent, total(least, "attack"))
    aim, moments = aiming(scene, intent, mode, name)
    critical = [Modifier("critical", "threshold", CRITICAL, "POOL-17")]
    critical += [Modifier("critical", "recoil", kick, "POOL-19")] if kick else []
    modifiers = (*dice, *blows, *least, *sure, *critical, *aim)
    scale = Scale(total(modifiers, "attack"), NEVER if mode == "burst" else total(modifiers, "critical"))
    costs = (
        *actions(further, "POOL-32"),
        *actions(putting, "POOL-35"),
        *actions(time, "POOL-30"),
        *actions(moments, "POOL-20"),
    )
    return hand_of(scene, intent, total(modifiers, "attack dice"), scale), modifiers, costs


def _meant(intent: Intent, name: str, weapon: Weapon, mode: str) -> str:
    """POOL-31, POOL-33: whether the attack is to knock out or to disarm."""
    if intent.get("knockout") and intent.get("disarm"):
        refuse(intent, "one blow cannot knock out and disarm", "POOL-31", final=True)
    if intent.get("knockout") and not weapon["blunt"]:
        refuse(intent, f"the {name} is not blunt", "POOL-31", "use something blunt, or --weapon unarmed")
    return KNOCKOUT if intent.get("knockout") else DISARM if intent.get("disarm") else WOUNDS


def strike(scene: Scene, intent: Intent, blow: Blow, outcome: Struck) -> Iterator[Event]:
    """What an attack changes: what was built up before it, the weapon, the target, and who reacted."""
    name, weapon = weapon_in_use(scene, intent, quietly=True)
    mode = mode_of(intent, name, weapon)
    yield from prepared(scene, intent, name, weapon, mode)
    yield from repaid(scene, intent, outcome.repaid)
    toll = outcome.toll
    yield from reaction_paid(scene, intent, blow.guard, toll)
    yield from suffered(scene, intent.target, blow.guard, toll, weapon)
    if toll.worked[STICKY] and mode == "melee" and name != "unarmed":
        yield from change(scene, intent.actor, "condition:stuck", True, "POOL-24")
    if toll.reflected:
        yield from reflected(scene, intent, toll, weapon)


class Reply(Protocol):
    """What the target did about an attack."""

    @property
    def reaction(self) -> str:
        """By its name; empty for none."""

    @property
    def bought(self) -> str:
        """The die that bought the action for it (POOL-15)."""

    @property
    def spent(self) -> tuple[str, ...]:
        """What was spent on the target's rolls (POOL-7)."""


def reaction_paid(scene: Scene, intent: Intent, guard: Guard, reply: Reply) -> Iterator[Event]:
    """What the target's reaction took: an action kept, or the die that bought one (POOL-14, POOL-15); and what was
    spent on its rolls (POOL-7)."""
    if reply.reaction:
        yield from paid_reaction(scene, intent.target, kept=not reply.bought)
    if reply.bought == DESTINY:
        yield from stolen_from(scene, intent.actor, guard.left)
    bought = (reply.bought,) if reply.bought else ()
    yield from taken(scene, intent.target, (*bought, *reply.spent), rule="POOL-15" if bought else "POOL-7")


def prepared(scene: Scene, intent: Intent, name: str, weapon: Weapon, mode: str) -> Iterator[Event]:
    """POOL-18 to POOL-20: recoil adds up, a rest stays, aim and time taken are used up; what is thrown is gone."""
    fighter = scene.fighters[intent.actor]
    yield from spoiled(scene, intent.actor, (RECOIL, SUPPORTED))
    kicks = fighter.marks.get(RECOIL, 0) + 1 if firearm(weapon, mode) else 0
    yield from change(scene, intent.actor, f"mark:{RECOIL}", kicks, "POOL-19")
    if intent.get("supported"):
        yield from change(scene, intent.actor, f"mark:{SUPPORTED}:{name}", 1, "POOL-35")
    if mode == "throw" and name in fighter.held and fighter.pools.get(f"ammo:{name}", 1) <= 1:
        rest = tuple(one for one in fighter.held if one != name)
        yield from change(scene, fighter.name, "held", rest, "POOL-18")


def attack_outputs(scene: Scene, intent: Intent, blow: Blow, outcome: Struck) -> Mapping[str, Any]:
    """How it was done, where a throw went, and what was of no use."""
    told = dict(manner(scene, intent, outcome))
    return told | landed(blow.dial, outcome.landing) if outcome.landing[0] and blow.dial else told


class AnyHits(Protocol):
    """What any hit roll comes to."""

    @property
    def total(self) -> int:
        """All hits."""

    @property
    def criticals(self) -> int:
        """The critical ones."""


def manner(scene: Scene, intent: Intent, outcome: AnyHits) -> Mapping[str, Any]:
    """The mode, the normal hits, which are told apart from critical ones (POOL-17), and what was of no use."""
    name, weapon = weapon_in_use(scene, intent, quietly=True)
    mode = mode_of(intent, name, weapon)
    told: dict[str, Any] = {"mode": mode, "normal": outcome.total - outcome.criticals}
    if capped := surplus(hit_roll(scene, intent, name, weapon, mode)[1]):
        told["surplus"] = capped
    return told


def _attack_candidates(scene: Scene, who: str) -> Iterator[Intent]:
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
ATTACK = deed(
    Action(
        "Attack with the weapon in hand",
        "POOL-16",
        attack_setup,
        strike,
        attack,
        gear="weapons",
        candidates=_attack_candidates,
        options=(*COMMON, "mode", "massive", "knockout", "disarm"),
        targets="one",
        outputs=attack_outputs,
        reactions=REACTIONS,
        bare=bare,
    ),
    RECOIL, AIM, ACCURATE, SUPPORTED, WALKED,
)  # fmt: skip


# ---- Reactions of others in the middle of an action (POOL-14): announced after its dice, resolved before it counts

ANSWERING = "attack"


class Answered(NamedTuple):
    """An action, and the attacks on its actor that answer it."""

    deed: Any
    blows: tuple[Blow, ...]
    hearts: int
    """How many wounds put the actor out."""
    before: int = 0
    """How many of those attacks come before the target's own reaction."""


class Interrupted(NamedTuple):
    """What an action that is answered comes to."""

    success: bool | None
    total: int | None
    criticals: int
    deed: Any
    tolls: tuple[Toll, ...]
    """Of each attack that answered it; none after the one that put the actor out."""
    lost: bool
    reaction: str = ""
    """What the target did about an action that was lost afterwards."""
    repaid: tuple[str, ...] = ()
    """What was spent on the roll of an action that was lost (POOL-7)."""
    bought: str = ""
    """The die that bought the target's reaction to it (POOL-15)."""
    spent: tuple[str, ...] = ()
    """What the target spent on the roll of that reaction (POOL-7)."""

    @property
    def counted(self) -> str:
        """What the total is."""
        return getattr(self.deed, "counted", "")

    @property
    def word(self) -> str:
        """In one word."""
        return "lost" if self.lost else getattr(self.deed, "word", "")


def with_answers(rows: Mapping[str, Action]) -> dict[str, Action]:
    """The rows of the action table, each of a fighter's own deeds open to reactions."""
    return {name: _answerable(row, rows) if row.out_of_turn is reacts else row for name, row in rows.items()}


def struck_back(
    table: Any, blows: tuple[Blow, ...], hearts: int, before: tuple[Toll, ...] = ()
) -> tuple[Toll, ...]:
    """A rule: one attack after the other, as long as the actor stands; each meets what protection is left."""
    tolls = list(before)
    hearts -= sum(toll.harm for toll in before)
    for blow in blows if hearts > 0 else ():
        armour = blow.guard.armour
        units = armour.units
        for toll in tolls:
            units = tuple(has - took for has, took in zip(units, toll.used, strict=True))
        guard = blow.guard._replace(armour=armour._replace(units=units), most=hearts)
        tolls.append(table.ask(struck_once, blow._replace(guard=guard)))
        hearts -= tolls[-1].harm
        if hearts <= 0:
            break
    return tuple(tolls)


def struck_once(table: Any, blow: Blow) -> Toll:
    """A rule: one attack as a reaction; nobody reacts to a reaction (a reading)."""
    hits, used = thrown(table, ANSWERING, blow.hand)
    toll: Toll = table.ask(answered, blow.guard, hits) if hits.count else Toll(0)
    return toll._replace(spent=used)


def announced(scene: Scene, intent: Intent) -> list[tuple[str, str]]:
    """Who answers with what, in the order of initiative."""
    said = [(who, action) for who, action in intent.get("answer", ())]
    for at, (who, _) in enumerate(said):
        if who not in scene.fighters or who == intent.actor or who in [one for one, _ in said[:at]]:
            refuse(intent, f"{who} cannot answer this, or not twice", "POOL-14", final=True)
        if who in intent.get("unaware", ()):
            refuse(intent, f"{who} does not perceive it", "POOL-14", final=True)
        why, rule = idle(scene.fighters[who])
        if why or not able(scene, who):
            what = f"is {why}" if why else "has no action left"
            refuse(intent, f"{who} {what} and cannot react", rule or "POOL-14", final=True)
        if who in intent.targets and intent.get("react", "none") not in ("none", "best", "ask"):
            refuse(intent, f"{who} reacts once, not twice", "POOL-14", "leave out --react", final=True)
    return sorted(said, key=lambda one: scene.order.index(one[0]) if one[0] in scene.order else len(said))


def _ahead(scene: Scene, who: str, other: str) -> bool:
    """Whether someone reacts before somebody else: in the order of initiative; without one the target is first."""
    return who in scene.order and (
        other not in scene.order or scene.order.index(who) < scene.order.index(other)
    )


def _harm(tolls: tuple[Toll, ...]) -> int:
    return sum(toll.harm for toll in tolls)


def _answer_intent(intent: Intent, who: str, action: str, row: Action) -> Intent:
    targets = (intent.actor,) if row.targets == "one" else (who,) if row.targets == "patient" else ()
    return Intent(action, who, targets, {"unaware": [intent.actor]} if action == ANSWERING else {})


def _answers(
    scene: Scene, intent: Intent, rows: Mapping[str, Action]
) -> Iterator[tuple[Intent, Action, Setup]]:
    """Every answer with its stake; Refused where it is no reaction."""
    for who, action in announced(scene, intent):
        row = rows.get(action)
        if row is None or row.out_of_turn is not reacts or (row.rule is not nothing and action != ANSWERING):
            able_to = ", ".join(
                name for name, one in rows.items() if one.out_of_turn is reacts and one.rule is nothing
            )
            refuse(intent, f"{action} is no answer", "POOL-14", f"it can be {ATTACK}, {able_to}", final=True)
            continue
        meant = _answer_intent(intent, who, action, row)
        setup = row.setup(scene, meant)
        price = sum(cost.amount for cost in setup.costs if cost.pool == "actions")
        if price > 1:
            refuse(intent, f"a reaction is an action of 1; {action} takes {price}", "POOL-14", final=True)
        for cost in setup.costs:
            if scene.fighters[who].pools.get(cost.pool, 0) < cost.amount and cost.pool != "actions":
                refuse(intent, f"{who} has too little for it: {cost.pool}", cost.rule, final=True)
        yield meant, row, setup


def _paid(scene: Scene, who: str, setup: Setup) -> Iterator[Event]:
    """POOL-14: one action, in a crisis; and what the weapon or the thing takes."""
    for cost in setup.costs:
        if cost.pool != "actions":
            yield from shift(scene, who, cost.pool, -cost.amount, cost.rule)
    if scene.open:
        yield from shift(scene, who, "actions", -1, "POOL-14")


def _done(scene: Scene, meant: Intent, row: Action, setup: Setup, outcome: Any) -> tuple[Event, ...]:
    """All that one answer changes."""
    events = tuple(_paid(scene, meant.actor, setup))
    after = apply_all(scene, events)
    more = tuple(row.effects(after, meant, setup.dice, outcome))
    after = apply_all(after, more)
    then = tuple(event for target in meant.targets for event in follow(after, target))
    return (*events, *more, *then)


def _answerable(row: Action, rows: Mapping[str, Action]) -> Action:
    """The row with the answers of others between its dice and its effects."""
    steps = row.rule if isinstance(row.rule, Steps) else one_step(row.rule)

    def stake(scene: Scene, intent: Intent) -> Setup:
        if not intent.get("answer"):
            return row.setup(scene, intent)
        blows: list[Blow] = []
        modifiers: list[Modifier] = []
        after, busy, before = scene, [who for who, _ in announced(scene, intent)], 0
        for meant, other, setup in _answers(scene, intent, rows):
            modifiers += [
                one if one.against else one._replace(against=meant.actor) for one in setup.modifiers
            ]
            if meant.action == ANSWERING:
                blows.append(setup.dice)
                before += _ahead(scene, meant.actor, intent.target)
            else:
                after = apply_all(after, _done(after, meant, other, setup, None))
        unaware = {"unaware": [*intent.get("unaware", ()), *busy]}
        own = row.setup(after, intent._replace(options={**intent.options, **unaware}))
        modifiers += [one if one.against else one._replace(against=intent.actor) for one in own.modifiers]
        whole = Answered(own.dice, tuple(blows), hearts(scene.fighters[intent.actor]), before)
        return own._replace(dice=whole, modifiers=tuple(modifiers), per_target=())

    def rule(table: Any, stake: Any) -> Any:
        if not isinstance(stake, Answered):
            return row.rule(table, stake)
        rolled = table.ask(steps.roll, stake.deed)
        early, late = stake.blows[: stake.before], stake.blows[stake.before :]
        used = getattr(rolled, "repaid", ())
        tolls: tuple[Toll, ...] = table.ask(struck_back, early, stake.hearts)
        if _harm(tolls) >= stake.hearts:
            return Interrupted(False, None, 0, None, tolls, True, repaid=used)
        faced = table.ask(steps.react, stake.deed, rolled)
        tolls = table.ask(struck_back, late, stake.hearts, tolls)
        if _harm(tolls) >= stake.hearts:
            did = faced or Faced(0, 0, 0)
            return Interrupted(False, None, 0, None, tolls, True, did.reaction, used, did.bought, did.spent)
        deed = table.ask(steps.rest, stake.deed, rolled, faced)
        total, criticals = getattr(deed, "total", None), getattr(deed, "criticals", 0)
        return Interrupted(getattr(deed, "success", None), total, criticals, deed, tolls, False)

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        if not isinstance(stake, Answered):
            yield from row.effects(scene, intent, stake, outcome)
            return
        tolls = list(outcome.tolls)
        for meant, other, setup in _answers(scene, intent, rows):
            if meant.action == ANSWERING:
                if not tolls:
                    continue
                toll = tolls.pop(0)
                struck_ = Struck(toll.past, 0, 0, toll._replace(spent=()), repaid=toll.spent)
                events = _done(scene, meant, other, setup, struck_)
            elif outcome.lost and not tolls:
                continue
            else:
                events = _done(scene, meant, other, setup, None)
            scene = apply_all(scene, events)
            yield from events
        if not outcome.lost:
            yield from row.effects(scene, intent, stake.deed, outcome.deed)
            return
        fresh = tuple(noted(scene, intent))
        yield from fresh
        yield from repaid(scene, intent, outcome.repaid)
        if outcome.reaction:
            yield from reaction_paid(apply_all(scene, fresh), intent, stake.deed.guard, outcome)

    def outputs(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Mapping[str, Any]:
        if isinstance(stake, Answered):
            return {} if outcome.lost else row.outputs(scene, intent, stake.deed, outcome.deed)
        return row.outputs(scene, intent, stake, outcome)

    def bare(outcome: Any) -> Any:
        if isinstance(outcome, Interrupted):
            deed = None if outcome.lost else row.bare(outcome.deed)
            return outcome._replace(total=None, criticals=0, deed=deed)
        return row.bare(outcome)

    return row._replace(
        setup=stake, rule=rule, effects=effects, outputs=outputs, bare=bare, options=(*row.options, "answer")
    )


# ---- Throwing weapons and objects (POOL-18, POOL-40, POOL-41)


def is_object(scene: Scene, intent: Intent) -> bool:
    """POOL-40: whether an object is thrown: one that is named, or anything where there is no throwing weapon."""
    if intent.get("item"):
        return True
    return not intent.get("weapon") and weapon_in_use(scene, intent, quietly=True)[0] == THING


def throw_setup(scene: Scene, intent: Intent) -> Setup:
    """A throwing weapon as an attack (POOL-18), or an object (POOL-40): throwing dice, and no range limit."""
    if not is_object(scene, intent):
        if not intent.target:
            refuse(intent, "a weapon is thrown at somebody", "POOL-18", "an object: --item NAME", final=True)
        return attack_setup(scene, intent)
    for option in (AIM, ACCURATE, "off_hand", "supported"):
        if intent.get(option):
            refuse(intent, f"--{option.replace('_', '-')} is for weapons", "POOL-40", final=True)
    fighter = scene.fighters[intent.actor]
    item = intent.get("item") or ""
    found = dice_for(fighter, "throw", "throwing") + least_for(fighter, "throw", "throwing")
    found += asked(intent, "throw") + walking(scene, intent, "throw")
    hand = hand_of(scene, intent, total(found, "throw dice"), Scale(total(found, "throw")))
    used = (Cost(f"uses:{item}", rule="POOL-40"),) if "uses" in fighter.sheet["items"].get(item, {}) else ()
    return Setup((hand, dial_of(scene, intent)), tuple(found), (*spent(scene, intent), *used), item)


def _throw_roll(table: Any, stake: Any) -> Any:
    """A rule, POOL-40: the hit roll of a weapon; of an object a roll that is no attack (POOL-6)."""
    return attack.roll(table, stake) if isinstance(stake, Blow) else successes(table, "throw", stake[0])


def _throw_react(table: Any, stake: Any, rolled: Any) -> Any:
    return attack.react(table, stake, rolled) if isinstance(stake, Blow) else None


def _throw_rest(table: Any, stake: Any, rolled: Any, faced: Any) -> Struck:
    """A rule, POOL-40: one success hits; POOL-41: a miss deviates."""
    if isinstance(stake, Blow):
        struck: Struck = attack.rest(table, stake, rolled, faced)
        return struck
    found, used = rolled
    landing = (0, 0) if found else table.ask(deviation, stake[0].who)
    return Struck(found > 0, found, 0, landing=landing, repaid=used)


throw_steps = Steps(_throw_roll, _throw_react, _throw_rest)
"""The rule of a throw."""


def hurled(scene: Scene, intent: Intent, stake: Any, outcome: Struck) -> Iterator[Event]:
    """What it changes: of an object nothing but what was built up for an attack."""
    if isinstance(stake, Blow):
        yield from strike(scene, intent, stake, outcome)
        return
    yield from spoiled(scene, intent.actor)
    yield from repaid(scene, intent, outcome.repaid)


def where(scene: Scene, intent: Intent, stake: Any, outcome: Struck) -> Mapping[str, Any]:
    """Where it lands."""
    if isinstance(stake, Blow):
        return attack_outputs(scene, intent, stake, outcome)
    return landed(stake[1], outcome.landing) if outcome.landing[0] else {}


def _throw_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    held = [one for one in weapons_held(fighter) if "throw" in modes_of(weapons[one])]
    for foe in scene.foes(who):
        if not foe.has("dead"):
            yield from (Intent("throw", who, (foe.name,), {"weapon": name}) for name in held)


THROW = deed(
    Action(
        "Throw a weapon or an object",
        "POOL-40",
        throw_setup,
        hurled,
        throw_steps,
        gear="weapons",
        candidates=_throw_candidates,
        options=(*COMMON, "item", "at"),
        targets="one",
        outputs=where,
        reactions=REACTIONS,
        bare=bare,
    ),
    RECOIL, AIM, ACCURATE, SUPPORTED, WALKED,
)  # fmt: skip


# ---- The coup de grâce (POOL-36)


class Mercy(NamedTuple):
    """All that the dice need to know."""

    hand: Hand
    each: int
    """Wounds of each hit."""


class Finished(NamedTuple):
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
        refuse(
            intent,
            f"{target.name} is neither unconscious nor asleep nor dying",
            "POOL-36",
            "attack instead: crisis attack",
        )
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37", final=True)
    name, weapon = weapon_in_use(scene, intent)
    mode = mode_of(intent, name, weapon)
    hand, modifiers, more = hit_roll(scene, intent, name, weapon, mode)
    costs = (*more, *rounds(scene, intent, name, weapon, mode), *spent(scene, intent))
    each, force = wounds_per_hit(intent, name, weapon)
    return Setup(Mercy(hand, each), (*modifiers, *force), costs, name)


def finish(table: Any, mercy: Mercy) -> Finished:
    """POOL-36: no reaction, cover or protection helps (a reading)."""
    hits, used = thrown(table, "attack", mercy.hand)
    found, many = hits.count, criticals(hits)
    more = table.reveal(critical(hits), many, mega) if many else 0
    return Finished(found > 0, found, many, found * mercy.each + more, used)


def finish_effects(scene: Scene, intent: Intent, mercy: Mercy, outcome: Finished) -> Iterator[Event]:
    """POOL-36: dead, at the level of the successes; the dying are worse by the wounds; a miss wakes a sleeper."""
    name, weapon = weapon_in_use(scene, intent, quietly=True)
    yield from prepared(scene, intent, name, weapon, mode_of(intent, name, weapon))
    yield from repaid(scene, intent, outcome.repaid)
    target = scene.fighters[intent.target]
    if not outcome.success:
        yield from change(scene, intent.target, "condition:asleep", False, "POOL-36")
    elif target.has("dying"):
        yield from worsened(scene, intent.target, outcome.wounds, "POOL-36")
    else:
        yield from change(scene, intent.target, "condition:dead", outcome.total, "POOL-36")


def _finish_candidates(scene: Scene, who: str) -> Iterator[Intent]:
    for foe in scene.foes(who):
        if any(foe.has(one) for one in HELPLESS):
            yield Intent("coup-de-grace", who, (foe.name,))


FINISH = deed(
    Action(
        "Kill somebody helpless",
        "POOL-36",
        finish_setup,
        finish_effects,
        finish,
        gear="weapons",
        candidates=_finish_candidates,
        targets="one",
        options=(*COMMON, "mode", "massive"),
        outputs=lambda scene, intent, mercy, outcome: manner(scene, intent, outcome),
    ),
    RECOIL, AIM, ACCURATE, SUPPORTED, WALKED,
)  # fmt: skip
