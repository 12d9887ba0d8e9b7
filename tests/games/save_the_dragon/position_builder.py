"""Positions of Save the Dragon in a few words, moves by the names of spots and doors, and games played at random.

>>> state = situation(at={"lion": "b3", "tower": "b4"}, shield="c4", die=2)
>>> play(state, "lion: a4").to_plain().phase == s.ACTION
True
>>> where(state, "lion"), asked(state)
('a4', 'chance')
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dracotheque import CHANCE, State, load_game
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.save_the_dragon.rules import state as s
from tests.games import random_games
from tests.games.positions import asked, is_impossible, put, refused_rule, seat_of

CRESTS = ("lion", "tower", "star", "oak")
DOORS = "abc"
SPOTS = [f"{lane}{step}" for step in range(1, 10) for lane in DOORS]
PLACES = [*SPOTS, "floor", "stands", "chamber", "nowhere"]
"""Names of all places, by number; `stands` is the fate of a pawn that stands, `nowhere` of one that does not play."""


@functools.cache
def interpreted(players: int = 2, youngest: str = "nobody", starts: str = "lots") -> Game:
    """Load the game to be played as plain Python."""
    return load_game("save-the-dragon", players, interpreted=True, youngest=youngest, starts=starts)


# --- The names of everything that can be chosen or come ---------------------------------------------------------
ACTIONS = [f"{spot} +{spent}" if spent else spot for spent in range(4) for spot in SPOTS]
ACTIONS += [f"door {door}" for door in DOORS] + ["stay"]
ACTIONS += [f"shield {spot}" for spot in SPOTS] + [f"shut {door}" for door in DOORS] + ["leave it"]
ACTIONS += [f"throw {door}" for door in DOORS]

OUTCOMES = [f"first {crest}" for crest in CRESTS] + [f"shut {door}" for door in DOORS]
OUTCOMES += [f"shield {spot}" for spot in SPOTS] + [f"die {face}" for face in (1, 2, 3)]
OUTCOMES += ["action rock", "action change"] + [f"rock {lane}" for lane in [*DOORS, "gone"]]
OUTCOMES += [f"fate {fate}" for fate in ["stands", *map(str, range(9)), "floor"]]
OUTCOMES += [f"side {lane}" for lane in DOORS]


def name_of(player: int, action: int) -> str:
    """Name an action, or what chance brings."""
    return (OUTCOMES if player == CHANCE else ACTIONS)[action]


# --- Building ---------------------------------------------------------------------------------------------------
def situation(
    players: int = 2,
    *,
    turn: str = "lion",
    at: Mapping[str, str] | None = None,
    shield: str = "a1",
    shut: str = "a",
    tokens: Mapping[str, int] | None = None,
    youngest: str = "nobody",
    die: int | None = None,
    action: str | None = None,
) -> State:
    """Lay out a position at the beginning of someone's turn, or after the die or even the action die was rolled.

    Who is not placed stands on the floor. With `action` (rock or change) the walk is over, whatever the die showed.
    """
    state = interpreted(players, youngest).new_initial_state()
    play(state, f"chance: shut {shut}", f"chance: shield {shield}", f"chance: first {turn}")
    table = state.to_plain()
    for crest, place in (at or {}).items():
        table.place[seat_of(state, crest)] = PLACES.index(place)
    for crest, count in (tokens or {}).items():
        table.tokens[seat_of(state, crest)] = count
    if action:
        table.die, table.phase = die or 1, s.ACTION
    put(state, table)
    if action:
        return play(state, f"chance: action {action}")
    return play(state, f"chance: die {die}") if die else state


# --- Playing ----------------------------------------------------------------------------------------------------
def read_move(move: str) -> tuple[int, int]:
    """Read `lion: b4 +1`, `tower: door a`, `chance: die 3` and so on as seat and action."""
    crest, name = move.split(": ")
    return (CHANCE, OUTCOMES.index(name)) if crest == "chance" else (CRESTS.index(crest), ACTIONS.index(name))


def play(state: State, *moves: str) -> State:
    """Carry out moves, each written with who makes it."""
    for move in moves:
        seat, action = read_move(move)
        state.apply_action(action, seat)
    return state


def fall(state: State, door: str, rock: str = "", **fates: str) -> State:
    """Throw the rock and let it fall like this.

    `rock` has its lanes from the top step on (`-` is gone; after the last it goes straight on), `fates` for every pawn
    that does not stand the spot where it comes to lie, or `floor`.
    """
    play(state, f"{asked(state)}: throw {door}")
    while (phase := state.to_plain().phase) in (s.LANE, s.FATE, s.SIDE):
        if phase == s.LANE:
            lane = (door + rock)[: s.STEPS + 2 - state.to_plain().step][-1]
            play(state, f"chance: rock {'gone' if lane == '-' else lane}")
        elif phase == s.FATE:
            play(state, f"chance: fate {depth_of(state, fates.get(hit(state), 'stands'))}")
        else:
            play(state, f"chance: side {fates[hit(state)][0]}")
    return state


def depth_of(state: State, rest: str) -> str:
    """Return how many steps the pawn that is hit comes down to a spot."""
    return rest if rest in ("stands", "floor") else str(int(where(state, hit(state))[1]) - int(rest[1]))


def refused(state: State, move: str) -> str:
    """Try something that is not allowed; return the rule that forbids it."""
    return refused_rule(state, *read_move(move))


def impossible(state: State, move: str) -> bool:
    """Let chance bring something; return whether it cannot."""
    return is_impossible(state, *read_move(move))


# --- Looking ----------------------------------------------------------------------------------------------------
def phase(state: State) -> int:
    """Return what is being decided."""
    return state.to_plain().phase


def choices(state: State) -> set[str]:
    """Name everything that the seat to move may choose."""
    return {ACTIONS[action] for action in state.legal_actions()}


def chances(state: State) -> dict[str, float]:
    """Name everything chance may bring now, with how likely it is."""
    return {OUTCOMES[outcome]: likely for outcome, likely in state.chance_outcomes()}


def where(state: State, crest: str) -> str:
    """Name the place of a pawn."""
    return PLACES[state.to_plain().place[seat_of(state, crest)]]


def pawns(state: State) -> str:
    """Name the places of all pawns."""
    return " ".join(where(state, crest) for crest in CRESTS[: state.game.players])


def hit(state: State) -> str:
    """Name the pawn whose fate is being seen."""
    return CRESTS[state.to_plain().hit]


def tokens(state: State, crest: str) -> int:
    """Count someone's tokens."""
    return state.to_plain().tokens[seat_of(state, crest)]


