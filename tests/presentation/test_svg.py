"""What boards are drawn with: numbers, curves, places and style sheets."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from dracotheque.presentation import svg


@pytest.mark.parametrize(("value", "written"), [(3, "3"), (3.04, "3"), (-0.25, "-0.2"), (10.0, "10"), (7.96, "8")])
def test_a_number_is_as_short_as_it_can_be(value: float, written: str) -> None:
    assert svg.num(value) == written


def test_curves_go_through_their_points_and_close() -> None:
    corners = [(0, 0), (60, 0), (60, 60)]
    assert svg.smooth(corners) == "M0 0C10 0 50 -10 60 0C70 10 60 50 60 60"
    assert svg.coarse(corners) == "M0 0c10 0 50-10 60 0c10 10 0 50 0 60"
    assert svg.coarse(corners, closed=True).endswith("z")


def test_a_place_says_where_pieces_stand_and_escapes_its_name() -> None:
    drawn = svg.place("a1", (3, 4.5), 20, 'a "deep" <hole> & more', svg.circle("k no", 0, 0, 2), where=svg.moved(3, 4))
    place = ElementTree.fromstring(drawn)
    assert place.attrib == {
        "class": "place", "data-place": "a1", "data-x": "3", "data-y": "4.5", "data-r": "20", "role": "img",
        "aria-label": 'a "deep" <hole> & more', "transform": "translate(3 4)",
    }  # fmt: skip
    assert [part.get("class") for part in place] == ["a-k a-no"]


def test_a_style_sheet_has_every_colour_and_line_and_gradients_get_theirs() -> None:
    sheet = svg.style_sheet({"ink": "#000", "sky": "#eef"}, {".k,.no": "stroke:%(ink)s"}, shaded=("sky",))
    assert sheet.splitlines() == [
        ".a-ink{fill:#000}", ".a-sky{fill:#eef;color:#eef;stop-color:#eef}", ".a-k,.a-no{stroke:#000}",
    ]  # fmt: skip


def test_a_document_bears_its_escaped_title_and_its_language() -> None:
    root = ElementTree.fromstring(svg.document(4, 3, 'The "class" & <map>', "fr", ".a-k{}", svg.path("k", "M0 0h4")))
    assert (root.get("viewBox"), root.get("lang"), root[0].text) == ("0 0 4 3", "fr", 'The "class" & <map>')
