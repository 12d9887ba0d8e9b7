"""What is laid away is told while it happens, then lies face down, and is open after the end; secrets are not told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from dracotheque.engine.phrases import GameEvent, phrase
from dracotheque.games.dragons_cave.rules import state as cave
from dracotheque.games.emerald.rules import state as emerald
from dracotheque.presentation.narration import ALL_CRESTS, seat_name
from dracotheque.presentation.pieces import Holding
from dracotheque.tables import protocol as m
from dracotheque.tables.board import board_of
from dracotheque.tables.broadcast import default_viewpoint, set_viewpoint, snapshot_for
from dracotheque.tables.errors import CommandError
from dracotheque.tables.game_in_progress import Position
from dracotheque.tables.manager import TableManager
from dracotheque.tables.snapshot import (
    SPECTATOR,
    first_recent_move,
    move_list,
    move_records,
    prompt,
    redaction,
    snapshot,
    state_after,
    updates,
)
from dracotheque.tables.storage.store import open_store
from dracotheque.tables.table import Table, open_table, seat_views
from tests.server.guests import take_in

encode = msgspec.json.Encoder().encode
GUESTS = [f"{number:032}" for number in range(6)]
CLOSED = [("emerald", 2), ("emerald", 3), ("emerald", 5), ("dragons-cave", 2), ("dragons-cave", 3), ("dragons-cave", 4)]
TWO_SEATS = m.CreateTable("emerald", [m.SeatRequest("me"), m.SeatRequest("open")])
VALUES = {"the.gold", "card.gold", "coins"}
"""Phrases that say what something laid away is worth."""


def begun(game: str, players: int, **options: str) -> Table:
    """Open a table at which everybody is another person, and begin."""
    wish = m.CreateTable(game, [m.SeatRequest("me"), *[m.SeatRequest("open")] * (players - 1)], options)
    opened = open_table(GUESTS[0], wish, "Ann", "0" * 64, 0.0)
    table = Table("table-1", bytes(range(32))).apply(opened)
    for seat in range(1, players):
        table = table.apply(table.sit(GUESTS[seat], seat, "Ben", "", invited=False, now=0.0))
    return table.apply(table.begin(0.0))


def played(table: Table, chance: Random) -> Iterator[Table]:
    """Play at random to the end; give the table as it is after every choice."""
    while table.asked:
        assert table.play
        seat = chance.choice(table.asked)
        action = chance.choice(table.play.state.legal_actions(seat))
        table = table.apply(table.decide(GUESTS[seat], choice(table, seat, action), 0.0))
        yield table


def choice(table: Table, seat: int, action: int) -> m.Move:
    """Answer the question that a seat is asked."""
    assert table.play
    return m.Move(seat=seat, prompt_id=table.play.asked_at[seat], action=action)


def truth(table: Table) -> Any:
    """Everything that lies on the table."""
    assert table.play
    return table.play.state.to_plain()


def shown(table: Table, viewer: int) -> m.TableSnapshot:
    """Show the whole table to a seat or a spectator."""
    guest = GUESTS[viewer] if viewer >= 0 else ""
    assert default_viewpoint(table, guest) == viewer
    return snapshot(table, viewer, seat_views(table, guest), host=False)


def board(table: Table, viewer: int) -> m.BoardState:
    """What a viewer sees on the board."""
    found = shown(table, viewer).board
    assert found
    return found


def held(table: Table, viewer: int, seat: int, kind: str) -> Holding | None:
    """What a viewer sees of a kind before a seat."""
    holdings = board(table, viewer).holdings[seat]
    return next((each for each in holdings if each.kind.removesuffix("-closed") == kind), None)


def story(table: Table) -> list[m.MoveRecord]:
    """The moves of a game as its log keeps them."""
    return move_list(table, SPECTATOR, 0, 10_000).moves


def events(moves: list[m.MoveRecord]) -> list[tuple[int, list[GameEvent]]]:
    """Who moved, and what that made happen."""
    return [(each.player, each.events) for each in moves]


def viewers(table: Table) -> list[int]:
    """Everybody who may look."""
    return [*range(len(table.seats)), SPECTATOR]


def said(told: list[m.MoveRecord]) -> list[tuple[str, Any]]:
    """Every phrase that was said, wherever it stands in another, with what fills its gaps."""

    def inside(phrase: Any) -> Iterator[tuple[str, Any]]:
        if hasattr(phrase, "key"):
            yield phrase.key, phrase.gaps
            for gap in phrase.gaps.values():
                yield from inside(gap)

    return [each for one in told for event in one.events for each in inside(event.phrase)]


# --- While the game runs ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 5])
def test_gold_lies_face_down_before_everybody_but_its_owner(players: int) -> None:
    seen_gold = 0
    for table in played(begun("emerald", players), Random(players)):
        known = truth(table)
        if table.status == "over":
            break
        for viewer in viewers(table):
            for seat in range(players):
                gold = held(table, viewer, seat, "gold")
                assert (gold.count if gold else 0) == sum(known.gold[seat])
                worth = sum((value + 1) * cards for value, cards in enumerate(known.gold[seat]))
                assert gold is None or gold.value == (worth if seat == viewer else None)
            seen_gold += sum(map(sum, known.gold))
    assert seen_gold


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chests_are_closed_to_everybody_their_owners_too(players: int) -> None:
    coins = 0
    for table in played(begun("dragons-cave", players), Random(players)):
        if table.status == "over":
            break
        coins += sum(truth(table).chest)
        for viewer in viewers(table):
            for seat in range(players):
                chest = held(table, viewer, seat, "chest")
                assert chest
                assert chest.value is None
            kinds = {piece.kind: piece.value for name, piece in board(table, viewer).pieces.items() if "chest-" in name}
            assert {kind: value for kind, value in kinds.items() if kind.startswith("chest")} == {"chest": 0}
    assert coins


def other_gold(known: Any, viewer: int) -> Any:
    """Let everybody else have other gold, as many cards of it."""
    known.gold = [cards if seat == viewer else cards[1:] + cards[:1] for seat, cards in enumerate(known.gold)]
    gems, gold = known.unseen[: emerald.KINDS], known.unseen[emerald.KINDS :]
    known.unseen = gems + gold[1:] + gold[:1]
    return known


def other_coins(known: Any, viewer: int) -> Any:
    """Let other coins lie in every chest."""
    known.chest = [coins + 3 for coins in known.chest]
    return known


def are_worth_other(known: Any, changed: Any) -> bool:
    """Whether the holdings of each seat is worth something else, as everybody sees at the end."""
    if hasattr(known, "chest"):
        return known.chest != changed.chest
    worth = [
        [sum((value + 1) * n for value, n in enumerate(cards)) for cards in each.gold] for each in (known, changed)
    ]
    return worth[0] != worth[1]


@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_other_values_laid_away_look_the_same(game: str, players: int) -> None:
    change: Callable[[Any, int], Any] = other_gold if game == "emerald" else other_coins
    changes = 0
    for table in played(begun(game, players), Random(players)):
        assert table.play
        state = table.play.state
        for viewer in viewers(table):
            known, changed = table.play.position.known(viewer), change(Position(state).known(viewer), viewer)
            boards = [encode(board_of(table.game, each, viewer)) for each in (known, changed)]
            if table.status == "over":
                assert (boards[0] != boards[1]) == (
                    changed.bytes() != known.bytes() and are_worth_other(known, changed)
                )
                continue
            changes += changed.bytes() != known.bytes()
            assert boards[0] == boards[1]
            asked = [encode(prompt(state, viewer, each)) for each in (known, changed)]
            assert asked[0] == asked[1]
    assert changes > 20


# --- What is told ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_the_story_of_a_running_game_has_no_values_and_that_of_a_finished_one_all(game: str, players: int) -> None:
    ended, values = False, 0
    for table in played(begun(game, players), Random(players)):
        ended = table.status == "over"
        told = {key for key, _ in said(story(table))} & VALUES
        assert table.play
        in_full = said(move_records(table.game.new_initial_state(), table.play.state.full_history()))
        values = len([key for key, _ in in_full if key in VALUES])
        assert told == (VALUES & {key for key, _ in in_full} if ended else set())
    assert ended
    assert values


@pytest.mark.parametrize(("game", "options"), [("emerald", {"gold": "open"}), ("dragons-cave", {"chests": "open"})])
def test_a_table_that_agreed_so_lays_nothing_away(game: str, options: dict[str, str]) -> None:
    laid = 0
    for table in played(begun(game, 3, **options), Random(5)):
        known = truth(table)
        for viewer in viewers(table):
            for seat in range(3):
                if game == "emerald":
                    gold = held(table, viewer, seat, "gold")
                    worth = sum((value + 1) * cards for value, cards in enumerate(known.gold[seat]))
                    assert ((gold.value or 0) if gold else 0) == worth
                    laid += worth
                else:
                    chest = held(table, viewer, seat, "chest")
                    assert chest
                    assert chest.value == known.chest[seat]
                    laid += known.chest[seat]
        assert table.play
        in_full = move_records(table.game.new_initial_state(), table.play.state.full_history())
        assert events(story(table)) == events(in_full)
    assert laid


def test_taking_gold_is_told_with_its_value_and_then_not_again() -> None:
    taken = 0
    before = begun("emerald", 3)
    for table in played(before, Random(3)):
        for seat in range(3):
            gold = [now - then for now, then in zip(truth(table).gold[seat], truth(before).gold[seat], strict=True)]
            if 1 in gold and table.status == "playing":
                value = {"value": gold.index(1) + 1}
                for viewer in viewers(table):
                    assert ("the.gold", value) in said(shown(table, viewer).recent), "everybody saw it"
                assert ("the.some_gold", {}) in said(story(table)[before.moves :])
                kept = [event for each in updates(table, [SPECTATOR])[SPECTATOR].moves for event in each.log or []]
                assert ("the.some_gold", {}) in said([m.MoveRecord([event for event in kept if event])])
                taken += 1
        before = table
    assert taken


@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_what_the_log_keeps_in_short_says_no_more_than_the_events_that_it_keeps(game: str, players: int) -> None:
    differ = 0
    for table in played(begun(game, players), Random(players)):
        redact = redaction(table)
        if redact is None:
            continue  # the game is over: all is told
        for record in updates(table, [SPECTATOR])[SPECTATOR].moves:
            kept = record.lines if record.log_lines is None else record.log_lines
            parts = [part for line in kept for part in line.parts if not isinstance(part, int)]
            assert all(redact(GameEvent("", part)).phrase == part for part in parts)
            assert "log.fists" not in [part.key for part in parts], "it has numbers of coins"
            differ += record.log_lines is not None
        told = story(table)[-1]
        assert told.log_lines is None
        assert "'log.fists'" not in str(told.lines)
    assert bool(differ) == (game == "dragons-cave")


@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_who_comes_back_hears_all_since_the_own_last_choice_and_a_spectator_the_last(game: str, players: int) -> None:
    longest = 0
    for table in played(begun(game, players), Random(players + 10)):
        assert table.play
        history, turns = table.play.state.full_history(), table.play.turns
        for viewer in viewers(table):
            told = shown(table, viewer).recent
            mine = [turn.first for turn in turns if turn.seat == viewer >= 0]
            first = mine[-1] if mine else turns[-1].first
            assert events(told) == events(tell_from(table, first))
            assert len(told) == len(history) - first
            longest = max(longest, len(told))
        assert len(shown(table, SPECTATOR).recent) == len(history) - turns[-1].first
    assert longest > players


def tell_from(table: Table, first: int) -> list[m.MoveRecord]:
    """Tell a game from a move on."""
    assert table.play
    history = table.play.state.full_history()
    state = table.game.new_initial_state()
    for player, action in history[:first]:
        state.apply_action(action, player)
    return move_records(state, history[first:])


def test_nothing_that_is_told_names_a_sealed_card_or_split() -> None:
    sealed = 0
    before = begun("dragons-cave", 4)
    for table in played(before, Random(9)):
        assert table.play
        seat, action = table.play.state.full_history()[before.moves]
        if truth(before).phase in (cave.SEAL, cave.SPLIT):
            keys = {key for key, _ in said(tell_from(table, before.moves))}
            assert not [key for key in keys if key.startswith(("card.", "action."))]
            crest = ALL_CRESTS[seat]
            theirs, mine = board(table, (seat + 1) % 4).pieces, board(table, seat).pieces
            if truth(before).phase == cave.SEAL:
                name = table.game.board.kinds[action] if action < cave.CHEST else "chest"  # type: ignore[union-attr]
                assert theirs[f"card-{crest}"].kind == "card-back"
                assert mine[f"card-{crest}"].kind == f"peek-{name}", "the own secret is shown"
            else:
                count = action - cave.HOLD
                closed, own = theirs[f"left-{crest}"].label, mine[f"left-{crest}"].label
                assert closed == phrase("event.fists_closed", seat=seat_name(seat))
                assert own == (phrase("coins", count=count) if count else phrase("coins.none"))
            sealed += 1
        before = table
    assert sealed > 10


# --- After the end --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_everything_is_open_after_the_end(game: str, players: int) -> None:
    *_, table = played(begun(game, players), Random(players))
    for viewer in viewers(table):
        assert worth_before_everybody(table, viewer) == laid_away(table)


@pytest.mark.parametrize("game", ["emerald", "dragons-cave"])
def test_everything_laid_away_is_open_after_a_resignation(game: str) -> None:
    table = next(table for table in played(begun(game, 2), Random(2)) if all(laid_away(table)))
    assert worth_before_everybody(table, SPECTATOR) == [None, None]
    table = table.apply(table.decide(GUESTS[1], m.Resign(seat=1), 0.0))
    for viewer in viewers(table):
        assert worth_before_everybody(table, viewer) == laid_away(table)


def worth_before_everybody(table: Table, viewer: int) -> list[int | None]:
    """What a viewer sees that each player's gold, or chest, is worth."""
    kind = "gold" if table.opened.game == "emerald" else "chest"
    found = [held(table, viewer, seat, kind) for seat in range(len(table.seats))]
    return [each.value if each else 0 for each in found]


