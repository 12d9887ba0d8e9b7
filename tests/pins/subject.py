"""The only file of the pins that imports the library: its calls, and neutral records of what it returns.

Nothing here may pass a class, field or message name of the library on into the recorded data.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from dracotheque import Game, State, load_game
from dracotheque.bots import EvaluatingBot as Bot
from dracotheque.bots import make_bot
from dracotheque.bots.levels import bot_name
from dracotheque.bots.player_view import player_view as bot_view
from dracotheque.cli import main
from dracotheque.engine import batch_totals, log, registry
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.server.identity import TokenSigner
from dracotheque.server.openapi import document
from dracotheque.server.routes import ENDPOINTS
from dracotheque.simulation.simulate import simulate
from dracotheque.tables import events, hints, protocol
from dracotheque.tables.game_in_progress import GameInProgress, choosers
from dracotheque.tables.manager import ManagerSettings, TableManager
from dracotheque.tables.snapshot import last_moves, snapshot
from dracotheque.tables.storage.store import open_store
from dracotheque.tables.table import Table, seat_views

CHANCE, SPECTATOR = -1, -1
NOW = 1_800_000_000.0
GAMES = tuple(registry.games())

__all__ = ["CHANCE", "GAMES", "LANGUAGES", "SPECTATOR", "Bot", "Game", "State"]


# --- Games ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Setup:
    """A game with players, options and board, as on a command line."""

    game: str
    players: int
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    board: str | None = None

    def __str__(self) -> str:
        """Return the setup as one line."""
        parts = [f"{self.players} players", *(f"{name}={value}" for name, value in self.options.items())]
        return ", ".join([*parts, f"board {self.board}"] if self.board else parts)

    def load(self) -> Game:
        """Return the game with compiled rules."""
        return load_game(self.game, self.players, board=self.board, **self.options)


def player_counts(game: str) -> range:
    """Return the allowed numbers of players."""
    return range(registry.games()[game].min_players, registry.games()[game].max_players + 1)


def options(game: str) -> dict[str, tuple[str, ...]]:
    """Return every option with its values, the default first."""
    return {name: option.values for name, option in registry.games()[game].options.items()}


def action_name(game: Game, seat: int, action: int, language: str) -> str:
    """Return the name of an action of a seat, or of an outcome of chance."""
    scene = game.text
    return game.words(language).say(scene.outcome(game, action) if seat == CHANCE else scene.action(game, seat, action))


def totals_of_batch(game: Game, games: int, seed: int) -> dict[str, Any]:
    """Play a batch of random games and return its totals."""
    total, players = simulate(game, games, ["random"] * game.players, seed, threads=1).sums.tolist(), game.players
    ended = total[batch_totals.ENDED : batch_totals.ENDED + len(game.rules.ENDINGS)]
    return {
        "games": total[batch_totals.GAMES],
        "decisions": total[batch_totals.DECISIONS],
        "decisions²": total[batch_totals.DECISIONS_SQUARED],
        "wins/60": total[batch_totals.WINS : batch_totals.WINS + players],
        "scores": total[batch_totals.SCORES : batch_totals.SCORES + players],
        "scores²": total[batch_totals.SCORES_SQUARED : batch_totals.SCORES_SQUARED + players],
        "endings": dict(zip(game.rules.ENDINGS, ended, strict=True)),
    }


def asked(state: State) -> tuple[int, ...]:
    """Return the seats that have to choose now."""
    return choosers(state)


def resampled(state: State, seat: int, random: Random) -> State:
    """Return a random state of the same information set of a seat."""
    return state.resample_from_infostate(seat, random)


# --- Bots -----------------------------------------------------------------------------------------------------------
def new_bot(name: str, seed: int, game: Game) -> Bot:
    """Create a bot by its name."""
    return make_bot(name, seed, game)  # type: ignore[return-value]


def level_plays(level: str, game: Game) -> str:
    """Return the name of the bot that plays a level."""
    return bot_name(level, game)


def chosen(bot: Bot, state: State, seat: int) -> int:
    """Return the action that a bot chooses for a seat."""
    return bot.choose(bot_view(state, seat))


def valued(bot: Bot, state: State, seat: int) -> dict[int, float]:
    """Return how a bot values the actions of a seat."""
    return bot.values(bot_view(state, seat))


# --- What a viewer is sent ------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Choice:
    """An action, its name and preview, and the places on the board by which it is chosen."""

    action: int
    name: str
    preview: str
    places: list[str]


@dataclass(frozen=True)
class Event:
    """An event or a prompt: its rule, its phrase's key without the first word (`event.`), its sentence."""

    rule: str
    key: str
    text: str


@dataclass(frozen=True)
class Shown:
    """The board and the prompt of a viewpoint."""

    pieces: dict[str, str]
    holdings: list[list[str]]
    prompt: Event | None
    asked: list[int]
    secret: bool
    choices: list[Choice]


