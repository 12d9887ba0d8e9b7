"""Whether a game keeps the contract, in sentences that say what to do; nothing here may know a particular game.

`problems` is quick and compiles nothing: it runs whenever a game that is not ours is registered. `thorough_problems`
plays whole games besides, interpreted and compiled, with their text and their terminal view.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import re
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np

from dracotheque import contract
from dracotheque.engine import batch_totals, registry, rule, rulebook
from dracotheque.engine.definition import MAX_SEATS, GameDefinition
from dracotheque.engine.dispatch import CHANCE, SIMULTANEOUS, TERMINAL
from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.game import Game
from dracotheque.engine.jit import cache
from dracotheque.engine.phrases import game_words
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.engine.state import State

Problems = Iterator[str]
Check = Callable[[GameDefinition], Problems]

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
FIRST_MOVES = 200  # that the quick checks play
MAX_GAMES = 10  # that are played to their end, for every number of players
MAX_SECONDS = 5.0  # after which no further one is begun


def problems(game: GameDefinition) -> list[str]:
    """Return the problems of a game that quick checks find; none, if it can be played."""
    return _first_problems(game, QUICK)


def thorough_problems(game: GameDefinition) -> list[str]:
    """Return the problems of a game, also those that whole games show."""
    return _first_problems(game, (*QUICK, *THOROUGH))


def _first_problems(game: GameDefinition, checks: tuple[Check, ...]) -> list[str]:
    """Return the problems of the first check that finds any: later ones rely on the earlier."""
    return next((found for found in ([*check(game)] for check in checks) if found), [])


# --- The package -------------------------------------------------------------------------------------------------
def check_definition(game: GameDefinition) -> Problems:
    """Check the values of the definition."""
    if not (isinstance(game.name, str) and NAME.fullmatch(game.name)):
        yield f"The name {game.name!r} should be small letters and digits with hyphens between, such as dragon-dice."
    if not (isinstance(game.title, str) and game.title.strip() and game.title.isprintable()):
        yield f"The title {game.title!r} should be a text of one line."
    if not 2 <= game.min_players <= game.max_players <= MAX_SEATS:
        yield f"It is for {game.min_players} to {game.max_players} players; that should be 2 to {MAX_SEATS}, or less."
    for name, option in game.options.items():
        if not name.isidentifier() or not option.values or not all(isinstance(each, str) for each in option.values):
            yield f"The option {name!r} should be a Python name, and have at least one value, each a text."
    package = importlib.import_module(game.package)
    known = getattr(package, "GAME", None)
    if not isinstance(known, GameDefinition) or known.name != game.name:
        yield f"{game.package}/__init__.py should call its GameDefinition GAME: other processes find it there."


def check_modules(game: GameDefinition) -> Problems:
    """Check that every module can be imported and the rules exist."""
    for name in contract.MODULES:
        full_name = f"{game.package}.{name}"
        if not game.has(name):
            if name == "rules":
                yield f"There is no module {full_name}: write it as dracotheque/contract.py says."
            continue
        try:
            importlib.import_module(full_name)
        except Exception as error:
            yield f"{full_name} cannot be imported: {_message(error, game)}"


def check_constants(game: GameDefinition) -> Problems:
    """Check that the rules have the constants of the contract, of the right types."""
    rules = _own_rules(game)
    for name, least in (("VERSION", 1), ("ACTIONS", 1), ("OUTCOMES", 0)):
        value: object = getattr(rules, name, 0 if name == "OUTCOMES" else None)
        if not isinstance(value, int) or value < least:
            yield f"{rules.__name__} needs {name}, a whole number from {least} on, not {value!r}."
    for name in ("REFUSALS", "ENDINGS"):
        value = getattr(rules, name, None)
        if not isinstance(value, tuple) or not value or not all(isinstance(each, str) for each in value):
            yield f'{rules.__name__} needs {name}, a tuple of rule ids such as ("end.over",), not {value!r}.'
        elif name == "REFUSALS" and value[0] != "":
            yield f'REFUSALS of {rules.__name__} should begin with "": number 0 stands for an action that is allowed.'
        elif name == "ENDINGS" and len(value) > batch_totals.MOST_ENDINGS:
            yield f"ENDINGS of {rules.__name__} are {len(value)}; there is room for {batch_totals.MOST_ENDINGS}."
    names: object = getattr(rules, "ACTION_NAMES", None)
    actions: object = getattr(rules, "ACTIONS", None)
    if isinstance(names, tuple) and len(names) != actions:
        yield f"ACTION_NAMES of {rules.__name__} has {len(names)} names for {actions} actions: give each one."
    yield from _check_record(game, rules)


def _check_record(game: GameDefinition, rules: ModuleType) -> Problems:
    """Check that the record has the fields that the engine reads, of whole numbers."""
    state: object = getattr(rules, "State", None)
    if not isinstance(state, np.dtype) or state.names is None:
        yield f"{rules.__name__} needs State, a numpy.dtype with named fields, not {state!r}."
        return
    endings: object = getattr(rules, "ENDINGS", ())
    wanted = {"players", "to_move", *(option.field for option in game.options.values())}
    if isinstance(endings, tuple) and len(endings) > 1 and not hasattr(rules, "ending"):
        wanted.add("ended")
    for name in sorted(wanted - {*state.names}):
        kind = "i1" if name == "to_move" else "u1"
        yield f'State of {rules.__name__} needs a field {name!r}: add ("{name}", "{kind}").'
    where = f"of {rules.__name__}.State"
    for name in state.names:
        base, shape = state[name].subdtype or (state[name], ())
        if base.kind not in "iu" or len(shape) > 2:
            yield f"The field {name!r} {where} should hold whole numbers (u1, i2 …), one, a list, or a list of lists."
        elif name == "to_move" and base.kind != "i":
            yield f"The field 'to_move' {where} should be signed, \"i1\": it holds CHANCE and TERMINAL."


def check_functions(game: GameDefinition) -> Problems:
    """Check that the rules have the functions of the contract, each marked and with its parameters."""
    rules = _own_rules(game)
    wanted = contract.REQUIRED
    wanted += contract.REQUIRED_WITH_CHANCE if getattr(rules, "OUTCOMES", 0) else ()
    wanted += contract.REQUIRED_WITH_SECRETS if game.hidden_information else ()
    for name in wanted:
        if not callable(getattr(rules, name, None)):
            yield f"{rules.__name__} needs a function {_call('rules', name)}: {_summary('rules', name)}"
    for module, protocol in contract.MODULES.items():
        if not game.has(module):
            continue
        own = registry.part(game, module, registry.no_defaults)
        for name in _functions(protocol):
            function: object = getattr(own, name, None)
            if function is None or inspect.isclass(function):
                continue
            if not _takes(function, protocol, name):
                yield f"{own.__name__}.{name} should be a function {_call(module, name)}: {_summary(module, name)}"
            elif module == "rules" and not rule.is_compiled(function):
                yield f"{own.__name__}.{name} needs @rule(…) or @compiled above it, or it cannot be compiled."


def _functions(protocol: type) -> Mapping[str, Callable[..., object]]:
    """Return the functions that a module may have."""
    functions = {name: each for name, each in vars(protocol).items() if inspect.isfunction(each)}
    return {name: each for name, each in functions.items() if not name.startswith("_")}


def _call(module: str, name: str) -> str:
    """Return the call of a function of the contract."""
    parameters = [*inspect.signature(_functions(contract.MODULES[module])[name]).parameters][1:]
    return f"{name}({', '.join(parameters)})"


def _summary(module: str, name: str) -> str:
    """Return the first sentence of the docstring of a function of the contract."""
    return f"{' '.join(str(_functions(contract.MODULES[module])[name].__doc__).split()).split('. ')[0].rstrip('.')}."


def _takes(function: object, protocol: type, name: str) -> bool:
    """Return whether a function can be called with the arguments of the contract."""
    parameters = [*inspect.signature(_functions(protocol)[name]).parameters.values()][1:]
    given = [each for each in parameters if each.kind is not each.KEYWORD_ONLY]
    named = {each.name: None for each in parameters if each.kind is each.KEYWORD_ONLY}
    if not callable(function):
        return False
    try:
        inspect.signature(function).bind(*given, **named)
    except TypeError:
        return False
    return True


# --- Words --------------------------------------------------------------------------------------------------------
def check_rulebook(game: GameDefinition) -> Problems:
    """Check that the rulebook has a paragraph for every rule, in each of its languages."""
    folder = game.folder / "rulebook"
    if not (folder / "en.md").is_file():
        yield f"There is no rulebook: write {_short(game, folder / 'en.md')}, with a paragraph for each rule."
        return
    rules = _own_rules(game)
    wanted = {*rules.REFUSALS[1:], *rules.ENDINGS, *rule.rule_functions(rules)}
    wanted |= {option.rule for option in game.options.values()}
    for language in (each for each in LANGUAGES if (folder / f"{each}.md").is_file()):
        path = _short(game, folder / f"{language}.md")
        try:
            known = rulebook.read(folder, language).paragraphs
        except (DracothequeError, UnicodeDecodeError) as error:
            yield f"{path} cannot be read: {error}"
            continue
        for name in sorted(wanted - {*known}):
            yield f"{path} lacks a rule: add a heading “### Its title {{#{name}}}” and a paragraph below it."


def check_words(game: GameDefinition) -> Problems:
    """Check that the catalogues can be read and name existing fields."""
    fields = _own_rules(game).State.names
    for language in LANGUAGES:
        try:
            entries = game_words(game, language).entries
        except ValueError as error:  # of TOML or of its encoding
            yield f"The catalogue {game.package}/locale/{language}.toml cannot be read: {error}"
            continue
        for key in entries:
            if key.startswith("field.") and key.removeprefix("field.") not in fields:
                yield f"locale/{language}.toml names a field {key.removeprefix('field.')!r} that State does not have."


# --- Games --------------------------------------------------------------------------------------------------------
def check_play(game: GameDefinition) -> Problems:
    """Check the first moves of a game, with fewest and with most players."""
    for players in sorted({game.min_players, game.max_players}):
        yield from _errors_of(game, partial(_play, Game(game, players, {}, interpreted=True), 0, FIRST_MOVES))


def check_games(game: GameDefinition) -> Problems:
    """Check that whole games end, and that their text and views work after every move."""
    for players in range(game.min_players, game.max_players + 1):
        for seed in _seeds():
            yield from _errors_of(game, partial(_play_whole, Game(game, players, {}, interpreted=True), seed))


def check_compiled(game: GameDefinition) -> Problems:
    """Check that compiled rules play the same games as interpreted ones."""
    if can_compile():
        yield from _errors_of(game, partial(_play_both, game))


def can_compile() -> bool:
    """Return whether rules can be compiled here."""
    return cache.has_numba() and not rule.interpreter_forced()


def _seeds() -> Iterator[int]:
    """Yield seeds of games, as long as there is time for another."""
    began = time.perf_counter()
    yield from itertools.takewhile(lambda _: time.perf_counter() - began < MAX_SECONDS, range(MAX_GAMES))


def _errors_of(game: GameDefinition, play: Callable[[], object]) -> Problems:
    """Play, and yield the error that it raises, if any."""
    try:
        play()
    except _PositionError as error:
        yield str(error)
    except Exception as error:
        yield f"A game broke off: {_message(error, game)}"


class _PositionError(Exception):
    """A position that breaks the contract."""


def _play(game: Game, seed: int, max_moves: int) -> State:
    """Play random moves, and check every position."""
    random, state = Random(seed), game.new_initial_state()
    for _ in range(max_moves):
        _check_position(state)
        if state.is_terminal():
            break
        player = state.current_player()
        if player == CHANCE:
            state.apply_action(state.sample_chance(random))
            continue
        player = random.choice(_choosers(state))
        state.apply_action(random.choice(state.legal_actions(player)), player)
    return state


def _play_whole(game: Game, seed: int) -> None:
    """Play to the end, and make the text and views of every move."""
    from dracotheque.presentation.generic_terminal import terminal_view_of
    from dracotheque.presentation.score_rows import score_rows

    state = _play(game, seed, game.definition.max_moves)
    if not state.is_terminal():
        raise _PositionError(
            f"A random game was not over after {game.definition.max_moves:,} moves:"
            " raise max_moves, or let it come to an end."
        )
    view, words, say = terminal_view_of(game), game.words(), game.words().say
    again = game.new_initial_state()
    for player, action in state.full_history():
        before, seen = again.to_plain(), again.observation(-1)
        say(game.text.prompt(seen).phrase)
        view.board(seen, words, 80)
        view.players(seen, words, 80, [""] * game.players, -1)
        _check_page(again)
        again.apply_action(action, player)
        for event in game.text.events(before, player, action, again.to_plain()):
            say(event.phrase)
            game.rulebook()[event.rule]
    view.score(again.to_plain(), words, [""] * game.players)
    for row in score_rows(game, again.to_plain()):
        say(row.phrase)
        game.rulebook()[row.rule]


def _check_page(state: State) -> None:
    """Make the page's board of a position, for every seat and for spectators."""
    from dracotheque.presentation.generic_board import board_view_of

    view, say = board_view_of(state.game), state.game.words().say
    drawing = view.svg(state.game.board, state.game.words(), night=False) if not state.move_number() else ""
    for viewer in range(-1, state.game.players):
        seen = state.observation(viewer)
        pieces = view.pieces(seen, viewer)
        lost = [piece.place for piece in pieces.values() if drawing and f'data-place="{piece.place}"' not in drawing]
        if lost:
            raise _PositionError(
                f"board_view has a piece at {lost[0]!r}, but its svg has no place of that name: draw it."
            )
        held = [
            each.label
            for each in (
                *pieces.values(),
                *itertools.chain(*view.holdings(seen, viewer)),
                *view.standings(seen, viewer),
            )
        ]
        for label in filter(None, held):
            say(label)
        actions = state.legal_actions(viewer) if viewer >= 0 else ()
        view.onward(seen, viewer, actions)
        for action in actions:
            view.places(seen, viewer, action)


