package rewrite

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/arignote/arignote/runtime/graph"
	"github.com/arignote/arignote/runtime/history"
)

const (
	// maxRounds bounds the walks over a graph. A rule sees what others left below it in the same
	// round, so that a few rounds do for any graph; many mean that two rules undo each other.
	maxRounds = 25
	// maxSteps bounds the rules that fire for one node of the graph and all that is made in its
	// place, in one round: so many, or one for each node of a large graph. Without it two rules
	// that undo each other, each making new nodes, would take exponential time.
	maxSteps = 200
	// maxGrowth bounds the nodes of a graph, as a multiple of those it began with and 100; maxFires
	// bounds the replacements likewise.
	maxGrowth = 10
	maxFires  = 50
	// maxNesting bounds the depth of rules applied to what rules make.
	maxNesting = 50
)

// FixedPoint applies rules to each node, inputs before clients, until none applies, and unifies
// equal nodes after each round. It fills p with what each rule did. If the rules do not settle,
// p.Warning names those that still fire; the graph is then as correct as any, only not the last,
// or, if it grew and grew, the one that the pass began with.
func FixedPoint(fg *graph.FunctionGraph, rules []*Rule, p *PassProfile) (*graph.FunctionGraph, error) {
	return NewIndex(rules).FixedPoint(fg, p)
}

// FixedPoint is the function of that name for the rules of an index.
func (x *Index) FixedPoint(fg *graph.FunctionGraph, p *PassProfile) (*graph.FunctionGraph, error) {
	f := &fixedPoint{
		index:   x,
		stats:   x.counts(),
		c:       newContext(),
		profile: p,
		census:  p.Census,
	}
	if f.census == nil {
		f.census = NewCensus()
	}
	f.c.census, f.settled = f.census, &f.census.settled
	f.pass = f.settled.begin(x)
	f.c.fixed, f.told, f.actors = f, p.OnRewrite, actorsIn(fg)
	defer f.report(p)
	limit, began := 0, fg
	over := func(size int) bool { return p.Rounds == maxRounds || size > limit || f.fires <= 0 }
	var read *graph.FunctionGraph // of which f.c.readers are
	for ; ; p.Rounds++ {
		order := fg.Toposort()
		size := len(order)
		if p.Rounds == 0 {
			limit, f.fires = maxGrowth*(size+100), maxFires*(size+100)
			f.census.begin(size)
		}
		if over(size) {
			p.Warning = f.warning(p.Rounds, size)
			if size > limit {
				return began, nil // the next pass would make it grow by as much again
			}
			return fg, nil
		}
		f.room, f.size = 2*limit, size
		f.recent = f.recent[:0]
		p.reasons, p.Untold = p.reasons[:0], 0
		if read != fg {
			f.c.readers, read = fg.Clients(), fg
		}
		f.c.round, f.c.born, f.c.walks = graph.Table[standing]{}, 0, 0
		f.c.cut = graph.Table[answer]{}
		f.c.tracked, f.c.simple = sides[tracked]{}, sides[*graph.Variable]{}
		f.deferred, f.waiting = false, false
		f.settled.turn++ // clients have changed
		next, err := fg.Transform(f.node)
		if err != nil {
			return nil, err
		}
		fired := len(f.recent) > 0
		switch f.impatient = f.deferred && !fired; {
		case fired || f.exhausted:
			settled := !f.exhausted && !f.deferred && !f.waiting && len(p.reasons) == 0 // which may be of nodes that are gone
			f.exhausted = false
			if fg, err = Merge(next, &PassProfile{Census: f.census}); err != nil {
				return nil, err
			}
			if settled && fg == next && !over(len(fg.Toposort())) { // another round would try nothing
				p.Rounds++
				return fg, nil
			}
		case !f.deferred:
			p.Rounds = max(p.Rounds, 1) // one that finds nothing counts where there is no other
			return fg, nil
		}
	}
}

type fixedPoint struct {
	index     *Index
	stats     []history.Rule
	settled   *settled
	pass      int32             // its number there
	again     map[retrial][]int // of settled, of rules that were looked for before
	c         *Context
	profile   *PassProfile
	deferred  bool         // in this round a rule left to another what it might have done
	impatient bool         // rules leave nothing to others
	waiting   bool         // in this round rules asked for clients, and are to be asked again
	rule      *Rule        // that is tried
	old       *graph.Apply // the node of the graph at hand, as the round began
	at        *graph.Apply // the node it is tried on
	made      int          // nodes that it made so far
	recent    []string     // the rules that changed the graph in this round
	pending   []string     // those that fired since
	nesting   int
	size      int  // nodes as the round began
	fuel      int  // replacements left for the node of the graph at hand
	fires     int  // replacements left
	room      int  // nodes that rules may still make in this round
	exhausted bool // a bound kept a rule from being tried
	watch     watch
	spent     time.Duration // by rules applied to what the current rule makes
	told      func(Replacement)
	actors    actors
	unsteady  int                   // replacements by rules that stabilize
	failed    map[*Rule]bool        // rules of which the user's function failed
	fault     error                 // that ends the pass
	unfolded  map[*graph.Apply]bool // nodes of constants that are left for the run
	unstable  int                   // replacements by unstable rules
	result    [1]*graph.Variable    // that node returns
	census    *Census               // of the graph as the last round left it
}

