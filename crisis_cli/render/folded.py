"""A fight in brief: what matters in a line each, and the rest of a round in one sentence at its end.

It works on entries in their order. What matters changes a life, begins or ends a condition that is news, or stands
outside the turns: events, notes, who comes and goes. `crisis log` tells the rest of each entry.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..engine.changes import COST, LIMIT, RENEWED, ROLLED, parts_of
from ..engine.core_actions import CORE_ACTIONS
from ..engine.cost import PAID
from ..engine.events import Event, apply_all
from ..engine.life import bears_harm, is_life, unhurt
from ..engine.record import ATTACKS, EVENT, Entry, RollRecord
from ..engine.scene import Fighter, Scene
from ..engine.sides import decided, sides_of, standing
from ..engine.system import System
from ..values import NamedTuple
from . import text
from .charts import minus
from .crowds import counted_copies, plural_verb, together
from .dice_lines import roll_name, worded
from .effects import is_hidden_by_worse
from .goals import count_lines
from .messages import condition_name, listed, outcome_word, stated, travelled
from .reasons import BRIEF, NONE, cause, chance_of, is_wait, place_words
from .sides import bearing, own_side
from .style import GLUE, Ink
from .text import headline, phrased
from .visible import HIDDEN

WIDEST = 80
"""Columns of a line at most, so that a fight reads alike on every screen that is wide enough."""
SURE = 80
"""The chance in percent from which on a miss matters."""
FEWEST_DASHES = 3
MISSES, HARMLESS = "Misses", "Hits without a wound"
"""What attacks come to that take no life."""
BOOKED = (COST, LIMIT, RENEWED, ROLLED)
"""Parts of changes that are no cause of them."""
NUMBER = re.compile(r" (?=[\d×→])")
"""The space before a number or an arrow, at which no line is broken."""


class QuietAction(NamedTuple):
    """What a fighter did that does not matter much, as a verb with what belongs to it."""

    verb: str
    why: str = ""
    is_move: bool = False


class Folded:
    """Turns the entries of a fight into lines, in their order; quiet actions wait for the end of the round."""

    def __init__(self, scene: Scene, system: System, ink: Ink, width: int, reasons: str = BRIEF):
        self.scene = scene
        """The scene after the entries so far."""
        self.system, self.ink, self.width = system, ink, min(width, WIDEST)
        self._has_reasons = reasons != NONE
        """Whether lines say why the morale of a fighter breaks."""
        self._head: list[str] = []
        """The line of the round until it is shown; more lines for many fighters."""
        self._begun: list[str] = []
        """The lines below it: what the beginning of the round did to fighters."""
        self._quiet: dict[str, list[QuietAction]] = {}
        self._in_vain: Counter[tuple[str, str, str]] = Counter()
        """Attacks that took no life: what they came to, attacker and target."""
        self._worn: dict[tuple[str, str], int] = {}
        """The pools that hits took points of, beside life, by pool and fighter: how much there was before."""
        self._acted: set[str] = set()
        """The fighters who have acted in this round."""
        self._last = ""
        """The fighter whose last action was quiet; empty after anything else."""
        self._causes: dict[str, str] = {}
        """The last cause shown for the broken morale of each fighter."""
        self._lives: dict[str, list[str]] = {}

    def lines(self, entry: Entry) -> list[str]:
        """The lines for an entry and for what waited for it; none where the entry waits for the end of the round."""
        events = entry.events
        at = next((at for at, event in enumerate(events) if event.what == "round" and not event.who), None)
        if at is None:
            return self._told(entry)
        told = [*self._told(entry._replace(events=events[:at])), *self._quiet_lines()]
        self.scene = apply_all(self.scene, events[at : at + 1])
        head = self._round_lines()
        self._begun = self._clock(entry._replace(events=events[at + 1 :]))
        self._head = head
        return told

    def begin_round(self) -> None:
        """Put the line of the present round before the lines that come next."""
        self._head = self._round_lines()

    def _round_lines(self) -> list[str]:
        """The line of the present round, with those who stand and what is left of a hurt life."""
        sides = standing(self.system, self.scene)
        ours = sides.pop(own_side(self.scene), [])
        others = [name for names in sides.values() for name in names]
        hurt = {name: self._life_left(self.scene.fighters[name]) for name in (*ours, *others)}
        both = [", ".join(counted_copies(names, hurt, self.scene)) for names in (ours, others) if names]
        who = " │ ".join(both)
        begin = f"Round {self.scene.round}" if self.scene.round else "Before round 1"
        dashes = "─" * max(FEWEST_DASHES, self.width - self.ink.length(f"{begin}  {who}".replace(GLUE, " ")))
        first, *more = self.ink.wrapped(f"{begin} {dashes} {who}", self.width)
        lead = self.ink("bold", begin) + self.ink("dim", f" {dashes}")
        return [lead + first[len(f"{begin} {dashes}") :], *(f"    {line}" for line in more)]

    def rest(self) -> list[str]:
        """The lines for what still waits in the round so far, at least that of the round where the fight goes on."""
        head = [] if decided(self.system, self.scene) else self._head
        return self._quiet_lines() or head

    def _quiet_lines(self) -> list[str]:
        """The lines for what still waits in a round that ends; none where nothing happened in the round."""
        said = [*self._actions([*self._quiet]), *self._attacks()]
        self._acted.clear()
        self._last = ""
        if self._head and not self._begun:
            self._head = []
            return self._dim(said, f"Round {self.scene.round}{GLUE}{GLUE}")
        return [*self._begin(), *self._dim(said)]

    def _begin(self) -> list[str]:
        """The line of the round with what its beginning did, unless both have been shown."""
        told = [*self._head, *self._begun]
        self._head, self._begun = [], []
        return told

    def _dim(self, said: Sequence[str], lead: str = "") -> list[str]:
        """Sentences in dim lines that are set in, but for one with a lead."""
        lines = self.ink.wrapped(NUMBER.sub(GLUE, lead + " ".join(said)), self.width - 2) if said else []
        return [self.ink("dim", line if lead and not at else f"  {line}") for at, line in enumerate(lines)]

    # One entry

    def _told(self, entry: Entry) -> list[str]:
        action, core = entry.intent.action, CORE_ACTIONS.get(entry.intent.action)
        if action == "next":
            if is_wait(entry) and entry.intent.actor not in self._acted:
                self._quiet[entry.intent.actor] = [QuietAction("waits")]
            return self._clock(entry)
        self._acted.add(entry.intent.actor)
        before, self.scene = self.scene, apply_all(self.scene, entry.events)
        changes = self._changes(entry, before)
        if action == EVENT:
            return self._event(entry, changes)
        if core and (core.quotes or action == "set"):
            return self._line(*text.entry_lines(entry, self.scene, self.system, self.ink))
        said = headline(entry, self.scene, self.system, self.ink)
        counts = [*count_lines(self.system, before, self.scene, self.ink)]
        if core:
            why = self._cause(entry, entry.intent.target)
            return [*self._loudly(f"{said}{f': {why}' if why else ''}.", changes), *counts]
        is_armed = action in ATTACKS or self.system.actions[action].gear == "weapons"
        is_attack = bool(entry.rolls) and entry.success is not None and is_armed
        for who, what, was, *_ in entry.events if is_attack else ():
            if bears_harm(self.system, what) and what not in self._lives_of(self.scene.fighters[who]):
                self._worn.setdefault((what, who), was)
        saved = self._reaction(entry, bool(changes)) if entry.success else ""
        is_surprise = is_attack and entry.success is False and (chance_of(entry) or 0) >= SURE
        if not (changes or saved or is_surprise):
            self._quietly(entry, is_attack)
            return self._line(*self._actions([entry.intent.actor]), *counts) if counts else []
        result = f": {self._result(entry)}" if entry.word and entry.rolls else ""
        result += f", {saved}" if saved else ""
        answers = [who for who, action in entry.intent.get("answer", ()) if action in ATTACKS]
        result += f"; {listed(answers)} hits back" if answers and entry.intent.actor in changes else ""
        return [*self._loudly((self._joined(entry, result) or said) + result, changes), *counts]

    def _event(self, entry: Entry, changes: Mapping[str, str]) -> list[str]:
        """An event: its text, who comes and goes, and changes of fighters; nothing where dice kept it off."""
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
        said += [f"  {change}" for change in changes.values()]
        trigger = text.trigger_of(entry, self.scene)
        if trigger and trigger.after is not None:
            # It ends the round before, whose line stands above.
            if not decided(self.system, self.scene):
                return self._broken(said)
            self._head = []
        return self._line(*said)

    def _clock(self, entry: Entry) -> list[str]:
        """What rounds and turns do to fighters, each with its cause."""
        before, self.scene = self.scene, apply_all(self.scene, entry.events)
        told = []
        for who, change in self._changes(entry, before).items():
            failed = (roll for roll in entry.rolls if roll.who == who and not roll.reckoning.get("success"))
            rolls = dict.fromkeys(self._failed(roll, entry) for roll in failed)
            events = (event for event in entry.events if event.who == who and not self._is_price(event))
            parts = (part.name for event in events for part in parts_of(event))
            causes = dict.fromkeys(name for name in parts if name not in BOOKED)
            if causes and not rolls:
                change += f" ({listed([*causes])})"
            told += self._loudly(listed([*rolls]), {who: change})
        return told

    def _failed(self, roll: RollRecord, entry: Entry) -> str:
        """A roll that did a fighter no good: `Ghoul 2 resists death: fails`."""
        words = self.system.says.rolls.get(roll.what)
        failed = words.failure if words and "success" in roll.reckoning else ""
        return f"{roll_name(roll, entry, self.system)}{f': {failed}' if failed else ''}"

    def _loudly(self, said: str, changes: Mapping[str, str]) -> list[str]:
        """A line for what matters; changes that find no room in it stand below it, a line each."""
        self._last = ""
        line = "  ".join(filter(None, (said, " · ".join(changes.values()))))
        if self.ink.length(line) <= self.width:
            return self._line(line)
        return self._line(said, *(f"    {change}" for change in changes.values()))

    def _line(self, *said: str) -> list[str]:
        """Lines below that of their round; between stands what fighters did before they fall or the fight ends."""
        is_over, sides = decided(self.system, self.scene), standing(self.system, self.scene)
        standing_now = {name for names in sides.values() for name in names}
        quiet = [*self._actions([who for who in self._quiet if is_over or who not in standing_now])]
        quiet += self._attacks() if is_over else ()
        return [*self._begin(), *self._dim(quiet), *self._broken(said)]

    def _broken(self, said: Sequence[str]) -> list[str]:
        return [part for line in said for part in self.ink.broken(line, self.width)]

    # What an entry is

    def _result(self, entry: Entry) -> str:
        # Of several shots the one that decides, not the first.
        deciding = next(
            (roll for roll in entry.rolls if roll.reckoning.get("success") == entry.success), None
        )
        said = worded(entry.word, entry, deciding, self.scene, self.system, self.ink)
        chance = chance_of(entry)
        if chance == 100 * (not entry.success):
            # What is rare but has happened is not called impossible.
            return f"{said} ({'over 99' if chance else 'under 1'} %)"
        return said if chance is None else f"{said} ({chance} %)"

    def _reaction(self, entry: Entry, is_harmed: bool) -> str:
        """How somebody turned a hit away, or a part of it: `dodged`, `block stops 3`; empty where nobody did."""
        for roll in entry.rolls:
            stopped = roll.reckoning.get("stopped")
            is_reaction = roll.what in self.system.actions[entry.intent.action].reactions
            if not is_reaction or roll.who == entry.intent.actor:
                continue
            if is_harmed and stopped:
                return f"{roll.what} stops {stopped}"
            if not is_harmed and roll.reckoning.get("success", stopped):
                words = self.system.says.rolls.get(roll.what)
                return (words and words.stops) or f"{roll.what.removesuffix('e')}ed"
        return ""

    def _cause(self, entry: Entry, who: str) -> str:
        """Why the morale of a fighter broke; empty where it did not, or where this cause was the last one shown."""
        why = cause(entry.reason) if self._has_reasons else ""
        if not why or self._causes.get(who) == why:
            return ""
        self._causes[who] = why
        return why

    # What does not matter much

    def _quietly(self, entry: Entry, is_attack: bool) -> None:
        actor = entry.intent.actor
        if is_attack:
            target = listed(list(dict.fromkeys(entry.intent.targets)))
            self._in_vain[HARMLESS if entry.success else MISSES, actor, target] += 1
        elif {event.what for event in entry.events if not self._is_price(event)} != {"held"}:
            # A weapon drawn goes without saying, and the way that a fighter goes in a round is told once.
            action, actions = self._quiet_action(entry), self._quiet.setdefault(actor, [])
            if not any(one.verb == action.verb or (one.is_move and action.is_move) for one in actions):
                actions.append(action)
        self._last = "" if is_attack or entry.success is False else actor

    def _quiet_action(self, entry: Entry) -> QuietAction:
        if entry.intent.action == "heal" and entry.success is False:
            return QuietAction(f"fails to treat {listed(entry.intent.targets) or entry.intent.actor}")
        why = self._cause(entry, entry.intent.actor)
        is_move = bool(travelled(entry, self.system))
        verb = place_words(entry.reason) if is_move else ""
        if entry.word == PAID:
            why = f"{entry.outcome['paid']} of {entry.outcome['of']} paid"
        elif entry.rolls and entry.word:
            why = outcome_word(entry.word, self.system).text
        return QuietAction(verb or self._verb(entry), why, is_move)

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

    def _joined(self, entry: Entry, result: str) -> str:
        """The action with the quiet one just before it, as one: `Ines closes in and swings the club at Looter 1`.

        Empty where there is none, or no room for both before the result.
        """
        actor = entry.intent.actor
        actions = self._quiet.get(actor, [])
        if self._last != actor or not actions or actions[-1].why:
            return ""
        joined = f"{actor} {actions[-1].verb} and {self._verb(entry)}"
        if self.ink.length(joined + result) > self.width:
            return ""
        actions.pop()
        return self.ink("bold", joined)

    def _actions(self, names: Sequence[str]) -> Iterator[str]:
        """Takes the quiet actions of fighters so far as sentences, those who did alike together."""
        alike: dict[tuple[tuple[str, ...], str], list[str]] = {}
        for who in names:
            if actions := self._quiet.pop(who, []):
                why = next((one.why for one in actions if one.why), "")
                alike.setdefault((tuple(one.verb for one in actions), why), []).append(who)
        for (verbs, why), some in alike.items():
            said = together(some, self.scene, self.system)
            words = listed([plural_verb(verb) if len(some) > 1 else verb for verb in verbs])
            yield f"{said[:1].upper()}{said[1:]} {words}{f': {why}' if why else ''}."

    def _attacks(self) -> Iterator[str]:
        """Takes the attacks in vain so far as sentences, and what hits took beside life:
        `Misses: Ines and Bruno at Looter 2 ×2.`"""
        alike: dict[tuple[str, str, int], list[str]] = {}
        for (what, who, target), count in self._in_vain.items():
            alike.setdefault((what, target, count), []).append(who)
        self._in_vain.clear()
        for title in (MISSES, HARMLESS):
            parts = [
                f"{together(names, self.scene, self.system)}{f' at {target}' if target else ''}"
                + (f" ×{count}" if count > 1 else "")
                for (what, target, count), names in alike.items()
                if what == title
            ]
            if parts:
                yield f"{title}: {', '.join(parts)}."
        worn: dict[str, list[str]] = {}
        for (pool, who), was in self._worn.items():
            fighter = self.scene.fighters[who]
            if not self.system.fallen(fighter):
                said = f"{who} {minus(was)} → {minus(fighter.pools[pool])}"
                worn.setdefault(self.system.pools[pool].label, []).append(said)
        self._worn.clear()
        yield from (f"{label[:1].upper()}{label[1:]}: {', '.join(parts)}." for label, parts in worn.items())

    # What has changed

    def _changes(self, entry: Entry, before: Scene) -> dict[str, str]:
        """What an entry did to the lives of fighters, and the conditions that are news, in words by fighter; in the
        style of what is good or bad for one's own side."""
        pending = (event for event in entry.events if event.what == "pending" and not event.who)
        put_off = [harm for event in pending for harm in event.now[len(event.was) :]]
        changes: dict[str, str] = {}
        for who in dict.fromkeys([*(event.who for event in entry.events), *(harm[0] for harm in put_off)]):
            if (fighter := self.scene.fighters.get(who)) is None:
                continue
            words: list[str] = []
            is_good: bool | None = None
            lives = self._lives_of(fighter)
            for pool in lives:
                was, now = before.fighters.get(who, fighter).pools[pool], fighter.pools[pool]
                if was != now:
                    words.append(f"{life_label(self.system, pool, lives)}{minus(was)} → {minus(now)}")
                    is_good = (now < was) == self.system.pools[pool.partition(":")[0]].counts_up
            for name, pool, by, _ in put_off:
                if name == who and pool in lives:
                    words.append(f"−{-by} at the end of the turn")
                    is_good = False
            for event in entry.events:
                kind, _, name = event.what.partition(":")
                if event.who == who and kind == "condition" and (said := self._news(entry, event, name)):
                    words.append(said)
                    is_good = not event.now if self.system.conditions[name].defeated else is_good
            if words:
                said = f"{who} {', '.join(words)}"
                changes[who] = said if is_good is None else self.ink(bearing(is_good, who, self.scene), said)
        return changes

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

    def _lives_of(self, fighter: Fighter) -> list[str]:
        """The pools of a fighter that are life."""
        if fighter.name not in self._lives:
            self._lives[fighter.name] = [
                pool for pool in fighter.pools if is_life(self.system, fighter, pool)
            ]
        return self._lives[fighter.name]

    def _life_left(self, fighter: Fighter) -> str:
        """What is left of a life that is hurt: `7/14`; empty for an unhurt one."""
        lives = self._lives_of(fighter)
        return " ".join(
            f"{life_label(self.system, pool, lives)}{minus(fighter.pools[pool])}/{fighter.limits[pool][1]}"
            for pool in lives
            if fighter.pools[pool] != unhurt(self.system, fighter, pool)
        )


def life_label(system: System, pool: str, lives: Sequence[str]) -> str:
    """What stands before the numbers of a pool that is one of the `lives` of a fighter; nothing where there is no
    doubt."""
    kind = system.pools[pool.partition(":")[0]]
    return f"{kind.label} " if kind.counts_up or len(lives) > 1 else ""


def opening(scene: Scene, system: System, ink: Ink, width: int) -> list[str]:
    """The head of a fight: what it is called and who plays; of an encounter its text and what wins it, too."""
    width, encounter = min(width, WIDEST), scene.encounter
    named = {side: listed(counted_copies(names, {}, scene)) for side, names in sides_of(scene).items()}
    if encounter is None:
        lines = [f"{ink('bold', ' against '.join(named.values()))} · {system.name}", ""]
    else:
        title = f"{ink('bold', encounter.name)} · {system.name} · {named[own_side(scene)]}"
        lines = [title, *text.encounter_opening(encounter.open, scene, ink), ""]
    return [part for line in lines for part in ink.broken(line.replace(GLUE, " "), width)]
