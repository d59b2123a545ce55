"""How every verb runs an action: find the actor and the targets, perform the intent, record it, show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from ..context import Context, DiceOptions
from ..engine.events import apply_all, revert_all
from ..engine.kinds import either, guess
from ..engine.record import EVENT, Entry
from ..engine.scene import GEAR_OPTIONS, UNARMED, Fighter, Intent, slug
from ..engine.sides import bounds, decided, left, within
from ..engine.system import System
from ..engine.validate import check_turn, prepare, row_of
from ..errors import FileError, Interrupted, Refused, Usage
from ..play.session import Session
from ..render.messages import listed
from ..render.reasons import BRIEF, is_repeated
from ..sheets.files import file_stem
from ..systems import load
from . import options as shared

# What only some actions need is imported where it is used.
if TYPE_CHECKING:
    from ..dice.table import Table
    from ..engine.journal import Crisis, Ending
    from ..sheets.journal_file import Journal

MAX_ATTEMPTS = 3
"""How often an action is performed again because another program changed the journal first."""


def actor_and_others(session: Session, words: Iterable[str], by: str | None) -> tuple[str, list[str]]:
    """The actor and the other fighters named.

    In a crisis the actor is `by`, the first one named if it can act now, or the fighter whose turn it is; in a
    one-off `by` or the first one named.
    """
    scene = session.scene
    from ..sheets.find_fighters import find_name

    if session.journal is None:
        names = _as_named(scene.fighters, (by, *words) if by else tuple(words))
        return names[0], names[1:]
    names = [find_name(scene, word) for word in words]
    if by:
        return find_name(scene, by), names
    if names and (names[0] in scene.acting or not scene.turn):
        return names[0], names[1:]
    return scene.turn, names


def sheets_of(words: Sequence[str]) -> list[str]:
    """The words that bring fighters into a one-off attack: a target that is named again is no other fighter."""
    folded = [word.casefold() for word in words]
    return [
        word
        for at, word in enumerate(words)
        if ":" in word or folded[at] == folded[0] or folded[at] not in folded[:at]
    ]


def _as_named(fighters: Iterable[str], words: Sequence[str]) -> list[str]:
    """The fighters of a one-off scene in the order in which words name them, as often as they do; then the others."""
    from ..sheets.store import copies

    # The scene holds exactly the fighters named, in that order, each copy with its own name.
    left = iter(fighters)
    found: dict[int, list[str]] = {}
    folded = [word.casefold() for word in words]
    for at, word in enumerate(words):
        first = folded.index(folded[at])
        is_again = ":" not in word and first in found
        found[at] = found[first] if is_again else list(islice(left, max(1, copies(word)[1])))
    return [*chain.from_iterable(found.values()), *left]


def actor_and_targets(
    session: Session, words: tuple[str, ...], by: str | None, force: bool
) -> tuple[str, list[str]]:
    """The attacker and its targets; Refused if an attack on its own side suggests that it is not its turn."""
    actor, targets = actor_and_others(session, words, by)
    if session.journal is None or by or len(targets) < len(words) or not actor:
        return actor, targets
    if are_all_opponents(session, actor, targets):
        return actor, targets
    if force and len(targets) > 1:
        return targets[0], targets[1:]
    raise not_their_turn(actor, targets[0])


def are_all_opponents(session: Session, actor: str, targets: list[str]) -> bool:
    """Whether no target is on the actor's side."""
    fighter_names = session.scene.fighters
    return all(fighter_names[name].side != fighter_names[actor].side for name in targets)


def only_foe(
    context: Context, session: Session, actor: str, action: str, options: Mapping[str, Any]
) -> list[str]:
    """The only opponent of a fighter who can still fight, as a list; Usage naming them if there are several, Refused if
    the fighter cannot act now whoever the target is."""
    foes = [
        one.name for one in session.scene.foes(actor) if not one.yielded and not session.system.fallen(one)
    ]
    if len(foes) > 1:
        if context.intent_handler is None and not options["force"]:
            check_turn(session.system, session.scene, Intent(action, actor))
        raise Usage(
            f"{action} whom?",
            hint=f"one of {', '.join(map(slug, foes))}",
            code="missing_argument",
        )
    return foes


