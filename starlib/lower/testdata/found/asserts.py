# Every test that assert may have before it.
def f(x): return x
a, b, c, s = 1, 2, 3, [1, 2]
def g():
    assert (yield 1), "gen"
def h():
    assert (x for x in s)
    assert (q := 3) == 3
    assert (a) < f(b) < c
    assert (a) < b < c
    assert [a][0] < f(b) < c
    assert (a) if b else c
    assert (a) ** 2 == 1
    assert (a) is not None
    assert (a) is a
    assert [1] + [2] == s
    assert (1, 2)[0:1] == (1,)
    assert (a) not in [7]
    assert (a) in [1]
    assert not (a) == 2
    assert [*s, 3] == [1, 2, 3]
    assert (*s, 3) == (1, 2, 3)
    assert (a) == 1 and (b) == 2 or c
    assert (lambda x: x)(3) == 3
    assert (s)[0] == 1, (a)
    assert (s).copy() == s, "x"
    assert [x for x in s] == s
    assert [a, b] == s, f"{a}"
    assert (a == 1)
    assert (
        a == 1 and
        b == 2
    ), "m"
    for i in s:
        if i: assert (i) > 0; assert [i]
    try: assert (a) == 2; print("no")
    except AssertionError: print("yes")
    try: assert [][:0], "empty"
    except AssertionError as e: print("yes", e)
    try: assert (), "empty"
    except AssertionError as e: print("yes", e)
    try: assert (0) < f(1) < 1, "chain"
    except AssertionError as e: print("yes", e)
    try: assert -a > +a, "sign"
    except AssertionError as e: print("yes", e)
    try: assert (a) - 1
    except AssertionError as e: print("yes", e)
    try: assert [] @ s if 0 else []
    except AssertionError as e: print("yes", e)
    class A:
        assert (a) == 1
        try: assert (a) == 2
        except AssertionError: r = 5
    print(A.r)
    with __import__("contextlib").suppress(AssertionError) if 0 else open("/dev/null"): assert (a)
h()
try: list(g())
except AssertionError as e: print("yes", e)
