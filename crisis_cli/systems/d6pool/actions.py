"""Movement, things in hand, the other actions, the turn order and what turns bring (POOL-8 to POOL-13, POOL-15,
POOL-20, POOL-23, POOL-24, POOL-30, POOL-34, POOL-35, POOL-38)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from ...engine.events import Event, change, shift
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, distance, slug
from ...engine.system import Action, Cost, Setup, refuse
from ...engine.turn_order import grouped, leader_of, lined_up, settled, tie
from ...rules.situational import circumstance, standing
from .defence import RAISED
from .health import REACTED, ROUND, STOLEN, all_stolen, deed, idle, no_stake, stolen_from, unchanged
from .rolls import (
    SPENDING,
    Checked,
    Hand,
    check,
    check_effects,
    dice_for,
    known_skill,
    resisting,
    successes,
    summed,
    taken,
    total,
    trying,
)
from .sheet import (
    ACCURATE,
    AIM,
    PROTECTION,
    RECOIL,
    SHIELD,
    SUPPORTED,
    WALKED,
    actions,
    firearm,
    modes_of,
    paired,
    shield_of,
    value_of,
    weapons_held,
)

# ---- Going about, lying low, and the shield held up (POOL-12, POOL-23, POOL-38)

WALK, RUN, CRAWL = 1, 5, 1
"""POOL-12: metres beside quickness, of which crawling takes half, rounded up."""
BLOCK = 2
"""POOL-23: actions of holding the shield up, and what it divides metres by."""


def _quickness(fighter: Fighter) -> int:
    return value_of(fighter.sheet, "quickness")[0]


def _walk(fighter: Fighter) -> int:
    return _quickness(fighter) + WALK


def _run(fighter: Fighter) -> int:
    return _quickness(fighter) + RUN


def _crawl(fighter: Fighter) -> int:
    return -(-_quickness(fighter) // 2) + CRAWL


def going(most: Callable[[Fighter], int], hunkered: bool) -> Callable[[Scene, Intent], Setup]:
    """The stake of going on foot: so many metres, standing or hunkered; half of them behind a shield held up."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        fighter, to = scene.fighters[intent.actor], intent.get("to")
        if fighter.has("hunkered") != hunkered:
            hint = (
                "crawl, or get up first" if fighter.has("hunkered") else "get down first: crisis act hunker"
            )
            how = "is hunkered" if fighter.has("hunkered") else "is not hunkered"
            refuse(intent, f"{fighter.name} {how} and cannot {intent.action}", "POOL-12", hint)
        if intent.action == "walk":
            _along(scene, intent, fighter)
        metres = max(0, most(fighter))
        metres = metres // BLOCK if fighter.has("blocking") else metres
        if to is not None and fighter.at is not None and distance(fighter.at, to) > metres:
            far = distance(fighter.at, to)
            refuse(
                intent,
                f"{fighter.name} can {intent.action} {metres} m in one go; that is {far} m away",
                "POOL-12",
                "go part of the way" + (", or run" if intent.action == "walk" else ""),
            )
        return Setup(metres)

    return stake


def _along(scene: Scene, intent: Intent, fighter: Fighter) -> None:
    """POOL-12: walking goes along with another action, once."""
    if fighter.marks.get(WALKED):
        refuse(
            intent, f"{fighter.name} has walked already", "POOL-12", "the next walk goes with the next action"
        )
    if scene.open and fighter.pools["actions"] < 1:
        refuse(intent, f"{fighter.name} has no action left to walk along with", "POOL-12", "run next turn")


def go(scene: Scene, intent: Intent, metres: int, outcome: Any) -> Iterator[Event]:
    """The new position, where one is given."""
    if intent.get("to") is not None:
        yield from change(scene, intent.actor, "at", tuple(intent.get("to")), "POOL-12")
    if intent.action == "walk":
        yield from change(scene, intent.actor, f"mark:{WALKED}", 1, "POOL-12")


def how_far(scene: Scene, intent: Intent, metres: int, outcome: Any) -> Mapping[str, Any]:
    """The metres gone, or how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"metres": distance(here, to)} if here and to else {"most": metres}


def posture(down: bool) -> Callable[[Scene, Intent], Setup]:
    """The stake of getting down or up; refused where it changes nothing."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        if scene.fighters[intent.actor].has("hunkered") == down:
            how = "hunkered" if down else "standing"
            refuse(intent, f"{intent.actor} is {how} already", "POOL-12", final=True)
        return Setup(down)

    return stake


def pose(scene: Scene, intent: Intent, down: bool, outcome: Any) -> Iterator[Event]:
    """Hunkered, or on one's feet."""
    yield from change(scene, intent.actor, "condition:hunkered", down, "POOL-38")