def not_their_turn(turn: str, other: str) -> Refused:
    """The error for an action out of turn, or for one aimed at the actor itself by mistake."""
    if turn == other:
        return Refused(
            f"it is {turn}'s turn, and {turn} cannot be its own target",
            hint="to act for someone else: --by WHO; to override: --force",
            code="not_their_turn",
        )
    return Refused(
        f"it is {turn}'s turn, not {other}'s",
        hint="end the turn: crisis next; to override: --force",
        code="not_their_turn",
    )


def item_names(system: System, fighter: Fighter, tables: str) -> tuple[str, ...]:
    """The names in these tables of a fighter's sheet ("weapons items"); with weapons also those that need no entry."""
    names = tuple(fighter.carried(tables))
    if GEAR_OPTIONS["weapon"] in tables.split():
        names += tuple(one for one in system.single_things if fighter.sheet.get(one))
    if tables != GEAR_OPTIONS["weapon"]:
        return names
    return (*names, UNARMED, *(one for one in system.unlisted_weapons if one not in names))


def find_item(session: Session, who: str, tables: str, word: str) -> str:
    """The name of the weapon or item of a fighter that a word means; Usage if it means none or several."""
    from ..sheets.names import match_name, plain_names

    names = item_names(session.system, session.scene.fighters[who], tables)
    match = match_name(word, plain_names(names))
    if len(match.names) == 1:
        return match.names[0]
    if match.names:
        raise ambiguous_word(word, match.names)
    kind = next((option for option, table in GEAR_OPTIONS.items() if table == tables), "thing")
    owners = [
        one.name
        for one in session.scene.fighters.values()
        if match_name(word, plain_names(one.carried(tables))).is_whole
    ]
    if not owners:
        _refuse_other_system(session, tables, word)
    elsewhere = (
        f"; {listed(owners)} {'has' if len(owners) == 1 else 'have'} one" if owners else guess(word, names)
    )
    raise Usage(
        f"{who} has no {kind} called {word!r}{elsewhere}",
        hint=f"options: {', '.join(names) or 'nothing'}",
        code=f"unknown_{kind}",
    )


def ambiguous_word(word: str, names: Sequence[str]) -> Usage:
    """The error for a word that is the beginning of several names."""
    return Usage(f"{word!r} could be {either(names)}", hint="type more of the name", code="ambiguous")


def _refuse_other_system(session: Session, tables: str, word: str) -> None:
    """Raise Refused, naming the system, if the item is on sheets of another system, and on none of this one."""
    from ..sheets.check import read
    from ..sheets.names import match_name, plain_names

    foreign: Mapping[str, Any] = {}
    for _, path in session.store.all() if session.store else ():
        try:
            other = read(path, str(path)).values
        except FileError:
            continue
        theirs = plain_names(name for table in tables.split() for name in other.get(table, {}))
        if not match_name(word, theirs).is_whole:
            continue
        if other["system"] == session.system.name:
            return
        foreign = foreign or other
    if foreign:
        raise Refused(
            f"{word!r} belongs to {foreign['system']} ({foreign['name']} has one); this is {session.system.name}",
            hint="all fighters of a crisis use one system",
            code="other_system",
        )


def build_intent(
    session: Session, action: str, actor: str, targets: list[str], options: Mapping[str, Any]
) -> Intent:
    """The intent of a command, its things found on the actor's sheet."""
    from ..sheets.find_fighters import find_name
    from .system_options import intent_options, parse_assignments

    values = intent_options(options, session, action)
    for option in session.system.command_options:
        key = option.key
        if key in values and option.kind == "names":
            values[key] = [find_name(session.scene, word) for word in values[key].split(",")]
        if key in values and option.kind == "thing" and actor:
            values[key] = find_item(session, actor, session.system.carried, values[key])
        if key in values and option.kind == "answers":
            pairs = parse_assignments(option.name, values[key])
            values[key] = [[find_name(session.scene, who), doing] for who, doing in pairs]
        if key in values and option.instead:
            action = option.instead
    if "at" in values and "at" not in row_of(session.system, action).options:
        rule = row_of(session.system, action).rule_id
        raise Refused(
            f"{action} in {session.system.name} targets fighters, not a position ({rule})",
            hint=f"crisis {action} {actor} TARGET",
            rule=rule,
            code="no_position",
        )
    for key, tables in GEAR_OPTIONS.items():
        if key in values and actor:
            values[key] = find_item(session, actor, tables, values[key])
    return Intent(action, actor, tuple(targets), values)


