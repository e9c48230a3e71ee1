# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""The guides: commands that run, parameters and links that exist, messages the code really has."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bo_explorer.cli.command import _parser, main
from bo_explorer.cli.scenario import find_scenario, known_options, parse_assignments
from bo_explorer.core.options import walk
from bo_explorer.core.policy import POLICIES
from bo_explorer.ros.flight_stacks.config import PREFIX, FlightStackConfig
from bo_explorer.study.registry import find_study
from bo_explorer.study.runner.definition import make_plan

from .core.missions import config
from .recording.flights import flown, write_bag

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    [
        ROOT / 'README.md',
        ROOT / 'CONTRIBUTING.md',
        *(ROOT / 'docs').glob('*.md'),
        ROOT / 'docs' / 'results' / 'README.md',
    ]
)

# Made from the declarations, and compared with them elsewhere.
GENERATED = {'parameters.md'}

# Its tables name tests, which look like parameters.
_OF_TESTS = {'field_cases.md'}

_FENCE = re.compile(r'^```(\w*)\n(.*?)^```', re.MULTILINE | re.DOTALL)
_KEY = re.compile(r'`([a-z_]+(?:\.[a-z0-9_]+)+(?:\.\*)?|[a-z_]+\.\*)`')
_FILE_SUFFIXES = {
    'json', 'png', 'yaml', 'html', 'csv', 'geojson', 'py', 'md', 'rst', 'sh', 'xml', 'mcap',
    'plan', 'toml', 'txt', 'npz', 'log', 'rviz', 'cfg', 'jsonl', 'p7s', 'pem',
}  # fmt: skip

# What the commands of the guides are given beyond what stands there, so that they take seconds.
_SHORT = ['--set', 'area.resolution_m=20.0', '--set', 'budget.total_m=160.0']
_SMALLER = {
    'simulate': _SHORT,
    'tune': [*_SHORT, '--seeds', '2', '--workers', '0'],
}
_PARSED_ONLY = {'demo', 'study', 'view'}


@dataclass(frozen=True)
class Command:
    """A line of a guide that starts ``bo_explorer``."""

    page: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f'{self.page}: {" ".join(self.words)}'


def blocks(page: Path, language: str) -> Iterator[str]:
    for name, text in _FENCE.findall(page.read_text(encoding='utf-8')):
        if name == language:
            yield text


def shell_lines(page: Path) -> Iterator[tuple[str, ...]]:
    for block in blocks(page, 'bash'):
        for line in block.replace('\\\n', ' ').splitlines():
            for part in line.split(' && '):
                words = shlex.split(part, comments=True)
                if words:
                    yield tuple(words)


def commands() -> list[Command]:
    found = {}
    for page in PAGES:
        for words in shell_lines(page):
            if words[0] == 'bo_explorer':
                arguments = words[1 : words.index('>')] if '>' in words else words[1:]
                found.setdefault(arguments, Command(page.name, arguments))
    return list(found.values())


COMMANDS = commands()


def known_keys() -> set[str]:
    from bo_explorer.ros.flight_stacks import FLIGHT_STACKS

    keys = set(known_options())
    keys.update(spec.key for spec in walk(FlightStackConfig, PREFIX))
    for name, stack in FLIGHT_STACKS.items():
        keys.update(spec.key for spec in walk(stack.options_class, f'{PREFIX}{name}.'))
    return keys


def slug(heading: str) -> str:
    """Return the anchor GitHub gives a heading."""
    text = re.sub(r'[`*]|\[([^\]]*)\]\([^)]*\)', r'\1', heading).strip().lower()
    return re.sub(r'[^\w\- ]', '', text).replace(' ', '-')


def anchors(page: Path) -> set[str]:
    text = _FENCE.sub('', page.read_text(encoding='utf-8'))
    return {slug(heading) for heading in re.findall(r'^#+ (.+)$', text, re.MULTILINE)}


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = _FENCE.sub('', page.read_text(encoding='utf-8'))
    for target in re.findall(r'\]\(([^)\s]+)\)', text):
        if '://' in target:
            continue
        path, _, anchor = target.partition('#')
        linked = (page.parent / path).resolve() if path else page
        assert linked.exists(), f'{page.name} links to {target}'
        if anchor:
            assert anchor in anchors(linked), f'{page.name} links to {target}'


@pytest.mark.parametrize(
    'page',
    [page for page in PAGES if page.name not in GENERATED | _OF_TESTS],
    ids=lambda page: page.name,
)
def test_every_parameter_a_page_names_exists(page: Path) -> None:
    pytest.importorskip('rclpy', reason='ROS 2 is not installed')
    known = known_keys()
    groups = {key.split('.')[0] for key in known if '.' in key}
    for line in _FENCE.sub('', page.read_text(encoding='utf-8')).splitlines():
        for key in _KEY.findall(line):
            first, last = key.split('.')[0], key.split('.')[-1]
            is_file = last in _FILE_SUFFIXES or first == 'bo_explorer'
            if is_file or not (first in groups or line.startswith('|')):
                continue
            if key.endswith('.*'):
                assert any(k.startswith(key[:-1]) for k in known), f'{page.name}: {key}'
            else:
                assert key in known, f'{page.name}: {key}'


