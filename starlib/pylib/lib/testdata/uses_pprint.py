import pprint
pprint.pprint([1, 2, 3])
pprint.pprint(list(range(40)))
pprint.pprint({i: list(range(i)) for i in range(12)})
pprint.pprint({3: [1.5] * 30, 1: (2,) * 30, 2: {"k" if False else 5: list(range(30))}}, width=60)
pprint.pprint([list(range(30)), [list(range(20)), 3]], indent=4)
pprint.pprint(list(range(60)), compact=True, width=40)
pprint.pprint([[[[1]]]], depth=2)
print(pprint.pformat((1,)), pprint.pformat({2: 1, 1: 2}), pprint.pformat({2: 1, 1: 2}, sort_dicts=False))
pprint.pp({2: 1, 1: 2})
x = [1]
x.append(x)
print(pprint.isrecursive(x), pprint.isreadable([1]))
