"""What all verbs of action share: who acts, on whom; then perform, record, show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..context import Desk, Dice, Sitting
from ..dice.scripted import Backed
from ..dice.table import Throw
from ..engine import legal_actions
from ..engine.events import folded, undone
from ..engine.journal import Ending
from ..engine.kinds import either, guess
from ..engine.perform import perform
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent
from ..engine.sides import bounds, decided, left, standing, within
from ..engine.validate import row_of
from ..errors import FileTrouble, Interrupted, Refused, Usage
from ..render import data, decision, text
from ..sheets import save_sheets
from ..sheets.check import read
from ..sheets.fighters import lasting
from ..sheets.find_fighters import named
from ..sheets.journal_file import Ledger
from ..sheets.names import called, found
from . import options as shared

TRIES = 3
"""How often an action is done over that another program's action came before."""


def cast(sitting: Sitting, words: Iterable[str], by: str | None) -> tuple[str, list[str]]:
    """Who acts, and the others named, in that order (DESIGN: who acts)."""
    scene = sitting.scene
    if sitting.ledger is None:
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


def attackers(sitting: Sitting, words: tuple[str, ...], by: str | None, force: bool) -> tuple[str, list[str]]:
    """Who attacks whom: where nobody says that whoever's turn it is shall attack its own side, it is not its turn."""
    actor, targets = cast(sitting, words, by)
    if sitting.ledger is None or by or len(targets) < len(words) or not actor:
        return actor, targets
    if spares(sitting, actor, targets):
        return actor, targets
    if force and len(targets) > 1:
        return targets[0], targets[1:]
    raise not_their_turn(actor, targets[0])


def spares(sitting: Sitting, actor: str, targets: list[str]) -> bool:
    """Whether an attack spares the attacker's own side."""
    fighters = sitting.scene.fighters
    return all(fighters[name].side != fighters[actor].side for name in targets)


def not_their_turn(turn: str, other: str) -> Refused:
    """The refusal of an action out of turn, or of one at oneself that somebody else may have meant."""
    if turn == other:
        return Refused(
            f"it is {turn}'s turn, and {turn} would do it to {turn}",
            hint="for someone else, out of turn: --by WHO; or let the GM allow it: --force",
            code="not_their_turn",
        )
    return Refused(
        f"it is {turn}'s turn, not {other}'s",
        hint="end the turn: crisis next; or let the GM allow it: --force",
        code="not_their_turn",
    )


def gear(fighter: Fighter, listed: str) -> tuple[str, ...]:
    """The names of a fighter's things in some tables of the sheet; of `weapons` also what needs no entry there."""
    things = tuple(fighter.carried(listed))
    if "weapons" in listed.split() and fighter.sheet.get("shield"):
        things += ("shield",)
    return (*things, "unarmed") if listed == "weapons" else things


def thing(sitting: Sitting, who: str, listed: str, word: str) -> str:
    """The weapon or item of a fighter that a word means; Usage where it means none or several."""
    things = gear(sitting.scene.fighters[who], listed)
    hit = found(word, called(things))
    if len(hit.names) == 1:
        return hit.names[0]
    if hit.names:
        raise several(word, hit.names)
    kind = {"weapons": "weapon", "items": "item"}.get(listed, "thing")
    _of_another_system(sitting, listed, word)
    raise Usage(
        f"{who} has no {kind} called {word!r}{guess(word, things)}",
        hint=f"there is: {', '.join(things) or 'nothing'}",
        code=f"unknown_{kind}",
    )


def several(word: str, names: Sequence[str]) -> Usage:
    """The error of a word that several things, or things and fighters, begin with."""
    return Usage(f"{word!r} could be {either(names)}", hint="type more of the name", code="ambiguous")


def _of_another_system(sitting: Sitting, listed: str, word: str) -> None:
    """Refused where a thing is on sheets of another system only: with that system."""
    for _, path in sitting.store.all() if sitting.store else ():
        try:
            other = read(path, str(path)).values
        except FileTrouble:
            continue
        theirs = called(other.get(listed, {}))
        if other["system"] != sitting.system.name and found(word, theirs).whole:
            raise Refused(
                f"{word!r} belongs to {other['system']} ({other['name']} has one); this is {sitting.system.name}",
                hint="all in one crisis play by one system",
                code="other_system",
            )


