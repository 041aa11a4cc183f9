package compile

import (
	"fmt"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/rewrite"
)

// A pass is one row of the table. It has a function, or groups of rules that it applies to a fixed
// point.
type pass struct {
	name  string
	in    []string // the optimizers that have it
	tags  []string // other names by which it is included and excluded
	fn    func(*graph.FunctionGraph, *rewrite.PassProfile) (*graph.FunctionGraph, error)
	phase string   // the group of rules that are its own
	also  []string // groups that it applies too, if their passes run, so that what its own rules make is brought into form
	doc   string

	only     func(*graph.FunctionGraph) bool // where this does not hold, it is not there
	early    bool                            // it rewrites bodies of loops by the passes before it, and not by all
	always   bool                            // it runs whenever another does
	destroys bool                            // operations overwrite their operands from it on
}

var (
	all   = []string{"fast_compile", "fast_run", "stabilize"}
	forms = []string{"constant_folding", "useless", "shape_opt"}
)

// passes is the pipeline, in order. Why one stands before another is in passOrder.
var passes = []pass{
	{name: "inline_ofg_expansion", in: all, tags: []string{"ofg"}, fn: rewrite.InlineGraphs, only: rewrite.HasFromGraph,
		doc: "puts the graphs of OpFromGraph(..., inline=True) in their places"},
	{name: "merge1", in: append([]string{"merge"}, all...), tags: []string{"merge"}, fn: rewrite.Merge,
		doc: "unifies equal computations and equal constants"},
	{name: "useless", in: all, phase: "useless",
		doc: "removes what does nothing: identity views, conversions to the same type, reductions over no axis"},
	{name: "shape_opt", in: all, tags: []string{"ShapeOpt"}, phase: "shape_opt",
		doc: "finds lengths of axes without computing the arrays"},
	{name: "constant_folding", in: all, phase: "constant_folding",
		doc: "computes what depends on constants only"},
	{name: "canonicalize", in: all, phase: "canonicalize", also: forms,
		doc: "brings computations into one form"},
	{name: "ifelse", in: all, tags: []string{"ifelse_merge_ifs", "ifelse_removeIdentical", "cond_merge"}, fn: rewrite.IfElses, only: rewrite.HasIfElse,
		doc: "removes choices whose condition is known, between values that are one, and results that nobody reads"},
	{name: "scan_forms", in: all, tags: []string{"scan"}, fn: rewrite.ScanBodies, only: rewrite.HasScan, early: true,
		doc: "brings what the steps of loops compute into one form, by the passes before"},
	{name: "scan_opt", in: all, tags: []string{"scan", "scan_save_mem", "scan_pushout", "scan_pushout_dot1", "scan_merge"}, fn: rewrite.Scans, only: rewrite.HasScan,
		doc: "lets loops compute what is read of them only, keep what is needed only, and before or after the steps what these need not"},
	{name: "ofg_useless", in: all, tags: []string{"ofg"}, fn: rewrite.UsefulGraphs, only: rewrite.HasFromGraph,
		doc: "lets operations of OpFromGraph compute what is read of them only"},
	{name: "stabilize", in: all, phase: "stabilize", also: append([]string{"canonicalize"}, forms...),
		doc: "replaces forms that overflow or cancel"},
	{name: "specialize", in: []string{"fast_run"}, phase: "specialize",
		also: append([]string{"canonicalize", "stabilize"}, forms...),
		doc:  "chooses the cheapest operations"},
	{name: "merge2", in: all, tags: []string{"merge"}, fn: rewrite.Merge,
		doc: "unifies what the rules made equal"},
	{name: "BlasOpt", in: []string{"fast_run"}, tags: []string{"blas", "blas_opt", rewrite.Unstable}, fn: rewrite.Blas,
		doc: "computes products together with the numbers that scale them and what is added to them"},
	{name: "elemwise_fusion", in: []string{"fast_run", "fusion"}, tags: []string{"fusion"}, fn: rewrite.Fuse,
		doc: "collapses elementwise operations into one"},
	{name: "merge3", in: []string{"fast_run"}, tags: []string{"merge"}, fn: rewrite.Merge,
		doc: "unifies equal fused operations"},
	{name: "scan_bodies", in: all, tags: []string{"scan"}, fn: rewrite.ScanBodies, only: rewrite.HasScan,
		doc: "rewrites what the steps of loops compute, by the same passes"},
	{name: "ofg_bodies", in: all, tags: []string{"ofg"}, fn: rewrite.GraphBodies, only: rewrite.HasFromGraph,
		doc: "rewrites what operations of OpFromGraph compute, by the same passes"},
	{name: "check_lengths", always: true, fn: rewrite.CheckLengths,
		doc: "checks lengths that nothing that is left compares, so that shapes that do not fit are an error as they were"},
	{name: "InplaceBlasOpt", in: []string{"fast_run"}, tags: []string{"inplace", "blas", "c_blas_destructive"},
		fn: rewrite.InplaceBlas, destroys: true,
		doc: "lets products overwrite what they are added to"},
	{name: "local_inplace_setsubtensor", in: []string{"fast_run"}, tags: []string{"inplace"}, fn: rewrite.InplaceIncrements, only: rewrite.HasIncrements, destroys: true,
		doc: "lets what adds to parts of arrays, or sets them, write into the array itself"},
	{name: "inplace_elemwise", in: []string{"fast_run"}, tags: []string{"inplace"}, fn: rewrite.Inplace, destroys: true,
		doc: "lets elementwise operations overwrite what is not needed any more"},
}

