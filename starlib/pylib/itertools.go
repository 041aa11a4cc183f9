package pylib

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type iterableArg struct {
	X starlark.Value `arg:"iterable: an iterable"`
}

// lazily is a function that returns an iterator.
func lazily[A any](name, doc, example string, fn func(thread *starlark.Thread, a *A) (func() (starlark.Value, bool), error)) value.Builtin {
	return value.Function(name, doc, example, func(thread *starlark.Thread, a *A) (starlark.Value, error) {
		next, err := fn(thread, a)
		if err != nil {
			return nil, err
		}
		stop := value.HostOf(thread).Stop() // of what has no end
		return value.NewIterator(func() (starlark.Value, bool) {
			if atomic.LoadUint32(stop) != 0 {
				return nil, false
			}
			return next()
		}), nil
	})
}

// over iterates over what is there.
func over(items []starlark.Value) func() (starlark.Value, bool) {
	i := 0
	return func() (starlark.Value, bool) {
		if i == len(items) {
			return nil, false
		}
		i++
		return items[i-1], true
	}
}

// chained iterates over iterables one after the other. What is not iterable is found when it is its turn, as far as an iterator can: it ends.
func chained(list []starlark.Value) (func() (starlark.Value, bool), error) {
	var all []starlark.Iterable
	for _, x := range list {
		it, err := value.Iterable(x)
		if err != nil {
			return nil, fmt.Errorf("chain: %w", err)
		}
		all = append(all, it)
	}
	var now starlark.Iterator
	return func() (v starlark.Value, ok bool) {
		for {
			if now == nil {
				if len(all) == 0 {
					return nil, false
				}
				now, all = all[0].Iterate(), all[1:]
			}
			if now.Next(&v) {
				return v, true
			}
			now.Done()
			now = nil
		}
	}, nil
}

// choosing iterates over tuples of items by their places, which first makes and next changes, until next says that there are no more.
func choosing(items []starlark.Value, at []int, ok bool, next func(at []int) bool) func() (starlark.Value, bool) {
	return func() (starlark.Value, bool) {
		if !ok {
			return nil, false
		}
		t := make(starlark.Tuple, len(at))
		for i, k := range at {
			t[i] = items[k]
		}
		ok = next(at)
		return t, true
	}
}

type chooseArgs struct {
	iterableArg
	N int `arg:"r: how many elements of it"`
}

