"""Threads in one interpreter: start() runs a thread at once, to its end, in the thread that starts it.

Programs that start threads to divide work compute the same; what would wait for another thread for ever is an error here. Kernels use config.threads cores by themselves."""
import time as _time

TIMEOUT_MAX = 4294967.0
ThreadError = RuntimeError


def _never(what):
    raise RuntimeError(what + ": threads run one after the other here, and none that waits can be woken by another")


class Lock:
    """A lock. Who waits for one that is held would wait for ever."""
    _again = False

    def __init__(self):
        self._held = 0

    def acquire(self, blocking=True, timeout=-1):
        """Takes the lock; False if it is held and the caller does not wait."""
        if self._held and not self._again:
            if not blocking or timeout >= 0:
                return False
            _never("acquire of a lock that is held")
        self._held += 1
        return True

    def release(self):
        """Gives the lock back."""
        if not self._held:
            raise RuntimeError("release unlocked lock" if not self._again else "cannot release un-acquired lock")
        self._held -= 1

    def locked(self):
        """Whether it is held."""
        return self._held > 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exc):
        self.release()


class RLock(Lock):
    """A lock that its holder may take again."""
    _again = True


class Event:
    """A flag that threads wait for."""

    def __init__(self):
        self._flag = False

    def is_set(self):
        """Whether the flag is set."""
        return self._flag

    isSet = is_set

    def set(self):
        """Sets the flag."""
        self._flag = True

    def clear(self):
        """Takes the flag back."""
        self._flag = False

    def wait(self, timeout=None):
        """True if the flag is set. If it is not, nobody will set it while the caller waits."""
        if not self._flag and timeout is None:
            _never("wait for an event that is not set")
        return self._flag


class Condition:
    """A lock with a place to wait."""

    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *exc):
        self._lock.__exit__(*exc)

    def wait(self, timeout=None):
        """False after a timeout; without one it would wait for ever."""
        if timeout is None:
            _never("wait for a condition")
        return False

    def wait_for(self, predicate, timeout=None):
        """What the predicate gives; if that is false nobody will change it."""
        result = predicate()
        if not result and timeout is None:
            _never("wait for a condition that does not hold")
        return result

    def notify(self, n=1):
        """Does nothing: nobody waits."""

    def notify_all(self):
        """Does nothing: nobody waits."""

    notifyAll = notify_all


class Semaphore:
    """A count of what is left, which is taken one by one."""

    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = self._initial = value

    def acquire(self, blocking=True, timeout=None):
        """Takes one; False if none is left and the caller does not wait."""
        if self._value == 0:
            if not blocking or timeout is not None:
                return False
            _never("acquire of a semaphore of which nothing is left")
        self._value -= 1
        return True

    def release(self, n=1):
        """Gives back."""
        self._value += n

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exc):
        self.release()


class BoundedSemaphore(Semaphore):
    """A Semaphore to which no more can be given back than was there."""

    def release(self, n=1):
        """Gives back."""
        if self._value + n > self._initial:
            raise ValueError("Semaphore released too many times")
        self._value += n


class local:
    """Attributes of a thread: one after the other has them anew."""

    def __init__(self):
        object.__setattr__(self, "_of", {})

    def __getattr__(self, name):
        try:
            return self._of[_current[-1].ident][name]
        except KeyError:
            raise AttributeError("'_thread._local' object has no attribute '%s'" % name) from None

    def __setattr__(self, name, value):
        self._of.setdefault(_current[-1].ident, {})[name] = value

    def __delattr__(self, name):
        try:
            del self._of[_current[-1].ident][name]
        except KeyError:
            raise AttributeError(name) from None


_count = [0]
_started = [0]


class Thread:
    """A thread: start() calls run(), which calls the target, and comes back when it has ended."""

    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        _count[0] += 1
        self._target, self._args, self._kwargs = target, args, kwargs or {}
        self.daemon = bool(daemon)
        if name is None:
            name = "Thread-%d" % _count[0]
            if target is not None and hasattr(target, "__name__"):
                name += " (%s)" % target.__name__
        self.name = str(name)
        self.ident = None
        self._state = "initial"

    def run(self):
        """What the thread does."""
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self):
        """Runs the thread to its end."""
        if self._state != "initial":
            raise RuntimeError("threads can only be started once")
        self._state = "started"
        _started[0] += 1
        self.ident = self.native_id = _started[0]
        _current.append(self)
        try:
            self.run()
        except SystemExit:
            pass
        except Exception as e:
            excepthook(ExceptHookArgs(type(e), e, None, self))
        finally:
            _current.pop()
            self._state = "stopped"

    def join(self, timeout=None):
        """Does nothing: the thread has ended."""
        if self._state == "initial":
            raise RuntimeError("cannot join thread before it is started")
        if self._state == "started":
            raise RuntimeError("cannot join current thread")

    def is_alive(self):
        """Whether it runs: from within itself alone."""
        return self._state == "started"

    def getName(self):
        """Its name."""
        return self.name

    def setName(self, name):
        """Names it."""
        self.name = name

    def isDaemon(self):
        """What daemon is."""
        return self.daemon

    def setDaemon(self, daemonic):
        """Sets daemon, which changes nothing."""
        self.daemon = daemonic

    def __repr__(self):
        ident = "" if self.ident is None else " %d" % self.ident
        return "<%s(%s, %s%s%s)>" % (type(self).__name__, self.name, self._state, " daemon" if self.daemon else "", ident)


class ExceptHookArgs:
    """What excepthook gets: the class, the exception, None and the thread."""

    def __init__(self, exc_type, exc_value, exc_traceback, thread):
        self.exc_type, self.exc_value, self.exc_traceback, self.thread = exc_type, exc_value, exc_traceback, thread


def excepthook(args):
    """Prints the error that ended a thread."""
    import sys
    import traceback
    print("Exception in thread %s:" % args.thread.name, file=sys.stderr)
    traceback.print_exception(args.exc_value)


class Timer(Thread):
    """A thread that waits before it calls a function, unless it was cancelled before it starts."""

    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(target=function, args=args or (), kwargs=kwargs)
        self.interval, self._cancelled = interval, False

    def cancel(self):
        """Has the function not be called."""
        self._cancelled = True

    def run(self):
        """Waits, and calls the function."""
        if not self._cancelled:
            _time.sleep(self.interval)
            super().run()


def _main():
    t = Thread(name="MainThread")
    _count[0] = 0
    t._state, t.ident = "started", 0
    return t


_current = [_main()]


def current_thread():
    """The thread that runs."""
    return _current[-1]


def main_thread():
    """The program's first thread."""
    return _current[0]


def active_count():
    """How many threads have begun and not ended."""
    return len(_current)


def enumerate():
    """The threads that have begun and not ended."""
    return list(_current)


def get_ident():
    """The number of the thread that runs."""
    return _current[-1].ident


currentThread, activeCount, get_native_id = current_thread, active_count, get_ident


def settrace(func):
    """Does nothing."""


def setprofile(func):
    """Does nothing."""


def stack_size(size=0):
    """0: threads have no stack of their own."""
    return 0
