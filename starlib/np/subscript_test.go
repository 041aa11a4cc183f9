package np_test

import (
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/starlibtest"
)

// Subscripts that loops are made of take a short way through np. An Ellipsis, which changes nothing
// but that numbers are arrays without axes, takes the long one: both say and do the same, for every
// type, kind of value, and subscript.
const subscripts = `
types = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
values = [0, 1, -1, 3, 127, 128, -129, 255, 256, 65536, 16777217, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, -2**63, 2**64, 10**30, True, False,
    0.0, -0.0, 0.1, 2.9, -2.9, 1e39, 1e-320, float("nan"), float("inf"), -float("inf"), None, "a", [1], [1, 2], [[1, 2]], (0.5,), [],
    np.arange(3), np.array([1.5, 2.5]), np.array([[7, 8]]), np.array(4.5), np.zeros(0), np.float32([1, 2])[::-1]]
values += [np.arange(4).astype(t) for t in types] + [np.array([[1.5, 2], [3, 4]]), np.array([[1, 2], [3, 4]])]
values += [np.array([v]).astype(t)[0] for t in types for v in [0, 1, 100.5, 255, 3e9, -3]]
keys1 = [0, 4, -5, 5, -6, 2**70, np.int64(3), np.uint8(2), np.int8(-1), slice(None), slice(1, 3), slice(-2, None), slice(None, None, -2), slice(3, 1),
    slice(0, 2**80), slice(-2**80, None), slice(1, np.int32(3)), slice(0, 4, 0), slice(0, 1.5), 1.0, "a", np.float64(1), [1, 2], np.array(2)]
keys2 = [(0, 0), (1, -1), (2, 0), (0, 3), (0,), (), (slice(None), 1), (1, slice(0, 2)), (slice(None), slice(None, None, 2)), (slice(0, 0), 2), (0, 0, 0),
    (np.int16(1), 2), (None, 1), (0, "x"), (np.array([0, 1]), 1)] + keys1

keys1 += [np.array(k) for k in [[True, False, True, False, True], [False]*5, [True]*5, [True]*4, [4, 0, -1, -5], [[0, 1], [2, 3]], [5], [0, -6]]]
keys1 += [np.array([], dtype="int64"), np.array([1, 2], dtype="int32"), np.array([3, 2, 1])[::2], np.array([True]*10)[::2]]
keys2 += [np.array(k) for k in [[[True, False, True], [False, True, True]], [True, False], [1, 0, -2], [2], [[True]*3]*2, [[[True]*3]*2]]] + [np.array([[True, False]]*3).T]

def isMask(k): return type(k) == "ndarray" and k.dtype == "bool"
def long(k): return (k if type(k) == "tuple" else (k,)) + (...,)

def outcome(f):
    try:
        v = f()
        return "%s %s %s" % (np.asarray(v).dtype, np.shape(v), repr(np.asarray(v).tolist()))
    except Exception as e:
        return "%s: %s" % (type(e).__name__, e)

def put(a, k, v):
    a[k] = v
    return a

def at(a, k): return a[k]

def strided(a): return np.concatenate([a, a])[::2] if a.ndim == 1 else np.concatenate([a, a], axis=1)[:, ::-2]

count = 0
differ = []
for t in types:
    for shape, keys in [((5,), keys1 + [(2,), (2, 0), (slice(1, 3),)]), ((2, 3), keys2), ((), [(), 0]), ((0,), [0, slice(None)]), ((2, 1, 3), [(1, 0), (slice(None), 0, 1), 1])]:
        base = np.arange(int(np.prod(shape))).reshape(shape).astype(t)
        for make in ([np.copy, strided] if len(shape) in (1, 2) and base.size else [np.copy]):
            for k in keys:
                x, y = outcome(lambda: at(make(base), k)), outcome(lambda: at(make(base), long(k)))
                count += 1
                if x != y: differ.append("%s%s[%r]: %s, and %s" % (t, shape, k, x, y))
                for v in values[count % 13::13]:
                    if isMask(k) and not np.isscalar(v): continue # other words for too many values
                    x, y = outcome(lambda: put(make(base), k, v)), outcome(lambda: put(make(base), long(k), v))
                    count += 1
                    if x != y: differ.append("%s%s[%r] = %r: %s, and %s" % (t, shape, k, v, x, y))
print(count)
print("\n".join(differ[:20]))

# views of one memory, and what is frozen
a = np.arange(6.0)
a[1:4] = a[0:3]
a[0:2] = a[4:6]
b = a[2:5]
b[0] = 9
b[1:] = 7.5
print(a)
m = np.arange(6).reshape(2, 3)
m[0] = m[1]
m[:, 0] = m[:, 2]
m[1][2] = -1
print(m.tolist())
`

func TestShortSubscripts(t *testing.T) {
	_, out := starlibtest.Run(t, starlibtest.NewSession(t), 1, subscripts)
	count, rest, _ := strings.Cut(out.String(), "|")
	if want := "stdout: \n|stdout: [4.  5.  9.  7.5 7.5 5. ]\n|stdout: [[5, 4, 5], [5, 4, -1]]\n"; rest != want || len(count) < len("stdout: 10000\n") {
		t.Errorf("%s: got\n%s\nwant\n%s", count, rest, want)
	}
}