def carry_out(context: Context, session: Session, intent: Intent, options: Mapping[str, Any]) -> int:
    """Perform an intent, record it and show it, or hand it to the context's intent handler; the exit status."""
    session = with_side_pools(session, intent)
    if context.intent_handler is not None:
        try:
            context.intent_handler(context, session, intent, options)
        except Refused as refusal:
            raise _with_alternatives(session, intent, refusal) from refusal
        return 0
    if session.journal is not None and options.get("save"):
        raise Usage(
            "--save is for one-offs",
            hint="in a crisis the sheets are written at its end: crisis end",
            code="not_in_a_crisis",
        )
    if options.get("save") and is_beside_story(context, session):
        raise Usage(
            "--save is not for campaigns: their fights and rests write the sheets, so that all can be undone",
            hint=f"make it a fight: crisis init {typed_sheets(session)} --open, the action, crisis end",
            code="not_in_a_crisis",
        )
    try:
        session = _after_responses(context, session, intent, options)
        entry, seed, session = perform_and_record(context, session, intent, options)
    except Refused as refusal:
        raise _with_alternatives(session, intent, refusal) from refusal
    try:
        show_entry(context, session, entry, seed, options)
    except KeyboardInterrupt as stopped:
        if session.journal is None or options.get("dry_run"):
            raise
        raise Interrupted(
            "stopped", hint=f"the action is done and recorded in {context.desk.places.file}: crisis log"
        ) from stopped
    return 1 if options.get("exit_status") and entry.success is False else 0


def is_beside_story(context: Context, session: Session) -> bool:
    """Whether a session is a one-off in a campaign, whose fights and rests alone write the sheets."""
    return session.journal is None and context.desk.places.story_folder is not None


def typed_sheets(session: Session) -> str:
    """The sheets of the fighters as they are typed."""
    return " ".join(file_stem(one.file) or slug(one.name) for one in session.scene.fighters.values())


def _after_responses(
    context: Context, session: Session, intent: Intent, options: Mapping[str, Any]
) -> Session:
    """The session after what automatic foes stand ready to do before an action; Refused if that is not allowed."""
    scene = session.scene
    if (
        session.crisis is None
        or options.get("dry_run")
        or options.get("no_responses")
        or intent.actor not in scene.fighters
    ):
        return session
    if not any(foe.marks and not foe.player for foe in scene.foes(intent.actor)):
        return session
    from ..ai.deciding import AutoPlayer

    autoplayer = AutoPlayer(session.system, context.desk.shelves.doctrines().named)
    while (response := autoplayer.respond(session.scene, intent, session.crisis.done)) is not None:
        prepare(session.system, session.scene, intent)
        own = {**options, **shared.NO_DICE}
        entry, seed, session = perform_and_record(context, session, response, own)
        show_entry(context, session, entry, seed, own)
        if session.crisis is None:
            break
    return session


def with_side_pools(session: Session, intent: Intent) -> Session:
    """The one-off session with the pools of the actor's side set as options say; Refused in a crisis."""
    values = {pool: intent.get(pool) for pool in session.system.side_pools if intent.get(pool) is not None}
    if not values or not intent.actor:
        return session
    scene = session.scene
    side = scene.fighters[intent.actor].side
    for pool, value in values.items():
        if session.journal is not None:
            raise Refused(
                f"the {side} have {left(scene, side, pool)} {session.system.side_pools[pool].label} here",
                hint=f"the GM may set that: crisis set {side} {pool} {value}",
                code="not_in_a_crisis",
            )
        within(pool, f"the {side}", value, bounds(session.system, scene, side, pool))
    return session._replace(scene=scene._replace(sides={**scene.sides, side: values}))


