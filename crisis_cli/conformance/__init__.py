"""A pytest plug-in with the tests that every system must pass, and casebooks.

`pytest -p crisis_cli.conformance --crisis-system NAME` runs the suite for an installed system, beside the tests of the
folder it is started in: odds sum to one and equal throwing every die, playing and undoing lead back to the same scene,
a journal gives the same scene, a replay the same events, random legal play breaks no bound, and opponents do what is
legal. `--crisis-cases FILE` adds the cases of a casebook, and plays with its sheets too.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path
from time import monotonic
from types import FrameType

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Casebooks are run without pytest, too.
    import pytest

SUITE = Path(__file__).with_name("suite.py")
"""The tests that every system must pass."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plug-in."""
    group = parser.getgroup("crisis", "conformance of a crisis system")
    group.addoption("--crisis-system", metavar="NAME", help="Hold this system to what every system must do.")
    group.addoption("--crisis-cases", metavar="FILE", help="A casebook of the system, as TOML.")
    group.addoption(
        "--crisis-limit",
        metavar="SECONDS",
        type=int,
        default=0,
        help="Stop at a test that takes longer, or when the process that runs the suite has ended.",
    )


def pytest_runtest_call(item: pytest.Item) -> None:
    """Begin the time that a test may take."""
    seconds = item.config.getoption("crisis_limit")
    if seconds and hasattr(signal, "SIGALRM"):
        end, parent = monotonic() + seconds, os.getppid()

        def look(number: int, frame: FrameType | None) -> None:
            if os.getppid() != parent:
                os._exit(1)
            if monotonic() > end:
                item.session.shouldstop = "a test has no end"
                raise TimeoutError(f"no end within {seconds} s: end the loop, or write table.exploding(...)")

        signal.signal(signal.SIGALRM, look)
        signal.setitimer(signal.ITIMER_REAL, 1, 1)


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """End the time that a test may take."""
    if item.config.getoption("crisis_limit") and hasattr(signal, "SIGALRM"):
        signal.setitimer(signal.ITIMER_REAL, 0)


def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    """Say of an exception in a rulebook where it came from: file and line, and what to write."""
    if call.excinfo is None or item.path != SUITE:
        return
    import pytest

    from ..errors import CrisisError, RulebookMistake
    from .casebook import clause

    error: BaseException = call.excinfo.value
    while error.__cause__ is not None and not isinstance(error, (CrisisError, RulebookMistake)):
        error = error.__cause__
    if isinstance(error, Exception) and not isinstance(error, AssertionError):
        said = AssertionError(clause(error)).with_traceback(call.excinfo.tb)
        call.excinfo = pytest.ExceptionInfo.from_exception(said)


def pytest_configure(config: pytest.Config) -> None:
    """Add the suite to what is collected, where a system is named."""
    name, cases = config.getoption("crisis_system"), config.getoption("crisis_cases")
    if not name:
        return
    import pytest

    from ..systems import names
    from .casebook import FILES

    if name not in names():
        raise pytest.UsageError(f"no system is called {name!r}; there are: {', '.join(names())}")
    if cases:
        path = config.invocation_params.dir / cases
        if not path.is_file():
            raise pytest.UsageError(f"there is no casebook at {cases}")
        FILES[name] = path
    config.args.append(str(SUITE))
