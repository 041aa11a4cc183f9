package symbolic

import (
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// A monitoredMode is a mode whose functions have somebody look at every node: NanGuardMode and
// MonitorMode.
type monitoredMode struct {
	name string
	text string // the arguments that are its own
	m    compile.Mode
}

var (
	_ Compiling           = monitoredMode{}
	_ starlark.Comparable = monitoredMode{}
)

// CompareSameType: modes that compile alike and look at the same are equal.
func (m monitoredMode) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	return equality(op, m.String() == y.(monitoredMode).String(), "modes")
}

func (m monitoredMode) String() string        { return m.name + "(" + m.text + ", " + ModeText(m.m) + ")" }
func (m monitoredMode) Type() string          { return m.name }
func (m monitoredMode) Freeze()               {}
func (m monitoredMode) Truth() starlark.Bool  { return true }
func (m monitoredMode) Hash() (uint32, error) { return starlark.String(m.String()).Hash() }

func (m monitoredMode) CompileMode() compile.Mode { return m.m }

// With keeps what looks at the nodes: in Theano its settings are lost.
func (m monitoredMode) With(n compile.Mode) starlark.Value {
	n.Monitor = m.m.Monitor
	m.m = n
	return m
}

// howArgs are the arguments that modes have in common.
type howArgs struct {
	Optimizer starlark.Value `arg:"optimizer=\"default\": a name, as config.optimizer has them, None for no rewrites, or a Query; \"default\" obeys config.optimizer"`
	Linker    starlark.Value `arg:"linker=None: as that of Mode(); None obeys config.linker"`
}

func (s *Session) howToCompile(a howArgs) (m compile.Mode, err error) {
	if m.Linker, err = readLinker(s.Config(), a.Linker); err == nil {
		err = readOptimizer(s.Config(), &m, a.Optimizer)
	}
	return m, err
}

type nanGuardArgs struct {
	Nan bool `arg:"nan_is_error=True: nan is an error"`
	Inf bool `arg:"inf_is_error=True: inf is an error"`
	Big bool `arg:"big_is_error=True: a number above 1e10 is an error"`
	howArgs
}

// NanGuardModeBuiltin is NanGuardMode().
var NanGuardModeBuiltin = value.Function("NanGuardMode",
	"A mode whose functions look for nan, inf and big numbers in their arguments, in shared variables and in the result of every operation. The first is an "+
		"error that names the operation, its line and its operands; with config.NanGuardMode.action = \"warn\", a warning.",
	`NanGuardMode(big_is_error=False).linker # "c|go"`,
	func(thread *starlark.Thread, a *nanGuardArgs) (starlark.Value, error) {
		s := SessionOf(thread)
		m, err := s.howToCompile(a.howArgs)
		if err != nil {
			return nil, fmt.Errorf("NanGuardMode: %w", err)
		}
		return s.nanGuardMode(m, a.Nan, a.Inf, a.Big)
	})

// nanGuardMode is a NanGuardMode that compiles as m does.
func (s *Session) nanGuardMode(m compile.Mode, nan, inf, big bool) (Compiling, error) {
	guard := s.nanGuard(nan, inf, big)
	if err := guard.Check(); err != nil {
		return nil, fmt.Errorf("NanGuardMode: %w", err)
	}
	m.Monitor = guard
	text := fmt.Sprintf("nan_is_error=%v, inf_is_error=%v, big_is_error=%v", starlark.Bool(nan), starlark.Bool(inf), starlark.Bool(big))
	return monitoredMode{"NanGuardMode", text, m}, nil
}

func (s *Session) nanGuard(nan, inf, big bool) *debugmode.NanGuard {
	g := &debugmode.NanGuard{Nan: nan, Inf: inf, Big: big}
	if s.Config().String("NanGuardMode.action") == "warn" {
		g.Warn = s.Warn
	}
	return g
}

// unguarded is the mode of what, whose NanGuard does not look at variables whose tag says so.
func unguarded(what compile.Spec) compile.Mode {
	m := what.Mode
	guard, ok := m.Monitor.(*debugmode.NanGuard)
	if !ok {
		return m
	}
	var unchecked []*graph.Variable
	look := func(v *graph.Variable) {
		if !guarded(v) && !slices.Contains(unchecked, v) {
			unchecked = append(unchecked, v)
		}
	}
	fg := graph.FunctionGraph{Outputs: what.Outputs, Updates: what.Updates}
	for _, given := range what.Givens {
		fg.Outputs = append(slices.Clone(fg.Outputs), given)
	}
	for _, v := range slices.Concat(what.Inputs, slices.Collect(fg.Roots())) {
		look(v)
	}
	for _, node := range fg.Toposort() {
		for _, v := range node.Outputs {
			look(v)
		}
	}
	if unchecked == nil {
		return m
	}
	g := *guard
	g.Unchecked, m.Monitor = unchecked, &g
	return m
}
