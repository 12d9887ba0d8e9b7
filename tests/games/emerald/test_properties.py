"""What holds in every game of Emerald, by any players and however badly."""

from __future__ import annotations

import os
import random
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dracotheque import CHANCE, State, load_game
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.emerald.rules import state as s
from tests.games.emerald.position_builder import interpreted


# --- Games of every sort ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class GameSetup:
    """A game to be played: who sits there, what they agreed on, and how they choose."""

    players: int
    second_move: str
    gold: str
    starts: str
    seed: int
    leaning: float
    """How often the last choice on the list is taken: it moves the foremost knight, ends the turn, pays most."""

    @property
    def game(self) -> Game:
        """The game with this set-up."""
        return interpreted(self.players, second_move=self.second_move, gold=self.gold, starts=self.starts)


@st.composite
def game_setups(draw: st.DrawFn) -> GameSetup:
    """Draw any table with any options."""
    players = draw(st.integers(2, 5))
    return GameSetup(
        players,
        draw(st.sampled_from(["optional", "compulsory"])),
        draw(st.sampled_from(["face-down", "open"])),
        draw(st.sampled_from(["lots", *(str(seat + 1) for seat in range(players))])),
        draw(st.integers(0, 2**32)),
        draw(st.sampled_from([0, 0, 0.3, 0.8])),
    )


def choose(state: State, chance: random.Random, leaning: float) -> int:
    """Choose as a game's players do."""
    if state.is_chance_node():
        return state.sample_chance(chance)
    legal = state.legal_actions()
    return legal[-1] if chance.random() < leaning else chance.choice(legal)


def played(setup: GameSetup) -> Iterator[State]:
    """Play a game to its end; give the state before every move and after the last."""
    state, chance = setup.game.new_initial_state(), random.Random(setup.seed)
    yield state
    while not state.is_terminal():
        state.apply_action(choose(state, chance, setup.leaning))
        yield state


def stopped(setup: GameSetup) -> State:
    """Play a game to a random move between the beginning and the end."""
    moves = random.Random(setup.seed + 1).randrange(300)
    for state in played(setup):
        if state.move_number() == moves:
            return state
    return state


# --- Everything stays on the table ------------------------------------------------------------------------------
@settings(max_examples=15)
@given(game_setups())
def test_cards_knights_and_treasures_are_conserved(setup: GameSetup) -> None:
    paid = [0] * s.VALUES
    for state in played(setup):
        table = state.to_plain()
        if state.full_history() and state.full_history()[-1][0] != CHANCE and state.history()[-1] >= s.PAY:
            paid[state.history()[-1] - s.PAY] += 1
        check_cards(table, paid)
        check_knights(table)


def check_cards(table: PlainState, paid: list[int]) -> None:
    """Every card is unseen, face up on a pile, before a player, or was paid; the face-down ones are as many."""
    up = range(min(table.dealt, 2 * s.CAVES))
    turned = [pile for pile in up if table.pile[pile] > 0 and not (table.phase == s.REVEAL and pile == table.turning)]
    for kind in range(s.KINDS):
        shown = sum(table.top[pile] == kind for pile in turned if pile < s.CAVES)
        assert table.unseen[kind] + shown + sum(gems[kind] for gems in table.gems) == 6
    for value in range(s.VALUES):
        shown = sum(table.top[pile] == value for pile in turned if pile >= s.CAVES)
        held = sum(gold[value] for gold in table.gold)
        assert table.unseen[s.KINDS + value] + shown + held + paid[value] == 5
    assert sum(table.unseen) == sum(table.pile) - len(turned) + 4


def check_knights(table: PlainState) -> None:
    """Every knight is somewhere, the counts agree with the places, and treasures with the knights at home."""
    each, colours = {2: (4, 4), 3: (5, 3), 4: (5, 4), 5: (4, 5)}[table.players]
    for colour, row in enumerate(table.knights):
        assert row == sorted(row)
        assert len(row) == 5
        assert row.count(s.BOX) == (5 - each if colour < colours else 5)
        assert max(row) <= s.BOX
        assert table.in_play[colour] == sum(place < s.CHAMBER for place in row)
    everyone = [place for row in table.knights for place in row]
    assert table.crowd == [everyone.count(place) for place in range(s.CHAMBER)]
    for seat in range(table.players):
        assert table.treasures[seat] == sum(row.count(s.CHAMBER) for row in table.knights[seat :: table.players])
    assert table.treasures_left == 4 - sum(table.treasures)