func (f *fixedPoint) node(node *graph.Apply, in []*graph.Variable) ([]*graph.Variable, error) {
	if err := f.profile.interrupted(); err != nil {
		return nil, err
	}
	f.old = node
	n, err := node.Remake(in)
	if err != nil {
		return nil, err
	}
	if n != node {
		for i, v := range n.Outputs {
			f.c.setUses(v, f.c.uses(node.Outputs[i]))
		}
	}
	if len(n.Outputs) != 1 || n == node && len(f.rest(node, f.settled.nodes.Get(node.Outputs[0]))) == 0 {
		return n.Outputs, nil
	}
	v := f.simplify(n.Outputs[0])
	if v.IsConstant() && f.c.isResult(node.Outputs[0]) {
		// The line of a result is told: it is not that of an equal constant.
		v = graph.NewConstant(v.Data, node.Origin())
	}
	f.result[0] = v
	return f.result[:], f.fault
}

// A watch takes the time of rules. Reading a clock takes about as long as looking at a node in
// vain, so that of large graphs it is read for some nodes only, which stand for others. Chance
// decides for which, lest of a graph that repeats itself they are all alike.
type watch struct {
	nodes  int
	random uint32
	weight time.Duration // how many nodes the one at hand stands for; 0 if it is one of those that others stand for
}

const (
	firstWatched = 1000 // nodes are all watched
	watchedShare = 8    // of the others one in so many is
)

// next moves to another node.
func (w *watch) next() {
	w.weight = 1
	if w.nodes++; w.nodes <= firstWatched {
		return
	}
	w.random = w.random*1664525 + 1013904223 // as in Numerical Recipes
	if w.weight = watchedShare; w.random>>16%watchedShare != 0 {
		w.weight = 0
	}
}

// watchBegan is where watches begin: to tell how long ago something was takes one reading of a
// clock, what time it is two.
var watchBegan = time.Now()

// now reads the clock if the node is watched.
func (w *watch) now() (t time.Duration) {
	if w.weight > 0 {
		t = time.Since(watchBegan)
	}
	return t
}

// counted counts a node that a rule makes.
func (f *fixedPoint) counted(out ...*graph.Variable) {
	f.made++
	f.room--
	for _, v := range out {
		f.c.born++
		f.c.round.At(v).born = f.c.born
	}
	for _, u := range out[0].Owner.Inputs {
		if f.c.round.Get(u).born > 0 {
			f.c.round.At(u).reads++
		}
	}
}

// simplify applies rules at v's node until none applies.
func (f *fixedPoint) simplify(v *graph.Variable) *graph.Variable {
	if f.nesting == 0 {
		f.fuel, f.pending = max(maxSteps, f.size), f.pending[:0]
		f.watch.next()
	}
	f.nesting++
	origin, asked := f.c.origin, f.c.asked
	defer func() {
		f.nesting--
		f.c.origin = origin
		f.c.asked = f.c.asked || asked // what becomes of what a rule makes is part of what the rule sees
	}()
	for {
		node := v.Owner
		if node == nil || len(node.Outputs) != 1 {
			return v
		}
		known := f.settled.nodes.Get(v)
		if known.pass == f.pass && known.turn == f.settled.turn {
			f.waiting = f.waiting || known.asked != 0
			f.c.asked = f.c.asked || known.asked != 0 // whoever made v
			return v
		}
		rest := f.rest(node, known)
		if len(rest) == 0 {
			return v
		}
		if f.spentAll() || f.nesting > maxNesting {
			f.exhausted, f.c.asked = true, true
			return v
		}
		f.c.origin = node.Origin()
		asked = asked || f.c.asked
		f.c.asked = false
		w := f.step(node, rest, known)
		if w == nil {
			return v
		}
		asked = true
		if w.Owner != nil && w.Name == "" && f.c.uses(w) == 0 {
			w.Name = v.Name // made here, it is what the user named
		}
		if !f.c.knows(w) {
			f.c.setUses(w, f.c.uses(v))
		}
		v = w
	}
}

// spentAll reports whether no rule may fire any more for the node of the graph at hand.
func (f *fixedPoint) spentAll() bool { return f.fuel <= 0 || f.fires <= 0 || f.room <= 0 }

// rest lists the positions of the rules that are to be tried on a node.
func (f *fixedPoint) rest(node *graph.Apply, known standstill) []int {
	switch {
	case known.pass == 0:
		return f.index.of(node.Op)
	case known.pass == f.pass && known.asked == 0:
		return nil
	}
	key := retrial{node.Op, known.pass, known.asked, known.made}
	list, ok := f.again[key]
	if !ok {
		if f.again == nil {
			f.again = make(map[retrial][]int)
		}
		list = f.settled.again(f.index, node.Op, known)
		f.again[key] = list
	}
	return list
}

