"""Dice that a table promised: uniform, independent, found again after a restart, and checked by anyone."""

from __future__ import annotations

import functools
import itertools
import json
import math
import re
import string
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from dracotheque import DracothequeError, State, load_game
from dracotheque.cli import main
from dracotheque.engine import log, registry
from dracotheque.engine.game import Game
from dracotheque.engine.log import CorruptLogError, FairnessRecord, GameLog
from dracotheque.engine.phrases import words
from dracotheque.engine.rulebook import LANGUAGES
from dracotheque.games.save_the_dragon import rock_physics
from dracotheque.games.save_the_dragon.rules import state as s
from dracotheque.tables import fairness
from dracotheque.tables.fairness import Dice, NotRevealed, commitment_to, new_seed, verify
from tests.tables.playing import CLIENT_SEED, SEED, TABLE, dice, log_of, make_a_choice, play_on, record

ROOT = Path(__file__).parents[2]
DRAWS = 100_000
GAMES = list(registry.games())
FALLING = (s.LANE, s.FATE, s.SIDE)


def finished(name: str, choices: int = 1) -> State:
    return play_on(load_game(name).new_initial_state(), dice(), Random(choices))


# --- What is drawn --------------------------------------------------------------------------------------------------
def test_seeds_are_long_and_never_the_same_and_the_commit_is_their_hash() -> None:
    seeds = {new_seed() for _ in range(1000)}
    assert len(seeds) == 1000
    assert {len(seed) for seed in seeds} == {32}
    assert commitment_to(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_draw_is_the_one_that_the_page_describes() -> None:
    """HMAC-SHA256 of “t-1/7/lucky-7/x” under the bytes 0 to 31, computed with OpenSSL."""
    drawn = dice().at(7)
    assert drawn.random() == 0xCD3AE234 / 2**32
    assert drawn.getrandbits(63) == 0x81E54935FB25DD1A >> 1


def chi_square(counts: Sequence[float], expected: Sequence[float]) -> float:
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, expected, strict=True))