def _play_both(definition: GameDefinition) -> None:
    """Play games interpreted and compiled, and compare every position."""
    for players in range(definition.min_players, definition.max_players + 1):
        fast, slow = (Game(definition, players, {}, interpreted=plain) for plain in (False, True))
        for seed in _seeds():
            moves = _play(slow, seed, definition.max_moves).full_history()
            one, other = fast.new_initial_state(), slow.new_initial_state()
            for number, (player, action) in enumerate(moves, 1):
                if one.record() != other.record() or one.current_player() != other.current_player():
                    raise _PositionError(_difference(one, other, number))
                one.apply_action(action, player)
                other.apply_action(action, player)
            if (one.record(), one.scores(), one.winners()) != (other.record(), other.scores(), other.winners()):
                raise _PositionError(_difference(one, other, len(moves)))


def _difference(fast: State, slow: State, number: int) -> str:
    """Return a message with the fields in which two positions differ."""
    a, b = fast.to_plain(), slow.to_plain()
    fields = [name for name in fast.game.runtime.fields if getattr(a, name) != getattr(b, name)]
    return (
        f"Compiled and interpreted rules part at move {number} of {fast.game.players} players: the fields"
        f" {', '.join(fields) or 'of the result'} differ. Fields are small and unsigned (CONTRIBUTING.md, “The law”)."
    )


