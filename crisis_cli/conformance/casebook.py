"""Casebooks: every case of a TOML file performed on given dice, and compared.

A casebook is about one system, SYSTEM.toml. Its head holds `[sheets.NAME]`, sheets as players write
them; then each `[[case]]` holds

  rules     the ids it pins              what      the distribution, in one sentence
  cast      who is there: a sheet, or "sheet as Name" for one more of the same sheet
  set       by fighter, what that sheet says instead (laid over it, tables key by key)
  crisis    present: a crisis is open, with these fields of the scene (order, turn, round); absent: a one-off
  pools     by fighter, pools as they stand now
  after     by fighter, values afterwards (a pool, "condition:NAME", "held", "at", "side" …)
  scene     fields of the scene afterwards
  standing  by side, who can still fight afterwards
  faults    instead of all else: what is wrong with the sheets, part of each message

and one action, or under `do` several, one after the other:

  intent    action, actor, target or targets, options; `newcomers`: sheets that join
  dice      the faces in the order of throwing, no more and no fewer
  choices   what is decided on the way, in order; nothing said: whatever does nothing
  outcome   fields of the outcome        effects   by fighter, what = [was, now]: all that changed, no more, but
            for marks and the ends of conditions
  parts     by fighter and pool, what its change adds up from: [name, value, rule], in order
  rolls     the rolls, in order; only the fields given are compared
  modifiers among those that counted     forced    part of what the GM overrode
  refused   rule, code, says (part of the message), hint (part of it), status (3 unless given): no face is read
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .. import rulebooks
from ..ai.choosing import chooser
from ..dice.distribution import OddsTable
from ..dice.scripted import Scripted
from ..dice.table import Table
from ..engine.changes import LIMIT, all_parts, is_number, parts_of
from ..engine.cost import PAID
from ..engine.events import GROUPS, SIDE, WHOLE, Event, apply_all, held_now, plain, record_of
from ..engine.kinds import Fault, guess
from ..engine.perform import perform
from ..engine.record import Entry, RecordedChoice, RollRecord
from ..engine.scene import BOUGHT, Fighter, Intent, Scene
from ..engine.sides import standing
from ..engine.system import READIED, System
from ..engine.system_check import OF_EVERY_ACTION, SHARED_OPTIONS
from ..engine.verify import remembered
from ..errors import WORDS, CrisisError, Refused, Usage, WrongDice
from ..sheets.check import Sheet, faults_error, parsed, spelled
from ..sheets.fighters import fighter
from ..sheets.toml_positions import spans
from ..systems import blamed

FILES: dict[str, Path] = {}
"""The casebooks of this run of tests, by the system each is about."""
UNSEEN = ("mark:", "until:")
"""Small print of the core that a rulebook reader does not look for."""

Book = dict[str, Any]


def books() -> dict[str, Book]:
    """The casebooks of this run of tests, by the system each is about."""
    return {name: book(path) for name, path in sorted(FILES.items())}


@cache
def book(path: Path) -> Book:
    """The casebook in a file, which is read once and which nobody changes; FileError where it is none."""
    text = path.read_text("utf-8")
    values = parsed(text, str(path), "casebook")
    faults = [
        Fault((key,), f"unknown{guess(key, BOOK) or '; write [sheets.NAME] and [[case]]'}")
        for key in values
        if key not in BOOK
    ]
    if not values:
        faults.append(Fault(("case",), "is missing: write [[case]] for each case"))
    elif not isinstance(values.get("case", []), list):
        faults.append(Fault(("case",), "must be a list: write [[case]]"))
    if faults:
        raise faults_error(str(path), text, faults, "casebook")
    return values


def lines_of_cases(path: Path) -> dict[int, int]:
    """The lines on which the cases of a casebook begin, by their numbers from 0."""
    found = spans(path.read_text("utf-8"))
    return {int(at[1]): span.line for at, span in found.items() if at[:1] == ("case",) and len(at) == 2}


def require_known(lead: str, words: Iterable[str], known: Iterable[str]) -> None:
    """AssertionError where a case names what there is not; `lead` begins the clause."""
    names = list(known)
    for word in words:
        assert word in names, f"{lead} {word!r}; write one of {', '.join(names)}"


def laid_over(base: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """A table with another laid over it, key by key."""
    laid = dict(base)
    for key, value in more.items():
        both = isinstance(value, Mapping) and isinstance(laid.get(key), Mapping)
        laid[key] = laid_over(laid[key], value) if both else value
    return laid


def sheet(system: System, raw: Mapping[str, Any]) -> tuple[Sheet, list[Fault]]:
    """A sheet as the program reads it, with what is wrong with it."""
    faults: list[Fault] = []
    values = system.sheet.read(dict(raw), (), faults)
    if not faults:
        faults += system.faults(values)
    return Sheet(Path(f"{raw['name']}.toml"), "", raw, values), faults


def cast(system: System, book: Book, words: list[str], changes: Mapping[str, Any]) -> dict[str, Fighter]:
    """The fighters of a case."""
    found: dict[str, Fighter] = {}
    for word in words:
        one, faults = sheet(system, raw_of(system, book, word, changes))
        assert not faults, f"the sheet {word!r}: {spelled(faults[0].path)}: {faults[0].message}"
        found[one.values["name"]] = fighter(system, one)
    return found


def raw_of(system: System, book: Book, word: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The sheet that a word of the cast names, with what the case changes on it."""
    stem, _, name = word.partition(" as ")
    require_known("the casebook has no sheet", [stem], book.get("sheets", ()))
    raw = {"system": system.name, **book["sheets"][stem]}
    raw["name"] = name or raw["name"]
    return laid_over(raw, changes.get(raw["name"], {}))


