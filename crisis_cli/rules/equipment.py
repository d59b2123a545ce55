"""Weapons and items that a fighter carries: drawing, reloading and using them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..engine.changes import Changes
from ..engine.scene import Intent, Scene, slug
from ..engine.system import Action, Cost, Setup, refuse

Price = Callable[[str, Mapping[str, Any]], tuple[Cost, ...]]
"""What a thing by its name and its table on the sheet costs beyond the costs of the row."""


def no_more(name: str, thing: Mapping[str, Any]) -> tuple[Cost, ...]:
    """The price of a weapon or item that costs nothing beyond the costs of the row."""
    return ()


def supplies(
    sheet: Mapping[str, Any], rounds: Callable[[Mapping[str, Any]], int] | None = None
) -> dict[str, int]:
    """The full pools of everything on a sheet that runs out: rounds of weapons and uses of items, by pool name.

    `rounds(weapon)` gives the rounds of a full weapon, 0 if it needs none; the default is its `capacity`.
    """
    held = {name: rounds(one) if rounds else one.get("capacity", 0) for name, one in sheet["weapons"].items()}
    uses = {f"uses:{name}": one["uses"] for name, one in sheet["items"].items() if "uses" in one}
    return {f"ammo:{name}": number for name, number in held.items() if number} | uses


def in_hand(scene: Scene, intent: Intent, name: str, rule: str, readies: str = "draw") -> None:
    """Refuse an action with a weapon or item (`name`) that the actor does not hold; only in a crisis.

    `readies` is the action that the hint suggests to take it in hand.
    """
    who = scene.fighters[intent.actor]
    if scene.open and name not in who.held:
        hint = f"{readies} it first: crisis act {slug(who.name)} {readies} {slug(name)}"
        refuse(intent, f"{who.name} does not have the {name} in hand", rule, hint, code="not_in_hand")


def patients(action: str) -> Callable[[Scene, str], Iterator[Intent]]:
    """The `candidates` function of an action on a fighter of the same side: one intent for each."""

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        return (Intent(action, who, (one.name,)) for one in scene.of_side(scene.fighters[who].side))

    return candidates


def each(action: str, listed: str, key: str = "thing") -> Callable[[Scene, str], Iterator[Intent]]:
    """The `candidates` function of an action with a thing: one intent for each thing in the sheet's tables.

    `listed` names the tables, such as "weapons items"; the intent holds the thing as its option `key`.
    """

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        return (Intent(action, who, (), {key: name}) for name in scene.fighters[who].carried(listed))

    return candidates


def use_action(
    name: str, title: str, rule: str, costs: tuple[Cost, ...], says: str | Mapping[str, str]
) -> Action:
    """The row of the action `name`: use an item that has uses left; players decide what else happens."""

    def setup(scene: Scene, intent: Intent) -> Setup:
        items = scene.fighters[intent.actor].sheet["items"]
        item = intent.get("item") or (next(iter(items)) if len(items) == 1 else "")
        if item not in items:
            carried = f"{intent.actor} carries {', '.join(items) or 'nothing'}"
            refuse(
                intent,
                f"{intent.actor} must say what to use",
                rule,
                carried,
                final=True,
                code="missing_argument",
            )
        used = (Cost(f"uses:{item}", rule=rule),) if "uses" in items[item] else ()
        return Setup(item, costs=used, gear=item)

    row = Action(title, rule, setup, costs=costs, options=("item",), says=says)
    return _of_one(row, name, "items", "item")


def _of_one(row: Action, name: str, listed: str, key: str = "thing") -> Action:
    """The row `name` of an action with one thing, offered for each that a table of the sheet lists."""
    return row._replace(gear=listed, candidates=each(name, listed, key))


def draw_action(rule: str, costs: tuple[Cost, ...] = (), says: str = "", price: Price = no_more) -> Action:
    """The row of drawing a weapon; the one in hand before is put away."""

    def setup(scene: Scene, intent: Intent) -> Setup:
        fighter = scene.fighters[intent.actor]
        weapons = fighter.sheet["weapons"]
        name = intent.get("thing") or (next(iter(weapons)) if len(weapons) == 1 else "")
        others = [one for one in weapons if one not in fighter.held]
        to_draw = f"to draw: {', '.join(others)}" if others else ""
        if name not in weapons:
            refuse(
                intent,
                f"{fighter.name} must say which weapon to draw",
                rule,
                to_draw,
                final=True,
                code="missing_argument",
            )
        if name in fighter.held:
            refuse(
                intent,
                f"{fighter.name} has the {name} in hand already",
                rule,
                to_draw,
                code="in_hand_already",
            )
        return Setup(name, (), price(name, weapons[name]), name)

    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        changes.hold(intent.actor, (setup.gear,), rule)

    row = Action("Ready a weapon", rule, setup, effects, costs=costs, says=says)
    return _of_one(row, "draw", "weapons")


def reload_action(
    rule: str,
    costs: tuple[Cost, ...],
    *,
    loads: str,
    title: str = "Fill a weapon",
    says: str = "",
    price: Price = no_more,
    takes: Callable[[Mapping[str, Any]], bool] = lambda weapon: "capacity" in weapon,
) -> Action:
    """The row of reloading a weapon to its capacity; `loads` is the name for what is loaded, such as "rounds".

    `takes` says of a weapon on the sheet whether it can be reloaded.
    """

    def setup(scene: Scene, intent: Intent) -> Setup:
        fighter = scene.fighters[intent.actor]
        weapons = fighter.sheet["weapons"]
        able = [one for one in (*fighter.held, *weapons) if one in weapons and takes(weapons[one])]
        name = intent.get("thing") or (able[0] if able else "")
        if name not in able:
            what = f"the {name} takes no {loads}" if name else f"{fighter.name} has nothing to reload"
            refuse(intent, what, rule, final=True, code="cannot_reload")
        left = fighter.pools[f"ammo:{name}"]
        if left >= fighter.full(f"ammo:{name}"):
            refuse(
                intent, f"the {name} of {fighter.name} is full: {left} {loads}", rule, final=True, code="full"
            )
        return Setup(name, (), price(name, weapons[name]), name)

    def effects(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
        pool = f"ammo:{setup.gear}"
        changes.set(intent.actor, pool, changes.fighter(intent.actor).full(pool), rule)

    return _of_one(Action(title, rule, setup, effects, costs=costs, says=says), "reload", "weapons")