def laid_away(table: Table) -> list[int]:
    """What each player's gold, or chest, is worth."""
    known = truth(table)
    if table.opened.game == "emerald":
        gold = known.gold[: len(table.seats)]
        return [sum((value + 1) * cards for value, cards in enumerate(each)) for each in gold]
    return known.chest[: len(table.seats)]


# --- News and snapshots say the same ----------------------------------------------------------------------------------
async def screen_passed_on(folder: Path) -> int:
    """Let three persons at one screen play a whole game, passing it on; give how often news and snapshot agreed."""
    store = open_store(str(folder / "tables.db"))
    await store.start()
    house, heard, chance = TableManager(store), list[bytes](), Random(4)
    wish = m.CreateTable("dragons-cave", [m.SeatRequest("me"), m.SeatRequest("screen"), m.SeatRequest("screen")])
    table = await house.open(GUESTS[0], wish, "Ann")
    room, viewer = await house.watch(table, GUESTS[0], heard.append)
    agreed = 0
    while room.table.asked:
        seat = chance.choice(room.table.asked)
        set_viewpoint(room, viewer, seat)
        known = msgspec.json.decode(heard[-1])
        assert room.table.play
        action = chance.choice(room.table.play.state.legal_actions(seat))
        await house.do(table, GUESTS[0], choice(room.table, seat, action))
        take_in(known, msgspec.json.decode(heard[-1]))
        now = msgspec.json.decode(encode(snapshot_for(room, viewer)))
        for view in (known, now):
            view.pop("recent")
        assert known == now
        agreed += 1
    await house.stop()
    await store.close()
    return agreed


