"""Actions that every system has: opening a crisis, turns, GM overrides, joining, leaving, the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..dice.table import Table
from ..errors import Refused, Usage
from ..values import NamedTuple
from .arrivals import comes_in, goes_out, init, turns_passed
from .care import care
from .changes import Changes
from .conditions import set_condition
from .consequences import Resolution, put, settle
from .events import SIDE, TERRAIN, Event, apply_all, change
from .kinds import guess
from .question_settings import AGAIN, QUESTIONS
from .rest import rest
from .rule_change import RuleChange
from .scene import Intent, Scene
from .sides import bounds, victor, within
from .turns import Clock, next_turn

if TYPE_CHECKING:
    from .system import System


def gm_set(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """GM override: set a pool, condition, position, cover, or the weapons in hand; Refused if that is impossible."""
    what, value = intent.get("what", ""), intent.get("value")
    who = intent.target
    if what == "order" and not who:
        return Resolution(_set_order(scene, tuple(value)), {"what": what})
    if what.startswith(TERRAIN) and not who:
        return Resolution(_set_terrain(scene, what, str(value)), {"what": what})
    if not who:
        return Resolution(_set_of_scene(system, scene, what, value), {"what": what})
    events = _set_side(system, scene, who, what, value) if who not in scene.fighters else None
    if events is None:
        events = _set_fighter(system, scene, who, what, value)
    done = settle(system, scene, events)
    if events and not done:
        raise _cannot_be_set(system, apply_all(scene, events), who, what)
    return Resolution(done, {"what": what})


def _cannot_be_set(system: System, wanted: Scene, who: str, what: str) -> Refused:
    """The error for a value that is computed, or that the state of a fighter in the wanted scene rules out."""
    name = what.partition(":")[2] or what
    kind = system.conditions.get(name)
    if kind is None or kind.when is not None:
        return Refused(
            f"{name} of {who} is computed from other values and cannot be set",
            hint=f"set the pool it depends on: crisis set {who} POOL VALUE",
            code="follows",
        )
    rule = next((one.rule for one in system.follows(wanted, who) if one.what == what), "")
    return Refused(
        f"{who} cannot be {kind.title} in this state ({rule})",
        hint=f"read the rule: crisis rules {rule}",
        code="follows",
        rule=rule,
    )


def _set_order(scene: Scene, first: tuple[str, ...]) -> tuple[Event, ...]:
    """The turn order with some fighters first, the others after them as they stood."""
    if scene.teams:
        raise Refused("fighters act in groups here, whose order follows from the sides", code="in_groups")
    return change(scene, "", "order", (*first, *(name for name in scene.order if name not in first)))


def _set_of_scene(system: System, scene: Scene, what: str, value: Any) -> tuple[Event, ...]:
    """A counter of the scene, or all cards of a deck put back: `counter:doom`, `deck:action`."""
    kind, _, name = what.partition(":")
    changes = Changes(scene)
    if kind == "counter" and name in system.counters:
        number = _whole(name, value)
        within(name, "the scene", number, (0, None))
        changes.count(name, number - scene.counter(name))
    elif kind == "deck" and name in system.decks:
        changes.shuffle(name)
    else:
        raise Usage(f"{system.name} has no {kind} called {name!r}", code="unknown_counter")
    return changes.events


def _set_terrain(scene: Scene, what: str, word: str) -> tuple[Event, ...]:
    """Another entry of the legend at a cell: `terrain:7,2`."""
    from .field import spelled

    field = scene.field
    if field is None:
        raise Refused(
            "this crisis has no map",
            hint="give fighters positions and cover instead: crisis set WHO at X,Y",
            code="no_map",
        )
    x, _, y = what[len(TERRAIN) :].partition(",")
    cell, key = field.cell((float(x), float(y))), field.key_of(word)
    if not field.has(cell):
        raise Usage(f"{x},{y} is not on the map", hint="look at it: crisis map", code="bad_value")
    if key is None:
        known = (scene.known_field or field).names()
        raise Usage(
            f"the map has no terrain called {word!r}{guess(word, known)}",
            hint=f"terrain: {', '.join(known)}",
            code="unknown_terrain",
        )
    return change(scene, "", TERRAIN + spelled(field.place(cell)), key)


def _set_side(system: System, scene: Scene, side: str, what: str, value: Any) -> tuple[Event, ...]:
    if what not in system.side_pools:
        pools = ", ".join(system.side_pools) or "none"
        raise Refused(
            f"a side in {system.name} has no pool called {what!r}",
            hint=f"pools of a side: {pools}",
            code="unknown_pool",
        )
    within(what, side, _whole(what, value), bounds(system, scene, side, what))
    return change(scene, SIDE + side, what, value)


def _set_fighter(system: System, scene: Scene, who: str, what: str, value: Any) -> tuple[Event, ...]:
    fighter = scene.fighters[who]
    kind, _, name = what.partition(":")
    if kind == "condition":
        return _set_condition(system, scene, who, name, value)
    if kind == "cover":
        return _set_cover(system, scene, who, name, value)
    if kind == "mark":
        return _set_mark(system, scene, who, name, value)
    if what == "at":
        return change(scene, who, "at", None if value is None else tuple(value))
    if what == "yielded":
        return change(scene, who, "yielded", bool(value))
    if what == "held":
        return change(scene, who, "held", tuple(value))
    if what not in fighter.pools:
        pools = ", ".join(fighter.pools)
        raise Usage(
            f"{who} has no pool called {what!r}",
            hint=f"pools: {pools}; or at X,Y, held WEAPON, condition:NAME, cover:FROM, mark:NAME",
            code="unknown_pool",
        )
    number = _whole(what, value)
    within(what, who, number, fighter.limits.get(what, (0, None)))
    return change(scene, who, what, number)


def _set_condition(system: System, scene: Scene, who: str, name: str, value: Any) -> tuple[Event, ...]:
    kind = system.conditions.get(name)
    if kind is None:
        raise Usage(
            f"{system.name} has no condition called {name!r}{guess(name, system.conditions)}",
            hint=f"conditions: {', '.join(system.conditions)}",
            code="unknown_condition",
        )
    level: int | bool = value if isinstance(value, bool) else _whole(name, value)
    within(name, who, level, (0, None))
    return set_condition(kind, scene, who, name, level)


def _set_mark(system: System, scene: Scene, who: str, name: str, value: Any) -> tuple[Event, ...]:
    """A mark of a fighter, whose name may have a key: `mark:aim`, `mark:aim:Bob`; 0 clears it."""
    kind = name.partition(":")[0]
    if kind not in system.marks:
        raise Usage(
            f"{system.name} has no mark called {kind!r}{guess(kind, system.marks)}",
            hint=f"marks: {', '.join(system.marks) or 'none'}",
            code="unknown_mark",
        )
    number = _whole(name, value)
    within(name, who, number, (0, None))
    return change(scene, who, f"mark:{name}", number)


def _set_cover(system: System, scene: Scene, who: str, from_whom: str, value: Any) -> tuple[Event, ...]:
    faults: list[Any] = []
    if value == "map" and scene.field is not None:
        return change(scene, who, f"cover:{from_whom}", None)
    value = system.space.cover.read(value, (), faults)
    if faults:
        raise Usage(f"cover {faults[0].message}", code="bad_value")
    if from_whom not in scene.fighters:
        raise Usage(
            "missing fighter: the one it has cover from",
            hint=f"crisis set {who} cover:NAME heavy",
            code="missing_argument",
        )
    # On a map "none" is a level as well: it wins over what stands between the two.
    plain_view = value == "none" and scene.field is None
    return change(scene, who, f"cover:{from_whom}", None if plain_view else value)


def _whole(what: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Usage(f"{what} takes a whole number, not {value!r}", code="bad_value")
    return value


def join(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """Fighters come in, and take their place in the turn order by a roll of their own, also those who come back."""
    clock = Clock(system, scene, intent, table)
    came = comes_in(clock, intent.targets, intent.get("fighters", ()), intent.options, table)
    clock.catch_up(intent.targets)
    return clock.done(**came.outcome)._replace(stake=came.stake, modifiers=came.modifiers)


def leave(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """Fighters go; whose turn it was passes it on."""
    clock = Clock(system, scene, intent, table)
    for who in intent.targets:
        if scene.fighters[who].gone:
            raise Refused(f"{who} has already left", code="gone")
    goes_out(clock, intent.targets)
    return clock.done()


def surrender(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """Fighters give up: they stay where they are, and are out of the fight; whose turn it was passes it on."""
    clock = Clock(system, scene, intent, table)
    for who in intent.targets:
        one = scene.fighters[who]
        if one.gone or one.yielded or system.fallen(one):
            raise Refused(f"{who} is already out of the fight", code="out")
        clock.scene = put(clock.scene, clock.events, change(clock.scene, who, "yielded", True))
    turns_passed(clock, scene)
    return clock.done()


def hand_over(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """Who decides for fighters from now on: the player or a doctrine, and which."""
    events: list[Event] = []
    for who in intent.targets:
        if intent.get("on") is not None:
            scene = put(scene, events, change(scene, who, "player", not intent.get("on")))
        if intent.get("doctrine"):
            scene = put(scene, events, change(scene, who, "mind", intent.get("doctrine")))
    return Resolution(tuple(events))


def encounter_event(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """An event of the encounter comes up."""
    from .encounter_events import happen

    return happen(system, scene, intent, table)


def end(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """The crisis is over."""
    clock = Clock(system, scene, intent, table)
    clock.settle()
    clock.phase("end-crisis")
    clock.scene = put(clock.scene, clock.events, change(clock.scene, "", "over", True))
    if scene.encounter is None:
        return clock.done()
    words, rewards = scene.encounter.ending(victor(system, scene))
    tables = [one.to_dict() for one in rewards if not one.words]
    more = {"rewards": tables} if tables else {}
    said = tuple(one.words for one in rewards if one.words)
    return clock.done(encounter=scene.encounter.name, text=words, reward=said, **more)


def note(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """A few words in the record, which change nothing."""
    return Resolution(())


def take(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """Fighters take what a fight has left: `adds` goes with what they had of it, `was`. That is on their sheets, not in
    the scene."""
    from .loot import raised

    return Resolution((), {"now": raised(intent.get("was", {}), intent.get("adds", {}))})


def draw_row(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """A row of a random table. The intent holds the tables as a journal keeps them, so that no file is needed to
    replay it; the outcome has the number and the text of the row, and the rows of other tables in it."""
    return Resolution((), _drawn(intent, table, str(intent.get("table"))))


def consult(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """The answer of the oracle to a question, and a row of the table of twists where something unexpected happens.
    The intent holds the chance of yes in percent, and the tension, which a twist lowers by 1."""
    from ..random_tables.oracle import ask

    tension, chance = int(intent.get("tension", 0)), int(intent.get("chance", 0))
    answer = ask(table, chance, tension)
    outcome: dict[str, Any] = {
        "success": answer.yes,
        "question": intent.get("question", ""),
        "likely": intent.get("likely", ""),
        "p": chance / 100,
        "answer": "yes" if answer.yes else "no",
        "degree": answer.degree,
        "text": answer.words,
        "tension": {"was": tension, "now": tension - answer.is_twist},
    }
    if answer.is_twist:
        twist = _drawn(intent, table, "twists")
        outcome |= {"twist": twist, "text": f"{answer.words} Twist: {twist['text']}"}
    return Resolution((), outcome)


def _drawn(intent: Intent, table: Table, name: str) -> dict[str, Any]:
    """A row of one of the tables that an intent holds, as an outcome."""
    from ..random_tables.draw import draw
    from ..random_tables.table import from_record

    tables = {each: from_record(each, record) for each, record in intent.get("tables", {}).items()}
    # Journals from before decks within tables were decks have none that are out.
    first, *others = draw(table, tables, name, tuple(intent.get("without", ())), intent.get("out"))
    inside = [{"table": one.table, "row": one.row, "text": one.text} for one in others]
    return {
        "table": first.table,
        "row": first.row,
        "text": first.text,
        **({"inside": inside} if inside else {}),
    }


CHANGES = (
    RuleChange(
        "init",
        2,
        "the turn order lists every member of a group",
        ("init", "join"),
        lambda was, now: bool(was.intent.get("group")),
    ),
    RuleChange(
        "join", 2, "a fighter who left and joins again rolls for a place in the turn order", ("join",)
    ),
    RuleChange(
        "downtime",
        6,
        "a rest ends postures of the stunned too",
        ("downtime",),
        lambda was, now: bool(was.intent.get("ends")) and now is not None and was.events != now.events,
    ),
)
"""Rules of every system that gave something else when older journals were written."""


class CoreAction(NamedTuple):
    """An action of the table itself, which every system has."""

    run: Callable[[System, Scene, Intent, Table], Resolution]
    says: str | Mapping[str, str] = ""
    """The sentence for it, or several by variant, as on the rows of a system; {whose} is the target's, {name} what
    stands behind the colon of what is set."""
    variants: Callable[[Intent], Iterable[str]] = lambda intent: ()
    """Which of the sentences may hold, the first that there is counting."""
    quotes: bool = False
    """Whether its text follows the sentence: that of the intent, or that of the outcome."""
    unchanged: str = ""
    """The sentence where nothing has changed, with {said} for the usual one."""


CORE_ACTIONS = {
    "init": CoreAction(init, "Turn order"),
    "next": CoreAction(next_turn),
    "set": CoreAction(
        gm_set,
        {
            "condition": "GM override: {whose} condition {name}",
            "cover": "GM override: {whose} cover from {name}",
            "at": "GM override: {whose} position",
            "held": "GM override: {whose} weapons in hand",
            "order": "GM override: the turn order",
            "mark": "GM override: {whose} mark {name} is {value} now",
            "counter": "GM override: {name} is {value} now",
            "deck": "GM override: all cards are back in the deck {name}",
            "terrain": "GM override: at {name} there is {value} now",
            "yielded": "GM override: {whose} surrender",
            "": "GM override: {whose} {what}",
        },
        variants=lambda intent: (str(intent.get("what", "")).partition(":")[0],),
        unchanged="{said} (no change)",
    ),
    "join": CoreAction(join, {"": "{target} joins the fight", "many": "{target} join the fight"}),
    "leave": CoreAction(leave, {"": "{target} leaves the fight", "many": "{target} leave the fight"}),
    "yield": CoreAction(surrender, "{target} surrenders"),
    "auto": CoreAction(
        hand_over,
        {
            "player": "You now play {target}",
            "doctrine": "{target} now plays automatically, by the doctrine {doctrine}",
            "": "{target} now plays automatically",
        },
        variants=lambda intent: (
            "player" if not intent.get("on") else "doctrine" if intent.get("doctrine") else "",
        ),
        unchanged="{target} (no change)",
    ),
    "end": CoreAction(end, "The crisis ends"),
    "event": CoreAction(encounter_event, "Event"),
    "note": CoreAction(note, "Note", quotes=True),
    "shuffle": CoreAction(note, "All rows are back in {title}"),
    "tables": CoreAction(draw_row, "{title}", quotes=True),
    "oracle": CoreAction(consult, "{question} ({likely})", quotes=True),
    QUESTIONS: CoreAction(
        note,
        {
            "": "Questions: {value}",
            "who": "Questions to {who}: {value}",
            AGAIN: "Questions: earlier answers hold no longer",
        },
        variants=lambda intent: (str(intent.get("value")), "who" * bool(intent.get("who"))),
    ),
    "tension": CoreAction(note, "GM override: tension {value}"),
    "downtime": CoreAction(
        rest,
        {
            "": "{target} rests for {value}",
            "many": "{target} rest for {value}",
            "house": "{target} rests for {value} by a house rule",
            "house many": "{target} rest for {value} by a house rule",
            "time": "{title}: these rules heal nobody by rest",
            "time many": "{title}: these rules heal nobody by rest",
        },
        variants=lambda intent: (f"{intent.get('by')} {'many' * (len(intent.targets) > 1)}".strip(),),
    ),
    "care": CoreAction(care, "{title}"),
    "fight": CoreAction(note, "Fight {value}: {title}"),
    "take": CoreAction(take, {"": "{target} takes {title}", "many": "{target} take {title}"}),
}
"""What happens at the table itself, by name, each with its sentence."""