@pytest.fixture(scope='module')
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder as a reader of the guides has it: his files, a mission and its recording."""
    folder = tmp_path_factory.mktemp('guides')
    for page in PAGES:
        for block in blocks(page, 'yaml'):
            name = re.match(r'# (\w+\.yaml)\n', block)
            if name:
                (folder / name[1]).write_text(block, encoding='utf-8')
    place = [-36.8765, 174.7641]
    corners = [[place[1] + dx, place[0] + dy] for dx, dy in ((0, 0), (2e-3, 0), (2e-3, 2e-3))]
    polygon = {'type': 'Polygon', 'coordinates': [[*corners, corners[0]]]}
    feature = {'type': 'Feature', 'properties': {'role': 'area'}, 'geometry': polygon}
    document = {'type': 'FeatureCollection', 'features': [feature]}
    (folder / 'field.geojson').write_text(json.dumps(document))
    fence = {
        'version': 2,
        'circles': [],
        'polygons': [{'inclusion': True, 'polygon': [c[::-1] for c in corners], 'version': 1}],
    }
    plan = {
        'fileType': 'Plan', 'version': 1, 'geoFence': fence,
        'mission': {'items': [], 'plannedHomePosition': [place[0] + 1e-4, place[1] + 5e-4, 0.0]},
    }  # fmt: skip
    (folder / 'field.plan').write_text(json.dumps(plan))
    flight = flown(config(budget={'total_m': 90.0}))
    pytest.importorskip('rosbags', reason='rosbags is not installed')
    write_bag(folder / 'mission' / 'recording' / 'mission_1', flight.texts)
    return folder


@pytest.mark.parametrize('command', COMMANDS, ids=str)
def test_a_command_of_the_guides_does_what_it_says(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    options = _parser().parse_args(command.words)
    for assignment in getattr(options, 'set', []):
        assert next(iter(parse_assignments([assignment]))) in known_options()
    if options.command in _PARSED_ONLY:
        if getattr(options, 'config', None):
            assert find_scenario(options.config).is_file()
        if options.command == 'study':
            make_plan(
                find_study(options.name), 'quick' if options.quick else 'full',
                data=options.data, seeds=options.seeds, problems=options.problems,
                policies=options.policies, settings={},
            )  # fmt: skip
        return
    arguments = [*command.words, *_SMALLER.get(options.command, [])]
    if options.command == 'report':
        _fly(options.mission)
    assert main(arguments) == 0


def _fly(out: Path) -> None:
    """Leave a mission for a report, whichever tests were run before, and where."""
    if not (out / 'mission.json').exists():
        assert main(['simulate', '--config', 'my_field.yaml', '--out', str(out), *_SHORT]) == 0


def test_the_scripts_of_the_guides_are_there() -> None:
    for page in PAGES:
        for words in shell_lines(page):
            if words[0] in ('bash', 'source') and words[1].startswith('scripts/'):
                assert (ROOT / words[1]).is_file(), f'{page.name}: {words[1]}'


def test_ros_commands_of_the_guides_name_what_is_installed() -> None:
    setup = (ROOT / 'setup.py').read_text(encoding='utf-8')
    for page in PAGES:
        for words in shell_lines(page):
            if words[:2] == ('ros2', 'launch') and words[2] == 'bo_explorer':
                launched = (ROOT / 'launch' / words[3]).read_text(encoding='utf-8')
                if 'flight_stack.launch.py' in launched:
                    launched += (ROOT / 'launch' / 'flight_stack.launch.py').read_text()
                for argument in words[4:]:
                    assert f"'{argument.partition(':=')[0]}'" in launched, f'{page.name}: {words}'
            if words[:2] == ('ros2', 'run') and words[2] == 'bo_explorer':
                assert f"'{words[3]} = " in setup, f'{page.name}: {words}'
            if words[:3] == ('ros2', 'param', 'set') and 'simulator' not in words[3]:
                assert words[4] in known_options(), f'{page.name}: {words}'


def test_the_guide_of_policies_names_each_of_them() -> None:
    text = (ROOT / 'docs' / 'choosing_a_policy.md').read_text(encoding='utf-8')
    table = text[text.index('## What there is') : text.index('## The evidence')]
    named = re.findall(r'^\| `(\w+)` \|', table, re.MULTILINE)
    assert sorted(named) == sorted(POLICIES)


def test_what_is_added_by_the_guide_of_extensions_flies(tmp_path: Path) -> None:
    pytest.importorskip('rclpy', reason='ROS 2 is not installed')
    guide = tmp_path / 'guide_of_extensions.py'
    guide.write_text('\n'.join(blocks(ROOT / 'docs' / 'extending.md', 'python')))
    spec = importlib.util.spec_from_file_location(guide.stem, guide)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Options look their types up in their module.
    sys.modules[guide.stem] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[guide.stem]
    assert module.flown.audit.outside == 0


def source_texts() -> list[str]:
    """Return every string of the package; what is put in stands as a NUL."""
    found = []
    for path in (ROOT / 'bo_explorer').rglob('*.py'):
        for node in ast.walk(ast.parse(path.read_text(encoding='utf-8'))):
            if isinstance(node, ast.JoinedStr):
                parts = (p.value if isinstance(p, ast.Constant) else '\0' for p in node.values)
                found.append(''.join(map(str, parts)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return found


def test_every_message_of_the_troubleshooting_guide_is_one_of_the_code() -> None:
    texts = source_texts()
    rows = (ROOT / 'docs' / 'troubleshooting.md').read_text(encoding='utf-8').splitlines()
    messages = [row.split('|')[1].strip() for row in rows if row.startswith('| `')]
    assert len(messages) >= 20
    unknown = []
    for message in messages:
        pieces = [piece for piece in message.strip('`').split('…') if piece.strip()]
        pattern = re.compile('.*'.join(map(re.escape, pieces)), re.DOTALL)
        if not any(pattern.search(text) for text in texts):
            unknown.append(message)
    assert not unknown