def opening(system: System, book: Book, case: Mapping[str, Any]) -> Scene:
    """The scene in which a case begins."""
    assert "cast" in case, 'the case has no cast: write cast = ["..."]'
    fighters = cast(system, book, case["cast"], case.get("set", {}))
    for key in ("set", "pools"):
        require_known(f"{key}: the cast has no", case.get(key, ()), fighters)
    for who, pools in case.get("pools", {}).items():
        unknown = set(pools) - set(fighters[who].pools)
        assert not unknown, (
            f"{who} has no pool {', '.join(sorted(unknown))}; write one of {', '.join(fighters[who].pools)}"
        )
        fighters[who] = fighters[who]._replace(pools={**fighters[who].pools, **pools})
    scene = Scene(system.name, fighters)
    if "crisis" not in case:
        return scene
    require_known("a scene has no field", case["crisis"], Scene._fields)
    fields = {
        key: tuple(value) if isinstance(value, list) else value for key, value in case["crisis"].items()
    }
    return scene._replace(open=True, **fields)


def intent(system: System, book: Book, said: Mapping[str, Any]) -> Intent:
    """What the actor of a case means to do."""
    unknown = set(said) - INTENT
    assert not unknown, f"an intent has no {', '.join(sorted(unknown))}; write {', '.join(sorted(INTENT))}"
    targets = (said["target"],) if "target" in said else tuple(said.get("targets", ()))
    options = dict(said.get("options", {}))
    if "newcomers" in said:
        new = cast(system, book, said["newcomers"], {})
        options["fighters"] = [record_of(one) for one in new.values()]
        targets = tuple(new)
    return Intent(said["action"], said.get("actor", ""), targets, options)


BOOK = ("sheets", "case")
UNNAMED = (*OF_EVERY_ACTION, "react", "answer", "skill")
"""Options that an action may be given though its row does not name them."""
KEYS = {"rules", "what", "cast", "set", "crisis", "pools", "after", "scene", "standing", "faults", "do"}
INTENT = {"action", "actor", "target", "targets", "options", "newcomers"}
STEP = {"intent", "dice", "choices", "outcome", "effects", "parts", "rolls", "modifiers", "forced", "refused"}


