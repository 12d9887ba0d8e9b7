"""The log of a game: a small JSON file with every move, chance included, that can be replayed without any dice.

`docs/reference/log-format.md` describes it. Every move has a check, so that the move at which a file was
damaged or altered is known. The dice record of a table (`FairnessRecord`) is checked by `tables/fairness.py`.
"""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.atomic_write import atomic_write
from dracotheque.engine.game import Game
from dracotheque.engine.state import State

FORMAT, FORMAT_VERSION = "dracotheque-game", 1
_STORED_NAMES = {"table": "table", "commitment": "commit", "client_seeds": "luck", "seed": "seed"}
"""The keys of “dice” in a log, by the fields of `FairnessRecord`; stored names never change."""

_PATTERNS = {
    "table": "[A-Za-z0-9._~-]{1,64}",
    "commitment": "[0-9a-f]{64}",
    "client_seeds": "[A-Za-z0-9/-]{0,400}",
    "seed": "[0-9a-f]{64}",
}


class CorruptLogError(DracothequeError):
    """A log that cannot be trusted; `move` is the number of the move where it fails, 0 for the head."""

    def __init__(self, text: str, move: int = 0) -> None:
        """Keep the move's number beside the explanation."""
        super().__init__(text)
        self.move = move


@dataclass(frozen=True)
class FairnessRecord:
    """A table's commitment to its dice, and after the game the seed that they came from."""

    table: str
    commitment: str
    """SHA-256 of the seed, published before the first seat was taken."""

    client_seeds: str
    """The client seeds of the seats, joined with “/”."""

    seed: str | None = None
    """In hexadecimal digits; None while the game goes on."""

    def __post_init__(self) -> None:
        """Refuse what does not have the right form."""
        for name, pattern in _PATTERNS.items():
            value: Any = getattr(self, name)
            if value is None and name == "seed":
                continue
            if not isinstance(value, str) or not re.fullmatch(pattern, value):
                stored = _STORED_NAMES[name]
                raise CorruptLogError(f"“{stored}” in “dice” should be written as {pattern}, not {value!r}.")


@dataclass
class GameLog:
    """A game as it is stored."""

    game: Game
    seats: list[str]
    moves: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    dice: FairnessRecord | None = None

    @classmethod
    def of(cls, state: State, seats: list[str] | None = None, dice: FairnessRecord | None = None) -> GameLog:
        """Return the log of a state."""
        names = seats or [f"seat {seat + 1}" for seat in range(state.game.players)]
        return cls(state.game, names, state.full_history(), dice)

    def play(self) -> State:
        """Play all moves again."""
        state = self.game.new_initial_state()
        for number, (player, action) in enumerate(self.moves, 1):
            try:
                state.apply_action(action, player)
            except DracothequeError as error:
                raise CorruptLogError(f"Move {number} cannot have been played. {error}", number) from error
        return state

    def dumps(self) -> str:
        """Write the log as JSON."""
        head = _head(self.game)
        state = self.play()
        document = {
            **head,
            "seats": self.seats,
            "moves": _checked_moves(head, self.moves),
            "result": _result(state),
        }
        if self.dice:
            document["dice"] = {_STORED_NAMES[name]: value for name, value in asdict(self.dice).items()}
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"

    def save(self, path: Path) -> None:
        """Write the log to a file, whole or not at all."""
        with atomic_write(path) as partial:
            partial.write_text(self.dumps(), "utf-8")


def _head(game: Game) -> dict[str, Any]:
    """Return what is known before the first move; a board that is not the default one is written in full."""
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "game": game.name,
        "rules": game.rules_version,
        "players": game.players,
        "options": game.options,
    }
    if game.board and game.board.source:
        head["board"] = game.board.data
    return head


def _result(state: State) -> dict[str, Any] | None:
    """Return the result of a game, or None before its end."""
    if not state.is_terminal():
        return None
    return {"ending": state.ending(), "scores": state.scores(), "winners": state.winners()}


def _checked_moves(head: dict[str, Any], moves: list[tuple[int, int]]) -> list[str]:
    """Write moves as `player:action:check`; each check depends on the head and on every move before."""
    written: list[str] = []
    check = zlib.crc32(json.dumps(head, sort_keys=True).encode())
    for player, action in moves:
        move = f"{player}:{action}"
        check = zlib.crc32(move.encode(), check)
        written.append(f"{move}:{check & 0xFFFF:04x}")
    return written


