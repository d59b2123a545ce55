"""Conditions, death, healing and other uses of items (3D6-14 to 3D6-17, 3D6-27, 3D6-29)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...rules import (
    Action,
    Amount,
    Changes,
    Condition,
    Cost,
    End,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    amount,
    item_candidates,
    refuse,
    sum_of,
)

REACH = 2
"""3D6-29: how far treatment reaches, in metres."""
HEALED = ("endurance", "health")
"""3D6-29: the pools that items restore, in the order of their dice."""


def stun_ends(scene: Scene, who: str) -> End | None:
    """3D6-17: at the end of this round, or of the next for a fighter who has already acted (a reading)."""
    return ("end-round", scene.round + scene.acted(who)) if scene.open else None


CONDITIONS = {
    "dead": Condition(
        "dead",
        "3D6-27",
        when=lambda fighter: fighter.pools["health"] <= 0,
        defeated="dead",
        cannot_act=True,
        ends="{who} is alive again.",
    ),
    "stunned": Condition("stunned", "3D6-17", stun_ends, lasting=False, cannot_act=True),
    "drunk": Condition("drunk", "3D6-15", ends="{who} is sober again."),
    "prone": Condition("prone", "3D6-16", ends="{who} is on their feet again."),
    "hidden": Condition("hidden", "3D6-14", lasting=False, ends="{who} is seen again."),
}


class Dose(NamedTuple):
    """What an item gives."""

    who: str
    item: str
    endurance: Amount
    health: Amount


class Treated(NamedTuple):
    """What a treatment came to, before the pools' maximum."""

    success: bool
    total: int
    endurance: int
    health: int

    @property
    def word(self) -> str:
        """In one word."""
        return "healed" if self.total else "done"


def use_setup(scene: Scene, intent: Intent) -> Setup:
    """3D6-29: an item with uses left, on oneself or someone in reach; refused for the dead."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.target or intent.actor]
    item = item_in_use(intent, fighter)
    thing = fighter.sheet["items"][item]
    can_be_treated(scene, intent, fighter, patient)
    if "uses" in thing and not fighter.pools[f"uses:{item}"]:
        refuse(intent, f"the {item} of {fighter.name} is used up", "3D6-29", "use something else")
    heals = thing.get("heals", {})
    full = all(patient.pools[pool] >= patient.full(pool) for pool in heals)
    dose = {pool: Amount() if full else amount(heals.get(pool, 0)) for pool in HEALED}
    found = Modifiers("heal", "3D6-29")
    first = next((pool for pool in HEALED if dose[pool].many), "")
    if first:
        found.situational(fighter, "heal").asked(intent)
        dose[first] = dose[first]._replace(plus=dose[first].plus + found.total)
    used = (Cost(f"uses:{item}", rule="3D6-29"),) if "uses" in thing and not (heals and full) else ()
    return Setup(Dose(fighter.name, item, **dose), tuple(found), used, item)


def item_in_use(intent: Intent, fighter: Fighter) -> str:
    """The item asked for; else the first that heals and is not used up, or the only one for other uses."""
    items: dict[str, Any] = fighter.sheet["items"]
    healing = [name for name, thing in items.items() if thing.get("heals")]
    left = [name for name in healing if fighter.pools.get(f"uses:{name}", 1) > 0]
    heals = intent.action == "heal"
    fitting = left or healing if heals else list(items) if len(items) == 1 else []
    name: str = intent.get("item") or intent.get("thing") or next(iter(fitting), "")
    carried = f"{fighter.name} carries {', '.join(items) or 'nothing'}"
    if name not in items:
        what = "nothing that heals" if heals else "nothing to use"
        refuse(intent, f"{fighter.name} has {what}", "3D6-29", carried, final=True)
    if heals and name not in healing:
        refuse(intent, f"the {name} heals nothing", "3D6-29", carried, final=True)
    return name


def can_be_treated(scene: Scene, intent: Intent, fighter: Fighter, patient: Fighter) -> None:
    """Refuse the treatment of the dead, and of someone out of reach (3D6-29)."""
    if patient.pools["health"] <= 0:
        refuse(intent, f"{patient.name} is dead", "3D6-29", final=True)
    distance = scene.distance(fighter.name, patient.name)
    if distance is not None and distance > REACH:
        refuse(intent, f"{patient.name} is {distance} m away; treating reaches {REACH} m", "3D6-29")


def use(table: RuleTable, dose: Dose) -> Treated:
    """3D6-29: what the item gives, Endurance before Health."""
    endurance = table.ask(restored, dose.who, dose.endurance)
    health = table.ask(restored, dose.who, dose.health)
    return Treated(True, endurance + health, endurance, health)


def restored(table: RuleTable, who: str, dice: Amount) -> int:
    """What an item gives to one pool, never below 0."""
    if not dice.many:
        return max(0, dice.plus)
    table.label("heal", who, dice.dice)
    points = max(0, sum_of(table, dice))
    table.result(total=points)
    return points


def restore(changes: Changes, intent: Intent, setup: Setup, treated: Treated) -> None:
    """3D6-29: never above the maximum."""
    for pool in HEALED:
        changes.adjust(intent.target or intent.actor, pool, getattr(treated, pool), "3D6-29")


HEAL = Action(
    "Treat wounds with an item",
    "3D6-29",
    use_setup,
    restore,
    use,
    costs=(Cost("ap", 2, "ap", "3D6-14"),),
    gear="items",
    candidates=item_candidates("heal", "heals"),
    targets="patient",
    options=("item",),
    says={"": "{actor} treats {target} with the {gear}", "self": "{actor} uses the {gear} on {actor}"},
)
USE_ITEM = HEAL._replace(
    title="Use an item",
    candidates=item_candidates("use-item"),
    says={"": "{actor} uses the {gear} on {target}", "self": "{actor} uses the {gear}"},
)