def run(system: System, book: Book, case: Mapping[str, Any]) -> None:
    """Perform a case and compare."""
    assert not set(case) - KEYS - STEP, (
        f"a case has no {', '.join(sorted(set(case) - KEYS - STEP))}; write {', '.join(sorted(KEYS | STEP))}"
    )
    for step in case.get("do", ()):
        unknown = set(step) - KEYS - STEP
        assert not unknown, f"a step has no {', '.join(sorted(unknown))}; write {', '.join(sorted(STEP))}"
    _require_rules(system, case)
    if "faults" in case:
        _faulty(system, book, case)
        return
    scene = opening(system, book, case)
    steps = case.get("do", [case] if "intent" in case else [])
    assert steps or "after" in case, "the case says nothing: write intent = {...}, or after"
    for number, step in enumerate(steps, start=1):
        scene = _stepped(system, book, scene, step, f"step {number}")
        _stands(system, scene, step, f"step {number}")
    _stands(system, scene, case, "the end")


def _require_rules(system: System, case: Mapping[str, Any]) -> None:
    """AssertionError where a case does not say what it shows and of which rules, or names a rule that there is not."""
    for key, way in (("what", '"..."'), ("rules", f'["{system.name.upper()}-1"]')):
        assert case.get(key), f"the case has no {key}: write {key} = {way}"
    known = _rules(system.name)
    for rule in case["rules"] if known else ():
        assert rule in known, f"the rules of {system.name} have no {rule!r}{guess(rule, known)}"


@cache
def _rules(name: str) -> tuple[str, ...]:
    """The ids of the rules of a system, and of those that all share; none where they are not written down."""
    return tuple(rulebooks.titles(name)) if name in rulebooks.names() else ()


def _require_options(system: System, meant: Intent, at: str) -> None:
    """AssertionError where an action of a fighter is given an option that there is not."""
    row = system.actions.get(meant.action)
    if row is not None and row.window != "table":
        own = (name for option in system.command_options for name in (option.name, option.key))
        known = sorted({*UNNAMED, *SHARED_OPTIONS, *row.options, *own})
        for name in meant.options:
            near = guess(name, known) or f"; there are: {', '.join(known)}"
            assert name in known, f"{at}: {meant.action} has no option {name!r}{near}"


def _require_value(system: System, fighter: Fighter, what: str, at: str) -> None:
    """AssertionError where a fighter has no value of a name: a pool, `condition:NAME`, `mark:NAME`, `at`."""
    group, _, name = what.partition(":")
    tables = {
        "condition": system.conditions,
        "until": system.conditions,
        "mark": (*system.marks, READIED, BOUGHT, PAID),
    }
    if group in tables:
        kind = "condition" if group == "until" else group
        require_known(f"{at}: there is no {kind}", [name.partition(":")[0]], tables[group])
    elif group not in GROUPS and what not in (*WHOLE, "fighter"):
        require_known(f"{at}: {fighter.name} has no", [what], (*fighter.pools, *sorted(WHOLE)))


def clause(error: BaseException) -> str:
    """What an error says: that of a rulebook with its file and line."""
    if isinstance(error, (AssertionError, CrisisError)):
        return str(error)
    broken = blamed(error) if isinstance(error, Exception) else None
    return broken.message if broken else f"{type(error).__name__}: {error}"


def _faulty(system: System, book: Book, case: Mapping[str, Any]) -> None:
    faults = [
        f"{spelled(fault.path)}: {fault.message}"
        for word in case["cast"]
        for fault in sheet(system, raw_of(system, book, word, case.get("set", {})))[1]
    ]
    wanted = case["faults"]
    assert len(faults) == len(wanted), (
        f"the sheets have {len(faults)} faults, the case {len(wanted)}: {faults}"
    )
    for part in wanted:
        assert any(part in one for one in faults), f"no fault says {part!r}: {faults}"


