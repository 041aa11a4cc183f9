package pylib

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type iterableArg struct {
	X starlark.Value `arg:"iterable: an iterable"`
}

// A lazy is what an iterator of this module goes through: next is the next element, whether there
// is one, or why there is none. One that is endless has no end for certain.
type lazy struct {
	next    func() (v starlark.Value, ok bool, err error)
	endless bool
}

// lazily is a function that returns an iterator. What it calls runs on the thread that asks for the
// element.
func lazily[A any](name, doc, example string, fn func(thread *starlark.Thread, call caller, a *A) (lazy, error)) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *A) (starlark.Value, error) {
		host := value.HostOf(thread)
		from, err := fn(thread, func(fn starlark.Value, args ...starlark.Value) (starlark.Value, error) {
			return value.Call(host.Current(), fn, args, nil)
		}, a)
		if err != nil {
			return nil, err
		}
		return from.iterator(thread, name), nil
	})
}

// A caller calls a function on the thread that runs.
type caller func(fn starlark.Value, args ...starlark.Value) (starlark.Value, error)

// iterator is the iterator that the function called name returns.
func (l lazy) iterator(thread *starlark.Thread, name string) *value.Iterator {
	endless := ""
	if l.endless {
		endless = "itertools." + name
	}
	return value.NewLazy(thread, endless, func(*starlark.Thread) (starlark.Value, bool, error) { return l.next() })
}

// lazyOf gives the elements of an iterable.
func lazyOf(x starlark.Value) (lazy, error) {
	xs, err := value.Iterable(x)
	if err != nil {
		return lazy{}, err
	}
	it := value.IteratorOf(xs)
	return lazy{it.NextValue, it.Endless() != ""}, nil
}

