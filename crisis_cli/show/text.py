"""Entries as a player reads them: what someone did, how the dice fell, what it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any

from ..play.events import SIDE, Event
from ..play.record import Entry, Roll
from ..play.scene import Scene
from ..systems.system import System
from .data import HIDDEN
from .ink import Ink
from .phrases import DECIDING, DEEDS, GONE, SETS, begun, ended, listed, remarks
from .pictures import signed
from .reasons import TACIT, handed, reason
from .throws import dice, measured, place, rolled, volley, worded

CLOCK = ("init", "join", "leave", "next", "end")
"""Intents with which turns begin and end."""


def told(entry: Entry, scene: Scene, system: System, ink: Ink, explain: bool = False) -> list[str]:
    """An entry in a few lines; `scene` is one in which its fighters are known."""
    if entry.intent.action == "next":
        lines = [*rolled(entry, entry.rolls), *_changes(entry, system, ink)]
        if any(event.what == "round" and not event.who for event in entry.events):
            lines.insert(0, "")
    else:
        lines = [*_deed(entry, scene, ink), *(f"  {line}" for line in _changes(entry, system, ink))]
        left = _left(entry, system)
        if left and lines:
            lines[0] += ink("dim", f" ({left})")
    lines += [
        ink("yellow", f"  {name.capitalize()} counts up to {most}; the rest is spent for nothing.")
        for name, most in entry.outcome.get("surplus", ())
    ]
    lines += [f"  {ink('yellow', 'forced')}: {reason}" for reason in entry.forced]
    if entry.intent.get("why"):
        lines.append(f"  {ink('dim', 'because')}: {entry.intent.get('why')}")
    lines[:0] = _waits(entry, ink)
    if isinstance(entry.intent.get("reason"), Mapping) and entry.intent.action != "next":
        lines.append(f"  {ink('dim', reason(entry.intent.get('reason')))}")
    if explain:
        lines += explained(entry, ink)
    return lines


def _waits(entry: Entry, ink: Ink) -> Iterator[str]:
    """Why someone ends a turn who could have gone on; that there is nothing left to pay with goes without saying."""
    said = entry.intent.get("reason")
    if entry.intent.action == "next" and isinstance(said, Mapping) and said.get("key") not in TACIT:
        yield f"{ink('bold', entry.intent.actor + ' waits.')} {ink('dim', reason(said))}"


def _deed(entry: Entry, scene: Scene, ink: Ink) -> list[str]:
    """What someone did and how the first dice fell, then the other dice; the verdict behind those that decide."""
    head = headline(entry, scene, ink)
    if entry.intent.action in ("init", "join"):
        return [head, *_order(entry)]
    if not entry.rolls:
        return [head + ("" if entry.intent.action == "note" else _verdict(entry, ink))]
    if entry.rolls[0].about.get("shot"):
        return [f"{head}:", *volley(entry, entry.rolls[0].what, ink)]
    at = next((place for place, roll in enumerate(entry.rolls) if roll.what in DECIDING), 0)
    rolls = (*entry.rolls[at:], *entry.rolls[:at])
    first = rolls[0]
    same = [*takewhile(lambda one: (one.what, one.who) == (first.what, first.who), rolls)]
    shown = " · ".join(dice(one, entry.modifiers) for one in same)
    lines = [f"{head}: {shown}", *rolled(entry, rolls[len(same) :])]
    decides = 0 if "success" in first.reckoning else -1
    lines[decides] += _verdict(entry, ink, first if not decides else None)
    return lines


def headline(entry: Entry, scene: Scene, ink: Ink) -> str:
    """What someone did."""
    intent, outcome = entry.intent, entry.outcome
    if intent.action == "next":
        return ""
    gear = outcome.get("gear", "")
    actor = scene.fighters.get(intent.actor)
    kind = "unarmed" if gear == "unarmed" else ""
    if actor and gear:
        weapon = actor.sheet.get("weapons", {}).get(gear, {})
        kind = kind or weapon.get("kind") or weapon.get("type", "")
        # Claws and teeth are no bare hands.
        kind = "" if kind == "unarmed" and gear != "unarmed" else kind
    if intent.action in ("heal", "use-item") and intent.target in ("", intent.actor):
        kind = "self"
    names = [f"{intent.action}:{kind}", intent.action]
    if not gear:
        names = [*(f"{name.rstrip(':')}:bare" for name in names), *names]
    phrase = next((DEEDS[name] for name in names if name in DEEDS), None)
    if phrase is None:
        phrase = "{actor}: " + intent.action.replace("-", " ") + (" at {target}" if intent.targets else "")
    if outcome.get("word") == "paid":
        return f"{intent.actor} works on it: {intent.action} {gear}".rstrip()
    if intent.action == "set":
        return ink("bold", _set(entry))
    if intent.action == "note":
        return f"{ink('bold', phrase)}: {intent.get('text', '')}"
    if intent.action == "auto":
        return ink("bold", handed(entry))
    aimed = place(intent.get("at")) if intent.get("at") else ""
    words = phrase.format(
        actor=intent.actor,
        target=" and ".join(dict.fromkeys(intent.targets)) or aimed or intent.actor,
        gear=gear,
        skill=intent.get("skill", ""),
        deed=intent.get("deed", ""),
        what=str(intent.get("what", "")).replace(":", " "),
    )
    return ink("bold", words)


def _set(entry: Entry) -> str:
    """What the GM's hand did, in words."""
    kind, _, name = str(entry.intent.get("what", "")).partition(":")
    who = entry.intent.target
    said = SETS.get(kind, "The GM sets {whose} {kind}").format(
        who=who, whose=f"{who}’" if who.endswith("s") else f"{who}’s", kind=kind.replace("-", " "), name=name
    )
    return said if entry.events else f"{said}: it is so already"


