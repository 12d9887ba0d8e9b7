"""What a player cannot know stays hidden: sealed cards until the dragon sits, fists until the dragon has guessed.

A twin is the same game with other secrets. Whoever must not know cannot tell twins apart: not by an observation, not
by what may be chosen or is refused, not by what is told, and not by an imagined world.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from dracotheque import CHANCE, State, load_game
from dracotheque.engine import rule
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.engine.playthrough import tell
from dracotheque.games.dragons_cave.rules import state as s
from dracotheque.games.dragons_cave.text import preview, prompt
from tests.games.dragons_cave.position_builder import (
    BOARDS,
    CAVE,
    CRESTS,
    CROOKED,
    RICH,
    Data,
    choose,
    play,
    play_round,
    put,
    seat_of,
    situation,
)

MANY = 700 if not rule.interpreter_forced() else 30
"""Games for each number of players: compiled rules play them in seconds."""

Moves = list[tuple[int, int]]


def box(players: int, board: Data = CAVE, **options: str) -> Game:
    """Load the game with compiled rules, for many games."""
    return load_game("dragons-cave", players, board=board, interpreted=False, **options)


def moments(game: Game, random: Random) -> Iterator[State]:
    """Play one game at random; give the state before every move and after the last."""
    state, malice = game.new_initial_state(), random.choice([0, 0.2, 0.4])
    yield state
    while not state.is_terminal():
        seat, action = choose(state, random, malice)
        state.apply_action(action, seat)
        yield state


# --- Secrets and twins ------------------------------------------------------------------------------------------
def secrets(table: PlainState) -> dict[int, list[int]]:
    """Say for every seat with a secret what it could be, the truth included."""
    if table.phase in (s.SEAL, s.PLACE):
        laid = [seat for seat in range(table.players) if table.card[seat] != s.NO_CARD]
        return {seat: [card for card in range(s.CARDS) if table.hand[seat] >> card & 1] for seat in laid}
    hidden = [seat for seat in range(table.players) if table.left[seat] <= s.MOST_COINS]
    return {seat: list(range(table.purse[seat] + 1)) for seat in hidden}


def with_secrets(state: State, changed: dict[int, int]) -> State:
    """Make a twin by hand: the same table, other secrets."""
    return rewritten(state, state.to_plain(), changed)


def rewritten(state: State, table: PlainState, changed: dict[int, int]) -> State:
    """Write other secrets onto a state's table, and let a copy go on from there."""
    row = table.card if table.phase in (s.SEAL, s.PLACE) else table.left
    for seat, secret in changed.items():
        row[seat] = secret
    return put(state.clone(), table)


def replayed(state: State, changed: dict[int, int]) -> State:
    """Make a twin by playing: the same game in which some seats sealed something else."""
    moves: Moves = state.full_history()
    for seat, secret in changed.items():
        number = max(n for n, (player, action) in enumerate(moves) if player == seat and sealed(state, action))
        action = moves[number][1]
        moves[number] = (seat, s.HOLD + secret if action >= s.HOLD else action - action % s.CARDS + secret)
    again = state.game.new_initial_state()
    for player, action in moves:
        again.apply_action(action, player)
    return again


def sealed(state: State, action: int) -> bool:
    """Return whether this is an action of the kind that is secret in the present phase."""
    return action < s.NICHE if state.to_plain().phase in (s.SEAL, s.PLACE) else action >= s.HOLD


def all_changes(state: State) -> Iterator[dict[int, int]]:
    """Change every secret to everything else it could be, one by one and all together."""
    hidden = secrets(state.to_plain())
    truth = {seat: own_secret(state, seat) for seat in hidden}
    for seat, possible in hidden.items():
        yield from ({seat: other} for other in possible if other != truth[seat])
    together = {seat: next((p for p in possible if p != truth[seat]), truth[seat]) for seat, possible in hidden.items()}
    if len(together) > 1:
        yield {seat: secret for seat, secret in together.items() if secret != truth[seat]}


def own_secret(state: State, seat: int) -> int:
    """Look at a seat's secret."""
    table = state.to_plain()
    return (table.card if table.phase in (s.SEAL, s.PLACE) else table.left)[seat]


def seen(state: State, viewer: int) -> tuple[bytes, bytes]:
    """Everything a viewer is given."""
    return state.observation(viewer).bytes(), state.observation_tensor(viewer).tobytes()


