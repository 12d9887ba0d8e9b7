"""Each pin as lines of text, made from what the library does now."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.pins import stored, subject
from tests.pins.subject import CHANCE, GAMES, LANGUAGES, SPECTATOR, Setup

Lines = Iterator[str]

OTHER_BOARDS = {"dragons-cave": "small", "gran": "small"}
MOST_OPTIONS = {
    "emerald": {"second_move": "compulsory", "gold": "open", "starts": "2"},
    "dragons-cave": {"chests": "open", "first_dragon": "2"},
    "gran": {"seals": "two", "starts": "2"},
    "save-the-dragon": {"youngest": "everybody", "starts": "2"},
}
"""For every game a value of each option that is not the default."""


def digest(*values: object) -> str:
    """Return a short hash of values."""
    return sha256(repr(values).encode()).hexdigest()[:16]


def setups(game: str) -> list[Setup]:
    """Return every number of players, each other value of an option (of numbered ones the first), another board."""
    counts = subject.player_counts(game)
    usual = min(max(3, counts[0]), counts[-1])
    options = [
        (name, value)
        for name, values in subject.options(game).items()
        for value in values[1:]
        if not value.isdecimal() or value == "1"
    ]
    boards = [OTHER_BOARDS[game]] if game in OTHER_BOARDS else []
    return [
        *(Setup(game, players) for players in counts),
        *(Setup(game, usual, {name: value}) for name, value in options),
        *(Setup(game, usual, MOST_OPTIONS[game], board) for board in boards),
    ]


# --- Names ----------------------------------------------------------------------------------------------------------
def names(game: str) -> Lines:
    """Actions and outcomes in four languages; those of a seat only where they differ from those of seat 0."""
    boards = [OTHER_BOARDS[game]] if game in OTHER_BOARDS else []
    usual: dict[tuple[int, int], str] = {}
    for setup in [*(Setup(game, players) for players in subject.player_counts(game)), *(
        Setup(game, subject.player_counts(game)[-1], board=board) for board in boards
    )]:  # fmt: skip
        loaded = setup.load()
        yield f"== {setup}"
        for seat in (CHANCE, *range(setup.players)):
            count = loaded.max_chance_outcomes() if seat == CHANCE else loaded.num_distinct_actions()
            for action in range(count):
                said = " | ".join(subject.action_name(loaded, seat, action, each) for each in LANGUAGES)
                if said != usual.setdefault((min(seat, 0), action), said):
                    yield f"seat {seat} {action}: {said}"
                elif setup.players == subject.player_counts(game)[0] and seat < 1:
                    yield f"{'outcome' if seat == CHANCE else 'action'} {action}: {said}"


# --- Random games ---------------------------------------------------------------------------------------------------
SINGLE, SEED = 6, 20260101
BATCH = {game: 2_000 if game == "gran" else 10_000 for game in GAMES}
"""Games played in one go: Gran's are ten times as long."""


def sums(game: str) -> Lines:
    """Random games of every setup: totals of a batch, and some games move by move."""
    for setup in setups(game):
        loaded = setup.load()
        yield f"== {setup}"
        for name, value in subject.totals_of_batch(loaded, BATCH[game], SEED).items():
            yield f"{name} {value}"
        for number in range(SINGLE):
            yield single_game(loaded, number)


def single_game(game: subject.Game, number: int) -> str:
    """Play a game move by move; return its result and hashes of its moves and observations."""
    state, random = game.new_initial_state(), Random(number)
    seen: list[object] = []
    while not state.is_terminal():
        if state.is_chance_node():
            if state.move_number() % 16 == 0:
                seen.append(state.chance_outcomes())
            state.apply_action(state.sample_chance(random))
            continue
        for seat in subject.asked(state):
            if state.move_number() % 32 == 0:
                sampled = subject.resampled(state, seat, random)
                seen += [sampled.observation_tensor(each).tobytes() for each in (seat, SPECTATOR)]
            state.apply_action(random.choice(state.legal_actions(seat)), seat)
    played, scores = state.full_history(), state.scores()
    return (
        f"game {number}: {len(played)} moves {digest(played)}, {scores} won by {state.winners()} ({state.ending()}), "
        f"seen {digest(seen)}"
    )


