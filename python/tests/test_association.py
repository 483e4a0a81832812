"""Cramér's V, against the formula written down."""

import math

import numpy as np
import pytest

from dtf._association import MOST_CATEGORIES, MOST_ROWS, associations, cramers_v


def by_definition(a, b):
    """Bergsma (2013), by chi-square of observed and expected counts."""
    rows, columns, n = sorted(set(a)), sorted(set(b)), len(a)
    chi_square = 0.0
    for x in rows:
        for y in columns:
            expected = a.count(x) * b.count(y) / n
            chi_square += (sum(pair == (x, y) for pair in zip(a, b)) - expected) ** 2 / expected
    r, k = len(rows), len(columns)
    corrected = max(0.0, chi_square / n - (r - 1) * (k - 1) / (n - 1))
    least = min(r - (r - 1) ** 2 / (n - 1), k - (k - 1) ** 2 / (n - 1)) - 1
    return math.sqrt(corrected / least)


@pytest.mark.parametrize("seed", range(5))
def test_it_is_what_the_formula_says(seed):
    random = np.random.default_rng(seed)
    a = random.integers(0, 4, 60)
    b = np.where(random.random(60) < 0.5, a, random.integers(0, 7, 60)) * 2  # codes with gaps
    assert math.isclose(cramers_v(a, b), by_definition(a.tolist(), b.tolist()), abs_tol=1e-12)


def test_ends_of_the_scale():
    a = np.arange(5000) % 5
    assert math.isclose(cramers_v(a, (a + 2) % 5), 1)
    assert cramers_v(a, np.arange(5000) // 5 % 3) == 0
    assert math.isnan(cramers_v(a, np.zeros(5000, np.int64))) and math.isnan(cramers_v(a[:0], a[:0]))


def test_chance_alone_gives_many_categories_little():
    random = np.random.default_rng(1)
    a, b = random.integers(0, 25, (2, 500))
    assert cramers_v(a, b) < 0.1


def test_two_tables_share_their_rare_categories():
    """Rare categories are those of the first table, and a long table is thinned out evenly."""
    codes = np.repeat(np.arange(MOST_CATEGORIES + 5), 40)
    both = np.concatenate([codes] * 20)
    assert len(both) > MOST_ROWS
    first, second = associations([(both, codes), (both // 2, codes // 2)])
    assert first[0, 1] == first[1, 0] and np.isnan(first[0, 0])
    assert 0.9 < second[0, 1] <= 1 and 0.9 < first[0, 1] <= 1
