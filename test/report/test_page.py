# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The page of a mission: what it says, and that it needs nothing but itself."""

from __future__ import annotations

import base64
import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from bo_explorer.core.record import MissionRecord
from bo_explorer.geo.local_frame import LocalFrame
from bo_explorer.report.belief import Belief
from bo_explorer.report.drawing import Axis, Drawing, tick_texts
from bo_explorer.report.findings import find_places
from bo_explorer.report.mission_file import FlownMission
from bo_explorer.report.mission_json import summarise
from bo_explorer.report.page import PageOptions, mission_page

from ..browser import Browser
from .missions import flown, mission

FRAME = LocalFrame(-36.8765, 174.7641, 196.0)


def page(of: FlownMission, **options: object) -> str:
    found = find_places(of.record, of.belief)
    return mission_page(of, found, PageOptions('Hill <1>', **options))  # type: ignore[arg-type]


def drawings(text: str) -> dict[str, ElementTree.Element]:
    texts = re.findall(r'<svg viewBox.*?</svg>', text, re.S)
    found = [ElementTree.fromstring(svg) for svg in texts]
    return {svg.get('id', ''): svg for svg in found if svg.get('id')}


def test_the_outcome_stands_in_words_at_the_top() -> None:
    text = page(flown(), unit='K', frame=FRAME)
    head = text[text.index('<header>') : text.index('</header>')]
    assert 'the budget was used up (no target can be afforded)' in head
    assert 'came home with 10 m of 40 m left' in head
    assert '8.0 m east, 4.0 m north' in head and 'latitude -36.876' in head
    assert '7.90 ± 0.10 K' in head
    assert '20\N{NO-BREAK SPACE}% of the range of the field' in head
    assert head.count('class="kept"') == 3


def test_a_broken_rule_is_shown_as_one() -> None:
    record = dataclasses.replace(flown().record, returned_home=False, spent_m=41.0)
    bad = dataclasses.replace(
        flown(),
        record=record,
        summary={**flown().summary, 'zone_crossings': 2, 'audit': {'steps_outside_area': 3}},
    )
    head = page(bad).partition('</header>')[0]
    for words in ('not home', 'over the budget', 'zones entered 2 x', 'outside the area 3 x'):
        assert words in head
    assert head.count('class="broken"') == 4


def test_every_figure_says_what_it_shows_and_has_its_units() -> None:
    shown = drawings(page(flown(), unit='K'))
    assert set(shown) == {
        'belief-map', 'doubt-map', 'truth-map', 'best-chart', 'regret-chart', 'battery-chart',
        'decision-chart', 'timeline-chart',
    }  # fmt: skip
    for name, svg in shown.items():
        labels = [element.text or '' for element in svg.iter('text')]
        assert len(svg.get('aria-label', '')) > 20, name
        assert any(re.search(r'\[(m|m of flight|s|min)\]', label) for label in labels), name
    assert 'value [K]' in [t.text for t in shown['belief-map'].iter('text')]


def test_a_map_is_true_to_scale() -> None:
    svg = drawings(page(flown()))['belief-map']
    _, _, width, height = (float(v) for v in svg.get('data-plot', '').split())
    x0, x1, y0, y1 = (float(v) for v in svg.get('data-domain', '').split())
    assert width / (x1 - x0) == pytest.approx(height / (y1 - y0), rel=1e-3)


def test_the_picture_of_a_map_lies_where_its_area_is() -> None:
    svg = drawings(page(flown()))['belief-map']
    image = next(svg.iter('image'))
    outline = next(p for p in svg.iter('polygon') if p.get('class') == 'area')
    places = outline.get('points', '').split()
    corners = np.array([[float(v) for v in place.split(',')] for place in places])
    pixel = float(image.get('width', '')) / 201
    assert float(image.get('x', '')) == pytest.approx(corners[:, 0].min() - pixel / 2, abs=0.1)
    assert float(image.get('y', '')) == pytest.approx(corners[:, 1].min() - pixel / 2, abs=0.1)
    data = base64.b64decode(image.get('href', '').partition(',')[2])
    assert data.startswith(b'\x89PNG')


def test_words_from_outside_stay_words() -> None:
    text = page(flown())
    assert '<h1>Hill &lt;1&gt;</h1>' in text
    assert '<b>2</b>' not in text
    assert 'score &lt;b&gt;2&lt;/b&gt;' in text


def test_the_page_asks_for_nothing_and_is_small() -> None:
    text = page(flown(), frame=FRAME)
    assert len(text.encode()) < 3_000_000
    assert not re.findall(r'(?:src|href)="(?!data:|#)[^"]*"', text)
    assert not re.findall(r'url\((?!#)', text)
    assert "default-src 'none'" in text


def test_the_data_for_hovering_are_those_of_the_map() -> None:
    text = page(flown(), unit='K')
    data = json.loads(text.partition('id="data">')[2].partition('</script>')[0])
    assert data['map']['mean'] == pytest.approx(flown().belief.mean, abs=0.01)
    assert len(data['charts']['best-chart']['x']) == len(data['charts']['best-chart']['texts'])


