"""Maps of the tests' own, positions of Gran in a few words, moves by the names of points, and games played at random.

>>> state = situation(at={"lion": "c3", "tower": "c5"}, ring="d1", stones="g7")
>>> play(state, "lion: c4", "lion: stay")
>>> where(state, "lion"), asked(state)
('c4', 'tower')
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dracotheque import CHANCE, State, load_game
from dracotheque.engine.game import Game
from dracotheque.engine.plain_state import PlainState
from dracotheque.games.gran.board_files import KINDS, KINGDOM_NAMES, Board, problems
from dracotheque.games.gran.rules import state as s
from tests.games import random_games
from tests.games.positions import asked, is_impossible, put, refused_rule, seat_of  # noqa: F401 - others import `asked` here

CRESTS = ("lion", "tower", "star", "oak", "wave", "falcon")
Data = dict[str, Any]

# --- Maps of the tests' own -------------------------------------------------------------------------------------
SIGNS = dict(zip(".o*CDMS", KINDS, strict=True))
COLUMNS = "abcdefghijklmnopqrstuvwxyz"


def drawn(name: str, start: str, ring: str, *rows: str, slanting: bool = False) -> Data:
    """Read a map from a drawing: points beside and below each other are joined, `slanting` ones to the lower right too.

    Points are called as on a chess board, `a1` at the upper left; the quarters of the drawing are Tirad, Urgad on its
    right, Galad below Urgad, and Elgad.
    """
    signs = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
    names = {(x, y): f"{COLUMNS[x]}{y + 1}" for x, y in signs}
    points: list[str] = []
    for (x, y), sign in signs.items():
        right, lower = 2 * x >= len(rows[0]), 2 * y >= len(rows)
        kingdom = ("galad" if right else "elgad") if lower else ("urgad" if right else "tirad")
        kind = "white" if SIGNS[sign] == "white" else f"{SIGNS[sign]} {kingdom}"
        points.append(f"{names[x, y]} {kind} {(x + 1) * 37} {(y + 1) * 90}")
    steps = [(1, 0), (0, 1), (1, 1)][: 2 + slanting]
    pairs = [((x, y), (x + right, y + down)) for x, y in signs for right, down in steps]
    lines = [f"{names[here]} {names[there]}" for here, there in pairs if there in signs]
    return {"name": name, "start": start, "ring": ring, "points": points, "lines": lines}


FIELD = drawn(
    "Field", "e7", "d1",
    # bcdefgh
    "C..*...C",
    ".D.MS.D.",
    ".S....M.",
    ".oooooo.",
    ".M...C..",
    ".D.SM.D.",
    "C...*...",
)  # fmt: skip
"""Where most tests play; h7 is a corner that two stones, on g7 and h6, wall in."""

LADDER = drawn(
    "Ladder", "w2", "g1",
    # bcdefghijklmnopqrstuvwxyz
    "..C.D.*.M.o.o.o.S.M.C..D..",
    ".M....SC..o....o.oC.D.*.M.",
)  # fmt: skip
"""Two rails: stones soon wall knights and ring in."""

LAIRS = drawn(
    "Lairs", "i6", "d2",
    # bcdefghijkl
    "D.C.....D.C.",
    ".D.*D.D.D.D.",
    ".D.D.ooo..D.",
    ".D...oooD...",
    ".D.D..D.D.D.",
    "..D.C.D.*D..",
    ".....D....CD",
)  # fmt: skip
"""Dragons everywhere, neither magic nor sword, and more points than one number of the record has room for."""

QUARRY = drawn(
    "Quarry", "l9", "a2",
    # bcdefghijkl
    ".C.M..M...C.",
    "*..D.M..D...",
    ".M..S..S..M.",
    "..M....M....",
    "S.....oo...S",
    "..M.oooo.M..",
    ".M......M...",
    "..D.MS.....M",
    "...M....D..*",
    ".C...M....C.",
    slanting=True,
)  # fmt: skip
"""As many points as a map may have; stones come quickly."""

MAPS = (FIELD, LADDER, LAIRS, QUARRY)


@functools.cache
def random_map(seed: int) -> Data:
    """Draw a map at random, any that can be played on."""
    chance = random.Random(seed)
    while True:
        width, height = chance.choice([(8, 6), (8, 7), (9, 6), (12, 6), (10, 9), (24, 2), (16, 3)])
        signs = chance.choices(".oDMS", (70, 14, *(chance.choice([0, 4, 10]) for _ in "DMS")), k=width * height)
        for cell in chance.sample(range(width * height), 4):
            signs[cell] = "C"
        start, ring = chance.sample([cell for cell, sign in enumerate(signs) if sign == "."], 2)
        signs[start] = signs[ring] = "*"
        names = [f"{COLUMNS[cell % width]}{cell // width + 1}" for cell in range(width * height)]
        rows = ["".join(signs[row * width : (row + 1) * width]) for row in range(height)]
        whole = drawn(f"Random {seed}", names[start], names[ring], *rows, slanting=chance.random() < 0.5)
        data = whole | {"lines": [line for line in whole["lines"] if chance.random() < 0.95]}
        if not problems(data):
            return data


def interpreted(players: int, board: Data | None = FIELD, **options: str) -> Game:
    """Load the game to be played as plain Python, on a map of the tests' own; None is the default one."""
    return _opened(players, json.dumps(board), tuple(options.items()))


