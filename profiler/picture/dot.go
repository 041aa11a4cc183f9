package picture

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/arignote/arignote/profiler"
	"github.com/arignote/arignote/profiler/units"
)

// DOT writes all of the graph in the language of Graphviz.
func (p *Picture) DOT() string {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n", quote(p.graph.Name))
	b.WriteString("\tnode [fontname=monospace, fontsize=11]\n\tedge [fontname=monospace, fontsize=9, color=\"#868e96\"]\n")
	p.dot(&b, "n", "\t")
	return b.String() + "}\n"
}

// dot writes the nodes and edges, under names that begin with prefix.
func (p *Picture) dot(b *strings.Builder, prefix, indent string) {
	d := p.draw(p.all(), false)
	of := make(map[string]int) // the items of operations by their numbers
	var scopes cluster
	for i, it := range d.items {
		p.asks()
		l := looks[it.look]
		label, style := it.title, "filled"
		for _, more := range []string{it.detail, p.small(it)} {
			if more != "" {
				label += "\n" + more
			}
		}
		if l.shape == "box" {
			style += ",rounded"
		}
		if p.opts.MostLetters > 0 {
			label = units.Cut(label, p.opts.MostLetters)
		}
		fill, stroke := p.colors(it, d.most)
		if it.impl == "Go" {
			style += ",dashed"
		}
		if it.look <= lookOther {
			of[it.number] = i
		}
		scopes.add(it.scope, fmt.Sprintf("%s%d [label=%s, shape=%s, style=%s, fillcolor=%s, color=%s, tooltip=%s]\n", prefix, i, quote(label), l.shape,
			quote(style), quote(fill), quote(stroke), quote(it.tip)))
	}
	scopes.write(b, prefix+"scope", indent)
	for _, l := range d.links {
		p.asks()
		fmt.Fprintf(b, "%s%s%d -> %[2]s%[4]d [label=%s]\n", indent, prefix, l.from, l.to, quote(l.label))
	}
	inner, err := p.inner()
	if err != nil {
		panic("BUG: " + err.Error()) // New has seen the profile
	}
	for i, q := range inner {
		inside := fmt.Sprintf("%s%d_", prefix, i)
		fmt.Fprintf(b, "%ssubgraph cluster_%s {\n%[1]s\tlabel=%[3]s\n%[1]s\tfontname=monospace\n", indent, inside, quote(q.graph.Name))
		q.dot(b, inside, indent+"\t")
		fmt.Fprintf(b, "%s}\n%[1]s%s%d -> %s0 [style=dashed, arrowhead=none]\n", indent, prefix, of["#"+strconv.Itoa(q.node)], inside)
	}
}

// A cluster is what stands in a scope, and the scopes in it, each of which is a box around boxes.
type cluster struct {
	name  string
	lines []string
	in    []*cluster
}

func (c *cluster) add(scope, line string) {
	for _, name := range profiler.ScopeNames(scope) {
		i := slices.IndexFunc(c.in, func(in *cluster) bool { return in.name == name })
		if i < 0 {
			i = len(c.in)
			c.in = append(c.in, &cluster{name: name})
		}
		c = c.in[i]
	}
	c.lines = append(c.lines, line)
}

func (c *cluster) write(b *strings.Builder, id, indent string) {
	for _, line := range c.lines {
		b.WriteString(indent + line)
	}
	for i, in := range c.in {
		inside := fmt.Sprintf("%s_%d", id, i)
		fmt.Fprintf(b, "%ssubgraph cluster_%s {\n%[1]s\tlabel=%[3]s\n%[1]s\tfontname=monospace\n", indent, inside, quote(in.name))
		in.write(b, inside, indent+"\t")
		b.WriteString(indent + "}\n")
	}
}

// small is the last line of a node's box: its number, as in profiles and debugprint, its time and
// where it runs.
func (p *Picture) small(it item) string {
	if it.look > lookOther {
		return ""
	}
	var parts []string
	if !p.opts.Unnumbered {
		parts = append(parts, it.number)
	}
	switch {
	case p.opts.Color == ByOp:
	case it.time == 0:
		parts = append(parts, "did not run")
	default:
		parts = append(parts, units.Share(it.share), units.Human(units.Times, it.time))
	}
	if it.impl != "" {
		parts = append(parts, it.impl)
	}
	return strings.Join(parts, "  ")
}

// quote writes a string of DOT, in which a backslash begins an escape.
var quote = func() func(string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", "", "\x00", "")
	return func(s string) string { return `"` + escape.Replace(strings.ToValidUTF8(s, "�")) + `"` }
}()
