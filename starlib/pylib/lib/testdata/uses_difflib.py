import difflib
a = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n".splitlines(True)
b = "one\ntwo\ntree\nfour\nfive\nsix\nseven\neight and a half\nnine\nten\neleven\n".splitlines(True)
print("".join(difflib.unified_diff(a, b, "before", "after")))
print("".join(difflib.unified_diff(a, b, n=0)), "".join(difflib.context_diff(a, b, "x", "y")))
print("".join(difflib.ndiff(a, b)))
print("".join(difflib.restore(difflib.ndiff(a, b), 1)) == "".join(a), "".join(difflib.restore(difflib.ndiff(a, b), 2)) == "".join(b))
s = difflib.SequenceMatcher(None, "abxcd", "abcd")
print(s.ratio(), s.quick_ratio(), s.real_quick_ratio(), s.find_longest_match(0, 5, 0, 4).size)
for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, "qabxcd", "abycdf").get_opcodes():
    print(tag, i1, i2, j1, j2)
print([tuple(m) for m in difflib.SequenceMatcher(None, "private Thread currentThread;", "private volatile Thread currentThread;").get_matching_blocks()])
print(" ".join(difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"])), difflib.get_close_matches("x", ["y"]), round(difflib.SequenceMatcher(lambda c: c == " ", "a b c d", "abcd e").ratio(), 6))
x, y = [str(i % 7) for i in range(300)], [str(i % 5) for i in range(300)]
print(difflib.SequenceMatcher(None, x, y).ratio(), difflib.SequenceMatcher(None, x, y, autojunk=False).ratio())
print("".join(difflib.ndiff(["the quick brown\n", "fox\n"], ["a quick brown\n", "fix\n", "new\n"])))
