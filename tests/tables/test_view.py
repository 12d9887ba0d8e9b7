"""What is laid away is told while it happens, then lies face down, and is open after the end; secrets are not told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from dracotheque.games.dragons_cave import state as cave
from dracotheque.games.emerald import state as emerald
from dracotheque.tables import messages as m
from dracotheque.tables.house import House, usual_look
from dracotheque.tables.refused import Refused
from dracotheque.tables.store import open_store
from dracotheque.tables.table import Play, Table, open_table, seat_views
from dracotheque.tables.view import (
    SPECTATOR,
    news,
    present,
    question,
    seen_after,
    shown_fields,
    story,
    table_view,
    tell,
)  # fmt: skip

encode = msgspec.json.Encoder().encode
GUESTS = [f"{number:032}" for number in range(6)]
CLOSED = [("emerald", 2), ("emerald", 3), ("emerald", 5), ("dragons-cave", 2), ("dragons-cave", 3), ("dragons-cave", 4)]
TWO_SEATS = m.OpenTable("emerald", [m.SeatWish("me"), m.SeatWish("open")])
VALUES = {"the.gold", "card.gold", "coins"}
"""Phrases that say what something laid away is worth."""


def begun(game: str, players: int, **options: str) -> Table:
    """Open a table at which everybody is another person, and begin."""
    wish = m.OpenTable(game, [m.SeatWish("me"), *[m.SeatWish("open")] * (players - 1)], options)
    opened = open_table(GUESTS[0], wish, "Ann", "0" * 64, 0.0)
    table = Table("table-1", bytes(range(32))).after(opened)
    for seat in range(1, players):
        table = table.after(table.sit(GUESTS[seat], seat, "Ben", "", invited=False, now=0.0))
    return table.after(table.begin(0.0))


def played(table: Table, chance: Random) -> Iterator[Table]:
    """Play at random to the end; give the table as it is after every choice."""
    while table.asked:
        assert table.play
        seat = chance.choice(table.asked)
        action = chance.choice(table.play.state.legal_actions(seat))
        table = table.after(table.decide(GUESTS[seat], choice(table, seat, action), 0.0))
        yield table


def choice(table: Table, seat: int, action: int) -> m.Move:
    """Answer the question that a seat is asked."""
    assert table.play
    return m.Move(seat=seat, at=table.play.asked_at[seat], action=action)


def truth(table: Table) -> Any:
    """Everything that lies on the table."""
    assert table.play
    return table.play.state.table()


def shown(table: Table, viewer: int) -> m.TableView:
    """Show the whole table to a seat or a spectator."""
    guest = GUESTS[viewer] if viewer >= 0 else ""
    assert usual_look(table, guest) == viewer
    return table_view(table, viewer, seat_views(table, guest), host=False)


def viewers(table: Table) -> list[int]:
    """Everybody who may look."""
    return [*range(len(table.seats)), SPECTATOR]


def said(told: list[m.Told]) -> list[tuple[str, Any]]:
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
            fields = shown(table, viewer).fields
            for seat in range(players):
                own = known.gold[seat] if seat == viewer else [0] * emerald.VALUES
                assert fields["gold"][seat] == own
                assert fields["gold_cards"][seat] == sum(known.gold[seat])
            assert fields["unseen"][emerald.KINDS :] == [0] * emerald.VALUES, "what is missing there was laid away"
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
            assert shown(table, viewer).fields["chest"] == [0] * cave.SEATS
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


@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_other_values_laid_away_look_the_same(game: str, players: int) -> None:
    change: Callable[[Any, int], Any] = other_gold if game == "emerald" else other_coins
    changes = 0
    for table in played(begun(game, players), Random(players)):
        assert table.play
        state = table.play.state
        for viewer in viewers(table):
            known, changed = table.play.known(viewer), change(Play(state).known(viewer), viewer)
            fields = [encode(shown_fields(state, viewer, each)) for each in (known, changed)]
            if table.status == "over":
                assert fields[0] != fields[1]
                continue
            changes += changed.bytes() != known.bytes()
            assert fields[0] == fields[1]
            asked = [encode(question(state, viewer, each)) for each in (known, changed)]
            assert asked[0] == asked[1]
    assert changes > 20


# --- What is told ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_the_story_of_a_running_game_has_no_values_and_that_of_a_finished_one_all(game: str, players: int) -> None:
    ended, values = False, 0
    for table in played(begun(game, players), Random(players)):
        ended = table.status == "over"
        told = {key for key, _ in said(story(table, 0, table.moves))} & VALUES
        assert table.play
        in_full = said(tell(table.game.new_initial_state(), table.play.state.full_history()))
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
            fields = shown(table, viewer).fields
            if game == "emerald":
                assert fields["gold"] == known.gold
                assert fields["unseen"] == known.unseen
                laid += sum(map(sum, known.gold))
            else:
                assert fields["chest"] == known.chest
                laid += sum(known.chest)
        assert table.play
        assert story(table, 0, table.moves) == tell(table.game.new_initial_state(), table.play.state.full_history())
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
                    assert ("the.gold", value) in said(news(table, viewer)), "everybody saw it"
                assert ("the.some_gold", {}) in said(story(table, before.moves, table.moves))
                taken += 1
        before = table
    assert taken


@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_who_comes_back_hears_all_since_the_own_last_choice_and_a_spectator_the_last(game: str, players: int) -> None:
    longest = 0
    for table in played(begun(game, players), Random(players + 10)):
        assert table.play
        history, turns = table.play.state.full_history(), table.play.turns
        for viewer in viewers(table):
            told = shown(table, viewer).told
            mine = [turn.first for turn in turns if turn.seat == viewer >= 0]
            first = mine[-1] if mine else turns[-1].first
            assert told == tell_from(table, first)
            assert len(told) == len(history) - first
            longest = max(longest, len(told))
        assert len(shown(table, SPECTATOR).told) == len(history) - turns[-1].first
    assert longest > players


def tell_from(table: Table, first: int) -> list[m.Told]:
    """Tell a game from a move on."""
    assert table.play
    history = table.play.state.full_history()
    state = table.game.new_initial_state()
    for player, action in history[:first]:
        state.apply_action(action, player)
    return tell(state, history[first:])


def test_nothing_that_is_told_names_a_sealed_card_or_split() -> None:
    sealed = 0
    before = begun("dragons-cave", 4)
    for table in played(before, Random(9)):
        assert table.play
        seat, action = table.play.state.full_history()[before.moves]
        if truth(before).phase in (cave.SEAL, cave.SPLIT):
            keys = {key for key, _ in said(tell_from(table, before.moves))}
            assert not [key for key in keys if key.startswith(("card.", "action."))]
            known = shown(table, (seat + 1) % 4).fields
            assert known["card"][seat] == cave.SEALED_CARD or truth(before).phase == cave.SPLIT
            assert known["left"][seat] == cave.SEALED_SPLIT or truth(before).phase == cave.SEAL
            mine = shown(table, seat).fields
            assert action in (mine["card"][seat], mine["left"][seat] + cave.HOLD), "the own secret is shown"
            sealed += 1
        before = table
    assert sealed > 10


# --- After the end --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_everything_is_open_after_the_end(game: str, players: int) -> None:
    *_, table = played(begun(game, players), Random(players))
    known = truth(table)
    for viewer in viewers(table):
        fields = shown(table, viewer).fields
        assert {name: fields[name] for name in vars(known) if name in fields} == {
            name: value for name, value in vars(known).items() if name in fields
        }
        assert len(fields) == len(table.game.layout.state.names or ())


@pytest.mark.parametrize(("game", "field"), [("emerald", "gold"), ("dragons-cave", "chest")])
def test_everything_laid_away_is_open_after_a_resignation(game: str, field: str) -> None:
    nothing = getattr(truth(begun(game, 2)), field)
    table = next(table for table in played(begun(game, 2), Random(2)) if getattr(truth(table), field) != nothing)
    assert shown(table, SPECTATOR).fields[field] == nothing
    table = table.after(table.decide(GUESTS[1], m.Resign(seat=1), 0.0))
    for viewer in viewers(table):
        assert shown(table, viewer).fields[field] == getattr(truth(table), field)


# --- News and snapshots say the same ----------------------------------------------------------------------------------
async def screen_passed_on(folder: Path) -> int:
    """Let three persons at one screen play a whole game, passing it on; give how often news and snapshot agreed."""
    store = open_store(str(folder / "tables.db"))
    await store.start()
    house, heard, chance = House(store), list[bytes](), Random(4)
    wish = m.OpenTable("dragons-cave", [m.SeatWish("me"), m.SeatWish("screen"), m.SeatWish("screen")])
    table = await house.open(GUESTS[0], wish, "Ann")
    room, viewer = await house.watch(table, GUESTS[0], heard.append)
    agreed = 0
    while room.table.asked:
        seat = chance.choice(room.table.asked)
        house.look_from(room, viewer, seat)
        fields = msgspec.json.decode(heard[-1])["fields"]
        assert room.table.play
        action = chance.choice(room.table.play.state.legal_actions(seat))
        await house.do(table, GUESTS[0], choice(room.table, seat, action))
        fields |= msgspec.json.decode(heard[-1])["changed"]
        if room.table.asked:
            assert fields == msgspec.to_builtins(house.look(room, viewer).fields)
            agreed += 1
    await house.stop()
    await store.close()
    return agreed


def test_a_screen_that_is_passed_on_shows_what_is(tmp_path: Path) -> None:
    assert asyncio.run(screen_passed_on(tmp_path)) > 20


async def come_in_during_a_move(folder: Path) -> None:
    """Let somebody come in at every point of another's move: both must succeed, and nothing be missed."""
    store = open_store(str(folder / "tables.db"))
    await store.start()
    house = House(store)
    wish = m.OpenTable("emerald", [m.SeatWish("me"), m.SeatWish("open")], {"starts": "1"})
    for waits in range(30):
        table = await house.open(GUESTS[0], wish, "Ann")
        await house.sit(table, GUESTS[1], m.Sit(), "Ben", lambda seat: False)
        room, heard = await house.room(table), list[bytes]()
        assert room.table.play
        action = room.table.play.state.legal_actions(0)[0]
        coming = asyncio.ensure_future(house.watch(table, GUESTS[1], heard.append))
        for _ in range(waits % 10):
            await asyncio.sleep(0)
        await asyncio.gather(house.do(table, GUESTS[0], choice(room.table, 0, action)), coming)
        numbers = [msgspec.json.decode(news)["number"] for news in heard]
        assert numbers in ([room.table.number], [room.table.number - 1, room.table.number])
        await house.do(table, GUESTS[1], m.Resign(seat=1))
    await house.stop()
    await store.close()


def test_somebody_who_comes_in_during_a_move_misses_nothing(tmp_path: Path) -> None:
    asyncio.run(come_in_during_a_move(tmp_path))


# --- A moment ago ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "players"), CLOSED)
def test_a_running_game_is_shown_again_only_since_the_own_last_choice(game: str, players: int) -> None:
    refused = 0
    for table in played(begun(game, players), Random(players)):
        assert table.play
        for viewer in viewers(table):
            first = 0 if table.status == "over" else present(table.play, viewer)
            for move in range(first):
                refused += 1
                with pytest.raises(Refused, match="not over"):
                    seen_after(table, viewer, move)
            for move in range(first, table.moves + 2):
                assert seen_after(table, viewer, move).full_history() == table.play.state.full_history()[:move]
        if table.moves > 60:
            break
    assert refused > 60


def test_before_the_game_nothing_is_shown() -> None:
    table = Table("table-1", bytes(32)).after(open_table(GUESTS[0], TWO_SEATS, "Ann", "0" * 64, 0.0))
    with pytest.raises(Refused, match="not begun"):
        seen_after(table, SPECTATOR, None)
