"""Without its library an adapter says which extra brings it, and everything else works."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from dracotheque.adapters import MissingExtraError, missing

BLOCKED = """
import sys
for name in ("pyspiel", "pettingzoo", "gymnasium"):
    sys.modules[name] = None
import dracotheque, dracotheque.adapters
try:
    import dracotheque.adapters.{adapter}
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("adapter", "library"), [("openspiel", "OpenSpiel"), ("pettingzoo", "PettingZoo"), ("gymnasium", "Gymnasium")]
)
def test_a_missing_library_is_explained(adapter: str, library: str) -> None:
    code = BLOCKED.format(adapter=adapter)
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == f"This adapter needs {library}. Install it with: pip install 'dracotheque[{adapter}]'\n"


def test_it_is_an_import_error_and_one_of_ours() -> None:
    assert isinstance(missing("OpenSpiel", "openspiel"), ImportError)
    assert issubclass(MissingExtraError, importlib.import_module("dracotheque").DracothequeError)
