"""Endpoints of the games on offer: what they are, their words and their rulebooks."""

from __future__ import annotations

from dracotheque.bots import default_bots
from dracotheque.bots.levels import LEVELS
from dracotheque.engine import board_files, default_rules, registry, rulebook
from dracotheque.engine.definition import GameDefinition
from dracotheque.engine.jit.cache import PACKAGE
from dracotheque.engine.phrases import game_words, words
from dracotheque.server.http import EndpointList, RequestContext
from dracotheque.server.static import own_files
from dracotheque.tables import answers
from dracotheque.tables.errors import CommandError

endpoints = EndpointList()


@endpoints.get("/api/games", answer=answers.GameList)
async def list_games(caller: RequestContext) -> answers.GameList:
    """Every game, with its options."""
    failed = caller.service.precompiler.failed
    offered = (game for name, game in registry.offered_games().items() if name not in failed)
    return answers.GameList([game_info(game, caller) for game in offered])


def game_info(definition: GameDefinition, caller: RequestContext) -> answers.GameInfo:
    """Return what a lobby shows of a game."""
    return answers.GameInfo(
        name=definition.name,
        title=definition.title,
        designer=definition.designer,
        year=definition.year or 0,
        min_players=definition.min_players,
        max_players=definition.max_players,
        default_players=definition.default_players,
        age=definition.min_age,
        minutes=definition.minutes,
        rules=registry.part(definition, "rules", default_rules.defaults).VERSION,
        options=[
            answers.OptionView(name, list(option.values), option.rule, option.several)
            for name, option in definition.options.items()
        ],
        boards=board_files.names(definition) if definition.has_board_files else [],
        sealed=definition.simultaneous,
        levels=list(LEVELS),
        solved=solved_view(definition),
        web=own_files(definition),
        ready=caller.service.precompiler.is_ready(definition.name),
    )


def solved_view(definition: GameDefinition) -> answers.Solved | None:
    """Return the set-up for which perfect play of a game is known, if there is one."""
    setup = default_bots.bots_in(definition).EXACT_SETUP
    return answers.Solved(setup.players, dict(setup.options)) if setup else None


def find_game(name: str) -> GameDefinition:
    """Return a game by its name."""
    if name not in registry.games():
        raise CommandError("no_such_page")
    return registry.games()[name]


@endpoints.get("/api/games/{game}/words/{language}", answer=answers.CatalogView)
async def wording(caller: RequestContext, game: str, language: str) -> answers.CatalogView:
    """What the phrases of a game say in one language, or else in English; `tables` are those that all games share."""
    if language not in rulebook.LANGUAGES:
        raise CommandError("no_such_page")
    if game == "tables":
        entries = words(PACKAGE / "locale", language).entries | words(PACKAGE / "tables" / "locale", language).entries
        return answers.CatalogView(entries)
    catalogue = game_words(find_game(game), language)
    return answers.CatalogView({**catalogue.fallback, **catalogue.entries})


@endpoints.get("/api/games/{game}/rules/{language}", answer=answers.Rules)
async def rules(caller: RequestContext, game: str, language: str) -> answers.Rules:
    """The rulebook of a game in one language, every paragraph with its id."""
    if language not in rulebook.LANGUAGES:
        raise CommandError("no_such_page")
    book = rulebook.read(find_game(game).folder / "rulebook", language)
    paragraphs = [answers.RuleView(rule.id, rule.title, rule.text) for rule in book.paragraphs.values()]
    return answers.Rules(book.markdown, paragraphs)
