"""Lines typed as people talk, made exact: names by any of their words, prepositions, other words for an action."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise, product, takewhile
from math import ceil, floor
from typing import TYPE_CHECKING

from ..engine.geometry import distance
from ..engine.kinds import nearest
from ..engine.ranking import losses
from ..engine.scene import GEAR_OPTIONS, Fighter, Scene, slug
from ..engine.system import System
from ..engine.turn_order import sheet_of
from ..engine.validate import prepare
from ..play.advice import (
    DICE,
    IDLE_WORDS,
    LIST_ACTIONS,
    LOOKING,
    NUMBER,
    alters,
    command_word,
    concedes,
    meant_by,
    meant_line,
)
from ..play.move_words import WORDS as DIRECTIONS
from ..play.naming import item_names
from ..render.command_text import quote
from ..sheets.find_fighters import find_name
from ..sheets.names import Names, fighter_names, join_words, match_inner_word, match_name, plain_names
from ..values import NamedTuple

if TYPE_CHECKING:
    from ..engine.action_odds import ActionOdds
    from ..engine.field import Place
    from .lines import Lines

ARTICLES = ("the", "a", "an", "please")
"""Words that are left out."""
TARGET_WORDS = ("at", "on", "to", "against")
"""Words before a target."""
THING_WORDS = ("with", "using")
"""Words before a weapon or an item."""
WHEN_WORDS = ("when", "if")
"""Words before what a readied action waits for."""
PREPOSITIONS = (*TARGET_WORDS, *THING_WORDS, *WHEN_WORDS)
SAID_OF_TRIGGERS = "i am is in they are someone anyone"
"""Words in a trigger that say nothing."""
NEAR_WORDS = ("near", "close", "reach")
SELF_WORDS = ("me", "myself", "self")
FOE_WORDS = ("foe", "enemy", "opponent", "foes", "enemies", "opponents", "him", "her")
"""Words for any target of an attack."""
NEAREST_WORDS = ("nearest", "closest")
MANNERS = ("punch", "kick", "stab", "slash", "smash", "bash", "swing")
"""Words for an attack in a certain manner."""
QUESTIONS = "can could may shall should will would do does is what how if"
"""First words of questions: the player has to confirm what they ask about."""
MOVING = ("move", "go", "goto", "walk", "run", "sprint")
"""Words for a move, in the order in which the moves of a system are tried."""
GUESSED = (*(word for word in LOOKING if word != "quit"), "odds", "next")
"""First words of lines, beside actions, that are run though they were not typed so: none ends or writes anything."""
MOST = 9
"""The most lines that a line may mean: those about the nearest targets."""
MOST_WORDS = 20
"""The most words of a line that is taken apart."""


class Understood(NamedTuple):
    """The meaning of a line that is typed as people talk."""

    lines: tuple[str, ...]
    """The line to run; several, the nearest target first, where the player has to say which."""
    is_sure: bool = True
    """Whether every word was used, and the line costs only what every turn gives anew."""
    chances: tuple[tuple[int, int], ...] = ()
    """Of several lines, the chance of each to succeed, as (numerator, denominator); (0, 0) for none."""
    names: tuple[str, ...] = ()
    """Of several lines, the name that tells each from the others."""


class Line(NamedTuple):
    """A line that some words may mean."""

    words: tuple[str, ...]
    others: tuple[str, ...] = ()
    """The fighters that the line names."""

    @property
    def text(self) -> str:
        """The line as it is typed."""
        return " ".join(map(quote, self.words))


class LineReader(NamedTuple):
    """Reads the lines that a player types in one scene."""

    lines: Lines

    @property
    def system(self) -> System:
        """The system in play."""
        return self.lines.session.system

    @property
    def scene(self) -> Scene:
        """The scene that lines are about."""
        return self.lines.session.scene

    def understood(self, typed_words: Sequence[str]) -> Understood | None:
        """The meaning of words that are no line as they stand; None where that is not known.

        What is denied is not done, and what is asked, or meant in a certain manner, only once the player says so.
        """
        words = self.lines.spoken_words(typed_words)
        plain = tidied(words)
        meant = None if concedes(plain) else self._meant(words)
        if meant is None or meant.lines[0].split()[0] in LOOKING:
            return meant
        if alters(plain):
            return None
        if plain[0] in ("fire", "shoot"):
            meant = meant._replace(lines=tuple(map(self._fired, meant.lines)))
        is_vague = (
            words[-1].endswith("?")
            or plain[0] in (*QUESTIONS.split(), "hide")
            or not {*MANNERS}.isdisjoint(plain)
        )
        return meant._replace(is_sure=False) if is_vague else meant

    def check_target(self, words: Sequence[str]) -> None:
        """Raise FileError where a word for an attack stands before a slip of the name of a fighter."""
        command, others = command_word(tidied(words) or [""], self.system)
        names = [alias for aliases in fighter_names(self.scene).values() for alias in aliases]
        for word in others:
            is_slip = nearest(word, [name.casefold() for name in names]) and word not in IDLE_WORDS.split()
            if command in ("attack", "throw") and command != words[0] and is_slip:
                find_name(self.scene, word)

    def _fired(self, line: str) -> str:
        """The line of a shot with a weapon in hand that shoots, where another is in hand, too."""
        intent = self.lines.intent_of(line)
        if intent is None or intent.action != "attack" or intent.get("weapon"):
            return line
        fighter = self.scene.fighters[intent.actor]
        weapons = fighter.sheet.get("weapons", {})
        kinds = {name: weapons[name] for name in fighter.held if name in weapons}
        shooting = [
            name for name, weapon in kinds.items() if "melee" not in (weapon.get("kind"), weapon.get("type"))
        ]
        shot = f"{line} --weapon {slug(shooting[0])}" if 0 < len(shooting) < len(kinds) else line
        return shot if self._may_be_run(shot) else line

    def _meant(self, words: Sequence[str]) -> Understood | None:
        """The meaning of words, however they are said.

        The first of these that gives a line which is possible: lower case without articles; names by any of their
        words; prepositions; other words for the action; the line that a hint would propose. Where only the last one
        is possible, and drops a word, a line before it that the rules forbid says better why not.
        """
        typed_words = [*(words[1:] if words[:1] == ["act"] else words)]
        plain = tidied(typed_words)
        if not plain or typed_words[0] == "roll" or self._is_reaction(plain[0]):
            return None
        if (both := "-".join(plain[:2])) in self.system.actions:
            plain = [both, *plain[2:]]
        if plain[1:] and plain[1].isdecimal() and not plain[2:] and meant_by(plain[0], ("attack",)):
            # A line of the ranking.
            return Understood((f"attack {plain[1]}",))
        turn = self.scene.turn
        if turn and match_name(plain[0], self._things(turn, GEAR_OPTIONS["item"])).is_whole:
            plain, words = ["use", *plain], ["use", *words]
        forbidden = ""
        for lines in self._readings(plain, typed_words):
            possible = [line for line in lines if self._may_be_run(line.text)]
            if possible:
                return self._chosen(possible)
            others = (line.text for line in lines if [*line.words] != typed_words)
            forbidden = forbidden or next(filter(self.lines.is_refused, others), "")
        line = meant_line(words, self.system, self.scene, self.lines.legal)
        is_used, is_named = self._uses(line, plain) if line and self._may_be_run(line) else (False, False)
        is_whole = is_used and is_named
        if forbidden and (not is_whole or line.startswith(LIST_ACTIONS)):
            return Understood((forbidden,))
        is_about_nobody = line == "next" or self._is_move(line.partition(" ")[0])
        if not is_used and (is_about_nobody or not is_named):
            # Nothing of the sentence says that this is meant.
            return None
        return Understood((line,), is_whole and not self.is_dear(line))

    def _readings(self, words: Sequence[str], typed_words: Sequence[str]) -> Iterator[list[Line]]:
        """The lines that words may mean, nearest to what was typed first; none where they are dice, or too many."""
        if len(words) > MOST_WORDS or DICE.match(words[0]):
            return
        if words != typed_words:
            yield [Line(tuple(words))]
        yield self._lines(words)
        yield self._lines(words, is_spoken=True)

    def _may_be_run(self, line: str) -> bool:
        """Whether a line is possible, and neither ends nor writes anything."""
        is_harmless = line.split()[0] in GUESSED or self.lines.intent_of(line) is not None
        return is_harmless and self.lines.is_possible(line)

    def _is_reaction(self, word: str) -> bool:
        """Whether a word is only a reaction: asked for in the action of another fighter, and never typed."""
        actions = self.system.actions
        return word not in actions and any(word in row.reactions for row in actions.values())

    def _is_action(self, word: str) -> bool:
        """Whether a word is an action of a fighter."""
        row = self.system.actions.get(word)
        return row is not None and row.window != "table"

    def _is_move(self, word: str) -> bool:
        """Whether a word is an action that leads somewhere."""
        row = self.system.actions.get(word)
        return row is not None and "to" in row.options

    def _chosen(self, lines: Sequence[Line]) -> Understood:
        """The line that is meant: the first, with the nearest target, where nothing tells the lines apart; otherwise
        all of them."""
        first = lines[0].text
        odds = [self.lines.odds_of(line.text) for line in lines] if lines[1:] else [None]
        states = [self._state(line, line_odds) for line, line_odds in zip(lines, odds, strict=True)]
        if all(state == states[0] for state in states):
            return Understood((first,), not self.is_dear(first))
        return Understood(
            tuple(line.text for line in lines),
            chances=tuple((line_odds and line_odds.success) or (0, 0) for line_odds in odds),
            names=tuple(" ".join(map(slug, line.others)) or line.text for line in lines),
        )

    def _state(self, line: Line, odds: ActionOdds | None) -> object:
        """What tells a line from another: how its targets are, its odds, and the harm that it does."""
        targets = [_likeness(self.scene.fighters[name]) for name in line.others]
        harm = sorted(losses(self.system, odds).values()) if odds else []
        return (targets, odds and odds.success, harm) if targets else line.text

    def is_dear(self, line: str) -> bool:
        """Whether a line costs what no turn gives anew: luck, bonus dice, the last of some ammunition."""
        intent = self.lines.intent_of(line)
        if intent is None:
            return False
        pools = {**self.system.side_pools, **self.system.pools}
        lost = [
            event
            for event in prepare(self.system, self.scene, intent).payment.events
            if event.now < event.was
        ]
        paid = [(pools.get(event.what.partition(":")[0]), event.now) for event in lost]
        return any(pool and not pool.spent and (not pool.gear or left <= 0) for pool, left in paid)

    def _uses(self, line: str, words: Sequence[str]) -> tuple[bool, bool]:
        """Whether a proposed line has a use for every word, and whether every name in it was typed; neither where the
        words begin with one that it has no use for."""
        first = line.split()[0]
        if first in ("roll", LIST_ACTIONS):
            return True, True
        names = fighter_names(self.scene)
        command, others = command_word(words, self.system)
        if command.split()[:1] != [first] and command not in line:
            return False, True
        said = [word for word in others if word not in (*IDLE_WORDS.split(), *QUESTIONS.split(), *DIRECTIONS)]
        kept = line.replace("=", " ").replace(",", " ").split()[len(command.split()) :]
        kept = [word for word in kept if word not in DIRECTIONS and not word.startswith("-")]

        def fits(word: str, part: str) -> bool:
            fighters = {name: names[name] for name in match_name(part, names).names}
            return bool(named_by(word, {**plain_names([part]), **fighters}))

        unused = [word for word in said if not any(fits(word, part) for part in kept)]
        is_named = all(any(fits(word, part) for word in said) for part in kept)
        return not unused, is_named and words[0] not in unused

    def _lines(self, words: Sequence[str], is_spoken: bool = False) -> list[Line]:
        """The lines that words mean, each with exact names: the word `odds` and a fighter may stand before the action,
        for which other words stand where it `is_spoken`. None where a word names nothing that the action can mean."""
        before = [*words[: words[0] == "odds"]]
        who, *rest = join_words(words[len(before) :], fighter_names(self.scene)) or [""]
        is_verb = who in (*self.system.actions, *MOVING, *IDLE_WORDS.split())
        actor = self.scene.turn
        if not is_verb and rest and (fighter := self._fighter(who)):
            # Of others one speaks in the third person.
            verb = rest[0] if self._is_action(rest[0]) else rest[0].removesuffix("s")
            actor, before, rest = fighter, [*before, slug(fighter)], [verb, *rest[1:]]
        else:
            rest = [who, *rest]
        if is_spoken:
            command, others = command_word(rest, self.system)
            kept = (*TARGET_WORDS, *THING_WORDS, *SELF_WORDS)
            idle = [word for word in IDLE_WORDS.split() if word not in kept]
            rest = [*command.split(), *(word for word in others if word not in idle)]
        verb, *tail = rest or [""]
        if not actor or not (verb in MOVING or self._is_action(verb)):
            return []
        if verb in MOVING or self._is_move(verb):
            return self._moves(before, verb, tail, actor)
        exact = self._arguments(verb, tail, actor)
        return [] if exact is None else self._action(before, verb, exact, actor)

    def _fighter(self, word: str) -> str:
        """The fighter of the player's side that a word names, by any word of the name; empty for no one, or several."""
        mine = {one.name for one in self.scene.fighters.values() if one.player and not one.gone}
        named = self._matching(word, mine)
        return named[0] if len(named) == 1 else ""

    def _matching(self, word: str, among: set[str]) -> list[str]:
        """The fighters of some that a word names, the nearest first."""
        names = {name: aliases for name, aliases in fighter_names(self.scene).items() if name in among}
        matching = match_name(word, fighter_names(self.scene)).names or match_inner_word(word, names)
        return self._nearest_first([name for name in matching if name in among])

    def _nearest_first(self, names: Sequence[str]) -> list[str]:
        """Names of fighters, the nearest to the one whose turn it is first."""
        turn = self.scene.turn
        return sorted(names, key=lambda name: (turn and distance(self.system, self.scene, turn, name)) or 0)

    def _action(self, before: Sequence[str], action: str, tail: Sequence[str], actor: str) -> list[Line]:
        """The lines of an action with exact names for the words behind it, and with the words `before` it."""
        row = self.system.actions[action]
        is_aimed, moves = row.targets in ("one", "many"), self._is_move(action) and row.targets == "none"
        targets = {
            name
            for one in self.lines.legal()
            if (one.intent.action, one.intent.actor) == (action, actor)
            for name in one.intent.targets
        }
        if is_aimed and not targets:
            # The refusal says why none of them can be meant.
            targets = {one.name for one in self.scene.foes(actor) if not self.system.fallen(one)}
        if moves:
            targets = {one.name for one in self.scene.fighters.values() if not one.gone} - {actor}
        named = [word for word in tail if word not in NEAREST_WORDS]
        places = self._open_places if moves else {}
        words = join_words(named, {**fighter_names(self.scene), **self._things(actor), **places})
        choices = [
            self._meanings(word, previous, actor, action, targets)
            for previous, word in pairwise(["", *words])
        ]
        slugs = {slug(name): name for name in targets}
        if is_aimed and "--at" not in words and slugs.keys().isdisjoint(chain(*choices)):
            choices.append([slug(name) for name in self._nearest_first(sorted(targets))])
        most = MOST if len(named) == len(tail) else 1
        return [
            Line((*before, action, *meant), tuple(slugs[word] for word in meant if word in slugs))
            for meant in islice(product(*choices), most)
        ]

    def _meanings(
        self, word: str, previous: str, actor: str, action: str, targets: set[str]
    ) -> Sequence[str]:
        """What a word behind an action may mean, each as it is typed; `previous` is the word before it."""
        row = self.system.actions[action]
        if word in PREPOSITIONS:
            return ()
        if previous in ("--weapon", "--item"):
            return self._thing(word, actor, GEAR_OPTIONS[previous[2:]])
        is_number = NUMBER.fullmatch(word) or "," in word
        is_direction = self._is_move(action) and word in (*DIRECTIONS, "from")
        is_readied = "deed" in row.options and word in self.system.actions
        if is_number or is_direction or is_readied or word.startswith("-") or previous.startswith("-"):
            return (word,)
        if self._is_move(action) and len(places := named_by(word, self._open_places)) == 1:
            return (slug(places[0]),)
        if row.gear and (things := self._thing(word, actor, row.gear)):
            return things
        if word in SELF_WORDS and actor in targets:
            return (slug(actor),)
        foes = {one.name for one in self.scene.foes(actor)} & targets
        fighters = self._nearest_first(sorted(foes)) if word in FOE_WORDS else self._matching(word, targets)
        return [*map(slug, fighters)]

    def _things(self, actor: str, tables: str = " ".join(GEAR_OPTIONS.values())) -> Names:
        """The names of the things of a fighter."""
        return plain_names(item_names(self.system, self.scene.fighters[actor], tables))

    def _thing(self, word: str, actor: str, tables: str) -> list[str]:
        """The things of a fighter that a word names, by any word of their names."""
        return [slug(name) for name in named_by(word, self._things(actor, tables))]

    @property
    def _open_places(self) -> Names:
        """The places of the map that one can go to."""
        return plain_names(self.scene.field.open_places() if self.scene.field is not None else ())

    def _arguments(self, action: str, tail: Sequence[str], actor: str) -> list[str] | None:
        """The words behind an action with options in place of prepositions; None where one stands before nothing that
        the actor has."""
        exact: list[str] = []
        at = 0
        while at < len(tail):
            word, rest = tail[at], tail[at + 1 :]
            if word in THING_WORDS:
                phrase = [
                    *takewhile(lambda word: not word.startswith("-") and word not in PREPOSITIONS, rest)
                ]
                option = self._thing_option(phrase, action, actor)
                if not option:
                    return None
                exact += option
                at += len(phrase)
            elif word in WHEN_WORDS and "when" in self.system.actions[action].options:
                trigger = self._trigger(rest, actor)
                return [*exact, "--when", trigger] if trigger else None
            elif weapon := self._weapon_of(word, exact, action, actor):
                exact += weapon
            elif word not in TARGET_WORDS:
                exact.append(word)
            at += 1
        return exact

    def _weapon_of(self, word: str, before: Sequence[str], action: str, actor: str) -> list[str]:
        """The option for a weapon that a word behind an attack names, as in `throw grenade raider`; nothing where the
        word may name a fighter, or names no weapon."""
        is_other = action not in ("attack", "throw") or word in PREPOSITIONS or word.startswith("-")
        if (
            is_other
            or "".join(before[-1:]).startswith("-")
            or match_name(word, fighter_names(self.scene)).names
        ):
            return []
        return self._thing_option([word], action, actor)

    def _thing_option(self, phrase: Sequence[str], action: str, actor: str) -> list[str]:
        """The words for a weapon or an item that a phrase names; nothing where it names none."""
        for option, tables in GEAR_OPTIONS.items():
            things = self._thing("-".join(phrase), actor, tables)
            if len(things) == 1:
                is_bare = option == "item" and action not in ("heal", "attack", "throw")
                return things if is_bare else [f"--{option}", *things]
        return []

    def _trigger(self, words: Sequence[str], actor: str) -> str:
        """What a readied action waits for, as `--when` spells it: `near`, `attacked`, `ash is attacked`, `within 8 m`;
        empty where the words say no such thing."""
        said = [word for word in words if word not in SAID_OF_TRIGGERS.split()]
        if len(said) == 1 and said[0] in NEAR_WORDS:
            return "reach"
        if within := re.fullmatch(r"within (\d+)m*( \S+)?", " ".join(said)):
            return f"range:{within[1]}"
        if said[-1:] == ["attacked"]:
            attacked = self._matching("-".join(said[:-1]), {*self.scene.fighters}) if said[1:] else [actor]
            return f"attacks:{slug(attacked[0])}" if len(attacked) == 1 else ""
        return ""

    def _moves(self, before: Sequence[str], verb: str, tail: Sequence[str], actor: str) -> list[Line]:
        """The lines of a move in words: of the system's own moves, if none was named, the first that reaches each
        goal, or else the first that is possible."""
        verbs = [verb] if verb in self.system.actions else filter(self._is_move, MOVING)
        tail, most = _limited(tail)
        way = self._way(tail)
        lines = [line for name in verbs for line in self._action(before, name, way, actor)] if way else []
        ways: dict[tuple[str, ...], list[Line]] = {}
        for line in lines:
            if self.lines.is_possible(line.text):
                ways.setdefault(line.others, []).append(line)
        if not ways:
            return lines[:1]
        if not most:
            return [next(filter(self._reaches, some), some[0]) for some in ways.values()]
        longest = (max(some, key=lambda line: min(self._length(line), most)) for some in ways.values())
        return [self._shortened(line, most, len(before) + 1) for line in longest]

    def _ends(self, line: Line) -> tuple[Place, Place] | None:
        """Where a move begins, and where it leads; None without positions."""
        intent = self.lines.intent_of(line.text)
        start = self.scene.fighters[intent.actor].at if intent else None
        to = intent.get("to") if intent else None
        return (start, to) if start and to else None

    def _length(self, line: Line) -> float:
        """How far a move leads from where the fighter stands."""
        ends = self._ends(line)
        return self.system.space.distance(*ends) if ends else 0

    def _shortened(self, line: Line, most: int, head: int) -> Line:
        """A move that goes so far at most, straight to where the line leads; its action is the last of `head` words."""
        ends, length, square = self._ends(line), self._length(line), self.system.space.square
        if ends is None or length <= most:
            return line
        start, to = ends
        steps = [most * (end - begun) / length / square for begun, end in zip(start, to, strict=True)]
        spots = [
            (start[0] + square * east, start[1] + square * north)
            for east, north in product(*((floor(step), ceil(step)) for step in steps))
        ]
        near = [spot for spot in spots if 0 < self.system.space.distance(start, spot) <= most]
        spot = min(near, key=lambda spot: self.system.space.distance(spot, to), default=start)
        return Line((*line.words[:head], "--to", ",".join(f"{part:g}" for part in spot)))

    def _reaches(self, line: Line) -> bool:
        """Whether a move ends beside the fighter it leads to, or at a place."""
        ends = self._ends(line)
        if ends is None:
            return False
        goals = [self.scene.fighters[name].at for name in line.others]
        for word in line.words:
            for place in match_name(word, self._open_places).names:
                assert self.scene.field is not None
                goals += self.scene.field.open_cells_of(place)
        beside = self.system.space.beside
        return any(goal is not None and self.system.space.distance(ends[1], goal) <= beside for goal in goals)

    def _way(self, tail: Sequence[str]) -> list[str]:
        """The words of a direction, from those behind a move; nothing where they say none."""
        words = [word for word in tail if word not in TARGET_WORDS or word in DIRECTIONS]
        numbers = ",".join(words).split(",")
        if len(numbers) == 2 and all(map(NUMBER.fullmatch, numbers)):
            return ["--to", ",".join(numbers)]
        is_exact = not words or words[0] in DIRECTIONS or words[0].startswith("-")
        return words if is_exact else ["toward", *words]


