"""What a turn gives, conditions, going, sneaking and treating wounds (D100-10 to D100-15, D100-27, D100-28)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...engine.changes import Changes
from ...engine.conditions import Condition
from ...engine.dice_amount import Amount, sum_of
from ...engine.events import Event, change, shift
from ...engine.scene import End, Fighter, Intent, Scene, distance, slug
from ...engine.system import Action, Cost, Setup, nothing, refuse
from ...rules.equipment import draw_action, patients, reload_action
from ...rules.ready_action import READIED, is_readied, ready, set_off
from ...rules.situational import circumstance, standing
from .checks import asked, assist, edge_of, no_effects, obstacle, rated, rolled, succeeds, total
from .sheet import die_of

# Conditions of `d100`, and when a fighter can no longer act or fight (D100-15, D100-27).


def next_own_turn(scene: Scene, who: str) -> End | None:
    """D100-15: until the next own turn starts."""
    return ("start-turn", scene.round + 1) if scene.open else None


CONDITIONS = {
    "sneaking": Condition("sneaking", "D100-15", next_own_turn),
    "down": Condition("down", "D100-27"),
}


def fallen(fighter: Fighter) -> str:
    """D100-27: at Health 0 a fighter is down; nobody dies by rule."""
    return "down" if fighter.pools["health"] <= 0 else ""


def idle(fighter: Fighter) -> tuple[str, str]:
    """Why a fighter cannot act, and the rule (D100-27)."""
    return ("down", "D100-27") if fallen(fighter) else ("", "")


def follow(scene: Scene, who: str) -> Iterable[Event]:
    """D100-27: down is whoever has no Health left, and nobody else."""
    return change(scene, who, "condition:down", bool(fallen(scene.fighters[who])), "D100-27")


def revealed(scene: Scene, who: str) -> Iterable[Event]:
    """D100-15: sneaking is over (that attacking ends it is a reading)."""
    yield from change(scene, who, "condition:sneaking", False, "D100-15")
    yield from change(scene, who, "until:sneaking", None, "D100-15")


# Actions and Small Actions (D100-10 to D100-13): what a turn gives, what is kept, what is readied.

PER_TURN = {"actions": 1, "small-actions": 2}
"""D100-10."""
TURNED = 2
"""D100-10: Small Actions that an Action can be turned into."""
KEPT = 1
"""D100-12."""
SMALL = (Cost("small-actions", rule="D100-13"),)
FULL = (Cost("actions", rule="D100-13"),)
SET_OFF = (Cost("small-actions", rule="D100-11"),)
"""What setting off a readied action takes."""
LASTS = 2
"""D100-11: a readied action lasts for so many ends of own turns: until the next one ends, after the one that is on."""


def no_stake(scene: Scene, intent: Intent) -> Setup:
    """Nothing to look at beforehand."""
    return Setup(None)


def turn_starts(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """D100-10: an Action and two Small Actions; what was kept is gone (D100-12). Whoever is down has none."""
    able = not fallen(scene.fighters[intent.actor])
    for pool, count in PER_TURN.items():
        yield from change(scene, intent.actor, pool, count if able else 0, "D100-10")


def turn_ends(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """D100-12: one Small Action is kept, of an Action unspent where there is no other (a reading, by D100-10)."""
    pools, marks = scene.fighters[intent.actor].pools, scene.fighters[intent.actor].marks
    left = pools["small-actions"] or pools["actions"] * TURNED
    yield from change(scene, intent.actor, "actions", 0, "D100-12")
    yield from change(scene, intent.actor, "small-actions", min(left, KEPT), "D100-12")
    for mark, ends in marks.items():
        if mark.startswith(READIED + ":"):
            yield from change(scene, intent.actor, f"mark:{mark}", ends - 1, "D100-11")


PHASES = {
    "start-turn": Action(
        "Gain an Action and two Small Actions", "D100-10", no_stake, turn_starts, nothing, window="table"
    ),
    "end-turn": Action("Keep a Small Action", "D100-12", no_stake, turn_ends, nothing, window="table"),
}


def whole(row: Action) -> Action:
    """An action that costs an Action, and so can be readied and set off later by a Small Action (D100-11, D100-13)."""

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        yield from row.effects(scene, intent, stake, outcome)
        yield from set_off(scene, intent, "D100-11")

    def collected(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        row.effects(changes, intent, setup, outcome)
        changes.take(set_off(changes.scene, intent, "D100-11"))

    if row.collects:
        return row._replace(costs=FULL, effects=collected, out_of_turn=is_readied, out_costs=SET_OFF)
    return row._replace(costs=FULL, effects=effects, out_of_turn=is_readied, out_costs=SET_OFF)


READY_ABLE = ("attack", "throw", "reload", "run", "heal")
"""D100-11: the actions that cost an Action, readying itself left out."""
READY = ready(
    "Ready an action, for a Small Action to set off out of turn", "D100-11", READY_ABLE, FULL, LASTS
)

# The actions without an attack (D100-13 to D100-15): going, sneaking, grabbing, draw_action, loading.

WALK = 2
"""D100-14: metres of a Small Action."""
RUN, RUN_SHARE = 5, 10
"""D100-14: metres of an Action, and the part of dexterity that is added."""
REACH = 2
"""Arm's length, in metres: for blows, treatment, and being noticed (D100-15, a reading)."""


