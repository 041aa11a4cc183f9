package starlib_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// The cells of a notebook share their globals.
func ExampleSession() {
	s := starlib.NewSession(starlib.Options{})
	for i, code := range []string{
		"rate = 0.1\ndef step(x): return x * rate",
		"rate = 0.5\nstep(3)",
		"stpe(3)",
	} {
		data, _, err := s.Execute(context.Background(), i+1, code, nil)
		if err != nil {
			fmt.Println(strings.Join(err.(*starlib.Error).Traceback()[1:], "\n"))
		} else if data != nil {
			fmt.Println(data["text/plain"])
		}
	}
	// Output:
	// 1.5
	// NameError                                 Traceback (most recent call last)
	// In[3]:1:1
	// -->   1 stpe(3)
	//         ^
	// NameError: name 'stpe' is not defined (did you mean step?)
}

// A function and a module for cells, from one table.
func ExampleNewModule() {
	table := []value.Builtin{{
		Name:    "double",
		Params:  []value.Param{{Name: "x", Doc: "a whole number"}, {Name: "times", Default: "1", Doc: "how often"}},
		Doc:     "x, doubled.",
		Example: "tiny.double(4) # 8",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			x, times := 0, 1
			if err := b.Unpack(args, kwargs, &x, &times); err != nil {
				return nil, err
			}
			return starlark.MakeInt(x << times), nil
		},
	}}
	s := starlib.NewSession(starlib.Options{Predeclared: starlark.StringDict{
		"tiny": value.NewModule("tiny", "Small numbers.", value.Builtins(table)...),
	}})
	for _, code := range []string{"tiny.double(4, times=2)", "tiny.duoble(4)", "tiny.double(4, tiems=2)"} {
		data, _, err := s.Execute(context.Background(), 1, code, nil)
		fmt.Println(data["text/plain"], err)
	}
	// Output:
	// 16 <nil>
	// <nil> module tiny has no attribute .duoble (did you mean .double?)
	// <nil> double: unexpected keyword argument tiems (did you mean times?)
}
