"""Positions of Dragon's Cave in a few words, moves by their English names, and evenings played at random.

>>> state = situation(players=3, dragon="lion", at={"tower": "space 7"}, purse={"tower": 5})
>>> play(state, "tower: rope", "star: Chest", "lion: barrel niche")
>>> where(state, "tower"), coins(state, "tower")
('space 8', 7)
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from dracotheque import CHANCE, State, load_game
from dracotheque.engine.game import Game
from dracotheque.engine.phrases import Phrase, with_plain_spaces
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.dragons_cave.rules import state as s
from tests.games.positions import put, raised_rule, seat_of

CRESTS = ("lion", "tower", "star", "oak")
PICTURES = ("pickaxe", "lantern", "rope", "barrel", "crystal")
CARDS = (*PICTURES, "Chest")

# --- Boards of the tests' own -----------------------------------------------------------------------------------
Data = dict[str, Any]
COLOURS = dict(zip(PICTURES, ("#c8952c", "#1f7a5c", "#b5432a", "#2f5fa8", "#7a4a94"), strict=True))


def cave(path: str | Sequence[str], treasure: int = 44, lair: int = 4, name: str = "A cave") -> Data:
    """Write a board; the path may be said in one breath: `cave("pickaxe 0, lantern 1")`."""
    spaces = path.split(", ") if isinstance(path, str) else list(path)
    return {"name": name, "treasure": treasure, "lair": lair, "path": spaces, "kinds": COLOURS.copy()}


CAVE = cave(["pickaxe 0", "lantern 1", "rope 2", "barrel 3", "crystal 5"] * 4, name="The tests’ own cave")
"""Four laps like the printed cave's, every picture with coins of its own, none as many as the lair's four."""

CROOKED = cave(
    "rope 3, rope 0, crystal 1, pickaxe 2, pickaxe 0, pickaxe 7, barrel 1, lantern 0, rope 1, crystal 2, crystal 0",
    treasure=25,
    lair=6,
    name="Crooked",
)
SHORT = cave("barrel 1, crystal 2, lantern 3, pickaxe 4, rope 5", treasure=12, lair=3, name="Short")
LONG = cave(
    [f"{PICTURES[(7 * space + space // 9) % 5]} {space % 3}" for space in range(40)], treasure=60, lair=60, name="Long"
)
POOR = cave(["crystal 2", "rope 3", "barrel 0", "lantern 1", "pickaxe 2"] * 3, treasure=5, lair=0, name="Poor")
RICH = cave(["crystal 9", "rope 60", "barrel 4", "lantern 7", "pickaxe 0"] * 2, treasure=60, lair=0, name="Rich")
BARE = cave(["pickaxe 0", "lantern 0", "rope 0", "barrel 0", "crystal 1"] * 2, treasure=1, lair=0, name="Bare")
BOARDS = (CAVE, CROOKED, SHORT, LONG, POOR, RICH, BARE)


def interpreted(players: int, board: Data | None = CAVE, **options: str) -> Game:
    """Load the game to be played as plain Python, in a cave of the tests' own; None is the box's."""
    return _opened(players, json.dumps(board), tuple(options.items()))


@functools.cache
def _opened(players: int, board: str, options: tuple[tuple[str, str], ...]) -> Game:
    """Load the game once."""
    return load_game("dragons-cave", players, board=json.loads(board), interpreted=True, **dict(options))


# --- Building ---------------------------------------------------------------------------------------------------
def situation(
    players: int = 3,
    *,
    dragon: str = "lion",
    at: Mapping[str, str] | None = None,
    second: Mapping[str, str] | None = None,
    purse: Mapping[str, int] | None = None,
    chest: Mapping[str, int] | None = None,
    hand: Mapping[str, str] | None = None,
    treasure: int | None = None,
    board: Data = CAVE,
    **options: str,
) -> State:
    """Lay out a position at the beginning of a round.

    Who is not named stands on the start space, has six cards and no coins; `second` places the second dwarves of two
    players. The treasure holds what is in no purse and no chest, unless `treasure` says otherwise.
    """
    state = interpreted(players, board, **options).new_initial_state()
    table = state.to_plain()
    for number, places in enumerate((at or {}, second or {})):
        for crest, place in places.items():
            table.place[seat_of(state, crest) + 2 * number] = place_number(table, place)
    for crest, amount in (purse or {}).items():
        table.purse[seat_of(state, crest)] = amount
    for crest, amount in (chest or {}).items():
        table.chest[seat_of(state, crest)] = amount
    for crest, cards in (hand or {}).items():
        table.hand[seat_of(state, crest)] = sum(1 << CARDS.index(card) for card in cards.split())
    owned = sum(table.purse) + sum(table.chest)
    table.treasure = board["treasure"] - owned if treasure is None else treasure
    put(state, table).apply_action(seat_of(state, dragon))
    return state


def place_number(table: PlainState, place: str) -> int:
    """Read `start`, `space 7` or `rope niche`."""
    if place == "start":
        return s.START
    if place.endswith(" niche"):
        return table.length + 1 + table.board.kinds.index(place.removesuffix(" niche"))
    number = int(place.removeprefix("space "))
    assert 1 <= number <= table.length, f"there is no {place}"
    return number


# --- Playing ----------------------------------------------------------------------------------------------------
@functools.cache
def names(game: Game, seat: int) -> dict[str, int]:
    """Every action of a seat, or of chance, by its English name with plain spaces."""
    scene = game.text

    def say(name: Phrase) -> str:
        return with_plain_spaces(game.words().say(name))

    if seat == CHANCE:
        return {say(scene.outcome(game, outcome)): outcome for outcome in range(s.OUTCOMES)}
    return {say(scene.action(game, seat, action)): action for action in range(s.ACTIONS)}


def read_move(state: State, move: str) -> tuple[int, int]:
    """Read `tower: rope` as seat and action."""
    crest, name = move.split(": ", 1)
    seat = CHANCE if crest == "chance" else seat_of(state, crest)
    return seat, names(state.game, seat)[name]


def play(state: State, *moves: str) -> State:
    """Carry out moves, each written with who makes it."""
    for move in moves:
        seat, action = read_move(state, move)
        state.apply_action(action, seat)
    return state


def play_round(state: State, niche: str, **cards: str) -> State:
    """Lay cards, `tower="rope"`, with two players `tower="rope, second dwarf"`, and place the dragon."""
    for crest, card in cards.items():
        play(state, f"{crest}: {card}")
    return play(state, f"{CRESTS[state.to_plain().dragon_seat]}: {niche} niche")


def refused(state: State, move: str) -> str | None:
    """Try something that is not allowed; return the rule that forbids it."""
    return raised_rule(state, *read_move(state, move))


# --- Looking ----------------------------------------------------------------------------------------------------
def asked(state: State) -> list[str]:
    """Name who has a choice to make now; nobody when the game is over."""
    if state.is_chance_node():
        return ["chance"]
    return [CRESTS[seat] for seat in range(state.game.players) if state.legal_actions(seat)]


def choices(state: State, crest: str) -> list[str]:
    """Name everything a crest, or chance, may do."""
    seat = CHANCE if crest == "chance" else seat_of(state, crest)
    return [state.action_to_string(action, seat) for action in state.legal_actions(seat)]


def where(state: State, crest: str, number: int = 1) -> str:
    """Name the place of a crest's dwarf; with two players there is a number 2."""
    table = state.to_plain()
    place = table.place[seat_of(state, crest) + 2 * (number - 1)]
    if place > table.length:
        return f"{table.board.kinds[place - table.length - 1]} niche"
    return f"space {place}" if place else "start"


