"""The games for Gymnasium: one seat against bots; importing this registers `dracotheque/NAME-v0` for each game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dracotheque.adapters import RENDER_MODES, ChanceFreeGame, check_render_mode, missing
from dracotheque.bots import Bot, make_bot
from dracotheque.bots.player_view import player_view
from dracotheque.engine import registry
from dracotheque.engine.board_files import Source
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.registry import load_game

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise missing("Gymnasium", "gymnasium") from error

ILLEGAL_REWARD = -1.0

Numbers = NDArray[np.float32]


class SingleSeatEnv(gymnasium.Env[Numbers, np.int64]):
    """One seat of a game; bots play the others."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        name: str,
        players: int | None = None,
        *,
        seat: int = 0,
        bots: str | Sequence[str] = "random",
        board: Source | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Load a game; `bots` names one kind for all other seats, or a kind for each, in the order of seats."""
        self.game = load_game(name, players, board=board, **options)
        self.render_mode = check_render_mode(render_mode)
        if not 0 <= seat < self.game.players:
            raise DracothequeError(f"There is no seat {seat}: seats are 0 to {self.game.players - 1}.")
        self.seat = seat
        self.bot_names = self._named(bots)
        self.observation_space = spaces.Box(0, 1, (self.game.observation_tensor_size(),), np.float32)
        self.action_space = spaces.Discrete(self.game.num_distinct_actions())
        self._table: ChanceFreeGame | None = None
        self._bots: dict[int, Bot] = {}

    def _named(self, bots: str | Sequence[str]) -> dict[int, str]:
        """Return the names of the bots of all other seats, after a check that there are such bots."""
        others = [seat for seat in range(self.game.players) if seat != self.seat]
        names = [bots] * len(others) if isinstance(bots, str) else list(bots)
        if len(names) != len(others):
            raise DracothequeError(f"{len(others)} bots are needed, one for each other seat, not {len(names)}.")
        for name in set(names):
            make_bot(name, 0, self.game)
        return dict(zip(others, names, strict=True))

    @property
    def table(self) -> ChanceFreeGame:
        """The game being played."""
        if self._table is None:
            raise DracothequeError("No game has begun: call reset() first.")
        return self._table

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Start a game and advance to the seat's first choice; chance and bots are drawn from the seed."""
        super().reset(seed=seed)
        seeds = [int(number) for number in self.np_random.integers(1 << 62, size=self.game.players + 1)]
        self._bots = {other: make_bot(name, seeds[other], self.game) for other, name in self.bot_names.items()}
        self._table = ChanceFreeGame(self.game, Random(seeds[-1]))
        self._advance()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Apply the seat's action and advance to its next choice; an illegal action loses the game."""
        if action not in self.table.legal(self.seat):
            illegal = {"illegal": self.table.reason(self.seat, action)}
            return self._observation(), ILLEGAL_REWARD, True, False, self._info() | illegal
        self.table.choose({**self._bot_actions(), self.seat: action})
        self._advance()
        state = self.table.state
        return self._observation(), state.returns()[self.seat], state.is_terminal(), False, self._info()

    def _advance(self) -> None:
        """Let the bots play until the seat has to choose or the game is over."""
        while (asked := self.table.asked()) and self.seat not in asked:
            self.table.choose(self._bot_actions())

    def _bot_actions(self) -> dict[int, int]:
        """Return the actions of the bots that have to choose now; simultaneous ones see the same state."""
        state = self.table.state
        return {
            other: self._bots[other].choose(player_view(state, other))
            for other in self.table.asked()
            if other != self.seat
        }

    def _observation(self) -> Numbers:
        """Return the observation tensor of the seat."""
        return self.table.state.observation_tensor(self.seat)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return whether each action is legal, as learners with action masks call it."""
        return self.table.mask(self.seat, self.game.num_distinct_actions()).astype(bool)

    def _info(self) -> dict[str, Any]:
        """Return the legal actions and the current scores."""
        mask = self.table.mask(self.seat, self.game.num_distinct_actions())
        return {"action_mask": mask, "scores": self.table.state.scores()}

    def render(self) -> str | None:
        """Render the game as the seat sees it."""
        return self.table.show(self.render_mode, self.seat)


for _name in registry.games():
    gymnasium.register(f"dracotheque/{_name}-v0", entry_point=f"{__name__}:SingleSeatEnv", kwargs={"name": _name})

__all__ = ["SingleSeatEnv"]