def _check_position(state: State) -> None:
    """Raise an error if a position breaks the contract."""
    game, player = state.game, state.current_player()
    where = f"After {state.move_number()} moves of {game.players} players"
    if player not in (CHANCE, SIMULTANEOUS, TERMINAL, *range(game.players)):
        raise _PositionError(f"{where} to_move is {player}: it should be a seat, CHANCE, SIMULTANEOUS or TERMINAL.")
    if player == SIMULTANEOUS and not game.definition.simultaneous:
        raise _PositionError(f"{where} several seats choose at once: the definition should say simultaneous=True.")
    if player == CHANCE:
        _check_chance(state, where)
    elif player != TERMINAL:
        if not _choosers(state):
            raise _PositionError(f"{where} somebody should choose, but every action is refused.")
        for seat in _choosers(state):
            _check_choices(state, seat, where)
    elif not state.winners():
        raise _PositionError(f"{where} the game is over and nobody has won: winners should mark at least one seat.")
    if any(points < 0 for points in state.scores()):
        raise _PositionError(f"{where} the scores are {state.scores()}: they should be 0 or more.")
    if not game.definition.hidden_information and state.observation(-1).bytes() != state.record():
        raise _PositionError(f"{where} observe hides something: the definition should say hidden_information=True.")
    if player == TERMINAL and state.ending() is None:
        raise _PositionError(f"{where} the game is over without an ending.")


