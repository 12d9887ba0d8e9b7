"""Everything a game may offer, module by module; `dracotheque check NAME` says in sentences what is missing or wrong.

A game is a Python package with `GAME = GameDefinition(...)` in its `__init__.py`, a module `rules`, a folder
`rulebook`, and any of the modules below, each with its fixed name. A module may leave out what
has a default here, and all modules but `rules` may be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text as StyledText

    from dracotheque.bots.default_bots import AnalysisBudget, ExactSetup, ExactValues, MakeBot, Training
    from dracotheque.bots.search_params import SearchParams
    from dracotheque.engine.game import Game
    from dracotheque.engine.jit.workspace import PythonWorkspace
    from dracotheque.engine.phrases import Catalog, GameEvent, Phrase
    from dracotheque.engine.plain_state import PlainState
    from dracotheque.engine.rng import RandomSource
    from dracotheque.engine.state import State
    from dracotheque.presentation.log_lines import LogLine
    from dracotheque.presentation.pieces import Holding, Piece
    from dracotheque.presentation.score_rows import ScoreRow

    Out = MutableSequence[int]
    Stream = MutableSequence[int]


class Rules(Protocol):
    """`rules`: plain functions over one record, each marked `@rule(…)` or `@compiled`; `game` is the record."""

    State: np.dtype[np.void]
    """The record: whole numbers only. It has the fields `players`, `to_move` (signed), one for each option, and `ended`
    (an index of ENDINGS) where there are several endings."""
    VERSION: int
    """Raised when a stored game would end otherwise."""
    ACTIONS: int
    """Actions are 0 to ACTIONS - 1; their numbers never change their meaning within a version."""
    OUTCOMES: int
    """The same for what chance brings; 0 without chance."""
    REFUSALS: tuple[str, ...]
    """Ids of the rules that forbid actions; number 0 is "", which stands for allowed."""
    ENDINGS: tuple[str, ...]
    """Ids of the rules by which the game ends."""

    # --- Required ---------------------------------------------------------------------------------------------
    def refusal(self, game: PlainState, seat: int, action: int) -> int:
        """Return the number of the rule that forbids a seat an action, or 0."""
        ...

    def apply_action(self, game: PlainState, seat: int, action: int) -> None:
        """Carry out a legal action."""
        ...

    def scores(self, game: PlainState, out: Out) -> None:
        """Write every seat's points to `out`: 0 or more, also before the end."""
        ...

    # --- Required where something is left to chance -----------------------------------------------------------
    def chance_outcomes(self, game: PlainState, out: Out, weights: Out) -> int:
        """Write what chance may bring to `out`, in rising order, and whole weights to `weights`; return how many."""
        ...

    def apply_chance(self, game: PlainState, outcome: int) -> None:
        """Carry out what chance brought."""
        ...

    # --- Required where something is hidden -------------------------------------------------------------------
    def observe(self, game: PlainState, viewer: int) -> None:
        """Remove what a seat, or -1 for spectators, cannot know."""
        ...

    def determinize(self, game: PlainState, viewer: int, stream: Stream) -> None:
        """Fill in at random what an observation lacks."""
        ...

    def withdraw_sealed(self, game: PlainState, viewer: int) -> None:
        """Let others choose again what they have chosen in secret; what that viewer cannot know is open then."""
        ...

    # --- With defaults ----------------------------------------------------------------------------------------
    def setup(self, game: PlainState) -> None:
        """Set up a new game. Default: every field stays zero."""
        ...

    def to_move(self, game: PlainState) -> int:
        """Return whose choice it is: a seat, CHANCE, SIMULTANEOUS or TERMINAL. Default: the field `to_move`."""
        ...

    def may_act(self, game: PlainState, seat: int) -> bool:
        """Return whether a seat has a choice now. Default: the seat to move, or each that has a legal action."""
        ...

    def legal_actions(self, game: PlainState, seat: int, out: Out) -> int:
        """Write legal actions to `out`, in rising order; return how many. Default: all that are not refused."""
        ...

    def winners(self, game: PlainState, points: Out, out: Out) -> None:
        """Write 1 to `out` for each seat that shares the victory, else 0. Default: most points."""
        ...

    def ending(self, game: PlainState) -> int:
        """Return which of ENDINGS it came to. Default: the field `ended`, or the only one."""
        ...

    def sample_action(self, game: PlainState, seat: int, workspace: PythonWorkspace) -> int:
        """Draw a legal action with `workspace.stream`, each as likely. Default: from the list of all."""
        ...

    def play_chance(self, game: PlainState, workspace: PythonWorkspace) -> None:
        """Draw what chance brings with `workspace.stream`, and carry it out. Default: from the list of all."""
        ...

    def is_secret_choice(self, game: PlainState) -> bool:
        """Return whether the choice now to be made stays hidden from others. Default: where several choose at once."""
        ...

    def equivalent_action(self, game: PlainState, seat: int, action: int) -> int:
        """Return the action that differs by name alone, such as the other fist. Default: the action itself."""
        ...

    def turn_seat(self, game: PlainState) -> int:
        """Return whose turn it is, also while another seat chooses. Default: the seat to move."""
        ...

    def action_heuristic(self, game: PlainState, seat: int, action: int) -> int:
        """Return how much a good player likes a legal action, 0 to 1,000,000. Default: all alike."""
        ...

    def state_heuristic(self, game: PlainState, seat: int) -> int:
        """Return how well a seat stands, 0 to 1,000, as far as it may know. Default: its share of the scores."""
        ...

    def observation_tensor(self, game: PlainState, viewer: int, out: MutableSequence[float]) -> None:
        """Write an observation as TENSOR_SIZE numbers from 0 to 1. Default: every field by its type's range."""
        ...


