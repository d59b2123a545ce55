"""Entries as text: the action, the rolls, the changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any

from ..engine.changes import parts_of
from ..engine.core_actions import CORE_ACTIONS
from ..engine.encounter import NOBODY, Trigger
from ..engine.events import SIDE, TERRAIN
from ..engine.record import ATTACKS, EVENT, Entry, Modifier, RollRecord
from ..engine.scene import MOST_FIGHTERS, UNARMED, Intent, Scene
from ..engine.system import System
from ..engine.wording import measured, sentence
from ..errors import FileError
from .charts import place, signed
from .command_text import slug
from .dice_lines import dice, rolled, volley, worded
from .effects import changes, left, moved
from .messages import DECIDING, listed, says_where, travelled
from .reasons import BRIEF, is_repeated, is_wait, reason, waiting
from .style import Ink
from .visible import HIDDEN, in_play


@contextmanager
def legible(entry: Entry) -> Iterator[None]:
    """Raise FileError if an entry of a journal cannot be shown; a journal may hold anything."""
    with fit_to_show(f"entry {entry.number}, {entry.intent.action},"):
        yield


@contextmanager
def fit_to_show(what: str) -> Iterator[None]:
    """Raise FileError if `what`, a journal or a part of one, holds what cannot be shown."""
    try:
        yield
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        from ..engine.shapes import unfit

        raise FileError(
            f"{what} cannot be shown: {unfit(error)}",
            hint="see the differences: crisis verify",
            code="bad_journal",
        ) from error


def entry_lines(
    entry: Entry,
    scene: Scene,
    system: System,
    ink: Ink,
    explain: bool = False,
    reasons: str = BRIEF,
    past: Sequence[Entry] = (),
) -> list[str]:
    """An entry as a few lines of text.

    `scene` is any scene with its fighters; `reasons` is how much is said of the reasons of automatic fighters. What the
    entries before it, `past`, have said is not said again: why fighters are skipped and, unless all are shown, reasons.
    """
    if entry.intent.action == "next":
        lines = [*rolled(entry, entry.rolls, system), *changes(entry, scene, system, ink, past)]
        if any(event.what == "round" and not event.who for event in entry.events):
            lines.insert(0, "")
    elif entry.intent.action == "care":
        # Imported late: fights do without it.
        from .care import round_lines

        lines = [*round_lines(entry, scene, system, ink)]
    else:
        lines = _action(entry, scene, system, ink)
        done = len(lines)
        lines += (f"  {line}" for line in changes(entry, scene, system, ink, past))
        remains = left(entry, scene, system)
        if remains and lines:
            # Where shots follow, the colon stays last.
            colon = ":" if lines[0].endswith(":") else ""
            lines[0] = lines[0].removesuffix(colon) + ink("dim", f" ({remains})") + colon
    lines += [
        ink("yellow", f"  {name.capitalize()} counts up to {most}; the rest has no effect.")
        for name, most in entry.outcome.get("surplus", ())
    ]
    lines += [
        ink("dim", f"  {choice.who}: {choice.taken}, as before")
        for choice in entry.choices
        if choice.is_repeated
    ]
    lines += [f"  {ink('yellow', 'forced')}: {reason}" for reason in entry.forced]
    lines += because(entry, ink)
    lines[:0] = _waits(entry, ink, reasons)
    said = entry.reason
    is_known = reasons == BRIEF and is_repeated(entry, past)
    is_shown = said and entry.intent.action not in ("next", "care") and not is_known
    if is_shown and (words := reason(said, reasons)):
        # Before the next turn, where an action has ended the present one.
        at = done if any(event.what == "turn" for event in entry.events) else len(lines)
        lines.insert(at, f"  {ink('dim', words)}")
    if explain:
        lines += explained(entry, in_play(entry, system), ink)
    return lines


def _waits(entry: Entry, ink: Ink, level: str) -> Iterator[str]:
    """Why an automatic fighter ended its turn early; empty if it had nothing left to pay with."""
    if is_wait(entry):
        yield ink("bold", f"{entry.intent.actor} waits") + ink("dim", f"{waiting(entry.reason, level)}.")


def _action(entry: Entry, scene: Scene, system: System, ink: Ink) -> list[str]:
    """The line of the action with its deciding roll and result, then the other rolls."""
    head = headline(entry, scene, system, ink)
    if entry.intent.action == EVENT:
        return [head, *event_lines(entry, scene, system, ink)]
    if entry.intent.action in ("init", "join"):
        return [*_opening(entry, scene, ink), head, *_standing(entry, scene, ink), *_order(entry, system)]
    core = CORE_ACTIONS.get(entry.intent.action)
    if core and core.quotes:
        return [head]
    if not entry.rolls:
        return [head + _verdict(entry, scene, system, ink)]
    if core and len(entry.intent.targets) > 1:
        shown = [(one.who, dice(one, entry.modifiers, system)) for one in entry.rolls]
        return [f"{head}:", *(f"  {who}: {faces}{_in_vain(entry, who, system)}" for who, faces in shown)]
    if entry.rolls[0].about.get("shot"):
        return [f"{head}:", *volley(entry, entry.rolls[0].what, scene, system, ink)]
    at = next((place for place, roll in enumerate(entry.rolls) if roll.what in DECIDING), 0)
    rolls = (*entry.rolls[at:], *entry.rolls[:at])
    first = rolls[0]
    same = [*takewhile(lambda one: (one.what, one.who) == (first.what, first.who), rolls)]
    faces = " · ".join(dice(one, entry.modifiers, system) for one in same) + _in_vain(
        entry, first.who, system
    )
    lines = [f"{head}: {faces}", *rolled(entry, rolls[len(same) :], system)]
    decides = 0 if "success" in first.reckoning else -1
    lines[decides] += _verdict(entry, scene, system, ink, first if not decides else None)
    return lines


def _in_vain(entry: Entry, who: str, system: System) -> str:
    """What follows the dice of a rest that gives a fighter nothing back."""
    is_healed = any(event.who == who and event.what in system.pools for event in entry.events)
    return "" if is_healed or entry.intent.action != "downtime" else " — heals nothing"


def _opening(entry: Entry, scene: Scene, ink: Ink) -> Iterator[str]:
    """The title of an encounter that begins, what it is about, its text, and what wins it."""
    if entry.outcome.get("encounter"):
        yield ink("bold", str(entry.outcome["encounter"]))
        yield from encounter_opening(str(entry.outcome.get("text", "")), scene, ink)


def _standing(entry: Entry, scene: Scene, ink: Ink) -> Iterator[str]:
    """Where those stand who join a crisis in which positions are known, and how to place those who stand nowhere."""
    joined = {event.who: event.now.get("at") for event in entry.events if event.what == "fighter"}
    if any(one.at for one in scene.fighters.values()):
        for who, at in joined.items():
            way = ink.way(f"set {slug(who)} at X,Y")
            yield f"  {who} stands at {place(at)}" if at else f"  {who} has no position yet: {way}"


def encounter_opening(text: str, scene: Scene, ink: Ink) -> Iterator[str]:
    """What the encounter of a scene is about, the text with which it begins, and what wins it."""
    encounter = scene.encounter
    if encounter and encounter.about:
        yield from (*ink.wrapped(encounter.about, 80), "")
    for line in text.splitlines():
        yield from ink.wrapped(line, 80) or [""]
    if encounter:
        from .goals import cast_of, goals_block

        yield from goals_block(encounter, cast_of(scene), ink)


def event_lines(entry: Entry, scene: Scene, system: System, ink: Ink) -> Iterator[str]:
    """The rest of the text of an event, its dice, who comes and who wins by it."""
    yield from str(entry.outcome.get("text", "")).splitlines()[1:]
    yield from (f"  {one}" for one in rolled(entry, _own_rolls(entry), system))
    joined = [str(one) for one in entry.outcome.get("joined", ())]
    if joined:
        verb = "joins" if len(joined) == 1 else "join"
        yield f"  {listed(joined)} {verb} the fight, to act from the next round on"
        yield from _order(entry._replace(rolls=_without_own(entry)), system)
    if kept_out := entry.outcome.get("kept_out"):
        yield f"  {kept_out} more cannot come: a crisis holds {MOST_FIGHTERS} fighters"
    yield from (f"  {one}" for one in _new_terrain(entry, scene))
    left = [event.who for event in entry.events if event.what == "gone" and event.now]
    fallen = [name for name in left if name in scene.fighters and system.fallen(scene.fighters[name])]
    for names, verbs in ((fallen, ("is gone", "are gone")), ([*left], ("leaves", "leave"))):
        if some := [name for name in names if (name in fallen) == (names is fallen)]:
            yield f"  {listed(some)} {verbs[len(some) > 1]}"
    if entry.outcome.get("wins"):
        yield ink("bold", f"  {_winning(str(entry.outcome['wins']))}")


def _new_terrain(entry: Entry, scene: Scene) -> Iterator[str]:
    """What an entry puts on the map, with the places: "open door at 7,2 and 8,2"."""
    if scene.field is None:
        return
    from ..engine.field import GRASS, OPEN, said

    places: dict[str, list[str]] = {}
    for event in entry.events:
        if event.what.startswith(TERRAIN):
            name = said(GRASS if event.now == OPEN else scene.field.legend[event.now])
            places.setdefault(name, []).append(event.what.removeprefix(TERRAIN))
    for name, where in places.items():
        yield f"{name} at {listed(where) if len(where) <= MOST_PLACES else f'{len(where)} places'}"


MOST_PLACES = 4
"""Places of terrain that are listed; of more their number is."""


def _own_rolls(entry: Entry) -> list[RollRecord]:
    """The rolls of an event itself: whether it happens, and how many come."""
    return [roll for roll in entry.rolls if roll.what in (EVENT, "count")]


def _without_own(entry: Entry) -> tuple[RollRecord, ...]:
    return tuple(roll for roll in entry.rolls if roll.what not in (EVENT, "count", "place"))


def _winning(side: str) -> str:
    return "The encounter ends without a winner." if side == NOBODY else f"The {side} win."


def because(entry: Entry, ink: Ink) -> list[str]:
    """The line of the reason that was given for an entry; none without one."""
    why = entry.intent.get("why")
    return [f"  {ink('dim', 'because')}: {why}"] if why else []


def headline(entry: Entry, scene: Scene, system: System, ink: Ink) -> str:
    """The action as a sentence without a full stop; empty for the end of a turn."""
    if entry.intent.action == EVENT:
        return _event_headline(entry, scene, ink)
    intent, core = entry.intent, CORE_ACTIONS.get(entry.intent.action)
    phrase, about = phrased(entry, scene, system)
    words = phrase.format(**about)
    if core and core.unchanged and not entry.events:
        words = core.unchanged.format(**about, said=words)
    if core and core.quotes:
        thrown = "".join(f" [{' '.join(str(face) for _, face in roll.faces)}]" for roll in entry.rolls)
        return (
            f"{ink('bold', words)}{ink('dim', thrown)}: {entry.outcome.get('text', intent.get('text', ''))}"
        )
    return ink("bold", words) if words else ""


def phrased(entry: Entry, scene: Scene, system: System) -> tuple[str, dict[str, Any]]:
    """The sentence of an action with its gaps, such as `{actor} hides`, and what fills them."""
    intent, gear = entry.intent, entry.outcome.get("gear", "")
    core, row = CORE_ACTIONS.get(intent.action), system.actions.get(intent.action)
    says = core.says if core else row.says.sentences if row else ""
    variants = list(_variants(entry, scene, row.gear if row and not core else ""))
    phrase = sentence(says, variants, not gear)
    if not phrase and not core:
        phrase = "{actor}: " + intent.action.replace("-", " ") + (" at {target}" if intent.targets else "")
    aimed = place(intent.get("at")) if intent.get("at") else ""
    who = listed(list(dict.fromkeys(intent.targets))) or aimed or intent.actor
    what, _, name = str(intent.get("what", "")).partition(":")
    about = {
        "actor": intent.actor,
        "target": who,
        "whose": f"{who}'" if who.endswith("s") else f"{who}'s",
        "gear": gear,
        "skill": intent.get("skill") or ("a check" if intent.action == "check" else "to end it"),
        "deed": intent.get("deed", ""),
        "doctrine": intent.get("doctrine", ""),
        "title": table_title(intent),
        "question": intent.get("question", ""),
        "likely": intent.get("likely", ""),
        "value": intent.get("value", ""),
        "who": intent.get("who", ""),
        "what": what.replace("-", " "),
        "name": name,
    }
    return phrase, about


def _event_headline(entry: Entry, scene: Scene, ink: Ink) -> str:
    """The first line of an event: that of its text, else what brought it about."""
    if entry.success is False:
        return ink("dim", "Something might have happened, and does not.")
    first = str(entry.outcome.get("text", "")).partition("\n")[0]
    return ink("magenta", first or _occasion(entry, scene) or "Something happens.")


def _occasion(entry: Entry, scene: Scene) -> str:
    """What has brought an event about, as a sentence; empty where nothing but chance has."""
    trigger = trigger_of(entry, scene)
    if trigger is None:
        return ""
    from .goals import cast_of, clauses

    said = " and ".join(clauses(trigger, cast_of(scene)))
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def trigger_of(entry: Entry, scene: Scene) -> Trigger | None:
    """The event of the encounter file that came up with an entry; None if the scene has none of its number."""
    triggers = scene.encounter.triggers if scene.encounter else ()
    return next((trigger for trigger in triggers if trigger.number == entry.intent.get("event")), None)


def table_title(intent: Intent) -> str:
    """The title of the random table that is rolled on or shuffled."""
    record = intent.get("tables", {}).get(intent.get("table"), {})
    return str(record.get("title") or intent.get("title", ""))


def _variants(entry: Entry, scene: Scene, gear_lists: str) -> Iterator[str]:
    """The variants of an action's sentence that apply, the best one first."""
    intent, gear = entry.intent, entry.outcome.get("gear", "")
    core = CORE_ACTIONS.get(intent.action)
    if core:
        yield from core.variants(intent)
    if entry.outcome.get("word") == "paid":
        yield "paid"
    if len(intent.targets) > 1:
        yield "many"
    if intent.target in ("", intent.actor):
        yield "self"
    if gear == UNARMED:
        yield "unarmed"
    elif gear and intent.actor in scene.fighters:
        sheet = scene.fighters[intent.actor].sheet
        things = (sheet.get(key, {}).get(gear, {}) for key in gear_lists.split())
        kinds = (thing.get("kind") or thing.get("type", "") for thing in things)
        # Claws and teeth are no bare hands.
        yield from (kind for kind in kinds if kind != UNARMED)