def test_a_screen_that_is_passed_on_shows_what_is(tmp_path: Path) -> None:
    assert asyncio.run(screen_passed_on(tmp_path)) > 20


async def come_in_during_a_move(folder: Path) -> None:
    """Let someone come in at every point of another's move: both must succeed, and nothing be missed."""
    store = open_store(str(folder / "tables.db"))
    await store.start()
    house = TableManager(store)
    wish = m.CreateTable("emerald", [m.SeatRequest("me"), m.SeatRequest("open")], {"starts": "1"})
    for waits in range(30):
        table = await house.open(GUESTS[0], wish, "Ann")
        await house.sit(table, GUESTS[1], m.TakeSeat(), "Ben", lambda seat: False)
        room, heard = await house.live_table(table), list[bytes]()
        assert room.table.play
        action = room.table.play.state.legal_actions(0)[0]
        coming = asyncio.ensure_future(house.watch(table, GUESTS[1], heard.append))
        for _ in range(waits % 10):
            await asyncio.sleep(0)
        await asyncio.gather(house.do(table, GUESTS[0], choice(room.table, 0, action)), coming)
        numbers = [msgspec.json.decode(news)["revision"] for news in heard]
        assert numbers in ([room.table.revision], [room.table.revision - 1, room.table.revision])
        await house.do(table, GUESTS[1], m.Resign(seat=1))
    await house.stop()
    await store.close()


