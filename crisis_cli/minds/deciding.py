"""What a fighter that plays itself does next: the best of what is legal, by its doctrine, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..play.legal import Legal, of
from ..play.record import Entry
from ..play.scene import Fighter, Intent, Scene
from ..systems.system import nothing
from ..table.odds import Laws
from . import aims, morale, ways
from .doctrine import USUAL, Doctrine
from .worth import BUDGET, OWN, Scales

if TYPE_CHECKING:
    from ..systems.system import System

SHY = frozenset({"hide"})
"""Actions for when nobody looks, which is the player's word (ALL-7); no mind takes it."""
SAVING = 0.9
"""What cannot be worth this share of an attack for its price is not worth what an attack would be paid with."""
LEAST = 0.0005
"""What is worth less than this is not worth doing."""
CLOSER = 0.0005
"""What a step towards the place where one fights is worth, for each metre or tile."""
APART, STRAY = 3, 0.02
"""How far one may be from whom one protects, and what each step beyond that is worth less."""
COMFORT = {"melee": 1, "near": 5, "far": 40}
"""How far off its foe a doctrine likes to be, at most."""
DEPTH, BREADTH = 5, 4
"""Of a turn thought through: so many actions one after the other, so many of them at each step."""


class Decision(NamedTuple):
    """What a mind does."""

    intent: Intent
    """What to perform; its option `reason` is the reason below, for the record."""
    reason: Mapping[str, Any]
    """`doctrine`, `key` and the numbers that go with it: words for it are in show/reasons.py."""


class Choice(NamedTuple):
    """Something that could be done, and what speaks for it."""

    one: Legal
    value: float
    price: float
    """The share of a turn's means that it takes."""
    key: str
    about: Mapping[str, Any]
    after: Scene | None = None
    """The scene after it, where no dice decide that."""

    @property
    def rate(self) -> float:
        """What it is worth for its price."""
        return self.value / self.price


class Minds:
    """Everyone who plays themselves in one crisis; remembers the odds worked out so far."""

    def __init__(self, system: System, doctrines: Callable[[str], Doctrine], laws: Laws | None = None):
        self.system = system
        self.doctrines = doctrines
        self.scales = Scales(system, laws)

    def doctrine(self, one: Fighter) -> Doctrine:
        """The doctrine of a fighter; FileTrouble where there is none of that name."""
        return self.doctrines(one.doctrine or USUAL)

    def decide(self, scene: Scene, who: str, past: Sequence[Entry] = ()) -> Decision:
        """What a fighter does next in its turn; `past` are the entries so far, by which it knows who hurt it."""
        self.scales.left = BUDGET
        doctrine = self.doctrine(scene.fighters[who])
        return Thought(self.scales, doctrine, scene, who, past).decision()


