package starlib

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Mode is a compile.Mode as Starlark sees it.
type Mode struct{ m compile.Mode }

var (
	_ value.Tabled        = Mode{}
	_ starlark.Comparable = Mode{}
)

func (m Mode) String() string {
	parts := []string{fmt.Sprintf("linker=%q, optimizer=%q", m.m.Linker, m.m.Optimizer)}
	for _, list := range []struct {
		name string
		tags []string
	}{{"including", m.m.Include}, {"excluding", m.m.Exclude}, {"requiring", m.m.Require}} {
		if len(list.tags) > 0 {
			parts = append(parts, list.name+"="+strings.Join(list.tags, ":"))
		}
	}
	return "Mode(" + strings.Join(parts, ", ") + ")"
}

// CompareSameType: modes that compile alike are equal.
func (m Mode) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	same := m.String() == y.(Mode).String()
	switch op {
	case syntax.EQL:
		return same, nil
	case syntax.NEQ:
		return !same, nil
	}
	return false, fmt.Errorf("%s is not defined for modes", op)
}

func (m Mode) Type() string          { return "Mode" }
func (m Mode) Freeze()               {}
func (m Mode) Truth() starlark.Bool  { return true }
func (m Mode) Hash() (uint32, error) { return starlark.String(m.String()).Hash() }

func (m Mode) Table() *value.Methods { return modeMethods }
func (m Mode) AttrNames() []string   { return modeMethods.Names() }

func (m Mode) Attr(name string) (starlark.Value, error) { return modeMethods.Attr(m, name) }

var modeMethods = value.NewMethods("Mode", []value.Builtin{
	tagMethod("including", "A mode with more rewrites.", compile.Mode.Including),
	tagMethod("excluding", "A mode without some rewrites.", compile.Mode.Excluding),
	tagMethod("requiring", "A mode with only the rewrites that have all of these tags.", compile.Mode.Requiring),
}).With(
	value.FieldOf("linker", "Which kernels: those of C and Go, of C, of Go.", `Mode().linker # "c|go"`,
		func(m Mode) starlark.Value { return starlark.String(m.m.Linker) }),
	value.FieldOf("optimizer", "Which set of rewrites.", `Mode(optimizer="merge").optimizer # "merge"`,
		func(m Mode) starlark.Value { return starlark.String(m.m.Optimizer) }),
)

func tagMethod(name, doc string, with func(compile.Mode, ...string) compile.Mode) value.Builtin {
	return value.Builtin{Name: name, Doc: doc, Params: []value.Param{{Name: "*tags", Doc: "names of passes, groups or rules"}},
		Example: `Mode().` + name + `("fusion").linker # "c|go"`,
		Fn: func(_ *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			var names starlark.Tuple
			if err := b.Unpack(args, kwargs, &names); err != nil {
				return nil, err
			}
			var tags []string
			for _, n := range names {
				text, ok := starlark.AsString(n)
				if !ok {
					return nil, fmt.Errorf("%s: got %s, want string", name, n.Type())
				}
				tags = append(tags, strings.Split(text, ":")...)
			}
			if err := compile.CheckTags(name, tags); err != nil {
				return nil, err
			}
			return Mode{with(b.Receiver().(Mode).m, tags...)}, nil
		}}
}

// modeBuiltin is Mode().
var modeBuiltin = value.Builtin{Name: "Mode", Params: []value.Param{
	{Name: "linker", Default: "None", Doc: `"c|go", "c" or "go"; None obeys config.linker`},
	{Name: "optimizer", Default: `"default"`, Doc: `"fast_run", "fast_compile", "merge" or None; "default" obeys config.optimizer`},
}, Doc: "How to compile: which kernels, and which rewrites.", Example: `Mode(linker="go").linker # "go"`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := b.Bind(args, kwargs)
		if err != nil {
			return nil, err
		}
		cfg := SessionOf(thread).config
		m := compile.Mode{Linker: cfg.String("linker"), Optimizer: cfg.String("optimizer")}
		if v[0] != nil && v[0] != starlark.None {
			text, ok := starlark.AsString(v[0])
			if !ok {
				return nil, fmt.Errorf("Mode: linker: got %s, want string", v[0].Type())
			}
			if m.Linker, err = checkFlag("linker", text); err != nil {
				return nil, fmt.Errorf("Mode: %w", err)
			}
		}
		switch o := v[1].(type) {
		case nil:
		case starlark.NoneType:
			m.Optimizer = "None"
		case starlark.String:
			if o == "default" {
				break
			}
			if m.Optimizer, err = checkFlag("optimizer", string(o)); err != nil {
				return nil, fmt.Errorf("Mode: %w", err)
			}
		default:
			return nil, fmt.Errorf("Mode: optimizer: got %s, want string or None", o.Type())
		}
		return Mode{m}, nil
	}}

// mode reads the mode argument of function(). None is the flag's; flags that include and exclude rewrites are obeyed by the flag's
// mode and by "Mode", as in Theano.
func (s *Session) mode(v starlark.Value) (compile.Mode, error) {
	defaults := compile.Mode{
		Linker: s.config.String("linker"), Optimizer: s.config.String("optimizer"),
		Include: s.config.Tags("optimizer_including"), Exclude: s.config.Tags("optimizer_excluding"),
	}
	name := s.config.String("mode")
	switch v := v.(type) {
	case nil, starlark.NoneType:
		m, err := compile.NamedMode(name, defaults)
		if err != nil {
			return m, err
		}
		if _, source := s.config.Get("linker"); source != "default" {
			m.Linker = defaults.Linker
		}
		if _, source := s.config.Get("optimizer"); source != "default" {
			m.Optimizer = defaults.Optimizer
		}
		m.Include, m.Exclude = defaults.Include, defaults.Exclude
		return m, nil
	case Mode:
		return v.m, nil
	case starlark.String:
		return compile.NamedMode(string(v), defaults)
	}
	return compile.Mode{}, fmt.Errorf("mode: got %s, want a Mode or its name", v.Type())
}
