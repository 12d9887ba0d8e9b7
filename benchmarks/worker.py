"""One measured thing in one process: says "ready", then answers each line with one round of that many seconds.

It runs with either Python, ours or the peers', and needs nothing but what it measures: `worker.py TASK ARGUMENT …`.
A round is one line of JSON: decisions, nodes, games, seconds.

What is counted is the same everywhere:
- a *decision* is a choice of a player, forced ones included (OpenSpiel's maedn and backgammon ask for a pass too);
  where several choose at once, each seat's choice is one;
- a *node* is a decision or a chance move;
- a *game* runs from the first position to the last, except where a function below says otherwise.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Counts = tuple[float | None, float | None, float | None]
"""Decisions, nodes, games; None where they are unknown. A simulation of a search counts as a game."""

ROLLOUTS = 50  # games a call of OpenSpiel's search: enough that the call itself costs nothing
LENGTHS = 500  # games played in Python to know how long a rollout is
PLIES = 300  # where a random game of chess is cut off
PGX_BATCH, PGX_STEPS = 256, 16  # on one core the rate is the same from 64 to 1,024 games
THOUGHT = 0.5  # seconds a search thinks, ours and OpenSpiel's, each time with an empty tree
PLAYOUTS = 100  # games between two looks at the clock


# --- A plain Python loop: the same lines for OpenSpiel and for us, since both speak the same words ------------
def drawn(outcomes: list[tuple[int, float]], random: Random) -> int:
    """Draw a chance outcome by its probability."""
    left = random.random()
    for outcome, probability in outcomes:
        left -= probability
        if left < 0:
            return outcome
    return outcomes[-1][0]


def play_out(state: Any, random: Random, players: int) -> tuple[int, int]:
    """Play a state to its end at random; say how many decisions and nodes that took.

    As in OpenSpiel's own example.py: where several seats choose at once, `apply_actions` takes one action of each,
    and a seat that is not asked gives any number.
    """
    decisions = chances = 0
    while not state.is_terminal():
        if state.is_chance_node():
            chances += 1
            state.apply_action(drawn(state.chance_outcomes(), random))
        elif state.is_simultaneous_node():
            asked = [state.legal_actions(seat) for seat in range(players)]
            state.apply_actions([actions[int(random.random() * len(actions))] if actions else 0 for actions in asked])
            decisions += sum(map(bool, asked))
        else:
            decisions += 1
            actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])
    return decisions, decisions + chances


def play_out_our_way(state: Any, random: Random, players: int) -> tuple[int, int]:
    """Do the same with what OpenSpiel's Python has no counterpart of.

    Chance is drawn by the state itself (`sample_chance`), and seats that choose at once do so one after the other,
    each sealed until the last has chosen.
    """
    decisions = chances = 0
    while not state.is_terminal():
        if state.is_chance_node():
            chances += 1
            state.apply_action(state.sample_chance(random))
        elif state.is_simultaneous_node():
            for seat in range(players):
                if actions := state.legal_actions(seat):
                    state.apply_action(actions[int(random.random() * len(actions))], seat)
                    decisions += 1
        else:
            decisions += 1
            actions = state.legal_actions()
            state.apply_action(actions[int(random.random() * len(actions))])
    return decisions, decisions + chances


def loop(game: Any, play: Callable[[Any, Random, int], tuple[int, int]]) -> Iterator[Counts]:
    """Play whole games one after the other."""
    random, players = Random(1), game.num_players()
    while True:
        yield *play(game.new_initial_state(), random, players), 1


def ours(game: str, players: str) -> Iterator[Counts]:
    """Play a game of ours through our `State`, with the calls OpenSpiel's users write."""
    from dracotheque import load_game

    return loop(load_game(game, players=int(players)), play_out)


def our_way(game: str, players: str) -> Iterator[Counts]:
    """Play a game of ours through our `State`, with its own shortest calls."""
    from dracotheque import load_game

    return loop(load_game(game, players=int(players)), play_out_our_way)


def spiel(name: str) -> Iterator[Counts]:
    """Play a game of OpenSpiel through its Python `State`."""
    import pyspiel

    return loop(pyspiel.load_game(name), play_out)