def surprising(freedom: int) -> float:
    """What a chi-square of so many degrees of freedom exceeds once in a thousand times (Wilson and Hilferty)."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + 3.0902 * math.sqrt(part)) ** 3


def first_chance(name: str, wanted: int, **options: str) -> State:
    """Play until chance has at least so many outcomes of different weights."""
    state, choices, table = load_game(name, **options).new_initial_state(), Random(4), dice()
    while True:
        if not state.is_chance_node():
            make_a_choice(state, choices)
        elif len({probability for _, probability in state.chance_outcomes()}) >= wanted:
            return state
        else:
            state.apply_action(state.sample_chance(table.at(state.move_number())))


NODES = [
    ("emerald", 1),
    ("emerald", 4),
    ("dragons-cave", 1),
    ("gran", 2),
    ("save-the-dragon", 2),
    ("save-the-dragon", 4),
]


@pytest.mark.parametrize(("name", "weights"), NODES)
def test_outcomes_come_as_often_as_their_weights_say(name: str, weights: int) -> None:
    state, table = first_chance(name, weights), dice()
    drawn = Counter(state.sample_chance(table.at(number)) for number in range(DRAWS))
    outcomes = dict(state.chance_outcomes())
    assert drawn.keys() <= outcomes.keys()
    likely = [outcome for outcome, probability in outcomes.items() if probability * DRAWS >= 5]
    counts = [drawn[outcome] for outcome in likely]
    means = [outcomes[outcome] * DRAWS for outcome in likely]
    if DRAWS - sum(means) > 0.5:  # the rare ones together
        counts, means = [*counts, DRAWS - sum(counts)], [*means, DRAWS - sum(means)]
    assert chi_square(counts, means) < surprising(len(counts) - 1)


def test_many_tables_together_are_uniform_too() -> None:
    """The first draw of every table: another seed, another id, another client seed each time."""
    choices, state = Random(2), load_game("emerald", 5).new_initial_state()
    drawn = Counter(
        Dice(choices.randbytes(32), f"table-{number}", f"{choices.randrange(99)}/").outcome(state)
        for number in range(DRAWS)
    )
    counts = [drawn[outcome] for outcome in state.legal_actions()]
    assert sum(counts) == DRAWS
    assert chi_square(counts, [DRAWS / 5] * 5) < surprising(4)


def independent(pairs: Iterable[tuple[int, int]], sides: int) -> bool:
    found = Counter(pairs)
    total = found.total()
    first = [sum(found[a, b] for b in range(sides)) for a in range(sides)]
    second = [sum(found[a, b] for a in range(sides)) for b in range(sides)]
    every = list(itertools.product(range(sides), range(sides)))
    expected = [first[a] * second[b] / total for a, b in every]
    return chi_square([found[pair] for pair in every], expected) < surprising((sides - 1) ** 2)


@pytest.mark.parametrize("apart", [1, 2, 3, 10])
def test_a_draw_tells_nothing_of_the_next_ones(apart: int) -> None:
    drawn = [int(dice().at(number).random() * 8) for number in range(DRAWS)]
    assert independent(zip(drawn, drawn[apart:], strict=False), 8)
    assert not independent(zip(drawn, drawn, strict=True), 8)  # the test can tell


def test_a_draw_tells_nothing_of_the_same_one_elsewhere() -> None:
    here = [int(dice().at(number).random() * 8) for number in range(DRAWS)]
    for other in (dice(table="t-2"), dice(client_seed="lucky-7/y"), dice(seed=SEED[::-1])):
        assert independent(zip(here, (int(other.at(n).random() * 8) for n in range(DRAWS)), strict=True), 8)


def test_the_seed_of_a_fall_tells_nothing_of_the_number_beside_it() -> None:
    pairs = [(int(draw.random() * 8), draw.getrandbits(63) >> 60) for draw in map(dice().at, range(DRAWS))]
    assert independent(pairs, 8)


def test_seed_table_luck_and_move_all_matter() -> None:
    tables = [
        dice(),
        dice(seed=SEED[::-1]),
        dice(table="t-2"),
        dice(client_seed=""),
        dice(client_seed="lucky-7"),
        dice(table="t"),
    ]
    drawn = {table.at(number).random() for table in tables for number in range(500)}
    assert len(drawn) > 6 * 500 - 5
    assert dice().at(3).random() == dice().at(3).random()


@pytest.mark.parametrize(
    ("seed", "table", "client_seed"),
    [
        (b"short", TABLE, CLIENT_SEED),
        (SEED, "", CLIENT_SEED),
        (SEED, "a/b", CLIENT_SEED),
        (SEED, TABLE, "with space"),
        (SEED, "t" * 65, ""),
    ],
)
def test_what_a_log_could_not_tell_is_refused_before_the_game(seed: bytes, table: str, client_seed: str) -> None:
    with pytest.raises(DracothequeError):
        Dice(seed, table, client_seed)


# --- Restarts -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
def test_a_restart_before_every_move_changes_nothing(name: str) -> None:
    state, choices = load_game(name).new_initial_state(), Random(1)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(dice().outcome(state))
        else:
            make_a_choice(state, choices)
    assert state.full_history() == finished(name).full_history()


@functools.cache
def four_on_the_stairs() -> Game:
    return load_game("save-the-dragon", 4)


def in_mid_fall(choices: int) -> State:
    """Play Save the Dragon until a rock has come past its first stop, and a pawn is still below it."""
    state, table, random = four_on_the_stairs().new_initial_state(), dice(), Random(choices)
    while not is_in_mid_fall(state):
        if state.is_chance_node():
            state.apply_action(table.outcome(state))
        else:
            make_a_choice(state, random)
    return state


def is_in_mid_fall(state: State) -> bool:
    now = state.to_plain()
    return now.phase in FALLING and now.course != s.THROWN and now.unseen != 0


@pytest.mark.parametrize("choices", range(1, 4))
def test_a_rock_found_in_mid_fall_falls_on_as_it_did(choices: int) -> None:
    state = in_mid_fall(choices)
    stored = log.loads(GameLog.of(state).dumps()).play()
    remembered = dice()
    before = state.clone()
    while before.to_plain().course != s.THROWN:
        before.undo_action()
    assert before.to_plain().phase == s.LANE
    whole = list(follow(before, remembered))
    done = state.move_number() - before.move_number()
    assert done > 0
    assert list(follow(stored, dice())) == whole[done:]


def follow(state: State, table: Dice) -> Iterable[int]:
    state = state.clone()
    while not state.is_terminal() and state.to_plain().phase in FALLING:
        yield table.outcome(state)
        state.apply_action(table.outcome(state))


def test_dice_that_saw_another_fall_are_not_misled() -> None:
    states, table = [in_mid_fall(choices) for choices in range(1, 9)], dice()
    alone = [list(follow(state, dice())) for state in states]
    assert len({tuple(outcomes) for outcomes in alone}) > 4
    assert [list(follow(state, table)) for state in states] == alone
    assert [list(follow(state, table)) for state in reversed(states)] == alone[::-1]


def test_a_table_never_draws_a_fall_from_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    state = in_mid_fall(1)
    monkeypatch.setattr(rock_physics, "drop", no_engine)
    with pytest.raises(rock_physics.NoEngine):
        dice().outcome(state)


def no_engine(*situation: object) -> None:
    raise rock_physics.NoEngine("No engine here.")


# --- Verifying ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", GAMES)
def test_a_game_at_a_table_verifies(name: str) -> None:
    state = finished(name)
    verdict = verify(log.loads(log_of(state).dumps()))
    assert (verdict.fair, verdict.commit_fits, verdict.wrong) == (True, True, None)
    assert verdict.draws == sum(player == -1 for player, _ in state.full_history()) > 0


def test_the_rock_fell_in_what_was_verified() -> None:
    outcomes = [action for player, action in finished("save-the-dragon").full_history() if player == -1]
    assert sum(outcome >= s.ROCK_IN for outcome in outcomes) > 5


def test_a_game_with_moves_taken_back_verifies() -> None:
    state, choices, table = load_game("emerald").new_initial_state(), Random(3), dice()
    taken_back = 0
    while not state.is_terminal():
        play_on(state, table, choices, state.move_number() + 5)
        if taken_back < 10 and not state.is_terminal():
            for _ in range(3):
                state.undo_action()
            taken_back += 1
    assert taken_back == 10
    assert verify(log_of(state)).fair


def without_dice(name: str, wrong: int) -> tuple[State, int]:
    """Play a game in which chance brings something else than the dice say at one draw; tell at which move."""
    state, choices, table, draws = load_game(name).new_initial_state(), Random(1), dice(), 0
    at = 0
    while not state.is_terminal():
        if not state.is_chance_node():
            make_a_choice(state, choices)
            continue
        outcome = table.outcome(state)
        if draws >= wrong and not at and len(state.legal_actions()) > 1:
            outcome = next(other for other in state.legal_actions() if other != outcome)
            at = state.move_number() + 1
        draws += 1
        state.apply_action(outcome)
    return state, at


@pytest.mark.parametrize(("name", "draw"), [("emerald", 0), ("emerald", 30), ("gran", 50), ("dragons-cave", 0)])
def test_a_draw_that_was_not_drawn_is_found(name: str, draw: int) -> None:
    state, move = without_dice(name, draw)
    verdict = verify(log.loads(log_of(state).dumps()))
    assert not verdict.fair
    assert (verdict.wrong, verdict.commit_fits) == (move, True)
    assert verdict.brought == state.full_history()[move - 1][1] != verdict.expected


def test_a_rock_that_fell_otherwise_is_found() -> None:
    state, move = without_dice("save-the-dragon", 30)
    while state.full_history()[move - 1][1] < s.ROCK_IN:
        state, move = without_dice("save-the-dragon", move)
    verdict = verify(log_of(state))
    assert (verdict.fair, verdict.wrong) == (False, move)
    assert verdict.text().endswith("Check on one like it.")


@pytest.mark.parametrize(
    ("change", "fits"),
    [
        ({"seed": SEED[::-1].hex()}, False),
        ({"seed": SEED[::-1].hex(), "commitment": commitment_to(SEED[::-1])}, True),
        ({"commitment": commitment_to(SEED[::-1])}, False),
        ({"client_seeds": "lucky-8/x"}, True),
        ({"client_seeds": ""}, True),
        ({"table": "t-2"}, True),
    ],
)
@pytest.mark.parametrize("name", ["emerald", "gran", "save-the-dragon"])
def test_every_change_to_the_dice_is_found(name: str, change: dict[str, str], fits: bool) -> None:
    honest = log_of(finished(name))
    assert honest.dice is not None
    verdict = verify(log.loads(replace(honest, dice=replace(honest.dice, **change)).dumps()))
    assert not verdict.fair
    assert verdict.commit_fits == fits
    assert (verdict.wrong is None) == (change.keys() == {"commitment"})


@pytest.mark.parametrize("dice_of_it", [None, replace(record(), seed=None)])
def test_dice_that_are_not_told_cannot_be_judged(dice_of_it: FairnessRecord | None) -> None:
    with pytest.raises(NotRevealed):
        verify(replace(log_of(finished("emerald")), dice=dice_of_it))


def test_falls_are_judged_only_in_their_own_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = log_of(finished("save-the-dragon"))
    monkeypatch.setattr(rock_physics, "ENGINE", "mujoco-core==0.0.1")
    with pytest.raises(rock_physics.NoEngine, match=r"fell in mujoco-core==0\.0\.1, and this is version"):
        verify(kept)


def test_physics_belong_to_the_rules_version() -> None:
    """Whoever lets the rock fall otherwise raises VERSION: games at tables are verified under the one they name."""
    assert {s.VERSION: rock_physics.version()} == {2: "8322fd07f3d3d4b3"}


# --- In the log -----------------------------------------------------------------------------------------------------
def test_a_log_keeps_its_dice() -> None:
    text = log_of(finished("emerald")).dumps()
    assert json.loads(text)["dice"] == {
        "table": TABLE,
        "commit": commitment_to(SEED),
        "luck": CLIENT_SEED,
        "seed": SEED.hex(),
    }
    assert log.loads(text).dice == record()
    assert log.loads(text).dumps() == text


def test_the_checks_of_moves_do_not_depend_on_the_dice() -> None:
    state = finished("emerald")
    assert json.loads(GameLog.of(state).dumps()).items() <= json.loads(log_of(state).dumps()).items()
    assert log.loads(GameLog.of(state).dumps()).dice is None


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        ({"seeds": "00"}, "“dice” should be a table of"),
        ({"table": 7}, "“table” in “dice” should be written as"),
        ({"table": "a/b"}, "“table” in “dice” should be written as"),
        ({"commit": "abc"}, "“commit” in “dice” should be written as [0-9a-f]{64}, not 'abc'."),
        ({"commit": None}, "“commit” in “dice”"),
        ({"luck": "\x1b[2J"}, "“luck” in “dice”"),
        ({"seed": SEED.hex().upper()}, "“seed” in “dice”"),
        ({"seed": ""}, "“seed” in “dice”"),
    ],
)
def test_dice_that_are_not_written_as_they_should_be(change: dict[str, object], answer: str) -> None:
    document = json.loads(log_of(finished("emerald")).dumps())
    document["dice"] |= change
    with pytest.raises(CorruptLogError, match=re.escape(answer)):
        log.loads(json.dumps(document))


@pytest.mark.parametrize(
    ("written", "answer"),
    [([], "“dice” should be a table of table, commit, luck, seed."), ({"table": TABLE}, "“dice” lacks commit, luck.")],
)
def test_dice_that_are_no_table_or_not_whole(written: object, answer: str) -> None:
    document = json.loads(log_of(finished("emerald")).dumps()) | {"dice": written}
    with pytest.raises(CorruptLogError, match=answer):
        log.loads(json.dumps(document))


# --- The command ----------------------------------------------------------------------------------------------------
def command(*arguments: str) -> int:
    try:
        main(["verify", *arguments])
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


def test_verify_says_what_was_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fair, unfair, plain = (tmp_path / name for name in ("fair.json", "unfair.json", "plain.json"))
    state = finished("emerald")
    log_of(state).save(fair)
    GameLog.of(state).save(plain)
    other, move = without_dice("emerald", 20)
    log_of(other).save(unfair)

    assert command(str(fair), "--lang", "en") == 0
    assert capsys.readouterr().out == (
        "The seed matches the fingerprint published before game t-1.\n"
        f"All {verify(log_of(state)).draws}\u00a0draws follow from the seed.\nThe dice were fair.\n"
    )
    assert command(str(unfair), "--lang", "fr") == 1
    assert f"Le coup {move} diffère\u00a0:" in capsys.readouterr().out
    assert command(str(unfair), "--json", "--lang", "en") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["fair"], told["wrong"], told["commit_fits"], told["table"]) == (False, move, True, TABLE)
    assert f"Move {move} differs: the log has “" in told["text"]
    assert command(str(plain)) == 2
    assert "This log has no dice record." in capsys.readouterr().err
    assert command(str(tmp_path / "nothing.json")) == 2
    assert "There is no file" in capsys.readouterr().err
    fair.write_text(fair.read_text("utf-8")[:500], "utf-8")
    assert command(str(fair)) == 2
    assert "not a whole JSON file" in capsys.readouterr().err


def gaps(entry: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(entry) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same(language: str) -> None:
    folder = Path(fairness.__file__).with_name("locale")
    english, entries = words(folder, "en").entries, words(folder, language).entries
    assert entries.keys() == english.keys()
    for key, entry in entries.items():
        assert gaps(entry) == gaps(english[key]), key
        assert not set(entry) & set("'\"`"), key
        if language == "fr":
            assert not re.search("(?<!\u00a0)[:»]|«(?!\u00a0)|(?<!\u202f)[;!?]", entry), key


def test_the_page_shows_what_the_command_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/how-to/verify-dice.md").read_text("utf-8")
    found = re.search(r"^dracotheque verify (\S+)$", page, re.MULTILINE)
    assert found
    assert command(found[1], "--lang", "en") == 0
    for line in capsys.readouterr().out.splitlines():
        assert f"    {line}\n" in page


# --- The page -------------------------------------------------------------------------------------------------------
def run_the_page(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the second implementation that stands in docs/explanation/fair-dice.md."""
    page = (ROOT / "docs/explanation/fair-dice.md").read_text("utf-8")
    program = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0]
    monkeypatch.setattr(sys, "argv", ["check_dice.py", str(path)])
    exec(compile(program, "docs/explanation/fair-dice.md", "exec"), {})


@pytest.mark.parametrize("name", GAMES)
def test_the_program_of_the_page_agrees(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log_of(finished(name)).save(tmp_path / "game.json")
    run_the_page(tmp_path / "game.json", monkeypatch)
    assert capsys.readouterr().out == "Every draw follows from the promised seed.\n"


@pytest.mark.parametrize("name", ["emerald", "gran"])
def test_the_program_of_the_page_objects_where_verify_does(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    state, move = without_dice(name, 20)
    log_of(state).save(path)
    with pytest.raises(SystemExit, match=f"Move {move} should have been {verify(log.load(path)).expected}, not"):
        run_the_page(path, monkeypatch)
    for change in ({"client_seeds": "other"}, {"table": "other"}, {"seed": SEED[::-1].hex()}):
        honest = log_of(finished(name))
        replace(honest, dice=replace(record(), **change)).save(path)
        with pytest.raises(SystemExit, match=r"should have been|not the seed"):
            run_the_page(path, monkeypatch)
