package symbolic

import (
	"fmt"
	"slices"
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

func (m Mode) String() string { return "Mode(" + ModeText(m.m) + ")" }

// ModeText is the arguments that make a mode, and its tags.
func ModeText(m compile.Mode) string {
	parts := []string{fmt.Sprintf("linker=%q, optimizer=%q", m.Linker, m.Optimizer)}
	for _, list := range []struct {
		name string
		tags []string
	}{{"including", m.Include}, {"excluding", m.Exclude}, {"requiring", m.Require}} {
		if len(list.tags) > 0 {
			parts = append(parts, list.name+"="+strings.Join(list.tags, ":"))
		}
	}
	if len(m.Rules) > 0 {
		var rules []string
		for _, r := range m.Rules {
			rules = append(rules, r.Name)
		}
		parts = append(parts, "rules="+strings.Join(rules, ":"))
	}
	return strings.Join(parts, ", ")
}

// CompareSameType: modes that compile alike are equal.
func (m Mode) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	other := y.(Mode).m
	same := m.String() == y.(Mode).String() && slices.EqualFunc(m.m.Rules, other.Rules, func(r, u compile.Registered) bool { return slices.Equal(r.Rules, u.Rules) })
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

func (m Mode) Table() *value.Methods { return ModeMethods }
func (m Mode) AttrNames() []string   { return ModeMethods.Names() }

func (m Mode) Attr(name string) (starlark.Value, error) { return ModeMethods.Attr(m, name) }

// A Compiling value is a Mode or another value that says how to compile.
type Compiling interface {
	value.Tabled
	CompileMode() compile.Mode
	With(m compile.Mode) starlark.Value // a copy that compiles so
}

func (m Mode) CompileMode() compile.Mode          { return m.m }
func (m Mode) With(n compile.Mode) starlark.Value { return Mode{n} }

var ModeMethods = value.NewMethods("Mode", TagMethods("Mode()")).With(ModeFields("Mode")...)

// TagMethods are the methods that modes have, with examples on the value of an expression.
func TagMethods(example string) []value.Builtin {
	return []value.Builtin{
		tagMethod(example, "including", "A mode with more rewrites.", compile.Mode.Including),
		tagMethod(example, "excluding", "A mode without some rewrites.", compile.Mode.Excluding),
		tagMethod(example, "requiring", "A mode with only the rewrites that have all of these tags.", compile.Mode.Requiring),
		registerMethod(example),
	}
}

func ModeFields(class string) []value.Field {
	return []value.Field{
		value.FieldOf("linker", "Which kernels: those of C and Go, of C, of Go.", class+`().linker # "c|go"`,
			func(m Compiling) starlark.Value { return starlark.String(m.CompileMode().Linker) }),
		value.FieldOf("optimizer", "Which set of rewrites.", class+`(optimizer="merge").optimizer # "merge"`,
			func(m Compiling) starlark.Value { return starlark.String(m.CompileMode().Optimizer) }),
	}
}

func tagMethod(example, name, doc string, with func(compile.Mode, ...string) compile.Mode) value.Builtin {
	return value.Builtin{Name: name, Doc: doc, Params: []value.Param{{Name: "*tags", Doc: "names of passes, groups or rules"}},
		Example: example + `.` + name + `("fusion").linker # "c|go"`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
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
			m := b.Receiver().(Compiling)
			if err := compile.CheckTags(name, tags, append(SessionOf(thread).Registered(), m.CompileMode().Rules...)...); err != nil {
				return nil, err
			}
			return m.With(with(m.CompileMode(), tags...)), nil
		}}
}

// ModeParams are those of Mode() and of what makes other modes.
var ModeParams = []value.Param{
	{Name: "linker", Default: "None", Doc: `"c|go", "c" or "go", or one of theano.gof; None obeys config.linker`},
	{Name: "optimizer", Default: `"default"`, Doc: `"fast_run", "fast_compile", "merge" or None; "default" obeys config.optimizer`},
}

// NewMode reads the arguments of ModeParams.
func (s *Session) NewMode(b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (compile.Mode, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return compile.Mode{}, err
	}
	var m compile.Mode
	if m.Linker, err = s.readLinker(v[0]); err == nil {
		m.Optimizer, err = s.readOptimizer(v[1])
	}
	if err != nil {
		return compile.Mode{}, fmt.Errorf("%s: %w", b.Name, err)
	}
	return m, nil
}

// ModeBuiltin is Mode().
var ModeBuiltin = value.Builtin{Name: "Mode", Params: ModeParams,
	Doc: "How to compile: which kernels, and which rewrites.", Example: `Mode(linker="go").linker # "go"`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		m, err := SessionOf(thread).NewMode(b, args, kwargs)
		if err != nil {
			return nil, err
		}
		return Mode{m}, nil
	}}

// mode reads the mode argument of function(), and says which mode that watches it asks for, if it does. None is the flag's; flags that
// include and exclude rewrites are obeyed by the flag's mode and by "Mode", as in Theano.
func (s *Session) mode(v starlark.Value) (compile.Mode, WatchedMode, error) {
	defaults := compile.Mode{
		Linker: s.Config().String("linker"), Optimizer: s.Config().String("optimizer"),
		Include: s.Config().Tags("optimizer_including"), Exclude: s.Config().Tags("optimizer_excluding"),
	}
	named := func(name string) (compile.Mode, error) {
		m, err := compile.NamedMode(name, defaults)
		if err == nil && m.Debug != nil {
			o, err := s.debugOptions()
			m.Debug = &o
			return m, err
		}
		if err == nil && name == "NanGuardMode" {
			c := s.Config()
			guard := s.nanGuard(c.Bool("NanGuardMode.nan_is_error"), c.Bool("NanGuardMode.inf_is_error"), c.Bool("NanGuardMode.big_is_error"))
			m.Monitor, err = guard, guard.Check()
		}
		return m, err
	}
	switch v := v.(type) {
	case nil, starlark.NoneType:
		name := s.Config().String("mode")
		m, err := named(name)
		if err != nil {
			return m, nil, err
		}
		if _, source := s.Config().Get("linker"); source != "default" {
			m.Linker = defaults.Linker
		}
		if _, source := s.Config().Get("optimizer"); source != "default" {
			m.Optimizer = defaults.Optimizer
		}
		m.Include, m.Exclude = defaults.Include, defaults.Exclude
		return m, s.watching.Mode(name), nil
	case WatchedMode:
		return v.CompileMode(), v, nil
	case Compiling:
		return v.CompileMode(), nil, nil
	case starlark.String:
		m, err := named(string(v))
		return m, s.watching.Mode(string(v)), err
	}
	return compile.Mode{}, nil, fmt.Errorf("mode: got %s, want a Mode or its name", v.Type())
}
