"""Emerald: what each seat sees, how what is hidden is filled in, and the numbers of the observation tensor."""

from __future__ import annotations

from typing import Any

from dracotheque.rules import (
    TensorField, TensorGroup, compiled, evaluator_type, one_hot, rule, tensor_size,
)  # fmt: skip
from dracotheque.games.emerald.rules.mechanics import (
    colours_of, standing,
)  # fmt: skip
from dracotheque.games.emerald.rules.state import (
    BRIBE, CAVES, CHAMBER, COLOURS, KINDS, KNIGHTS, LAST_ROD, NEST, OVER, SEATS, TREASURES, VALUES,
)  # fmt: skip


# --- What a viewer knows ----------------------------------------------------------------------------------------
@rule("gold.laid-away")
def observe(game: Any, viewer: int) -> None:
    """Nothing in Emerald is secret: gold was seen by all when it was taken, unseen cards are undecided."""


@compiled
def determinize(game: Any, viewer: int, stream: Any) -> None:
    """Nothing is hidden, so nothing is resampled."""


@compiled
def seat_tensor(game: Any, seat: int, out: Any, at: int) -> int:
    """Write the holdings of each player: gems, gold, treasures, the bonus, and whether it is their choice or turn."""
    for kind in range(KINDS):
        out[at + kind] = game.gems[seat][kind] / 6
    for value in range(VALUES):
        out[at + KINDS + value] = game.gold[seat][value] / 5
    at += KINDS + VALUES
    out[at] = game.treasures[seat] / TREASURES
    out[at + 1] = game.four_gems == seat + 1
    out[at + 2] = game.active == seat
    out[at + 3] = game.to_move == seat
    return at + 4


@compiled
def colour_tensor(game: Any, colour: int, out: Any, at: int) -> int:
    """Write where the knights of a colour stand, which of them moved or rests, and which is captured."""
    for place in range(CHAMBER):
        mine = game.colour == colour
        out[at + place] = standing(game, colour, place) / KNIGHTS
        out[at + CHAMBER + place] = mine and game.moved == place
        out[at + 2 * CHAMBER + place] = mine and game.ransomed == place
    at += 3 * CHAMBER
    out[at] = standing(game, colour, CHAMBER) / TREASURES
    out[at + 1] = standing(game, colour, NEST) / KNIGHTS
    out[at + 2] = game.phase == BRIBE and game.victim == colour
    out[at + 3] = game.phase == BRIBE and game.victim == colour and game.victim_moved == 1
    return at + 4


@compiled
def observation_tensor(game: Any, viewer: int, out: Any) -> None:
    """Write everything on the table as numbers from 0 to 1, the viewer's seat and colours first."""
    at = one_hot(out, 0, SEATS + 1, game.players)
    at = one_hot(out, at, OVER + 1, game.phase)
    at = one_hot(out, at, CAVES, game.dragon)
    at = one_hot(out, at, LAST_ROD + 1, game.rod)
    out[at] = game.facing > 0
    out[at + 1] = game.second_move
    out[at + 2] = game.moves / 2
    out[at + 3] = game.took
    out[at + 4] = game.treasures_left / TREASURES
    out[at + 5] = game.dealt / (2 * CAVES)
    at += 6
    for cave in range(CAVES):
        gems = game.pile[cave]
        gold = game.pile[CAVES + cave]
        out[at] = gems / 3
        out[at + 1] = gold / 3
        at = one_hot(out, at + 2, KINDS, game.top[cave] if gems > 0 else KINDS)
        at = one_hot(out, at, VALUES, game.top[CAVES + cave] if gold > 0 else VALUES)
    for card in range(KINDS + VALUES):
        out[at + card] = game.unseen[card] / 6
    at += KINDS + VALUES
    for place in range(COLOURS):
        # A spectator (-1) sees seat 0 first; empty seats and colours stay zero.
        colour = place
        if place < game.players * colours_of(game):
            turned = (place + max(viewer, 0)) % game.players
            colour = turned + place // game.players * game.players
        at = colour_tensor(game, colour, out, at)
        at = seat_tensor(game, colour, out, at)


TENSOR_LAYOUT = (
    TensorField("players", SEATS + 1, "one-hot: number of players, 0–5"),
    TensorField("phase", OVER + 1, "one-hot: lots, reveal, die, move, card, victim, bribe, over"),
    TensorField("dragon", CAVES, "one-hot: the cave where the dragon is"),
    TensorField("rod", LAST_ROD + 1, "one-hot: the first cave of the rod"),
    TensorField("faces_lair", 1, "the dragon faces the lair"),
    TensorField("second_move", 1, "the second move is compulsory"),
    TensorField("moves", 1, "knights moved ÷ 2"),
    TensorField("took", 1, "a card was taken"),
    TensorField("treasures_left", 1, "treasures left ÷ 4"),
    TensorField("dealt", 1, "piles dealt ÷ 18"),
    TensorGroup("caves", CAVES, "caves", (
        TensorField("gems", 1, "gems left ÷ 3"),
        TensorField("gold", 1, "gold left ÷ 3"),
        TensorField("top_gem", KINDS, "one-hot: the gem on top"),
        TensorField("top_gold", VALUES, "one-hot: the value of the gold on top"),
    )),
    TensorField("unseen_gems", KINDS, "gem cards that nobody has seen, by kind, each ÷ 6"),
    TensorField("unseen_gold", VALUES, "gold cards that nobody has seen, by value, each ÷ 6"),
    TensorGroup("colours", COLOURS, "colours", (
        TensorField("road", CHAMBER, "knights on each place of the road ÷ 5"),
        TensorField("moved", CHAMBER, "one-hot: where its knight moved this turn stands"),
        TensorField("ransomed", CHAMBER, "one-hot: where its knight rests that bribed the dragon this turn"),
        TensorField("chamber", 1, "knights in the chamber ÷ 4"),
        TensorField("nest", 1, "knights in the nest ÷ 5"),
        TensorField("captured", 1, "one of its knights was just captured"),
        TensorField("captured_moved", 1, "the captured knight is the one just moved"),
        TensorField("gems", KINDS, "the seat’s gems by kind ÷ 6"),
        TensorField("gold", VALUES, "the seat’s gold by value ÷ 5"),
        TensorField("treasures", 1, "treasures ÷ 4"),
        TensorField("four_gems", 1, "the seat has the bonus for four gems"),
        TensorField("active", 1, "it is the seat’s turn"),
        TensorField("to_move", 1, "it is the seat’s choice"),
    )),
)  # fmt: skip
TENSOR_SIZE = tensor_size(TENSOR_LAYOUT)
Evaluator = evaluator_type(TENSOR_SIZE)