def _verdict(entry: Entry, ink: Ink, roll: Roll | None = None) -> str:
    outcome = entry.outcome
    word = outcome.get("word", "")
    if word == "paid":
        return f", {outcome['paid']} of {outcome['of']} paid."
    gone = next((f" {measured(outcome[key], unit)}" for key, unit in GONE.items() if key in outcome), "")
    if not word:
        return f"{gone}."
    unit = outcome.get("unit", "m")
    past = f", and lands past {' and '.join(entry.intent.targets)}" if outcome.get("past") else ""
    off = f"; it lands {measured(outcome['off'], unit)} off" if outcome.get("off") else ""
    at = f", at {place(outcome['at'])}" if off and outcome.get("at") else ""
    return f"{gone} — {worded(word, entry, roll, ink)}{past}{off}{at}."


def _order(entry: Entry) -> Iterator[str]:
    faces: dict[str, list[str]] = {}
    for roll in entry.rolls:
        if roll.what == "initiative":
            faces.setdefault(roll.who, []).append(dice(roll, entry.modifiers))
    if "teams" in entry.outcome:
        yield from _teams(entry, faces)
        return
    for rank, (who, score) in enumerate(entry.outcome.get("scores", ()), start=1):
        thrown = "; tie: ".join(faces.get(who, []))
        yield f"  {rank:2}. {who}  {score}" + (f"   {thrown}" if thrown else "")
    yield from rolled(entry, [roll for roll in entry.rolls if roll.what != "initiative"])


def _teams(entry: Entry, faces: dict[str, list[str]]) -> Iterator[str]:
    """Those who act at the same time under one number; then what sides rolled to settle a tie."""
    names = {name for team in entry.outcome["teams"] for name in team}
    for rank, team in enumerate(entry.outcome["teams"], start=1):
        for at, who in enumerate(team):
            thrown = "; tie: ".join(faces.get(who, []))
            yield (f"  {rank:2}. " if not at else "      ") + who + (f"   {thrown}" if thrown else "")
    yield from (f"  {who}: {'; tie: '.join(rolled)}" for who, rolled in faces.items() if who not in names)


def _changes(entry: Entry, system: System, ink: Ink) -> Iterator[str]:
    """What an entry changed: the clock first, then who lost or gained what, then whose turn it is."""
    clock = [event for event in entry.events if not event.who]
    yield from (ink("cyan", said) for event in clock if (said := _begun(event)))
    yield from (line for event in clock if event.what == "pending" for line in _waiting(event, system))
    pools: dict[str, list[str]] = {}
    sentences: list[str] = []
    for event in entry.events:
        sentences += _lost(event, entry)
        if not event.who or event.what.startswith(HIDDEN):
            continue
        kind = system.POOLS.get(event.what)
        shown = "" if kind and kind.spent else _pool(event, system)
        if shown:
            pools.setdefault(event.who.removeprefix(SIDE), []).append(shown)
        sentences += _sentence(event, ink, entry)
    width = max(map(len, pools), default=0)
    yield from (f"{who:<{width}}  {' · '.join(changes)}" for who, changes in pools.items())
    yield from sentences
    yield from (ink("dim", said) for said in remarks(entry))
    yield from (ink("dim", f"{who} is skipped: {why}.") for who, why in entry.outcome.get("skipped", ()))
    yield from (ink("dim", line) for line in _gained(entry, system))
    group = next((event.now for event in clock if event.what == "group" and not event.was), ())
    if len(group) > 1:
        yield ink("bold", f"{listed(group)} act at the same time, in any order.")
        return
    turns = [event.now for event in clock if event.what == "turn" and event.now]
    # A turn that comes back to the same fighter is no change, and the player wants to know all the same.
    turn = turns[-1] if turns else entry.outcome.get("turn") if entry.intent.action == "next" else ""
    if turn:
        yield ink("bold", f"{turn}’s turn.")


def _waiting(event: Event, system: System) -> Iterator[str]:
    """Harm that counts when the group is done."""
    for who, what, by, _ in event.now[len(event.was) :]:
        yield f"{who}: {_label(what, system)} −{-by}, when all who act now are done."


def _begun(event: Event) -> str:
    """The sentence for a round that begins, or the extra turn before the first."""
    if event.what == "early" and event.now:
        return f"An extra turn before the first round for {' and '.join(event.now)}."
    return f"Round {event.now} begins." if event.what == "round" and event.now else ""