def _verdict(entry: Entry, scene: Scene, system: System, ink: Ink, roll: RollRecord | None = None) -> str:
    outcome = entry.outcome
    word = entry.word
    if word == "paid":
        return f", {outcome['paid']} of {outcome['of']} paid."
    to = next((place(event.now) for event in entry.events if says_where(entry, event, system)), "")
    gone = f" {distance}{f' to {to}' if to else ''}" if (distance := travelled(entry, system)) else ""
    if not word:
        return f"{gone}."
    past = f", and lands past {' and '.join(entry.intent.targets)}" if outcome.get("past") else ""
    off = f"; it lands {measured(outcome['off'], system.space.unit)} off" if outcome.get("off") else ""
    at = f", at {place(outcome['at'])}" if off and outcome.get("at") else ""
    return f"{gone} — {worded(word, entry, roll, scene, system, ink)}{past}{off}{at}."


def _order(entry: Entry, system: System) -> Iterator[str]:
    faces: dict[str, list[str]] = {}
    for roll in entry.rolls:
        if roll.what == "initiative":
            faces.setdefault(roll.who, []).append(dice(roll, entry.modifiers, system))
    if "teams" in entry.outcome:
        yield from _teams(entry, faces)
        return
    for rank, (who, score) in enumerate(entry.outcome.get("scores", ()), start=1):
        thrown = "; tie: ".join(faces.get(who, []))
        yield f"  {rank:2}. {who}  {score}" + (f"   {thrown}" if thrown else "")
    yield from rolled(entry, [roll for roll in entry.rolls if roll.what != "initiative"], system)


