package page

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	renderhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// converter reads markdown with HTML in it, as Jupyter does, and with tables and formulas.
var converter = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		// Before emphasis and escapes, which have priorities from 100 on.
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithInlineParsers(util.Prioritized(formulas{}, 50)),
			parser.WithParagraphTransformers(util.Prioritized(tables{}, 50))),
		goldmark.WithRendererOptions(renderhtml.WithUnsafe(),
			renderer.WithNodeRenderers(util.Prioritized(formulas{}, 50), util.Prioritized(tables{}, 50))),
	)
})

var attachment = regexp.MustCompile(`attachment:([^\s)"'>]+)`)

// markdown is the HTML of a text, whose pictures of the cell have the addresses given.
func markdown(source string, pictures map[string]string) string {
	source = attachment.ReplaceAllStringFunc(source, func(link string) string {
		if address, ok := pictures[strings.TrimPrefix(link, "attachment:")]; ok {
			return address
		}
		return link
	})
	var b bytes.Buffer
	if err := converter().Convert([]byte(source), &b); err != nil {
		return "<pre>" + html.EscapeString(source) + "</pre>\n"
	}
	return b.String()
}

// formulas keep $x_1$ and $$x_1$$ as they are written: what is between is no markdown.
type formulas struct{}

// A formula is the text of one, with its dollars.
type formula struct {
	ast.BaseInline
	source []byte
}

var kindFormula = ast.NewNodeKind("Formula")

func (*formula) Kind() ast.NodeKind              { return kindFormula }
func (f *formula) Dump(source []byte, depth int) { ast.DumpHelper(f, source, depth, nil, nil) }

func (formulas) Trigger() []byte { return []byte{'$'} }

// Parse takes a formula that ends in its paragraph. A dollar before a space or a blank, or behind
// one, is a dollar, and so is one before a digit that follows its end: $5 and $6.
func (formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	mark := "$"
	if bytes.HasPrefix(line, []byte("$$")) {
		mark = "$$"
	}
	start, at := block.Position()
	var b bytes.Buffer
	for first := true; ; first = false {
		line, _ := block.PeekLine()
		if line == nil {
			block.SetPosition(start, at)
			return nil
		}
		from := 0
		if first {
			from = len(mark)
		}
		if end := bytes.Index(line[from:], []byte(mark)); end >= 0 {
			end += from
			b.Write(line[:end+len(mark)])
			if inner := b.Bytes()[len(mark) : b.Len()-len(mark)]; mark == "$" && isMoney(inner, line[end+1:]) || len(inner) == 0 {
				block.SetPosition(start, at)
				return nil
			}
			block.Advance(end + len(mark))
			return &formula{source: b.Bytes()}
		}
		b.Write(line)
		block.AdvanceLine()
	}
}

func isMoney(inner, after []byte) bool {
	return len(inner) == 0 || inner[0] == ' ' || inner[len(inner)-1] == ' ' || len(after) > 0 && after[0] >= '0' && after[0] <= '9'
}

func (formulas) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(kindFormula, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			w.WriteString(`<span class="formula">` + html.EscapeString(string(node.(*formula).source)) + "</span>")
		}
		return ast.WalkSkipChildren, nil
	})
}
