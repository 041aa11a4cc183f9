package picture

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/profiler/units"
)

// DOT writes all of the graph in the language of Graphviz.
func (p *Picture) DOT() string {
	d := p.draw(p.all(), false)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n", quote(p.graph.Name))
	b.WriteString("\tnode [fontname=monospace, fontsize=11]\n\tedge [fontname=monospace, fontsize=9, color=\"#868e96\"]\n")
	for i, it := range d.items {
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
		fmt.Fprintf(&b, "\tn%d [label=%s, shape=%s, style=%s, fillcolor=%s, color=%s, tooltip=%s]\n", i, quote(label), l.shape,
			quote(style), quote(fill), quote(stroke), quote(it.tip))
	}
	for _, l := range d.links {
		fmt.Fprintf(&b, "\tn%d -> n%d [label=%s]\n", l.from, l.to, quote(l.label))
	}
	return b.String() + "}\n"
}

// small is the last line of a node's box: its number, as in profiles and debugprint, its time and where it runs.
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