def test_a_mission_that_never_began_has_a_page() -> None:
    record = MissionRecord(
        outcome='held', reason='home is outside the search area', area=mission().area, budget_m=9.0
    )
    text = page(FlownMission(record, Belief(), summarise(record), Path('mission.json')))
    assert 'waits for help (home is outside the search area)' in text
    assert 'Nothing was measured' in text
    assert 'This record holds no events' in text


def test_a_mission_of_many_samples_keeps_within_three_megabytes() -> None:
    rng = np.random.default_rng(0)
    line = np.linspace(0.0, 10.0, 100)
    points = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    values = np.sin(points[:, 0]) + np.cos(2.0 * points[:, 1])
    turns = np.linspace(0.0, 200.0, 20_000)
    spiral = 5.0 + 0.02 * turns[:, np.newaxis] * np.column_stack([np.cos(turns), np.sin(turns)])
    record = dataclasses.replace(
        flown().record,
        samples=[[*p, 1.0, 1.0] for p in rng.uniform(0, 10, (2000, 2)).tolist()],
        track=spiral.tolist(),
        best_history=[[float(s), 8.0, 4.0, 7.9, 0.1] for s in range(5000)],
        decided_at=[float(s) for s in range(5000)],
        decision_ms=[10.0] * 5000,
        events=[[float(s), float(s), 'moving', f'target {s}'] for s in range(5000)],
    )
    belief = Belief(points, values, np.full(len(points), 0.5), values)
    many = dataclasses.replace(flown(), record=record, belief=belief)
    text = page(many, frame=FRAME)
    assert len(text.encode()) < 3_000_000
    assert '4600 events are left out here' in text


@pytest.mark.parametrize(
    ('ticks', 'texts'),
    [
        ([0.0, 0.25, 0.5], ['0.00', '0.25', '0.50']),
        ([-5.0, 0.0, 5.0], ['\N{MINUS SIGN}5', '0', '5']),
        ([2e6, 4e6], ['2e+06', '4e+06']),
        ([3.0], ['3']),
    ],
)
def test_ticks_have_the_decimals_they_need(ticks: list[float], texts: list[str]) -> None:
    assert tick_texts(ticks) == texts


def test_places_are_drawn_where_the_axes_say() -> None:
    drawing = Drawing('d', 'a drawing', Axis('x [m]', 10.0, 20.0), Axis('y [m]', -1.0, 1.0))
    assert drawing.xs([10.0, 20.0]) == pytest.approx([drawing.left, drawing.left + drawing.width])
    assert drawing.ys([-1.0, 1.0]) == pytest.approx([drawing.top + drawing.height, drawing.top])


@pytest.fixture(scope='module')
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    opened = Browser(tmp_path_factory.mktemp('profile'))
    yield opened
    opened.close()


@pytest.mark.system
def test_a_browser_shows_the_page_without_complaint_or_request(
    browser: Browser, tmp_path: Path
) -> None:
    path = tmp_path / 'report.html'
    path.write_text(page(flown(), unit='K', frame=FRAME), encoding='utf-8')
    for width, height, phone, dark in ((1280, 900, False, False), (360, 740, True, True)):
        browser.size(width, height, phone=phone, dark=dark)
        browser.open(path.as_uri())
        assert browser.ask('document.querySelectorAll("svg[data-plot]").length') == 8
        assert browser.ask('document.documentElement.scrollWidth') <= width
        shown = browser.ask(
            'Array.from(document.images).concat(...document.querySelectorAll("image"))'
            '.every((e) => e.getBoundingClientRect().width > 50)'
        )
        assert shown
    assert browser.complaints == []
    assert [url for url in browser.requests if not url.startswith(('data:', 'file:'))] == []


@pytest.mark.system
def test_the_pointer_over_a_figure_gives_values(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / 'report.html'
    path.write_text(page(flown(), unit='K'), encoding='utf-8')
    browser.size(1280, 2400)
    browser.open(path.as_uri())
    for name, words in (('belief-map', 'belief 4 ± 0.5 K'), ('battery-chart', '70.0 % charge')):
        plot = browser.ask(
            f'(() => {{ const svg = document.getElementById("{name}");'
            'const p = svg.dataset.plot.split(" ").map(Number);'
            'const d = svg.dataset.domain.split(" ").map(Number);'
            'const x = p[0] + p[2] * ((d[1] > 20 ? 15.2 : 4.1) - d[0]) / (d[1] - d[0]);'
            'const at = new DOMPoint(x, p[1] + p[3] / 2).matrixTransform(svg.getScreenCTM());'
            'return [at.x, at.y]; })()'
        )
        browser.move_to(*plot)
        assert browser.ask('document.getElementById("tip").hidden') is False
        assert words in browser.ask('document.getElementById("tip").textContent')
    browser.move_to(2, 2)
    assert browser.ask('document.getElementById("tip").hidden') is True


@pytest.mark.system
def test_on_paper_it_is_some_pages_of_a4(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / 'report.html'
    path.write_text(page(flown()), encoding='utf-8')
    browser.open(path.as_uri())
    paper = browser.paper()
    assert paper.startswith(b'%PDF')
    assert 2 <= len(re.findall(rb'/Type\s*/Page\b', paper)) <= 6