class Thought:
    """One fighter thinking about its next action."""

    def __init__(
        self, scales: Scales, doctrine: Doctrine, scene: Scene, who: str, past: Sequence[Entry]
    ) -> None:
        self.scales = scales
        self.system = scales.system
        self.doctrine = doctrine
        self.scene = scene
        self.who = who
        self.past = past
        self.ward = aims.ward(scales, scene, who, doctrine)

    def decision(self) -> Decision:
        """What it does."""
        why = morale.broken(self.scales, self.scene, self.who, self.doctrine.breaks)
        if why is not None:
            offers = list(self._offers(self.scene))
            key, intent = morale.way_out(self.scales, self.scene, self.who, self.doctrine.breaks.then, offers)
            return self._decided(intent, key, {"cause": why.cause, "number": why.number})
        choices = list(self._choices(self.scene))
        best = self._planned(choices) if self.doctrine.ahead == "turn" else self._greedy(choices)
        if best is None:
            return self._decided(Intent("next", self.who), *self._idle(choices))
        about = dict(best.about)
        if best.key not in ("attacks", "treats"):
            shot = max((one for one in choices if one.key == "attacks"), key=_value, default=None)
            about |= {"instead": shot.about["chance"]} if shot else {}
        return self._decided(best.one.intent, best.key, about)

    def _decided(self, intent: Intent, key: str, about: Mapping[str, Any]) -> Decision:
        reason = {"doctrine": self.doctrine.name, "key": key, **about}
        return Decision(intent._replace(options={**intent.options, "reason": reason}), reason)

    def _idle(self, choices: Sequence[Choice]) -> tuple[str, Mapping[str, Any]]:
        """Why it does nothing more."""
        if not self.scales.foes(self.scene, self.who):
            return "alone", {}
        value, _ = self.scales.prospect(self.scene, self.who)
        if value > LEAST and not any(one.key == "attacks" for one in choices):
            return "spent", {}
        return ("nothing-better" if choices else "nothing"), {}

    def _offers(self, scene: Scene) -> Iterator[Legal]:
        for one in of(self.system, scene, self.who):
            if one.window == "turn" and one.intent.action not in SHY:
                yield one

    def _choices(self, scene: Scene) -> Iterator[Choice]:
        """Everything worth a thought in a scene."""
        offers = list(self._offers(scene))
        standing = [one.name for one in self.scales.foes(scene, self.who)]
        hostile = [one for one in offers if one.intent.targets and set(one.intent.targets) <= set(standing)]
        reached = list(dict.fromkeys(one.intent.target for one in hostile))
        wanted = aims.aimed(self.scales, scene, self.who, self.doctrine, reached, self.past)
        for one in hostile:
            if one.intent.target in wanted:
                yield from self._attack(scene, one)
        side = scene.fighters[self.who].side
        for one in offers:
            if one.intent.targets and scene.fighters[one.intent.target].side == side:
                yield from self._treatment(scene, one)
        yield from self._preparations(scene, offers, wanted or standing[:1])

    def _attack(self, scene: Scene, one: Legal) -> Iterator[Choice]:
        worth = self.scales.worth(scene, one.intent)
        if worth is None:
            return
        weigh, me = self.doctrine.weigh, scene.fighters[self.who]
        value = weigh.done * worth.done - OWN * worth.own - weigh.spent * self.scales.kept(me, one) / 10
        if value > LEAST:
            about = {
                "chance": _percent(worth.chance),
                "harm": _percent(worth.done),
                "down": _percent(worth.down),
            }
            yield Choice(one, value, self.scales.dear(me, one), "attacks", about)

    def _treatment(self, scene: Scene, one: Legal) -> Iterator[Choice]:
        if not self.doctrine.weigh.healed or self.system.ACTIONS[one.intent.action].window != "turn":
            return
        worth = self.scales.worth(scene, one.intent)
        if worth is None or worth.given <= 0:
            return
        weigh, me = self.doctrine.weigh, scene.fighters[self.who]
        mine = 2.0 if self.ward and self.ward.name == one.intent.target else 1.0
        value = (
            mine * weigh.healed * worth.given - OWN * worth.own - weigh.spent * self.scales.kept(me, one) / 10
        )
        if value > LEAST:
            about = {"chance": _percent(worth.chance), "gain": _percent(worth.given)}
            yield Choice(one, value, self.scales.dear(me, one), "treats", about)

    # What makes ready: weapons, postures, places

    def _preparations(self, scene: Scene, offers: Sequence[Legal], wanted: Sequence[str]) -> Iterator[Choice]:
        """Actions without dice that leave the fighter better placed than before."""
        ready = [one for one in offers if not one.intent.targets and self._is_plain(one)]
        goals = [scene.fighters[name] for name in wanted[:1]]
        off = [] if self.doctrine.range == "melee" else self.scales.foes(scene, self.who)[:1]
        goals += [scene.fighters[self.ward.name]] if self.ward else []
        going = [one for one in ready if ways.is_way(self.system, one)]
        moves = ways.steps(self.system, scene, going, goals, off if self._shuns else [])
        before = None
        for one in (*(one for one in ready if one not in going), *moves):
            after = ways.after(self.system, scene, one.intent)
            if after is None or after.turn != scene.turn:
                continue
            before = before or self._standing(scene, wanted)
            yield self._change(scene, one, before, self._standing(after, wanted), after)

    @property
    def _shuns(self) -> bool:
        """Whether it would ever go away from a foe."""
        return self.doctrine.range in ("far", "near") or self.doctrine.weigh.suffered > 0.2

    def _is_plain(self, one: Legal) -> bool:
        row = self.system.ACTIONS[one.intent.action]
        return row.rule is nothing and row.targets == "none" and not row.ends_turn

    def _standing(self, scene: Scene, wanted: Sequence[str]) -> Standing:
        """How well a fighter is placed."""
        weigh = self.doctrine.weigh
        reach, _ = self.scales.prospect(scene, self.who)
        threat = self.scales.threat(scene, self.who) if weigh.suffered else 0.0
        return Standing(weigh.done * reach, weigh.suffered * threat, self._place(scene, wanted, reach))

    def _place(self, scene: Scene, wanted: Sequence[str], reach: float) -> float:
        """What the place alone is worth: near enough to its foe and to whom it protects."""
        gap = scene.distance(self.who, wanted[0]) if wanted else None
        if gap is None:
            return 0.0
        liked = COMFORT.get(self.doctrine.range, 0)
        worth = 0.0
        if reach <= LEAST or self.doctrine.range in ("melee", "near"):
            worth = -CLOSER * max(0, gap - max(1, liked))
        elif self.doctrine.range == "far":
            worth = CLOSER * min(gap, liked)
        apart = scene.distance(self.who, self.ward.name) if self.ward else None
        return worth - (STRAY * max(0, apart - APART) if apart is not None else 0.0)

    def _change(self, scene: Scene, one: Legal, was: Standing, now: Standing, after: Scene) -> Choice:
        parts = {
            "readies": now.reach - was.reach,
            "covers": was.threat - now.threat,
            "moves": now.place - was.place,
        }
        price = self.scales.dear(scene.fighters[self.who], one)
        kept = self.doctrine.weigh.spent * self.scales.kept(scene.fighters[self.who], one) / 10
        key = max(parts, key=lambda part: parts[part])
        about: dict[str, Any] = {}
        if key == "covers":
            about = {"was": _percent(was.threat), "now": _percent(now.threat)}
        if key == "readies":
            about = {"was": _percent(was.reach), "now": _percent(now.reach)}
        if "to" in one.intent.options and key != "covers":
            key = self._called(scene, after)
        return Choice(one, sum(parts.values()) - kept, price, key, about, after)

    def _called(self, scene: Scene, after: Scene) -> str:
        """What a step is called: towards the ward, closer to a foe, or off."""
        gaps = [scene.distance(self.who, one.name) for one in self.scales.foes(scene, self.who)]
        then = [after.distance(self.who, one.name) for one in self.scales.foes(scene, self.who)]
        if min(map(_or_far, then), default=0) < min(map(_or_far, gaps), default=0):
            return "closes-in"
        return "stays-with" if self.ward else "keeps-off"

    # Choosing

    def _worthwhile(self, scene: Scene, choices: Sequence[Choice]) -> list[Choice]:
        """The choices that are worth it, the best for their price first; ties as the rules list them."""
        _, rate = self.scales.prospect(scene, self.who)
        good = [one for one in choices if one.value > LEAST / 2 and one.rate >= self._floor(scene, one, rate)]
        return sorted(good, key=lambda one: -one.rate)

    def _floor(self, scene: Scene, choice: Choice, rate: float) -> float:
        """What a preparation must be worth for its price where what it costs could be saved for an attack."""
        if choice.key in ("attacks", "treats"):
            return 0.0
        fighter = scene.fighters[self.who]
        saved = [
            pool
            for pool, amount in choice.one.costs
            if amount > 0
            and self.scales.is_spent(pool)
            and not self.system.POOLS[pool.partition(":")[0]].renewed
        ]
        could = any(fighter.pools[pool] < fighter.full(pool) for pool in saved)
        return SAVING * self.doctrine.weigh.done * rate if could else 0.0

    def _greedy(self, choices: Sequence[Choice]) -> Choice | None:
        return next(iter(self._worthwhile(self.scene, choices)), None)

    def _planned(self, choices: Sequence[Choice]) -> Choice | None:
        """The first action of the best turn that can still be paid."""
        return self._best(self.scene, choices, DEPTH)[1]

    def _best(self, scene: Scene, choices: Sequence[Choice], depth: int) -> tuple[float, Choice | None]:
        """The worth of the best way to end a turn from here, and what it begins with."""
        _, rate = self.scales.prospect(scene, self.who)
        best: tuple[float, Choice | None] = (self._saved(scene, rate), None)
        promising = [one for one in choices if one.value > LEAST / 2]
        for one in sorted(promising, key=lambda one: -one.rate)[:BREADTH]:
            after = one.after or self._paid(scene, one)
            later, then = self._saved(after, rate), None
            if depth > 1:
                later, then = self._best(after, list(self._choices(after)), depth - 1)
            total = one.value + later * (1 - min(0.9, one.about.get("down", 0) / 100))
            if total > best[0] + LEAST / 10:
                best = (total, one)
        return best

    def _saved(self, scene: Scene, rate: float) -> float:
        """What is kept for the next turn is worth, of what does not begin anew with it."""
        one = scene.fighters[self.who]
        shares = [
            one.pools[pool] / (one.full(pool) or 1)
            for pool in one.pools
            if self.scales.is_spent(pool) and not self.system.POOLS[pool.partition(":")[0]].renewed
        ]
        return SAVING * self.doctrine.weigh.done * rate * min(shares) if shares else 0.0

    def _paid(self, scene: Scene, choice: Choice) -> Scene:
        """The scene in which an action with dice is paid for, and nothing else has happened."""
        one = scene.fighters[self.who]
        pools = dict(one.pools)
        for pool, amount in choice.one.costs:
            pools[pool] = pools[pool] - amount
        return scene._replace(fighters={**scene.fighters, self.who: one._replace(pools=pools)})


class Standing(NamedTuple):
    """How well a fighter is placed."""

    reach: float
    """The worth of its best attack, had it everything to pay with."""
    threat: float
    """The weight of what its foes could do to it."""
    place: float


def _value(choice: Choice) -> float:
    return choice.value


def _percent(share: float) -> int:
    return int(100 * share + 0.5)


def _or_far(gap: int | None) -> int:
    return 0 if gap is None else gap