@settings(max_examples=15)
@given(game_setups())
def test_the_dragon_stays_within_one_cave_of_its_rod(setup: GameSetup) -> None:
    flights = 0
    asleep = setup.game.new_initial_state().to_plain()
    for state in played(setup):
        table = state.to_plain()
        flights += asleep.phase == s.DIE
        assert table.rod - 1 <= table.dragon <= table.rod + 3
        assert 0 <= table.dragon <= 8
        assert table.facing in (s.LAIRWARD, s.PLAINWARD)
        if table.phase == s.MOVE:
            assert table.rod == min(flights, 5)
        asleep = table


# --- Choices ----------------------------------------------------------------------------------------------------
@settings(max_examples=15)
@given(game_setups())
def test_e20_there_is_always_a_choice_and_what_is_not_listed_is_refused(setup: GameSetup) -> None:
    for state in played(setup):
        table, mover = state.to_plain(), state.current_player()
        assert state.is_terminal() or state.legal_actions()
        for seat in range(setup.players):
            legal = state.legal_actions(seat)
            assert legal == sorted(set(legal))
            assert bool(legal) == (seat == mover)
            allowed = [action for action in range(s.ACTIONS) if table._rules.refusal(table, seat, action) == 0]
            assert legal == allowed


@settings(max_examples=40)
@given(game_setups())
def test_a_refusal_is_named_by_a_rule_and_a_legal_action_by_none(setup: GameSetup) -> None:
    state = stopped(setup)
    before, rulebook = state.record(), state.game.rulebook()
    for seat in range(setup.players):
        legal = state.legal_actions(seat)
        for action in range(s.ACTIONS):
            rule = state.refusal(action, seat)
            assert (rule is None) == (action in legal)
            assert rule is None or rule in rulebook.paragraphs
    assert state.record() == before


# --- The score, counted a second time ---------------------------------------------------------------------------
def tally(table: PlainState) -> list[int]:
    """Count as the seeds do at the end: hand out the bonus cards, then let everyone add up their cards."""
    bonus = [4 * (table.four_gems == seat + 1) for seat in range(table.players)]
    for kind in range(4):
        held = [table.gems[seat][kind] for seat in range(table.players)]
        if held.count(max(held)) == 1:
            bonus[held.index(max(held))] += 4
    gold = [sum(value * cards for value, cards in enumerate(held, 1)) for held in table.gold]
    return [
        gold[seat] + 5 * table.treasures[seat] + sum(table.gems[seat]) + bonus[seat] for seat in range(table.players)
    ]


def ranking(table: PlainState) -> list[int]:
    """Name the winners: points, then treasure cards, then gem cards; who is still level shares."""
    points = tally(table)
    standing = [(points[seat], table.treasures[seat], sum(table.gems[seat])) for seat in range(table.players)]
    return [seat for seat, mine in enumerate(standing) if mine == max(standing)]


@settings(max_examples=25)
@given(game_setups())
def test_scores_equal_a_second_tally(setup: GameSetup) -> None:
    for state in played(setup):
        if state.move_number() % 7 == 0 or state.is_terminal():
            assert state.scores() == tally(state.to_plain())
        if not state.is_terminal():
            assert state.returns() == [0] * setup.players
            assert state.winners() == []
            assert state.ending() is None
    assert state.winners() == ranking(state.to_plain())
    assert sum(state.returns()) == pytest.approx(0)
    assert {seat for seat, won in enumerate(state.returns()) if won == max(state.returns())} == set(state.winners())


