package symbolic

import (
	"slices"
	"strings"

	"github.com/arignote/arignote/starlib/value"
)

// gofRewriters are the functions of RewriterTable that theano.gof has.
var gofRewriters = []string{"local_optimizer", "PatternSub", "OpSub", "OpRemove"}

// rewritingNames says which functions a module of Theano's or PyTensor's has that is about rewriting, and about what it leaves in; modules within it come before it.
var rewritingNames = []struct{ module, names string }{
	{"theano.gof.opt", "local_optimizer PatternSub OpSub OpRemove in2out out2in"},
	{"theano.graph.rewriting.basic", "node_rewriter PatternNodeRewriter SubstitutionNodeRewriter RemovalNodeRewriter in2out out2in"},
	{"theano.graph.rewriting.db", "RewriteDatabaseQuery"},
	{"theano.graph.rewriting", "RewriteDatabaseQuery"},
	{"theano.graph", "node_rewriter RewriteDatabaseQuery"},
	{"T.opt", "Assert assert_op register_canonicalize register_stabilize register_specialize in2out out2in"},
	{"T.rewriting.basic", "register_canonicalize register_stabilize register_specialize"},
	{"T.rewriting", ""},
}

// homeOf is the name of a function in the first of these modules that has it, for examples.
func homeOf(name string) string {
	for _, m := range rewritingNames {
		if slices.Contains(strings.Fields(m.names), name) {
			return m.module + "." + name
		}
	}
	panic("BUG: no module has " + name)
}

// RewritingModules are these modules by name.
var RewritingModules = func() map[string]*value.Module {
	all := slices.Concat(RewriterTable, RegisterTable, AssertTable, []value.Builtin{RewriteDatabaseQueryBuiltin})
	modules := make(map[string]*value.Module)
	for _, m := range rewritingNames {
		members := value.Builtins(Pick(all, strings.Fields(m.names)...))
		for name, inner := range modules {
			if parent, own, _ := cutLast(name); parent == m.module {
				members = append(members, value.Member{Name: own, Value: inner, Doc: inner.Doc()})
			}
		}
		modules[m.module] = value.NewModule(m.module, "Rewrite rules of your own, under the names of Theano and PyTensor.", members...)
	}
	return modules
}()
