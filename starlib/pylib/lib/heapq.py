"""Heaps: lists in which no element is less than the one at (i - 1) // 2, so that the least one is the first."""


def _rise(heap, start, i):
    # Moves the element at i up to where it belongs, no further than start.
    x = heap[i]
    while i > start:
        above = (i - 1) // 2
        if not x < heap[above]:
            break
        heap[i] = heap[above]
        i = above
    heap[i] = x


def _sink(heap, i):
    # Moves the element at i down: first to a leaf along the lesser children, then up again.
    n, start, x = len(heap), i, heap[i]
    child = 2 * i + 1
    while child < n:
        right = child + 1
        if right < n and not heap[child] < heap[right]:
            child = right
        heap[i] = heap[child]
        i = child
        child = 2 * i + 1
    heap[i] = x
    _rise(heap, start, i)


def heappush(heap, item):
    """Adds an element to a heap."""
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap):
    """Takes the least element off a heap."""
    last = heap.pop()
    if not heap:
        return last
    least = heap[0]
    heap[0] = last
    _sink(heap, 0)
    return least


def heapreplace(heap, item):
    """Takes the least element off a heap, and then adds another."""
    least = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return least


def heappushpop(heap, item):
    """Adds an element to a heap, and then takes the least one off."""
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _sink(heap, 0)
    return item


def heapify(x):
    """Makes a list a heap."""
    for i in reversed(range(len(x) // 2)):
        _sink(x, i)


def nlargest(n, iterable, key=None):
    """The n largest elements, the largest first."""
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]


def nsmallest(n, iterable, key=None):
    """The n least elements, the least first."""
    return sorted(iterable, key=key)[:max(n, 0)]


def merge(*iterables, key=None, reverse=False):
    """Goes through the elements of sorted iterables in their order."""
    its = [iter(xs) for xs in iterables]
    heads = []
    for i, it in enumerate(its):
        for x in it:
            heads.append([x if key is None else key(x), i, x])
            break
    while heads:
        best = 0
        for j in range(1, len(heads)):
            if heads[best][0] < heads[j][0] if reverse else heads[j][0] < heads[best][0]:
                best = j
        head = heads[best]
        yield head[2]
        more = False
        for x in its[head[1]]:
            head[0], head[2] = x if key is None else key(x), x
            more = True
            break
        if not more:
            heads.pop(best)
