"""What holds in every game of Dragon's Cave, whoever plays it, in whatever cave and however badly."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dracotheque import CHANCE, SIMULTANEOUS, TERMINAL, State, load_game
from dracotheque.engine import log
from dracotheque.engine.game import Game
from dracotheque.engine.log import GameLog
from dracotheque.games.dragons_cave.board_files import Board
from dracotheque.games.dragons_cave.rules import state as s
from tests.games.dragons_cave.position_builder import (
    BOARDS,
    CAVE,
    Evening,
    cave,
    choose,
    evenings,
    interpreted,
    played,
    put,
    stopped,
)


# --- Everything stays on the table ------------------------------------------------------------------------------
@settings(max_examples=40)
@given(evenings())
def test_no_coin_is_ever_lost_or_made(evening: Evening) -> None:
    for state in played(evening):
        table = state.to_plain()
        assert table.treasure + sum(table.purse) + sum(table.chest) == table.board.treasure
        assert table.purse[evening.players :] == table.chest[evening.players :] == [0] * (4 - evening.players)
        assert state.scores() == [table.purse[seat] + table.chest[seat] for seat in range(evening.players)]


@settings(max_examples=30)
@given(evenings())
def test_what_is_in_a_chest_stays_there_and_the_chest_is_always_in_hand(evening: Evening) -> None:
    before = [0] * s.SEATS
    for state in played(evening):
        table = state.to_plain()
        assert all(now >= then for now, then in zip(table.chest, before, strict=True))
        before = table.chest
        assert all(hand >> s.CHEST & 1 for hand in table.hand)


@settings(max_examples=30)
@given(evenings())
def test_a_dwarf_moves_only_with_its_players_card_and_only_to_that_picture(evening: Evening) -> None:
    before: list[int] = [0] * 4
    for state in played(evening):
        table = state.to_plain()
        for dwarf in range(4):
            if table.place[dwarf] == before[dwarf]:
                continue
            seat, place = dwarf % 2 if evening.players == 2 else dwarf, table.place[dwarf]
            # The move may have ended the round: the card is known from the last one who laid it.
            card = last_card(state, seat)
            assert state.history()[-1] - s.NICHE in range(s.KINDS)
            assert seat != dragon_of_the_last_round(state)
            if place == s.START:
                assert card == table.dragon
            elif place <= table.length:
                assert table.board.path[place - 1] == card
                assert (place > before[dwarf]) == (card != table.dragon)
            else:
                assert place == table.length + 1 + card
                assert card != table.dragon
            assert before[dwarf] <= table.length
        before = table.place


def last_card(state: State, seat: int) -> int:
    """Return the card that a seat laid last."""
    laid = [action for player, action in state.full_history() if player == seat and action < s.NICHE]
    return laid[-1] % s.CARDS


def dragon_of_the_last_round(state: State) -> int:
    """Return who placed the dragon last."""
    return next(seat for seat, action in reversed(state.full_history()) if s.NICHE <= action < s.LEFT_FIST)


# --- Choices ----------------------------------------------------------------------------------------------------
@settings(max_examples=30)
@given(evenings())
def test_somebody_can_always_act_and_what_is_not_listed_is_refused(evening: Evening) -> None:
    for state in played(evening):
        table, mover = state.to_plain(), state.current_player()
        able = []
        for seat in range(evening.players):
            legal = state.legal_actions(seat)
            assert legal == sorted(set(legal))
            assert bool(legal) == bool(table._rules.may_act(table, seat))
            able += [seat] * bool(legal)
            if mover == CHANCE:  # there the players are asked nothing, and the engine asks no rule
                assert legal == []
            else:
                assert legal == [a for a in range(s.ACTIONS) if table._rules.refusal(table, seat, a) == 0]
        if mover == SIMULTANEOUS:
            assert able
        else:
            assert able == [seat for seat in range(evening.players) if seat == mover]
        assert state.is_terminal() == (mover == TERMINAL) == (not able and mover != CHANCE)


@settings(max_examples=40)
@given(evenings())
def test_a_refusal_is_named_by_a_rule_and_a_legal_action_by_none(evening: Evening) -> None:
    state = stopped(evening)
    before, rulebook = state.record(), state.game.rulebook()
    for seat in range(evening.players):
        legal = state.legal_actions(seat)
        for action in range(s.ACTIONS):
            rule = state.refusal(action, seat)
            assert (rule is None) == (action in legal)
            assert rule is None or rule in rulebook.paragraphs
    assert state.record() == before


@settings(max_examples=40)
@given(evenings(), st.randoms(use_true_random=False))
def test_the_order_in_which_players_seal_does_not_matter(evening: Evening, shuffle: random.Random) -> None:
    """Wherever several choose at once, any order of the same choices leads to the same table."""
    chance = random.Random(evening.seed)
    state = evening.game.new_initial_state()
    while not state.is_terminal():
        if not state.is_simultaneous_node():
            seat, action = choose(state, chance, evening.malice)
            state.apply_action(action, seat)
            continue
        before = state.clone()
        sealed = {seat: chance.choice(legal) for seat in range(evening.players) if (legal := state.legal_actions(seat))}
        ends = []
        for order in itertools.permutations(sealed):
            other = before.clone()
            for number, seat in enumerate(order, 1):
                assert other.current_player() == SIMULTANEOUS, number
                other.apply_action(sealed[seat], seat)
            ends.append((other.record(), other.current_player()))
        assert len(set(ends)) == 1
        assert len(sealed) > 1
        state.apply_actions([sealed.get(seat, shuffle.randrange(99)) for seat in range(evening.players)])
        assert (state.record(), state.current_player()) == ends[0]


# --- Copies, storage, numbers -----------------------------------------------------------------------------------
@settings(max_examples=30)
@given(evenings())
def test_a_state_written_down_and_read_again_is_the_same(evening: Evening) -> None:
    state = stopped(evening)
    again = evening.game.deserialize_state(state.serialize())
    assert again == state
    assert again.full_history() == state.full_history()
    assert again.current_player() == state.current_player()


@pytest.mark.parametrize("board", [None, *BOARDS], ids=lambda board: board["name"] if board else "the usual one")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_log_brings_the_game_back_with_its_board(players: int, board: dict[str, Any] | None) -> None:
    chance = random.Random(players)
    state = interpreted(players, board, chests="open").new_initial_state()
    halfway = chance.randrange(5, 30)
    while not state.is_terminal():
        seat, action = choose(state, chance)
        state.apply_action(action, seat)
        if state.move_number() == halfway:
            assert log.loads(GameLog.of(state).dumps()).play() == state
    kept = log.loads(GameLog.of(state).dumps())
    again = kept.play()
    assert again == state
    assert again.full_history() == state.full_history()
    assert (again.scores(), again.winners(), again.ending()) == (state.scores(), state.winners(), state.ending())
    assert kept.game.board.data == state.game.board.data
    assert ('"board"' in kept.dumps()) == (board is not None)


@settings(max_examples=30)
@given(evenings())
def test_a_move_taken_back_leaves_no_trace(evening: Evening) -> None:
    state = stopped(evening)
    if state.is_terminal():
        state.undo_action()
    before = state.clone()
    seat, action = choose(state, random.Random(evening.seed))
    state.apply_action(action, seat)
    assert before.child(action, seat) == state
    assert state.undo_action() == (seat, action)
    assert state == before
    assert state.full_history() == before.full_history()
    assert state.current_player() == before.current_player()


@settings(max_examples=30)
@given(evenings())
def test_a_copy_goes_its_own_way(evening: Evening) -> None:
    state = stopped(evening)
    before, history = state.record(), state.full_history()
    copy, chance = state.clone(), random.Random(evening.seed)
    while not copy.is_terminal():
        seat, action = choose(copy, chance)
        copy.apply_action(action, seat)
    assert (state.record(), state.full_history()) == (before, history)
    for viewer in range(-1, evening.players):
        state.observation(viewer)
        state.observation_tensor(viewer)
        state.resample_from_infostate(viewer, chance).play_randomly(chance)
    assert (state.record(), state.full_history()) == (before, history)


@settings(max_examples=30)
@given(evenings())
def test_observations_are_numbers_from_0_to_1_and_always_as_many(evening: Evening) -> None:
    state = stopped(evening)
    for viewer in range(-1, evening.players):
        numbers = state.observation_tensor(viewer)
        assert numbers.shape == (evening.game.observation_tensor_size(),)
        assert numbers.min() >= 0
        assert numbers.max() <= 1


@pytest.mark.parametrize("players", [2, 3, 4])
def test_compiled_and_interpreted_games_are_equal_on_other_boards_too(players: int) -> None:
    """A few games; `make check-equal` compares thousands on the usual board."""
    for board in BOARDS:
        fast = load_game("dragons-cave", players, board=board).new_initial_state()
        slow, chance = interpreted(players, board).new_initial_state(), random.Random(players)
        while not fast.is_terminal():
            seat, action = choose(slow, chance)
            fast.apply_action(action, seat)
            slow.apply_action(action, seat)
            assert fast.record() == slow.record()
            assert fast.current_player() == slow.current_player()
        assert (fast.scores(), fast.winners(), fast.ending()) == (slow.scores(), slow.winners(), slow.ending())


# --- The game told a second time --------------------------------------------------------------------------------
# Written from the publisher's text and the rulings alone, straight on, before a line of the real rules was read.
SECOND, NICHE, LEFT, RIGHT, HOLD, COFFER = 6, 12, 17, 18, 19, 5


class Second:
    """A table of its own: dwarves are (seat, number), a place is a number of the path or ("lair", kind)."""

    def __init__(self, players: int, board: Board, first: int | None) -> None:
        """Put every dwarf outside the cave, all the coins beside the lair."""
        self.players, self.path, self.coins, self.lair = players, board.path, board.coins, board.lair
        self.dwarves: dict[tuple[int, int], Any] = {
            (seat, number): 0 for seat in range(players) for number in range(2 if players == 2 else 1)
        }
        self.purse, self.coffer = [0] * players, [0] * players
        self.hand = [set(range(6)) for _ in range(players)]
        self.treasure = board.treasure
        self.dragon_seat, self.niche = 0, 5
        self.laid: dict[int, tuple[int, int]] = {}
        self.fists: dict[int, int] = {}
        self.shown: int | None = None
        self.scared: list[int] = []
        self.ending: str | None = None
        self.ask({CHANCE: list(range(players))})
        if first is not None:
            self.do(CHANCE, first)

    def ask(self, wants: dict[int, list[int]]) -> None:
        """Ask everybody named for one of these choices."""
        self.wants, self.together = wants, len(wants) > 1

    def do(self, seat: int, action: int) -> None:
        """Hear one choice; go on when it was the last one that was missing."""
        assert action in self.wants.pop(seat)
        if seat == CHANCE:
            self.dragon_seat = action
            self.begin_round()
        elif action < NICHE:
            self.laid[seat] = (action % 6, action // 6)
            if not self.wants:
                self.let_dragon_place()
        elif action < LEFT:
            self.niche = action - NICHE
            self.reveal()
        elif action < HOLD:
            self.open_fist(action == LEFT)
        else:
            self.fists[seat] = action - HOLD
            if not self.wants:
                self.let_dragon_guess()

    def begin_round(self) -> None:
        """Ask everybody but the dragon for a card; who has only the Chest has no choice."""
        self.laid, self.fists = {}, {}
        wants = {}
        for seat in range(self.players):
            if seat == self.dragon_seat:
                continue
            if self.hand[seat] == {COFFER}:
                self.laid[seat] = (COFFER, 0)
                continue
            outside = [number for number in (0, 1) if isinstance(self.dwarves.get((seat, number)), int)]
            wants[seat] = [6 * number + card for number in outside for card in sorted(self.hand[seat])]
        self.ask(wants)
        if not wants:
            self.let_dragon_place()

    def let_dragon_place(self) -> None:
        """Ask the dragon for one of the five niches."""
        self.ask({self.dragon_seat: list(range(NICHE, NICHE + 5))})

    def reveal(self) -> None:
        """Turn the cards: move everybody, then collect, then frighten."""
        due, self.scared = {}, []
        for seat, (card, number) in self.laid.items():
            if card == COFFER:
                continue
            self.hand[seat].discard(card)
            here = self.dwarves[seat, number]
            same = [space for space, kind in enumerate(self.path, 1) if kind == card]
            if card == self.niche:
                self.dwarves[seat, number] = max([space for space in same if space < here], default=0)
                self.scared.append(seat)
                continue
            ahead = [space for space in same if space > here]
            self.dwarves[seat, number] = ahead[0] if ahead else ("lair", card)
            due[seat] = self.coins[ahead[0] - 1] if ahead else self.lair
        self.collect({seat: coins for seat, coins in due.items() if coins > 0})

    def collect(self, due: dict[int, int]) -> None:
        """Pay what is due, or share what is left; no coin left ends the game here and now."""
        short = sum(due.values()) > self.treasure
        share = self.treasure // len(due) if short else 0
        for seat, coins in due.items():
            self.purse[seat] += share if short else coins
            self.treasure -= share if short else coins
        if short or self.treasure == 0:
            self.ending = "coins.shortage" if short else "end.treasure"
            return
        self.ask({seat: list(range(HOLD, HOLD + self.purse[seat] + 1)) for seat in self.scared if self.purse[seat]})
        if not self.wants:
            self.end_round()

    def let_dragon_guess(self) -> None:
        """Show the dragon the next pair of fists, going round from its left; after the last one the round ends."""
        clockwise = [(self.dragon_seat + step) % self.players for step in range(1, self.players)]
        self.shown = next((seat for seat in clockwise if seat in self.fists), None)
        if self.shown is None:
            self.end_round()
        else:
            self.ask({self.dragon_seat: [LEFT, RIGHT]})

    def open_fist(self, left: bool) -> None:
        """Give the coins of the chosen fist back to the treasure."""
        assert self.shown is not None
        held = self.fists.pop(self.shown)
        lost = held if left else self.purse[self.shown] - held
        self.purse[self.shown] -= lost
        self.treasure += lost
        self.let_dragon_guess()

    def end_round(self) -> None:
        """Bank, take cards back, look whether it is over, and pass the dragon on."""
        chests = [seat for seat, (card, _) in self.laid.items() if card == COFFER]
        for seat in chests:
            self.coffer[seat] += self.purse[seat]
            self.purse[seat] = 0
        for seat in [*chests, *self.scared]:
            self.hand[seat] = set(range(6))
        outside = {seat for (seat, _), place in self.dwarves.items() if isinstance(place, int)}
        if len(outside) < self.players:
            self.ending = "two.end" if self.players == 2 else "end.lair"
            return
        if self.players > 2 or chests or self.scared:
            self.dragon_seat = (self.dragon_seat + 1) % self.players
        self.begin_round()

    def winners(self) -> list[int]:
        """Name who has most coins; level ones by how far their dwarves came, all of the lair being one place."""
        end = len(self.path) + 1
        standing = []
        for seat in range(self.players):
            way = sum(p if isinstance(p, int) else end for (owner, _), p in self.dwarves.items() if owner == seat)
            standing.append((self.purse[seat] + self.coffer[seat], way))
        return [seat for seat, mine in enumerate(standing) if mine == max(standing)]


def require_same(told: Second, state: State) -> None:
    """Compare everything on both tables."""
    table, seats = state.to_plain(), range(told.players)
    end = len(told.path) + 1
    places = {
        (seat, n): place if isinstance(place, int) else end + place[1] for (seat, n), place in told.dwarves.items()
    }
    assert {(seat, n): table.place[seat + 2 * n] for seat, n in told.dwarves} == places
    assert [table.purse[seat] for seat in seats] == told.purse
    assert [table.chest[seat] for seat in seats] == told.coffer
    assert table.treasure == told.treasure
    assert [{card for card in range(6) if table.hand[seat] >> card & 1} for seat in seats] == told.hand
    assert (table.dragon_seat, table.dragon) == (told.dragon_seat, told.niche)
    assert [table.card[seat] for seat in seats] == [told.laid.get(seat, (s.NO_CARD, 0))[0] for seat in seats]
    assert table.named == sum(number for _, number in told.laid.values())
    assert state.ending() == told.ending
    if told.ending is not None:
        assert (state.current_player(), state.winners()) == (TERMINAL, told.winners())
        assert state.scores() == [told.purse[seat] + told.coffer[seat] for seat in seats]
        return
    assert {seat: legal for seat in seats if (legal := state.legal_actions(seat))} == {
        seat: legal for seat, legal in told.wants.items() if seat != CHANCE
    }
    mover = SIMULTANEOUS if told.together else next(iter(told.wants))
    assert state.current_player() == mover
    if mover == CHANCE:
        assert state.legal_actions() == told.wants[CHANCE]


def compare(game: Game, seed: int) -> str:
    """Play one game on both tables, comparing them after every move; say how it ended."""
    state, chance = game.new_initial_state(), random.Random(seed)
    first = game.options["first_dragon"]
    told = Second(game.players, game.board, None if first == "lots" else int(first) - 1)
    malice = chance.choice([0, 0.2, 0.4])
    require_same(told, state)
    while not state.is_terminal():
        seat, action = choose(state, chance, malice)
        state.apply_action(action, seat)
        told.do(seat, action)
        require_same(told, state)
    return str(state.ending())


def unplayable(path: str, treasure: int, players: int) -> Game:
    """Load the game in a cave that no file may describe: some pictures are on no space of it."""
    game = load_game("dragons-cave", players, interpreted=True)
    game.board = Board(cave(path, treasure, lair=2), "odd")  # type: ignore[misc]
    return game


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board["name"])
def test_the_game_told_a_second_time_is_the_same_game(players: int, board: dict[str, Any]) -> None:
    endings = {compare(interpreted(players, board), seed) for seed in range(30)}
    assert endings <= {"end.treasure", "coins.shortage", "two.end" if players == 2 else "end.lair"}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("path", ["rope 1", "crystal 1, crystal 0, crystal 3, crystal 1", "pickaxe 0, barrel 2"])
def test_the_second_telling_agrees_in_caves_without_some_pictures(players: int, path: str) -> None:
    for treasure in (2, 9, 60):
        for seed in range(5):
            compare(unplayable(path, treasure, players), seed)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_second_telling_agrees_whoever_is_named_first(players: int) -> None:
    for seat in range(players):
        compare(interpreted(players, CAVE, first_dragon=str(seat + 1), chests="open"), seat)


def test_every_ending_comes_to_pass_in_the_games_told_twice() -> None:
    endings = [
        compare(interpreted(players, board), seed) for players in (2, 3) for board in BOARDS for seed in range(6)
    ]
    assert set(endings) == set(s.ENDINGS)


@settings(max_examples=150)
@given(evenings(), st.data())
def test_ties_and_shortages_are_told_alike_from_any_purse(evening: Evening, data: st.DataObject) -> None:
    """Random games seldom end level: let everybody have a few coins more, and the treasure a few less."""
    state = stopped(evening)
    if state.is_chance_node() or state.is_terminal():
        return
    table = state.to_plain()
    told = retold(state)
    for seat in range(evening.players):
        if table.left[seat] != s.NO_SPLIT:
            return
        table.purse[seat] = told.purse[seat] = data.draw(st.integers(0, 3))
        table.chest[seat] = told.coffer[seat] = data.draw(st.integers(0, 1))
    table.treasure = told.treasure = data.draw(st.integers(1, 8))
    put(state, table)
    chance = random.Random(evening.seed)
    require_same(told, state)
    while not state.is_terminal():
        seat, action = choose(state, chance, evening.malice)
        state.apply_action(action, seat)
        told.do(seat, action)
        require_same(told, state)


def retold(state: State) -> Second:
    """Tell a game a second time up to where it is."""
    first = state.game.options["first_dragon"]
    told = Second(state.game.players, state.game.board, None if first == "lots" else int(first) - 1)
    for seat, action in state.full_history():
        told.do(seat, action)
    return told
