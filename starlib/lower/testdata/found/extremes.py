a = np.array([1, 5]); b = np.array([3, 2])
print(max(a, b, key=lambda v: v[0]), min(a, b, key=sum), max([a, b], key=lambda v: v.sum()))
for f in [lambda: max(a, b), lambda: min([a, b]), lambda: max(a, 1), lambda: max(np.ones(1), np.zeros(1)), lambda: sorted([a, b]), lambda: max(np.ones((2,2)))]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
n = float("nan")
print(sorted([3, n, 1, 2]), sorted([n, 2.0, 1.0]), sorted([5, 1, n, 4, 2], reverse=True), max(n, 1), max(1, n), min([2, n, 1]), min(n, 0))
x = [3.0, n, 1.0, (2.0)]
x.sort(reverse=True)
print(x, max([1.0, n, 3.0], key=lambda v: -v))
