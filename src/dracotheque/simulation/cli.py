"""The commands `dracotheque simulate` and `dracotheque tournament`."""

from __future__ import annotations

import contextlib
import json
import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from dracotheque.engine.errors import DracothequeError
from dracotheque.engine.jit import cache
from dracotheque.engine.registry import find_game
from dracotheque.presentation.command_line import (
    STUDY,
    Commands,
    add_game,
    add_json,
    add_setup,
    bots,
    console,
    game_of,
    names_in,
    positive,
    seed,
)  # fmt: skip

if TYPE_CHECKING:
    from dracotheque.simulation.tournament import Tournament


def add_commands(commands: Commands) -> None:
    """Add the commands of this package."""
    example = "{game} --games 1e6 --bots greedy,random,random"
    made = commands.add(STUDY, "simulate", "Simulate games and report win rates", simulate, example=example)
    add_game(made)
    made.add_argument("--games", type=positive, default=100_000, metavar="N", help="number of games (default: 100000)")
    made.add_argument("--bots", type=bots, metavar="BOT,…", help="bot of each player (default: random)")
    add_setup(made)
    made.add_argument("--seed", type=seed, default=1, help="seed; the same seed gives the same games (default: 1)")
    made.add_argument(
        "--threads",
        type=positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of threads (default: one per core)",
    )
    made.add_argument("--on", choices=("cpu", "cuda"), default="cpu", help="cuda for an NVIDIA GPU (default: cpu)")
    add_json(made)

    summary = "Run a bot tournament with all seatings and equal dice"
    example = "{game} --bots medium,easy,beginner"
    add_tournament(commands.add(STUDY, "tournament", summary, tournament, example=example))


def add_tournament(made: ArgumentParser) -> None:
    """Add the options of a tournament."""
    add_game(made, optional="none, for --merge")
    made.add_argument("--bots", type=bots, metavar="BOT,…", help="two bots or more; a name may be repeated")
    add_setup(made)
    made.add_argument(
        "--deals",
        type=positive,
        default=500,
        metavar="N",
        help="number of deals, each played in all seatings (default: 500)",
    )
    made.add_argument(
        "--first-deal", type=seed, default=0, metavar="N", help="first deal, to share work among machines (default: 0)"
    )
    made.add_argument("--seed", type=seed, default=1, help="seed; the same seed gives the same dice (default: 1)")
    made.add_argument(
        "--processes",
        type=positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of processes (default: one per core)",
    )
    made.add_argument("--save", type=Path, metavar="FILE", help="JSON file for all deals, resumed if it exists")
    made.add_argument("--merge", type=Path, nargs="+", metavar="FILE", help="saved tournaments to add up, without play")
    made.add_argument("--plot", type=Path, metavar="FILE", help="SVG file for a chart of win rates")
    add_json(made)


def simulate(arguments: Namespace) -> None:
    """Simulate games and print the results."""
    from dracotheque.simulation import report, simulate

    on_gpu = arguments.on == "cuda"
    game = game_of(arguments, arguments.bots, interpreted=on_gpu and not cache.has_numba())
    named = names_in(arguments.bots) if arguments.bots else ["random"] * game.players
    if len(named) != game.players:
        raise DracothequeError(f"--bots must name {game.players} bots for {game.players} players (got {len(named)}).")
    if on_gpu and set(named) != {"random"}:
        raise DracothequeError("Only the random bot runs on a GPU. Remove --on cuda, or use --bots random.")
    with report.progress(arguments.games, quiet=arguments.json) as tell:
        done = simulate.simulate(
            game, arguments.games, named, arguments.seed, arguments.threads, card=on_gpu, tell=tell
        )
    if arguments.json:
        print(json.dumps(done.as_dict()))
    else:
        console().print(report.table(done))


def tournament(arguments: Namespace) -> None:
    """Play a tournament, or add saved ones up, and print the standings."""
    from dracotheque.simulation import report

    if arguments.plot and not arguments.plot.parent.is_dir():
        raise DracothequeError(f"Cannot find the folder {arguments.plot.parent} for --plot. Create it first.")
    done = merged(arguments) if arguments.merge else played(arguments)
    if arguments.json:
        print(json.dumps(done.as_dict()))
    elif not done.deals:
        print("No deal was finished.")
    else:
        console().print(report.tournament_table(done))
        # Not by the console: a command must not be broken into lines.
        print("\n".join(["To repeat it:", *done.commands()]))
        if done.missing and arguments.save:
            print("The same command continues from here.")
    if arguments.plot and done.deals:
        from dracotheque.simulation import tournament_plot

        arguments.plot.write_text(tournament_plot.svg(done), "utf-8")


def played(arguments: Namespace) -> Tournament:
    """Return a tournament, played to the end or continued."""
    from dracotheque.simulation import report, tournament

    if not arguments.game or not arguments.bots:
        raise DracothequeError("A tournament needs a game and --bots. Try dracotheque tournament --help.")
    named = names_in(arguments.bots)
    if arguments.players is None:
        definition = find_game(arguments.game)
        arguments.players = max(min(len(named), definition.max_players), definition.min_players)
    game = game_of(arguments, arguments.bots)
    settings = tournament.settle(game, named, arguments.seed)
    store = tournament.Store(arguments.save) if arguments.save else None
    done = store.resume(settings) if store else tournament.Tournament(settings)
    done.wanted = range(arguments.first_deal, arguments.first_deal + arguments.deals)
    if not done.missing and not (store and store.part.exists()):
        return done
    tournament.rehearse(game, settings)
    with contextlib.ExitStack() as opened:
        keep = opened.enter_context(store.writing(settings)) if store else lambda deal: None
        tell = opened.enter_context(report.tournament_progress(quiet=arguments.json))
        tournament.play(game, done, arguments.processes, keep, tell)
    if store and not done.missing:
        store.finish(done)
    return done


def merged(arguments: Namespace) -> Tournament:
    """Return the sum of saved tournaments, written to a new file where one is named."""
    from dracotheque.simulation import tournament

    if arguments.game or arguments.bots:
        raise DracothequeError("--merge plays no games. Remove the game and --bots.")
    if arguments.save and arguments.save.exists():
        raise DracothequeError(f"{arguments.save} already exists. Choose another file with --save.")
    done = tournament.merge(arguments.merge)
    if arguments.save:
        tournament.Store(arguments.save).finish(done)
    return done
