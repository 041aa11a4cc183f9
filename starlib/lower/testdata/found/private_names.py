class A:
    __n = 1

    def __init__(self):
        self.__x = 1
        self.__dict__["y"] = 2

    def __step(self, __k=3):
        return self.__x + __k

    def step(self):
        return self.__step(), self.__n, A.__n

    class __Inner:
        __v = 4

        def get(self):
            return self.__v

    def inner(self):
        return self.__Inner().get()


class B(A):
    def __init__(self):
        A.__init__(self)
        self.__x = 10

    def __step(self):
        return "B"

    def both(self):
        return self.__x, self._A__x, self.__step(), self.step()


class _C:
    def f(self, __a=1, *, __b=2):
        global __g
        __g = 5
        self.__q, [self.__r] = __a, [__b]
        return [__x for __x in range(2)], lambda __y: __y + __a, vars(self)


b = B()
print(b.both(), sorted(vars(b).items()), b.inner(), b._A__n)
c = _C()
print(c.f(3, _C__b=4)[2], c.f()[1](2), _C__g)
try:
    b.__x
except AttributeError as e:
    print("no", hasattr(b, "__x"), hasattr(b, "_B__x"), getattr(b, "_A__x"))
