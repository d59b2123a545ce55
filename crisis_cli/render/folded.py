"""A fight told in brief: what matters in a line each, and the rest of a round in one sentence at its end.

It works on entries in their order. What matters changes a life, begins or ends a condition that is news, or stands
outside the turns: events, notes, who comes and goes. `crisis log` tells the rest of each entry.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..engine.changes import COST, LIMIT, RENEWED, ROLLED, parts_of
from ..engine.core_actions import CORE_ACTIONS
from ..engine.events import Event, apply_all
from ..engine.life import is_life, unhurt
from ..engine.record import ATTACKS, EVENT, Entry, RollRecord
from ..engine.scene import Fighter, Scene
from ..engine.sides import decided, sides_of
from ..engine.system import System
from ..values import NamedTuple
from . import text
from .charts import minus
from .crowds import counted_copies, plural_verb, standing_of, together
from .dice_lines import roll_name, worded
from .effects import is_hidden_by_worse
from .goals import count_lines
from .messages import condition_name, listed, outcome_word, stated, travelled
from .reasons import BRIEF, NONE, TACIT, cause, place_words
from .sides import bearing, own_side
from .style import GLUE, Ink
from .text import headline, phrased
from .visible import HIDDEN

WIDEST = 80
"""Columns of a line at most, so that a fight reads alike on every screen that is wide enough."""
SURE = 80
"""The chance in percent from which on a miss matters."""
FEWEST_DASHES = 3
BOOKED = (COST, LIMIT, RENEWED, ROLLED)
"""Parts of changes that are no cause of them."""
NUMBER = re.compile(r" (?=[\d×])")
"""The space before a number, at which no line is broken."""


class QuietAction(NamedTuple):
    """What a fighter did that does not matter much, as a verb with what belongs to it."""

    verb: str
    why: str = ""
    goes_without_saying: bool = False
    """Whether it is told only of a fighter who does nothing else in the round: a weapon drawn, a turn passed."""
    is_move: bool = False


class Change(NamedTuple):
    """What an entry did to a fighter, in words."""

    words: str
    is_good: bool | None
    """Whether it is good for the fighter; None where this depends."""


class Folded:
    """Tells entries in brief; each gives the lines that can be told with it."""

    def __init__(self, scene: Scene, system: System, ink: Ink, width: int, reasons: str = BRIEF):
        self.scene = scene
        """The scene after the entries so far."""
        self.system, self.ink, self.width = system, ink, min(width, WIDEST)
        self._has_reasons = reasons != NONE
        """Whether it is told why the morale of a fighter breaks."""
        self._head: list[str] = []
        """The line of the round, as long as it is not told; more lines for many fighters."""
        self._number = scene.round
        self._quiet: dict[str, list[QuietAction]] = {}
        self._misses: Counter[tuple[str, str]] = Counter()
        self._harmless: Counter[tuple[str, str]] = Counter()
        """Hits that took no life: attacker and target."""
        self._names_targets = False
        """Whether there was a miss, or such a hit, of a fighter with several foes."""
        self._loud: set[str] = set()
        """The fighters of whom a line of this round tells."""
        self._last = ""
        """The fighter whose last action was quiet; empty after anything else."""
        self._causes: dict[str, str] = {}
        """Why the morale of each broke, as it was told last."""
        self._lives: dict[tuple[str, str], bool] = {}

    def lines(self, entry: Entry) -> list[str]:
        """The lines that are told with an entry; none where it waits for the end of the round."""
        begins = [at for at, event in enumerate(entry.events) if event.what == "round" and not event.who]
        if not begins:
            return self._told(entry)
        at = begins[0]
        told = [*self._told(entry._replace(events=entry.events[:at])), *self.rest()]
        self.scene = apply_all(self.scene, entry.events[at : at + 1])
        self.begin_round()
        return [*told, *self._clock(entry._replace(events=entry.events[at + 1 :]))]

    def begin_round(self) -> None:
        """Have the line of the present round told before what is told next."""
        self._number, self._last = self.scene.round, ""
        own, sides = own_side(self.scene), sides_of(self.scene)
        others = [
            name for side in sides if side != own for name in standing_of(self.scene, self.system, side)
        ]
        ours = standing_of(self.scene, self.system, own)
        hurt = {name: self._life_left(self.scene.fighters[name]) for name in (*ours, *others)}
        who = " │ ".join(", ".join(counted_copies(names, hurt, self.scene)) for names in (ours, others))
        begin = f"Round {self._number}" if self._number else "Before round 1"
        dashes = "─" * max(FEWEST_DASHES, self.width - self.ink.length(f"{begin}  {who}".replace(GLUE, " ")))
        first, *more = self.ink.wrapped(f"{begin} {dashes} {who}", self.width)
        lead = self.ink("bold", begin) + self.ink("dim", f" {dashes}")
        self._head = [lead + first[len(f"{begin} {dashes}") :], *(f"    {one}" for one in more)]

    def rest(self) -> list[str]:
        """What is still to be told of the round so far."""
        said = NUMBER.sub(GLUE, " ".join(self._sentences()))
        head, self._head, self._last = self._head, [], ""
        for told in (self._quiet, self._misses, self._harmless, self._loud):
            told.clear()
        self._names_targets = False
        if not said:
            is_over = decided(self.system, self.scene)
            return [] if is_over else head
        lead = f"Round {self._number}{GLUE}{GLUE}" if head else ""
        first, *more = self.ink.wrapped(f"{lead}{said}", self.width - 2)
        return [
            self.ink("dim", line) for line in (first if head else f"  {first}", *(f"  {one}" for one in more))
        ]

    # One entry

    def _told(self, entry: Entry) -> list[str]:
        action, core = entry.intent.action, CORE_ACTIONS.get(entry.intent.action)
        if action == "next":
            self._wait(entry)
            return self._clock(entry)
        before, self.scene = self.scene, apply_all(self.scene, entry.events)
        changes = self._changes(entry, before)
        if action == EVENT:
            return self._event(entry, changes)
        if core and (core.quotes or action == "set"):
            return self._line(*text.entry_lines(entry, self.scene, self.system, self.ink))
        said = headline(entry, self.scene, self.system, self.ink)
        counts = count_lines(self.system, before, self.scene, self.ink)
        if core:
            why = self._cause(entry, entry.intent.target)
            return [*self._loudly(f"{said}{f': {why}' if why else ''}.", changes), *counts]
        is_attack = self._is_attack(entry)
        saved = "" if changes or not entry.success else self._reaction(entry)
        is_surprise = is_attack and entry.success is False and (self._chance(entry) or 0) >= SURE
        if not (changes or saved or is_surprise):
            if goals := [*counts]:
                verb, why, *_ = self._quiet_action(entry)
                return self._line(f"{entry.intent.actor} {verb}{f': {why}' if why else ''}.", *goals)
            self._quietly(entry, is_attack, before)
            return []
        result = f": {self._result(entry)}" if entry.word and entry.rolls else ""
        result += f", {saved}" if saved else ""
        self._loud.add(entry.intent.actor)
        return [*self._loudly((self._joined(entry, result) or said) + result, changes), *counts]

    def _event(self, entry: Entry, changes: Mapping[str, Change]) -> list[str]:
        """An event: its text, who comes and goes, and whom it changes; nothing where it did not come to it."""
        if entry.success is False:
            return []
        outcome = {
            key: value for key, value in entry.outcome.items() if key not in ("scores", "teams", "wins")
        }
        bare = entry._replace(rolls=(), outcome=outcome)
        said = [
            self.ink("magenta", line)
            for line in self.ink.wrapped(headline(bare, self.scene, self.system, Ink()), self.width)
        ]
        said += text.event_lines(bare, self.scene, self.system, self.ink)
        said += [f"  {one}" for one in self._coloured(changes)]
        triggers = self.scene.encounter.triggers if self.scene.encounter else ()
        if any(one.number == entry.intent.get("event") and one.after is not None for one in triggers):
            # It ends the round before, whose line stands above.
            return self._broken(said)
        return self._line(*said)

    def _clock(self, entry: Entry) -> list[str]:
        """What rounds and turns do to fighters, each with its cause."""
        before, self.scene = self.scene, apply_all(self.scene, entry.events)
        told = []
        for who, change in self._changes(entry, before).items():
            rolls = [
                self._failed(roll, entry)
                for roll in entry.rolls
                if roll.who == who and not roll.reckoning.get("success")
            ]
            events = [event for event in entry.events if event.who == who and not self._is_price(event)]
            parts = [part.name for event in events for part in parts_of(event) if part.name not in BOOKED]
            if parts and not rolls:
                change = change._replace(words=f"{change.words} ({listed(list(dict.fromkeys(parts)))})")
            told += self._loudly(listed(list(dict.fromkeys(rolls))), {who: change})
        self._last = ""
        return told

    def _failed(self, roll: RollRecord, entry: Entry) -> str:
        """A roll that did a fighter no good: `Ghoul 2 resists death: fails`."""
        words = self.system.rolls.get(roll.what)
        failed = words.failure if words and "success" in roll.reckoning else ""
        return f"{roll_name(roll, entry, self.system)}{f': {failed}' if failed else ''}"

    def _loudly(self, said: str, changes: Mapping[str, Change]) -> list[str]:
        """A line for what matters; changes that find no room in it stand below it."""
        self._last = ""
        words = self._coloured(changes)
        below = " · ".join(words)
        line = f"{said}  {below}" if words and said else said or below
        if not words or self.ink.length(line) <= self.width:
            return self._line(line)
        lines = [below] if self.ink.length(below) + 4 <= self.width else words
        return self._line(said, *(f"    {one}" for one in lines))

    def _line(self, *said: str) -> list[str]:
        """Lines below that of their round, which is told first."""
        head, self._head = self._head, []
        return [*head, *self._broken(said)]

    def _broken(self, said: Sequence[str]) -> list[str]:
        return [part for line in said for part in self.ink.broken(line, self.width)]

    def _coloured(self, changes: Mapping[str, Change]) -> list[str]:
        """What has changed, by fighter, in the style of what is good or bad for one's own side."""
        return [
            one.words if one.is_good is None else self.ink(bearing(one.is_good, who, self.scene), one.words)
            for who, one in changes.items()
        ]

    # What an entry is

    def _is_attack(self, entry: Entry) -> bool:
        row = self.system.actions[entry.intent.action]
        is_armed = entry.intent.action in ATTACKS or row.gear == "weapons"
        return bool(entry.rolls) and entry.success is not None and is_armed

    def _chance(self, entry: Entry) -> int | None:
        """The chance in percent that an automatic fighter saw; None where the entry does not say."""
        said = entry.intent.get("reason")
        chance = said.get("chance") if isinstance(said, Mapping) else None
        return chance if isinstance(chance, int) else None

    def _result(self, entry: Entry) -> str:
        # Of several shots the one that decides, not the first.
        deciding = next((roll for roll in entry.rolls if self._decides(roll, entry)), None)
        said, chance = (
            worded(entry.word, entry, deciding, self.scene, self.system, self.ink),
            self._chance(entry),
        )
        if chance is None:
            return said
        # What is rare but has happened is not called impossible.
        rare = {0: "under 1", 100: "over 99"} if chance == 100 * (not entry.success) else {}
        return f"{said} ({rare.get(chance, chance)} %)"

    def _decides(self, roll: RollRecord, entry: Entry) -> bool:
        """Whether a roll came to what the entry came to."""
        success = roll.reckoning.get("success")
        return success is not None and entry.success in (None, success)

    def _reaction(self, entry: Entry) -> str:
        """How somebody turned a hit away: `dodged`; empty where nobody did."""
        row = self.system.actions[entry.intent.action]
        for roll in entry.rolls:
            if roll.what in row.reactions and roll.who != entry.intent.actor:
                words = self.system.rolls.get(roll.what)
                stopped = roll.reckoning.get("success", roll.reckoning.get("stopped"))
                past = f"{roll.what}{'d' if roll.what.endswith('e') else 'ed'}"
                if stopped:
                    return words.stops if words and words.stops else past
        return ""

    def _cause(self, entry: Entry, who: str) -> str:
        """Why the morale of a fighter broke; empty where it did not, or this was told of it last."""
        said = entry.intent.get("reason")
        why = cause(said) if isinstance(said, Mapping) and self._has_reasons else ""
        if not why or self._causes.get(who) == why:
            return ""
        self._causes[who] = why
        return why

    # What does not matter much

    def _wait(self, entry: Entry) -> None:
        """Take down a turn that was ended though more could have been done."""
        said = entry.intent.get("reason")
        if isinstance(said, Mapping) and said.get("key") not in TACIT:
            self._take_down(entry.intent.actor, QuietAction("waits", goes_without_saying=True))

    def _quietly(self, entry: Entry, is_attack: bool, before: Scene) -> None:
        actor = entry.intent.actor
        if is_attack:
            foes = [
                one.name
                for one in before.foes(actor)
                if one.name in standing_of(before, self.system, one.side)
            ]
            target = listed(list(dict.fromkeys(entry.intent.targets)))
            (self._harmless if entry.success else self._misses)[actor, target] += 1
            self._names_targets |= len(foes) > 1
            self._last = ""
            return
        self._take_down(actor, self._quiet_action(entry))
        self._last = "" if entry.success is False else actor

    def _quiet_action(self, entry: Entry) -> QuietAction:
        said = entry.intent.get("reason")
        if entry.intent.action == "heal" and entry.success is False:
            return QuietAction(f"fails to treat {listed(entry.intent.targets) or entry.intent.actor}")
        why = self._cause(entry, entry.intent.actor)
        is_move = bool(travelled(entry, self.system))
        verb = place_words(said) if isinstance(said, Mapping) and is_move else ""
        if entry.rolls and entry.word:
            why = outcome_word(entry.word, self.system).text
        changed = {event.what for event in entry.events if not self._is_price(event)}
        return QuietAction(verb or self._verb(entry), why, changed == {"held"}, is_move)

    def _is_price(self, event: Event) -> bool:
        """Whether an event only pays for an action, or keeps count for the rules."""
        name = event.what.partition(":")[0]
        kind = self.system.pools.get(name)
        is_paid = kind is not None and (kind.spent or bool(kind.gear))
        return is_paid or name in self.system.side_pools or event.what.startswith(HIDDEN)

    def _verb(self, entry: Entry) -> str:
        """What an actor does, without the actor: `draws the knife`."""
        phrase, about = phrased(entry, self.scene, self.system)
        return phrase.removeprefix("{actor}").removeprefix(":").strip().format(**about)

    def _take_down(self, who: str, action: QuietAction) -> None:
        actions = self._quiet.setdefault(who, [])
        # The way that a fighter goes in a round is told once.
        if not any(one.verb == action.verb or (one.is_move and action.is_move) for one in actions):
            actions.append(action)

    def _joined(self, entry: Entry, result: str) -> str:
        """The action with the quiet one just before it, as one: `Ines closes in and swings the club at Looter 1`.

        Empty where there is none, or no room for both before the result.
        """
        actor = entry.intent.actor
        actions = self._quiet.get(actor, [])
        phrase, about = phrased(entry, self.scene, self.system)
        if self._last != actor or not actions or actions[-1].goes_without_saying or actions[-1].why:
            return ""
        own = phrase.removeprefix("{actor} ").format(**about)
        joined = f"{actor} {actions[-1].verb} and {own}"
        if not phrase.startswith("{actor} ") or self.ink.length(joined + result) > self.width:
            return ""
        actions.pop()
        return self.ink("bold", joined)

    def _sentences(self) -> Iterator[str]:
        """The quiet actions of the round: fighters who did alike together, then who missed."""
        alike: dict[tuple[tuple[str, ...], str], list[str]] = {}
        attackers = {who for who, _ in (*self._misses, *self._harmless)}
        for who, actions in self._quiet.items():
            told = [one for one in actions if not one.goes_without_saying]
            if not told and actions and who not in self._loud | attackers:
                told = actions[-1:]
            if told:
                why = next((one.why for one in told if one.why), "")
                alike.setdefault((tuple(one.verb for one in told), why), []).append(who)
        for (verbs, why), names in alike.items():
            said = together(names, self.scene, self.system)
            words = listed([plural_verb(verb) if len(names) > 1 else verb for verb in verbs])
            yield f"{said[:1].upper()}{said[1:]} {words}{f': {why}' if why else ''}."
        for title, counts in (("Misses", self._misses), ("Hits without a wound", self._harmless)):
            if counts:
                yield f"{title}: {', '.join(self._at_whom(counts))}."

    def _at_whom(self, counts: Counter[tuple[str, str]]) -> Iterator[str]:
        """Attackers with their targets, those who did alike together: `Ines at Looter 2 ×2`."""
        told = Counter[tuple[str, str]]()
        for (who, target), count in counts.items():
            told[who, target if self._names_targets else ""] += count
        alike: dict[tuple[str, int], list[str]] = {}
        for (who, target), count in told.items():
            alike.setdefault((target, count), []).append(who)
        for (target, count), names in alike.items():
            said = together(names, self.scene, self.system)
            yield f"{said}{f' at {target}' if target else ''}{f' ×{count}' if count > 1 else ''}"

    # What has changed

    def _changes(self, entry: Entry, before: Scene) -> dict[str, Change]:
        """What an entry did to the lives of fighters, and the conditions that are news, by fighter."""
        lives: dict[str, dict[str, tuple[int, int]]] = {}
        news: dict[str, list[str]] = {}
        good: dict[str, bool] = {}
        for event in entry.events:
            kind, _, name = event.what.partition(":")
            if event.what == "pending" and not event.who:
                for who, pool, by, _ in event.now[len(event.was) :]:
                    if self._is_life(self.scene.fighters[who], pool):
                        news.setdefault(who, []).append(f"−{-by} at the end of the turn")
                        good[who] = False
            elif kind == "condition":
                if said := self._news(entry, event, name):
                    news.setdefault(event.who, []).append(said)
                    if self.system.conditions[name].defeated:
                        good[event.who] = not event.now
            elif event.who in before.fighters and self._is_life(before.fighters[event.who], event.what):
                was = lives.setdefault(event.who, {}).get(event.what, (event.was, 0))[0]
                lives[event.who][event.what] = was, event.now
                good[event.who] = (event.now < event.was) == self.system.pools[kind].taken
        found: dict[str, Change] = {}
        for who in dict.fromkeys((*lives, *news)):
            one = self.scene.fighters[who]
            moved = [
                f"{self._label(one, pool)}{minus(was)} → {minus(now)}"
                for pool, (was, now) in lives.get(who, {}).items()
                if was != now
            ]
            if words := ", ".join((*moved, *news.get(who, ()))):
                found[who] = Change(f"{who} {words}", good.get(who))
        return found

    def _news(self, entry: Entry, event: Event, name: str) -> str:
        """A condition that begins or ends, in words; empty where it is no news."""
        known = self.system.conditions.get(name)
        if known is None or not known.is_news:
            return ""
        if event.now:
            return stated(name, True if event.now == 1 else event.now, self.system)
        is_quiet = entry.intent.action == "next" and not known.defeated
        if is_quiet or is_hidden_by_worse(event, entry, self.system):
            return ""
        return f"no longer {condition_name(name, self.system)}"

    def _is_life(self, one: Fighter, pool: str) -> bool:
        key = one.name, pool
        if key not in self._lives:
            self._lives[key] = is_life(self.system, one, pool)
        return self._lives[key]

    def _label(self, one: Fighter, pool: str) -> str:
        """What stands before the numbers of a pool of life; nothing where there is no doubt."""
        kind = self.system.pools[pool.partition(":")[0]]
        return (
            f"{kind.label} " if kind.taken or sum(self._is_life(one, each) for each in one.pools) > 1 else ""
        )

    def _life_left(self, one: Fighter) -> str:
        """What is left of a life that is hurt: `7/14`; empty for an unhurt one."""
        hurt = [
            f"{self._label(one, pool)}{minus(now)}/{one.limits[pool][1]}"
            for pool, now in one.pools.items()
            if self._is_life(one, pool) and now != unhurt(self.system, one, pool)
        ]
        return " ".join(hurt)


def opening(scene: Scene, system: System, ink: Ink, width: int) -> list[str]:
    """The head of a fight: what it is called and who plays; of an encounter its text and what wins it, too."""
    width, sides, encounter = min(width, WIDEST), sides_of(scene), scene.encounter
    named = {
        side: listed(counted_copies(names, {}, scene)).replace(GLUE, " ") for side, names in sides.items()
    }
    if encounter is None:
        return [ink("bold", " against ".join(named.values())) + f" · {system.name}", ""]
    title = ink("bold", encounter.name) + f" · {system.name} · {named[own_side(scene)]}"
    lines = [title, *text.encounter_opening(encounter.open, scene, ink), ""]
    return [part for line in lines for part in ink.broken(line, width)]