// lazies are those of several iterables.
func lazies(name string, list []starlark.Value) ([]lazy, error) {
	out := make([]lazy, len(list))
	for i, x := range list {
		var err error
		if out[i], err = lazyOf(x); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}

func isEndless(s lazy) bool { return s.endless }

// over iterates over what is there.
func over(items []starlark.Value) lazy {
	i := 0
	return lazy{next: func() (starlark.Value, bool, error) {
		if i == len(items) {
			return nil, false, nil
		}
		i++
		return items[i-1], true, nil
	}}
}

// chained iterates over the elements of iterables, which list gives.
func chained(list lazy) lazy {
	var now *lazy
	return lazy{endless: list.endless, next: func() (v starlark.Value, ok bool, err error) {
		for {
			if now == nil {
				x, ok, err := list.next()
				if err != nil || !ok {
					return nil, false, err
				}
				from, err := lazyOf(x)
				if err != nil {
					return nil, false, fmt.Errorf("chain: %w", err)
				}
				now = &from
			}
			if v, ok, err = now.next(); ok || err != nil {
				return v, ok, err
			}
			now = nil
		}
	}}
}

// choosing iterates over tuples of items by their places, which first makes and next changes, until
// next says that there are no more.
func choosing(items []starlark.Value, at []int, ok bool, next func(at []int) bool) lazy {
	return lazy{next: func() (starlark.Value, bool, error) {
		if !ok {
			return nil, false, nil
		}
		t := make(starlark.Tuple, len(at))
		for i, k := range at {
			t[i] = items[k]
		}
		ok = next(at)
		return t, true, nil
	}}
}

type chooseArgs struct {
	iterableArg
	N int `arg:"r: how many elements of it"`
}

// choose is a row of combinations and their like: start makes the first places of r out of n, next
// the ones after.
func choose(name, doc, example string, repeats bool, next func(at []int, n int) bool) value.Builtin {
	return lazily(name, doc, example, func(thread *starlark.Thread, _ caller, a *chooseArgs) (lazy, error) {
		items, err := elements(thread, a.X)
		if err != nil {
			return lazy{}, err
		}
		if a.N < 0 {
			return lazy{}, failure("ValueError", "%s: for parameter r: got %d, want a number that is not negative", name, a.N)
		}
		n := len(items)
		if a.N > n && !repeats || n == 0 && a.N > 0 {
			return over(nil), nil
		}
		at := make([]int, a.N)
		if !repeats {
			for i := range at {
				at[i] = i
			}
		}
		return choosing(items, at, true, func(at []int) bool { return next(at, n) }), nil
	})
}

type whileArgs struct {
	F starlark.Callable `arg:"predicate: a function of an element"`
	iterableArg
}

// chainFunction is chain, with chain.from_iterable.
var chainFunction = func() value.Builtin {
	chain := lazily("chain", "The elements of iterables, one after the other; those of the elements of an iterable are chain.from_iterable(x).",
		`list(itertools.chain("ab", [1])) # ["a", "b", 1]`,
		func(thread *starlark.Thread, _ caller, a *struct {
			All starlark.Tuple `arg:"*iterables: iterables"`
		}) (lazy, error) {
			from := chained(over(a.All))
			from.endless = slices.ContainsFunc(a.All, func(x starlark.Value) bool {
				it, ok := x.(*value.Iterator)
				return ok && it.Endless() != ""
			})
			return from, nil
		})
	chain.Attrs = []value.Builtin{lazily("from_iterable", "The elements of the iterables that an iterable has.",
		`import itertools; list(itertools.chain.from_iterable(["ab", [1]])) # ["a", "b", 1]`,
		func(thread *starlark.Thread, _ caller, a *iterableArg) (lazy, error) {
			from, err := lazyOf(a.X)
			return chained(from), err
		})}
	return chain
}()

var itertoolsModule = module("itertools", "Iterators, which compute an element when they are asked for it.", []value.Builtin{
	lazily("accumulate", "The sums of the first elements, or what func makes of the last and the next.", `list(itertools.accumulate([1, 2, 3])) # [1, 3, 6]`,
		func(thread *starlark.Thread, call caller, a *struct {
			iterableArg
			F starlark.Value `arg:"func=None: a function of two values"`
			_ struct{}       `arg:"*:"`
			I starlark.Value `arg:"initial=None: the first"`
		}) (lazy, error) {
			from, err := lazyOf(a.X)
			last, first := notNone(a.I), true
			return lazy{endless: from.endless, next: func() (x starlark.Value, ok bool, err error) {
				if first && last != nil {
					first = false
					return last, true, nil
				}
				if x, ok, err = from.next(); err != nil || !ok {
					return nil, false, err
				}
				switch {
				case first:
				case notNone(a.F) == nil:
					x, err = starlark.Binary(plus, last, x)
				default:
					x, err = call(a.F, last, x)
				}
				last, first = x, false
				return x, err == nil, err
			}}, err
		}),
	chainFunction,
	choose("combinations", "The choices of r elements, in their order.",
		`list(itertools.combinations("abc", 2)) # [("a", "b"), ("a", "c"), ("b", "c")]`, false, func(at []int, n int) bool {
			for i := len(at) - 1; i >= 0; i-- {
				if at[i] < n-len(at)+i {
					at[i]++
					for j := i + 1; j < len(at); j++ {
						at[j] = at[j-1] + 1
					}
					return true
				}
			}
			return false
		}),
	choose("combinations_with_replacement", "The choices of r elements, each as often as it comes, in their order.",
		`list(itertools.combinations_with_replacement("ab", 2)) # [("a", "a"), ("a", "b"), ("b", "b")]`, true, func(at []int, n int) bool {
			for i := len(at) - 1; i >= 0; i-- {
				if at[i] < n-1 {
					at[i]++
					for j := i + 1; j < len(at); j++ {
						at[j] = at[i]
					}
					return true
				}
			}
			return false
		}),
	lazily("compress", "The elements where the selector is true.", `list(itertools.compress("abc", [1, 0, 1])) # ["a", "c"]`,
		func(thread *starlark.Thread, _ caller, a *struct {
			X starlark.Value `arg:"data: an iterable"`
			S starlark.Value `arg:"selectors: an iterable of values that are true or false"`
		}) (lazy, error) {
			from, err := lazies("compress", []starlark.Value{a.X, a.S})
			return lazy{next: func() (starlark.Value, bool, error) {
				for {
					x, ok, err := from[0].next()
					if err != nil || !ok {
						return nil, false, err
					}
					chosen, ok, err := from[1].next()
					if err != nil || !ok {
						return nil, false, err
					}
					if chosen.Truth() {
						return x, true, nil
					}
				}
			}}, err
		}),
	lazily("count", "Numbers without end.", `list(itertools.islice(itertools.count(3, 2), 3)) # [3, 5, 7]`, func(thread *starlark.Thread, _ caller, a *struct {
		Start starlark.Value `arg:"start=0: the first"`
		Step  starlark.Value `arg:"step=1: from one to the next"`
	}) (lazy, error) {
		var now, step starlark.Value = starlark.MakeInt(0), starlark.MakeInt(1)
		if a.Start != nil {
			now = a.Start
		}
		if a.Step != nil {
			step = a.Step
		}
		if _, err := starlark.Binary(plus, now, step); err != nil {
			return lazy{}, err
		}
		return lazy{endless: true, next: func() (starlark.Value, bool, error) {
			v := now
			next, err := starlark.Binary(plus, now, step)
			now = next
			return v, err == nil, err
		}}, nil
	}),
	lazily("cycle", "The elements, again and again.", `list(itertools.islice(itertools.cycle("ab"), 3)) # ["a", "b", "a"]`,
		func(thread *starlark.Thread, _ caller, a *iterableArg) (lazy, error) {
			from, err := lazyOf(a.X)
			var items []starlark.Value
			again, i := from.endless, -1
			return lazy{endless: from.endless || starlark.Len(a.X) > 0, next: func() (starlark.Value, bool, error) {
				if i < 0 {
					x, ok, err := from.next()
					if ok && !again {
						items = append(items, x)
					}
					if ok || err != nil || len(items) == 0 {
						return x, ok, err
					}
				}
				i = (i + 1) % len(items)
				return items[i], true, nil
			}}, err
		}),
	lazily("dropwhile", "The elements from the first for which the function is false.", `list(itertools.dropwhile(lambda x: x < 2, [1, 2, 1])) # [2, 1]`,
		func(thread *starlark.Thread, call caller, a *whileArgs) (lazy, error) {
			from, err := lazyOf(a.X)
			begun := false
			return lazy{next: func() (starlark.Value, bool, error) {
				for {
					x, ok, err := from.next()
					if err != nil || !ok || begun {
						return x, ok, err
					}
					drop, err := call(a.F, x)
					if err != nil {
						return nil, false, err
					}
					if begun = !bool(drop.Truth()); begun {
						return x, true, nil
					}
				}
			}}, err
		}),
	lazily("groupby", "Pairs of a key and the elements next to each other that have it.",
		`[(k, list(g)) for k, g in itertools.groupby("aab")] # [("a", ["a", "a"]), ("b", ["b"])]`,
		func(thread *starlark.Thread, call caller, a *struct {
			iterableArg
			Key starlark.Value `arg:"key=None: a function of an element; without it, the element is its key"`
		}) (lazy, error) {
			from, err := lazyOf(a.X)
			var x, k starlark.Value // the first of the next group
			step := func() (ok bool, err error) {
				if x, ok, err = from.next(); err != nil || !ok {
					x = nil
					return false, err
				}
				if k = x; notNone(a.Key) != nil {
					k, err = call(a.Key, x)
				}
				return true, err
			}
			return lazy{endless: from.endless, next: func() (starlark.Value, bool, error) {
				if x == nil {
					if ok, err := step(); err != nil || !ok {
						return nil, false, err
					}
				}
				of := k
				var group []starlark.Value
				for {
					group = append(group, x)
					if ok, err := step(); err != nil || !ok {
						return starlark.Tuple{of, slot.NewList(group)}, err == nil, err
					}
					if same, err := starlark.Equal(of, k); err != nil || !same {
						return starlark.Tuple{of, slot.NewList(group)}, err == nil, err
					}
				}
			}}, err
		}),
	lazily("islice", "Elements by place.", `list(itertools.islice("abcdef", 1, 5, 2)) # ["b", "d"]`, func(thread *starlark.Thread, _ caller, a *struct {
		iterableArg
		Bounds starlark.Tuple `arg:"*args: where to stop; or where to start and to stop, and the step"`
	}) (lazy, error) {
		bounds := [3]int{0, -1, 1}
		if n := len(a.Bounds); n < 1 || n > 3 {
			return lazy{}, fmt.Errorf("islice: got %d bounds, want 1 to 3", n)
		}
		for i, v := range a.Bounds {
			if len(a.Bounds) == 1 {
				i = 1
			}
			if v == starlark.None {
				continue
			}
			n, err := value.Int(v)
			if err != nil || n < 0 || i == 2 && n == 0 {
				return lazy{}, failure("ValueError", "islice: got %s, want None or numbers that are not negative, and a step that is not 0", value.Repr(v))
			}
			bounds[i] = n
		}
		from, err := lazyOf(a.X)
		i, due := 0, bounds[0]
		return lazy{endless: from.endless && bounds[1] < 0, next: func() (starlark.Value, bool, error) {
			for bounds[1] < 0 || due < bounds[1] {
				v, ok, err := from.next()
				if err != nil || !ok {
					return nil, false, err
				}
				if i++; i > due {
					due += bounds[2]
					return v, true, nil
				}
			}
			return nil, false, nil
		}}, err
	}),
	lazily("permutations", "The orders of r elements.", `list(itertools.permutations([1, 2, 3], 2))[:3] # [(1, 2), (1, 3), (2, 1)]`,
		func(thread *starlark.Thread, _ caller, a *struct {
			iterableArg
			N *int `arg:"r=None: how many elements of it; None for all"`
		}) (lazy, error) {
			items, err := elements(thread, a.X)
			if err != nil {
				return lazy{}, err
			}
			n, r := len(items), len(items)
			if a.N != nil {
				r = *a.N
			}
			if r < 0 {
				return lazy{}, failure("ValueError", "permutations: for parameter r: got %d, want a number that is not negative", r)
			}
			if r > n {
				return over(nil), nil
			}
			order, cycles := make([]int, n), make([]int, r)
			for i := range order {
				order[i] = i
			}
			for i := range cycles {
				cycles[i] = n - i
			}
			return choosing(items, order[:r], true, func([]int) bool {
				for i := r - 1; i >= 0; i-- {
					if cycles[i]--; cycles[i] > 0 {
						j := n - cycles[i]
						order[i], order[j] = order[j], order[i]
						return true
					}
					first := order[i]
					copy(order[i:], order[i+1:])
					order[n-1], cycles[i] = first, n-i
				}
				return false
			}), nil
		}),
	lazily("product", "The tuples of an element of each.", `list(itertools.product("ab", [0, 1])) # [("a", 0), ("a", 1), ("b", 0), ("b", 1)]`,
		func(thread *starlark.Thread, _ caller, a *struct {
			All    starlark.Tuple `arg:"*iterables: iterables"`
			Repeat int            `arg:"repeat=1: how often to take them all"`
		}) (lazy, error) {
			var pools [][]starlark.Value
			for range max(a.Repeat, 0) {
				for _, x := range a.All {
					items, err := elements(thread, x)
					if err != nil {
						return lazy{}, fmt.Errorf("product: %w", err)
					}
					pools = append(pools, items)
				}
			}
			ok := !slices.ContainsFunc(pools, func(p []starlark.Value) bool { return len(p) == 0 })
			at := make([]int, len(pools))
			return lazy{next: func() (starlark.Value, bool, error) {
				if !ok {
					return nil, false, nil
				}
				t := make(starlark.Tuple, len(at))
				for i, k := range at {
					t[i] = pools[i][k]
				}
				ok = false
				for i := len(at) - 1; i >= 0 && !ok; i-- {
					if at[i]++; at[i] < len(pools[i]) {
						ok = true
					} else {
						at[i] = 0
					}
				}
				return t, true, nil
			}}, nil
		}),
	lazily("repeat", "A value, again and again.", `list(itertools.repeat(0, 2)) # [0, 0]`, func(thread *starlark.Thread, _ caller, a *struct {
		X starlark.Value `arg:"object: a value"`
		N *int           `arg:"times=None: how often; None without end"`
	}) (lazy, error) {
		i := 0
		return lazy{endless: a.N == nil, next: func() (starlark.Value, bool, error) {
			i++
			return a.X, a.N == nil || i <= *a.N, nil
		}}, nil
	}),
	lazily("starmap", "What a function gives for each tuple of arguments.", `list(itertools.starmap(pow, [(2, 3), (3, 2)])) # [8, 9]`,
		func(thread *starlark.Thread, call caller, a *struct {
			F starlark.Callable `arg:"function: a function"`
			iterableArg
		}) (lazy, error) {
			from, err := lazyOf(a.X)
			return lazy{endless: from.endless, next: func() (starlark.Value, bool, error) {
				x, ok, err := from.next()
				if err != nil || !ok {
					return nil, false, err
				}
				args, err := elements(thread, x)
				if err != nil {
					return nil, false, err
				}
				y, err := call(a.F, args...)
				return y, err == nil, err
			}}, err
		}),
	lazily("takewhile", "The elements before the first for which the function is false.", `list(itertools.takewhile(lambda x: x < 2, [1, 2, 1])) # [1]`,
		func(thread *starlark.Thread, call caller, a *whileArgs) (lazy, error) {
			from, err := lazyOf(a.X)
			ended := false
			return lazy{next: func() (starlark.Value, bool, error) {
				if ended {
					return nil, false, nil
				}
				x, ok, err := from.next()
				if err != nil || !ok {
					return nil, false, err
				}
				take, err := call(a.F, x)
				if err != nil {
					return nil, false, err
				}
				ended = !bool(take.Truth())
				return x, !ended, nil
			}}, err
		}),
	lazily("pairwise", "Each element with the next one.", "list(itertools.pairwise([1, 2, 3])) # [(1, 2), (2, 3)]", func(_ *starlark.Thread, _ caller, a *iterableArg) (lazy, error) {
		from, err := lazyOf(a.X)
		var last starlark.Value
		return lazy{func() (starlark.Value, bool, error) {
			for {
				x, ok, err := from.next()
				if !ok || err != nil {
					return nil, false, err
				}
				before := last
				if last = x; before != nil {
					return starlark.Tuple{before, x}, true, nil
				}
			}
		}, from.endless}, err
	}),
	lazily("filterfalse", "The elements of which a function is false; of None, those that are false.", "list(itertools.filterfalse(lambda x: x % 2, range(5))) # [0, 2, 4]",
		func(_ *starlark.Thread, call caller, a *struct {
			Function starlark.Value `arg:"predicate: a function, or None"`
			X        starlark.Value `arg:"iterable: an iterable"`
		}) (lazy, error) {
			from, err := lazyOf(a.X)
			return lazy{func() (starlark.Value, bool, error) {
				for {
					x, ok, err := from.next()
					if !ok || err != nil {
						return nil, false, err
					}
					holds := x
					if a.Function != nil && a.Function != starlark.None {
						if holds, err = call(a.Function, x); err != nil {
							return nil, false, err
						}
					}
					if !bool(holds.Truth()) {
						return x, true, nil
					}
				}
			}, from.endless}, err
		}),
	value.Function("tee", "Independent iterators over the same elements.", `a, b = itertools.tee([1, 2]); list(a) + list(b) # [1, 2, 1, 2]`,
		func(thread *starlark.Thread, a *struct {
			iterableArg
			N int `arg:"n=2: how many"`
		}) (starlark.Value, error) {
			from, err := lazyOf(a.X)
			if err != nil {
				return nil, err
			}
			if a.N < 0 {
				return nil, failure("ValueError", "tee: for parameter n: got %d, want a number that is not negative", a.N)
			}
			out := make(starlark.Tuple, a.N)
			first := &link{}
			for i := range out {
				at := first
				out[i] = lazy{endless: from.endless, next: func() (v starlark.Value, ok bool, err error) {
					if at.next == nil {
						if v, ok, err = from.next(); err != nil || !ok {
							return nil, false, err
						}
						at.next = &link{v: v}
					}
					at = at.next
					return at.v, true, nil
				}}.iterator(thread, "tee")
			}
			return out, nil
		}),
	lazily("zip_longest", "Tuples of an element of each; what has ended is filled up.",
		`list(itertools.zip_longest("ab", [1], fillvalue=0)) # [("a", 1), ("b", 0)]`,
		func(thread *starlark.Thread, _ caller, a *struct {
			All  starlark.Tuple `arg:"*iterables: iterables"`
			Fill starlark.Value `arg:"fillvalue=None: what stands for the missing"`
		}) (lazy, error) {
			from, err := lazies("zip_longest", a.All)
			ended := make([]bool, len(from))
			return lazy{endless: slices.ContainsFunc(from, isEndless), next: func() (starlark.Value, bool, error) {
				t, more := make(starlark.Tuple, len(from)), false
				for j := range from {
					t[j] = orNone(a.Fill)
					if ended[j] {
						continue
					}
					x, ok, err := from[j].next()
					if err != nil {
						return nil, false, err
					}
					if ended[j] = !ok; ok {
						t[j], more = x, true
					}
				}
				return t, more, nil
			}}, err
		}),
})

// A link is an element that a tee has taken, with the next.
type link struct {
	v    starlark.Value
	next *link
}

// notNone is v, nil if it is None.
func notNone(v starlark.Value) starlark.Value {
	if v == starlark.None {
		return nil
	}
	return v
}
