"""Standard errors when tasks come in clusters: several questions about one passage or repository.

Tasks of one cluster rise and fall together, so they are fewer independent facts than tasks.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from whilecore.gates import choice

FORMS: Final = ("small sample", "robust", "sandwich plus sample variance")


def clustered_error(
    values: npt.ArrayLike, clusters: npt.ArrayLike, form: str = "small sample"
) -> float:
    """Return the standard error of a mean over tasks that come in clusters.

    robust: √(Σ_clusters (Σ dev)²) / n, dev = value − mean
    small sample: the same times √(g/(g−1)) for g clusters
    sandwich plus sample variance: √(s²/n + Σ_clusters Σ_{j≠l} dev_j·dev_l / n²)

    Args:
        values: One number per task, shape (tasks,).
        clusters: Which cluster each task is in, whole numbers from 0, shape (tasks,).
        form: One of ``FORMS``.

    Returns:
        The standard error, at least 0.

    Raises:
        ValueError: For shapes that differ, one cluster, or an unknown form.

    Convention:
        Three forms are in use and differ with few clusters. The default is the one that, with a
        task per cluster, is the plain s/√n; read it against Student's t with g − 1 degrees of
        freedom. With one cluster nothing is known of how clusters differ: refused.

    Source:
        Liang and Zeger 1986 (robust); the g/(g−1) is that of evaluation libraries; Miller 2024,
        arXiv:2411.00640 eq. 4 (the third).

    >>> clustered_error([1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1])
    0.5
    """
    x, codes = np.asarray(values, np.float64), np.asarray(clusters)
    choice(form, FORMS, "form")
    if x.ndim != 1 or x.shape != codes.shape or codes.dtype.kind not in "iu":
        raise ValueError(
            "values and clusters must hold one entry per task, clusters as whole numbers, got "
            f"shapes {x.shape} and {codes.shape}"
        )
    used, codes = np.unique(codes, return_inverse=True)
    if len(used) < 2:
        raise ValueError(
            f"there must be at least 2 clusters, got {len(used)}; with one, nothing is known of "
            "how clusters differ"
        )
    n, away = len(x), x - x.mean()
    between = float((np.bincount(codes, away) ** 2).sum())
    if form == "sandwich plus sample variance":
        inside = float((away**2).sum())
        return math.sqrt(max(inside / (n - 1) / n + (between - inside) / n**2, 0.0))
    grow = len(used) / (len(used) - 1) if form == "small sample" else 1.0
    return math.sqrt(grow * between) / n
