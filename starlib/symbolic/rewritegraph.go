package symbolic

import (
	"errors"
	"fmt"
	"slices"

	"github.com/arignote/arignote/runtime/compile"
	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

type rewriteGraphArgs struct {
	Graph   starlark.Value `arg:"graph: a variable, a list of variables, or a FunctionGraph"`
	Include starlark.Value `arg:"include=('canonicalize',): tags of the rewrites to apply: names of phases, of passes or of rules"`
	Custom  starlark.Value `arg:"custom_rewrite=None: refused: register_canonicalize(rule) and its like register rules"`
	Clone   bool           `arg:"clone=False: accepted: a graph never changes"`
	Exclude starlark.Value `arg:"exclude=None: tags of those to leave out"`
	Require starlark.Value `arg:"require=None: tags that each of them must have"`
}

// RewriteGraph is PyTensor's rewrite_graph.
var RewriteGraph = value.Function("rewrite_graph", "What rewrites make of a graph, before it is compiled: the variables that stand for those given. "+
	"Functions are compiled with the rewrites of their mode in any case.",
	`x = T.vector("x"); theano.graph.rewrite_graph(T.log(1 + x), include=("stabilize",)).owner.op == T.log1p # True`,
	func(thread *starlark.Thread, a *rewriteGraphArgs) (starlark.Value, error) {
		s := SessionOf(thread)
		fail := func(err error) (starlark.Value, error) { return nil, s.Locate(fmt.Errorf("rewrite_graph: %w", err)) }
		if !Absent(a.Custom) {
			return fail(errors.New("custom_rewrite: register the rule, by register_canonicalize or its like, and include its name"))
		}
		q := compile.Query{Include: []string{"canonicalize"}, Rules: s.Registered()}
		for _, arg := range []struct {
			name, kind string
			v          starlark.Value
			to         *[]string
		}{{"include", "including", a.Include, &q.Include}, {"exclude", "excluding", a.Exclude, &q.Exclude}, {"require", "requiring", a.Require, &q.Require}} {
			if Absent(arg.v) {
				continue
			}
			list, ok := arg.v.(starlark.Iterable)
			if !ok {
				return fail(fmt.Errorf("%s: got %s, want a list of strings", arg.name, arg.v.Type()))
			}
			var err error
			if *arg.to, err = texts(list); err == nil {
				err = s.checkTags(arg.kind, *arg.to)
			}
			if err != nil {
				return fail(fmt.Errorf("%s: %w", arg.name, err))
			}
		}
		var vars []*graph.Variable
		view, whole := a.Graph.(*GraphView)
		one, err := false, error(nil)
		if whole {
			vars = view.Graph.Results()
		} else if vars, one, err = OneOrMore("graph", a.Graph); err != nil {
			return fail(err)
		}
		fg := &graph.FunctionGraph{Outputs: vars}
		fg.Inputs = slices.DeleteFunc(Roots(vars, nil), func(v *graph.Variable) bool { return !v.IsInput() })
		q.Interrupted = s.Interrupted
		rewritten, _, err := compile.Optimize(fg, q, false)
		if err != nil {
			return fail(err)
		}
		if whole {
			return &GraphView{s, rewritten, nil}, nil
		}
		list := make([]starlark.Value, len(rewritten.Outputs))
		for i, v := range rewritten.Outputs {
			list[i] = Symbol{s, v}
		}
		return AsGiven(list, one, a.Graph), nil
	})
