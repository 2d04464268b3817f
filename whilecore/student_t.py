"""The quantile of Student's t, which widens an interval that had to estimate its own spread."""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist


@lru_cache(maxsize=1024)
def t_quantile(p: float, df: int) -> float:
    """Return the quantile of Student's t distribution.

    Up to 200 degrees of freedom by Newton's method on the finite sum for P(|T| < t); above that by
    the expansion t = z + g₁(z)/df + g₂(z)/df² + g₃(z)/df³ + g₄(z)/df⁴ around the normal quantile z.

    Args:
        p: Probability, 0 < p < 1.
        df: Degrees of freedom, a whole number of at least 1.

    Returns:
        t with P(T ≤ t) = p, to about 1e-9 for p between 0.001 and 0.999.

    Raises:
        ValueError: For p outside (0, 1) or df below 1.

    Source:
        Abramowitz and Stegun 26.7.3, 26.7.4 (the sum) and 26.7.5 (the expansion).

    >>> print(f"{t_quantile(0.975, 3):.4f} {t_quantile(0.975, 15):.4f}")
    3.1824 2.1314
    """
    if not 0 < p < 1:
        raise ValueError(f"p must lie strictly between 0 and 1, got {p!r}")
    if df < 1 or df != int(df):
        raise ValueError(f"df must be a whole number of at least 1, got {df!r}")
    if p < 0.5:
        return -t_quantile(1 - p, df)
    z = NormalDist().inv_cdf(p)
    if df > 200:
        return _t_expansion(z, df)
    scale = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(df * math.pi) / 2
    t = z  # below the root, where the distribution function is concave: the steps only go up
    for _ in range(200):
        density = math.exp(scale - (df + 1) / 2 * math.log1p(t * t / df))
        step = ((2 * p - 1) - _t_within(t, df)) / (2 * density)
        t += step
        if abs(step) <= 1e-13 * max(1.0, t):
            break
    return t


def _t_within(t: float, df: int) -> float:
    """Return P(|T| < t) for t ≥ 0."""
    angle = math.atan(t / math.sqrt(df))
    sine, cosine = math.sin(angle), math.cos(angle)
    term = total = cosine if df % 2 else 1.0
    for j in range(3 if df % 2 else 2, df - 1, 2):
        term *= (j - 1) / j * cosine * cosine
        total += term
    if df % 2 == 0:
        return sine * total
    return 2 / math.pi * (angle + (sine * total if df > 1 else 0.0))


def _t_expansion(z: float, df: int) -> float:
    """Return the t quantile from the normal one, for many degrees of freedom."""
    s = z * z
    g1 = z * (s + 1) / 4
    g2 = z * ((5 * s + 16) * s + 3) / 96
    g3 = z * (((3 * s + 19) * s + 17) * s - 15) / 384
    g4 = z * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160
    return z + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df