# --- Copies, storage, numbers -----------------------------------------------------------------------------------
@settings(max_examples=30)
@given(game_setups())
def test_a_state_written_down_and_read_again_is_the_same(setup: GameSetup) -> None:
    state = stopped(setup)
    again = setup.game.deserialize_state(state.serialize())
    assert again == state
    assert again.full_history() == state.full_history()
    assert again.current_player() == state.current_player()
    assert again.legal_actions() == state.legal_actions()


@settings(max_examples=30)
@given(game_setups())
def test_a_history_can_be_played_again(setup: GameSetup) -> None:
    state = stopped(setup)
    again = setup.game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert again == state


@settings(max_examples=30)
@given(game_setups())
def test_a_move_taken_back_leaves_no_trace(setup: GameSetup) -> None:
    state = stopped(setup)
    if state.is_terminal():
        state.undo_action()
    before = state.clone()
    action = choose(state, random.Random(setup.seed), 0)
    mover = state.current_player()
    state.apply_action(action)
    assert before.child(action) == state
    assert state.undo_action() == (mover, action)
    assert state == before
    assert state.full_history() == before.full_history()
    assert state.current_player() == before.current_player()


@settings(max_examples=30)
@given(game_setups())
def test_observations_are_numbers_from_0_to_1_and_always_as_many(setup: GameSetup) -> None:
    state = stopped(setup)
    before = state.record()
    for viewer in range(-1, setup.players):
        numbers = state.observation_tensor(viewer)
        assert numbers.shape == (setup.game.observation_tensor_size(),)
        assert numbers.min() >= 0
        assert numbers.max() <= 1
        assert state.resample_from_infostate(viewer, random.Random(0)) == state  # nothing in Emerald is secret
    assert state.record() == before


# --- A reference implementation of the game ---------------------------------------------------------------------------
# Written from the seeds and the rulings alone, straight on like the rulebook, with knights that are individuals.
# It stops at every choice and says who has to make it and what there is to choose; the real rules must agree.
Asked = tuple[int, list[int]]
ReferenceMoves = Generator[Asked, int, bool]


@dataclass
class Knight:
    """One knight among all the others."""

    colour: int
    place: int
    tired: bool = False
    """It has moved this turn, or was ransomed in its owner's turn."""


@dataclass
class Second:
    """A table of its own."""

    players: int
    compulsory: bool
    knights: list[Knight] = field(default_factory=list)
    piles: list[list[int]] = field(default_factory=list)
    """Face-up card first, -1 for each card nobody has seen."""
    unseen: list[int] = field(default_factory=lambda: [6] * 4 + [5] * 5)
    gems: list[list[int]] = field(default_factory=list)
    gold: list[list[int]] = field(default_factory=list)
    treasures: list[int] = field(default_factory=list)
    four_gems: int | None = None
    dragon: int = 4
    lairward: bool = False
    rod: int = 1
    over: bool = False

    def owner(self, knight: Knight) -> int:
        """Return whose knight this is."""
        return knight.colour % self.players

    def at(self, place: int) -> list[Knight]:
        """List who stands on a place."""
        return [knight for knight in self.knights if knight.place == place]

    def last_knight(self, seat: int) -> bool:
        """Return whether a player has one single knight in play."""
        return sum(self.owner(knight) == seat and knight.place < 20 for knight in self.knights) == 1


def set_up(players: int, compulsory: bool) -> Second:
    """Lay everything out; no card is turned yet."""
    towers = 5 if players in (3, 4) else 4
    colours = 4 if players == 2 else players
    return Second(
        players,
        compulsory,
        knights=[Knight(colour, tower) for colour in range(colours) for tower in range(towers)],
        piles=[[-1] * (2 if cave % 2 else 3) for cave in range(1, 10)]
        + [[-1] * (3 if cave % 2 else 2) for cave in range(1, 10)],
        gems=[[] for _ in range(players)],
        gold=[[] for _ in range(players)],
        treasures=[0] * players,
    )


def reference_game(table: Second, first: int | None) -> ReferenceMoves:
    """Play from the lots, where they are drawn, to the end."""
    if first is None:
        first = yield CHANCE, list(range(table.players))
    for pile in range(18):
        yield from turn_up(table, pile)
    seat = first
    while not table.over:
        yield from take_turn(table, seat)
        seat = (seat + 1) % table.players
    return True


