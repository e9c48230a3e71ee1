# Copyright 2026 The bo_explorer authors
# SPDX-License-Identifier: Apache-2.0
"""What the paper on Pandora's-box Gittins indices says its experiments show, sections 3 and 4."""

from __future__ import annotations

from ..runner.claims import Claim, Expected
from .counterexample import DRAWN
from .problems import EMPIRICAL

_PBGI, _PBGI_D = 'pbgi_1e-4', 'pbgi_d'
_BASELINES = ('ei', 'ucb', 'thompson', 'knowledge_gradient', 'max_value_entropy', 'multi_step_ei')
_LINES = ('hard_for_ei_per_cost', 'hard_for_ei_per_cost' + DRAWN)
_MULTI_STEP = 'budgeted_multi_step_ei'
# On the empirical problems the paper runs no entropy search.
_EMPIRICAL = tuple(name for name in _BASELINES if name != 'max_value_entropy')
_EMPIRICAL_COSTLY = ('ei_per_cost', 'ei_cooled', _MULTI_STEP)
# The paper names no budget that is small enough: a fifth.
_EARLY_LOSS = 'loss_curve[10]'


def _pair(
    text: str,
    source: str,
    problems: tuple[str, ...],
    rivals: tuple[str, ...],
    expected: Expected = Expected.AHEAD,
    margin: float = 0.1,
) -> list[Claim]:
    """Return the same claim about both indices."""
    return [
        Claim(f'{text} ({name})', source, 'loss', problems, policy, rivals, expected, margin)
        for name, policy in (('PBGI', _PBGI), ('PBGI-D', _PBGI_D))
    ]


