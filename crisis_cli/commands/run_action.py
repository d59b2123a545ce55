"""What all verbs of action share: who acts, on whom; then perform, record, show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..context import Context, DiceOptions, Session
from ..dice.scripted import Backed
from ..dice.table import Roll
from ..engine import legal_actions
from ..engine.events import apply_all, revert_all
from ..engine.journal import Ending
from ..engine.kinds import either, guess
from ..engine.perform import perform
from ..engine.record import Entry
from ..engine.scene import GEAR_OPTIONS, UNARMED, Fighter, Intent
from ..engine.sides import bounds, decided, left, standing, within
from ..engine.system import System
from ..engine.validate import row_of
from ..errors import FileTrouble, Interrupted, Refused, Usage
from ..render import data, decision, text
from ..sheets import save_sheets
from ..sheets.check import read
from ..sheets.fighters import lasting
from ..sheets.find_fighters import named
from ..sheets.journal_file import Journal
from ..sheets.names import called, found
from . import options as shared

TRIES = 3
"""How often an action is done over that another program's action came before."""


def cast(session: Session, words: Iterable[str], by: str | None) -> tuple[str, list[str]]:
    """Who acts, and the others named, in that order (DESIGN: who acts)."""
    scene = session.scene
    if session.journal is None:
        # A one-off scene holds exactly the fighters named, in that order, copies spelled out.
        names = list(scene.fighters)
        actor = named(scene, by) if by else names[0]
        return actor, [name for name in names if name != actor]
    names = [named(scene, word) for word in words]
    if by:
        return named(scene, by), names
    if names and (names[0] in scene.acting or not scene.turn):
        return names[0], names[1:]
    return scene.turn, names


def attackers(session: Session, words: tuple[str, ...], by: str | None, force: bool) -> tuple[str, list[str]]:
    """Who attacks whom: where nobody says that whoever's turn it is shall attack its own side, it is not its turn."""
    actor, targets = cast(session, words, by)
    if session.journal is None or by or len(targets) < len(words) or not actor:
        return actor, targets
    if spares(session, actor, targets):
        return actor, targets
    if force and len(targets) > 1:
        return targets[0], targets[1:]
    raise not_their_turn(actor, targets[0])


def spares(session: Session, actor: str, targets: list[str]) -> bool:
    """Whether an attack spares the attacker's own side."""
    fighters = session.scene.fighters
    return all(fighters[name].side != fighters[actor].side for name in targets)


def not_their_turn(turn: str, other: str) -> Refused:
    """The refusal of an action out of turn, or of one at oneself that somebody else may have meant."""
    if turn == other:
        return Refused(
            f"it is {turn}'s turn, and {turn} would do it to {turn}",
            hint="to act for someone else: --by WHO; to override: --force",
            code="not_their_turn",
        )
    return Refused(
        f"it is {turn}'s turn, not {other}'s",
        hint="end the turn: crisis next; to override: --force",
        code="not_their_turn",
    )


def gear(system: System, fighter: Fighter, listed: str) -> tuple[str, ...]:
    """The names of a fighter's things in some tables of the sheet; of weapons also what needs no entry there."""
    things = tuple(fighter.carried(listed))
    if GEAR_OPTIONS["weapon"] in listed.split():
        things += tuple(one for one in system.single_things if fighter.sheet.get(one))
    return (*things, UNARMED) if listed == GEAR_OPTIONS["weapon"] else things


def thing(session: Session, who: str, listed: str, word: str) -> str:
    """The weapon or item of a fighter that a word means; Usage where it means none or several."""
    things = gear(session.system, session.scene.fighters[who], listed)
    hit = found(word, called(things))
    if len(hit.names) == 1:
        return hit.names[0]
    if hit.names:
        raise several(word, hit.names)
    kind = next((option for option, table in GEAR_OPTIONS.items() if table == listed), "thing")
    _of_another_system(session, listed, word)
    raise Usage(
        f"{who} has no {kind} called {word!r}{guess(word, things)}",
        hint=f"there is: {', '.join(things) or 'nothing'}",
        code=f"unknown_{kind}",
    )


def several(word: str, names: Sequence[str]) -> Usage:
    """The error of a word that several things, or things and fighters, begin with."""
    return Usage(f"{word!r} could be {either(names)}", hint="type more of the name", code="ambiguous")