# --- OpenSpiel's C++ rollouts ---------------------------------------------------------------------------------
def opened(game: Any, random: Random) -> Any:
    """Lay out a game and let chance open it: OpenSpiel's search must begin where a player chooses."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(drawn(state.chance_outcomes(), random))
    return state


def rollouts(name: str) -> Iterator[Counts]:
    """Play whole random games inside OpenSpiel's C++ search.

    `RandomRolloutEvaluator.evaluate` is not open to Python, but a search of one simulation does nothing else: it looks
    at the root, asks the evaluator for its rollouts, and is done. Rollouts do not say how long they were, so the mean
    length is counted beforehand from the same kind of start; a game lacks its opening chance move, one node or two.
    Its search knows no sealed choices: there seats choose one after the other behind OpenSpiel's own wrapper, which
    is faster than its C++ `evaluate_bots`, the other way to play such games without Python.
    """
    import pyspiel

    game, random = pyspiel.load_game_as_turn_based(name), Random(1)
    lengths = [play_out(opened(game, random), random, game.num_players()) for _ in range(LENGTHS)]
    decisions, nodes = (ROLLOUTS * sum(column) / LENGTHS for column in zip(*lengths, strict=True))
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=ROLLOUTS, seed=1)
    search = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 10, False, 1, False).mcts_search
    while True:
        search(opened(game, random))
        yield decisions, nodes, ROLLOUTS


# --- Searches -------------------------------------------------------------------------------------------------
def first_choice(game: Any) -> Any:
    """Show a game of ours to the first seat that has a choice."""
    from dracotheque.bots.player_view import player_view
    from dracotheque.simulation.simulate import asked

    state, random = game.new_initial_state(), Random(1)
    while True:
        if state.is_chance_node():
            state.apply_action(state.sample_chance(random))
            continue
        seat = asked(state)[0]
        if len(actions := state.legal_actions(seat)) > 1:
            return player_view(state, seat)
        state.apply_action(actions[0], seat)


def search(game: str, players: str, threads: str) -> Iterator[Counts]:
    """Think about the first choice of a game of ours, every simulation played to the end at random."""
    from dracotheque import load_game
    from dracotheque.bots.mcts_bot import SearchBot, SearchBudget
    from dracotheque.bots.search_params import SearchParams

    shown = first_choice(load_game(game, players=int(players)))
    plan = SearchBudget(seconds=THOUGHT, threads=int(threads), params=SearchParams())
    SearchBot(1, plan).think(shown)  # compiles
    while True:
        yield None, None, SearchBot(1, plan).think(shown).simulations


def playouts(game: str, players: str) -> Iterator[Counts]:
    """Play a game of ours on from its first choice, as simulations do below the tree."""
    from dracotheque import load_game
    from dracotheque.bots.search_params import WHOLE_GAME
    from dracotheque.engine.jit.precompile import ALL, ensure_compiled

    loaded = load_game(game, players=int(players))
    ensure_compiled(loaded.definition, ALL)
    shown, operations = first_choice(loaded), loaded.runtime.operations
    bench = loaded.runtime.new_batch(shown.state.bytes())
    operations.reset_to_determinization(bench.handle, shown.seat)
    operations.rollout(bench.handle, WHOLE_GAME, 0)  # from now on calls go straight to the machine code
    reset, rollout, handle, seat = operations.reset_to_determinization, operations.rollout, bench.handle, shown.seat
    while True:
        decisions = 0
        for _ in range(PLAYOUTS):
            reset(handle, seat)
            decisions += rollout(handle, WHOLE_GAME, 0)
        yield decisions, None, PLAYOUTS


def spiel_search(name: str) -> Iterator[Counts]:
    """Think about the first choice of a game of OpenSpiel with its C++ search, one random rollout a simulation."""
    import pyspiel

    game, random = pyspiel.load_game_as_turn_based(name), Random(1)
    state = opened(game, random)
    while len(state.legal_actions()) == 1:
        state.apply_action(state.legal_actions()[0])
        while state.is_chance_node():
            state.apply_action(drawn(state.chance_outcomes(), random))
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 1000, False, 1, False, max_wall_clock_time=THOUGHT)
    while True:
        yield None, None, bot.mcts_search(state).explore_count


# --- The others -----------------------------------------------------------------------------------------------
def plies() -> Iterator[Counts]:
    """Play random games of python-chess, without asking for draws, which would cost more than the moves."""
    import chess

    random = Random(1)
    while True:
        board = chess.Board()
        count = 0
        while count < PLIES and (moves := list(board.legal_moves)):
            board.push(moves[int(random.random() * len(moves))])
            count += 1
        yield count, count, 1


def pgx(name: str) -> Iterator[Counts]:
    """Take steps of a game of Pgx, a batch at a time; all its games are of one age, so games a second would mislead."""
    import pgx_loop

    run = pgx_loop.batch(name, PGX_BATCH, PGX_STEPS)
    while True:
        run()
        yield PGX_BATCH * PGX_STEPS, None, None


TASKS: dict[str, Callable[..., Iterator[Counts]]] = {
    task.__name__.replace("_", "-"): task
    for task in (ours, our_way, spiel, rollouts, search, playouts, spiel_search, plies, pgx)
}


def measured(counts: Iterator[Counts], seconds: float) -> dict[str, float | None]:
    """Count for so many seconds."""
    taken: list[Counts] = []
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        taken.append(next(counts))
    names = ("decisions", "nodes", "games")
    sums = {
        name: None if None in each else sum(each) for name, each in zip(names, zip(*taken, strict=True), strict=True)
    }
    return {**sums, "seconds": spent}


def main() -> None:
    """Warm up, then answer every line until there is none."""
    _, task, *arguments = sys.argv
    counts = TASKS[task](*arguments)
    next(counts)
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(measured(counts, float(line))), flush=True)


if __name__ == "__main__":
    main()
