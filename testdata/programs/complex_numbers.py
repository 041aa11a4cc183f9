# Complex numbers of the language: operators, powers, texts, formats, comparisons, hashes.
vals = [0j, 1j, -1j, 1+2j, -1.5-2.5j, complex(0.0,-0.0), complex(-0.0, 2), complex(-0.0,-0.0), complex(float('inf'),1), complex(1,float('-inf')), complex(float('nan'),2), complex(2,float('nan')), 1e16j, 1e-5+1e300j, 3, 2.5, True, 0, -1, float('inf')]
def t(f):
    try:
        x = f()
        if isinstance(x, complex) and abs(x) < 1e300:
            x = complex(round(x.real, 9), round(x.imag, 9))
        elif isinstance(x, float):
            x = float("%.12g" % x)
        return x if isinstance(x, str) else repr(x)
    except Exception as e:
        return type(e).__name__
for a in vals:
    print(repr(a), str(a), bool(a), t(lambda: abs(a)), t(lambda: -a), t(lambda: a.real), t(lambda: a.imag), t(lambda: a.conjugate()))
    for b in vals:
        print(a, b, t(lambda: a+b), t(lambda: a-b), t(lambda: a*b), t(lambda: a/b), a==b, a!=b)
        if isinstance(a, complex) or isinstance(b, complex):
            print(t(lambda: a<b), t(lambda: a//b), t(lambda: a%b), t(lambda: b>=a))
for a in [1+2j, 2j, -1.5-2.5j, 0j, 3, -8.0, 2.5]:
    for b in [0, 1, 2, 3, -1, -2, 0.5, 1j, 1+1j, -2.5, 1/3, True]:
        z = t(lambda: a**b)
        try:
            w = complex(a**b)
            print(a, b, round(w.real, 9), round(w.imag, 9), type(a**b)==complex)
        except Exception as e:
            print(a, b, z)
for s in ["1+2j", " ( 1 - 2J ) ", "j", "-j", "1e5+j", "inf-nanj", "1", "", "1+", "1 + 2j", "1+2", "(1", "1_0j", "--1j", "1e-3-1e+3j", "infj", "nan"]:
    print(s, t(lambda: complex(s)))
print(complex(), complex(1), complex(1, 2), complex(1j, 2), complex(1, 2j), complex(1j, 2j), complex(real=2), complex(imag=3), t(lambda: complex("1", 2)), t(lambda: complex(1, "2")), t(lambda: complex([])), t(lambda: complex(None)))
for f in ["", "10", ">12", "<12", "^12", "*^15", ".2f", "+.3f", ".3", "10.2f", "e", "g", "n", ".2e", ",.1f", "+", " ", "#g", ".0f", "F", "G", "E"]:
    for z in [1+2j, 2j, -1234567.5-0.25j, complex(0,-0.0), complex(float('inf'), float('nan')), complex(-0.0, 1)]:
        print(f, z, t(lambda: format(z, f)))
print(f"{1+2j:.1f} {2j} {1j!r}", "%s %r" % (1j, 2j), "{} {:.2f}".format(1j, 1+1j))
print(hash(1+0j) == hash(1), hash(1.5+0j) == hash(1.5), hash(1+2j), hash(2.5-3j), {1+0j: "a"}[1], {1: "b"}[1+0j], {2j, 2j, 1, 1+0j} == {1, 2j}, 1j in [1, 1j], [1, 1j] == [1+0j, 1j], (1j,) == (1j,), [1j].index(1j), {1: 2+0j} == {1: 2}, 1+0j in {1: 2})
print(isinstance(1j, complex), isinstance(1, complex), isinstance(1j, (int, float)), type(1j) == complex, type(1j) is complex, isinstance(1j, float))
print(sum([1j, 2, 3.5]), sum([1, 2], 1j), [x for x in (1j, 2j)], max([1j, 2], key=abs))
print(t(lambda: int(1j)), t(lambda: float(1j)), t(lambda: round(1j)), t(lambda: max(1j, 2)), t(lambda: sorted([1j, 2])), t(lambda: [1][1j]), t(lambda: 1j + "a"), t(lambda: 1j + None), t(lambda: divmod(1j, 2)), t(lambda: ~1j), t(lambda: 1j & 1), t(lambda: pow(1j, 2, 3)), t(lambda: 10**400 + 1j), t(lambda: 1j / 0), t(lambda: 0j ** -1), t(lambda: abs(complex(1e308,1e308))), t(lambda: (1e200+1j)**3), t(lambda: range(1j)), t(lambda: 1j.foo))
x = 1j
x += 1; x *= 2; x -= 1j; x /= 2; x **= 2
print(x, 1j == 1j, 1_0j, 1.5e3J, 01j, .5j, 1.j)
class C:
    def __complex__(self): return 3+4j
class D:
    def __radd__(self, o): return ("radd", o)
    def __float__(self): return 2.5
print(complex(C()), complex(D()), (1j + D())[0], complex.conjugate(2j), (1j).conjugate(), complex('1').real)
