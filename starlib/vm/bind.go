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
		g.args = append([]slot.Slot{slot.Of(self)}, g.args...)
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
	if len(c.Params) == 0 {
		if n := len(args) + len(names); n > 0 {
			return fmt.Errorf("function %s accepts no arguments (%d given)", c.Name, n)
		}
		return nil
	}
	named := s.named()
	positional := named - c.KwOnly
	n := min(len(args), positional)
	if len(args) > positional && !c.HasVarargs {
		return fmt.Errorf("function %s accepts %s%d positional argument%s (%d given)", c.Name,
			s.atMost(), positional, plural(positional), len(args))
	}
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
	return s.bindDefaults(params[:named])
}

// atMost says of a count of positional arguments that fewer will do.
func (s *signature) atMost() string {
	for _, i := range s.code.Defaults {
		if i < s.named()-s.code.KwOnly {
			return "at most "
		}
	}
	return ""
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
			return fmt.Errorf("function %s got multiple values for parameter %q", s.code.Name, name)
		}
		params[i] = v
		return nil
	}
	if others == nil {
		return fmt.Errorf("function %s got an unexpected keyword argument %q", s.code.Name, name)
	}
	before := others.Len()
	if err := others.SetKey(starlark.String(name), v.Value()); err != nil {
		return err
	}
	if others.Len() == before {
		return fmt.Errorf("function %s got multiple values for parameter %q", s.code.Name, name)
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
	var missing []string
	for i := range params {
		if !params[i].IsSet() {
			missing = append(missing, s.code.Params[i].Name)
		}
	}
	if missing != nil {
		return fmt.Errorf("function %s missing %d argument%s (%s)", s.code.Name, len(missing),
			plural(len(missing)), strings.Join(missing, ", "))
	}
	return nil
}