def _check_chance(state: State, where: str) -> None:
    """Check the outcomes of a chance node."""
    outcomes = state.chance_outcomes()
    if not outcomes or any(not 0 <= outcome < state.game.max_chance_outcomes() for outcome, _ in outcomes):
        raise _PositionError(f"{where} chance may bring {[*dict(outcomes)]}: that should be some of 0 to OUTCOMES - 1.")


def _check_choices(state: State, seat: int, where: str) -> None:
    """Check that a seat's legal actions are those that are not refused."""
    legal, rules, table = state.legal_actions(seat), state.game.rules, state.to_plain()
    answers = [rules.refusal(table, seat, action) for action in range(rules.ACTIONS)]
    if any(not 0 <= answer < len(rules.REFUSALS) for answer in answers):
        raise _PositionError(
            f"{where} refusal gives {max(answers)}: REFUSALS are numbered 0 to {len(rules.REFUSALS) - 1}."
        )
    if legal != [action for action, answer in enumerate(answers) if answer == 0]:
        raise _PositionError(
            f"{where} legal_actions of seat {seat} are {legal}, but refusal allows others: mend one of them."
        )


def _choosers(state: State) -> list[int]:
    """Return the seats that have to choose."""
    return [seat for seat in range(state.game.players) if state.legal_actions(seat)]


# --- Messages -----------------------------------------------------------------------------------------------------
def _own_rules(game: GameDefinition) -> ModuleType:
    """Return a game's rules without defaults."""
    return registry.part(game, "rules", registry.no_defaults)


def _message(error: Exception, game: GameDefinition) -> str:
    """Return an error with its place in the game's own files."""
    every = traceback.extract_tb(error.__traceback__)
    frames = [each for each in every if Path(each.filename).is_relative_to(game.folder)]
    where = f" ({_short(game, Path(frames[-1].filename))}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{where}"


def _short(game: GameDefinition, path: Path) -> str:
    """Return a path relative to the package's parent folder."""
    return f"{game.folder.name}/{path.relative_to(game.folder).as_posix()}"


QUICK: tuple[Check, ...] = (
    check_definition, check_modules, check_constants, check_functions, check_rulebook, check_words, check_play,
)  # fmt: skip
"""The checks that run whenever a game is registered."""

THOROUGH: tuple[Check, ...] = (check_games, check_compiled)
"""The checks that take longer."""
