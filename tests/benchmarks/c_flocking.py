"""The neighbour rules of a flock on a torus as one would write them in C: the same cells, one plain loop."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from swarm.state import Floats

SOURCE = r"""
#include <math.h>
#include <pthread.h>
#include <string.h>

typedef struct {
    int side, first, last;
    double box, reach, radius;
    const int *start, *order;
    const double *x, *y, *u, *v;
    double *out;
} Part;

static void *flock(void *given) {
    Part *p = given;
    double box = p->box, half = box / 2, reach = p->reach * p->reach;
    for (int c = p->first; c < p->last; c++) {
        int row = c / p->side, column = c % p->side;
        for (int s = p->start[c]; s < p->start[c + 1]; s++) {
            double x = p->x[s], y = p->y[s], u = p->u[s], v = p->v[s];
            double px = 0, py = 0, mx = 0, my = 0, cx = 0, cy = 0;
            int count = 0;
            for (int b = -1; b <= 1; b++) {
                int beside = (row + b + p->side) % p->side * p->side;
                for (int a = -1; a <= 1; a++) {
                    int cell = beside + (column + a + p->side) % p->side;
                    for (int t = p->start[cell]; t < p->start[cell + 1]; t++) {
                        double dx = p->x[t] - x, dy = p->y[t] - y;
                        if (dx > half) dx -= box; else if (dx < -half) dx += box;
                        if (dy > half) dy -= box; else if (dy < -half) dy += box;
                        double square = dx * dx + dy * dy;
                        if (square > reach || t == s) continue;
                        double apart = sqrt(square);
                        if (apart < p->radius && apart > 0) {
                            double push = (1 - apart / p->radius) / apart;
                            px -= push * dx;
                            py -= push * dy;
                        }
                        mx += p->u[t] - u;
                        my += p->v[t] - v;
                        cx += dx;
                        cy += dy;
                        count++;
                    }
                }
            }
            if (count) {
                double share = 0.5 / count, length = share * sqrt(cx * cx + cy * cy);
                if (length > 1) share /= length;
                px += mx / count + share * cx;
                py += my / count + share * cy;
            }
            p->out[2 * p->order[s]] = px;
            p->out[2 * p->order[s] + 1] = py;
        }
    }
    return 0;
}

void step(int n, double box, double reach, double radius, const double *at, const double *flying, double *out,
          int threads, int *cell, int *start, int *order, double *sorted) {
    int side = box / reach, cells = side * side;
    double per_metre = side / box;
    memset(start, 0, (cells + 2) * sizeof(int));
    for (int i = 0; i < n; i++) {
        int a = at[2 * i] * per_metre, b = at[2 * i + 1] * per_metre;
        cell[i] = (a < side ? a : side - 1) * side + (b < side ? b : side - 1);
        start[cell[i] + 2]++;
    }
    for (int c = 0; c < cells; c++) start[c + 2] += start[c + 1];
    for (int i = 0; i < n; i++) order[start[cell[i] + 1]++] = i;
    double *x = sorted, *y = x + n, *u = y + n, *v = u + n;
    for (int s = 0; s < n; s++) {
        int i = order[s];
        x[s] = at[2 * i];
        y[s] = at[2 * i + 1];
        u[s] = flying[2 * i];
        v[s] = flying[2 * i + 1];
    }
    Part parts[64];
    pthread_t ids[64];
    for (int p = 0; p < threads; p++) {
        int first = (long)cells * p / threads, last = (long)cells * (p + 1) / threads;
        parts[p] = (Part){side, first, last, box, reach, radius, start, order, x, y, u, v, out};
        if (p) pthread_create(&ids[p], 0, flock, &parts[p]);
    }
    flock(&parts[0]);
    for (int p = 1; p < threads; p++) pthread_join(ids[p], 0);
}
"""

Step = Callable[[Floats, Floats, Floats], None]


def make_step(agents: int, side: float, reach: float, radius: float, threads: int) -> Step | None:
    """A function of position, velocity and what is asked for (out), each (A, 2); None without a C compiler.

    Args:
        agents: A.
        side: m, of the torus.
        reach: m, of alignment and cohesion.
        radius: m, of separation.
        threads: 1 to 64.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "flock.c", Path(folder) / "flock.so"
        source.write_text(SOURCE)
        how = ["-O3", "-march=native", "-shared", "-fPIC", "-pthread"]
        words = [compiler, *how, "-o", str(library), str(source), "-lm"]
        if subprocess.run(words, capture_output=True).returncode:
            return None
        step = ctypes.CDLL(str(library)).step
    cells = int(side / reach) ** 2
    cell, order, sorted_ = np.zeros(agents, np.int32), np.zeros(agents, np.int32), np.zeros(4 * agents)
    start = np.zeros(cells + 2, np.int32)

    def at(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> ctypes.c_void_p:
        return array.ctypes.data_as(ctypes.c_void_p)

    def call(position: Floats, velocity: Floats, out: Floats) -> None:
        step(
            agents, ctypes.c_double(side), ctypes.c_double(reach), ctypes.c_double(radius), at(position), at(velocity),
            at(out), threads, at(cell), at(start), at(order), at(sorted_),
        )  # fmt: skip

    return call
