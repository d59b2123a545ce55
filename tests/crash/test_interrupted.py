"""Ctrl-C while the program is still loading: it ends without a traceback, and nothing has happened."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from conftest import Player, Sheets, program_env

MODULES = (
    "crisis_cli.fast_path",
    "crisis_cli.context",
    "click",
    "crisis_cli.cli",
    "crisis_cli.commands.init",
)
START = """
import os, runpy, signal, sys
MODULE, *sys.argv = sys.argv[1:]
signal.signal(signal.SIGINT, signal.default_int_handler)
class Interrupts:
    def find_spec(self, name, *how):
        if name == MODULE:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupts())
runpy.run_module("crisis_cli", run_name="__main__")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send here")
@pytest.mark.parametrize("module", MODULES)
def test_ctrl_c_while_loading_ends_quietly(module: str, crisis: Player, sheets: Sheets) -> None:
    """SIGINT as a module is loaded, so that no clock decides."""
    done = subprocess.run(
        [sys.executable, "-c", START, module, "crisis", "init", "jack", "--vs", "drone", "--open"],
        cwd=crisis.here,
        env=program_env(crisis.here),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode in (-signal.SIGINT, 130)
    assert (done.stdout, done.stderr) == ("", "")
    assert [path.name for path in crisis.here.iterdir()] == ["characters"]
