package pylib

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/np"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

var functoolsModule = value.NewModule("_functools", "Functions of functions.", value.Builtins(importing("functools", []value.Builtin{
	{Name: "partial", Doc: "The function with its first arguments, and some by name, given.", Example: `functools.partial(pow, 2)(5) # 32`,
		Params: []value.Param{{Name: "func", Doc: "a function"}, {Name: "*args", Doc: "its first arguments"}, {Name: "**kwargs", Doc: "arguments by name"}},
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if len(args) == 0 {
				return nil, fmt.Errorf("partial: missing argument for func: %s", b.Signature())
			}
			f, ok := args[0].(starlark.Callable)
			if !ok {
				return nil, failure("TypeError", "partial: for parameter func: got %s, want a function", args[0].Type())
			}
			return &partial{"partial", f, args[1:], kwargs}, nil
		}},
	value.Function("reduce", "func of the first two elements, then of that and the third, and so on.",
		`functools.reduce(lambda x, y: x * y, [1, 2, 3, 4]) # 24`,
		func(thread *starlark.Thread, a *struct {
			F starlark.Callable `arg:"function: a function of two values"`
			iterableArg
			I starlark.Value `arg:"initial=None: stands before the first"`
		}) (starlark.Value, error) {
			items, err := elements(thread, a.X)
			if err != nil {
				return nil, err
			}
			call, args := value.CallerOf(thread, a.F), []slot.Slot{slot.Of(a.I), {}}
			for _, x := range items {
				if args[1] = slot.Of(x); !args[0].IsSet() {
					args[0] = args[1]
				} else if args[0], err = call(args); err != nil {
					return nil, err
				}
			}
			if !args[0].IsSet() {
				return nil, failure("TypeError", "reduce: got no elements and no initial value")
			}
			return args[0].Value(), nil
		}),
	value.Function("wraps", "A decorator that gives a function the name, the documentation and the attributes of the one that it wraps.",
		`functools.wraps(abs)(lambda x: -x).__name__ # "abs"`,
		func(_ *starlark.Thread, a *struct {
			F starlark.Value `arg:"wrapped: a function"`
		}) (starlark.Value, error) {
			return starlark.NewBuiltin("wraps", func(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
				if len(args) != 1 {
					return nil, fmt.Errorf("wraps: got %d arguments, want the function", len(args))
				}
				if fn, ok := args[0].(value.Def); ok {
					if err := value.Wrap(fn, a.F); err != nil {
						return nil, err
					}
				}
				return args[0], nil
			}), nil
		}),
	value.Function("remember", "Has calls of a function look into a dict of results first, as lru_cache does.",
		"",
		func(_ *starlark.Thread, a *struct {
			F      starlark.Value `arg:"function: keeps its results"`
			Kept   starlark.Value `arg:"kept: results by tuples of arguments"`
			Counts starlark.Value `arg:"counts: how often a result was kept, and how often not"`
			Moves  bool           `arg:"moves: a result that was found becomes the last one"`
		}) (starlark.Value, error) {
			fn, isFunction := a.F.(value.Def)
			kept, isDict := a.Kept.(*slot.Dict)
			counts, isList := a.Counts.(*slot.List)
			if isFunction && isDict && isList {
				fn.Attrs().Memo = &value.Memo{Kept: kept, Counts: counts, Moves: a.Moves}
			}
			return starlark.None, nil
		}),
	value.Function("cmp_to_key", "A key for sorted from a function that compares two.",
		`sorted([1, 3, 2], key=functools.cmp_to_key(lambda x, y: y - x)) # [3, 2, 1]`,
		func(thread *starlark.Thread, a *struct {
			F starlark.Callable `arg:"mycmp: a function of two values: less than 0, 0 or more"`
		}) (starlark.Value, error) {
			return starlark.NewBuiltin("key",
				func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
					if len(args) != 1 {
						return nil, fmt.Errorf("key: got %d arguments, want 1", len(args))
					}
					return &compared{"key", thread, a.F, args[0]}, nil
				}), nil
		}),
}))...)