def named_by(word: str, names: Names) -> tuple[str, ...]:
    """The names that a word matches, else those of which any word begins with it."""
    return match_name(word, names).names or match_inner_word(word, names)


def tidied(words: Sequence[str]) -> list[str]:
    """Words in lower case, without articles and the signs at the end of a sentence; quoted ones stay as they are."""
    plain = (
        word if " " in word else word.lower().replace("_", "-").rstrip(".,;!?") or word for word in words
    )
    return [word for word in plain if word not in ARTICLES]


def _limited(words: Sequence[str]) -> tuple[Sequence[str], int]:
    """The words of a move without `up to N m`, and how far it goes at most; 0 for as far as it can."""
    at = next((at for at in range(len(words)) if [*words[at : at + 2]] == ["up", "to"]), len(words))
    number = "".join(words[at + 2 : at + 3]).rstrip("m")
    return ([*words[:at], *words[at + 4 :]], int(number)) if number.isdecimal() else (words, 0)


def _likeness(fighter: Fighter) -> tuple[object, ...]:
    """What two copies of a sheet have in common where nothing but their places tells them apart."""
    pools, conditions = sorted(fighter.pools.items()), sorted(fighter.conditions.items())
    return sheet_of(fighter.name), fighter.side, pools, conditions, fighter.held, fighter.yielded
