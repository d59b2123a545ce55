"""A crisis in the Lonelog notation for solo play logs, with its add-ons for combat and dice.

The notation is by its author (https://github.com/zeruhur/lonelog); what stands where is listed in crisis-lonelog(7).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

from ..columns import in_one_line
from ..engine.encounter import NOBODY
from ..engine.events import SIDE, Event
from ..engine.journal import Crisis
from ..engine.question_settings import QUESTIONS
from ..engine.record import ATTACKS, EVENT, Entry, RollRecord
from ..engine.rest import BETWEEN
from ..engine.scene import Fighter
from ..engine.system import System
from ..engine.wording import measured
from ..render.closing import verdict
from ..render.effects import labelled
from ..render.messages import counted, stated
from ..render.style import Ink
from ..render.text import headline, table_title
from . import walk
from .walk import Step

WRITTEN = str.maketrans(
    {
        "[": "{",
        "]": "}",
        "(": "{",
        ")": "}",
        "|": "/",
        "#": "no.",
        ">": "-",
        "+": "-",
        "<": "-",
        ",": ";",
        ":": ";",
    }
)
"""What stands in names for the signs that mean something in the notation."""
NOTATION = re.compile(r"\s*(@|\?|d:|=>|->|tbl:|gen:|\(|\[|#|Rd|S\d|---|```|PC |N )")
"""How a line of the notation begins: a note that begins so is written as a note of its own."""
SPEECH = re.compile(r'(?P<who>[^:"]+):\s*(?P<said>["“].*)')
ROSTER = 5
"""Fighters standing from which on each round lists them."""
AGAIN = 6
"""How much higher an exploding die must be to count once more."""
FEW = 12
"""Dice of one roll up to which those thrown away by a re-roll are looked for."""


def lonelog(crisis: Crisis, system: System, title: str = "") -> str:
    """The whole crisis, one line of the notation for each thing that happened."""
    return "\n".join(Log(crisis, system).lines(title)) + "\n"


class Log:
    """Writes the log of one crisis."""

    def __init__(self, crisis: Crisis, system: System):
        self.crisis, self.system = crisis, system
        self.names = _unique(
            {name: _harmless(name) for name in (*crisis.start.fighters, *crisis.scene.fighters)}
        )
        # As they came: a character handed over to be played automatically is still the player's.
        fighters = {**crisis.scene.fighters, **crisis.start.fighters}
        self.players = {name: one.side for name, one in fighters.items() if one.player}
        self.alone = next(iter(self.players)) if len(self.players) == 1 else ""
        self.own = next(iter(self.players.values()), "")

    def lines(self, title: str) -> Iterator[str]:
        """All lines."""
        encounter = self.crisis.start.encounter
        if title or encounter:
            yield from (f"S1 *{_harmless(title or (encounter.name if encounter else ''))}*", "")
        if opening := list(self._note("\n".join(walk.opening(self.crisis)))):
            yield from (*opening, "")
        yield "[COMBAT]"
        system, seed, program, *others = walk.facts(self.crisis, self.system)
        yield f"(note: {', '.join((program, system, seed, *others))})"
        for name, written in self.names.items():
            if written != name:
                yield f'(note: written "{written}" for "{in_one_line(name)}")'
        yield from (self.tag(one) for one in self.crisis.start.fighters.values())
        for step in walk.steps(self.crisis):
            block = list(self.entry(step))
            if block:
                yield from ("", *block)
        if self.crisis.scene.over:
            yield from ("", "[/COMBAT]", f"=> {verdict(self.crisis.last_scene, self.system)}")
            words, reward = walk.ending(self.crisis, self.system)
            yield from (f"=> {in_one_line(one)}" for one in reward)
            if words:
                yield from ("", *self._note("\n".join(words)), "")
            yield from (self.tag(one) for one in self.crisis.scene.fighters.values())

    def tag(self, one: Fighter) -> str:
        """The whole state of a fighter; pools that come back each turn, such as action points, are left out."""
        kind = "PC" if one.name in self.players else "N" if one.side == self.own else "F"
        fields = [self.names[one.name], *(["ally"] if kind == "N" else []), *self._fields(one)]
        return f"[{kind}:{'|'.join(fields)}]"

    def _fields(self, one: Fighter) -> Iterator[str]:
        for pool in sorted(one.pools, key=self.system.is_of_thing):
            if (label := self._label(pool)) and (one.pools[pool] or one.full(pool)):
                high = one.limits.get(pool, (0, None))[1]
                if self.system.pools[pool.partition(":")[0]].hidden_when_full and one.pools[pool] == high:
                    continue
                of = "" if high is None or self.system.is_of_thing(pool) else f"/{high}"
                yield f"{label} {one.pools[pool]}{of}"
        if one.at is not None:
            yield f"at {one.at[0]:g},{one.at[1]:g}"
        for name, level in one.conditions.items():
            yield stated(name, level, self.system).replace("|", "/")
        if (fallen := self.system.fallen(one)) and fallen not in one.conditions:
            yield fallen
        yield from (word for word, holds in (("fled", one.gone), ("yielded", one.yielded)) if holds)

    def _label(self, pool: str) -> str:
        """What a pool is called in a tag; empty for those that actions are paid from."""
        name, _, thing = pool.partition(":")
        kind = self.system.pools.get(name)
        if kind is None or kind.spent:
            return ""
        first = next((each for each, one in self.system.pools.items() if one.gear), "")
        if kind.gear and (name == first or kind.gear != self.system.pools[first].gear):
            return _harmless(thing)
        return _harmless(labelled(pool, self.system))

    def entry(self, step: Step) -> Iterator[str]:
        """The lines of an entry."""
        entry, action = step.entry, step.entry.intent.action
        if action == "note":
            yield from self._note(str(entry.intent.get("text", "")))
            return
        if action == "oracle":
            yield f"? {in_one_line(str(entry.outcome.get('question', '')))} ({entry.outcome.get('likely', '')})"
            faces = ", ".join(f"{roll.dice}={face}" for roll in entry.rolls for _, face in roll.faces)
            yield f"d: {faces} -> {in_one_line(str(entry.outcome.get('text', '')))}"
            return
        if action == "tension":
            yield "(note: set by hand)"
            return
        if action in BETWEEN:
            yield from self._between(step)
            return
        if action == "tables":
            dice = entry.rolls[0]
            faces = "+".join(str(face) for _, face in dice.faces)
            text = in_one_line(str(entry.outcome.get("text", "")))
            yield f"tbl: {_harmless(table_title(entry.intent))} {dice.dice}={faces} -> {text}"
            return
        if step.begins_round:
            yield from self._round(step)
        if action == EVENT:
            yield from self._note(str(entry.outcome.get("text", "")))
            if wins := entry.outcome.get("wins"):
                yield f"(note: {in_one_line(str(wins))} win)" if wins != NOBODY else "(note: nobody wins)"
        elif action == "set":
            yield "(note: set by hand)"
        elif action in ("auto", "take", QUESTIONS):
            yield f"(note: {in_one_line(headline(entry, step.after, self.system, Ink()))})"
        elif action == "shuffle":
            yield f"(note: all rows are back in {_harmless(table_title(entry.intent))})"
        elif action in ("join", "leave", "save"):
            yield f"(note: {', '.join(self._name(one) for one in _named(entry))} {_past(action)})".replace(
                "  ", " "
            )
        elif action not in ("init", "next", "end"):
            yield self._deed(entry)
            yield from (
                f"@({self._name(one.who)}) {one.taken.capitalize()} (reaction)"
                for one in entry.choices
                if one.who != entry.intent.actor and one.taken != one.offered[0]
            )
        yield from (self._roll(roll, entry) for roll in entry.rolls)
        if action != "init":
            yield from self._changes(step)

    def _between(self, step: Step) -> Iterator[str]:
        """A rest or a round of care: what for, the rolls, and a line for each fighter that it changed."""
        entry = step.entry
        yield f"(note: {in_one_line(headline(entry, step.after, self.system, Ink()))})"
        yield from (self._roll(roll, entry) for roll in entry.rolls)
        changed = [event for event in entry.events if event.what != "fighter"]
        for name in entry.intent.targets:
            one = step.after.fighters[name]
            if words := list(self._moved(one, one, changed)):
                yield f"=> {self.names[name]}: {', '.join(words)} {self.tag(one)}"

    def plain(self, text: str) -> str:
        """A text in one line without the signs that mean something in the notation."""
        return _harmless(text)

    def _round(self, step: Step) -> Iterator[str]:
        scene = step.after
        head = f"Rd{scene.round}"
        if step.entry.intent.action == "init":
            scores = (
                f"{self._name(name)} {scene.scores[name]}" if name in scene.scores else self._name(name)
                for name in scene.order
            )
            yield f"{head} (Init: {', '.join(scores)})"
            return
        up = [
            one for one in scene.fighters.values() if not (one.gone or one.yielded or self.system.fallen(one))
        ]
        yield head + (f" Roster: {' '.join(map(self.tag, up))}" if len(up) >= ROSTER else "")

    def _deed(self, entry: Entry) -> str:
        intent = entry.intent
        who = "@" if intent.actor == self.alone else f"@({self._name(intent.actor)})"
        words = [
            intent.action.replace("-", " ").capitalize(),
            ", ".join(dict.fromkeys(map(self._name, intent.targets))),
        ]
        skill = intent.get("skill") or ""
        gear = ", ".join(_harmless(str(part)) for part in (entry.outcome.get("gear"), skill) if part)
        return " ".join(filter(None, (who, *words, f"({gear})" if gear else "")))

    def _name(self, name: str) -> str:
        return self.names.get(name) or _harmless(name)

    def _note(self, text: str) -> Iterator[str]:
        """A note as prose, what somebody says as speech; what would be read as notation as a note."""
        for line in filter(None, map(in_one_line, text.splitlines())):
            speech = SPEECH.fullmatch(line)
            speaker = self._speaker(speech["who"]) if speech else None
            if speech and speaker:
                kind = "PC" if speaker.name in self.players else "N"
                yield f"{kind} ({self.names[speaker.name]}): {speech['said']}"
            elif NOTATION.match(line):
                yield f"(note: {line})"
            else:
                yield line

    def _speaker(self, name: str) -> Fighter | None:
        known = self.crisis.scene.fighters.values()
        return next((one for one in known if one.name.casefold() == name.strip().casefold()), None)

    def _changes(self, step: Step) -> Iterator[str]:
        """A line for each fighter whose tag changes, or who is there anew."""
        for name, one in step.after.fighters.items():
            was = step.before.fighters.get(name)
            if was is None:
                yield f"=> {self.names[name]}: joins {self.tag(one)}"
            elif self.tag(was) != self.tag(one):
                words = list(self._moved(was, one, step.entry.events))
                yield f"=> {self.names[name]}: {', '.join(words) or 'changes'} {self.tag(one)}"

    def _moved(self, was: Fighter, one: Fighter, events: Iterable[Event]) -> Iterator[str]:
        for event in events:
            if event.who != one.name or event.who.startswith(SIDE):
                continue
            kind, _, name = event.what.partition(":")
            if event.what in one.pools and (label := self._label(event.what)):
                yield f"{label} {event.was}→{event.now}"
            elif kind == "condition":
                yield (
                    stated(name, event.now, self.system)
                    if event.now
                    else f"no longer {name.replace('-', ' ')}"
                )
            elif kind == "at" and one.at is not None:
                yield f"at {one.at[0]:g},{one.at[1]:g}"
        yield from (word for word in ("gone", "yielded") if getattr(one, word) and not getattr(was, word))

    def _roll(self, roll: RollRecord, entry: Entry) -> str:
        """A roll: what for, the dice with every face, the result against its target, and what it came to."""
        reckoning = roll.reckoning
        own = roll.who == entry.intent.actor and entry.intent.action not in ("init", "next", "join", EVENT)
        what = roll.what.replace("-", " ").capitalize()
        words = what if own or not roll.who else f"{self._name(roll.who)}'s {what}"
        if "successes" in reckoning:
            dice = _counted(roll)
            needed = reckoning.get("difficulty")
        else:
            dice = _added_up(roll)
            needed = None
        against = f" vs {needed} or more" if needed is not None else ""
        if "successes" not in reckoning and reckoning.get("target") is not None:
            against = f" vs {reckoning['target']}" + (" or less" if reckoning.get("under") else "")
        result = ", ".join(self._result(roll, entry))
        return f"d: {words} {dice}{against}" + (f" -> {result}" if result else "")

    def _result(self, roll: RollRecord, entry: Entry) -> Iterator[str]:
        reckoning = roll.reckoning
        if "success" in reckoning:
            is_attack = roll.what in ATTACKS and entry.intent.action in ATTACKS
            won = ("Hit", "Miss") if is_attack else ("Success", "Fail")
            yield won[0] if reckoning["success"] else won[1]
        if reckoning.get("critical_failure"):
            yield "critical failure"
        for key in (*counted(self.system), "effects"):
            if reckoning.get(key):
                yield measured(reckoning[key], key)
        if "spot" in reckoning:
            yield str(reckoning["spot"])


def _added_up(roll: RollRecord) -> str:
    """Dice that are added up, or of which one counts: `3d6+3: [6, 4, 3]+3 = 16`."""
    faces = [face for _, face in roll.faces]
    total, dice = roll.reckoning.get("total"), _expression(roll)
    shown = f"[{', '.join(map(str, faces))}]"
    if total is None:
        return f"{dice}: {shown} = {sum(faces)}"
    if "C" in roll.dice:
        return f"{dice}: {shown} = {total}"
    if roll.reckoning.get("under"):
        keep = "" if len(faces) < 2 else "kl1" if total == min(faces) else "kh1"
        return f"{dice}{keep}: {shown} = {total}"
    values = roll.reckoning.get("values")
    if values is not None:
        faces, shown = values, f"[{', '.join(map(str, values))}]"
    # A single die that is rolled on: only after its highest face do the others count.
    alone = re.fullmatch(r"1?d(\d+)", roll.dice) is not None and len(faces) > 1
    base = faces[0] if alone and faces[0] != roll.faces[0][0] else sum(faces)
    added = f"{total - base:+d}" if total != base else ""
    return f"{dice}{added}: {shown}{added} = {total}"


def _expression(roll: RollRecord) -> str:
    """The dice as the notation spells them: what explodes with two exclamation marks."""
    return (roll.dice or "dice").replace(" ", "").replace("!", "!!")


def _counted(roll: RollRecord) -> str:
    """Dice of which those count that reach the target, or stay under it: `6d6!!>=5: [5*, 14**, 4] = 2`."""
    reckoning = roll.reckoning
    if reckoning.get("under"):
        shown = ", ".join(_graded(roll))
        return f"{_expression(roll)}<={reckoning['target']}: [{shown}] = {reckoning['successes']}"
    whole = {"dice": roll.dice, "faces": [face for _, face in roll.faces], **roll.about, **reckoning}
    parts = reckoning.get("parts", (whole,))
    values = [(value, part["target"]) for part in parts for value in part.get("values", part["faces"])]
    good = [value for value, target in values if value >= target]
    stars = _stars(good, reckoning["successes"], reckoning.get("criticals") or 0)
    each = iter(stars)
    starred = [f"{value}{'*' * next(each) if value >= target else ''}" for value, target in values]
    spelled = "+".join(
        f"{(part.get('dice') or 'dice').replace(' ', '').replace('!', '!!')}>={part['target']}"
        for part in parts
    )
    return f"{spelled}: [{', '.join(starred)}] = {reckoning['successes']}"


def _stars(good: list[int], successes: int, criticals: int) -> list[int]:
    """The stars of dice that reach their target: two for a critical one, else as many as it counts for.

    What dice count for beyond one goes to the highest, and to the same one again only where it is that much higher.
    """
    stars = [1] * len(good)
    for _ in range(criticals or max(0, successes - len(good))):
        if good:
            stars[max(range(len(good)), key=lambda at: good[at] - AGAIN * (stars[at] - 1))] += 1
    return stars


def _graded(roll: RollRecord) -> Iterator[str]:
    """Faces at or under a target: a star for each success, `__` for a complication, `r` for one thrown away."""
    faces = [face for _, face in roll.faces]
    target, successes = roll.reckoning["target"], roll.reckoning["successes"]
    complications = roll.reckoning.get("complications", 0)
    gone = _thrown_away(faces, len(faces) - _count(roll, len(faces)), target, successes, complications)
    kept = [at for at in range(len(faces)) if at not in gone]
    good = sorted((at for at in kept if faces[at] <= target), key=lambda at: faces[at])
    double = set(good[: max(0, successes - len(good))])
    bad = set(sorted(kept, key=lambda at: -faces[at])[:complications])
    for at, face in enumerate(faces):
        mark = (
            "r" if at in gone else "**" if at in double else "*" if at in good else "__" if at in bad else ""
        )
        yield f"{face}{mark}"


def _count(roll: RollRecord, there: int) -> int:
    """How many dice count: as many as the expression says."""
    said = re.fullmatch(r"(\d+)d\d+", roll.dice)
    return min(there, int(said[1])) if said else there


def _thrown_away(
    faces: list[int], many: int, target: int, successes: int, complications: int
) -> tuple[int, ...]:
    """The places of the dice that were rolled again: the highest that successes and complications allow.

    The last die counts: nothing was rolled after it.
    """
    if many < 1 or len(faces) > FEW:
        return ()
    ways = combinations(range(len(faces) - 1), many)
    worst = sorted(faces, reverse=True)[:complications]

    def fit(gone: tuple[int, ...]) -> tuple[int, int]:
        left = [face for at, face in enumerate(faces) if at not in gone]
        return sum(face not in left for face in worst), -sum(faces[at] for at in gone)

    for gone in sorted(ways, key=fit):
        good = sum(face <= target for at, face in enumerate(faces) if at not in gone)
        if good <= successes <= 2 * good:
            return gone
    return ()


def _named(entry: Entry) -> Iterator[str]:
    """The fighters that an entry of the GM is about."""
    yield from dict.fromkeys(filter(None, (entry.intent.actor, *entry.intent.targets)))


def _past(action: str) -> str:
    return {"join": "joins", "leave": "leaves", "save": "sheets saved"}[action]


def _harmless(name: str) -> str:
    """A name without the signs that mean something in the notation."""
    return in_one_line(name).translate(WRITTEN).strip() or "nameless"


def _unique(names: dict[str, str]) -> dict[str, str]:
    """The names, with a number where two would be written the same."""
    taken: set[str] = set()
    for name, written in names.items():
        number, unique = 2, written
        while unique in taken:
            number, unique = number + 1, f"{written} ({number})".replace("(", "").replace(")", "")
        taken.add(unique)
        names[name] = unique
    return names
