"""Conditions, reactions, treatment and what a round brings (POOL-11 to POOL-14, POOL-37 to POOL-39)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...engine.conditions import Condition
from ...engine.events import Event, apply_all, change, shift
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.equipment import patients
from .rolls import (
    SPENDING,
    Hand,
    Scale,
    asked,
    dice_for,
    hand_of,
    least_for,
    repaid,
    resisting,
    spent,
    successes,
    taken,
    total,
    trying,
    without,
)
from .sheet import SUPPORTED, spoiled, value_of

# ---- Conditions (POOL-38), what follows from wounds (POOL-37), and who can act or fight

DEATH = 6
"""POOL-37: dying at this level is death."""
CONDITIONS = {
    "dead": Condition("dead", "POOL-37", levels=True),
    "dying": Condition("dying", "POOL-37", levels=True),
    "stable": Condition("stable", "POOL-37"),
    "unconscious": Condition("unconscious", "POOL-38", levels=True),
    "asleep": Condition("asleep", "POOL-38"),
    "shocked": Condition("shocked", "POOL-38", levels=True),
    "burning": Condition("burning", "POOL-38", levels=True),
    "bleeding": Condition("bleeding", "POOL-38", levels=True),
    "poisoned": Condition("poisoned", "POOL-38", levels=True),
    "hunkered": Condition("hunkered", "POOL-38", lasting=False),
    "blocking": Condition("blocking with the shield", "POOL-23", lasting=False),
    "stuck": Condition("stuck", "POOL-24", lasting=False),
}
HELPLESS = ("unconscious", "asleep", "dying")
"""POOL-36: who can be given a coup de grâce."""


def hearts(fighter: Fighter) -> int:
    """POOL-37: wounds not yet taken, plus boosts."""
    return fighter.full("wounds") - fighter.pools["wounds"] + fighter.pools["boost"]


def level_of(fighter: Fighter, condition: str) -> int:
    """How much of a condition is on; 0 for none."""
    return int(fighter.conditions.get(condition, 0))


def fallen(fighter: Fighter) -> str:
    """ "dead", "dying" or "down": out of the fight (ALL-5, POOL-37, POOL-38)."""
    if fighter.has("dead") or fighter.has("dying"):
        return "dead" if fighter.has("dead") else "dying"
    return "down" if fighter.has("unconscious") else ""


def idle(fighter: Fighter) -> tuple[str, str]:
    """Why a fighter cannot act, and the rule."""
    for condition, rule in (
        ("dead", "POOL-37"),
        ("dying", "POOL-37"),
        ("unconscious", "POOL-38"),
        ("asleep", "POOL-38"),
    ):
        if fighter.has(condition):
            return condition, rule
    return "", ""


def follow(scene: Scene, who: str) -> Iterator[Event]:
    """POOL-37: without a heart left one is dying, unless stabilised; dying far enough is dead; nothing else stays."""
    fighter = scene.fighters[who]
    lifeless = hearts(fighter) <= 0
    dying = level_of(fighter, "dying")
    if fighter.has("dead") or (lifeless and dying >= DEATH):
        yield from change(scene, who, "condition:dead", fighter.conditions.get("dead", 1), "POOL-37")
        yield from _without(scene, fighter, "dead")
    elif not lifeless:
        yield from change(scene, who, "condition:dying", False, "POOL-37")
        yield from change(scene, who, "condition:stable", False, "POOL-37")
    elif not fighter.has("stable"):
        yield from change(scene, who, "condition:dying", dying or 1, "POOL-37")
        yield from _without(scene, fighter, "dying")


def _without(scene: Scene, fighter: Fighter, kept: str) -> Iterator[Event]:
    """Other conditions end."""
    for condition in fighter.conditions:
        if condition != kept:
            yield from change(scene, fighter.name, f"condition:{condition}", False, "POOL-37")


def wounded(scene: Scene, who: str, wounds: int, rule: str = "POOL-26") -> Iterator[Event]:
    """POOL-37, POOL-39: wounds take boosts first, then hearts; those of the dying make it worse."""
    fighter = scene.fighters[who]
    if wounds <= 0 or fighter.has("dead"):
        return
    if hearts(fighter) <= 0 and fighter.has("dying"):
        yield from worsened(scene, who, wounds, rule)
        return
    # Whoever was stabilised is dying again with the first wound.
    yield from change(scene, who, "condition:stable", False, "POOL-37")
    boosted = min(wounds, fighter.pools["boost"])
    yield from shift(scene, who, "boost", -boosted, "POOL-39")
    yield from shift(scene, who, "wounds", wounds - boosted, rule)


def worsened(scene: Scene, who: str, levels: int, rule: str = "POOL-37") -> Iterator[Event]:
    """POOL-37: dying goes on by so many levels, to its end at most."""
    level = min(DEATH, level_of(scene.fighters[who], "dying") + levels)
    yield from change(scene, who, "condition:dying", level, rule)


def raised(scene: Scene, who: str, condition: str, level: int, rule: str) -> Iterator[Event]:
    """POOL-3: a condition at this level; the higher one stands, and what has no levels is on."""
    now = max(level, level_of(scene.fighters[who], condition))
    value: int | bool = now if CONDITIONS[condition].levels else True
    yield from change(scene, who, f"condition:{condition}", value, rule)


# ---- Actions and reactions (POOL-11 to POOL-14): what may be done when, what it takes, and what it spoils

ACTIONS = "actions"
ONE = (Cost(ACTIONS, 1),)
"""POOL-12: what an action takes unless it says otherwise."""
REACTED = "reacted"
"""The mark of whoever has reacted to the last action (POOL-14)."""
STOLEN = "stolen"
"""The mark of actions that the next refresh lacks (POOL-15)."""
LONE = 1
"""POOL-14: actions that anybody has for reactions in a one-off (a reading)."""


def kept(scene: Scene, fighter: Fighter) -> int:
    """The actions that are left for reactions (POOL-11)."""
    return fighter.pools["actions"] if scene.open else LONE


def reacts(scene: Scene, intent: Intent) -> bool:
    """POOL-13, POOL-14: out of turn whoever has kept an action may react, once to each action."""
    fighter = scene.fighters[intent.actor]
    return bool(scene.round) and fighter.pools["actions"] > 0 and not fighter.marks.get(REACTED)


def paid_reaction(scene: Scene, who: str, kept: bool = True) -> Iterator[Event]:
    """POOL-14: a reaction takes an action, one that was kept or one just bought, and is something else than aiming;
    nothing is charged in a one-off."""
    if scene.open:
        if kept:
            yield from shift(scene, who, ACTIONS, -1, "POOL-14")
        yield from change(scene, who, f"mark:{REACTED}", 1, "POOL-14")
    yield from spoiled(scene, who, (SUPPORTED,))


def stolen_from(scene: Scene, victim: str, left: int) -> Iterator[Event]:
    """POOL-15: an action of an opponent's goes, in its own turn of the `left` it has, else of its next refresh."""
    if victim in scene.acting:
        yield from change(scene, victim, ACTIONS, left - 1, "POOL-15")
        return
    stolen = scene.fighters[victim].marks.get(STOLEN, 0)
    yield from change(scene, victim, f"mark:{STOLEN}", stolen + 1, "POOL-15")


