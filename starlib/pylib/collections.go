package pylib

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

var collectionsModule = module("collections", "Containers.", []value.Builtin{
	{Name: "OrderedDict", Params: dictParams, Types: []string{"dict"}, Example: `collections.OrderedDict([("b", 1), ("a", 2)]) # {"b": 1, "a": 2}`,
		Doc: "A dict: all keep their order. It is written as one.", Fn: func(thread *starlark.Thread, _ *value.Builtin, args starlark.Tuple,
			kwargs []starlark.Tuple) (starlark.Value, error) {
			return value.Call(thread, session.Standard()["dict"], args, kwargs)
		}},
	{Name: "Counter", Params: dictParams, Types: []string{"Counter"}, Example: `collections.Counter("abca") # Counter({"a": 2, "b": 1, "c": 1})`,
		Doc: "A dict that counts: of the elements of an iterable, or with the numbers of a dict.",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			c := &counter{new(slot.Dict)}
			return c, c.count(thread, b.Name, args, kwargs, 1)
		}},
	{Name: "defaultdict", Params: append([]value.Param{{Name: "default_factory", Default: "None",
		Doc: "a function without arguments that makes a missing value: int, list"}},
		dictParams...), Types: []string{"defaultdict"},
		Example: `d = collections.defaultdict(list); d["a"].append(1); d # defaultdict(list, {"a": [1]})`,
		Doc:     "A dict that makes the value of a key that is not there when it is asked for it.",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			d := &defaultDict{Dict: new(slot.Dict), session: session.Of(thread)}
			if len(args) > 0 && args[0] != starlark.None {
				f, ok := args[0].(starlark.Callable)
				if !ok {
					return nil, failure("TypeError", "defaultdict: for parameter default_factory: got %s, want a function such as list", args[0].Type())
				}
				d.factory = f
			}
			return d, update(thread, d.Dict, args[min(1, len(args)):], kwargs)
		}},
	value.Function("deque", "A list that grows and shrinks at both ends.", `d = collections.deque([1, 2], maxlen=2); d.append(3); d # deque([2, 3], maxlen=2)`,
		func(thread *starlark.Thread, a *struct {
			X    starlark.Value `arg:"iterable=(): the elements"`
			Most *int           `arg:"maxlen=None: how many it keeps: more push those of the other end out"`
		}) (starlark.Value, error) {
			d := &deque{class: "deque", most: -1}
			if a.Most != nil {
				if d.most = *a.Most; d.most < 0 {
					return nil, failure("ValueError", "deque: for parameter maxlen: got %d, want a number that is not negative", d.most)
				}
			}
			if a.X != nil {
				return d, d.extend(thread, a.X)
			}
			return d, nil
		}),
	value.Function("namedtuple", "A function that makes tuples whose elements have names.", `P = collections.namedtuple("P", "x y"); P(1, y=2).y # 2`,
		func(thread *starlark.Thread, a *struct {
			Name     string         `arg:"typename: what they are called"`
			Fields   starlark.Value `arg:"field_names: names, as a list, or as text with spaces or commas between"`
			_        struct{}       `arg:"*:"`
			Defaults starlark.Value `arg:"defaults=(): of the last names"`
		}) (starlark.Value, error) {
			return newTupleType(thread, a.Name, a.Fields, a.Defaults)
		}),
})

// dictParams are those of dict.
var dictParams = []value.Param{{Name: "*args", Doc: "a dict, or an iterable of pairs; for a Counter, of what is counted"}, {Name: "**kwargs",
	Doc: "entries by name"}}

// The operators that the containers use.
type token = syntax.Token

const (
	plus, minus = syntax.PLUS, syntax.MINUS
	lessThan    = syntax.LT
)

// update is dict.update.
func update(thread *starlark.Thread, d *slot.Dict, args starlark.Tuple, kwargs []starlark.Tuple) error {
	fn, err := value.Attr(d, "update")
	if err == nil {
		_, err = value.Call(thread, fn, args, kwargs)
	}
	return err
}