# --- Twins ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "card.seal", "fright.split")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_in_thousands_of_games_nobody_sees_another_players_secret(players: int) -> None:
    random, found = Random(players), Counter[int]()
    games = [box(players, board) for board in BOARDS]
    for number in range(MANY):
        for state in moments(games[number % len(games)], random):
            table, viewer = state.to_plain(), random.randrange(-1, players)
            changed = {seat: random.choice(possible) for seat, possible in secrets(table).items() if seat != viewer}
            twin = rewritten(state, table, changed)
            if twin != state:
                found[table.phase] += 1
                assert seen(twin, viewer) == seen(state, viewer)
    # With two players there is one secret at a time, and the dragon is asked as soon as it lies.
    phases = (s.PLACE, s.GUESS) if players == 2 else (s.SEAL, s.PLACE, s.SPLIT, s.GUESS)
    assert min(found[phase] for phase in phases) > MANY / 30


@pytest.mark.rule("dragons-cave", "card.seal", "fright.split")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_twins_played_from_the_first_move_look_alike_to_everybody_else(players: int) -> None:
    """Every secret changed to everything it could be, at every moment, for every viewer."""
    random = Random(players)
    for board in (CAVE, CROOKED):
        for state in moments(box(players, board), random):
            for changed in all_changes(state):
                twin = replayed(state, changed)
                assert twin == with_secrets(state, changed)
                require_alike(state, twin, owners=list(changed))


def require_alike(state: State, twin: State, owners: list[int]) -> None:
    """See that only the owners can tell two states apart, and that they can."""
    players = state.game.players
    assert twin.current_player() == state.current_player()
    for seat in range(players):
        assert twin.legal_actions(seat) == state.legal_actions(seat)
    for viewer in range(-1, players):
        if viewer in owners:
            assert seen(twin, viewer)[0] != seen(state, viewer)[0]
            assert seen(twin, viewer)[1] != seen(state, viewer)[1]
            assert own_secret(twin, viewer) != own_secret(state, viewer)
        else:
            assert seen(twin, viewer) == seen(state, viewer)
            assert twin.observation_string(viewer) == state.observation_string(viewer)
            assert (
                twin.resample_from_infostate(viewer, Random(5)).record()
                == state.resample_from_infostate(viewer, Random(5)).record()
            )


@pytest.mark.rule("dragons-cave", "card.seal", "fright.split")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_refused_and_why_does_not_tell_secrets(players: int) -> None:
    random, looked = Random(players), 0
    for state in moments(box(players, CROOKED), random):
        if state.is_terminal() or state.is_chance_node():
            continue
        possible = list(all_changes(state)) if secrets(state.to_plain()) else []
        for changed in random.sample(possible, min(len(possible), 1)):
            looked += 1
            twin = with_secrets(state, changed)
            for seat, action in itertools.product(range(players), random.sample(range(s.ACTIONS), 12)):
                assert twin.refusal(action, seat) == state.refusal(action, seat)
    assert looked >= 5


