def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
t(lambda: [1, 2] * np.float64(2))
t(lambda: [1, 2] * np.int64(2))
t(lambda: [1, 2] + np.float64(2))
def f(op, y):
    l = [1, 2]; m = l
    if op: l *= y
    else: l += y
    return l, m
for y in [np.float64(2), np.int64(2), np.array(2), np.array([2]), np.array([1, 2])]:
    t(lambda: f(0, y)); t(lambda: f(1, y))
