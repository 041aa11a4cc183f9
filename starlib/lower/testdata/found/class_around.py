# A name that a class's body assigns somewhere is no variable of the function around it, but it may be a global.
total = 10


def outer(n):
    total = n

    class A:
        if n > 1:
            total = total + 1
        got = total
        items = [total for _ in range(2)]

        def method(self): return total

    return A.got, A.items, A().method()


print(outer(1), outer(2))
x = "global"


class B:
    y = x
    x = "member"
    z = x

    class C:
        w = x


print(B.y, B.z, B.C.w)


def unassigned():
    class D:
        v = later
    later = 1
    return D


try:
    unassigned()
except NameError as e:
    print(type(e).__name__)
