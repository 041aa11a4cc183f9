"""The language itself where it is Python's: numbers, their text, strings, lists, dictionaries, control."""

# Left out, as it differs by design: text is bytes (so no subscripts of other letters than
# ASCII), nan == nan and nan > 1, True is no int, popitem takes the first, and the signs of zero and the
# infinities in // and % of floats, which are the interpreter's.

from common import MISTAKES, assigning, run

FLOATS = ["0.0", "-0.0", "1.0", "-1.5", "0.1", "1/3", "2.5", "3.5", "1e16", "123456789.0", "1e22", "1e-5", "0.0001", "12345.678",
          "-9.995", "1e100", "5e-324", "float('inf')", "float('nan')", "99999.5"]
INTS = ["0", "7", "-7", "255", "-1", "1000000", "1 << 70", "-(1 << 65)", "12345678901234567890"]
FLOAT_SPECS = ["", ".3f", ".0f", "8.2f", "<10.1f", ">10.1f", "^11.2f", "+.2f", " .1f", "010.3f", ".3e", ".0e", "E", "g", ".3g",
               ".10g", "G", "%", ".1%", ",", ",.2f", "#.0f", "_.1f", "=+8.1f", "*^12.3f", "n", "8", ".5", "x<9", "_"]
INT_SPECS = ["", "d", "5d", "<5d", ">8", "^9d", "+d", " d", "05d", "x", "X", "#x", "o", "#o", "b", "#b", ",", "_d", "c" , "e",
             ".2f", "08b", "#010x", "*>6", ",d", "_x", "%", "+,d", "=+6d", "n"]
STRING_SPECS = ["", "s", "10", "<8", ">8", "^9", ".2", "*^9", "5.1", "-<6s"]
PERCENT = ["%d", "%5d", "%-5d|", "%05d", "%+d", "% d", "%i", "%x", "%X", "%#x", "%o", "%s", "%r", "%f", "%.2f", "%8.3f", "%-9.2f|",
           "%e", "%.1e", "%g", "%.4g", "%G", "%+.1f", "%08.2f", "%c", "%5s", "%-5s|", "%.3s", "%%%d", "%#o", "%E"]
METHODS = ["upper()", "lower()", "title()", "capitalize()", "strip()", "lstrip()", "rstrip('o!')", "split()", "split('l')",
           "split(' ', 1)", "rsplit('o', 1)", "find('o')", "rfind('o')", "find('z')", "count('l')", "replace('l', 'L')",
           "replace('o', '0', 1)",
           "startswith('He')", "endswith('!')", "startswith(('x', ' '))", "isalpha()", "isdigit()", "isalnum()", "isspace()",
           "isupper()", "islower()", "istitle()", "partition('l')", "rpartition(' ')", "splitlines()", "join(['a', 'b'])",
           "index('o')",
           "index('z')", "removeprefix('He')", "removesuffix('!')", "strip(' H')", "find('l', 3)", "count('')", "center(20, '*')",
           "ljust(15)", "rjust(15, '.')", "zfill(15)", "swapcase()", "expandtabs(4)", "split('')", "rindex('l')",
           "startswith('l', 2)"]


