# Programs with re, string and fnmatch that print the same in CPython and here.
# %% re: matches and groups
import re, json
show = lambda *x: print(json.dumps(x))
m = re.match(r"(?P<first>\w+) (?P<last>\w+)( jr)?", "Isaac Newton, physicist")
show(m.group(), m.group(0), m.group(1), m.group(1, 2), m.group("last"), m[0], m["first"], m.groups(), m.groups("-"), m.groupdict(), m.groupdict(7))
show(m.start(), m.end(), m.span(), m.start(1), m.end("last"), m.span(3), m.pos, m.endpos, m.lastindex, m.lastgroup, m.string, m.re.pattern, m.re.groups, dict(m.re.groupindex), m.re.flags)
show(m.expand(r"\2, \1 \g<first>\n\g<0>"), bool(m), re.match("x", "y") is None)
for text in ["äöü 12 ßx", "a𝄞b 1", ""]:
    for pattern in [r"\w", r"\d+", r"\s", ".", r"\b", "$", "(?=1)", r"[^\W\d]+"]:
        show(pattern, [(x.span(), x.group()) for x in re.finditer(pattern, text)])
p = re.compile("b+")
show([f(s, *a) and f(s, *a).span() for f in (p.match, p.search, p.fullmatch) for s in ("abb", "bb", "éabbb") for a in ((), (1,), (1, 3), (-5, 99), (3, 1))])
show(p.findall("abbab", 2), [x.span() for x in p.finditer("abbab", 1, 4)], re.fullmatch("a|ab", "ab").span())
# %% re: sub and split
import re, json
show = lambda *x: print(json.dumps(x))
show(re.sub("a", "b", "banana"), re.sub("a", "b", "banana", 2), re.subn("a", "b", "banana"), re.sub("x*", "-", "abxd"), re.sub("", "-", "ab"), re.sub("b|", "-", "abc"))
show(re.sub(r"(\w+) (\w+)", r"\2 \1", "hello world"), re.sub(r"(?P<a>x)(y)?", r"<\g<a>|\2>", "x xy"), re.sub("a", r"\\\t\x", "a") if False else re.sub("a", r"\\\t", "a"))
show(re.sub(r"\d+", lambda m: str(int(m.group()) + 1), "a9 b19"), re.sub("(a)|b", lambda m: str(len(m.groups())), "ab"), re.sub("a", lambda m: "\\1", "a"))
show(re.split(r"\W+", "Words, words, words."), re.split(r"(\W+)", "Words, words."), re.split(r"\W+", "a b c d", 2), re.split("[a-f]+", "0a3B9", flags=re.IGNORECASE), re.split("x*", "axbc"),
     re.split("(-)|(,)", "1-2,3"), re.split("", "ab"), re.compile(",").split("a,b,c", maxsplit=1), re.split("x", ""))
show(re.findall(r"\bf[a-z]*", "which foot or hand fell fastest"), re.findall(r"(\w+)=(\d+)", "a=1 and b=2"), re.findall("(a)|b", "ab"), re.findall("", "ab"), re.findall(r"a*", "baac"))
def dash(m):
    return " " if m.group(0) == "-" else "-"
show(re.sub("-{1,2}", dash, "pro----gram-files"), re.escape("https://a.b/c?d=[e]&f~ #\n"), re.escape("é_1-"))
# %% re: flags and verbose patterns
import re, json
show = lambda *x: print(json.dumps(x))
number = re.compile(r"""
    (?P<sign> [-+] )?      # a sign
    (?P<digits> \d+ )
    (?: \. (?P<rest> \d* ) )?
    [ ]*\#?""", re.X)
for t in ["-12.5 #", "7", "+.5", "3."]:
    m = number.fullmatch(t)
    show(t, m and m.groupdict())
show(re.findall("^a", "a\na\nb"), re.findall("^a", "a\na\nb", re.M), re.findall("a$", "a\na\n"), re.findall("a$", "a\na\n", re.MULTILINE), re.findall("a.b", "a\nb a-b"), re.findall("a.b", "a\nb a-b", re.S),
     re.findall("(?i)straße", "STRASSE Straße STRAßE"), re.findall(r"(?a)\w+", "aé b"), re.findall(r"\w+", "aé b", re.A), re.findall("(?m:^b)", "a\nb"), re.findall("a(?i:b)c", "aBc aBC"))
show(int(re.I | re.M), re.compile("a", re.I | re.X).flags, re.compile("(?im)a").flags, re.compile("a", re.A).flags, re.compile(b"a").flags, re.search(b"b+", b"abb").span() )
show([x.decode() for x in re.findall(rb"[a-z]+", b"ab-c")], re.sub(b"a", b"\\g<0>x", b"ba") == b"bax")
# %% re: what is refused
import re
for pattern in ["(", ")", "a)", "[a", "*a", "a**", "(?P<n", "(?P<n>a)(?P<n>b)", "(?P=x)", r"\1", r"(\1)", "(?<=a*)b", "a{3,2}", r"\q", "[b-a]", "(?z)", "(?P<1>a)", "(?(2)a)", "a(?i)b", "\\", "(?:a", "a\n(b", "[]", "(?#a"]:
    try:
        re.compile(pattern)
        print(repr(pattern)[1:-1], "is one")
    except re.error as e:
        print(repr(pattern)[1:-1], "|", e, "|", e.msg, e.pos, e.lineno, e.colno, e.pattern == pattern, type(e).__name__, isinstance(e, Exception))