def _of_another_system(session: Session, listed: str, word: str) -> None:
    """Refused where a thing is on sheets of another system only: with that system."""
    for _, path in session.store.all() if session.store else ():
        try:
            other = read(path, str(path)).values
        except FileTrouble:
            continue
        theirs = called(other.get(listed, {}))
        if other["system"] != session.system.name and found(word, theirs).whole:
            raise Refused(
                f"{word!r} belongs to {other['system']} ({other['name']} has one); this is {session.system.name}",
                hint="all fighters of a crisis use one system",
                code="other_system",
            )


def intent_of(
    session: Session, action: str, actor: str, targets: list[str], options: Mapping[str, Any]
) -> Intent:
    """The intent of a command, its things found on the actor's sheet."""
    said = shared.heeded(options, session, action)
    for option in session.system.command_options:
        key = option.key
        if key in said and option.kind == "names":
            said[key] = [named(session.scene, word) for word in said[key].split(",")]
        if key in said and option.kind == "doings":
            pairs = shared.doings(option.name, said[key])
            said[key] = [[named(session.scene, who), doing] for who, doing in pairs]
        if key in said and option.instead:
            action = option.instead
    if "at" in said and "at" not in row_of(session.system, action).options:
        rule = row_of(session.system, action).rule_id
        raise Refused(
            f"{action} in {session.system.name} aims at fighters, not at a place ({rule})",
            hint=f"crisis {action} {actor} TARGET",
            rule=rule,
        )
    for key, listed in GEAR_OPTIONS.items():
        if key in said and actor:
            said[key] = thing(session, actor, listed, said[key])
    return Intent(action, actor, tuple(targets), said)


def carry_out(context: Context, session: Session, intent: Intent, options: Mapping[str, Any]) -> int:
    """Perform an intent, record it, show it; or show its odds where those are asked for. Gives the exit status."""
    session = endowed(session, intent)
    if context.intent_handler is not None:
        context.intent_handler(context, session, intent, options)
        return 0
    if session.journal is not None and options.get("save"):
        raise Usage(
            "--save is for one-offs", hint="in a crisis the sheets are written at its end: crisis end"
        )
    try:
        entry, seed, session = performed(context, session, intent, options)
    except Refused as refusal:
        raise _with_what_is_legal(session, intent, refusal) from refusal
    try:
        show(context, session, entry, seed, options)
    except KeyboardInterrupt as stopped:
        if session.journal is None or options.get("dry_run"):
            raise
        raise Interrupted(
            "stopped", hint=f"it is done already, and stands in {context.file}: crisis log"
        ) from stopped
    return 1 if options.get("exit_status") and entry.success is False else 0


def endowed(session: Session, intent: Intent) -> Session:
    """The sitting of a one-off with the pools of the actor's side as options say; Refused in a crisis."""
    said = {pool: intent.get(pool) for pool in session.system.side_pools if intent.get(pool) is not None}
    if not said or not intent.actor:
        return session
    scene = session.scene
    side = scene.fighters[intent.actor].side
    for pool, value in said.items():
        if session.journal is not None:
            raise Refused(
                f"the {side} have {left(scene, side, pool)} {session.system.side_pools[pool].label} here",
                hint=f"the GM may set that: crisis set {side} {pool} {value}",
            )
        within(pool, f"the {side}", value, bounds(session.system, scene, side, pool))
    return session._replace(scene=scene._replace(sides={**scene.sides, side: said}))


def _with_what_is_legal(session: Session, intent: Intent, refusal: Refused) -> Refused:
    """The refusal, with what the actor may do instead in its turn (ALL-7)."""
    scene = session.scene
    if not scene.open or not intent.actor or intent.action not in session.system.actions:
        return refusal
    found = legal_actions.of(session.system, scene, intent.actor)
    names = list(dict.fromkeys(one.intent.action for one in found if one.window == "turn"))
    refusal.about["legal"] = names
    if names:
        refusal.hint = "; ".join(filter(None, (refusal.hint, f"{intent.actor} can {', '.join(names)}")))
    return refusal