@functools.cache
def _opened(players: int, board: str, options: tuple[tuple[str, str], ...]) -> Game:
    """Load the game once."""
    return load_game("gran", players, board=json.loads(board), interpreted=True, **dict(options))


# --- Building ---------------------------------------------------------------------------------------------------
def situation(
    players: int = 3,
    *,
    turn: str = "lion",
    at: Mapping[str, str] | None = None,
    ring: str | None = None,
    amulets: Mapping[str, int] | None = None,
    seals: Mapping[str, str] | None = None,
    collared: str = "",
    stones: str = "",
    reserve: int | None = None,
    deck: Mapping[int, int] | None = None,
    agreed: str = "usual",
    board: Data | None = FIELD,
) -> State:
    """Lay out a position at the beginning of someone's turn.

    Who is not placed has not set out yet; `ring` names a point or its bearer. The reserve holds the stones that are
    not on the map, unless `reserve` says otherwise; `deck` says how many cards of a strength are face down, `agreed`
    how many seals win.
    """
    state = interpreted(players, board, seals=agreed).new_initial_state()
    table = state.to_plain()
    for crest, point in (at or {}).items():
        table.place[seat_of(state, crest)] = table.board.number[point]
        table.waiting &= ~(1 << seat_of(state, crest))
    if ring is not None:
        carried = ring in CRESTS
        table.ring, table.bearer = (
            (s.NOWHERE, seat_of(state, ring)) if carried else (table.board.number[ring], s.NOBODY)
        )
    for crest, count in (amulets or {}).items():
        table.amulets[seat_of(state, crest)] = count
    for crest, kingdoms in (seals or {}).items():
        table.seals[seat_of(state, crest)] = sum(1 << KINGDOM_NAMES.index(kingdom) for kingdom in kingdoms.split())
    table.collared = sum(1 << seat_of(state, crest) for crest in collared.split())
    laid = [table.board.number[name] for name in stones.split()]
    table.stones = bits(laid)
    table.reserve = s.STONES - len(laid) if reserve is None else reserve
    if deck is not None:
        table.deck = [deck.get(strength, 0) for strength in s.STRENGTHS]
    put(state, table)
    state.apply_action(seat_of(state, turn))
    return state


