package compile

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/arignote/arignote/runtime/rewrite"
)

// optimizers are the names of Theano's flag optimizer: which passes, and what is left out.
var optimizers = map[string]struct {
	include []string
	exclude []string
}{
	"None":            {},
	"merge":           {include: []string{"merge"}},
	"fast_compile":    {include: []string{"fast_compile"}},
	"o1":              {include: []string{"fast_compile"}},
	"o2":              {include: []string{"fast_compile", "fusion"}},
	"o3":              {include: []string{"fast_run"}, exclude: []string{"inplace"}},
	"o4":              {include: []string{"fast_run"}},
	"fast_run":        {include: []string{"fast_run"}},
	"fast_run_stable": {include: []string{"fast_run"}, exclude: []string{rewrite.Unstable}},
	"stabilize":       {include: []string{"stabilize"}},
	"unsafe":          {include: []string{"fast_run", "unsafe"}, exclude: []string{"inplace"}},
}

// OptimizerNames lists what Query.Optimizer may be.
func OptimizerNames() []string { return slices.Sorted(maps.Keys(optimizers)) }

// OptimizerQuery is what the optimizer of that name asks for. Names that are not among
// OptimizerNames ask for nothing.
func OptimizerQuery(name string) Query {
	o := optimizers[name]
	return Query{Include: slices.Clone(o.include), Exclude: slices.Clone(o.exclude)}
}

// A Query says which rewrites run: those of the optimizer and those included, without those
// excluded, and of these only those that have all the tags required. Tags are names of passes, of
// groups of passes (fusion, inplace, merge, canonicalize, ...), of rules (local_log1p, ...) and the
// tags of rules (unstable).
type Query struct {
	Optimizer string // "" is None
	Include   []string
	Exclude   []string
	Require   []string

	Rules []Registered // the users'

	// See rewrite.PassProfile; nil if nobody asks.
	OnRewrite func(rewrite.Replacement)
	// OnError, if not nil, is told of an error of a rewrite, which is left out unless OnError
	// returns an error; see Spec.OnRuleError.
	OnError func(error) error
	// Interrupted, if not nil, is asked now and then; an error that it returns ends the rewriting.
	Interrupted func() error
}

// aliases are Theano's names for what has another name here.
var aliases = map[string]string{
	"local_elemwise_fusion":               "elemwise_fusion",
	"composite_elemwise_fusion":           "elemwise_fusion",
	"FusionOptimizer":                     "elemwise_fusion",
	"c_blas":                              "blas",
	"gemm_optimizer":                      "BlasOpt",
	"local_dot_to_dot22":                  "BlasOpt",
	"local_dot22_to_dot22scalar":          "BlasOpt",
	"local_gemm_to_gemv":                  "BlasOpt",
	"blas_opt_inplace":                    "InplaceBlasOpt",
	"local_inplace_incsubtensor1":         "local_inplace_setsubtensor",
	"local_inplace_AdvancedIncSubtensor1": "local_inplace_setsubtensor",
	"local_inplace_AdvancedIncSubtensor":  "local_inplace_setsubtensor",
	"inplace_elemwise_optimizer":          "inplace_elemwise",
	"inplace_elemwise_opt":                "inplace_elemwise",
	"inplace_opt":                         "inplace",
	"InplaceElemwiseOptimizer":            "inplace_elemwise",
	"MergeOptimizer":                      "merge",
	"merge1.1":                            "merge1",
	"merge1.2":                            "merge2",
	"topo_constant_folding":               "constant_folding",
	"local_shape_to_shape_i":              "shape_opt",
	"local_useless_elemwise":              "local_identity",
	"local_useless_elemwise_comparison":   "local_useless_compare",
	"local_inv_canon":                     "local_div_to_reciprocal",
	"local_div_to_inv":                    "local_div_to_reciprocal",
	"local_sum_prod_div_dimshuffle":       "local_sum_prod_mul_by_scalar",
	"local_neg_to_mul":                    "local_neg_mul_constant",
	"local_mul_specialize":                "local_mul_one",
	"local_add_specialize":                "local_add_zero",
	"local_log_softmax":                   "local_logsoftmax",
	"o1":                                  "fast_compile",
	"o4":                                  "fast_run",
}

// absent are Theano's names for rewrites of things that Arignote does not have. Excluding them is
// no mistake: nothing needs to be done.
var absent = []string{
	"conv_dnn", "conv_gemm", "conv_meta", "cudnn", "gpu", "gpuarray", "gpuarray_opt",
	"gpu_opt",
	"local_cut_gpu_host_gpu", "more_mem", "random_make_inplace", "random_unsafe", "scanOp_make_inplace", "scan_make_inplace",
	"specialize_device",
	"uncanonicalize",
}

// ownTags lists everything of Arignote's own that a query may name, but for aliases.
var ownTags = sync.OnceValue(func() []string {
	var list []string
	for _, p := range passes {
		list = append(list, p.name)
		list = append(list, p.in...)
		list = append(list, p.tags...)
	}
	list = append(list, "unsafe") // of what drops checks, whether there is such a pass or not
	for _, r := range rewrite.Rules() {
		list = append(list, r.Name, r.Group)
		list = append(list, r.Tags...)
	}
	slices.Sort(list)
	return slices.Compact(list)
})

