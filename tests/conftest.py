"""Settings of the whole suite: property tests run the same examples everywhere, and never fail for being slow."""

import os

import pytest
from hypothesis import HealthCheck, settings

from tests.sample import sample  # noqa: F401  one fixture for all, built once

settings.register_profile("suite", derandomize=True, deadline=None, max_examples=60,
                          suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
settings.register_profile("fuzz", derandomize=False, deadline=None, max_examples=200,
                          suppress_health_check=list(HealthCheck))
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


@pytest.fixture(autouse=True, scope="session")
def unsynced():
    """No test pulls the plug, and hundreds of builds need not wait for the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: None)
        yield