Told = tuple[int, int, list[Event], list[Event]]
GUESTS = [f"{number:032}" for number in range(6)]


class Live:
    """A game at a table and what its viewers are sent; outcomes of chance are drawn by their probability."""

    def __init__(self, setup: Setup, seed: int) -> None:
        """Open a table with a person on every seat, and start."""
        self.game, self.random = setup.load(), Random(seed)
        seats = [
            events.Seat("person", guest, name=f"Player {n + 1}") for n, guest in enumerate(GUESTS[: setup.players])
        ]
        opened = events.TableOpened(
            0.0, game=setup.game, rules=self.game.rules_version, players=setup.players, options=self.game.options,
            board=self.game.board.data if setup.board else None, board_name=setup.board or "", seats=seats,
            host=GUESTS[0], commitment="0" * 64,
        )  # fmt: skip
        started = events.Started(0.0, seats=seats, client_seed="", chance=self._chance(self.game.new_initial_state()))
        self.table = Table("pinned", bytes(32)).apply(opened).apply(started)

    def _chance(self, state: State) -> list[int]:
        """Draw outcomes and apply them until a seat is asked; return them."""
        brought: list[int] = []
        while state.is_chance_node():
            brought.append(state.sample_chance(self.random))
            state.apply_action(brought[-1])
        return brought

    @property
    def _play(self) -> GameInProgress:
        """The game in progress."""
        assert self.table.play
        return self.table.play

    @property
    def state(self) -> State:
        """The position."""
        return self._play.state

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that have to choose."""
        return self.table.asked

    def choose(self, seat: int, action: int) -> list[tuple[int, int]]:
        """Apply an action of a seat; return the move and the moves of chance that follow."""
        chance = self._chance(self.state.child(action, seat))
        self.table = self.table.apply(events.ActionTaken(0.0, seat=seat, action=action, chance=chance))
        return [(seat, action), *((CHANCE, outcome) for outcome in chance)]

    def tell(self, seat: int, action: int) -> list[Told]:
        """Apply an action of a seat; return player, action, events and redacted events of each move."""
        moves = self.choose(seat, action)
        redact = getattr(self.game.text, "redact", lambda event: event)
        return [
            (
                *move,
                [self.event(each, "en") for each in record.events],
                [self.event(redact(each), "en") for each in record.events],
            )
            for move, record in zip(moves, last_moves(self.table), strict=True)
        ]

    def event(self, event: Any, language: str) -> Event:
        """Return the neutral record of an event or a prompt."""
        return Event(event.rule, event.phrase.key.partition(".")[2], self.say(event.phrase, language))

    def say(self, phrase: Any, language: str) -> str:
        """Return the sentence of a phrase, empty where there is none."""
        return self.game.words(language).say(phrase) if phrase is not None else ""

    def shown(self, viewpoint: int, language: str) -> Shown:
        """Return the board, the prompt and the choices that a viewpoint is sent."""
        guest = GUESTS[viewpoint] if viewpoint >= 0 else ""
        sent = snapshot(self.table, viewpoint, seat_views(self.table, guest), host=False)
        assert sent.viewpoint == viewpoint
        board, asking = sent.board, sent.prompt
        assert board
        choices = [
            Choice(each.action, self.say(each.name, language), self.say(each.preview, language), each.places)
            for each in (asking.choices if asking else [])
        ]
        return Shown(
            {name: self._piece(piece, language) for name, piece in board.pieces.items()},
            [[self._holding(each, language) for each in before] for before in board.holdings],
            self.event(asking, language) if asking else None,
            asking.seats if asking else [],
            asking.secret if asking else False,
            choices,
        )

    def _piece(self, piece: Any, language: str) -> str:
        """Return a piece as text."""
        facts = {"seat": (piece.seat, -1), "value": (piece.value, 0), "turn": (piece.turn, 0)}
        more = [f"{name} {value}" for name, (value, usual) in facts.items() if value != usual]
        return "; ".join([f"{piece.kind} at {piece.place}", *more, self.say(piece.label, language)])

    def _holding(self, held: Any, language: str) -> str:
        """Return a holding of a seat as text."""
        worth = "" if held.value is None else f" worth {held.value}"
        return f"{held.count} × {held.kind}{worth}; {self.say(held.label, language)}"

    def hints(self, seat: int) -> list[str]:
        """Return the hints for a seat, a line each."""
        hint = hints.hints(self.state, seat, advised=True)
        blocked = [
            f"{each.rule}: {' | '.join(self.say(choice, 'en') for choice in each.choices)} and {each.more} more"
            for each in hint.blocked
        ]
        return [*blocked, f"promising: {hint.promising} at {hint.places}"]

    def result(self) -> list[str]:
        """Return the result and the rows of the score sheet, a line each."""
        result = self.table.result()
        assert result
        rows = [
            f"{row.kind} {row.rule}: {self.say(row.phrase, 'en')} {row.counts}"
            for row in self.game.text.score_rows(self.state.to_plain())
        ]
        return [f"{result.ending}: scores {result.scores}, winners {result.winners}", *rows]


# --- The server's own description -----------------------------------------------------------------------------------
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document."""
    return document(ENDPOINTS)


