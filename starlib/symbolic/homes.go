package symbolic

import (
	"slices"
	"strings"
)

// ModuleNames says which functions a module of Theano's or PyTensor's has that is about rewriting,
// about what it leaves in, about graphs or about what functions take and give; modules within it
// come before it.
var ModuleNames = []struct{ Module, Doc, Names string }{
	{"theano.gof.opt", rewriting, "local_optimizer PatternSub OpSub OpRemove in2out out2in"},
	{"theano.gof.graph", graphs, "ancestors inputs variables orphans variables_and_orphans list_of_nodes io_toposort ops as_string is_in_ancestors equal_computations is_same_graph"},
	{"theano.gof.fg", graphs, "FunctionGraph"},
	{"theano.graph.rewriting.basic", rewriting, "node_rewriter PatternNodeRewriter SubstitutionNodeRewriter RemovalNodeRewriter in2out out2in"},
	{"theano.graph.rewriting.db", rewriting, "RewriteDatabaseQuery"},
	{"theano.graph.rewriting.utils", rewriting, "rewrite_graph"},
	{"theano.graph.rewriting", rewriting, "RewriteDatabaseQuery"},
	{"theano.graph.basic", graphs, "ancestors graph_inputs explicit_graph_inputs clone_replace io_toposort variables orphans as_string equal_computations"},
	{"theano.graph.traversal", graphs, "ancestors graph_inputs explicit_graph_inputs io_toposort variables orphans"},
	{"theano.graph.replace", graphs, "clone_replace graph_replace vectorize_graph"},
	{"theano.graph.fg", graphs, "FunctionGraph"},
	{"theano.graph", "Graphs, and what rewrites them.", "node_rewriter RewriteDatabaseQuery FunctionGraph ancestors graph_inputs explicit_graph_inputs clone_replace graph_replace vectorize_graph rewrite_graph Op"},
	{"theano.compile.io", calls, "In Out SymbolicInput SymbolicOutput"},
	{"theano.compile.function_module", calls, "In Out SymbolicInput SymbolicOutput"},
	{"theano.compile.builders", ownOps, "OpFromGraph"},
	{"theano.compile.ops", ownOps, "as_op wrap_py"},
	{"theano.graph.op", ownOps, "Op"},
	{"theano.scan_module.scan_utils", loops, "until equal_computations"},
	{"theano.scan_module.scan_views", loops, "map reduce foldl foldr"},
	{"theano.scan_module.scan_op", loops, ""},
	{"theano.scan_module.scan_checkpoints", loops, "scan_checkpoints"},
	{"theano.scan_module", loops, "scan map reduce foldl foldr until scan_checkpoints"},
	{"theano.scan.basic", loops, "scan"},
	{"theano.scan.utils", loops, "until"},
	{"theano.scan.views", loops, "map reduce foldl foldr"},
	{"theano.scan.checkpoints", loops, "scan_checkpoints"},
	{"theano.scan", loops, "scan map reduce foldl foldr until scan_checkpoints"},
	{"theano.ifelse", choices, "ifelse"},
	{"T.opt", rewriting, "Assert assert_op register_canonicalize register_stabilize register_specialize in2out out2in"},
	{"T.rewriting.basic", rewriting, "register_canonicalize register_stabilize register_specialize"},
	{"T.rewriting", rewriting, ""},
}

const (
	rewriting = "Rewrite rules of your own, under the names of Theano and PyTensor."
	graphs    = "What graphs are made of, and copies of them."
	calls     = "What functions take and give."
	loops     = "Loops in graphs."
	ownOps    = "Operations that programs make."
	choices   = "Branches in graphs, of which only the one that is taken is computed."
)

// homeOf is the name of a function in the first of these modules that has it, for examples.
func homeOf(name string) string {
	for _, m := range ModuleNames {
		if slices.Contains(strings.Fields(m.Names), name) {
			return m.Module + "." + name
		}
	}
	panic("BUG: no module has " + name)
}
