package symbolic

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/profiler/picture"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// debugprintParams are Theano's.
var debugprintParams = []value.Param{
	{Name: "depth", Default: "-1", Doc: "how many levels to print; all if negative"},
	{Name: "print_type", Default: "False", Doc: "also the types"},
	{Name: "file", Default: "None", Doc: `"str" to return the text instead of printing it, or "stderr"`},
	{Name: "ids", Default: `"CHAR"`, Doc: `how to name nodes: "CHAR" (A, B, ...), "int" or "id" (0, 1, ...), "" (not at all)`},
	{Name: "stop_on_name", Default: "False", Doc: "leave out what variables with a name are made of"},
	{Name: "print_destroy_map", Default: "False", Doc: "which inputs are overwritten: d={output: [input]}"},
	{Name: "print_view_map", Default: "False", Doc: "which outputs are views: v={output: [input]}"},
	{Name: "profile", Default: "True", Doc: "print the times of nodes, if the function has a profile with calls"},
	{Name: "style", Default: `"tree"`, Doc: `"tree", or "text" for one line a node in the order in which they run`},
}

// functionDebugprint is f.debugprint().
var functionDebugprint = value.Builtin{Name: "debugprint", Params: debugprintParams,
	Doc: "Prints the compiled graph: each result with what it is made of below it, places in the order of execution, times, and the " +
		"lines that wrote the nodes.",
	Example: `function([], T.constant(2.0), name="two").debugprint()`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		o := newPrinting()
		if err := b.Unpack(args, kwargs, o.pointers()...); err != nil {
			return nil, err
		}
		return SessionOf(thread).debugprint(b.Receiver(), o)
	}}

// DebugprintBuiltin is debugprint().
var DebugprintBuiltin = value.Builtin{Name: "debugprint",
	Params: append([]value.Param{{Name: "obj", Doc: "a compiled function, symbolic variables, or a node that MonitorMode shows"}}, debugprintParams...),
	Doc:    "Prints a graph: that of a compiled function, or the one that makes symbolic variables.",
	Example: `debugprint(T.scalar("x") * 2, file="str") # ` +
		`"Elemwise{mul,no_inplace} [id A]   # In[1]:1:26\n |x [id B]\n |TensorConstant{2.0} [id C]\n"`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var what starlark.Value
		o := newPrinting()
		if err := b.Unpack(args, kwargs, append([]any{&what}, o.pointers()...)...); err != nil {
			return nil, err
		}
		return SessionOf(thread).debugprint(what, o)
	}}

// printing is the arguments of debugprint.
type printing struct {
	picture.TreeOptions
	file, style string
	profile     bool
}

func newPrinting() *printing {
	return &printing{TreeOptions: picture.TreeOptions{Depth: -1, IDs: "CHAR"}, file: "stdout", style: "tree", profile: true}
}

// pointers are in the order of debugprintParams.
func (o *printing) pointers() []any {
	return []any{&o.Depth, &o.Types, &o.file, &o.IDs, &o.StopOnName, &o.DestroyMap, &o.ViewMap, &o.profile, &o.style}
}

// debugprint does what the functions of that name do.
func (s *Session) debugprint(what starlark.Value, o *printing) (starlark.Value, error) {
	fg, f, err := graphOf(what)
	if err != nil {
		return nil, fmt.Errorf("debugprint: %w", err)
	}
	for _, c := range []struct {
		name, got string
		want      []string
	}{{"file", o.file, []string{"stdout", "stderr", "str"}}, {"ids", o.IDs, []string{"CHAR", "int", "id", ""}},
		{"style", o.style, []string{"tree", "text"}}} {
		if !slices.Contains(c.want, c.got) {
			return nil, fmt.Errorf("debugprint: %s: got %q, want one of %q", c.name, c.got, c.want)
		}
	}
	if o.IDs == "id" {
		o.IDs = "int" // there are no addresses to show
	}
	if o.Compiled = f != nil; o.Compiled && o.profile {
		o.Profile = f.lastProfile()
	}
	text := fg.String()
	if o.style == "tree" {
		if text, err = picture.Tree(fg, o.TreeOptions); err != nil {
			return nil, fmt.Errorf("debugprint: %w", err)
		}
	}
	if o.file == "str" {
		return starlark.String(text), nil
	}
	s.Print(o.file, text)
	return starlark.None, nil
}
