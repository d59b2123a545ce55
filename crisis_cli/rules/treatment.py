"""Treatment of wounds: the row of `heal`, and the item that is used."""

from __future__ import annotations

from collections.abc import Callable

from ..engine.scene import Fighter, Intent, Scene
from ..engine.system import Action, Cost, Opponents, Requirement, Says, Setup, refuse
from .equipment import Thing


def heal_action(
    title: str,
    rule: str,
    setup: Callable[[Scene, Intent], Setup],
    effects: Callable[..., None],
    roll: Callable[..., object],
    costs: tuple[Cost, ...],
    options: tuple[str, ...],
    words: tuple[str, str] | None = None,
    counts: str = "",
    requires: tuple[Requirement, ...] = (),
) -> Action:
    """The row of `heal`: treat `intent.patient`, a fighter of the actor's side or the actor, with an item or without.
    `roll(table, dice)` is its rule.

    `words` are those for success and failure, and `counts` is what odds call its total. The row takes its item from the
    table `items` of the sheet, and its sentences speak of treating. Where sheets have no `items`, or the sentences do
    not fit, replace both: `heal_action(...)._replace(gear="", says=Says("{actor} gives {target} rum"))`."""
    return Action(
        title,
        rule,
        setup,
        effects,
        roll,
        costs,
        gear="items",
        ai=Opponents.treating("heal"),
        targets="patient",
        options=options,
        requires=requires,
        says=Says(
            {
                "": "{actor} treats {target} with the {gear}",
                "bare": "{actor} treats {target}",
                "self": "{actor} uses the {gear} on {actor}",
                "self:bare": "{actor} treats their own wounds",
            },
            words,
            counts,
        ),
    )


def aid_in_use(
    intent: Intent, fighter: Fighter, fits: Callable[[Thing], object], rule: str, unfit: str
) -> tuple[str, tuple[Cost, ...]]:
    """The item to treat with, and what its use costs: that of `--item`, else the first with `fits(item)` that has uses
    left, else none ("").

    `unfit` is the message for an item that does not fit, with {item}; the hint lists those that do.
    """
    fitting = {name: item for name, item in fighter.sheet["items"].items() if fits(item)}
    named: str = intent.get("item") or ""
    if named and named not in fitting:
        listed = f"{fighter.name} carries {', '.join(fitting) or 'nothing for it'}"
        refuse(intent, unfit.format(item=named), rule, listed, final=True, code="wrong_item")
    used = named or next((one for one in fitting if fighter.pools.get(f"uses:{one}", 1) > 0), "")
    return used, (Cost(f"uses:{used}", rule=rule),) if "uses" in fitting.get(used, ()) else ()
