"""Names have no article and are never declined; colours and gems agree with their nouns, in every language."""

from __future__ import annotations

import itertools
import re
import string

import pytest

from dracotheque import load_game
from dracotheque.engine import registry
from dracotheque.engine.default_text import CRESTS
from dracotheque.engine.phrases import Catalog, Phrase, phrase
from dracotheque.engine.rulebook import LANGUAGES
from tests.games.narration_checks import told_game

NAMES = ("Red", "Zoë", "Anna", "Hugo", "James", "Ülo", "李")
COUNTS = (0, 1, 2, 5)
NAME_GAPS = {"seat", "name", "whom"}
OTHER_NAMES = {"event.other_board", "generic.named"}
"""Entries in which `{name}` is not a player's."""
ARTICLES = {
    "en": r"\b(?:the|a|an) $",
    "fr": r"\b(?:de|du|des|que|le|la|les|un|une|au|aux) $|\b(?:d|l|qu)’$",
    "it": r"\b(?:il|lo|la|i|gli|le|un|uno|una|[dns]?[ae]ll[oa]|(?:d|n|s)?[ae][li]|col) $|l’$",
    "de": r"\b(?:de[rmns]|die|das|eine?[rmns]?|vom|zum|zur|beim|im|am) $",
}
"""What never stands before a name."""
ENDINGS = {"en": r"^s\b", "fr": r"^\w", "it": r"^\w", "de": r"^(?:s|es)\b"}
"""What never follows a name."""
SENTENCES = ("event.", "question.", "watch.", "watch_several.")

COLOURS: dict[str, list[str]] = {
    "en": ["yellow red purple green blue silver"],
    "fr": [
        "jaune rouge violet vert bleu gris",
        "jaunes rouges violets verts bleus gris",
        "jaune rouge violette verte bleue grise",
        "jaunes rouges violettes vertes bleues grises",
    ],
    "it": [
        "giallo rosso viola verde blu grigio",
        "gialli rossi viola verdi blu grigi",
        "gialla rossa viola verde blu grigia",
        "gialle rosse viola verdi blu grigie",
    ],
    "de": [
        "gelb rot lila grün blau grau",
        "gelben roten lila grünen blauen grauen",
        "gelber roter lila grüner blauer grauer",
        "gelbe rote lila grüne blaue graue",
        "gelbes rotes lila grünes blaues graues",
    ],
}
"""The forms of the six colours: each row agrees with one kind of noun."""
GEMS = ("ruby", "emerald", "garnet", "turquoise")
ARTICLES_OF_GEMS = {
    "en": ("the", "the", "the", "the"),
    "fr": ("le", "l’", "le", "la"),
    "it": ("il", "lo", "il", "il"),
    "de": ("den", "den", "den", "den"),
}

of_every_game = pytest.mark.parametrize("name", registry.games())
in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def catalogue(name: str, language: str) -> Catalog:
    """Return a game's words in a language."""
    return load_game(name, interpreted=True).words(language)


def all_entries(name: str, language: str) -> dict[str, str]:
    """Return the entries of a game, with those that it takes from the words for all games."""
    words = catalogue(name, language)
    return {**words.fallback, **words.entries}


def gaps(entry: str) -> set[str]:
    """Return the gaps of an entry."""
    return {gap for _, gap, _, _ in string.Formatter().parse(entry) if gap}


def misplaced(entry: str, language: str) -> list[str]:
    """Return the names in an entry that have an article before them or an ending."""
    found: list[str] = []
    for match in re.finditer(r"\{(\w+)\}", entry):
        if match[1] in NAME_GAPS:
            before, after = entry[: match.start()].replace("\u00a0", " "), entry[match.end() :]
            if re.search(ARTICLES[language], before, re.IGNORECASE) or re.search(ENDINGS[language], after):
                found.append(match[0])
    return found


# --- Names ----------------------------------------------------------------------------------------------------------
@of_every_game
@in_every_language
def test_a_name_has_no_article_and_no_ending(name: str, language: str) -> None:
    entries = all_entries(name, language)
    assert {key: entry for key, entry in entries.items() if key not in OTHER_NAMES and misplaced(entry, language)} == {}


@pytest.mark.parametrize(
    ("language", "entry"),
    [("en", "attacks the {seat}"), ("en", "{seat}s knight"), ("fr", "la carte de {name}"), ("fr", "attend que {name}"),
     ("it", "il turno del {seat}"), ("de", "der Zug der {whom}"), ("de", "{seat}s Zug")],
)  # fmt: skip
def test_articles_and_endings_are_found(language: str, entry: str) -> None:
    assert misplaced(entry, language)