def shield(state: State) -> str:
    """Name the shield's spot."""
    return SPOTS[state.to_plain().shield]


def shut(state: State) -> str:
    """Name the door that is shut."""
    return DOORS[state.to_plain().shut]


# --- Games at random --------------------------------------------------------------------------------------------
TEMPERS = ("climber", "stroller", "pest", "anything")
"""How players choose: upwards, anywhere but through a door, into each player's way, or without a thought."""


def choose(state: State, chance: random.Random, tempers: random_games.Tempers = ("anything",)) -> int:
    """Choose as one of these tempers does, now and then without a thought."""
    return random_games.by_temper(state, chance, tempers, liking)


def liking(table: PlainState, temper: str, action: int) -> float:
    """Return how much someone with this temper likes an action."""
    if s.THROUGH <= action < s.STAY:
        return 100 if temper == "climber" else -1
    if action < s.THROUGH:
        return action % s.SPOTS // s.LANES - (action // s.SPOTS * 10 if temper == "stroller" else 0)
    if temper == "pest" and s.PUT_SHIELD <= action < s.SHUT_DOOR:
        above = [place + s.LANES for place in table.place[: table.players] if place < s.SPOTS - s.LANES]
        return 1 if action - s.PUT_SHIELD in above else 0
    if temper != "climber" and action >= s.LET_GO:
        return sum(place < s.SPOTS and place % s.LANES == action - s.LET_GO for place in table.place)
    return 0


@dataclass(frozen=True)
class GameSetup:
    """A game to be played: who sits there, what they agreed on, and how they choose."""

    players: int
    youngest: str
    starts: str
    seed: int
    tempers: tuple[str, ...]

    @property
    def game(self) -> Game:
        """The game with this set-up."""
        return interpreted(self.players, self.youngest, self.starts)


def several(agreed: str, players: int) -> str:
    """Add the third seat to the second where there is one, so that some games have two youngest."""
    return "2+3" if agreed == "2" and players > 2 else agreed


def game_setup(number: int) -> GameSetup:
    """Return one of many different tables, the same at every call."""
    chance, players = random.Random(number), 2 + number % 3
    seats = [str(seat + 1) for seat in range(players)]
    return GameSetup(
        players,
        several(chance.choice(["nobody", "nobody", "everybody", *seats]), players),
        chance.choice(["lots", "lots", *seats]),
        number,
        tuple(chance.choices(TEMPERS, k=3)),
    )


def played(setup: GameSetup, moves: int = 1500) -> Iterator[State]:
    """Play a game, not for ever; give the state before every move and after the last."""
    return random_games.played(setup, choose, moves)


def stopped(setup: GameSetup) -> State:
    """Play a game up to a random move."""
    return random_games.stopped(setup, choose)
