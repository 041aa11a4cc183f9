package symbolic

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A linkOption is an argument of Theano's constructors of linkers. set returns the linker that the
// value makes of another.
type linkOption struct {
	value.Param
	set func(linker string, v starlark.Value) (string, error)
}

// linkOptions are all of them; which one has which is said in linkerTable.
var linkOptions = []linkOption{
	{value.Param{Name: "allow_gc", Default: "None",
		Doc: "True: intermediate results that are not needed at the same time take turns in the same memory; False: each has memory of its own; None obeys config.allow_gc"},
		func(linker string, v starlark.Value) (string, error) {
			on, err := optionalBool(v)
			return compile.WithGC(linker, on), err
		}},
	{value.Param{Name: "c_thunks", Default: "None", Doc: "False: kernels of Go alone"},
		func(linker string, v starlark.Value) (string, error) {
			on, err := optionalBool(v)
			if err != nil || on == nil || *on {
				return linker, err
			}
			return "go" + linker[len(withoutGC(linker)):], nil
		}},
	{value.Param{Name: "fallback_on_perform", Default: "True", Doc: "False: kernels of C alone"},
		func(linker string, v starlark.Value) (string, error) {
			on, err := optionalBool(v)
			if err != nil || on == nil || *on {
				return linker, err
			}
			return "c" + linker[len(withoutGC(linker)):], nil
		}},
	{value.Param{Name: "use_cloop", Default: "None", Doc: "there is one loop over the nodes, whatever this says"}, anyBool},
	{value.Param{Name: "nice_errors", Default: "True", Doc: "errors name the user's line, whatever this says"}, anyBool},
	{value.Param{Name: "lazy", Default: "None", Doc: "everything that a result needs is computed: True is refused"}, refused("True", "everything that a result needs is computed")},
	{value.Param{Name: "allow_partial_eval", Default: "None", Doc: "True is refused: compile a function of the outputs that are wanted"},
		refused("True", "a call computes all outputs; compile a function of those that are wanted")},
	{value.Param{Name: "callback", Default: "None", Doc: "refused: MonitorMode calls functions around nodes"}, refused("", "use MonitorMode(post_func=...)")},
	{value.Param{Name: "callback_input", Default: "None", Doc: "refused: MonitorMode calls functions around nodes"}, refused("", "use MonitorMode(pre_func=...)")},
	{value.Param{Name: "schedule", Default: "None", Doc: "refused: the order of the nodes is found when the function is compiled"},
		refused("", "the order of the nodes is found when the function is compiled")},
	{value.Param{Name: "checker", Default: "None", Doc: "refused: results are compared as DebugMode compares them"},
		refused("", "results are compared as DebugMode compares them; its tolerance is an argument of DebugMode()")},
}

// withoutGC is the part of a linker's name that says which kernels run.
func withoutGC(linker string) string { return compile.WithGC(linker, nil) }

func optionalBool(v starlark.Value) (*bool, error) {
	switch v := v.(type) {
	case nil, starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		on := bool(v)
		return &on, nil
	}
	return nil, fmt.Errorf("got %s, want True, False or None", value.Repr(v))
}

func anyBool(linker string, v starlark.Value) (string, error) {
	_, err := optionalBool(v)
	return linker, err
}

// refused takes None and, where there is a bad value, whatever else is a bool.
func refused(bad, why string) func(string, starlark.Value) (string, error) {
	return func(linker string, v starlark.Value) (string, error) {
		if v == nil || v == starlark.None || bad != "" && v == starlark.False {
			return linker, nil
		}
		return "", fmt.Errorf("got %s: %s", value.Repr(v), why)
	}
}

// Linkers is Theano's constructors of linkers. What they make is the linker's name, which is all
// that there is to know of it.
var Linkers = []value.Builtin{
	linkerBuiltin("OpWiseCLinker", "c|go", `The linker "c|go": kernels of C, and of Go where there is no C one. Theano's name is "c|py".`,
		"fallback_on_perform", "allow_gc", "nice_errors", "schedule"),
	linkerBuiltin("PerformLinker", "go", `The linker "go": kernels of Go alone. Theano's name is "py".`, "allow_gc", "schedule"),
	linkerBuiltin("CLinker", "c", `The linker "c": kernels of C alone; an op that has none is an error.`, "schedule"),
	linkerBuiltin("DualLinker", "c&go", `The linker "c&go": every operation runs in C and in Go, which have to agree; else the call ends with BadThunkOutput. Theano's name is "c&py".`,
		"checker", "schedule"),
	linkerBuiltin("VM_Linker", "c|go", `The linker "c|go". Theano's names are "vm" and "cvm".`,
		"allow_gc", "use_cloop", "callback", "callback_input", "lazy", "schedule", "c_thunks", "allow_partial_eval"),
	linkerBuiltin("VMLinker", "c|go", `The linker "c|go", under PyTensor's name.`,
		"allow_gc", "use_cloop", "callback", "callback_input", "lazy", "schedule", "c_thunks", "allow_partial_eval"),
}

