package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/config"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// A flagChange sets flags while the block of a with statement runs: config.change_flags(...).
type flagChange struct {
	c      *ConfigValue
	flags  []starlark.Tuple
	before [][]savedFlag // of each block that it is entered by and has not left
}

// A savedFlag is what a flag was, and where that was said.
type savedFlag struct {
	name   string
	value  any
	source string
}

var (
	_ value.Tabled      = (*flagChange)(nil)
	_ starlark.Callable = (*flagChange)(nil)
)

func (f *flagChange) Name() string { return "change_flags" }

// CallInternal is @config.change_flags(...): the function, with the flags set while it runs.
func (f *flagChange) CallInternal(_ *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 {
		switch fn := args[0].(type) {
		case value.Def:
			return &flaggedDef{fn, f}, nil
		case starlark.Callable:
			return &flagged{fn, f}, nil
		}
	}
	return nil, tensor.TypeErrorf("change_flags: got %d arguments, want a function: @config.change_flags(...) stands above one, and with before a block", len(args)+len(kwargs))
}

// A flagged is a function that runs with flags set, a flaggedDef one of the program's.
type (
	flagged struct {
		starlark.Callable
		flags *flagChange
	}
	flaggedDef struct {
		value.Def
		flags *flagChange
	}
)

func (f *flagged) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return f.flags.call(thread, f.Callable, args, kwargs)
}

func (f *flaggedDef) CallInternal(thread *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	return f.flags.call(thread, f.Def, args, kwargs)
}

func (f *flagChange) call(thread *starlark.Thread, fn starlark.Callable, args starlark.Tuple, kwargs []starlark.Tuple) (v starlark.Value, err error) {
	if err := f.enter(); err != nil {
		return nil, err
	}
	defer func() {
		if left := f.leave(); err == nil {
			err = left
		}
	}()
	return value.Call(thread, fn, args, kwargs)
}

func (f *flagChange) String() string        { return "<change_flags>" }
func (f *flagChange) Type() string          { return "change_flags" }
func (f *flagChange) Freeze()               {}
func (f *flagChange) Truth() starlark.Bool  { return true }
func (f *flagChange) Hash() (uint32, error) { return 0, errors.New("unhashable type: change_flags") }
func (f *flagChange) Table() *value.Methods { return FlagChangeMethods }
func (f *flagChange) AttrNames() []string   { return FlagChangeMethods.Names() }

func (f *flagChange) Attr(name string) (starlark.Value, error) {
	return FlagChangeMethods.Attr(f, name)
}

// FlagChangeMethods are what with calls.
var FlagChangeMethods = value.NewMethods("change_flags", []value.Builtin{
	{Name: "__enter__", Doc: "Sets the flags: with calls it.", Example: "config.change_flags().__enter__() == None # True",
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := b.Unpack(args, kwargs); err != nil {
				return nil, err
			}
			return starlark.None, b.Receiver().(*flagChange).enter()
		}},
	{Name: "__exit__", Doc: "Gives the flags the values that they had: with calls it.", Params: []value.Param{{Name: "*error", Doc: "what ended the block"}},
		Example: "flags = config.change_flags(floatX=\"float32\")\nflags.__enter__(); flags.__exit__(None, None, None)\nconfig.floatX # \"float64\"",
		Fn: func(_ *starlark.Thread, b *value.Builtin, _ starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
			return starlark.None, b.Receiver().(*flagChange).leave()
		}},
})

// enter sets all flags, or none of them if one cannot be set.
func (f *flagChange) enter() error {
	f.before = append(f.before, nil)
	for _, kv := range f.flags {
		name := strings.ReplaceAll(string(kv[0].(starlark.String)), "__", ".")
		flag, ok := config.Lookup(name)
		if !ok {
			f.leave()
			return fmt.Errorf("change_flags: %w", config.Unknown(name))
		}
		was, source := f.c.s.config.Get(flag.Name)
		top := &f.before[len(f.before)-1]
		*top = append(*top, savedFlag{flag.Name, was, source})
		if err := (&ConfigValue{f.c.s, ""}).SetField(flag.Name, kv[1]); err != nil {
			f.leave()
			return fmt.Errorf("change_flags: %w", err)
		}
	}
	return nil
}

// leave gives the flags of the last enter back what they were, the last that was set first.
func (f *flagChange) leave() error {
	if len(f.before) == 0 {
		return errors.New("change_flags: __exit__ without __enter__")
	}
	last := f.before[len(f.before)-1]
	f.before = f.before[:len(f.before)-1]
	for i := len(last) - 1; i >= 0; i-- {
		if err := f.c.s.config.Set(last[i].name, last[i].value, last[i].source); err != nil {
			return err
		}
	}
	return nil
}
