package manipulation

import (
	"cmp"

	"github.com/arignote/arignote/runtime/formula"
	"github.com/arignote/arignote/starlib/functions"
	"github.com/arignote/arignote/starlib/np"
	"go.starlark.net/starlark"
)

func indicesRow(name, example, where string, upper bool) functions.Function {
	return np.Function(name, "The indices of the elements "+where+" a diagonal, as a tuple.", example, func(e *np.Eval, a *indicesArgs) starlark.Value {
		m, k := a.N.N, a.K.N
		if a.M.Given() {
			m = a.M.N
		}
		if upper {
			k--
		}
		poll := e.Poll()
		z := e.Got(poll.Tri(a.N.N, m, k))
		if upper {
			z = e.Do("logical_not", z)
		}
		return e.Positions(z)
	}, functions.BuildsTuple(func(g *functions.Graph, a *indicesArgs) ([]functions.V, error) {
		return formula.TriangleIndices(g.Builder, a.N.V, cmp.Or(a.M.V, a.N.V), a.K.VOr(g, 0), upper)
	}))
}

// indicesArgs are the arguments of np.tril_indices.
type indicesArgs struct {
	N functions.Integer `arg:"n: the number of rows"`
	K functions.Integer `arg:"k=0: the diagonal; above the main one if positive"`
	M functions.Integer `arg:"m=None: the number of columns, n if not given"`
}
