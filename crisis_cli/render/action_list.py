"""The list of `crisis act --list`: legal actions with their targets and costs, the others with the reason why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..engine.legal_actions import Barred, LegalAction
from ..engine.ranking import NEXT
from ..engine.scene import Intent, Scene
from ..engine.system import Action, System
from .command_text import VERBS, at_prompt, slug, typed
from .jsontext import VERSION
from .ranking import cost
from .style import Ink

OUT = {"out": "out of turn", "any": "at any time"}
"""When an action is possible, if not only in the actor's own turn."""


def action_list(
    who: str,
    can: Iterable[LegalAction],
    cannot: Iterable[Barred],
    scene: Scene,
    system: System,
    ink: Ink,
    width: int,
    folded: bool = False,
) -> Iterator[str]:
    """Two lists: the legal actions by name, and the others with why they are not possible.

    `folded` lists the others first and only by name, so that the legal actions are next to the prompt, and numbers
    these.
    """
    ways: dict[str, list[LegalAction]] = {}
    for one in can:
        ways.setdefault(one.intent.action, []).append(one)
    bars = list(cannot)
    numbers = {action: f"{number:>2}  " if folded else "" for number, action in enumerate(ways, start=1)}
    column = ink.widest((*ways, *(one.action for one in bars))) + (4 if folded else 0)
    room = max(20, width - column - 4)
    lead = " " * (column + 4)
    if folded and bars:
        names = ", ".join(each.action for each in bars)
        why = ink.way(f"? {bars[0].action}" if ink.prompt else "act --list")
        wrapped = ink.wrapped(f"{who} cannot now: {names} (why not: {why})", width - 2)
        yield from (ink("dim", line if not at else f"  {line}") for at, line in enumerate(wrapped))
        bars = []
    # If the question is about a single action and it is refused, only the refusal is shown.
    if ways or len(bars) != 1:
        on = f" To end the turn: {ink.way(NEXT)}" if who in scene.acting else ""
        yield ink("bold", f"{who} can") if ways else f"{ink('bold', f'{who} has no action left.')}{on}"
    for action, some in ways.items():
        row = system.actions[action]
        costs = dict.fromkeys(cost(one.costs, system, " + ") or "free" for one in some)
        when = OUT.get(some[0].window, "")
        first, *rest = ink.wrapped("; ".join(filter(None, (row.title, " or ".join(costs), when))), room)
        name = ink("bold", ink.padded(action, column - len(numbers[action])))
        yield f"  {numbers[action]}{name}  {first}"
        yield from (lead + line for line in rest)
        said = list(dict.fromkeys(typed(scene, one.intent, False) for one in some))
        if any(said):
            # The actor as a patient is named only if there are other patients.
            itself = slug(who) if any(one.intent.targets == (who,) for one in some) else "alone"
            said = [words or itself for words in said]
            yield from (lead + ink("dim", line) for line in ink.wrapped(" | ".join(said), room))
    if bars:
        yield ink("bold", f"{who} cannot")
    for each in bars:
        first, *rest = ink.wrapped(each.refusal.message, room)
        yield f"  {ink('dim', f'{ink.padded(each.action, column)}')}  {first}"
        yield from (lead + line for line in rest)
        if each.refusal.hint and each.refusal.first not in [one.action for one in bars]:
            hint = at_prompt(each.refusal.hint) if ink.prompt else each.refusal.hint
            yield from (lead + ink("dim", line) for line in ink.wrapped(hint, room))


def lines(who: str, can: Iterable[LegalAction]) -> tuple[Intent, ...]:
    """What the numbered lines of the list do, line 1 first: the only way to do something, or else the action alone."""
    ways: dict[str, list[Intent]] = {}
    for one in can:
        ways.setdefault(one.intent.action, []).append(one.intent)
    return tuple(some[0] if len(some) == 1 else Intent(action, who) for action, some in ways.items())


def records(
    who: str, can: Iterable[LegalAction], cannot: Iterable[Barred], scene: Scene, system: System
) -> Iterator[dict[str, Any]]:
    """An object for every way to do something, then one for every action that is refused."""
    for one in can:
        row = system.actions[one.intent.action]
        yield {
            "v": VERSION,
            "action": "act",
            "act": one.intent.action,
            "legal": True,
            "actor": who,
            "targets": list(one.intent.targets),
            "options": dict(one.intent.options),
            "command": typed(scene, one.intent),
            "window": one.window,
            "costs": dict(one.costs),
            "title": row.title,
            "rule": row.rule_id,
        }
    for action, refusal in cannot:
        yield {
            "v": VERSION,
            "action": "act",
            "act": action,
            "legal": False,
            "actor": who,
            "title": system.actions[action].title,
            "code": refusal.code,
            "message": refusal.message,
            "hint": refusal.hint,
            "rule": refusal.rule or None,
        }


TARGETS = {
    "one": " TARGET",
    "many": " TARGET…",
    "any": " [TARGET…]",
    "ally": " ALLY",
    "patient": " [PATIENT]",
}
"""How the targets of an action stand in its usage."""


def action_help(name: str, row: Action, system: System, ink: Ink) -> Iterator[str]:
    """What an action does and what can be typed after it; where to read its rule, and whether it is possible now."""
    thing = f" {'ITEM' if row.gear == 'items' else 'THING'}" if row.gear and name not in VERBS else ""
    other = " ACTION" if "deed" in row.options else ""
    way = " toward NAME | away | beside NAME | --to X,Y" if "to" in row.options else ""
    yield f"{ink('bold', name)}: {row.title} ({system.name}, {row.rule_id})"
    yield f"  usage: {ink.way(f'act {name}')}{thing}{other}{TARGETS.get(row.targets, '')}{way}"
    own = {option.key: option for option in system.command_options} | {
        option.name: option for option in system.command_options
    }
    for option in row.options:
        if option not in ("to", "deed"):
            about = f"  {own[option].help}" if option in own else ""
            yield f"  --{option.replace('_', '-')}{about}"
    why = f"? {name}" if ink.prompt else f"act {name} --list"
    yield ink(
        "dim", f"  possible now, at what cost: {ink.way(why)}; the rule: {ink.way(f'rules {row.rule_id}')}"
    )