@pytest.mark.rule("dragons-cave", "card.seal", "fright.split")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_told_to_the_table_and_asked_of_a_seat_does_not_tell_secrets(players: int) -> None:
    """Of two twins the same is told as each secret is sealed, and the same is asked, with the same explanations."""
    random, looked = Random(players), Counter[int]()
    for number in range(12):
        options = {"first_dragon": ["lots", "1"][number % 2], "chests": ["closed", "open"][number // 6]}
        for state in moments(box(players, BOARDS[number % len(BOARDS)], **options), random):
            if state.is_terminal() or state.is_chance_node():
                continue
            hidden = secrets(state.to_plain())
            twin = with_secrets(state, {seat: random.choice(possible) for seat, possible in hidden.items()})
            looked[state.to_plain().phase] += twin != state
            assert prompt(twin.to_plain()) == prompt(state.to_plain())
            for seat in range(players):
                legal = state.legal_actions(seat)
                assert [preview(twin.to_plain(), seat, a) for a in legal] == [
                    preview(state.to_plain(), seat, a) for a in legal
                ]
                if not legal or legal[0] in range(s.NICHE, s.HOLD):
                    continue  # what the dragon does turns the cards and opens the fists
                told = [tell(state, seat, action, state.child(action, seat)) for action in legal]
                twice = [tell(twin, seat, action, twin.child(action, seat)) for action in legal]
                assert told == twice
                for dwarf in {named(action) for action in legal}:
                    lines = [line for line, action in zip(told, legal, strict=True) if named(action) == dwarf]
                    assert all(line == lines[0] for line in lines)
    assert looked[s.PLACE] > 20
    assert looked[s.GUESS] > 5


def named(action: int) -> int:
    """Return which dwarf a sealed choice openly names: the second one, or the first or none."""
    return int(s.SECOND_DWARF <= action < s.NICHE)


# --- What each may see ------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "card.seal", "card.last-chest", "fright.split", "chest.closed", "card.open")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_observation_is_the_whole_table_less_the_others_secrets(players: int) -> None:
    random, found = Random(players), Counter[str]()
    for number in range(20):
        for state in moments(box(players, BOARDS[number % len(BOARDS)]), random):
            for viewer in range(-1, players):
                table = state.to_plain()
                for seat in range(players):
                    if seat == viewer:
                        continue
                    if table.phase in (s.SEAL, s.PLACE) and table.card[seat] in range(s.CARDS):
                        if table.hand[seat] == s.ONLY_CHEST:
                            found["forced"] += 1  # everybody knows the last Chest
                        else:
                            table.card[seat] = s.SEALED_CARD
                            found["card"] += 1
                    if table.phase in (s.SPLIT, s.GUESS) and table.left[seat] <= s.MOST_COINS:
                        table.left[seat] = s.SEALED_SPLIT
                        found["fists"] += 1
                assert state.observation(viewer).bytes() == table.bytes()
    assert min(found.values()) > 10


@pytest.mark.rule("dragons-cave", "card.seal", "dragon.place")
def test_a_card_is_seen_by_its_owner_alone_until_the_dragon_sits_and_by_all_afterwards() -> None:
    state = play(situation(4, purse={"tower": 3}), "tower: rope", "star: Chest")
    tower, star = seat_of(state, "tower"), seat_of(state, "star")
    for moment in (state, play(state.clone(), "oak: pickaxe")):
        for viewer in range(-1, 4):
            assert moment.observation(viewer).card[tower] == (2 if viewer == tower else s.SEALED_CARD)
            assert moment.observation(viewer).card[star] == (s.CHEST if viewer == star else s.SEALED_CARD)
    play(state, "oak: pickaxe", "lion: rope niche")
    for viewer in range(-1, 4):
        assert state.observation(viewer).card == [s.NO_CARD, 2, s.CHEST, 0]


@pytest.mark.rule("dragons-cave", "card.last-chest")
def test_a_forced_chest_is_known_by_the_open_cards() -> None:
    state = situation(3, hand={"star": "Chest"})
    for viewer in (-1, 0, 1):
        assert state.observation(viewer).hand[2] == s.ONLY_CHEST
        assert state.resample_from_infostate(viewer, Random(1)).to_plain().card[2] == s.CHEST


@pytest.mark.rule("dragons-cave", "fright.split", "fright.guess")
def test_fists_are_seen_by_their_owner_alone_until_the_dragon_has_chosen() -> None:
    state = situation(4, purse={"tower": 3, "star": 5})
    play_round(state, "rope", tower="rope", star="rope", oak="Chest")
    assert [state.observation(viewer).left for viewer in range(-1, 4)] == [
        [s.NO_SPLIT, s.TO_SPLIT, s.TO_SPLIT, s.NO_SPLIT]
    ] * 5
    play(state, "star: left fist: 4 coins")
    hidden = [s.NO_SPLIT, s.TO_SPLIT, s.SEALED_SPLIT, s.NO_SPLIT]
    for viewer in range(-1, 4):
        assert state.observation(viewer).left == (hidden if viewer != 2 else [s.NO_SPLIT, s.TO_SPLIT, 4, s.NO_SPLIT])
    play(state, "tower: left fist: 1 coin")
    assert state.observation(0).left == [s.NO_SPLIT, s.SEALED_SPLIT, s.SEALED_SPLIT, s.NO_SPLIT]
    assert state.observation(1).left == [s.NO_SPLIT, 1, s.SEALED_SPLIT, s.NO_SPLIT]
    play(state, "lion: left fist")
    assert state.observation(0).left == [s.NO_SPLIT, s.NO_SPLIT, s.SEALED_SPLIT, s.NO_SPLIT]
    assert state.observation(0).purse == [0, 2, 5, 0]


@pytest.mark.rule("dragons-cave", "fright.split")
def test_the_fullest_fist_there_can_be_is_a_secret_as_well() -> None:
    state = situation(4, purse={"tower": 60, "star": 1}, board=RICH, treasure=1)
    play_round(state, "rope", tower="rope", star="rope", oak="Chest")
    play(state, "tower: left fist: 60 coins")
    assert state.observation(0).left[1] == s.SEALED_SPLIT
    assert state.observation(1).left[1] == 60
    assert state.observation_tensor(1)[18 + 5] == 1.0


@pytest.mark.rule("dragons-cave", "two.name")
def test_the_named_dwarf_is_public_and_the_card_is_not() -> None:
    state = play(situation(2), "tower: rope, second dwarf")
    other = play(situation(2), "tower: Chest, second dwarf")
    named = play(situation(2), "tower: rope, first dwarf")
    for viewer in (-1, 0):
        assert seen(state, viewer) == seen(other, viewer)
        assert seen(state, viewer)[0] != seen(named, viewer)[0]
        assert seen(state, viewer)[1] != seen(named, viewer)[1]


# --- Imagined worlds --------------------------------------------------------------------------------------------
@pytest.mark.rule("dragons-cave", "card.seal", "fright.split")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_imagined_world_is_possible_for_whoever_imagines_it(players: int) -> None:
    random = Random(players)
    for number in range(MANY // 10):
        for state in moments(box(players, BOARDS[number % len(BOARDS)]), random):
            viewer = random.randrange(-1, players)
            world = state.resample_from_infostate(viewer, random)
            assert world.observation(viewer).bytes() == state.observation(viewer).bytes()
            assert world.current_player() == state.current_player()
            for seat, possible in secrets(state.to_plain()).items():
                assert own_secret(world, seat) in possible
                if seat == viewer:
                    assert own_secret(world, seat) == own_secret(state, seat)
            assert world.history() == []
            if random.random() < 0.05:
                finish(world, random)


def finish(world: State, random: Random) -> None:
    """Play an imagined world to its end."""
    total = world.to_plain().board.treasure
    while not world.is_terminal():
        seat, action = choose(world, random)
        world.apply_action(action, seat)
    assert world.winners()
    assert world.to_plain().treasure + sum(world.scores()) == total


@pytest.mark.rule("dragons-cave", "card.seal", "fright.split")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("viewer", [-1, 0, 1, 2])
def test_all_possible_cards_are_imagined_equally_often(players: int, viewer: int) -> None:
    """The lion, who is dragon, looks at every combination; the tower knows its own card."""
    state = situation(players, hand={"tower": "rope crystal Chest", "star": "pickaxe barrel Chest"})
    play(state, "tower: rope", "star: barrel", *["oak: Chest"] * (players == 4))
    random = Random(viewer)
    worlds = Counter(
        tuple(state.resample_from_infostate(viewer, random).to_plain().card[:players]) for _ in range(2500)
    )
    possible = [[s.NO_CARD], [2, 4, 5], [0, 3, 5], [*range(6)]]
    for seat, card in ((1, 2), (2, 3)):
        possible[seat] = [card] if seat == viewer else possible[seat]
    require_even(worlds, list(itertools.product(*possible[:players])))


@pytest.mark.parametrize("viewer", [-1, 0, 1, 2, 3])
def test_all_possible_splits_are_imagined_equally_often(viewer: int) -> None:
    state = situation(4, purse={"tower": 2, "star": 4, "oak": 1})
    play_round(state, "rope", tower="rope", star="rope", oak="rope")
    play(state, "oak: left fist: no coins", "star: left fist: 4 coins")
    random = Random(viewer)
    worlds = Counter(tuple(state.resample_from_infostate(viewer, random).to_plain().left) for _ in range(2500))
    star, oak = [4] if viewer == 2 else range(5), [0] if viewer == 3 else range(2)
    require_even(worlds, list(itertools.product([s.NO_SPLIT], [s.TO_SPLIT], star, oak)))
    play(state, "tower: left fist: 1 coin", "lion: right fist")
    worlds = Counter(tuple(state.resample_from_infostate(viewer, random).to_plain().left) for _ in range(2500))
    require_even(worlds, list(itertools.product([s.NO_SPLIT], [s.NO_SPLIT], star, oak)))


def require_even(worlds: Counter[tuple[int, ...]], possible: list[tuple[int, ...]]) -> None:
    """See that just these worlds came, each as often as the others but for chance."""
    assert set(worlds) == set(possible)
    expected = worlds.total() / len(possible)
    freedom = len(possible) - 1
    surprise = sum((count - expected) ** 2 / expected for count in worlds.values())
    assert surprise <= freedom + 5 * (2 * freedom) ** 0.5  # χ²: its mean and five of its deviations


def test_lots_and_finished_games_hide_nothing() -> None:
    state = box(3).new_initial_state()
    assert state.current_player() == CHANCE
    end = play_round(situation(3, at={"tower": "space 20"}), "rope", tower="barrel", star="Chest")
    for moment, viewer in itertools.product((state, end), range(-1, 3)):
        assert moment.observation(viewer).bytes() == moment.record()
        assert moment.resample_from_infostate(viewer, Random(1)) == moment
    assert len(CRESTS) == s.SEATS
