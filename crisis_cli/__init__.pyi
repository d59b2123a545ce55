"""The names of the Python interface, for editors and type checkers; `api.py` loads them when they are first used."""

from .api import Roll as Roll
from .api import compare as compare
from .api import odds as odds
from .api import roll as roll
from .engine.legal_actions import Barred as Barred
from .engine.record import Modifier as Modifier
from .engine.responses import Response as Response
from .engine.scene import Fighter as Fighter
from .engine.scene import Intent as Intent
from .engine.verify import Difference as Difference
from .errors import CrisisError as CrisisError
from .errors import FileError as FileError
from .errors import NotationError as NotationError
from .errors import Refused as Refused
from .errors import Usage as Usage
from .play.chances import Chance as Chance
from .play.chances import Chances as Chances
from .play.chances import Comparison as Comparison
from .play.chances import Odds as Odds
from .play.chances import Ranked as Ranked
from .play.dice import Dice as Dice
from .play.dueling import Duel as Duel
from .play.ending import Ended as Ended
from .play.fight import Fight as Fight
from .play.foes import Foe as Foe
from .play.library import Journal as Journal
from .play.library import Library as Library
from .play.library import Warning as Warning
from .play.requests import PASS as PASS
from .play.requests import Act as Act
from .play.requests import Choose as Choose
from .play.requests import Faces as Faces
from .play.requests import Legal as Legal
from .play.requests import Option as Option
from .play.requests import Respond as Respond
from .play.results import Explained as Explained
from .play.results import Result as Result
from .play.results import State as State
from .play.story import Story as Story
from .render.goals import Approach as Approach
from .render.goals import GoalProgress as GoalProgress
from .render.simulation import Simulated as Simulated
from .sheets.shelf import Shelf as Shelf
from .simulation.tally import Share as Share
from .story.recap import Recap as Recap
from .story.spoils import Spoils as Spoils

__version__: str
__all__: list[str]

_library: Library

attack = _library.attack
throw = _library.throw
heal = _library.heal
check = _library.check
do = _library.do
chances = _library.chances
begin = _library.begin
resume = _library.resume
journal = _library.journal
simulate = _library.simulate
duel = _library.duel
foe = _library.foe
ask = _library.ask
draw = _library.draw