class Text(Protocol):
    """`text`: a game in phrases (`phrase(key, **gaps)`), said by the catalogues in `locale/`; all of it has defaults.

    The defaults read the keys `action.NAME`, `outcome.NAME` (names: ACTION_NAMES, OUTCOME_NAMES of the rules; or
    `action.name`, `outcome.name` with `{number}`), `prompt` or `prompt.PHASE` (PHASE_NAMES), `preview.NAME`,
    `event.NAME` and `event.RULE` for endings. Gaps are the record's fields; of lists by seat, that seat's number.
    """

    EXPLAINED_RULES: tuple[str, ...]
    """Rules that hints name when they forbid something; what everybody sees needs no hint. Default: none."""

    def action(self, game: Game, seat: int, action: int) -> Phrase:
        """Name an action; no two actions of a seat have the same English name."""
        ...

    def outcome(self, game: Game, outcome: int) -> Phrase:
        """Name what chance brings."""
        ...

    def prompt(self, table: PlainState) -> GameEvent:
        """Ask what has to be decided, and say by which rule; `table` is an observation."""
        ...

    def preview(self, table: PlainState, seat: int, action: int) -> Phrase | None:
        """Say what a choice leads to, or None where its name says it all; `table` is an observation."""
        ...

    def events(self, before: PlainState, actor: int, action: int, after: PlainState) -> list[GameEvent]:
        """Tell one move to the whole table, each event with its rule; the tables have no secrets left out."""
        ...

    def score_rows(self, table: PlainState) -> list[ScoreRow]:
        """Return the score, row by row as the rulebook adds it up."""
        ...

    def board_name(self, board: object) -> Phrase:
        """Name a board."""
        ...


class LogLines(Protocol):
    """`log_lines`: what a move adds to the log in short, in phrases `log.*` of the catalogue.

    Parts of one actor are joined to a line, lines to the block of a turn. A part begins with the sign that joins it to
    the one before: `, `, `; ` or `. `.
    """

    def lines(self, before: PlainState, events: Sequence[GameEvent], after: PlainState) -> list[LogLine]:
        """Return the lines of a move; the states are what a spectator knows. Default: its sentences in one line."""
        ...


class BoardView(Protocol):
    """`board_view`: the board on the page."""

    def svg(self, board: object, words: Catalog, *, night: bool) -> str:
        """Return the empty board as one SVG, every place with its id."""
        ...

    def pieces(self, table: PlainState, viewer: int) -> Mapping[str, Piece]:
        """Return the pieces on the board by id, as one seat may see them."""
        ...

    def holdings(self, table: PlainState, viewer: int) -> list[list[Holding]]:
        """Return what is in front of each seat, as one seat may see it."""
        ...

    def standings(self, table: PlainState, viewer: int) -> list[Holding]:
        """Return the score of each seat, or what all may know of it; the default is `scores` if nothing is hidden."""
        ...

    def places(self, table: PlainState, seat: int, action: int) -> Iterable[str]:
        """Return the ids of the places that a choice is made at."""
        ...

    def onward(self, table: PlainState, seat: int, actions: Sequence[int]) -> Mapping[int, dict[str, Phrase | None]]:
        """Return by action where the same seat may go on to at once, and what that leads to; the default is nowhere."""
        ...


