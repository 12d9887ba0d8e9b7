"""The bot that knows: where a game is solved it plays perfectly, at once, and says every choice's exact chance."""

from __future__ import annotations

from random import Random

from dracotheque.bots.view import View
from dracotheque.engine.errors import DracothequeError
from dracotheque.games.save_the_dragon.state import LET_GO, NO_CHANGE, PUT_SHIELD, SHUT_DOOR, SPOTS, STAY, THROUGH
from dracotheque.solve.solution import put, solution


class OracleBot:
    """Looks every choice up in the solution; of equal ones it takes any."""

    def __init__(self, seed: int) -> None:
        """Start its own stream of chance."""
        self.random = Random(seed)

    def choose(self, view: View) -> int:
        """Choose what wins most often."""
        chances = self.values(view)
        best = max(chances.values())
        return self.random.choice([action for action, chance in chances.items() if chance == best])

    def values(self, view: View) -> dict[int, float]:
        """Say for every legal action how often it wins if both play perfectly from here on."""
        if not knows(view):
            raise DracothequeError(
                "The Oracle knows Save the Dragon for two, where everybody must move shield or door."
            )
        return {action: chance(view, action) for action in view.legal}


def knows(view: View) -> bool:
    """Whether a table's game is solved."""
    game = view.game
    return game.name == "save-the-dragon" and game.players == 2 and game.options["youngest"] == "nobody"


def chance(view: View, action: int) -> float:
    """How often a choice wins."""
    table, seat, known = view.table, view.seat, solution()
    pawns, tokens = tuple(table.place[:2]), tuple(table.tokens[:2])
    shield, shut = table.shield, table.shut
    if action < THROUGH:
        pawns, tokens = put(pawns, seat, action % SPOTS), put(tokens, seat, tokens[seat] - action // SPOTS)
        return known.walked(seat, pawns, shield, shut, tokens, table.die)
    if action < STAY:
        return 1.0
    if action == STAY:
        return known.walked(seat, pawns, shield, shut, tokens, table.die)
    if action < SHUT_DOOR:
        return known.passed(seat, pawns, action - PUT_SHIELD, shut, tokens)
    if action < NO_CHANGE:
        return known.passed(seat, pawns, shield, action - SHUT_DOOR, tokens)
    return known.thrown(seat, pawns, shield, shut, tokens, action - LET_GO)
