"""Intents as whole command lines, every option spelled out: what `crisis run` reads to do the same again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..columns import is_printable
from ..engine.question_settings import QUESTIONS
from ..engine.scene import GEAR_OPTIONS, Fighter, Intent, Scene, slug
from ..errors import Refused
from ..render.command_text import VERBS as OWN_VERBS
from ..sheets.find_fighters import copy_names
from ..sheets.names import OPTION, SEPARATORS, Names, fighter_names, match_name, plain_names
from ..sheets.store import COPIES, is_path
from ..verbs import VERBS

if TYPE_CHECKING:
    from ..engine.system import System

SHELL_ONLY = ("play", "run")
"""Verbs that are actions where a line of a script begins with them."""
NOT_TYPED = ("reason", "fighters")
"""Options of intents that no command line says: reasons of doctrines, and the sheets of those who join."""
JOINED = "\\"
"""What at the end of a line of a script joins it with the next."""
GEAR = (*GEAR_OPTIONS, "thing")
"""Options that name a thing of the actor."""


def command_line(system: System, scene: Scene, intent: Intent) -> str:
    """The line, without `crisis`, that carries out an intent in a crisis with this scene; Refused where none does."""
    if intent.action == "note":
        return _note(intent)
    core = CORE.get(intent.action)
    return one_line(spelled(core(system, scene, intent) if core else _action(system, scene, intent)))


def spelled(words: Iterable[str]) -> str:
    """Words as a shell reads them."""
    return " ".join(map(shlex.quote, words))


def one_line(line: str) -> str:
    """The line itself; Refused where a script would read it as several."""
    if line.splitlines() != [line]:
        sign = next(sign for sign in line if len(f"{sign}.".splitlines()) > 1)
        raise unwritable(f"a text of it holds a line break (U+{ord(sign):04X})")
    return line


def unwritable(why: str) -> Refused:
    """The error for what no line can say."""
    return Refused(why, code="no_line")


def _note(intent: Intent) -> str:
    """The line of a note, whose text stands in it as it is."""
    text = _said(str(intent.get("text", "")))
    if intent.get("closes"):
        raise unwritable("it closes a thread, whose number depends on the campaign")
    kind = "--thread " if intent.get("thread") else "--award " if intent.get("award") else ""
    apart = "-- " if kind or text.startswith(OPTION) else ""
    # A backslash at the end would join the line with the next one.
    return f"note {kind}{apart}{text}{' ' if text.endswith(JOINED) else ''}"


def _said(text: str) -> str:
    """A text that somebody typed as words; Refused where no words make it."""
    if text != " ".join(text.split()) or not text:
        raise unwritable("its text is not one line with single spaces, as what is typed")
    return text


def word_of(name: str, names: Names) -> str:
    """The shortest word that means this one of the fighters: in lower case with hyphens, else the name itself. Refused
    where a command would read it as something else."""
    word = thing_word(name, names)
    if _is_else(word):
        raise unwritable(f"no command can name {name!r}")
    return word


def _plain(word: str) -> str:
    """The word itself; Refused where a command would read it as an option."""
    if word.startswith(OPTION):
        raise unwritable(f"{word!r} would be an option")
    return word


def _is_else(word: str) -> bool:
    """Whether a command reads a word as something else than a name: an option, several names, a name and a value."""
    return word.startswith(OPTION) or not {*word}.isdisjoint(SEPARATORS) or word != word.strip() or not word


def thing_word(name: str, names: Names) -> str:
    """The shortest word that means this one of the things of a fighter, as for fighters."""
    short = slug(name)
    match = match_name(short, names)
    return short if match.is_whole and match.names == (name,) and is_printable(short) else name


def position(at: Sequence[float]) -> str:
    """A position as options take it: `3,4.5`, exact."""
    return ",".join(str(int(part)) if part == int(part) else repr(part) for part in at)


def opening(
    scene: Scene, intent: Intent, overrides: Iterable[str] = (), changed: Collection[str] = ()
) -> list[str]:
    """The words of `init … --open` that open a crisis with these fighters, or an encounter; `overrides` are values for
    --set, `changed` are the fighters who stand or fight otherwise than the file of the encounter says."""
    fighters, names = tuple(scene.fighters.values()), fighter_names(scene)
    words = ["init", *sheet_words(fighters), "--open"]
    if scene.encounter is not None:
        words = [
            "init",
            *_sheets([one for one in fighters if one.player]),
            "--encounter",
            scene.encounter.file,
        ]
        # Those who stand and fight as its file says are not named.
        fighters = tuple(one for one in fighters if one.name in changed)
    else:
        _require_names(fighters)
    placed = [f"{word_of(one.name, names)}={position(one.at)}" for one in fighters if one.at is not None]
    words += ["--place", *placed] if placed else []
    for one in fighters:
        words += ["--doctrine", f"{word_of(one.name, names)}={one.mind}"] if one.mind else []
    for override in overrides:
        words += ["--set", override]
    for key in ("surprise", "initiator"):
        for name in intent.get(key, ()):
            words += [f"--{key}", word_of(name, names)]
    if intent.get("order"):
        words += ["--order", ",".join(word_of(name, names) for name in intent.get("order"))]
    left = {
        key: value
        for key, value in intent.options.items()
        if key not in ("surprise", "initiator", "order", *NOT_TYPED)
    }
    return [*words, *(word for key, value in left.items() for word in _option(key, value))]


def sheet_words(fighters: Sequence[Fighter]) -> list[str]:
    """The sheets of these fighters as `init` and `join` take them, copies as `drone:2`, opponents after --vs."""
    theirs = [one for one in fighters if one.side == "opponents" and not one.player]
    ours = [one for one in fighters if one.side == "players" and one.player]
    if theirs and (*ours, *theirs) == (*fighters,):
        return [*_sheets(ours), "--vs", *_sheets(theirs)]
    return _sheets(fighters)


def _sheets(fighters: Sequence[Fighter]) -> list[str]:
    words: list[str] = []
    count = 0
    for at, one in enumerate(fighters):
        name = str(one.sheet["name"])
        if name == one.name:
            stem = one.file.replace("\\", "/").rpartition("/")[2].removesuffix(".toml")
            words.append(name.casefold() if _is_else(stem) else stem)
            continue
        count += 1
        following = fighters[at + 1] if at + 1 < len(fighters) else None
        is_last = following is None or following.sheet["name"] != name or following.name == name
        if is_last or count == COPIES:
            words.append(f"{name.casefold()}:{count}")
            count = 0
    return words


def _require_names(fighters: Iterable[Fighter], taken: Iterable[str] = ()) -> None:
    """Raise Refused where fighters of these sheets would have other names; `taken` are names in use."""
    used = [*taken]
    for one in fighters:
        name = str(one.sheet["name"])
        if one.name != name and (is_path(name) or copy_names(name, 1, used) != [one.name]):
            raise unwritable(f"no copy of the sheet of {name} is called {one.name!r}")
        used.append(one.name)


def _action(system: System, scene: Scene, intent: Intent) -> list[str]:
    """The words of an action of the system."""
    names, fighter = fighter_names(scene), scene.fighters[intent.actor]
    verb, left = intent.action, dict(intent.options)
    for option in system.command_options:
        if option.instead == intent.action and option.key in left:
            verb = option.verbs[0]
    has_verb = verb in (*OWN_VERBS, "check")
    words = [verb] if has_verb or verb in SHELL_ONLY or verb not in VERBS else ["act", verb]
    bare: list[str] = []
    if verb == "check":
        words += [word_of(intent.actor, names), str(left.pop("skill", ""))]
        if "vs" in left:
            other, skill = left.pop("vs")
            words += ["--vs", word_of(other, names), str(skill)]
    elif not has_verb:
        bare = [key for key in ("thing", "item", "deed") if key in left]
    words += [_value(system, scene, fighter, key, left.pop(key)) for key in bare]
    words += [word_of(name, names) for name in intent.targets]
    for key, value in left.items():
        if key not in NOT_TYPED:
            words += _option(key, _value(system, scene, fighter, key, value))
    if "to" in left and any(one.at == tuple(left["to"]) for one in scene.fighters.values()):
        words.append("--share")
    foes = all(scene.fighters[name].side != fighter.side for name in intent.targets)
    if intent.actor != scene.turn or not foes or {*intent.targets[:1]} & {*scene.acting}:
        words += ["--by", word_of(intent.actor, names)] if verb != "check" else []
    return words


def _value(system: System, scene: Scene, fighter: Fighter, key: str, value: Any) -> Any:
    """The value of an option as it is typed."""
    names = fighter_names(scene)
    kind = next((option.kind for option in system.command_options if option.key == key), "")
    if kind == "names":
        return ",".join(word_of(name, names) for name in value)
    if kind == "answers":
        return ",".join(f"{word_of(who, names)}={doing}" for who, doing in value)
    if key in ("to", "at"):
        return position(value)
    if key in GEAR or kind == "thing":
        return thing_word(str(value), plain_names((*fighter.carried(system.carried), str(value))))
    return value


def _option(key: str, value: Any) -> list[str]:
    """An option with its value as words; none for one that is off."""
    name = f"--{key.replace('_', '-')}"
    if value is None or isinstance(value, bool):
        return [name] if value else []
    return [f"{name}={value}"] if str(value).startswith("-") else [name, str(value)]


def _why(intent: Intent) -> list[str]:
    return ["--why", str(intent.get("why"))] if intent.get("why") else []


def _next(system: System, scene: Scene, intent: Intent) -> list[str]:
    by = ["--by", word_of(intent.actor, fighter_names(scene))] if intent.actor != scene.turn else []
    return ["next", *by, *_others(intent.options)]


def _others(options: Mapping[str, Any]) -> Iterator[str]:
    for key, value in options.items():
        if key not in NOT_TYPED:
            yield from _option(key, value)


def _set(system: System, scene: Scene, intent: Intent) -> list[str]:
    names, what, value = fighter_names(scene), str(intent.get("what", "")), intent.get("value")
    if what == "order" and not intent.target:
        return ["set", "order", ",".join(word_of(name, names) for name in value), *_why(intent)]
    kind, _, name = what.partition(":")
    if kind == "terrain" and not intent.target:
        return ["set", "terrain", name, str(value), *_why(intent)]
    if kind in ("counter", "deck") and not intent.target:
        return ["set", name, str(value), *_why(intent)]
    who = word_of(intent.target, names) if intent.target in scene.fighters else _plain(intent.target)
    if kind == "cover":
        what = f"cover:{word_of(name, names)}"
    if kind == "mark" and ":" in name:
        mark, _, about = name.partition(":")
        what = f"mark:{mark}:{word_of(about, names)}"
    return ["set", who, what, _setting(kind, value), *_why(intent)]


def _setting(what: str, value: Any) -> str:
    """The value of `set` as it is typed."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if what == "at":
        return "none" if value is None else position(value)
    if what == "held":
        return ",".join(value) or "none"
    return str(value)


