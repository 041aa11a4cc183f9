package page

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// tables are paragraphs whose second line is one of dashes between bars. The library has them in a
// package that takes longer to start than all the rest of it, by every program that contains it.
type tables struct{}

// A block is a table, its row or its cell, by its kind.
type block struct {
	ast.BaseBlock
	kind  ast.NodeKind
	tag   string // in HTML
	align string // of a cell: "left", "center", "right", or ""
}

var (
	kindTable = ast.NewNodeKind("Table")
	kindRow   = ast.NewNodeKind("Row")
	kindCell  = ast.NewNodeKind("Cell")
)

func (b *block) Kind() ast.NodeKind            { return b.kind }
func (b *block) Dump(source []byte, depth int) { ast.DumpHelper(b, source, depth, nil, nil) }

var dashes = regexp.MustCompile(`^:?-+:?$`)

// Transform makes a table of a paragraph that is one. Rows have as many cells as the first.
func (tables) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	source, lines := reader.Source(), p.Lines()
	if lines.Len() < 2 {
		return
	}
	head, rule := cellsOf(source, lines.At(0)), cellsOf(source, lines.At(1))
	second := lines.At(1)
	if len(head) != len(rule) || !bytes.ContainsRune(second.Value(source), '|') {
		return
	}
	aligns := make([]string, len(rule))
	for i, cell := range rule {
		mark := cell.Value(source)
		if !dashes.Match(mark) {
			return
		}
		left, right := mark[0] == ':', mark[len(mark)-1] == ':'
		switch {
		case left && right:
			aligns[i] = "center"
		case right:
			aligns[i] = "right"
		case left:
			aligns[i] = "left"
		}
	}
	table := &block{kind: kindTable, tag: "table"}
	for n := range lines.Len() {
		cells, tag := cellsOf(source, lines.At(n)), "td"
		switch n {
		case 0:
			tag = "th"
		case 1:
			continue
		}
		row := &block{kind: kindRow, tag: "tr"}
		for i, align := range aligns {
			cell := &block{kind: kindCell, tag: tag, align: align}
			if i < len(cells) && cells[i].Start < cells[i].Stop {
				cell.Lines().Append(cells[i])
			}
			row.AppendChild(row, cell)
		}
		table.AppendChild(table, row)
	}
	p.Parent().ReplaceChild(p.Parent(), p, table)
}

// cellsOf divides a line at its bars, but for \|. Those at its ends may be missing.
func cellsOf(source []byte, line text.Segment) (cells []text.Segment) {
	line = trimmed(source, line)
	if line.Start < line.Stop && source[line.Start] == '|' {
		line.Start++
	}
	from := line.Start
	cut := func(to int) {
		cells = append(cells, trimmed(source, text.NewSegment(from, to)))
		from = to + 1
	}
	for i := line.Start; i < line.Stop; i++ {
		switch source[i] {
		case '\\':
			i++
		case '|':
			cut(i)
		}
	}
	if from < line.Stop {
		cut(line.Stop)
	}
	return cells
}

func trimmed(source []byte, s text.Segment) text.Segment {
	s = s.TrimLeftSpace(source)
	return s.TrimRightSpace(source)
}

func (tables) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	for _, kind := range []ast.NodeKind{kindTable, kindRow, kindCell} {
		reg.Register(kind, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
			b := node.(*block)
			switch {
			case !entering:
				w.WriteString("</" + b.tag + ">\n")
			case b.align != "":
				w.WriteString("<" + b.tag + ` align="` + b.align + `">`)
			default:
				w.WriteString("<" + b.tag + ">")
			}
			return ast.WalkContinue, nil
		})
	}
}
