"""Our rules and a second version of them, written from the printed ones alone, play the same games."""

from __future__ import annotations

from random import Random

import pytest

from dracotheque import State, load_game
from dracotheque.engine import rule
from tests.games.dragons_cave.position_builder import BOARDS, CAVE, Data, choose
from tests.games.dragons_cave.reference_rules import Cave

PHASES = ("lots", "seal", "place", "split", "guess", "over")
GAMES = 60 if not rule.interpreter_forced() else 2
SMALL = load_game("dragons-cave", board="small").board.data


def laid_out(state: State) -> tuple[object, ...]:
    """Everything our version has on the table."""
    table = state.to_plain()
    players = table.players
    dwarves = [
        [table.place[seat], table.place[seat + 2]] if players == 2 else [table.place[seat]] for seat in range(players)
    ]
    niche = table.dragon if table.dragon < 5 else None
    return (
        PHASES[table.phase], table.dragon_seat, niche, table.treasure, table.purse[:players], table.chest[:players],
        dwarves, {seat: state.legal_actions(seat) for seat in range(players) if state.legal_actions(seat)},
    )  # fmt: skip


def laid_out_again(cave: Cave) -> tuple[object, ...]:
    """The same, as the second version has it."""
    return (
        cave.phase, cave.dragon_seat, cave.niche, cave.treasure, cave.purses, cave.chests, cave.dwarves, cave.choices(),
    )  # fmt: skip


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", [SMALL, *BOARDS], ids=lambda board: board["name"])
def test_both_play_the_same_games(board: Data, players: int) -> None:
    game, random, endings = load_game("dragons-cave", players, board=board), Random(players), set[str | None]()
    for _ in range(GAMES):
        state, malice = game.new_initial_state(), random.choice([0, 0.2, 0.5])
        dragon = random.randrange(players)
        state.apply_action(dragon)
        cave = Cave(players, board, dragon)
        while not state.is_terminal():
            assert laid_out(state) == laid_out_again(cave)
            seat, action = choose(state, random, malice)
            state.apply_action(action, seat)
            cave.choose(seat, action)
        assert laid_out(state) == laid_out_again(cave)
        assert (state.ending(), state.scores(), state.winners()) == (cave.ending, cave.scores(), cave.winners())
        endings.add(cave.ending)
    assert board is not CAVE or rule.interpreter_forced() or len(endings) >= 2
