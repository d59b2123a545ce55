"""The odds of an action in words and bars, and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..engine.action_odds import ActionOdds
from ..engine.scene import Intent
from ..engine.system import System
from ..engine.wording import measured
from .chances import chance, distribution_rows, weighed
from .charts import bars, percent, signed
from .data import modifier
from .effects import bought
from .jsontext import VERSION
from .style import Ink
from .turned import conditions_of, level_records, turned, turned_briefly

ATTACKS = ("attack", "throw")


def forecast(odds: ActionOdds, system: System, ink: Ink, width: int) -> Iterator[str]:
    """The odds of an action in words and bars."""
    intent = odds.intent
    is_rest = intent.action == (system.rest.action or "rest")
    yield ink("bold", _rest(intent) if is_rest else _headline(odds))
    if is_rest and not (odds.effects or odds.levels or odds.down):
        yield "  heals nothing"
        return
    if odds.success is not None:
        yield f"  {'hit' if intent.action in ATTACKS else 'success'}  {percent(*odds.success)}"
    for name, (ways, total) in odds.any_harm.items():
        if ways or intent.action in ATTACKS:
            yield f"  any harm to {name}  {percent(ways, total)}"
    if odds.criticals is not None and len(odds.criticals.ways) > 1:
        chances = ", ".join(
            f"{count}: {percent(ways, odds.criticals.total)}"
            for count, ways in sorted(odds.criticals)
            if count
        )
        yield f"  criticals  {chances}"
    for paid in bought(odds.prepared.payment.events if odds.prepared else (), system):
        yield f"  {paid}"
    for name, (ways, total) in odds.down.items():
        yield f"  {name} out of the fight  {percent(ways, total)}"
    yield from (f"  {line}" for line in turned(odds, system))
    for name, pools in odds.effects.items():
        for what, distribution in pools.items():
            if len(distribution.ways) == 1 and name == intent.actor:
                yield f"  {name}'s {_label(system, what)}: {signed(next(iter(distribution.ways)))}"
                continue
            yield f"{_whose(name, odds)} {_label(system, what)}: {signed(distribution.mean(), '.2f')} on average"
            yield from bars(distribution, ink, width)
    if odds.totals is not None:
        yield f"{odds.counted}: {odds.totals.mean():.2f} on average"
        # Where every total is as likely as any other there is nothing to see.
        if len(set(odds.totals.ways.values())) > 1:
            yield from bars(odds.totals, ink, width)
    if odds.truncated:
        yield ink("dim", "chains of dice are followed until going on is less likely than 1e-9")
    if sums_up(odds, system, ink):
        # Last, so that it stands nearest to the prompt.
        yield f"{ink('bold', 'In short:')} {'; '.join(_short(odds, system))}"


def _headline(odds: ActionOdds) -> str:
    """Who does what, to which targets and with what."""
    intent, gear = odds.intent, odds.prepared.setup.gear if odds.prepared else ""
    who = f" {' and '.join(intent.targets)}" if intent.targets else ""
    return f"{intent.actor}: {intent.action}{who}" + (f" with the {gear}" if gear else "")


def _rest(intent: Intent) -> str:
    """Who rests, and for how long where that is said."""
    length = [measured(count, unit) for unit in ("days", "hours") if (count := intent.get(unit, 0))]
    return " for ".join([f"{intent.actor}: rest", *length])


def sums_up(odds: ActionOdds, system: System, ink: Ink) -> bool:
    """Whether the last line sums up the others: at the prompt, where there is something to sum up."""
    return ink.prompt and any(_short(odds, system))


def _short(odds: ActionOdds, system: System) -> Iterator[str]:
    """The chances and means in a few words."""
    if odds.success is not None:
        yield f"{'hit' if odds.intent.action in ATTACKS else 'success'} {percent(*odds.success)}"
    for name, pools in odds.effects.items():
        if name != odds.intent.actor:
            means = ", ".join(
                f"{signed(law.mean(), '.2f')} {_label(system, what)}" for what, law in pools.items()
            )
            yield f"{name} {means}"
    if all(name == odds.intent.actor for name in odds.effects):
        yield from turned_briefly(odds, system)
    for name, (ways, total) in odds.down.items():
        if ways:
            yield f"{name} out of the fight {percent(ways, total)}"


def _whose(name: str, odds: ActionOdds) -> str:
    """Whose pool it is: a fighter's, or that of a side."""
    return f"{name}'s" if name in (odds.intent.actor, *odds.down) else f"{name.removesuffix('s')}s'"


def _label(system: System, what: str) -> str:
    kind, _, thing = what.partition(":")
    label = (system.pools.get(kind) or system.side_pools[kind]).label
    return f"{thing} {label}" if thing else label


def forecast_record(odds: ActionOdds, system: System) -> dict[str, Any]:
    """The exact odds of an action for programs."""
    intent = odds.intent
    record: dict[str, Any] = {
        "v": VERSION,
        "odds": intent.action,
        "action": intent.action,
        "system": system.name,
        "actor": intent.actor or None,
        "target": intent.target or None,
        "targets": list(intent.targets),
        "success": None if odds.success is None else chance(*odds.success, odds.truncated),
    }
    if odds.totals is not None:
        record |= weighed(odds.totals)
    if odds.criticals is not None:
        record["criticals"] = distribution_rows(odds.criticals)
    record["effects"] = {}
    for who, pools in odds.effects.items():
        record["effects"][who] = {pool: weighed(distribution) for pool, distribution in pools.items()}
    record["any_harm"] = {who: chance(*ways, odds.truncated) for who, ways in odds.any_harm.items()}
    record |= level_records(odds)
    record["conditions"] = conditions_of(record["begins"])
    record["down"] = {who: chance(*ways, odds.truncated) for who, ways in odds.down.items()}
    record["modifiers"] = [{"roll": one.roll, **modifier(one)} for one in odds.modifiers]
    if odds.truncated:
        record["truncated"] = True
    return record
