package collected

import (
	"runtime"
	"slices"
	"weak"

	"github.com/arignote/arignote/starlib/pylib/rows"
	"github.com/arignote/arignote/starlib/session"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Modules are gc and _weakref.
var Modules = []*value.Module{gcModule, weakModule}

// weakModule is for the library's module weakref. Go's collector finds dead instances when it runs;
// callbacks for them are called on the program's thread, when it uses a weak reference next.
var weakModule = value.NewModule("_weakref", "References that keep nothing alive.", value.Builtins([]value.Builtin{
	value.Function("make", "A reference to an instance.", "", func(thread *starlark.Thread, a *struct {
		X starlark.Value `arg:"x: an instance"`
	}) (starlark.Value, error) {
		x, ok := a.X.(*value.Object)
		if !ok {
			return nil, value.Failure("TypeError", "cannot create weak reference to '%s' object: instances of classes have them", value.TypeName(a.X))
		}
		weakOf(thread).made = true
		return &weakRef{"weak reference", weak.Make(x)}, nil
	}),
	value.Function("get", "The instance, or None.", "", func(thread *starlark.Thread, a *struct {
		Ref starlark.Value `arg:"ref: what make returned"`
	}) (starlark.Value, error) {
		if x := a.Ref.(*weakRef).to.Value(); x != nil {
			return x, nil
		}
		return starlark.None, weakOf(thread).settle(thread)
	}),
	value.Function("watch", "Calls a function when the instance is gone.", "", func(thread *starlark.Thread, a *struct {
		Ref      starlark.Value `arg:"ref: what make returned"`
		Callback starlark.Value `arg:"callback: a function without parameters"`
	}) (starlark.Value, error) {
		w := weakOf(thread)
		w.watched = append(w.watched, watched{a.Ref.(*weakRef), a.Callback})
		return starlark.None, nil
	}),
})...)

// A weakRef does not keep its instance.
type weakRef struct {
	value.Identity
	to weak.Pointer[value.Object]
}

func (*weakRef) String() string { return "<weak reference>" }

// weakState is what a session has of weak references.
type weakState struct {
	made    bool // is there one
	watched []watched
}

type watched struct {
	ref      *weakRef
	callback starlark.Value
}

type weakKey struct{}

func weakOf(thread *starlark.Thread) *weakState {
	return session.Of(thread).Local(weakKey{}, func() any { return new(weakState) }).(*weakState)
}

// settle calls what waits for instances that are gone.
func (w *weakState) settle(thread *starlark.Thread) error {
	for {
		i := slices.IndexFunc(w.watched, func(x watched) bool { return x.ref.to.Value() == nil })
		if i < 0 {
			return nil
		}
		callback := w.watched[i].callback
		w.watched = slices.Delete(w.watched, i, i+1)
		if _, err := value.Call(thread, callback, nil, nil); err != nil {
			return err
		}
	}
}

// gcModule is gc, whose functions have no effect but on weak references: memory comes back by
// itself.
var gcModule = value.NewLazyModule("gc", "Memory that nothing refers to. It comes back by itself: but for collect, which has weak references forget what is gone, the functions have no effect.",
	func() []value.Member { return rows.Functions("gc", gcTable()) })

func gcTable() []value.Builtin {
	silent := func(name, doc string) value.Builtin {
		return value.Function(name, doc, "print(gc."+name+"()) # None", func(*starlark.Thread, *rows.None) (starlark.Value, error) { return starlark.None, nil })
	}
	numbers := func(name, doc string, n ...int) value.Builtin {
		t := make(starlark.Tuple, len(n))
		for i, x := range n {
			t[i] = starlark.MakeInt(x)
		}
		return value.Function(name, doc, "gc."+name+"() # "+value.Repr(t), func(*starlark.Thread, *rows.None) (starlark.Value, error) { return t, nil })
	}
	return []value.Builtin{
		value.Function("collect", "0: as many objects had to be looked for. Where there are weak references, instances that nothing refers to are found.", "gc.collect() # 0",
			func(thread *starlark.Thread, a *struct {
				Generation int `arg:"generation=2: without effect"`
			}) (starlark.Value, error) {
				w := weakOf(thread)
				if w.made {
					runtime.GC()
				}
				return starlark.MakeInt(0), w.settle(thread)
			}),
		silent("disable", "Does nothing."), silent("enable", "Does nothing."), silent("freeze", "Does nothing."), silent("unfreeze", "Does nothing."),
		numbers("get_count", "Zeros.", 0, 0, 0),
		value.Function("get_objects", "No objects: they are not kept in a list.", "gc.get_objects() # []", func(*starlark.Thread, *rows.None) (starlark.Value, error) { return slot.NewList(nil), nil }),
		numbers("get_threshold", "What CPython begins with.", 700, 10, 10),
		value.Function("isenabled", "True: memory comes back.", "gc.isenabled() # True", func(*starlark.Thread, *rows.None) (starlark.Value, error) { return starlark.True, nil }),
		value.Function("set_threshold", "Does nothing.", "print(gc.set_threshold(1000)) # None", func(_ *starlark.Thread, _ *struct {
			Thresholds starlark.Tuple `arg:"*thresholds: without effect"`
		}) (starlark.Value, error) {
			return starlark.None, nil
		}),
	}
}
