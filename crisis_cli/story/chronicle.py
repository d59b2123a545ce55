"""The chronicle of a campaign: its story and its fights in order, a chapter for each fight, and totals over all."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate, groupby
from typing import Any

from ..engine.events import fighter_of
from ..engine.journal import Crisis
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent
from ..engine.system import System
from ..render import data
from ..render.closing import verdict
from ..render.crowds import uncapitalized
from ..render.jsontext import VERSION, dumped
from ..render.messages import listed
from ..render.style import Ink
from ..sheets.campaign import Campaign
from ..sheets.story_file import fight_name
from ..systems import load
from ..values import NamedTuple
from . import blocks, tale, walk
from .blocks import Block, Heading, Item, TableBlock
from .campaign import Warn, entries_and_fights, fight_of, is_care, result, rounds_words
from .controls import with_escapes
from .lonelog import Log
from .markdown import written
from .page import FOLDER
from .recap import Attack, AttackTotals, FighterRecap, Recap, recap, tally, tally_record
from .recap_text import luck_lines, luck_rows, table_row


class ChroniclePart(NamedTuple):
    """One thing of a campaign: an entry of its story, or a fight with its crisis."""

    day: int
    step: walk.Step
    crisis: Crisis | None = None
    """The crisis of a fight; None for anything else, and where its journal cannot be read."""
    is_open: bool = False
    """Whether the fight goes on."""
    news: Sequence[str] = ()
    """Who is new, and who is alive again, in sentences."""

    @property
    def is_crisis(self) -> bool:
        """Whether this is a crisis with a journal of its own: a fight, or care."""
        return self.step.entry.intent.action == "fight"

    @property
    def is_fight(self) -> bool:
        """Whether this is a fight."""
        return self.is_crisis and not self.is_care

    @property
    def is_care(self) -> bool:
        """Whether this is a crisis in which somebody was treated, and nobody fought."""
        return self.crisis is not None and not self.is_open and is_care(self.crisis)

    @property
    def number(self) -> int | None:
        """The number of the crisis; None for anything else."""
        return int(self.step.entry.intent.get("value")) if self.is_crisis else None

    @property
    def title(self) -> str:
        """The name of the fight, or of the care."""
        title, crisis = str(self.step.entry.intent.get("title", "")), self.crisis
        if crisis and not crisis.start.encounter and not crisis.done[-1].intent.get("name"):
            title = walk.title(crisis)
        return f"Care: {title}" if self.is_care else f"{self.number}. {title}"


class Chronicle(NamedTuple):
    """What a chronicle is made from."""

    campaign: Campaign
    story: Crisis
    system: System
    parts: Sequence[ChroniclePart]
    is_full: bool
    """Whether every entry is shown, and every fight whole."""


def chronicle(
    campaign: Campaign, story: Crisis, open_crisis: Crisis | None, since: int, is_full: bool, warn: Warn
) -> Chronicle:
    """The chronicle from a day on; a crisis that is open is its last fight."""
    crises = [crisis and with_escapes(crisis) for _, crisis in entries_and_fights(campaign, story, warn)]
    story = with_escapes(story)
    parts = [
        ChroniclePart(step.entry.day, step, crisis)
        for step, crisis in zip(walk.steps(story), crises, strict=True)
    ]
    if open_crisis is not None:
        number = 1 + max((part.number or 0 for part in parts), default=0)
        open_crisis = with_escapes(open_crisis)
        values = {"value": number, "title": fight_name(open_crisis), "rounds": open_crisis.scene.round}
        entry = Entry(len(story.done) + 1, Intent("fight", "", (), values), day=story.day)
        parts.append(ChroniclePart(story.day, walk.Step(entry, story.scene, story.scene), open_crisis, True))
    system = load(story.scene.system)
    shown = [part for part in _with_news(parts, system) if part.day >= since]
    return Chronicle(campaign, story, system, shown, is_full)


def _with_news(parts: Sequence[ChroniclePart], system: System) -> Iterator[ChroniclePart]:
    """The parts of a campaign, each with what is new in it."""
    met, dead = set[str](), set[str]()
    for part in parts:
        step, crisis, news = part.step, part.crisis, list[str]()
        ended: Mapping[str, Fighter] = step.after.fighters
        if crisis is not None:
            names = next(iter(walk.sides(crisis).values()), ())
            begun = {name: one for name, one in crisis.start.fighters.items() if name in names}
            ended = {name: crisis.scene.fighters[name] for name in names}
        else:
            begun = {
                event.who: fighter_of(event.now) for event in step.entry.events if event.what == "fighter"
            }
        if new := [name for name in begun if name not in met]:
            news.append(f"{listed(new)} {'join' if new[1:] else 'joins'}.")
        if again := [name for name in begun if name in dead and system.fallen(begun[name]) != "dead"]:
            news.append(f"{listed(again)} {'are' if again[1:] else 'is'} alive again, by a reset.")
        met.update(begun, ended)
        dead = dead.difference(again).union(
            name for name, one in ended.items() if system.fallen(one) == "dead"
        )
        yield part._replace(news=news)


def outcome(part: ChroniclePart) -> str:
    """How a fight ended for one's own side, or that it goes on, in words."""
    if part.is_open:
        return f"open, in round {part.step.entry.intent.get('rounds')}"
    fight = fight_of(part.step.entry)
    if part.is_care:
        return rounds_words(fight.rounds)
    if part.crisis is None:
        return result(fight)
    if not fight.winner:
        return uncapitalized(verdict(part.crisis.last_scene, load(part.crisis.scene.system))).rstrip(".")
    won = "won" if fight.winner == next(iter(walk.sides(part.crisis)), "") else "lost"
    return f"{won} in {rounds_words(fight.rounds)}"