def bits(points: Iterable[int]) -> list[int]:
    """Write points as a set of the record."""
    words = [0] * s.WORDS
    for point in points:
        words[point // s.BITS] += 1 << point % s.BITS
    return words


def members(words: list[int]) -> list[int]:
    """Read a set of the record."""
    return [point for point in range(s.MOST_POINTS) if words[point // s.BITS] >> point % s.BITS & 1]


# --- Playing ----------------------------------------------------------------------------------------------------
def read_move(state: State, move: str) -> tuple[int, int]:
    """Read `lion: c4`, `lion: stay`, `chance: card 4`, `chance: die 3` or `chance: first lion` as seat and action."""
    crest, name = move.split(": ")
    if crest != "chance":
        return seat_of(state, crest), s.STAY if name == "stay" else state.game.board.number[name]
    what, value = name.split()
    if what == "first":
        return CHANCE, s.FIRST_PLAYER + CRESTS.index(value)
    return CHANCE, s.CARD + s.STRENGTHS.index(int(value)) if what == "card" else s.ROLL + int(value) - 1


def play(state: State, *moves: str) -> State:
    """Carry out moves, each written with who makes it."""
    for move in moves:
        seat, action = read_move(state, move)
        state.apply_action(action, seat)
    return state


def duel(state: State, strength: int, pips: int) -> State:
    """Let chance turn a dragon card and roll the die."""
    return play(state, f"chance: card {strength}", f"chance: die {pips}")


def refused(state: State, move: str) -> str:
    """Try something that is not allowed; return the rule that forbids it."""
    return refused_rule(state, *read_move(state, move))


def impossible(state: State, move: str) -> bool:
    """Let chance bring something; return whether it cannot."""
    return is_impossible(state, *read_move(state, move))


# --- Looking ----------------------------------------------------------------------------------------------------
def name_of(state: State, action: int) -> str:
    """Name a point, or `stay`."""
    return "stay" if action == s.STAY else state.game.board.points[action].name


def choices(state: State) -> set[str]:
    """Name everything that the seat to move may choose."""
    return {name_of(state, action) for action in state.legal_actions()}


def where(state: State, crest: str) -> str:
    """Name the point where a knight stands."""
    return name_of(state, state.to_plain().place[seat_of(state, crest)])


def amulets(state: State, crest: str) -> int:
    """Count a knight's amulets."""
    return state.to_plain().amulets[seat_of(state, crest)]


def ring(state: State) -> str:
    """Name the point where the ring lies, or who carries it."""
    table = state.to_plain()
    assert (table.ring == s.NOWHERE) != (table.bearer == s.NOBODY)
    return CRESTS[table.bearer] if table.ring == s.NOWHERE else name_of(state, table.ring)


def stones(state: State) -> str:
    """Name the points with stones, in the order of the map."""
    return " ".join(name_of(state, point) for point in members(state.to_plain().stones))


def seals(state: State, crest: str) -> str:
    """Name the kingdoms whose seal someone has."""
    owned = state.to_plain().seals[seat_of(state, crest)]
    return " ".join(kingdom for number, kingdom in enumerate(KINGDOM_NAMES) if owned >> number & 1)


def collared(state: State) -> str:
    """Name the knights that wear a collar."""
    return crests(state.to_plain().collared)


def waiting(state: State) -> str:
    """Name the knights that have not set out yet."""
    return crests(state.to_plain().waiting)


def crests(flags: int) -> str:
    """Name the crests of a set of seats."""
    return " ".join(crest for seat, crest in enumerate(CRESTS) if flags >> seat & 1)


# --- Games at random --------------------------------------------------------------------------------------------
TEMPERS = ("seeker", "fighter", "mason", "anything")
"""How players choose: after ring and seals, for duels and attacks, to wall everybody in, or without a thought."""


def choose(state: State, chance: random.Random, tempers: random_games.Tempers = ("anything",)) -> int:
    """Choose as one of these tempers does, now and then without a thought."""
    return random_games.by_temper(state, chance, tempers, liking)


def liking(table: PlainState, temper: str, action: int) -> float:
    """Return how much someone with this temper likes an action."""
    board, me = table.board, table.active
    point = table.place[me] if action == s.STAY else action
    others = [place for seat, place in enumerate(table.place[: table.players]) if seat != me]
    if table.phase in (s.FIRST, s.SECOND):
        if temper == "fighter" and (point in others or board.points[point].kind == s.DRAGON):
            return 1
        if temper == "mason" and board.points[point].kind in (s.MAGIC, s.SWORD):
            return 1
        return -min(distances(board)[point][goal] for goal in goals(table))
    if table.phase in (s.STONE, s.DROP) and temper == "mason":
        walled = [*others, *([table.ring] if table.ring != s.NOWHERE else [])]
        return -min(distances(board)[point][place] for place in walled)
    return 0


def goals(table: PlainState) -> list[int]:
    """Where a seeker goes: to the ring, or with it to the cities whose seals are missing."""
    if table.bearer == s.NOBODY:
        return [table.ring]
    if table.bearer != table.active:
        return [table.place[table.bearer]]
    return [
        number
        for number, point in enumerate(table.board.points)
        if point.kind == s.CITY and not table.seals[table.active] >> point.kingdom & 1
    ]


@functools.cache
def distances(board: Board) -> list[list[int]]:
    """Count the steps from every point to every other, whatever lies in between."""
    table: list[list[int]] = []
    for start in range(len(board.points)):
        far, edge = {start: 0}, [start]
        for here in edge:
            new = [point for point in board.near[here] if point not in far]
            far |= dict.fromkeys(new, far[here] + 1)
            edge += new
        table.append([far[point] for point in range(len(board.points))])
    return table


@dataclass(frozen=True)
class GameSetup:
    """A game to be played: who sits there, on which map, what they agreed on, and how they choose."""

    players: int
    board: int
    """One of the maps above, or beyond them one drawn at random."""
    seals: str
    starts: str
    seed: int
    tempers: tuple[str, ...]

    @property
    def game(self) -> Game:
        """The game with this set-up."""
        board = MAPS[self.board] if self.board < len(MAPS) else random_map(self.board)
        return interpreted(self.players, board, seals=self.seals, starts=self.starts)


def game_setup(number: int) -> GameSetup:
    """Return one of many different tables, the same at every call."""
    chance, players = random.Random(number), 3 + number % 4
    return GameSetup(
        players,
        number % (len(MAPS) + 5),
        chance.choice(["usual", "two", "three", "four"]),
        chance.choice(["lots", *(str(seat + 1) for seat in range(players))]),
        number,
        tuple(chance.choices(TEMPERS, k=3)),
    )


def played(setup: GameSetup, moves: int = 300) -> Iterator[State]:
    """Play a game, not for ever; give the state before every move and after the last."""
    return random_games.played(setup, choose, moves)


def stopped(setup: GameSetup) -> State:
    """Play a game up to a random move."""
    return random_games.stopped(setup, choose)