def turn_up(table: Second, pile: int) -> ReferenceMoves:
    """Turn the top card of a pile."""
    cards = range(4) if pile < 9 else range(4, 9)
    card = (yield CHANCE, [8 + card for card in cards if table.unseen[card]]) - 8
    table.unseen[card] -= 1
    table.piles[pile][0] = card
    return True


def take_turn(table: Second, seat: int) -> ReferenceMoves:
    """Move one knight, and perhaps a second of the same colour that is not tired."""
    for knight in table.knights:
        knight.tired = False
    colours = [seat, seat + 2] if table.players == 2 else [seat]
    for number in (1, 2):
        able = {
            knight.place + (20 if knight.colour != seat else 0): knight
            for knight in table.knights
            if knight.colour in colours and knight.place < 20 and not knight.tired
        }
        if not able:
            return False
        passing = [40] if number == 2 and not table.compulsory else []
        chosen = yield seat, sorted(able) + passing
        if chosen == 40:
            return False
        colours = [able[chosen].colour]
        if (yield from move(table, seat, able[chosen], number)):
            return False
    return True


def move(table: Second, seat: int, knight: Knight, number: int) -> ReferenceMoves:
    """Move a knight; say whether the turn ends with it."""
    steps = len(table.at(knight.place))
    knight.place = min(max(knight.place, 4) + steps, 20)
    knight.tired = True
    if knight.place == 20:
        table.treasures[seat] += 1
        table.over = sum(table.treasures) == 4 or table.last_knight(seat)
        return True
    cave = knight.place - 10
    if cave < 1:
        return False
    took = yield from take_card(table, seat, cave)
    if table.rod <= cave <= table.rod + 3 or cave == table.dragon:
        yield from fly(table, seat, knight, asks_which=number == 1 and not took)
    return took or table.over


def take_card(table: Second, seat: int, cave: int) -> ReferenceMoves:
    """Take one of the face-up cards; say whether there was one."""
    here = [pile for pile in (cave - 1, cave + 8) if table.piles[pile]]
    if not here:
        return False
    pile = here[0]
    if len(here) == 2:
        pile = here[(yield seat, [41, 42]) - 41]
    card = table.piles[pile].pop(0)
    (table.gems if card < 4 else table.gold)[seat].append(card if card < 4 else card - 3)
    if set(table.gems[seat]) == {0, 1, 2, 3} and table.four_gems is None:
        table.four_gems = seat
    if table.piles[pile]:
        yield from turn_up(table, pile)
    return True


def fly(table: Second, seat: int, mover: Knight, *, asks_which: bool) -> ReferenceMoves:
    """Fly the dragon, let it capture, and slide the rod on."""
    for _ in range((yield CHANCE, [5, 6, 7]) - 4):
        # Facing the wrong way at an end of the rod (it slid on meanwhile), or left behind by it, he turns first.
        if table.dragon <= table.rod:
            table.lairward = True
        table.dragon += 1 if table.lairward else -1
        if table.dragon == table.rod + 3 or (table.dragon == table.rod and not table.lairward):
            table.lairward = not table.lairward
    there = table.at(10 + table.dragon)
    if there:
        yield from capture(table, seat, mover, there, asks_which)
    if not table.over:
        table.rod = min(table.rod + 1, 6)
    return True


def capture(table: Second, seat: int, mover: Knight, there: list[Knight], asks_which: bool) -> ReferenceMoves:
    """Choose the victim where there is a choice, and let its owner pay or lose it."""
    victims = {43 + knight.colour: knight for knight in there if knight is not mover}
    if mover in there:
        if 43 + mover.colour not in victims:
            victims[43 + mover.colour] = mover
        elif asks_which:
            victims[48] = mover
    victim = victims[min(victims)]
    if len(victims) > 1:
        victim = victims[(yield seat, sorted(victims))]
    owner = table.owner(victim)
    answer = 49
    if table.gold[owner]:
        answer = yield owner, [49, *sorted({49 + value for value in table.gold[owner]})]
    if answer == 49:
        victim.place = 21
        table.over = table.last_knight(owner)
    else:
        table.gold[owner].remove(answer - 49)
        victim.tired = True
    return True