def cases(f):
    rnd = f.rnd
    text = ["Hello, World!", "  two words\\n", "abc", "", "12345", "ÄÖ é", "a,b,,c"]
    plain = [s for s in text if s.isascii()]
    for x in FLOATS:
        f.exact(x, "-(%s)" % x, "round(%s, 2)" % x, "abs(%s)" % x, "bool(%s)" % x)
        if eval(x) == eval(x):
            f.exact("(%s) > 1" % x, "(%s) - 1 < 0.5" % x)
        if eval(x) % 3:
            f.exact("(%s) %% 3" % x)
        f.text("str(%s)" % x, "repr(%s)" % x, "str([%s])" % x, "'%%s' %% (%s)" % x)
        f.either("int(%s)" % x, "round(%s)" % x)
        kind(f, "'%%d' %% (%s)" % x)
        for spec in rnd.sample(FLOAT_SPECS, 12):
            kind(f, "x = %s\nv = f'{x:%s}'" % (x, spec))
        for spec in rnd.sample(FLOAT_SPECS, 4):
            kind(f, "'{:%s}'.format(%s)" % (spec, x), "format(%s, '%s')" % (x, spec))
        for form in rnd.sample(PERCENT, 5):
            kind(f, "'%s' %% (%s,)" % (form, x))
    for x in INTS:
        f.exact(x, "-(%s)" % x, "~(%s)" % x, "abs(%s)" % x, "bool(%s)" % x, "(%s) >> 3" % x, "(%s) << 5" % x, "(%s) & 255" % x,
                "(%s) | 6" % x, "(%s) ^ 5" % x, "(%s) ** 2" % x, "round(%s, -1)" % x, "float(%s)" % x, "(%s) / 4" % x,
                "round(%s)" % x)
        f.text("str(%s)" % x, "repr(%s)" % x, "hex(%s)" % x, "bin(%s)" % x, "oct(%s)" % x)
        for spec in rnd.sample(INT_SPECS, 15):
            kind(f, "x = %s\nv = f'{x:%s}'" % (x, spec))
        for form in rnd.sample(PERCENT, 9):
            kind(f, "'%s' %% (%s)" % (form, x))
    for a in ["7", "-7", "0", "13", "-1", "7.5", "-7.5", "1 << 66"]:
        for b in ["2", "-2", "3", "-3", "0.5", "-2.5", "0", "1 << 40"]:
            f.either("(%s) // (%s)" % (a, b), "(%s) / (%s)" % (a, b), "(%s) < (%s)" % (a, b),
                     "(%s) == (%s)" % (a, b), "(%s) * (%s)" % (a, b))
            if b != "0" and eval("(%s) %% (%s)" % (a, b)):
                f.exact("(%s) %% (%s)" % (a, b), "divmod(%s, %s)" % (a, b))
            if "<<" not in a + b and not ("-" in a and "." in b):
                f.either("(%s) ** (%s)" % (a, b), "pow(%s, %s)" % (a, b), near="." in a + b)
    for s in text:
        for method in rnd.sample(METHODS, 22):
            if s in plain or not any(word in method for word in ("find", "index", "''")):
                kind(f, "'%s'.%s" % (s, method))
        for piece in ["[1]", "[-1]", "[1:3]", "[::-1]", "[:-2]", "[::2]", "[5:1]", "[-3:]", "[100:]"]:
            kind(f, *["'%s'%s" % (s, piece)] if s in plain else [])
        kind(f, *("x = '%s'\nv = f'{x:%s}'" % (s, spec) for spec in rnd.sample(STRING_SPECS, 5)))
        kind(f, *["len('%s')" % s] if s in plain else [])
        kind(f, "'%s' * 3" % s, "'%s' + 'x'" % s, "'b' in '%s'" % s, "'%s' < 'b'" % s,
             "repr('%s') == '%s'" % (s, s), "'%%-8s|' %% '%s'" % s, "'{0}-{0}'.format('%s')" % s)

    kind(f, "x = 3; y = 1.5\nv = f'{x} + {y} = {x + y}'", "x = 3\nv = f'{x!r:>4}|{{}}'", "x = 2.5; w = 8\nv = f'{x:{w}.2f}'",
         "x = [1, 2]\nv = f'{x} {len(x)} {x[0]:03d}'", "d = {'a': 1}\nv = f\"{d['a']}\"", "v = f'{3 > 2} {None}'",
         "x = 4\nv = f'{x=}'",
         "x = 1.5\nv = f'{x=:.2f}'", "v = f'{\"a\" + \"b\"}'", "v = f'a' + f'{1}' 'b'", "v = f'{1,}'",
         "v = f'{(lambda q: q + 1)(2)}'", "v = '{} {}'.format(1, 2.5)", "v = '{1} {0}'.format('a', 'b')",
         "v = '{x:.1f}'.format(x=2.25)", "v = '{0[1]}'.format([3, 4])",
         "v = '%d %s %.1f' % (1, 'a', 2.0)", "v = '%s' % [1, 2]", "v = '%s' % None", "v = '%(a)d' % {'a': 3}",
         "v = '%d%%' % 50", "v = '%d' % 2.9", "v = '%5.1f|%-6d|' % (2.25, 42)", "v = '%*d' % (5, 3)", "v = '%s' % (1.0,)",
         "v = '%s' % 1e16")
    for form in ["'%d' % 'a'", "'%d %d' % 1", "'%d' % (1, 2)", "'%z' % 1", "'{:d}'.format(1.5)", "'{:q}'.format(1)",
                 "'{} {}'.format(1)", "'{:.2d}'.format(3)", "'{:s}'.format(1)", "'{a}'.format(1)", "'%f' % 'x'",
                 "'{:5x}'.format('a')", "'{'.format(1)", "'%s %s' % ['a', 'b']",
                 "int('a')", "int('1.5')", "float('x')", "1 // 0", "1 % 0", "1 / 0", "1.0 / 0", "'a' + 1", "[1] + (2,)",
                 "'a' * 1.5", "[1, 2][2]", "{'a': 1}['b']", "(1, 2)[5]", "len(5)", "1 << -1", "None + 1", "'abc'.index('z')",
                 "[1].index(2)", "[].pop()", "{}.popitem()",
                 "int('12', 40)", "[3, 'a'] < [3, 1]", "sorted([1, 'a'])", "max([])", "1 < 'a'", "{[1]: 2}", "'a' in 5",
                 "range(1, 5, 0)", "list(5)", "[1, 2].remove(3)", "[1][None]", "'ab'['a']", "abs('a')", "round('a')", "sum(['a'])",
                 "dict([1])"]:
        f.fails(form)

    # Lists, tuples, dictionaries.
    values = "x = [5, 3, 9, 1, 3]; "
    for piece in ["x[1:3]", "x[::-1]", "x[-2:]", "x[:]", "x[::2]", "x[3:1:-1]", "x[10:]", "x[-1]", "x + [1]", "x * 2", "len(x)",
                  "3 in x", "7 not in x", "sorted(x)", "sorted(x, reverse=True)", "sorted(x, key=lambda q: -q)", "min(x)", "max(x)",
                  "sum(x)", "sum(x, 10)",
                  "sum([0.1] * 10)", "sum([0.1, 0.2, 0.3])", "list(reversed(x))", "list(enumerate(x))", "list(zip(x, x[1:]))",
                  "[q * 2 for q in x if q > 2]", "[(a, b) for a in x[:2] for b in x[3:]]", "{q: q * q for q in x}",
                  "any([q > 8 for q in x])", "all(x)", "x == [5, 3, 9, 1, 3]",
                  "x < [5, 4]", "tuple(x)", "list(range(10, 0, -3))", "x.index(9)", "x.index(3, 2)",
                  "list(map(lambda q: q + 1, x))", "list(filter(lambda q: q > 3, x))", "min(x, key=lambda q: abs(q - 4))",
                  "max(3, 1, 2)", "min(2.5, 1)", "list(enumerate(x, 1))", "x.count(3)", "isinstance(x, list)",
                  "isinstance(1.5, (int, float))", "next(iter(x))", "[q for q in range(20) if q % 3 == 0 if q % 2 == 0]",
                  "sum([q for q in range(5)])", "sum(q * q for q in range(5))", "max(q for q in x)", "x[1] if x else 0",
                  "[[0] * 3 for _ in range(2)]", "[*x[:2], 7]", "len({1, 2, 2})", "sorted({3, 1, 3})"]:
        f.exact(values + "v = " + piece)
    for change in ["x.append(7)", "x.extend([1, 2])", "x.insert(1, 99)", "x.remove(3)", "x.pop()", "x.pop(0)", "x.clear()",
                   "x += [4]", "x[0] = 100", "x[-1] += 5", "x[1:3] = [7, 8, 9]", "x[::2] = [0, 0, 0]", "x.sort()", "x.reverse()",
                   "x *= 2", "x[1:1] = [6]", "x[:] = []", "x.sort(reverse=True)",
                   "y = x; y.append(1)", "y = x[:]; y.append(1)", "y = x.copy(); y[0] = 0", "x[0], x[1] = x[1], x[0]"]:
        f.exact(values + change + "; v = x")
    table = "d = {'a': 1, 'b': 2.5}; "
    for piece in ["d['a']", "d.get('z')", "d.get('z', 3)", "len(d)", "'a' in d", "list(d.values())", "[d[k] for k in d]",
                  "sum(d.values())", "dict(a=1) == {'a': 1}", "dict([('q', 1)])['q']", "d == {'b': 2.5, 'a': 1}",
                  "[v for k, v in d.items()]", "(d | {'a': 9})['a']", "sorted(d.values())",
                  "min(d.values())", "bool({})", "{k: w * 2 for k, w in d.items()}['b']", "list({1: 2, 3: 4})", "{1: 2, 3: [4]}",
                  "{(1, 2): 0}"]:
        f.exact(table + "v = " + piece)
    for change in ["d['c'] = 3", "d.update({'a': 5})", "d.pop('a')", "d.setdefault('a', 9)", "d.setdefault('q', 9)", "d['a'] += 1",
                   "d.clear()", "d.update(z=4)", "e = dict(d); e['a'] = 7", "d |= {'b': 0}"]:
        f.exact(table + change + "; v = list(d.values())")

    # Control.
    f.exact("v = 0\nfor i in range(5):\n    if i == 3:\n        continue\n    v += i", "v = 1\nwhile v < 100:\n    v *= 3",
            "v = []\nfor i in range(9):\n    if i > 4:\n        break\n    v.append(i)",
            "def g(a, b=2, *rest, **named):\n    return [a, b, list(rest), len(named)]\nv = g(1, 3, 4, 5, q=6)",
            "def g(a, b=2):\n    return a - b\nv = [g(1), g(b=1, a=5), g(*[7, 3]), g(**{'a': 9})]",
            "def g(n):\n    return 1 if n < 2 else n * g(n - 1)\nv = g(25)", "def g():\n    pass\nv = g()",
            "def outer(k):\n    def inner(q):\n        return q * k\n    return inner\nv = outer(3)(4)",
            "v = (lambda a, b=3: a ** b)(2)",
            "a, (b, c) = 1, (2, 3); v = [a, b, c]", "a = b = 4; v = a + b", "a, *b = [1, 2, 3]; v = b", "x = 5; v = 1 < x < 10",
            "x = 5; v = 1 < x > 7", "x = None; v = x is None", "x = 0; v = x is not None", "v = not 1 == 2",
            "v = 0 or 'a' == 'b' or 3", "v = [] and 1", "v = 1 if [] else 2",
            "v = 2 ** 3 ** 2", "v = -2 ** 2", "v = 2 ** -1", "v = 10 ** 20", "v = 0x1f + 0o17 + 0b101", "v = 1_000_000", "v = 1e3",
            "v = .5 + 5.", "v = 7 // 2 * 2 + 7 % 2", "v = 1 + 2 * 3 - 4 / 2", "v = 1 << 3 | 1", "v = 6 & 3 ^ 1",
            "v = not True or True", "v = (1, 2) + (3,)", "v = (1,)", "v = ()", "v = [1, [2, (3, {4: 5})]]",
            "v = 0\nfor a, b in [(1, 2), (3, 4)]:\n    v += a * b", "v = 0\nfor i, q in enumerate([5, 6]):\n    v += i * q",
            "i = 0\nwhile True:\n    i += 1\n    if i % 7 == 0:\n        break\nv = i",
            "x = [3, 1, 2]\nfor i in range(len(x)):\n    for j in range(len(x) - 1):\n        if x[j] > x[j + 1]:\n"
            "            x[j], x[j + 1] = x[j + 1], x[j]\nv = x",
            "v = [None, True, False]", "v = 1 == 1.0", "v = 'a' == 1", "v = [1, 2] == [1.0, 2.0]",
            "v = (1, 2) < (1, 3)", "v = hash('a') == hash('a')", "v = float('inf') > 1 << 100", "v = 0.1 + 0.2 == 0.3",
            "v = 9007199254740993 == 9007199254740992.0", "v = max(1, 2.0)", "v = int(3.99) + int(-3.99)", "v = int('ff', 16)",
            "v = int(' 42 ')", "v = float('1e3')", "v = float(' -2.5 ')", "v = bool('False')",
            "v = divmod(-7, 2)", "v = pow(3, 20, 7)", "v = abs(-3) + round(2.675, 2)", "v = [round(q / 2) for q in range(-3, 4)]",
            "v = [round(1234.5678, n) for n in range(-3, 4)]", "v = [int(q) for q in '3 4 5'.split()]",
            "v = 3 if 0 else 4 if 0 else 5", "v = [q for q in (1, 2)] + [q for q in [3]]", "v = len('a\\tb\\\\n') + len(r'\\n')",
            "v = len('''a\nb''')", "v = 5; v -= 2; v *= 4; v //= 5; v **= 3; v %= 5",
            "v = 12; v >>= 1; v <<= 3; v |= 1; v &= 0x3f; v ^= 2", "v = 7; v /= 2", "v = [1, 2, 3][1:][0]",
            "v = (lambda *a: len(a))(1, 2, 3)")


def kind(f, *codes):
    """Text is compared as it is: the two languages quote differently."""
    for code in map(assigning, codes):
        try:
            v = run(code)
        except MISTAKES:
            f.fails(code)
            continue
        if isinstance(v, (list, tuple)) and v and isinstance(v[0], str):
            f.text(code + "; v = '|'.join(v)")
        elif isinstance(v, str):
            f.text(code)
        else:
            f.exact(code)
