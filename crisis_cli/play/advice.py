"""The line that was probably meant by one that cannot be read: with a target, an item or a direction, as typed here."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import pairwise

from ..engine.geometry import distance
from ..engine.kinds import nearest
from ..engine.legal_actions import LegalAction, is_allowed
from ..engine.scene import Intent, Scene
from ..engine.system import System
from ..errors import NotationError
from ..render.command_text import at_prompt, slug, typed
from ..render.sides import own_side
from ..sheets.names import Names, fighter_names, join_words, match_name, plain_names
from ..verbs import VERBS

LIST_ACTIONS = "?"
"""The shortcut for `act --list`."""
SHELL_ONLY = ("play", "run")
"""Verbs for the shell: at the prompt and in scripts, an action of the same name is meant."""
OUTSIDE = ("play", "run", "init", "rest", "tend", "take", "campaign", "completion")
"""Verbs that are of no use while a crisis is open: there they are words of a sentence, as in `take cover`."""
SPOKEN = {
    "fight shoot fire hit strike stab punch shot kill slash swing smash bash kick": ("attack",),
    "go goto move run walk sprint dash advance approach charge step forward come left right": (
        "move",
        "walk",
        "run",
    ),
    "flee retreat withdraw back escape": ("move away", "run away", "walk away"),
    "wait done skip finish stay delay pass": ("next",),
    "look state stats sheet hp health who examine inspect info show": ("status",),
    "items belongings gear carry": ("inv",),
    "where field distance": ("map",),
    "cure treat bandage medic patch": ("heal",),
    "use drink eat": ("use-item", "use", "take-chem", "heal"),
    "wield equip switch swap weapon pick grab unsheathe": ("draw", "ready"),
    "cover crouch duck hide": ("hunker", "kneel", "hide", "defend"),
    "guard watch ready": ("overwatch", "ready"),
    "aim": ("take-aim",),
    "block parry dodge protect": ("defend", "shield-block", "block"),
    "load": ("reload",),
    "stand rise up": ("stand-up", "rise"),
    "prone lie down": ("drop-prone", "lie-down", "prone"),
    "luck reroll spend": ("help attack",),
    "why": ("explain",),
    "mission quest task purpose win wins": ("goal",),
    "hint suggest best": ("odds --top 1",),
    "chance chances probability": ("odds",),
    "dice": ("roll",),
    "list options actions menu commands what keep": (LIST_ACTIONS,),
    "man manual how tutorial": ("help",),
    "back revert cancel oops": ("undo",),
    "abort discard": ("end --discard",),
    "restart": ("rewind 1",),
    "exit q bye logout stop leave": ("quit",),
}
"""Words a new player may type, and what may be meant: the first whose first word is an action here, a verb or a word
of the prompt."""
OF_PROMPT = (LIST_ACTIONS, "quit")
"""Words that are no verbs, and that the prompt understands."""
IDLE_WORDS = (
    "i we us my can please now let lets the a an at to with on for do does not want am is are it them there then me "
    "myself turn around up down out take"
)
"""Words of a sentence that say nothing about a command."""
ALTERING = (
    "not no never dont cant cannot nobody none nothing everybody everyone everything all both each or but except "
    "second third last other another"
)
"""Words that make a sentence mean another action than the one it names, and are read nowhere."""
CONCEDING = ("surrender", "concede", "yield", "give up")
"""Words with which a side gives up."""
AWAY = ("away", "back", "flee", "retreat", "withdraw", "escape")
"""Words of a move that leads away from foes."""
DICE = re.compile(r"(?<![a-z])\d*[dw](\d|%|f\b|c\b|\{)", re.IGNORECASE)
"""Dice, in any spelling."""
COPY = re.compile(r"(.*[^\W\d])[- ]?\d+")
"""The name of a copy, with that of its sheet."""
LOOKING = ("status", "goal", "inv", "map", "log", "explain", "help", "rules", "roll", "quit", LIST_ACTIONS)
"""First words of lines that do nothing to anybody, whoever else was named."""
NUMBER = re.compile(r"-?\d+(\.\d+)?")
ALONE = f"next status goal map odds undo redo log inv explain save auto help {' '.join(OF_PROMPT)}"
"""Words that can be typed alone."""
NECESSARY = ("weapon", "item", "thing", "deed")
"""Options without which an action is another one; the rest has defaults."""
NAMED, THING = 2.0, 1.5
"""How well an action fits that is aimed at a fighter who is named, or done with a thing that is named."""


def meant_by(word: str, known: Container[str]) -> str:
    """What a new player who types this word probably means; empty if that is not known here."""
    wanted = (
        meaning for spoken, meanings in SPOKEN.items() if word in spoken.split() for meaning in meanings
    )
    return next((meaning for meaning in wanted if meaning.split()[0] in known), "")


def meant_line(
    words: Sequence[str], system: System, scene: Scene, legal: Callable[[], Iterable[LegalAction]]
) -> str:
    """A line that can be typed in place of one that cannot be read; empty if none is known.

    `legal` gives the actions that are possible now; an action that is not among them is answered by the line that
    shows why not.
    """
    plain = [word for word in (each.lower().replace("_", "-").strip(".,!?;:'\"") for each in words) if word]
    said = join_words(plain, fighter_names(scene))
    if said[:1] == ["act"]:
        said = said[1:]
    if not said:
        return LIST_ACTIONS
    is_named = any(_names_someone(scene, word) for word in said)
    if said[0] not in known_words(system) and not is_named and (rolls := roll_line(words)):
        return rolls
    if concedes(said) and not is_named:
        standing = [one for one in scene.fighters.values() if one.side == own_side(scene) and not one.gone]
        who = [slug(one.name) for one in standing if not (one.yielded or system.fallen(one))]
        return f"leave {' '.join(who)} --surrender" if who else ""
    if said[:1] == ["odds"]:
        inner = meant_line(said[1:] or [LIST_ACTIONS], system, scene, legal)
        return f"odds {inner}" if inner.partition(" ")[0] in system.actions else "odds"
    if said == ["leave"]:
        return "quit"
    if said == ["roll"]:
        return "roll 3d6"
    if said[0] == "rules":
        return "rules"
    head, others = command_word(said, system)
    rest = [word for word in others if word not in IDLE_WORDS.split()]
    action, *more = head.split() or [""]
    named = [name for name in scene.fighters if _names(scene, name, said)]
    if not head and scene.turn and named and all(_names_someone(scene, word) for word in rest):
        if scene.fighters[named[0]].side == scene.fighters[scene.turn].side:
            return f"{LIST_ACTIONS} {slug(named[0])}"
        action = "attack"
    if action in system.actions:
        line = _action_line(action, [*more, *rest], system, scene, legal)
    elif action == "help" and rest and not more:
        topic = command_word(rest, system)[0].split()
        line = f"help {topic[0]}" if topic and topic[0] in (*system.actions, *VERBS) else "help"
    else:
        line = head if more or action in ALONE.split() else ""
    is_altered = alters(said) and line.partition(" ")[0] not in LOOKING
    return "" if is_altered or line == " ".join(words) or _drops(line, words, said, scene) else line


def concedes(words: Sequence[str]) -> bool:
    """Whether the words of a sentence give the fight up."""
    return any(f" {said} " in f" {' '.join(words)} " for said in CONCEDING) and not alters(words)


def alters(words: Iterable[str]) -> bool:
    """Whether a word of a sentence makes it mean another action than the one it names."""
    return any(word in ALTERING.split() or word.endswith("n't") for word in words)


def _drops(line: str, words: Sequence[str], said: Sequence[str], scene: Scene) -> bool:
    """Whether a line lacks an option that was typed, or is about other fighters than those who were."""
    options = {word.partition("=")[0] for word in words if word.startswith("--")}
    if not options.issubset(line.split()):
        return True
    if line.partition(" ")[0] in LOOKING or line == "odds":
        return False
    names = fighter_names(scene)
    if any(_is_missing_copy(word, names) for word in (*said, *map("-".join, pairwise(said)))):
        return True
    typed_groups = [match.names for word in said if (match := match_name(word, names)).is_whole]
    kept = {
        name for word in line.split() for name in match_name(word, names).names if word in map(slug, names)
    }
    is_any_left_out = any(kept.isdisjoint(group) for group in typed_groups if group != (scene.turn,))
    return is_any_left_out or bool(typed_groups and kept.difference(*typed_groups))


def _is_missing_copy(word: str, names: Names) -> bool:
    """Whether a word is the name of a copy that does not take part: `drone-3` where there are two."""
    copy = COPY.fullmatch(word)
    return copy is not None and match_name(copy[1], names).is_whole and not match_name(word, names).is_whole


def roll_line(words: Sequence[str]) -> str:
    """The line that rolls the dice of some words, as they are or rightly spelled; empty if there are no dice, or no
    spelling is known."""
    if not DICE.search(" ".join(words)):
        return ""
    from ..notation.parser import expressions, parse

    try:
        for text in expressions(words, from_shell=False):
            parse(text)
    except NotationError:
        from ..notation.spellings import spellings

        return next((f"roll {right.text}" for right in spellings(" ".join(words))), "")
    return f"roll {' '.join(words)}"


def known_words(system: System) -> tuple[str, ...]:
    """The first words of lines that may be typed while a crisis is open."""
    return (*system.actions, *(verb for verb in VERBS if verb not in OUTSIDE), *OF_PROMPT)


def command_word(said: Sequence[str], system: System) -> tuple[str, list[str]]:
    """The command that a word of a sentence names, empty for none, and the other words."""
    known = known_words(system)
    if said[0] in ("what", "show", "how") and (
        last := said[-1] if said[-1] in LOOKING else meant_by(said[-1], ("goal", "inv"))
    ):
        return last, []
    for at, word in enumerate(said):
        meaning = word if word in system.actions or (word in known and not at) else meant_by(word, known)
        if meaning:
            return meaning, [*said[:at], *said[at + 1 :]]
    near = nearest(said[0], known)
    return (near, [*said[1:]]) if near else ("", [*said])


def _action_line(
    action: str, rest: Sequence[str], system: System, scene: Scene, legal: Callable[[], Iterable[LegalAction]]
) -> str:
    """The line of an action as it is possible now that fits the other words best; else that which shows why not."""
    intents = [one.intent for one in legal() if (one.intent.action, one.intent.actor) == (action, scene.turn)]
    if not intents:
        return f"{LIST_ACTIONS} {action}" if scene.turn and system.actions[action].window == "turn" else ""
    if "to" in system.actions[action].options:
        return _move_line(action, rest, intents[0].actor, system, scene)
    best = max(intents, key=lambda intent: _fit(intent, rest, system, scene))
    gear = {key: value for key, value in best.options.items() if key in NECESSARY or value in rest}
    plain = best._replace(options=gear)
    return at_prompt(f"crisis {typed(scene, plain if is_allowed(system, scene, plain) else best)}")


def _move_line(action: str, rest: Sequence[str], actor: str, system: System, scene: Scene) -> str:
    """A move to a place of which the words have the numbers, away from foes, or toward a fighter: the one who is named,
    or the nearest foe.
    """
    numbers = [number for word in rest for number in word.split(",") if NUMBER.fullmatch(number)]
    if len(numbers) == 2:
        return f"{action} --to {','.join(numbers)}"
    foes = [one.name for one in scene.foes(actor) if not system.fallen(one) and not one.yielded]
    gaps = {
        name: gap
        for name, one in scene.fighters.items()
        if name != actor and not one.gone and (gap := distance(system, scene, actor, name)) is not None
    }
    far = [name for name in gaps if gaps[name] > system.space.beside]
    named = [name for name in far if _names(scene, name, rest)]
    if scene.fighters[actor].at is None:
        return action
    goals = named or [name for name in far if name in foes]
    if not goals or any(word in AWAY for word in rest):
        return f"{action} away" if foes else action
    return f"{action} toward {slug(min(goals, key=lambda name: (name not in foes, gaps[name])))}"


def _fit(intent: Intent, rest: Sequence[str], system: System, scene: Scene) -> tuple[float, float]:
    """How well an action fits the words, then how near its target is."""
    fits = sum(NAMED for name in intent.targets if _names(scene, name, rest))
    things = [value for value in intent.options.values() if isinstance(value, str)]
    fits += sum(THING for word in rest if match_name(word, plain_names(things)).names)
    if any(word in ("me", "myself", "self") for word in rest) and intent.targets == (intent.actor,):
        fits += NAMED
    # Of equal ones, the one with the fewest words.
    fits -= len(intent.options) / 10
    gaps = [distance(system, scene, intent.actor, name) or 0 for name in intent.targets]
    return fits, -max(gaps, default=0.0)


def _names_someone(scene: Scene, word: str) -> bool:
    """Whether a word names a fighter, or several."""
    return bool(match_name(word, fighter_names(scene)).names)


def _names(scene: Scene, name: str, words: Sequence[str]) -> bool:
    """Whether words name this fighter alone, or several with it."""
    names = fighter_names(scene)
    return any(name in match_name(word, names).names for word in (*words, "-".join(words)))
