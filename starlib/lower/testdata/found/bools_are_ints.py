# Bools are ints where they are compared, looked for, and keys.
print(True in [1], True in (1,), 1 in [True], True in {1: 2}, [1].index(True), [True].count(1), True == 1, [True] == [1], True < 2, (True, 1.0) == (1, True), max(True, 0), sorted([2, True, 0]), True != 1.5, 'a' == True)