def _stepped(system: System, book: Book, scene: Scene, step: Mapping[str, Any], at: str) -> Scene:
    dice = Scripted(step.get("dice", ()))
    meant = intent(system, book, step["intent"])
    _require_options(system, meant, at)
    if "refused" in step:
        _refused(system, scene, meant, dice, step["refused"], at)
        return scene
    decides = chooser(meant.get("react"), OddsTable(), bool, None)
    if "choices" in step:
        decides = remembered([RecordedChoice("", (), taken) for taken in step["choices"]], OddsTable())
    try:
        entry = perform(system, scene, meant, Table(dice, decides))
        dice.finish()
    except CrisisError as error:
        raise AssertionError(f"{at}: {error.message}") from error
    _compared(entry, step, at)
    _adds_up(scene, entry, at)
    return apply_all(scene, entry.events)


def _refused(system: System, scene: Scene, meant: Intent, dice: Scripted, refused: Any, at: str) -> None:
    unknown = set(refused) - {"rule", "code", "says", "hint", "status"}
    assert not unknown, (
        f"{at}: refused has no {', '.join(sorted(unknown))}; write rule, code, says, hint or status"
    )
    assert "says" in refused, f'{at}: refused has no says: write a part of the message, says = "..."'
    before = plain(scene._asdict())
    error: CrisisError | None = None
    try:
        perform(system, scene, meant, Table(dice, chooser(meant.get("react"), OddsTable(), bool, None)))
        dice.finish()
    except CrisisError as caught:
        # What asks for faces that the case does not give is allowed, unless the case is about that.
        is_allowed = isinstance(caught, WrongDice) and not {"code", "status"} & {*refused}
        error = None if is_allowed else caught
    assert error is not None, (
        f"{at}: {meant.action} is allowed; the case says that it is refused: {refused['says']!r}"
    )
    usual = Usage.status if error.code in WORDS else Refused.status
    compared = [("status", error.status, refused.get("status", usual))]
    compared += [
        (field, getattr(error, field), refused[field]) for field in ("rule", "code") if field in refused
    ]
    for field, came, wanted in compared:
        assert came == wanted, (
            f"{at} is refused with the {field} {came}, in the case {wanted}: {error.message}"
        )
    for said, part in ((error.message, refused["says"]), (error.hint, refused.get("hint", ""))):
        assert part in said, f"{at} is refused with the words {said!r}, in the case with {part!r}"
    assert plain(scene._asdict()) == before, f"{at}: refused, and yet something changed"
    if isinstance(error, Refused):
        assert dice.used == 0, f"{at}: a face was read before the refusal"