func linkerBuiltin(class, linker, doc string, names ...string) value.Builtin {
	params := make([]value.Param, len(names))
	for i, name := range names {
		params[i] = linkOptions[slices.IndexFunc(linkOptions, func(o linkOption) bool { return o.Name == name })].Param
	}
	return value.Builtin{Name: class, Doc: doc, Example: fmt.Sprintf("theano.link.%s() # %q", class, linker), Params: params,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := b.Bind(args, kwargs)
			if err != nil {
				return nil, err
			}
			d := slot.NewDict(len(v))
			for i, x := range v {
				if x != nil {
					d.SetKey(starlark.String(names[i]), x)
				}
			}
			made, err := relink(linker, d)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", class, err)
			}
			return starlark.String(made), nil
		}}
}

// relink is a linker with other options, by name.
func relink(linker string, options *slot.Dict) (string, error) {
	names := make([]string, len(linkOptions))
	for i, o := range linkOptions {
		names[i] = o.Name
	}
	for _, kv := range options.Items() {
		name, _ := starlark.AsString(kv[0])
		i := slices.Index(names, name)
		if i < 0 {
			slices.Sort(names)
			hint := ""
			if n := config.Closest(name, names); n != "" {
				hint = fmt.Sprintf(" (did you mean %s?)", n)
			}
			return "", fmt.Errorf("linkers have no option %s%s", value.Repr(kv[0]), hint)
		}
		var err error
		if linker, err = linkOptions[i].set(linker, kv[1]); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
	}
	return linker, nil
}

// linkerModule is a module of constructors of linkers, and of parts of it.
func linkerModule(name string, classes []string, parts ...*value.Module) *value.Module {
	members := value.Builtins(Pick(Linkers, classes...))
	for _, p := range parts {
		members = append(members, value.Member{Name: p.Name()[len(name)+1:], Value: p, Doc: p.Doc()})
	}
	return value.NewModule(name, "The linkers: which kernels run, and what memory intermediate results have.", members...)
}

// LinkModule is pytensor.link. GofLinkers are the members of theano.gof that are about linkers.
var (
	LinkModule = linkerModule("theano.link", []string{"OpWiseCLinker", "PerformLinker", "CLinker", "DualLinker", "VM_Linker", "VMLinker"},
		linkerModule("theano.link.basic", []string{"PerformLinker"}),
		linkerModule("theano.link.c", []string{"CLinker", "OpWiseCLinker", "DualLinker"}, linkerModule("theano.link.c.basic", []string{"CLinker", "OpWiseCLinker", "DualLinker"})),
		linkerModule("theano.link.vm", []string{"VMLinker"}))
	GofParts = []*value.Module{
		linkerModule("theano.gof.vm", []string{"VM_Linker"}),
		linkerModule("theano.gof.link", []string{"PerformLinker"}),
		linkerModule("theano.gof.cc", []string{"CLinker", "OpWiseCLinker", "DualLinker"}),
	}
	// LinkerTable are those that theano has itself.
	LinkerTable = Pick(Linkers, "OpWiseCLinker", "PerformLinker", "CLinker", "DualLinker")
)

// predefinedLinkers are Theano's names of linkers with ours.
var predefinedLinkers = func() *slot.Dict {
	d := slot.NewDict(16)
	for _, name := range []string{"py", "c", "c|py", "c|py_nogc", "vm", "cvm", "vm_nogc", "cvm_nogc", "c&py"} {
		text, err := config.CheckText("linker", name)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		d.SetKey(starlark.String(name), starlark.String(text))
	}
	d.Freeze()
	return d
}()

// readLinker reads a linker argument: a name in any of its spellings, a constructor of linkerTable
// or what that made, None for the flag's.
func (s *Session) readLinker(v starlark.Value) (string, error) {
	if v == nil || v == starlark.None {
		return s.Config().String("linker"), nil
	}
	if b := value.AsBuiltin(v); b != nil {
		for i := range Linkers {
			if Linkers[i].Name == b.Name {
				v, _ = b.Fn(nil, b, nil, nil)
			}
		}
	}
	name, ok := starlark.AsString(v)
	if !ok {
		return "", fmt.Errorf("linker: got %s, want string", v.Type())
	}
	return config.CheckText("linker", name)
}

// readOptimizer reads an optimizer argument into m: a name, None for no rewrites, "default" for the
// flag's, or a Query.
func (s *Session) readOptimizer(m *compile.Mode, v starlark.Value) (err error) {
	m.Include, m.Exclude, m.Require = nil, nil, nil
	switch o := v.(type) {
	case nil:
		m.Optimizer = s.Config().String("optimizer")
	case starlark.NoneType:
		m.Optimizer = "None"
	case Query:
		m.Optimizer = "None"
		m.Include, m.Exclude, m.Require = o.q.Include, o.q.Exclude, o.q.Require
	case starlark.String:
		if o == "default" {
			m.Optimizer = s.Config().String("optimizer")
			break
		}
		m.Optimizer, err = config.CheckText("optimizer", string(o))
	default:
		return fmt.Errorf("optimizer: got %s, want string, Query or None", v.Type())
	}
	return err
}
