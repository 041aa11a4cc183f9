package vm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/code"
	"github.com/arignote/arignote/starlib/slot"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A signature is what a function takes: it makes parameters of arguments.
type signature struct {
	code     *code.Func
	defaults []slot.Slot // of the parameters code.Defaults
}

func (s *signature) NumParams() int       { return len(s.code.Params) }
func (s *signature) NumKwonlyParams() int { return s.code.KwOnly }
func (s *signature) HasVarargs() bool     { return s.code.HasVarargs }
func (s *signature) HasKwargs() bool      { return s.code.HasKwargs }

// Param is a parameter, 0 <= i < NumParams().
func (s *signature) Param(i int) (string, syntax.Position) {
	p := s.code.Params[i]
	return p.Name, p.Pos
}

// ParamDefault is the default value of a parameter, nil if it has none.
func (s *signature) ParamDefault(i int) starlark.Value {
	if at := slices.Index(s.code.Defaults, i); at >= 0 {
		return s.defaults[at].Value()
	}
	return nil
}

// simple reports whether as many arguments as there are parameters are those.
func (s *signature) simple() bool {
	return s.code.KwOnly == 0 && !s.code.HasVarargs && !s.code.HasKwargs
}

// named are how many parameters can be given by name: all but *args and **kwargs.
func (s *signature) named() int {
	n := len(s.code.Params)
	if s.code.HasVarargs {
		n--
	}
	if s.code.HasKwargs {
		n--
	}
	return n
}

// given are the arguments of a call, in registers.
type given struct {
	args   []slot.Slot
	names  []string // of values
	values []slot.Slot
}

// bindTo makes the parameters of a call of arguments that stand in registers, with self before them
// if it is not nil.
func (s *signature) bindTo(params []slot.Slot, self starlark.Value, g given) error {
	if s.bindsPlainly(params, self, g) {
		return nil
	}
	clear(params)
	if self != nil {
		var few [8]slot.Slot // in Go's stack
		g.args = append(append(few[:0], slot.Of(self)), g.args...)
	}
	return s.bind(params, g.args, g.names, g.values)
}

// bindsPlainly is bindTo of a function without *args and **kwargs and of arguments that fit.
func (s *signature) bindsPlainly(params []slot.Slot, self starlark.Value, g given) bool {
	n := 0
	if self != nil {
		n = 1
	}
	if !s.plainly() || n+len(g.args) > len(params)-s.code.KwOnly {
		return false
	}
	if self != nil {
		params[0].SetRef(self)
	}
	n += copy(params[n:], g.args)
	for i, name := range g.names {
		at := n
		for at < len(params) && s.code.Params[at].Name != name {
			at++
		}
		if at == len(params) || params[at].IsSet() {
			return false
		}
		params[at] = g.values[i]
	}
	for at, i := range s.code.Defaults {
		if !params[i].IsSet() {
			params[i] = s.defaults[at]
		}
	}
	for i := n; i < len(params); i++ {
		if !params[i].IsSet() {
			return false
		}
	}
	return true
}

// plainly reports whether all parameters stand for themselves.
func (s *signature) plainly() bool { return !s.code.HasVarargs && !s.code.HasKwargs }

// bind makes parameters of arguments. The registers of params are empty; kwargs are pairs of a name
// and a value.
func (s *signature) bind(params []slot.Slot, args []slot.Slot, names []string, values []slot.Slot) error {
	c := s.code
	named := s.named()
	positional := named - c.KwOnly
	n := min(len(args), positional)
	copy(params, args[:n])
	at := named
	if c.HasVarargs {
		rest := make(starlark.Tuple, len(args)-n)
		for i, a := range args[n:] {
			rest[i] = a.Value()
		}
		params[at] = slot.Ref(rest)
		at++
	}
	var others *slot.Dict
	if c.HasKwargs {
		others = new(slot.Dict)
		params[at] = slot.Ref(others)
	}
	for i, name := range names {
		if err := s.bindName(params[:named], others, name, values[i]); err != nil {
			return err
		}
	}
	if len(args) > positional && !c.HasVarargs {
		return s.tooMany(len(args), names)
	}
	return s.bindDefaults(params[:named])
}

// tooMany is the error of more positional arguments than parameters, in the words of CPython.
func (s *signature) tooMany(given int, names []string) error {
	positional := s.named() - s.code.KwOnly
	least := positional
	for _, i := range s.code.Defaults {
		if i < positional {
			least--
		}
	}
	takes := fmt.Sprint(positional)
	if least < positional {
		takes = fmt.Sprintf("from %d to %d", least, positional)
	}
	only := 0
	for _, p := range s.code.Params[positional:s.named()] {
		if slices.Contains(names, p.Name) {
			only++
		}
	}
	were := "were"
	if given == 1 && only == 0 {
		were = "was"
	}
	and := ""
	if only > 0 {
		and = fmt.Sprintf(" positional argument%s (and %d keyword-only argument%s)", plural(given), only, plural(only))
	}
	return s.fault("takes %s positional argument%s but %d%s %s given", takes, plural(positional), given, and, were)
}

// fault is the error of a call of the function.
func (s *signature) fault(format string, args ...any) error {
	parts := strings.Split(s.code.Qual, ".")
	for i, part := range parts {
		if part == "lambda" {
			parts[i] = "<lambda>"
		}
	}
	return fmt.Errorf("%s() "+format, append([]any{strings.Join(parts, ".")}, args...)...)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// bindName binds a keyword argument.
func (s *signature) bindName(params []slot.Slot, others *slot.Dict, name string, v slot.Slot) error {
	for i := range params {
		if s.code.Params[i].Name != name {
			continue
		}
		if params[i].IsSet() {
			return s.fault("got multiple values for argument '%s'", name)
		}
		params[i] = v
		return nil
	}
	if others == nil {
		return s.fault("got an unexpected keyword argument '%s'", name)
	}
	before := others.Len()
	if err := others.SetKey(starlark.String(name), v.Value()); err != nil {
		return err
	}
	if others.Len() == before {
		return s.fault("got multiple values for argument '%s'", name)
	}
	return nil
}

// bindDefaults gives parameters without an argument their default values.
func (s *signature) bindDefaults(params []slot.Slot) error {
	for at, i := range s.code.Defaults {
		if !params[i].IsSet() {
			params[i] = s.defaults[at]
		}
	}
	positional := s.named() - s.code.KwOnly
	if err := s.missing("positional", params[:positional], s.code.Params[:positional]); err != nil {
		return err
	}
	return s.missing("keyword-only", params[positional:], s.code.Params[positional:s.named()])
}

// missing is the error of the parameters that have no argument, nil if all have one.
func (s *signature) missing(kind string, params []slot.Slot, of []code.Param) error {
	var names []string
	for i := range params {
		if !params[i].IsSet() {
			names = append(names, "'"+of[i].Name+"'")
		}
	}
	n := len(names)
	if n == 0 {
		return nil
	}
	list := names[n-1]
	switch {
	case n == 2:
		list = names[0] + " and " + list
	case n > 2:
		list = strings.Join(names[:n-1], ", ") + ", and " + list
	}
	return s.fault("missing %d required %s argument%s: %s", n, kind, plural(n), list)
}
