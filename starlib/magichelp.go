package starlib

import (
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Magics are those that show documentation.
func Magics() []Row {
	return []Row{
		{name: "help", params: []value.Param{{Name: "name", Doc: "a name, or a magic with its %"}},
			doc: "Shows documentation.", example: "%help np.dot", line: magicHelp},
		{name: "magic", doc: "Shows the documentation of all magics.", line: magicMagic},
	}
}

// describeMagic returns a magic's documentation.
func describeMagic(r *Row) documented {
	var b strings.Builder
	b.WriteString(r.doc + "\n")
	for _, p := range r.params {
		fmt.Fprintf(&b, "\n  %-12s %s", p.Name, p.Doc)
		if p.Default != "" {
			b.WriteString(" (default: " + p.Default + ")")
		}
	}
	for _, f := range r.own {
		fmt.Fprintf(&b, "\n  %-17s %s", f.name, f.doc)
		if f.value != "" {
			b.WriteString(" (default: " + f.value + ")")
		}
	}
	if r.example != "" {
		b.WriteString("\n\nExample:\n  " + r.example)
	}
	return documented{signature: r.signature(), typ: "magic", doc: strings.TrimSpace(b.String())}
}

func magicMagic(c *Call) (starlark.Value, error) {
	for i, r := range c.table.rows {
		if i > 0 {
			c.print("\n")
		}
		c.print(describeMagic(&r).text() + "\n")
	}
	return nil, nil
}

func magicHelp(c *Call) (starlark.Value, error) {
	if c.rest == "" {
		c.print(overview)
		return nil, nil
	}
	of(c.s).page(strings.TrimSuffix(c.rest, "()"), 0)
	return nil, nil
}
