package slot

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"go.starlark.net/starlark"
)

// Random sequences of operations are run here and by CPython, and what each of them gives is
// compared, with the contents after each hundredth.

// pool is values that are keys and elements, as Python writes them.
var pool = []struct {
	python string
	value  starlark.Value
}{
	{"0", starlark.MakeInt(0)}, {"1", starlark.MakeInt(1)}, {"2", starlark.MakeInt(2)},
	{"-1", starlark.MakeInt(-1)}, {"-2", starlark.MakeInt(-2)}, {"7", starlark.MakeInt(7)},
	{"True", starlark.True}, {"False", starlark.False}, {"None", starlark.None},
	{"0.0", starlark.Float(0)}, {"-0.0", starlark.Float(math.Copysign(0, -1))},
	{"1.0", starlark.Float(1)}, {"0.5", starlark.Float(0.5)}, {"-2.0", starlark.Float(-2)},
	{"inf", starlark.Float(math.Inf(1))}, {"-inf", starlark.Float(math.Inf(-1))},
	{"5e-324", starlark.Float(5e-324)}, {"1e300", starlark.Float(1e300)},
	{"2**53", starlark.MakeInt(1 << 53)}, {"2**53+1", starlark.MakeInt(1<<53 + 1)},
	{"2.0**53", starlark.Float(1 << 53)}, {"2**61-1", starlark.MakeInt(1<<61 - 1)},
	{"2**63-1", starlark.MakeInt(math.MaxInt64)}, {"2**63", power(63)},
	{"2.0**63", starlark.Float(1 << 63)},
	{"-2**63", starlark.MakeInt64(math.MinInt64)}, {"-2.0**63", starlark.Float(-1 << 63)},
	{"2**70", power(70)}, {"2.0**70", starlark.Float(1 << 70)},
	{"2**70+1", power(70).Add(starlark.MakeInt(1))},
	{"''", starlark.String("")}, {"'a'", starlark.String("a")}, {"'1'", starlark.String("1")},
	{"b'a'", starlark.Bytes("a")},
	{"'longer than twelve bytes'", starlark.String("longer than twelve bytes")},
	{"()", starlark.Tuple{}}, {"(1,)", starlark.Tuple{starlark.MakeInt(1)}},
	{"(True,)", starlark.Tuple{starlark.True}}, {"(1.0, ('a', 2**70))",
		starlark.Tuple{starlark.Float(1), starlark.Tuple{starlark.String("a"), power(70)}}},
	{"(1, ('a', 2.0**70))",
		starlark.Tuple{starlark.MakeInt(1),
			starlark.Tuple{starlark.String("a"), starlark.Float(1 << 70)}}},
	{"([],)", starlark.Tuple{NewList(nil)}}, {"[]", NewList(nil)}, {"{}", NewDict(0)},
}

func power(n uint) starlark.Int {
	return starlark.MakeBigInt(new(big.Int).Lsh(big.NewInt(1), n))
}

// valueOf is a value of the pool, or an int if there are too few. Containers are new ones, as in
// Python.
func valueOf(i int) Slot {
	if i < len(pool) {
		return Of(pool[i].value)
	}
	return Int(int64(i))
}

