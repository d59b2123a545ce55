"""How a crisis is opened: sides, positions, doctrines, surprise, and the roll for the turn order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .. import systems
from ..engine.encounter import encounter_of
from ..engine.encounter_opening import opening_scene
from ..engine.journal import begun, entry_record, header, read_back
from ..engine.scene import Fighter, Intent, Scene, slug
from ..engine.sides import sides_of, standing
from ..engine.wording import with_a
from ..errors import Refused, Usage
from ..sheets import journal_file
from ..sheets.find_fighters import find_name
from ..sheets.journal_file import JournalFile, MemoryJournal
from ..values import NamedTuple
from .answers import Answers, Player, carried
from .desk import Desk
from .dice import KEPT, Dice, Keep
from .perform import following_events, make_entry
from .placing import Place, deployed, with_positions
from .results import Result
from .session import Session
from .wording import intent_options

if TYPE_CHECKING:
    from ..engine.system import System
    from ..sheets.encounter_store import EncounterFile


class Opening(NamedTuple):
    """A crisis as it is asked for, in words."""

    who: tuple[str, ...] = ()
    """The players' side; with an encounter in place of its party."""
    vs: tuple[str, ...] = ()
    """The other side."""
    encounter: str = ""
    """An encounter, by its name or path."""
    apart: int | None = 0
    """How far apart the sides begin, in the unit of the system; 0: nobody gets a position; None: as sheets suggest."""
    places: tuple[Place, ...] = ()
    surprise: tuple[str, ...] = ()
    """Fighters who surprise the others; `initiator`: who start the fight. They act alone in round 0."""
    initiator: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    """The order agreed on by fighters who tie."""
    doctrines: tuple[tuple[str, str], ...] = ()
    """Fighters and their doctrines; "" for everyone on the other side."""
    options: Mapping[str, Any] = {}
    """The words of the rules for the roll: `mod`, `group`, those of the system."""
    has_journal: bool = True
    """Whether it is written to disk."""
    keeps_dice: bool = False
    """Whether real dice are for the whole crisis, and not for the turn order alone."""
    why: str = ""
    """The reason that is recorded; empty for none."""


class PreparedOpening(NamedTuple):
    """A crisis that is about to be opened: everybody is in place, and the turn order is to be rolled for."""

    session: Session
    intent: Intent
    """The roll for the turn order."""
    dice: Dice
    """With the seed of the crisis."""
    keep: Keep
    asked: Opening
    file: EncounterFile | None
    """The encounter that is played; None without one."""
    changed: tuple[str, ...]
    """The fighters of an encounter that begin otherwise than it says."""

    def created(self, desk: Desk, player: Player | None) -> Result:
        """The crisis opened; a player answers the questions of its opening."""
        return carried(lambda given: self.performed(desk, Answers(given)), player)

    def performed(self, desk: Desk, answers: Answers) -> Result:
        """Roll for the turn order, and create the journal with that entry and the events that follow from it.

        Waiting, and nothing is written, where an answer is missing.
        """
        session, system, dice = self.session, self.session.system, self.dice
        entry, _ = make_entry(desk, dice, session, self.intent, answers)
        if self.keep.is_dry:
            return Result(session, entry, dice.seed)
        world, fighters, seed = desk.world, session.scene.fighters.values(), dice.seed
        assert seed is not None
        played = self.file.record() if self.file else None
        if played and self.changed:
            played["changed"] = list(self.changed)
        package, field = systems.package(system.name), session.scene.field
        head = header(world.program, system.name, seed, world.clock(), fighters, {}, package, field, played)
        opened = read_back((head, entry_record(entry)), systems.load)
        path, file = desk.places.journal_path, desk.places.file
        journal: JournalFile = MemoryJournal(path, file, opened.crisis, 0, 0)
        # Before anything is written: events may ask for real dice, and the player may give up.
        now_open = session._replace(journal=journal)
        events = tuple(following_events(desk, now_open, begun(head), entry, dice.real, answers))
        if self.asked.has_journal:
            journal = journal_file.create(path, file, opened)
        if events:
            journal = journal.with_entry(*events)
        if self.asked.keeps_dice and (dice.real or dice.mine):
            journal = journal.with_dice("real" if dice.real else "mine")
        if self.asked.has_journal:
            desk.recorded.append(f"entry {entry.number}")
        return Result(Session(system, journal.crisis.scene, journal), entry, seed)


def prepare(desk: Desk, asked: Opening, dice: Dice, keep: Keep = KEPT) -> PreparedOpening:
    """Put everybody in place. Refused if a crisis is open already, unless the new one is kept in memory."""
    if asked.has_journal and desk.journals.active() is not None:
        raise Refused(
            f"a crisis is open already ({desk.places.file})",
            hint="resume it: crisis play; show it: crisis status; end it: crisis end",
            code="open",
        )
    if asked.has_journal:
        # The sheets of a night that was cut short are written first.
        desk.campaigns.story()
        desk.campaigns.require_place_for_journal()
    seed = desk.world.fresh_seed() if dice.seed is None else dice.seed
    session, file, as_written = opening_session(desk, asked, seed)
    there = session.scene.fighters.values()
    changed = tuple(one.name for one in there if one != as_written[one.name]) if file else ()
    intent = init_intent(session, [*session.scene.fighters], asked)
    return PreparedOpening(session, intent, dice._replace(seed=seed), keep, asked, file, changed)


