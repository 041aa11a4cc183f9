package np

import (
	"slices"

	"github.com/arignote/arignote/runtime/array"
	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/runtime/op"
	"github.com/arignote/arignote/runtime/tensor"
	"github.com/arignote/arignote/starlib/functions"
	"go.starlark.net/starlark"
)

// ArgExtremeArgs are the arguments of np.argmax.
type ArgExtremeArgs struct {
	ArrayArg
	Axis     functions.Axes `arg:"axis=None: the axis; a position among the elements of several axes, or of all if not given, in C order"`
	KeepDims bool           `arg:"keepdims=False: keep the reduced axes with length 1"`
	KeywordOnly
	OutArg
}

// argExtreme is argmax and argmin.
func argExtreme(least bool) func(e *Eval, a *ArgExtremeArgs) starlark.Value {
	return func(e *Eval, a *ArgExtremeArgs) starlark.Value {
		axes, x, axis := e.LinesOf(a.A.D, a.Axis)
		if e.Failed() {
			return nil
		}
		z := e.Got(RunOp(e.Session, op.Argmax{Axis: axis, Min: least}, x))
		if rank := a.A.D.Rank(); a.KeepDims {
			z = e.Permute(z, op.Restore(axes, rank))
		}
		return e.Result(z)
	}
}

// LinesOf is an array whose elements along axes are one axis, which is returned too, after the set
// of axes.
func (e *Eval) LinesOf(x *tensor.Dense, given functions.Axes) (axes tensor.Axes, lines *tensor.Dense, along int) {
	axes, err := given.Dropped(x.Rank())
	if Keep(e, axes, err, tensor.Axes{}); e.Failed() {
		return axes, x, 0
	}
	list := axes.List()
	if len(list) == 1 {
		return axes, x, list[0]
	}
	rest := array.Without(x.Rank(), list)
	n := tensor.Size(array.Lengths(x, list))
	return axes, e.Reshape(e.Permute(x, slices.Concat(rest, list)), append(array.Lengths(x, rest), n)...), len(rest)
}

func argExtremes(least bool) functions.Half[ArgExtremeArgs] {
	return functions.Builds(func(g *functions.Graph, a *ArgExtremeArgs) (functions.V, error) {
		axes, err := a.Axis.Dropped(a.A.V.Type.Rank())
		if err != nil {
			return nil, err
		}
		return formula.Extreme(g.Builder, a.A.V, axes, least, a.KeepDims), nil
	})
}