@pytest.mark.parametrize(
    ("language", "entry"),
    [("en", "{seat}’s turn."), ("fr", "À {seat} de jouer."), ("it", "Tocca a {seat}."), ("de", "{seat} beginnt.")],
)
def test_other_places_of_a_name_are_allowed(language: str, entry: str) -> None:
    assert not misplaced(entry, language)


@of_every_game
@in_every_language
def test_every_entry_can_be_said_with_every_name_and_number(name: str, language: str) -> None:
    words = catalogue(name, language)
    for key, entry in all_entries(name, language).items():
        named = gaps(entry) & NAME_GAPS - {"name" if key in OTHER_NAMES else ""}
        counts = COUNTS if "count" in gaps(entry) else (2,)
        for player, count in itertools.product(NAMES if named else NAMES[:1], counts):
            filled = {gap: player if gap in named else count for gap in gaps(entry)}
            said = phrase(re.sub(r"\.(one|many)$", "", key) if "count" in filled else key, **filled)
            check(words.say(said), key, player, language)


def check(text: str, key: str, player: str, language: str) -> None:
    """Check a phrase that is said with a name."""
    assert "{" not in text, key
    assert "  " not in text, key
    begins = re.sub(r"^[“«„→+\u00a0 ]+", "", text)
    assert not key.startswith(SENTENCES) or begins.startswith(player) or not begins[0].islower(), (key, text)
    assert not re.search(rf"\b(?:the|le|der|il|del) {re.escape(player)}\b", text, re.IGNORECASE), (key, text)
    assert language != "fr" or not re.search(rf"\bde {re.escape(player)}\b", text), (key, text)


def renamed(words: Catalog, player: str) -> Catalog:
    """Return a catalogue in which every player has one name."""
    other = object.__new__(Catalog)
    other.language, other.singular, other.fallback = words.language, words.singular, words.fallback
    other.entries = words.entries | {f"seat.{crest}": player for crest in CRESTS}
    return other


@of_every_game
def test_a_whole_game_can_be_told_with_every_name(name: str) -> None:
    game = load_game(name, interpreted=True)
    told = {repr(event.phrase): event for event in told_game(game, 1)[1] if event.rule}
    for language, player in itertools.product(LANGUAGES, NAMES):
        words = renamed(game.words(language), player)
        for event in told.values():
            check(words.say(event.phrase), event.phrase.key, player, language)


@of_every_game
def test_a_players_own_name_can_stand_wherever_the_game_names_a_player(name: str) -> None:
    """The page shows it in place of phrases `seat.*`."""
    game = load_game(name, interpreted=True)
    for event in told_game(game, 2)[1]:
        for gap, value in event.phrase.gaps.items():
            assert gap not in NAME_GAPS - {"name"} or (isinstance(value, Phrase) and value.key.startswith("seat."))


# --- Colours and gems -----------------------------------------------------------------------------------------------
def sections(entries: dict[str, str], ids: tuple[str, ...]) -> dict[str, dict[str, str]]:
    """Return the sections of a catalogue that have an entry for one of some ids."""
    found: dict[str, dict[str, str]] = {}
    for key, entry in entries.items():
        section, _, last = key.rpartition(".")
        if last in ids:
            found.setdefault(section, {})[last] = entry
    return {section: named for section, named in found.items() if ids[0] in named}  # `place.tower` is no player


@of_every_game
@in_every_language
def test_every_colour_agrees_with_its_noun(name: str, language: str) -> None:
    rows = [row.split() for row in COLOURS[language]]
    for section, entries in sections(all_entries(name, language), CRESTS).items():
        if section == "sign":
            assert len(set(entries.values())) == len(entries)
            continue
        said = [entries[crest].lower() for crest in CRESTS[: len(entries)]]
        agreeing = [
            row for row in rows if all(re.search(rf"\b{form}\b", text) for form, text in zip(row, said, strict=False))
        ]
        assert agreeing, (section, said)


@of_every_game
@in_every_language
def test_every_section_of_colours_has_all_colours(name: str, language: str) -> None:
    most = load_game(name, interpreted=True).definition.max_players
    for section, entries in sections(catalogue(name, language).entries, CRESTS).items():
        assert tuple(entries) == CRESTS[: len(entries)], section
        assert len(entries) in (most, len(CRESTS), 4), section


@of_every_game
@in_every_language
def test_every_gem_agrees_with_its_article(name: str, language: str) -> None:
    for section, entries in sections(catalogue(name, language).entries, GEMS).items():
        assert tuple(entries) == GEMS, section
        if section == "the":
            for article, gem in zip(ARTICLES_OF_GEMS[language], GEMS, strict=True):
                assert re.match(rf"{article}(?: |(?<=’))", entries[gem]), entries[gem]