def loads(text: str) -> GameLog:
    """Read a log and replay it; `CorruptLogError` says at which move it fails and why."""
    document = _parsed(text)
    game = _game(document)
    seats: Any = document.get("seats")
    if not _are_names(seats) or len(seats) != game.players:
        raise CorruptLogError(f"“seats” should name {game.players} players, in printable letters.")
    written = document.get("moves")
    if not isinstance(written, list):
        raise CorruptLogError("“moves” should be a list.")
    moves = [_move(move, number) for number, move in enumerate(written, 1)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    expected = _checked_moves(_head(game), moves)
    log = GameLog(game, list(seats), moves, _dice(document.get("dice")))
    wrong = next((n for n, (a, b) in enumerate(zip(written, expected, strict=True), 1) if a != b), None)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if wrong is not None:
        _explain_wrong_check(log, wrong)
    state = log.play()
    if document.get("result") != _result(state):
        raise CorruptLogError(
            f"The result in the file is {document.get('result')}, but its moves lead to {_result(state)}:"
            " moves are missing at the end, or the result was changed.",
            len(moves),
        )
    return log


def _dice(written: Any) -> FairnessRecord | None:
    """Read the dice record, if there is one."""
    if written is None:
        return None
    if not isinstance(written, dict) or not {*written} <= {*_STORED_NAMES.values()}:  # pyright: ignore[reportUnknownArgumentType]
        raise CorruptLogError(f"“dice” should be a table of {', '.join(_STORED_NAMES.values())}.")
    missing = [name for name in _STORED_NAMES.values() if name != "seed" and name not in written]
    if missing:
        raise CorruptLogError(f"“dice” lacks {', '.join(missing)}.")
    fields: dict[str, Any] = {name: written.get(stored) for name, stored in _STORED_NAMES.items()}  # pyright: ignore[reportUnknownMemberType]
    return FairnessRecord(**fields)


def _are_names(seats: Any) -> bool:
    """Return whether this is a list of names that a terminal can show safely."""
    return isinstance(seats, list) and all(isinstance(s, str) and s.isprintable() for s in seats)  # pyright: ignore[reportUnknownVariableType]


def load(path: Path) -> GameLog:
    """Read a log from a file."""
    return loads(_read(path))


def game_named_in(path: Path) -> str:
    """Return which game a log is of, without playing it."""
    return str(_parsed(_read(path)).get("game"))


def _read(path: Path) -> str:
    """Read the text of a log."""
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise DracothequeError(f"There is no file {path}.") from None
    except (UnicodeDecodeError, OSError) as error:
        raise CorruptLogError(f"{path} cannot be read as a game: {error}") from error


def _parsed(text: str) -> dict[str, Any]:
    """Read the JSON and see that it is a log of ours."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:  # damaged, a number of a thousand digits, or nested without end
        raise CorruptLogError(f"This is not a whole JSON file: {error}.") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:  # pyright: ignore[reportUnknownMemberType]
        raise CorruptLogError(f"This is not the log of a game: its “format” is not {FORMAT!r}.")
    if document.get("version") != FORMAT_VERSION:  # pyright: ignore[reportUnknownMemberType]
        raise CorruptLogError(f"This log has version {document.get('version')}; this library reads {FORMAT_VERSION}.")  # pyright: ignore[reportUnknownMemberType]
    return document  # pyright: ignore[reportUnknownVariableType]


def _game(document: dict[str, Any]) -> Game:
    """Load the game that the log names."""
    from dracotheque.engine.registry import find_game

    players: Any = document.get("players")
    options: Any = document.get("options")
    board: Any = document.get("board")
    if not isinstance(players, int) or not isinstance(options, dict):
        raise CorruptLogError("“players” should be a number and “options” a table.")
    rules: Any = document.get("rules")
    if not isinstance(rules, int):
        raise CorruptLogError("“rules” should be a number.")
    if not (board is None or isinstance(board, dict)):
        raise CorruptLogError("“board” should be a table.")
    try:
        game = Game(find_game(str(document.get("game"))), players, options, board=board, version=rules)  # pyright: ignore[reportUnknownArgumentType]
    except DracothequeError as error:
        raise CorruptLogError(str(error)) from error
    return game


def _move(written: object, number: int) -> tuple[int, int]:
    """Read one move."""
    try:
        player, action, _check = str(written).split(":")
        return int(player), int(action)
    except ValueError:
        raise CorruptLogError(f"Move {number} is written {written!r}, not as player:action:check.", number) from None


def _explain_wrong_check(log: GameLog, wrong: int) -> None:
    """Say what is wrong with the first move whose check fails: impossible, or possible but not the one played."""
    state = GameLog(log.game, log.seats, log.moves[: wrong - 1]).play()
    player, action = log.moves[wrong - 1]
    try:
        state.apply_action(action, player)
    except DracothequeError as error:
        raise CorruptLogError(f"Move {wrong} was changed, and cannot be played. {error}", wrong) from error
    where = "the head of the file or this move" if wrong == 1 else "this move"
    raise CorruptLogError(f"Move {wrong} does not fit its check: {where} was changed after the game.", wrong)
