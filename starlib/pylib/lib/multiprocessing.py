"""Processes in one process: a Pool calls its function for one element after the other, and a Process runs when it starts, to its end.

Programs compute the same. Nothing runs side by side but kernels, which use config.threads cores."""
import os as _os
from threading import Thread as _Thread, Lock, RLock, Event, Condition, Semaphore, BoundedSemaphore
from queue import Queue as _Queue, SimpleQueue


class TimeoutError(Exception):
    """A time is over."""


class ProcessError(Exception):
    """An error of processes."""


def cpu_count():
    """How many cores there are."""
    n = getattr(_os, "cpu_count", None)
    return n() if n is not None else 1


class AsyncResult:
    """What a call has given."""

    def __init__(self, value, error):
        self._value, self._error = value, error

    def get(self, timeout=None):
        """The result, or the error that the call raised."""
        if self._error is not None:
            raise self._error
        return self._value

    def wait(self, timeout=None):
        """Does nothing: the call is over."""

    def ready(self):
        """True: the call is over."""
        return True

    def successful(self):
        """Whether the call raised nothing."""
        return self._error is None


class Pool:
    """A pool of processes, which is this one."""

    def __init__(self, processes=None, initializer=None, initargs=(), maxtasksperchild=None):
        if processes is not None and processes < 1:
            raise ValueError("Number of processes must be at least 1")
        self._open = True
        if initializer is not None:
            initializer(*initargs)

    def _check(self):
        if not self._open:
            raise ValueError("Pool not running")

    def map(self, func, iterable, chunksize=None):
        """The results for all elements, in their order."""
        self._check()
        return [func(x) for x in iterable]

    def starmap(self, func, iterable, chunksize=None):
        """map, where each element is a tuple of arguments."""
        self._check()
        return [func(*x) for x in iterable]

    def imap(self, func, iterable, chunksize=1):
        """The results one by one."""
        self._check()
        return iter([func(x) for x in iterable])

    imap_unordered = imap

    def apply(self, func, args=(), kwds={}):
        """The result of a call."""
        self._check()
        return func(*args, **kwds)

    def apply_async(self, func, args=(), kwds={}, callback=None, error_callback=None):
        """The result of a call, which is made at once."""
        self._check()
        try:
            value = func(*args, **kwds)
        except Exception as e:
            if error_callback is not None:
                error_callback(e)
            return AsyncResult(None, e)
        if callback is not None:
            callback(value)
        return AsyncResult(value, None)

    def map_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        """The results for all elements, which are computed at once."""
        return self.apply_async(self.map, (func, list(iterable)), {}, callback, error_callback)

    def starmap_async(self, func, iterable, chunksize=None, callback=None, error_callback=None):
        """map_async, where each element is a tuple of arguments."""
        return self.apply_async(self.starmap, (func, list(iterable)), {}, callback, error_callback)

    def close(self):
        """No more calls are made."""
        self._open = False

    terminate = close

    def join(self):
        """Does nothing: all calls are over."""
        if self._open:
            raise ValueError("Pool is still running")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()


class Process(_Thread):
    """A process, which runs when it starts, in this one: what it changes is changed here."""
    exitcode = None
    pid = None

    def start(self):
        """Runs the process to its end."""
        super().start()
        self.exitcode, self.pid = 0, self.ident

    def terminate(self):
        """Does nothing: the process has ended."""

    kill = close = terminate


Queue = JoinableQueue = _Queue


class Value:
    """A value that processes share."""

    def __init__(self, typecode, value=0, *, lock=True):
        self.value, self._lock = value, RLock()

    def get_lock(self):
        """Its lock."""
        return self._lock

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *exc):
        self._lock.__exit__(*exc)


def Array(typecode, size_or_initializer, *, lock=True):
    """A list that processes share."""
    return [0] * size_or_initializer if isinstance(size_or_initializer, int) else list(size_or_initializer)


class _Manager:
    def dict(self, *args, **kwargs):
        return dict(*args, **kwargs)

    def list(self, *args):
        return list(*args)

    Queue, Lock, Event, Value = _Queue, Lock, Event, Value

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        pass


def Manager():
    """What makes lists and dicts that processes share."""
    return _Manager()


def current_process():
    """This process."""
    p = Process(name="MainProcess")
    return p


def freeze_support():
    """Does nothing."""


def set_start_method(method, force=False):
    """Does nothing."""


def get_context(method=None):
    """This module's Pool and Process."""
    import types
    return types.SimpleNamespace(Pool=Pool, Process=Process, Queue=Queue, Lock=Lock, cpu_count=cpu_count)


def active_children():
    """None."""
    return []
