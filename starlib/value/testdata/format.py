"""Writes format.json: what Python makes of formats. Run it as python3 format.py > format.json.

Rows are [how, spec, value, result], result null where Python raises. Values are [type, text].
"""
import json
import random
import sys

rng = random.Random(7)
INTS = [0, 1, -1, 7, 42, -42, 97, 255, 999, 1000, -1000, 12345, 1234567, -9876543210, 0x10FFFF, 2**64, -(2**70), 10**22]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.1, 0.5, 1.5, 2.5, -2.5, 3.14159, 123.456, -123.456, 99999.5, 123456.0, 1234567.0, 123456789.0,
          1e15, 1e16, -1e16, 1e17, 1e22, 1e100, 1e-3, 1e-4, 1e-5, -1e-7, 1 / 3, 2 / 3, 5e-324, 1.7976931348623157e308, 0.00012345,
          9.995, 0.045, 999999.5, 0.0001, float("inf"), float("-inf"), float("nan")]
STRINGS = ["", "a", "abc", "h\u00e9llo", "\u65e5\u672c\u8a9e", "a b c d e f"]
BOOLS = [True, False]


def value(v):
    return [type(v).__name__, repr(v) if not isinstance(v, str) else v]


def result(f):
    try:
        return f()
    except (ValueError, TypeError, OverflowError, LookupError, AttributeError):
        return None


def draw_spec():
    s = ""
    if rng.random() < .4:
        if rng.random() < .6:
            s += rng.choice("*0 x\u00e9<=")
        s += rng.choice("<>^=")
    if rng.random() < .35:
        s += rng.choice("+- ")
    if rng.random() < .1:
        s += "z"
    if rng.random() < .25:
        s += "#"
    if rng.random() < .3:
        s += "0"
    if rng.random() < .6:
        s += str(rng.choice([1, 4, 5, 8, 10, 12, 15, 20]))
    if rng.random() < .3:
        s += rng.choice(",_")
    if rng.random() < .45:
        s += "." + str(rng.choice([0, 1, 2, 3, 6, 10, 17, 20]))
    if rng.random() < .85:
        s += rng.choice("sdboxXcnfFeEgG%")
    return s


def draw_percent():
    s = "%"
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        s += rng.choice("-+ #0")
    if rng.random() < .6:
        s += str(rng.choice([1, 4, 5, 8, 12, 20]))
    if rng.random() < .5:
        s += "." + rng.choice(["", "0", "1", "2", "3", "6", "10", "17"])
    return s + rng.choice("srdiuoxXceEfFgG")


def draw_value():
    v = rng.choice(rng.choice([INTS, FLOATS, FLOATS, STRINGS, BOOLS]))
    if type(v) is float and rng.random() < .3:
        return rng.choice([-1, 1]) * rng.random() * 10 ** rng.randrange(-12, 20)
    return v


rows = []
for v in INTS + FLOATS + STRINGS + BOOLS:
    rows.append(["format", "", value(v), result(lambda: format(v, ""))])
for i in range(6000):
    v, spec = draw_value(), draw_spec()
    if result(lambda: format(v, spec)) is None and rng.random() < .8:
        continue
    rows.append(["format", spec, value(v), result(lambda: format(v, spec))])
for i in range(2500):
    v, spec = draw_value(), draw_percent()
    if spec[-1] == "r" and type(v) is str:
        continue  # quotes differ
    rows.append(["percent", spec, value(v), result(lambda: spec % (v,))])
FIELDS = ["{}", "{0}", "{1}", "{0}{1}{0}", "{}{}", "{}{0}", "{0}{}", "{{}}", "{{{}}}", "{", "}", "{0", "{:>5}", "{:{}}", "{1:{0}}", "{:{}.{}}",
          "{n}", "{n:>6}", "{n!s:>6}", "{0[1]}", "{l[0]}", "{l[2]}", "{l[-1]}", "{d[a]}", "{d[b]}", "{d[1]}", "{0!s:<7}|", "{!x}", "{!}", "{0!s",
          "{ 0}", "{0 }", "{0:}", "{:5}{:5}", "{l[0]:>{n}}", "{0:{n}{n}}", "{l}", "{l[}", "{l[]}", "{l.}", "{d[a]:{d[b]}}", "{0:{1:{n}}}",
          "{:,}", "a{0}b{1}c", "{3}", "{missing}", "{0:x}", "{0:#06x}", "{0:%%}", "{:%}", "}}{{", "{}}", "{{}", "{0!s:x}", "{-1}", "{+1}"]
for text in FIELDS:
    rows.append(["braces", text, value(10), result(lambda: text.format(10, 5, n=8, l=[1, 2.5], d={"a": 7, "b": 9, 1: 3}))
                 if text not in ("{0!s", "{l[}") else None])
json.dump(rows, sys.stdout, separators=(",", ":"))