def _join(system: System, scene: Scene, intent: Intent) -> list[str]:
    from ..engine.events import fighter_of

    names, records = fighter_names(scene), intent.get("fighters", ())
    back = [word_of(one["name"], names) for one in records if one["name"] in scene.fighters]
    new = [fighter_of(one) for one in records if one["name"] not in scene.fighters]
    _require_names(new, scene.fighters)
    words = ["join", *back, *sheet_words(new)]
    placed = [f"{slug(one.name)}={position(one.at)}" for one in new if one.at is not None]
    return [*words, *(["--place", *placed] if placed else []), *_others(intent.options)]


def _leave(system: System, scene: Scene, intent: Intent) -> list[str]:
    names = fighter_names(scene)
    words = ["leave", *(word_of(name, names) for name in intent.targets)]
    words += ["--surrender"] if intent.action == "yield" else []
    words += ["--by", word_of(intent.actor, names)] if intent.actor else []
    return [*words, *_others(intent.options)]


def _auto(system: System, scene: Scene, intent: Intent) -> list[str]:
    control = str(intent.get("doctrine") or ("on" if intent.get("on") else "off"))
    return ["auto", *(word_of(name, fighter_names(scene)) for name in intent.targets), _plain(control)]


def _questions(system: System, scene: Scene, intent: Intent) -> list[str]:
    who = [word_of(str(intent.get("who")), fighter_names(scene))] if intent.get("who") else []
    return [QUESTIONS, _plain(str(intent.get("value"))), *who]


