package compare

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/runtime/graph"
)

// An item is a row of one profile.
type item struct {
	key      key
	name     string
	place    string
	ns       float64
	calls    int64
	variance float64 // of ns
	shares   map[*profiler.Node]float64
}

// margin is how far ns is from what it is on average, in 19 of 20 runs at most.
func (x *item) margin() float64 { return 1.96 * math.Sqrt(x.variance) }

// A key has all that an item is matched by.
type key struct {
	kind   keyKind
	text   string
	within string // of a node: its function and line
	number int    // among those that are alike otherwise
}

type keyKind uint8

const (
	lineKey keyKind = iota
	thingKey
	nodeKey
	scopeKey
)

// measured is what profiles say.
type measured struct {
	title                string
	cell                 bool // there is one
	wall, compile, bytes float64
	tables               map[string][]*item
}

// tick is the time between two looks of the sampler: a charged time is a sum of ticks, which chance
// spreads as the square root of their number.
const tick = 1e6

func measure(all []*profiler.Stats) *measured {
	all = profiler.Once(all...)
	m := &measured{tables: make(map[string][]*item)}
	lines, things, made, scopes, nodes := newCollector(), newCollector(), newCollector(), newCollector(), newCollector()
	for _, x := range profiler.Stacks(all...) {
		m.wall += x.Time
		m.bytes += x.Bytes()
		sampled := tick * x.Time
		if x.Kind == profiler.CompiledFunctions { // its calls were measured
			sampled = 0
		}
		if n := len(x.Callers); n > 0 {
			lines.line(&x, x.Callers[n-1]).add(x.Time, sampled)
		}
		things.at([2]any{x.Kind, x.Name}, func() *item {
			return &item{key: key{kind: thingKey, text: x.Name, within: string(x.Kind)}, name: cmp.Or(x.Name, string(x.Kind))}
		}).add(x.Time, sampled)
		if s := x.Sample; s != nil {
			made.line(&x, s.Origin.Frame()).addShare(&x)
			scopes.at(s.Scope, func() *item {
				return &item{key: key{kind: scopeKey, text: s.Scope}, name: cmp.Or(s.Scope, profiler.NoScope)}
			}).addShare(&x)
			nodes.at(s.Node, func() *item {
				return &item{key: key{kind: nodeKey, text: s.Node.Key, within: x.Name + "\n" + textOf(&x, s.Node.Origin.Frame())}, name: s.Node.Text, place: placeOf(s.Node.Origin.Frame()),
					calls: s.Node.Calls}
			}).addShare(&x)
		}
	}
	for _, s := range all {
		for _, f := range s.Steady().Functions {
			m.compile += float64(f.Compile.Total)
			if x, ok := things.items[[2]any{profiler.CompiledFunctions, f.Title()}]; ok {
				x.variance += spread(f.Spread(), f.Calls)
				x.calls += f.Calls
			}
		}
		m.title = cmp.Or(m.title, cellName(s), s.Title())
		m.cell = m.cell || s.Cell != nil
	}
	if _, outside := scopes.items[""]; outside && len(scopes.items) == 1 {
		scopes = newCollector() // there are none
	}
	for name, c := range map[string]*collector{LinesThatRan: lines, SpentIn: things, LinesOfGraphs: made, Scopes: scopes, Nodes: nodes} {
		m.tables[name] = c.numbered()
	}
	return m
}

func cellName(s *profiler.Stats) string {
	if s.Cell == nil {
		return ""
	}
	return path.Base(s.Cell.Name)
}

// spread is the variance of the sum of calls whose times have that spread: nine of ten of a
// normal distribution lie below its mean and 1.28 deviations.
func spread(s profiler.Spread, calls int64) float64 {
	deviation := (s.P90 - s.P10) / (2 * 1.28)
	return deviation * deviation * float64(calls)
}

func (x *item) add(ns, variance float64) {
	x.ns += ns
	x.variance += variance
}

// addShare adds a part of a node's time. Parts of one node are long together.
func (x *item) addShare(of *profiler.Stack) {
	n, part := of.Sample.Node, of.Share*of.Sample.Share
	had := x.shares[n]
	if x.shares == nil {
		x.shares = make(map[*profiler.Node]float64)
	}
	x.shares[n] = had + part
	x.add(of.Time, part*(part+2*had)*spread(n.Spread(), n.Calls))
}

// A collector has the items of a table, in the order in which they were met.
type collector struct {
	items  map[any]*item
	order  []*item
	frames map[*item]graph.Frame
}

func newCollector() *collector {
	return &collector{items: make(map[any]*item), frames: make(map[*item]graph.Frame)}
}

func (c *collector) at(of any, make func() *item) *item {
	x, ok := c.items[of]
	if !ok {
		x = make()
		c.items[of] = x
		c.order = append(c.order, x)
	}
	return x
}

// line is the item of a line.
func (c *collector) line(of *profiler.Stack, f graph.Frame) *item {
	type place struct {
		file string
		line int
	}
	return c.at(place{f.File, f.Line}, func() *item {
		x := &item{key: key{kind: lineKey, text: textOf(of, f)}, name: textOf(of, f), place: placeOf(f)}
		c.frames[x] = f
		return x
	})
}

// textOf is the text of a line or, where there is none, its place.
func textOf(of *profiler.Stack, f graph.Frame) string {
	if f.Line == 0 {
		return "no line"
	}
	return cmp.Or(strings.Join(strings.Fields(of.Source(f)), " "), placeOf(f))
}

func placeOf(f graph.Frame) string {
	if f.Line == 0 {
		return ""
	}
	return path.Base(f.File) + ":" + strconv.Itoa(f.Line)
}

// numbered are the items, those that are alike with numbers from 0 on: lines in the order of the
// file, others in that of the profile.
func (c *collector) numbered() []*item {
	slices.SortStableFunc(c.order, func(x, y *item) int {
		a, b := c.frames[x], c.frames[y]
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	next := make(map[key]int)
	for _, x := range c.order {
		k := x.key
		x.key.number = next[k]
		next[k]++
	}
	return c.order
}
