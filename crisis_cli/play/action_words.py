"""Actions of the rules, treatments and checks: who does what, to whom and with what, from the words of a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import systems
from ..engine import legal_actions
from ..engine.kinds import guess
from ..engine.legal_actions import Barred, LegalAction
from ..engine.scene import GEAR_OPTIONS, Intent, slug
from ..engine.system import System
from ..engine.validate import row_of
from ..errors import FileError, Refused, Usage
from ..sheets.find_fighters import find_name, is_present
from ..sheets.names import Match, Names, fighter_names, match_name, plain_names
from ..sheets.store import copies
from ..values import NamedTuple
from . import move_words
from .attacking import Planned
from .desk import Desk
from .naming import (
    actor_and_others,
    ambiguous_word,
    are_all_opponents,
    find_item,
    item_names,
    not_their_turn,
    only_foe,
)
from .placing import parse_position
from .session import Session
from .wording import build_intent, fighters_in_options, require_heed


class ActionWords(NamedTuple):
    """An action of the rules, a treatment or a check as it is asked for, in words."""

    words: tuple[str, ...]
    """Who acts, where it is not the fighter whose turn it is, and what is done: an action, to whom and with what; the
    patient, where it is not the fighter; a skill."""
    by: str = ""
    options: Mapping[str, Any] = {}
    """The words of the rules: `to`, `item`, `difficulty`, `force` …, those of the system among them."""


class Objects(NamedTuple):
    """What the words after an action name."""

    targets: list[str]
    things: dict[str, str]
    """The item or thing, and the deed, by the names of the options."""
    to: move_words.Move | None = None
    """Where a move leads."""


class Possible(NamedTuple):
    """What a fighter can do now, and what not."""

    session: Session
    who: str
    can: Sequence[LegalAction]
    cannot: Sequence[Barred]
    is_all: bool
    """Whether it was not asked for some actions alone."""


def act(desk: Desk, asked: ActionWords, shares_place: bool = False, checks_turn: bool = True) -> Planned:
    """The intent of an action of the rules; a move may lead where somebody stands if it shares the place.

    Usage where a word fits nothing that the action takes; Refused where the actor cannot act now, unless the turn is
    not to be checked.
    """
    words, by, force = asked.words, asked.by, bool(asked.options.get("force"))
    if not words:
        raise Usage(
            "missing argument: ACTION",
            hint="crisis act WHO ACTION; options: crisis act WHO --list",
            code="missing_argument",
        )
    session, actor, rest = _actor_and_rest(desk, words, by)
    system = session.system
    if not rest:
        raise Usage(
            "missing argument: ACTION", hint=f"actions: {_action_names(system)}", code="missing_argument"
        )
    action = _action_key(rest[0])
    row = row_of(system, action)
    if row.window == "table":
        raise Usage(
            f"{action} is not an action of a fighter",
            hint=f"actions: {_action_names(system)}",
            code="unknown_action",
        )
    targets, things, move = _objects(session, actor, action, rest[1:])
    if not targets and row.targets == "one" and session.journal is not None and "deed" not in things:
        targets = only_foe(session, actor, action, checks_turn and not force)
    if row.targets == "patient" and not targets:
        targets = [actor]
    is_implicit_actor = rest == words and not by and not force
    is_attack = row.targets in ("one", "many")
    if is_implicit_actor and is_attack and not are_all_opponents(session, actor, targets):
        raise not_their_turn(actor, targets[0])
    options = {**asked.options, "to": move.to} if move else asked.options
    intent = build_intent(session, action, actor, targets, options).plus(**things)
    _refuse_ignored_options(system, action, intent)
    to = intent.get("to")
    if to is not None:
        if session.journal is not None and not (force or shares_place):
            move_words.check_place(session, actor, to)
        intent = intent.plus(to=list(to))
    return Planned(session, intent, move.left if move else "")


def heal(desk: Desk, asked: ActionWords) -> Planned:
    """The intent of a treatment; in a crisis a single name is the patient."""
    who, by, options = tuple(dict.fromkeys(asked.words)), asked.by, asked.options
    if not who and not by and not desk.has_crisis():
        raise Usage("missing argument: WHO", hint="crisis heal WHO [PATIENT]", code="missing_argument")
    helpers = [word for word in fighters_in_options(options) if word not in who]
    session = desk.open_session((by, *who) if by else who, helpers)
    actor, patients = actor_and_others(session, who, by)
    if session.journal is None:
        onlookers = [find_name(session.scene, word) for word in helpers]
        patients = [name for name in patients if name not in onlookers]
    else:
        turn = session.scene.turn
        if turn and not (by or patients) and actor != turn:
            # Of a group that acts together, the one whose turn it is treats the others.
            actor, patients = turn, [actor]
        if len(patients) > 1 and not by:
            if not options.get("force"):
                raise not_their_turn(actor, patients[0])
            actor, patients = patients[0], patients[1:]
    return Planned(session, build_intent(session, "heal", actor, patients or [actor], options))


def check(desk: Desk, asked: ActionWords, vs: tuple[str, str] | None = None) -> Planned:
    """The intent of a check of a skill, against a difficulty or `vs`, an opponent and its skill."""
    words, by = asked.words, asked.by
    others = (*((vs[0],) if vs else ()), *fighters_in_options(asked.options))
    session = desk.open_session((*words[:1], *others))
    scene = session.scene
    first = by or (words[0] if len(words) > 1 or not scene.turn else "")
    actor = find_name(scene, first) if first else scene.turn
    if len(words) > 2 and not by:
        raise Usage(
            f"one name and one skill, not {len(words)} words",
            hint="options: crisis check --help",
            code="usage",
        )
    # A single word that is only the beginning of a name is a skill: `str` is not Strider.
    skill = words[-1] if len(words) > 1 or not match_name(words[0], fighter_names(scene)).is_whole else ""
    if not skill:
        who = slug(find_name(scene, words[0]))
        raise Usage("missing argument: SKILL", hint=f"crisis check {who} SKILL", code="missing_argument")
    intent = build_intent(session, "check", actor, [], asked.options).plus(skill=skill)
    return Planned(session, intent.plus(vs=[find_name(scene, vs[0]), vs[1]]) if vs else intent)


def possible(desk: Desk, words: Sequence[str]) -> Possible:
    """What a fighter can do now, and why not the rest; where words name actions as well, those alone."""
    if not words and not desk.has_crisis():
        raise Usage("missing argument: WHO", hint="crisis act WHO --list", code="missing_argument")
    session = desk.open_session([word for word in words if not _is_action(word)])
    scene, system = session.scene, session.system
    only = {_action_key(word) for word in words if _action_key(word) in system.actions}
    who_words = [word for word in words if _action_key(word) not in only]
    if len(who_words) > 1:
        raise Usage(
            f"--list takes one fighter, not {len(who_words)}",
            hint="crisis act WHO --list",
            code="extra_argument",
        )
    if not who_words and not scene.turn:
        raise Refused("no turn has begun", hint="crisis act WHO --list", code="no_turn")
    who = find_name(scene, who_words[0]) if who_words else scene.turn
    can = [one for one in legal_actions.of(system, scene, who) if not only or one.intent.action in only]
    cannot = [one for one in legal_actions.barred(system, scene, who) if not only or one.action in only]
    if only and not (can or cannot):
        can = [way for action in only for way in legal_actions.unsuggested(system, scene, who, action)]
    return Possible(session, who, can, cannot, not only)


def _objects(session: Session, actor: str, action: str, words: Sequence[str]) -> Objects:
    """The targets, things, deed or place that the words after an action name; Usage where one names nothing that the
    action takes."""
    system, scene = session.system, session.scene
    row = row_of(system, action)
    if words and words[0].lower() in move_words.WORDS and "to" in row.options:
        move = move_words.move_in_words(session, Intent(action, actor), [word.lower() for word in words])
        return Objects([], {}, move)
    targets, things = list[str](), dict[str, str]()
    to: move_words.Move | None = None
    slot = "item" if row.gear == GEAR_OPTIONS["item"] else "thing"
    carried: Names = (
        plain_names(item_names(system, scene.fighters[actor], row.gear)) if row.gear and words else {}
    )
    for word in words:
        who = match_name(word, fighter_names(scene)) if row.targets != "none" else Match()
        takes_thing = bool(row.gear) and slot not in things
        thing = match_name(word, carried) if takes_thing else Match()
        if who.names and thing.names and not (who.is_whole or thing.is_whole):
            raise ambiguous_word(word, (*who.names, *thing.names))
        if who.names and not (thing.is_whole and not who.is_whole):
            targets.append(find_name(scene, word))
        elif takes_thing:
            things[slot] = find_item(session, actor, row.gear, word)
        elif "deed" in row.options and "deed" not in things and _action_key(word) in system.actions:
            things["deed"] = _action_key(word)
        elif "to" in row.options and "," in word:
            to = move_words.Move(parse_position(word), "")
        else:
            raise _extra_word(session, action, word)
    return Objects(targets, things, to)


def _extra_word(session: Session, action: str, word: str) -> Usage:
    """The error for a word after an action that takes no such thing."""
    row = row_of(session.system, action)
    hint = f"{row.title} ({row.rule_id}); what it takes: crisis help {action}"
    if "to" in row.options:
        near = [slug(name) for name in match_name(word, fighter_names(session.scene)).names]
        way = f"toward {near[0]} | beside {near[0]}" if len(near) == 1 else "toward NAME | beside NAME"
        hint = f"crisis act {action} {way} | away | --to X,Y"
    return Usage(f"{action} does not take {word!r}", hint=hint, code="extra_argument")


def _is_action(word: str) -> bool:
    """Whether a word is an action of some system."""
    return any(_action_key(word) in system.actions for system in systems.every())


def _refuse_ignored_options(system: System, action: str, intent: Intent) -> None:
    """Raise Usage if the action ignores an option of the system that was given."""
    row = row_of(system, action)
    answered = ("answer",) if system.reactions and row.window == "turn" else ()
    for option in system.command_options:
        if option.key in intent.options and option.key not in (*answered, *system.side_pools):
            require_heed(system, action, option.name, option.key)


def _action_names(system: System) -> str:
    """The names of all actions of fighters, separated by commas."""
    return ", ".join(name for name, row in system.actions.items() if row.window != "table")


def _actor_and_rest(desk: Desk, words: tuple[str, ...], by: str) -> tuple[Session, str, tuple[str, ...]]:
    """The session, the fighter who acts, and the words from the action on."""
    if not desk.has_crisis():
        if not by:
            _require_sheet(desk, words)
        if not by and len(words) < 2:
            alone = desk.open_session(words[:1])
            raise Usage(
                f"{find_name(alone.scene, words[0])}: missing argument: ACTION",
                hint=f"actions: {_action_names(alone.system)}",
                code="missing_argument",
            )
        first = by or words[0]
        rest = words if by else words[1:]
        sheets = desk.shelves.sheets()
        # In a one-off, every word after the action that names a sheet adds a fighter to the scene.
        others = [word for word in rest[1:] if sheets.has(copies(word)[0])]
        session = desk.open_session((first, *(word for word in others if word != first)))
        return session, find_name(session.scene, first), rest
    session = desk.open_session()
    scene = session.scene
    if by:
        return session, find_name(scene, by), words
    if _action_key(words[0]) not in session.system.actions and is_present(scene, words[0]):
        return session, find_name(scene, words[0]), words[1:]
    if not scene.turn:
        raise Refused("no turn has begun", hint="crisis act WHO ACTION", code="no_turn")
    return session, scene.turn, words


def _require_sheet(desk: Desk, words: tuple[str, ...]) -> None:
    """Raise Refused where the first word is an action and no sheet, Usage where a single word is neither."""
    first, sheets = words[0], desk.shelves.sheets()
    actions = {name for system in systems.every() for name in system.actions}
    try:
        sheets.find(copies(first)[0])
    except FileError as error:
        if error.code != "not_found":
            raise
        if _action_key(first) in actions:
            raise Refused(
                f"{first} needs a fighter, because no crisis is open here ({desk.places.file})",
                hint=f"crisis act WHO {' '.join(words)}; or open a crisis: crisis init WHO… --vs WHO… --open",
                code="no_crisis",
            ) from error
        if len(words) == 1:
            near = guess(first.lower(), (*actions, *sheets.names()))
            raise Usage(
                f"no action and no sheet is called {first!r}{near}",
                hint="crisis act WHO ACTION; options: crisis act WHO --list; sheets: crisis character list",
                code="unknown_action",
            ) from error


def _action_key(word: str) -> str:
    return word.lower().replace("_", "-")