def agree(state: State, second: Second) -> None:
    """See that both tables look the same."""
    table = state.to_plain()
    colours = 4 if table.players == 2 else table.players
    for colour in range(colours):
        places = sorted(knight.place for knight in second.knights if knight.colour == colour)
        assert table.knights[colour][: len(places)] == places
    assert (table.dragon + 1, table.facing == 1, table.rod + 1) == (second.dragon, second.lairward, second.rod)
    assert table.pile == [len(pile) for pile in second.piles]
    assert table.unseen == second.unseen
    for pile, cards in enumerate(second.piles):
        if cards and cards[0] >= 0:
            assert table.top[pile] == cards[0] % 4 if pile < 9 else table.top[pile] == cards[0] - 4
    for seat in range(table.players):
        assert table.gems[seat] == [second.gems[seat].count(kind) for kind in range(4)]
        assert table.gold[seat] == [second.gold[seat].count(value) for value in range(1, 6)]
        assert table.treasures[seat] == second.treasures[seat]
    assert table.four_gems == (0 if second.four_gems is None else second.four_gems + 1)


def compare(setup: GameSetup) -> None:
    """Play a game at both tables."""
    second = set_up(setup.players, setup.second_move == "compulsory")
    telling = reference_game(second, None if setup.starts == "lots" else int(setup.starts) - 1)
    state, chance = setup.game.new_initial_state(), random.Random(setup.seed)
    asked = next(telling)
    while not state.is_terminal():
        agree(state, second)
        assert asked == (state.current_player(), state.legal_actions())
        action = choose(state, chance, setup.leaning)
        state.apply_action(action)
        try:
            asked = telling.send(action)
        except StopIteration:
            break
    assert state.is_terminal()
    assert second.over
    agree(state, second)


@settings(max_examples=40)
@given(game_setups())
def test_a_reference_implementation_plays_the_same_game_from_the_seeds(setup: GameSetup) -> None:
    compare(setup)


# --- Chance -----------------------------------------------------------------------------------------------------
@pytest.mark.skipif("DRACOTHEQUE_INTERPRETED" in os.environ, reason="so many games need compiled rules")
@pytest.mark.parametrize(("players", "share"), [(2, 60), (3, 44), (4, 37), (5, 31)])
def test_the_first_player_wins_as_often_as_in_an_independent_trial(players: int, share: int) -> None:
    """Random games won by the starting player in an independent trial: `docs/explanation/rulings/emerald.md`."""
    game, chance = load_game("emerald", players, starts="1"), random.Random(2002)
    games, won = 6000, 0.0
    for _ in range(games):
        state = game.new_initial_state()
        state.play_randomly(chance)
        winners = state.winners()
        won += (0 in winners) / len(winners)
    assert 100 * won / games == pytest.approx(share, abs=3)


def test_a_random_game_is_as_long_and_as_dangerous_as_in_an_independent_trial() -> None:
    """The same trial: 65–68 turns, about 150 decisions, 21 flights, 10 captures and 6–7 bribes a game."""
    turns = decisions = flights = captures = bribes = 0
    games = [GameSetup(2 + seed % 4, "optional", "face-down", "1", seed, 0) for seed in range(120)]
    for setup in games:
        for state in played(setup):
            table = state._workspace.game  # the live table: a copy of every state would take longer than the games
            flights += table.phase == s.DIE
            decisions += state.current_player() >= 0
            turns += table.phase == s.MOVE and table.moves == 0
        bribes += sum(player != CHANCE and action >= s.PAY for player, action in state.full_history())
        captures += sum(row.count(s.NEST) for row in state.to_plain().knights)
    captures += bribes
    assert turns / len(games) == pytest.approx(66.5, abs=4)
    assert decisions / len(games) == pytest.approx(145, abs=12)
    assert flights / len(games) == pytest.approx(21, abs=1.5)
    assert captures / len(games) == pytest.approx(10, abs=1.5)
    assert bribes / len(games) == pytest.approx(6.5, abs=1)