# For readers


def lines(found: Chronicle, ink: Ink, width: int) -> Iterator[str]:
    """The campaign as lines for a terminal."""
    return blocks.text(_blocks(found), ink, width)


def markdown(found: Chronicle) -> str:
    """The campaign as Markdown."""
    return written(_blocks(found))


def page(found: Chronicle) -> str:
    """The campaign as one page for a browser; nothing is loaded from elsewhere, and it has no script."""
    style = (FOLDER / "page.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(f"\n{style}".encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return "\n".join(
        (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(found.campaign.name)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>",
            *blocks.html(_blocks(found)),
            "</main>\n</body>\n</html>\n",
        )
    )


def _blocks(found: Chronicle) -> Iterator[Block]:
    """The campaign day by day: in brief, or each entry and each fight whole, then the totals."""
    yield Heading(f"{found.campaign.name} · {found.system.name} · day {found.story.day}", 1)
    day = 0
    alike: Callable[[Entry], object] = (lambda entry: entry.number) if found.is_full else tale.kind
    # What is new stands before the part that it is new in, which no line sums up with those before.
    news = accumulate(bool(part.news) for part in found.parts)
    pairs = zip(found.parts, news, strict=True)
    for _, group in groupby(pairs, lambda pair: (pair[1], alike(pair[0].step.entry))):
        first, *more = [part for part, _ in group]
        if first.day != day:
            day = first.day
            yield Heading(f"Day {day}", 2)
        yield from map(Item, first.news)
        if first.is_crisis:
            yield from _of_crisis(first, found.is_full)
        elif found.is_full:
            yield from blocks.of_step(first.step, found.system)
        else:
            yield from tale.of_story([part.step for part in (first, *more)], found.system)
    totals = total(found) if found.is_full else None
    if totals and totals.recap.fighters:
        yield Heading("Over all fights", 2)
        yield TableBlock([HEAD, *_rows(totals)])
        yield from map(Item, luck_words(totals))


def _of_crisis(part: ChroniclePart, is_full: bool) -> Iterator[Block]:
    """A fight, or care with a journal of its own."""
    if part.crisis is None or not is_full:
        yield Heading(f"{part.title}: {outcome(part)}", 3)
    if part.crisis is not None:
        system = load(part.crisis.scene.system)
        if is_full:
            yield from blocks.of_crisis(part.crisis, system, part.title, 3)
        else:
            yield from (tale.of_care if part.is_care else tale.of_fight)(part.crisis, system)


HEAD = ("Fighter", "Fights", "Hits", "Expected", "Harm", "Taken", "Downed", "Nights of rest")


def _rows(totals: Totals) -> Iterator[Sequence[str]]:
    for one in totals.recap.fighters:
        hits, expected, harm, _, taken, _, downed = table_row(one)
        rested = str(totals.nights.get(one.name, 0))
        yield one.name, str(totals.fights.get(one.name, 0)), hits, expected, harm, taken, downed, rested


# Lonelog


def lonelog(found: Chronicle) -> str:
    """The whole campaign as a document with the Lonelog notation, a session for each fight."""
    name = dumped({"": found.campaign.name}).partition(": ")[2].removesuffix("}")
    out = ["---", f"title: {name}", f"ruleset: {found.system.name}", "---", ""]
    log = Log(found.story, found.system)
    session = scene = 0
    between: list[str] = []
    for part in found.parts:
        if part.is_fight or not session:
            out += _fenced(between)
            between, session = [], session + 1
            out += [f"## Session {session}", "", f"*Day {part.day}*", ""]
        if part.is_crisis:
            out += _fenced(between)
            between, scene = [], scene + 1
            title = str(part.step.entry.intent.get("title", ""))
            out += [f"### S{scene} *{log.plain(title)}*", ""]
            if part.crisis is not None:
                fight = Log(part.crisis, load(part.crisis.scene.system))
                out += _fenced(list(fight.lines("")))
            else:
                out += _fenced([f"=> {log.plain(outcome(part))}."])
        else:
            entry = list(log.entry(part.step))
            if entry and not between:
                scene += 1
                out += [f"### S{scene} *Day {part.day}*", ""]
            between += [*([""] if between and entry else []), *entry]
    return "\n".join([*out, *_fenced(between)]).rstrip("\n") + "\n"