// dictAttr is an attribute of a dict that has those of another table besides.
func dictAttr(v starlark.Value, own *value.Methods, d *slot.Dict, name string) (starlark.Value, error) {
	if own.Rows[name] != nil {
		return own.Rows[name].Method(v), nil
	}
	if x, err := value.Attr(d, name); err == nil {
		return x, nil
	}
	return nil, value.NoAttr(v.Type(), name, own.Names(value.AttrNames(d)...))
}

// A counter is a Counter.
type counter struct{ *slot.Dict }

func (c *counter) Type() string          { return "Counter" }
func (c *counter) Table() *value.Methods { return counterMethods }
func (c *counter) Attr(name string) (starlark.Value, error) {
	return dictAttr(c, counterMethods, c.Dict, name)
}
func (c *counter) AttrNames() []string { return counterMethods.Names(value.AttrNames(c.Dict)...) }
func (c *counter) Has(k starlark.Value) (bool, error) {
	_, found, err := c.Dict.Get(k)
	return found, err
}
func (c *counter) String() string {
	if c.Len() == 0 {
		return "Counter()"
	}
	d := new(slot.Dict)
	for _, kv := range c.common(nil) {
		d.SetKey(kv[0], kv[1])
	}
	return "Counter(" + value.Repr(d) + ")"
}

// Get gives 0 for what was not counted.
func (c *counter) Get(k starlark.Value) (starlark.Value, bool, error) {
	v, found, err := c.Dict.Get(value.Plain(k))
	if err == nil && !found {
		v = starlark.MakeInt(0)
	}
	return v, true, err
}

var (
	_ starlark.HasBinary = (*counter)(nil)
	_ value.InPlacer     = (*counter)(nil)
	_ value.InPlacer     = (*defaultDict)(nil)
	_ value.InPlacer     = (*deque)(nil)
)

// InPlace is c op= y: what is left of c are counts above 0.
func (c *counter) InPlace(op syntax.Token, y starlark.Value) (starlark.Value, error) {
	z, err := c.Binary(op, y, starlark.Left)
	if z == nil || err != nil {
		return nil, err
	}
	if err := c.Clear(); err != nil {
		return nil, err
	}
	return c, value.MergeInto(nil, c.Dict, z)
}

// InPlace is d |= y.
func (d *defaultDict) InPlace(op syntax.Token, y starlark.Value) (starlark.Value, error) {
	if op != syntax.PIPE {
		return nil, nil
	}
	return d, value.MergeInto(nil, d.Dict, y)
}

// InPlace is d += y.
func (d *deque) InPlace(op syntax.Token, y starlark.Value) (starlark.Value, error) {
	if op != plus {
		return nil, nil
	}
	return d, d.extend(nil, y)
}

