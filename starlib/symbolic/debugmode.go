package symbolic

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/debugmode"
	"github.com/arignote/arignote/starlib/slot"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// DebugMode is a mode whose functions run under checks.
type DebugMode struct{ m compile.Mode }

var (
	_ Compiling           = DebugMode{}
	_ starlark.Comparable = DebugMode{}
)

// CompareSameType: modes that compile alike and check the same are equal.
func (m DebugMode) CompareSameType(op syntax.Token, y starlark.Value, _ int) (bool, error) {
	n := y.(DebugMode)
	return equality(op, ModeText(m.m) == ModeText(n.m) && reflect.DeepEqual(m.m.Debug, n.m.Debug), "modes")
}

func (m DebugMode) String() string {
	o := m.m.Debug
	return fmt.Sprintf("DebugMode(%s, stability_patience=%d, check_c_code=%v, check_py_code=%v, check_isfinite=%v, check_preallocated_output=%q, "+
		"check_preallocated_output_ndim=%d, require_matching_strides=%d, warn_input_not_reused=%v, check_gradient=%v)", ModeText(m.m), o.Patience, starlark.Bool(o.CheckC),
		starlark.Bool(o.CheckGo), starlark.Bool(o.CheckFinite), debugmode.PatternsText(o.Preallocated), o.Ndim, o.Strides, starlark.Bool(o.WarnNotReused), starlark.Bool(o.CheckGradient))
}

func (m DebugMode) Type() string          { return "DebugMode" }
func (m DebugMode) Freeze()               {}
func (m DebugMode) Truth() starlark.Bool  { return true }
func (m DebugMode) Hash() (uint32, error) { return starlark.String(m.String()).Hash() }

func (m DebugMode) Table() *value.Methods                    { return DebugModeMethods }
func (m DebugMode) AttrNames() []string                      { return DebugModeMethods.Names() }
func (m DebugMode) Attr(name string) (starlark.Value, error) { return DebugModeMethods.Attr(m, name) }
func (m DebugMode) CompileMode() compile.Mode                { return m.m }
func (m DebugMode) With(n compile.Mode) starlark.Value       { return DebugMode{n} }

// DebugModeMethods are the methods and fields of a DebugMode.
var DebugModeMethods = value.NewMethods("DebugMode", TagMethods("DebugMode()")).With(ModeFields("DebugMode")...)

// debugArgs are the arguments of DebugMode(), by Theano's names and by those of its flags. What is
// not given is the flag's.
type debugArgs struct {
	Optimizer     starlark.Value `arg:"optimizer=\"default\": a name, as config.optimizer has them, None for no rewrites, or a Query; \"default\" obeys config.optimizer"`
	Patience      *int           `arg:"stability_patience|patience=None: how often the rewriting of a graph is repeated, which has to do the same each time"`
	CheckC        *bool          `arg:"check_c_code|check_c=None: run the C implementation of each operation"`
	CheckGo       *bool          `arg:"check_py_code|check_py|check_go=None: run the Go implementation of each operation, which is to C here what Python is in Theano"`
	CheckFinite   *bool          `arg:"check_isfinite|check_finite=None: nan and inf in a value are an error"`
	Preallocated  starlark.Value `arg:"check_preallocated_output=None: layouts of operands and results to try: initial, previous, c_contiguous, f_contiguous, strided, wrong_size, with colons between them, or ALL"`
	Strides       starlark.Value `arg:"require_matching_strides|check_strides=None: results of C and Go that lie differently in memory: 0 or \"ignore\", 1 or \"warn\", 2 or \"raise\""`
	Linker        starlark.Value `arg:"linker=None: as that of Mode(); None obeys config.linker"`
	Tolerance     *slot.Dict     `arg:"tolerance=None: by how much two floats may differ, relative to the larger: a dict from \"float64\" and \"float32\""`
	CheckGradient *bool          `arg:"check_gradient=None: compare the results of grad() with differences of its cost"`
}

