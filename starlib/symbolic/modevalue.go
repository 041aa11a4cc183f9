package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/starlib/slot"
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
	sameRules := slices.EqualFunc(m.m.Rules, other.Rules, func(r, u compile.Registered) bool { return slices.Equal(r.Rules, u.Rules) })
	return equality(op, m.String() == y.(Mode).String() && sameRules, "modes")
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
		{Name: "clone", Doc: "A mode like this one, with another linker or other rewrites.", Params: []value.Param{
			{Name: "link_kwargs", Default: "None", Doc: "a dict of options of the linker, as its constructor in theano.link takes them: {\"allow_gc\": False}"},
			{Name: "optimizer", Default: `""`, Doc: "as that of Mode(), instead of all that included and excluded rewrites; \"\" keeps them"},
			{Name: "linker", Default: "None", Doc: "as that of Mode(); None keeps it"},
		}, Example: example + `.clone(link_kwargs={"allow_gc": False}).linker # "c|go_nogc"`, Fn: cloneMode},
		registerMethod(example),
	}
}

func cloneMode(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return nil, err
	}
	s, of := SessionOf(thread), b.Receiver().(Compiling)
	m := of.CompileMode()
	if v[2] != nil && v[2] != starlark.None {
		if m.Linker, err = s.readLinker(v[2]); err != nil {
			return nil, fmt.Errorf("clone: %w", err)
		}
	}
	switch options := v[0].(type) {
	case nil, starlark.NoneType:
	case *slot.Dict:
		if m.Linker, err = relink(m.Linker, options); err != nil {
			return nil, fmt.Errorf("clone: link_kwargs: %w", err)
		}
	default:
		return nil, fmt.Errorf("clone: link_kwargs: got %s, want dict or None", v[0].Type())
	}
	if v[1] != nil && v[1] != starlark.String("") {
		if err := s.readOptimizer(&m, v[1]); err != nil {
			return nil, fmt.Errorf("clone: %w", err)
		}
	}
	return of.With(m), nil
}

func ModeFields(class string) []value.Field {
	return []value.Field{
		value.FieldOf("linker", "Which kernels: those of C and Go, of C, of Go.", class+`().linker # "c|go"`,
			func(m Compiling) starlark.Value { return starlark.String(m.CompileMode().Linker) }),
		value.FieldOf("optimizer", "Which set of rewrites.", class+`(optimizer="merge").optimizer # "merge"`,
			func(m Compiling) starlark.Value { return starlark.String(m.CompileMode().Optimizer) }),
	}
}

var tagParams = []value.Param{{Name: "*tags", Doc: "names of passes, groups or rules"}}

func tagMethod(example, name, doc string, with func(compile.Mode, ...string) compile.Mode) value.Builtin {
	return value.Builtin{Name: name, Doc: doc, Params: tagParams, Example: example + `.` + name + `("fusion").linker # "c|go"`,
		Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			tags, err := SessionOf(thread).readTags(b, args, kwargs)
			if err != nil {
				return nil, err
			}
			m := b.Receiver().(Compiling)
			return m.With(with(m.CompileMode(), tags...)), nil
		}}
}

// readTags reads the arguments of tagParams; one of them may have several with colons between them.
// b has the name of what is done with them.
func (s *Session) readTags(b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (tags []string, err error) {
	var given starlark.Tuple
	if err := b.Unpack(args, kwargs, &given); err != nil {
		return nil, err
	}
	names, err := texts(given)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Name, err)
	}
	for _, n := range names {
		tags = append(tags, strings.Split(n, ":")...)
	}
	var own []compile.Registered
	if m, ok := b.Receiver().(Compiling); ok {
		own = m.CompileMode().Rules
	}
	return tags, s.checkTags(b.Name, tags, own...)
}

// checkTags warns of tags that no rewrite has: none of Arignote's, of the session's, nor of own,
// those of a mode. kind is including, excluding or requiring: an unknown tag that is required is an
// error.
func (s *Session) checkTags(kind string, tags []string, own ...compile.Registered) error {
	rules := append(s.Registered(), own...)
	if kind == "requiring" {
		return compile.CheckTags(kind, tags, rules...)
	}
	for _, tag := range tags {
		if err := compile.CheckTags(kind, []string{tag}, rules...); err != nil {
			s.Warn(err.Error() + "; it is left out")
		}
	}
	return nil
}

// ModeParams are those of Mode() and of what makes other modes.
var ModeParams = []value.Param{
	{Name: "linker", Default: "None", Doc: `"c|go", "c", "go" or "c&go", "_nogc" or "_gc" at its end, Theano's names of them, or one of theano.link; None obeys config.linker`},
	{Name: "optimizer", Default: `"default"`, Doc: `a name, as config.optimizer has them, None for no rewrites, or a Query; "default" obeys config.optimizer`},
}

// NewMode reads the arguments of ModeParams.
func (s *Session) NewMode(b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (compile.Mode, error) {
	v, err := b.Bind(args, kwargs)
	if err != nil {
		return compile.Mode{}, err
	}
	var m compile.Mode
	if m.Linker, err = s.readLinker(v[0]); err == nil {
		err = s.readOptimizer(&m, v[1])
	}
	if err != nil {
		return compile.Mode{}, fmt.Errorf("%s: %w", b.Name, err)
	}
	return m, nil
}

// ModeBuiltin is Mode().
var ModeBuiltin = value.Builtin{Name: "Mode", Types: []string{"Mode", "DebugMode", "NanGuardMode", "MonitorMode", "ProfileMode"}, Params: ModeParams,
	Doc: "How to compile: which kernels, and which rewrites.", Example: `Mode(linker="go").linker # "go"`,
	Fn: func(thread *starlark.Thread, b *value.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		m, err := SessionOf(thread).NewMode(b, args, kwargs)
		if err != nil {
			return nil, err
		}
		return Mode{m}, nil
	}}
