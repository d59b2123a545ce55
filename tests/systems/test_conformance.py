"""The conformance suite that crisis ships, over all its own systems."""

import pytest

from crisis_cli.conformance.suite import *  # noqa: F403 (its tests)

pytestmark = pytest.mark.slow
del test_the_case_comes_out_as_the_rules_say  # noqa: F821 (test_cases.py runs them)