for f in [lambda: re.compile("a", re.L), lambda: re.compile("a", re.A | re.U), lambda: re.sub("a", r"\2", "a"), lambda: re.sub("a", r"\g<x>", "a"), lambda: re.sub("a", r"\q", "a"), lambda: re.sub("(a)", r"\g<2>", "a"),
          lambda: re.match("a", "a").group(1), lambda: re.match("a", "a")["x"], lambda: re.compile(re.compile("a"), re.I), lambda: re.match("a", b"a"), lambda: re.match(b"a", "a"), lambda: re.match("a", 1), lambda: re.compile(1), lambda: re.compile("x{99999999999}")]:
    try:
        f()
        print("no error")
    except Exception as e:
        print(type(e).__name__)
# %% re: a tokenizer, a template, a log
import re, collections
Token = collections.namedtuple("Token", ["type", "value", "line", "column"])
def tokenize(code):
    keywords = {"IF", "THEN", "ENDIF"}
    spec = [("NUMBER", r"\d+(\.\d*)?"), ("ASSIGN", r":="), ("END", r";"), ("ID", r"[A-Za-z]+"), ("OP", r"[+\-*/]"), ("NEWLINE", r"\n"), ("SKIP", r"[ \t]+"), ("MISMATCH", r".")]
    regex = "|".join("(?P<%s>%s)" % pair for pair in spec)
    line, start = 1, 0
    for mo in re.finditer(regex, code):
        kind, value, column = mo.lastgroup, mo.group(), mo.start() - start
        if kind == "NUMBER":
            value = float(value) if "." in value else int(value)
        elif kind == "ID" and value in keywords:
            kind = value
        elif kind == "NEWLINE":
            start = mo.end()
            line += 1
            continue
        elif kind == "SKIP":
            continue
        elif kind == "MISMATCH":
            raise RuntimeError(f"{value!r} unexpected on line {line}")
        yield Token(kind, value, line, column)
for t in tokenize("IF quantity THEN\n  total := total + price * 2.5;\nENDIF;"):
    print(t.type, t.value, t.line, t.column)
log = "epoch 1: loss=0.52 acc=71.3%\nepoch 2: loss=4.1e-01 acc=80%\nbad line\nepoch 10: loss=0.125 acc=91.25%"
for m in re.finditer(r"^epoch\s+(?P<e>\d+):\s*loss=(?P<loss>[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)\s+acc=(?P<acc>[\d.]+)%$", log, re.M):
    print(int(m["e"]), float(m["loss"]), float(m.group("acc")))
camel = lambda s: re.sub(r"(?<!^)(?=[A-Z])", "_", s).lower()
print(camel("LayerNormLSTMCell"), re.sub(r"_([a-z])", lambda m: m.group(1).upper(), "layer_norm_cell"), re.sub(r"\s+", " ", "  a \n\t b ").strip())
print([" ".join(t) for t in re.findall(r"conv(\d+)_(\d+)/(weights|biases)", "conv1_2/weights conv3_10/biases convx_1/weights")][1])
# %% string
import string, json
print(json.dumps([string.ascii_letters, string.ascii_lowercase, string.ascii_uppercase, string.digits, string.hexdigits, string.octdigits, string.punctuation, string.printable, string.whitespace]))
print(json.dumps([string.capwords("hello  wORLD \n x"), string.capwords("a-bC-d", "-"), string.capwords(" a ", " ")]))
t = string.Template("$who likes ${what}s, $$5 $x1_y")
print(t.substitute(who="tim", what="ski", x1_y=1), t.substitute({"who": 1, "what": 2.5}, x1_y=None), t.safe_substitute(who="tim"), t.template)
print(string.Template("$a $ ${b $1 $").safe_substitute(a=0))
for f in [lambda: string.Template("$a").substitute(), lambda: string.Template("a\nb $").substitute(), lambda: string.Template("${a").substitute(a=1)]:
    try:
        f()
    except (KeyError, ValueError) as e:
        print(type(e).__name__, e.args[0])
# %% fnmatch
import fnmatch, json
names = ["a.py", "b.PY", ".py", "ab.pyc", "a[1].py", "data/x.py", "é.py", "b-1.py", "b^.py"]
for pat in ["*.py", "?.py", "[ab].*", "[!a]*", "a[[]1].py", "*", "", "[a-b]*.py", "b[-^]*", "[z-a]*", "[", "a*[!y]", "*a*"]:
    print(json.dumps([pat, fnmatch.filter(names, pat), [fnmatch.fnmatchcase(n, pat) for n in names]]))
print(fnmatch.fnmatch("a.txt", "*.txt"), fnmatch.translate("*.txt"), fnmatch.translate("a?b*c*[0-9]"))