# --- Choices of bots ------------------------------------------------------------------------------------------------
class Think(NamedTuple):
    """A bot, the positions at which it chooses, and how many choices of a seat are between two of them."""

    setup: Setup
    bot: str
    times: int = 24
    apart: int = 3


THINKING = {
    "emerald": [
        Think(Setup("emerald", 3), "greedy", 30),
        Think(Setup("emerald", 5, MOST_OPTIONS["emerald"]), "hatchling", 30),
        Think(Setup("emerald", 4), "squire", 30),
        Think(Setup("emerald", 2), "search:300"),
        Think(Setup("emerald", 3), "search:300"),
        Think(Setup("emerald", 3), "search:200:explore=0.5:wide=1:advice=70", 12),
    ],
    "dragons-cave": [
        Think(Setup("dragons-cave", 3), "greedy", 30),
        Think(Setup("dragons-cave", 4, MOST_OPTIONS["dragons-cave"]), "hatchling", 30),
        Think(Setup("dragons-cave", 2, board="small"), "squire", 30),
        Think(Setup("dragons-cave", 3), "search:300"),
        Think(Setup("dragons-cave", 2), "search:200:depth=20:advice=50:trust=0.5", 12),
        Think(Setup("dragons-cave", 2), "mixer:60"),
        Think(Setup("dragons-cave", 2), "dragon", 24, 1),
    ],
    "gran": [
        Think(Setup("gran", 3), "greedy", 30),
        Think(Setup("gran", 6, MOST_OPTIONS["gran"]), "hatchling", 30),
        Think(Setup("gran", 4, board="small"), "squire", 30),
        Think(Setup("gran", 3), "search:150"),
        Think(Setup("gran", 4), "search:150", 12),
        Think(Setup("gran", 3), "search:100:explore=0.15:depth=10:advice=30:learned=0", 12),
    ],
    "save-the-dragon": [
        Think(Setup("save-the-dragon", 3), "greedy", 30),
        Think(Setup("save-the-dragon", 4, MOST_OPTIONS["save-the-dragon"]), "hatchling", 30),
        Think(Setup("save-the-dragon", 2), "knight", 30),
        Think(Setup("save-the-dragon", 2), "search:300"),
        Think(Setup("save-the-dragon", 4), "search:300"),
        Think(Setup("save-the-dragon", 2), "oracle", 30),
    ],
}


def choices(game: str) -> Lines:
    """Choices and values of bots in random games, from fixed seeds and with fixed numbers of simulations."""
    for level in ("hatchling", "squire", "knight", "dragon"):
        for setup in (Setup(game, players) for players in subject.player_counts(game)):
            kind, budget, *_ = [*subject.level_plays(level, setup.load()).split(":"), ""]
            yield f"{level}, {setup}: {kind} {budget}"
    for number, think in enumerate(THINKING[game]):
        yield f"== {think.bot}, {think.setup}"
        yield from thoughts(think, number)


def thoughts(think: Think, seed: int) -> Lines:
    """Let one bot choose at positions of random games; it keeps its search tree from one to the next."""
    game, random, left = think.setup.load(), Random(seed), think.times
    bot = subject.new_bot(think.bot, seed, game)
    while left:
        state, met = game.new_initial_state(), 0
        while left and not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.sample_chance(random))
                continue
            seat = random.choice(subject.asked(state))
            legal = state.legal_actions(seat)
            if len(legal) > 1:
                met += 1
                if met % think.apart == 0:
                    left -= 1
                    chosen = thought(bot, state, seat, with_values=left % 4 == 0)
                    yield f"move {state.move_number()} seat {seat}: {chosen}"
            state.apply_action(random.choice(legal), seat)


def thought(bot: subject.Bot, state: subject.State, seat: int, *, with_values: bool) -> str:
    """Return a bot's choice, on request with the five highest values."""
    said = str(subject.chosen(bot, state, seat))
    if with_values:
        values = subject.valued(bot, state, seat)
        best = sorted(values.items(), key=lambda each: (-round(each[1], 3), each[0]))[:5]
        said += " of " + ", ".join(f"{action}: {value:.3f}" for action, value in best)
    return said