def _gained(entry: Entry, system: System) -> Iterator[str]:
    """What rounds and turns give to pay actions with: one quiet line a pool."""
    gains: dict[str, list[str]] = {}
    for who, what, was, now, _ in entry.events:
        kind = system.POOLS.get(what)
        if kind and kind.renewed and entry.intent.action in CLOCK:
            continue
        if who and kind and kind.spent and (who != entry.intent.actor or now > was):
            gains.setdefault(kind.label, []).append(f"{who} {was} → {now}")
    yield from (f"{label}: {', '.join(told)}" for label, told in gains.items())


def _left(entry: Entry, system: System) -> str:
    """What the actor has left of what the action cost."""
    spent = [
        event for event in entry.events if event.who == entry.intent.actor and event.what in system.POOLS
    ]
    return ", ".join(
        f"{event.now} {_counted(system.POOLS[event.what].label, event.now)} left"
        for event in spent
        if system.POOLS[event.what].spent and event.now < event.was
    )


def _counted(label: str, count: int) -> str:
    """What so many of a pool are called."""
    return label[:-1] if count == 1 and label.endswith("s") else label


def _pool(event: Event, system: System) -> str:
    label = _label(event.what, system)
    return f"{label} {event.was} → {event.now}" if label else ""


def labelled(what: str, system: System) -> str:
    """What the player calls anything that can change."""
    return _label(what, system) or what.replace(":", " ").replace("condition ", "")


def _label(what: str, system: System) -> str:
    """What the player calls a pool; empty for what is none."""
    kind, _, thing = what.partition(":")
    pool = system.POOLS.get(kind) or system.SIDE_POOLS.get(kind)
    return "" if pool is None else f"{thing} {pool.label}" if thing else pool.label


def _lost(event: Event, entry: Entry) -> list[str]:
    """What was paid into a long action and is gone, because something else was done."""
    _, _, what = event.what.removeprefix("mark:").partition(":")
    action, _, gear = what.partition(":")
    if event.now or not event.what.startswith("mark:paid:") or entry.intent.action == action:
        return []
    return [f"The {event.was} paid into {action} {gear}".rstrip() + " are lost."]


def _sentence(event: Event, ink: Ink, entry: Entry) -> list[str]:
    kind, _, name = event.what.partition(":")
    if kind == "condition":
        died = any((one.who, one.what) == (event.who, "condition:dead") and one.now for one in entry.events)
        if died and not event.now:
            return []
        if isinstance(event.now, bool) or not event.now or not event.was:
            said = begun(event.who, name) if event.now else ended(event.who, name)
            level = f" (level {event.now})" if not isinstance(event.now, bool) and event.now > 1 else ""
            return [ink("red" if name == "dead" and event.now else "yellow", said[:-1] + level + said[-1])]
        return [f"{event.who}: {name.replace('-', ' ')} {event.was:d} → {event.now}."]
    if kind == "at":
        return [f"{event.who} is at {event.now[0]:g},{event.now[1]:g}."] if event.now else []
    if kind == "cover":
        return [f"{event.who} is {_cover(event.now)} from {name}."]
    if kind == "held" and entry.intent.action != "draw":
        return [f"{event.who} holds {', '.join(event.now) or 'nothing'} now."]
    return []


def _cover(level: str | None) -> str:
    return f"in {level} cover" if level else "in the open, seen"


def moved(event: Event) -> str:
    """The value before and the value after."""
    return f"{_value(event.was)} → {_value(event.now)}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value)) or "nothing"
    return "none" if value is None else str(value).replace("-", "−") if isinstance(value, int) else str(value)


def explained(entry: Entry, ink: Ink) -> Iterator[str]:
    """Every modifier with its rule and where it comes from."""
    for what in dict.fromkeys((one.roll, one.against) for one in entry.modifiers):
        name, against = what
        group = [one for one in entry.modifiers if (one.roll, one.against) == what]
        total = sum(one.value for one in group)
        whose = f" of {against}" if against else ""
        yield f"  {ink('dim', 'why')} {name}{whose}: {signed(total)}"
        for one in group:
            source = f", {one.source}" if one.source else ""
            yield f"      {signed(one.value):>4}  {one.name}{source}  {ink('dim', one.rule)}"
    for event in entry.events:
        if event.who and event.rule and not event.what.startswith(HIDDEN):
            who = event.who.removeprefix(SIDE)
            yield f"  {ink('dim', 'why')} {who} {event.what}: {moved(event)}  {ink('dim', event.rule)}"


def quiet(entry: Entry) -> str:
    """The bare result: hit or miss, success or failure, the number where there is only that."""
    if entry.success is not None and entry.rolls:
        won = ("hit", "miss") if entry.intent.action in ("attack", "throw") else ("success", "failure")
        if entry.intent.action in ("heal", "use-item"):
            return str(entry.outcome.get("healed", entry.outcome.get("total", "")))
        return won[0] if entry.success else won[1]
    if "scores" in entry.outcome:
        return "\n".join(who for who, _ in entry.outcome["scores"])
    return str(entry.outcome.get("word", "done"))
