package rewrite

import (
	"embed"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"sync"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
	"github.com/arignote/arignote/runtime/op"
)

// The groups of rules. A pass runs one or several of them to a fixed point
// (runtime/compile/passes.go); the files of rules as text are named after theirs.
const (
	groupUseless      = "useless"          // what does nothing: identity views, reductions over no axis
	groupShapes       = "shape_opt"        // lengths of axes without computing the array
	groupConstants    = "constant_folding" // nodes of constants
	groupCanonicalize = "canonicalize"
	groupStabilize    = "stabilize"
	groupSpecialize   = "specialize"
)

// What a rule may change: rules/canonicalize.rules tells of the kinds. Rules without these tags
// change nothing but rounding.
const (
	// Unstable is the tag of rules by which nan, inf or the sign of a zero may be lost or come up,
	// as by Theano's x*0 => 0.
	Unstable = "unstable"
	// Stabilizing is the tag of rules that may give a number where the computation as written
	// overflows or underflows on its way; those of the group have no need of it.
	Stabilizing = "stabilizing"
)

// Unsafe is the tag of rules that leave out what the user wrote to be checked. They run only where
// they are asked for, by it or by name.
const Unsafe = "unsafe"

// A Rule is one local rewrite: it looks at a node and what made its inputs, and gives a variable to
// take the place of the node's result. Several rules may have one name; they are then switched
// together.
type Rule struct {
	Name  string   // in Theano's manner: local_log1p
	Group string   // canonicalize, stabilize, ...
	Tags  []string // more names by which it is switched
	Where string   // stabilize.rules:12, or fill.go:9
	Text  string   // the rule as written; "" for a Go rule
	// Differs are operands for which an unstable rule changes the result: of Text or, if that is
	// "", of the graph Example.
	Differs string
	Example string

	leaves bool                   // it may leave out what acts: see op.Acts
	needs  kin                    // what there is among the operands wherever it applies
	either kin                    // likewise: one of these at least, if there are any
	only   func(op.Elemwise) bool // of elementwise roots, those that it may apply to; nil stands for all

	text  *textRule // of Text; nil for a Go rule
	roots []any     // keys of the ops it may apply to: an op, a type of op, or anyOp
	apply func(c *Context, node *graph.Apply) *graph.Variable
}

// anyOp is the root of rules that may apply to every node.
const anyOp = "any"

// elementwise is the root of rules for all elementwise operations, conversions included.
var elementwise = typeOf[op.Elemwise]()

// typeOf is the root of rules for all parameters of a structural op.
func typeOf[T graph.Op]() reflect.Type { return reflect.TypeFor[T]() }

// goRules are those written in Go, in the order of their declarations.
var goRules []*Rule