// A compared value is compared by a function of the user's.
type compared struct {
	class
	thread *starlark.Thread
	f      starlark.Callable
	x      starlark.Value
}

func (c *compared) CompareSameType(op token, y starlark.Value, _ int) (bool, error) {
	v, err := value.Call(c.thread, c.f, starlark.Tuple{c.x, y.(*compared).x}, nil)
	if err != nil {
		return false, err
	}
	return starlark.Compare(op, value.Plain(v), starlark.MakeInt(0))
}

// A partial is a function with arguments given.
type partial struct {
	class
	f      starlark.Callable
	args   starlark.Tuple
	kwargs []starlark.Tuple
}

func (p *partial) Name() string                             { return p.f.Name() }
func (p *partial) String() string                           { return "<partial of " + p.f.String() + ">" }
func (p *partial) Hash() (uint32, error)                    { return p.f.Hash() }
func (p *partial) Table() *value.Methods                    { return partialMethods }
func (p *partial) AttrNames() []string                      { return partialMethods.Names() }
func (p *partial) Attr(name string) (starlark.Value, error) { return partialMethods.Attr(p, name) }
func (p *partial) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	named := slices.Clone(p.kwargs)
	for _, kv := range kwargs {
		if i := slices.IndexFunc(named, func(old starlark.Tuple) bool { return old[0] == kv[0] }); i >= 0 {
			named[i] = kv
		} else {
			named = append(named, kv)
		}
	}
	return value.Call(thread, p.f, slices.Concat(p.args, args), named)
}

// Begins are the function and the arguments before others, if there are none by name.
func (p *partial) Begins() (fn starlark.Value, first []slot.Slot) {
	if len(p.kwargs) > 0 {
		return nil, nil
	}
	first = make([]slot.Slot, len(p.args))
	for i, x := range p.args {
		first[i] = slot.Of(x)
	}
	return p.f, first
}

var _ value.Partial = (*partial)(nil)

var partialMethods = value.NewMethods("partial", nil).With(
	value.FieldOf("func", "The function.", `import functools; functools.partial(pow, 2).func # <built-in function pow>`,
		func(p *partial) starlark.Value { return p.f }),
	value.FieldOf("args", "The first arguments.", `import functools; functools.partial(pow, 2).args # (2,)`, func(p *partial) starlark.Value { return p.args }),
	value.FieldOf("keywords", "The arguments by name.", `import functools; functools.partial(int, base=2).keywords # {"base": 2}`,
		func(p *partial) starlark.Value {
			d := new(slot.Dict)
			for _, kv := range p.kwargs {
				d.SetKey(kv[0], kv[1])
			}
			return d
		}))

type copyArg struct {
	X starlark.Value `arg:"x: a value"`
}