def _teams(entry: Entry, faces: dict[str, list[str]]) -> Iterator[str]:
    """Those who act at the same time under one number; then what sides rolled to settle a tie."""
    names = {name for team in entry.outcome["teams"] for name in team}
    for rank, team in enumerate(entry.outcome["teams"], start=1):
        for at, who in enumerate(team):
            thrown = "; tie: ".join(faces.get(who, []))
            yield (f"  {rank:2}. " if not at else "      ") + who + (f"   {thrown}" if thrown else "")
    yield from (f"  {who}: {'; tie: '.join(rolled)}" for who, rolled in faces.items() if who not in names)


def explained(entry: Entry, modifiers: Sequence[Modifier], ink: Ink) -> Iterator[str]:
    """Every modifier with its rule and where it comes from, and every effect with its parts."""
    for what in dict.fromkeys((one.roll, one.pool, one.against) for one in modifiers):
        *names, against = what
        group = [one for one in modifiers if (one.roll, one.pool, one.against) == what]
        total = sum(one.value for one in group)
        whose = f" of {against}" if against else ""
        yield f"  {ink('dim', 'why')} {' '.join(filter(None, names))}{whose}: {signed(total)}"
        for one in group:
            source = f", {one.source}" if one.source else ""
            yield f"      {signed(one.value):>4}  {one.name}{source}  {ink('dim', one.rule)}"
    for event in entry.events:
        if event.who and event.rule and not event.what.startswith(HIDDEN):
            who = event.who.removeprefix(SIDE)
            yield f"  {ink('dim', 'why')} {who} {event.what}: {moved(event)}  {ink('dim', event.rule)}"
            for part in parts_of(event):
                yield f"      {signed(part.value):>4}  {part.name}  {ink('dim', part.rule)}"


def quiet(entry: Entry) -> list[str]:
    """The lines for `--quiet`: hit or miss, success or failure, or else a number; the names of a turn order."""
    core = CORE_ACTIONS.get(entry.intent.action)
    if entry.intent.action == "oracle":
        return [f"{entry.outcome['answer']} {entry.outcome['degree']}".rstrip()]
    if core and core.quotes:
        return [str(entry.outcome.get("text", entry.intent.get("text", "")))]
    if entry.success is not None and entry.rolls:
        won = ("hit", "miss") if entry.intent.action in ATTACKS else ("success", "failure")
        if entry.intent.action == "heal" or entry.word == "healed":
            return [str(entry.outcome.get("healed", entry.outcome.get("total", "")))]
        return [won[0] if entry.success else won[1]]
    if "scores" in entry.outcome:
        return [who for who, _ in entry.outcome["scores"]]
    return [str(entry.outcome.get("word", "done"))]