CLAIMS = (
    *_pair(
        'in low dimension all do much the same',
        'section 4.1, figure 4; appendix C',
        ('prior_4', 'prior_8', 'ackley_4', 'levy_4', 'rosenbrock_4'),
        ('ei',),
        Expected.LEVEL,
        0.25,
    ),
    *_pair(
        'in low dimension all do much the same where costs differ',
        'section 4.1, figure 4; appendix C',
        ('prior_4_cost', 'prior_8_cost', 'ackley_4_cost', 'levy_4_cost', 'rosenbrock_4_cost'),
        ('ei_per_cost',),
        Expected.LEVEL,
        0.25,
    ),
    *_pair(
        'a modest improvement on EI per cost in d = 16',
        'section 4.1, figure 4',
        ('prior_16_cost',),
        ('ei_per_cost',),
    ),
    *_pair(
        'competitive in d = 16 where all costs are alike',
        'section 4.1, figure 4',
        ('prior_16',),
        ('ei', 'ucb', 'thompson', 'knowledge_gradient', 'max_value_entropy'),
        Expected.NO_WORSE,
    ),
    Claim(
        'in d = 32 no method outperforms random search where all costs are alike',
        'section 4.1, figure 4',
        'loss',
        ('prior_32',),
        'random',
        (*_BASELINES, _PBGI, _PBGI_D),
        Expected.NO_WORSE,
    ),
    *_pair(
        'outperforms the baselines on Ackley, d = 16',
        'section 4.2, figure 5',
        ('ackley_16',),
        _BASELINES,
    ),
    *_pair(
        'outperforms the baselines on Ackley, d = 16, where costs differ, but for BMSEI',
        'section 4.2, figure 5',
        ('ackley_16_cost',),
        ('ei_per_cost', 'ei_cooled', 'max_value_entropy'),
    ),
    Claim(
        'neither index outperforms BMSEI on Ackley, d = 16, where costs differ',
        'section 4.2, figure 5',
        'loss',
        ('ackley_16_cost',),
        _MULTI_STEP,
        (_PBGI, _PBGI_D),
        Expected.NO_WORSE,
    ),
    Claim(
        'PBGI-D outperforms EI per cost on Levy, d = 16, at a small budget (a fifth)',
        'section 4.2, figure 5',
        _EARLY_LOSS,
        ('levy_16_cost',),
        _PBGI_D,
        ('ei_per_cost',),
    ),
    Claim(
        'PBGI-D no longer outperforms EI per cost on Levy, d = 16, at the whole budget',
        'section 4.2, figure 5',
        'loss',
        ('levy_16_cost',),
        'ei_per_cost',
        (_PBGI_D,),
        Expected.NO_WORSE,
    ),
    Claim(
        'PBGI and BMSEI are worse than PBGI-D on Levy, d = 16, where costs differ',
        'section 4.2, figure 5',
        'loss',
        ('levy_16_cost',),
        _PBGI_D,
        (_PBGI, _MULTI_STEP),
    ),
    Claim(
        'EI outperforms PBGI on the unimodal Rosenbrock, d = 16',
        'section 4.2, figure 5',
        'loss',
        ('rosenbrock_16',),
        'ei',
        (_PBGI,),
    ),
    Claim(
        'EI per cost outperforms PBGI on Rosenbrock, d = 16, where costs differ',
        'section 4.2, figure 5',
        'loss',
        ('rosenbrock_16_cost',),
        'ei_per_cost',
        (_PBGI,),
    ),
    Claim(
        'EI matches PBGI-D and multi-step EI on Rosenbrock, d = 16',
        'section 4.2, figure 5',
        'loss',
        ('rosenbrock_16',),
        'ei',
        (_PBGI_D, 'multi_step_ei'),
        Expected.LEVEL,
        0.25,
    ),
    Claim(
        'EI per cost matches PBGI-D and BMSEI on Rosenbrock, d = 16, where costs differ',
        'section 4.2, figure 5',
        'loss',
        ('rosenbrock_16_cost',),
        'ei_per_cost',
        (_PBGI_D, _MULTI_STEP),
        Expected.LEVEL,
        0.25,
    ),
    Claim(
        'PBGI outperforms the baselines on Pest Control and Lunar Lander',
        'section 4.3, figure 6',
        'loss',
        ('pest_control', 'lunar_lander'),
        _PBGI,
        _EMPIRICAL,
    ),
    Claim(
        'PBGI outperforms the baselines on Pest Control and Lunar Lander where costs differ',
        'section 4.3, figure 6',
        'loss',
        ('pest_control_cost', 'lunar_lander_cost'),
        _PBGI,
        _EMPIRICAL_COSTLY,
    ),
    Claim(
        'EI does best on Robot Pushing, PBGI poorly',
        'section 4.3, figure 6',
        'loss',
        ('robot_pushing',),
        'ei',
        (*_EMPIRICAL[1:], _PBGI),
    ),
    Claim(
        'EI per cost does best on Robot Pushing where costs differ, PBGI and BMSEI poorly',
        'section 4.3, figure 6',
        'loss',
        ('robot_pushing_cost',),
        'ei_per_cost',
        ('ei_cooled', _MULTI_STEP, _PBGI),
    ),
    Claim(
        'PBGI-D does better than PBGI on Robot Pushing, whatever the costs',
        'section 4.3, figure 6',
        'loss',
        ('robot_pushing', 'robot_pushing_cost'),
        _PBGI_D,
        (_PBGI,),
    ),
    Claim(
        'PBGI-D does better than BMSEI on Robot Pushing where costs differ',
        'section 4.3, figure 6',
        'loss',
        ('robot_pushing_cost',),
        _PBGI_D,
        (_MULTI_STEP,),
    ),
    Claim(
        'the gap between PBGI and UCB is bigger on the empirical problems: there PBGI is ahead',
        'section 4.3, figure 6',
        'loss',
        EMPIRICAL,
        _PBGI,
        ('ucb',),
    ),
    Claim(
        'the gap between PBGI and UCB is bigger on the empirical problems: elsewhere they are '
        'closer to level',
        'section 4.3, figure 6',
        'loss',
        ('prior_16', 'ackley_16', 'levy_16', 'rosenbrock_16'),
        _PBGI,
        ('ucb',),
        Expected.LEVEL,
        0.25,
    ),
    Claim(
        'EI per cost does substantially worse than PBGI on the counterexample',
        'section 3.3, figure 2',
        'loss',
        _LINES,
        _PBGI,
        ('ei_per_cost',),
    ),
)
