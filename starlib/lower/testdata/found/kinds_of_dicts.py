# What derives from dict is one.
import collections, json, collections.abc
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
kinds = [collections.defaultdict(int, a=1), collections.Counter("aab"), collections.OrderedDict(a=1), {"a": 1}, globals(), locals()]
for d in kinds:
    print(isinstance(d, dict), isinstance(d, (list, dict)), isinstance(d, list), isinstance(d, collections.abc.Mapping), "a" in d or "t" in d)
t(lambda: isinstance(collections.Counter(), collections.defaultdict))
t(lambda: isinstance({}, collections.Counter))
t(lambda: isinstance({}, collections.defaultdict))
t(lambda: type(collections.Counter()) == dict)
t(lambda: type(collections.defaultdict(int)) == dict)
t(lambda: [issubclass(c, dict) for c in [collections.Counter, collections.defaultdict, dict]])
t(lambda: [isinstance(x, dict) for x in [[], (), "a", 1, None, set()]])
t(lambda: globals() == globals())
def flat(x):
    if isinstance(x, dict):
        return sum([flat(v) for v in x.values()])
    return x
t(lambda: flat({"a": collections.Counter("aab"), "b": collections.defaultdict(int, x=4)}))
t(lambda: json.dumps(collections.defaultdict(list, a=[1])))
class D(dict):
    pass
t(lambda: isinstance(D(), dict))
t(lambda: isinstance(globals(), D))