def all_stolen(fighter: Fighter) -> bool:
    """POOL-15: whether no action of the next refresh is left to be stolen."""
    return bool(fighter.marks.get(STOLEN, 0) >= fighter.sheet["actions"])


def deed(row: Action, *keeps: str, costs: tuple[Cost, ...] = ONE) -> Action:
    """A row of the action table as this system has them: one action, also as a reaction; it spoils what is built
    up before an attack, but for what it keeps."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        setup = row.setup(scene, intent)
        price = sum(cost.amount for cost in (*costs, *setup.costs) if cost.pool == ACTIONS)
        others = tuple(cost for cost in setup.costs if cost.pool != ACTIONS)
        if scene.open and intent.actor not in scene.acting and price > 1:
            refuse(
                intent,
                f"a reaction is an action of 1; {intent.action} takes {price} here",
                "POOL-14",
                "wait for the own turn",
            )
        return setup._replace(costs=(*(Cost(ACTIONS, price),) * (price > 0), *others))

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        fresh = tuple(noted(scene, intent))
        yield from fresh
        scene = apply_all(scene, fresh)
        yield from spoiled(scene, intent.actor, keeps)
        yield from row.effects(scene, intent, stake, outcome)

    return row._replace(setup=stake, effects=effects, out_of_turn=reacts)


def noted(scene: Scene, intent: Intent) -> Iterator[Event]:
    """POOL-14: who has reacted to this action already; with the next one everyone may again."""
    if not scene.open:
        return
    if intent.actor not in scene.acting:
        yield from change(scene, intent.actor, f"mark:{REACTED}", 1, "POOL-14")
        return
    answering = [who for who, _ in intent.get("answer", ())]
    for other in scene.fighters:
        if other not in answering:
            yield from change(scene, other, f"mark:{REACTED}", 0, "POOL-14")


def no_stake(scene: Scene, intent: Intent) -> Setup:
    """Nothing to look at beforehand."""
    return Setup(None)


def unchanged(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """Nothing beside what it costs."""
    return iter(())


def able(scene: Scene, who: str) -> bool:
    """Whether someone can react at all: awake, and with an action left."""
    fighter = scene.fighters[who]
    return not idle(fighter)[0] and kept(scene, fighter) > 0


# ---- First aid, stabilising, resting (POOL-37, POOL-39)

REACH = 1
"""Metres to a patient (a reading)."""
BARE = 1
"""POOL-39: the boost that first aid without aids gives."""
REST = ("resistance", "endurance", "willpower")
"""POOL-39: the dice of a rest."""


class Care(NamedTuple):
    """All that the dice of a treatment need to know."""

    hand: Hand
    needs: int
    """Successes: one, of the dying as many as the level (POOL-37)."""
    dying: bool


class Treated(NamedTuple):
    """What a treatment came to."""

    success: bool
    total: int
    stabilised: bool
    repaid: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        """What the total is."""
        return "successes"

    @property
    def word(self) -> str:
        """In one word."""
        return ("stabilised" if self.stabilised else "healed") if self.success else "failure"


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: first aid, with a thing that heals if there is one; POOL-37: the dying are stabilised."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.target or intent.actor]
    if patient.has("dead"):
        refuse(intent, f"{patient.name} is dead", "POOL-37", final=True)
    distance = scene.distance(fighter.name, patient.name)
    if distance is not None and distance > REACH:
        refuse(intent, f"{patient.name} is {distance} m away; treating reaches {REACH} m", "POOL-39")
    item = _item(fighter, intent)
    level = level_of(patient, "dying")
    skill = "first-aid"
    if level:
        skill = max(("first-aid", "medicine"), key=lambda one: value_of(fighter.sheet, one)[0])
    hand, modifiers, costs = trying(scene, intent, "heal", skill)
    used = (Cost(f"uses:{item}", rule="POOL-39"),) if "uses" in fighter.sheet["items"].get(item, {}) else ()
    return Setup(Care(hand, max(1, level), level > 0), modifiers, (*costs, *used), item)


def _item(fighter: Fighter, intent: Intent) -> str:
    """The thing to treat with: as named, else the first that heals and is not used up."""
    things = fighter.sheet["items"]
    fitting = [one for one, thing in things.items() if "heals" in thing]
    named: str = intent.get("item") or ""
    if named and named not in fitting:
        carried = f"{fighter.name} carries {', '.join(fitting) or 'nothing for it'}"
        refuse(intent, f"the {named} does not heal", "POOL-39", carried, final=True)
    return named or next((one for one in fitting if fighter.pools.get(f"uses:{one}", 1) > 0), "")


def treat(table: Any, care: Care) -> Treated:
    """POOL-37, POOL-39: as many successes as it needs."""
    found, used = successes(table, "heal", care.hand, care.needs)
    if care.needs > 1:
        table.result(difficulty=care.needs)
    return Treated(found >= care.needs, found, care.dying and found >= care.needs, used)


def mend(scene: Scene, intent: Intent, care: Care, outcome: Treated) -> Iterator[Event]:
    """POOL-39: hearts on top, and no more bleeding; POOL-37: stabilised, and unconscious without a heart left."""
    yield from repaid(scene, intent, outcome.repaid)
    patient = intent.target or intent.actor
    if not outcome.success:
        return
    if care.dying:
        yield from change(scene, patient, "condition:stable", True, "POOL-37")
        yield from change(scene, patient, "condition:dying", False, "POOL-37")
        yield from change(scene, patient, "condition:unconscious", 1, "POOL-37")
        return
    item = _item(scene.fighters[intent.actor], intent)
    heals = (
        scene.fighters[intent.actor].sheet["items"].get(item, {}).get("heals", {"boost": BARE, "wounds": 0})
    )
    yield from shift(scene, patient, "boost", heals["boost"], "POOL-39")
    yield from shift(scene, patient, "wounds", -heals["wounds"], "POOL-39")
    yield from change(scene, patient, "condition:bleeding", False, "POOL-39")


HEAL = deed(
    Action(
        "Give first aid",
        "POOL-39",
        heal_setup,
        mend,
        treat,
        gear="items",
        candidates=patients("heal"),
        targets="patient",
        options=("item", *SPENDING),
    )
)


class Rested(NamedTuple):
    """What a rest came to."""

    success: bool
    healed: int
    repaid: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """In one word."""
        return "rested"


def rest_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: six hours, and so not in a crisis; resistance, endurance and willpower of whoever rests, and what is
    spent on it (POOL-7), which is there again afterwards."""
    patient = scene.fighters[intent.target or intent.actor]
    if patient.has("dead") or patient.has("dying"):
        refuse(
            intent, f"{patient.name} is {'dead' if patient.has('dead') else 'dying'}", "POOL-39", final=True
        )
    if scene.open:
        refuse(intent, "a rest takes six hours: not in a crisis", "POOL-39", "end it first: crisis end")
    dice = [one for skill in REST for one in dice_for(patient, "rest", skill, free=True)]
    found = dice + least_for(patient, "rest", "rest", free=True) + asked(intent, "rest")
    own = intent._replace(actor=patient.name)
    for cost in spent(scene, own):
        if patient.pools[cost.pool] < cost.amount:
            has = f"{patient.name} has {patient.pools[cost.pool]} {cost.pool.replace('-', ' ')}"
            refuse(intent, f"{has}, not {cost.amount}", cost.rule, "leave it out")
    return Setup(hand_of(scene, own, total(found, "rest dice"), Scale(total(found, "rest"))), tuple(found))


