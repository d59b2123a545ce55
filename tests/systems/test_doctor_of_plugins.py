"""`crisis doctor` where packages with systems are installed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_plugins import Packages, program, tiny

pytestmark = pytest.mark.slow


def test_plug_ins_are_told_broken_ones_with_their_fault(tmp_path: Path) -> None:
    packages = Packages(tmp_path / "site")
    packages.folder.mkdir()
    run = program(tmp_path, packages)
    packages.install("small", tiny("small"))
    whole = run("doctor", "--plugins")
    assert (whole.returncode, whole.stdout) == (0, "plug-ins  rules-small 0.3.1: small, all right\n")
    packages.install("broken", "1 / 0")
    packages.install("other", tiny("other", '"aim", "flag"'))
    shown = run("doctor", "--plugins", "--json")
    assert shown.returncode == 4 and "warning" not in shown.stderr
    told = {record["text"].split(" ")[0]: record for record in map(json.loads, shown.stdout.splitlines())}
    assert told["rules-small"]["ok"] and not told["rules-broken"]["ok"] and not told["rules-other"]["ok"]
    assert "ZeroDivisionError" in told["rules-broken"]["text"]
    assert "--aim has the kind flag" in told["rules-other"]["text"]
    assert not (tmp_path / "cache").exists(), "nothing is written"
    assert run("roll", "d6", "--quiet").returncode == 0
