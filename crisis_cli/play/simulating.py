"""Many whole fights, simulated: how each of them begins, and what they come to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from ..engine.scene import Scene
from ..engine.sides import sides_of
from ..errors import FileError, Refused, Usage
from ..render.simulation import Simulated, Variant
from ..sheets.files import file_stem
from ..sheets.find_fighters import find_name
from ..signals import Stop
from ..simulation.block import OWN, PLAIN, Fighting, Terms, Work, run
from ..simulation.fight import FightLimits, FightStart
from ..simulation.tally import FIGHTS, Counts, share
from ..values import NamedTuple
from .desk import Desk
from .ending import require_undecided
from .naming import find_item
from .opening import Opening, init_intent, opening_session
from .session import Session
from .variants import varied

USUAL_FIGHTS = 1_000
"""Fights where nobody says how many."""
HELD = "held"
"""The key of a fighter in a variant that says what is in hand, and is none of the sheet."""


class Fights(NamedTuple):
    """How many fights are simulated, and how."""

    seed: int
    fights: int = USUAL_FIGHTS
    doctrine: str = PLAIN
    """`plain`, `own`, or the doctrine of all."""
    limits: FightLimits = FightLimits()
    until_width: float = 0.0
    """How narrow the 95 % interval of every side's chance is where fewer are enough; 0: all are fought."""
    jobs: int = 1
    """How many processes share the work."""
    cluster: str = ""
    """The address of a Dask scheduler whose workers fight; empty for processes here."""


def start_of(desk: Desk, asked: Opening, seed: int, variant: Variant = ()) -> FightStart:
    """How every fight begins that is asked for, with the values of a variant: by the roll for the turn order.

    Usage where one side is missing.
    """
    if asked.vs and not (asked.who or asked.encounter):
        raise Usage(
            "missing argument: WHO",
            hint=f"say who fights them: crisis simulate WHO… --vs {' '.join(asked.vs)}",
            code="missing_argument",
        )
    if not (asked.vs or asked.encounter):
        raise Usage("missing option: --vs WHO", hint=_what_to_simulate(desk, asked), code="missing_argument")
    values = [(key, value) for key, value in variant if key.partition(".")[2] != HELD]
    session, _, _ = opening_session(varied(desk, values), asked, seed)
    intent = init_intent(session, [*session.scene.fighters], asked)
    for key, value in variant:
        who, _, what = key.partition(".")
        if what == HELD:
            session = _with_held(session, who, value)
    return FightStart(session.system, session.scene, intent)


def _what_to_simulate(desk: Desk, asked: Opening) -> str:
    """What to type where no opponent is named: the encounter, where the name is that of one."""
    (name,) = asked.who if len(asked.who) == 1 else ("",)
    if name in {file_stem(path) for _, path in desk.shelves.encounters().files()}:
        return f"the encounter {name}: crisis simulate --encounter {name}"
    return "crisis simulate WHO… --vs WHO…; an encounter: --encounter NAME; the open crisis: --from-crisis"


def _with_held(session: Session, who: str, thing: str) -> Session:
    """The session with a thing in the hand of a fighter."""
    name = find_name(session.scene, who)
    fighter = session.scene.fighters[name]
    held = (find_item(session, name, session.system.carried, thing),)
    fighters = {**session.scene.fighters, name: fighter._replace(held=held)}
    return session._replace(scene=session.scene._replace(fighters=fighters))


def start_from(session: Session) -> FightStart:
    """How every fight begins that goes on from a crisis; Refused where it is decided, or no turn has begun."""
    require_undecided(session)
    if not session.scene.turn:
        raise Refused("no turn has begun", hint="roll for it: crisis init WHO… --open", code="no_turn")
    return FightStart(session.system, session.scene, None, session.done)


def simulate(
    desk: Desk,
    start: FightStart,
    fights: Fights,
    stop: Stop,
    progress: Callable[[int], None] = lambda done: None,
) -> Simulated | None:
    """What many fights come to that begin in one way; None if none was over before they were to stop.

    `progress` is called with how many have been fought so far. FileError where a doctrine is missing.
    """
    scene = _with_doctrine(desk, start.scene, fights.doctrine)
    if scene.encounter is not None:
        scene = scene._replace(encounter=scene.encounter.without_secrets())
    start = start._replace(scene=scene)
    sides = sides_of(start.scene)

    def enough(counts: Counts) -> bool:
        shares = (share(counts.get(("wins", side), 0), counts[FIGHTS]) for side in sides)
        return fights.until_width > 0 and all(one.high - one.low <= fights.until_width for one in shares)

    terms = Terms(start, fights.doctrine, fights.limits, fights.seed, desk.shelves.doctrines().named)
    work = Work(fights.fights, stop, fights.jobs, enough, progress)
    fighting = Fighting(terms)
    counts = _on_cluster(desk, fighting, work, fights.cluster) if fights.cluster else run(fighting, work)
    if not counts.get(FIGHTS):
        return None
    wanted = fights.fights if stop.signal else counts[FIGHTS]
    return Simulated(start.system, start.scene, counts, fights.seed, fights.doctrine, wanted)


def _with_doctrine(desk: Desk, scene: Scene, doctrine: str) -> Scene:
    """The scene with everyone of a doctrine, unless it is plain or their own; FileError where one is missing."""
    shelves = desk.shelves
    if doctrine == PLAIN:
        return scene
    if doctrine != OWN:
        try:
            shelves.doctrines().named(doctrine)
        except FileError as error:
            if error.code == "not_found":
                error.hint = f"{PLAIN}, {OWN}, or a doctrine; {error.hint}"
            raise
        fighters = {name: one._replace(mind=doctrine) for name, one in scene.fighters.items()}
        scene = scene._replace(fighters=fighters)
    for one in scene.fighters.values():
        shelves.doctrine_of(one)
    return scene


def _on_cluster(desk: Desk, fighting: Fighting, work: Work, address: str) -> Counts:
    """What the workers of a cluster count; they get all doctrines that a fighter may take on."""
    from ..simulation import cluster

    doctrines, terms = desk.shelves.doctrines(), fighting.terms
    sent = {}
    if terms.doctrine != PLAIN:
        for name in (*doctrines.names(), *(one.doctrine for one in terms.start.scene.fighters.values())):
            with suppress(FileError):
                sent[name] = doctrines.named(name)
    return cluster.run(fighting, work, sent, address, lambda message: desk.warn(message, "cluster"))
