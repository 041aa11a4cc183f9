class A:
    def __init__(self, n):
        self.n = n

    def __isub__(self, o):
        self.n -= o
        return self

    def __imatmul__(self, o):
        self.n = (self.n, o)
        return self

    def __ipow__(self, o):
        self.n = self.n ** o
        return self


o = p = A(3)
try:
    o -= 1
    o **= 3
    o @= 5
finally:
    print(o is p, p.n)


def f():
    global o
    o -= 1


p.n = 7
f()
print(o is p, p.n)
total = 1


def g():
    global total
    total += 10
    return 100


try:
    total += g()
except NameError:
    pass
print(total)