def rest(table: Any, hand: Hand) -> Rested:
    """POOL-39: a wound less for each success."""
    found = successes(table, "rest", hand)[0]
    return Rested(found > 0, found)


def recover(scene: Scene, intent: Intent, hand: Hand, outcome: Rested) -> Iterator[Event]:
    """POOL-39: wounds heal, boosts are gone, and the dice that one spends are there again."""
    fighter = scene.fighters[hand.who]
    yield from shift(scene, hand.who, "wounds", -outcome.healed, "POOL-39")
    yield from change(scene, hand.who, "boost", 0, "POOL-39")
    for pool in ("bonus-dice", "destiny-dice", "rerolls"):
        yield from change(scene, hand.who, pool, fighter.full(pool), "POOL-39")


RESTING = Action(
    "Rest for six hours",
    "POOL-39",
    rest_stake,
    recover,
    rest,
    window="table",
    targets="patient",
    options=("rest", *SPENDING),
)


# ---- What the start of a round brings: dying, waking up, shock, bleeding and poison (POOL-37, POOL-38)

SKILL = {
    "dying": "resistance",
    "unconscious": "willpower",
    "shocked": "endurance",
    "bleeding": "endurance",
    "poisoned": "resistance",
}
"""What each condition is withstood with, in the order in which they are (POOL-37, POOL-38)."""


