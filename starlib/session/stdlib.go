package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/arignote/arignote/starlib/library"
	"github.com/arignote/arignote/starlib/object"
	"github.com/arignote/arignote/starlib/scope"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// Standard returns the names every session has, before those of Options.Predeclared.
func Standard() starlark.StringDict { return standardOnce() }

var standardOnce = sync.OnceValue(func() starlark.StringDict {
	d := starlark.StringDict{}
	for name, v := range starlark.Universe {
		if !scope.IsConstant(name) {
			d[name] = v
		}
	}
	for _, table := range [][]value.Builtin{universeTable, stdTable, value.TypeTable, value.TextTable, value.IterableTable,
		value.NumericTable, value.SliceTable, object.Table} {
		for _, m := range value.Builtins(table) {
			d[m.Name] = m.Value
		}
	}
	d["math"] = library.Math
	d["json"] = library.JSON
	d["time"] = library.Time
	d["ix"] = value.Indexer{}
	d["Ellipsis"] = value.Ellipsis
	d["newaxis"] = starlark.None
	for name, class := range object.Tree {
		d[name] = class
	}
	d["NotImplemented"] = object.NotImplemented
	return d
})

var errNoInput = errors.New("the front end cannot be asked for input")

// stdTable is the functions that Starlark has not, or has without what cells need.
var stdTable = []value.Builtin{
	{Name: "print", Params: []value.Param{
		{Name: "*args", Doc: "values to print"},
		{Name: "sep", Default: `" "`, Doc: "text between values"},
		{Name: "end", Default: `"\n"`, Doc: "text after the last"},
		{Name: "file", Default: `"stdout"`, Doc: `"stdout" or "stderr", or what has a method write: an open file, sys.stderr`},
		{Name: "flush", Default: "False", Doc: "accepted; output is never held back for long"},
	}, Doc: "Prints values.", Example: `print("a", 1.5, sep=", ") # a, 1.5`, Fn: print_},
	{Name: "input", Params: []value.Param{{Name: "prompt", Default: `""`, Doc: "text of the question"}},
		Doc: "Asks the user for a line of text.", Fn: ask(false)},
	{Name: "getpass", Params: []value.Param{{Name: "prompt", Default: `"Password: "`, Doc: "text of the question"}},
		Doc: "Asks the user for a line of text that is not shown.", Fn: ask(true)},
	{Name: "fail", Params: []value.Param{
		{Name: "*args", Doc: "values of the message"},
		{Name: "sep", Default: `" "`, Doc: "text between values"},
	}, Doc: "Ends the cell with an error.", Example: `fail("no rows in", "a.csv")`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var values starlark.Tuple
			sep := " "
			if err := b.Unpack(args, kwargs, &values, &sep); err != nil {
				return nil, err
			}
			return nil, errors.New("fail: " + join(thread, values, sep))
		}},
	{Name: "struct", Params: []value.Param{{Name: "**kwargs", Doc: "the fields"}},
		Doc: "A value with the given fields.", Example: "struct(a = 1).a # 1",
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if len(args) > 0 {
				return nil, fmt.Errorf("struct: got %d positional arguments, want none", len(args))
			}
			return starlarkstruct.FromKeywords(starlarkstruct.Default, kwargs), nil
		}},
}

func print_(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var values starlark.Tuple
	sep, end := " ", "\n"
	var flush bool
	var to starlark.Value = starlark.String("stdout")
	if err := b.Unpack(args, kwargs, &values, &sep, &end, &to, &flush); err != nil {
		return nil, err
	}
	if to == starlark.None {
		to = starlark.String("stdout")
	}
	file, isName := starlark.AsString(to)
	if !isName {
		write, err := value.Attr(to, "write")
		if err != nil {
			return nil, fmt.Errorf(`print: for parameter file: got %s, want "stdout", "stderr" or what has a method write`, to.Type())
		}
		_, err = value.Call(thread, write, starlark.Tuple{starlark.String(join(thread, values, sep) + end)}, nil)
		return starlark.None, err
	}
	if file != "stdout" && file != "stderr" {
		return nil, fmt.Errorf(`print: for parameter file: got %q, want "stdout" or "stderr"`, file)
	}
	Of(thread).Output().Stream(file, join(thread, values, sep)+end)
	return starlark.None, nil
}

func join(thread *starlark.Thread, values starlark.Tuple, sep string) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = value.StrOn(thread, v)
	}
	return strings.Join(parts, sep)
}

// ask returns the implementation of input and getpass.
func ask(password bool) func(*starlark.Thread, *value.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var prompt starlark.Value = starlark.String("")
		if password {
			prompt = starlark.String("Password: ")
		}
		if err := b.Unpack(args, kwargs, &prompt); err != nil {
			return nil, err
		}
		line, err := AskLine(Of(thread).out, ContextOf(thread), value.Str(prompt), password)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		return starlark.String(line), nil
	}
}

// AskLine puts a question on another goroutine, so that an interrupt ends the waiting even if the
// front end never answers.
func AskLine(out Output, ctx context.Context, prompt string, password bool) (string, error) {
	type answer struct {
		line string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		line, err := out.Input(prompt, password)
		answers <- answer{line, err}
	}()
	select {
	case a := <-answers:
		return a.line, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