def intent_of(
    sitting: Sitting, action: str, actor: str, targets: list[str], options: Mapping[str, Any]
) -> Intent:
    """The intent of a command, its things found on the actor's sheet."""
    said = shared.heeded(options, sitting, action)
    for switch in sitting.system.command_options:
        key = switch.key
        if key in said and switch.kind == "names":
            said[key] = [named(sitting.scene, word) for word in said[key].split(",")]
        if key in said and switch.kind == "doings":
            pairs = shared.doings(switch.name, said[key])
            said[key] = [[named(sitting.scene, who), doing] for who, doing in pairs]
        if key in said and switch.instead:
            action = switch.instead
    if "at" in said and "at" not in row_of(sitting.system, action).options:
        rule = row_of(sitting.system, action).rule_id
        raise Refused(
            f"{action} in {sitting.system.name} aims at fighters, not at a place ({rule})",
            hint=f"crisis {action} {actor} TARGET",
            rule=rule,
        )
    for key, listed in (("weapon", "weapons"), ("item", "items")):
        if key in said and actor:
            said[key] = thing(sitting, actor, listed, said[key])
    return Intent(action, actor, tuple(targets), said)


def carry_out(desk: Desk, sitting: Sitting, intent: Intent, options: Mapping[str, Any]) -> int:
    """Perform an intent, record it, show it; or show its odds where those are asked for. Gives the exit status."""
    sitting = endowed(sitting, intent)
    if desk.odds is not None:
        desk.odds.show(desk, sitting, intent, options)
        return 0
    if sitting.ledger is not None and options.get("save"):
        raise Usage(
            "--save is for one-offs", hint="in a crisis the sheets are written at its end: crisis end"
        )
    try:
        entry, seed, sitting = performed(desk, sitting, intent, options)
    except Refused as refusal:
        raise _with_what_is_legal(sitting, intent, refusal) from refusal
    try:
        show(desk, sitting, entry, seed, options)
    except KeyboardInterrupt as stopped:
        if sitting.ledger is None or options.get("dry_run"):
            raise
        raise Interrupted(
            "stopped", hint=f"it is done already, and stands in {desk.file}: crisis log"
        ) from stopped
    return 1 if options.get("exit_status") and entry.success is False else 0


def endowed(sitting: Sitting, intent: Intent) -> Sitting:
    """The sitting of a one-off with the pools of the actor's side as options say; Refused in a crisis."""
    said = {pool: intent.get(pool) for pool in sitting.system.side_pools if intent.get(pool) is not None}
    if not said or not intent.actor:
        return sitting
    scene = sitting.scene
    side = scene.fighters[intent.actor].side
    for pool, value in said.items():
        if sitting.ledger is not None:
            raise Refused(
                f"the {side} have {left(scene, side, pool)} {sitting.system.side_pools[pool].label} here",
                hint=f"the GM may set that: crisis set {side} {pool} {value}",
            )
        within(pool, f"the {side}", value, bounds(sitting.system, scene, side, pool))
    return sitting._replace(scene=scene._replace(sides={**scene.sides, side: said}))


def _with_what_is_legal(sitting: Sitting, intent: Intent, refusal: Refused) -> Refused:
    """The refusal, with what the actor may do instead in its turn (ALL-7)."""
    scene = sitting.scene
    if not scene.open or not intent.actor or intent.action not in sitting.system.actions:
        return refusal
    found = legal_actions.of(sitting.system, scene, intent.actor)
    names = list(dict.fromkeys(one.intent.action for one in found if one.window == "turn"))
    refusal.about["legal"] = names
    if names:
        refusal.hint = "; ".join(filter(None, (refusal.hint, f"{intent.actor} can {', '.join(names)}")))
    return refusal