def _with_alternatives(session: Session, intent: Intent, refusal: Refused) -> Refused:
    """The refusal with the actions that the actor can take in its turn (ALL-7) added to its hint."""
    from ..engine import legal_actions

    scene = session.scene
    if not scene.open or not intent.actor or intent.action not in session.system.actions:
        return refusal
    found = [one for one in legal_actions.of(session.system, scene, intent.actor) if one.window == "turn"]
    names = list(dict.fromkeys(one.intent.action for one in found))
    refusal.about["legal"] = names
    ways = [_line_at_standing(session, intent, [one.intent for one in found])] if intent.targets else []
    if names:
        ways.append(f"{intent.actor} can {', '.join(names)}")
    refusal.hint = "; ".join(filter(None, (refusal.hint, *ways)))
    return refusal


def _line_at_standing(session: Session, intent: Intent, legal: Sequence[Intent]) -> str:
    """For an action against a foe who is out of the fight: its line against the nearest one who still stands."""
    from ..engine.geometry import distance
    from ..render.typed import typed

    system, scene = session.system, session.scene
    standing_foes = {
        one.name for one in scene.foes(intent.actor) if not one.yielded and not system.fallen(one)
    }
    if standing_foes.issuperset(intent.targets) or not are_all_opponents(
        session, intent.actor, [*intent.targets]
    ):
        return ""
    if not standing_foes:
        return ""
    ways = {one.target: one for one in reversed(legal) if one.action == intent.action}
    near = min(
        standing_foes, key=lambda name: (name not in ways, distance(system, scene, intent.actor, name) or 0)
    )
    # The options of the line stay where they are possible there.
    same = intent._replace(targets=(near,))
    try:
        prepare(system, scene, same)
    except Refused as refusal:
        closer = refusal.hint if refusal.code == "out_of_reach" else ""
        line = f"crisis {typed(scene, ways[near])}" if near in ways else closer
    else:
        line = f"crisis {typed(scene, same)}"
    return f"{near} still stands: {line}" if line else ""


def perform_and_record(
    context: Context, session: Session, intent: Intent, options: Mapping[str, Any]
) -> tuple[Entry, int | None, Session]:
    """Perform an intent and record it (unless a dry run); gives the entry, its seed, and the session after it.

    If another program has changed the journal meanwhile, it is performed again, unless real dice were rolled.
    """
    for _ in range(MAX_ATTEMPTS - 1):
        try:
            return _perform_once(context, session, intent, options)
        except FileError as error:
            if intent.action == "downtime":
                # It holds what the sheets said, which may have changed as well.
                raise
            session = moved_on(context, session, options, error)
    return _perform_once(context, session, intent, options)


def perform_decided(
    context: Context, session: Session, intent: Intent, options: Mapping[str, Any]
) -> tuple[Entry | None, int | None, Session]:
    """Perform and record an intent that was chosen for just this scene; gives the entry, its seed, and the session
    after it.

    If another program has changed the journal meanwhile, nothing is performed: the entry is None, and the session is as
    it has become, for another decision. Where real dice were rolled, that is an error.
    """
    try:
        return _perform_once(context, session, intent, options)
    except FileError as error:
        return None, None, moved_on(context, session, options, error)


def _perform_once(
    context: Context, session: Session, intent: Intent, options: Mapping[str, Any]
) -> tuple[Entry, int | None, Session]:
    """The entry of an intent, its seed, and the session after it; FileError `moved` where the journal has changed."""
    dice_options = context.resolve_dice(shared.parse_dice_options(options), session)
    crisis = session.crisis
    number = len(crisis.done) + 1 if crisis else 1
    own_seed = dice_options.seed if crisis and dice_options.results is None else None
    entry, seed = make_entry(context, dice_options, session, intent, number, own_seed)
    if options.get("dry_run"):
        return entry, seed, session
    if session.journal is None:
        if options.get("save"):
            _save_sheets(context, session, entry)
            context.desk.recorded.append("the result")
        return entry, seed, session
    before = session.journal.crisis
    events = tuple(following_events(context, session, before, entry, dice_options.real))
    journal = append_entry(context, session.journal, entry, events)
    if journal.is_on_disk:
        context.desk.recorded.append(f"entry {entry.number}")
    return entry, seed, session._replace(journal=journal, scene=journal.crisis.scene)