// goRule declares a rule written in Go: apply returns nil where it does not apply. The roots are
// ops, or types of ops for any parameters.
func goRule(name, group string, apply func(c *Context, node *graph.Apply) *graph.Variable, roots ...any) *Rule {
	r := &Rule{Name: name, Group: group, Where: "Go", roots: roots, apply: apply}
	if _, file, line, ok := runtime.Caller(1); ok {
		r.Where = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
	goRules = append(goRules, r)
	return r
}

// leavesOut says that r may leave out nodes that act, and returns r.
func (r *Rule) leavesOut() *Rule {
	r.leaves = true
	return r
}

// tagged adds tags, and returns r.
func (r *Rule) tagged(tags ...string) *Rule {
	r.Tags = append(r.Tags, tags...)
	return r
}

// needing says that r applies only where operands of all these kinds are, and returns r.
func (r *Rule) needing(k kin) *Rule {
	r.needs = k
	return r
}

// needingOne says that r applies only where an operand of one of these kinds is, and returns r.
func (r *Rule) needingOne(k kin) *Rule {
	r.either = k
	return r
}

// onlyOf says which elementwise operations r applies to, and returns r.
func (r *Rule) onlyOf(holds func(op.Elemwise) bool) *Rule {
	r.only = holds
	return r
}

// lacks reports whether operands of these kinds cannot be what r looks for.
func (r *Rule) lacks(operands kin) bool {
	return r.needs&^operands != 0 || r.either != 0 && r.either&operands == 0
}

// unstable tags a Go rule, with a graph, in the text form, and operands for which it changes the
// result.
func (r *Rule) unstable(graph, differs string) *Rule {
	r.Tags, r.Example, r.Differs = append(r.Tags, Unstable), graph, differs
	return r
}

//go:embed rules/*.rules
var files embed.FS

// groupOrder is the order in which rules are tried on a node: first what makes the graph smaller.
var groupOrder = []string{groupConstants, groupUseless, groupShapes, groupCanonicalize, groupStabilize, groupSpecialize}

// Rules lists all rules in the order in which they are tried: by group, Go rules before text.
var Rules = sync.OnceValue(func() []*Rule {
	var all []*Rule
	for _, group := range groupOrder {
		for _, r := range goRules {
			if r.Group == group {
				all = append(all, r)
			}
		}
		file := group + ".rules"
		text, err := files.ReadFile("rules/" + file)
		if err != nil {
			continue // a group without rules as text
		}
		rules, err := Load(file, group, string(text))
		if err != nil {
			panic("BUG: " + err.Error())
		}
		all = append(all, rules...)
	}
	return all
})

// An Index finds the rules that may apply to an op. One goroutine at a time may use it, for one
// graph after the other.
type Index struct {
	rules  []*Rule
	byRoot map[any][]int      // positions in rules
	byOp   map[graph.Op][]int // filled as ops are met, as is the next one
	byCode [256]*[]int        // of elementwise operations
	spare  []history.Rule     // zeros, one for each rule, while no graph is rewritten
}

// NewIndex makes the index of rules, which are tried in this order.
func NewIndex(rules []*Rule) *Index {
	x := &Index{rules: rules, byRoot: make(map[any][]int, len(rules)), byOp: make(map[graph.Op][]int)}
	for i, r := range rules {
		for _, root := range r.roots {
			x.byRoot[root] = append(x.byRoot[root], i)
		}
	}
	return x
}

// of lists the positions of the rules that may apply to nodes of o, in order.
func (x *Index) of(o graph.Op) []int {
	if e, ok := o.(op.Elemwise); ok {
		if x.byCode[e] == nil {
			list := x.find(o)
			x.byCode[e] = &list
		}
		return *x.byCode[e]
	}
	list, ok := x.byOp[o]
	if !ok {
		list = x.find(o)
		x.byOp[o] = list
	}
	return list
}

func (x *Index) find(o graph.Op) []int {
	list := slices.Concat(x.byRoot[anyOp], x.byRoot[o], x.byRoot[reflect.TypeOf(o)], x.byRoot[named(graph.BaseName(o))])
	slices.Sort(list)
	list = slices.Compact(list)
	if e, ok := o.(op.Elemwise); ok {
		list = slices.DeleteFunc(list, func(i int) bool { only := x.rules[i].only; return only != nil && !only(e) })
	}
	return list
}

// counts has a zero for each rule, which are the caller's until it gives them to report.
func (x *Index) counts() []history.Rule {
	list := x.spare
	if x.spare = nil; list == nil {
		list = make([]history.Rule, len(x.rules))
	}
	return list
}

// report lists the counts of the rules that were tried, and takes them all back.
func (x *Index) report(counts []history.Rule) []history.Rule {
	tried := 0
	for _, s := range counts {
		tried += min(s.Tried, 1)
	}
	list := make([]history.Rule, 0, tried)
	for i, s := range counts {
		if s.Tried > 0 {
			s.Name, s.Where = x.rules[i].Name, x.rules[i].Where
			list = append(list, s)
		}
	}
	clear(counts)
	x.spare = counts
	return list
}

// IsUnstable reports whether nan, inf or the sign of a zero may change in any way.
func (r *Rule) IsUnstable() bool { return slices.Contains(r.Tags, Unstable) }

// Stabilizes reports whether the rule may give numbers where the computation as written gives nan
// or inf, or has no digits left.
func (r *Rule) Stabilizes() bool {
	return r.Group == groupStabilize || slices.Contains(r.Tags, Stabilizing)
}

func (r *Rule) String() string { return fmt.Sprintf("%s (%s)", r.Name, r.Where) }