def performed(
    desk: Desk, sitting: Sitting, intent: Intent, options: Mapping[str, Any]
) -> tuple[Entry, int | None, Sitting]:
    """The entry of an intent, recorded unless it is a dry run; the seed of its dice; and the sitting after it."""
    how = desk.thrown(shared.dice(options), sitting)
    for tries in range(TRIES):
        crisis = sitting.crisis
        number = len(crisis.done) + 1 if crisis else 1
        own_seed = how.seed if crisis and how.given is None else None
        entry, seed = entered(desk, how, sitting, intent, number, own_seed)
        if options.get("dry_run"):
            return entry, seed, sitting
        if sitting.ledger is None:
            if options.get("save"):
                _save(desk, sitting, entry)
            return entry, seed, sitting
        try:
            ledger = recorded(desk, sitting.ledger, entry)
        except FileTrouble as trouble:
            if trouble.code != "moved" or how.real or how.mine or tries == TRIES - 1:
                raise
            sitting = desk.sit()
            if sitting.ledger is None:
                raise
            continue
        return entry, seed, sitting._replace(ledger=ledger, scene=ledger.crisis.scene)
    raise AssertionError("the last try returns or raises")


def recorded(desk: Desk, ledger: Ledger, entry: Entry) -> Ledger:
    """The journal with one more entry, on disk; the end of the crisis stands there with the sheets it will write."""
    if entry.intent.action != "end":
        return ledger.with_entry(entry)
    return ledger.with_end(entry, ending_by(desk, ledger, entry))


def ending_by(desk: Desk, ledger: Ledger, entry: Entry) -> Ending:
    """What the entry that ends a crisis will write, given the journal before it."""
    after = folded(ledger.crisis.scene, entry.events)
    saves = entry.intent.get("save", True)
    return save_sheets.ending_of(desk.store(), desk.warn, ledger, after, saves, desk.world.clock())


def entered(
    desk: Desk, how: Dice, sitting: Sitting, intent: Intent, number: int = 1, own_seed: int | None = None
) -> tuple[Entry, int | None]:
    """The entry of an intent, and the seed of its dice; begun again where the player takes an answer back."""
    told: list[int | str] = []

    def about(who: str, throws: list[Throw]) -> list[str]:
        return decision.before(who, intent, sitting.scene, sitting.system, throws, desk.ink, desk.world.width)

    while True:
        table, seed, finish = desk.table(how, sitting, intent.get("react"), told, about)
        try:
            entry = perform(sitting.system, sitting.scene, intent, table, number, own_seed)
            finish()
        except Backed as back:
            told = back.told
            continue
        return entry, seed


def _save(desk: Desk, sitting: Sitting, entry: Entry) -> None:
    after = folded(sitting.scene, entry.events)
    before = {one.name: (lasting(sitting.system, one),) for one in sitting.scene.fighters.values()}
    store = desk.store()
    allowed = save_sheets.own_sheets(store, desk.warn)
    plan = save_sheets.planned(store, desk.warn, sitting.system, after, before, allowed)
    save_sheets.carried_out(store, desk.warn, plan.changes, allowed)


def show(desk: Desk, sitting: Sitting, entry: Entry, seed: int | None, options: Mapping[str, Any]) -> None:
    """Print an entry the way that is asked for."""
    if options.get("as_json"):
        explain = bool(options.get("explain"))
        record = data.entry(entry, sitting.system, seed, sitting.ledger is not None, explain)
        if entry.intent.action == "end":
            record["standing"] = standing(sitting.system, sitting.scene)
        desk.tell(record)
    elif options.get("quiet"):
        desk.say(text.quiet(entry))
    else:
        scene = folded(sitting.scene, entry.events) if options.get("dry_run") else sitting.scene
        desk.say(*text.told(entry, scene, sitting.system, desk.ink, bool(options.get("explain"))))
        if sitting.ledger is not None and not options.get("alone") and _decides(sitting, entry):
            sides = list(standing(sitting.system, sitting.scene))
            who = f"The {sides[0]} hold the field" if sides else "Nobody is left"
            desk.say(desk.ink("cyan", f"  {who}. To end the crisis: {desk.ink.way('end')}"))
        if options.get("dry_run"):
            desk.say(desk.ink("dim", "  (a dry run: nothing was changed)"))


def _decides(sitting: Sitting, entry: Entry) -> bool:
    """Whether the crisis was open before an entry, and is decided with it (ALL-5)."""
    scene = sitting.scene
    return (
        entry.intent.action in (*sitting.system.actions, "set")
        and decided(sitting.system, scene)
        and not decided(sitting.system, undone(scene, entry.events))
    )