// choose is a row of combinations and their like: start makes the first places of r out of n, next the ones after.
func choose(name, doc, example string, repeats bool, next func(at []int, n int) bool) value.Builtin {
	return lazily(name, doc, example, func(_ *starlark.Thread, a *chooseArgs) (func() (starlark.Value, bool), error) {
		items, err := elements(a.X)
		if err != nil {
			return nil, err
		}
		if a.N < 0 {
			return nil, failure("ValueError", "%s: for parameter r: got %d, want a number that is not negative", name, a.N)
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

func key(thread *starlark.Thread, fn starlark.Value, x starlark.Value) (starlark.Value, error) {
	if fn == nil {
		return x, nil
	}
	return starlark.Call(thread, fn, starlark.Tuple{x}, nil)
}

// while is takewhile and dropwhile: the elements before, or from, the first for which the function is false.
func while(name, doc, example string, rest bool, part func(items []starlark.Value, i int) []starlark.Value) value.Builtin {
	return lazily(name, doc, example, func(thread *starlark.Thread, a *struct {
		F starlark.Callable `arg:"predicate: a function of an element"`
		iterableArg
	}) (func() (starlark.Value, bool), error) {
		it, err := value.Iterable(a.X)
		if err != nil {
			return nil, err
		}
		iter := it.Iterate()
		defer iter.Done()
		var items []starlark.Value
		for x := starlark.Value(nil); iter.Next(&x); {
			items = append(items, x)
			v, err := starlark.Call(thread, a.F, starlark.Tuple{x}, nil)
			if err != nil {
				return nil, err
			}
			if v.Truth() {
				continue
			}
			at := len(items) - 1
			for rest && iter.Next(&x) {
				items = append(items, x)
			}
			return over(part(items, at)), nil
		}
		return over(part(items, len(items))), nil
	})
}

var itertoolsModule = module("itertools", "Iterators. Those that call a function are computed at once, the others as they are asked.", []value.Builtin{
	lazily("accumulate", "The sums of the first elements, or what func makes of the last and the next.", `list(itertools.accumulate([1, 2, 3])) # [1, 3, 6]`,
		func(thread *starlark.Thread, a *struct {
			iterableArg
			F starlark.Value `arg:"func=None: a function of two values"`
			_ struct{}       `arg:"*:"`
			I starlark.Value `arg:"initial=None: the first"`
		}) (func() (starlark.Value, bool), error) {
			items, err := elements(a.X)
			if err != nil {
				return nil, err
			}
			var out []starlark.Value
			if a.I != nil && a.I != starlark.None {
				out = append(out, a.I)
			}
			for _, x := range items {
				if n := len(out); n > 0 {
					if a.F == nil || a.F == starlark.None {
						x, err = starlark.Binary(plus, out[n-1], x)
					} else {
						x, err = starlark.Call(thread, a.F, starlark.Tuple{out[n-1], x}, nil)
					}
					if err != nil {
						return nil, err
					}
				}
				out = append(out, x)
			}
			return over(out), nil
		}),
	lazily("chain", "The elements of iterables, one after the other; chain_from_iterable takes an iterable of them.",
		`list(itertools.chain("ab", [1])) # ["a", "b", 1]`,
		func(_ *starlark.Thread, a *struct {
			All starlark.Tuple `arg:"*iterables: iterables"`
		}) (func() (starlark.Value, bool), error) {
			return chained(a.All)
		}),
	lazily("chain_from_iterable", "chain.from_iterable: the elements of the iterables that an iterable has.",
		`list(itertools.chain_from_iterable(["ab", [1]])) # ["a", "b", 1]`,
		func(_ *starlark.Thread, a *iterableArg) (func() (starlark.Value, bool), error) {
			items, err := elements(a.X)
			if err != nil {
				return nil, err
			}
			return chained(items)
		}),
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
		func(_ *starlark.Thread, a *struct {
			X starlark.Value `arg:"data: an iterable"`
			S starlark.Value `arg:"selectors: an iterable of values that are true or false"`
		}) (func() (starlark.Value, bool), error) {
			items, err := elements(a.X)
			if err != nil {
				return nil, err
			}
			chosen, err := elements(a.S)
			if err != nil {
				return nil, err
			}
			var out []starlark.Value
			for i := range min(len(items), len(chosen)) {
				if chosen[i].Truth() {
					out = append(out, items[i])
				}
			}
			return over(out), nil
		}),
	lazily("count", "Numbers without end.", `list(itertools.islice(itertools.count(3, 2), 3)) # [3, 5, 7]`, func(_ *starlark.Thread, a *struct {
		Start starlark.Value `arg:"start=0: the first"`
		Step  starlark.Value `arg:"step=1: from one to the next"`
	}) (func() (starlark.Value, bool), error) {
		var now, step starlark.Value = starlark.MakeInt(0), starlark.MakeInt(1)
		if a.Start != nil {
			now = a.Start
		}
		if a.Step != nil {
			step = a.Step
		}
		if _, err := starlark.Binary(plus, now, step); err != nil {
			return nil, err
		}
		return func() (starlark.Value, bool) {
			v := now
			next, err := starlark.Binary(plus, now, step)
			now = next
			return v, err == nil
		}, nil
	}),
	lazily("cycle", "The elements, again and again.", `list(itertools.islice(itertools.cycle("ab"), 3)) # ["a", "b", "a"]`,
		func(_ *starlark.Thread, a *iterableArg) (func() (starlark.Value, bool), error) {
			items, err := elements(a.X)
			i := -1
			return func() (starlark.Value, bool) {
				if len(items) == 0 {
					return nil, false
				}
				i = (i + 1) % len(items)
				return items[i], true
			}, err
		}),
	while("dropwhile", "The elements from the first for which the function is false.", `list(itertools.dropwhile(lambda x: x < 2, [1, 2, 1])) # [2, 1]`, true,
		func(items []starlark.Value, i int) []starlark.Value { return items[i:] }),
	lazily("groupby", "Pairs of a key and the elements next to each other that have it.",
		`[(k, list(g)) for k, g in itertools.groupby("aab")] # [("a", ["a", "a"]), ("b", ["b"])]`,
		func(thread *starlark.Thread, a *struct {
			iterableArg
			Key starlark.Value `arg:"key=None: a function of an element; without it, the element is its key"`
		}) (func() (starlark.Value, bool), error) {
			items, err := elements(a.X)
			if err != nil {
				return nil, err
			}
			var out []starlark.Value
			var last starlark.Value
			var group *starlark.List
			for _, x := range items {
				k, err := key(thread, notNone(a.Key), x)
				if err != nil {
					return nil, err
				}
				same := false
				if last != nil {
					if same, err = starlark.Equal(last, k); err != nil {
						return nil, err
					}
				}
				if !same {
					group, last = new(starlark.List), k
					out = append(out, starlark.Tuple{k, group})
				}
				group.Append(x)
			}
			return over(out), nil
		}),
	lazily("islice", "Elements by place.", `list(itertools.islice("abcdef", 1, 5, 2)) # ["b", "d"]`, func(_ *starlark.Thread, a *struct {
		iterableArg
		Bounds starlark.Tuple `arg:"*args: where to stop; or where to start and to stop, and the step"`
	}) (func() (starlark.Value, bool), error) {
		bounds := [3]int{0, -1, 1}
		if n := len(a.Bounds); n < 1 || n > 3 {
			return nil, fmt.Errorf("islice: got %d bounds, want 1 to 3", n)
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
				return nil, failure("ValueError", "islice: got %s, want None or numbers that are not negative, and a step that is not 0", value.Repr(v))
			}
			bounds[i] = n
		}
		it, err := value.Iterable(a.X)
		if err != nil {
			return nil, err
		}
		iter := it.Iterate()
		i, due := 0, bounds[0]
		return func() (v starlark.Value, ok bool) {
			for (bounds[1] < 0 || due < bounds[1]) && iter.Next(&v) {
				if i++; i > due {
					due += bounds[2]
					return v, true
				}
			}
			return nil, false
		}, nil
	}),
	lazily("permutations", "The orders of r elements.", `list(itertools.permutations([1, 2, 3], 2))[:3] # [(1, 2), (1, 3), (2, 1)]`,
		func(_ *starlark.Thread, a *struct {
			iterableArg
			N *int `arg:"r=None: how many elements of it; None for all"`
		}) (func() (starlark.Value, bool), error) {
			items, err := elements(a.X)
			if err != nil {
				return nil, err
			}
			n, r := len(items), len(items)
			if a.N != nil {
				r = *a.N
			}
			if r < 0 {
				return nil, failure("ValueError", "permutations: for parameter r: got %d, want a number that is not negative", r)
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
		func(_ *starlark.Thread, a *struct {
			All    starlark.Tuple `arg:"*iterables: iterables"`
			Repeat int            `arg:"repeat=1: how often to take them all"`
		}) (func() (starlark.Value, bool), error) {
			var pools [][]starlark.Value
			for range max(a.Repeat, 0) {
				for _, x := range a.All {
					items, err := elements(x)
					if err != nil {
						return nil, fmt.Errorf("product: %w", err)
					}
					pools = append(pools, items)
				}
			}
			ok := !slices.ContainsFunc(pools, func(p []starlark.Value) bool { return len(p) == 0 })
			at := make([]int, len(pools))
			return func() (starlark.Value, bool) {
				if !ok {
					return nil, false
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
				return t, true
			}, nil
		}),
	lazily("repeat", "A value, again and again.", `list(itertools.repeat(0, 2)) # [0, 0]`, func(_ *starlark.Thread, a *struct {
		X starlark.Value `arg:"object: a value"`
		N *int           `arg:"times=None: how often; None without end"`
	}) (func() (starlark.Value, bool), error) {
		i := 0
		return func() (starlark.Value, bool) {
			i++
			return a.X, a.N == nil || i <= *a.N
		}, nil
	}),
	lazily("starmap", "What a function gives for each tuple of arguments.", `list(itertools.starmap(pow, [(2, 3), (3, 2)])) # [8, 9]`,
		func(thread *starlark.Thread, a *struct {
			F starlark.Callable `arg:"function: a function"`
			iterableArg
		}) (func() (starlark.Value, bool), error) {
			items, err := elements(a.X)
			if err != nil {
				return nil, err
			}
			out := make([]starlark.Value, len(items))
			for i, x := range items {
				args, err := elements(x)
				if err != nil {
					return nil, err
				}
				if out[i], err = starlark.Call(thread, a.F, args, nil); err != nil {
					return nil, err
				}
			}
			return over(out), nil
		}),
	while("takewhile", "The elements before the first for which the function is false.", `list(itertools.takewhile(lambda x: x < 2, [1, 2, 1])) # [1]`, false,
		func(items []starlark.Value, i int) []starlark.Value { return items[:i] }),
	value.Function("tee", "Independent iterators over the same elements.", `a, b = itertools.tee([1, 2]); list(a) + list(b) # [1, 2, 1, 2]`,
		func(_ *starlark.Thread, a *struct {
			iterableArg
			N int `arg:"n=2: how many"`
		}) (starlark.Value, error) {
			items, err := elements(a.X)
			out := make(starlark.Tuple, max(a.N, 0))
			for i := range out {
				out[i] = value.NewIterator(over(items))
			}
			return out, err
		}),
	lazily("zip_longest", "Tuples of an element of each; what has ended is filled up.",
		`list(itertools.zip_longest("ab", [1], fillvalue=0)) # [("a", 1), ("b", 0)]`,
		func(_ *starlark.Thread, a *struct {
			All  starlark.Tuple `arg:"*iterables: iterables"`
			Fill starlark.Value `arg:"fillvalue=None: what stands for the missing"`
		}) (func() (starlark.Value, bool), error) {
			lists, n := make([][]starlark.Value, len(a.All)), 0
			for i, x := range a.All {
				items, err := elements(x)
				if err != nil {
					return nil, fmt.Errorf("zip_longest: %w", err)
				}
				lists[i], n = items, max(n, len(items))
			}
			i := -1
			return func() (starlark.Value, bool) {
				i++
				t := make(starlark.Tuple, len(lists))
				for j, l := range lists {
					if t[j] = orNone(a.Fill); i < len(l) {
						t[j] = l[i]
					}
				}
				return t, i < n
			}, nil
		}),
})

// notNone is v, nil if it is None.
func notNone(v starlark.Value) starlark.Value {
	if v == starlark.None {
		return nil
	}
	return v
}