def block_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-23: a shield in hand beside a weapon for one hand."""
    fighter = scene.fighters[intent.actor]
    if fighter.has("blocking"):
        refuse(intent, f"{fighter.name} holds the shield up already", "POOL-23", final=True)
    if not shield_of(fighter):
        hint = f"crisis act {slug(fighter.name)} ready shield, beside a weapon for one hand"
        refuse(intent, f"{fighter.name} holds no shield", "POOL-23", hint, final=True)
    return Setup(None)


def block(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-23: its cover from the next round on, until lowered."""
    yield from change(scene, intent.actor, "condition:blocking", True, "POOL-23")
    yield from change(scene, intent.actor, f"mark:{RAISED}", scene.round + 1, "POOL-23")


def lower_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-23: a shield that is held up."""
    if not scene.fighters[intent.actor].has("blocking"):
        refuse(intent, f"{intent.actor} does not hold a shield up", "POOL-23", final=True)
    return Setup(None)


def lower(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-23: for free (a reading)."""
    yield from change(scene, intent.actor, "condition:blocking", False, "POOL-23")
    yield from change(scene, intent.actor, f"mark:{RAISED}", 0, "POOL-23")


def _moving(title: str, most: Callable[[Fighter], int], hunkered: bool = False) -> Action:
    return Action(title, "POOL-12", going(most, hunkered), go, outputs=how_far, options=("to",))


MOVES = {
    "walk": deed(_moving("Walk along with another action", _walk), AIM, ACCURATE, RECOIL, costs=()),
    "run": deed(_moving("Run", _run)),
    "crawl": deed(_moving("Crawl, hunkered", _crawl, hunkered=True)),
    "hunker": deed(Action("Hunker down: cover 6+", "POOL-12", posture(True), pose)),
    "stand-up": deed(Action("Get up", "POOL-12", posture(False), pose)),
    "shield-block": deed(
        Action("Hold the shield up", "POOL-23", block_stake, block), costs=(Cost("actions", BLOCK),)
    ),
    "lower-shield": deed(
        Action("Lower the shield", "POOL-23", lower_stake, lower), AIM, ACCURATE, RECOIL, SUPPORTED, costs=()
    ),
}


# ---- Things in hand: readied, loaded, supported, used (POOL-12, POOL-34, POOL-35)


def ready_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a weapon or the shield, not in hand yet."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    things = (*weapons, *((SHIELD,) if "shield" in fighter.sheet else ()))
    name = intent.get("thing") or (things[0] if len(things) == 1 else "")
    others = [one for one in things if one not in fighter.held]
    at_hand = f"to ready: {', '.join(others)}" if others else ""
    if name not in things:
        refuse(intent, f"{fighter.name} must say what to ready", "POOL-12", at_hand, final=True)
    if name in fighter.held:
        refuse(intent, f"{fighter.name} has the {name} in hand already", "POOL-12", at_hand)
    if intent.get("off_hand") and (name == SHIELD or weapons[name]["hands"] > 1 or not weapons_held(fighter)):
        refuse(intent, f"the {name} is nothing for the other hand", "POOL-34", final=True)
    if name in weapons and not fighter.pools.get(f"ammo:{name}", 1) and "throw" in modes_of(weapons[name]):
        refuse(intent, f"{fighter.name} has thrown the {name} away", "POOL-18", at_hand)
    return Setup(name, (), actions(weapons[name]["ready"] if name in weapons else 1, "POOL-12"), name)