class Trial(NamedTuple):
    """One roll that a condition demands."""

    condition: str
    level: int
    hand: Hand


class Patient(NamedTuple):
    """Whose conditions are looked at, and how many wounds would be too many."""

    who: str
    hearts: int
    trials: tuple[Trial, ...]


class Withstood(NamedTuple):
    """By fighter and condition, what was withstood of it: its levels, or 1 where one success is enough."""

    withstood: tuple[tuple[str, str, int], ...]
    spent: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By fighter, what was spent on these rolls (POOL-7)."""


def round_setup(scene: Scene, intent: Intent) -> Setup:
    """Everyone in the order of initiative; their conditions burden none of these rolls."""
    patients = []
    modifiers = []
    for name in scene.order or scene.fighters:
        fighter = scene.fighters[name]
        trials = []
        for condition, skill in SKILL.items():
            if fighter.has(condition) and not fighter.gone:
                hand, found = resisting(scene, name, "resist", skill, free=True)
                trials.append(Trial(condition, level_of(fighter, condition), hand))
                modifiers += [one._replace(against=name) for one in found]
        if trials:
            patients.append(Patient(name, hearts(fighter), tuple(trials)))
    return Setup(tuple(patients), tuple(modifiers))


def round_rule(table: Any, patients: tuple[Patient, ...]) -> Withstood | None:
    """A rule: every trial in its order; whoever bleeds to death's door has other worries than poison."""
    if not patients:
        return None
    found = [(patient.who, *table.ask(tried, patient)) for patient in patients]
    withstood = tuple((who, *one) for who, held, _ in found for one in held)
    return Withstood(withstood, tuple((who, used) for who, _, used in found if used))


