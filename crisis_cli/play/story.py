"""The story of a campaign between its fights, for programs: rests, notes, threads, awards, and the chronicle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import Usage
from .desk import Desk
from .results import Result
from .said import dice_of, line, options_of, spelled, whole_number, word, words_of
from .session import Session

if TYPE_CHECKING:
    from ..engine.scene import Fighter
    from ..story.campaign import Standing
    from ..story.spoils import Spoils
    from .history import HistoryChange
    from .noting import Note


class Story:
    """The story of a campaign. Everything is read anew when it is asked for."""

    def __init__(self, desk: Desk):
        self._desk = desk

    def _standing(self) -> Standing:
        from .party import standing

        return standing(self._desk)[1]

    @property
    def name(self) -> str:
        """The name of the campaign."""
        return self._standing().name

    @property
    def day(self) -> int:
        """The day that it is."""
        return self._standing().day

    @property
    def tension(self) -> int:
        """The tension of the oracle, 0 to 6."""
        return self._standing().tension

    @property
    def party(self) -> list[Fighter]:
        """The fighters of the party, as their sheets are now."""
        return list(self._standing().party)

    @property
    def fights(self) -> list[dict[str, Any]]:
        """The fights so far: n, name, file, winner, rounds and day of each."""
        return list(self.to_dict()["fights"])

    @property
    def care(self) -> list[dict[str, Any]]:
        """The care between the fights: name, rounds and day, and of a crisis without foes n and file."""
        return list(self.to_dict()["care"])

    @property
    def threads(self) -> list[dict[str, Any]]:
        """The questions that notes have raised: n, text, and whether each is open."""
        return list(self.to_dict()["threads"])

    @property
    def log(self) -> list[Result]:
        """What has happened between the fights, and a line for each of them."""
        return self._results(self._session())

    def to_dict(self) -> dict[str, Any]:
        """How the campaign stands, as `crisis campaign --json` prints it."""
        from ..render.next_steps import records
        from ..story.campaign import record
        from .next_steps import next_steps

        return record(self._standing()) | {"next": records(next_steps(self._desk))}

    def __str__(self) -> str:
        from ..render import next_steps as steps
        from ..render.style import Ink
        from ..story.campaign import lines
        from .next_steps import next_steps
        from .party import standing

        session, now = standing(self._desk)
        more = steps.lines(next_steps(self._desk), Ink())
        return "\n".join((*lines(now, session.system, Ink()), *more))

    def rest(
        self,
        *who: str,
        days: int = 0,
        hours: int = 0,
        why: str = "",
        seed: int | None = None,
        faces: Sequence[int] | None = None,
        **options: Any,
    ) -> list[Result]:
        """Rest for some days, by default one, or some hours: the party, or the sheets named. A result for each night.

        Refused while a crisis is open, and where nobody can rest.
        """
        from .resting import MOST_DAYS, MOST_HOURS, Downtime, rest

        asked = Downtime(
            words_of(who),
            whole_number(days, 0, MOST_DAYS, "how many days"),
            whole_number(hours, 0, MOST_HOURS, "how many hours"),
            line(why),
            options_of(options),
        )
        return rest(self._desk, asked, dice_of(seed, faces))

    def tend(
        self,
        *who: str,
        by: str = "",
        item: str = "",
        tries: int = 0,
        why: str = "",
        seed: int | None = None,
        faces: Sequence[int] | None = None,
        **options: Any,
    ) -> list[Result]:
        """Treat the dying: all of the party who need care, or the sheets named. A result for each round.

        The best healer does it, or the one named in `by`, until nobody is in need or after so many `tries`. Refused
        while a crisis is open, where nobody needs care, and where nobody can give it.
        """
        from .tending import MOST_TRIES, Care, tend

        asked = Care(
            words_of(who),
            line(by),
            whole_number(tries, 0, MOST_TRIES, "how many tries"),
            line(item),
            line(why),
            options_of(options),
        )
        return tend(self._desk, asked, dice_of(seed, faces))

    def note(self, text: str, *, thread: bool = False) -> Result:
        """Write a note into the story; one that is a thread is a question that stays open."""
        from .noting import Note

        return self._noted(Note(word(text, "a text"), thread=thread))

    def close(self, number: int, text: str = "") -> Result:
        """Close an open thread by its number; Refused if none that is open has it."""
        from .noting import Note

        return self._noted(
            Note(word(text, "a text"), closes=whole_number(number, 1, what="the number of a thread"))
        )

    def award(self, who: str, amount: int, unit: str = "", why: str = "") -> Result:
        """Award something to somebody: how much, perhaps of what and for what."""
        from .noting import Note

        if not isinstance(amount, int) or isinstance(amount, bool):
            raise Usage(f"{amount!r} is not how much is awarded: a whole number", code="bad_value")
        text = f"{word(who)} {amount} {word(unit)}".strip() + (f": {line(why)}" if why else "")
        return self._noted(Note(text, award=True))

    @property
    def spoils(self) -> Spoils:
        """The things that the last fight left, and who took them; Refused before any fight, and while one is open."""
        from .taking import spoils

        return spoils(self._desk)

    def take(self, *numbers: int, who: str = "") -> list[Result]:
        """Take what the last fight left, by its numbers, or all that nobody has taken; `who` is a sheet.

        Usage without `who` where several may carry it; Refused for what is taken already.
        """
        from .taking import take

        wanted = [whole_number(number, 1, what="the number of a thing") for number in numbers]
        return take(self._desk, wanted, word(who) if who else "")

    def set_tension(self, tension: int, why: str = "") -> Result:
        """Set the tension of the oracle, 0 to 6."""
        from .perform import perform_and_record
        from .settings import Setting, planned

        setting = Setting("tension", spelled(tension), (), line(why))
        session, intent, _ = planned(self._desk, setting, self._session())
        return perform_and_record(self._desk, session, intent, dice_of())

    def chronicle(self, form: str = "markdown", since: int = 1, *, full: bool = False) -> str:
        """The campaign from a day on as `markdown`, `lonelog` or `html`; with `full` every entry of it."""
        from . import telling

        forms = [one for one in telling.FORMS if one != "script"]
        if form not in forms:
            raise Usage(f"no form is called {form!r}", hint=", ".join(forms), code="bad_value")
        return telling.export_chronicle(
            telling.chronicle(self._desk, whole_number(since, 1, what="a day"), full), form
        )

    def undo(self, n: int = 1, *, fresh: bool = False) -> list[Result]:
        """Undo what happened last since the last fight, or the end of that fight, which is then open again."""
        from . import history

        self._require_no_crisis()
        return self._changed(history.undo(self._desk, None, whole_number(n, 1, what="how many"), fresh=fresh))

    def redo(self, n: int = 1) -> list[Result]:
        """Redo what was undone last in the story."""
        from . import history

        self._require_no_crisis()
        return self._changed(history.redo(self._desk, None, whole_number(n, 1, what="how many")))

    def _noted(self, note: Note) -> Result:
        from .noting import noted
        from .perform import perform_and_record

        self._require_no_crisis()
        session, intent, _ = noted(self._desk, note, self._session())
        return perform_and_record(self._desk, session, intent, dice_of())

    def _session(self) -> Session:
        return self._desk.campaigns.require_story_session()

    def _require_no_crisis(self) -> None:
        """Refused while a crisis is open: what happens then goes into its journal."""
        if self._desk.journals.active() is not None:
            from ..errors import Refused

            raise Refused(
                f"a crisis is open ({self._desk.places.file}); its journal takes what happens",
                hint="resume it, or end it first: crisis end",
                code="open",
            )

    def _changed(self, change: HistoryChange) -> list[Result]:
        from ..systems import load

        crisis = change.journal.crisis
        session = Session(load(crisis.scene.system), crisis.scene, change.journal)
        return [Result(session, entry, crisis.seed) for entry in change.entries]

    def _results(self, session: Session) -> list[Result]:
        crisis = session.crisis
        return [Result(session, entry, crisis.seed) for entry in crisis.done] if crisis else []

    def __repr__(self) -> str:
        return f"<Story of {self.name}: day {self.day}>"