// show is repr as in Python.
func show(v starlark.Value) string {
	switch v := v.(type) {
	case starlark.Float:
		switch f := float64(v); {
		case math.IsInf(f, 0) || f != f:
			return strings.ToLower(strings.TrimPrefix(fmt.Sprint(f), "+"))
		case f == math.Trunc(f) && math.Abs(f) < 1e16:
			return strconv.FormatFloat(f, 'f', 1, 64)
		default:
			return strconv.FormatFloat(f, 'g', -1, 64)
		}
	case starlark.String:
		return "'" + string(v) + "'"
	case starlark.Bytes:
		return "b'" + string(v) + "'"
	case starlark.Tuple:
		if len(v) == 1 {
			return "(" + show(v[0]) + ",)"
		}
		return "(" + showAll(v) + ")"
	case *List:
		var all []starlark.Value
		for x := range v.Elements() {
			all = append(all, x)
		}
		return "[" + showAll(all) + "]"
	case *Dict:
		var all []string
		for k, x := range v.Entries() {
			all = append(all, show(k)+": "+show(x))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return fmt.Sprint(v)
}

func showAll(all []starlark.Value) string {
	texts := make([]string, len(all))
	for i, x := range all {
		texts[i] = show(x)
	}
	return strings.Join(texts, ", ")
}

const driver = `
import sys
inf = float('inf')
texts = [%s]
pool = [eval(x) for x in texts]
def V(i):
    if i >= len(pool): return i
    return eval(texts[i]) if texts[i] in ('[]', '{}', '([],)') else pool[i]
d, e, l, m, s, t = {}, {}, [], [], set(), set()
def walk(d, a, b):
    seen, i = [], 0
    try:
        for k in d:
            if i > 200: break
            seen.append(k)
            if i == a %% 16:
                if b %% 3 != 0: del d[next(iter(d))]
                d[1000 + b] = None
            i += 1
    except RuntimeError as err:
        seen.append(str(err))
    return seen
def walklist(l, a, b):
    seen, i = [], 0
    for x in l:
        if i >= 100: break
        seen.append(x)
        if i == a %% 8: del l[0]
        if i == b %% 8: l.append(b)
        i += 1
    return seen
ops = [%s]
for line in sys.stdin:
    op, a, b = map(int, line.split())
    if op < 0:
        print(d, e, l, m, sorted(s, key=repr), sorted(t, key=repr))
        continue
    try:
        r = repr(ops[op](a, b))
    except (KeyError, IndexError, ValueError, TypeError) as err:
        r = 'error'
    print(r)
    if len(l) > 60: del l[20:]
    if len(m) > 20: del m[:15]
`

func TestOperationsAgainstCPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	n := 40000
	if testing.Short() {
		n = 5000
	}
	for name, ops := range map[string][]operation{
		"dict": dictOperations, "list": listOperations, "set": setOperations,
	} {
		t.Run(name, func(t *testing.T) { runOperations(t, ops, n, uint64(len(name)), 90) })
		t.Run(name+" few", func(t *testing.T) { runOperations(t, ops, n, uint64(len(name))+1, 46) })
	}
}

// runOperations compares n random operations on so many values.
func runOperations(t *testing.T, ops []operation, n int, seed uint64, values int) {
	random := rand.New(rand.NewPCG(seed, 1))
	var steps strings.Builder
	var got []string
	m := &model{NewDict(0), NewDict(0), new(List), new(List), NewSet(0), NewSet(0)}
	for i := range n {
		op, a, b := random.IntN(len(ops)), random.IntN(values), random.IntN(values)
		fmt.Fprintln(&steps, op, a, b)
		r, err := ops[op].run(m, a, b)
		text := "error"
		if err == nil {
			text = show(r)
		}
		got = append(got, text)
		m.shorten()
		if i%100 == 99 {
			fmt.Fprintln(&steps, -1, 0, 0)
			s, _ := sortedSet(m.s, nil)
			u, _ := sortedSet(m.t, nil)
			got = append(got, strings.Join([]string{
				show(m.d), show(m.e), show(m.l), show(m.m), show(s), show(u)}, " "))
		}
	}
	compareWithPython(t, ops, steps.String(), got)
}

// shorten keeps lists short, in the same way as the driver.
func (m *model) shorten() {
	if m.l.Len() > 60 {
		m.l.Splice(20, m.l.Len(), nil)
	}
	if m.m.Len() > 20 {
		m.m.Splice(0, 15, nil)
	}
}

func compareWithPython(t *testing.T, ops []operation, steps string, got []string) {
	var texts, lambdas []string
	for _, p := range pool {
		texts = append(texts, strconv.Quote(p.python))
	}
	for _, op := range ops {
		lambdas = append(lambdas, "lambda a, b: "+op.python)
	}
	script := fmt.Sprintf(driver, strings.Join(texts, ", "), strings.Join(lambdas, ",\n"))
	cmd := exec.Command("python3", "-c", script)
	cmd.Stdin = strings.NewReader(steps)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out[max(0, len(out)-2000):])
	}
	want := strings.Split(strings.TrimSpace(string(out)), "\n")
	lines := strings.Split(steps, "\n")
	for i := range got {
		if i >= len(want) || got[i] != want[i] {
			var op, a, b int
			fmt.Sscan(lines[i], &op, &a, &b)
			text := "contents"
			if op >= 0 {
				text = ops[op].python
			}
			t.Fatalf("step %d: %s with a = %d %v, b = %d %v\ngot  %s\nwant %s",
				i, text, a, v(a), b, v(b), got[i], want[i])
		}
	}
}
