"""Games as tables play them: chance from a table's dice, choices at random."""

from __future__ import annotations

from random import Random

from dracotheque import State
from dracotheque.engine.log import FairnessRecord, GameLog
from dracotheque.tables.fairness import Dice, commitment_to

SEED = bytes(range(32))
TABLE, CLIENT_SEED = "t-1", "lucky-7/x"


def dice(seed: bytes = SEED, table: str = TABLE, client_seed: str = CLIENT_SEED) -> Dice:
    return Dice(seed, table, client_seed)


def record(seed: bytes = SEED, table: str = TABLE, client_seed: str = CLIENT_SEED) -> FairnessRecord:
    return FairnessRecord(table, commitment_to(seed), client_seed, seed.hex())


def make_a_choice(state: State, choices: Random) -> None:
    seat = choices.choice([seat for seat in range(state.game.players) if state.legal_actions(seat)])
    state.apply_action(choices.choice(state.legal_actions(seat)), seat)


def play_on(state: State, table: Dice, choices: Random, moves: int = 100_000) -> State:
    """Play to the end, or until so many moves have been made."""
    while not state.is_terminal() and state.move_number() < moves:
        if state.is_chance_node():
            state.apply_action(table.outcome(state))
        else:
            make_a_choice(state, choices)
    return state


def log_of(state: State, **parts: object) -> GameLog:
    return GameLog.of(state, dice=record(**parts))  # type: ignore[arg-type]