class TerminalView(Protocol):
    """`terminal_view`: the board as text. The default lists the fields that the catalogue names under `[field]`."""

    def board(
        self, position: PlainState, words: Catalog, width: int, marks: Mapping[int, str] | None = None, height: int = 0
    ) -> StyledText:
        """Draw the board; `marks` numbers the choices that begin at a place."""
        ...

    def caption(self, position: PlainState, words: Catalog) -> str:
        """Return what stands beside the title."""
        ...

    def place(self, position: PlainState, seat: int, action: int) -> int | None:
        """Return the place where a choice begins, if it has one."""
        ...

    def players(self, position: PlainState, words: Catalog, width: int, who: Sequence[str], viewer: int) -> Table:
        """Return what is in front of each seat."""
        ...

    def crests(self, position: PlainState, words: Catalog, seat: int) -> StyledText:
        """Draw the crests a seat leads."""
        ...

    def score(self, position: PlainState, words: Catalog, who: Sequence[str]) -> Table:
        """Return the score as a table."""
        ...

    def legend(self, words: Catalog) -> list[tuple[StyledText, str]]:
        """Explain every sign."""
        ...


class GameBots(Protocol):
    """`bots`: how bots play the game."""

    LEVELS: Mapping[str, str]
    """A bot for each level, by its name. Default: greedy:60, greedy:20, search:200, search:2000."""
    SEARCH: SearchParams
    """How a search goes about it best. Default: whole random games below its tree."""
    SEARCH_WITH_EVALUATOR: SearchParams | None
    """The same where something was learned that fits the table. Default: no other way."""
    KINDS: Mapping[str, MakeBot]
    """Kinds of bot that play this game alone, by name. Default: none; those of `dracotheque.bots` play every game."""
    EXACT_SETUP: ExactSetup | None
    """How the game must be set up for perfect play to be known. Default: it is not known."""
    ANALYSIS: AnalysisBudget
    """How many games an analysis plays on; so much that it takes a few seconds. Default: a cautious number."""
    TRAINING: Training | None
    """How the game is learned by playing it. Default: not at all."""

    def levels(self, game: Game) -> Mapping[str, str]:
        """Return how each level plays at a table. Default: LEVELS."""
        ...

    def evaluator(self, game: Game) -> np.ndarray[tuple[int], np.dtype[np.void]] | None:
        """Return what was learned or solved about a table. Default: the weights in the game's folder, if there are."""
        ...

    def exact_values(self, game: Game) -> ExactValues | None:
        """Return what knows perfect play of a table that is set up as EXACT_SETUP says. Default: None."""
        ...


class BoardFiles(Protocol):
    """`board_files`, only where the board is a TOML file: `board.toml`, and others in `boards/`."""

    def problems(self, data: Mapping[str, object]) -> list[str]:
        """Return what is wrong with a board, in sentences."""
        ...

    def Board(self, data: Mapping[str, object], source: str) -> object:  # noqa: N802 - it is a class
        """Make a board; its `write_to(record)` writes it into an empty record."""
        ...


class PhysicalChance(Protocol):
    """`physical_chance`, only where something of chance really happens: its class of this name."""

    def __init__(self, chance: RandomSource) -> None:
        """Take the chance that everything else is drawn from."""
        ...

    def outcome(self, state: State) -> int:
        """Let it happen, and return what it brought."""
        ...


MODULES: Mapping[str, type] = {
    "rules": Rules,
    "text": Text,
    "log_lines": LogLines,
    "board_view": BoardView,
    "terminal_view": TerminalView,
    "bots": GameBots,
    "board_files": BoardFiles,
    "physical_chance": PhysicalChance,
}
"""The modules that a game's package may have, by name."""

REQUIRED = ("refusal", "apply_action", "scores")
"""Functions of `rules` that every game has."""
REQUIRED_WITH_CHANCE = ("chance_outcomes", "apply_chance")
REQUIRED_WITH_SECRETS = ("observe", "determinize", "withdraw_sealed")
