"""Healing (D20-18)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from crisis_cli.rules import Amount, Changes, Cost, Intent, Modifiers, RuleTable, Scene, Setup, refuse, slug

from .checks import USUAL, CheckResult, CheckSetup, Roll, tested, with_advantage
from .conditions import is_dead, is_down
from .sheet import BESIDE


class Dose(NamedTuple):
    """What an item gives."""

    who: str
    heals: Amount
    temporary: Amount


class Treated(NamedTuple):
    """What a treatment came to."""

    success: bool
    healed: int = 0
    temporary: int = 0

    @property
    def word(self) -> str:
        """In one word."""
        return "healed" if self.success else "failure"


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-18: an item with uses left, on oneself or somebody beside."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    items: Mapping[str, Any] = fighter.sheet["items"]
    left = (one for one in items if fighter.pools.get(f"uses:{one}", 1) > 0)
    name = intent.get("item") or intent.get("thing") or next(left, next(iter(items), ""))
    if name not in items:
        refuse(intent, f"{fighter.name} has nothing that heals", "D20-18", final=True)
    can_treat(scene, intent)
    item = items[name]
    extra = Modifiers("heal", "D20-18").asked(intent)
    heals, temporary = Amount.of(item.get("heals", 0)), Amount.of(item.get("temporary", 0))
    dose = Dose(patient.name, heals._replace(plus=heals.plus + extra.total), temporary)
    flat = [
        Modifiers(roll, "D20-18").add("flat", given.plus, source=f"items.{name}")
        for roll, given in (("heal", heals), ("temporary", temporary))
        if given.many
    ]
    used = (Cost(f"uses:{name}", rule="D20-18"),) if "uses" in item else ()
    return Setup(dose, Modifiers.lines_of(extra, *flat), used, name, carried=item["cures"])


def can_treat(scene: Scene, intent: Intent) -> None:
    """D20-18: refused for the dead, and for somebody out of reach."""
    patient = scene.fighters[intent.patient]
    if is_dead(patient):
        refuse(intent, f"{patient.name} is dead", "D20-18", final=True)
    gap = scene.distance(intent.actor, patient.name)
    if gap is not None and gap > BESIDE:
        refuse(intent, f"{patient.name} is {gap} ft away; hands reach {BESIDE} ft", "D20-18")


def second_wind_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-18: a ten-sided die and one."""
    found = Modifiers("heal", "D20-18").add("flat", 1)
    return Setup(Dose(intent.actor, Amount(1, 10, found.total), Amount()), Modifiers.lines_of(found), carried=())


def dose(table: RuleTable, setup: Dose) -> Treated:
    """D20-14, D20-18: hit points, then temporary ones."""
    healed = table.ask(Amount.roll, "heal", setup.who, setup.heals)
    return Treated(True, healed, table.ask(Amount.roll, "temporary", setup.who, setup.temporary))


def restore(changes: Changes, intent: Intent, setup: Setup, treated: Treated) -> None:
    """D20-18: hit points up to the most; D20-14: the better temporary ones count."""
    who = setup.dice.who
    recover(changes, who, treated.healed)
    changes.set(who, "temporary", max(treated.temporary, changes.pool(who, "temporary")), "D20-14")
    for condition in setup.carried:
        changes.end(who, condition, "D20-18")


def recover(changes: Changes, who: str, points: int) -> None:
    """D20-16: a creature with hit points again starts its death saves anew."""
    changes.adjust(who, "hp", points, "D20-18")
    if points:
        changes.adjust(who, "failures", -3, "D20-16")
        changes.adjust(who, "successes", -3, "D20-16")


# Rest

LONG = 8
"""D20-24: the hours of a long rest."""


class RestResult(NamedTuple):
    """What a rest came to."""

    success: bool
    healed: int = 0

    @property
    def word(self) -> str:
        """In one word."""
        return "rested"


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-24: a hit die for a hurt fighter in a short rest; no dice for others."""
    patient = scene.fighters[intent.patient]
    is_long = bool(intent.get("days")) or intent.get("hours", 1) >= LONG
    healing = Modifiers("heal", "D20-24")
    if is_long or is_down(patient) or not patient.pools["hit-dice"] or patient.pools["hp"] >= patient.full("hp"):
        return Setup(Dose(patient.name, Amount(), Amount()), carried=is_long)
    healing.add("constitution", patient.sheet["abilities"]["constitution"], source="ability").asked(intent)
    dose = Dose(patient.name, Amount(1, 8, healing.total), Amount())
    return Setup(dose, tuple(healing), carried=is_long)


def rest(table: RuleTable, setup: Dose) -> RestResult:
    """D20-24: what the hit die gives."""
    return RestResult(True, table.ask(Amount.roll, "heal", setup.who, setup.heals))


def rested(changes: Changes, intent: Intent, setup: Setup, result: RestResult) -> None:
    """D20-24: the stable come to; a short rest gives a hit die and what recharges, a long one nearly all."""
    who, is_long = setup.dice.who, setup.carried
    patient = changes.fighter(who)
    if is_down(patient):
        recover(changes, who, 1)
    elif is_long:
        regain(changes, who, "hp", patient.full("hp"))
        regain(changes, who, "slots", patient.full("slots"))
        regain(changes, who, "hit-dice", max(1, patient.full("hit-dice") // 2))
        changes.set(who, "temporary", 0, "D20-24")
        changes.end(who, "poisoned", "D20-24")
    else:
        changes.adjust(who, "hit-dice", -bool(setup.dice.heals.many), "D20-24")
        recover(changes, who, result.healed)
    regain(changes, who, "second-wind", 1)
    for name, spell in patient.sheet["spells"].items():
        if "recharge" in spell or (is_long and "uses" in spell):
            regain(changes, who, f"charge:{name}", patient.full(f"charge:{name}"))


def regain(changes: Changes, who: str, pool: str, points: int) -> None:
    """D20-24: points back in a pool, never more than it holds."""
    lacks = changes.fighter(who).full(pool) - changes.pool(who, pool)
    changes.adjust(who, pool, changes.number("D20-24").add("rest", min(points, lacks)), "D20-24")


def can_rest(scene: Scene, intent: Intent) -> None:
    """D20-24: not in a fight, and neither the dead nor the dying."""
    patient = scene.fighters[intent.patient]
    if scene.open:
        hint = "end this one first: crisis end"
        refuse(intent, "a rest is taken between crises", "D20-24", hint, code="open")
    if is_dead(patient):
        refuse(intent, f"{patient.name} is dead", "D20-24", final=True, code="already_dead")
    if patient.has("dying"):
        hint = f"stabilise them first: crisis heal WHO {slug(patient.name)} --stabilise"
        refuse(intent, f"{patient.name} is dying", "D20-24", hint, final=True, code="condition_forbids")


# First aid


def aid_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-18: medicine against 10."""
    can_treat(scene, intent)
    fighter = scene.fighters[intent.actor]
    found = with_advantage(tested("check", "D20-5", fighter, "medicine"), intent)
    return Setup(
        CheckSetup(Roll("check", fighter.name, found.total, found.net_advantage), USUAL), Modifiers.lines_of(found)
    )


def stabilise(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """D20-16: as good as three death saves."""
    changes.adjust(intent.target, "successes", 3 * result.success, "D20-18")