def _end(system: System, scene: Scene, intent: Intent) -> list[str]:
    kept = [] if intent.get("save", True) else ["--discard" if intent.get("discard") else "--no-save"]
    return ["end", *kept, "--yes", *_why(intent)]


def _oracle(system: System, scene: Scene, intent: Intent) -> list[str]:
    question, *others = intent.get("typed", ("",))
    _said(question)
    # A space in front keeps a question that begins with a dash from being read as an option.
    return ["oracle", f" {question}" if question.startswith("-") else question, *others]


def _tables(system: System, scene: Scene, intent: Intent) -> list[str]:
    if intent.get("typed"):
        return ["oracle", *intent.get("typed")]
    without = ",".join(map(str, intent.get("without", ())))
    return ["tables", "roll", _plain(str(intent.get("table"))), *(["--without", without] if without else [])]


CORE: Mapping[str, Callable[[System, Scene, Intent], list[str]]] = {
    "next": _next,
    "set": _set,
    "join": _join,
    "leave": _leave,
    "yield": _leave,
    "auto": _auto,
    "end": _end,
    "shuffle": lambda system, scene, intent: ["tables", "shuffle", _plain(str(intent.get("table")))],
    "tables": _tables,
    "oracle": _oracle,
    QUESTIONS: _questions,
    "tension": lambda system, scene, intent: ["set", "tension", str(intent.get("value")), *_why(intent)],
    "init": lambda system, scene, intent: opening(scene, intent),
}
"""The words of the actions of the table itself, by action."""
