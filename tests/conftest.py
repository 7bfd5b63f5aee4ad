"""What every test gets: a Hypothesis profile, and an environment without the person's own memory."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# No deadline: the tests share two busy cores, and a slow example is not a wrong one.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(autouse=True)
def clean_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests neither see nor touch the home directory and the settings of whoever runs them."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith("QUAID_")]:
        monkeypatch.delenv(name)