var copyModule = module("copy", "Copies of values.", []value.Builtin{
	value.Function("copy", "A copy of a container or an array; what it has in it is the same.", `a = [[1]]; b = copy.copy(a); b.append(2); a # [[1]]`,
		func(thread *starlark.Thread, a *copyArg) (starlark.Value, error) {
			same := func(x starlark.Value) (starlark.Value, error) { return x, nil }
			if i, ok := a.X.(instance); ok {
				return i.Copied(false, func(x starlark.Value) (starlark.Value, error) { return copied(thread, x, same) }, func(starlark.Value) {})
			}
			return copied(thread, a.X, same)
		}),
	value.Function("deepcopy", "A copy of a container or an array, and of all that it has in it.", `a = [[1]]; b = copy.deepcopy(a); b[0].append(2); a # [[1]]`,
		func(thread *starlark.Thread, a *struct {
			copyArg
			Memo starlark.Value `arg:"memo=None: without effect: what __deepcopy__ was given"`
		}) (starlark.Value, error) {
			done := map[starlark.Value]starlark.Value{}
			depth, poll := 0, value.PollOf(thread)
			var deep func(x starlark.Value) (starlark.Value, error)
			deep = func(x starlark.Value) (starlark.Value, error) {
				poll.Ask(value.PerElement)
				if depth++; depth > maxDepth {
					return nil, failure("RecursionError", "deepcopy: the value nests deeper than %d", maxDepth)
				}
				defer func() { depth-- }()
				switch x.(type) {
				case *slot.List, *slot.Dict, *slot.Set, *np.Array, *deque, *counter, *defaultDict, instance, Copier:
				default:
					return copied(thread, x, deep)
				}
				if old, ok := done[x]; ok {
					return old, nil
				}
				switch v := x.(type) { // which may have themselves in them
				case instance:
					y, err := v.Copied(true, deep, func(y starlark.Value) { done[x] = y })
					done[x] = y
					return y, err
				case *slot.List:
					out := new(slot.List)
					done[x] = out
					for _, e := range elementsOf(thread, v) {
						e, err := deep(e)
						if err != nil {
							return nil, err
						}
						out.Append(e)
					}
					return out, nil
				case *slot.Dict:
					out := new(slot.Dict)
					done[x] = out
					return out, copyItems(thread, out, v, deep)
				}
				y, err := copied(thread, x, deep)
				done[x] = y
				return y, err
			}
			return deep(a.X)
		}),
})

// An instance is one of a class of the user's: it copies its attributes and what it holds by part,
// and tells began of the copy before.
type instance interface {
	starlark.Value
	Copied(deep bool, part func(starlark.Value) (starlark.Value, error), began func(starlark.Value)) (starlark.Value, error)
}

// A Copier is a value of another room that copies itself; part copies what it has in it.
type Copier interface {
	starlark.Value
	Copied(thread *starlark.Thread, part func(starlark.Value) (starlark.Value, error)) (starlark.Value, error)
}

// copied is a copy whose parts are made by part. What does not change is its own copy.
func copied(thread *starlark.Thread, x starlark.Value, part func(starlark.Value) (starlark.Value, error)) (starlark.Value, error) {
	parts := func(it starlark.Iterable) ([]starlark.Value, error) {
		items := elementsOf(thread, it)
		for i, e := range value.Heard(thread, items) {
			var err error
			if items[i], err = part(e); err != nil {
				return nil, err
			}
		}
		return items, nil
	}
	switch v := x.(type) {
	case Copier:
		return v.Copied(thread, part)
	case *slot.List:
		items, err := parts(v)
		return slot.NewList(items), err
	case starlark.Tuple:
		items, err := parts(v)
		return starlark.Tuple(items), err
	case *namedTuple:
		items, err := parts(v.Tuple)
		return &namedTuple{items, v.of}, err
	case *slot.Dict:
		out := new(slot.Dict)
		return out, copyItems(thread, out, v, part)
	case *counter:
		out := new(slot.Dict)
		return &counter{out}, copyItems(thread, out, v.Dict, part)
	case *defaultDict:
		out := new(slot.Dict)
		return &defaultDict{out, v.factory, v.session}, copyItems(thread, out, v.Dict, part)
	case *slot.Set:
		out := new(slot.Set)
		for _, e := range value.Heard(thread, elementsOf(thread, v)) {
			out.Insert(e)
		}
		return out.As(v), nil
	case *deque:
		items, err := parts(v)
		return &deque{v.class, items, v.most}, err
	case *np.Array:
		fn, err := v.Attr("copy")
		if err != nil {
			return nil, err
		}
		return value.Call(thread, fn, nil, nil)
	}
	return x, nil
}

func copyItems(thread *starlark.Thread, out, in *slot.Dict, part func(starlark.Value) (starlark.Value, error)) error {
	for _, kv := range value.Heard(thread, in.Items()) {
		v, err := part(kv[1])
		if err != nil {
			return err
		}
		out.SetKey(kv[0], v)
	}
	return nil
}
