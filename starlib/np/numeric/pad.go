package numeric

import (
	"github.com/arignote/arignote/kernels"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

// padTable is np.pad.
var padTable = []functions.Function{
	np.Function("np.pad T.pad", "An array with elements added at the ends of its axes.",
		"pad([1, 2, 3], (1, 2), mode=\"edge\") # array([1, 1, 2, 3, 3, 3])", padded, functions.Builds(func(g *functions.Graph, a *paddedArgs) (functions.V, error) {
			ends := a.ConstantValues.V
			if a.Mode == "linear_ramp" {
				ends = a.EndValues.V
			}
			if ends == nil {
				ends = formula.Int(g.Builder, 0)
			}
			return formula.Padded(g.Builder, a.Array.V, a.PadWidth.V, ends, a.Mode)
		})),
}

// paddedArgs are the arguments of np.pad.
type paddedArgs struct {
	Array          functions.Operand  `arg:"array|x: an array"`
	PadWidth       functions.Integers `arg:"pad_width: how many before and after each axis: a number, a pair, or a pair for each axis"`
	Mode           string             `arg:"mode=\"constant\": constant, edge, reflect, symmetric, wrap, maximum, minimum, mean, linear_ramp or empty"`
	ConstantValues functions.Operand  `arg:"constant_values=0: the elements of mode constant, as a number, a pair, or a pair for each axis"`
	EndValues      functions.Operand  `arg:"end_values=0: the outermost elements of mode linear_ramp"`
}

func padded(e *np.Eval, a *paddedArgs) starlark.Value {
	widths, err := formula.PadWidths(a.PadWidth.D, a.Array.D.Rank())
	np.Keep(e, widths, err, nil)
	mode := e.Word("mode", a.Mode, formula.PadModes...)
	for _, w := range widths {
		if w[0] < 0 || w[1] < 0 {
			e.FailFor("pad_width", "got %s, want no negative number", a.PadWidth.Value)
		}
	}
	ends := tensor.IntScalar(kernels.Int64, 0)
	switch {
	case mode == "linear_ramp" && a.EndValues.D != nil:
		ends = a.EndValues.D
	case mode == "constant" && a.ConstantValues.D != nil:
		ends, err = np.ToStore(a.ConstantValues.Value, a.Array.D.DType())
		np.Keep(e, ends, err, nil)
	}
	return np.AsArray(e, e.Apply(func(m *formula.Algebra) (formula.Array, error) {
		return formula.FilledPad(m, a.Array.D, mode, widths, ends)
	}))
}