# --- Boards, prompts and events -------------------------------------------------------------------------------------
TURNS, LAST = 60, 5

TABLES = {
    game: [Setup(game, 3), Setup(game, subject.player_counts(game)[-1], MOST_OPTIONS[game], OTHER_BOARDS.get(game))]
    for game in GAMES
}


def board(game: str) -> Lines:
    """What every viewpoint is sent at the first and last choices of a game, each in another language."""
    for seed, setup in enumerate(TABLES[game]):
        yield f"== {setup}"
        yield from shown_game(setup, seed, TURNS if seed == 0 else TURNS // 3)


def shown_game(setup: Setup, seed: int, turns: int) -> Lines:
    """Record the first and the last choices of a random game, and its result."""
    live, random, course = subject.Live(setup, seed), Random(seed), list[tuple[int, int]]()
    while asked := live.asked:
        seat = random.choice(asked)
        course.append((seat, random.choice(live.state.legal_actions(seat))))
        live.choose(*course[-1])
    live, known = subject.Live(setup, seed), dict[str, str]()
    yield from differences(live, known)
    for number, (seat, action) in enumerate(course, 1):
        if turns < number <= len(course) - LAST:
            live.choose(seat, action)
            continue
        if number % 10 == 1:
            yield from (f"hint for {each}: {hint}" for each in live.asked for hint in live.hints(each))
        yield f"-- choice {number}"
        yield from told(live, live.tell(seat, action))
        yield from differences(live, known)
    yield from live.result()


def told(live: subject.Live, moves: list[subject.Told]) -> Lines:
    """The events of moves, and their redacted form where that differs."""
    for player, action, now, later in moves:
        yield f"move of {player}: {action} {subject.action_name(live.game, player, action, 'en')}"
        for event, again in zip(now, later, strict=True):
            yield f"  {event.rule} ({event.key}): {event.text}"
            if again != event:
                yield f"  later {again.rule} ({again.key}): {again.text}"


def differences(live: subject.Live, known: dict[str, str]) -> Lines:
    """What has changed on the board of every viewpoint, its prompt and its choices."""
    for viewpoint in (*range(live.game.players), SPECTATOR):
        shown = live.shown(viewpoint, LANGUAGES[viewpoint % len(LANGUAGES)])
        whose = "spectator" if viewpoint == SPECTATOR else f"seat {viewpoint}"
        now = {f"{whose} piece {name}": piece for name, piece in shown.pieces.items()}
        now |= {f"{whose} before {seat}": " + ".join(held) for seat, held in enumerate(shown.holdings)}
        gone = [name for name in known if name.startswith(f"{whose} ") and name not in now]
        for name in gone:
            del known[name]
            yield f"{name}: gone"
        for name, fact in now.items():
            if known.get(name) != fact:
                known[name] = fact
                yield f"{name}: {fact}"
        if prompt := shown.prompt:
            to = f"{shown.asked}{', in secret' if shown.secret else ''}"
            yield f"{whose} prompt {prompt.rule} ({prompt.key}) to {to}: {prompt.text}"
        for choice in shown.choices:
            yield f"  {choice.action} {' > '.join(choice.places)}: {choice.name} – {choice.preview}"


# --- What is stored -------------------------------------------------------------------------------------------------
def tables() -> Lines:
    """What the stored tables are, before and after they are played on."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        stored.fill_sqlite(path)
        yield from asyncio.run(stored.described(str(path)))


def tokens() -> Lines:
    """Cookie, invitation and key, signed with a fixed secret."""
    for name, value in subject.tokens(bytes(range(32))).items():
        yield f"{name} {value}"


# --- Documents ------------------------------------------------------------------------------------------------------
def openapi() -> Lines:
    """The OpenAPI document."""
    yield from json.dumps(subject.openapi(), ensure_ascii=False, indent=1).splitlines()


PINS: dict[str, Callable[[], Lines]] = {
    **{f"names-{game}": partial(names, game) for game in GAMES},
    **{f"sums-{game}": partial(sums, game) for game in GAMES},
    **{f"choices-{game}": partial(choices, game) for game in GAMES},
    **{f"board-{game}": partial(board, game) for game in GAMES},
    "openapi": openapi,
    "tables": tables,
    "tokens": tokens,
}
