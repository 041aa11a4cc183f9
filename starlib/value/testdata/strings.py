"""Writes strings.json: what Python makes of text that is not ASCII. Run it as python3 strings.py > strings.json.

It is {"prelude": statements, "rows": [[expression, text], ...]}, the text null where Python raises. flat, in the prelude, writes a
result in ASCII: text as the numbers of its characters.
"""
import json
import random

PRELUDE = '''
def flat(x):
    if isinstance(x, str):
        return ".".join([hex(ord(c))[2:] for c in x])
    if isinstance(x, (list, tuple)):
        return "[" + " ".join([flat(e) for e in x]) + "]"
    return str(x)

def at(s, i):
    return s[i]

def cut(s, i, j, k):
    return s[i:j:k]

def walked(s):
    out, i = [], 0
    while i < len(s):
        out.append(s[i])
        i += 1
    return out

def backwards(s):
    return "".join([s[len(s) - 1 - i] for i in range(len(s))])

'''
rng = random.Random(3)
TEXTS = ["", "a", "abc", "\u03c0", "a\u03c0b", "\u03c0\u03c0", "h\u00e9llo w\u00f6rld", "e\u0301a\u0308", "\u65e5\u672c\u8a9e", "\U0001f600", "x\U0001f600y\U0001f468\u200d\U0001f469z",
         "\u00e6\u0153", "\ufeff\u00a0\u2003.", "na\u00efve caf\u00e9 na\u00efve", "\u03b1=\u03b2=\u03b3"]
ALPHABET = "ab=\u00e9\u03c0\u0301\u65e5\U0001f600"
TEXTS += ["".join(rng.choice(ALPHABET) for _ in range(rng.choice([3, 7, 20]))) for _ in range(12)]
LONG = ["".join(rng.choice(ALPHABET[k:]) for _ in range(n)) for n, k in [(127, 0), (200, 0), (600, 2), (3000, 0)]] + ["ab=" * 400, "ab=" * 400 + "\u03c0"]
BOUNDS = [None, 0, 1, 2, 3, 5, -1, -2, -3, -7, 40, -40]

scope = {}
exec(PRELUDE, scope)
rows = []


def row(text):
    try:
        rows.append([text, eval("flat(" + text + ")", scope)])
    except (IndexError, ValueError, TypeError):
        rows.append([text, None])


def written(s):
    return json.dumps(s, ensure_ascii=False)


def draw(s):
    """A part of s, or another text."""
    i, j = rng.randrange(len(s) + 1), rng.randrange(len(s) + 1)
    return s[i:j] if rng.random() < 0.6 else rng.choice(ALPHABET)


for s in TEXTS:
    w = written(s)
    for e in """len(S)|list(S)|walked(S)|backwards(S)|list(reversed(S))|sorted(S)|list(enumerate(S))|[c + c for c in S]|tuple(S)|list(zip(S, range(99)))
S[::-1]|S[::2]|S[1::-2]|S.upper()|S.lower()|S.split()|S.strip()|min(S)|max(S)|list(map(ord, S))|list(filter(lambda c: c > "b", S))
len(S.encode())|S.encode().decode() == S|S.partition("=")|S.rpartition("=")|S.split("=", 1)|S.rsplit("=", 1)|S.center(9, "\u03c0")|S.ljust(6, "*")
S.rjust(6)|S.zfill(7)|"{:>6};".format(S)|"{:.2};".format(S)|"{:\u00e9^7.3s};".format(S)|"%5s;" % S|"%-5s;" % S|"%.2s;" % S
"{0[1]}".format(S)|S.find("")|S.rfind("")|S.count("")|S.expandtabs(3)|len(S + S) == 2 * len(S)|(S * 3)[1:-1]|[len(c) for c in S]
S[0] + S[-1]|[S[i] for i in range(len(S))]|S[len(S)]|S[-len(S)]|S[-len(S) - 1]|S in "a" + S|S.replace("", "-")|S == "".join(list(S))""".replace("\n", "|").split("|"):
        row(e.replace("S", w))
    for i in BOUNDS[1:]:
        row(f"{w}[{i}]")
        row(f"at({w}, {i})")
    for _ in range(25):
        i, j, k = rng.choice(BOUNDS), rng.choice(BOUNDS), rng.choice([None, None, 1, 2, 3, -1, -2])
        row(f"cut({w}, {i}, {j}, {k})")
        row(f"{w}[{'' if i is None else i}:{'' if j is None else j}]")
for s in TEXTS + LONG:
    name = written(s) if s in TEXTS else "LONG[%d]" % LONG.index(s)
    for _ in range(10):
        sub = written(draw(s))
        if sub == '""':  # beyond the end Starlark finds it, and Python does not
            continue
        for method in "find", "rfind", "index", "rindex", "count", "startswith", "endswith":
            rest = rng.choice(["", "", ", 1", ", 2, 9", ", -3", ", -5, -1", ", 0, 3", ", None, 4", ", 3, 2", ", 150"])
            call = f"{name}.{method}({sub}{rest})"
            try:
                rows.append([call, eval("flat(" + call + ")", {**scope, "LONG": LONG})])
            except ValueError:
                rows.append([call, None])
for n, s in enumerate(LONG):
    for e in ["len(L)", "walked(L) == list(L)", "backwards(L)", "L[100:140]", "L[-70:-60]", "L[::-37]", "L[127]", "L[-127]", "at(L, 64)", "at(L, 63)", "cut(L, 65, 3, -5)",
              "L[65] + L[0] + L[-1]", "[L[i] for i in range(0, len(L), 31)]", "L[5000]", "L[:64] + L[64:] == L"]:
        e = e.replace("L", f"LONG[{n}]")
        try:
            rows.append([e, eval("flat(" + e + ")", {**scope, "LONG": LONG})])
        except IndexError:
            rows.append([e, None])

prelude = PRELUDE + "LONG = " + "[" + ", ".join(map(written, LONG)) + "]\n"
print(json.dumps({"prelude": prelude, "rows": rows}, ensure_ascii=False, indent=0))
