"""Weapons and items that a fighter carries: the one in use, and drawing, reloading and using them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..engine.action_parts import kind_of
from ..engine.changes import Changes
from ..engine.scene import UNARMED, Fighter, Intent, Scene, slug
from ..engine.system import Action, Cost, Opponents, Says, Setup, refuse

Thing = Mapping[str, Any]
"""A weapon or an item, as the sheet has it."""
Sentences = str | Mapping[str, str]
"""The sentence for an action, or several by variant, as `Action.says` takes them."""
Price = Callable[[str, Thing], tuple[Cost, ...]]
"""What a thing, by its name and its table on the sheet, costs beyond the costs of the row."""
ANYTHING = "object"
"""The name of any object at hand, where such things can be thrown."""
ATTACK_SAYS = {
    "melee": "{actor} swings the {gear} at {target}",
    "ranged": "{actor} fires the {gear} at {target}",
    "thrown": "{actor} throws the {gear} at {target}",
    "unarmed": "{actor} goes for {target} with bare hands",
}
"""The sentences of an attack by the kind of weapon, as `Action.says` takes them."""


def supplies(sheet: Mapping[str, Any], rounds: Callable[[Thing], int] | None = None) -> dict[str, int]:
    """The full pools of everything on a sheet that runs out, by the name of the pool: rounds of weapons, uses of
    items.

    `rounds(weapon)` gives the rounds of a full weapon, 0 if it needs none; by default its `capacity`.
    """
    held = {name: rounds(one) if rounds else one.get("capacity", 0) for name, one in sheet["weapons"].items()}
    uses = {f"uses:{name}": one["uses"] for name, one in sheet["items"].items() if "uses" in one}
    return {f"ammo:{name}": number for name, number in held.items() if number} | uses


# What is in hand


def in_hand(scene: Scene, intent: Intent, name: str, rule: str, readies: str = "draw") -> None:
    """Refuse an action with a weapon or item (`name`) that the actor does not hold; outside a crisis everything is in
    hand.

    `readies` is the action by which the thing is taken in hand, for the hint.
    """
    who = scene.fighters[intent.actor]
    if scene.open and name not in who.held:
        hint = f"{readies} it first: crisis act {slug(who.name)} {readies} {slug(name)}"
        what = f"{who.name} does not have the {name} in hand"
        refuse(intent, what, rule, hint, code="not_in_hand", first=readies)


def weapon_in_use(
    scene: Scene,
    intent: Intent,
    rule: str,
    unarmed: Thing,
    kinds: tuple[str, ...] = (),
    throws: str = "",
    as_thrown: Callable[[Thing], Thing] | None = None,
) -> tuple[str, Thing]:
    """The weapon of an attack, as (name, entry on the sheet): that of `--weapon`, else the one in hand, else bare
    hands.

    `unarmed` is the entry of bare hands. With `kinds`, the default is a weapon of these kinds, in hand or else on the
    sheet. In a crisis a weapon that is not in hand is refused by `rule`.

    `throws` is the rule of the action `throw`, which takes only weapons of these kinds, by default "thrown"; then
    other actions take any. If anything can be thrown, `as_thrown(entry)` gives what an entry is when it is thrown, and
    for an empty entry what any object at hand is (`--weapon object`), the default if there is no such weapon.
    """
    fighter = scene.fighters[intent.actor]
    weapons: Mapping[str, Thing] = fighter.sheet["weapons"]
    throwing = bool(throws) and intent.action == "throw"
    if throws:
        kinds = (kinds or ("thrown",)) if throwing else ()
    name = intent.get("weapon") or ""
    if not name:
        in_reach = (*fighter.held, *weapons) if kinds else fighter.held
        fitting = (
            one for one in in_reach if one in weapons and (not kinds or kind_of(weapons[one]) in kinds)
        )
        name = next(fitting, ANYTHING if throwing and as_thrown else UNARMED)
    if as_thrown and name == ANYTHING and name not in weapons:
        if not throwing:
            hint = f"crisis throw {slug(intent.target)} --weapon {ANYTHING}"
            refuse(intent, "an object is thrown", throws, hint, final=True, code="wrong_item")
        return name, as_thrown({})
    if name != UNARMED:
        in_hand(scene, intent, name, rule)
    weapon = unarmed if name == UNARMED else weapons[name]
    if throwing and as_thrown:
        if name == UNARMED:
            refuse(intent, "bare hands cannot be thrown", throws, final=True, code="wrong_item")
        return name, as_thrown(weapon)
    if throwing and kind_of(weapon) not in kinds:
        what = "nothing to throw" if name == UNARMED else f"no way to throw the {name}"
        hint = "only weapons of the kind thrown can be thrown"
        refuse(intent, f"{fighter.name} has {what}", throws, hint, final=True, code="wrong_item")
    return name, weapon


# Actions with one thing


def _named(intent: Intent, key: str, things: Iterable[str], purpose: str, rule: str, hint: str) -> str:
    """The thing that the option `key` names, or the only one there is; Refused where it is not clear which."""
    listed = tuple(things)
    name: str = intent.get(key) or (listed[0] if len(listed) == 1 else "")
    if name not in listed:
        what = f"{intent.actor} must say {purpose}"
        refuse(intent, what, rule, hint, final=True, code="missing_argument")
    return name


def use_action(
    name: str, title: str, rule: str, costs: tuple[Cost, ...], says: Sentences, besides: str = ""
) -> Action:
    """The row of the action `name`: use up one use of an item. What the item does is left to the players.

    Items that have the key `besides` on the sheet are not offered: another action uses them.
    """

    def setup(scene: Scene, intent: Intent) -> Setup:
        items = scene.fighters[intent.actor].sheet["items"]
        carried = f"{intent.actor} carries {', '.join(items) or 'nothing'}"
        item = _named(intent, "item", items, "what to use", rule, carried)
        used = (Cost(f"uses:{item}", rule=rule),) if "uses" in items[item] else ()
        return Setup(item, costs=used, gear=item)

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        items = scene.fighters[who].sheet["items"].items()
        return (Intent(name, who, (), {"item": item}) for item, thing in items if besides not in thing)

    return Action(
        title,
        rule,
        setup,
        costs=costs,
        gear="items",
        ai=Opponents(candidates),
        options=("item",),
        says=Says(says),
    )


def draw_action(
    rule: str,
    costs: tuple[Cost, ...] = (),
    says: str = "",
    price: Price = lambda name, weapon: (),
    *,
    gear: str = "weapons",
    holds: Callable[[Fighter, str], Iterable[str]] = lambda fighter, drawn: (drawn,),
    thrown: tuple[str, ...] = ("thrown",),
) -> Action:
    """The row of `draw`: take a weapon in hand, or a thing of the tables `gear` of the sheet; what was in hand is put
    away.

    `price(name, entry)` gives further costs. `holds(fighter, drawn)` gives all that the fighter then holds, if that is
    more than the thing drawn. In a system with the option `away`, that thing leaves the hands first. A weapon
    whose kind is among `thrown` is refused if none is left.
    """

    def setup(scene: Scene, intent: Intent) -> Setup:
        fighter = scene.fighters[intent.actor]
        things = fighter.carried(gear)
        others = ", ".join(one for one in things if one not in fighter.held)
        to_draw = f"to draw: {others}" if others else ""
        name = _named(intent, "thing", things, "what to draw", rule, to_draw)
        if name in fighter.held:
            what = f"{fighter.name} has the {name} in hand already"
            refuse(intent, what, rule, to_draw, code="in_hand_already")
        if kind_of(things[name]) in thrown and not fighter.pools.get(f"ammo:{name}", 1):
            refuse(intent, f"{fighter.name} has no {name} left", rule, to_draw, code="used_up")
        if (away := intent.get("away")) and away not in fighter.held:
            in_hand_now = f"in hand: {', '.join(fighter.held) or 'nothing'}"
            what = f"{fighter.name} does not have the {away} in hand"
            refuse(intent, what, rule, in_hand_now, final=True, code="not_in_hand")
        return Setup(name, (), price(name, things[name]), name)

    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        fighter = changes.fighter(intent.actor)
        kept = tuple(one for one in fighter.held if one != intent.get("away"))
        changes.hold(intent.actor, holds(fighter._replace(held=kept), setup.gear), rule)

    return Action(
        "Ready a weapon",
        rule,
        setup,
        effects,
        costs=costs,
        gear=gear,
        ai=Opponents.handling("draw", gear),
        says=Says(says),
    )


def reload_action(
    rule: str,
    costs: tuple[Cost, ...],
    *,
    loads: str,
    title: str = "Fill a weapon",
    says: str = "",
    price: Price = lambda name, weapon: (),
    takes: Callable[[Thing], bool] = lambda weapon: "capacity" in weapon and kind_of(weapon) != "thrown",
) -> Action:
    """The row of `reload`: fill a weapon to its capacity. `loads` is the noun for what is loaded, such as "rounds".

    `price(name, entry)` gives further costs; `takes(entry)` says whether a weapon can be reloaded.
    """

    def setup(scene: Scene, intent: Intent) -> Setup:
        fighter = scene.fighters[intent.actor]
        weapons = fighter.sheet["weapons"]
        able = [one for one in (*fighter.held, *weapons) if one in weapons and takes(weapons[one])]
        name = intent.get("thing") or next(iter(able), "")
        if name not in able:
            is_thrown = bool(name) and kind_of(weapons[name]) == "thrown"
            why = "is thrown, not loaded" if is_thrown else f"takes no {loads}"
            what = f"the {name} {why}" if name else f"{fighter.name} has nothing to reload"
            refuse(intent, what, rule, final=True, code="cannot_reload")
        left = fighter.pools[f"ammo:{name}"]
        if left >= fighter.full(f"ammo:{name}"):
            what = f"the {name} of {fighter.name} is full: {left} {loads}"
            refuse(intent, what, rule, final=True, code="full")
        return Setup(name, (), price(name, weapons[name]), name)

    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        pool = f"ammo:{setup.gear}"
        fighter = changes.fighter(intent.actor)
        filled = changes.number(rule).add("renewed", fighter.full(pool) - fighter.pools[pool])
        changes.adjust(intent.actor, pool, filled, rule)

    return Action(
        title,
        rule,
        setup,
        effects,
        costs=costs,
        gear="weapons",
        ai=Opponents.handling("reload", "weapons"),
        says=Says(says),
    )
