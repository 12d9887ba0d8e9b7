"""The level `oracle`: at which tables it plays, and who gets exact values."""

from __future__ import annotations

import pytest

from dracotheque.engine.jit.cache import PACKAGE
from dracotheque.engine.phrases import words
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.tables import table as tables
from dracotheque.tables.protocol import CreateTable, SeatRequest
from tests.server.guests import HATCHLING, LINK, ME, SQUIRE, Guest, Server

ORACLE = {"kind": "bot", "level": "oracle"}
SCREEN = {"kind": "screen", "name": "Ben"}
FIRST = {"starts": "1"}


def chances(guest: Guest, table: str, status: int = 200, asked: str = "") -> dict:
    """Ask the Oracle."""
    return guest.get(f"/api/tables/{table}/action-values{asked}", status)


# --- Where it plays -------------------------------------------------------------------------------------------------
def test_it_is_offered_where_it_knows_the_game(server: Server) -> None:
    boxes = {box["name"]: box for box in Guest(server).get("/api/games")["games"]}
    assert boxes["save-the-dragon"]["solved"] == {"players": 2, "options": {"youngest": "nobody"}}
    assert [name for name, box in boxes.items() if box["solved"]] == ["save-the-dragon"]


@pytest.mark.parametrize(
    ("game", "bots", "options"),
    [
        ("save-the-dragon", [ORACLE, SQUIRE], {}),
        ("save-the-dragon", [ORACLE], {"youngest": "everybody"}),
        ("save-the-dragon", [ORACLE], {"youngest": "1"}),
        ("emerald", [ORACLE], {}),
    ],
)
def test_it_does_not_sit_down_elsewhere(server: Server, game: str, bots: list, options: dict[str, str]) -> None:
    ann = Guest(server, "Ann")
    refused = ann.post("/api/tables", {"game": game, "seats": [ME, *bots], "options": options}, 422)
    assert refused["code"] == "not_solved"
    waiting = ann.open(game, ME, *[LINK for _ in bots], options=options)
    change = ann.do(waiting, "change-seat", 422, seat=1, request=ORACLE)
    start = ann.do(waiting, "start", 422, level="oracle")
    running = ann.open(game, ME, *[HATCHLING for _ in bots], options=options)
    hand_over = ann.do(running, "assign-substitute", 422, seat=0, level="oracle")
    assert {each["code"] for each in (change, start, hand_over)} == {"not_solved"}
    assert ann.get(f"/api/tables/{running}/action-values", 422)["code"] == "not_solved"


@pytest.mark.parametrize("code", ["not_solved", "oracle_alone"])
def test_why_it_does_not_is_said_in_every_language(code: str) -> None:
    said = {words(PACKAGE / "tables" / "locale", language).entries[f"refused.{code}"] for language in LANGUAGES}
    assert len(said) == len(LANGUAGES)


def between_people(server: Server) -> tuple[Guest, Guest, str]:
    """Ann and Ben at a table, and Ann begins."""
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("save-the-dragon", ME, LINK, options=FIRST)
    ben.sit(table, invitation=ann.invitation(table, 1))
    return ann, ben, table


def test_between_people_it_plays_for_nobody(server: Server) -> None:
    ann, ben, table = between_people(server)
    assert ann.do(table, "assign-substitute", 403, seat=0, level="oracle")["code"] == "oracle_alone"
    ann.do(table, "assign-substitute", seat=0, level="dragon")
    assert ben.do(table, "assign-substitute", 403, seat=1, level="oracle")["code"] == "oracle_alone"
    assert [seat.get("substitute", "") for seat in ann.get(f"/api/tables/{table}")["seats"]] == ["dragon", ""]


def test_once_people_have_sat_down_nobody_lets_it_take_a_seat(server: Server) -> None:
    ann, ben = Guest(server, "Ann"), Guest(server, "Ben")
    table = ann.open("save-the-dragon", ME, LINK, begin=False)
    ben.sit(table, invitation=ann.invitation(table, 1))
    refused = [
        ann.do(table, "change-seat", 409, seat=1, request=ORACLE),
        ben.do(table, "change-seat", 409, seat=1, request=ORACLE),
        ann.do(table, "start", 409, level="oracle"),
    ]
    assert {each["code"] for each in refused} == {"already_started"}
    assert [seat.get("level", "") for seat in ann.get(f"/api/tables/{table}")["seats"]] == ["", ""]