def moved_on(context: Context, session: Session, options: Mapping[str, Any], error: FileError) -> Session:
    """The session as another program has left it, after the error that says so; any other error is raised again, and so
    is this one where real dice were rolled or no crisis is open any more."""
    dice_options = context.resolve_dice(shared.parse_dice_options(options), session)
    if error.code != "moved" or dice_options.real or dice_options.mine:
        raise error
    is_story = session.crisis is not None and session.crisis.is_story
    if is_story and context.desk.journals.active() is not None:
        raise error
    of_story = context.desk.campaigns.story_session() if is_story else None
    if of_story is None:
        context.desk.journals.require()
    return of_story or context.desk.open_session()


def following_events(
    context: Context, session: Session, crisis: Crisis, entry: Entry, has_real_dice: bool
) -> Iterator[Entry]:
    """The entries of the encounter's events that follow from an entry: by the dice of the player where the entry has
    real dice, else by the seed of the crisis."""
    if session.scene.encounter is None or entry.intent.action == "end":
        return
    from ..engine.happening import LONGEST_CHAIN, due

    dice_options = DiceOptions(real=has_real_dice, is_automatic=True)
    scenes = [crisis.scene if crisis.done else None]
    crisis = crisis.after(entry)
    for _ in range(LONGEST_CHAIN):
        scenes.append(crisis.scene)
        trigger = due(session.system, scenes)
        if trigger is None:
            return
        intent = Intent(EVENT, "", (), {"event": trigger.number, "because": entry.number})
        journal = session.journal._replace(crisis=crisis) if session.journal else None
        now = session._replace(scene=crisis.scene, journal=journal)
        event, _ = make_entry(context, dice_options, now, intent, len(crisis.done) + 1)
        yield event
        crisis = crisis.after(event)


def with_events(session: Session, entry: Entry) -> tuple[Entry, ...]:
    """An entry, and after it the events that followed from it, given the session right after them."""
    return (entry, *(session.crisis.done[entry.number :] if session.crisis else ()))


def append_entry(context: Context, journal: Journal, entry: Entry, events: Sequence[Entry] = ()) -> Journal:
    """Append an entry to the journal on disk, with the events that follow from it in one step; the end of a crisis
    with the sheets that it will write. A rest in the story of a campaign writes its sheets at once."""
    if journal.crisis.is_story:
        with context.desk.campaigns.story_lock():
            context.desk.journals.require_none()
            return _append_to_story(context, journal, entry)
    if entry.intent.action != "end":
        return journal.with_entry(entry, *events)
    return journal.with_end(entry, planned_ending(context, journal, entry))


def _append_to_story(context: Context, story: Journal, entry: Entry) -> Journal:
    """Append an entry to the story of the campaign, and write the sheets of those who rest."""
    if entry.intent.action != "downtime":
        return story.with_entry(entry)
    from ..sheets.story_file import with_sheets

    return with_sheets(
        context.desk.shelves.sheets(), context.output.warn, load(story.crisis.scene.system), story, entry
    )


def planned_ending(context: Context, journal: Journal, entry: Entry) -> Ending:
    """What the entry that ends a crisis will write, given the journal before it."""
    from ..sheets import save_sheets

    after = apply_all(journal.crisis.scene, entry.events)
    saves = entry.intent.get("save", True)
    return save_sheets.plan_ending(
        context.desk.shelves.sheets(), context.output.warn, journal, after, saves, context.environment.clock()
    )