// passOrder says what must precede what, and why. It is checked when the program starts.
var passOrder = [...]struct{ before, after, why string }{
	{"merge1", "canonicalize", "a repeated variable of a rule matches one variable only"},
	{"useless", "shape_opt", "identity views hide the operand whose length is asked for"},
	{"shape_opt", "canonicalize", "a length that holds an array alive looks like a second client"},
	{"constant_folding", "canonicalize", "rules match constants by value"},
	{"canonicalize", "stabilize", "patterns are written in canonical form"},
	{"inline_ofg_expansion", "merge1", "what is inlined is rewritten as what is written there"},
	{"canonicalize", "ofg_useless", "what is not read any more is known by then"},
	{"ofg_useless", "ofg_bodies", "what is not read need not be rewritten"},
	{"merge3", "ofg_bodies", "equal operations become one before they are rewritten"},
	{"canonicalize", "ifelse", "conditions that do not change are constants by then"},
	{"ifelse", "scan_opt", "what no branch needs of a loop is not computed"},
	{"ifelse", "elemwise_fusion", "what is chosen between no more is fused"},
	{"canonicalize", "scan_opt", "a part of a part of a loop's values is one part"},
	{"canonicalize", "scan_forms", "bodies have the forms of functions"},
	{"scan_forms", "scan_opt", "products of gradients are found in one form"},
	{"scan_opt", "scan_bodies", "what leaves a body should not have been fused with what stays"},
	{"merge3", "scan_bodies", "equal loops become one before their bodies are rewritten"},
	{"stabilize", "specialize", "cheap operations hide unstable forms: 1/x becomes reciprocal"},
	{"specialize", "merge2", "different expressions may have become equal"},
	{"merge2", "elemwise_fusion", "a value that is computed twice would be fused twice"},
	{"stabilize", "BlasOpt", "rules do not know sums that are part of a product"},
	{"merge2", "BlasOpt", "a product that is computed twice looks like two that are read once each"},
	{"BlasOpt", "elemwise_fusion", "a sum inside a Composite is not found"},
	{"BlasOpt", "merge3", "equal sums of products become one"},
	{"merge3", "check_lengths", "what is left has to be final"},
	{"check_lengths", "InplaceBlasOpt", "a result that is checked is not overwritten"},
	{"merge3", "InplaceBlasOpt", "unifying after an operand is overwritten would give it a second client"},
	{"specialize", "elemwise_fusion", "rules do not look into a Composite"},
	{"elemwise_fusion", "merge3", "equal groups become equal ops"},
	{"merge3", "local_inplace_setsubtensor", "unifying after an operand is overwritten would give it a second client"},
	{"check_lengths", "local_inplace_setsubtensor", "a result that is checked is not overwritten"},
	{"merge3", "inplace_elemwise", "unifying after an operand is overwritten would give it a second client"},
	{"elemwise_fusion", "inplace_elemwise", "an op that overwrites is not fused"},
}

func init() {
	if err := checkOrder(); err != nil {
		panic("BUG: " + err.Error())
	}
}

func checkOrder() error {
	at := make(map[string]int)
	for i, p := range passes {
		at[p.name] = i
	}
	for _, o := range passOrder {
		before, ok1 := at[o.before]
		after, ok2 := at[o.after]
		if !ok1 || !ok2 {
			return fmt.Errorf("pass order: no pass %s or %s", o.before, o.after)
		}
		if before >= after {
			return fmt.Errorf("pass %s must come before %s: %s", o.before, o.after, o.why)
		}
	}
	return nil
}
