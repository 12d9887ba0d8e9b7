"""The registry of games: ours, those of installed packages (entry points), and those that a program registers.

Nothing here imports rules of ours: a lobby opens without them. A game that is not ours is checked before it is offered.
"""

from __future__ import annotations

import importlib
import os
import threading
import warnings
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

from dracotheque.engine.arguments import text
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.errors import DracothequeError, unknown

if TYPE_CHECKING:
    from dracotheque.engine.board_files import Source
    from dracotheque.engine.game import Game

Defaults = Callable[[GameDefinition, ModuleType], Mapping[str, object]]
"""The defaults of a module of a game: names and values, given the definition and the module (empty if missing)."""

GROUP = "dracotheque.games"
"""The entry points of installed games: `dragon-dice = "dragon_dice:GAME"`."""

OFFERED = "DRACOTHEQUE_GAMES"
"""The environment variable that names the games a server offers: `dragon-dice,hoard-bluff`; all, if it is not set."""

_OURS = "dracotheque.games"
_CHECK = "dracotheque.check"  # it stands above the engine, and few programs need it

_games: dict[str, GameDefinition] = {}
_left_out: dict[str, str] = {}
_found = False
_finding = threading.RLock()
_joined: dict[tuple[str, str, Defaults], ModuleType] = {}
_joining = threading.RLock()


class GameLeftOutWarning(UserWarning):
    """An installed game cannot be offered; the text says why and what to do."""


def games() -> Mapping[str, GameDefinition]:
    """Return all games by name: ours in the lobby's order, then those of installed packages, then registered ones."""
    global _found
    if not _found:
        with _finding:
            if not _found:
                _find_ours()
                _find_installed()
                _found = True
    return _games


def left_out() -> Mapping[str, str]:
    """Return the installed games that are not offered, by the name of their entry point, each with the reason."""
    games()
    return _left_out


def offered_games() -> Mapping[str, GameDefinition]:
    """Return the games that a server offers: all, or those that DRACOTHEQUE_GAMES names, in its order."""
    wanted = [name.strip() for name in os.environ.get(OFFERED, "").split(",") if name.strip()]
    try:
        chosen = [find_game(name) for name in wanted]
    except DracothequeError as error:
        raise DracothequeError(f"{OFFERED} should name games, with commas between them. {error}") from None
    return {game.name: game for game in chosen or games().values()}


def find_game(name: str) -> GameDefinition:
    """Return a game's definition by its name; underscores and capitals do not matter."""
    name = text(name, "The name of a game is a text, as `dracotheque games` lists them")
    known, wanted = games(), name.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted not in known:
        raise unknown("game", name, known)
    return known[wanted]


def part(definition: GameDefinition, name: str, defaults: Defaults) -> ModuleType:
    """Return a module of a game's package, with what it leaves out from `defaults`; both are joined once.

    Without the module, the defaults alone are returned; an error on its import is not caught.
    """
    key = (definition.package, name, defaults)
    with _joining:
        if key not in _joined:
            _joined[key] = _join(definition, name, defaults)
        return _joined[key]


def _join(definition: GameDefinition, name: str, defaults: Defaults) -> ModuleType:
    """Return a module with the names of a game's module, and the defaults for the others."""
    full_name = f"{definition.package}.{name}"
    own = importlib.import_module(full_name) if find_spec(full_name) else ModuleType(full_name)
    members = {key: value for key, value in vars(own).items() if not key.startswith("__")}
    members = {**defaults(definition, own), **members}
    joined = ModuleType(full_name, own.__doc__)
    joined.__package__, joined.__file__ = own.__package__, getattr(own, "__file__", None)
    joined.__dict__.update(members)
    return joined


def no_defaults(definition: GameDefinition, module: ModuleType) -> Mapping[str, object]:
    """Return no defaults, for a module that a game must have."""
    return {}


def is_physical(definition: GameDefinition, outcome: int | None) -> bool:
    """Return whether an outcome of chance is physical, such as a fall, and not drawn by weight."""
    return definition.has_physical_chance and part(definition, "physical_chance", no_defaults).is_physical(outcome)


def register_game(game: GameDefinition) -> None:
    """Offer a game of your own, in a notebook or a test; one that cannot be played raises an error that says why."""
    games()
    with _finding:
        _register(game)


def load_game(
    name: str,
    players: int | None = None,
    *,
    board: Source | None = None,
    version: int | None = None,
    interpreted: bool = False,
    **options: str,
) -> Game:
    """Open a game: `load_game("dragon-dice", players=3)`.

    `board` names another board of the game, or the file of one of your own (`board="my-cave.toml"`).
    `version` is that of the rules, where a game that was begun under earlier ones is to be finished.
    `interpreted=True` runs the rules as plain Python, for debuggers and coverage; the games are the same.
    """
    from dracotheque.engine import rule
    from dracotheque.engine.jit import precompile
    from dracotheque.engine.game import Game

    definition = find_game(name)
    if not (interpreted or rule.interpreter_forced()):
        precompile.ensure_compiled(definition.under(version))
    chosen = definition.default_players if players is None else players
    return Game(definition, chosen, options, board=board, version=version, interpreted=interpreted)


def _find_ours() -> None:
    """Read the definitions of the games that come with the library."""
    for package in importlib.import_module(_OURS).BUILT_IN:
        game: GameDefinition = importlib.import_module(f"{_OURS}.{package}").GAME
        _games[game.name] = game


def _find_installed() -> None:
    """Read the definitions of installed games; one that cannot be offered is noted and left out."""
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            _register(_loaded(entry))
        except DracothequeError as error:
            _left_out[entry.name] = str(error)
            warnings.warn(f"The game {entry.name!r} is left out. {error}", GameLeftOutWarning, stacklevel=4)


def _loaded(entry: EntryPoint) -> GameDefinition:
    """Import what an entry point names; an error on import becomes a sentence."""
    try:
        game = entry.load()
    except Exception as error:
        raise DracothequeError(
            f"Its entry point {entry.value!r} cannot be imported: {type(error).__name__}: {error}."
            " Fix or uninstall the package."
        ) from error
    if not isinstance(game, GameDefinition):
        raise DracothequeError(f"Its entry point {entry.value!r} should name a GameDefinition, not {game!r}.")
    return game


def _register(game: GameDefinition) -> None:
    """Add a game that is not ours, unless something is wrong with it."""
    known = _games.get(game.name)
    if known is not None and known.package != game.package:
        raise DracothequeError(
            f"Two games are called {game.name!r}: those of the packages {known.package} and {game.package}."
            " Give one of them another name, or uninstall it."
        )
    problems: Callable[[GameDefinition], list[str]] = importlib.import_module(_CHECK).problems
    if wrong := problems(game):
        listed = "".join(f"\n  - {each}" for each in wrong)
        raise DracothequeError(f"{game.package} cannot be played:{listed}")
    _games[game.name] = game
