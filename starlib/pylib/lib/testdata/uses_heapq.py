import heapq, bisect
h = []
for x in [5, 2, 8, 1, 9, 3, 7, 1]:
    heapq.heappush(h, x)
print(h)
print([heapq.heappop(h) for _ in range(4)], h)
print(heapq.heappushpop(h, 0), heapq.heapreplace(h, 6), h)
x = [9, 8, 7, 6, 5, 4, 3, 2, 1]
heapq.heapify(x)
print(x)
print(heapq.nlargest(3, [4, 9, 1, 7]), ",".join(heapq.nsmallest(2, ["bb", "a", "ccc"], key=len)), heapq.nlargest(0, [1]))
print(list(heapq.merge([1, 4, 9], [2, 3, 10], [])), list(heapq.merge([9, 4], [8, 1], reverse=True)), ",".join(heapq.merge(["a", "ccc"], ["bb"], key=len)))
try:
    heapq.heappop([])
except IndexError as e:
    print("empty")
a = [1, 2, 2, 3, 5]
print(bisect.bisect(a, 2), bisect.bisect_left(a, 2), bisect.bisect_right(a, 4), bisect.bisect_left(a, 9), bisect.bisect(a, 2, 0, 2))
bisect.insort(a, 4)
bisect.insort_left(a, 0)
print(a, bisect.bisect_left([(1, "a"), (3, "b")], 3, key=lambda t: t[0]))
