"""The bot that takes the action with the best heuristic, without looking ahead."""

from __future__ import annotations

from random import Random

from dracotheque.bots.player_view import PlayerView
from dracotheque.engine.jit import precompile
from dracotheque.engine.search_operations import CERTAIN


class GreedyBot:
    """Takes the action with the best heuristic, of equal ones any."""

    def __init__(self, seed: int, overlooks: float = 0.0) -> None:
        """Seed the random numbers; `overlooks` is the share of actions that it ignores, drawn for each choice."""
        self.random, self.overlooks = Random(seed), overlooks

    def choose(self, view: PlayerView) -> int:
        """Return the legal action with the best heuristic, of those not overlooked."""
        values = self.values(view)
        seen = [action for action in view.legal_actions if self.random.random() >= self.overlooks]
        if not seen:
            return self.random.choice(view.legal_actions)
        best = max(values[action] for action in seen)
        return self.random.choice([action for action in seen if values[action] == best])

    def values(self, view: PlayerView) -> dict[int, float]:
        """Return the heuristic of each legal action, from 0 to 1."""
        return heuristic_values(view)


def heuristic_values(view: PlayerView) -> dict[int, float]:
    """Return the heuristic of each legal action, from 0 to 1."""
    layout = view.game.runtime
    if not layout.interpreted:
        precompile.ensure_compiled(view.game.definition, (precompile.HEURISTICS,))
    workspace = layout.new_workspace()
    workspace.set_state(view.state.bytes())
    count = layout.operations.action_heuristics(workspace.handle, view.seat)
    actions, heuristics = workspace.out[:count].tolist(), workspace.weights[:count].tolist()
    return {action: value / CERTAIN for action, value in zip(actions, heuristics, strict=True)}