def test_it_takes_an_open_seat_and_a_seat_that_was_handed_over(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("save-the-dragon", ME, LINK, options=FIRST)
    ann.do(table, "start", level="oracle")
    ann.do(table, "assign-substitute", seat=0, level="oracle")
    with ann.socket(table) as seat:
        while not seat.result:
            seat.receive()
    view = ann.get(f"/api/tables/{table}")
    assert (view["table"]["status"], view["seats"][1]["level"], view["seats"][0]["substitute"]) == (
        "over",
        "oracle",
        "oracle",
    )


def test_of_rules_that_it_does_not_know_any_more_a_dragon_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    wish = CreateTable("save-the-dragon", [SeatRequest("me"), SeatRequest("bot", level="oracle")], {"starts": "2"})
    waiting = tables.Table("t", bytes(32)).apply(tables.open_table("ann", wish, "Ann", "", 0.0))
    begun = waiting.apply(waiting.begin(1.0))
    assert begun.bots_asked == [(1, "oracle")]
    monkeypatch.setattr(tables, "is_solved", lambda game: False)
    assert begun.bots_asked == [(1, "dragon")]


# --- Whom it tells --------------------------------------------------------------------------------------------------
def test_it_tells_whoever_plays_alone_the_chance_of_every_choice(server: Server) -> None:
    ann, eve = Guest(server, "Ann"), Guest(server, "Eve")
    table = ann.open("save-the-dragon", ME, ORACLE, options=FIRST)
    said, view = chances(ann, table), ann.get(f"/api/tables/{table}")
    shares = [choice["share"] for choice in said["choices"]]
    assert said["seat"] == 0
    assert "made" not in said
    assert {choice["action"]: choice["name"] for choice in said["choices"]} == {
        choice["action"]: choice["name"] for choice in view["prompt"]["choices"]
    }
    assert shares == sorted(shares, reverse=True)
    assert all(0 < share < 1 for share in shares)
    assert chances(eve, table, 403)["code"] == "not_your_seat"
    assert chances(Guest(server), table, 403)["code"] == "not_your_seat"


def test_of_a_game_that_goes_on_no_other_moment_is_told(server: Server) -> None:
    ann = Guest(server, "Ann")
    table = ann.open("save-the-dragon", ME, ORACLE, options=FIRST)
    for move in (0, ann.get(f"/api/tables/{table}")["move_number"], 9_999):
        assert chances(ann, table, 409, f"?move={move}")["code"] == "not_over"
    assert chances(ann, ann.open("save-the-dragon", ME, LINK), 409, "?move=0")["code"] == "not_started"


def test_it_tells_both_at_one_screen_and_nobody_before_the_game(server: Server) -> None:
    ann = Guest(server, "Ann")
    assert chances(ann, ann.open("save-the-dragon", ME, SCREEN, options={"starts": "2"}))["seat"] == 1
    assert chances(ann, ann.open("save-the-dragon", ME, LINK), 409)["code"] == "not_started"


def test_between_two_people_it_is_silent_until_the_game_is_over(server: Server) -> None:
    ann, ben, table = between_people(server)
    for guest in (ann, ben):
        assert chances(guest, table, 403)["code"] == "no_chances"
    first = ann.get(f"/api/tables/{table}")["prompt"]["choices"][-1]["action"]
    moves = ann.get(f"/api/tables/{table}")["move_number"]
    ann.do(table, "move", seat=0, prompt_id=moves, action=first)
    ann.do(table, "assign-substitute", seat=0, level="dragon")
    assert chances(ben, table, 403)["code"] == "no_chances"  # a bot in Ann's place may make room for her again
    ben.do(table, "resign", seat=1)
    then = chances(Guest(server), table, asked=f"?move={moves}")
    assert (then["seat"], then["made"]) == (0, first)
    assert first in [choice["action"] for choice in then["choices"]]
    assert chances(ann, table, asked="?move=0") == {"seat": -1, "choices": []}
