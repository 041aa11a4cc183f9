package assist

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arignote/arignote/starlib/magic"
	"github.com/arignote/arignote/starlib/value"
	"go.starlark.net/starlark"
)

// Magics are those that show documentation.
func Magics() []magic.Row {
	return []magic.Row{
		{Name: "help", Params: []value.Param{{Name: "name", Doc: "a name, or a magic with its %"}},
			Doc: "Shows documentation.", Example: "%help np.dot", Line: magicHelp},
		{Name: "pinfo", Params: []value.Param{{Name: "name", Doc: "a name"}}, Doc: "Shows documentation, as name? does.", Example: "%pinfo np.dot", Line: pages(0)},
		{Name: "pinfo2", Params: []value.Param{{Name: "name", Doc: "a name"}}, Doc: "Shows documentation and the source, as name?? does.", Example: "%pinfo2 f", Line: pages(1)},
		{Name: "magic", Doc: "Shows the documentation of all magics.", Line: magicMagic},
	}
}

// pages is what %pinfo and %pinfo2 do.
func pages(detail int) func(*magic.Call) (starlark.Value, error) {
	return func(c *magic.Call) (starlark.Value, error) {
		if c.Rest == "" {
			return nil, errors.New("%pinfo: got no name: %pinfo NAME")
		}
		In(c.S).Page(c.Rest, detail)
		return nil, nil
	}
}

// describeMagic returns a magic's documentation.
func describeMagic(r *magic.Row) documented {
	var b strings.Builder
	b.WriteString(r.Doc + "\n")
	for _, p := range r.Params {
		fmt.Fprintf(&b, "\n  %-12s %s", p.Name, p.Doc)
		if p.Default != "" {
			b.WriteString(" (default: " + p.Default + ")")
		}
	}
	for _, f := range r.Own {
		fmt.Fprintf(&b, "\n  %-17s %s", f.Name, f.Doc)
		if f.Value != "" {
			b.WriteString(" (default: " + f.Value + ")")
		}
	}
	if r.Example != "" {
		b.WriteString("\n\nExample:\n  " + r.Example)
	}
	return documented{signature: r.Signature(), typ: "magic", doc: strings.TrimSpace(b.String())}
}

func magicMagic(c *magic.Call) (starlark.Value, error) {
	for i, r := range c.Table.Rows {
		if i > 0 {
			c.Print("\n")
		}
		c.Print(describeMagic(&r).text() + "\n")
	}
	return nil, nil
}

func magicHelp(c *magic.Call) (starlark.Value, error) {
	if c.Rest == "" {
		c.Print(overview)
		return nil, nil
	}
	In(c.S).Page(strings.TrimSuffix(c.Rest, "()"), 0)
	return nil, nil
}
