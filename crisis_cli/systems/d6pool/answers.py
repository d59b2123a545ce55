"""Reactions of others in the middle of an action (POOL-14): announced after its dice, resolved before it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...engine.events import Event, apply_all, shift
from ...engine.record import Modifier
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Setup, nothing, refuse
from .attack import Blow, Struck, reaction_paid
from .conditions import follow, hearts, idle
from .deeds import able, noted, reacts
from .defence import Faced, Toll, answered
from .luck import repaid
from .rolls import thrown
from .steps import Steps, one_step

ATTACK = "attack"


class Answered(NamedTuple):
    """An action, and the attacks on its actor that answer it."""

    deed: Any
    blows: tuple[Blow, ...]
    hearts: int
    """How many wounds put the actor out."""
    before: int = 0
    """How many of those attacks come before the target's own reaction."""


class Outcome(NamedTuple):
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
        tolls.append(table.ask(struck, blow._replace(guard=guard)))
        hearts -= tolls[-1].harm
        if hearts <= 0:
            break
    return tuple(tolls)


def struck(table: Any, blow: Blow) -> Toll:
    """A rule: one attack as a reaction; nobody reacts to a reaction (a reading)."""
    hits, used = thrown(table, ATTACK, blow.hand)
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


def _meant(intent: Intent, who: str, action: str, row: Action) -> Intent:
    targets = (intent.actor,) if row.targets == "one" else (who,) if row.targets == "patient" else ()
    return Intent(action, who, targets, {"unaware": [intent.actor]} if action == ATTACK else {})


def _answers(
    scene: Scene, intent: Intent, rows: Mapping[str, Action]
) -> Iterator[tuple[Intent, Action, Setup]]:
    """Every answer with its stake; Refused where it is no reaction."""
    for who, action in announced(scene, intent):
        row = rows.get(action)
        if row is None or row.out_of_turn is not reacts or (row.rule is not nothing and action != ATTACK):
            able_to = ", ".join(
                name for name, one in rows.items() if one.out_of_turn is reacts and one.rule is nothing
            )
            refuse(intent, f"{action} is no answer", "POOL-14", f"it can be {ATTACK}, {able_to}", final=True)
            continue
        meant = _meant(intent, who, action, row)
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
            if meant.action == ATTACK:
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
            return Outcome(False, None, 0, None, tolls, True, repaid=used)
        faced = table.ask(steps.react, stake.deed, rolled)
        tolls = table.ask(struck_back, late, stake.hearts, tolls)
        if _harm(tolls) >= stake.hearts:
            did = faced or Faced(0, 0, 0)
            return Outcome(False, None, 0, None, tolls, True, did.reaction, used, did.bought, did.spent)
        deed = table.ask(steps.rest, stake.deed, rolled, faced)
        total, criticals = getattr(deed, "total", None), getattr(deed, "criticals", 0)
        return Outcome(getattr(deed, "success", None), total, criticals, deed, tolls, False)

    def effects(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
        if not isinstance(stake, Answered):
            yield from row.effects(scene, intent, stake, outcome)
            return
        tolls = list(outcome.tolls)
        for meant, other, setup in _answers(scene, intent, rows):
            if meant.action == ATTACK:
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
        if isinstance(outcome, Outcome):
            deed = None if outcome.lost else row.bare(outcome.deed)
            return outcome._replace(total=None, criticals=0, deed=deed)
        return row.bare(outcome)

    return row._replace(
        setup=stake, rule=rule, effects=effects, outputs=outputs, bare=bare, options=(*row.options, "answer")
    )
