"""Save the Dragon for two, solved: walks by two independent codes, the table kept, the Oracle at a table."""

from __future__ import annotations

import random
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from dracotheque.bots import make_bot
from dracotheque.bots.player_view import PlayerView, player_view
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.registry import load_game
from dracotheque.engine.state import State
from dracotheque.games.save_the_dragon.rules.state import (
    ACTION,
    CHANGE,
    DIE,
    FLOOR,
    LANES,
    SPOTS,
    STAY,
    THROUGH,
    THROW,
    TOKENS,
    WALK,
)
from dracotheque.games.save_the_dragon.tablebase import reference_model, tablebase
from dracotheque.games.save_the_dragon.tablebase.bot import ExactProbabilities, TablebaseBot
from dracotheque.games.save_the_dragon.tablebase.tablebase import Tablebase, possible


def positions(count: int, seed: int = 5) -> list[tuple[int, int, int]]:
    """Choose places of two pawns and the shield at random."""
    chance, known = random.Random(seed), np.argwhere(possible()).tolist()
    return [(mine, theirs, shield) for mine, theirs, shield in (chance.choice(known) for _ in range(count))]


# --- Two codes, one result -----------------------------------------------------------------------------------------
def walking(state: State, chance: random.Random) -> list[State]:
    """Play at random, and give every state in which someone walks."""
    found = list[State]()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.sample_chance(chance))
            continue
        if state.to_plain().phase == WALK:
            found.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    return found


