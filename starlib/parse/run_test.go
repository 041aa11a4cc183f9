package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
)

// builtins are plain versions of Names, enough to run programs on numbers, strings and lists.
func builtins() starlark.StringDict {
	d := starlark.StringDict{NameEllipsis: starlark.String("...")}
	def := func(name string, f func(args starlark.Tuple) (starlark.Value, error)) {
		d[name] = starlark.NewBuiltin(name, func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple,
			kw []starlark.Tuple) (starlark.Value, error) {
			if kw != nil {
				return nil, fmt.Errorf("%s: keyword arguments", name)
			}
			return f(args)
		})
	}
	num := func(v starlark.Value) int { n, _ := starlark.AsInt32(v); return n }
	elems := func(v starlark.Value) (list []starlark.Value) {
		for x := range starlark.Elements(v.(starlark.Iterable)) {
			list = append(list, x)
		}
		return list
	}
	unstar := func(x starlark.Value, before, after int) starlark.Tuple {
		l := elems(x)
		t := append(starlark.Tuple{}, l[:before]...)
		t = append(t, slot.NewList(append([]starlark.Value{}, l[before:len(l)-after]...)))
		return append(t, l[len(l)-after:]...)
	}
	pow := func(x, y starlark.Value) starlark.Value {
		p := 1
		for range num(y) {
			p *= num(x)
		}
		return starlark.MakeInt(p)
	}
	def(NamePow, func(a starlark.Tuple) (starlark.Value, error) { return pow(a[0], a[1]), nil })
	def(NameIs, func(a starlark.Tuple) (starlark.Value, error) { return starlark.Bool(a[0] == a[1]), nil })
	def(NameRepeat, func(a starlark.Tuple) (starlark.Value, error) {
		var t starlark.Tuple
		for range num(a[1]) {
			t = append(t, a[0])
		}
		return t, nil
	})
	def(NameUnstar, func(a starlark.Tuple) (starlark.Value, error) { return unstar(a[0], num(a[1]), num(a[2])), nil })
	def(NameUnstarEach, func(a starlark.Tuple) (starlark.Value, error) {
		var out []starlark.Value
		for _, x := range elems(a[0]) {
			out = append(out, unstar(x, num(a[1]), num(a[2])))
		}
		return slot.NewList(out), nil
	})
	def(NameConcat, func(a starlark.Tuple) (starlark.Value, error) {
		var out []starlark.Value
		for _, x := range a {
			out = append(out, elems(x)...)
		}
		return slot.NewList(out), nil
	})
	def(NameTuple, func(a starlark.Tuple) (starlark.Value, error) { return starlark.Tuple(elems(a[0])), nil })
	def(NameSet, func(a starlark.Tuple) (starlark.Value, error) {
		s := new(slot.Set)
		for _, x := range elems(a[0]) {
			if err := s.Insert(x); err != nil {
				return nil, err
			}
		}
		return s, nil
	})
	def(NameAssert, func(a starlark.Tuple) (starlark.Value, error) { return nil, fmt.Errorf("assert%v", a) })
	def(NameBounds, func(a starlark.Tuple) (starlark.Value, error) { return a, nil })
	def(NameField, func(a starlark.Tuple) (starlark.Value, error) {
		s, ok := starlark.AsString(a[0])
		if !ok || a[1] == starlark.String("r") {
			s = a[0].String()
		}
		return starlark.String(s + strings.Trim(a[2].String(), `"`)), nil
	})
	def(NameFString, func(a starlark.Tuple) (starlark.Value, error) {
		var out string
		for _, x := range a {
			out += string(x.(starlark.String))
		}
		return starlark.String(out), nil
	})
	return d
}

// TestRun: programs in the extended syntax do as Python does. Each leaves a list out; the wanted
// values are Python's.
func TestRun(t *testing.T) {
	const prelude = `
out = []
def log(x):
    out.append(x)
    return x
`
	for _, test := range []struct{ text, want string }{
		{"log(log(1) < log(2) < log(3))", "[1, 2, 3, True]"},
		{"log(log(2) < log(1) < log(3))", "[2, 1, False]"},
		{"log(log(1) < log(2) <= log(2) != log(2) == log(0))", "[1, 2, 2, 2, False]"},
		{"def f(n):\n  return [i for i in range(5) if 0 < log(i) < n]\nlog(f(3))", "[0, 1, 2, 3, 4, [1, 2]]"},
		{"i = 0\nl = [0, 0, 0]\ni = l[i] = 2\nlog((i, l))", "[(2, [0, 0, 2])]"}, // targets are assigned from left to right
		{"a = b = log([])\na.append(1)\nlog(b)", "[[1], [1]]"},
		{"a, *b = c = log([1, 2, 3])\nlog((a, b, c))", "[[1, 2, 3], (1, [2, 3], [1, 2, 3])]"},
		{"*a, b = (1, 2, 3)\nlog((a, b))", "[([1, 2], 3)]"},
		{"for a, *b in [(1, 2, 3), (4,)]:\n  log((a, b))", "[(1, [2, 3]), (4, [])]"},
		{"log([x for *_, x in [(1, 2), (3,)]])", "[[2, 3]]"},
		{"x = 3\nx **= 2 ** 2\nlog(x)", "[81]"},
		{"log(-2 ** 2)", "[-4]"},
		{"x = 'v'\nlog(f'a{x}b{x!r} {x=} {{' \"c\" f'{1 + 1:d}')", `["avb\"v\" x=\"v\" {c2d"]`},
		{"log([*[1, 2], 3, *(4,)]); log((*[1], 2)); x = 0, *[1]; log(x)", "[[1, 2, 3, 4], (1, 2), (0, 1)]"},
		{"log({1, 1, 2}); log({x % 2 for x in range(5)}); log(sorted(x for x in [2, 1]))", "[set([1, 2]), set([0, 1]), [1, 2]]"},
		{"log(None is None); x = 1; log(x is not None)", "[True, True]"},
		{"def f(g):\n  return lambda x: g(x) + 1\n@f\n@f\ndef h(x: int) -> int:\n  return x\nlog(h(1))", "[3]"},
		{"assert len(out) == 0, 'no'\nassert out, log('yes')", "error"},
		{"x: int = 3\ny: int\nlog(x)", "[3]"},
	} {
		f, err := File("a.star", prelude+test.text, Options{Dialect: dialect})
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		env := builtins()
		prog, err := starlark.FileProgram(f, env.Has)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		globals, err := prog.Init(new(starlark.Thread), env)
		got := "error"
		if err == nil {
			got = globals["out"].String()
		}
		if got != test.want {
			t.Errorf("%s\n got %s (%v)\nwant %s", test.text, got, err, test.want)
		}
	}
}
