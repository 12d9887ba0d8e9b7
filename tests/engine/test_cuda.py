"""The kernel for NVIDIA cards: compiled here without a card, run where there is one."""

from __future__ import annotations

import functools
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from dracotheque import DracothequeError, load_game
from dracotheque.engine import registry
from dracotheque.engine.jit import cuda
from tests.engine.tables import TABLES, Table


def card_is_here() -> bool:
    if find_spec("cupy"):
        import cupy

        return cupy.cuda.is_available()
    if find_spec("numba_cuda"):
        import numba.cuda

        return numba.cuda.is_available()
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="numba-cuda exists for Linux and Windows alone")
@pytest.mark.parametrize("name", registry.games())
def test_ptx_is_made_without_a_card_and_knows_its_rules(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda, "PTX_FOLDER", tmp_path)
    game = load_game(name)
    with pytest.raises(DracothequeError, match="run `make ptx`"):
        cuda.ready_ptx(game.definition)
    path = cuda.make_ptx(game)
    assert cuda.ready_ptx(game.definition) == path
    text = path.read_text()
    assert f".version {cuda.PTX_VERSION}\n" in text
    assert ".target sm_75" in text
    assert f".entry {cuda.KERNEL}(" in text
    assert text.count(".param .u64") == 3 * 7 + 3  # three arrays of seven numbers each, and three numbers
    assert f".maxnreg {cuda.REGISTERS}\n" in text
    assert ".const" not in text  # where threads that read different places would wait for each other
    assert not re.search(r"\.f(16|32|64)\b", text)  # whole numbers only: the same on every card
    path.write_text(text.replace("// dracotheque", "// dracotheque 0", 1))
    with pytest.raises(DracothequeError, match="made from other rules"):
        cuda.ready_ptx(game.definition)


@pytest.mark.skipif(card_is_here(), reason="there is a card here")
def test_what_is_missing_is_said() -> None:
    with pytest.raises(DracothequeError) as caught:
        cuda.open_card(load_game("emerald"))
    for way in ("numba-cuda", "CuPy and PTX"):
        assert way in str(caught.value)


@functools.cache
def kernel(name: str) -> cuda.Kernel:
    """A game's kernel serves all numbers of players and all boards."""
    return cuda.open_card(load_game(name))


@pytest.mark.skipif(not card_is_here(), reason="needs an NVIDIA card, and there is none here")
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_games_on_a_card_are_equal_bit_for_bit(table: Table) -> None:
    game = table.open()
    start = game.new_initial_state().record()
    added, finals = kernel(table.game).play(start, 5, 0, 2000, 2000)
    batch = game.runtime.new_batch(start)
    expected = []
    for number in range(2000):
        game.runtime.operations.play_batch(batch.handle, 5, number, 1)
        expected.append(batch.last())
    assert added.tolist() == batch.sums.tolist()
    assert finals == b"".join(expected)
