"""Writes jsontext.json, what CPython 3.11 makes of calls of its module json: python3 jsontext.py > jsontext.json

Rows are [call, result]. The result is what the call returns, as JSON, or the class and the message of what it raises.
"""
import json

SETUP = """
import json, math
ring = [1]
ring.append({"a": (ring,)})
knot = {}
knot["a"] = [knot]
twice = [[], []]
twice.append(twice[0])
deep = []
for i in range(1500):
    deep = [deep]
class Point:
    def __init__(self, x):
        self.x = x
def coordinates(p):
    if isinstance(p, Point):
        return [p.x]
    raise TypeError("no point")
def refuse(p):
    raise LookupError("refused")
class Mapping(dict):
    pass
class Sequence(list):
    pass
def where(text):
    try:
        return json.loads(text)
    except json.JSONDecodeError as e:
        return [e.msg, e.doc, e.pos, e.lineno, e.colno, isinstance(e, ValueError)]
nan, inf = float("nan"), float("inf")
"""

VALUES = """
set([1])| b"ab"| len| lambda x: x| Point| Point(1)| [1, Point(2)]| {"a": {"b": set()}}| range(3)| ring| knot| [knot]| twice| deep| nan| inf| -inf
[1.5, nan]| {"a": inf}| {(1, 2): 3}| {b"a": 1}| {Point(1): 1}| {nan: 1, -inf: 2}| {1.5: 1, 1e16: 2}| {True: 1, None: 2, 7: 3}| json
{"b": 1, "a": 2}| {10: 1, 9: 2}| {2.5: 1, 1: 2, 0: 3}| {"b": 1, 2: 3}| {None: 1, "a": 2}| Exception| Exception("a")| 10 ** 30
Mapping(a=1)| Sequence([1, 2])| [Mapping(), Sequence()]
"é\\u2028\\x7f\\x00"| "\\U0001f600"| ""| -0.0| 1e-7| 123456789012345680.0
""".strip().replace("\n", "| ").split("| ")
HOW = ["sort_keys=True", "allow_nan=False", "skipkeys=True", "default=coordinates", "default=lambda p: p", "default=refuse", "default=lambda p: {1: 2.5}",
       "indent=2, sort_keys=True", "skipkeys=True, sort_keys=True", "ensure_ascii=False"]
TEXTS = """
| a| [| [1| [1,| [1,]| [,1]| {| {"a"| {"a":| {"a":1| {"a":1,| {"a":1,}| {"a" 1}| {1:2}| {a:2}| [1 2]| 1 2| [1]]| nul| tru| null1| -| -a| 01| 1.| 1.e5| .5
+1| 1e| 1e+| "| "a| "a\\| "\\q"| "\\u12"| "\\u12g4"| "\\ud83d\\ude00"| "a\tb"| "a\nb"| 'a'| \ufeff1| é é| {"é": é}| [1,\n 2,\n é x]| {"a": 1, "a": 2}| NaN
[Infinity, -Infinity]| -Infinit| 1E5| -0| -0.0| 1e400| 0.1| 123456789012345678901234567890| \n [ ] \t| {}| { }| [[], {}, ""]| "\\/\\b\\f\\n\\r\\t\\"\\\\"
{"a": [1, {"b": null}], "c": true}| "\\u00e9"| \u30001| [1]\x0b
""".strip("\n").replace("\n+1", "| +1").replace("\n[Inf", "| [Inf").replace('\n{"a": [', '| {"a": [').split("| ")

scope = {}
exec(SETUP, scope)
rows = []


def told(call):
    try:
        z = eval(call, scope)
    except Exception as e:
        return type(e).__name__ + ": " + str(e)
    return json.dumps(z)


def row(call, unlike=None):
    """Adds a row, if its result has no address and no path, and is unlike another."""
    result = told(call)
    if " at 0x" not in result and "<module" not in result and result != unlike:
        rows.append([call, result])
    return result


for v in VALUES:
    plain = row(f"json.dumps({v})")
    for how in HOW:
        row(f"json.dumps({v}, {how})", unlike=plain)
for text in TEXTS:
    row(f"json.loads({text!r})")
for call in ["where('[1,\\n é x]')", "where('1 1')", "json.loads(5)", "json.loads(None)", "json.loads(b'[1]')", "json.loads('[' * 100000)", "json.loads('[{\"a\":' * 100000)", "json.loads()", "json.dumps()",
             "json.loads(s='[1]')", "json.dumps(obj=[1])", "json.dumps([1], 2)", "json.loads(json.dumps([nan, inf]))"]:
    row(call)
print(json.dumps({"setup": SETUP, "rows": rows}, indent=0))
