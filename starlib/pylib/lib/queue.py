"""Queues. Threads run one after the other here (see threading): what would wait for ever is an error."""
import heapq as _heapq
from collections import deque as _deque


class Empty(Exception):
    """Nothing is in the queue."""


class Full(Exception):
    """The queue has its most."""


class Queue:
    """What was put in first is got first."""

    def __init__(self, maxsize=0):
        self.maxsize, self.unfinished_tasks = maxsize, 0
        self._init()

    def _init(self):
        self.queue = _deque()

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()

    def qsize(self):
        """How many are in it."""
        return len(self.queue)

    def empty(self):
        """Whether nothing is in it."""
        return len(self.queue) == 0

    def full(self):
        """Whether it has its most."""
        return 0 < self.maxsize <= len(self.queue)

    def put(self, item, block=True, timeout=None):
        """Puts something in."""
        if self.full():
            if not block or timeout is not None:
                raise Full()
            raise RuntimeError("put into a queue that is full: threads run one after the other here, and none takes something out meanwhile")
        self._put(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        """Takes something out."""
        if not self.queue:
            if not block or timeout is not None:
                raise Empty()
            raise RuntimeError("get from a queue that is empty: threads run one after the other here, and none puts something in meanwhile; start those that do first")
        return self._get()

    def put_nowait(self, item):
        """put, which raises Full where it would wait."""
        self.put(item, False)

    def get_nowait(self):
        """get, which raises Empty where it would wait."""
        return self.get(False)

    def task_done(self):
        """Says that what was got is done."""
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self):
        """Waits until all is done."""
        if self.unfinished_tasks:
            raise RuntimeError("join of a queue with %d tasks that are not done: threads run one after the other here" % self.unfinished_tasks)


class LifoQueue(Queue):
    """What was put in last is got first."""

    def _init(self):
        self.queue = []

    def _get(self):
        return self.queue.pop()


class PriorityQueue(Queue):
    """The least is got first."""

    def _init(self):
        self.queue = []

    def _put(self, item):
        _heapq.heappush(self.queue, item)

    def _get(self):
        return _heapq.heappop(self.queue)


class SimpleQueue(Queue):
    """A queue without a most."""