// DebugModeBuiltin is DebugMode().
var DebugModeBuiltin = classOf("DebugMode", value.Function("DebugMode",
	"A mode whose functions check themselves at each call: every rewrite against the graph as it was written, every operation in C against Go, what it says of "+
		"memory that it shares or overwrites, values that are not finite, and gradients. What is wrong is an error that names the rewrite, the operation and the line: "+
		"BadOptimization, BadThunkOutput, BadDestroyMap, BadViewMap, InvalidValueError, StochasticOrder, BadGradient.",
	`function([], T.constant(2.0) * 10, mode=DebugMode(check_isfinite=False))() # 20.0`,
	func(thread *starlark.Thread, a *debugArgs) (starlark.Value, error) {
		m, err := SessionOf(thread).debugMode(a)
		if err != nil {
			return nil, fmt.Errorf("DebugMode: %w", err)
		}
		return DebugMode{m}, nil
	}))

func (s *Session) debugMode(a *debugArgs) (compile.Mode, error) {
	var m compile.Mode
	var err error
	if m.Linker, err = s.readLinker(a.Linker); err != nil {
		return m, err
	}
	if err = s.readOptimizer(&m, a.Optimizer); err != nil {
		return m, err
	}
	o, err := s.debugOptions()
	if err != nil {
		return m, err
	}
	m.Debug = &o
	if a.Patience != nil {
		o.Patience = *a.Patience
	}
	for _, given := range []struct{ from, to *bool }{
		{a.CheckC, &o.CheckC}, {a.CheckGo, &o.CheckGo}, {a.CheckFinite, &o.CheckFinite}, {a.CheckGradient, &o.CheckGradient},
	} {
		if given.from != nil {
			*given.to = *given.from
		}
	}
	if a.Preallocated != nil {
		text, ok := starlark.AsString(a.Preallocated)
		if !ok {
			return m, fmt.Errorf("check_preallocated_output: got %s, want a string", a.Preallocated.Type())
		}
		if o.Preallocated, err = debugmode.ParsePatterns(text); err != nil {
			return m, err
		}
	}
	if a.Strides != nil {
		if o.Strides, err = readStrides(a.Strides); err != nil {
			return m, err
		}
	}
	if a.Tolerance != nil {
		if o.Tolerance, err = readTolerance(a.Tolerance); err != nil {
			return m, err
		}
	}
	return m, o.Check()
}

// readStrides reads how strict the comparison of strides is.
func readStrides(v starlark.Value) (int, error) {
	for i, word := range []string{"ignore", "warn", "raise"} {
		if text, ok := starlark.AsString(v); ok && text == word {
			return i, nil
		}
	}
	n, err := starlark.AsInt32(value.NumberOf(v))
	if err != nil {
		return 0, fmt.Errorf(`require_matching_strides: got %s, want 0 or "ignore", 1 or "warn", 2 or "raise"`, value.Repr(v))
	}
	return n, nil
}

func readTolerance(d *slot.Dict) (map[kernels.DType]float64, error) {
	res := make(map[kernels.DType]float64)
	for _, kv := range d.Items() {
		name, _ := starlark.AsString(kv[0])
		dtype, err := kernels.ParseDType(name)
		if err != nil || !dtype.IsFloat() {
			return nil, fmt.Errorf(`tolerance: got the key %s, want "float64" or "float32"`, value.Repr(kv[0]))
		}
		f, ok := starlark.AsFloat(value.NumberOf(kv[1]))
		if !ok || !(f >= 0) {
			return nil, fmt.Errorf("tolerance: got %s for %s, want a number of at least 0", value.Repr(kv[1]), name)
		}
		res[dtype] = f
	}
	return res, nil
}

// debugOptions are those that the flags say.
func (s *Session) debugOptions() (debugmode.Options, error) {
	o, c := debugmode.Default(), s.Config()
	o.Patience = c.Int("DebugMode.patience")
	o.CheckC, o.CheckGo, o.CheckFinite = c.Bool("DebugMode.check_c"), c.Bool("DebugMode.check_py"), c.Bool("DebugMode.check_finite")
	o.Strides = c.Int("DebugMode.check_strides")
	o.WarnNotReused = c.Bool("DebugMode.warn_input_not_reused")
	o.Ndim = c.Int("DebugMode.check_preallocated_output_ndim")
	o.CheckGradient = c.Bool("DebugMode.check_gradient")
	var err error
	o.Preallocated, err = debugmode.ParsePatterns(strings.TrimSpace(c.String("DebugMode.check_preallocated_output")))
	return o, err
}
