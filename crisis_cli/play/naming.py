"""Who acts, on whom, with what: the words of an action found among the fighters and on their sheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from ..engine.kinds import either, guess
from ..engine.scene import GEAR_OPTIONS, UNARMED, Fighter, Intent, slug
from ..engine.sides import bounds, left, within
from ..engine.system import System
from ..engine.validate import check_turn, prepare
from ..errors import FileError, Refused, Usage
from ..render.messages import listed
from ..sheets.files import file_stem
from .desk import Desk
from .session import Session


def actor_and_others(session: Session, words: Iterable[str], by: str) -> tuple[str, list[str]]:
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
    session: Session, words: tuple[str, ...], by: str, force: bool
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


def only_foe(session: Session, actor: str, action: str, checks_turn: bool) -> list[str]:
    """The only opponent of a fighter who can still fight, as a list; Usage naming them if there are several, Refused if
    the fighter cannot act now whoever the target is."""
    foes = [
        one.name for one in session.scene.foes(actor) if not one.yielded and not session.system.fallen(one)
    ]
    if len(foes) > 1:
        if checks_turn:
            check_turn(session.system, session.scene, Intent(action, actor))
        raise Usage(f"{action} whom?", hint=f"one of {', '.join(map(slug, foes))}", code="missing_argument")
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
        names += tuple(one for one in system.sheet_rules.single_things if fighter.sheet.get(one))
    if tables != GEAR_OPTIONS["weapon"]:
        return names
    return (*names, UNARMED, *(one for one in system.sheet_rules.unlisted_weapons if one not in names))


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


def typed_sheets(session: Session) -> str:
    """The sheets of the fighters as they are typed."""
    return " ".join(file_stem(one.file) or slug(one.name) for one in session.scene.fighters.values())


def with_alternatives(session: Session, intent: Intent, refusal: Refused) -> Refused:
    """The refusal with the actions that the actor can take in its turn (ALL-7) added to its hint; and with why not, in
    place of an action that the hint says to take first and that is not possible either."""
    from ..engine import legal_actions

    scene = session.scene
    if not scene.open or not intent.actor or intent.action not in session.system.actions:
        return refusal
    found = [one for one in legal_actions.of(session.system, scene, intent.actor) if one.window == "turn"]
    names = list(dict.fromkeys(one.intent.action for one in found))
    refusal.about["legal"] = names
    if refusal.first and refusal.first not in names:
        bars = legal_actions.barred(session.system, scene, intent.actor)
        why = next((one.refusal.message for one in bars if one.action == refusal.first), "")
        refusal.hint = f"{refusal.first} is not possible now: {why}" if why else ""
    ways = [_line_at_standing(session, intent, [one.intent for one in found])] if intent.targets else []
    if names:
        ways.append(f"{intent.actor} can {', '.join(names)}")
    refusal.hint = "; ".join(filter(None, (refusal.hint, *ways)))
    return refusal


def _line_at_standing(session: Session, intent: Intent, legal: Sequence[Intent]) -> str:
    """For an action against a foe who is out of the fight: its line against the nearest one who still stands."""
    from ..engine.geometry import distance
    from ..render.command_text import typed

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


def is_beside_story(desk: Desk, session: Session) -> bool:
    """Whether a session is a one-off in a campaign, whose fights and rests alone write the sheets."""
    return session.journal is None and desk.places.story_folder is not None