def ready(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterator[Event]:
    """In hand: instead of the weapon before, with `--off-hand` beside it; two hands leave none for the shield."""
    fighter = scene.fighters[intent.actor]
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    if name == SHIELD:
        now = (*(one for one in held[:1] if weapons[one]["hands"] == 1), SHIELD)
    elif intent.get("off_hand"):
        now = (held[0], name)
    else:
        shield = SHIELD in fighter.held and weapons[name]["hands"] == 1
        now = (name, SHIELD) if shield else (name,)
    yield from change(scene, intent.actor, "held", now, "POOL-12")
    yield from change(scene, intent.actor, "condition:stuck", False, "POOL-24")
    if SHIELD not in now:
        yield from change(scene, intent.actor, "condition:blocking", False, "POOL-23")


def reload_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a weapon that is not full."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    able = [one for one in (*fighter.held, *weapons) if one in weapons and _fires(weapons[one])]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        what = f"the {name} takes no rounds" if name else f"{fighter.name} has nothing to reload"
        refuse(intent, what, "POOL-12", final=True)
    left = fighter.pools[f"ammo:{name}"]
    if left >= fighter.full(f"ammo:{name}"):
        refuse(intent, f"the {name} of {fighter.name} is full: {left} rounds", "POOL-12", final=True)
    return Setup(name, (), actions(weapons[name]["reload"], "POOL-12"), name)


def _fires(weapon: Any) -> bool:
    return "capacity" in weapon and any(mode in ("single", "burst") for mode in modes_of(weapon))


def refill(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterator[Event]:
    """Filled to its capacity."""
    pool = f"ammo:{name}"
    yield from change(scene, intent.actor, pool, scene.fighters[intent.actor].full(pool), "POOL-12")


def support_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-35: a firearm in hand, and no bow."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    able = [
        one
        for one in weapons_held(fighter)
        if any(firearm(weapons[one], mode) for mode in modes_of(weapons[one]))
    ]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        refuse(intent, f"{fighter.name} holds no firearm to support", "POOL-35", final=True)
    if fighter.marks.get(f"{SUPPORTED}:{name}"):
        refuse(intent, f"the {name} is supported already", "POOL-35", final=True)
    return Setup(name, gear=name)


def support_effects(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterator[Event]:
    """The weapon rests on something until its owner does something else than firing it."""
    yield from change(scene, intent.actor, f"mark:{SUPPORTED}:{name}", 1, "POOL-35")


def use_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a thing with uses left; what it does is the player's word."""
    fighter = scene.fighters[intent.actor]
    things = fighter.sheet["items"]
    name = intent.get("item") or (next(iter(things)) if len(things) == 1 else "")
    if name not in things:
        carried = f"{fighter.name} carries {', '.join(things) or 'nothing'}"
        refuse(intent, f"{fighter.name} must say what to use", "POOL-12", carried, final=True)
    uses = (Cost(f"uses:{name}", rule="POOL-12"),) if "uses" in things[name] else ()
    return Setup(name, (), uses, name)


def _things(action: str, listed: str, key: str) -> Any:
    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        sheet = scene.fighters[who].sheet
        extra = (SHIELD,) if action == "ready" and "shield" in sheet else ()
        return (Intent(action, who, (), {key: name}) for name in (*sheet[listed], *extra))

    return candidates


GEAR = {
    "ready": deed(
        Action(
            "Ready a weapon or the shield", "POOL-12", ready_stake, ready,
            gear="weapons", candidates=_things("ready", "weapons", "thing"), options=("off-hand",),
        ),
        costs=(),
    ),
    "reload": deed(
        Action(
            "Fill a weapon", "POOL-12", reload_stake, refill,
            gear="weapons", candidates=_things("reload", "weapons", "thing"),
        ),
        costs=(),
    ),
    "support": deed(
        Action("Rest the firearm on something", "POOL-35", support_stake, support_effects, gear="weapons")
    ),
    "use": deed(
        Action(
            "Use a thing carried", "POOL-12", use_stake, unchanged,
            gear="items", candidates=_things("use", "items", "item"), options=("item",),
        )
    ),
}  # fmt: skip


# ---- The other actions: aiming, taking time, ending conditions, anything else, actions bought and stolen (POOL-12,


def marked(mark: str, rule: str) -> Any:
    """The effects of building something up."""

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        count = scene.fighters[intent.actor].marks.get(mark, 0)
        yield from change(scene, intent.actor, f"mark:{mark}", count + 1, rule)

    return effects


def ending(condition: str, what: str, rule: str) -> Action:
    """An action that ends a condition of one's own, or of somebody else."""

    def stake(scene: Scene, intent: Intent) -> Setup:
        patient = intent.target or intent.actor
        if not scene.fighters[patient].has(condition):
            refuse(intent, f"{patient} is not {condition}", rule, final=True)
        return Setup(None)

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        yield from change(scene, intent.target or intent.actor, f"condition:{condition}", False, rule)

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        return (Intent(NAMES[condition], who, (one.name,)) for one in scene.of_side(scene.fighters[who].side))

    return deed(Action(what, rule, stake, effects, candidates=candidates, targets="patient"))


NAMES = {"burning": "put-out-fire", "stuck": "free-weapon", "asleep": "wake"}


def do_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: anything else: as many actions as the GM says, and with a skill a roll."""
    count = intent.get("cost", 1)
    if not 0 <= count <= 99:
        refuse(intent, f"--cost is a number from 0 to 99, not {count}", "POOL-12", final=True)
    costs = actions(count, "POOL-12")
    if not intent.get("skill"):
        return Setup(None, (), costs)
    skill = known_skill(scene, intent, scene.fighters[intent.actor], intent.get("skill", ""))
    hand, modifiers, more = trying(scene, intent, "check", skill)
    return Setup(hand, modifiers, (*costs, *more))


def do(table: Any, hand: Any) -> Checked | None:
    """POOL-12: the roll that the GM names, if there is one."""
    return None if hand is None else check(table, hand)


def done(scene: Scene, intent: Intent, stake: Any, outcome: Checked | None) -> Iterator[Event]:
    """What it brings about is the GM's word."""
    if outcome is not None:
        yield from check_effects(scene, intent, stake, outcome)


def gain_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-15: for a crisis, where actions count."""
    _only_in_a_crisis(scene, intent)
    return Setup(None)


def _only_in_a_crisis(scene: Scene, intent: Intent) -> None:
    if not scene.open:
        refuse(intent, "actions count in a crisis alone", "POOL-15", "crisis init WHO… --open", final=True)


def gain(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-15: an action more, at once."""
    yield from shift(scene, intent.actor, "actions", 1, "POOL-15")


def steal_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-15: from what is left of the opponent's own turn; at any other time from its next refresh."""
    _only_in_a_crisis(scene, intent)
    victim = scene.fighters[intent.target]
    if victim.side == scene.fighters[intent.actor].side:
        refuse(intent, f"{victim.name} is no opponent", "POOL-15")
    now = victim.name in scene.acting
    if now and victim.pools["actions"] < 1:
        refuse(intent, f"{victim.name} has no action left in this turn", "POOL-15", "wait until it is over")
    if not now and all_stolen(victim):
        count = victim.sheet["actions"]
        refuse(intent, f"all {count} actions of {victim.name}'s next turn are stolen", "POOL-15", final=True)
    return Setup(now)


def steal(scene: Scene, intent: Intent, now: bool, outcome: Any) -> Iterator[Event]:
    """POOL-15: the thief has it at once."""
    yield from stolen_from(scene, intent.target, scene.fighters[intent.target].pools["actions"])
    yield from shift(scene, intent.actor, "actions", 1, "POOL-15")


def _victims(scene: Scene, who: str) -> Iterator[Intent]:
    return (Intent("steal-action", who, (foe.name,)) for foe in scene.foes(who))


ACTS = {
    "aim": deed(
        Action("Aim: critical threshold −2", "POOL-20", no_stake, marked(AIM, "POOL-20")), AIM, SUPPORTED
    ),
    "accurate": deed(
        Action("Take one's time: minimum roll −1", "POOL-30", no_stake, marked(ACCURATE, "POOL-30")),
        ACCURATE, SUPPORTED,
    ),
    "put-out-fire": ending("burning", "Put out the fire", "POOL-38"),
    "free-weapon": ending("stuck", "Pull the weapon free", "POOL-24"),
    "wake": ending("asleep", "Wake somebody", "POOL-38"),
    "do": deed(
        Action("Do anything else", "POOL-12", do_stake, done, do, options=("cost", "skill", *SPENDING)), costs=()
    ),
    "gain-action": Action(
        "An action for a bonus die", "POOL-15", gain_stake, gain,
        costs=(Cost("bonus-dice", rule="POOL-15"),), window="any",
    ),
    "steal-action": Action(
        "An opponent's action for a destiny die", "POOL-15", steal_stake, steal,
        costs=(Cost("destiny-dice", rule="POOL-15"),), window="any", targets="one", candidates=_victims,
    ),
}  # fmt: skip


# ---- The turn order (POOL-8, POOL-9), quick reactions (POOL-10), what turns give (POOL-11), and the end of a crisis

TIES = 24
"""How often a tie is rolled again before the order of naming settles it."""
PAIR = 1
"""POOL-34: the action more of whoever fights with two weapons."""


class Runner(NamedTuple):
    """What counts for one fighter's place in the turn order."""

    name: str
    dice: int
    plus: int
    quickness: int
    deftness: int
    alert: Hand


class Started(NamedTuple):
    """The turn order, and who has a quick reaction."""

    order: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    quick: tuple[str, ...]
    spent: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By fighter, what was spent on the apprehension check (POOL-7)."""


def init_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-8: everyone's quickness; POOL-10: everyone's apprehension."""
    for option in ("surprise", "initiator"):
        if intent.get(option):
            refuse(intent, f"there is no extra turn before the first: --{option} gives none", "POOL-8")
    modifiers: list[Modifier] = []
    runners = []
    for number, name in enumerate(grouped(scene, intent)):
        fighter = scene.fighters[name]
        dice = dice_for(fighter, "initiative", "quickness")
        found = standing(fighter, "initiative", "initiative")
        found += [] if number else circumstance(intent, "initiative")
        alert, alerting = resisting(scene, name, "alert", "apprehension")
        modifiers += [one._replace(against=name) for one in (*dice, *found, *alerting)]
        values = fighter.sheet["attributes"]
        runners.append(
            Runner(
                name,
                max(0, total(dice, "initiative dice")),
                total(found, "initiative"),
                values["quickness"],
                values["deftness"],
                alert,
            )
        )
    return Setup((tuple(runners), tuple(intent.get("order", ()))), tuple(modifiers))


def initiative(table: Any, stake: tuple[tuple[Runner, ...], tuple[str, ...]]) -> Started:
    """POOL-8: everyone rolls; then everyone checks apprehension; POOL-9: ties by quickness, deftness, as those who
    tie have agreed, or new rolls."""
    runners, agreed = stake
    scores = {one.name: _score(table, one) for one in runners}
    alerts = [(one.name, *table.ask(alert, one.alert)) for one in runners]
    quick = tuple(name for name, won, _ in alerts if won)
    spent = tuple((name, used) for name, _, used in alerts if used)

    def rank(one: Runner) -> tuple[int, int, int]:
        return -scores[one.name], -one.quickness, -one.deftness

    order: list[str] = []
    for _, tied in groupby(sorted(runners, key=rank), key=rank):
        order += table.ask(settled, _score, tuple(tied), agreed, TIES)
    return Started(tuple(order), tuple((name, scores[name]) for name in order), quick, spent)


def _score(table: Any, one: Runner, tied: tuple[str, ...] = ()) -> int:
    table.label("initiative", one.name, f"{one.dice}d6!" if one.dice else "", **tie(tied))
    score: int = table.ask(summed, one.dice) + one.plus
    table.result(total=score)
    return score


def alert(table: Any, hand: Hand) -> tuple[bool, tuple[str, ...]]:
    """A rule, POOL-10: whether an apprehension check succeeds, and what was spent on it."""
    found, used = successes(table, "alert", hand)
    return found > 0, used


def line_up(scene: Scene, intent: Intent, stake: Any, outcome: Started) -> Iterator[Event]:
    """The turn order; one action for those who are quick to react, none for the others, until their first turn."""

    def ahead(new: str, other: str) -> bool:
        values = [scene.fighters[name].sheet["attributes"] for name in (new, other)]
        mine, theirs = ((one["quickness"], one["deftness"]) for one in values)
        return mine > theirs

    yield from lined_up(scene, intent, outcome, "POOL-8", ahead)  # type: ignore[arg-type]
    for who, used in outcome.spent:
        yield from taken(scene, who, used)
    if scene.open:
        for name in intent.targets:
            has = int(leader_of(scene, intent, name) in outcome.quick)
            yield from change(scene, name, "actions", has, "POOL-10")


INIT = Action(
    "Roll for the turn order", "POOL-8", init_setup, line_up, initiative, window="table", targets="many"
)


def refresh(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-11: actions as many as a turn has; POOL-15: less what was stolen; POOL-34: one more with two weapons."""
    fighter = scene.fighters[intent.actor]
    stolen = fighter.marks.get(STOLEN, 0)
    count = fighter.sheet["actions"] + fighter.sheet["circumstance"].get("actions", 0)
    count += PAIR if paired(fighter) else 0
    helpless = idle(fighter)[0] in ("dead", "dying")
    yield from change(scene, intent.actor, "actions", 0 if helpless else max(0, count - stolen), "POOL-11")
    yield from change(scene, intent.actor, f"mark:{STOLEN}", 0, "POOL-15")


def turn_ends(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """POOL-13: everyone may react anew; walking along has had its action."""
    yield from change(scene, intent.actor, f"mark:{WALKED}", 0, "POOL-12")
    for other in scene.fighters.values():
        yield from change(scene, other.name, f"mark:{REACTED}", 0, "POOL-14")


def restored(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """POOL-24: armour is put in order when the crisis is over."""
    for fighter in scene.fighters.values():
        for kind in PROTECTION:
            pool = f"protection:{kind}"
            if pool in fighter.pools:
                yield from change(scene, fighter.name, pool, fighter.full(pool), "POOL-24")


PHASES = {
    "start-round": ROUND,
    "start-turn": Action("Actions for the turn", "POOL-11", no_stake, refresh, window="table"),
    "end-turn": Action("Reactions anew", "POOL-13", no_stake, turn_ends, window="table"),
    "end-crisis": Action("Armour is put in order", "POOL-24", no_stake, restored, window="table"),
}