def create(desk: Desk, asked: Opening, dice: Dice, keep: Keep = KEPT, player: Player | None = None) -> Result:
    """Open a crisis; a player answers its questions. Nothing is written before they are answered."""
    return prepare(desk, asked, dice, keep).created(desk, player)


def init_intent(session: Session, names: list[str], asked: Opening) -> Intent:
    """The intent of rolling for the turn order of these fighters."""
    extra: dict[str, Any] = {}
    for key, words in (("surprise", asked.surprise), ("initiator", asked.initiator), ("order", asked.order)):
        if words:
            extra[key] = [find_name(session.scene, word) for word in words]
    values = intent_options(asked.options, session, "init")
    reasons = {"why": asked.why} if asked.why else {}
    return Intent("init", "", tuple(names), {**values, **reasons, **extra})


def opening_session(
    desk: Desk, asked: Opening, seed: int
) -> tuple[Session, EncounterFile | None, Mapping[str, Fighter]]:
    """The session before the turn order is rolled for, the file of the encounter that is played, and the fighters as
    they are before options change their positions and doctrines."""
    file = desk.shelves.encounters().read(asked.encounter) if asked.encounter else None
    has_foes = bool(asked.vs or file)
    if file:
        if asked.vs:
            raise Usage(
                "--vs and an encounter cannot go together: its opponents are in its file",
                hint=f"make it your own: crisis encounter copy {file.stem}",
                code="conflicting_options",
            )
        system, scene = encounter_scene(desk, file, asked.who, seed)
    else:
        groups = (asked.who, asked.vs) if asked.vs else (asked.who,)
        system, fighters = desk.gather(*groups, decide_sides=has_foes)
        scene = Scene(system.name, {one.name: one for one in fighters}, open=True)
    for one in scene.fighters.values():
        if one.player and one.file and (fallen := system.fallen(one)):
            desk.warn(
                f"{one.name} is {fallen} on the sheet; {_way_on(desk, {fallen}, one.name)}",
                "fallen",
            )
    if has_foes:
        _require_sides(desk, system, scene)
    as_written = scene.fighters
    scene = with_doctrines(desk, with_positions(scene, asked.places), asked.doctrines, has_foes)
    return Session(system, deployed(scene, system.space, asked.apart)), file, as_written


def _require_sides(desk: Desk, system: System, scene: Scene) -> None:
    """Refused where a fight begins with nobody of a side who can fight."""
    able = standing(system, scene)
    for side, names in sides_of(scene).items():
        if side not in able:
            fallen = {name: system.fallen(scene.fighters[name]) for name in names}
            raise Refused(
                f"nobody of the {side} can fight: {', '.join(f'{name} is {how}' for name, how in fallen.items())}",
                hint=_way_on(desk, {*fallen.values()}, names[0]),
                code="nobody_stands",
            )


def _way_on(desk: Desk, states: set[str], who: str) -> str:
    """The lines that help those who are out of the fight in some ways, of whom one is named."""
    is_care_of_use = desk.places.story_folder is not None and states != {"dead"}
    care = "treat them: crisis tend; " if is_care_of_use else ""
    return f"{care}to start afresh: crisis character reset {slug(who)}"


def encounter_scene(desk: Desk, file: EncounterFile, who: tuple[str, ...], seed: int) -> tuple[System, Scene]:
    """The system of an encounter, and the scene with which it begins: with WHO, or else its own party."""
    sheets = who or tuple(file.values.get("party", {}).get("sheets", ()))
    if not sheets:
        raise Usage(
            f"{file.title} names no party",
            hint=f"say who plays: crisis play {file.stem} WHO…",
            code="missing_argument",
        )
    system, party = desk.gather(sheets, decide_sides=True)
    if system.name != file.system.name:
        raise Refused(
            f"{file.title} is for {file.system.name}; {party[0].name} is {with_a(system.name)} sheet",
            hint="all fighters of a crisis use one system",
            code="other_system",
        )
    encounter = encounter_of(file.record()["values"], file.stem)
    return system, opening_scene(system, encounter, file.field, party, file.group_sheets, seed)


def with_doctrines(desk: Desk, scene: Scene, doctrines: Iterable[tuple[str, str]], has_foes: bool) -> Scene:
    """The scene with doctrines for fighters, or for everyone on the other side (the fighter is empty).

    FileError if there is no such doctrine; Usage for all of the other side where there is none.
    """
    fighters = dict(scene.fighters)
    for who, name in doctrines:
        desk.shelves.doctrines().named(name)
        if not who and not has_foes:
            raise Usage(
                "--doctrine NAME is for those after --vs",
                hint=f"for one fighter: --doctrine WHO={name}",
                code="bad_value",
            )
        chosen = [find_name(scene, who)] if who else [one.name for one in fighters.values() if not one.player]
        for one in chosen:
            fighters[one] = fighters[one]._replace(mind=name)
    return scene._replace(fighters=fighters)


def joining_fighters(
    desk: Desk, session: Session, who: tuple[str, ...], vs: tuple[str, ...]
) -> list[Fighter]:
    """New fighters for a crisis, on the side of their sheet or, with `vs`, players and opponents.

    Refused if they use another system.
    """
    groups = (who, vs) if vs else (who,)
    system, fighters = desk.gather(*groups, decide_sides=bool(vs), taken=session.scene.fighters)
    if system.name != session.system.name:
        raise Refused(
            f"{fighters[0].name} is {with_a(system.name)} sheet; this crisis is {session.system.name}",
            code="other_system",
        )
    return fighters
