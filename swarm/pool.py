"""Runs in processes of their own, so that one that hangs or is killed takes no other with it."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import TimeoutError as Late

from pebble import ProcessExpired, ProcessPool

from swarm.batch import Job, Outcome, fly

# A forked process has everything imported and compiled from its first moment. Nothing here keeps threads that a fork
# would cut off: the engine runs in the process itself, the kernels are serial, and the progress bar draws when told to.
START = "fork" if sys.platform == "linux" else "spawn"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a batch.

    Attributes:
        finished: Outcomes of all jobs done by then, also of those whose turn had not come.
    """

    def __init__(self, finished: Sequence[Outcome]) -> None:
        super().__init__()
        self.finished = finished


def spread(jobs: Sequence[Job], workers: int, timeout: float | None) -> Iterator[Outcome]:
    """Do jobs in a pool of processes.

    Args:
        jobs: What to do.
        workers: Processes.
        timeout: s of wall time for one job, None for no limit.

    Yields:
        One outcome a job, in the order of the jobs; a job whose process was killed or ran out of time is an error.

    Raises:
        Interrupted: By Ctrl-C; holds what is done.
    """
    pool = ProcessPool(
        max_workers=min(workers, len(jobs)), initializer=_leave_interrupts, context=multiprocessing.get_context(START)
    )
    try:
        futures = [pool.schedule(fly, args=[job], timeout=timeout) for job in jobs]
        for job, future in zip(jobs, futures):
            try:
                outcome: Outcome = future.result()
            except Late:
                outcome = _failed(job, f"stopped after {timeout:g} s of wall time")
            except ProcessExpired as end:
                outcome = _failed(job, f"the process of this run was {_end(end.exitcode)}")
            yield outcome
        pool.close()  # type: ignore[no-untyped-call]
    except KeyboardInterrupt:
        done = [future for future in futures if future.done() and not future.cancelled()]
        finished = [future.result() for future in done if future.exception() is None]
        pool.stop()  # type: ignore[no-untyped-call]
        raise Interrupted(finished) from None
    except BaseException:
        pool.stop()  # type: ignore[no-untyped-call]
        raise
    finally:
        pool.join()


def _failed(job: Job, error: str) -> Outcome:
    return Outcome(job.mission.name, job.seed, None, error, 3)


def _end(code: int | None) -> str:
    if code is not None and code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"


def _leave_interrupts() -> None:
    """Ctrl-C is for the parent, which writes what is done and ends the workers by SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
