"""Independent pieces of work, done on all cores or on a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from pinchpoint.checks import one_of
from pinchpoint.errors import InputError
from pinchpoint.processes import end_with

Task = TypeVar("Task")
Result = TypeVar("Result")

BACKENDS = ("joblib", "ray")


def run_all(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int = 0, backend: str = "joblib"
) -> Iterator[Result]:
    """Yield `work(task)` for every task, in the order they finish; 0 jobs means one a core."""
    one_of(backend, BACKENDS, "backend")
    if jobs < 0:
        raise InputError(f"the number of jobs is {jobs}; it must be 1 or more, or 0 for every core")
    if backend == "ray":
        return _on_ray(work, tasks, jobs)
    jobs = min(jobs or os.cpu_count() or 1, max(len(tasks), 1))
    return map(work, tasks) if jobs == 1 else _on_cores(work, tasks, jobs)


def _on_cores(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Iterator[Result]:
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky import get_reusable_executor

    # One thread for each worker: more than one a core would slow down all of them. (Ray limits its
    # workers by itself.)
    with parallel_config(backend="loky", inner_max_num_threads=1):
        pool = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)
        try:
            yield from pool(delayed(_do)(work, task, os.getpid()) for task in tasks)
        except BaseException:  # Ctrl-C, or an error in one task: nobody waits for the others
            get_reusable_executor().shutdown(wait=True, kill_workers=True)
            raise


def _do(work: Callable[[Task], Result], task: Task, parent: int) -> Result:
    end_with(parent)
    return work(task)


def _on_ray(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Iterator[Result]:
    """Use Ray directly, because joblib's adapter for it cannot return results as they come."""
    import ray

    ours = not ray.is_initialized()
    if ours:
        start_ray(ray, jobs)
    try:
        remote = ray.remote(work)
        waiting = [remote.remote(task) for task in tasks]
        while waiting:
            ready, waiting = ray.wait(waiting)
            for reference in ready:
                yield ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None  # what the work itself raised
    finally:
        if ours:
            ray.shutdown()


def start_ray(ray: Any, jobs: int) -> None:
    """Join the cluster of RAY_ADDRESS, or start one on this machine."""
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if "RAY_ADDRESS" not in os.environ:
        settings |= {"num_cpus": jobs or os.cpu_count() or 1, "include_dashboard": False}
    ray.init(**settings)