def test_walks_by_the_rules_and_by_other_code_are_the_same() -> None:
    game, chance, doors, stays = load_game("save-the-dragon", players=2), random.Random(3), 0, 0
    for _ in range(60):
        for state in walking(game.new_initial_state(), chance):
            table, seat = state.to_plain(), state.current_player()
            place, other, tokens = table.place[seat], table.place[1 - seat], table.tokens[seat]
            found = reference_model.walks(place, other, table.shield, table.shut, table.die, tokens)
            legal = set(state.legal_actions())
            through = any(THROUGH <= action < STAY for action in legal)
            doors, stays = doors + through, stays + (STAY in legal)
            assert (found is None) == through
            if found is not None:
                walks = {(action % SPOTS, action // SPOTS) for action in legal if action < THROUGH}
                assert found == walks | ({(place, 0)} if STAY in legal else set())
    assert doors > 20
    assert stays > 0


# --- The table ------------------------------------------------------------------------------------------------------
def test_the_kept_values_fit_what_follows_from_them() -> None:
    """The check of `make solve ARGS=--check`, on a few positions."""
    chance, known = random.Random(9), Tablebase(tablebase.read())
    for mine, theirs, shield in positions(200):
        seat, shut = chance.randrange(2), chance.randrange(LANES)
        pawns = (mine, theirs) if seat == 0 else (theirs, mine)
        position = seat, pawns, shield, shut, (chance.randrange(TOKENS + 1), chance.randrange(TOKENS + 1))
        assert known.derived(*position) == pytest.approx(known.turn(*position), abs=3 / tablebase.FULL)


def test_a_solution_of_other_rules_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "other.npz"
    tablebase.keep(tablebase.read(), file)
    assert np.array_equal(tablebase.read(file), tablebase.read())
    monkeypatch.setattr(tablebase, "MODEL_HASH", "another rock")
    with pytest.raises(tablebase.TablebaseError, match="make solve"):
        tablebase.read(file)
    with pytest.raises(tablebase.TablebaseError, match="has not been solved"):
        tablebase.read(tmp_path / "nothing.npz")


def test_a_damaged_solution_is_named_and_the_oracle_then_stays_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damaged = tmp_path / "stairs.npz"
    damaged.write_bytes(tablebase.FILE.read_bytes()[:100_000])
    with pytest.raises(tablebase.TablebaseError, match=r"stairs\.npz is damaged: `make solve`"):
        tablebase.read(damaged)
    monkeypatch.setattr(tablebase, "FILE", damaged)
    assert not tablebase.fits.__wrapped__()


def test_what_stops_while_it_is_kept_leaves_the_solution_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, values = tmp_path / "stairs.npz", tablebase.read()
    tablebase.keep(values, kept)
    before = kept.read_bytes()

    def stopped(file: IO[bytes], **arrays: object) -> None:
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", stopped)
    with pytest.raises(KeyboardInterrupt):
        tablebase.keep(values, kept)
    assert kept.read_bytes() == before
    assert [*tmp_path.iterdir()] == [kept]


def test_the_file_is_small() -> None:
    assert tablebase.FILE.stat().st_size <= 8_000_000


def test_tokens_never_hurt_and_who_stands_before_an_open_door_wins() -> None:
    values = tablebase.read()[:, possible()].reshape(2, -1, LANES, TOKENS + 1, TOKENS + 1)
    slack = 2 / tablebase.FULL
    assert (np.diff(values, axis=3) > -slack).all()
    assert (np.diff(values, axis=4) < slack).all()
    known = Tablebase(tablebase.read())
    assert known.turn(0, (SPOTS - 1, FLOOR), 0, 0, (0, 0)) == 1.0


# --- The Oracle -----------------------------------------------------------------------------------------------------
def asked(seed: int, count: int) -> list[PlayerView]:
    """Let the Oracle play itself, and keep what its seats were shown."""
    game, chance = load_game("save-the-dragon", players=2), random.Random(seed)
    oracle = make_bot("oracle", seed, game)
    found = list[PlayerView]()
    while len(found) < count:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance(chance))
            else:
                found.append(player_view(state, state.current_player()))
                state.apply_action(oracle.choose(found[-1]))
    return found


def test_the_oracle_says_exact_chances_and_takes_the_best() -> None:
    oracle, phases = TablebaseBot(1), set[int]()
    for seen in asked(4, 120):
        chances = oracle.values(seen)
        phases.add(seen.state.phase)
        assert chances.keys() == set(seen.legal_actions)
        assert all(0 <= chance <= 1 for chance in chances.values())
        assert chances[oracle.choose(seen)] == max(chances.values())
    assert phases == {WALK, CHANGE, THROW}


def test_every_position_of_a_game_is_worth_what_may_follow() -> None:
    exact, chance = ExactProbabilities(), random.Random(8)
    state, rocks = load_game("save-the-dragon", players=2).new_initial_state(), 0
    while not state.is_terminal():
        share = exact.of(state).shares[0]
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            mean = sum(weight * exact.of(state.child(outcome)).shares[0] for outcome, weight in outcomes)
            rocks += state.to_plain().phase not in (DIE, ACTION)
            assert share == pytest.approx(mean / sum(weight for _, weight in outcomes), abs=3 / tablebase.FULL)
            state.apply_action(state.sample_chance(chance))
            continue
        seat = state.current_player()
        after = {action: exact.after(state, seat, action).shares for action in state.legal_actions()}
        for action, shares in after.items():
            assert sum(shares) == pytest.approx(1)
            assert shares == pytest.approx(exact.of(state.child(action)).shares, abs=3 / tablebase.FULL)
        assert exact.of(state).shares[seat] == pytest.approx(max(shares[seat] for shares in after.values()))
        state.apply_action(chance.choice(state.legal_actions()))
    assert rocks > 10
    assert exact.of(state).shares[state.winners()[0]] == 1.0


def test_the_oracle_refuses_what_is_not_solved() -> None:
    for players, youngest in ((3, "nobody"), (2, "everybody")):
        state = load_game("save-the-dragon", players=players, youngest=youngest).new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.sample_chance(random.Random(1)))
        with pytest.raises(DracothequeError, match="for two"):
            make_bot("oracle", 1, state.game)
        with pytest.raises(DracothequeError, match="for two"):
            TablebaseBot(1).choose(player_view(state, state.current_player()))
