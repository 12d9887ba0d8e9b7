"""The kernel for NVIDIA cards: compiled here without a card, run where there is one."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from dracotheque import DracothequeError, load_game
from dracotheque.engine import cuda


def card_is_here() -> bool:
    if find_spec("cupy"):
        import cupy

        return cupy.cuda.is_available()
    if find_spec("numba_cuda"):
        import numba.cuda

        return numba.cuda.is_available()
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="numba-cuda exists for Linux and Windows alone")
def test_ptx_is_made_without_a_card_and_knows_its_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda, "PTX_FOLDER", tmp_path)
    game = load_game("emerald")
    with pytest.raises(DracothequeError, match="run `make ptx`"):
        cuda.ready_ptx(game.box)
    path = cuda.make_ptx(game)
    assert cuda.ready_ptx(game.box) == path
    text = path.read_text()
    assert f".version {cuda.PTX_VERSION}\n" in text
    assert ".target sm_75" in text
    assert f".entry {cuda.KERNEL}(" in text
    assert text.count(".param .u64") == 3 * 7 + 3  # three arrays of seven numbers each, and three numbers
    path.write_text(text.replace("// dracotheque", "// dracotheque 0", 1))
    with pytest.raises(DracothequeError, match="made from other rules"):
        cuda.ready_ptx(game.box)


@pytest.mark.skipif(card_is_here(), reason="there is a card here")
def test_what_is_missing_is_said() -> None:
    with pytest.raises(DracothequeError) as caught:
        cuda.open_card(load_game("emerald"))
    for way in ("numba-cuda", "CuPy and PTX"):
        assert way in str(caught.value)


@pytest.mark.skipif(not card_is_here(), reason="needs an NVIDIA card, and there is none here")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_on_a_card_are_equal_bit_for_bit(players: int) -> None:
    game = load_game("emerald", players)
    start = game.new_initial_state().record()
    added, finals = cuda.open_card(game).play(start, 5, 0, 2000, 2000)
    bench = game.layout.new_bench(start)
    expected = []
    for number in range(2000):
        game.layout.doors.batch(bench.handle, 5, number, 1)
        expected.append(bench.last())
    assert added.tolist() == bench.sums.tolist()
    assert finals == b"".join(expected)
