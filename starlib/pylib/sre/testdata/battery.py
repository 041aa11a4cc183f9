"""What CPython's re makes of patterns and texts that are drawn, a line of JSON each:
python3 battery.py SEED COUNT; without arguments of found.json, which it writes anew."""
import json, random, re, signal, sys, warnings

warnings.simplefilter("ignore")

# A pattern is made of these; the letters are few, so that texts match.
ATOMS = ["a", "b", "c", "A", "é", "1", "_", " ", ".", "\\w", "\\d", "\\s", "\\W", "\\D", "\\S", "[ab]", "[^a]", "[a-c1]", "[^\\w]", "[\\d_]", "[]a]", "[é-ü]", "[A-Z]",
         "\\n", "\\.", "^", "$", "\\b", "\\B", "\\A", "\\Z", "(?=a)", "(?!b)", "(?<=a)", "(?<!b)", "ab", "ba", "\\x61", "\\u00e9", "ß", "ı", "K", "\\\\", "-", "&"]
ODD = ["(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "\\", "(?", "(?P<", "(?P<n>", "(?P=n)", "\\1", "\\2", "\\07", "\\101", "\\8", "\\q", "(?i)", "(?-i:", "(?x) ", "(?#c)", "[a-", "[z-a]", "\\x1",
       "{2}", "{,2}", "{1,}", "{3,1}", "{x}", "(?<", "(?>", "(?(1)", "(?a", "\\Q", "[[:", "^*", "$+", "\\b?", "(?:", "(?=", "(?<=a+)", "(?<=(a)\\1)", "#", "\n"]
# CPython 3.11 does not go back to where a possessive group began that failed: those are left out;
# so is (?a:\\W), whose first character it looks for as if a were not there.
QUANT = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{,2}", "{2,}?", "{0}", "{0,3}"]
OWN = ["*+", "++", "?+"]
TEXT = "aaabbc1_ éAB\nß.-ıKk\\"


class Draw:
    def __init__(self, r):
        self.r, self.groups = r, 0

    def atom(self, depth):
        r, x = self.r, self.r.random()
        if depth > 0 and x < 0.35:
            kind = r.choice(["(", "(", "(", "(?:", "(?P<n%d>" % (self.groups + 1), "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?i:", "(?s:", "(?-i:", "(?m:"])
            if kind == "(" or kind.startswith("(?P"):
                self.groups += 1
            if kind in ("(?<=", "(?<!"):
                return kind + "".join(r.choice(ATOMS) for _ in range(r.randint(1, 2))) + ")"
            return kind + self.alternatives(depth - 1) + ")"
        if x < 0.42 and self.groups:
            n = r.randint(1, self.groups)
            if r.random() < 0.3:
                return "(?(%d)%s|%s)" % (n, self.sequence(0), self.sequence(0))
            return "\\%d" % n
        if x < 0.425:
            return r.choice(ODD)
        return r.choice(ATOMS)

    def sequence(self, depth):
        out = ""
        for _ in range(self.r.randint(1, 3)):
            atom = self.atom(depth)
            out += atom
            if len(atom) == 1 and self.r.random() < 0.1:
                out += self.r.choice(OWN)
            elif self.r.random() < 0.35:
                out += self.r.choice(QUANT)
        return out

    def alternatives(self, depth):
        return "|".join(self.sequence(depth) for _ in range(self.r.choice([1, 1, 1, 2, 3])))


TEMPLATES = ["<\\g<0>>", "\\1", "[\\g<1>]", "\\n\\t", "x", "\\g<n1>-\\2", "\\x", "\\077\\1", "\\g<z>", "\\"]


def drawn(seed, count):
    r = random.Random(seed)
    for _ in range(count):
        pattern = Draw(r).alternatives(3)
        flags = r.choice([0, 0, 0, re.I, re.M, re.S, re.X, re.A, re.I | re.M, re.I | re.A])
        text = "".join(r.choice(TEXT) for _ in range(r.randint(0, 12)))
        yield {"pattern": pattern, "flags": int(flags), "text": text, "template": r.choice(TEMPLATES)}


def places(m):
    return None if m is None else [list(m.span(i)) for i in range(m.re.groups + 1)] + [m.lastindex or 0]


class TooLong(Exception):
    pass


def stop(*_):
    raise TooLong


def answer(c):
    """The case with what CPython says."""
    try:
        p = re.compile(c["pattern"], c["flags"])
    except re.error as e:
        return dict(c, error=str(e), pos=-1 if e.pos is None else e.pos)
    except (ValueError, RecursionError, OverflowError) as e:
        return dict(c, error=str(e), pos=-1)
    text = c["text"]
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        c = dict(c, found=[places(m) for m in p.finditer(text)], match=places(p.match(text)), full=places(p.fullmatch(text)),
                 groups=p.groups, names=p.groupindex and dict(p.groupindex), middle=places(p.search(text, 2, 6)), split=p.split(text, 3))
        try:
            c["sub"] = list(p.subn(c["template"], text))
        except (re.error, IndexError) as e:
            c["suberror"] = str(e)
    except TooLong:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return c


signal.signal(signal.SIGALRM, stop)
if len(sys.argv) > 2:
    for c in drawn(int(sys.argv[1]), int(sys.argv[2])):
        c = answer(c)
        if c is not None:
            print(json.dumps(c))
else:
    with open("found.json") as f:
        cases = [json.loads(line) for line in f]
    with open("found.json", "w") as f:
        for c in cases:
            c = answer({k: c[k] for k in ("pattern", "flags", "text", "template")})
            f.write(json.dumps(c) + "\n")
