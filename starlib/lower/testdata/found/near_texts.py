# Texts and containers in conditions, comparisons, indexes and loops.
def main():
    s = "häßlich"
    print(len(s), s[1], s[-1], ("ab" * 40)[70], len("ä" * 50), ("ä" + "b" * 60)[5], ("a" * 40 + "ä")[40])
    for x in [[], "", 0, 1.5, (), {}, None, "a", [0], {0}, set(), float("nan")]:
        if x:
            print("true")
        else:
            print("false")
    print((1, 2) == (1, 2), (1, "a") < (1, "b"), [1] == [1], "a" < "b", (1,) != (2,), [1, 2] < [1], "a" in "abc")
    print(3 in {3: 1}, "q" not in {"q"}, True in {1: 2}, 1.0 in {1}, (1,) in {(1,)}, type(1) == int, type("a") != str)
    n = 0
    for w in ("a", "b", "é", 1, 2.5, None, (1, 2)):
        n += w == "b"
    for ch in "aéb":
        n += ch == "é"
    print(n, str(5), str(16383), str(16384), str(-1), str(0))
    few = [1, 2]
    few.append(3)
    other = [few[0], few[1], few[2]]
    other.append(4)
    few.insert(0, 9)
    print(few, other, [], [[]] + [[1, 2, 3, 4]], (), (1,), (few,))
    for i in range(6):
        try:
            print("abc"[i], (1, 2)[i], {0: 1, 1: 2}[i], [5][i])
        except (IndexError, KeyError) as e:
            print(type(e).__name__)
    while few and few[-1] != 9:
        few.pop()
    print(few)
    d, k = {"a": 1}, "a"
    d[k] = d[k] + 1
    d[k] += 1
    print(d[k], d.popitem()[1], len(d))
    print(" a ".strip(" a") + "|", "x=1=2".partition("=")[2], "x=1=2".rpartition("=")[0], "a,b,c".split(",", 1)[1], "ab".center(5, "*"), "-5".zfill(4))
    print("AB".startswith(("x", "A")), "ab".endswith(()), "A1".isupper(), "1".isupper(), "it's a1b".title(), "aBC".capitalize())

main()

def removed():
    l = [1, 2, 3, 4]
    del l[1]
    del l[-1]
    print(l)
    for i in [5, -3, "a"]:
        try:
            del l[i]
        except (IndexError, TypeError) as e:
            print(type(e).__name__)
    for k in l:
        if k == 1:
            del l[0]
    print(l, {**{1: 2, 3: 4}, **{3: 5}}, {**{}, 1: 0, **{2: 3}}, {0: 1, **{0: 2}})
    for a in [7.5, -7.5, 0.0, 1e300]:
        for b in [2.0, -2.0, 3, 0.1, float("inf")]:
            print(a % b, a // b, 7 % b, -7 // b)

removed()