def test_somebody_who_comes_in_during_a_move_misses_nothing(tmp_path: Path) -> None:
    asyncio.run(come_in_during_a_move(tmp_path))


# --- A moment ago ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_only_a_finished_game_is_shown_as_it_was(game: str, players: int) -> None:
    refused = 0
    for table in played(begun(game, players), Random(players)):
        assert table.play
        assert state_after(table, None).full_history() == table.play.state.full_history()
        for move in range(0, table.moves + 2, 7):
            if table.status != "over":
                refused += 1
                with pytest.raises(CommandError, match="not over"):
                    state_after(table, move)
                continue
            assert state_after(table, move).full_history() == table.play.state.full_history()[:move]
    assert refused > 60


@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_a_snapshot_tells_nothing_in_full_from_before_the_own_last_choice(game: str, players: int) -> None:
    hidden = 0
    for table in played(begun(game, players), Random(players)):
        if table.moves > 60 or table.status == "over":
            break
        assert table.play
        for viewer in viewers(table):
            first = first_recent_move(table.play, viewer)
            assert len(shown(table, viewer).recent) == table.moves - first
            hidden += first
    assert hidden > 60


def test_before_the_game_nothing_is_shown() -> None:
    table = Table("table-1", bytes(32)).apply(open_table(GUESTS[0], TWO_SEATS, "Ann", "0" * 64, 0.0))
    with pytest.raises(CommandError, match="not started"):
        state_after(table, None)
