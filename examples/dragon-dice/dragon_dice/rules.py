"""Dragon Dice: roll for gold as long as you dare; a one wakes the dragon; twenty gold wins."""

import numpy as np

from dracotheque.rules import CHANCE, TERMINAL, compiled, next_seat, rule, seats

VERSION, ACTIONS, OUTCOMES, GOAL = 1, 2, 6, 20
ACTION_NAMES = ("roll", "bank")
ROLL, BANK = range(ACTIONS)
ALLOWED, GAME_OVER, NOT_YOUR_TURN, NOTHING_TO_BANK = range(4)
REFUSALS = ("", "end.over", "turn.order", "bank.nothing")
ENDINGS = ("end.twenty",)
State = np.dtype([("players", "u1"), ("to_move", "i1"), ("turn", "u1"), ("loot", "u1"), ("gold", "u1", (4,))])


@rule("end.over", "turn.order", "bank.nothing")
def refusal(game, seat, action):
    """Only the player whose turn it is rolls or banks, and there has to be loot to bank."""
    if game.to_move == TERMINAL:
        return GAME_OVER
    if game.to_move != seat:
        return NOT_YOUR_TURN
    return NOTHING_TO_BANK if action == BANK and game.loot == 0 else ALLOWED


@rule("turn.bank", "end.twenty")
def apply_action(game, seat, action):
    """Rolling tempts the dragon; banking makes the loot safe and ends the turn."""
    if action == ROLL:
        game.to_move = CHANCE
        return
    game.gold[seat] += game.loot
    game.loot = 0
    game.turn = next_seat(game, seat)
    game.to_move = TERMINAL if game.gold[seat] >= GOAL else game.turn


@compiled
def chance_outcomes(game, out, weights):
    """A die shows each of its faces equally often."""
    for face in range(OUTCOMES):
        out[face], weights[face] = face, 1
    return OUTCOMES


@rule("dragon.wakes")
def apply_chance(game, face):
    """On a one the dragon wakes: the loot is lost and the next player begins."""
    if face == 0:
        game.loot = 0
        game.turn = next_seat(game, game.turn)
    else:
        game.loot += face + 1
    game.to_move = game.turn


@compiled
def scores(game, out):
    """Only gold in the bank counts."""
    for seat in range(seats(game)):
        out[seat] = game.gold[seat]