def performed(
    context: Context, session: Session, intent: Intent, options: Mapping[str, Any]
) -> tuple[Entry, int | None, Session]:
    """The entry of an intent, recorded unless it is a dry run; the seed of its dice; and the sitting after it."""
    dice_options = context.resolve_dice(shared.dice(options), session)
    for tries in range(TRIES):
        crisis = session.crisis
        number = len(crisis.done) + 1 if crisis else 1
        own_seed = dice_options.seed if crisis and dice_options.results is None else None
        entry, seed = entered(context, dice_options, session, intent, number, own_seed)
        if options.get("dry_run"):
            return entry, seed, session
        if session.journal is None:
            if options.get("save"):
                _save(context, session, entry)
                context.last_recorded = "the result"
            return entry, seed, session
        try:
            journal = recorded(context, session.journal, entry)
        except FileTrouble as trouble:
            if trouble.code != "moved" or dice_options.real or dice_options.mine or tries == TRIES - 1:
                raise
            session = context.open_session()
            if session.journal is None:
                raise
            continue
        context.last_recorded = f"entry {entry.number}" if journal.on_disk else ""
        return entry, seed, session._replace(journal=journal, scene=journal.crisis.scene)
    raise AssertionError("the last try returns or raises")


def recorded(context: Context, journal: Journal, entry: Entry) -> Journal:
    """The journal with one more entry, on disk; the end of the crisis stands there with the sheets it will write."""
    if entry.intent.action != "end":
        return journal.with_entry(entry)
    return journal.with_end(entry, ending_by(context, journal, entry))


def ending_by(context: Context, journal: Journal, entry: Entry) -> Ending:
    """What the entry that ends a crisis will write, given the journal before it."""
    after = apply_all(journal.crisis.scene, entry.events)
    saves = entry.intent.get("save", True)
    return save_sheets.ending_of(
        context.store(), context.warn, journal, after, saves, context.environment.clock()
    )


def entered(
    context: Context,
    dice_options: DiceOptions,
    session: Session,
    intent: Intent,
    number: int = 1,
    own_seed: int | None = None,
) -> tuple[Entry, int | None]:
    """The entry of an intent, and the seed of its dice; begun again where the player takes an answer back."""
    told: list[int | str] = []

    def about(who: str, throws: list[Roll]) -> list[str]:
        return decision.before(
            who, intent, session.scene, session.system, throws, context.ink, context.environment.width
        )

    while True:
        table, seed, finish = context.table(dice_options, session, intent.get("react"), told, about)
        try:
            entry = perform(session.system, session.scene, intent, table, number, own_seed)
            finish()
        except Backed as back:
            told = back.told
            continue
        return entry, seed


def _save(context: Context, session: Session, entry: Entry) -> None:
    after = apply_all(session.scene, entry.events)
    before = {one.name: (lasting(session.system, one),) for one in session.scene.fighters.values()}
    store = context.store()
    allowed = save_sheets.own_sheets(store, context.warn)
    plan = save_sheets.planned(store, context.warn, session.system, after, before, allowed)
    save_sheets.carried_out(store, context.warn, plan.changes, allowed)


def show(
    context: Context, session: Session, entry: Entry, seed: int | None, options: Mapping[str, Any]
) -> None:
    """Print an entry the way that is asked for."""
    if options.get("as_json"):
        explain = bool(options.get("explain"))
        record = data.entry(entry, session.system, seed, session.journal is not None, explain)
        if entry.intent.action == "end":
            record["standing"] = standing(session.system, session.scene)
        context.print_json(record)
    elif options.get("quiet"):
        context.say(text.quiet(entry))
    else:
        scene = apply_all(session.scene, entry.events) if options.get("dry_run") else session.scene
        context.say(*text.told(entry, scene, session.system, context.ink, bool(options.get("explain"))))
        if session.journal is not None and not options.get("alone") and _decides(session, entry):
            sides = list(standing(session.system, session.scene))
            who = f"The {sides[0]} hold the field" if sides else "Nobody is left"
            context.say(context.ink("cyan", f"  {who}. To end the crisis: {context.ink.way('end')}"))
        if options.get("dry_run"):
            context.say(context.ink("dim", "  (a dry run: nothing was changed)"))


def _decides(session: Session, entry: Entry) -> bool:
    """Whether the crisis was open before an entry, and is decided with it (ALL-5)."""
    scene = session.scene
    return (
        entry.intent.action in (*session.system.actions, "set")
        and decided(session.system, scene)
        and not decided(session.system, revert_all(scene, entry.events))
    )