def make_entry(
    context: Context,
    dice_options: DiceOptions,
    session: Session,
    intent: Intent,
    number: int = 1,
    own_seed: int | None = None,
) -> tuple[Entry, int | None]:
    """Perform an intent without recording it; gives the entry and the seed of its dice.

    It starts over if the player takes an answer back.
    """
    from ..dice.scripted import Backed
    from ..engine.perform import perform

    answers: list[int | str] = []

    def describe(who: str, table: Table, most: int) -> list[str]:
        from ..render import decision
        from ..render.since import since

        scene, ink, width = session.scene, context.output.ink, context.environment.width
        actor, news = scene.fighters.get(intent.actor), []
        if session.crisis and actor and not actor.player:
            news = since(session.crisis.done, scene, session.system, ink, width, who, own_harm_only=True)
        most = most and max(1, most - len(news))
        return [*news, *decision.before(who, intent, scene, session.system, table, ink, width, most)]

    while True:
        table, seed, finish = context.table(dice_options, session, intent.get("react"), answers, describe)
        try:
            entry = perform(session.system, session.scene, intent, table, number, own_seed)
            finish()
        except Backed as back:
            answers = back.answers
            continue
        return entry, seed


def _save_sheets(context: Context, session: Session, entry: Entry) -> None:
    from ..sheets import save_sheets
    from ..sheets.fighters import lasting

    after = apply_all(session.scene, entry.events)
    before = {one.name: (lasting(session.system, one),) for one in session.scene.fighters.values()}
    store = context.desk.shelves.sheets()
    allowed = save_sheets.only_own(store, context.output.warn)
    plan = save_sheets.plan_changes(store, context.output.warn, session.system, after, before, allowed)
    save_sheets.write_changes(store, context.output.warn, plan.changes, allowed)


def show_entry(
    context: Context, session: Session, entry: Entry, seed: int | None, options: Mapping[str, Any]
) -> None:
    """Print an entry the way that is asked for, and the events that followed from it."""
    entries = with_events(session, entry)
    for one in entries:
        _show_one(context, session, one, seed, options)
    if options.get("as_json") or options.get("quiet"):
        return
    is_kept = session.crisis is not None and not session.crisis.is_story and not options.get("dry_run")
    if is_kept and not options.get("automatic") and _decides_crisis(session, entries):
        from ..render.closing import outcome

        # An event that decides the crisis says itself who wins.
        is_said = any(entry.outcome.get("wins") for entry in entries)
        words = "" if is_said else f"{outcome(session.scene, session.system)}. "
        context.output.say(
            context.output.ink("cyan", f"  {words}To end the crisis: {context.output.ink.way('end')}")
        )
    if options.get("dry_run"):
        context.output.say(context.output.ink("dim", "  (a dry run: nothing was changed)"))


def _show_one(
    context: Context, session: Session, entry: Entry, seed: int | None, options: Mapping[str, Any]
) -> None:
    """Print one entry the way that is asked for."""
    from ..render import data, text

    if options.get("as_json"):
        explain = bool(options.get("explain"))
        record = data.entry(entry, session.system, seed, session.journal is not None, explain)
        if entry.intent.action == "end":
            scene = session.journal.crisis.last_scene if session.journal else session.scene
            record |= data.outcome_so_far(scene, session.system)
        context.output.print_json(record)
    elif options.get("quiet"):
        context.output.say(*text.quiet(entry))
    else:
        scene = apply_all(session.scene, entry.events) if options.get("dry_run") else session.scene
        reasons = options.get("reasons") or BRIEF
        past = session.crisis.done[: entry.number - 1] if session.crisis else ()
        repeats = reasons == BRIEF and is_repeated((*past, entry), len(past))
        context.output.say(
            *text.entry_lines(
                entry,
                scene,
                session.system,
                context.output.ink,
                bool(options.get("explain")),
                reasons,
                repeats,
            )
        )


def _decides_crisis(session: Session, entries: Sequence[Entry]) -> bool:
    """Whether the crisis was open before these entries, its last ones, and is decided with them (ALL-5)."""
    before = session.scene
    if entries[0].intent.action == "end" or not decided(session.system, before):
        return False
    for entry in reversed(entries):
        before = revert_all(before, entry.events)
    return not decided(session.system, before)