# --- What is stored -------------------------------------------------------------------------------------------------
def tokens(secret: bytes) -> dict[str, str]:
    """Return a signed cookie, an invitation and a key to another device."""
    seals = TokenSigner(secret)
    return {
        "cookie": seals.cookie(GUESTS[1]),
        "invitation": seals.invitation("pinned", 2),
        "key": seals.key(GUESTS[1]),
    }


def rewritten_log(text: str) -> str:
    """Read the log of a game and write it again."""
    return log.loads(text).dumps()


def export_tables(url: str, file: Path) -> None:
    """Export a database with the command."""
    main(["export", str(file), "--database", url])


def import_tables(url: str, file: Path) -> None:
    """Import a file into a database with the command."""
    main(["import", str(file), "--database", url])


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Tables]:
    """Open a database; nothing happens at its tables by itself."""
    store = open_store(url)
    await store.start()
    manager = TableManager(store, ManagerSettings(), lambda: NOW)
    try:
        yield Tables(manager)
    finally:
        await manager.stop()
        await store.close()


class Tables:
    """The tables of a database, as a server keeps them."""

    def __init__(self, manager: TableManager) -> None:
        """Take the manager of the tables."""
        self._manager = manager

    async def _table(self, table: str) -> Table:
        """Return a table as its stored events make it."""
        return (await self._manager.live_table(table)).table

    async def status(self, table: str) -> str:
        """Return the status of a table."""
        return (await self._table(table)).status

    async def described(self, table: str) -> Iterator[str]:
        """Return everything that follows from the events of a table, a line each."""
        found = await self._table(table)
        opened, play = found.opened, found.play
        say = found.game.words("en").say
        facts: dict[str, Any] = {
            "game": f"{opened.game}, rules {opened.rules}, {opened.players} players, {found.game.options}",
            "board": opened.board_name,
            "opened": f"listed {opened.listed}, turn timeout {opened.turn_timeout}, host {opened.host}",
            "commitment": opened.commitment,
            "now": f"{found.status}, {found.revision} events, {found.moves} moves, asked {found.asked}",
            "client seed": found.client_seed,
        }
        for number, seat in enumerate(found.seats):
            facts[f"seat {number}"] = (
                f"{seat.kind} {seat.guest} {seat.name!r} {seat.level!r} {seat.client_seed!r} {seat.substitute!r} "
                f"ready {seat.ready} link {seat.by_link}"
            )
        for line in found.chat:
            facts[f"chat {line.revision}"] = f"{line.seat} {line.text}"
        if play:
            turns = [(turn.seat, turn.first, turn.chance, turn.at, turn.by_bot) for turn in play.turns]
            facts["played"] = play.state.serialize()
            facts["turns"] = turns
            facts["asked after"] = dict(sorted(play.asked_at.items()))
            asking = snapshot(found, SPECTATOR, [], host=False).prompt
            facts["prompt"] = f"{asking.rule} {say(asking.phrase)}" if asking else None
        if result := found.result():
            facts["result"] = f"{result.ending} {result.scores} {result.winners} {result.resigned}"
        facts["rematch"] = found.rematch
        return (f"{name}: {fact}" for name, fact in facts.items())

    async def log(self, table: str) -> str:
        """Return the log of a finished game."""
        return (await self._table(table)).log().dumps()

    async def play_on(self, table: str, choices: int, random: Random) -> None:
        """Make a number of random choices, fewer where the game ends before, and send a line of chat."""
        for _ in range(choices):
            found = await self._table(table)
            if found.status != "playing":
                break
            seat = random.choice(found.asked)
            assert found.play
            action = random.choice(found.play.state.legal_actions(seat))
            move = protocol.Move(seat=seat, prompt_id=found.play.asked_at[seat], action=action)
            await self._manager.do(table, found.seats[seat].guest, move)
        found = await self._table(table)
        await self._manager.do(table, found.seats[0].guest, protocol.SendChat(seat=0, text="Well played."))


EVENT_KINDS = {kind.__struct_config__.tag for kind in events.AnyEvent.__args__}
"""The tags of all stored events."""


def event_kind(event: bytes) -> str:
    """Return the tag of a stored event, after checking that it is written as it was read."""
    read = events.read(event)
    assert events.write(read) == event
    return msgspec.json.decode(event)["is"]