def walk_stake(scene: Scene, intent: Intent) -> Setup:
    """D100-14: two metres, in any direction; what is not used is not kept."""
    return _going(scene, intent, WALK)


def run_stake(scene: Scene, intent: Intent) -> Setup:
    """D100-14: five metres and a tenth of dexterity, straight on."""
    return _going(
        scene, intent, RUN + scene.fighters[intent.actor].sheet["ratings"]["dexterity"] // RUN_SHARE
    )


def _going(scene: Scene, intent: Intent, metres: int) -> Setup:
    fighter, to = scene.fighters[intent.actor], intent.get("to")
    most = max(0, metres + total(standing(fighter, "move", "move"), "move"))
    if to is not None and fighter.at is not None and distance(fighter.at, to) > most:
        refuse(
            intent,
            f"{fighter.name} can {intent.action} {most} m in one go; that is {distance(fighter.at, to)} m away",
            "D100-14",
            hint="go part of the way"
            + (f", or run: crisis act {slug(fighter.name)} run --to X,Y" if most == WALK else ""),
        )
    return Setup(most)


def go(scene: Scene, intent: Intent, most: int, outcome: Any) -> Iterable[Event]:
    """The new position, where one is given."""
    to = intent.get("to")
    return () if to is None else change(scene, intent.actor, "at", tuple(to), "D100-14")


def how_far(scene: Scene, intent: Intent, most: int, outcome: Any) -> Mapping[str, Any]:
    """The metres gone, or how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"metres": distance(here, to)} if here and to else {"most": most}


class Watch(NamedTuple):
    """An opponent who could notice."""

    who: str
    target: int
    near: bool
    """Within arm's length."""


class Sneak(NamedTuple):
    """All that the dice of sneaking need to know."""

    who: str
    target: int
    edge: int
    watching: tuple[Watch, ...]


class Sneaked(NamedTuple):
    """What sneaking came to: success is not being noticed."""

    success: bool
    total: int

    @property
    def word(self) -> str:
        """In one word."""
        return "unnoticed" if self.success else "noticed"


def sneak_stake(scene: Scene, intent: Intent) -> Setup:
    """D100-15: dexterity; those who could notice are the opponents able to act, or those of them who are named."""
    fighter = scene.fighters[intent.actor]
    edge, edges = edge_of(intent, "sneak")
    modifiers = (
        rated(fighter, "sneak", "dexterity") + asked(intent, "sneak") + circumstance(intent, "sneak") + edges
    )
    mine = total(modifiers, "sneak")
    watching = []
    for foe in scene.foes(fighter.name):
        if idle(foe)[0] or (intent.targets and foe.name not in intent.targets):
            continue
        against = [one._replace(against=foe.name) for one in rated(foe, "notice", "perception")]
        modifiers += against
        apart = scene.distance(fighter.name, foe.name)
        watching.append(Watch(foe.name, total(against, "notice"), apart is not None and apart <= REACH))
    return Setup(Sneak(fighter.name, mine, edge, tuple(watching)), tuple(modifiers))


def sneak(table: Any, stake: Sneak) -> Sneaked:
    """D100-15: if the check fails, each opponent checks perception; one at arm's length once more either way.
    Any success and it is noticed (a reading)."""
    success, face = rolled(table, "sneak", stake.who, stake.target, stake.edge)
    return Sneaked(not table.ask(noticed, stake.watching, success), face)


def noticed(table: Any, watching: tuple[Watch, ...], hidden: bool) -> bool:
    """A rule: whether any of these notices."""
    seen = False
    for one in watching[:1]:
        checks = (not hidden) + one.near
        if checks:
            seen = table.ask(succeeds, "notice", one.who, one.target)
        if checks > 1:
            seen = table.ask(succeeds, "notice", one.who, one.target) or seen
        # The others check as well, whatever this one sees.
        seen = table.ask(noticed, watching[1:], hidden) or seen
    return seen