def _compared(entry: Entry, step: Mapping[str, Any], at: str) -> None:
    for field, value in step.get("outcome", {}).items():
        assert entry.outcome.get(field) == value, (
            f"{at}: {field} of the outcome is {entry.outcome.get(field)!r}, in the case {value!r}: "
            f"{dict(entry.outcome)}"
        )
    if "choices" in step:
        taken = [choice.taken for choice in entry.choices]
        assert taken == step["choices"], f"{at}: the choices are {taken}, in the case {step['choices']}"
    if "effects" in step:
        seen = [event for event in entry.events if event.who and not event.what.startswith(UNSEEN)]
        changed = {(event.who, event.what): [event.was, event.now] for event in seen}
        wanted = {(who, what): pair for who, all_ in step["effects"].items() for what, pair in all_.items()}
        wrong = [key for key in {**changed, **wanted} if changed.get(key) != wanted.get(key)]
        said = "; ".join(
            f"{what} of {who} is {changed.get((who, what), 'left as it is')}, in the case "
            f"{wanted.get((who, what), 'left as it is')}"
            for who, what in wrong
        )
        assert not wrong, f"{at}: {said}"
    for who, pools in step.get("parts", {}).items():
        for what, wanted_parts in pools.items():
            event = next((event for event in entry.events if (event.who, event.what) == (who, what)), None)
            assert event is not None, f"{at}: {what} of {who} does not change"
            parts = [[part.name, part.value, part.rule] for part in all_parts(event)]
            assert parts == wanted_parts, (
                f"{at}: {what} of {who} adds up from {parts}, in the case {wanted_parts}"
            )
    if "rolls" in step:
        count = len(entry.rolls)
        assert count == len(step["rolls"]), (
            f"{at}: {count} rolls, in the case {len(step['rolls'])}: {entry.rolls}"
        )
        for roll, wanted_roll in zip(entry.rolls, step["rolls"], strict=True):
            flat = _flat(roll)
            rolled = {key: flat.get(key) for key in wanted_roll}
            assert rolled == wanted_roll, (
                f"{at}: the roll {roll.what!r} is {rolled}, in the case {wanted_roll}"
            )
    for modifier in step.get("modifiers", ()):
        found = [one for one in entry.modifiers if modifier.items() <= one._asdict().items()]
        assert found, f"{at}: no {modifier} among {entry.modifiers}"
    forced = step.get("forced", ())
    said_to_be = f"{at}: the GM overrode {entry.forced}, in the case {forced}"
    assert len(entry.forced) == len(forced), said_to_be
    assert all(part in said for said, part in zip(entry.forced, forced, strict=True)), said_to_be


def _adds_up(scene: Scene, entry: Entry, at: str) -> None:
    """Every change of a number by a rule is the sum of its parts, each by a rule; a limit is one that the pool has."""
    for event in entry.events:
        if not (is_number(event) and event.rule):
            continue
        parts = all_parts(event)
        assert sum(part.value for part in parts) == event.now - event.was, f"{at}: {event} is not {parts}"
        assert all(part.name and part.value and part.rule for part in parts), f"{at}: {event} is {parts}"
        one = scene.fighters.get(event.who)
        if any(part.name == LIMIT for part in parts) and one and event.what in one.pools:
            low, high = one.limits.get(event.what, (0, None))
            assert event.now in (low or 0, high), f"{at}: {event} meets no bound, and yet has one of {parts}"


def unexplained(system: System, entry: Entry) -> list[Event]:
    """The changes by the effects of dice of which no more is known than that a rule made them.

    A change by the pool's own rule explains itself: a magazine emptied.
    """
    return [
        event
        for event in entry.events
        if entry.rolls
        and event.what in system.pools
        and not system.pools[event.what].spent
        and event.rule != system.pools[event.what].rule
        and not parts_of(event)
    ]


def _flat(roll: RollRecord) -> dict[str, Any]:
    faces = [face for _, face in roll.faces]
    return {
        **roll.about,
        **roll.reckoning,
        "what": roll.what,
        "who": roll.who,
        "dice": roll.dice,
        "faces": faces,
    }


def _stands(system: System, scene: Scene, wanted: Mapping[str, Any], at: str) -> None:
    require_known("a scene has no field", wanted.get("scene", ()), Scene._fields)
    named = [who for who in wanted.get("after", ()) if not who.startswith(SIDE)]
    require_known("after: there is no", named, scene.fighters)
    for who, values in wanted.get("after", {}).items():
        for what, value in values.items():
            if not who.startswith(SIDE):
                _require_value(system, scene.fighters[who], what, f"after {at}")
            now = plain(held_now(scene, who, what))
            assert now == value, f"after {at} {what} of {who} is {now!r}, in the case {value!r}"
    for field, value in wanted.get("scene", {}).items():
        now = plain(getattr(scene, field))
        assert now == value, f"after {at} {field} is {now!r}, in the case {value!r}"
    if "standing" in wanted:
        left = standing(system, scene)
        assert left == wanted["standing"], f"after {at} there stand {left}, in the case {wanted['standing']}"