def _fenced(text: Sequence[str]) -> list[str]:
    return ["```", *text, "```", ""] if text else []


# JSON


def records(found: Chronicle) -> Iterator[dict[str, Any]]:
    """Every entry of the campaign in order, those of its fights included, each with its day and its fight."""
    for part in found.parts:
        place = {"day": part.day, "fight": None, "care" if part.is_care else "fight": part.number}
        if part.crisis is None:
            intent = part.step.entry.intent
            known = {key: intent.get(key) for key in ("title", "winner", "rounds") if part.is_crisis}
            yield data.entry(part.step.entry, found.system, found.story.seed, True) | known | place
            continue
        system = load(part.crisis.scene.system)
        for entry in part.crisis.done:
            yield data.entry(entry, system, part.crisis.seed, True) | place


# Totals


class Totals(NamedTuple):
    """The fights of a campaign added up."""

    recap: Recap
    """The player's fighters, and the sides, over all fights."""
    fights: Mapping[str, int]
    """The number of fights of each."""
    nights: Mapping[str, int]
    """The days that each has rested."""


def total(found: Chronicle) -> Totals:
    """All fights added up: the luck of each fighter and each side is one exact figure over all their attacks."""
    mine: dict[str, list[FighterRecap]] = {}
    attacks: dict[str, list[Attack]] = {}
    sides: dict[str, list[Attack]] = {}
    nights: dict[str, int] = {}
    rounds = 0
    for part in found.parts:
        entry = part.step.entry
        if entry.intent.action == "downtime":
            for who in entry.intent.targets:
                if found.system.fallen(part.step.after.fighters[who]) != "dead":
                    nights[who] = nights.get(who, 0) + int(entry.intent.get("days", 0))
        if part.crisis is None or part.is_care:
            continue
        one = recap(part.crisis, load(part.crisis.scene.system))
        rounds += one.rounds
        fighters = part.crisis.scene.fighters
        for each in one.fighters:
            own = [attack for attack in one.attacks if attack.who == each.name]
            sides.setdefault(each.side, []).extend(own)
            if part.crisis.start.fighters.get(each.name, fighters[each.name]).player:
                mine.setdefault(each.name, []).append(each)
                attacks.setdefault(each.name, []).extend(own)
    summed = tuple(_summed(recaps, tally(attacks[name])) for name, recaps in mine.items())
    all_sides: dict[str, AttackTotals] = {side: tally(some) for side, some in sides.items()}
    whole = Recap(rounds, True, "", summed, all_sides, (), (), 0)
    return Totals(whole, {name: len(recaps) for name, recaps in mine.items()}, nights)


def _summed(recaps: Sequence[FighterRecap], of_all: AttackTotals) -> FighterRecap:
    """What a fighter did in all its fights."""
    first = recaps[0]
    return FighterRecap(
        first.name,
        first.side,
        of_all,
        sum(one.taken for one in recaps),
        sum(one.healed for one in recaps),
        tuple(name for one in recaps for name in one.downed),
        {},
    )


def luck_words(totals: Totals) -> Iterator[str]:
    """The luck of fighters and sides in a line each; nothing where there were few attacks."""
    for row in luck_rows(totals.recap):
        yield f"Luck of {row.name}, {row.kind}: {row.rough}{row.luck.percentile:.0f} of 100, {row.word}"


def recap_lines(found: Chronicle, ink: Ink, width: int) -> Iterator[str]:
    """The totals as lines for a terminal."""
    totals = total(found)
    yield f"{ink('bold', found.campaign.name)} · {found.system.name} · day {found.story.day}"
    if not totals.recap.fighters:
        yield "No fights yet."
        return
    yield ""
    yield from (f"  {line}" for line in blocks.table_lines([HEAD, *_rows(totals)], ink))
    yield from luck_lines(totals.recap, ink, width)


def recap_record(found: Chronicle) -> dict[str, Any]:
    """The totals as JSON."""
    totals = total(found)
    return {
        "v": VERSION,
        "action": "chronicle",
        "recap": {
            "name": found.campaign.name,
            "day": found.story.day,
            "rounds": totals.recap.rounds,
            "fighters": [
                {
                    "name": one.name,
                    "side": one.side,
                    "fights": totals.fights.get(one.name, 0),
                    **tally_record(one.tally),
                    "taken": one.taken,
                    "healed": one.healed,
                    "downed": list(one.downed),
                    "nights": totals.nights.get(one.name, 0),
                }
                for one in totals.recap.fighters
            ],
            "sides": {side: tally_record(one) for side, one in totals.recap.sides.items()},
        },
    }
