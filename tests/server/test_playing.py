"""People at tables: opening, sitting, playing, leaving, coming back, taking back, resigning, another game."""

from __future__ import annotations

import copy
import random
import re
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from dracotheque.engine.log import load
from dracotheque.server.identity import COOKIE
from dracotheque.tables.fairness import verify
from tests.server.guests import HATCHLING, LINK, ME, OPEN, PATIENCE, SQUIRE, Guest, Server, apply_patch

GAMES = {"emerald": 2, "dragons-cave": 3, "gran": 3, "save-the-dragon": 2}


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_bots(server: Server, game: str) -> None:
    ann = Guest(server, "Ann")
    table = ann.open(game, ME, *[HATCHLING] * (GAMES[game] - 1))
    with ann.socket(table) as seat:
        seat.play(random.Random(1))
        assert seat.result
        assert seat.result["winners"]
    dice = ann.get(f"/api/tables/{table}/dice")
    assert dice["fair"] is True
    assert dice["draws"] > 0
    replay = ann.get(f"/api/tables/{table}/moves?seat=0")
    assert (replay["first"], replay["board"]["pieces"] != {}) == (0, True)
    assert replay["result"] == seat.result


def test_two_friends_one_by_link(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("emerald", ME, LINK)
    with ann.socket(table) as first:
        assert first.table["status"] == "open"
        assert ben.sit(table, status=403)["code"] == "invitation_needed"
        view = ben.sit(table, invitation=ann.invitation(table, 1))
        assert view["table"]["status"] == "playing"
        assert [seat["name"] for seat in view["seats"]] == ["Ann", "Ben"]
        first.await_("snapshot")
        with ben.socket(table) as second:
            assert first.prompt
            assert second.prompt
            asked = first.prompt["seats"][0]
            mover, other = (first, second) if asked == 0 else (second, first)
            answer = other.do("move", seat=other.mine[0], prompt_id=0, action=mover.choices()[0])
            assert answer["problem"]["code"] == "rule"
            assert answer["problem"]["rule"] == "turn.order"
            assert mover.choose(mover.choices()[0])["type"] == "ack"
            assert other.await_("update")["revision"] == mover.news[-1]["revision"]
            assert other.board == mover.board


def test_an_open_seat_and_bots_that_fill_the_rest(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("gran", ME, OPEN, OPEN, listed=True)
    assert table in [listed["table"] for listed in ben.get("/api/tables?game=gran")["tables"]]
    assert ben.sit(table)["table"]["status"] == "open"
    assert ben.do(table, "start", status=403)["code"] == "host_only"
    assert ann.do(table, "start", status=409)["code"] == "seats_free"
    ann.do(table, "start", level="squire")
    view = ben.get(f"/api/tables/{table}")
    assert view["table"]["status"] == "playing"
    assert [seat["kind"] for seat in view["seats"]] == ["person", "person", "bot"]
    assert table in [listed["table"] for listed in Guest(server).get("/api/running?game=gran")["tables"]]


def test_somebody_goes_home_and_comes_back(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("save-the-dragon", ME, SQUIRE, options={"starts": "1"})
    with ann.socket(table) as seat:
        seat.play(random.Random(2), until=lambda seat: len(seat.news) > 6 and bool(seat.choices()))
        board, prompt = seat.board, seat.prompt
    key = ann.post("/api/me/key")["path"].partition("#key=")[2]
    phone = Guest(server)
    assert phone.post("/api/me/become", {"key": key})["name"] == "Ann"
    listed = phone.get("/api/me/tables")["tables"]
    assert [each["table"] for each in listed] == [table]
    with phone.socket(table) as again:
        assert again.board == board
        assert again.prompt == prompt
        again.play(random.Random(3))
        assert again.result


def test_a_wrong_key_opens_nothing(server: Server) -> None:
    ann = Guest(server, "Ann")
    key = ann.post("/api/me/key")["path"].partition("#key=")[2]
    for wrong in ("", "x", key[:-1], key[:-1] + ("A" if key[-1] != "A" else "B"), ann.cookie, key.replace(".", "")):
        assert Guest(server).post("/api/me/become", {"key": wrong}, status=403)["code"] == "bad_key"


def test_the_cookie_is_neither_key_nor_invitation(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("emerald", ME, LINK)
    invitation = ann.invitation(table, 1)
    for given in (ann.cookie, ann.invitation(table, 0), invitation[:-1], ""):
        assert Guest(server).sit(table, status=403, seat=1, invitation=given)["code"] == "invitation_needed"
    other = ann.open("emerald", ME, LINK)
    assert Guest(server).sit(other, status=403, seat=1, invitation=invitation)["code"] == "invitation_needed"


def test_a_seat_by_link_stays_one_when_somebody_gets_up(server: Server) -> None:
    ann, ben = Guest(server), Guest(server)
    table = ann.open("emerald", ME, LINK, LINK)
    ben.sit(table, invitation=ann.invitation(table, 2))
    assert ben.sit(table, status=409, invitation=ann.invitation(table, 1))["code"] == "seated_already"
    ben.do(table, "leave", seat=2)
    assert Guest(server).sit(table, status=403, seat=2)["code"] == "invitation_needed"
    assert ben.sit(table, invitation=ann.invitation(table, 2))["seats"][2]["mine"] is True


class TestTakingBack:
    """A choice is taken back where it has revealed nothing; alone with bots, always."""

    def test_alone_with_bots_always(self, server: Server) -> None:
        ann = Guest(server)
        table = ann.open("emerald", ME, HATCHLING, options={"starts": "1"})
        with ann.socket(table) as seat:
            before = copy.deepcopy(seat.board)
            assert seat.table["practice"] is True
            seat.choose(seat.choices()[0])
            while not seat.choices() or seat.board == before:
                seat.receive()
            moves = seat.view["move_number"]
            assert seat.do("take-back", move_number=moves)["type"] == "ack"
            assert seat.board == before

    def test_not_when_chance_has_answered(self, server: Server) -> None:
        ann, ben = Guest(server), Guest(server)
        table = ann.open("save-the-dragon", ME, OPEN, options={"starts": "1"})
        ben.sit(table)
        with ann.socket(table) as first, ben.socket(table) as second:
            while True:
                mover, other = (first, second) if first.choices() else (second, first)
                before = copy.deepcopy(mover.board)
                mover.choose(mover.choices()[0])
                told = other.await_("update")
                answer = mover.do("take-back", move_number=told["move_number"])
                if any("player" not in each for each in told["moves"]):
                    assert answer["problem"]["code"] == "somebody_knows_more"
                    return
                assert answer["type"] == "ack"
                assert mover.board == before
                assert other.await_("snapshot")["taken_back"] is True
                mover.choose(mover.choices()[0])
                other.await_("update")

    def test_not_when_somebody_else_has_chosen(self, server: Server) -> None:
        ann, ben = Guest(server), Guest(server)
        table = ann.open("emerald", ME, OPEN, options={"starts": "1", "second_move": "optional"})
        ben.sit(table)
        with ann.socket(table) as first, ben.socket(table) as second:
            while not second.choices():
                first.choose(first.choices()[-1])
                second.await_("update")
            second.choose(second.choices()[0])
            moves = first.await_("update", until=lambda news: news["moves"][0].get("player") == 1)["move_number"]
            assert first.do("take-back", move_number=moves)["problem"]["code"] == "somebody_knows_more"

    def test_a_sealed_card_until_the_dragon_sits(self, server: Server) -> None:
        ann, ben = Guest(server), Guest(server)
        table = ann.open("dragons-cave", ME, OPEN, options={"first_dragon": "1"})
        ben.sit(table)
        with ann.socket(table) as dragon, ben.socket(table) as dwarf:
            card = dwarf.choices()[0]
            dwarf.choose(card)
            moves = dragon.await_("update")["move_number"]
            assert dwarf.do("take-back", move_number=moves)["type"] == "ack"
            assert dragon.await_("snapshot")["taken_back"] is True
            dwarf.choose(dwarf.choices()[1])
            moves = dragon.await_("update")["move_number"]
            dragon.choose(dragon.choices()[0])
            moves = dwarf.await_("update")["move_number"]
            for seat in (dragon, dwarf):
                assert seat.do("take-back", move_number=moves)["problem"]["code"] == "somebody_knows_more"

    def test_a_spectator_takes_nothing_back(self, server: Server) -> None:
        ann = Guest(server)
        table = ann.open("emerald", ME, HATCHLING)
        assert Guest(server, "Eve").do(table, "take-back", status=403, move_number=0)["code"] == "not_seated"


def test_a_bot_sits_in_and_the_person_comes_back(server: Server) -> None:
    ann, ben = Guest(server), Guest(server)
    table = ann.open("emerald", ME, OPEN, options={"starts": "1"})
    ben.sit(table)
    with ann.socket(table) as first, ben.socket(table) as second:
        assert first.do("assign-substitute", seat=0, level="hatchling")["type"] == "ack"
        while not second.choices():
            second.receive()
        assert second.seats[0]["substitute"] == "hatchling"
        assert first.do("move", seat=0, prompt_id=0, action=0)["problem"]["code"] == "stand_in_plays"
        assert first.do("resume-seat", seat=0)["type"] == "ack"
        assert first.do("resume-seat", seat=0)["problem"]["code"] == "no_stand_in"


def test_resigning_a_game_of_two(server: Server) -> None:
    ann, ben = Guest(server), Guest(server)
    table = ann.open("emerald", ME, OPEN)
    ben.sit(table)
    assert ben.do(table, "resign", status=403, seat=0)["code"] == "not_your_seat"
    ben.do(table, "resign", seat=1)
    view = ann.get(f"/api/tables/{table}")
    assert view["table"]["status"] == "over"
    assert view["result"]["winners"] == [0]
    assert view["result"]["resigned"] == 1
    assert ann.get(f"/api/tables/{table}/dice")["fair"] is True


def test_three_do_not_resign(server: Server) -> None:
    ann = Guest(server)
    table = ann.open("emerald", ME, SQUIRE, SQUIRE)
    assert ann.do(table, "resign", status=409, seat=0)["code"] == "resign_needs_two"


def test_a_rematch_with_everybody_one_seat_further(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("emerald", ME, OPEN)
    ben.sit(table)
    with ann.socket(table) as first:
        assert first.do("rematch")["problem"]["code"] == "not_over"
        ben.do(table, "resign", seat=1)
        first.await_("snapshot", until=lambda news: news["table"]["status"] == "over")
        ben.do(table, "rematch")
        again = first.await_("rematch")["table"]
    assert ann.do(table, "rematch", status=409)["code"] == "rematch_offered"
    view = ann.get(f"/api/tables/{again}")
    assert view["table"]["status"] == "open"
    assert [seat["name"] for seat in view["seats"]] == ["Ben", "Ann"]
    assert Guest(server, "Eve").sit(again, status=409)["code"] == "no_free_seat"
    assert ann.sit(again)["table"]["status"] == "playing"


def test_people_on_one_screen_see_their_secrets_one_at_a_time(server: Server) -> None:
    ann = Guest(server, "Ann")
    screen = {"kind": "screen", "name": "Ben"}
    table = ann.open("dragons-cave", ME, screen, screen | {"name": "Cem"}, options={"first_dragon": "1"})
    with ann.socket(table) as seat:
        assert seat.view["viewpoint"] == -1
        assert seat.prompt
        assert seat.prompt["secret"] is True
        assert not seat.choices()
        seat.do("set-viewpoint", seat=1)
        card = seat.choices()[0]
        seat.choose(card, seat=1)
        seat.do("set-viewpoint", seat=2)
        assert seat.board
        assert seat.board["pieces"]["card-tower"]["kind"] == "card-back"
        seat.choose(seat.choices()[0], seat=2)
        seat.do("set-viewpoint")
        assert seat.view["viewpoint"] == -1
        seat.do("set-viewpoint", seat=0)
        seat.choose(seat.choices()[0], seat=0)


def test_chat_and_mute(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("emerald", ME, OPEN)
    ben.sit(table)
    with ann.socket(table) as first, ben.socket(table) as second:
        assert second.do("send-chat", seat=1, text="  good   luck ")["type"] == "ack"
        assert first.await_("chat")["text"] == "good luck"
        assert second.do("send-chat", seat=0, text="I am Ann")["problem"]["code"] == "not_your_seat"
        assert second.do("send-chat", seat=1, text=" \u200b\u0007 ")["type"] == "rejected"
        first.do("mute", seat=1)
        assert first.seats[1]["muted"] is True
        second.do("send-chat", seat=1, text="still there?")
        first.do("send-chat", seat=0, text="yes")
        said = [(news["seat"], news["text"]) for news in first.news if news["type"] == "chat"]
        assert said == [(1, "good luck"), (-1, ""), (0, "yes")], "a muted line is a line of nobody"
        assert [line["text"] for line in first.view["chat"]] == ["yes"]
        first.do("mute", seat=1, on=False)
        assert [line["text"] for line in first.view["chat"]] == ["good luck", "still there?", "yes"]


def test_a_muted_line_is_as_long_as_any_other_muted_line(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("emerald", ME, OPEN)
    ben.sit(table)
    with ann.socket(table) as first, ben.socket(table) as second:
        first.do("mute", seat=1)
        for text in ("x", "y" * 280):
            second.do("send-chat", seat=1, text=text)
        second.do("resign", seat=1)
        first.await_("snapshot")
        lines = [raw for raw, news in zip(first.raw, first.news, strict=True) if news["type"] == "chat"]
        assert len(lines) == 2
        assert len({len(line) for line in lines}) == 1
        assert "chat" not in first.view


def test_who_has_missed_something_asks_for_a_snapshot(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("emerald", ME, OPEN)
    ben.sit(table)
    with ann.socket(table) as first, ben.socket(table) as second:
        for _ in range(20):
            mover, other = (first, second) if first.choices() else (second, first)
            revision = mover.choose(mover.choices()[-1])["revision"]
            other.await_("update", until=lambda news, last=revision: news["revision"] == last)
            for seat in (first, second):
                known = copy.deepcopy(seat.view)
                assert seat.do("sync") == {"type": "ack", "id": seat.sent, "revision": revision}
                shown = copy.deepcopy(seat.view)
                assert shown.pop("recent")
                known.pop("recent", None)
                assert shown == known, "updates lead to what a snapshot shows"


def test_another_protocol_is_turned_away(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("emerald", ME, SQUIRE)
    address = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/live"
    for query in ("", "?protocol=1", "?protocol=3", "?protocol=two"):
        with connect(address + query, additional_headers={"Cookie": f"{COOKIE}={ann.cookie}"}, proxy=None) as socket:
            with pytest.raises(ConnectionClosed):
                socket.recv(PATIENCE)
            assert socket.close_code == 4003


def test_a_table_is_put_away(server: Server) -> None:
    ann, ben = Guest(server), Guest(server)
    table = ann.open("emerald", ME, OPEN, listed=True)
    assert ben.do(table, "close", status=403)["code"] == "not_seated"
    assert Guest(server, "Eve").do(table, "close", status=403)["code"] == "host_only"
    ann.do(table, "close")
    assert ben.sit(table, status=409)["code"] == "closed"
    assert table not in [listed["table"] for listed in ben.get("/api/tables")["tables"]]


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"game": "chess", "seats": [ME, SQUIRE]}, "no_such_game"),
        ({"game": "gran", "seats": [ME, SQUIRE]}, "no_such_game"),
        ({"game": "emerald", "seats": [ME, SQUIRE], "options": {"gold": "hidden"}}, "no_such_game"),
        ({"game": "emerald", "seats": [ME, SQUIRE], "options": {"silver": "open"}}, "no_such_game"),
        ({"game": "dragons-cave", "seats": [ME, SQUIRE], "board": "../board.toml"}, "no_such_game"),
        ({"game": "dragons-cave", "seats": [ME, SQUIRE], "board": "/etc/passwd.toml"}, "no_such_game"),
        ({"game": "emerald", "seats": [ME, SQUIRE], "board": "small"}, "no_such_game"),
        ({"game": "emerald", "seats": [ME, ME]}, "one_me"),
        ({"game": "emerald", "seats": [SQUIRE, SQUIRE]}, "nobody_sits"),
        ({"game": "emerald", "seats": [{"kind": "me", "name": "\u0000"}, SQUIRE]}, "unprintable"),
    ],
)
def test_what_cannot_be_set_up_is_explained(server: Server, wish: dict[str, Any], code: str) -> None:
    ann = Guest(server, "Ann")
    answer = ann.http.post("/api/tables", json=wish)
    assert 400 <= answer.status_code < 500
    assert answer.json()["code"] == code
    assert len(answer.json()["text"]) > 10
    assert ann.get("/api/me/tables")["tables"] == []


def test_a_table_has_the_options_and_the_board_that_were_chosen(server: Server) -> None:
    ann = Guest(server)
    table = ann.open("dragons-cave", ME, SQUIRE, options={"chests": "open", "first_dragon": "2"}, board="small")
    view = ann.get(f"/api/tables/{table}")
    assert view["table"]["options"] == {"chests": "open", "first_dragon": "2"}
    assert view["table"]["board"] == "small"
    assert view["board"]["pieces"]["role"]["seat"] == 1
    places = re.findall(r'data-place="(\d+)"', ann.get(f"/api/tables/{table}/board.svg")["svg"])
    assert 10 < len(places) < 20


def test_the_host_says_anew_who_is_to_sit(server: Server) -> None:
    ann, ben = Guest(server), Guest(server)
    table = ann.open("emerald", ME, LINK, OPEN)
    ben.sit(table)
    assert ben.do(table, "change-seat", status=403, seat=1, request=OPEN)["code"] == "host_only"
    assert ann.do(table, "change-seat", status=409, seat=2, request=SQUIRE)["code"] == "seat_taken"
    ann.do(table, "change-seat", seat=1, request=HATCHLING)
    ann.do(table, "start")
    assert ann.do(table, "change-seat", status=409, seat=1, request=SQUIRE)["code"] == "already_started"
    assert [seat["kind"] for seat in ben.get(f"/api/tables/{table}")["seats"]] == ["person", "bot", "person"]


def test_a_finished_game_is_replayed_told_and_downloaded(server: Server, tmp_path: Path) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("dragons-cave", ME, HATCHLING)
    for path in ("log", "moves?open=true"):
        assert ann.get(f"/api/tables/{table}/{path}", status=409)["code"] == "not_over"
    with ann.socket(table) as seat:
        seat.play(random.Random(5))
        board, moves = seat.board, seat.view["move_number"]
    replay = Guest(server).get(f"/api/tables/{table}/moves?seat=0")
    again = replay["board"]
    for move in replay["moves"]:
        apply_patch(again, move)
    assert replay["move_number"] == moves == len(replay["moves"])
    assert again == board
    file = tmp_path / "game.json"
    file.write_bytes(Guest(server).http.get(f"/api/tables/{table}/log").content)
    kept = load(file)
    assert kept.play().scores() == replay["result"]["scores"]
    assert verify(kept).fair
    assert Guest(server).http.post("/api/verify", content=file.read_bytes()).json()["fair"] is True