def tried(table: Any, patient: Patient) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    """A rule: the trials of one fighter: by condition what was withstood of it; and what was spent on them."""
    found: list[tuple[str, int]] = []
    spent: tuple[str, ...] = ()
    for trial in patient.trials:
        most = 1 if trial.condition in ("dying", "bleeding") else trial.level
        needs = trial.level if trial.condition == "unconscious" else 1
        hand = trial.hand._replace(luck=without(trial.hand.luck, spent))
        count, used = table.ask(withstood, hand, needs)
        held, spent = min(most, count), (*spent, *used)
        if trial.condition == "unconscious":
            table.result(difficulty=needs)
        found.append((trial.condition, held))
        if trial.condition == "bleeding" and not held and trial.level >= patient.hearts:
            break
    return tuple(found), spent


def withstood(table: Any, hand: Hand, needs: int) -> tuple[int, tuple[str, ...]]:
    """A rule: the successes of one roll, and what was spent on it."""
    return successes(table, "resist", hand, needs)


def go_on(scene: Scene, intent: Intent, stake: Any, outcome: Withstood | None) -> Iterator[Event]:
    """POOL-37, POOL-38: what is not withstood takes its course."""
    for who, used in outcome.spent if outcome else ():
        events = tuple(taken(scene, who, used))
        scene = apply_all(scene, events)
        yield from events
    for who, condition, held in outcome.withstood if outcome else ():
        events = tuple(_course(scene, who, condition, held))
        scene = apply_all(scene, events)
        after = tuple(follow(scene, who))
        scene = apply_all(scene, after)
        yield from (*events, *after)


def _course(scene: Scene, who: str, condition: str, held: int) -> Iterator[Event]:
    level = level_of(scene.fighters[who], condition)
    if not level:
        return
    if condition == "dying":
        if not held:
            yield from worsened(scene, who, 1)
    elif condition == "bleeding":
        if not held:
            yield from wounded(scene, who, level, "POOL-38")
    elif condition == "unconscious":
        if held >= level:
            yield from change(scene, who, "condition:unconscious", False, "POOL-38")
    elif held:
        yield from change(scene, who, f"condition:{condition}", level - held or False, "POOL-38")


ROUND = Action("What conditions do", "POOL-38", round_setup, go_on, round_rule, window="table")