def sneaks(scene: Scene, intent: Intent, stake: Sneak, outcome: Sneaked) -> Iterator[Event]:
    """D100-15: sneaking until the next own turn, unless noticed."""
    end = next_own_turn(scene, intent.actor) if outcome.success else None
    yield from change(scene, intent.actor, "condition:sneaking", outcome.success, "D100-15")
    yield from change(scene, intent.actor, "until:sneaking", end, "D100-15")


def _small(title: str) -> Action:
    return Action(title, "D100-13", no_stake, no_effects, costs=SMALL)


ACTS = {
    "walk": Action("Walk, 2 m", "D100-14", walk_stake, go, costs=SMALL, outputs=how_far, options=("to",)),
    "run": whole(Action("Run straight on", "D100-14", run_stake, go, outputs=how_far, options=("to",))),
    "sneak": Action(
        "Sneak until the next own turn",
        "D100-15",
        sneak_stake,
        sneaks,
        sneak,
        costs=SMALL,
        targets="any",
        options=("assist", "obstacle", "plus", "minus"),
    ),
    "grab": _small("Grab something in reach"),
    "push": _small("Push a button, or anything as quick"),
    "draw": draw_action("D100-13", SMALL),
    "reload": whole(reload_action("D100-13", (), loads="shots")),
}

# Treating wounds (D100-28).


class Care(NamedTuple):
    """All that the dice of a treatment need to know."""

    who: str
    target: int
    edge: int


class Treated(NamedTuple):
    """What a treatment came to, before the maximum is looked at."""

    success: bool
    total: int
    """The face that counted."""
    healed: int

    @property
    def word(self) -> str:
        """In one word."""
        return "healed" if self.success else "failure"


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-28: medicine, an Assist for an aid, an Obstacle for treating oneself."""
    fighter = scene.fighters[intent.actor]
    patient = scene.fighters[intent.target or intent.actor]
    item = intent.get("item") or _fitting(fighter)
    things = fighter.sheet["items"]
    if item and not things.get(item, {}).get("aid"):
        carried = ", ".join(one for one, thing in things.items() if thing["aid"]) or "none"
        refuse(intent, f"the {item} is no aid in treating wounds", "D100-28", f"aids: {carried}", final=True)
    if patient.pools["health"] >= patient.full("health"):
        refuse(intent, f"{patient.name} is unhurt", "D100-28")
    distance = scene.distance(fighter.name, patient.name)
    if distance is not None and distance > REACH:
        refuse(intent, f"{patient.name} is {distance} m away; treating reaches {REACH} m", "D100-28")
    edge, edges = edge_of(intent, "check")
    modifiers = rated(fighter, "check", "medicine") + standing(fighter, "check", "heal")
    modifiers += [assist("check", item, "D100-28", f"items.{item}")] if item else []
    if patient.name == fighter.name:
        modifiers.append(obstacle("check", "treating oneself", "D100-28", ""))
    modifiers += asked(intent, "check") + circumstance(intent, "check") + edges
    used = (Cost(f"uses:{item}", rule="D100-28"),) if "uses" in things.get(item, {}) else ()
    return Setup(Care(fighter.name, total(modifiers, "check"), edge), tuple(modifiers), used, item)


def _fitting(fighter: Fighter) -> str:
    """The first aid that is not used up; nothing where there is none."""
    aids = [item for item, thing in fighter.sheet["items"].items() if thing["aid"]]
    return next((item for item in aids if fighter.pools.get(f"uses:{item}", 1) > 0), "")


def treat(table: Any, care: Care) -> Treated:
    """D100-28: success restores d(rating after changes / 10), at least 1."""
    success, face = rolled(table, "check", care.who, care.target, care.edge)
    return Treated(success, face, table.ask(restored, care.who, die_of(care.target)) if success else 0)


def restored(table: Any, who: str, sides: int) -> int:
    """A rule: the health that a treatment gives; a d1 is not rolled."""
    if sides == 1:
        return 1
    table.label("heal", who, f"d{sides}")
    points = sum_of(table, Amount(1, sides))
    table.result(total=points)
    return points


def mend(scene: Scene, intent: Intent, care: Care, outcome: Treated) -> Iterable[Event]:
    """D100-28: up to the maximum; at 1 or more whoever was down is up again."""
    return shift(scene, intent.target or intent.actor, "health", outcome.healed, "D100-28")


HEAL = whole(
    Action(
        "Treat wounds",
        "D100-28",
        heal_setup,
        mend,
        treat,
        gear="items",
        candidates=patients("heal"),
        targets="patient",
        options=("item", "assist", "obstacle", "plus", "minus"),
    )
)
