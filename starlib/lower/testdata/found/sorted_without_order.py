state = 12345
def rnd(n):
    global state
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % n
nan = float("nan")
class P:
    def __init__(self, n): self.n = n
    def __lt__(self, o): return (self.n * 7 + o.n * 3) % 5 < 2
    def __repr__(self): return str(self.n)
h = 0
for size in [0, 1, 2, 3, 31, 64, 65, 130, 1000]:
    for kind in range(9):
        if kind == 0: xs = [nan if rnd(4) == 0 else float(rnd(50)) for i in range(size)]
        elif kind == 1: xs = [nan if rnd(40) == 0 else float(i) for i in range(size)]
        elif kind == 2: xs = [nan if rnd(60) == 0 else float(i % 100 * 3 + i // 100) for i in range(size)]
        elif kind == 3: xs = [(nan if rnd(5) == 0 else rnd(3), i) for i in range(size)]
        elif kind == 4: xs = [P(rnd(1000)) for i in range(size)]
        elif kind == 5: xs = [nan if rnd(9) == 0 else rnd(10) for i in range(size)]
        elif kind == 6: xs = [float(i) if rnd(30) else nan for i in range(size, 0, -1)]
        elif kind == 7: xs = [P(i) for i in range(size)]
        else: xs = [[rnd(3), nan, rnd(5)] for i in range(size)]
        for reverse in [False, True]:
            ys = sorted(xs, reverse=reverse)
            h = (h * 31 + len(str(ys))) % 1000003
            for y in str(ys)[:20000]:
                h = (h * 31 + ord(y)) % 1000003
            zs = list(xs)
            zs.sort(key=lambda v: nan if rnd(20) == 0 else rnd(30), reverse=reverse)
            for y in str(zs)[:20000]:
                h = (h * 31 + ord(y)) % 1000003
        print(size, kind, h, max(xs, default=0), min(xs, default=1))