// resolve replaces aliases. An unknown name is dropped, as in Theano; with strict, and for a kind
// of requiring, it is an error.
func (c *catalog) resolve(kind string, names []string, strict bool) (map[string]bool, error) {
	strict = strict || kind == "requiring"
	set := make(map[string]bool)
	known := c.tags
	for _, name := range names {
		if name == "" {
			continue
		}
		name = Canonical(name)
		if slices.Contains(known, name) {
			set[name] = true
			continue
		}
		if slices.Contains(absent, name) {
			if kind == "excluding" || !strict {
				continue
			}
			return nil, fmt.Errorf("%s: Arignote has no rewrites %s", kind, name)
		}
		if !strict {
			continue
		}
		candidates := append(slices.Collect(maps.Keys(aliases)), append(slices.Clip(known), absent...)...)
		return nil, fmt.Errorf("%s: unknown rewrite %s%s", kind, name, rewrite.Suggest(name, candidates))
	}
	return set, nil
}

// A step is a pass that a query selects, with the rules it applies.
type step struct {
	*pass
	rules   []*rewrite.Rule
	index   *rewrite.Index // of rules
	skipped string         // the tag that keeps the pass from running
}

// plan selects the passes and rules.
func (q Query) plan() ([]step, error) {
	name := q.Optimizer
	if name == "" {
		name = "None"
	}
	o, ok := optimizers[name]
	if !ok {
		return nil,
			fmt.Errorf("unknown optimizer %s%s; want %s", name, rewrite.Suggest(name, OptimizerNames()), joined(OptimizerNames()))
	}
	c := catalogOf(q.Rules)
	include, err := c.resolve("including", q.Include, false)
	if err != nil {
		return nil, err
	}
	exclude, err := c.resolve("excluding", q.Exclude, false)
	if err != nil {
		return nil, err
	}
	require, err := c.resolve("requiring", q.Require, false)
	if err != nil {
		return nil, err
	}
	for _, tag := range o.include {
		include[tag] = true
	}
	for _, tag := range o.exclude {
		exclude[tag] = true
	}
	on := make(map[string]bool) // groups whose pass runs
	for _, p := range c.passes {
		if p.phase != "" && meets(p.names(), include) && !meets(p.names(), exclude) {
			on[p.phase] = true
		}
	}
	var plan []step
	for i := range c.passes {
		p := &c.passes[i]
		names := p.names()
		if tag := first(names, exclude); tag != "" {
			if meets(names, include) && contains(names, require) {
				plan = append(plan, step{pass: p, skipped: tag})
			}
			continue
		}
		if p.always {
			plan = append(plan, step{pass: p})
			continue
		}
		if p.fn != nil {
			if meets(names, include) && contains(names, require) {
				plan = append(plan, step{pass: p})
			}
			continue
		}
		own, rules := false, []*rewrite.Rule(nil)
		for _, r := range c.rules {
			called := append([]string{r.Name}, r.Tags...)
			if slices.Contains(r.Tags, rewrite.Unsafe) && !meets(called, include) {
				continue
			}
			mine := r.Group == p.phase && (on[p.phase] || meets(called, include))
			if !mine && !(on[r.Group] && slices.Contains(p.also, r.Group)) {
				continue
			}
			if meets(called, exclude) || !contains(append(called, names...), require) {
				continue
			}
			own = own || mine
			rules = append(rules, r)
		}
		if own {
			plan = append(plan, step{pass: p, rules: rules, index: rewrite.NewIndex(rules)})
		}
	}
	if !slices.ContainsFunc(plan, func(s step) bool { return !s.always && s.skipped == "" }) {
		plan = slices.DeleteFunc(plan, func(s step) bool { return s.always })
	}
	return plan, nil
}

// names are all by which a pass is called.
func (p *pass) names() []string {
	return append(append([]string{p.name}, p.in...), p.tags...)
}

func meets(names []string, set map[string]bool) bool { return first(names, set) != "" }

// first is the first of names that is in set, "" if none is.
func first(names []string, set map[string]bool) string {
	if i := slices.IndexFunc(names, func(n string) bool { return set[n] }); i >= 0 {
		return names[i]
	}
	return ""
}

// contains reports whether all of set are among names.
func contains(names []string, set map[string]bool) bool {
	for tag := range set {
		if !slices.Contains(names, tag) {
			return false
		}
	}
	return true
}

func joined(names []string) string {
	s := ""
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			s += " or "
		default:
			s += ", "
		}
		s += n
	}
	return s
}

// Check reports what is wrong with a query: an unknown optimizer, or a tag that is required.
func (q Query) Check() error {
	_, err := q.plan()
	return err
}

// A PassInfo is a pass as users see it.
type PassInfo struct {
	Name, Doc string
	Tags      []string // the optimizers that have it, and other names by which it is included and excluded
	Rules     int      // that are its own
}

// Passes lists the passes in their order.
func Passes() []PassInfo {
	list := make([]PassInfo, len(passes))
	for i, p := range passes {
		list[i] = PassInfo{Name: p.name, Doc: p.doc, Tags: slices.Clone(p.in)}
		for _, t := range p.tags {
			if !slices.Contains(list[i].Tags, t) {
				list[i].Tags = append(list[i].Tags, t)
			}
		}
		for _, r := range rewrite.Rules() {
			if p.phase != "" && r.Group == p.phase {
				list[i].Rules++
			}
		}
	}
	return list
}