def coins(state: State, crest: str) -> int:
    """Count the coins in a crest's purse."""
    return state.to_plain().purse[seat_of(state, crest)]


def banked(state: State, crest: str) -> int:
    """Count the coins in a crest's chest."""
    return state.to_plain().chest[seat_of(state, crest)]


def cards_of(state: State, crest: str) -> str:
    """Name the cards a crest has in hand."""
    hand = state.to_plain().hand[seat_of(state, crest)]
    return " ".join(card for number, card in enumerate(CARDS) if hand >> number & 1)


def dragon(state: State) -> str:
    """Name who is the dragon."""
    return CRESTS[state.to_plain().dragon_seat]


# --- Evenings at random -----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Evening:
    """A game to be played: who sits there, in which cave, what they agreed on, and how they choose."""

    players: int
    board: int
    chests: str
    first_dragon: str
    seed: int
    malice: float
    """How often the dragon peeks and frightens someone, and dwarf players do without the Chest: see `choose`."""

    @property
    def game(self) -> Game:
        """The box, opened for this table."""
        return interpreted(self.players, BOARDS[self.board], chests=self.chests, first_dragon=self.first_dragon)


@st.composite
def evenings(draw: st.DrawFn) -> Evening:
    """Draw any table with any options."""
    players = draw(st.integers(2, 4))
    return Evening(
        players,
        draw(st.integers(0, len(BOARDS) - 1)),
        draw(st.sampled_from(["closed", "open"])),
        draw(st.sampled_from(["lots", *(str(seat + 1) for seat in range(players))])),
        draw(st.integers(0, 2**32)),
        draw(st.sampled_from([0, 0.2, 0.4])),
    )


def choose(state: State, chance: random.Random, malice: float = 0) -> tuple[int, int]:
    """Choose at random; where several may choose, any of them is the quickest.

    Left to chance alone players bank too early and are seldom frightened: malice makes full purses and full fists.
    """
    if state.is_chance_node():
        return CHANCE, state.sample_chance(chance)
    seat = chance.choice([seat for seat in range(state.game.players) if state.legal_actions(seat)])
    legal = state.legal_actions(seat)
    if chance.random() < malice:
        legal = [action for action in legal if worse(state, action)] or legal
    return seat, chance.choice(legal)


def worse(state: State, action: int) -> bool:
    """Say whether an action is to a malicious player's liking: no Chest, and the dragon into a niche that frightens."""
    if s.NICHE <= action < s.LEFT_FIST:
        return action - s.NICHE in state.to_plain().card
    return action % s.CARDS != s.CHEST or action >= s.NICHE


def played(evening: Evening) -> Iterator[State]:
    """Play an evening to its end; give the state before every move and after the last."""
    state, chance = evening.game.new_initial_state(), random.Random(evening.seed)
    yield state
    while not state.is_terminal():
        seat, action = choose(state, chance, evening.malice)
        state.apply_action(action, seat)
        yield state


def stopped(evening: Evening) -> State:
    """Play an evening until someone looks up, anywhere between the beginning and the end."""
    moves = random.Random(evening.seed + 1).randrange(80)
    state = evening.game.new_initial_state()
    for state in played(evening):
        if state.move_number() == moves:
            break
    return state