// step applies the first rule that fits, of those at some positions. If there is none, it notes
// what it has found besides what was known of the node.
func (f *fixedPoint) step(node *graph.Apply, positions []int, known standstill) *graph.Variable {
	start := f.watch.now()
	operands := kinOfOperands(node)
	found := standstill{pass: f.pass, turn: f.settled.turn}
	if known.pass == f.pass {
		found.made = known.made
	}
	for _, i := range positions {
		r, s := f.index.rules[i], &f.stats[i]
		if f.fault != nil || len(f.failed) > 0 && f.failed[r] {
			found.asked = f.settled.with(found.asked, r)
			continue
		}
		s.Tried++
		if r.lacks(operands) || r.text != nil && !r.text.pattern.possible(f.c, node) {
			continue
		}
		outer, made, born := f.spent, f.made, f.c.born
		f.spent, f.made = 0, 0
		unsteady, unstable := f.unsteady, f.unstable
		f.c.asked = false
		v := f.attempt(r, node)
		f.made, made = made, f.made
		switch {
		case f.c.asked:
			found.asked = f.settled.with(found.asked, r)
		case made > 0:
			found.made = f.settled.with(found.made, r)
		}
		if f.watch.weight > 0 {
			end := f.watch.now() // where the next attempt begins
			elapsed := end - start
			start = end
			s.Time += (elapsed - f.spent) * f.watch.weight
			f.spent = outer + elapsed
		}
		if v == nil || !r.leaves && f.actors.lost(node.Outputs[0], v) {
			continue
		}
		if t := node.Outputs[0].Type; !t.Accepts(v.Type) {
			panic(fmt.Sprintf("BUG: rule %v replaced %v by %v", r, t, v.Type))
		}
		s.Fired++
		s.Made += made
		s.Removed += f.c.dropped(node, v, born)
		f.fuel--
		f.fires--
		f.pending = append(f.pending, r.Name)
		if f.nesting == 1 { // what a rule makes and then declines to use changes nothing
			f.recent = append(f.recent, f.pending...)
			f.pending = f.pending[:0]
		}
		if r.Stabilizes() {
			f.unsteady++
		}
		if r.IsUnstable() {
			f.unstable++
		}
		if f.told != nil {
			f.told(Replacement{Rule: r, Pass: f.profile.Name, Old: node.Outputs[0], New: v, Nested: f.nesting > 1,
				Stabilizes: f.unsteady > unsteady, Unstable: f.unstable > unstable})
		}
		return v
	}
	f.c.asked = found.asked != 0
	f.waiting = f.waiting || f.c.asked
	f.settled.nodes.Set(node.Outputs[0], found)
	return nil
}

func (f *fixedPoint) warning(rounds, size int) string {
	slices.Sort(f.recent)
	return fmt.Sprintf("no fixed point after %d rounds and with %d nodes: %s still apply",
		rounds, size, strings.Join(slices.Compact(f.recent), ", "))
}

// attempt applies a rule. A rule that puts operands together which do not fit after all does not
// apply.
func (f *fixedPoint) attempt(r *Rule, node *graph.Apply) *graph.Variable {
	rule, at, origin := f.rule, f.at, f.c.origin
	f.rule, f.at = r, node
	v := f.applied(r, node)
	f.rule, f.at, f.c.origin = rule, at, origin
	return v
}

// applied is what the rule gives, nil where it fails.
func (f *fixedPoint) applied(r *Rule, node *graph.Apply) (v *graph.Variable) {
	var err error
	defer graph.Catch(&err)
	return r.apply(f.c, node)
}

// dropped counts the nodes that nothing needs any more when v takes the place of old: old itself,
// and what only it read. Rules made so many nodes in this round before: what they made since is
// walked over, and no more of what is kept, and what was dropped in this round is not counted
// again, lest each step of a long chain be as much work as the chain is long.
func (c *Context) dropped(old *graph.Apply, v *graph.Variable, before int32) int {
	c.walks++
	var few [8]*graph.Variable
	stack := append(few[:0], v)
	for len(stack) > 0 {
		u := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if u.Owner == nil {
			continue
		}
		s := c.round.At(u)
		if s.kept == c.walks {
			continue
		}
		s.kept = c.walks
		if s.born > before || s.born == 0 && !c.knows(u) { // what it reads is read still
			stack = append(stack, u.Owner.Inputs...)
		}
	}
	n := 0
	var fewNodes [8]*graph.Apply
	nodes := append(fewNodes[:0], old)
	for len(nodes) > 0 {
		node := nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]
		s := c.round.At(node.Outputs[0])
		if s.gone {
			continue
		}
		s.gone = true
		n++
		for _, u := range node.Inputs {
			if u.Owner != nil && c.uses(u) <= 1 && c.round.Get(u).kept != c.walks {
				nodes = append(nodes, u.Owner)
			}
		}
	}
	return n
}

// report moves the counts of the rules that were tried to p.
func (f *fixedPoint) report(p *PassProfile) {
	list := f.index.report(f.stats)
	for _, s := range list {
		p.Changes += s.Fired
	}
	p.Rules = append(p.Rules, list...)
}
