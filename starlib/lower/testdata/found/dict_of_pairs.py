# A dict of pairs takes any iterables of two elements: iterators, whose length is not known, and strings.
def g(n):
    for i in range(n): yield i
print(dict([g(2), (5, 6), "ab", iter([7, 8])]))
for n in [0, 1, 3]:
    try: print(dict([g(n)]))
    except ValueError as e: print("ValueError")
