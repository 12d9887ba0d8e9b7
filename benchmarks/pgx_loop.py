"""The loop that Pgx is measured with, on a processor or on a card: all of it compiled, nothing in Python.

A step is one action of one player; dice are rolled inside steps. In backgammon a step moves one checker (a turn has
two to four), or passes. A finished game restarts by itself. Actions are drawn evenly from the legal ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def batch(name: str, games: int, steps: int) -> Callable[[], int]:
    """Compile `steps` steps of `games` games; each call plays them on and says how many games ended."""
    import jax
    import pgx
    from jax import numpy as jnp
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)  # type: ignore[arg-type]
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(carried: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], Any]:
        """Every game takes one random step."""
        state, key = carried
        key, for_action, for_step = jax.random.split(key, 3)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(for_action, logits, axis=-1)
        state = step(state, action, jax.random.split(for_step, games))
        return (state, key), state.terminated.sum()

    @jax.jit
    def run(state: Any, key: Any) -> tuple[Any, Any, Any]:
        (state, key), ended = jax.lax.scan(advance, (state, key), None, length=steps)
        return state, key, ended.sum()

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), games))
    key = jax.random.PRNGKey(2)

    def call() -> int:
        nonlocal state, key
        state, key, ended = jax.block_until_ready(run(state, key))
        return int(ended)

    call()  # compiles
    return call
