# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The report of a mission and its findings, from files to files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..core.errors import ConfigError, RecordingError
from ..geo.local_frame import LocalFrame
from ..recording.bag_reader import Recording, find_recording
from ..recording.journal import TOPIC, decode
from ..recording.replay import replay
from ..report.belief import Belief
from ..report.findings import find_places
from ..report.findings_files import findings_csv, findings_geojson
from ..report.mission_file import FlownMission, find_mission, read_mission
from ..report.mission_json import summarise
from ..report.page import PageOptions, mission_page
from .progress import make_console

_PAGE = 'report.html'


@dataclass(frozen=True)
class ReportOptions:
    """
    What the user wants.

    :param mission: document of the mission, its folder, or a recording.
    :param out: the page, or a folder for it; ``None``: ``report.html`` beside what was read.
    :param origin: of the map frame, ``LAT,LON[,ALT]``, or ``None``.
    :param unit: of the sensor, or empty.
    :param title: heading, or ``None`` for the name of the folder.
    :param places: most places to name.
    """

    mission: Path
    out: Path | None = None
    origin: str | None = None
    unit: str = ''
    title: str | None = None
    places: int = 5


def write_report(options: ReportOptions, console: Console | None = None) -> bool:
    """
    Write the page, and the findings as CSV and, where the origin is known, as GeoJSON.

    A recording without a document beside it is replayed for its record.

    :param options: what the user wants.
    :param console: where the names of the files are printed.
    :return: ``True``.
    :raises ConfigError: if there is no mission or an option breaks its rule.
    :raises OSError: if a file cannot be written.
    """
    if options.places < 1:
        raise ConfigError('places', f"'--places' must be at least 1, got {options.places!r}.")
    frame = None if options.origin is None else LocalFrame.parse(options.origin)
    flown = _flown(options.mission)
    if frame is not None and not flown.record.is_map:
        raise ConfigError(
            'origin',
            "'--origin' must be left out for a mission on a plane of its own: its places are not "
            'east and north.',
        )
    page = flown.path.parent / _PAGE if options.out is None else options.out
    if page.is_dir() or not page.suffix:
        page = page / _PAGE
    is_document = flown.path.suffix == '.json'
    title = options.title or (
        flown.path.resolve().parent.name if is_document else flown.path.resolve().stem
    )
    found = find_places(flown.record, flown.belief, options.places)
    texts = {
        page: mission_page(flown, found, PageOptions(title, options.unit, frame)),
        page.with_name('findings.csv'): findings_csv(flown.record, found, frame),
    }
    if frame is not None:
        texts[page.with_name('findings.geojson')] = findings_geojson(
            flown.record, found, frame, options.unit
        )
    page.parent.mkdir(parents=True, exist_ok=True)
    console = console or make_console()
    for path, text in texts.items():
        path.write_text(text, encoding='utf-8', newline='')
        console.print(Text(str(path)), soft_wrap=True)
    return True


def _flown(path: Path) -> FlownMission:
    """Return a mission from its document or, where there is none, from its recording."""
    try:
        document = find_mission(path)
    except ConfigError as missing:
        try:
            recorded = find_recording(path)
        except RecordingError:
            raise missing from None
        return _replayed(recorded)
    return read_mission(document)


def _replayed(path: Path) -> FlownMission:
    with Recording(path) as recording:
        topic = recording.find_topic(TOPIC)
        if topic is None:
            raise ConfigError(
                'mission',
                f"'{path}' was not made by this package: bo_explorer replay makes a mission.json "
                'of it, with --pose-topic and --reading-topic.',
            )
        result = replay(decode(message.content.data) for message in recording.messages(topic))
    record, snapshot = result.record(), result.map()
    belief = Belief()
    if snapshot is not None:
        belief = Belief(snapshot.points, snapshot.mean, snapshot.std)
    return FlownMission(record, belief, summarise(record, belief=belief), path)
