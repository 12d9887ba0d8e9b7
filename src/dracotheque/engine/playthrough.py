"""A game as a text that a person can read and a test can replay.

    lion: tower 1
        Yellow leads a knight out of the castle: tower 1 → field 3 (3 spaces). [move.castle]
    tower? field 6
        not allowed [move.own-knight]
    chance: die: 2
        …

A line at the margin is a move (`name:`) or an attempt that the rules refuse (`name?`); indented lines are what
happened, each with its rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dracotheque.engine.dispatch import CHANCE
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.state import State
from dracotheque.engine.phrases import GameEvent, Phrase, with_plain_spaces

_LINE = re.compile(r"^(?P<name>[\w-]+)(?P<sign>[:?]) (?P<action>.+)$")


@dataclass(frozen=True)
class PlaythroughMove:
    """A move, or something a seat tried that was refused."""

    player: int
    action: int
    refused: bool = False


def tell(before: State, player: int, action: int, after: State) -> list[GameEvent]:
    """What happened in one move, each with its rule."""
    return before.game.text.events(before.to_plain(), player, action, after.to_plain())


def lines(game: Game, attempts: list[PlaythroughMove], language: str = "en") -> Iterator[str]:
    """Replay moves and attempts, and tell them line by line."""
    say = game.words(language).say
    state = game.new_initial_state()
    for attempt in attempts:
        name = "chance" if attempt.player == CHANCE else game.text.CRESTS[attempt.player]
        words = state.action_to_string(attempt.action, attempt.player, language)
        if attempt.refused:
            yield f"{name}? {words}"
            rule = state.refusal(attempt.action, attempt.player)
            if rule is None:
                raise DracothequeError(f"“{words}” is allowed here, but the playthrough says it is refused.")
            yield f"    not allowed [{rule}]"
            continue
        yield f"{name}: {words}"
        after = state.child(attempt.action, attempt.player)
        for event in tell(state, attempt.player, attempt.action, after):
            yield f"    {say(event.phrase)} [{event.rule}]"
        state = after


def head(game: Game) -> str:
    """The line that says which game this is."""
    options = "".join(f" {name}={value}" for name, value in game.options.items())
    board = f" board={game.board.source}" if game.board and game.board.source else ""
    return f"{game.name} rules={game.rules_version} players={game.players}{options}{board}"


def parse(text: str) -> tuple[Game, list[PlaythroughMove]]:
    """Read a playthrough: comment lines (#), the head, then moves and attempts; indented lines are ignored."""
    from dracotheque.engine.registry import find_game

    content = [line for line in text.splitlines() if line and not line.startswith(("#", " "))]
    name, *fields = content[0].split()
    options = dict(f.split("=", 1) for f in fields)
    version = options.pop("rules")
    players, board = int(options.pop("players")), options.pop("board", None)
    game = Game(find_game(name), players, options, board=board)
    if version != str(game.rules_version):
        raise DracothequeError(f"This playthrough follows rules version {version}, not {game.rules_version}.")
    seats = {crest: seat for seat, crest in enumerate(game.text.CRESTS)} | {"chance": CHANCE}
    names = _action_names(game)
    attempts: list[PlaythroughMove] = []
    for line in content[1:]:
        match = _LINE.match(line)
        if not match or match["name"] not in seats or match["action"] not in names[seats[match["name"]]]:
            raise DracothequeError(f"This line of the playthrough names no seat and action: {line!r}.")
        player = seats[match["name"]]
        attempts.append(PlaythroughMove(player, names[player][match["action"]], match["sign"] == "?"))
    return game, attempts


def _action_names(game: Game) -> dict[int, dict[str, int]]:
    """Every action's English name, for each seat and for chance."""
    scene = game.text

    def typed(name: Phrase) -> str:
        return with_plain_spaces(game.words().say(name))

    names = {CHANCE: {typed(scene.outcome(game, o)): o for o in range(game.max_chance_outcomes())}}
    for seat in range(game.players):
        names[seat] = {typed(scene.action(game, seat, a)): a for a in range(game.num_distinct_actions())}
    return names