// Binary adds and subtracts counts, or takes the larger or the smaller ones; what is left are those
// above 0.
func (c *counter) Binary(op syntax.Token, y starlark.Value, side starlark.Side) (starlark.Value, error) {
	other, ok := y.(*counter)
	if !ok || side != starlark.Left {
		return nil, nil
	}
	of := func(a, b starlark.Value) (starlark.Value, error) { return starlark.Binary(op, a, b) }
	if op == syntax.PIPE || op == syntax.AMP {
		of = func(a, b starlark.Value) (starlark.Value, error) {
			less, err := starlark.Compare(lessThan, a, b)
			if less == (op == syntax.PIPE) {
				a = b
			}
			return a, err
		}
	} else if op != plus && op != minus {
		return nil, nil
	}
	out := &counter{new(slot.Dict)}
	for _, k := range append(c.Keys(), other.Keys()...) {
		a, _, _ := c.Get(k)
		b, _, _ := other.Get(k)
		n, err := of(a, b)
		if err != nil {
			return nil, err
		}
		above, err := starlark.Compare(lessThan, starlark.MakeInt(0), n)
		if err != nil {
			return nil, err
		}
		if above {
			if err := out.SetKey(k, n); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// CompareBy says whether two Counters have counted the same, where what is not there was counted 0
// times, or whether a Counter is equal to a dict.
func (c *counter) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	other, ok := y.(*counter)
	if !ok || op != syntax.EQL && op != syntax.NEQ {
		return compareDicts(op, c.Dict, y)
	}
	for _, k := range append(c.Keys(), other.Keys()...) {
		a, _, _ := c.Get(k)
		b, _, _ := other.Get(k)
		if same, err := starlark.Equal(a, b); err != nil || !same {
			return starlark.Bool(op == syntax.NEQ), err
		}
	}
	return starlark.Bool(op == syntax.EQL), nil
}

// CompareSameType is CompareBy in what holds Counters.
func (c *counter) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	v, err := c.CompareBy(op, y, starlark.Left)
	return v == starlark.True, err
}

// compareDicts compares a dict with y, if that is one or has one; nil if not.
func compareDicts(op syntax.Token, d *slot.Dict, y starlark.Value) (starlark.Value, error) {
	if op != syntax.EQL && op != syntax.NEQ {
		return nil, nil
	}
	var other *slot.Dict
	switch y := value.Held(y).(type) {
	case *slot.Dict:
		other = y
	case *counter:
		other = y.Dict
	case *defaultDict:
		other = y.Dict
	default:
		return nil, nil
	}
	same, err := starlark.Compare(op, d, other)
	return starlark.Bool(same), err
}

// common are the pairs by falling count, and in the order in which they were counted.
func (c *counter) common(thread *starlark.Thread) []starlark.Tuple {
	items, poll := c.Items(), value.PollOf(thread)
	slices.SortStableFunc(items, func(a, b starlark.Tuple) int {
		poll.Ask(value.PerElement)
		if less, err := starlark.Compare(lessThan, b[1], a[1]); err == nil && less {
			return -1
		}
		if less, err := starlark.Compare(lessThan, a[1], b[1]); err == nil && less {
			return 1
		}
		return 0
	})
	return items
}

// count adds counts times sign.
func (c *counter) count(thread *starlark.Thread, fn string, args starlark.Tuple, kwargs []starlark.Tuple, sign int) error {
	if len(args) > 1 {
		return fmt.Errorf("%s: got %d arguments, want at most 1", fn, len(args))
	}
	add := func(k, n starlark.Value) error {
		k = value.Plain(k)
		if err := value.CheckKey(k); err != nil {
			return err
		}
		old, _, err := c.Get(k)
		if err != nil {
			return err
		}
		sum, err := starlark.Binary(map[int]token{1: plus, -1: minus}[sign], old, value.Plain(n))
		if err != nil {
			return err
		}
		return c.SetKey(k, sum)
	}
	for _, x := range args {
		if m, ok := x.(starlark.IterableMapping); ok {
			for _, kv := range value.Heard(thread, m.Items()) {
				if err := add(kv[0], kv[1]); err != nil {
					return err
				}
			}
			continue
		}
		items, err := elements(thread, x)
		if err != nil {
			return fmt.Errorf("%s: %w", fn, err)
		}
		for _, x := range value.Heard(thread, items) {
			if err := add(x, starlark.MakeInt(1)); err != nil {
				return err
			}
		}
	}
	for _, kv := range kwargs {
		if err := add(kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

func counting(name, doc, example string, sign int) value.Builtin {
	return value.Builtin{Name: name, Doc: doc, Example: example, Params: dictParams,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			return starlark.None, b.Receiver().(*counter).count(thread, b.Name, args, kwargs, sign)
		}}
}

var counterMethods = value.NewMethods("Counter", []value.Builtin{
	method("elements", "Each element as often as it was counted.", `import collections; list(collections.Counter("aab").elements()) # ["a", "a", "b"]`,
		func(thread *starlark.Thread, c *counter, _ *none) (starlark.Value, error) {
			var all []starlark.Value
			poll := value.PollOf(thread)
			for _, kv := range value.Heard(thread, c.Items()) {
				n, err := starlark.AsInt32(kv[1])
				if err != nil {
					return nil, err
				}
				if err := value.Ask("elements", "a list", int64(len(all)+max(n, 0))*40); err != nil {
					return nil, err
				}
				poll.Each(n, func(first, end int) { all = append(all, slices.Repeat([]starlark.Value{kv[0]}, end-first)...) })
			}
			return slot.NewList(all), nil
		}),
	method("most_common", "The pairs of elements and counts, the largest first.", `import collections; collections.Counter("abca").most_common(1) # [("a", 2)]`,
		func(thread *starlark.Thread, c *counter, a *struct {
			N *int `arg:"n=None: how many; None for all"`
		}) (starlark.Value, error) {
			items := c.common(thread)
			if a.N != nil {
				items = items[:min(max(*a.N, 0), len(items))]
			}
			pairs := make([]starlark.Value, len(items))
			for i, kv := range items {
				pairs[i] = kv
			}
			return slot.NewList(pairs), nil
		}),
	counting("subtract", "Takes counts away.", `import collections; c = collections.Counter("ab"); c.subtract("b"); c["b"] # 0`, -1),
	counting("update", "Adds counts.", `import collections; c = collections.Counter("ab"); c.update("b"); c["b"] # 2`, 1),
})

// A defaultDict is a defaultdict.
type defaultDict struct {
	*slot.Dict
	factory starlark.Callable // nil: none
	session *session.Session
}

func (d *defaultDict) Type() string          { return "defaultdict" }
func (d *defaultDict) Table() *value.Methods { return defaultDictMethods }
func (d *defaultDict) Attr(name string) (starlark.Value, error) {
	if f := defaultDictMethods.Field(name); f != nil {
		return f.Get(d)
	}
	return dictAttr(d, defaultDictMethods, d.Dict, name)
}
func (d *defaultDict) AttrNames() []string {
	return defaultDictMethods.Names(value.AttrNames(d.Dict)...)
}
func (d *defaultDict) Has(k starlark.Value) (bool, error) {
	_, found, err := d.Dict.Get(k)
	return found, err
}

func (d *defaultDict) String() string {
	name := "None"
	if d.factory != nil {
		name = d.factory.Name()
	}
	return "defaultdict(" + name + ", " + value.Repr(d.Dict) + ")"
}

func (d *defaultDict) Get(k starlark.Value) (starlark.Value, bool, error) {
	k = value.Plain(k)
	v, found, err := d.Dict.Get(k)
	if found || err != nil || d.factory == nil {
		return v, found, err
	}
	thread := d.session.Current()
	if thread == nil {
		return nil, false, nil
	}
	if v, err = value.Call(thread, d.factory, nil, nil); err == nil {
		err = d.SetKey(k, v)
	}
	return v, true, err
}

// CompareBy says whether a defaultdict and a dict, or another, have the same entries.
func (d *defaultDict) CompareBy(op syntax.Token, y starlark.Value, _ starlark.Side) (starlark.Value, error) {
	return compareDicts(op, d.Dict, y)
}

// CompareSameType is CompareBy in what holds them.
func (d *defaultDict) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	v, err := d.CompareBy(op, y, starlark.Left)
	return v == starlark.True, err
}

var defaultDictMethods = value.NewMethods("defaultdict", nil).With(
	value.FieldOf("default_factory", "The function that makes missing values.",
		`import collections; collections.defaultdict(int).default_factory # <class 'int'>`,
		func(d *defaultDict) starlark.Value {
			if d.factory == nil {
				return starlark.None
			}
			return d.factory
		}))

// fieldNames reads the names of a namedtuple.
func fieldNames(thread *starlark.Thread, v starlark.Value) ([]string, error) {
	var names []string
	if text, ok := starlark.AsString(v); ok {
		return strings.Fields(strings.ReplaceAll(text, ",", " ")), nil
	}
	items, err := elements(thread, v)
	for _, x := range items {
		name, ok := starlark.AsString(x)
		if !ok {
			return nil, failure("TypeError", "namedtuple: for parameter field_names: got a %s, want names", x.Type())
		}
		names = append(names, name)
	}
	return names, err
}
